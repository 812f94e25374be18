"""Partners by lot: drawn among members, shown one pair at a time, and entered in an event in one press."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import page_of, signed_in, words_of
from tests.sure import fresh, refusal_of
from tests.tournament.season.clubs import FOUR, MORE, evening, make_season, members, person
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Event, PartnerDraw, Person, Season, SiteAct
from tournament.queries.season import drawn_pairs, last_partners
from tournament.services.dues import take_dues
from tournament.services.people import delete_person, merge_persons
from tournament.services.season import draw_pairs, enter_pairs
from tournament.services.teams import check_in
from tournament.services.verifying import findings


@pytest.fixture
def season(dana: User) -> Season:
    season = make_season()
    evening(dana, season, "March", FOUR + MORE)
    members(season)
    return season


@pytest.fixture
def owner(otis: User) -> Client:
    return signed_in(otis)


def everybody() -> list[int]:
    return list(Person.objects.filter(merged_into=None, deleted_at=None).values_list("pk", flat=True))


def pairs_of(draw: PartnerDraw) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in draw.pairs}


def test_nobody_is_drawn_with_the_last_partner(dana: User, season: Season) -> None:
    teams = {frozenset(person(name).pk for name in names) for _, *names in FOUR + MORE}
    last = teams
    for seed in range(5):
        draw = draw_pairs(Actor(dana), season, everybody(), seed)
        assert (pairs_of(draw) & (teams | last), draw.again, draw.alone) == (set(), [], None)
        last = pairs_of(draw)
    assert draw.number == 5 and SiteAct.objects.first().event == "4 pairs, Fall 2026"  # type: ignore[union-attr]


def test_who_was_merged_is_not_drawn_with_its_own_last_partner(dana: User, season: Season) -> None:
    new = Person.objects.create(name="Ann Hall", key="ann hall")
    merge_persons(Actor(dana), person("Ann Hill"), new)
    assert {person("Otis Reed").pk, new.pk} in [set(pair) for pair in last_partners(season)]
    with pytest.raises(Conflict, match="no longer belongs"):
        draw_pairs(Actor(dana), season, [person("Ann Hill").pk, new.pk])


def test_one_member_too_many_is_named(dana: User, owner: Client, season: Season) -> None:
    seven = [pk for pk in everybody() if pk != person("Jo Pike").pk]
    page = reverse("season-partners", args=["fall"])
    assert owner.post(page, {"member": seven}).status_code == 302
    draw = season.draws.get()
    assert draw.alone and f"{draw.alone} has no partner: the number of members is odd." in words_of(owner.get(page))
    again = draw_pairs(Actor(dana), season, seven, draw.seed)
    assert again.alone != draw.alone and findings_of_season() == []
    assert owner.post(page, {"member": seven[:1]}).status_code == 422
    assert owner.post(page, {"member": [10**8, seven[0], "x", "9" * 5000]}).status_code == 409


def ticked(owner: Client) -> list[int]:
    page = page_of(owner.get(reverse("season-partners", args=["fall"])))
    return [int(pk) for pk in re.findall(r'name="member" value="(\d+)" checked', page)]


def test_who_has_checked_in_tonight_is_ticked_and_else_nobody(dana: User, owner: Client, season: Season) -> None:
    assert ticked(owner) == []
    april = evening(dana, season, "April", FOUR, checks_in=True)
    evening(dana, None, "Elsewhere", MORE, checks_in=True).teams.update(here_at=timezone.now())
    check_in(Actor(dana), april, 1, "desk")
    assert set(ticked(owner)) == {person("Otis Reed").pk, person("Ann Hill").pk}
    season.memberships.filter(person=person("Ann Hill")).delete()
    assert ticked(owner) == [person("Otis Reed").pk]
    april.teams.update(here_at=timezone.now() - timedelta(hours=20))
    assert ticked(owner) == []


def test_only_members_are_drawn(dana: User, owner: Client, season: Season) -> None:
    season.memberships.filter(person=person("Jo Pike")).delete()
    take_dues(Actor(dana), season, person("Hal Orr").pk, None)
    season.memberships.filter(person=person("Hal Orr")).delete()
    words = words_of(owner.get(reverse("season-partners", args=["fall"])))
    assert ("Jo Pike" in words, "Hal Orr" in words, "Gus Poe" in words) == (False, False, True)
    assert "Nobody gets the same partner twice in a row unless it can’t be avoided." in words
    with pytest.raises(Conflict, match="no longer belongs"):
        draw_pairs(Actor(dana), season, [person("Jo Pike").pk, person("Gus Poe").pk])
    month = make_season(slug="may", name="May", within=season)
    assert len(draw_pairs(Actor(dana), month, [person("Cy Dill").pk, person("Gus Poe").pk]).pairs) == 1


def findings_of_season() -> list[str]:
    return [line for line in findings() if line.startswith("Fall")]


def test_what_could_not_be_avoided_is_said(dana: User, owner: Client, season: Season) -> None:
    two = [person("Otis Reed").pk, person("Ann Hill").pk]
    assert draw_pairs(Actor(dana), season, two).again == [1]
    page = words_of(owner.get(reverse("season-partners", args=["fall"])))
    assert "partners last time" in page and "drawn together again only where there was no other way" in page


def test_the_projector_shows_one_pair_at_a_time_by_shown_names(
    dana: User, client: Client, owner: Client, season: Season
) -> None:
    board = reverse("partners-board", args=["fall"])
    assert "Not drawn yet" in page_of(client.get(board))
    draw = draw_pairs(Actor(dana), season, everybody(), 3)
    Event.objects.update(names="initial")
    Person.objects.filter(pk=draw.pairs[1][0]).update(show="hidden")
    first, second = drawn_pairs(draw)[:2]
    assert re.fullmatch(r"\w+ \w\.", first.names[0]) and second.names[0] == "Player 3"
    page = client.get(board, {"pair": 1})
    assert (first.names[0] in page_of(page), str(first.persons[0]) in page_of(page)) == (True, False)
    assert 'name="pair" value="2" autofocus' in page_of(page)
    assert all(pair.names[1] in page_of(client.get(board, {"pair": 5})) for pair in drawn_pairs(draw))
    delete_person(Actor(dana), Person.objects.get(pk=draw.pairs[0][0]))
    assert "a player" in page_of(client.get(board, {"pair": 1}))
    assert [client.get(board, {"pair": odd}).status_code for odd in ("9", "-1", "x", "9" * 20)] == [200] * 4


def test_the_pairs_are_entered_in_one_press(dana: User, owner: Client, season: Season) -> None:
    april = evening(dana, season, "April", ())
    draw = draw_pairs(Actor(dana), season, everybody(), 4)
    entries = reverse("partners-entries", args=["fall"])
    assert owner.post(entries, {"draw": 1, "event": "april"}).status_code == 302
    teams = [[player.person_id for player in team.players.all()] for team in april.teams.all()]
    assert [tuple(team) for team in teams] == [tuple(pair) for pair in draw.pairs]
    refused = owner.post(entries, {"draw": 1, "event": "april"})
    assert (refused.status_code, "Entered in April already:" in words_of(refused)) == (422, True)
    assert owner.post(entries, {"draw": 1, "name": "", "date": "2026-12-01"}).status_code == 422
    assert owner.post(entries, {"draw": 1, "name": "May", "date": "2026-12-01"}).status_code == 302
    assert Event.objects.get(name="May").teams.count() == 4 and Event.objects.get(name="May").season == season
    Event.objects.filter(pk=april.pk).update(stage="playing")
    refusal_of(lambda: enter_pairs(Actor(dana), draw, fresh(april)), Conflict)


def test_two_of_one_name_and_names_too_long_for_one_team(dana: User, season: Season) -> None:
    long = "Bartholomew Featherstonehaugh-Villiers"
    twins = [Person.objects.create(name="Al Poe", key="al poe") for _ in range(2)]
    others = [Person.objects.create(name=f"{long}", key=long.lower()) for _ in range(2)]
    april = evening(dana, season, "April", ())
    draw = PartnerDraw.objects.create(
        season=season, number=1, seed=1, pairs=[[twins[0].pk, others[0].pk], [twins[1].pk, others[1].pk]]
    )
    teams = enter_pairs(Actor(dana), draw, april)
    assert [team.name for team in teams] == ["Al P. & Bartholomew F.", "Pair 2"]
    players = [[player.person_id for player in team.players.all()] for team in teams]
    assert players == [list(pair) for pair in draw.pairs]


def test_where_everybody_plays_alone_nobody_enters_in_pairs(dana: User, season: Season) -> None:
    event = evening(dana, season, "April", ())
    Event.objects.filter(pk=event.pk).update(sheet="back_alley/individual")
    draw = draw_pairs(Actor(dana), season, everybody(), 4)
    assert "nobody plays in pairs" in refusal_of(lambda: enter_pairs(Actor(dana), draw, fresh(event))).texts[0]


def test_pairs_of_who_was_merged_or_deleted_since_are_not_entered(dana: User, season: Season) -> None:
    april, hall = evening(dana, season, "April", ()), Person.objects.create(name="Ann Hall", key="ann hall")
    pairs = [[hall.pk, person("Ann Hill").pk], [person("Jo Pike").pk, person("Cy Dill").pk]]
    draws = [PartnerDraw.objects.create(season=season, number=index, seed=1, pairs=[pairs[index]]) for index in (0, 1)]
    merge_persons(Actor(dana), hall, person("Ann Hill"))
    delete_person(Actor(dana), person("Jo Pike"))
    texts = [refusal_of(partial(enter_pairs, Actor(dana), draw, april)).texts for draw in draws]
    assert texts == [("Somebody was merged or deleted since this draw. Draw again.",)] * 2
