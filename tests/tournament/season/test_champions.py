"""The champions' event: who qualified, seeded by their places, from its first match to its champion."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.factories import page_of, signed_in, words_of
from tests.sure import fresh, refusal_of, sure
from tests.tournament.results.evenings import bracket_of, finish_game, win
from tests.tournament.results.test_playoffs import play_round
from tests.tournament.season.clubs import evening, make_season, person, played
from tournament.access import NOBODY, Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, DomainError
from tournament.models import Event, Person, Season
from tournament.queries.checklist import checklist
from tournament.queries.places import final_places
from tournament.queries.playoffs import playoffs
from tournament.queries.roster import RosterRow
from tournament.queries.season import qualified, ranked
from tournament.services.people import delete_person
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import close_round, take_start_back
from tournament.services.season import make_champions_event
from tournament.services.teams import add_team, draw_numbers, remove_team, withdraw_team
from tournament.services.verifying import findings

JUNE = datetime.date(2026, 6, 6)


@pytest.fixture
def season(dana: User) -> Season:
    """One evening: two of Aces have 6 points, two of Clubs 3, two of Books 1, two of Deuces none."""
    season = make_season()
    played(dana, season)
    return season


def fields(size: int, shown: list[str], **other: Any) -> dict[str, Any]:
    one_game = {"chosen": [], "by_lot": False, "best_of": 1, "third_place": False}
    return {"name": "Final", "date": JUNE, "size": size, "shown": shown} | one_game | other


def champions(dana: User, season: Season, size: int, **other: Any) -> Event:
    field = qualified(ranked(season), size)
    shown = [row.key for row in (*field.sure, *field.level)]
    return make_champions_event(Actor(dana), season, fields(size, shown, **other))


def test_it_is_seeded_by_the_table_and_plays_to_its_champion(dana: User, season: Season) -> None:
    event = champions(dana, season, 6)
    names = ["Ann Hill", "Otis Reed", "Gus Poe", "Ida Low", "Cy Dill", "Flo Kay"]
    rows = [(team.number, team.name, [player.person for player in team.players.all()]) for team in event.teams.all()]
    assert rows == [(number, name, [person(name)]) for number, name in enumerate(names, start=1)]
    assert (event.stage, event.season, event.frozen_at, bracket_of(event).seeds) == (
        "playoffs",
        season,
        None,
        (1, 2, 3, 4, 5, 6),
    )
    first = bracket_of(event).columns[0]
    assert [cell.bye.number for cell in first.cells if cell.bye] == [1, 2]
    assert (
        event.journal.get(action="create", code="champions").text
        == "6 teams qualified from Fall 2026, seeded by their places"
    )
    assert (playoffs(event).step, playoffs(event).previews, bracket_of(event).level_seeds) == ("start", (), ())
    for _ in range(3):
        play_round(dana, event)
    finish_event(Actor(dana), event)
    event = fresh(event)
    assert [(line.rank, line.team, line.how, line.record) for line in final_places(event).lines][:2] == [
        (1, "Ann Hill", "Won the final 5–0", "2 of 2 games"),
        (2, "Otis Reed", "Lost the final 0–5", "1 of 2 games"),
    ]
    assert findings_now() == []
    copy = import_event(Actor(dana), export_event(event))
    assert [line.team for line in final_places(copy).lines] == [line.team for line in final_places(event).lines]


def findings_now() -> list[str]:
    return [line for line in findings() if "no longer refuses" not in line]


def test_an_event_that_was_not_begun_comes_back_from_its_file(dana: User, season: Season) -> None:
    copy = import_event(Actor(dana), export_event(champions(dana, season, 4)))
    assert (copy.stage, bracket_of(copy).seeds, copy.frozen_at) == ("playoffs", (1, 2, 3, 4), None)
    play_round(dana, copy)
    assert fresh(copy).frozen_at is not None


def test_two_level_for_the_last_place_are_named_and_nothing_is_made(dana: User, season: Season) -> None:
    refusal = refusal_of(lambda: champions(dana, season, 3))
    assert refusal.texts == (
        "Gus Poe and Ida Low share 3rd place, and 1 of them can play: take 2 or 4, draw for it, or choose.",
    )
    assert "take 2, draw for it" in refusal_of(lambda: champions(dana, season, 1 + 2, chosen=["x", "y"])).texts[
        0
    ].replace(" or 4", "")
    assert Event.objects.count() == 1
    by_hand = champions(dana, season, 3, chosen=[str(person("Ida Low").pk)])
    assert [team.name for team in by_hand.teams.all()] == ["Ann Hill", "Otis Reed", "Ida Low"]
    by_lot = champions(dana, season, 3, by_lot=True)
    assert by_lot.teams.count() == 3 and "drawn by lot, number " in by_lot.journal.get(code="champions").text


@pytest.mark.parametrize(
    ("size", "shown", "status"),
    [(1, [], 422), (9, [], 422), (2, ["7"], 409), (2, [], 409)],
)
def test_what_cannot_be_made(dana: User, season: Season, size: int, shown: list[str], status: int) -> None:
    wanted = fields(size, shown)
    assert refusal_of(lambda: make_champions_event(NOBODY, season, wanted), DomainError).status == status


def test_a_deleted_person_does_not_qualify(dana: User, season: Season) -> None:
    delete_person(Actor(dana), person("Ann Hill"))
    assert [row.name for row in ranked(season)][:2] == ["Otis Reed", "Gus Poe"]


def test_the_owner_sets_it_up_on_one_page(otis: User, season: Season) -> None:
    owner, page = signed_in(otis), reverse("season-champions", args=["fall"])
    text = words_of(owner.get(page, {"size": 3}))
    assert "2 are tied for 1 place" in text and "Ida Low, 3 points" in text
    field = qualified(ranked(season), 3)
    form = {"name": "Grand final", "date": "2026-06-06", "best_of": 3, "size": 3}
    form |= {"shown": [row.key for row in (*field.sure, *field.level)]}
    refused = owner.post(page, form)
    assert (refused.status_code, "take 2 or 4, draw for it, or choose" in words_of(refused)) == (422, True)
    assert 'value="Grand final"' in page_of(refused)
    assert owner.post(page, form | {"date": ""}).status_code == 422
    answer = owner.post(page, form | {"chosen": [field.level[0].key]})
    event = Event.objects.get(name="Grand final")
    assert answer["Location"] == reverse("desk-playoffs", args=[event.slug])
    assert (event.best_of, event.teams.count(), "Start" in page_of(owner.get(answer["Location"]))) == (3, 3, True)
    for name in (
        "standings",
        "bracket",
        "board",
        "teams",
        "desk-setup",
        "desk-standings",
        "desk-papers",
        "desk-money",
        "desk-draw",
    ):
        assert owner.get(reverse(name, args=[event.slug])).status_code == 200, name


def test_rules_stay_open_until_the_bracket_begins(dana: User, season: Season) -> None:
    event = champions(dana, season, 4)
    assert "seeded by these numbers" in refusal_of(lambda: draw_numbers(Actor(dana), event), Conflict).texts[0]
    remove_team(Actor(dana), event, 4)
    assert bracket_of(fresh(event)).seeds == (1, 2, 3)
    round_ = start_playoff_round(Actor(dana), fresh(event))
    assert fresh(event).frozen_at and checklist(fresh(event)).missing == ()
    take_start_back(Actor(dana), event, round_.number)
    assert (fresh(event).frozen_at, fresh(event).stage) == (None, "playoffs")


def test_who_leaves_after_the_start_keeps_the_seed(dana: User, season: Season) -> None:
    """Also one who had a bye, and says never to have played."""
    event = champions(dana, season, 6)
    round_ = start_playoff_round(Actor(dana), event)
    withdraw_team(Actor(dana), fresh(event), 1, 0)
    for game in round_.games.all():
        finish_game(fresh(event), game, win(0))
    close_round(Actor(dana), event, round_.number)
    assert (bracket_of(fresh(event)).seeds, findings_now()) == ((1, 2, 3, 4, 5, 6), [])
    start_playoff_round(Actor(dana), fresh(event))
    assert bracket_of(fresh(event)).matches[2].sides[1].won


def test_one_who_comes_in_before_the_start_is_cut_in_by_hand(dana: User, season: Season) -> None:
    event = champions(dana, season, 4)
    add_team(Actor(dana), event, RosterRow(name="Cy Dill", players=("Cy Dill",)))
    assert bracket_of(fresh(event)).seeds == (1, 2, 3, 4)
    make_cut(Actor(dana), fresh(event), 5)
    assert bracket_of(fresh(event)).seeds == (1, 2, 3, 4, 5)


def test_where_everybody_plays_alone_a_qualifier_is_the_team(dana: User, season: Season) -> None:
    evening(dana, season, "April", (), sheet="back_alley/individual")
    event = champions(dana, season, 4)
    rows = [
        (team.name, team.player_names, [player.person for player in team.players.all()]) for team in event.teams.all()
    ]
    assert rows[:2] == [("Ann Hill", (), [person("Ann Hill")]), ("Otis Reed", (), [person("Otis Reed")])]
    assert event.journal.get(code="champions").text.startswith("4 players qualified from Fall 2026")


def test_fixed_teams_qualify_with_their_players(dana: User, season: Season) -> None:
    season.scheme = {"for": "team"}
    season.save()
    event = make_champions_event(Actor(dana), season, fields(2, ["Aces", "Clubs"]))
    rows = [(team.name, [player.person for player in team.players.all()]) for team in event.teams.all()]
    assert rows == [
        ("Aces", [person("Otis Reed"), person("Ann Hill")]),
        ("Clubs", [person("Gus Poe"), person("Ida Low")]),
    ]


def test_two_of_one_name_can_both_qualify(dana: User, season: Season) -> None:
    Person.objects.filter(name="Otis Reed").update(name="Ann Hill", key="ann hill")
    rows = [
        (team.name, [player.person_id for player in team.players.all()])
        for team in champions(dana, season, 2).teams.all()
    ]
    assert rows == [
        ("Ann Hill", [sure(ranked(season)[0].person).pk]),
        ("Ann Hill 2", [sure(ranked(season)[1].person).pk]),
    ]
