"""Correcting a line of which only the side is known that won the bid: no player is invented."""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.urls import reverse

from tests.factories import make_event, make_teams
from tests.pages import signed_in
from tests.tournament.results.evenings import played_round, win
from tournament.models import Entry


def test_a_hand_that_was_imported_by_side_is_corrected_by_side(dana: User) -> None:
    event = make_event(director=dana)
    make_teams(event, 2)
    game = played_round(event, [(1, 2, win(0))], state="running").games.get()
    client, to = signed_in(dana), reverse("game-revision", args=[event.slug, game.pk, 1])
    page = client.get(to).content.decode()
    assert re.findall(r'name="seat" id="([^"]+)"[^>]* checked', page) == ["seat-side-0"]
    said = {"seat": "side-1", "bid": "4", "books": "11", "reason": "sides mixed up", "revision": "0"}
    answer = client.post(to, said)
    if answer.status_code == 200:
        answer = client.post(to, said | {"announced": answer.context["impact"].key})
    assert answer.status_code == 302
    facts = Entry.objects.get(game=game, revision=1).facts
    assert facts | {"dealer": 0} == {"entry": "hand", "dealer": 0, "bidder": 1, "bid": "4", "books": 11}
