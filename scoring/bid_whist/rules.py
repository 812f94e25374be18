"""The options of Bid Whist. The rule sheets in `sheets.py` are named choices of them."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.event_rules import EventRules
from scoring.options import option

# Options that mean nothing where nobody bids No, and where there are no jokers.
OF_NO = ("no_doubled", "no_over_same", "boston_bid_no_points", "jokers_at_no")
OF_JOKERS = ("jokers_at_no", "deuce_of_spades")


@dataclass(frozen=True, kw_only=True)
class Rules(EventRules):
    """One way of playing Bid Whist. The defaults are the tournament sheet of July 24, 2021."""

    # Which rule book the lines cite; no option, so it has no title.
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
        "Special and straight of the same number",
        choices={"equal": "are equal", "special-outranks": "special outranks straight"},
        group="bidding",
    )
    no_over_same: bool = option(
        True,
        "A No over the same number",
        choices={"yes": "outranks straight and special", "no": "is equal: the next bid needs a higher number"},
        group="bidding",
    )
    kinds: tuple[str, ...] = option(
        ("straight", "special", "no"),
        "Contracts",
        choices={"straight": "straight (uptown)", "special": "special (downtown)", "no": "No (no trump)"},
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
        "The bidding goes round",
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
        },
    )
    no_doubled: bool = option(
        True, "A No bid counts", choices={"yes": "double, made or set", "no": "like any other bid"}
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
        "A bid of 7-No that is made scores",
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
    set_limit: int | None = option(
        2,
        "Sets that lose the game:",
        low=1,
        high=13,
        none="none: sets do not end a game",
        group="end",
    )
    sets_consecutive: bool = option(
        False,
        "Sets that count towards it",
        choices={"yes": "only sets on bids in a row of the same side", "no": "all sets of the game"},
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
            "three-books": "three books, or all 13 if there are fewer",
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
        "Jokers at No",
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
        choices={"yes": "may be called for a new deal at the player's turn to bid", "no": "is played"},
        group="cards",
    )
    signals: bool = option(
        False,
        "Opening bids of 1, 2, 3",
        choices={"yes": "are signals: mixed, downtown, uptown", "no": "are ordinary bids"},
        group="bidding",
    )

    @property
    def cards_each(self) -> int:
        """Return the cards that each player is dealt."""
        return 13 if self.kitty_goes_to == "none" else 12

    @property
    def dealer_bids_at_least(self) -> int | None:
        """Return the lowest bid of a dealer whom all others passed to; None: nobody has to bid."""
        return None if self.forced_dealer is None else max(self.forced_dealer, self.lowest_bid)

    @property
    def sets_in_a_row(self) -> bool:
        """Return whether only sets in a row lose the game."""
        return self.sets_consecutive and self.set_limit is not None

    @property
    def counts_bostons(self) -> bool:
        """Say that all 13 books of one side are a Boston, on every sheet."""
        return True

    def moot(self) -> frozenset[str]:
        """Name the options that mean nothing beside the others."""
        moot = {
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
        named = {option for option, means_nothing in moot.items() if means_nothing}
        if "no" not in self.kinds:
            named.update(OF_NO)
        if not self.jokers:
            named.update(OF_JOKERS)
        return super().moot() | frozenset(named)

    def _can_be_won(self) -> bool:
        """Whether anything but the clock ends a game: without that there is no second game at the table."""
        ends = (self.win_at, self.lose_at, self.set_limit)
        others = self.odd_loses or self.boston_bid_is_game or self.renege_price == "game"
        return others or any(end is not None for end in ends)

    def misfits(self) -> tuple[tuple[str, str], ...]:
        """Name options that do not go together: the option, and why."""
        wrong = []
        if self.jokers and self.kitty_goes_to == "none":
            wrong.append(("jokers", "Jokers need a kitty: without one the cards do not come out even."))
        if self.win_rule == "lead" and self.win_at is None:
            wrong.append(("win_at", "A game won by a lead needs its score too."))
        return tuple(wrong)
