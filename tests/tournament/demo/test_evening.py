"""The other tables play: what they send, whom they wait for, and that Dana brings the evening to its champion."""

from __future__ import annotations

import datetime
import re
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import QueryDict
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone
from django.utils.html import escape
from rich.console import Console

from scoring.document import all_sheets
from tests.factories import make_event, make_teams, make_user, play_out, signed_in, words_of
from tests.halls import eventually
from tests.sure import fresh
from tests.tournament.demo.evenings import AT_ONCE, play_until, player_of, small_evening
from tests.tournament.test_access import EVERY_PATTERN, named_patterns
from tournament import demo
from tournament.access import Actor, rights_in
from tournament.archive.export import event_file
from tournament.demo import evenings, player
from tournament.demo.evenings import (
    EVENING,
    SPADES,
    TABLE,
    VISITORS_SHEET,
    begin,
    begin_again,
    evening_in_play,
    load_samples,
    play_state,
    throw_away,
    visitors_fields,
)
from tournament.demo.hands import choose_hand
from tournament.demo.player import FILE, Incidents, incidents
from tournament.forms.roster.form import RosterForm
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import (
    Call,
    Device,
    Entry,
    Event,
    Game,
    Journal,
    Result,
    Round,
    Season,
    Side,
    Submission,
    Substitution,
)
from tournament.models.triggers import missing_triggers
from tournament.queries.bracket import champion_of
from tournament.queries.devices import device_of
from tournament.queries.dues import members_of
from tournament.queries.events import same_events
from tournament.queries.rules import ruleset
from tournament.queries.season import season_facts
from tournament.services.devices import bind_further, take_over
from tournament.services.entries import undo_entry
from tournament.services.events import create_event, set_up_event
from tournament.services.rounds import answer_call, close_round
from tournament.services.verifying import findings
from tournament.serving.preparing import prepare

# Nothing that takes its time happens by itself.
PATIENT = AT_ONCE._replace(alone=3600, call=3600)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any) -> None:
    """The keys of the player's tablets are kept in the data folder."""
    settings.DATA = tmp_path


def sheets(event: Event) -> list[Any]:
    results = Result.objects.filter(game__round__event=event).order_by("game__round__number", "game__table")
    return list(results.values_list("game__round__number", "game__table", "code", "scores", "game__state"))


def statuses(event: Event) -> set[str]:
    return set(Submission.objects.filter(event=event).values_list("status", flat=True))


def final_tables(event: Event) -> list[int]:
    return sorted(Game.objects.filter(round__event=event, state="final").values_list("table", flat=True))


def test_a_round_is_played_with_a_call_a_renege_and_a_boston_and_table_6_is_left_to_people(dana: User) -> None:
    event = small_evening(dana)
    evening = player_of(event, dana, PATIENT)
    steps = play_until(evening, "waits for you")
    renege = Call.objects.get(kind="renege")
    assert steps[-1].waits == f"Table {renege.game.table} waits for you: look at the desk."
    answer_call(Actor(dana), renege)
    assert play_until(evening, "last one")[-1].waits.startswith("Table 6 is the last one in play. Record")
    assert final_tables(event) == [1, 2, 3, 4, 5]
    assert Call.objects.filter(kind="score", answered_at=None).count() == 1
    bostons = Result.objects.filter(game__round__event=event).values_list("bostons", flat=True)
    assert sum(map(sum, bostons)) == 1
    assert not Entry.objects.filter(game__table=TABLE).exists() and statuses(event) == {"applied"}


