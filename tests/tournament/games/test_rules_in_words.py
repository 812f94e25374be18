"""The rules page says what a hand is worth, who chooses, and nothing that the sheet does not have."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scoring.document import all_sheets
from scoring.options import describe
from tests.factories import make_event, make_round, make_teams
from tournament.forms.fields import option_field
from tournament.models import Event
from tournament.queries.rules import rulebook


def said(dana: User, sheet: str, **options: object) -> dict[str, str]:
    book = rulebook(make_event(director=dana, sheet=sheet, options=options, slug=f"e-{Event.objects.count()}"))
    return {one.title: one.words for _, group in book.groups for one in group}


@pytest.mark.parametrize(
    ("sheet", "title", "words"),
    [
        ("back_alley/partnership", "Boards", "10, 20, 30 and 40 for each card"),
        ("back_alley/partnership", "A bid that is made scores", "5 points for each trick bid and 1 for each more"),
        ("back_alley/individual", "A bid that is made scores", "3 points for each trick bid and 1 for each more"),
        ("back_alley/korean-war-26", "A bid that is set loses", "5 points for each trick short"),
        ("back_alley/all", "A bid of “all” wins or loses", "25 points"),
        ("back_alley/oh-hell-18", "A bid of “board” wins or loses", "6 points for each card, and 10 more"),
        (
            "back_alley/oh-hell-18",
            "On the deals of one card",
            "a board wins or loses 13 points, and a pass scores nothing",
        ),
        ("back_alley/oh-hell-18", "A rainbow with 8 cards scores", "10 points"),
        ("back_alley/korean-war-26", "A rainbow with 4 cards scores", "40 points; a false one loses 40"),
        (
            "back_alley/high-two",
            "On the deals of one card",
            "1 is 10 points, board 20, double board 30, triple board 40, won or lost",
        ),
        ("spades/standard", "A bid that is set loses", "10 points for each trick bid"),
        ("bid_whist/no-kitty-2021", "Sets that lose the game:", "2"),
        ("bid_whist/no-kitty-2021", "Points of the side that lost", "its final score, even below zero"),
    ],
)
def test_the_prices_of_a_sheet_are_said(sheet: str, title: str, words: str, dana: User) -> None:
    assert said(dana, sheet)[title] == words


def test_a_sheet_without_a_bonus_says_nothing_of_one(dana: User) -> None:
    title = "Odd, sets, renege, backdoor and awarded games add"
    assert title not in said(dana, "bid_whist/standard")
    assert said(dana, "bid_whist/no-kitty-2021")[title] == "5 points for the winner"


def test_the_club_that_takes_the_bonus_away_says_so(dana: User) -> None:
    title = "Odd, sets, renege, backdoor and awarded games add"
    assert said(dana, "bid_whist/no-kitty-2021", bonus_points=0)[title] == "0 points for the winner"


def test_blind_deals_burn_the_blooper_in_one_voice(dana: User) -> None:
    words = said(dana, "back_alley/partnership", blind=True)
    assert "A blooper turned up" not in words
    assert "a blooper turned up goes under the pack" in words["The deals halfway down and up"]


@pytest.mark.parametrize(
    ("sheet", "options", "label"),
    [
        ("spades/new-york", {}, "Sets in a row of Aces"),
        ("spades/standard", {}, "Sets of Aces"),
        ("okinawa/standard", {}, "Sets of Aces"),
        ("bid_whist/no-kitty-2021", {}, "Sets of Aces"),
        ("bid_whist/no-kitty-2021", {"sets_consecutive": True}, "Sets in a row of Aces"),
    ],
)
def test_totals_from_paper_ask_for_the_sets_that_count(
    sheet: str, options: dict[str, object], label: str, dana: User, client: Client
) -> None:
    event = make_event(director=dana, sheet=sheet, options=options)
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    client.force_login(dana)
    page = client.get(f"/desk/{event.slug}/games/{game.pk}/").content.decode()
    assert f'aria-label="{label}"' in page


# What stands under the numbers of the rule sheet's form: what is counted, the limits, what an empty field means.


SHEETS = {sheet.key: sheet.rules for _, sheet in all_sheets()}


@pytest.mark.parametrize(
    ("sheet", "key", "words"),
    [
        (
            "spades/standard",
            "game_at",
            "Points, 50 to 10000 (if both sides get there, the higher score wins). If left empty: no score.",
        ),
        ("spades/standard", "over_limit", "That many or more, 1 to 13. If left empty: none; any number may be taken."),
        ("bid_whist/standard", "lose_at", "Points, −500 to −1. If left empty: no score, however low."),
        (
            "back_alley/partnership",
            "sides",
            "Sides, 2 to 5 (four players: 2 or 4; six players: 2 or 3; three or five: as many as players).",
        ),
        (
            "back_alley/partnership",
            "one_card_deals",
            "1 to 2 (13 cards to 13 cards: 26 deals with 2, 25 with 1).",
        ),
    ],
)
def test_a_number_says_what_it_counts_and_how_far(sheet: str, key: str, words: str) -> None:
    rules = SHEETS[sheet]
    [option] = [one for one in describe(rules) if one.key == key]
    assert option_field(option).help_text == words
