"""A database of before, in which an entry had names: every name is a player's row, and nobody is shown by more."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.sure import fresh
from tests.tournament.registrations.conftest import states
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.models import Person, Player
from tournament.site.database import scratch_database
from tournament.words.texts import near_key

BEFORE, AFTER = "0037_seasons", "0041_entries_without_names"


def apps_at(name: str) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate([("tournament", name)])
    return executor.loader.project_state([("tournament", name)]).apps


def an_event(apps: Any) -> Any:
    """One event with an entry in every state, a joined pair in a team and one that waits, and names that changed."""
    model = apps.get_model
    event = model("tournament", "Event").objects.create(slug="open", name="Open", date="2026-11-21")
    otis = model("tournament", "Person").objects.create(name="José Núñez Jr.", key="josé núñez jr.", show="hidden")
    teams = [
        model("tournament", "Team").objects.create(event=event, number=number, name=name, key=name.lower())
        for number, name in enumerate(("Reds", "Reed / Hall", "Typed"), start=1)
    ]
    players = (
        (0, 0, "José Núñez Jr.", otis),
        (0, 1, "Bob Red", None),
        (1, 0, "Otis Reed", None),
        (1, 1, "Ann Hall", None),
        (2, 0, "Cy Typed", None),
    )
    for team, position, name, person in players:
        model("tournament", "Player").objects.create(
            team=teams[team], position=position, name=name, key=name.lower(), person=person
        )

    def entry(position: int, name: str, names: list[str], state: str, **facts: Any) -> Any:
        return model("tournament", "Registration").objects.create(
            event=event,
            position=position,
            name=name,
            key=facts.pop("key", name.lower()),
            players=names,
            state=state,
            contact=f"555-{position}",
            note=f"note {position}",
            token_hash=f"hash {position}" if facts.pop("linked", True) else "",
            **facts,
        )

    # The desk has written “Bob Red” where “Bo Red” had been entered.
    entry(1, "Reds", ["José Núñez Jr.", "Bo Red"], "in", team=teams[0], show="initial")
    first = entry(2, "Reed / Hall", ["Otis Reed", "Ann Hall"], "in", team=teams[1], show="hidden")
    entry(3, "Ann Hall", ["Ann Hall"], "joined", wants=first, show="initial")
    pair = entry(4, "Low / Poe", ["Ida Low", "Gus Poe"], "waiting", show="initial")
    entry(5, "Gus Poe", ["Gus Poe"], "joined", wants=pair)
    entry(6, "Kit Moor", ["Kit Moor"], "single")
    entry(7, "Blues", ["Al Blue", "Bo Blue"], "withdrawn", linked=False)
    entry(8, "Rude", ["Rude Words", "More Words"], "refused")
    entry(9, "a player", ["a player", "a player"], "waiting", key="a player e9")
    return event


class Migrated(NamedTuple):
    """What the migrations made of it: every player, every entry, and the one person."""

    players: list[tuple[Any, ...]]
    entries: list[tuple[Any, ...]]
    person: tuple[str, str, str]
    keys: set[str]


@pytest.fixture(scope="module")
def migrated(django_db_setup: None, django_db_blocker: Any) -> Migrated:
    with django_db_blocker.unblock(), scratch_database():
        an_event(apps_at(BEFORE))
        model = apps_at(AFTER).get_model
        players = model("tournament", "Player").objects.order_by("entry__position", "position", "pk")
        entries = model("tournament", "Registration").objects.order_by("position")
        return Migrated(
            [
                *players.values_list(
                    "entry__position", "team__number", "position", "name", "show", "contact", "token_hash"
                )
            ],
            [*entries.values_list("position", "name", "state", "team__number", "wants__position")],
            model("tournament", "Person").objects.values_list("name", "near", "show").get(),
            set(players.filter(name="a player").values_list("key", flat=True)),
        )


def test_every_name_of_an_entry_is_a_player_with_its_own_link(migrated: Migrated) -> None:
    """Each with entry, team, seat, name, wish, contact and link."""
    assert migrated.players == [
        # Nobody has entered whom the desk has typed.
        (None, 3, 0, "Cy Typed", "full", "", ""),
        (1, 1, 0, "José Núñez Jr.", "initial", "555-1", "hash 1"),
        (1, 1, 1, "Bob Red", "initial", "", ""),
        (2, 2, 0, "Otis Reed", "hidden", "555-2", "hash 2"),
        # A player who joined has their own row and link, and is shown as the stricter of the two wishes says.
        (3, 2, 1, "Ann Hall", "hidden", "555-3", "hash 3"),
        (4, None, 0, "Ida Low", "initial", "555-4", "hash 4"),
        (5, None, 1, "Gus Poe", "initial", "555-5", "hash 5"),
        (6, None, 0, "Kit Moor", "full", "555-6", "hash 6"),
        (7, None, 0, "Al Blue", "full", "555-7", ""),
        (7, None, 1, "Bo Blue", "full", "", ""),
        (8, None, 0, "Rude Words", "full", "555-8", "hash 8"),
        (8, None, 1, "More Words", "full", "", ""),
        (9, None, 0, "a player", "full", "555-9", "hash 9"),
        (9, None, 1, "a player", "full", "", ""),
    ]


def test_entries_keep_place_and_state_and_persons_keep_their_wish(migrated: Migrated) -> None:
    assert migrated.entries == [
        (1, "Reds", "in", 1, None),
        (2, "Reed / Hall", "in", 2, None),
        (3, "Ann Hall", "joined", None, 2),
        (4, "Low / Poe", "waiting", None, None),
        (5, "Gus Poe", "joined", None, 4),
        (6, "Kit Moor", "single", None, None),
        (7, "Blues", "withdrawn", None, None),
        (8, "Rude", "refused", None, None),
        (9, "a player", "waiting", None, None),
    ]
    assert migrated.person == ("José Núñez Jr.", "jose nunez", "hidden")
    assert len(migrated.keys) == 2


# A file that the version before wrote, when an entry had names and a file told wishes of persons.


def test_entries_of_the_version_before_come_in_with_their_players(dana: User) -> None:
    """An evening in which somebody shows initials, a pair that waits shows no names, and three are in."""
    known = Person.objects.create(name="Quick One", key="quick one", near=near_key("Quick One"))
    data = json.loads((settings.ROOT / "fixtures/event_files/entries-of-0037.json").read_text(encoding="utf-8"))
    event = import_event(Actor(dana), data)
    assert [(team.name, team.player_names) for team in event.teams.all()] == [
        ("Quick", ("Quick O.", "Quick T.")),
        ("Later", ("Later One", "Later Two")),
        ("Last", ("Last One", "Last Two")),
    ]
    assert states(event) == [
        "1 Quick in 1",
        "2 Lane / Moss waiting",
        "3 Ivy Moss joined",
        "4 Later in 2",
        "5 Last in 3",
    ]
    rows = Player.objects.filter(entry__event=event).order_by("entry__position", "position")
    assert [*rows.values_list("entry__position", "position", "key", "show", "contact")] == [
        (1, 0, "quick one", "initial", "quick@example.com"),
        (1, 1, "quick two", "initial", ""),
        (2, 0, "otto lane", "hidden", "555-0100"),
        (3, 1, "ivy moss", "hidden", "555-0100"),
        (4, 0, "later one", "full", "later@example.com"),
        (4, 1, "later two", "full", ""),
        (5, 0, "last one", "full", "last@example.com"),
        (5, 1, "last two", "full", ""),
    ]
    # The wish is of this evening: of the member of this club nothing is said.
    assert (fresh(known).show, rows[0].person) == ("full", known)
    assert {*Person.objects.values_list("show", flat=True)} == {"full"}
