"""Rulings and the questions of the entry form, in the rules' own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from scoring.decisions import RulingChoice, RulingRule, Void
from scoring.game import Choice, Field, NextHand
from scoring.game import Row as GameRow
from scoring.ledger import Line, Problem, named
from tournament.errors import Fault, ValidationFailed
from tournament.models import Event, Game, Team
from tournament.models.game import RULED
from tournament.queries.rules import Ruleset
from tournament.queries.scored import NotPossible, ScoredGame
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row, Struck
from tournament.queries.wording import how_words
from tournament.words.messages import BIDS
from tournament.words.phrases import signed

# Rulings: the table of an event's rule sheet, what one would do to the sheet, and all that were made.


OTHER = "other"
# The usual subject of each kind of call; the first one that the sheet knows is one tap away.
CALLED_FOR = {
    "renege": ("41", "bw.renege", "renege"),
    "exposed": ("32", "18", "22"),
    "count": ("17", "23", "34", "35", "36", "misdeal", "missing-cards"),
    "score": (OTHER,),
}
# The most frequent rulings; those not named follow in the sheet's order.
BY_USE = (
    "41", "bw.renege", "renege", "wrong-call", "32", "13", "late", "22", "17", "misdeal", "missing-cards", "talking",
    "34", "35", "29", "18", "23", "16", "27", "31", "36", "25", "26", "46", "forfeit", "47",
)  # fmt: skip
LATE = ("13", "late")
LEAVING = ("46", "forfeit")
DISORDER = ("47",)


# The rulings that a call points to, and all the others; both in the order of use.
Likely = tuple[list[RulingRule], list[RulingRule]]


def ruling_table(rules: Ruleset) -> tuple[RulingRule, ...]:
    """What can be ruled on, in the order and words of the sheet."""
    return rules.game.rulings(rules.rules)


def likely_rulings(rules: Ruleset, kind: str) -> Likely:
    """The table of rulings in the order of use, with those that fit a kind of call first."""
    return likely_of(ruling_table(rules), kind)


def likely_of(rulings: tuple[RulingRule, ...], kind: str) -> Likely:
    """Some rulings in the order of use, with those that fit a kind of call first."""
    table = sorted(rulings, key=_place_in_use)
    names = CALLED_FOR.get(kind, ())
    return [rule for rule in table if rule.rule in names], [rule for rule in table if rule.rule not in names]


def in_place_of_a_hand(rules: Ruleset) -> tuple[RulingRule, ...]:
    """The rulings that can replace a hand; if play goes on, or a ruling is about the hand, the hand stays."""

    def takes_its_place(choice: RulingChoice) -> bool:
        return bool(choice.effects) and (rules.game.need_line or not choice.of_hand)

    table = (rule._replace(choices=tuple(filter(takes_its_place, rule.choices))) for rule in ruling_table(rules))
    return tuple(rule for rule in table if rule.choices)


def rule_for_call(rules: Ruleset, kind: str) -> str:
    """The only rule that a call can be about; empty if there are several."""
    first, _ = likely_rulings(rules, kind)
    return first[0].rule if len(first) == 1 else ""


def known_rule(rules: Ruleset, names: tuple[str, ...]) -> str:
    """The first of some names under which the sheet knows a rule; empty if it knows none."""
    table = {rule.rule for rule in ruling_table(rules)}
    return next((name for name in names if name in table), "")


def _place_in_use(rule: RulingRule) -> int:
    if rule.rule == OTHER:
        return len(BY_USE) + 1
    return BY_USE.index(rule.rule) if rule.rule in BY_USE else len(BY_USE)


def is_leaving(rule: str) -> bool:
    """Whether a ruling under this rule sends a team away for the rest of the event."""
    return rule in LEAVING or rule in DISORDER


RULING_OUTCOMES = {"ruling", "award", "adjustment"}


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling of the report: its line on a sheet, `position` 0 if it was taken off."""

    sheet: GameSheet
    line: Row | Struck
    position: int

    @property
    def effect(self) -> tuple[str, ...]:
        """One clause for each line of points, and one for the end of the game; empty if the ruling no longer counts.

        A ruling about a hand takes effect there.
        """
        if isinstance(self.line, Struck):
            return ()
        sheet, facts = self.sheet, self.line.facts
        row = next((row for row in sheet.rows if row.position == _hand_ruled_on(facts)), self.line)
        lines = [line for line in row.lines if row is self.line or _says(facts, line)]
        effect = [
            f"{sheet.sides[line.side].name} {signed(line.points)}: {line.text}" if line.points else line.text
            for line in lines
        ]
        if row.ends_game:
            winner = sheet.winner_side
            who = f"{winner.name} won" if winner else "nobody won"
            effect.append(f"Game over: {who}" + (f" ({sheet.how_words})" if sheet.how_words != who else ""))
        return tuple(effect)

    @property
    def reason(self) -> str:
        return "" if self.withdrawn else self.line.reason

    @property
    def withdrawn(self) -> str:
        """Why it no longer counts; empty if it does."""
        if isinstance(self.line, Row):
            return ""
        return " · ".join(filter(None, (self.line.struck_by, self.line.struck_reason))) or "withdrawn"


