"""The hall in one window: what may be framed, who sees it, and the feed of what just happened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, pairs_of, play, seat_all, signed_in
from tests.sure import statements_of
from tests.tournament.demo.test_evening import ADDRESSES as DEMOS
from tests.tournament.demo.test_evening import address as demo_address
from tests.tournament.test_access import ADDRESSES, address
from tournament.access import Actor
from tournament.demo.evenings import EVENING, TABLE, begin, happenings
from tournament.demo.views import FRAMED
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Round
from tournament.services.corrections import apply_ruling
from tournament.services.devices import bind_further
from tournament.services.entries import record_entry
from tournament.services.rounds import call_director, call_time
from tournament.services.signatures import sign_sheet
from tournament.site import data_folder

NEW = {"HX-Request": "true"}


@pytest.fixture
def in_the_hall(demo_site: Any) -> Client:
    begin(EVENING)
    client = Client()
    client.post("/demo/hall/")
    return client


def framing(answer: Any) -> tuple[str, str, str]:
    """What the headers say about frames: who may frame the page, what it may frame, and the older header."""
    rules = dict(rule.strip().partition(" ")[::2] for rule in answer["Content-Security-Policy"].split(";"))
    return rules["frame-ancestors"], rules.get("frame-src", ""), answer["X-Frame-Options"]


CLOSED = ("'none'", "", "DENY")
FRAMES = ("'self'", "", "SAMEORIGIN")


def everybody(game: Game, dana: User) -> Client:
    """Director and tablet of table 1 at once, so that every page is answered."""
    client = signed_in(dana)
    client.cookies[TABLE_COOKIE] = bind_further(Actor(), game.round.event, game.table)
    return client


@pytest.mark.parametrize("name", sorted(ADDRESSES.keys() - {"alive", "ready"}))
def test_no_page_of_a_clubs_site_may_stand_in_a_frame(name: str, game: Game, dana: User) -> None:
    client = everybody(game, dana)
    for method in ("get", "post"):
        answer = getattr(client, method)(address(name, game.round.event, game))
        assert framing(answer) == CLOSED, method


@pytest.mark.parametrize("name", sorted(ADDRESSES.keys() - {"alive", "ready"}))
def test_the_demo_frames_its_four_pages_and_no_other(name: str, demo_site: Any, game: Game, dana: User) -> None:
    client = everybody(game, dana)
    for method in ("get", "post"):
        answer = getattr(client, method)(address(name, game.round.event, game))
        assert framing(answer) == (FRAMES if name in FRAMED else CLOSED), method


def test_the_hall_frames_pages_of_this_site_and_is_framed_by_none(in_the_hall: Client) -> None:
    for name in DEMOS:
        answer = in_the_hall.get(demo_address(name))
        assert framing(answer) == (("'none'", "'self'", "DENY") if name == "demo-hall" else CLOSED), name


def test_phone_and_projector_are_answered_as_to_a_stranger(in_the_hall: Client) -> None:
    """The sheet shows results when a round is closed; Dana, who is signed in on all frames, sees more at the desk."""
    Event.objects.update(options={"standings_visible": "at-end"})
    stranger = Client()
    for path in ("/e/autumn-evening/teams/6/", "/e/autumn-evening/board/"):
        assert in_the_hall.get(path).content == stranger.get(path).content, path
    hidden = "at the end of the event"
    assert hidden in in_the_hall.get("/e/autumn-evening/teams/6/").content.decode()
    assert hidden not in in_the_hall.get("/e/autumn-evening/").content.decode()


def test_the_window_asks_whoever_is_not_inside_to_press_once(demo_site: Any) -> None:
    begin(EVENING)
    page = Client().get("/demo/hall/").content.decode()
    assert "Open the hall" in page and "<iframe" not in page


def test_the_feed_asks_for_the_right_to_see_the_desk(in_the_hall: Client) -> None:
    feed = "/demo/hall/feed/autumn-evening/"
    assert in_the_hall.get(feed).status_code == 200
    assert Client().get(feed)["Location"] == f"/sign-in/?next={feed}"
    assert Client().get(f"{feed}?version=0", headers=NEW).status_code == 401
    seated = Client()
    seated.post("/demo/tablet/")
    assert seated.get(feed).status_code == 403


def test_a_poll_without_news_is_answered_with_nothing(in_the_hall: Client) -> None:
    version = Event.objects.get().version
    feed = "/demo/hall/feed/autumn-evening/"
    assert in_the_hall.get(f"{feed}?version={version}", headers=NEW).status_code == 204
    assert in_the_hall.get(f"{feed}?version={version - 1}", headers=NEW).status_code == 200


def test_the_feed_tells_acts_in_plain_words(game: Game, dana: User) -> None:
    event = game.round.event
    seat_all(game)
    call_director(Actor(), game, "renege")
    record_entry(Actor(dana), game, {"entry": "void", "rule": "17"}, source="desk")
    record_entry(Actor(dana), game, MADE_FIVE, source="desk")
    game.refresh_from_db()
    events = [happening[1:] for happening in reversed(happenings(event))]
    assert events[3:] == [
        (None, "Table 1 called the director: renege", "", ""),
        (1, "Void: Wrong number of cards before the bidding", "", ""),
        (1, "Aces: 4 made with 11 books", "Aces +5", ""),
    ]
    sheet_code = game.result.code
    for side, name in enumerate(("Ann 1", "Ann 2")):
        sign_sheet(Actor(device=None), game, side=side, name=name, code=sheet_code)
    newest = happenings(event)[0]
    assert (newest.table, newest.text) == (1, "Signed by both: Aces won, 5–0")


def test_the_feed_tells_a_ruling_once(game: Game, dana: User) -> None:
    rule_sheet = {"entry": "ruling", "rule": "41", "choice": "game", "side": 0, "reason": "Both saw it"}
    apply_ruling(Actor(dana), game, rule_sheet)
    assert [line.text for line in happenings(game.round.event)].count("Renege by Aces: game to Books") == 1


def test_the_feed_tells_that_time_was_called(dana: User) -> None:
    event = make_event("Timed", dana, options={"round_minutes": 40})
    long_ago = timezone.now() - timedelta(hours=3)
    Round.objects.filter(pk=make_round(event, [tuple(make_teams(event, 2))]).pk).update(started_at=long_ago)
    call_time(Actor(dana), event, 1)
    assert happenings(event)[0].text == "Game 1: time called, 1 game still in play"


def test_the_feed_says_the_score_of_the_winner_first(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "1", "books": 9}, MADE_FIVE | {"bidder": 1})
    assert happenings(game.round.event)[0].text == "Signed by both: Books won, 5–3"


def test_the_feed_needs_the_same_few_queries_for_many_tables(dana: User) -> None:
    counts = []
    for name, tables in (("Small Open", 1), ("Large Open", 4)):
        event = make_event(name, dana)
        for game in make_round(event, pairs_of(make_teams(event, 2 * tables))).games.all():
            record_entry(Actor(dana), game, MADE_FIVE, source="desk")
        counts.append(statements_of(partial(happenings, event)))
    assert counts[0] == counts[1]


def test_every_door_leads_to_the_table_that_the_home_page_names(in_the_hall: Client) -> None:
    assert f"Table {TABLE}" in in_the_hall.get("/t/table/").content.decode()
    assert site_settings.DEMO


# The demo's folder: command and folder both have to say that this is the demo.
@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder; what the demo says to the processes that it starts is forgotten again."""
    for name in ("UPTOWN_DEMO", "UPTOWN_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UPTOWN_DATA", str(tmp_path))
    yield tmp_path
    os.environ.pop("UPTOWN_DEMO", None)


