"""The final places of every form of playoffs, as the examples tell them; prizes are paid by them."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User

from tests.sure import sure
from tests.tournament.results.told import EXAMPLES, FOLDER, play_example
from tournament.access import Actor
from tournament.queries.ledger import payouts
from tournament.queries.places import FinalPlaces, final_places
from tournament.services.payouts import set_prizes

PRIZES = [16000, 8000, 4000, 2000]
KEYS = {"title", "source", "shows", "sheet", "options", "qualifying", "cut", "best_of", "third_place", "playoffs"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_gives_the_places_and_prizes_that_it_says(name: str, dana: User) -> None:
    example = EXAMPLES[name]
    assert set(example) <= KEYS | {"waits", "gives"}, "an example says nothing that is not checked"
    event = play_example(dana, name)
    places = final_places(event)
    assert (said(places), places.waits) == (example["gives"], example.get("waits", False))
    set_prizes(Actor(dana), event, {"by": "place", "prizes": PRIZES})
    event.refresh_from_db()
    paid = {one.number: one.cents for one in payouts(event).payees if one.purpose == "prize"}
    assert paid == ({} if places.waits else by_place(places))


def test_every_example_stands_in_the_rules() -> None:
    rules = (FOLDER.parents[2] / "scoring/standings/RULES.md").read_text(encoding="utf-8")
    named = re.findall(r"`places/([\w-]+)\.toml`", rules)
    assert sorted(named) == sorted(EXAMPLES)


def said(places: FinalPlaces) -> list[str]:
    return [f"{line.label or '–'} {line.team}: {line.how}" for line in places.lines]


def by_place(places: FinalPlaces) -> dict[int, int]:
    """Who shares a place divides the prizes of all the places that they take up; all of these divide evenly or not."""
    shares: dict[int, int] = {}
    for group in places.groups:
        first = sure(places.by_number[group[0]].place) - 1
        each, odd = divmod(sum(PRIZES[first : first + len(group)]), len(group))
        shares |= {number: each + (odd if number == min(group) else 0) for number in group}
    return {number: cents for number, cents in shares.items() if cents}
