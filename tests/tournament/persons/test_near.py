"""Which names are near each other: what may be one human is offered, and never decided."""

from __future__ import annotations

import pytest

from tournament.words.texts import near_key


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("José Núñez", "Jose Nunez"),
        ("Jose Nunez", "Nunez, Jose"),
        ("Nunez Jose", "Jose Nunez"),
        ("Otis Reed", "Otis Reed Jr."),
        ("Reed Jr., Otis", "OTIS REED"),
        ("Pat O’Neil", "Pat ONeil"),
        ("Bjørn Sørensen", "Bjorn Sorensen"),
        # A letter of another alphabet that looks alike.
        ("Otis Rееd", "Otis Reed"),
    ],
)
def test_these_may_be_one_human(name: str, other: str) -> None:
    assert near_key(name) == near_key(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Jon Reedd", "Jon Reed"),
        ("Ann Lee", "Anne Lee"),
        ("Otis Reed", "Otis"),
        ("Guest 1 2", "Guest 2 1"),
        ("Guest 1", "Guest 2"),
    ],
)
def test_these_are_two(name: str, other: str) -> None:
    assert near_key(name) != near_key(other)
