"""The entry form of every game: posted values become facts of the game document, or faults at their fields.

The fields, and the values they accept, come from the rules' `next_hand` (queries.asking). At the desk lines are also
typed from paper, and corrected with a reason.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.game import Choice
from scoring.opening import Total
from tournament.errors import Fault, ValidationFailed
from tournament.forms.fields import plain, whole_number
from tournament.queries.deskgame import DeskGame, sheet_before
from tournament.queries.rules import Ruleset
from tournament.queries.rulings import FieldQuestion, HandQuestions, asked_last, void_of_sheet
from tournament.queries.scored import opening_faults, renumbered
from tournament.queries.sheetfacts import GameSheet, Row

LONGEST = 40
# Keys that belong to the form and not to the hand.
FORM_FIELDS = frozenset(
    {"csrfmiddlewaretoken", "position", "client_key", "version", "cards", "document", "check", "play"}
)
LONGEST_ANSWER = 30
NO_BID = "pass"
# The type of an answer in the game document, by the layout of its field; otherwise a number. None: it cannot be read.
YES_NO = {"yes": True, "no": False, "y": True, "n": False}
READ: dict[str, Callable[[str], Any]] = {
    "row": str,
    "grid": str,
    "calls": str,
    "yes-no": lambda text: YES_NO.get(text.casefold()),
}
# Kinds of a bid as players write them after its number, besides the words of the sheet.
BID_KINDS = {
    **dict.fromkeys(("nt", "notrump", "notrumps"), "no"),
    **dict.fromkeys(("u", "up", "uptown", "h", "high", "straight", "normal"), ""),
    **dict.fromkeys(("d", "down", "downtown", "l", "low"), "special"),
}
KINDS = {"void": "a void hand", "time": "time is up", "agreed_stop": "all players agreed to stop"}
LINES = set(KINDS)
LONGEST_REASON = 200
# How many empty lines there are on a sheet that is typed again.
SPARE = 3
# Before the number of a side, if only the side that won the bid is known.
SIDE = "side-"


@dataclass(frozen=True, slots=True)
class Posted:
    """A posted hand. `facts` is the entry of the game document; `position` is where the writer saw the end."""

    facts: dict[str, Any]
    position: int | None
    client_key: uuid.UUID | None
    faults: tuple[Fault, ...]

    def checked(self) -> Posted:
        """The same; raises ValidationFailed if something is missing or not a number."""
        if self.faults:
            raise ValidationFailed(self.faults)
        return self


def read_hand(sheet: GameSheet, data: Mapping[str, str]) -> Posted:
    """Read a hand or a void.

    The same form sent twice must give the same facts, even if the sheet has changed in between: so values in the form
    come first, and a game that is over can be read like one that is not (the rules refuse it).
    """
    if data.get("entry") == "void":
        facts, faults = void_facts(sheet, data)
    else:
        facts, faults = hand_facts(asked_last(sheet), data)
    return Posted(facts, read_position(data), read_key(data), tuple(faults))


def typed_values(data: Mapping[str, str]) -> dict[str, str]:
    """What was typed, to be shown again."""
    return {field: value[:LONGEST] for field, value in data.items() if field not in FORM_FIELDS}


def read_position(data: Mapping[str, str]) -> int | None:
    """The position that the writer saw; None if the form names none."""
    position = whole_number(data.get("position", ""), 0, 99_999)
    if position is None and data.get("position"):
        raise ValidationFailed([Fault("position", "This page is too old. Load it again, then enter the hand.")])
    return position


def read_key(data: Mapping[str, str]) -> uuid.UUID | None:
    """The key of the form: the same form sent twice writes one line."""
    text = data.get("client_key", "")
    try:
        return uuid.UUID(text) if text else None
    except ValueError:
        raise ValidationFailed([Fault("client_key", "This page is too old. Load it again.")]) from None


def read_index(text: str) -> int:
    """The number of a side or a seat; −1, which none has, if it is not a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else -1


