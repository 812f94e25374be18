"""The options of Spades, and its rule sheets, which are named sets of them. A published sheet never changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.game import Sheet
from scoring.options import option
from scoring.tricks import TrickRules

PER_TRICK = 10
CARDS = 13
# A side can take twice its bid only if the bid is not above this.
HALF = CARDS // 2


@dataclass(frozen=True, kw_only=True)
class Rules(TrickRules):
    """One way of playing Spades. The defaults are the basic game with bags, nil and blind nil, to 500 points."""

    # The rule book that the lines cite. It is not an option, so it has no title.
    book: str = "standard"

    bids_by: str = option(
        "seat",
        "Bids are made",
        choices={"seat": "by each player; partners’ bids are added", "side": "by the two partners together"},
        group="bidding",
    )
    lowest_bid: int = option(1, "The lowest bid of a number is", low=1, high=13, group="bidding")
    highest_bid: int = option(13, "The highest bid is", low=1, high=13, group="bidding")
    nil_points: int | None = option(
        100, "Nil wins or loses", low=0, high=1000, unit="points", none="nothing: nil cannot be bid", group="bidding"
    )
    blind_nil_points: int | None = option(
        200,
        "Blind nil wins or loses",
        low=0,
        high=1000,
        unit="points",
        none="nothing: blind nil cannot be bid",
        group="bidding",
    )
    lowest_blind: int | None = option(
        None, "The lowest blind bid of a number is", low=1, high=13, none="none: there are none", group="bidding"
    )
    blind_behind: int | None = option(
        100,
        "A side may bid blind only when behind by at least",
        low=1,
        high=1000,
        unit="points",
        none="nothing: at any score",
        group="bidding",
    )
    come_out: bool = option(
        False,
        "Partners who bid blind",
        choices={"yes": "may look and come out into an open bid of 10", "no": "play what they bid"},
        group="bidding",
    )
    first_hand_unbid: bool = option(
        False,
        "The first hand",
        choices={"yes": "is played without bidding: 10 points for each trick", "no": "is bid like any other"},
        group="bidding",
    )
    first_hand_least: int | None = option(
        None,
        "In a first hand without bids a side loses the game with fewer tricks than",
        low=1,
        high=13,
        none="any number: it ends no game",
        group="end",
    )
    redeal_without_spades: bool = option(
        False,
        "A hand without spades",
        choices={"yes": "may be dealt again if its player asks for it before bidding", "no": "is played"},
        group="cards",
    )
    redeal_after_a_face: bool = option(
        False,
        "A face card shown by the dealer",
        choices={"yes": "lets the players ask for a new deal before they bid", "no": "is left to the director"},
        group="cards",
    )

    over_points: int = option(1, "Points for each trick over the bid", low=0, high=10)
    over_limit: int | None = option(
        None,
        "Tricks over an open bid below 10 that make it a set",
        low=1,
        high=13,
        unit="or more",
        none="none: any number may be taken",
    )
    bag_limit: int | None = option(
        10, "Bags (tricks over the bid) are charged for every", low=1, high=100, unit="bags", none="none: no charge"
    )
    bag_penalty: int = option(100, "The charge for bags is", low=0, high=1000, unit="points")
    failed_nil: str = option(
        "bags",
        "Tricks of a nil that failed",
        choices={
            "bags": "do not help the partner’s bid and count as bags",
            "help-partner": "help to make the partner’s bid",
        },
    )
    failed_nil_trick_points: int = option(
        1, "Points for each trick of a nil that failed, where it is a bag", low=0, high=10
    )
    ten_points: int | None = option(
        None, "An open bid of 10 made scores", low=0, high=1000, unit="points", none="like any other bid"
    )
    ten_set: int | None = option(
        None, "A bid of 10 set loses", low=0, high=1000, unit="points", none="like any other bid"
    )
    blind_set: str = option(
        "double",
        "A blind bid of a number counts double when made; when set it loses",
        choices={"double": "double too", "single": "no more than an open bid"},
    )
    boston_points: int | None = option(
        None,
        "All 13 tricks, whatever the bid, score",
        low=0,
        high=1000,
        unit="points instead of the bid",
        none="nothing of their own: the bid is scored",
    )
    boston_on: str = option(
        "any-bid",
        "The points for all 13 tricks are paid",
        choices={"any-bid": "on any bid", "bid-13": "on a bid of 13 only"},
    )
    boston_bid_set: int | None = option(
        None, "A bid of 13 set loses", low=0, high=1000, unit="points", none="like any other bid"
    )
    twice_the_bid: str = option(
        "made",
        "A side that takes twice its bid or more",
        choices={"made": "makes it, like any other", "set": "is set"},
        unsaid="made",
    )
    blind_boston_points: int | None = option(
        None, "A blind bid of 13 made scores", low=0, high=1000, unit="points", none="what a bid of 13 does"
    )
    blind_boston_set: int | None = option(
        None, "A blind bid of 13 set loses", low=0, high=1000, unit="points", none="what any blind bid does"
    )
    boston_counts: bool = option(
        False, "All 13 tricks", choices={"yes": "are counted as a Boston", "no": "are not counted as a Boston"}
    )

    boston_wins: str = option(
        "no",
        "All 13 tricks win the game",
        choices={
            "no": "never",
            "open-ten": "on an open bid of 10",
            "any-ten": "on a bid of 10, open or blind",
            "any-bid": "on any bid",
        },
        group="end",
    )
    game_at: int | None = option(
        500,
        "The game is won at",
        low=50,
        high=10_000,
        unit="points (if both sides get there, the higher score wins)",
        none="no score",
        group="end",
    )
    level_at_game: str = option(
        "play-on",
        "Two sides tied at or above the winning score",
        choices={
            "play-on": "play on until one is ahead there",
            "until-broken": "play on; the first hand that puts one ahead ends the game",
        },
        group="end",
    )
    lose_at: int | None = option(
        None, "A side loses at", low=-10_000, high=-1, unit="points", none="no score, however low", group="end"
    )
    hand_limit: int | None = option(
        None,
        "The game is over after",
        low=1,
        high=100,
        unit="hands (the higher total wins)",
        none="no fixed number of hands",
        group="end",
    )
    level_at_end: str = option(
        "draw",
        "Tied after the last hand",
        choices={"draw": "is a draw", "one-more": "one more hand decides and scores nothing"},
        group="end",
    )

    pack: str = option(
        "no-jokers",
        "Cards",
        choices={
            "no-jokers": "52 cards without jokers",
            "jokers-deuce": "two jokers, without the twos of clubs and hearts; trumps: jokers, two, ace",
            "jokers-diamond": "two jokers, without the twos of clubs and hearts; two of diamonds third trump",
        },
        group="cards",
    )
    leading: str = option(
        "broken",
        "Spades may be led",
        choices={
            "broken": "when spades are broken, or with nothing else in hand",
            "fourth-trick": "when spades are broken, and from the fourth trick on",
            "any-time": "at any time",
        },
        group="cards",
    )
    first_lead: str = option(
        "left-of-dealer",
        "The first trick is led by",
        choices={"left-of-dealer": "the player to the dealer’s left", "dealer": "the dealer"},
        group="cards",
    )
    passing: str = option(
        "none",
        "Passing before the bids",
        choices={"none": "no cards are passed", "three-cards": "each player passes three cards to the partner"},
        group="cards",
    )
    blind_nil_exchange: int = option(
        2, "After a blind nil the partners exchange", low=0, high=13, unit="cards", group="cards"
    )
    french_cut: bool = option(
        False,
        "French cut",
        choices={"yes": "may be asked for: each player gets one card that all have seen", "no": "is not used"},
        group="cards",
    )

    @property
    def knows_nil(self) -> bool:
        """Return whether a player may bid nil: never if the partners bid together."""
        return self.nil_points is not None and self.bids_by == "seat"

    @property
    def knows_blind_nil(self) -> bool:
        """Return whether a player may bid blind nil: never if the partners bid together."""
        return self.blind_nil_points is not None and self.bids_by == "seat"

    @property
    def lowest_number(self) -> int:
        """Return the lowest number that can be bid, open or blind."""
        return self.lowest_bid if self.lowest_blind is None else min(self.lowest_bid, self.lowest_blind)

    @property
    def knows_blind_boston(self) -> bool:
        """Return whether a side can bid all 13 tricks blind."""
        return self.lowest_blind is not None and self.highest_bid == CARDS

    @property
    def counts_bostons(self) -> bool:
        """Return whether the sheet counts all 13 tricks as a Boston."""
        return self.boston_counts

    def totals(self) -> frozenset[str]:
        """Name what an opening must say: also bags, if they are charged."""
        return super().totals() | (frozenset() if self.bag_limit is None else {"bags"})

    def irrelevant_options(self) -> frozenset[str]:
        """Name the options that have no effect beside the others."""
        by_side, by_seat = self.bids_by == "side", self.bids_by == "seat"
        has_nil, has_blind = self.knows_nil or self.knows_blind_nil, self.lowest_blind is not None
        has_ten = self.highest_bid >= 10 or by_seat
        irrelevant = {
            "nil_points": by_side,
            "blind_nil_points": by_side,
            "failed_nil": not has_nil,
            "failed_nil_trick_points": not has_nil,
            "blind_nil_exchange": not self.knows_blind_nil,
            "blind_behind": not (has_blind or self.knows_blind_nil),
            "come_out": not has_blind,
            "blind_set": not has_blind,
            "bag_penalty": self.bag_limit is None,
            "ten_points": not has_ten,
            "ten_set": not has_ten,
            "level_at_game": self.game_at is None,
            "level_at_end": self.hand_limit is None,
            "first_hand_least": not self.first_hand_unbid,
            "boston_on": self.boston_points is None,
            "boston_bid_set": self.highest_bid < 13 and by_side,
            "twice_the_bid": self.lowest_number > HALF,
            "blind_boston_points": not self.knows_blind_boston,
            "blind_boston_set": not self.knows_blind_boston,
        }
        return super().irrelevant_options() | frozenset(
            option for option, means_nothing in irrelevant.items() if means_nothing
        )

    def conflicts(self) -> tuple[tuple[str, str], ...]:
        """Name options that contradict each other: the option, and why."""
        wrong = []
        if self.lowest_bid > self.highest_bid:
            wrong.append(("lowest_bid", "The lowest bid is above the highest."))
        if self.come_out and self.lowest_blind is None:
            wrong.append(("come_out", "Without blind bids there is nothing to come out of."))
        if self.first_hand_least is not None and not self.first_hand_unbid:
            wrong.append(("first_hand_least", "The first hand is bid: no side can lose by too few tricks in it."))
        if self.boston_bid_set is not None and self.highest_bid < CARDS and self.bids_by == "side":
            wrong.append(("boston_bid_set", f"The highest bid is {self.highest_bid}: nobody can bid 13."))
        if self.twice_the_bid == "set" and self.lowest_number > HALF:
            wrong.append(("twice_the_bid", f"The lowest bid is {self.lowest_number}: no side can take twice as many."))
        for key in ("blind_boston_points", "blind_boston_set"):
            if getattr(self, key) is not None and not self.knows_blind_boston:
                wrong.append((key, "Nobody can bid 13 blind on this sheet."))
        if self.lowest_blind is not None and self.lowest_blind > self.highest_bid:
            wrong.append(("lowest_blind", "The lowest blind bid is above the highest bid."))
        return (*wrong, *super().conflicts())


# The source of a sheet, as a club would name it.
PAGE = "Spades rules, as collected"

STANDARD = Rules(first_dealer="by-lot")
JOKERS = replace(
    STANDARD,
    book="jokers",
    bids_by="side",
    nil_points=None,
    blind_nil_points=None,
    lowest_blind=7,
    blind_behind=None,
    pack="jokers-deuce",
    leading="any-time",
    first_lead="dealer",
    blind_nil_exchange=0,
)
NEW_YORK = replace(
    JOKERS,
    book="new-york",
    lowest_bid=4,
    highest_bid=10,
    lowest_blind=6,
    blind_behind=100,
    come_out=True,
    first_hand_unbid=True,
    over_points=0,
    over_limit=3,
    bag_limit=None,
    ten_points=200,
    ten_set=200,
    blind_set="single",
    boston_counts=True,
    boston_wins="open-ten",
    back_to_back=2,
    level_at_game="until-broken",
    pack="jokers-diamond",
    leading="fourth-trick",
    first_lead="left-of-dealer",
)
FOUR_HANDS = replace(
    JOKERS,
    book="four-hand",
    tiebreak_order=("points", "games-won", "lots"),
    first_dealer="first-club",
    lowest_bid=4,
    lowest_blind=None,
    over_points=0,
    bag_limit=None,
    ten_points=200,
    ten_set=100,
    boston_points=250,
    boston_counts=True,
    game_at=None,
    hand_limit=4,
    pack="no-jokers",
    first_lead="left-of-dealer",
)
# The club’s sheet since 2026: a renege sets the bid, and all 13 tricks win the game.
FOUR_HANDS_2026 = replace(FOUR_HANDS, renege_price="set", boston_wins="any-bid")

TWO_SETS = replace(
    JOKERS,
    book="two-sets",
    lowest_bid=4,
    lowest_blind=None,
    ten_points=150,
    boston_points=200,
    boston_on="bid-13",
    boston_counts=True,
    game_at=350,
    set_limit=2,
    renege_price="set",
    misdeal_dealer="next",
)
# The clubs’ sheet since 2026: a 10 that is set loses as much as it would win.
TWO_SETS_2026 = replace(TWO_SETS, ten_set=150)
OVERTIME = replace(
    STANDARD,
    book="overtime",
    blind_nil_points=None,
    lowest_blind=6,
    back_to_back=2,
    set_limit=3,
    round_minutes=40,
)

SHEETS = (
    Sheet("spades/standard", "Spades with nil and bags", f"{PAGE}, lines 5–48", STANDARD),
    Sheet("spades/jokers", "Spades with jokers and partnership bidding", f"{PAGE}, lines 52–64", JOKERS),
    Sheet("spades/new-york", "New York City Spades", f"{PAGE}, lines 66–91", NEW_YORK),
    Sheet(
        "spades/four-hand-tournament-2026",
        "Spades tournament: four hands (2026)",
        "The published sheet of a Spades tournament, 2026",
        FOUR_HANDS_2026,
    ),
    Sheet(
        "spades/four-hand-tournament",
        "Spades tournament: four hands",
        "The published sheet of a Spades tournament",
        FOUR_HANDS,
        newer="spades/four-hand-tournament-2026",
    ),
    Sheet(
        "spades/two-sets-2026",
        "Spades to 350: two sets lose (2026)",
        "The sheet of clubs whose partners bid together, 2026",
        TWO_SETS_2026,
    ),
    Sheet(
        "spades/two-sets",
        "Spades to 350: two sets lose",
        "The sheet of clubs whose partners bid together",
        TWO_SETS,
        newer="spades/two-sets-2026",
    ),
    Sheet(
        "spades/overtime",
        "Spades with nil, blind six and a clock",
        "The sheet of a league: 40 minutes, then one hand of overtime",
        OVERTIME,
    ),
)


# The clauses that lines cite, by rule book. Every id is in RULES.md.


def _book(**clauses: str) -> Mapping[str, str]:
    """Return the clauses that lines cite. A clause of an option is cited from the source of that option."""
    everything = {
        "contract": "sp.contract",
        "ten": "sp.nyc.ten",
        "blind": "sp.joker.blind",
        "bags": "sp.bags",
        "nil": "sp.nil",
        "blind_nil": "sp.blind_nil",
        "first": "sp.nyc.first",
        "come_out": "sp.nyc.come_out",
        "boston": "sp.nyc.boston",
        "back_to_back": "sp.nyc.back_to_back",
        "game": "sp.game500",
        "end": "sp.four_hand.end",
        "first_least": "sp.first_least",
        "lose": "sp.game500",
        "sets": "sets",
        "boston_bid": "sp.boston_bid",
        "blind_boston": "sp.blind_boston",
        "twice": "sp.twice",
    }
    return everything | clauses


CITES: Mapping[str, Mapping[str, str]] = {
    "standard": _book(),
    "jokers": _book(contract="sp.joker"),
    "new-york": _book(contract="sp.nyc.bid", blind="sp.nyc.blind", game="sp.nyc.game500"),
    "two-sets": _book(
        contract="sp.two_sets.bid",
        ten="sp.two_sets.ten",
        boston="sp.two_sets.boston",
        sets="sp.two_sets.end",
        game="sp.two_sets.end",
    ),
    "overtime": _book(blind="sp.overtime.blind", back_to_back="sp.overtime.sets", sets="sp.overtime.sets"),
    "four-hand": _book(contract="sp.four_hand.bid", ten="sp.four_hand.ten", boston="sp.four_hand.boston"),
}


# Players’ names for the clauses of Spades, for sheets and screens.

HEADINGS: Mapping[str, str] = {
    "sp.contract": "contract",
    "sp.bags": "bags",
    "sp.nil": "nil",
    "sp.blind_nil": "blind nil",
    "sp.game500": "game",
    "sp.joker": "team contract",
    "sp.joker.blind": "blind bid",
    "sp.nyc.first": "unbid first hand",
    "sp.nyc.bid": "contract",
    "sp.nyc.ten": "bid of 10",
    "sp.nyc.boston": "Boston",
    "sp.nyc.blind": "blind bid",
    "sp.nyc.come_out": "coming out to 10",
    "sp.nyc.back_to_back": "shot back to back",
    "sp.nyc.game500": "game",
    "sp.four_hand.bid": "contract",
    "sp.four_hand.ten": "bid of 10",
    "sp.four_hand.boston": "all 13 tricks",
    "sp.four_hand.end": "end of the game",
    "sp.two_sets.bid": "contract",
    "sp.two_sets.ten": "bid of 10",
    "sp.two_sets.boston": "bid of 13",
    "sp.two_sets.end": "350, or two sets",
    "sp.overtime.blind": "blind six",
    "sp.overtime.sets": "two in a row or three in all",
    "sp.first_least": "too few in the first hand",
    "sp.boston_bid": "bid of 13",
    "sp.blind_boston": "blind bid of 13",
    "sp.twice": "twice the bid",
    "sp.no_spades": "hand without spades",
    "sp.face_shown": "face card shown",
}
