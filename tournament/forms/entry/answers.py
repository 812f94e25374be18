"""A hand from its form: one loop over the questions that the rules ask. Faults stand at the field of their question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scoring.hand import Field
from tournament.forms.entry.numbers import whole_number
from tournament.queries.asking import Asked, Question
from tournament.refusals import Fault

LONGEST = 30
NO_BID = "pass"
# What an answer is in the game document, by the layout of its field; a number elsewhere. None: it cannot be read.
YES_NO = {"yes": True, "no": False}
READ: dict[str, Callable[[str], Any]] = {"row": str, "grid": str, "calls": str, "yes-no": YES_NO.get}


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
    field, text = question.field, data.get(question.name, "").strip()[:LONGEST]
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
    calls = [data.get(one.name, "").strip()[:LONGEST] for one in questions]
    return {"auction": [call or NO_BID for call in calls], "dealer": ask.dealer.index} if any(calls) else {}


def _index(question: Question) -> int:
    return question.place.index if question.place else 0


def _typed(answer: Any) -> str:
    return {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else str(answer)
