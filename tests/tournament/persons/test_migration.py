"""A database of before, in which an entry had names: every name is a player's row, and nobody is shown by more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournament.database import scratch_database

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


@pytest.fixture(scope="module")
def migrated(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
    with django_db_blocker.unblock(), scratch_database():
        an_event(apps_at(BEFORE))
        yield apps_at(AFTER)


def told(apps: Any) -> list[tuple[Any, ...]]:
    """Every player: entry, team, seat, name, wish, contact, link."""
    rows = apps.get_model("tournament", "Player").objects.order_by("entry__position", "position", "pk")
    facts = ("entry__position", "team__number", "position", "name", "show", "contact", "token_hash")
    return [*rows.values_list(*facts)]


@pytest.mark.django_db
def test_every_name_of_an_entry_is_a_player_with_its_own_link(migrated: Any) -> None:
    assert told(migrated) == [
        # Nobody has entered whom the desk has typed.
        (None, 3, 0, "Cy Typed", "full", "", ""),
        (1, 1, 0, "José Núñez Jr.", "initial", "555-1", "hash 1"),
        (1, 1, 1, "Bob Red", "initial", "", ""),
        (2, 2, 0, "Otis Reed", "hidden", "555-2", "hash 2"),
        # Whoever joined has the own row and the own link, and is not shown by more than the stricter of both.
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


@pytest.mark.django_db
def test_entries_keep_place_and_state_and_persons_keep_their_wish(migrated: Any) -> None:
    entries = migrated.get_model("tournament", "Registration").objects.order_by("position")
    assert [*entries.values_list("position", "name", "state", "team__number", "wants__position")] == [
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
    person = migrated.get_model("tournament", "Person").objects.get()
    assert (person.name, person.near, person.show) == ("José Núñez Jr.", "jose nunez", "hidden")
    keys = migrated.get_model("tournament", "Player").objects.filter(name="a player").values_list("key", flat=True)
    assert len({*keys}) == 2