def test_a_team_comes_late_and_its_table_plays_when_it_is_there(dana: User) -> None:
    event = small_evening(dana)
    evening = player_of(event, dana, PATIENT._replace(late=90))
    evening.left = 0
    play_until(evening, "waits for you")
    answer_call(Actor(dana), Call.objects.get(kind="renege"))
    play_until(evening, "A late team is on its way.")
    late = Side.objects.get(game__round__event=event, seated_at=None)
    assert late.index == 1 and final_tables(event) == sorted({1, 2, 3, 4, 5, 6} - {late.game.table})
    Round.objects.update(started_at=timezone.now() - timedelta(seconds=91))
    play_until(evening, "has called you: look at the desk.")
    answer_call(Actor(dana), Call.objects.get(answered_at=None))
    assert evening.step().waits == "The game is over: close it at the desk."
    assert fresh(late).seated_at is not None and final_tables(event) == [1, 2, 3, 4, 5, 6]


def test_a_table_that_holds_the_round_alone_is_played_too_until_somebody_takes_it_back(dana: User) -> None:
    event = small_evening(dana)
    bind_further(Actor(), event, TABLE)
    evening = player_of(event, dana, AT_ONCE)
    evening.directs = True
    sentences: list[str] = []
    while final_tables(event) != [1, 2, 3, 4, 5, 6]:
        sentences.append(evening.step().said)
    assert "Table 6 was waiting, so the demo plays it, too" in sentences
    visitor = Device.objects.get(table=TABLE, letter="A")
    assert not visitor.writes
    take_over(Actor(), visitor)
    assert evening.tablets.writing()[TABLE] is None
    assert statuses(event) == {"applied"}


def test_after_the_round_is_in_the_desk_is_waited_for(dana: User) -> None:
    event = small_evening(dana, teams=4)
    evening = player_of(event, dana, PATIENT)
    play_until(evening, "The game is over: close it at the desk.")
    close_round(Actor(dana), event, 1)
    assert evening.step().waits == "Draw game 2 at the desk."
    assert Round.objects.count() == 1


def test_dana_brings_the_evening_to_its_champion_and_the_same_evening_ends_the_same(dana: User) -> None:
    event = small_evening(dana, teams=8, cut=4)
    evening = player_of(event, dana, directs=True)
    steps = play_until(evening, "won")
    champion = champion_of(fresh(event))
    assert champion and event.stage == "over" and steps[-1].over
    assert steps[-1].waits == f"The evening is over: {champion[1]} won."
    titles = list(event.rounds.order_by("number").values_list("state", "stage"))
    assert titles[:2] == [("closed", "qualifying")] * 2 and {state for state, _ in titles} == {"closed"}
    assert statuses(event) == {"applied"} and not Call.objects.filter(answered_at=None).exists()
    played = sheets(event)
    event.delete()
    again = small_evening(dana, teams=8, cut=4)
    play_until(player_of(again, dana, directs=True), "won")
    assert sheets(again) == played


def test_a_player_that_comes_back_says_the_same_and_goes_on(dana: User) -> None:
    event = small_evening(dana)
    before = player_of(event, dana, PATIENT)
    for _ in range(8):
        before.step()
    after = player_of(event, dana, PATIENT)
    assert after.tablets.known.keys() == before.tablets.known.keys()
    play_until(after, "waits for you")
    assert Device.objects.filter(event=event).count() == 5 and statuses(event) == {"applied"}


def test_a_hand_that_somebody_undoes_is_played_again(dana: User) -> None:
    event = small_evening(dana, teams=4)
    evening = player_of(event, dana, PATIENT)
    while not Entry.objects.exists():
        evening.step()
    undo_entry(Actor(dana), Entry.objects.get().game, position=1, client_key=uuid4())
    play_until(evening, "The game is over")
    assert final_tables(event) == [1, 2] and statuses(event) == {"applied"}


def test_an_evening_of_spades_is_played_to_its_champion(dana: User) -> None:
    event = small_evening(dana, teams=6, rounds=1, cut=2, sheet="spades/four-hand-tournament")
    play_until(player_of(event, dana, directs=True), "won")
    assert fresh(event).stage == "over" and statuses(event) == {"applied"}


