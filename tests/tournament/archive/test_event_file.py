"""The event file keeps every fact: an empty installation prints the same books from it, to the letter and the cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client

from tests.evenings import evening_text, write_evening
from tests.factories import MADE_FIVE, make_event, make_round, make_teams, pairs_of, play
from tests.nightly import worlds
from tests.sure import fresh, statements_of, sure
from tests.tournament.archive.filed import filed, rows_of, told
from tests.tournament.reports.books import books_elsewhere, books_of
from tests.tournament.reports.evenings import SHEETS, club_24, eventful, in_play, random_event
from tournament import PROGRAM
from tournament.access import Actor
from tournament.archive.manifest import checksum, migrations
from tournament.archive.parts import LEFT_OUT, PARTS, columns_of
from tournament.archive.store import export_event, import_event
from tournament.models import Device, Entry, Event, Journal, Notice, Official, Person, Player, Result, Submission
from tournament.services.corrections import correct_sheet
from tournament.services.people import find_people, set_wish
from tournament.services.rounds import close_round
from tournament.services.substitutions import swap_teams

pytestmark = pytest.mark.both_databases

DEMO = settings.ROOT / "fixtures" / "demo"


def events(dana: User) -> list[Event]:
    """Evenings on which everything happens, club-24, the whole demo with its playoffs, one of every family."""
    own = [eventful(dana), club_24(dana)]
    demo = import_event(Actor(dana), json.loads((DEMO / "autumn-open.json").read_text(encoding="utf-8")))
    return [*own, demo, *(in_play(random_event(family, 7, dana, rounds=1)) for family in SHEETS)]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_an_empty_installation_prints_the_same_books(dana: User, tmp_path: Path) -> None:
    """In one direction the other installation is always SQLite; run on PostgreSQL this goes there and back."""
    kept = []
    for number, event in enumerate(events(dana)):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(export_event(event)), encoding="utf-8")
        kept.append((file, told(event), books_of(event)))
    assert len(kept) == 3 + len(SHEETS)
    elsewhere = books_elsewhere(tmp_path / "installation", [file for file, _, _ in kept])
    for (_, facts, books), other in zip(kept, elsewhere, strict=True):
        back = other.pop("file")
        assert other == books
        returned = import_event(Actor(dana), back)
        assert told(returned) == facts
        if connection.vendor != "sqlite":
            assert books_of(returned) == books


def test_the_manifest_says_who_wrote_the_file_and_what_it_holds(dana: User) -> None:
    file = filed(eventful(dana))
    assert file["manifest"] == {
        "version": 4,
        "program": PROGRAM,
        "migration": migrations()[-1],
        "counts": {part.name: len(file["models"][part.name]["rows"]) for part in PARTS},
        "sha256": checksum(file["models"]),
    }
    assert [*file["models"]] == [part.name for part in PARTS]


def test_what_happened_is_in_the_rows(dana: User) -> None:
    file = filed(eventful(dana))
    lines = [row for row in rows_of(file, Entry) if row["game"] == 1]
    assert [(row["position"], row["revision"], row["source"], row["by"], row["reason"]) for row in lines] == [
        (1, 0, "table", "Table 1", ""),
        (2, 0, "table", "Table 1", ""),
        (2, 1, "table", "Table 1", "undone"),
        (2, 2, "table", "Table 1", ""),
        (3, 0, "desk", "dana", ""),
        (3, 1, "desk", "dana", "the card was led in turn"),
    ]
    # A revision names the row that it replaces by its number in the file.
    assert [row["replaces"] for row in lines] == [None, None, 2, 3, None, 5]
    [event] = rows_of(file, Event)
    assert event["ran_by"] == [["dana", "director"], ["vic", "verifier"]]
    corrected = next(act for act in rows_of(file, Journal) if act["action"] == "correct-final")
    assert (corrected["key"], corrected["by"], corrected["address"]) == ("2", "dana", "192.168.1.7")


WORLDS = [
    world
    for name, world in sorted(vars(worlds).items())
    if getattr(world, "__annotations__", {}) == {"dana": "User", "return": "Event"}
]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_an_evening_goes_out_and_in_again_row_by_row(world: Callable[[User], Event], dana: User) -> None:
    """At every moment from which acts begin: entered, late, corrected, level at the cut, by lot, in the bracket."""
    event = world(dana)
    assert told(import_event(Actor(dana), filed(event))) == told(event)


@pytest.mark.long
def test_the_evenings_have_rows_of_every_model(dana: User) -> None:
    seen = set()
    for world in [*WORLDS, eventful, with_wishes]:
        with transaction.atomic():
            seen |= {name for name, rows in told(world(dana)).items() if rows}
            transaction.set_rollback(True)
    assert seen == {part.name for part in PARTS}


def test_every_game_goes_out_and_in_again_row_by_row(dana: User) -> None:
    for family in SHEETS:
        event = in_play(random_event(family, 3, dana, rounds=1))
        assert told(import_event(Actor(dana), filed(event))) == told(event), family


def test_acts_lead_to_the_rows_of_the_new_event(dana: User, desk: Client) -> None:
    event = eventful(dana)
    copied = import_event(Actor(dana), filed(event))
    for one in (event, copied):
        games = {str(game.pk): str(game) for round_ in one.rounds.all() for game in round_.games.all()}
        acts = Journal.objects.filter(event=one, noun="game").order_by("pk")
        named = [games[act.key] for act in acts]
        assert len(named) > 10
        if one == event:
            before = named
    assert named == before


def test_names_of_the_file_are_nobody_s_accounts_here(dana: User, otis: User) -> None:
    copied = import_event(Actor(otis), filed(eventful(dana)))
    assert list(copied.officials.values_list("user__username", "role")) == [("otis", "director")]
    entries = Entry.objects.filter(game__round__event=copied)
    assert {(entry.entered_by_id, entry.device_id) for entry in entries} == {(None, None)}
    acts = Journal.objects.filter(event=copied).values_list("user__username", "action")
    assert {(name, action) for name, action in acts if name} == {("otis", "import")}


def with_wishes(dana: User) -> Event:
    """A player who wants to be shown by no name."""
    event = make_event(director=dana, teams=4)
    find_people(Actor(dana), event)
    player = event.teams.get(number=1).players.select_related("person").get(position=0)
    set_wish(Actor(dana), event, sure(player.person), "hidden")
    return fresh(event)


def test_hidden_names_stay_hidden_and_persons_are_found_by_name(dana: User) -> None:
    data = filed(with_wishes(dana))
    player, persons = Player.objects.get(team__number=1, position=0), Person.objects.count()
    assert [row["show"] for row in rows_of(data, Player)] == ["hidden", *["full"] * 7]
    copied = import_event(Actor(dana), data)
    again = copied.teams.get(number=1).players.get(position=0)
    assert (again.person_id, Person.objects.count()) == (player.person_id, persons)
    assert (again.name, again.entered) == (player.name, player.entered) == ("Player 1", "Ann 1")


def test_a_wish_is_kept_where_nobody_of_the_club_has_that_name(dana: User) -> None:
    data = filed(with_wishes(dana))
    Event.objects.all().delete()
    Person.objects.all().delete()
    again = import_event(Actor(dana), data)
    # It is the wish of the row, for this event: of a person nothing is said.
    assert again.teams.get(number=1).player_names[0] == "Player 1"
    assert {*Person.objects.values_list("show", flat=True)} == {"full"}


def test_an_event_of_many_teams_takes_as_many_statements_as_a_small_one(dana: User) -> None:
    small, large = (write_evening(evening_text(teams, rounds=1), dana) for teams in (4, 80))
    assert statements_of(lambda: export_event(small)) == statements_of(lambda: export_event(large)) == len(PARTS) + 2


# Every stored fact.

# Models of an event that are not in a file, and why.
NOT_IN_A_FILE = {
    Device: "a tablet belongs to its table in this hall",
    Submission: "what tablets sent belongs to this hall, and is in its backups",
    Official: "accounts of this site: their names are in `ran_by`",
    Result: "computed from the entries",
}


def test_every_stored_fact_of_an_event_is_in_its_file_or_named_with_its_reason() -> None:
    parts = {part.model for part in PARTS}
    reached: set[Any] = {Event}
    left: list[Any] = [Event]
    while left:
        for relation in left.pop()._meta.related_objects:
            model = relation.related_model
            if model not in reached and model not in NOT_IN_A_FILE:
                reached.add(model)
                left.append(model)
    # Persons belong to the club: the wishes of those who play here are in the rows.
    assert reached == parts
    for model in parts:
        names = {field.name for field in model._meta.concrete_fields}
        own = {"id", *(field.name for field in model._meta.concrete_fields if field.related_model is Event)}
        in_file = {field.name for field in columns_of(model)}
        assert names - own - in_file == LEFT_OUT.get(model, {}).keys(), model
        assert all(LEFT_OUT.get(model, {}).values())


# Teams that were swapped after the game: what they were told stays with the table where they no longer sit.
def test_a_notice_to_a_team_that_was_swapped_away_comes_back(dana: User, event: Event) -> None:
    games = list(make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table"))
    for game in games:
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, 1)
    facts = MADE_FIVE | {"books": 12}
    correct_sheet(Actor(dana), games[0], position=1, revision=0, facts=facts, reason="as on the film")
    swap_teams(Actor(dana), event, 1, 1, 3, "wrong tables")
    back = import_event(Actor(dana), filed(event))
    assert told(back) == told(event)
    found = Notice.objects.filter(team__event=back, game__table=1).order_by("pk")
    assert list(found.values_list("team__number", "code")) == [
        (1, "corrected"),
        (2, "corrected"),
        (3, "swapped"),
        (2, "swapped"),
    ]


def test_acts_that_are_no_longer_done_stay_in_the_log_and_in_the_file(dana: User, event: Event, desk: Client) -> None:
    Journal.objects.create(
        event=event,
        user=dana,
        by="dana",
        action="other-hall",
        noun="event",
        code="games",
        facts={"games": 3},
        after=["Game 1, table 2"],
    )
    back = import_event(Actor(dana), filed(event))
    assert told(back) == told(event)
    assert "3 games imported from the other hall" in desk.get(f"/desk/{back.slug}/log/").content.decode()


def test_an_event_of_the_longest_name_is_read_back(dana: User) -> None:
    event = make_event("N" * 60, dana, slug="n", place="P" * 60)
    copied = import_event(Actor(dana), filed(event))
    assert (copied.name, copied.place) == ("N" * 60, "P" * 60)
