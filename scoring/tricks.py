"""What the games of bids and tricks share: their options, a hand, how it is checked, and its points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.decisions import Schedule, Scored, decide, end_counted, is_worthless, pass_deal
from scoring.ends import IN_A_ROW, SET_LIMIT, TWO_SETS, first_end
from scoring.fields import Fields
from scoring.game import Choice, Field, Of, numbers
from scoring.ledger import BySide, Carry, HandResult, Line, Problem, Word, bid_words, counted, earn, hyphenated
from scoring.options import GameRules, option, set_limit

# The prices that take tricks off the hand.
TAKE_TRICKS = frozenset({"three-books", "three-books-set", "three-lost"})


@dataclass(frozen=True, kw_only=True)
class TrickRules(GameRules):
    """The options that the sheets of the bid-and-make games share: sets, reneges and misdeals."""

    set_limit: int | None = set_limit(None, low=2)
    back_to_back: int | None = option(
        None,
        "Sets in a row that lose the game",
        low=2,
        high=13,
        none="none: sets in a row do not end a game",
        group="end",
    )
    renege_price: str = option(
        "adjustment",
        "A renege costs",
        choices={
            "adjustment": "what the director decides",
            "set": "a set for that hand",
            "three-books": "three tricks, which count for the other side",
            "three-books-set": "three tricks, which count for the other side, and a set for that hand",
            "three-lost": "three tricks, which count for nobody",
            "game": "the game",
        },
        group="wrongs",
        unsaid="adjustment",
    )
    second_renege: str = option(
        "same",
        "A second renege in the same game costs",
        choices={"same": "the same", "game": "the game"},
        group="wrongs",
        unsaid="same",
    )
    wrong_call: str = option(
        "none",
        "Calling a renege that did not happen costs",
        choices={
            "none": "nothing",
            "three-books": "three tricks, which count for the other side",
            "three-books-set": "three tricks, which count for the other side, and a set for that hand",
            "three-lost": "three tricks, which count for nobody",
            "set": "a set for that hand",
        },
        group="wrongs",
        unsaid="none",
    )
    misdeal_dealer: str = option(
        "same",
        "After a misdeal",
        choices={"same": "the same player deals again", "next": "the next player deals"},
        group="cards",
    )

    def conflicts(self) -> tuple[tuple[str, str], ...]:
        """Name options that contradict each other: more sets in a row than sets in all can never be reached."""
        wrong = []
        if self.set_limit is not None and self.back_to_back is not None and self.back_to_back > self.set_limit:
            text = f"{self.set_limit} sets in all end the game before {self.back_to_back} in a row can."
            wrong.append(("back_to_back", text))
        text = "Tricks can be taken off a hand only where there are two sides whose partners bid and win them together."
        priced = {"renege_price": self.renege_price, "wrong_call": self.wrong_call}
        wrong += [(key, text) for key, price in priced.items() if price in TAKE_TRICKS and not self.moves_tricks]
        return tuple(wrong)

    def irrelevant_options(self) -> frozenset[str]:
        """Name the options that have no effect beside the others: the second renege, if the first costs the game."""
        again = frozenset({"second_renege"}) if self.renege_price == "game" else frozenset()
        return super().irrelevant_options() | again

    @property
    def second_renege_loses(self) -> bool:
        """Return whether the second renege of a side in one game costs it the game."""
        return self.second_renege == "game"

    @property
    def moves_tricks(self) -> bool:
        """Return whether a ruling can move tricks from one side to the other."""
        return True

    @property
    def sets_in_a_row(self) -> bool:
        """Return whether only sets in a row lose the game."""
        return self.back_to_back is not None and self.set_limit is None

    @property
    def passes_on_unplayed(self) -> bool:
        """Return whether the deal can pass on without a hand, so that deals and hands are counted separately."""
        return self.misdeal_dealer == "next"

    def totals(self) -> frozenset[str]:
        """Name what an opening must say: also sets in a row, if they end the game, and deals, if they are not hands."""
        read = {"sets_running": self.back_to_back is not None, "deals": self.passes_on_unplayed}
        return super().totals() | {key for key, is_read in read.items() if is_read}


# If all pass, the hand is thrown in and nobody writes tricks for it.
PASSES = {"pass", "0"}
PARTNERSHIPS = 2
FIELDS = frozenset({"entry", "note", "cards", "bids", "tricks", "first_six", "dealer", "auction", "trump"})


@dataclass(frozen=True, slots=True)
class TrickHand:
    """A hand that was played. `bids` are in the players’ words; `bids` and `tricks` are by seat or by side.

    `cards` is None if the game itself knows how many were dealt. `first_six` says whether a first-six bid was won.
    """

    bids: tuple[str, ...]
    tricks: tuple[int, ...]
    cards: int | None = None
    first_six: bool | None = None
    dealer: int | None = None
    auction: tuple[str, ...] = ()
    trump: str = ""


def read_trick_hand(facts: Mapping[str, Any]) -> tuple[TrickHand | None, tuple[Problem, ...]]:
    """Read a hand of the game document; every malformed field becomes a problem."""
    written = facts.get("bids")
    if isinstance(written, (list, tuple)):
        facts = {**facts, "bids": [str(bid) if type(bid) is int else bid for bid in written]}
    fields = Fields(facts)
    fields.only(FIELDS)
    bids = tuple(hyphenated(bid) for bid in fields.texts("bids"))
    for needed in ("bids", "tricks"):
        if facts.get(needed) is None and not (needed == "tricks" and bids and set(bids) <= PASSES):
            fields.refuse(needed, f"The {needed} of the hand are missing.")
    hand = TrickHand(
        bids,
        fields.numbers("tricks"),
        fields.number("cards"),
        fields.flag("first_six"),
        fields.number("dealer"),
        tuple(hyphenated(call) for call in fields.texts("auction")),
        hyphenated(fields.text("trump")),
    )
    return (None, tuple(fields.problems)) if fields.problems else (hand, ())


def trick_fields(cards: int, bids: tuple[tuple[str, ...], ...], *, bids_of: Of, tricks_of: Of) -> tuple[Field, ...]:
    """Ask for the bids, one tuple for each side or seat (none if nobody bids), and for the tricks."""
    dealt = Field("cards", "hand", "given", "How many cards were dealt?", "Cards", "Cards", (numbers(cards, cards),))
    offered = tuple(choices_of(words) for words in bids)
    bid = Field("bids", bids_of, "row", "What did {who} bid?", "bid", "Bid", offered, name="bid")
    took = "How many tricks did {who} take?"
    taken = Field("tricks", tricks_of, "count", took, "took", "Took", (numbers(0, cards),), name="tricks")
    return (dealt, bid, taken) if bids else (dealt, taken)


def choices_of(bids: tuple[str, ...]) -> tuple[Choice, ...]:
    """Offer bids in the words of the table."""
    return tuple(Choice(bid, bid_words(bid), bid_words(bid)) for bid in bids)


def by_side(values: tuple[int, ...], sides: int) -> BySide[int]:
    """Add up values by side: seat i belongs to side i mod sides. One value per side is left as it is."""
    return BySide(sum(values[side::sides]) for side in range(sides))


def shape_problems(
    hand: TrickHand, *, seats: int, sides: int, cards: int, rule: str, bids_by_side: bool, tricks_by_seat: bool
) -> tuple[Problem, ...]:
    """Check that a hand has a bid and a number of tricks for everybody, and that the tricks add up to the deal.

    `cards` were dealt to each player, so that many tricks were played. Tricks may be written by side unless
    `tricks_by_seat` says that a player’s own tricks decide something.
    """
    problems = []
    bidders = sides if bids_by_side else seats
    if len(hand.bids) != bidders:
        who = "side" if bids_by_side else "seat"
        problems.append(Problem("bids", rule, f"{bidders} bids are needed, one per {who}; there are {len(hand.bids)}."))
    takers = {seats} if tricks_by_seat else {seats, sides}
    if len(hand.tricks) not in takers:
        count = " or ".join(str(number) for number in sorted(takers))
        problems.append(Problem("tricks", rule, f"{count} numbers of tricks are needed; there are {len(hand.tricks)}."))
    if hand.cards is not None and hand.cards != cards:
        problems.append(Problem("cards", rule, f"This deal has {cards} cards each, not {hand.cards}."))
    if any(tricks < 0 for tricks in hand.tricks):
        problems.append(Problem("tricks", rule, "Tricks are counted from 0."))
    elif sum(hand.tricks) != cards:
        problems.append(
            Problem("tricks", rule, f"{counted(cards, 'trick')} were played, but {sum(hand.tricks)} are written down.")
        )
    return tuple(problems)


def contract_line(
    rule: str, side: int, bid: int, tricks: int, *, per_trick: int, per_over: int = 1, who: str = ""
) -> Line:
    """Score a bid: made, `per_trick` for each trick bid and `per_over` for each one over; set, it loses the first."""
    took, over = counted(tricks, "trick"), tricks - bid
    if over < 0:
        return Line(rule, side, -per_trick * bid, f"{who}{bid} bid, {took}: set", "bid")
    points = per_trick * bid + per_over * over
    if not bid:
        return Line(rule, side, points, f"{who}no bid, {took}", "tricks")
    return Line(rule, side, points, f"{who}{bid} bid, {took}: made{f', {over} over' if over else ''}", "bid")


def thrown_in(carry: Carry, cards: int, rule: str, *, next_deals: bool) -> Scored:
    """Score nothing for a hand that all passed, and say who deals the same number of cards."""
    who = "the next player deals" if next_deals else "the same player deals again:"
    note = f"all passed: thrown in, {who} {counted(cards, 'card')}"
    return Scored((), pass_deal(carry, next_deals), HandResult(BySide.each(len(carry.scores), ""), note, rule))


def next_deals_after(rules: Any, rule: str) -> bool:
    """Return whether the next player deals after a hand that is void by this rule: a misdeal, if the sheet says so."""
    return rule == "misdeal" and rules.misdeal_dealer == "next"


# The ends of a game with a fixed number of deals, with the names of their clauses.
ENDS = (IN_A_ROW, TWO_SETS, SET_LIMIT)
CITES = {"back_to_back": "back-to-back", "sets": "sets"}


def score_hand(
    rules: Any, carry: Carry, lines: tuple[Line, ...], words: BySide[Word], schedule: Schedule | None
) -> Scored:
    """Count a hand: its lines, and a set for each side that was set. A deciding hand may decide the game."""
    after = charge_sets(pass_deal(carry), words)._replace(hands=carry.hands + 1)
    if is_worthless(rules, carry, schedule):
        return decide(carry, after, lines, schedule)._replace(result=HandResult(words))
    return Scored(lines, earn(after, lines), HandResult(words))


def judged(rules: Any, before: Carry, scored: Scored) -> Scored:
    """End a game with a fixed number of deals, if sets or a deciding hand after time end it."""
    after = scored.carry
    ending = first_end(ENDS, CITES, rules, before, after, None) if len(after.scores) == PARTNERSHIPS else None
    after = after._replace(verdict=ending.verdict) if ending and after.verdict is None else after
    return scored._replace(carry=end_counted(before, after))


def charge_sets(carry: Carry, words: BySide[Word]) -> Carry:
    """Count a set for each side that was set. A bid that was not set ends its side’s run of sets."""
    sets, running = list(carry.sets), list(carry.sets_running)
    for side, word in enumerate(words):
        sets[side] += word == "set"
        if word:
            running[side] = running[side] + 1 if word == "set" else 0
    return carry._replace(sets=BySide(sets), sets_running=BySide(running))


def seen_a_hand(rules: object, carry: Carry) -> Carry:
    """Count a hand for a paper sheet that has anything on it, because the next hand is not the first one."""
    hands = max(carry.hands, int(any((*carry.scores, *carry.sets, *carry.bags, *carry.bostons))))
    return carry._replace(hands=hands, deals=max(carry.deals, hands))
