"""Every row of the table of rulings through the site: the table's call, the choice, the effect, and its withdrawal."""

from __future__ import annotations

import html
import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.pages import signed_in
from tests.tournament.desk.test_rulings import ROWS, Row
from tournament.access import Actor
from tournament.models import Game
from tournament.queries.sheet import sheet_now
from tournament.services.rounds import call_director, open_call


def read(client: Client, address: str, **asked: str) -> str:
    return html.unescape(client.get(address, asked).content.decode())


def withdraw(client: Client, address: str) -> int:
    """Take the ruling off; where the game is final only after what changes was shown."""
    said = {"what": "remove", "revision": "0", "reason": "seen on the film"}
    answer = client.post(address, said)
    if key := re.search(r'name="announced" value="(\w+)"', answer.content.decode()):
        answer = client.post(address, said | {"announced": key[1]})
    return answer.status_code


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.rule}-{row.choice}-{row.said.get('means', '')}")
def test_ruling_from_the_tables_call_to_its_withdrawal(row: Row, game: Game, dana: User) -> None:
    client, event = signed_in(dana), game.round.event.slug
    call_director(Actor(), game, "other")
    address = reverse("game-ruling", args=[event, game.pk])
    assert address in read(client, reverse("desk", args=[event]))
    said = {"rule": row.rule, "choice": row.choice, "leaves": "yes", "leaves_asked": "1", **row.said}
    shown = client.get(address, said).context["form"].effect
    assert "Apply this ruling" in read(client, address, **said)
    sent = said | {"position": "1", "client_key": str(uuid.uuid4())}
    assert client.post(address, sent).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.scores, sheet.sets, sheet.how, sheet.state) == (row.scores, row.sets, row.how, row.state)
    assert (shown.after, shown.sets, shown.how, shown.over) == (sheet.scores, sheet.sets, sheet.how, sheet.over)
    assert open_call(game) is None
    assert withdraw(client, reverse("game-revision", args=[event, game.pk, 1])) == 302
    after = sheet_now(game)
    assert (after.scores, after.sets, after.state, after.rows) == ((0, 0), (0, 0), "playing", ())
    report = read(client, reverse("desk-rulings", args=[event]))
    assert "dana · seen on the film" in report
