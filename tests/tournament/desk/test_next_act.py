"""The next act: one button in the header of every page of the desk, from an empty event to its final places."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from tests.factories import MADE_FIVE, ODD, make_event, make_round, make_teams, page_of, pairs_of, play, signed_in
from tests.sure import fresh, statements_of, sure
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.forms.options import OptionsForm
from tournament.models import Event, Game
from tournament.queries.desk import desk_round
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING, ruleset_of
from tournament.queries.standings import standings
from tournament.queries.todo import needs_of
from tournament.queries.todo_next import next_act
from tournament.services.entries import record_entry
from tournament.services.signatures import sign_for_all

PAIRS = "Aces – Ann / Bo\nBooks – Cy / Di\n"
TABS = ("", "teams/", "draw/", "standings/", "playoffs/", "money/", "rulings/", "tablets/", "papers/", "log/", "setup/")


def shown(client: Client, event: Event, page: str = "") -> str:
    """The text of the header's button, with “→” where it leads to a page."""
    page = page_of(client.get(f"/desk/{event.slug}/{page}"))
    act = page.partition('id="next-act"')[2].partition("</div>")[0]
    if button := re.search(r'<button class="btn primary">([^<]+)</button>', act):
        return button[1]
    if link := re.search(r'<a class="btn primary" href="[^"]+">([^<]+)</a>', act):
        return f"→ {link[1]}"
    words = re.search(r'class="btn waits"[^>]*><span>([^<]+)</span> <span class="muted">([^<]+)<', act)
    return f"{words[1]} {words[2]}" if words else ""


def press(client: Client, event: Event) -> None:
    """Press it: it must be one that does something."""
    act = next_act(fresh(event))
    assert act.posts, act
    assert client.post(act.address).status_code == 302


def play_all(event: Event, dana: User) -> None:
    for game in Game.objects.filter(round__event=event, round__state="running"):
        play(dana, game, MADE_FIVE)


def test_the_button_leads_from_an_empty_event_to_the_final_places(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, movement="swiss")
    client, acts = signed_in(dana), []
    # The end is confirmed with the password; it was typed a moment ago.
    client.post("/sign-in/", {"username": "dana", "password": "a long enough password"})

    def see() -> None:
        acts.append(shown(client, fresh(event), "log/"))

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
    assert acts == [
        "→ Enter the teams",
        "Draw game 1",
        "Start game 1",
        "Close game 1: 1 table to go",
        "Close game 1",
        "Draw game 2",
        "Start game 2",
        "Close game 2: 1 table to go",
        "Close game 2",
        "→ Make the cut",
        "Start final",
        "Close final: 1 table to go",
        "→ Finish the event",
        "→ Final places",
    ]


def test_an_event_without_playoffs_finishes_after_its_last_game(dana: User, desk: Client) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=2)
    played_round(event, [(1, 2, win(0))])
    assert shown(desk, event) == "→ Make the cut"
    desk.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "1", "best_of": "1"})
    assert shown(desk, event) == "→ Finish the event"


@pytest.mark.parametrize(("method", "words"), [("all-play", "Start tie-break, game 2 of 3"), ("lots", "Start final")])
def test_level_teams_at_the_cut_are_the_next_act(dana: User, method: str, words: str, desk: Client) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=6)
    played_round(event, [(number, number + 3, win(0)) for number in (1, 2, 3)])
    desk.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "2", "best_of": "1"})
    assert (shown(desk, event), shown(desk, event, "playoffs/")) == ("→ Break the tie", "")
    desk.post(f"/desk/{event.slug}/playoffs/tiebreak/", {"method": method, "witness": "Vic", "seed": "7"})
    if method == "all-play":
        assert shown(desk, event) == "Finish the tie-break: 3 tables to go"
        play_all(event, dana)
    assert shown(desk, event) == words


