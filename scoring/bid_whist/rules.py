"""The options of Bid Whist, and its rule sheets, which are named sets of them. A published sheet never changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from scoring.game import Sheet
from scoring.ledger import counted
from scoring.options import GameRules, option, set_limit

# Options that have no effect if nobody can bid No, and if there are no jokers.
OF_NO = ("no_doubled", "no_over_same", "boston_bid_no_points", "jokers_at_no")
OF_JOKERS = ("jokers_at_no", "deuce_of_spades")


class KindWords(NamedTuple):
    """What players call a kind of bid: in a sentence, after its number, in short, on the keyboard, and in full."""

    name: str
    behind: str
    short: str
    letter: str
    means: str


# From each sheet’s source. The short words begin with a no-break space.
KINDS_2021 = {
    "straight": KindWords("straight", "", "", "U", "straight (uptown)"),
    "special": KindWords("special", "-Special", "\u00a0S", "S", "special (downtown)"),
    "no": KindWords("No", "-No", "\u00a0No", "N", "No (no trump)"),
}
KINDS_CINCINNATI = KINDS_2021 | {"straight": KindWords("normal", "", "", "U", "normal (uptown)")}
KINDS_OF_PAGE = {
    "straight": KindWords("uptown", " uptown", "\u00a0U", "U", "uptown (high)"),
    "special": KindWords("downtown", " downtown", "\u00a0D", "L", "downtown (low)"),
    "no": KindWords("no trump", " no trump", "\u00a0NT", "N", "no trump"),
}
# If downtown is not played, a bid only says whether there are trumps.
KINDS_WITHOUT_DOWNTOWN = KINDS_OF_PAGE | {"straight": KindWords("trumps", "", "", "T", "trumps")}


@dataclass(frozen=True, kw_only=True)
class Rules(GameRules):
    """One way of playing Bid Whist. The defaults are the tournament sheet of July 24, 2021."""

    # The rule book that the lines cite. It is not an option, so it has no title.
    book: str = "2021"

    lowest_bid: int = option(1, "The lowest bid is", low=1, high=7, group="bidding")
    forced_dealer: int | None = option(
        2,
        "When all pass, the dealer must bid at least",
        low=1,
        high=7,
        none="nothing: the hand is dealt again",
        group="bidding",
    )
    special_over_straight: str = option(
        "equal",
        "Of the same number, {special} and {straight}",
        choices={"equal": "are equal", "special-outranks": "{special} outranks {straight}"},
        group="bidding",
    )
    no_over_same: bool = option(
        True,
        "A {no} over the same number",
        choices={"yes": "outranks {straight} and {special}", "no": "is equal: the next bid needs a higher number"},
        group="bidding",
    )
    kinds: tuple[str, ...] = option(
        ("straight", "special", "no"),
        "Contracts",
        choices={kind: f"{{{kind} means}}" for kind in KINDS_2021},
        group="bidding",
    )
    kind_is_bid: bool = option(
        True, "Kind", choices={"yes": "is part of the bid", "no": "is named after the bid is won"}, group="bidding"
    )
    dealer_may_match: bool = option(
        False,
        "The dealer",
        choices={"yes": "may take the bid at the same number", "no": "must bid higher"},
        group="bidding",
    )
    auction_rounds: str = option(
        "one",
        "The bidding goes around",
        choices={"one": "once", "until-three-pass": "until three players have passed"},
        group="bidding",
    )

    score_basis: str = option(
        "made", "A made bid scores", choices={"made": "the books above six", "bid": "the number bid, no more"}
    )
    made_pays: str = option(
        "above-six",
        "A made bid is paid",
        choices={"above-six": "by the books above six", "every-book": "for every book", "one-point": "one point"},
    )
    set_pays: str = option(
        "bidders-lose",
        "A set costs",
        choices={
            "bidders-lose": "the bidders the number they bid",
            "opponents-gain": "nothing; the other side gains the number bid",
            "opponents-two": "nothing; the other side gains two points",
        }
        | {str(points): f"nothing; the other side gains {counted(points, 'point')}" for points in range(14)},
    )
    no_doubled: bool = option(
        True, "A {no} bid counts", choices={"yes": "double, made or set", "no": "like any other bid"}
    )
    defenders_score: str = option(
        "no",
        "The side that did not bid scores",
        choices={
            "no": "nothing",
            "books-above-six": "a point for each book it takes above six",
            "every-book": "a point for each book it takes",
        },
    )
    boston_bid_points: int | None = option(
        None, "A bid of 7 that is made scores", low=7, high=100, unit="points", none="like any other bid"
    )
    boston_bid_no_points: int | None = option(
        None,
        "A {no} bid of 7 that is made scores",
        low=7,
        high=200,
        unit="points",
        none="by the same rule as a bid of 7",
    )
    boston_bid_is_game: bool = option(
        False,
        "A bid of 7",
        choices={"yes": "wins the game if made (28 points) and loses it if set", "no": "is a bid like any other"},
        group="end",
    )

    win_at: int | None = option(
        5, "A side wins at", low=1, high=500, unit="points", none="no score: the clock ends the game", group="end"
    )
    win_rule: str = option(
        "score",
        "The game is won",
        choices={
            "score": "by reaching that score",
            "lead": "at 7-0, by a lead of 11, or by reaching that score two ahead",
        },
        group="end",
    )
    lose_at: int | None = option(
        -5, "A side loses at", low=-500, high=-1, unit="points", none="no score, however low", group="end"
    )
    set_limit: int | None = set_limit(2)
    sets_consecutive: bool = option(
        False,
        "Sets that count towards it",
        choices={"yes": "only sets on consecutive bids of the same side", "no": "all sets of the game"},
        group="end",
    )
    odd_loses: bool = option(
        True,
        "Odd (a set on a bid of 1)",
        choices={"yes": "loses the game", "no": "is a set like any other"},
        group="end",
    )
    odd_scope: str = option(
        "one-bid",
        "Odd is",
        choices={
            "one-bid": "a set on a bid of 1",
            "any-bid": "a set on any bid when the other side takes 7 books or more",
        },
        group="end",
    )
    backdoor_scope: str = option(
        "first-hand",
        "Backdoor: the bonus when the bidders go out the back door",
        choices={
            "first-hand": "on the first hand",
            "any-hand": "on any hand",
            "none": "is not paid",
        },
        group="end",
    )
    bonus_points: int = option(
        5,
        "Odd, sets, renege, backdoor and awarded games add",
        low=0,
        high=100,
        unit="points for the winner",
        group="end",
        unsaid=0,
    )
    renege_price: str = option(
        "game",
        "A renege costs",
        choices={
            "game": "the game",
            "set": "a set for the bid",
            "three-books": "three books, or all 13 if the side has fewer than three",
        },
        group="end",
    )
    boston: str = option(
        "ends-game",
        "A Boston is",
        choices={"ends-game": "all 13 books in a hand that ends the game", "any-13": "all 13 books in any hand"},
        group="end",
    )
    rubber_games: int = option(
        1,
        "A side wins the table with",
        choices={"1": "one game", **{str(won): f"{won} games, the best of {2 * won - 1}" for won in range(2, 10)}},
        low=1,
        high=9,
        unit="games",
        group="end",
        unsaid=1,
    )

    jokers: int = option(0, "Jokers", low=0, high=2, group="cards")
    kitty_goes_to: str = option(
        "none",
        "The kitty",
        choices={
            "none": "there is none",
            "bidder": "counts as a book of the bidding side",
            "first-trick": "goes to the winner of the first trick, which counts two books",
        },
        group="cards",
    )
    kitty_sported: bool = option(
        False,
        "The kitty on trump bids",
        choices={"yes": "is shown to all (sported)", "no": "is not shown"},
        group="cards",
    )
    deuce_of_spades: bool = option(
        False,
        "The two of spades",
        choices={"yes": "is a permanent trump below the jokers", "no": "is a spade"},
        group="cards",
    )
    jokers_at_no: str = option(
        "no-value",
        "Jokers at {no}",
        choices={
            "no-value": "have no value; played when void in the suit led",
            "out": "are out of play, in the kitty",
            "any-time": "may be played at any time and never win",
        },
        group="cards",
    )
    redeal_without_faces: bool = option(
        False,
        "A hand without king, queen or jack",
        choices={"yes": "may be dealt again if its player asks for it when it is time to bid", "no": "is played"},
        group="cards",
    )
    signals: bool = option(
        False,
        "Opening bids of 1, 2, 3",
        choices={"yes": "are signals: mixed, downtown, uptown", "no": "are ordinary bids"},
        group="bidding",
    )

    @property
    def set_pays_others(self) -> bool:
        """Return whether a set costs the bidders nothing and brings the other side points."""
        return self.set_pays != "bidders-lose"

    @property
    def called(self) -> Mapping[str, KindWords]:
        """Return what the players of this sheet call the kinds of a bid."""
        page = KINDS_OF_PAGE if "special" in self.kinds else KINDS_WITHOUT_DOWNTOWN
        return {"2021": KINDS_2021, "cincinnati": KINDS_CINCINNATI}.get(self.book, page)

    def worded(self, text: str) -> str:
        """Put what players call the kinds of a bid into a sentence."""
        for kind, called in self.called.items():
            text = text.replace(f"{{{kind}}}", called.name).replace(f"{{{kind} means}}", called.means)
        return text

    @property
    def cards_each(self) -> int:
        """Return the cards that each player is dealt."""
        return 13 if self.kitty_goes_to == "none" else 12

    @property
    def dealer_bids_at_least(self) -> int | None:
        """Return the lowest bid that the dealer may make after three passes; None if nobody has to bid."""
        return None if self.forced_dealer is None else max(self.forced_dealer, self.lowest_bid)

    @property
    def counts_sets_in_a_row(self) -> bool:
        """Return whether the limit of sets is for sets in a row."""
        return self.sets_consecutive

    @property
    def sets_in_a_row(self) -> bool:
        """Return whether only sets in a row lose the game."""
        return self.sets_consecutive and self.set_limit is not None

    @property
    def counts_bostons(self) -> bool:
        """Return True: on every sheet, all 13 books are a Boston."""
        return True

    def totals(self) -> frozenset[str]:
        """Name what an opening must say: also games and deals of a rubber, and Bostons if a game can outlast one."""
        totals = super().totals()
        if self.rubber_games > 1:
            return totals | {"games", "deals"}
        return totals if self.boston == "any-13" else totals - {"bostons"}

    def irrelevant_options(self) -> frozenset[str]:
        """Name the options that have no effect beside the others."""
        irrelevant = {
            "jokers": self.kitty_goes_to == "none",
            "kitty_sported": self.kitty_goes_to != "bidder",
            "special_over_straight": not {"straight", "special"} <= set(self.kinds) or not self.kind_is_bid,
            "no_over_same": not self.kind_is_bid,
            "signals": self.lowest_bid > 1,
            "score_basis": self.made_pays != "above-six",
            "win_rule": self.win_at is None,
            "sets_consecutive": self.set_limit is None,
            "odd_scope": not self.odd_loses,
            "backdoor_scope": self.lose_at is None,
            "rubber_games": not self._can_be_won(),
        }
        named = {option for option, means_nothing in irrelevant.items() if means_nothing}
        if "no" not in self.kinds:
            named.update(OF_NO)
        if not self.jokers:
            named.update(OF_JOKERS)
        return super().irrelevant_options() | frozenset(named)

    def _can_be_won(self) -> bool:
        """Return whether anything but the clock ends a game. If not, there is no second game at the table."""
        ends = (self.win_at, self.lose_at, self.set_limit)
        others = self.odd_loses or self.boston_bid_is_game or self.renege_price == "game"
        return others or any(end is not None for end in ends)

    def conflicts(self) -> tuple[tuple[str, str], ...]:
        """Name options that contradict each other: the option, and why."""
        wrong = []
        if self.jokers and self.kitty_goes_to == "none":
            wrong.append(("jokers", "Jokers need a kitty: without one the cards do not come out even."))
        if self.win_rule == "lead" and self.win_at is None:
            wrong.append(("win_at", "A game won by a lead needs its score too."))
        return tuple(wrong)


# The clauses that lines cite, by rule book. Every id is in RULES.md.


def _book(own: str, **clauses: str) -> Mapping[str, str]:
    """Return the clauses that lines cite. A clause of an option is cited from the source of that option."""
    everything = {
        "hand": own,
        "no": "bw.no_trump",
        "bid": own,
        "ladder": own,
        "dealer": own,
        "defenders": "bw.var.opponents_score",
        "win": own,
        "lose": own,
        "sets": "bw.var.two_sets",
        "sets_bonus": "tw.two_sets",
        "odd": "tw.odd",
        "backdoor": "tw.backdoor",
        "boston": "tw.boston",
        "boston_bid": "bw.var.boston28",
        "renege": "bw.renege",
        "renege_bonus": "tw.renege",
        "rubber": "bw.boston_parr.rubber",
        "stop": "agreed-stop",
    }
    return everything | clauses


CITES: Mapping[str, Mapping[str, str]] = {
    "2021": _book(
        "4",
        no="5",
        bid="24",
        ladder="27",
        dealer="28",
        defenders="4",
        win="6",
        lose="6",
        sets="8",
        sets_bonus="7",
        odd="7",
        backdoor="9",
        boston="44",
        renege="41",
        renege_bonus="7",
        stop="43",
    ),
    "base": _book(
        "bw.hand", bid="bw.ladder", ladder="bw.ladder", dealer="bw.dealer_forced", win="bw.game7", lose="bw.game7"
    ),
    "52": _book("bw52.hand", bid="bw52.auction", ladder="bw52.auction", dealer="bw52.auction"),
    "parr": _book("bw.boston_parr", defenders="bw.boston_parr"),
    "cincinnati": _book("bw.cincinnati", win="bw.game7", lose="bw.game7"),
    "rhode-island": _book("bw.rhode_island", no="bw.rhode_island", defenders="bw.rhode_island"),
    "hawaii": _book("bw.hawaii", win="bw.hawaii.win"),
    "marathon": _book("marathon", bid="bw.var.min4", ladder="bw.var.low_over_high", boston_bid="marathon"),
}


# Players’ names for the clauses of Bid Whist, for sheets and screens.

HEADINGS: Mapping[str, str] = {
    "bw.hand": "the bid",
    "bw.no_trump": "no trump bids",
    "bw.game7": "the winning score",
    "bw.ladder": "the order of bids",
    "bw.dealer_forced": "forced dealer",
    "bw.renege": "renege",
    "bw.var.two_sets": "sets that lose the game",
    "bw.var.opponents_score": "opponents score",
    "bw.var.boston28": "Boston bid",
    "bw.var.min4": "the lowest bid",
    "bw.var.low_over_high": "low over high",
    "bw.boston_parr": "Boston rules",
    "bw.boston_parr.rubber": "the rubber",
    "bw.cincinnati": "Cincinnati rules",
    "bw.hawaii": "Hawaii rules",
    "bw.hawaii.win": "Hawaii’s winning lead",
    "bw.rhode_island": "Rhode Island rules",
    "bw52.hand": "the bid",
    "bw52.auction": "one round of bidding",
    "tw.two_sets": "two sets",
    "tw.odd": "odd",
    "tw.backdoor": "backdoor",
    "tw.boston": "Boston",
    "tw.renege": "renege",
    "marathon": "marathon rules",
    "all-pass": "all pass",
}


# The rule sheets of Bid Whist: named sets of its options. A published sheet never changes.

# The source of a sheet, as a club would name it.
PRINTED_2021 = "The printed tournament sheet, revised July 24, 2021"
PAGE = "Bid Whist rules, as collected"

TOURNAMENT_2021 = Rules()
STANDARD = Rules(
    book="base",
    lowest_bid=3,
    forced_dealer=3,
    win_at=7,
    lose_at=-7,
    set_limit=None,
    odd_loses=False,
    backdoor_scope="none",
    bonus_points=0,
    renege_price="three-books",
    jokers=2,
    kitty_goes_to="bidder",
    first_dealer="first-diamond",
)
CARDS_52 = replace(
    STANDARD,
    book="52",
    lowest_bid=1,
    forced_dealer=None,
    kind_is_bid=False,
    dealer_may_match=True,
    set_pays="opponents-gain",
    no_doubled=False,
    win_at=21,
    lose_at=None,
    jokers=0,
    kitty_goes_to="first-trick",
    redeal_without_faces=True,
    signals=True,
    first_dealer="by-lot",
)
BOSTON_PARR = replace(
    CARDS_52,
    book="parr",
    forced_dealer=1,
    kinds=("straight", "no"),
    dealer_may_match=False,
    auction_rounds="until-three-pass",
    set_pays="bidders-lose",
    defenders_score="every-book",
    win_at=11,
    kitty_goes_to="none",
    redeal_without_faces=False,
    signals=False,
)
CINCINNATI = replace(
    STANDARD,
    book="cincinnati",
    lowest_bid=1,
    forced_dealer=1,
    special_over_straight="special-outranks",
    jokers=0,
    kitty_goes_to="none",
    first_dealer="by-lot",
)
RHODE_ISLAND = replace(
    CARDS_52,
    book="rhode-island",
    kinds=("straight", "no"),
    no_doubled=True,
    made_pays="every-book",
    defenders_score="books-above-six",
    kitty_goes_to="bidder",
    redeal_without_faces=False,
    signals=False,
)
HAWAII = replace(
    RHODE_ISLAND,
    book="hawaii",
    lowest_bid=3,
    forced_dealer=3,
    no_doubled=False,
    made_pays="one-point",
    set_pays="opponents-two",
    defenders_score="no",
    win_rule="lead",
    dealer_may_match=False,
)
MARATHON = replace(
    STANDARD,
    book="marathon",
    lowest_bid=4,
    forced_dealer=4,
    special_over_straight="special-outranks",
    score_basis="bid",
    boston_bid_points=13,
    boston_bid_no_points=26,
    win_at=None,
    lose_at=None,
    jokers=1,
    round_minutes=15,
    tiebreak_order=("games-won", "points", "head-to-head", "lots"),
)

SHEETS = (
    Sheet("bid_whist/no-kitty-2021", "Tournament Bid Whist, no kitty, no jokers (2021)", PRINTED_2021, TOURNAMENT_2021),
    Sheet("bid_whist/standard", "Bid Whist with kitty and two jokers", f"{PAGE}, lines 5–90", STANDARD),
    Sheet("bid_whist/52-card", "52-card Bid Whist", f"{PAGE}, lines 92–121", CARDS_52),
    Sheet("bid_whist/boston-parr", "Boston Bid Whist (Daniel Parr)", f"{PAGE}, line 125", BOSTON_PARR),
    Sheet("bid_whist/cincinnati", "Cincinnati Bid Whist (Tom W)", f"{PAGE}, line 127", CINCINNATI),
    Sheet("bid_whist/rhode-island", "Rhode Island Bid Whist (John Rogler)", f"{PAGE}, line 129", RHODE_ISLAND),
    Sheet("bid_whist/hawaii", "Hawaii “Trumps” (Chevee Todd)", f"{PAGE}, line 131", HAWAII),
    Sheet(
        "bid_whist/marathon",
        "Bid Whist marathon: five-card kitty, timed games",
        "The published sheet of a Bid Whist marathon",
        MARATHON,
    ),
)
