"""Forms say in plain words what is wrong; Django's own fields keep Django's words, in every process."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from typing import Any

import pytest
from django import forms

from tests.quick import ROOT
from tournament.forms.fields import OrderField, PlainForm, PlainWords

ORDER = {"points": "Points", "wins": "Wins"}


class Everything(PlainForm):
    name = forms.CharField()
    day = forms.DateField()
    number = forms.IntegerField(min_value=1, max_value=9)
    one = forms.ChoiceField(choices=[("a", "A")])
    several = forms.MultipleChoiceField(choices=[("a", "A")])
    order = OrderField(ORDER)
    own = forms.IntegerField(
        error_messages={"required": "How many?", "invalid": "In digits.", "max_value": "Too many."}
    )

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(data)
        self.fields["late"] = forms.IntegerField(min_value=0)


GOOD: dict[str, Any] = {
    "name": "Ann",
    "day": "2026-11-29",
    "number": "3",
    "one": "a",
    "several": ["a"],
    "own": "4",
    "late": "0",
}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"name": ""}, {"name": ["Please fill this in."]}),
        ({"day": "soon"}, {"day": ["Please enter a date."]}),
        ({"number": "many"}, {"number": ["A whole number is needed."]}),
        ({"number": "0"}, {"number": ["At least 1."]}),
        ({"number": "10"}, {"number": ["At most 9."]}),
        ({"one": "b"}, {"one": ["Please choose from the list."]}),
        ({"several": ["b"]}, {"several": ["Please choose from the list."]}),
        ({"order_0": "draw"}, {"order": ["Please choose from the list."]}),
        ({"own": ""}, {"own": ["How many?"]}),
        ({"own": "many"}, {"own": ["In digits."]}),
        ({"late": "-1"}, {"late": ["At least 0."]}),
    ],
)
def test_a_form_says_plainly_what_is_wrong(typed: dict[str, Any], expected: dict[str, list[str]]) -> None:
    assert Everything(GOOD | {"order_0": "points", "order_1": "wins"} | typed).errors == expected


def test_what_is_right_is_taken() -> None:
    form = Everything(GOOD | {"order_0": "points", "order_1": "wins"})
    assert (form.errors, form.cleaned_data["day"], form.cleaned_data["order"]) == ({}, date(2026, 11, 29), [*ORDER])


def test_every_form_of_the_site_is_one() -> None:
    def below(kind: type[forms.Form]) -> set[type[forms.Form]]:
        children: list[type[forms.Form]] = kind.__subclasses__()
        return {kind}.union(*map(below, children))

    import tournament.urls  # noqa: F401  # every view, and with it every form

    ours = {kind for kind in below(forms.Form) if kind.__module__.startswith("tournament.")}
    assert {kind.__name__ for kind in ours if not issubclass(kind, PlainWords)} == set()


STARTED = """
import sys, django
from django import forms
from django.core.validators import MinValueValidator

{start}
field = forms.IntegerField(min_value=1)
print(sys.getswitchinterval(), field.error_messages["required"], MinValueValidator.message)
"""


@pytest.mark.parametrize(
    ("start", "turns"), [("django.setup()", "0.005"), ("import tournament.wsgi", "0.001")], ids=["command", "site"]
)
def test_only_a_process_that_answers_takes_short_turns_and_none_changes_django(start: str, turns: str) -> None:
    asked = [sys.executable, "-c", STARTED.format(start=start)]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    djangos = "This field is required. Ensure this value is greater than or equal to %(limit_value)s."
    assert done.stdout.strip() == f"{turns} {djangos}"
