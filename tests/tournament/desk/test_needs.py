"""What waits for the director, also where a table writes while the desk is being read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db import connection

from tests.factories import ODD, play
from tournament.access import Actor
from tournament.models import Game
from tournament.queries.attention import needs_of
from tournament.queries.desk import desk_round
from tournament.queries.rules import ruleset_of
from tournament.services.signatures import sign_for_all


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
