"""What `figures` measures is an item: a page as it is first looked at after a change, an act, a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.benchmarks.clubhouse import Clubhouse
from tournament.models import Game, Person

Step = Callable[[Clubhouse, int], object]
IN_PLAY, PLAYOFFS, SWISS, ENTERED = "evening", "playoffs", "swiss", "next-open"


class Item(NamedTuple):
    """`act` is measured, `before` is not; both are told how many times it was done already.

    `path` is the address of a page.
    """

    name: str
    act: Step
    before: Step
    path: str = ""


def keys_of(slug: str) -> dict[str, int]:
    games = Game.objects.filter(round__event__slug=slug).order_by("round__number", "table")
    found = {"person": Person.objects.order_by("pk")[0].pk}
    if (final := games.filter(state="final").first()) is not None:
        last = final.entries.order_by("-position")[0]
        found |= {"final": final.pk, "line": last.position}
    if (playing := games.filter(state="playing").first()) is not None:
        found["playing"] = playing.pk
    return found


def nothing(house: Clubhouse, done: int) -> None:
    pass


def after_change(slug: str) -> Step:
    def change(house: Clubhouse, done: int) -> None:
        house.change(slug)

    return change


def look(path: str, slug: str, *, public: bool = False) -> Step:
    def open_page(house: Clubhouse, done: int) -> None:
        house.get(house.visitor if public else house.desk, path.format(**keys_of(slug)))

    return open_page


def seen(name: str, path: str, slug: str, *, public: bool = False) -> Item:
    """A page, looked at for the first time after something changed at its event."""
    return Item(name, look(path, slug, public=public), after_change(slug), path)
