"""Every act with money and entries that is refused, with its sentence; nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, begin, make_event, make_round, make_teams, play
from tests.tournament.money.test_ledger import WHY, lines, priced
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.models import Event, Game, Team
from tournament.queries.ledger import Said
from tournament.refusals import Changed, Invalid, Refusal
from tournament.services import ledger, payouts
from tournament.services.payouts import pay_out_share, set_prizes
from tournament.services.substitutions import substitute
from tournament.services.teams import enter_roster, merge_teams, withdraw_team

Act = Callable[[Actor, Event], Any]
TOO_MUCH = 1_000_000_00 + 1


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda dana, event: payouts.pay(dana, event, 9), "Number 9 is no longer in the list. Load the page again."),
        (lambda dana, event: payouts.move_cash(dana, event, TOO_MUCH, WHY), "At most 1,000,000 on one receipt."),
        (lambda dana, event: payouts.move_cash(dana, event, 0, WHY), "How much?"),
        (lambda dana, event: payouts.move_cash(dana, event, 5, Said()), "Write down why."),
        (lambda dana, event: set_prizes(dana, event, {"by": "place", "prizes": [1] * 65}), "At most 64 places."),
        (
            lambda dana, event: set_prizes(dana, event, {"by": "percent", "percent": ["60", "50"]}),
            "The percentages are more than 100 together.",
        ),
        (lambda dana, event: merge_teams(dana, event, 1, 1), "Choose another entry."),
        (lambda dana, event: merge_teams(dana, event, 1, 2, "Clubs"), "The name Clubs is already taken."),
        (lambda dana, event: merge_teams(dana, event, 1, 2, "\u202e"), ""),
    ],
)
def test_act_with_money_is_refused(dana: User, act: Act, sentence: str) -> None:
    event = priced(dana)
    before = lines(event)
    with pytest.raises(Refusal) as refusal:
        act(Actor(dana), event)
    assert sentence in str(refusal.value) and str(refusal.value)
    assert (lines(event), event.teams.count()) == (before, 4)


def test_less_to_pay_cannot_be_taken_back_below_nothing(dana: User) -> None:
    event = priced(dana)
    more = payouts.charge(Actor(dana), event, 1, 500, WHY)
    payouts.charge(Actor(dana), event, 1, -2400, WHY)
    with pytest.raises(Invalid, match="The amount to pay cannot be below zero"):
        payouts.reverse(Actor(dana), event, more.number, WHY)


def test_pot_that_is_paid_out_is_not_given_back(dana: User) -> None:
    event = make_event("Paid Pot", dana, pot_cents=500, rounds_planned=1, fee_cents=1000)
    make_teams(event, 2)
    played_round(event, [(1, 2, win(0, 7))])
    event.refresh_from_db()
    pay_out_share(Actor(dana), event, 1, "pot")
    payouts.move_cash(Actor(dana), event, 5000, WHY)
    with pytest.raises(Invalid, match="The Boston pot is paid out"):
        payouts.refund(Actor(dana), event, 2, 1500, WHY)
    with pytest.raises(Changed, match="nobody can join or leave it"):
        ledger.set_pot(Actor(dana), event, 2, False, "asked for it")


def test_list_is_not_replaced_once_money_was_given_out(dana: User) -> None:
    event = priced(dana)
    payouts.pay(Actor(dana), event, 1)
    payouts.refund(Actor(dana), event, 1, 100, WHY)
    with pytest.raises(Changed, match="Money was already given out"):
        enter_roster(Actor(dana), event, [], replace=True)
    assert event.teams.count() == 4


def test_teams_that_play_or_have_left_are_not_merged(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    with pytest.raises(Changed, match="Merge when that game is signed"):
        merge_teams(Actor(dana), event, 1, 2)
    play(dana, Game.objects.get(), MADE_FIVE)
    withdraw_team(Actor(dana), event, 2, 1)
    with pytest.raises(Changed, match="Already withdrawn: Books"):
        merge_teams(Actor(dana), event, 1, 2)
    assert Team.objects.count() == 2


@pytest.mark.parametrize(
    ("said", "field", "sentence"),
    [
        ({"position": 7}, "position", "Choose the player who does not play."),
        ({"from_round": 0}, "from_round", "A substitute plays from the game in play on, or from a later one."),
        ({"into": "Bea 1"}, "into", "Bea 1 already plays for Aces."),
        ({"into": "Ann 2"}, "into", "Ann 2 already plays for Books."),
        ({"into": "\u202e"}, "into", ""),
    ],
)
def test_substitute_who_cannot_play_is_refused(
    event: Event, dana: User, said: dict[str, Any], field: str, sentence: str
) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    with pytest.raises(Invalid) as refusal:
        substitute(Actor(dana), event, 1, **{"position": 0, "from_round": 1, "into": "Zoe", **said})
    assert [(fault.field, sentence in fault.text) for fault in refusal.value.faults] == [(field, True)]


def test_nobody_sits_in_for_a_team_that_has_left(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    begin(event)
    withdraw_team(Actor(dana), event, 2, 0)
    with pytest.raises(Changed, match="Already withdrawn: Books"):
        substitute(Actor(dana), event, 2, position=0, into="Zoe", from_round=1)
