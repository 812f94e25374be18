"""Rounds open, run and close; the first start pins the rule sheet."""

from __future__ import annotations

import html
import threading
import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection

from tests.factories import MADE_FIVE, begin, make_event, make_round, make_teams, make_user, page_of, play, signed_in
from tests.tournament.setup.test_events import fields
from tournament.access import Actor
from tournament.forms.event import EventForm
from tournament.models import Event, Game, Journal, Team
from tournament.queries.events import blank_event, event_fields
from tournament.refusals import Changed, Invalid, Refusal
from tournament.services.draws import draw_rounds
from tournament.services.rounds import close_round, start_round
from tournament.services.teams import withdraw_team


def test_start_round_opens_every_table_and_pins_the_sheet(event: Event, dana: User) -> None:
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    started = start_round(Actor(dana), event, 1)
    event.refresh_from_db()
    assert (started.state, event.stage, event.frozen_at is not None) == ("running", "playing", True)
    assert set(started.games.values_list("state", flat=True)) == {"playing"}
    assert [game.result.scores for game in started.games.all()] == [[0, 0], [0, 0]]
    assert list(Journal.objects.values_list("action", flat=True))[:2] == ["start", "freeze"]


def test_start_round_with_something_missing_says_what(event: Event, dana: User) -> None:
    aces, books, _ = make_teams(event, 3)
    make_round(event, [(aces, books)], state="planned")
    answer = signed_in(dana).post(f"/desk/{event.slug}/rounds/1/start/")
    assert answer.status_code == 422
    assert "Not in round 1: Night Owls. Draw again." in answer.content.decode()
    event.refresh_from_db()
    assert (event.stage, event.frozen_at) == ("setup", None)


def test_start_round_out_of_turn_is_refused(event: Event, dana: User) -> None:
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    with pytest.raises(Changed, match="Game 1 comes first"):
        start_round(Actor(dana), event, 2)
    start_round(Actor(dana), event, 1)
    with pytest.raises(Changed, match="Game 1 was already started"):
        start_round(Actor(dana), event, 1)
    with pytest.raises(Changed, match="Game 1 is still in play"):
        start_round(Actor(dana), event, 2)
    with pytest.raises(Changed, match="Round 9 was drawn again"):
        start_round(Actor(dana), event, 9)


def test_close_round_names_every_table_that_is_missing_and_why(event: Event, dana: User) -> None:
    aces, books, owls, eagles, deck, rollers = make_teams(event, 6)
    round_ = make_round(event, [(aces, books), (owls, eagles), (deck, rollers)])
    first, second, third = round_.games.all()
    play(dana, first, MADE_FIVE)
    play(dana, second, MADE_FIVE, sign=False)
    play(dana, third, {"entry": "hand", "bidder": 0, "bid": "3", "books": 9})
    answer = signed_in(dana).post(f"/desk/{event.slug}/rounds/1/closure/")
    assert answer.status_code == 422
    page = html.unescape(answer.content.decode())
    assert "Table 2: no signature yet from Night Owls and Eagles." in page
    assert "Table 3: still playing, 1 hand so far (Full Deck – High Rollers)." in page
    assert "Table 1" not in page
    round_.refresh_from_db()
    assert round_.state == "running"


def test_close_round_when_every_game_is_final(event: Event, dana: User) -> None:
    round_ = make_round(event, [tuple(make_teams(event, 2))])
    play(dana, round_.games.get(), MADE_FIVE)
    assert signed_in(dana).post(f"/desk/{event.slug}/rounds/1/closure/").status_code == 302
    round_.refresh_from_db()
    assert (round_.state, round_.closed_at is not None) == ("closed", True)
    with pytest.raises(Changed, match="closed already"):
        close_round(Actor(dana), event, 1)