# The player's hands: every rule sheet of every game is played by what it declares.
# The game of the marathon goes on until time is called.
HANDS = 40
TABLES = [(sheet.key, size) for _, sheet in all_sheets() for size in ruleset(sheet.key).table_sizes]


@pytest.mark.parametrize(("sheet", "sides"), TABLES)
def test_a_game_of_any_sheet_is_played_by_chance_and_again_the_same(sheet: str, sides: int) -> None:
    rules = ruleset(sheet).at_table(sides)
    hands = list(islice(play_out(rules, Random(sheet)), HANDS))
    assert hands == list(islice(play_out(rules, Random(sheet)), HANDS))
    assert len(hands) < HANDS or sheet == "bid_whist/marathon"


def test_a_boston_takes_all_the_books() -> None:
    rules = ruleset("bid_whist/no-kitty-2021")
    carry = rules.game.begin(rules.rules)
    taken = {choose_hand(rules, carry, Random(seed), boston=True)["books"] for seed in range(20)}
    assert taken == {13} and 13 not in {choose_hand(rules, carry, Random(seed))["books"] for seed in range(20)}


def test_what_happens_in_a_round_happens_at_different_tables_and_always_there() -> None:
    drawn = incidents("autumn-evening/5", range(1, 13))
    assert drawn == incidents("autumn-evening/5", range(1, 13))
    assert len(set(drawn)) == 4 and set(drawn) <= set(range(1, 13))
    assert incidents("autumn-evening/5", (1, 2, 3)) == Incidents()


# Through the doors: one press each, for any number of visitors, and never as the owner.
@pytest.fixture
def evening(demo_site: Any) -> Event:
    return begin(EVENING)


def test_the_samples_are_two_evenings_in_play_three_finished_ones_and_one_that_takes_entries(demo_site: Any) -> None:
    load_samples()
    load_samples()
    today = timezone.localdate(timezone=datetime.timezone(datetime.timedelta(hours=-5)))
    events = {event.name: (event.stage, event.sheet, event.teams.count()) for event in Event.objects.all()}
    assert events == {
        "September Open": ("over", "bid_whist/no-kitty-2021", 20),
        "October Open": ("over", "bid_whist/no-kitty-2021", 11),
        "Autumn Open": ("over", "bid_whist/no-kitty-2021", 24),
        "Autumn Evening": ("playing", "bid_whist/no-kitty-2021", 24),
        "Spades Night": ("playing", "spades/standard", 8),
        "Winter Cup": ("setup", "bid_whist/no-kitty-2021", 7),
    }
    ages = {event.name: (today - event.date).days for event in Event.objects.all()}
    assert {name: age - ages["Autumn Evening"] for name, age in ages.items()} == {
        "September Open": 62,
        "October Open": 34,
        "Autumn Open": 1,
        "Autumn Evening": 0,
        "Spades Night": 0,
        "Winter Cup": -7,
    }
    assert abs(ages["Autumn Evening"]) <= 1


def test_the_season_has_something_to_show(demo_site: Any) -> None:
    load_samples()
    season = Season.objects.get()
    page = words_of(Client().get("/seasons/season/"))
    assert "After 3 of 5 events" in page and "guests are not ranked." in page
    facts = season_facts(season)
    assert [len(line.ranked.credits) for line in facts.lines[:2]] == [3, 3]
    assert any(line.ranked.shared for line in facts.lines)
    assert Substitution.objects.filter(team__event__name="September Open").count() == 1
    owed = [member.owes for member in members_of(season)]
    assert (len(owed), owed.count(0), owed.count(3000)) == (41, 21, 20)
    load_samples()
    faults = [line for line in findings() if "no longer refuses" not in line]
    assert (season.memberships.count(), faults) == (41, [])


def test_the_home_has_three_large_doors(evening: Event) -> None:
    page = Client().get("/").content.decode()
    assert page.count('class="card door"') == 3
    small = page[page.index("more-doors small") :]
    for way in ("Enter a team", "Check in", "Your own list"):
        assert way in small, way