def test_an_act_that_cannot_be_done_says_what_is_awaited(dana: User, event: Event, desk: Client) -> None:
    make_teams(event, 1)
    assert shown(desk, event) == "→ Enter the teams"
    Event.objects.update(verify_closing="blocks")
    teams = make_teams(make_event("Other", dana, slug="other", verify_closing="blocks", rounds_planned=1), 2)
    game = make_round(teams[0].event, [tuple(teams)]).games.get()
    for facts in (MADE_FIVE, MADE_FIVE):
        if game.state == "playing":
            record_entry(Actor(dana), game, facts, source="paper")
            game.refresh_from_db()
    play(dana, game)
    assert shown(desk, teams[0].event) == "Close game 1: 1 sheet to verify"


def test_a_game_opened_by_a_correction_holds_the_cut_up(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    Game.objects.filter(table=2).update(state="to-sign")
    act = next_act(event)
    assert (act.words, act.waits, act.posts) == ("Make the cut", "game 1, table 2, is not signed", False)


def test_draw_by_hand_and_a_field_that_is_too_small(dana: User, desk: Client) -> None:
    event = make_event(director=dana, movement="by-hand", teams=2)
    assert shown(desk, event) == "→ Seat game 1"
    make_round(event, [tuple(event.teams.all())], state="closed")
    Event.objects.update(stage="playing", movement="swiss")
    event.teams.filter(number=2).update(status="left", left_after=1)
    assert shown(desk, event) == "Draw game 2: At least 2 teams are needed; 1 can be drawn."


def test_the_next_act_stands_on_every_page_of_whoever_may_do_it_and_is_the_only_one(
    event: Event, desk: Client, vic: User
) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    assert ({shown(desk, event, tab) for tab in TABS}, shown(signed_in(vic), event)) == ({"Start game 1"}, "")
    page = desk.get(f"/desk/{event.slug}/").content.decode()
    assert page.count("Start game 1") == 1
    assert page.index("Print or tablets") < page.index("Start game 1")
    assert "Print or tablets" not in desk.get(f"/desk/{event.slug}/papers/").content.decode()


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
        event = make_event(f"Open {count}", dana, rounds_planned=1, teams=count)
        if stage != "setup":
            played_round(event, [(number, number + 1, win(0)) for number in range(1, count, 2)])
        if stage == "playoffs":
            Event.objects.filter(pk=event.pk).update(stage="playoffs", cut=2)
        counted.append(statements_of(partial(next_act, Event.objects.get(pk=event.pk))))
    assert counted[0] == counted[1] <= 16, counted


# What waits for the director, also where a table writes while the desk is being read.
def test_a_last_signature_between_two_statements_leaves_nobody_to_name(dana: User, game: Game) -> None:
    """The game is read as it waits for signatures; before these are read, both are there."""
    play(dana, game, ODD, sign=False)
    event, signed = game.round.event, False

    def sign_first(execute: Callable[..., Any], sql: str, *asked: Any) -> Any:
        nonlocal signed
        if 'FROM "tournament_signature"' in sql and not signed:
            signed = True
            sign_for_all(Actor(dana), Game.objects.get(pk=game.pk), "both captains agreed")
        return execute(sql, *asked)

    with connection.execute_wrapper(sign_first):
        desk = desk_round(event)
    assert desk is not None and signed
    assert [(card.state, card.unsigned) for card in desk.tables] == [("to-sign", ())]
    assert "Not signed yet" not in " ".join(need.text for need in needs_of(event, desk, ruleset_of(event)))


# Order at the desk and in the hall: ties that matter, options in words, the projector's pages, names of tabs.
TOKENS = Path(__file__).parents[3] / "tournament/static/tournament/css/tokens.css"


def explained(event: Event) -> list[tuple[str, str]]:
    """The lines of the standings under which a tie is explained, with the words that open it."""
    rows = re.findall(r'<tr[^>]*id="team-.*?</tr>', Client().get(f"/e/{event.slug}/").content.decode(), re.DOTALL)
    buttons = [
        (re.search(r'href="[^"]*">([^<]+)</a>', row), re.search(r"<summary>([^<]+)</summary>", row)) for row in rows
    ]
    return [(name[1], why[1]) for name, why in buttons if name and why]


def test_a_tie_that_points_part_is_explained_only_at_the_cut(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, cut=3, teams=8)
    played_round(event, [(1, 2, win(0, 9)), (3, 4, win(0, 8)), (5, 6, win(0, 7)), (7, 8, win(0, 6))])
    order = [line.team for line in standings(event).lines[:4]]
    assert {name for name, _ in explained(event)} & set(order[:2]) == set()
    assert [team for team in explained(event) if team[0] in order[2:4]] == [
        (order[2], "tied: why"),
        (order[3], "tied: why"),
    ]


def test_shared_places_are_explained(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=4)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 7))])
    shared = [line.team for line in standings(event).lines if line.label.endswith("=")]
    assert explained(event) == [(name, "shared: why") for name in shared] and len(shared) > 1


