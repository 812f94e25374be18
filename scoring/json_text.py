"""JSON as text: parsed strictly, and each document of a list by itself, so that a bad one does not spoil the others."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from scoring.problem import CannotScore, Problem

# Finds where a value of a list ends, whatever stands in it.
ANY_JSON = json.JSONDecoder(parse_int=str, parse_constant=str)
LIST_BEGINS, NEXT_BEGINS, LIST_ENDS = (re.compile(rf"[ \t\r\n]*{sign}[ \t\r\n]*") for sign in (r"\[", ",", r"\]"))
LONGEST_NUMBER = 300


def parse_json(text: str) -> Any:
    """Parse JSON and raise CannotScore for what is none, twice-used keys, NaN, endless numbers."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_whole)
    except RecursionError:
        raise CannotScore((Problem("document", "", "The document is nested too deeply."),)) from None
    except ValueError as fault:
        raise CannotScore((Problem("document", "", f"This is not a game document: {fault}"),)) from None


def parse_documents(text: str) -> Any:
    """Parse a document, or a list of them: CannotScore stands in it for each that has a fault."""
    try:
        return parse_json(text)
    except CannotScore:
        apart = _documents_apart(text)
        if apart is None:
            raise
    return [_parsed_or_refused(one) for one in apart]


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"“{twice}” is used twice in one object.")
    return made


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number.")


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(digits)} digits is too long.")
    return int(digits)


def _documents_apart(text: str) -> list[str] | None:
    """The text of each document of a list; None where the text is no list, or no JSON."""
    begin = LIST_BEGINS.match(text)
    if begin is None:
        return None
    parts, at = [], begin.end()
    try:
        while True:
            _, end = ANY_JSON.raw_decode(text, at)
            parts.append(text[at:end])
            between = NEXT_BEGINS.match(text, end)
            if between is None:
                return parts if LIST_ENDS.fullmatch(text, end) else None
            at = between.end()
    except (ValueError, RecursionError):
        return None


def _parsed_or_refused(text: str) -> Any:
    try:
        return parse_json(text)
    except CannotScore as refusal:
        return refusal
