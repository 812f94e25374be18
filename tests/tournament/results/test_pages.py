"""The pages that show results: what they say, what they hide, what they cost, and that nothing breaks them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_teams, page_of, signed_in, words_of
from tests.public import OF_ANY_EVENT
from tests.quick import remembered
from tests.sure import fresh, statements_of, sure
from tests.tournament.results.evenings import played_round, round_robin, win
from tournament.models import Event, Game, Team
from tournament.pairing.bracket import Form

DESK = ["desk-standings", "desk-pot", "desk-playoffs"]
BAD_QUERIES = [
    "page=abc", "page=-1", "page=0", "page=99999999999999999999", "per_page=-1", "per_page=0", "per_page=1000000000",
    "per_page=abc", "sort=nothing", "sort=-marks", "sort=", "sort=" + "x" * 500, "sort=won&sort=-team", "round=-1",
    "round=99999999999", "round=abc", "page=%00", "sort=%00", "version=abc", "round=%D9%A3", "page=%C2%B2",
]  # fmt: skip


@pytest.fixture
@remembered
def played(dana: User) -> Event:
    """Four teams, everybody against everybody, Aces best; the top two go on."""
    event = make_event(director=dana, rounds_planned=3, cut=2, pot_cents=1000, teams=4)
    round_robin(event, [1, 2, 3, 4])
    return event


def poll(client: Client, url: str) -> Any:
    return client.get(url, headers={"HX-Request": "true"})


@pytest.mark.parametrize("name", OF_ANY_EVENT)
@pytest.mark.parametrize("teams", [0, 2, 5])
def test_public_pages_of_any_event_are_shown_to_everybody(client: Client, dana: User, name: str, teams: int) -> None:
    event = make_event(director=dana, teams=teams)
    # Until a round is drawn, to those who set it up.
    assert signed_in(dana).get(reverse(name, args=[event.slug])).status_code == 200
    if teams > 1:
        played_round(event, [(1, 2, win(0, 7))], byes=range(3, teams + 1))
        assert client.get(reverse(name, args=[event.slug])).status_code == 200


@pytest.mark.parametrize("query", BAD_QUERIES)
@pytest.mark.parametrize("name", ["standings", "schedule", "teams"])
def test_bad_parameters_change_nothing(client: Client, played: Event, name: str, query: str) -> None:
    assert client.get(f"{reverse(name, args=[played.slug])}?{query}").status_code == 200


def test_standings_page_explains_a_tie_and_says_who_goes_on(client: Client, played: Event) -> None:
    words = words_of(client.get(reverse("standings", args=[played.slug])))
    assert "2 advance; nobody is tied at the cut." in words
    assert "after 3 of 3 games" in words
    assert '<span class="wide">In</span>' in client.get(reverse("standings", args=[played.slug])).content.decode()


@pytest.mark.parametrize(
    ("sheet", "options", "shown"),
    [
        ("spades/standard", {}, (False, False)),
        ("spades/standard", {"boston_counts": True}, (True, True)),
        ("bid_whist/no-kitty-2021", {}, (True, True)),
    ],
)
@pytest.mark.parametrize("name", ["standings", "desk-standings"])
def test_standings_speak_of_bostons_only_where_the_sheet_counts_them(
    desk: Client, dana: User, name: str, sheet: str, options: dict[str, bool], shown: tuple[bool, bool]
) -> None:
    event = make_event(director=dana, sheet=sheet, options=options, teams=4)
    page = desk.get(reverse(name, args=[event.slug])).content.decode()
    assert (">Bostons<" in page, "★</b> Boston" in page) == shown


def test_standings_page_sorts_by_a_column_and_says_so(client: Client, played: Event) -> None:
    page = client.get(reverse("standings", args=[played.slug]) + "?sort=-number").content.decode()
    assert page.index("team-4") < page.index("team-1")
    assert 'aria-sort="descending"' in page


@pytest.mark.parametrize("name", ["standings", "schedule", "bracket", "board"])
def test_a_poll_is_answered_with_204_until_something_is_new(client: Client, played: Event, name: str) -> None:
    url = reverse(name, args=[played.slug])
    assert poll(client, f"{url}?version={played.public_version}").status_code == 204
    answer = poll(client, f"{url}?version={played.public_version - 1}")
    assert (answer.status_code, "<html" in answer.content.decode()) == (200, False)


def test_schedule_shows_the_round_that_is_asked_for(client: Client, played: Event) -> None:
    assert "Game 2 Closed" in words_of(client.get(reverse("schedule", args=[played.slug]) + "?round=2"))


def test_a_running_game_shows_no_score_anywhere(client: Client, dana: User) -> None:
    event = make_event(director=dana, teams=2)
    half = [{"entry": "hand", "bidder": 0, "bid": "3", "books": 9}]
    game = played_round(event, [(1, 2, half)], state="running").games.get()
    page = words_of(client.get(reverse("public-game", args=[event.slug, game.pk])))
    assert "The sheet is shown when every side has signed it" in page
    assert "3 made" not in page
    for name in ["standings", "schedule", "board"]:
        assert "3 made" not in words_of(client.get(reverse(name, args=[event.slug])))


def test_a_final_sheet_shows_every_hand_with_its_reason(client: Client, played: Event) -> None:
    game = sure(Game.objects.filter(round__number=1).first())
    page = words_of(client.get(reverse("public-game", args=[played.slug, game.pk])))
    assert [
        words for words in ("Bid Books Aces Eagles 1 4 Aces 11 +5 5 0", "over six · rule 4") if words not in page
    ] == []


# What tells of a result: a Boston, game points, a place, a bid that was made.
TELLS = re.compile(r'★|class="gamepts"|class="place">[2-9]|row-made')


@pytest.mark.parametrize(
    ("option", "state", "hidden"),
    [
        ("live", "closed", False),
        ("after-round", "closed", False),
        ("after-stage", "closed", True),
        ("at-end", "closed", True),
        ("live", "running", False),
        ("after-round", "running", True),
    ],
)
def test_visibility_holds_on_every_channel(client: Client, dana: User, option: str, state: str, hidden: bool) -> None:
    options = {"standings_visible": option}
    event = make_event(director=dana, rounds_planned=3, pot_cents=1000, options=options, teams=4)
    round_ = played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0) if state == "closed" else [])], state=state)
    pages = [reverse(name, args=[event.slug]) for name in ("standings", "schedule", "board", "teams")]
    pages += [reverse("team", args=[event.slug, 1])]
    pages += [reverse("public-game", args=[event.slug, round_.games.get(table=1).pk])]
    for page in pages:
        text = client.get(page).text
        if state == "running":
            text = re.sub(r'<p class="legend.*?</p>', "", text, flags=re.DOTALL)
        assert (TELLS.search(text) is None) is hidden, page


def test_the_board_shows_an_official_no_more_than_the_hall(desk: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, options={"standings_visible": "at-end"}, teams=2)
    played_round(event, [(1, 2, win(0, 7))])
    assert "shown at the end of the event" in words_of(desk.get(reverse("board", args=[event.slug])))
    assert "★" in desk.get(reverse("desk-standings", args=[event.slug])).content.decode()


@pytest.mark.parametrize(("sheet", "counted"), [("okinawa/standard", False), ("bid_whist/standard", True)])
def test_a_team_page_counts_bostons_where_its_game_has_them(
    client: Client, dana: User, sheet: str, counted: bool
) -> None:
    event = make_event(director=dana, sheet=sheet, teams=2)
    played_round(event, [(1, 2, [{"entry": "award", "rule": "late", "to": 0}])])
    page = words_of(client.get(reverse("team", args=[event.slug, 1])))
    assert "Won 1 of 1" in page and ("Bostons" in page) is counted


def test_a_team_page_says_where_it_sits_next_and_shows_its_bye(client: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, teams=3)
    played_round(event, [(1, 2, win(0))], byes=[3])
    played_round(event, [(2, 3, [])], byes=[1], state="planned")
    assert "Next · Game 2 Table 1 against 3 Night Owls" in words_of(client.get(reverse("team", args=[event.slug, 2])))
    assert "Next · Game 2 Bye" in words_of(client.get(reverse("team", args=[event.slug, 1])))
    assert "You sit this one out" in words_of(client.get(reverse("team", args=[event.slug, 3])))


def test_a_team_that_is_not_there_is_not_found(client: Client, played: Event) -> None:
    for number in ("9", "99999999999999999999"):
        assert client.get(f"/e/{played.slug}/teams/{number}/").status_code == 404
    assert client.get(f"/e/{played.slug}/games/99999999999999999999999/").status_code == 404


@pytest.mark.parametrize(("text", "number"), [("2", 2), ("books", 2), ("Ann 3", 3), ("²", 2), ("", None)])
def test_search_goes_to_the_one_team_that_is_meant(
    client: Client, played: Event, text: str, number: int | None
) -> None:
    answer = client.get(reverse("search", args=[played.slug]), {"team": text})
    wanted = reverse("team", args=[played.slug, number]) if number else reverse("teams", args=[played.slug])
    assert (answer.status_code, answer["Location"]) == (302, wanted)


@pytest.mark.parametrize(
    ("text", "numbers", "sentence"),
    [
        ("IDA", [1, 3, 4], "3 teams for “IDA”"),
        ("bea", [1, 2, 3, 4], "4 teams for “bea”"),
        ("nobody", [], "Nothing found for “nobody”"),
        ("99", [], "Nothing found for “99”"),
        ("<b>", [], "Nothing found for “<b>”"),
    ],
)
def test_search_lists_everybody_who_is_meant_and_keeps_the_word(
    client: Client, event: Event, text: str, numbers: list[int], sentence: str
) -> None:
    teams = make_teams(event, 4)
    for team, name in zip((0, 2, 3), ("Ida Lee", "Frida Oz", "Ida Poe"), strict=True):
        teams[team].players.filter(position=0).update(name=name)
    played_round(event, [(1, 2, [])], byes=[3], state="running")
    teams[3].status = "left"
    teams[3].save()
    answer = client.get(reverse("search", args=[event.slug]), {"team": text})
    looked = answer.context["teams"]
    where = {1: ("Table 1", "Game 1", ""), 2: ("Table 1", "Game 1", ""), 3: ("Bye", "Game 1", ""), 4: ("", "", "Left")}
    assert [(team.number, team.place, team.round, team.status) for team in looked] == [
        (number, *where[number]) for number in numbers
    ]
    page = page_of(answer)
    assert (answer.status_code, f">{sentence}<" in page, f'value="{text}"' in page) == (200, True, True)


@pytest.mark.parametrize("name", ["standings", "schedule", "teams", "bracket", "board"])
def test_pages_take_as_many_queries_for_2_teams_as_for_30(client: Client, dana: User, name: str) -> None:
    for teams in (2, 30):
        event = make_event(f"Open {teams}", director=dana, rounds_planned=1, cut=2, teams=teams)
        played_round(event, [(number, number + 1, win(0)) for number in range(1, teams, 2)])
    few, many = (reverse(name, args=[f"open-{teams}"]) for teams in (2, 30))
    assert statements_of(lambda: client.get(few)) == statements_of(lambda: client.get(many))


def test_the_pot_page_says_what_of_it_is_paid_and_what_is_owed(desk: Client, played: Event) -> None:
    page = reverse("desk-pot", args=[played.slug])
    assert "owed" not in words_of(desk.get(page))
    Team.objects.create(event=played, number=5, name="Late Entry", key="late entry", in_pot=True)
    assert "$50 $40 paid, $10 owed" in words_of(desk.get(page))
    assert "Pot taken so far $40" in words_of(desk.get(reverse("desk-money", args=[played.slug])))


def test_an_event_without_a_pot_has_no_tab_for_it(desk: Client, dana: User, played: Event) -> None:
    event = make_event("No Pot", director=dana)
    tabs = [words_of(desk.get(reverse("desk", args=[one.slug]))) for one in (played, event)]
    assert ["Boston pot" in text for text in tabs] == [True, False]
    assert "This event has no Boston pot. Add one under Setup ." in words_of(
        desk.get(reverse("desk-pot", args=[event.slug]))
    )


def test_the_board_says_what_its_clock_shows(client: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, teams=2)
    assert "Time of day" in words_of(signed_in(dana).get(reverse("board", args=[event.slug])))
    played_round(event, [(1, 2, [])], state="running")
    assert "Played" in words_of(client.get(reverse("board", args=[event.slug])))


def test_the_cut_is_made_at_the_desk(desk: Client, played: Event) -> None:
    url = reverse("cut", args=[played.slug])
    for size, sentence in (("9", "From 1 to 4 can advance"), ("", "How many advance?"), ("x", "whole number")):
        answer = desk.post(url, {"size": size, "best_of": "1"})
        assert (answer.status_code, sentence in words_of(answer)) == (422, True)
    answer = desk.post(url, {"size": "4", "best_of": "3", "losers": "places-4"})
    assert (answer.status_code, answer["Location"]) == (302, reverse("desk-playoffs", args=[played.slug]))
    assert (fresh(played).stage, played.cut, played.best_of, played.playoff_form) == (
        "playoffs",
        4,
        3,
        Form("places", 4),
    )


def test_the_champion_stands_on_every_page_and_an_open_screen_hears_of_it(desk: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=4)
    round_robin(event, [2, 1, 3, 4])
    page = reverse("standings", args=[event.slug])
    code = sure(re.search(r"version=\w*-([\w-]+)", desk.get(page).content.decode()))[1]
    shown = {"version": f"0-{code}"}
    news = {"HX-Request": "true"}
    assert desk.get(page, shown, headers=news).status_code == 204
    desk.post(reverse("cut", args=[event.slug]), {"size": "1", "best_of": "1"})
    assert desk.post(reverse("ending", args=[event.slug])).status_code == 302
    assert event.journal.get(action="finish").text == "Finished. Champions: Books"
    answer = desk.get(page, shown, headers=news)
    assert (answer.status_code, "Champions ★ Books" in words_of(answer)) == (200, True)
    for name, words in (("board", "Champions ★ Books"), ("desk-playoffs", "Champions: Books")):
        assert words in words_of(desk.get(reverse(name, args=[event.slug])))


def test_after_a_bye_the_team_looks_ahead_to_the_next_game(client: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3, teams=3)
    played_round(event, [(1, 2, win(0))], byes=[3])
    played_round(event, [(1, 3, win(0))], byes=[2])
    played_round(event, [(2, 3, [])], state="planned", byes=[1])
    for number in (2, 3):
        assert client.get(reverse("team", args=[event.slug, number])).context["facts"].next.round.number == 3
