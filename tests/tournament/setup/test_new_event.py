"""A new event on one screen: its list, its game's own questions, and the draw in one press; all of it or nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.pages import page_of, signed_in
from tests.tournament.setup.test_events import fields
from tournament.forms.event import EventForm
from tournament.models import Event, Game, Team
from tournament.queries.events import blank_event, event_fields

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
