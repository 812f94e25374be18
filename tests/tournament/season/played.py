"""Seasons as an example tells them, played on the site, and read as everybody and every file has them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import openpyxl
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from tests.factories import make_event, page_of
from tests.sure import fresh, sure
from tests.tournament.reports.evenings import pdf_text, squeezed
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.models import Event, Membership, Person, Player, Season, Substitution, Team
from tournament.services.people import link, show_names
from tournament.services.playoffs import finish_event, make_cut
from tournament.words.texts import name_key, near_key

SCORE = re.compile(r"(?P<winner>\w+) (?P<more>\d+), (?P<loser>\w+) (?P<less>\d+)")
DEFAULT = re.compile(r"(?P<winner>\w+) by default, (?P<loser>\w+)")
SUBSTITUTE = re.compile(r"(?P<into>[\w. ]+) for (?P<out>[\w. ]+), (?P<team>\w+), game (?P<number>\d+)")
AWARD = {"entry": "award", "rule": "46", "to": 0, "reason": "not there"}


def person(name: str) -> Person:
    return Person.objects.get(name=name)


def new_person(name: str) -> Person:
    known = Person.objects.filter(name=name).first()
    return known or Person.objects.create(name=name, key=name_key(name), near=near_key(name))


def play(dana: User, told: Mapping[str, Any], season: Season | None) -> Event:
    """An evening as it is told, with its champion."""
    event = make_event(told["name"], dana, rounds_planned=len(told["games"]), season=season)
    event.date, event.counts = told["date"], told.get("counts", 1)
    teams = {}
    for number, (name, players) in enumerate(told["teams"].items(), start=1):
        teams[name] = Team.objects.create(event=event, number=number, name=name, key=name_key(name))
        seats = [
            Player(team=teams[name], position=place, name=who, key=name_key(who)) for place, who in enumerate(players)
        ]
        with transaction.atomic():
            link(event, seats)
        Player.objects.bulk_create(seats)
    for text in told.get("substitutes", ()):
        said = sure(SUBSTITUTE.fullmatch(text))
        place, number = told["teams"][said["team"]].index(said["out"]), int(said["number"])
        row = {"team": teams[said["team"]], "position": place, "from_round": number, "to_round": number}
        Substitution.objects.create(out=said["out"], into=said["into"], person=new_person(said["into"]), **row)
    show_names(event)
    for games in told["games"]:
        played_round(event, [_game(teams, text) for text in games])
    make_cut(Actor(dana), event, 1)
    finish_event(Actor(dana), fresh(event))
    return fresh(event)


def _game(teams: Mapping[str, Team], text: str) -> tuple[int, int, list[dict[str, Any]]]:
    said = SCORE.fullmatch(text) or sure(DEFAULT.fullmatch(text))
    hands = win(0, int(said["more"]), int(said["less"])) if "more" in said.re.groupindex else [AWARD]
    return teams[said["winner"]].number, teams[said["loser"]].number, hands


def enlist(season: Season, people: Iterable[str], team: str = "") -> None:
    Membership.objects.bulk_create(Membership(season=season, person=new_person(name), team=team) for name in people)


# The table, as an example writes it: “1 Dee Fox 27: 9 (3) - 9 9”.


def split_lines(lines: Iterable[str]) -> list[tuple[str, str, str, list[str]]]:
    """Each line's label, name, total and points, those that do not count without their brackets."""
    rows = []
    for line in lines:
        head, points = line.split(": ")
        label, rest = head.split(" ", 1)
        name, total = rest.rsplit(" ", 1)
        rows.append((label, name, total, [each.strip("()") for each in points.split()]))
    return rows


def all_say(season: Season, lines: Iterable[str]) -> None:
    """Page, paper, workbook, CSV and JSON have these lines, and nothing else."""
    wanted = split_lines(lines)
    visitor, address = Client(), f"/seasons/{season.slug}/"
    files = {kind: visitor.get(f"{address}standings.{kind}").content for kind in ("pdf", "xlsx", "csv", "json")}
    assert _in_json(files["json"]) == wanted
    assert _in_csv(files["csv"]) == wanted
    assert _in_workbook(files["xlsx"]) == wanted
    assert _on_page(page_of(visitor.get(address))) == wanted
    paper = squeezed(pdf_text(files["pdf"]))
    for label, name, total, points in wanted:
        shown = [label, name, *("" if each == "-" else each for each in points), total]
        assert squeezed("".join(shown)) in paper, name


def _in_json(content: bytes) -> list[tuple[str, str, str, list[str]]]:
    rows = json.loads(content)
    return [(row["place"], row["name"], str(row["points"]), _points(row)) for row in rows]


def _in_csv(content: bytes) -> list[tuple[str, str, str, list[str]]]:
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    return [(row["place"], row["name"], row["points"], _points(row)) for row in rows]


def _points(row: Mapping[str, Any]) -> list[str]:
    each = [value for key, value in row.items() if key.startswith("points_")]
    return ["-" if value in (None, "") else str(value) for value in each]


def _in_workbook(content: bytes) -> list[tuple[str, str, str, list[str]]]:
    sheet = openpyxl.load_workbook(io.BytesIO(content))["Standings"]
    head, *rows = sheet.iter_rows(min_row=4)
    last = [cell.value for cell in head].index("Points")
    found = []
    for row in rows:
        shared = "=" if '"="' in row[0].number_format else ""
        points = ["-" if cell.value is None else str(cell.value) for cell in row[2:last]]
        found.append((f"{row[0].value}{shared}", str(row[1].value), str(row[last].value), points))
    return found


def _on_page(page: str) -> list[tuple[str, str, str, list[str]]]:
    bare = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    body = sure(re.search(r"<tbody.*?</tbody>", bare, re.DOTALL))[0]
    found = []
    for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL):
        label, name, *points, total = [
            re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)
        ]
        found.append((label, name, total, [each or "-" for each in points]))
    return found
