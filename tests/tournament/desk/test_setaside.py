"""A correction that ends the game earlier sets later hands aside; they come back when it is withdrawn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import announced_by, play
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Game, Round
from tournament.models.game import CAUSES, SET_ASIDE
from tournament.queries.sheet import sheet_now
from tournament.refusals import Changed
from tournament.services.corrections import bring_back, correct_sheet
from tournament.services.entries import record_entry


def hand(bidder: int, bid: str, books: int) -> dict[str, Any]:
    return {"entry": "hand", "bidder": bidder, "bid": bid, "books": books}


HANDS = (hand(0, "2", 8), hand(1, "2", 8), hand(0, "1", 7), hand(1, "1", 7))
ENDS_IT = hand(1, "4", 11)


def aside(game: Game) -> list[tuple[int, str]]:
    return [(one.position, one.written.text) for one in sheet_now(game).set_aside]


def correct(dana: User, game: Game, revision: int, facts: dict[str, Any]) -> None:
    game.refresh_from_db()
    correct_sheet(Actor(dana), game, position=2, revision=revision, facts=facts, reason="as on the film")


def test_later_hands_are_set_aside_and_announced(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    impact = announced_by(Actor(dana), game, position=2, revision=0, facts=ENDS_IT, reason="x")
    said = {one.what: (one.before, one.after) for one in impact.changes}
    assert said["Set aside, because the game was over"] == ("—", "1 made with 7; 1 made with 7")
    assert said["Lines on the sheet"] == ("4", "2")
    correct(dana, game, 0, ENDS_IT)
    assert (sheet_now(game).over, aside(game)) == (True, [(3, "1 made with 7"), (4, "1 made with 7")])


def test_hands_come_back_when_the_correction_is_withdrawn(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    before = sheet_now(game)
    correct(dana, game, 0, ENDS_IT)
    correct(dana, game, 1, HANDS[1])
    after = sheet_now(game)
    assert (after.scores, len(after.rows), aside(game)) == (before.scores, 4, [])
    correct(dana, game, 2, ENDS_IT)
    assert aside(game) == [(3, "1 made with 7"), (4, "1 made with 7")]


def test_hands_of_a_final_game_of_a_closed_round_come_back_with_its_end(game: Game, dana: User) -> None:
    play(dana, game, *HANDS[:3], hand(1, "4", 12))
    game.refresh_from_db()
    assert game.state == "final"
    Round.objects.update(state="closed")
    correct(dana, game, 0, ENDS_IT)
    correct(dana, game, 1, HANDS[1])
    game.refresh_from_db()
    assert (game.state, len(sheet_now(game).rows), aside(game)) == ("final", 4, [])


def test_hand_written_after_the_correction_keeps_its_place(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    correct(dana, game, 0, ENDS_IT)
    record = sheet_now(game)
    assert record.over
    correct_sheet(Actor(dana), game, position=2, revision=1, facts=hand(1, "4", 9), reason="set")
    assert aside(game) == []
    with pytest.raises(Changed):
        bring_back(Actor(dana), game, "they were played")


def test_director_brings_hands_back_from_the_game_page(game: Game, dana: User, client: Client) -> None:
    play(dana, game, *HANDS)
    correct(dana, game, 0, ENDS_IT)
    client.force_login(dana)
    page = client.get(f"/desk/columbus-open/games/{game.pk}/").content.decode()
    assert "Set aside: the game ended at hand 2" in page
    address = f"/desk/columbus-open/games/{game.pk}/set-aside/"
    assert client.post(address, {"reason": ""}).status_code == 422
    assert client.post(address, {"reason": "they were played"}).status_code == 409
    # The line that ends the game is undone, and the hands behind it fit again.
    client.post(f"/desk/columbus-open/games/{game.pk}/undo/", {"position": "2"})
    record_entry(Actor(dana), game, HANDS[1], position=2)
    assert client.post(address, {"reason": "they were played"}).status_code == 302
    assert len(sheet_now(game).rows) == 4


def test_a_line_taken_off_with_the_same_words_is_not_set_aside(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    reason = CAUSES[SET_ASIDE]
    correct_sheet(Actor(dana), game, position=4, revision=0, facts=None, reason=reason)
    assert (sheet_now(game).removed[0].struck_reason, aside(game)) == (reason, [])


def test_lines_that_are_set_aside_stay_so_in_the_event_file(game: Game, dana: User) -> None:
    play(dana, game, *HANDS)
    correct(dana, game, 0, ENDS_IT)
    file = json.dumps(export_event(game.round.event))
    again = import_event(Actor(dana), json.loads(file))
    assert aside(Game.objects.get(round__event=again)) == [(3, "1 made with 7"), (4, "1 made with 7")]
