"""Every event has the same columns in its files, in the same order, and docs/columns.md says which."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User

from tests.factories import make_event
from tests.sure import fresh
from tests.tournament.reports.evenings import random_event
from tests.tournament.season.clubs import make_season
from tournament.lists.catalog import LISTS
from tournament.lists.column import CENTS, MARKS, NAMES, NUMBER, POINTS, RANK, STARS, TIME, Column, Listing
from tournament.lists.money import dues_list
from tournament.lists.standings import season_list
from tournament.models import Event, Team
from tournament.queries.season import season_facts
from tournament.reports.excel.workbook import HEAD_ROW, list_workbook
from tournament.reports.files import list_csv, list_json
from tournament.templatetags.uptown import wall_table

PAGE = Path(__file__).parents[3] / "docs" / "columns.md"
KINDS = {
    "": "text", NUMBER: "number", POINTS: "points", STARS: "number", CENTS: "money", TIME: "moment", NAMES: "several",
    RANK: "rank", MARKS: "marks",
}  # fmt: skip
# How often such a column occurs depends on the event.
REPEATED = re.compile(r"game_\d+|points_[-\w]+")
UNITS = {"Player": "Team", "players": "teams"}


def described(listing: Listing) -> list[tuple[str, str, str]]:
    """The columns of a list as the page has them: key, heading, kind."""
    rows = []
    for column in listing.pick_file_columns():
        if re.fullmatch(r"game_\d+", column.key):
            row = ("`game_1` …", "Game 1 …", "text")
        else:
            row = (f"`{column.key}`", UNITS.get(column.heading, column.heading), _kind(column))
        if row not in rows:
            rows.append(row)
    return rows


def _kind(column: Column) -> str:
    return KINDS[column.unit] + (", for those who handle money" if column.financial else "")


def on_the_page() -> dict[str, list[tuple[str, str, str]]]:
    """The tables of the page by the names of their lists."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n### ")[1:]:
        name = re.findall(r"`([-\w]+)`", part.partition("\n")[0])[0]
        rows = [
            tuple(cell.strip() for cell in line.strip("|").split("|")) for line in part.split("\n") if "| `" in line
        ]
        found[name] = [(row[0], row[1], row[2]) for row in rows]
    return found


def rich(director: User) -> Event:
    """An evening in which as much as possible is said."""
    event = random_event("bid_whist", 3, director, rounds=2)
    Event.objects.filter(pk=event.pk).update(pot_cents=500, fee_cents=2500, checks_in=True)
    Team.objects.filter(event=event, number=1).update(club="Uptown", home=2, entered="Alaric Zebedee", city="Dayton")
    return fresh(event)


def test_the_page_describes_every_file(dana: User) -> None:
    event = rich(dana)
    code = {name: described(make(event)) for name, make in LISTS.items()}
    code["dues"] = described(dues_list(event, (), {}))
    code["season"] = described(season_list(season_facts(make_season())))
    assert on_the_page() == code


@pytest.mark.parametrize("name", LISTS)
def test_every_event_has_the_same_columns_in_csv_and_excel(dana: User, name: str) -> None:
    events = [make_event("Nothing yet", dana), rich(dana), random_event("okinawa", 1, dana, rounds=2)]
    heads = [_heads(LISTS[name](event)) for event in events]
    assert heads[0] == heads[1] == heads[2]


def _heads(listing: Listing) -> list[str]:
    """The keys of the columns, the same in CSV, JSON and Excel, which has their headings."""
    keys = next(csv.reader(io.StringIO(list_csv(listing).decode("utf-8-sig"))))
    page = openpyxl.load_workbook(io.BytesIO(list_workbook(listing))).worksheets[0]
    assert [cell.value for cell in page[HEAD_ROW]] == [column.heading for column in listing.pick_file_columns()]
    assert keys == [column.key for column in listing.pick_file_columns()]
    own: list[dict[str, Any]] = json.loads(list_json(listing))
    assert all([key for key in row if key not in listing.in_json] == keys for row in own)
    return [key for key in keys if not REPEATED.fullmatch(key)]


def test_the_sentences_of_ties_stand_in_a_list_of_their_own(dana: User) -> None:
    event = random_event("bid_whist", 3, dana, rounds=2)
    standings, ties = LISTS["standings"](event), LISTS["ties"](event)
    told = {text for line in standings.rows for text in line.ties}
    assert told and "ties" not in [column.key for column in standings.pick_file_columns()]
    assert {row[0] for row in ties.rows} == told
    assert len(ties.rows) == len(told)


def test_the_wall_asks_for_a_cell_as_often_for_many_rows_as_for_few(event: Event) -> None:
    def asked(rows: int) -> int:
        found = Counter[int]()

        def say(row: int) -> str:
            found[row] += 1
            return f"Row {row}"

        columns = (
            Column("name", "Team", say, wall=True),
            Column("status", "Status", say, within="name", wall=True),
            Column("points", "Points", say, wall=True),
        )
        wall_table(Listing("standings", "Standings", event, columns, range(rows)))
        return max(found.values())

    assert (asked(3), asked(30)) == (6, 6)