def test_games_of_a_team_that_left_go_to_its_opponents(event: Event, dana: User) -> None:
    make_teams(event, 4)
    draw_rounds(Actor(dana), event, by_number=True)
    start_round(Actor(dana), event, 1)
    for game in Game.objects.filter(round__number=1):
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, 1)
    withdraw_team(Actor(dana), event, 2, 1)
    round_ = start_round(Actor(dana), event, 2)
    given = round_.games.get(sides__team__number=2)
    here = next(side.index for side in given.sides.all() if side.team.number != 2)
    assert (given.state, given.result.winner, given.result.how, given.result.rule) == ("final", here, "forfeit", "46")
    assert round_.games.exclude(pk=given.pk).get().state == "playing"


def test_a_team_that_leaves_later_still_plays_this_round(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    withdraw_team(Actor(dana), event, 2, 1)
    begin(event)
    assert start_round(Actor(dana), event, 1).games.get().state == "playing"


@pytest.mark.django_db(transaction=True)
def test_two_desks_that_start_at_once_start_once() -> None:
    dana = make_user("dana")
    event = make_event(director=dana)
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def press() -> None:
        gate.wait()
        while True:
            try:
                start_round(Actor(dana), event, 1)
                outcomes.append("started")
            except OperationalError:
                # The tests' database lies in memory and does not queue: the site says “busy”, the desk presses again.
                time.sleep(0.01)
                continue
            except Refusal as refusal:
                outcomes.append(type(refusal).__name__)
            break
        connection.close()

    desks = [threading.Thread(target=press) for _ in range(2)]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()
    assert sorted(outcomes) == ["Changed", "started"]
    assert Journal.objects.filter(action="start").count() == 1


def test_loading_the_address_of_a_form_answers_with_a_page_not_an_empty_error(event: Event, dana: User) -> None:
    answer = signed_in(dana).get(f"/desk/{event.slug}/rounds/1/closure/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address only takes what a page sends." in answer.content.decode()


def test_start_round_without_tables_is_refused(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="closed")
    make_round(event, [], number=2, state="planned")
    with pytest.raises(Invalid, match="has no tables yet"):
        start_round(Actor(dana), event, 2)


# A new event on one screen: its list, its game's own questions, and the draw in one press; all of it or nothing.
LIST = "1. Night Owls – Nell Gaines / Otis Reed\nKitty Free: Ida Walsh, Bo Carter\nJohn Smith & Mary Jones\n"


def send(user: User, **said: Any) -> Any:
    return signed_in(user).post("/new/", fields(**said))


def asked(sheet: str) -> set[str]:
    return set(EventForm(initial=event_fields(blank_event()) | {"sheet": sheet}).fields)


def test_one_press_makes_event_teams_and_draw(otis: User) -> None:
    answer = send(otis, text=LIST, draw="yes", rounds_planned="3", verify_own="on")
    assert (answer.status_code, answer["Location"]) == (302, "/desk/autumn-open/")
    event = Event.objects.get()
    assert list(Team.objects.values_list("number", "name")) == [
        (1, "Night Owls"),
        (2, "Kitty Free"),
        (3, "Smith & Jones"),
    ]
    assert (event.rounds.count(), Game.objects.count(), event.verify_own, event.stage) == (3, 3, True, "setup")


def test_set_up_only_leaves_teams_and_draw_for_later(otis: User) -> None:
    assert send(otis, text=LIST)["Location"] == "/desk/autumn-open/setup/"
    assert (Team.objects.count(), Event.objects.get().rounds.count()) == (3, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "At least 2 teams are needed; none can be drawn."),
        ("Owls – Ann Lee / Bo Day", "At least 2 teams are needed; 1 can be drawn."),
        ("Owls – Ann / Bo\nOWLS – Cy / Di", "Row 2, column Team: “OWLS” is used twice (rows 1 and 2)."),
        ('"Owls, Ann, Bo\nEagles, Cy, Di', "Row 1: a quotation mark is not closed."),
        ("\n".join(f"{'x' * 41} {place}" for place in range(500)), "Row 500, column Team: At most 40 characters"),
    ],
    ids=["nobody", "one team", "a name twice", "half a quote", "500 lines of nonsense"],
)
def test_a_list_that_cannot_be_drawn_stores_nothing_and_keeps_what_was_typed(
    otis: User, text: str, sentence: str
) -> None:
    answer = send(otis, text=text, draw="yes")
    page = page_of(answer)
    assert (answer.status_code, sentence in page, "Elks Lodge" in page) == (422, True, True)
    assert text[:20] in page
    assert not Event.objects.exists()


