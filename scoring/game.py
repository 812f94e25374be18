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

# What a table writes down of a hand: a field for each thing, and the answers that it takes.

# How a field is asked, by its pad in `templates/components/pads/`; a game may add one. A button for each player
# (seats) · rows of a grid · a row of buttons · numbers from 0 on (count) · yes or no. Two need no pad: a list for each
# call of the first round (calls), and what is known and not asked (given).
Layout = str
# One answer for the hand, one about whoever won the bid, or one of every side or seat.
Of = Literal["hand", "bidder", "side", "seat"]

SUITS = {"clubs": "Clubs", "diamonds": "Diamonds", "hearts": "Hearts", "spades": "Spades"}
NO_TRUMPS = "none"


class Choice(NamedTuple):
    """An answer: its value in the game document, its words, and what stands on its button.

    `row` is the row of a grid; `note` stands below. `made_from` is the least count that makes this bid, where one
    count decides.
    """

    value: str
    words: str
    short: str
    row: str = ""
    note: str = ""
    made_from: int | None = None


class Row(NamedTuple):
    """A row of a grid, what is special about it, and the key of a keyboard that chooses it."""

    key: str
    words: str
    note: str = ""
    letter: str = ""


class Field(NamedTuple):
    """One thing that is written down of a hand.

    `key` names it in the game document, `name` in a form: of a side or a seat with its number, “bid-2”. `label` is the
    question, with {who} for whose answer it is; `asks` takes its place where the answer is missing. `short` stands
    beside the answer, `heading` over a column. `choices` are one tuple for all, or one for each side or seat.
    What is not `needed` scores nothing. With `when`, it is asked only after this answer to another field.
    `refused_as` are other fields of the document under which the rules refuse it.
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
        """Whether every side or every seat has an answer of its own."""
        return self.of in ("side", "seat")

    def offered(self, index: int = 0) -> tuple[Choice, ...]:
        """List the answers of a side or a seat."""
        return self.choices[index if len(self.choices) > 1 else 0]


class Counter(NamedTuple):
    """What a sheet counts for each side beside its score, by its key, and how many of it are in words.

    `so_far` says it with what it comes to in the game, where it does.
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
        """Say what is to be said of a side where the game stands; nothing where it needs no word."""
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
    `note` is a sentence for the table. `fields` stand in the order in which they are asked.
    """

    number: int
    dealer: int
    cards: int
    fields: tuple[Field, ...]
    note: str = ""

    def field(self, key: str) -> Field | None:
        """Find a field by its key; None where this hand has none."""
        return next((field for field in self.fields if field.key == key), None)

    def choices(self, key: str) -> tuple[Choice, ...]:
        """List what a field offers to anybody; nothing where this hand has no such field."""
        field = self.field(key)
        return tuple(dict.fromkeys(choice for offered in field.choices for choice in offered)) if field else ()


def numbers(low: int, high: int, notes: dict[int, str] | None = None) -> tuple[Choice, ...]:
    """List every number from the lowest to the highest."""
    words = {number: str(number) for number in range(low, high + 1)}
    return tuple(Choice(word, word, word, note=(notes or {}).get(number, "")) for number, word in words.items())


def trump_field(*, none: bool = False) -> Field:
    """Ask for the trump suit; `none` where a hand may be played without, and nothing else says so."""
    suits = SUITS | ({NO_TRUMPS: "No trumps"} if none else {})
    choices = tuple(Choice(suit, words, words) for suit, words in suits.items())
    return Field("trump", "hand", "row", "Trump suit", "Trump suit", "Trump", (choices,), needed=False)


# What bids are worth, as tables: for a spreadsheet, which looks prices up and knows no rules.
#
# A game makes its tables with its own clauses, so that no price is written down twice.


class Worth(NamedTuple):
    """What a bid and the tricks taken on it bring: points, `other` to the other of two sides, a set, and bags.

    `was_bid` says that something was bid at all. Where this alone ends the game, the side that bid `wins` it (1) or
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
    """An answer to what was bid.

    It promises a `number` of tricks, which partners add up; with a `rank`, the highest of a side counts alone. `extra`
    is a price of its own by the player's own tricks where the partner promised a number, `alone` where nobody did.
    With `aside`, those tricks do not help the partner. With `once`, the prices hold where nobody else at the table says
    such a bid: said again it is raised.
    """

    number: int = 0
    rank: int = 0
    extra: tuple[Worth, ...] = ()
    alone: tuple[Worth, ...] = ()
    aside: bool = False
    once: bool = False

    @property
    def alone_counts(self) -> bool:
        """Return whether the tricks of the player who said it have a price of their own."""
        return len(set(self.extra)) > 1


class Key(NamedTuple):
    """What is paid together: the cards of the deal (0 where they do not matter), then the rank, or else the number."""

    cards: int
    rank: int
    number: int


