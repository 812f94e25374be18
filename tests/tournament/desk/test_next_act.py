"""The next act: one button in the header of every page of the desk, from an empty event to its final places."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play
from tests.pages import signed_in
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.checklist import next_act
from tournament.services.entries import record_entry

PAIRS = "Aces – Ann / Bo\nBooks – Cy / Di\n"
TABS = ("", "teams/", "draw/", "standings/", "playoffs/", "money/", "rulings/", "tablets/", "papers/", "log/", "setup/")


def shown(client: Client, event: Event, page: str = "") -> str:
    """The text of the header's button, with “→” where it leads to a page."""
    page = html.unescape(client.get(f"/desk/{event.slug}/{page}").content.decode())
    act = page.partition('id="next-act"')[2].partition("</div>")[0]
    if button := re.search(r'<button class="btn primary">([^<]+)</button>', act):
        return button[1]
    if link := re.search(r'<a class="btn primary" href="[^"]+">([^<]+)</a>', act):
        return f"→ {link[1]}"
    words = re.search(r'class="btn waits"[^>]*><span>([^<]+)</span> <span class="muted">([^<]+)<', act)
    return f"{words[1]} {words[2]}" if words else ""


def press(client: Client, event: Event) -> None:
    """Press it: it must be one that does something."""
    event.refresh_from_db()
    act = next_act(event)
    assert act.posts, act
    assert client.post(act.address).status_code == 302


def play_all(event: Event, dana: User) -> None:
    for game in Game.objects.filter(round__event=event, round__state="running"):
        play(dana, game, MADE_FIVE)


def test_the_button_leads_from_an_empty_event_to_the_final_places(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, movement="swiss")
    client, said = signed_in(dana), []
    # The end is confirmed with the password; it was typed a moment ago.
    client.post("/sign-in/", {"username": "dana", "password": "a long enough password"})

    def see() -> None:
        event.refresh_from_db()
        said.append(shown(client, event, "log/"))

    see()
    client.post(f"/desk/{event.slug}/roster/", {"text": PAIRS, "accept": "yes"})
    for _ in range(2):
        see()
        press(client, event)
        see()
        press(client, event)
        see()
        play_all(event, dana)
        see()
        press(client, event)
    see()
    client.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "2", "best_of": "1"})
    see()
    press(client, event)
    see()
    play_all(event, dana)
    press(client, event)
    see()
    client.post(f"/desk/{event.slug}/playoffs/end/")
    see()
    assert said == [
        "→ Enter the teams",
        "Draw round 1",
        "Start game 1",
        "Close game 1: 1 table to go",
        "Close game 1",
        "Draw round 2",
        "Start game 2",
        "Close game 2: 1 table to go",
        "Close game 2",
        "→ Make the cut",
        "Start final",
        "Close final: 1 table to go",
        "→ Finish the event",
        "→ Final places",
    ]


def test_an_event_without_playoffs_finishes_after_its_last_game(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 2)
    played_round(event, [(1, 2, win(0))])
    client = signed_in(dana)
    assert shown(client, event) == "→ Make the cut"
    client.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "1", "best_of": "1"})
    assert shown(client, event) == "→ Finish the event"


@pytest.mark.parametrize(("method", "words"), [("all-play", "Start tie-break, game 2 of 3"), ("lots", "Start final")])
def test_level_teams_at_the_cut_are_the_next_act(dana: User, method: str, words: str) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 6)
    played_round(event, [(one, one + 3, win(0)) for one in (1, 2, 3)])
    client = signed_in(dana)
    client.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "2", "best_of": "1"})
    assert (shown(client, event), shown(client, event, "playoffs/")) == ("→ Break the tie", "")
    client.post(f"/desk/{event.slug}/playoffs/tiebreak/", {"method": method, "witness": "Vic", "seed": "7"})
    if method == "all-play":
        assert shown(client, event) == "Finish the tie-break: 3 tables to go"
        play_all(event, dana)
    assert shown(client, event) == words


def test_an_act_that_cannot_be_done_says_what_is_awaited(dana: User, event: Event) -> None:
    client = signed_in(dana)
    make_teams(event, 1)
    assert shown(client, event) == "→ Enter the teams"
    Event.objects.update(verify_closing="blocks")
    teams = make_teams(make_event("Other", dana, slug="other", verify_closing="blocks", rounds_planned=1), 2)
    game = make_round(teams[0].event, [tuple(teams)]).games.get()
    for facts in (MADE_FIVE, MADE_FIVE):
        if game.state == "playing":
            record_entry(Actor(dana), game, facts, source="paper")
            game.refresh_from_db()
    play(dana, game)
    assert shown(client, teams[0].event) == "Close game 1: 1 sheet to verify"


def test_a_game_opened_by_a_correction_holds_the_cut_up(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    Game.objects.filter(table=2).update(state="to-sign")
    act = next_act(event)
    assert (act.words, act.waits, act.posts) == ("Make the cut", "game 1, table 2, is not signed", False)


def test_draw_by_hand_and_a_field_that_is_too_small(dana: User) -> None:
    event = make_event(director=dana, movement="by-hand")
    make_teams(event, 2)
    client = signed_in(dana)
    assert shown(client, event) == "→ Seat round 1"
    make_round(event, [tuple(event.teams.all())], state="closed")
    Event.objects.update(stage="playing", movement="swiss")
    event.teams.filter(number=2).update(status="left", left_after=1)
    assert shown(client, event) == "Draw round 2: At least 2 teams are needed; 1 can be drawn."


def test_the_next_act_stands_on_every_page_of_the_desk_and_is_the_only_one(dana: User, event: Event) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    client = signed_in(dana)
    assert {shown(client, event, tab) for tab in TABS} == {"Start game 1"}
    page = client.get(f"/desk/{event.slug}/").content.decode()
    assert page.count("Start game 1") == 1
    assert page.index("Print or tablets") < page.index("Start game 1")
    assert "Print or tablets" not in client.get(f"/desk/{event.slug}/papers/").content.decode()


def test_only_who_may_do_it_sees_the_button(dana: User, event: Event, vic: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    assert [shown(signed_in(user), event) for user in (dana, vic)] == ["Start game 1", ""]


def test_the_button_asks_for_news_and_hears_nothing_new(dana: User, game: Game) -> None:
    client, event = signed_in(dana), game.round.event
    asked = [
        client.get(f"/desk/{event.slug}/next-act/?version={version}", headers={"HX-Request": "true"}).status_code
        for version in (event.version, event.version + 1)
    ]
    assert asked == [204, 200]


@pytest.mark.parametrize("stage", ["setup", "playing", "playoffs"])
def test_the_next_act_costs_the_same_for_few_and_for_many(dana: User, stage: str) -> None:
    counted = []
    for count in (2, 24):
        event = make_event(f"Open {count}", dana, rounds_planned=1)
        make_teams(event, count)
        if stage != "setup":
            played_round(event, [(one, one + 1, win(0)) for one in range(1, count, 2)])
        if stage == "playoffs":
            Event.objects.filter(pk=event.pk).update(stage="playoffs", cut=2)
        event = Event.objects.get(pk=event.pk)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            next_act(event)
        counted.append(len(queries))
    assert counted[0] == counted[1] <= 16, counted