def rulings_of(event: Event) -> tuple[RulingLine, ...]:
    """Every ruling of an event in the order of games and tables, each on the sheet as it was then.

    It takes a constant number of queries.
    """
    games = sheet_games().filter(round__event=event, entries__kind__in=RULED).distinct()
    ordered = games.order_by("round__number", "table", "leg")
    sheets = (_of_sheet(game_sheet(game)) for game in ordered)
    return tuple(
        line for lines in sheets for line in sorted(lines, key=lambda ruling: (ruling.line.at, ruling.position))
    )


def team_that_goes(game: Game, facts: Mapping[str, Any]) -> Team | None:
    """The team that a ruling sends away; None for every other entry."""
    if facts.get("entry") != "ruling" or not is_leaving(str(facts.get("rule"))):
        return None
    side = game.sides.select_related("team").filter(index=facts.get("side", -1)).first()
    return side.team if side else None


def _of_sheet(sheet: GameSheet) -> list[RulingLine]:
    lines = []
    for row in sheet.rows:
        if row.kind in RULED:
            lines.append(RulingLine(sheet, row, row.position))
        lines += [RulingLine(sheet, old, row.position) for old in row.struck if _is_ruling(old)]
    return lines + [RulingLine(sheet, old, 0) for old in sheet.removed if _is_ruling(old)]


def _is_ruling(old: Struck) -> bool:
    return old.written.outcome in RULING_OUTCOMES


# Nobody is at the table to sign such a game: the director signs for both sides.
SIGNED_BY_DIRECTOR = frozenset({"late", "forfeit", "no-game"})


@dataclass(frozen=True, slots=True)
class Gain:
    """Points of one side under one rule, with the reason."""

    side: str
    points: int
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class RulingEffect:
    """What an entry does. Lists have one value per side. `counts` are the changed sets, bags, and Bostons, in words.

    `goes_on` means that a finished game continues because of it.
    """

    gains: tuple[Gain, ...]
    sides: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    counts: tuple[str, ...]
    goes_on: bool
    over: bool
    winner: str
    how: str
    how_words: str
    rule: str
    text: str

    @property
    def nothing(self) -> bool:
        """Whether neither score, sets nor the end of the game change."""
        return not (self.gains or self.counts or self.over or self.goes_on)

    @property
    def signed_by_director(self) -> bool:
        return self.over and self.how in SIGNED_BY_DIRECTOR

    @property
    def scores(self) -> tuple[tuple[str, int, int], ...]:
        """Each side with its score before and after."""
        return tuple(zip(self.sides, self.before, self.after, strict=True))


def effect_of(scored: ScoredGame, facts: dict[str, Any], names: tuple[str, ...]) -> RulingEffect | tuple[Problem, ...]:
    """The effect of an entry on a game, whichever of its hands it is about, or why the rules refuse it."""
    try:
        ruled = scored.with_entry(facts)
    except NotPossible as refusal:
        return refusal.problems
    carry, after = scored.carry, ruled.carry
    verdict = after.verdict
    hand = _hand_ruled_on(facts)
    about = ruled.lines[-1].position if hand is None else hand
    # If it is about a hand, what it says there; the points of the hand itself follow from that.
    lines = [
        line
        for scored_line in ruled.lines
        if scored_line.position == about
        for line in scored_line.lines
        if (line.points and hand is None) or _says(facts, line)
    ]
    return RulingEffect(
        gains=tuple(Gain(names[line.side], line.points, line.rule, named(line.text, names)) for line in lines),
        sides=names,
        before=tuple(carry.scores),
        after=tuple(after.scores),
        counts=tuple(_counts(scored, ruled, names)),
        goes_on=carry.verdict is not None and verdict is None,
        over=verdict is not None,
        winner=names[verdict.winner] if verdict and verdict.winner is not None else "",
        how=verdict.how if verdict else "",
        how_words=how_words(verdict.how) if verdict else "",
        rule=verdict.rule if verdict else "",
        text=named(verdict.text, names) if verdict else "",
    )


def _hand_ruled_on(facts: Mapping[str, Any]) -> int | None:
    """The line of the hand in which a ruling takes effect; an adjustment takes effect at its own line."""
    return facts.get("line") if facts["entry"] == "ruling" else None


