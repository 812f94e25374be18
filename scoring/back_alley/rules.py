"""The rules of all forms of Back Alley, and which of them are options in each family of sheets.

`Rules` has every rule of every form, as a plain field that is fixed on each sheet. Each family below declares as an
option what its players may choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.game import Seating, Sheet
from scoring.options import option
from scoring.tricks import TrickRules

DEALERS = {"next": "the next player deals the same number of cards", "same": "the same player deals again"}
LEVEL = {"draw": "a draw", "one-more-hand": "decided by one more hand, which scores nothing"}


@dataclass(frozen=True, kw_only=True)
class Rules(TrickRules):
    """One way of playing Back Alley. Every sheet has these fields; the defaults alone are not a game."""

    # The rule book that the lines cite, and how many sides there can be. A document names its sides.
    book: str
    fewest_sides: int = 2
    most_sides: int = 2
    individual: bool = False
    pack: int = 54

    # What a hand pays. With `team_bid` partners’ bids are added; otherwise their scores are.
    team_bid: bool = True
    per_trick: int = 5
    pays_undertricks: bool = False
    one_card_board: int | None = None

    # Boards: "escalating", "one-card" (after a 1), "single" (said by `board_word`, no doubling) or "none".
    boards: str = "escalating"
    board_word: str = ""
    board_per_card: int = 10
    board_flat: int = 0
    board_extra: int = 0
    board_most_cards: int = 13

    # Cards dealt: "down-up", "up-down" or "down-one" (down, and one card again).
    course: str = "down-up"
    full_deal: int = 13

    # Rainbows that pay when they are announced: cards, points.
    bonuses: tuple[tuple[int, int], ...] = ()
    false_rainbow: bool = False
    tight_redeal: bool = False

    players: int | None = None
    sides: int = 2
    partner_double_board: bool = False
    first_six: bool = False
    rainbow4: bool = False
    rainbow8: bool = False
    rainbow12: bool = False
    rainbow_plain: bool = False
    blind: bool = False
    all_cards_bid: str = "none"
    level_end: str = "draw"
    deals: int | None = None
    one_card_deals: int = 2
    way_back: bool = True
    fixed_deal: int | None = None
    most_cards: int | None = None
    reduced: bool = False
    thrown_in_dealer: str = "next"
    redeal_demand: bool = False
    joker_turned: str = "none"
    big_blooper_follow: str = "none"
    spades_trump: bool = False
    twos_high: bool = False

    def seating(self) -> Seating:
        """Seat the table: one player per side, or partners if there are more players than sides.

        Six play as two teams of three or three teams of two. Four may be two partnerships. All others play singly.
        """
        players = self.players or (4 if self.sides == 2 and not self.individual else self.sides)
        if players == 6:
            return Seating(6, 3 if self.sides == 3 else 2)
        return Seating(4, 2) if players == 4 and self.sides == 2 else Seating(players, players)

    def irrelevant_options(self) -> frozenset[str]:
        """Name the options that have no effect beside the others: sets lose a game only if there are two sides."""
        by_sets = frozenset({"set_limit", "back_to_back"})
        return super().irrelevant_options() | (by_sets if self.seating().sides > 2 else frozenset())

    def conflicts(self) -> tuple[tuple[str, str], ...]:
        """Name options that ask for more cards than the pack has, or for a deal that does not exist."""
        pack, seats = 42 if self.reduced else self.pack, self.seating().seats
        cards = {"most_cards": self.most_cards, "fixed_deal": self.fixed_deal}
        text = f"{pack} cards are not enough for %s each to {seats} players."
        conflicts = [(key, text % each) for key, each in cards.items() if each is not None and each * seats > pack]
        if self.blind and self.fixed_deal is not None:
            conflicts.append(("blind", "There is no halfway deal when every deal has the same number of cards."))
        if self.sides > 2 and self.players not in (None, self.sides) and (self.players, self.sides) != (6, 3):
            conflicts.append(("players", f"{self.players} players do not make {self.sides} sides."))
        return (*conflicts, *super().conflicts())

    @property
    def passes_on_unplayed(self) -> bool:
        """Return whether the deal can pass on without a hand: after a misdeal, or if all passed."""
        return super().passes_on_unplayed or self.thrown_in_dealer == "next"

    @property
    def moves_tricks(self) -> bool:
        """Return whether a ruling can move tricks from one side to the other."""
        return self.team_bid and self.seating().sides == 2


@dataclass(frozen=True, kw_only=True)
class ScheduleRules(Rules):
    """The options that every form has: how a game ends, and who deals after a thrown-in hand."""

    level_end: str = option("draw", "Tied after the last deal, the game is", choices=LEVEL, group="end")
    deals: int | None = option(
        None, "The game has at most", low=1, high=52, unit="deals", none="all its deals", group="end"
    )
    thrown_in_dealer: str = option("next", "When all pass", choices=DEALERS, group="cards")


@dataclass(frozen=True, kw_only=True)
class TeamRules(ScheduleRules):
    """The options of the partnership game that need no jokers."""

    players: int | None = option(
        None,
        "Players at the table",
        low=3,
        high=6,
        none="four in two partnerships, or one player on each side that is named",
        group="cards",
    )
    sides: int = option(
        2,
        "Sides at the table",
        low=2,
        high=5,
        unit="sides (four players: 2 or 4; six players: 2 or 3; three or five: as many as players)",
        choices={
            "2": "two partnerships, of two or (with six players) of three",
            "3": "three players, or (with six players) three partnerships of two",
            "4": "four players, each for themselves",
            "5": "five players, each for themselves",
        },
        group="cards",
    )
    first_six: bool = option(
        False,
        "A bid of the first six tricks, with 7 cards or more,",
        choices={"yes": "pays 100 and 1 for each further trick, or costs 100", "no": "is not played"},
        group="bidding",
    )
    rainbow4: bool = option(
        False,
        "A rainbow with 4 cards",
        choices={"yes": "is a bid of 1 and pays or costs 40; it needs 1 trick of the player’s own", "no": "is not bid"},
        group="bidding",
    )
    rainbow8: bool = option(
        False,
        "A rainbow with 8 cards",
        choices={
            "yes": "is a bid of 2 and pays or costs 80; it needs 2 tricks of the player’s own",
            "no": "is not bid",
        },
        group="bidding",
    )
    rainbow12: bool = option(
        False,
        "A rainbow with 12 cards",
        choices={
            "yes": "is a bid of 3 and pays or costs 120; it needs 3 tricks of the player’s own",
            "no": "is not bid",
        },
        group="bidding",
    )
    rainbow_plain: bool = option(
        False,
        "Announcing a rainbow with 4 cards",
        choices={"yes": "pays 40 by itself, besides the usual bid or pass", "no": "pays as described above"},
        group="bidding",
    )
    blind: bool = option(
        False,
        "The deals halfway down and up",
        choices={"yes": "are bid blind: bid and tricks if made, twice the bid if set; no boards", "no": "are ordinary"},
        group="bidding",
    )
    one_card_deals: int = option(
        2,
        "One-card deals in the middle",
        low=1,
        high=2,
        unit="(13 cards to 13 cards: 26 deals with 2, 25 with 1)",
        group="end",
    )
    way_back: bool = option(
        True,
        "After the one-card deals",
        choices={"yes": "the deals grow again", "no": "the game is over"},
        group="end",
    )
    fixed_deal: int | None = option(
        None,
        "Cards dealt",
        low=1,
        high=17,
        unit="to each player on every deal",
        none="change from deal to deal",
        group="cards",
    )
    most_cards: int | None = option(
        None,
        "The largest deal has",
        low=1,
        high=17,
        unit="cards each",
        none="the usual number of cards for the table",
        group="cards",
    )
    spades_trump: bool = option(
        False, "Trumps", choices={"yes": "are always spades", "no": "are turned up on each deal"}, group="cards"
    )
    redeal_demand: bool = option(
        False,
        "With 6 cards or more, a player without ace, face card and trump",
        choices={"yes": "may demand a new deal by the same dealer", "no": "plays on"},
        group="cards",
    )


@dataclass(frozen=True, kw_only=True)
class PartnershipRules(TeamRules):
    """The options of the game with bloopers."""

    partner_double_board: bool = option(
        False,
        "Boards",
        choices={
            "yes": "10 for each card; the partner may raise to a double board, 15 for each card; no higher ones",
            "no": "10, 20, 30 and 40 for each card",
        },
        group="bidding",
    )
    blind: bool = option(
        False,
        "The deals halfway down and up",
        choices={
            "yes": "are bid blind: bid and tricks if made, twice the bid if set; no boards;"
            " on every deal a blooper turned up goes under the pack, and the next card is turned",
            "no": "are ordinary",
        },
        group="bidding",
    )
    reduced: bool = option(
        False,
        "Pack",
        choices={"yes": "42 cards, without fours, threes and twos; 10 cards each at most", "no": "54 cards"},
        group="cards",
    )
    joker_turned: str = option(
        "no-trumps",
        "A blooper turned up",
        choices={
            "no-trumps": "means no trumps; the other blooper is exchanged for the next card",
            "burned": "goes under the pack, and the next card is turned",
        },
        group="cards",
    )
    big_blooper_follow: str = option(
        "highest",
        "When the big blooper is led, the partner",
        choices={
            "highest": "plays the highest trump, like everybody",
            "may-play-low": "may play a low trump",
            "must-play-low": "must play the lowest trump",
        },
        group="cards",
    )

    def irrelevant_options(self) -> frozenset[str]:
        """Name the options that have no effect beside the others.

        With blind deals a blooper is burned (L57). A rainbow that pays when it is announced is not a bid (L54).
        """
        irrelevant = {"joker_turned": self.blind, "rainbow4": self.rainbow_plain}
        return super().irrelevant_options() | frozenset(key for key, is_idle in irrelevant.items() if is_idle)


@dataclass(frozen=True, kw_only=True)
class HighDiamondRules(ScheduleRules):
    """The options of the individual game with the high two of diamonds."""

    twos_high: bool = option(
        False,
        "The two of trumps",
        choices={"yes": "is the second highest trump when diamonds are not trumps", "no": "is the lowest trump"},
        group="cards",
    )


@dataclass(frozen=True, kw_only=True)
class BortRules(ScheduleRules):
    """The options of the Korean War game."""

    all_cards_bid: str = option(
        "number",
        "A number bid of all the tricks",
        choices={"number": "is a bid like any other; bort must be said", "board": "is a bort"},
        group="bidding",
    )


@dataclass(frozen=True, kw_only=True)
class HighSpadeRules(ScheduleRules):
    """The options of the game with the high two of spades, which has boards on one card only."""

    all_cards_bid: str = option(
        "number",
        "A number bid of all the tricks",
        choices={"number": "is a bid like any other", "refused": "is not allowed: one less is the highest bid"},
        group="bidding",
    )


# The clauses that lines, problems and verdicts cite, by rule book. Every id is in RULES.md.

PARTNER_RAISE = "ba.var.partner_double_board"
FIRST_SIX_RULE = "ba.var.first_six"
BLIND = "ba.var.blind"
RAINBOW4 = "ba.var.rainbow4"
PLAIN_RAINBOW = "ba.var.rainbow_plain"
REDEAL_DEMAND = "ba.var.redeal_demand"
TIGHT_REDEAL = "ba.high_two.redeal"
THROWN_IN = "ba.partnership.allpass"
SPADES = "ba.var.spades_trump"


def _book(contract: str, **clauses: str) -> Mapping[str, str]:
    everything = dict.fromkeys(("board", "one_card", "extra", "rainbow", "schedule", "thrown_in"), contract)
    return {"contract": contract, **everything, **clauses}


_PARTNERSHIP = {"schedule": "ba.partnership.schedule", "thrown_in": THROWN_IN, "rainbow": RAINBOW4}
_INDIVIDUAL = {"board": "ba.individual.board", "one_card": "ba.individual.one_card"}

CITES: Mapping[str, Mapping[str, str]] = {
    "partnership": _book("ba.partnership", **(_PARTNERSHIP | {"board": "ba.partnership.board"})),
    "all": _book("ba.partnership", **(_PARTNERSHIP | {"board": "ba.var.all"})),
    "high-two": _book("ba.high_two", board="ba.high_two.board", thrown_in=THROWN_IN),
    "individual": _book("ba.individual", **_INDIVIDUAL),
    "oh-hell": _book(
        "ba.individual",
        **_INDIVIDUAL,
        extra="ba.individual.18",
        rainbow="ba.individual.18",
        schedule="ba.individual.18",
    ),
    "korean": _book("ba.individual.26"),
    "wild": _book("ba.commercial"),
}


# Players’ names for the clauses of Back Alley, for sheets and screens.

HEADINGS: Mapping[str, str] = {
    "ba.partnership": "contract",
    "ba.partnership.board": "boards",
    "ba.partnership.allpass": "all pass",
    "ba.partnership.schedule": "the deals",
    "ba.var.25deals": "25 deals",
    "ba.var.partner_double_board": "partner’s double board",
    "ba.var.first_six": "first six tricks",
    "ba.var.rainbow4": "rainbow",
    "ba.var.rainbow8": "rainbow",
    "ba.var.rainbow12": "rainbow",
    "ba.var.rainbow_plain": "rainbow",
    "ba.var.blind": "blind bids",
    "ba.var.fixed_deal": "the same deal every time",
    "ba.var.spades_trump": "spades are trumps",
    "ba.var.reduced": "42 cards",
    "ba.var.redeal_demand": "redeal on demand",
    "ba.var.all": "all",
    "ba.high_two": "contract",
    "ba.high_two.board": "boards on one card",
    "ba.high_two.redeal": "hand without trumps",
    "ba.individual": "contract",
    "ba.individual.board": "board",
    "ba.individual.one_card": "one-card deals",
    "ba.individual.18": "18 deals",
    "ba.individual.26": "26 deals",
    "ba.commercial": "contract",
}


# The rule sheets of Back Alley: named sets of its rules. A published sheet never changes.

# The source of a sheet, as a club would name it.
PAGE = "Back Alley rules, as collected"

PARTNERSHIP = PartnershipRules(book="partnership", most_sides=5)
ALL = TeamRules(
    book="all",
    most_sides=5,
    pack=52,
    boards="single",
    board_word="all",
    board_per_card=0,
    board_flat=25,
    board_most_cards=5,
)
HIGH_TWO = HighSpadeRules(
    book="high-two",
    pack=52,
    team_bid=False,
    per_trick=10,
    boards="one-card",
    board_most_cards=1,
    course="up-down",
    tight_redeal=True,
)
INDIVIDUAL = HighDiamondRules(
    book="individual",
    sides=4,
    most_sides=4,
    individual=True,
    pack=52,
    per_trick=3,
    one_card_board=13,
    boards="single",
    board_word="board",
    board_per_card=6,
    all_cards_bid="board",
    course="down-one",
    thrown_in_dealer="same",
)
OH_HELL_18 = replace(
    INDIVIDUAL,
    book="oh-hell",
    board_extra=10,
    bonuses=((4, 5), (8, 10)),
    course="down-up",
    full_deal=9,
)
KOREAN_WAR_26 = BortRules(
    book="korean",
    sides=4,
    most_sides=4,
    individual=True,
    pack=52,
    pays_undertricks=True,
    boards="single",
    board_word="bort",
    bonuses=((4, 40),),
    false_rainbow=True,
    thrown_in_dealer="same",
)
WILD_CARDS = ScheduleRules(
    book="wild",
    sides=4,
    most_sides=4,
    individual=True,
    pack=56,
    per_trick=3,
    boards="none",
    all_cards_bid="number",
    course="down-one",
    thrown_in_dealer="same",
)

SHEETS: tuple[Sheet[Rules], ...] = (
    Sheet("back_alley/partnership", "Partnership Back Alley (Blooper)", f"{PAGE}, lines 12–65", PARTNERSHIP),
    Sheet("back_alley/all", "Back Alley “All”, without jokers", f"{PAGE}, line 75", ALL),
    Sheet("back_alley/high-two", "Back Alley with the high two of spades", f"{PAGE}, lines 66–71", HIGH_TWO),
    Sheet("back_alley/individual", "Individual Back Alley", f"{PAGE}, lines 80–98", INDIVIDUAL),
    Sheet("back_alley/oh-hell-18", "Individual Back Alley, 18 deals (“Oh Hell”)", f"{PAGE}, line 103", OH_HELL_18),
    Sheet(
        "back_alley/korean-war-26", "Individual Back Alley, 26 deals (Korean War)", f"{PAGE}, line 107", KOREAN_WAR_26
    ),
    Sheet("back_alley/wild-cards", "Back Alley with four wild cards", f"{PAGE}, line 116", WILD_CARDS),
)