def test_500_teams_are_set_up_and_drawn(otis: User) -> None:
    text = "\n".join(f"{place}. Team {place}x – Ann{place} Lee / Bo{place} Day" for place in range(1, 501))
    assert send(otis, text=text.replace("x", "th"), draw="yes", rounds_planned="2").status_code == 302
    assert (Team.objects.count(), Game.objects.count()) == (500, 500)


def test_checking_the_list_without_scripts_stores_nothing(otis: User) -> None:
    answer = send(otis, text=LIST, check="yes", name="")
    page = page_of(answer)
    assert (answer.status_code, "3 teams, 6 players read" in page, "1 guessed" in page) == (200, True, True)
    assert not Event.objects.exists()


def test_a_file_is_shown_before_anything_is_done_with_it(otis: User) -> None:
    file = SimpleUploadedFile("teams.csv", LIST.encode())
    answer = send(otis, file=file, draw="yes")
    assert (answer.status_code, "Kitty Free: Ida Walsh, Bo Carter" in page_of(answer)) == (200, True)
    assert not Event.objects.exists()


def test_the_draft_says_what_it_understands_and_stores_nothing(otis: User) -> None:
    said = fields(text=LIST, rounds_planned="4", shown="bid_whist/no-kitty-2021", game="bid_whist")
    page = page_of(signed_in(otis).post("/new/draft/", said))
    assert "3 teams, 6 players read" in page
    assert "no team name; “Smith & Jones” was taken" in page
    assert "4 rounds, moving teams go up one table" in page
    assert "Set up and draw 4 rounds" in page
    assert 'id="settings"' not in page
    assert not Event.objects.exists()


def test_another_game_brings_its_own_questions(otis: User) -> None:
    said = fields(shown="bid_whist/no-kitty-2021", game="spades")
    page = page_of(signed_in(otis).post("/new/draft/", said))
    assert ['id="settings"' in page, "Boston pot" in page, "Spades with nil and bags, to 500" in page] == [
        True,
        False,
        True,
    ]
    assert "Please choose from the list." not in page


def test_only_what_the_game_has_is_asked() -> None:
    whist, spades = asked("bid_whist/no-kitty-2021"), asked("spades/standard")
    assert whist - spades == {"pot_cents"}
    form = EventForm(initial=event_fields(blank_event()) | {"sheet": "back_alley/individual"})
    assert "Swiss: by record" not in str(form["movement"])


def test_what_is_folded_says_its_value() -> None:
    said = fields(
        fee_cents="20", pot_cents="10", cut="8", best_of="3", third_place="on", verify_closing="blocks", keep_apart="on"
    )
    folds = {fold.key: fold.said for fold in EventForm(said, initial=event_fields(blank_event())).folds()}
    assert folds == {
        "rounds": "6 rounds, moving teams go up one table, same city or club apart",
        "money": "$20 a team, $10 into the Boston pot",
        "playoffs": "8 advance, best of 3 a match, third place",
        "checking": "a round stays open until they are verified",
        "paper": "Letter · Eastern (New York)",
    }


def test_a_game_without_its_rule_sheet_is_asked_again(otis: User) -> None:
    answer = send(otis, game="spades")
    page = page_of(answer)
    assert (answer.status_code, "Choose the rule sheet of Spades." in page) == (422, True)
    assert "Spades with nil and bags, to 500" in page