class Tariff(NamedTuple):
    """The prices of a rule sheet.

    `calls` go by cards and words, `rows` list a worth for each number of tricks taken from 0 on. With `adds`, what
    partners bid and took is added up; without, players are paid one by one. `bags` are how many are charged and what
    they cost. A side that takes `all_tricks` has a Boston (0 where none are counted), in `any_hand` or only in one that
    ends the game. With `needs_bid`, a hand that all pass is thrown in and counts nothing.
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
        """Price what the players of a side bid and took; None where a bid has no price.

        `own` are the tricks of each player, `took` those of the side. A score workbook looks the same rows up.
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
        # All the tricks are all the tricks, whoever of the side took them.
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


# What each game fills in, so that the document, the site, paper and spreadsheets can treat all games alike.

# Without a schedule the second hand asks what all others ask: the first may be played without bids.
UNPLANNED = 2
# What everybody says where nobody bids, and what is written down of a hand once it was played.
PASSED = "pass"
PLAYED = frozenset({"tricks", "first_six"})
# A side so far behind may bid whatever its sheet keeps for those who are.
FAR_BEHIND = -1000
RulesT = TypeVar("RulesT", bound="Any")


class Seating(NamedTuple):
    """Who sits at the table: `sides` sides with `seats` seats in all; seat i belongs to side i mod sides."""

    seats: int
    sides: int


class Price(NamedTuple):
    """What a hand is worth where the sheet leaves nothing to choose: “A bid that is set”, “loses 10 points …”."""

    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Sheet(Generic[RulesT]):
    """A rule sheet: a named, dated set of options of one game. A published sheet never changes.

    `newer` is the key of the later year's sheet that took its place: then only an event that has it is offered it.
    """

    key: str
    title: str
    source: str
    rules: RulesT
    newer: str = ""


@dataclass(frozen=True, slots=True)
class CardGame(Generic[RulesT]):
    """A game as the rest of the system sees it. Every function is pure and takes the sheet's rules first.

    `entries` says for each class of entry how it is checked and scored: the hands of the game, and the decisions that
    may stand beside them. `schedule` is the fixed number of deals of a game that has one, None for a game that is
    played until somebody wins. `for_sides` fits the sheet to a number of sides where it can be played by several (three
    to five players); where it cannot, it returns the rules unchanged and the number of `seating` decides. `carried_on`
    completes an opening from paper that does not say how many hands were scored. `rulings` is the table of what can be
    ruled on, `find_rule` finds a rule in it by any of its names; `ruled` checks and scores a hand with the rulings
    about it; where they `need_line`, one without stands in the place of a hand. `judge_bids` judges the bids of a hand,
    whatever tricks are taken. `as_written` adds to the rules of a document what only its entries say: that a bid of a
    variation was played. `void_choices` are the reasons of the sheet for a void hand beside its misdeals. `counters`
    are what a sheet counts for each side. `tariff` are the prices of its bids as tables, `finish` says as numbers how
    its games end. `ranks` is the order of the cards in one line, where the sheet names it. `headings` are the clauses
    that no sheet numbers, as players call them.
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
        """Lay the rulings about hands beside them, as a game is folded; `lines` where entries are not numbered from 1.

        The entries stay as they are where there are none. `begin` is where the game starts: with the reneges of a paper
        sheet, perhaps.
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
        """Find the choice of a ruling; None where the sheet does not grant it."""
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
        """Name every fault of the bids of a hand that is not played yet, and say where it is not played at all."""
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
        """Return the same, and what became of the bids."""
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
        """Return the number of hands of a game by a schedule; None for a game that is played until somebody wins."""
        schedule = self.schedule(rules) if self.schedule else None
        return None if schedule is None else schedule.deals

    def bidder_of(self, rules: RulesT, ruling: Ruling) -> int | None:
        """Say who had won the bid that a ruling is about, also where the rule itself tells it."""
        rule = self.find_rule(rules, ruling.rule)
        return complete(rule, ruling).bidder if rule else ruling.bidder

    def columns(self, rules: RulesT) -> tuple[Field, ...]:
        """List the fields that a sheet has room for: those of the hand that asks for most."""
        return max((hand.fields for hand in self.deals(rules, self.begin(rules))), key=len)

    def deals(self, rules: RulesT, begin: Carry) -> tuple[NextHand, ...]:
        """List the hands of a game as far as the rules know them beforehand."""
        hands = range(self.hands_planned(rules) or UNPLANNED)
        return tuple(self.next_hand(rules, begin._replace(hands=hand, deals=hand)) for hand in hands)

    def answers(self, rules: RulesT, key: str) -> tuple[Choice, ...]:
        """List what any hand of a sheet may be answered: of every deal, and by a side that is far behind."""
        begin = self.begin(rules)
        far = begin._replace(scores=begin.scores.put(0, FAR_BEHIND))
        dealt = (*self.deals(rules, begin), *self.deals(rules, far))
        return tuple(dict.fromkeys(choice for hand in dealt for choice in hand.choices(key)))

    def voids(self, rules: RulesT, carry: Carry) -> tuple[VoidChoice, ...]:
        """List the reasons for a void hand that the sheet knows, the misdeals first; some cannot be written now."""
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


# Game points: what a finished (or running) game brings each side for the standings.


def game_points(rules: EventRules, carry: Carry) -> BySide[int]:
    """Return each side's points: its final score, the losers' as the `loser_points` option says.

    Nobody gets anything for a game that never was (both sides late). A running game shows its scores.
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
