"""Sentences out of codes and values: templates in which values are filled in.

“{team} entered[, from round {joins}]”: a value is put into words by the form that the template names after a colon, or
by the form of its own name; one without a form is said as it is. What stands in brackets is said only where every value
in it is there. Things are counted with a noun: {tables:n table} is “1 table” or “24 tables”.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from tournament.words.forms import FORMS, Form, as_it_is

TEXT = "text"
FIELD = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
PART = re.compile(r"\[([^\[\]]*)\]")
PLURALS = {"entry": "entries"}

Facts = Mapping[str, Any]


def say(template: str, facts: Facts) -> str:
    """Fill a template in. Raises KeyError where a value is missing that is not in brackets."""
    said = PART.sub(lambda part: _part(part[1], facts), template)
    return FIELD.sub(lambda field: _form(field)(facts[field[1]]), said)


def can_be_said(words: Callable[[str, Facts], str], code: str, facts: Any) -> bool:
    """Whether the words of a room know a code, and these are values that go with it; for what comes from elsewhere."""
    try:
        return bool(isinstance(facts, dict) and words(code, facts))
    except (LookupError, TypeError, ValueError, AttributeError):
        return False


def _part(part: str, facts: Facts) -> str:
    return part if all(facts.get(field[1]) not in (None, "", []) for field in FIELD.finditer(part)) else ""


def _form(field: re.Match[str]) -> Form:
    name, form = field[1], field[2]
    if form is None:
        return FORMS.get(name, as_it_is)
    return _counted(form) if form.startswith(("n ", "n, ")) else FORMS[form]


@cache
def _counted(form: str) -> Form:
    """“3 tables”; with a comma thousands are set apart."""
    count, _, noun = form.partition(" ")
    large = count.endswith(",")
    many = PLURALS.get(noun, f"{noun}s")
    return lambda count: f"{count:{',' * large}} {noun if count == 1 else many}"
