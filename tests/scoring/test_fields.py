"""Plain JSON values are read strictly."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.fields import Fields
from scoring.ledger import Problem


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("text", "spades", "spades"),
        ("text", None, ""),
        ("number", -3, -3),
        ("number", None, None),
        ("numbers", [1, 2], (1, 2)),
        ("numbers", None, ()),
        ("texts", ["3", "pass"], ("3", "pass")),
        ("texts", None, ()),
        ("flag", True, True),
        ("flag", None, None),
    ],
)
def test_value_of_the_right_kind_is_read(kind: str, value: Any, read: Any) -> None:
    fields = Fields({"x": value})
    assert (getattr(fields, kind)("x"), fields.problems) == (read, [])


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("text", 3),
        ("text", ["a"]),
        ("text", "x" * 501),
        ("number", True),
        ("number", 7.0),
        ("number", "7"),
        ("number", 10**7),
        ("numbers", "12"),
        ("numbers", [1, True]),
        ("numbers", [10**7]),
        ("texts", "pass"),
        ("texts", [3]),
        ("flag", 1),
        ("flag", "yes"),
    ],
)
def test_value_of_the_wrong_kind_is_refused_at_its_field(kind: str, value: Any) -> None:
    fields = Fields({"x": value}, rule="4")
    assert not getattr(fields, kind)("x")
    assert [(problem.field, problem.rule) for problem in fields.problems] == [("x", "4")]


def test_numbers_are_one_per_side() -> None:
    fields = Fields({"scores": [1, 2, 3]})
    assert fields.numbers("scores", 2, 0) == ()
    assert fields.numbers("sets", 2, 0) == (0, 0)
    assert fields.problems == [Problem("scores", "", "“scores” needs 2 numbers, one per side; there are 3.")]


def test_field_that_nobody_reads_is_refused() -> None:
    fields = Fields({"bid": "3", "colour": "red"})
    fields.only(frozenset({"bid"}))
    assert fields.problems == [Problem("colour", "", "There is no field “colour” here.")]
