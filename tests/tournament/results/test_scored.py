"""A game is scored once; what a stored row says is never thrown away in silence, nor scored by a default."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.factories import MADE_FIVE, ODD, play
from tournament.models import Event, Game
from tournament.queries.scored import NotPossible, ScoredGame, scored_game
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.refusals import Damaged
from tournament.services.signatures import rebuild_results

THREE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}
SET_FOUR = {"entry": "hand", "bidder": 1, "bid": "4", "books": 9}
BAD = [
    ('UPDATE tournament_entry SET facts = \'{"entry": "hand", "seat": 1, "bid": "soon", "books": 7}\'', "soon"),
    ('UPDATE tournament_entry SET facts = \'{"entry": "hand", "seat": 1, "books": 7}\'', "line 2"),
    ('UPDATE tournament_entry SET facts = \'{"entry": "nonsense"}\'', "nonsense"),
    ("UPDATE tournament_entry SET facts = '[]'", "line 2"),
]


def scores(scored: ScoredGame) -> list[tuple[int, tuple[int, ...]]]:
    return [(line.position, tuple(line.after.scores)) for line in scored.lines]


@pytest.fixture
def two_hands(dana: User, game: Game) -> Game:
    """Made, then set: 3 to 0, 3 to -4."""
    return play(dana, game, THREE, SET_FOUR, sign=False)


def test_a_sheet_is_signed_under_its_rules_and_not_under_what_may_change_in_play(two_hands: Game) -> None:
    codes = []
    for options in ({}, {"standings_visible": "after-round"}, {"lose_at": -9}):
        Event.objects.update(options=options)
        codes.append(game_sheet(sheet_games().get(pk=two_hands.pk)).code)
    assert codes[0] == codes[1] != codes[2]


def test_line_more_before_and_in_place_of_another(two_hands: Game) -> None:
    scored = scored_game(two_hands)
    stands = scores(scored)
    assert scores(scored.with_entry(ODD)) == [*stands, (3, scored.with_entry(ODD).points)]
    assert scores(scored.before(2)) == stands[:1]
    assert scores(scored.replacing(2, None)) == stands[:1]
    assert scores(scored.replacing(1, None)) == [(2, tuple(scored.before(1).with_entry(SET_FOUR).carry.scores))]
    assert scores(scored) == stands


@pytest.mark.parametrize("position", [1, 2])
def test_line_that_the_rules_refuse_is_named_by_its_place(two_hands: Game, position: int) -> None:
    scored = scored_game(two_hands)
    with pytest.raises(NotPossible) as refusal:
        scored.replacing(position, {"entry": "hand", "seat": 0, "bid": "9", "books": 7})
    assert (refusal.value.position, refusal.value.line) == (position, position)
    with pytest.raises(NotPossible) as later:
        # The game is over before the second line.
        scored.replacing(1, ODD)
    assert (later.value.position, later.value.line, [one.field for one in later.value.problems]) == (2, 2, ["entry"])


@pytest.mark.parametrize(("damage", "word"), BAD)
def test_row_that_cannot_be_read_names_event_game_and_line(
    two_hands: Game, event: Event, client: Client, dana: User, damage: str, word: str
) -> None:
    before = (two_hands.result.scores, two_hands.result.code)
    with connection.cursor() as cursor:
        cursor.execute(f"{damage} WHERE position = 2")
    for ask in (game_sheet, scored_game):
        with pytest.raises(Damaged) as refusal:
            ask(sheet_games().get(pk=two_hands.pk))
        said = str(refusal.value)
        assert said.startswith("Columbus Open, Game 1, table 1, line 2: this line cannot be read. ") and word in said
    with pytest.raises(Damaged):
        rebuild_results(event)
    with pytest.raises(CommandError, match=r"Nothing was changed\. Columbus Open, Game 1, table 1, line 2"):
        call_command("rebuild_results", event.slug)
    kept = Game.objects.get(pk=two_hands.pk).result
    assert (kept.scores, kept.code) == before
    client.force_login(dana)
    answer = client.get(reverse("desk-game", args=[event.slug, two_hands.pk]))
    assert (answer.status_code, "table 1, line 2" in answer.text) == (500, True)
    assert client.get(reverse("standings", args=[event.slug])).status_code == 200


def test_totals_from_paper_that_cannot_be_read_are_named(dana: User, game: Game) -> None:
    opening: dict[str, Any] = {"entry": "opening", "scores": [3, "much"]}
    game.entries.create(position=0, kind="opening", facts=opening, source="paper", entered_by=dana)
    with pytest.raises(Damaged) as refusal:
        scored_game(Game.objects.get(pk=game.pk))
    assert str(refusal.value).startswith("Columbus Open, Game 1, table 1, totals from paper: these cannot be read. ")


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (
            {"entry": "hand", "bidder": 0, "bid": "3", "books": 9, "trump": "♥"},
            "“♥” is not a suit. Trumps are clubs, diamonds, hearts, spades, no-trump.",
        ),
        (
            {"entry": "ruling", "rule": "22", "choice": "continue", "side": 0},
            "Rule 22 grants: play-on (Play on, no penalty), void (The hand is void and dealt again).",
        ),
    ],
)
def test_a_spelling_that_is_gone_is_named_by_event_game_and_line(
    two_hands: Game, facts: dict[str, Any], why: str
) -> None:
    with connection.cursor() as cursor:
        said = [json.dumps(facts), facts["entry"], two_hands.pk]
        cursor.execute("UPDATE tournament_entry SET facts = %s, kind = %s WHERE position = 1 AND game_id = %s", said)
    with pytest.raises(Damaged) as refusal:
        scored_game(Game.objects.get(pk=two_hands.pk))
    assert str(refusal.value) == f"Columbus Open, Game 1, table 1, line 1: this line cannot be read. {why}"


def test_an_option_in_a_spelling_that_is_gone_is_named_by_its_event(two_hands: Game) -> None:
    event = two_hands.round.event
    Event.objects.filter(pk=event.pk).update(options={"loser_points": "winner-only"})
    with pytest.raises(Damaged) as refusal:
        scored_game(Game.objects.get(pk=two_hands.pk))
    assert str(refusal.value) == (
        "Columbus Open: A stored option of “Tournament Bid Whist, no kitty, no jokers (2021)” cannot be read. Points of"
        " the side that lost: “winner-only” is not one of signed, zero-at-least, winners-only. Say “winners-only”."
    )


def test_what_is_no_longer_final_is_named_when_results_are_computed_again(dana: User, event: Event, game: Game) -> None:
    """Somebody changed a hand in the file: the game waits for signatures, and whoever did this is told why."""
    play(dana, game, MADE_FIVE)
    said: list[list[str]] = []
    kept = game.entries.get().facts
    for facts in (kept, kept | {"books": 12}):
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE tournament_entry SET facts = '{json.dumps(facts)}'")
        call_command("rebuild_results", event.slug, stdout=(out := io.StringIO()))
        said.append(out.getvalue().splitlines())
    game.refresh_from_db()
    assert (said[0], game.state) == (["1 games computed from their entries."], "to-sign")
    assert said[1][1:] == [
        f"{game} is no longer final: its signatures belong to another version of the sheet. “verify” tells what was "
        "changed."
    ]
