"""A database of before: dues become lines of the one book, who played or paid is a member, schemes lose a switch."""

from __future__ import annotations

import datetime
import uuid
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournament.site.database import scratch_database

BEFORE, AFTER = "0041_entries_without_names", "0045_no_dues_apart"
PAID_AT = datetime.datetime(2026, 3, 1, 23, 7, tzinfo=datetime.UTC)
KEYS = [uuid.UUID(int=number) for number in range(1, 8)]


def apps_at(name: str) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate([("tournament", name)])
    return executor.loader.project_state([("tournament", name)]).apps


def a_season(apps: Any) -> None:
    """A season by places and one by games won; a merged and a deleted person, a guest who paid, dues given back."""

    def make(model: str, **fields: Any) -> Any:
        return apps.get_model("tournament", model).objects.create(**fields)

    user = apps.get_model("auth", "User").objects.create(username="dana", first_name="Dana", last_name="Rey")
    places = {"by": "places", "places": [6, 3, 1], "win": 4, "champion": 2, "best": 3, "for": "person"}
    fall = make("Season", slug="fall", name="Fall", dues_cents=2000, scheme=places)
    make("Season", slug="wins", name="Wins", scheme={"by": "wins", "places": [6, 3, 1], "win": 2})
    make("Season", slug="usual", name="Usual", scheme={})
    ann = make("Person", name="Ann Hill", key="ann hill")
    old = make("Person", name="Annie Hill", key="annie hill", merged_into=ann)
    gone = make("Person", name="", key="", deleted_at=PAID_AT)
    guest = make("Person", name="Lou Ray", key="lou ray")
    make("Person", name="Not Here", key="not here")
    march = make("Event", slug="march", name="March", date="2026-03-01", stage="over", season=fall, printed="{}")
    april = make("Event", slug="april", name="April", date="2026-04-01", season=fall)
    rehearsed = make("Event", slug="_april", name="April", date="2026-04-01", season=fall)
    for event, name, person in ((march, "Annie Hill", old), (april, "Bo", None), (rehearsed, "Lou Ray", guest)):
        team = make("Team", event=event, number=1, name="Aces", key="aces")
        make("Player", team=team, position=0, name=name, key=name.lower(), person=person)
    make("Ledger", event=march, number=1, kind="fee", cents=500)
    paid: list[Any] = []
    for number, (person, cents, at, back) in enumerate(
        ((old, 2000, march, None), (gone, 2000, None, None), (guest, 2000, april, None), (guest, -2000, None, 2)), 1
    ):
        taken = {"taken_by": user if at else None, "taken_at": PAID_AT, "key": KEYS[number]}
        reverses = None if back is None else paid[back]
        paid.append(
            make("Dues", season=fall, number=number, person=person, cents=cents, at=at, reverses=reverses, **taken)
        )


class Migrated(NamedTuple):
    lines: list[tuple[Any, ...]]
    members: list[tuple[str, str, str]]
    schemes: dict[str, tuple[dict[str, Any], bool]]
    no_shows: dict[str, bool]


@pytest.fixture(scope="module")
def migrated(django_db_setup: None, django_db_blocker: Any) -> Migrated:
    with django_db_blocker.unblock(), scratch_database():
        a_season(apps_at(BEFORE))
        model = apps_at(AFTER).get_model
        lines = model("tournament", "Ledger")._base_manager.order_by("kind", "number")
        members = model("tournament", "Membership").objects.order_by("season", "person")
        return Migrated(
            [
                *lines.values_list(
                    "kind",
                    "number",
                    "cents",
                    "event__name",
                    "desk",
                    "season__name",
                    "member__name",
                    "reverses__number",
                    "by",
                    "made_at",
                    "key",
                )
            ],
            [*members.values_list("season__name", "person__name", "team")],
            {season.name: (season.scheme, season.told) for season in model("tournament", "Season").objects.all()},
            dict(model("tournament", "Event").objects.values_list("slug", "places_no_shows")),
        )


def test_dues_keep_number_sum_clock_and_key_and_are_in_no_cash(migrated: Migrated) -> None:
    """Where they were taken is known by name; the line of the event's own book is as it was."""
    by = "Dana Rey"
    assert migrated.lines[:4] == [
        ("dues", 1, 2000, None, "March", "Fall", "Annie Hill", None, by, PAID_AT, KEYS[1]),
        ("dues", 2, 2000, None, "", "Fall", "", None, "", PAID_AT, KEYS[2]),
        ("dues", 3, 2000, None, "April", "Fall", "Lou Ray", None, by, PAID_AT, KEYS[3]),
        ("dues", 4, -2000, None, "", "Fall", "Lou Ray", 3, "", PAID_AT, KEYS[4]),
    ]
    assert migrated.lines[4][:5] == ("fee", 1, 500, "March", "")


def test_who_plays_or_has_paid_is_a_member(migrated: Migrated) -> None:
    """Once, as whom they were merged into; nobody who was deleted, nor who was only in a rehearsal and paid nothing."""
    assert migrated.members == [("Fall", "Ann Hill", ""), ("Fall", "Lou Ray", "")]


def test_points_by_games_won_are_no_points_for_places(migrated: Migrated) -> None:
    fall = {"places": [6, 3, 1], "win": 0, "champion": 2, "best": 3, "for": "person"}
    assert migrated.schemes == {
        "Fall": (fall, False),
        "Wins": ({"places": [], "win": 2}, True),
        "Usual": ({"places": [6, 3, 1], "win": 0}, True),
    }


def test_what_is_over_keeps_the_places_that_it_printed(migrated: Migrated) -> None:
    assert migrated.no_shows == {"march": True, "april": False, "_april": False}
