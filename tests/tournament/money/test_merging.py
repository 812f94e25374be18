"""The money of an entry that becomes part of another team: it goes along, less what was given back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.factories import make_event, make_teams
from tests.sure import sure
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.models import Event
from tournament.queries.ledger import Said, cash
from tournament.queries.records import pot
from tournament.services import payouts
from tournament.services.payouts import pay_out_all
from tournament.services.teams import merge_teams


def accounts(event: Event) -> list[tuple[int, int, int, int, int]]:
    """The first two accounts: number, what is due, paid, owed, and paid above what is due."""
    return [(one.number, one.due, one.paid, one.owes, one.over) for one in cash(event).accounts[:2]]


def one_game(director: User, **fields: object) -> Event:
    """Four teams after their one game; teams 1 and 3 have made a Boston."""
    event = make_event("Merged", director, rounds_planned=1, **fields)
    make_teams(event, 4)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 7))])
    event.refresh_from_db()
    return event


def test_merged_entry_leaves_the_pot_which_is_paid_out_without_it(dana: User) -> None:
    event = one_game(dana, pot_cents=500)
    merge_teams(Actor(dana), event, 2, 1)
    assert accounts(event) == [(1, 0, 0, 0, 0), (2, 500, 1000, 0, 500)]
    stands = pot(event)
    assert (stands.cents, [(team.number, team.cents) for team in stands.teams]) == (1500, [(3, 1500), (2, 0), (4, 0)])
    assert [(line.payee, line.cents) for line in pay_out_all(Actor(dana), event)] == [("3 Night Owls", -1500)]
    assert (cash(event).in_hand, cash(event).balances) == (500, True)


def test_merged_entry_owes_no_fee_any_more(dana: User) -> None:
    event = make_event("Merged", dana, rounds_planned=1, fee_cents=2000)
    make_teams(event, 4)
    payouts.refund(Actor(dana), event, 2, 500, Said(reason="half a team"))
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    merge_teams(Actor(dana), event, 1, 2)
    assert accounts(event) == [(1, 2000, 3500, 0, 1500), (2, 0, 0, 0, 0)]
    assert (event.teams.get(number=2).paid, cash(event).in_hand, cash(event).balances) == (True, 7500, True)
    assert sure(event.ledger.last()).reason == "Merged into 1 Aces"


def test_merged_entry_that_got_money_back_comes_off_the_list_before_the_event_opens(dana: User) -> None:
    event = make_event("Merged", dana, fee_cents=2000, pot_cents=500)
    make_teams(event, 3)
    payouts.refund(Actor(dana), event, 2, 500, Said(reason="half a team"))
    merge_teams(Actor(dana), event, 1, 2)
    assert accounts(event) == [(1, 2500, 4500, 0, 2000), (3, 2500, 2500, 0, 0)]
    assert (cash(event).in_hand, cash(event).balances) == (7000, True)


@pytest.mark.parametrize("opened", [True, False])
def test_merged_entry_stays_paid_for_in_a_pot_of_every_team_once_it_has_played(opened: bool, dana: User) -> None:
    fields = {"fee_cents": 2000, "pot_cents": 500, "options": {"pot_entry": "every-team"}}
    event = one_game(dana, **fields) if opened else make_event("Merged", dana, **fields)
    if not opened:
        make_teams(event, 4)
    merge_teams(Actor(dana), event, 2, 1)
    if opened:
        assert accounts(event) == [(1, 500, 500, 0, 0), (2, 2500, 4500, 0, 2000)]
        assert [line.cents for line in pay_out_all(Actor(dana), event)] == [-1000, -1000]
    else:
        assert accounts(event) == [(2, 2500, 5000, 0, 2500), (3, 2500, 2500, 0, 0)]
    assert cash(event).balances
