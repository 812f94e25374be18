"""What a game is to the site: the facts, questions and computations that each card game fills in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from scoring.decisions import (
    NO_GAME,
    PLAIN_RULINGS,
    EntryKind,
    Ruling,
    RulingChoice,
    RulingRule,
    Schedule,
    Scored,
    Void,
    VoidChoice,
    close_schedule,
    complete,
    find_plain,
)
from scoring.ends import Finish, sets_so_far
from scoring.laid import SET_ASIDE, Laid, count_reneges, lay
from scoring.ledger import BySide, Carry, HandResult, Line, Problem, required, start
from scoring.options import EventRules

# What a table writes down about a hand: a field for each thing, and the answers that it accepts.

# How a field is asked: the name of its pad in `templates/components/pads/`. A game may add one. seats: a button for
# each player · grid: rows of buttons · row: one row of buttons · count: numbers from 0 up · yes-no. Two need no pad:
# calls, a list for each call of the first round, and given, which is known and not asked.
Layout = str
# One answer for the hand, one about the player who won the bid, or one for each side or seat.
Of = Literal["hand", "bidder", "side", "seat"]

SUITS = {"clubs": "Clubs", "diamonds": "Diamonds", "hearts": "Hearts", "spades": "Spades"}
NO_TRUMPS = "none"


class Choice(NamedTuple):
    """An answer: its value in the game document, its words, and the text of its button.

    `row` is its row in a grid; `note` is shown below it. `made_from` is the lowest count that makes this bid, if one
    count decides that.
    """

    value: str
    words: str
    short: str
    row: str = ""
    note: str = ""
    made_from: int | None = None


class Row(NamedTuple):
    """A row of a grid, a note about it, and the keyboard key that chooses it."""

    key: str
    words: str
    note: str = ""
    letter: str = ""


class Field(NamedTuple):
    """One thing that is written down about a hand.

    `key` is its name in the game document and `name` its name in a form; for a side or seat the form adds a number,
    “bid-2”. `label` is the question, with {who} for the person who answers; `asks` is the question if the answer is
    missing. `short` is shown beside the answer and `heading` over a column. `choices` is one tuple for all, or one for
    each side or seat. A field that is not `needed` scores nothing. With `when`, it is asked only after that answer to
    another field. `refused_as` are other fields of the document for which the rules may refuse this answer.
    """

    key: str
    of: Of
    layout: Layout
    label: str
    short: str
    heading: str
    choices: tuple[tuple[Choice, ...], ...] = ((),)
    name: str = ""
    asks: str = ""
    needed: bool = True
    when: str = ""
    rows: tuple[Row, ...] = ()
    refused_as: tuple[str, ...] = ()

    @property
    def everybody(self) -> bool:
        """Return whether each side or seat has an answer of its own."""
        return self.of in ("side", "seat")

    def offered(self, index: int = 0) -> tuple[Choice, ...]:
        """List the answers that a side or a seat may choose from."""
        return self.choices[index if len(self.choices) > 1 else 0]


class Counter(NamedTuple):
    """Something that a sheet counts for each side besides its score: its key, and the words for none, one and many.

    If the count can decide the game, `so_far` says it together with its limit: “1 set of 2”.
    """

    key: str
    none: str
    single: str
    many: str
    so_far: Callable[[Any, Carry, int], str] | None = None

    def plain(self, count: int) -> str:
        """Say how many there are."""
        return (self.single if count == 1 else self.many).format(count) if count else self.none

    def words(self, rules: Any, carry: Carry, side: int) -> str:
        """Say the count of a side at this point of the game; nothing if there is nothing to say."""
        if self.so_far is not None:
            return self.so_far(rules, carry, side)
        count = getattr(carry, self.key)[side]
        return self.plain(count) if count else ""


SETS = Counter("sets", "no sets", "1 set", "{} sets", sets_so_far)
BAGS = Counter("bags", "no bags", "1 bag", "{} bags")
BOSTONS = Counter("bostons", "no Boston", "★ Boston", "★ Boston")


class NextHand(NamedTuple):
    """What the table must write down next.

    `cards` is the number of cards dealt to each player; `dealer` is a seat, counted from the seat that dealt first;
    `note` is a sentence for the table. `fields` are in the order in which they are asked.
    """

    number: int
    dealer: int
    cards: int
    fields: tuple[Field, ...]
    note: str = ""

    def field(self, key: str) -> Field | None:
        """Find a field by its key; None if this hand does not have it."""
        return next((field for field in self.fields if field.key == key), None)

    def choices(self, key: str) -> tuple[Choice, ...]:
        """List everything that a field offers to any player; nothing if this hand does not have the field."""
        field = self.field(key)
        return tuple(dict.fromkeys(choice for offered in field.choices for choice in offered)) if field else ()


def numbers(low: int, high: int, notes: dict[int, str] | None = None) -> tuple[Choice, ...]:
    """List every number from the lowest to the highest."""
    words = {number: str(number) for number in range(low, high + 1)}
    return tuple(Choice(word, word, word, note=(notes or {}).get(number, "")) for number, word in words.items())


def trump_field(*, none: bool = False) -> Field:
    """Ask for the trump suit; with `none`, “no trumps” is one of the answers."""
    suits = SUITS | ({NO_TRUMPS: "No trumps"} if none else {})
    choices = tuple(Choice(suit, words, words) for suit, words in suits.items())
    return Field("trump", "hand", "row", "Trump suit", "Trump suit", "Trump", (choices,), needed=False)


# What bids are worth, as tables: for a spreadsheet, which looks prices up and knows no rules.
#
# A game computes its tables with the functions that score its hands, so that no price is written down twice.


class Worth(NamedTuple):
    """What a bid and the tricks taken on it are worth: points, points for the `other` of two sides, a set, and bags.

    `was_bid` says that something was bid at all. If the hand alone ends the game, the side that bid `wins` it (1) or
    loses it (-1), and the winner gets the `bonus`.
    """

    own: int = 0
    other: int = 0
    was_set: bool = False
    bags: int = 0
    was_bid: bool = False
    wins: int = 0
    bonus: int = 0


NOTHING = Worth()


class Call(NamedTuple):
    """One thing that a player may bid, for the tables.

    It promises a `number` of tricks, and the numbers of partners are added. If bids have a `rank`, only the highest of
    a side counts. A bid that depends on the player’s own tricks has its prices in `extra` if the partner promised a
    number, in `alone` if not. With `aside`, these tricks do not help the partner. With `once`, the prices hold only if
    nobody else at the table bids the same: the second such bid is a raise.
    """

    number: int = 0
    rank: int = 0
    extra: tuple[Worth, ...] = ()
    alone: tuple[Worth, ...] = ()
    aside: bool = False
    once: bool = False

    @property
    def alone_counts(self) -> bool:
        """Return whether the bidder’s own tricks have a price."""
        return len(set(self.extra)) > 1


class Key(NamedTuple):
    """The key of a row of prices: the cards of the deal (0 if they do not matter), and a rank or else a number."""

    cards: int
    rank: int
    number: int


class Tariff(NamedTuple):
    """The prices of a rule sheet.

    `calls` are found by cards and words. `rows` list a worth for each number of tricks from 0 up. With `adds`, the bids
    and tricks of partners are added; without it, players are paid one by one. `bags` says how many bags are charged at
    a time and what that costs. A side that takes `all_tricks` has a Boston (0 if Bostons are not counted), in
    `any_hand` or only in a hand that ends the game. With `needs_bid`, a hand that all pass is thrown in.
    """

    calls: Mapping[tuple[int, str], Call]
    rows: Mapping[Key, tuple[Worth, ...]]
    adds: bool = False
    bags: tuple[int, int] | None = None
    all_tricks: int = 0
    any_hand: bool = False
    needs_bid: bool = False

    @property
    def by_cards(self) -> bool:
        """Return whether prices differ from deal to deal."""
        return any(key.cards for key in self.rows)

    def worth(self, cards: int, bids: Sequence[str], own: Sequence[int], took: int) -> Worth | None:
        """Price what the players of a side bid and took; None if a bid has no price.

        `own` are the tricks of each player, `took` those of the side. A score workbook looks up the same rows.
        """
        dealt = cards if self.by_cards else 0
        calls = [self.calls[dealt, words] for words in bids if (dealt, words) in self.calls]
        if len(calls) < len(bids) or not calls:
            return None
        if self.adds:
            stakes = [self._stake(dealt, calls, own, took)]
        else:
            stakes = [self._stake(dealt, (call,), (tricks,), tricks) for call, tricks in zip(calls, own, strict=True)]
        return _added([worth for stake in stakes for worth in stake])

    def _stake(self, dealt: int, calls: Sequence[Call], own: Sequence[int], took: int) -> list[Worth]:
        number, rank = sum(call.number for call in calls), max(call.rank for call in calls)
        pairs = list(zip(calls, own, strict=True))
        counted = took - sum(tricks for call, tricks in pairs if call.aside and number)
        row = self.rows.get(Key(dealt, rank, 0 if rank else number), ())
        # All the tricks are all the tricks, no matter which partner took them.
        worths = [_at(row, counted)._replace(wins=_at(row, took).wins, bonus=_at(row, took).bonus)]
        return worths + [_at(call.extra if number else call.alone, tricks) for call, tricks in pairs]


def _at(worths: tuple[Worth, ...], tricks: int) -> Worth:
    return worths[tricks] if 0 <= tricks < len(worths) else NOTHING


def _added(worths: Sequence[Worth]) -> Worth:
    return Worth(
        sum(worth.own for worth in worths),
        sum(worth.other for worth in worths),
        any(worth.was_set for worth in worths),
        sum(worth.bags for worth in worths),
        any(worth.was_bid for worth in worths),
        sum(worth.wins for worth in worths),
        sum(worth.bonus for worth in worths),
    )


# What each game defines, so that the document, the site, paper and spreadsheets can treat all games alike.

# Without a schedule two hands show every question: the first may be played without bids, and the rest are alike.
UNPLANNED = 2
# What a player says instead of a bid, and the fields that are written down only after a hand is played.
PASSED = "pass"
PLAYED = frozenset({"tricks", "first_six"})
# A side that is this far behind may make the bids that a sheet allows only from behind.
FAR_BEHIND = -1000
RulesT = TypeVar("RulesT", bound="Any")


class Seating(NamedTuple):
    """Who sits at the table: `sides` sides with `seats` seats in all; seat i belongs to side i mod sides."""

    seats: int
    sides: int


class Price(NamedTuple):
    """A price that is not an option of the sheet: “A bid that is set loses”, “10 points for each trick bid”."""

    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Sheet(Generic[RulesT]):
    """A rule sheet: a named, dated set of options of one game. A published sheet never changes.

    `newer` is the key of the later sheet that replaced it. Such a sheet is offered only to events that already use it.
    """

    key: str
    title: str
    source: str
    rules: RulesT
    newer: str = ""


@dataclass(frozen=True, slots=True)
class CardGame(Generic[RulesT]):
    """A game as the rest of the system sees it. Every function is pure and takes the sheet’s rules first.

    `entries` says for each class of entry how it is checked and scored: the hands of the game, and the decisions beside
    them. `judge_bids` checks the bids of a hand before it is played. `schedule` is the fixed number of deals; None for
    a game that is played until somebody wins. `for_sides` adapts a sheet that several numbers of sides can play; any
    other sheet is returned unchanged, and its `seating` decides. `carried_on` completes an opening from paper that does
    not say how many hands were scored. `as_written` adds to the rules of a document what only its entries show: that a
    variation was played.

    `rulings` is the table of what can be ruled on; `find_rule` finds a rule in it by any of its names. `ruled` checks
    and scores a hand with the rulings about it. If a game `need_line`s, a ruling without a line takes the place of a
    hand. `void_choices` are the reasons for a void hand besides misdeals.

    `counters` are what a sheet counts for each side. `tariff` has the prices of its bids as tables; `finish` says in
    numbers how its games end. `ranks` is the order of the cards in one line, if the sheet gives it. `headings` are
    players’ names for the clauses that no sheet numbers.
    """

    key: str
    title: str
    word: str
    sheets: tuple[Sheet[RulesT], ...]
    seating: Callable[[RulesT], Seating]
    read_hand: Callable[[Mapping[str, Any]], tuple[Any, tuple[Problem, ...]]]
    entries: Mapping[type, EntryKind] = field(compare=False)
    next_hand: Callable[[RulesT, Carry], NextHand]
    rulings: Callable[[RulesT], tuple[RulingRule, ...]] = lambda rules: PLAIN_RULINGS
    find_rule: Callable[[RulesT, str], RulingRule | None] = find_plain
    ruled: EntryKind | None = field(default=None, compare=False)
    judge_bids: Callable[[RulesT, Carry, Any], Sequence[Problem]] = field(
        default=lambda rules, carry, hand: (), compare=False
    )
    need_line: bool = False
    schedule: Callable[[RulesT], Schedule | None] | None = None
    for_sides: Callable[[RulesT, int], RulesT] = lambda rules, sides: rules
    carried_on: Callable[[RulesT, Carry], Carry] = lambda rules, carry: carry
    prices: Callable[[RulesT], tuple[Price, ...]] = lambda rules: ()
    as_written: Callable[[RulesT, Mapping[str, Any], tuple[Any, ...]], RulesT] = lambda rules, options, entries: rules
    void_choices: Callable[[RulesT], tuple[VoidChoice, ...]] = lambda rules: ()
    counters: Callable[[RulesT], tuple[Counter, ...]] = lambda rules: (SETS,)
    tariff: Callable[[RulesT], Tariff | None] = lambda rules: None
    finish: Callable[[RulesT], Finish | None] = lambda rules: None
    ranks: Callable[[RulesT], str] = lambda rules: ""
    headings: Mapping[str, str] = field(default_factory=dict, compare=False)

    def begin(self, rules: RulesT) -> Carry:
        """Return the carry before the first entry."""
        return start(self.seating(rules).sides)

    def laid(self, rules: RulesT, begin: Carry, entries: Sequence[Any], lines: Sequence[int] = ()) -> tuple[Any, ...]:
        """Lay the rulings about hands beside these hands, before the game is folded. All other entries are unchanged.

        `lines` are the numbers of the entries, if they are not counted from 1. `begin` is the carry before the first
        entry: it may have reneges from a paper sheet.
        """
        return lay(
            entries,
            lines or range(1, len(entries) + 1),
            lambda ruling: self.choice_of(rules, ruling),
            needs_line=self.need_line,
            second_renege_loses=rules.second_renege_loses,
            reneged=[side for side, reneges in enumerate(begin.reneges) if reneges],
        )

    def choice_of(self, rules: RulesT, ruling: Ruling) -> RulingChoice | None:
        """Find the choice of a ruling; None if the sheet does not grant it."""
        rule = self.find_rule(rules, ruling.rule)
        return rule.choice(ruling.choice) if rule else None

    def problems(self, rules: RulesT, carry: Carry, entry: Any) -> tuple[Problem, ...]:
        """Name every fault of an entry, each with its field, its rule and a sentence."""
        laid = entry if isinstance(entry, Laid) else Laid(entry)
        if laid.fault is not None:
            return (laid.fault,)
        if laid.done or (laid.between and carry.verdict is not None):
            return ()
        if carry.verdict is not None:
            return (Problem("entry", carry.verdict.rule, "The game is over: nothing can be added."),)
        problems = self.entries[type(laid.entry)].problems(rules, carry, laid.entry)
        return tuple(problems or (required(self.ruled).problems(rules, carry, laid) if laid.rulings else ()))

    def bid_problems(self, rules: RulesT, carry: Carry, facts: Mapping[str, Any]) -> tuple[Problem, ...]:
        """Name every fault of the bids of a hand before it is played, and refuse bids with which it is not played."""
        bids = {key: value for key, value in facts.items() if key not in PLAYED} | {"tricks": []}
        hand, problems = self.read_hand(bids)
        if hand is None:
            return problems
        if problems := tuple(self.judge_bids(rules, carry, hand)):
            return problems
        passed = set(facts.get("bids") or ()) == {PASSED}
        thrown = next((choice for choice in self.void_choices(rules) if choice.throws_in), None)
        if not passed or thrown is None or thrown.may_play:
            return ()
        return (Problem("bids", thrown.rule, "All passed: the hand is thrown in, and no tricks are played."),)

    def score_entry(self, rules: RulesT, carry: Carry, entry: Any) -> tuple[tuple[Line, ...], Carry]:
        """Return the lines of one entry and the carry after it; the entry must have no problems."""
        scored = self.scored(rules, carry, entry)
        return scored.lines, scored.carry

    def scored(self, rules: RulesT, carry: Carry, entry: Any) -> Scored:
        """Return the lines, the carry, and what became of the bids."""
        laid = entry if isinstance(entry, Laid) else Laid(entry)
        if laid.done:
            return Scored((), carry)
        if laid.between and carry.verdict is not None:
            return Scored((), carry, HandResult(BySide.each(len(carry.scores), ""), SET_ASIDE, carry.verdict.rule))
        kind = self.entries[type(laid.entry)]
        scored = (
            required(self.ruled).score(rules, carry, laid) if laid.rulings else kind.score(rules, carry, laid.entry)
        )
        after = count_reneges(scored.carry, laid.rulings) if laid.rulings else scored.carry
        return scored._replace(carry=self.closed(rules, after))

    def closed(self, rules: RulesT, carry: Carry) -> Carry:
        """End a game whose deals are all scored."""
        schedule = self.schedule(rules) if self.schedule else None
        return carry if schedule is None else close_schedule(schedule, carry)

    def hands_planned(self, rules: RulesT) -> int | None:
        """Return the number of hands of a game with a schedule; None for a game that is played until somebody wins."""
        schedule = self.schedule(rules) if self.schedule else None
        return None if schedule is None else schedule.deals

    def bidder_of(self, rules: RulesT, ruling: Ruling) -> int | None:
        """Say who had won the bid that a ruling is about, even if only the rule itself tells."""
        rule = self.find_rule(rules, ruling.rule)
        return complete(rule, ruling).bidder if rule else ruling.bidder

    def columns(self, rules: RulesT) -> tuple[Field, ...]:
        """List the fields for which a score sheet needs columns: those of the hand with the most fields."""
        return max((hand.fields for hand in self.deals(rules, self.begin(rules))), key=len)

    def deals(self, rules: RulesT, begin: Carry) -> tuple[NextHand, ...]:
        """List the hands of a game, as far as the rules know them in advance."""
        hands = range(self.hands_planned(rules) or UNPLANNED)
        return tuple(self.next_hand(rules, begin._replace(hands=hand, deals=hand)) for hand in hands)

    def answers(self, rules: RulesT, key: str) -> tuple[Choice, ...]:
        """List every answer that any hand of a sheet offers: on every deal, and to a side that is far behind."""
        begin = self.begin(rules)
        far = begin._replace(scores=begin.scores.put(0, FAR_BEHIND))
        dealt = (*self.deals(rules, begin), *self.deals(rules, far))
        return tuple(dict.fromkeys(choice for hand in dealt for choice in hand.choices(key)))

    def voids(self, rules: RulesT, carry: Carry) -> tuple[VoidChoice, ...]:
        """List the sheet’s reasons for a void hand, misdeals first. Some may be refused at this point of the game."""
        misdeals = (
            VoidChoice(rule.rule, rule.when, again=not rule.by_another)
            for rule in self.rulings(rules)
            if rule.choices and all("void" in choice.effects for choice in rule.choices)
        )
        choices = []
        for choice in (*misdeals, *self.void_choices(rules)):
            problems = self.problems(rules, carry, Void(choice.rule, choice.words))
            choices.append(choice._replace(refused=problems[0].text if problems else ""))
        return tuple(choices)


# Game points: what each side takes from a finished (or running) game into the standings.


def game_points(rules: EventRules, carry: Carry) -> BySide[int]:
    """Return each side’s points: its final score; for losers, what the `loser_points` option says.

    Nobody gets anything for a game that was never played (both sides late). A running game shows its scores.
    """
    verdict = carry.verdict
    if verdict is not None and verdict.how == NO_GAME:
        return BySide.each(len(carry.scores), 0)
    if verdict is None or verdict.winner is None or rules.loser_points == "signed":
        return carry.scores
    keep_losers = rules.loser_points == "zero-at-least"
    return BySide(
        score if side == verdict.winner else max(0, score) if keep_losers else 0
        for side, score in enumerate(carry.scores)
    )