def _says(facts: Mapping[str, Any], line: Line) -> bool:
    """Whether a line of points is what a ruling says about its side; both sides can break one rule in one hand."""
    return (line.kind, line.rule, line.side) == ("ruling", facts.get("rule"), facts.get("side"))


def _counts(scored: ScoredGame, ruled: ScoredGame, names: tuple[str, ...]) -> Iterator[str]:
    """“Aces: no sets → 1 set of 2”, for everything that the sheet counts and that changes."""
    rules = scored.rules.rules
    for counter in scored.rules.game.counters(rules):
        was, now = getattr(scored.carry, counter.key), getattr(ruled.carry, counter.key)
        for side, name in enumerate(names):
            if was[side] != now[side]:
                old = counter.words(rules, scored.carry, side) or counter.plain(was[side])
                new = counter.words(rules, ruled.carry, side) or counter.plain(now[side])
                yield f"{name}: {old} → {new}"


# The questions of the entry form for a game's next hand: built from the rules' own `next_hand`, and nothing else is
# offered.

# Marks the first question that is asked when the hand is played.
PLAY = "play "
# The placeholder in a question for the person who is asked.
WHO = "{who}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who can be named in the form: a player in a seat, or a whole side. `letter` is the key to press."""

    index: int
    side: int
    name: str
    team: str
    letter: str


@dataclass(frozen=True, slots=True)
class FieldQuestion:
    """A field asked once: of the table, or of a side or seat. `name` is what the form posts."""

    field: Field
    name: str
    place: Candidate | None
    choices: tuple[Choice, ...]

    @property
    def words(self) -> str:
        """The question with the player's or team's name filled in."""
        return (self.field.asks or self.field.label).replace(WHO, self.place.name if self.place else "")

    @property
    def parts(self) -> tuple[str, str, str]:
        """The text before the name and after it; the second is empty if the question has no name in it."""
        return self.field.label.partition(WHO)

    @property
    def rows(self) -> tuple[tuple[GameRow, tuple[Choice, ...]], ...]:
        return tuple(
            (row, tuple(choice for choice in self.choices if choice.row == row.key)) for row in self.field.rows
        )

    @property
    def pad(self) -> str:
        return f"components/pads/{self.field.layout}.html"

    @property
    def fault_fields(self) -> str:
        """The fields whose faults are shown at this question."""
        return " ".join((self.name, *(() if self.field.everybody else (self.field.key,)), *self.field.refused_as))


@dataclass(frozen=True, slots=True)
class Dealing:
    """The dealer of the hand if `first` dealt the first one, and the questions from the dealer's left on."""

    first: int
    dealer: Candidate
    next_dealer: Candidate
    questions: tuple[FieldQuestion, ...]

    @property
    def given(self) -> tuple[FieldQuestion, ...]:
        """Known values that are sent along."""
        return tuple(question for question in self.questions if question.field.layout == "given")

    @property
    def asked(self) -> tuple[FieldQuestion, ...]:
        return tuple(
            question for question in self.questions if question.field.needed and question.field.layout != "given"
        )

    @property
    def plays_at(self) -> FieldQuestion | None:
        """The first question after everybody has bid: until it can be answered the hand is being played."""
        bids = [index for index, question in enumerate(self.asked) if question.place and question.field.key == BIDS]
        return self.asked[bids[-1] + 1] if bids else None

    @property
    def order(self) -> str:
        """The names of the questions on a tablet as they are asked, and where the bids are locked: “bid-1 … play …”."""
        return " ".join(f"{PLAY if question is self.plays_at else ''}{question.name}" for question in self.asked)

    @property
    def beside(self) -> tuple[FieldQuestion, ...]:
        """Fields that score nothing: a table that wants them on its sheet may write them."""
        return tuple(
            question for question in self.questions if not question.field.needed and question.field.layout != "calls"
        )

    @property
    def calls(self) -> tuple[FieldQuestion, ...]:
        """The first round of bidding, which scores nothing either."""
        return tuple(question for question in self.questions if question.field.layout == "calls")