def test_the_demo_lives_in_a_folder_of_its_own_and_is_entered_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_folder.enter_demo()
    monkeypatch.setenv("UPTOWN_DATA", str(folder))
    data_folder.enter_demo()
    data_folder.enter_demo()
    assert (data_folder.data_folder(), data_folder.is_demo()) == (folder / "demo", True)
    assert [path.name for path in (folder / "demo").iterdir()] == [data_folder.MARK]


def test_a_clubs_folder_is_refused_and_left_alone(folder: Path) -> None:
    club = folder / "demo"
    club.mkdir()
    (club / "uptown.sqlite3").write_text("a club's evenings")
    with pytest.raises(SystemExit, match="holds a site that is not a demo"):
        data_folder.enter_demo()
    assert [path.name for path in club.iterdir()] == ["uptown.sqlite3"]
    assert (data_folder.data_folder(), data_folder.is_demo()) == (folder, False)


def test_the_demo_is_no_site_on_the_internet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPTOWN_PROFILE", "internet")
    with pytest.raises(SystemExit, match="internet"):
        data_folder.enter_demo()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["1", ""])
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("profile", ["", "internet"])
def test_command_and_folder_both_say_demo(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, marked: bool, profile: str
) -> None:
    monkeypatch.setenv("UPTOWN_DEMO", command)
    monkeypatch.setenv("UPTOWN_PROFILE", profile)
    if marked:
        (folder / data_folder.MARK).touch()
    assert data_folder.is_demo() == (command == "1" and marked and not profile)


@pytest.mark.parametrize("words", [["serve"], ["venue"], ["venue", "--http"], ["restore", "backup.sqlite3"]])
def test_no_club_is_served_from_the_demos_folder(folder: Path, settings: Any, words: list[str]) -> None:
    (folder / data_folder.MARK).touch()
    settings.DATA = folder
    with pytest.raises(SystemExit, match="the demo’s folder"):
        call_command(*words)
    assert [path.name for path in folder.iterdir()] == [data_folder.MARK]


def test_the_command_alone_makes_no_demo(settings: Any) -> None:
    with pytest.raises(CommandError, match="as “manage"):
        call_command("demo")