def test_the_desk_is_opened_as_dana_who_owns_nothing(evening: Event) -> None:
    client = Client()
    assert client.post("/demo/desk/")["Location"] == f"/desk/{evening.slug}/"
    page = client.get(f"/desk/{evening.slug}/")
    dana = page.wsgi_request.user
    assert (page.status_code, dana.username, dana.is_staff, dana.is_superuser) == (200, "dana", False, False)
    assert "create-event" not in rights_in(Actor(dana), evening)
    assert "Table 10" in page.content.decode() and "Renege, called" in page.content.decode()


def test_any_number_of_visitors_sit_down_and_nobody_is_turned_out(evening: Event) -> None:
    visitors = [Client() for _ in range(30)]
    for visitor in visitors:
        assert visitor.post("/demo/tablet/")["Location"] == "/t/table/"
    tokens = [visitor.cookies[TABLE_COOKIE].value for visitor in visitors]
    devices = [device_of(token) for token in tokens]
    assert [device is not None and device.table for device in devices] == [TABLE] * 30
    assert [device.letter for device in devices if device][-5:] == ["Z", "AA", "AB", "AC", "AD"]
    assert [device.writes for device in devices if device] == [True] + [False] * 29
    assert {visitor.get("/t/table/").status_code for visitor in visitors} == {200}
    assert "Tablet A" in visitors[-1].get("/t/table/").content.decode()


def test_pressing_again_keeps_the_session_and_binds_nothing_again(evening: Event) -> None:
    client, keys = Client(), set[str | None]()
    for door in ("desk", "desk", "tablet", "tablet", "hall"):
        client.post(f"/demo/{door}/")
        keys.add(client.session.session_key)
    assert (len(keys), Device.objects.filter(event=evening).count()) == (1, 1)


def test_the_hall_is_opened_at_desk_and_table_at_once(evening: Event) -> None:
    client = Client()
    assert client.post("/demo/hall/")["Location"] == "/demo/hall/"
    statuses = [client.get(path).status_code for path in (f"/desk/{evening.slug}/", "/t/table/", "/demo/hall/")]
    assert statuses == [200, 200, 200]


def test_nobody_signs_in_as_an_owner_without_a_password(demo_site: Any, otis: User) -> None:
    make_user("dana", is_staff=True)
    assert [signs_in(name) for name in ("otis", "dana", "owner")] == [False, False, False]


def test_a_clubs_site_asks_for_the_password(dana: User) -> None:
    assert (signs_in("dana"), signs_in("dana", "a long enough password")) == (False, True)


def test_one_press_confirms_what_asks_for_a_password(evening: Event) -> None:
    client = Client()
    client.post("/demo/desk/")
    Session.objects.all().delete()
    call = Call.objects.get()
    answer = f"/desk/{evening.slug}/calls/{call.pk}/answer/"
    page = client.post(answer).content.decode()
    assert "Please confirm" in page and 'type="password"' not in page
    hidden = dict(re.findall(r'type="hidden" name="(again_\w+)" value="(\w+)"', page))
    assert client.post(answer, hidden)["Location"] == f"/desk/{evening.slug}/"
    assert fresh(call).answered_at is not None


def test_an_evening_of_another_day_is_begun_again_by_one_press(evening: Event) -> None:
    Event.objects.filter(pk=evening.pk).update(date=evening.date - datetime.timedelta(days=2))
    client = Client()
    assert "Start over" in client.get("/").content.decode()
    for _ in range(2):
        assert client.post("/demo/evenings/")["Location"] == "/"
    names = list(Event.objects.order_by("pk").values_list("name", "date"))
    assert names == [("Autumn Evening", evening.date - datetime.timedelta(days=2)), ("Autumn Evening 2", evening.date)]
    assert "Start over" not in client.get("/").content.decode()
    assert evening_in_play() == begin_again()