@dataclass(frozen=True, slots=True)
class HandQuestions:
    """The questions of one hand. `deals` has one item, or one for everybody who may still deal first."""

    number: int
    cards: int
    note: str
    seats: tuple[Candidate, ...]
    deals: tuple[Dealing, ...]

    @property
    def deal(self) -> Dealing:
        return self.deals[0]

    @property
    def dealer(self) -> Candidate:
        return self.deal.dealer

    def of(self, key: str) -> tuple[FieldQuestion, ...]:
        """The questions of a field, in the order of asking."""
        return tuple(question for question in self.deal.questions if question.field.key == key)

    @property
    def by_field(self) -> Iterator[tuple[Field, tuple[FieldQuestion, ...]]]:
        return (
            (field, tuple(questions))
            for field, questions in groupby(self.deal.questions, key=lambda question: question.field)
        )

    @property
    def lists(self) -> str:
        """The fields that everybody answers: a fault of the field as a whole is shown above its questions."""
        return " ".join(field.key for field, _ in self.by_field if field.everybody and field.needed)

    @property
    def has_seats(self) -> bool:
        """Whether a question asks for a player, whom a key of the seat can name."""
        return any(question.field.layout == "seats" for question in self.deal.questions)

    @property
    def needs(self) -> tuple[int, ...]:
        """What the bids need, without repetition."""
        needs = {choice.made_from for question in self.deal.asked for choice in question.choices if choice.made_from}
        return tuple(sorted(needs))

    @property
    def across(self) -> int:
        """How many answers are shown side by side."""
        return max(
            (len(questions) for field, questions in self.by_field if field.layout == "count" and field.everybody),
            default=3,
        )

    @property
    def fault_fields(self) -> str:
        """Every field whose faults are shown at their question."""
        return " ".join((self.lists, *(question.fault_fields for question in self.deal.questions)))

    @property
    def beside_faults(self) -> str:
        """The fields that score nothing."""
        return " ".join(question.fault_fields for question in (*self.deal.beside, *self.deal.calls))

    @property
    def beside_words(self) -> str:
        """What may be written besides the score, in words."""
        names = dict.fromkeys(question.field.short for question in (*self.deal.calls, *self.deal.beside))
        return ", ".join(names).capitalize()


def asked(sheet: GameSheet, *, whoever_deals: bool = False) -> HandQuestions | None:
    return None if sheet.next is None else _asked(sheet, sheet.next, whoever_deals=whoever_deals)


def asked_last(sheet: GameSheet) -> HandQuestions:
    """The questions of the next hand, or of the last one if the game is over: a form sent twice reads as before."""
    hands = (line.before for line in reversed(sheet.scored.lines) if line.kind == "hand")
    rules = sheet.rules
    return _asked(sheet, sheet.next or rules.game.next_hand(rules.rules, next(hands, sheet.scored.begin)))


def void_of_sheet(sheet: GameSheet, rule: str) -> dict[str, Any]:
    """The entry of a hand that does not count; ValidationFailed if the sheet knows no such reason."""
    return void_entry(sheet.rules, rule)


def void_entry(rules: Ruleset, rule: str) -> dict[str, Any]:
    """The entry of a hand that does not count: the table names the rule, the sheet has the words.

    The rules decide whether it may be written at this hand. Raises ValidationFailed if the sheet has no such reason.
    """
    begin = rules.game.begin(rules.rules)
    for choice in rules.game.voids(rules.rules, begin):
        if choice.rule == rule:
            return {"entry": "void", "rule": choice.rule, "reason": choice.words}
    why = [problem.text for problem in rules.game.problems(rules.rules, begin, Void(rule))] if rule else []
    raise ValidationFailed([Fault("rule", why[0] if why else "Say why the hand is void.")])


def letter_of(index: int) -> str:
    """The key that names a seat or a side."""
    return "ABCDEFGH"[index]


def _asked(sheet: GameSheet, due: NextHand, *, whoever_deals: bool = False) -> HandQuestions:
    # The seats in the order of the document, as people sit; the sheet lists them from the first dealer on.
    seats = tuple(
        Candidate(seat.seat, seat.side, seat.name, "" if seat.name == seat.team else seat.team, letter_of(seat.seat))
        for seat in sorted(sheet.seats, key=lambda seat: seat.seat)
    )
    sides = tuple(Candidate(side.index, side.index, side.name, "", letter_of(side.index)) for side in sheet.sides)
    firsts = [seat.index for seat in seats] if whoever_deals else [sheet.seats[0].seat]
    deals = tuple(_dealing(due, seats, sides, first) for first in firsts)
    return HandQuestions(due.number, due.cards, due.note, seats, deals)


def _dealing(due: NextHand, seats: tuple[Candidate, ...], sides: tuple[Candidate, ...], first: int) -> Dealing:
    index = (first + due.dealer) % len(seats)
    speaking = (*seats[index + 1 :], *seats[: index + 1])
    # A side is asked when it is the turn of its first player.
    asked_of = {
        "seat": speaking,
        "side": tuple(sides[index] for index in dict.fromkeys(seat.side for seat in speaking)),
    }
    questions = tuple(question for field in due.fields for question in _questions(field, asked_of))
    return Dealing(first, seats[index], speaking[0], questions)


def _questions(field: Field, asked_of: dict[str, tuple[Candidate, ...]]) -> Iterator[FieldQuestion]:
    name = field.name or field.key
    if not field.everybody:
        yield FieldQuestion(field, name, None, field.offered())
    for candidate in asked_of.get(field.of, ()):
        yield FieldQuestion(field, f"{name}-{candidate.index}", candidate, field.offered(candidate.index))
