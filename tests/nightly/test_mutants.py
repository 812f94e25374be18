"""What is left out of the draw of mutants is what nobody can tell apart, and nothing more; the figure says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nightly.alike import NO_PYTHON, alike
from tests.nightly.mutants import TWICE, Mutant, drawn, figure

PARAMETERS, SIDE, TYPE = "of how parameters are given", "another way to the other side", "of a type"


@pytest.mark.parametrize(
    ("source", "code", "why"),
    [
        ("def f(a: int | None) -> int: ...", "def f(a: int + None) -> int: ...", TYPE),
        ("a: int | None = 1", "a: int ^ None = 1", TYPE),
        ("def f(a, b=1, *, c, d=2): ...", "def f(a, b=1, /, c, d=2): ...", NO_PYTHON),
        ("def f(a, *, c, d=2): ...", "def f(a, /, c, d=2): ...", PARAMETERS),
        ("def f(a, *, c, d=2): ...", "def f(a, /, c, d=3): ...", ""),
        ("def f(a, *, c=None): ...", "def f(a, /, c): ...", ""),
        ("def f(a: int): return a == 2", "def f(a: int): return a is 2", ""),
        ("1 - side", "1 ^ side", SIDE),
        ("1 - hand.bidder", "1 >> hand.bidder", SIDE),
        ("1 - side", "1 | side", ""),
        ("1 - side", "2 ^ side", ""),
        ("1 - cards", "1 ^ cards", ""),
    ],
)
def test_a_change_is_left_out_where_it_is_none(source: str, code: str, why: str) -> None:
    assert alike(source, code) == why


def test_both_ways_to_the_other_side_are_the_same() -> None:
    assert [1 ^ side for side in (0, 1)] == [1 >> side for side in (0, 1)] == [1 - side for side in (0, 1)]


def test_the_figure_says_how_many_were_left_out_and_why(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text("def f(side: int | None, *, cards: int) -> int:\n    return 1 - side if cards == 2 else 0\n")
    draw = drawn([path], 1000, 1)
    assert sum(draw.left_out.values()) + len(draw.mutants) == draw.all_of
    assert {PARAMETERS: 1, SIDE: 2}.items() <= draw.left_out.items()
    assert draw.left_out[TYPE] > 5
    assert not [mutant for mutant in draw.mutants if "1 ^ side" in mutant.code or "/, cards" in mutant.code]
    said = figure(draw, 1, draw.mutants[2:], 1, 0)
    assert said.startswith(f"{len(draw.mutants) - 2} (after the first 2) of {draw.all_of} changes drawn (seed 1): ")
    assert "2 another way to the other side; " in said


def test_a_draw_goes_on_where_a_shorter_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text("def f(cards: int) -> int:\n    return 2 * cards + 1 - cards\n")
    whole = drawn([path], 20, 1).mutants
    assert (drawn([path], 8, 1).mutants, len(whole)) == (whole[:8], 20)
    assert len({mutant.code for mutant in whole}) == 20
    assert TWICE and isinstance(whole[0], Mutant)