def test_the_cup_takes_entries_until_its_day_is_past_and_is_begun_again_then(demo_site: Any) -> None:
    client = Client()
    assert client.post("/demo/cup/")["Location"] == client.post("/demo/cup/")["Location"] == "/e/winter-cup/enter/"
    cup = Event.objects.get()
    page = words_of(client.get("/e/winter-cup/enter/"))
    assert "5 spots left." in page and "Roy Tolliver" in page
    at_door = client.post("/demo/cup/", {"check-in": ""})["Location"]
    assert "We are here" in words_of(client.get(f"{at_door}&team=owls"))
    Event.objects.update(date=cup.date - datetime.timedelta(days=8))
    assert client.post("/demo/cup/")["Location"] == "/e/winter-cup-2/enter/"


def test_the_home_page_tells_how_far_the_evening_is(evening: Event) -> None:
    page = Client().get("/").content.decode()
    for words in (
        "Demo",
        "24 teams, in game 4.",
        "Table 10 is calling you: renege.",
        "Trump Tight against Blind Board Kings, hand 3.",
        "Game 4 of 6",
    ):
        assert words in page, words


LIST = "\n".join(f"Team {letter} – Ann {letter}ay / Bo {letter}oe" for letter in "BCDFGHJK")


def test_a_visitors_event_is_played_to_its_champion(dana: User) -> None:
    form = RosterForm(Event(sheet=VISITORS_SHEET), QueryDict(urlencode({"text": LIST})))
    assert form.is_valid() and form.roster.faults == []
    event = set_up_event(Actor(dana), visitors_fields(8), form.roster.rows, draw=True)
    player = player_of(event, dana, directs=True)
    player.left = 0
    play_until(player, "won")
    champion = champion_of(fresh(event))
    assert fresh(event).stage == "over" and champion
    client = Client()
    client.cookies[TABLE_COOKIE] = bind_further(Actor(dana), fresh(event), 1)
    assert f'<span class="wrap">{escape(champion[1])}' in client.get("/t/table/").content.decode()
    # An hour later it goes, with rows that are only ever added, and triggers guard the others again.
    Event.objects.update(created_at=timezone.now() - timedelta(hours=2))
    throw_away()
    assert not Event.objects.exists() and missing_triggers() == []


def test_a_bad_list_is_refused_with_its_text_and_old_events_go(demo_site: Any, dana: User) -> None:
    page = Client().post("/demo/list/", {"text": "Only Owls"})
    assert page.status_code == 422 and "4 to 16 teams; here are 1." in page.content.decode()
    assert "Only Owls" in page.content.decode() and not Event.objects.exists()
    for _ in range(4):
        create_event(Actor(dana), visitors_fields(8))
    throw_away()
    assert list(Event.objects.order_by("pk").values_list("slug", flat=True)) == ["your-event-3", "your-event-4"]


def test_a_clubs_event_is_rehearsed_and_nothing_of_it_is_left(
    own_file: None, tmp_path: Path, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evenings, "VISITORS", AT_ONCE)
    event = make_event("Friday Whist", dana, cut=2, rounds_planned=1)
    desk = signed_in(dana)
    assert desk.post("/desk/friday-whist/rehearsal/").status_code == 409
    make_teams(event, 4)
    before, acts = event_file(event), Journal.objects.count()
    assert "Rehearse this event" in desk.get("/desk/friday-whist/setup/").content.decode()
    for _ in range(2):
        assert desk.post("/desk/friday-whist/rehearsal/")["Location"] == "/e/_friday-whist/"
    copy = Event.objects.get(slug="_friday-whist")
    evenings._visitors[copy.slug].thread.join(60)
    assert "deleted after an hour" in desk.get("/e/_friday-whist/").content.decode()
    assert fresh(copy).stage == "over" and champion_of(fresh(copy))
    assert [line for line in findings() if line.startswith(event.name)] == []
    for client in (Client(), signed_in(make_user("fay"))):
        assert {client.get(f"/{where}/_friday-whist/").status_code for where in ("e", "desk")} == {404}
        assert "_friday-whist" not in client.get("/").content.decode()
    assert "_friday-whist" not in desk.get("/").content.decode() and same_events(event.name, str(event.date))[1:] == []
    desk.post("/desk/_friday-whist/rehearsal/")
    assert (event_file(fresh(event)), Journal.objects.count()) == (before, acts) and Event.objects.get() == event
    assert fresh(event).version == event.version and not (tmp_path / FILE).exists()
    # One that a crash left goes at the next start, which refuses this database for its haste only then.
    Event.objects.create(slug="_friday-whist", name="Friday Whist", date=event.date)
    with suppress(SystemExit):
        prepare(Console(quiet=True))
    assert Event.objects.get() == event and missing_triggers() == []


