"""Two seasons worked by hand: every page and file has them, before and after what happens to a season."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.standings.season import Clause
from tests.factories import announced_by, signed_in, words_of
from tests.sure import fresh
from tests.tournament.results.evenings import win
from tests.tournament.results.test_season import shown_by, told_of
from tests.tournament.season.played import all_say, enlist, person, play
from tournament.access import Actor
from tournament.models import Event, Game, Season
from tournament.queries.season import season_facts
from tournament.services.corrections import correct_sheet
from tournament.services.events import archive_event
from tournament.services.people import delete_person, merge_persons, rename_person

FOLDER = Path(__file__).parents[3] / "fixtures" / "examples" / "seasons"
PERSONS = tomllib.loads((FOLDER / "persons-by-hand.toml").read_text(encoding="utf-8"))
TEAMS = tomllib.loads((FOLDER / "teams-by-hand.toml").read_text(encoding="utf-8"))


@pytest.fixture
def year(dana: User) -> Season:
    """The season of persons, with a month within it that lists no members of its own."""
    year = Season.objects.create(slug="2026", name="2026", scheme=PERSONS["scheme"])
    month = Season.objects.create(slug="january", name="January", scheme=PERSONS["month"], within=year)
    enlist(year, PERSONS["members"])
    for told in PERSONS["events"]:
        play(dana, told, month if told.get("in_month") else year)
    return year


def correct(dana: User, event: str, table: int) -> list[str]:
    """The last hand of a game was the other side's, and a Boston. What was announced of the season."""
    game = Game.objects.get(round__event__name=event, table=table)
    line: dict[str, Any] = {"position": 2, "revision": 0, "facts": win(1, 7)[0], "reason": "sides mixed up"}
    announced = announced_by(Actor(dana), game, **line)
    correct_sheet(Actor(dana), game, **line, confirmed=announced.key)
    changes = [change for change in announced.changes if change.place == "Season"]
    return [f"{change.what}: {change.before}, then {change.after}" for change in changes]


def test_a_year_of_persons_with_a_month_within_it(dana: User, otis: User, year: Season) -> None:
    month = Season.objects.get(slug="january")
    assert told_of(season_facts(year)) == PERSONS["first"]
    assert told_of(season_facts(month)) == PERSONS["in_month"]
    all_say(year, PERSONS["first"])
    all_say(month, PERSONS["in_month"])

    merge_persons(Actor(dana), person("E. Orr"), person("Eve Orr"))
    assert "2026: Ann Lee: 4th, 19 points, then 1st, 26 points" in correct(dana, "May", 1)
    facts = season_facts(year)
    assert told_of(facts) == PERSONS["gives"]
    site = {"se.few_games", "se.members", "se.merged", "se.part", "se.who_sat", "se.within"}
    assert shown_by(facts) == {rule for rule in PERSONS["shows"] if rule in set(Clause)} == {*PERSONS["shows"]} - site
    all_say(year, PERSONS["gives"])
    all_say(month, PERSONS["in_month"])

    rename_person(Actor(dana), person("Cal Day"), "Calvin Day")
    delete_person(Actor(dana), person("Gus Hill"))
    archive_event(Actor(dana), march := Event.objects.get(name="March"), archived=True)
    assert signed_in(otis).post(f"/desk/{march.slug}/archive/deletion/", {"name": "March"}).status_code == 302
    all_say(year, PERSONS["last"])


def test_who_is_left_out_is_named_to_owners_and_counted_for_everybody(year: Season, otis: User) -> None:
    words = words_of(signed_in(otis).get("/seasons/2026/setup/"))
    for sentence in (
        "Opening Kit Page (Aces): nobody said they played.",
        "Zoe Oak: not a member, so not ranked.",
        "Kit Page: not ranked: 2 events played, at least 3 events to be ranked.",
    ):
        assert sentence in words
    words = words_of(signed_in(otis).get("/seasons/2026/"))
    for sentence in (
        "3 guests are not ranked.",
        "1 player has too few events to be ranked.",
        "1 player has no part: nobody said they played.",
        "Cup counts double.",
        "Teams that share a place split the points of those places.",
    ):
        assert sentence in words
    assert "Zoe Oak" not in words and "Wes Ash" not in words


def test_fixed_teams_with_stand_ins(dana: User, otis: User) -> None:
    season = Season.objects.create(slug="teams", name="Teams", scheme=TEAMS["scheme"])
    for name, people in TEAMS["lists"].items():
        enlist(season, people, name)
    for told in TEAMS["events"]:
        play(dana, told, season)
    all_say(season, TEAMS["first"])

    client = signed_in(otis)
    page = client.get("/seasons/teams/setup/")
    assert words_of(page).count("add them?") == 1 and TEAMS["added"] in words_of(page)
    typed = {"person": person("Zoe Oak").pk, "team": "Books"}
    assert client.post("/seasons/teams/team/", typed).status_code == 302
    assert "add them?" not in words_of(client.get("/seasons/teams/setup/"))
    all_say(season, TEAMS["then"])

    correct(dana, "January", 1)
    assert told_of(season_facts(fresh(season))) == TEAMS["gives"]
    all_say(season, TEAMS["gives"])