def test_nobody_plays_off_for_a_place_that_decides_nothing(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, cut=2, teams=8)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 6)), (5, 6, win(0, 6)), (7, 8, win(0, 5))])
    endings = {
        line.number: [text.rpartition("still tied: ")[2] for text in line.ties] for line in standings(event).lines
    }
    assert endings[3][-1:] == endings[5][:1] == ["a one-game playoff decides."]
    assert {endings[number][-1] for number in (2, 4, 6, 8)} == {"they share the place."}


def test_the_round_clock_stands_first_among_the_options(event: Event) -> None:
    title, lines = OptionsForm(event).groups()[0]
    assert (title, {line.field.name for line in lines}) == ("Time", {"round_minutes", "grace_minutes"})


def test_options_of_a_started_event_are_words_and_no_fields(event: Event, game: Game, dana: User) -> None:
    page = signed_in(dana).get(f"/desk/{event.slug}/setup/options/").content.decode()
    assert 'name="option-win_at"' not in page and 'name="option-round_minutes"' in page
    assert re.search(r"A side wins at</span> <b>5 points</b>", page)


def test_the_projector_has_every_team_in_one_section(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, teams=60)
    played_round(event, [(1, 2, win(0, 7))], byes=range(3, 61))
    slides = board(event, standings(event), EVERYTHING).slides
    assert [(slide.kind, len(slide.lines)) for slide in slides] == [("main", 60)]


def test_the_projector_says_what_the_star_means(client: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, teams=4)
    boston = [{"entry": "hand", "bidder": 0, "seat": 0, "bid": "6", "books": 13}]
    played_round(event, [(1, 2, boston), (3, 4, win(0, 7))])
    page = client.get(f"/e/{event.slug}/board/").content.decode()
    assert '<span class="legend"><b class="boston">★</b> Boston</span>' in page


def test_the_public_tab_of_the_charts_says_charts(dana: User, event: Event) -> None:
    page = signed_in(dana).get(f"/e/{event.slug}/pictures/").content.decode()
    assert ">Stats</a>" in page and "<h2>Stats</h2>" in page and "Pictures" not in page


def test_paper_card_and_notice_are_apart_in_the_dark() -> None:
    dark = TOKENS.read_text(encoding="utf-8").split("prefers-color-scheme: dark")[1].split("[data-theme")[1]
    light = {name: luminance(sure(re.search(rf"--{name}: (#\w+)", dark))[1]) for name in ("paper", "card", "felt-soft")}
    ratios = [contrast(light["paper"], light["card"]), contrast(light["card"], light["felt-soft"])]
    assert min(ratios) > 1.2, ratios


def luminance(colour: str) -> float:
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


LABELLED = re.compile(r"<(a|button)\b[^>]*aria-label=\"([^\"]+)\"[^>]*>(.*?)</\1>", re.DOTALL)


def test_what_is_spoken_holds_the_words_that_are_read(event: Event, dana: User) -> None:
    Event.objects.update(fee_cents=1000, pot_cents=500)
    make_round(event, pairs_of(make_teams(event, 4)))
    event.teams.filter(number=1).update(paid=False)
    desk, wrong = signed_in(dana), []
    for page in ("", "teams/", "money/", "verify/", "tablets/", "setup/", "papers/", "standings/", "playoffs/", "log/"):
        for _, spoken, inner in LABELLED.findall(page_of(desk.get(f"/desk/{event.slug}/{page}"))):
            read = " ".join(re.sub(r"<[^>]+>", " ", inner).split())
            if read.casefold() not in spoken.casefold():
                wrong.append((page, read, spoken))
    assert wrong == []
