"""Money in awkward moments: what would refuse is off with its reason, and is checked before a password is asked for."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_teams
from tests.pages import signed_in
from tests.sure import sure
from tests.tournament.results.evenings import played_round, win
from tournament import sessions
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.checklist import checklist
from tournament.queries.ledger import cash, payouts
from tournament.refusals import Invalid
from tournament.services import ledger
from tournament.services.corrections import correct_sheet
from tournament.services.payouts import pay_out_all
from tournament.services.playoffs import make_cut

BOSTON = {"entry": "hand", "bidder": 0, "bid": "4", "books": 13}


def paid_pot(dana: User) -> Event:
    """The pot of $20 was paid to team 1 for its Boston, which then was a mistake: team 3 made one, too."""
    event = make_event("Boston Open", director=dana, pot_cents=500, rounds_planned=1)
    make_teams(event, 4)
    played_round(event, [(1, 2, [BOSTON]), (3, 4, win(0))])
    make_cut(Actor(dana), event, 2)
    event.refresh_from_db()
    pay_out_all(Actor(dana), event)
    game = Game.objects.get(round__event=event, table=1)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=win(0)[0], reason="12 books")
    game = Game.objects.get(round__event=event, table=2)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=BOSTON, reason="13 books")
    event.refresh_from_db()
    return event


def page(client: Client, event: Event, name: str = "desk-money") -> str:
    return html.unescape(client.get(reverse(name, args=[event.slug])).content.decode())


def test_a_share_that_was_corrected_away_is_taken_back_from_its_chip(dana: User) -> None:
    event, client = paid_pot(dana), signed_in(dana)
    said = page(client, event)
    receipt = sure(payouts(event).payee(1, "pot")).receipt
    assert "Must return $20" in said
    assert re.search(rf'money/receipts/{receipt}/reversal/">Take \$20 back</a>', said)
    assert re.search(r'<button class="btn primary" disabled[^>]*>Pay out everything: \$20', said)
    assert f"Aces must return $20. Take back receipt {receipt} first." in said
    listed = page(client, event, "desk")
    assert f"Aces must return $20 of the Boston pot (receipt {receipt})." in listed
    back = reverse("money-reversal", args=[event.slug, receipt])
    assert 'value="The results were corrected"' in client.get(back).content.decode()
    assert client.post(back, {"reason": "The results were corrected"}).status_code == 302
    said = page(client, event)
    assert ("Must return" in said, 'disabled aria-describedby="no-payout"' in said) == (False, False)
    pay_out_all(Actor(dana), event)
    books = cash(event)
    assert (books.in_hand, books.balances, payouts(event).left) == (0, True, 0)


def test_paying_out_is_checked_before_the_password_is_asked_for(dana: User) -> None:
    event, client = paid_pot(dana), signed_in(dana)
    session = client.session
    session[sessions.PASSWORD] = 0
    session.save()
    answer = client.post(reverse("money-payout", args=[event.slug]))
    assert (answer.status_code, "must return $20" in html.unescape(answer.content.decode())) == (422, True)
    assert 'name="again_password"' not in answer.content.decode()


def begun(dana: User) -> Event:
    event = make_event("Begun Open", director=dana, fee_cents=2000, pot_cents=500, rounds_planned=2)
    make_teams(event, 2)
    played_round(event, [(1, 2, win(0))])
    return event


@pytest.mark.parametrize(
    ("name", "question"), [("team-paid", "Aces: not paid?"), ("team-pot", "out of the Boston pot?")]
)
def test_after_game_1_a_mark_of_money_asks_and_takes_a_reason(dana: User, name: str, question: str) -> None:
    event, client = begun(dana), signed_in(dana)
    to = reverse(name, args=[event.slug, 1])
    answer = client.post(to, {"on": "no"})
    assert (answer.status_code, question in html.unescape(answer.content.decode())) == (422, True)
    team = event.teams.get(number=1)
    assert (team.paid, team.in_pot, cash(event).taken) == (True, True, 5000)
    assert client.post(to, {"on": "no", "reason": "The check bounced"}).status_code == 302
    team.refresh_from_db()
    assert (team.paid and team.in_pot, cash(event).balances) == (False, True)


def test_before_game_1_a_mark_of_money_asks_nothing(dana: User) -> None:
    event = make_event("Open", director=dana, fee_cents=2000)
    make_teams(event, 1)
    assert signed_in(dana).post(reverse("team-paid", args=[event.slug, 1]), {"on": "no"}).status_code == 302
    assert cash(event).taken == 0


def test_the_form_of_a_team_changes_no_money_once_games_are_played(dana: User) -> None:
    event = begun(dana)
    said = {"number": "1", "name": "Aces", "player1": "Ann 1", "player2": "Bea 1"}
    assert signed_in(dana).post(f"/desk/{event.slug}/teams/1/", said).status_code == 302
    team = event.teams.get(number=1)
    assert (team.paid, team.in_pot) == (True, True)
    with pytest.raises(Invalid):
        ledger.set_paid(Actor(dana), event, 1, False)


def test_the_check_list_counts_what_is_owed(dana: User) -> None:
    event = make_event("Open", director=dana, fee_cents=2000)
    assert [item.text for item in checklist(event).items if item.key == "fees"] == []
    make_teams(event, 3)
    Event.objects.filter(pk=event.pk).update(fee_cents=2500)
    event.refresh_from_db()
    event.teams.filter(number=3).update(paid=False)
    assert [item.text for item in checklist(event).items if item.key == "fees"] == ["$15 owed by 3 of 3 teams"]
    Event.objects.filter(pk=event.pk).update(fee_cents=0)
    event.refresh_from_db()
    event.teams.update(paid=False)
    assert [item.text for item in checklist(event).items if item.key == "fees"] == []