def hand_facts(ask: HandQuestions, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of a hand as far as they were typed, with a fault for each one that is missing or not a number."""
    facts: dict[str, Any] = {"entry": "hand"}
    faults: list[Fault] = []
    # What was answered to questions that everybody is asked.
    answered: set[Any] = set()
    for field, questions in ask.by_field:
        if field.layout == "calls":
            facts |= _auction(ask, questions, data)
        elif not field.everybody:
            if field.when and field.when not in answered:
                continue
            answer = _answer(questions[0], data, faults)
            if answer is not None:
                facts[field.key] = answer
        elif field.layout == "count" and answered == {NO_BID} and not _is_posted(questions, data):
            # Everybody passed and nobody wrote tricks down: the rules decide the result.
            facts[field.key] = [0] * len(questions)
        else:
            answers = _answers_in_order(questions, data, faults)
            facts[field.key] = answers
            answered.update(answers)
    return facts, faults


def _auction(ask: HandQuestions, questions: Sequence[FieldQuestion], data: Mapping[str, str]) -> dict[str, Any]:
    """A first round of bidding with its dealer, in the order of speaking; a player without an answer passed."""
    calls = []
    for question in questions:
        text = data.get(question.name, "").strip()[:LONGEST_ANSWER]
        calls.append(typed_bid(text, question.choices))
    if not any(calls):
        return {}
    return {"auction": [call or NO_BID for call in calls], "dealer": ask.dealer.index}


def _is_posted(questions: Iterable[FieldQuestion], data: Mapping[str, str]) -> bool:
    """Whether the form that was sent had a field for any of these questions."""
    return any(question.name in data for question in questions)


def _answers_in_order(questions: Iterable[FieldQuestion], data: Mapping[str, str], faults: list[Fault]) -> list[Any]:
    """One answer for each side or seat, in their order; a missing one is an empty text or zero."""
    answers = []
    for question in sorted(questions, key=_index):
        answer = _answer(question, data, faults)
        if answer is None:
            answer = "" if READ.get(question.field.layout) is str else 0
        answers.append(answer)
    return answers


def values_of(ask: HandQuestions, facts: Mapping[str, Any]) -> dict[str, str]:
    """The form's answers for the facts of a hand.

    Values written by side cannot be shown in fields by seat, or the other way round.
    """
    values: dict[str, str] = {}
    for field, questions in ask.by_field:
        stored = facts.get(field.key)
        if stored is None or field.layout == "given":
            continue
        answers = list(stored) if field.everybody else [stored]
        if len(answers) == len(questions):
            written = questions if field.layout == "calls" else sorted(questions, key=_index)
            values |= {question.name: _typed(answer) for question, answer in zip(written, answers, strict=True)}
    return values


def _answer(question: FieldQuestion, data: Mapping[str, str], faults: list[Fault]) -> Any:
    """The answer to a question; None if there is none, with a fault if it is needed."""
    field, text = question.field, data.get(question.name, "").strip()[:LONGEST_ANSWER]
    if not text and field.layout == "given":
        text = question.choices[0].value
    read = READ.get(field.layout, whole_number)
    value = read(typed_bid(text, question.choices) if read is str else text) if text else None
    if value is None and field.needed:
        asks = question.words
        wrong = (
            f"“{text[:20]}” is not a number: {asks[:1].lower()}{asks[1:]}" if text and read is whole_number else asks
        )
        faults.append(Fault(question.name, wrong))
    return value


def _index(question: FieldQuestion) -> int:
    return question.place.index if question.place else 0


def _typed(answer: Any) -> str:
    return {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else str(answer)


def typed_bid(text: str, choices: Iterable[Choice]) -> str:
    """A bid as players write it, in the form of the game document: “2 NT” is 2-no, “2s” 2-special, “dou” double-board.

    If it means none of the choices, or more than one, it stays as it was typed: the rules refuse it.
    """
    forms: dict[str, str] = {}
    for choice in choices:
        if text == choice.value:
            return text
        for form in (choice.value, choice.words, choice.short):
            forms.setdefault(_letters(form), choice.value)
    typed = _letters(text)
    level = typed.rstrip("abcdefghijklmnopqrstuvwxyz")
    kind = typed[len(level) :]
    for form in (typed, level + BID_KINDS.get(kind, kind)):
        if form in forms:
            return forms[form]
    meant = {value for form, value in forms.items() if kind and form.startswith(typed)}
    return meant.pop() if len(meant) == 1 else text


def _letters(text: str) -> str:
    """Without blanks and hyphens next to a letter: between digits, or before one, they mean something else."""
    return re.sub(r"(?<=[a-z+])[\s-]+|[\s-]+(?=[a-z+])|\.$", "", plain(text).casefold())


def void_facts(sheet: GameSheet, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of a void; only reasons that need no choice by the director are accepted."""
    try:
        return void_of_sheet(sheet, data.get("rule", "").strip()[:LONGEST]), []
    except ValidationFailed as refusal:
        return {"entry": "void"}, list(refusal.faults)


def read_line(sheet: GameSheet, data: Mapping[str, str]) -> Posted:
    """A line of the sheet: a hand, a void hand, the end of time, or a stop that all players agreed to."""
    kind = data.get("kind", "hand")
    if kind == "hand":
        return read_hand(sheet, data)
    if kind not in LINES:
        raise ValidationFailed([Fault("kind", "Choose what is written: a hand, a void hand, or the end of the game.")])
    if kind == "void":
        return read_hand(sheet, {**dict(data.items()), "entry": kind})
    return Posted({"entry": kind}, read_position(data), read_key(data), ())


def read_totals(rules: Ruleset, sheet: GameSheet, data: Mapping[str, str]) -> dict[str, Any]:
    """The totals of a paper sheet, as the rules ask for them. Raises ValidationFailed with every fault at its field."""
    faults: list[Fault] = []
    opening: dict[str, Any] = {}
    for total in rules.totals:
        if total.of == "flag":
            opening |= {total.key: True} if data.get(total.key) else {}
        elif total.of == "game" and (typed := data.get(total.key, "").strip()):
            opening[total.key] = _number(total, total.key, total.heading, typed, faults)
        elif total.of == "side":
            written = [data.get(name, "").strip() for name in total_fields(total, sheet)]
            if any(written):
                opening[total.key] = [
                    _number(total, f"{total.key}-{side.index}", f"{side.name}: {total.heading.lower()}", text, faults)
                    for side, text in zip(sheet.sides, written, strict=True)
                ]
    # Scores that nobody has typed are not zeros.
    if "scores" not in opening and not faults:
        faults.append(Fault("scores-0", "Write the score of each side from the paper sheet."))
    if not faults:
        problems = opening_faults(rules, opening, new=True)
        faults = [Fault(_field(rules, problem.field), problem.text, problem.rule) for problem in problems]
    if faults:
        raise ValidationFailed(faults)
    return opening


def total_fields(total: Total, sheet: GameSheet) -> list[str]:
    """The fields of the form in which a total is typed: one for each side, or one for the game."""
    return [f"{total.key}-{side.index}" for side in sheet.sides] if total.of == "side" else [total.key]


def _number(total: Total, field: str, words: str, text: str, faults: list[Fault]) -> int:
    number = whole_number(text or "0", -9999, 9999)
    if number is None:
        faults.append(Fault(field, f"{words} must be a whole number, not “{text[:20]}”."))
    elif number < 0 and total.key != "scores":
        faults.append(Fault(field, f"{words} cannot be “{text}”: it starts at 0."))
    return number or 0


def _field(rules: Ruleset, name: str) -> str:
    """The field of the form that a fault of the opening belongs to."""
    total = next((total for total in rules.totals if total.key == name), None)
    if total is None:
        return "scores-0"
    return f"{name}-0" if total.of == "side" else name


@dataclass(frozen=True, slots=True)
class Revision:
    """A correction. `facts` is None if the line is taken off; `confirmed` is the key of what was shown."""

    facts: dict[str, Any] | None
    reason: str
    revision: int
    confirmed: str


def read_revision(sheet: GameSheet, line: Row, data: Mapping[str, str]) -> Revision:
    """Read a correction of a line; `sheet` ends before it. Raises ValidationFailed with every fault of the form."""
    faults: list[Fault] = []
    facts = None
    if data.get("what") != "remove":
        if line.ruled or line.kind != "hand":
            raise ValidationFailed(
                [Fault("what", "This line can be removed, or entered again as the same kind of line.")]
            )
        facts, faults = _hand_in_place(sheet, line, data)
    reason, revision = _reason(data, faults), _revision(data, faults)
    if faults:
        raise ValidationFailed(faults)
    return Revision(facts, reason, revision, read_confirmed(data))


def _hand_in_place(sheet: GameSheet, line: Row | None, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of a hand that replaces a line, with what is wrong with them."""
    seat, by_side = data.get("seat", ""), False
    if line and line.by_side and seat.startswith(SIDE):
        # Nobody wrote down which player bid: the correction does not invent one.
        data, by_side = {name: data[name] for name in data} | {"seat": seat.removeprefix(SIDE)}, True
    posted = read_hand(sheet, data)
    facts = posted.facts
    if by_side and "seat" in facts:
        facts = {("bidder" if name == "seat" else name): value for name, value in facts.items()}
    return facts, list(posted.faults)


class TypedLine(NamedTuple):
    """A line of a sheet that is typed again. `row` is the present line, None for an added one; `sheet` ends before it.

    A line with `asks` is a hand; anything else can only stay or be removed.
    """

    key: str
    row: Row | None
    sheet: GameSheet
    asks: tuple[FieldQuestion, ...]
    shown: dict[str, str]
    values: dict[str, str]
    goes: bool

    @property
    def fields(self) -> Iterator[tuple[str, str, list[tuple[str, str]], str]]:
        """Name, label, choices, and value of each answer; a label only if it is asked for, and not just kept."""
        for question in self.asks:
            name, value = question.name, self.values[question.name]
            choices = [(choice.value, choice.words) for choice in question.choices]
            if question.field.layout == "seats":
                choices = [(str(seat.seat), seat.name) for seat in self.sheet.seats]
                sides = self.sheet.sides if self.row and self.row.by_side else ()
                choices += [(f"{SIDE}{side.index}", side.name) for side in sides]
            elif question.field.layout == "yes-no":
                choices = [(answer, answer.capitalize()) for answer in YES_NO]
            who = f"{question.place.name}: " if question.place else ""
            is_asked = question.field.layout != "given" and (question.field.needed or value)
            yield self.key + name, f"{who}{question.field.heading}" if is_asked else "", choices, value


def typed_words(sheet: GameSheet, data: Mapping[str, str]) -> str:
    """What was typed for a line in words, for a user whose form came too late; `sheet` ends before it."""
    if (kind := data.get("kind", "hand")) in LINES:
        return KINDS[kind]
    questions = tuple(asked_last(sheet).deal.questions)
    values = {question.name: data.get(question.name, "").strip()[:LONGEST] for question in questions}
    line = TypedLine("", None, sheet, questions, {}, values, False)
    return ", ".join(f"{label} {dict(choices).get(value, value)}" for _, label, choices, value in line.fields if value)


class TypedSheet:
    """The form of a whole sheet: its lines with a few empty ones after the last hand, totals, and how it ended."""

    ENDS = (("", "By its hands and rulings"), ("time", "Time is up"), ("agreed_stop", "All players agreed to stop"))

    def __init__(self, desk: DeskGame, data: Mapping[str, str] | None) -> None:
        self.desk, self.data = desk, data or {}
        sheet = desk.sheet
        hands = [index for index, row in enumerate(sheet.rows, start=1) if row.kind in ("hand", "void")]
        behind, planned = hands[-1] if hands else 0, desk.rules.game.hands_planned(desk.rules.rules)
        more = SPARE if planned is None else min(1, max(planned - sheet.hands, 0))
        rows = [*sheet.rows[:behind], *[None] * more, *sheet.rows[behind:]]
        last = sheet.rows[behind].position if behind < len(sheet.rows) else sheet.next_position
        self.lines = [self._line(f"{index}.", row, last) for index, row in enumerate(rows, start=1)]
        self.values = typed_line(self.data) if data is not None else self._totals_shown() | {"code": sheet.code}

    def _line(self, key: str, row: Row | None, last: int) -> TypedLine:
        before = sheet_before(self.desk, row.position if row else last)
        is_hand = row is None or row.kind == "hand"
        questions = tuple(asked_last(before).deal.questions) if is_hand else ()
        shown = line_values(row.facts, before) if row and is_hand else {}
        given = {question.name: question.choices[0].value for question in questions if question.field.layout == "given"}
        shown = {question.name: shown.get(question.name, "") for question in questions} | given
        typed = {name: self.data.get(key + name, "").strip() for name in shown} if self.data else shown
        return TypedLine(key, row, before, questions, shown, typed, f"{key}goes" in self.data)

    def _totals_shown(self) -> dict[str, str]:
        """The present totals: what was written, and what follows from it if the sheet asks for that."""
        scored = self.desk.sheet.scored
        opening, shown = scored.opening or {}, dict[str, str]()
        if not opening:
            return shown
        for total in self.desk.rules.totals:
            value = getattr(scored.begin, total.key)
            if total.of == "side" and (total.key in opening or any(value)):
                shown |= {f"{total.key}-{side}": str(number) for side, number in enumerate(value)}
            elif total.of == "game" and total.key in opening:
                shown[total.key] = str(value)
            elif total.of == "flag" and value:
                shown[total.key] = "yes"
        return shown

    def _opening(self) -> dict[str, Any] | None:
        """The totals as typed; unchanged ones keep their values, with everything that no form asks for."""
        stands = self.desk.sheet.scored.opening
        if stands is None or "totals-go" in self.data:
            return None
        rules, sheet, shown = self.desk.rules, self.desk.sheet, self._totals_shown()
        fields = [name for total in rules.totals for name in total_fields(total, sheet)]
        if all(self.data.get(name, "").strip() == shown.get(name, "") for name in fields):
            return stands
        asked = {total.key for total in rules.totals}
        kept = {key: value for key, value in stands.items() if key not in asked}
        return kept | read_totals(rules, sheet, self.data)

    @property
    def strikes_ruling(self) -> bool:
        return any(line.goes and line.row and line.row.ruled for line in self.lines)

    def checked(self) -> dict[str, Any]:
        """The facts of the correction; ValidationFailed with every fault of the form, named by its line."""
        faults: list[Fault] = []
        read = ((line, self._facts(line, faults)) for line in self.lines if not line.goes)
        lines = self._renumbered([(line, facts) for line, facts in read if facts is not None], faults)
        if (end := self.data.get("end", "")) in LINES - {"void"}:
            lines.append({"entry": end})
        opening = self._opening()
        reason = _reason(self.data, faults)
        if faults:
            raise ValidationFailed(faults)
        seen = {"code": self.data.get("code", ""), "confirmed": read_confirmed(self.data)}
        return {"opening": opening, "lines": lines, "reason": reason, **seen}

    def _renumbered(
        self, stay: Sequence[tuple[TypedLine, dict[str, Any]]], faults: list[Fault]
    ) -> list[dict[str, Any]]:
        """The lines that stay; a ruling about a hand belongs to that hand, which must stay too."""
        positions = [row.position for row in self.desk.sheet.rows]
        positions += range(self.desk.sheet.next_position, self.desk.sheet.next_position + len(stay))
        moved = {line.row.position: new for (line, _), new in zip(stay, positions, strict=False) if line.row}
        for line, facts in stay:
            if "line" in facts and facts["line"] not in moved:
                faults.append(Fault(line.key, f"Line {line.key} is a ruling about a hand that goes: it must go, too."))
        return [renumbered(facts, moved) for _, facts in stay]

    def _facts(self, line: TypedLine, faults: list[Fault]) -> dict[str, Any] | None:
        """The unchanged line if nothing was typed over it; None if an empty one stays empty."""
        if line.row and (not line.asks or line.values == line.shown):
            return line.row.facts
        asked = [question.name for question in line.asks if question.field.layout != "given"]
        if not any(line.values[name] for name in asked):
            return None
        facts, wrong = _hand_in_place(line.sheet, line.row, {name: text for name, text in line.values.items() if text})
        faults += [fault._replace(field=line.key, text=f"Line {line.key} {fault.text}") for fault in wrong]
        return facts


def read_confirmed(data: Mapping[str, str]) -> str:
    """The key of what was shown and confirmed; empty if nothing was."""
    return data.get("confirmed", "")[:40]


def read_place(line: Row, data: Mapping[str, str], reason: str = "") -> dict[str, Any]:
    """Which version of a line is replaced, and why; `reason` if nothing else was typed."""
    faults: list[Fault] = []
    typed = data.get("reason", "").strip() or reason
    version = {
        "position": line.position,
        "revision": _revision(data, faults),
        "reason": _reason({"reason": typed}, faults),
    }
    if faults:
        raise ValidationFailed(faults)
    return version


def line_values(facts: dict[str, Any], sheet: GameSheet) -> dict[str, str]:
    """The entry form's initial values: the present line; `sheet` ends before it."""
    values = values_of(asked_last(sheet), facts)
    if "bidder" in facts and "seat" not in values:
        values["seat"] = f"{SIDE}{facts['bidder']}"
    return values


def typed_line(data: Mapping[str, str]) -> dict[str, str]:
    """What was typed, with the full reason, to be shown or sent again."""
    return {name: value[:LONGEST_REASON] for name, value in data.items() if name not in FORM_FIELDS}


def _reason(data: Mapping[str, str], faults: list[Fault]) -> str:
    reason = " ".join(data.get("reason", "").split())
    if not reason:
        faults.append(Fault("reason", "A correction needs a reason: it is shown to both sides."))
    elif len(reason) > LONGEST_REASON:
        faults.append(Fault("reason", f"At most {LONGEST_REASON} characters: this has {len(reason)}."))
    return reason


def _revision(data: Mapping[str, str], faults: list[Fault]) -> int:
    revision = whole_number(data.get("revision", ""), 0, 9999)
    if revision is None:
        faults.append(Fault("revision", "This page is too old. Load it again."))
    return -1 if revision is None else revision
