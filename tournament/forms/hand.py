"""The entry form of every game: what was posted becomes facts of the game document, or faults at their fields.

Which fields there are, and what they take, comes from the rules' `next_hand` (queries.asking).
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.hand import Field
from tournament.queries.asking import Asked, Question, asked_last, void_of_sheet
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Fault, Invalid

LONGEST = 40
# What belongs to the form and not to the hand.
FORM_FIELDS = frozenset({"csrfmiddlewaretoken", "position", "client_key", "version", "cards", "pin", "document"})
LONGEST_ANSWER = 30
NO_BID = "pass"
# What an answer is in the game document, by the layout of its field; a number elsewhere. None: it cannot be read.
YES_NO = {"yes": True, "no": False}
READ: dict[str, Callable[[str], Any]] = {"row": str, "grid": str, "calls": str, "yes-no": YES_NO.get}
WHOLE = re.compile(r"[-−+]?[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Posted:
    """A posted hand. `facts` is the entry of the game document; `position` is where the writer saw the end."""

    facts: dict[str, Any]
    position: int | None
    client_key: uuid.UUID | None
    faults: tuple[Fault, ...]

    def checked(self) -> Posted:
        """The same, or Invalid where something is missing or no number."""
        if self.faults:
            raise Invalid(self.faults)
        return self


def read_hand(sheet: GameSheet, data: Mapping[str, str]) -> Posted:
    """Read a hand or a void.

    The same form sent twice must give the same facts, though the sheet has gone on in between: so what the form
    itself says comes first, and a game that is over reads as well as one that is not (the rules refuse it).
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
    """The position that the writer saw; None where the form names none."""
    text = data.get("position", "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 5:
        raise Invalid([Fault("position", "This page is too old. Load it again, then enter the hand.")])
    return int(text)


def read_key(data: Mapping[str, str]) -> uuid.UUID | None:
    """The key of the form: the same form sent twice writes one line."""
    text = data.get("client_key", "")
    if not text:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Invalid([Fault("client_key", "This page is too old. Load it again.")]) from None


def read_index(text: str) -> int:
    """The number of a side or a seat; −1, which none has, where it is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else -1


def hand_facts(ask: Asked, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of the hand as far as they were given, and a fault for everything that is missing or no number."""
    facts: dict[str, Any] = {"entry": "hand"}
    faults: list[Fault] = []
    said: set[Any] = set()
    for field, questions in ask.by_field:
        if field.layout == "calls":
            facts |= _first_round(ask, questions, data)
        elif not field.everybody:
            value = None if field.when and field.when not in said else _answer(questions[0], data, faults)
            facts |= {} if value is None else {field.key: value}
        elif field.layout == "count" and said == {NO_BID} and not any(one.name in data for one in questions):
            # Everybody passed and nobody wrote tricks down: the rules say what that comes to.
            facts[field.key] = [0] * len(questions)
        else:
            facts[field.key] = _answers(field, questions, data, faults)
            said |= set(facts[field.key])
    return facts, faults


def values_of(ask: Asked, facts: Mapping[str, Any]) -> dict[str, str]:
    """The form's answers for the facts of a hand.

    What was written by side while the form asks every seat (or the other way round) cannot be shown in its fields.
    """
    values: dict[str, str] = {}
    for field, questions in ask.by_field:
        said = facts.get(field.key)
        if said is None or field.layout == "given":
            continue
        answers = list(said) if field.everybody else [said]
        if len(answers) == len(questions):
            written = questions if field.layout == "calls" else sorted(questions, key=_index)
            values |= {one.name: _typed(answer) for one, answer in zip(written, answers, strict=True)}
    return values


def _answers(field: Field, questions: tuple[Question, ...], data: Mapping[str, str], faults: list[Fault]) -> list[Any]:
    """One answer of each side or seat, in their order; nothing counts as nothing where it is missing."""
    nothing = "" if READ.get(field.layout) is str else 0
    found = (_answer(one, data, faults) for one in sorted(questions, key=_index))
    return [nothing if value is None else value for value in found]


def _answer(question: Question, data: Mapping[str, str], faults: list[Fault]) -> Any:
    """The answer to a question; None, with its fault where it is needed, if there is none."""
    field, text = question.field, data.get(question.name, "").strip()[:LONGEST_ANSWER]
    if not text and field.layout == "given":
        text = question.choices[0].value
    read = READ.get(field.layout, whole_number)
    value = read(text) if text else None
    if value is None and field.needed:
        asks = question.words
        wrong = (
            f"“{text[:20]}” is not a number: {asks[:1].lower()}{asks[1:]}" if text and read is whole_number else asks
        )
        faults.append(Fault(question.name, wrong))
    return value


def _first_round(ask: Asked, questions: tuple[Question, ...], data: Mapping[str, str]) -> dict[str, Any]:
    """A first round of bidding with its dealer, as the players spoke; who said nothing passed."""
    calls = [data.get(one.name, "").strip()[:LONGEST_ANSWER] for one in questions]
    return {"auction": [call or NO_BID for call in calls], "dealer": ask.dealer.index} if any(calls) else {}


def _index(question: Question) -> int:
    return question.place.index if question.place else 0


def _typed(answer: Any) -> str:
    return {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else str(answer)


def whole_number(text: str) -> int | None:
    """A whole number with an optional sign, at most six digits; None for anything else."""
    text = text.strip()
    return int(text.replace("−", "-")) if WHOLE.fullmatch(text) else None


def void_facts(sheet: GameSheet, data: Mapping[str, str]) -> tuple[dict[str, Any], list[Fault]]:
    """The facts of a void; only reasons that need no director's choice are taken."""
    try:
        return void_of_sheet(sheet, data.get("rule", "").strip()[:LONGEST]), []
    except Invalid as refusal:
        return {"entry": "void"}, list(refusal.faults)
