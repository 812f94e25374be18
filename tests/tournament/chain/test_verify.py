"""The chain and the seal of an event: whole after everything that the program does, broken by everything else."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event, make_teams
from tests.tournament.chain.relinked import relink
from tests.tournament.demo.evenings import play_until, player_of, small_evening
from tests.tournament.desk.test_impact import random_evening
from tests.tournament.desk.test_random_evenings import ACTS
from tests.tournament.reports.eventful import eventful
from tournament.access import Actor
from tournament.archive.store.event import import_event
from tournament.models import Event, Journal
from tournament.place import FIXTURES
from tournament.refusals import Changed, Refusal
from tournament.services.pins import give_pins
from tournament.services.transactions import part_of_act, writing
from tournament.services.verifying import findings

SAMPLES = sorted((FIXTURES / "demo").glob("*.json"))


def found() -> list[str]:
    """All but that the tables of tests have no triggers."""
    return [one for one in findings() if "no longer refuses" not in one]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_an_event_file_makes_a_chain_of_its_own(path: Path, dana: User) -> None:
    event = import_event(Actor(dana), json.loads(path.read_text(encoding="utf-8")))
    assert found() == []
    assert event.links > 0 and len(event.head) == 64 and len(event.seal) <= 160


def test_an_evening_from_the_first_seat_to_the_champion_has_a_whole_chain(dana: User) -> None:
    event = small_evening(dana)
    relink()
    before = Event.objects.get().links
    play_until(player_of(event, dana, directs=True), "champion")
    assert found() == []
    assert Event.objects.get().links > before


def test_what_the_desk_does_leaves_a_whole_chain(dana: User) -> None:
    """Corrections, swaps, rulings: carried out, refused, and tried out for what they would change."""
    chance = random.Random(18)
    event = random_evening(chance, dana)
    Event.objects.filter(pk=event.pk).update(verify_own=True)
    relink()
    for _ in range(20):
        with contextlib.suppress(Refusal):
            chance.choice(ACTS)(chance, event, dana)
    assert found() == []


def test_a_part_of_an_act_that_is_taken_back_leaves_no_gap(dana: User) -> None:
    event = make_event("Parted", dana)
    make_teams(event, 2)
    relink()
    with writing(event):
        with contextlib.suppress(Changed), part_of_act():
            give_pins(Actor(dana), event, [1])
            raise Changed("taken back")
        give_pins(Actor(dana), event, [2])
    assert (found(), Journal.objects.count()) == ([], 1)


def test_the_migration_links_what_was_there_as_the_program_would(dana: User) -> None:
    eventful(dana)
    assert [one for one in found() if "was not written by the program" in one]
    relink()
    assert found() == []