def test_the_spades_evening_plays_beside_the_other_and_stops_with_it(
    own_file: None, demo_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "LOOKING_ON", AT_ONCE)
    monkeypatch.setattr(player, "DIRECTING", AT_ONCE)
    begin(EVENING)
    spades = begin(SPADES)
    evenings.start_playing(directs=False)
    eventually(lambda: fresh(spades).stage == "over", play_state)
    evenings.stop_playing()
    for run in (evenings._run, evenings._beside):
        assert run is not None
        run.thread.join(60)
    assert champion_of(fresh(spades)) and statuses(spades) == {"applied"}


def test_a_clubs_home_page_has_neither_doors_nor_demo(otis: User) -> None:
    create_event(Actor(otis), {"name": "Columbus Open", "date": "2026-11-21"})
    page = signed_in(otis).get("/").content.decode()
    assert "Columbus Open" in page and "New event" in page
    assert "Demo" not in page and "/demo/" not in page


def signs_in(name: str, password: str = "demo") -> bool:
    client = Client()
    client.post("/sign-in/", {"username": name, "password": password})
    return SESSION_KEY in client.session


# The demo's own addresses: a club's site has none of them, and each answers those whom it is for.
# name: (what a stranger's GET gives, what their POST gives); a door that nobody must open by a link answers 405.
ADDRESSES = {
    "demo-desk": (405, 302),
    "demo-tablet": (405, 302),
    "demo-cup": (405, 302),
    "demo-evenings": (405, 302),
    "demo-list": (200, 422),
    "demo-hall": (200, 302),
    "demo-feed": (302, 405),
    "demo-play": (200, 302),
    "demo-directing": (405, 302),
    "demo-pause": (405, 302),
}


def own_patterns() -> dict[str, URLPattern]:
    """What only the demo has; its home and sign-in come before the site's."""
    patterns = {str(pattern.name): pattern for pattern in named_patterns(get_resolver(demo.ROOT_URLCONF).url_patterns)}
    return {name: one for name, one in patterns.items() if name not in {str(one.name) for one in EVERY_PATTERN}}


def address(name: str) -> str:
    takes = {"slug": "autumn-evening"} if name == "demo-feed" else {}
    return reverse(name, kwargs=takes, urlconf=demo.ROOT_URLCONF)


def test_every_address_of_the_demo_has_a_row() -> None:
    assert sorted(own_patterns()) == sorted(ADDRESSES)


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_a_clubs_site_has_no_such_address(name: str, db: None, otis: User) -> None:
    client = signed_in(otis)
    url = address(name)
    assert (client.get(url).status_code, client.post(url).status_code) == (404, 404)


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_the_demo_answers_a_stranger(name: str, demo_site: Any) -> None:
    begin(EVENING)
    url = address(name)
    assert (Client().get(url).status_code, Client().post(url).status_code) == ADDRESSES[name]


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_a_door_opens_for_a_page_of_this_site_alone(name: str, demo_site: Any) -> None:
    begin(EVENING)
    assert Client(enforce_csrf_checks=True).post(address(name)).status_code == 403
