"""What a season shows is new after each act that changes it, and is computed again for nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import MADE_FIVE, make_round, page_of, pairs_of, words_of
from tests.sure import fresh, sure
from tests.tournament.results.evenings import win
from tests.tournament.season.played import enlist, person, play
from tests.tournament.season.test_cases import season_of, told
from tournament.access import Actor
from tournament.models import Event, Game, Season
from tournament.queries.season import season_facts
from tournament.services.corrections import correct_sheet
from tournament.services.entries import record_entry
from tournament.services.events import change_event
from tournament.services.laptops import begin_epoch
from tournament.services.members import add_who_played
from tournament.services.people import set_wish
from tournament.services.season import change_season, take_out, weigh

pytestmark = pytest.mark.usefixtures("own_file")


@pytest.fixture
def season(dana: User) -> Season:
    """Two events that are over, and one in its first game."""
    season = season_of({"places": [6, 3, 1]})
    play(dana, told(1), season)
    play(dana, told(2), season)
    return season


def version(season: Season) -> int:
    return fresh(season).version


def in_play(dana: User, season: Season) -> Game:
    event = Event.objects.create(name="Tonight", slug="tonight", date="2026-03-07", season=season)
    teams = [event.teams.create(number=number, name=f"Team {number}", key=f"team {number}") for number in (1, 2)]
    return sure(make_round(event, pairs_of(teams)).games.first())


def correct(dana: User, event: Event) -> None:
    game = sure(Game.objects.select_related("round__event").filter(round__event=event).order_by("table").first())
    line = game.entries.order_by("-position")[0]
    facts = win(1, 7)[0]
    correct_sheet(
        Actor(dana), game, position=line.position, revision=line.revision, facts=facts, reason="sides mixed up"
    )


def statements(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as asked:
        act()
    return len(asked)


def test_a_correction_makes_only_its_own_event_anew(dana: User) -> None:
    asked = {}
    for name, months in (("short", 3), ("long", 8)):
        season = season_of({"places": [6, 3, 1]}, name)
        events = [play(dana, told(month, f"{name} {month}"), season) for month in range(1, months + 1)]
        season_facts(fresh(season))
        correct(dana, events[0])
        asked[name] = statements(lambda season=season: season_facts(fresh(season)))  # type: ignore[misc]
        # The control: where nothing is kept, every event is read.
        Event.objects.filter(season=season).update(public_version=F("public_version") + 1)
        Season.objects.filter(pk=season.pk).update(version=F("version") + 1)
        asked[f"{name}, all anew"] = statements(lambda season=season: season_facts(fresh(season)))  # type: ignore[misc]
    assert asked["short"] == asked["long"]
    assert asked["long, all anew"] - asked["short, all anew"] >= 5 * 3


def test_a_hand_in_play_leaves_the_season_alone(dana: User, season: Season) -> None:
    game, before = in_play(dana, season), version(season)
    record_entry(Actor(dana), game, MADE_FIVE)
    assert (version(season), fresh(game.round.event).version > 0) == (before, True)


def test_each_act_that_shows_in_the_table_is_seen_at_once(dana: User, otis: User, season: Season) -> None:
    owner, january = Actor(otis), Event.objects.get(name="January")
    game = in_play(dana, season)

    def change(fields: dict[str, Any]) -> None:
        change_event(Actor(dana), fresh(game.round.event), fields, confirmed=True)

    acts: dict[str, Callable[[], Any]] = {
        "a correction": lambda: correct(dana, january),
        "the name of an event in play": lambda: change_event(
            Actor(dana), game.round.event, {"name": "Late Night"}, confirmed=True
        ),
        "the place of an event in play": lambda: change_event(
            Actor(dana), game.round.event, {"place": "Elks Lodge"}, confirmed=True
        ),
        "how names are shown": lambda: change({"names": "initial"}),
        "a wish": lambda: set_wish(owner, None, person("Ann Lee"), "hidden"),
        "points": lambda: change_season(owner, fresh(season), {"scheme": {"places": [9, 3, 1]}}),
        "the name of the season": lambda: change_season(owner, fresh(season), {"name": "Autumn"}),
        "an event that counts double": lambda: weigh(owner, season, fresh(january), 2),
        "only members are ranked": lambda: change_season(
            owner, fresh(season), {"scheme": {"places": [9, 3, 1], "members": True}}
        ),
        "members": lambda: add_who_played(owner, fresh(season)),
        "an event that no longer counts": lambda: take_out(owner, season, fresh(january)),
    }
    pages, visitor = [page_of(Client().get("/seasons/fall/"))], Client()
    for name, act in acts.items():
        act()
        pages.append(page_of(visitor.get("/seasons/fall/")))
        assert pages[-1] != pages[-2], name


def test_a_season_is_made_once_for_everybody(season: Season) -> None:
    visitor = Client()
    first = visitor.get("/seasons/fall/")
    assert statements(lambda: Client().get("/seasons/fall/")) == 1
    again = visitor.get("/seasons/fall/", headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    # Who signed in is offered what others are not.
    assert "Change this season" not in page_of(first)


def test_a_person_is_made_once_until_something_there_changes(dana: User, otis: User, season: Season) -> None:
    address, visitor = f"/people/{person('Ann Lee').pk}/", Client()
    first = visitor.get(address)
    assert statements(lambda: Client().get(address)) == 2
    assert visitor.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    correct(dana, Event.objects.get(name="January"))
    assert page_of(visitor.get(address)) != page_of(first)
    set_wish(Actor(otis), None, person("Ann Lee"), "hidden")
    assert visitor.get(address).status_code == 404


def test_owners_see_their_own_page_of_a_season(season: Season, otis: User) -> None:
    Client().get("/seasons/fall/")
    owner = Client()
    owner.force_login(otis)
    assert "Change this season" in page_of(owner.get("/seasons/fall/"))


def test_the_page_has_the_last_ten_events_and_the_sum_of_the_others(dana: User) -> None:
    season = season_of({"places": [6, 3, 1]})
    for month in range(1, 13):
        play(dana, told(month), season)
    short, whole = (words_of(Client().get(f"/seasons/fall/{query}")) for query in ("", "?all"))
    assert "Place Person Earlier Mar 7 Apr 7" in short and "Ann Lee" in short
    assert "December: 6 points 12 6 6 6 6 6 6 6 6 6 6 72" in short
    assert "All 12 events" in short and "January" not in short
    assert "Place Person Jan 7 Feb 7 Mar 7" in whole and "All 12 events" not in whole and "January" in whole


def test_a_member_who_never_played_is_shown_as_wished_in_a_list_of_teams(otis: User, season: Season) -> None:
    enlist(season, ["Zoe Fox"], "Foxes")
    before = version(season)
    set_wish(Actor(otis), None, person("Zoe Fox"), "hidden")
    assert version(season) > before


def test_a_restored_season_is_never_taken_for_the_one_before(season: Season) -> None:
    before = version(season)
    begin_epoch()
    assert version(season) > before + 100_000


def test_the_projector_follows_the_season_and_other_pages_do_not(dana: User, season: Season) -> None:
    address, phone = "/e/february/board/", Client()
    shown = sure(page_of(phone.get(address)).partition("?version=")[2].partition('"')[0])
    standings = sure(page_of(phone.get("/e/february/")).partition("?version=")[2].partition('"')[0])

    def polled(path: str, number: str) -> int:
        return phone.get(f"{path}?version={number}", headers={"HX-Request": "true"}).status_code

    assert (polled(address, shown), polled("/e/february/", standings)) == (204, 204)
    correct(dana, Event.objects.get(name="January"))
    assert (polled(address, shown), polled("/e/february/", standings)) == (200, 204)
