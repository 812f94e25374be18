"""Paying out: the pot by its rule, prizes by place, to the cent and no more than there is."""

from __future__ import annotations

import html
import os
import re
import uuid
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import make_event, make_user, signed_in
from tests.quick import remembered
from tests.sure import fresh, refusal_of, sure
from tests.tournament.archive.filed import changed
from tests.tournament.results.evenings import played_round, round_robin, win
from tests.tournament.results.test_playoffs import play_round
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, DomainError, ValidationFailed
from tournament.models import Event, Journal
from tournament.queries.final_places import final_places
from tournament.queries.ledger import Payouts, Wording, cash, payouts
from tournament.services import ledger
from tournament.services import payouts as payout_services
from tournament.services.payouts import pay_out_all, pay_out_share, set_prizes
from tournament.services.playoffs import make_cut
from tournament.services.teams import withdraw_team

RANDOM_LEDGERS = int(os.environ.get("RANDOM_LEDGERS", "300"))
WHY = Wording(reason="as agreed")


@remembered
def finished(dana: User, teams: int = 4, cut: int = 1, **fields: Any) -> Event:
    """Everybody has paid 20 and 5; everyone played everyone, the lower number won each game; the cut is made."""
    event = make_event("Paid Open", dana, fee_cents=2000, pot_cents=500, rounds_planned=3, teams=teams, **fields)
    round_robin(event, list(range(1, teams + 1)))
    make_cut(Actor(dana), event, cut)
    return fresh(event)


@pytest.fixture
def event(dana: User) -> Event:
    return finished(dana)


def test_prizes_by_place_and_the_pot_are_paid_with_a_receipt_each(dana: User, event: Event) -> None:
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [5000, 2000]})
    facts = payouts(fresh(event))
    assert final_places(event).groups == ((1,), (2,), (3,), (4,))
    assert [(payee.number, payee.purpose, payee.cents) for payee in facts.payees] == [
        (1, "pot", 2000),
        (1, "prize", 5000),
        (2, "prize", 2000),
    ]
    assert (facts.waits, facts.left) == ((), 9000)
    key = uuid.uuid4()
    first = pay_out_share(Actor(dana), event, 2, "prize", key)
    assert (first.kind, first.purpose, first.cents) == ("payout", "prize", -2000)
    assert pay_out_share(Actor(dana), event, 2, "prize", key) == first
    with pytest.raises(Conflict):
        pay_out_share(Actor(dana), event, 2, "prize", uuid.uuid4())
    assert [line.cents for line in pay_out_all(Actor(dana), event)] == [-2000, -5000]
    with pytest.raises(Conflict):
        pay_out_all(Actor(dana), event)
    books = cash(event)
    assert (books.in_hand, books.pot_left, books.balances) == (10000 - 9000, 0, True)


def test_a_page_of_another_event_pays_out_nothing(dana: User) -> None:
    first, other = (played_out(dana, slug) for slug in ("one", "other"))
    key = uuid.uuid4()
    pay_out_share(Actor(dana), first, 1, "pot", key)
    with pytest.raises(Conflict, match="This page is too old"):
        pay_out_share(Actor(dana), other, 1, "pot", key)
    assert (cash(first).paid_out("pot"), cash(other).paid_out("pot")) == (1000, 0)


@remembered
def played_out(dana: User, slug: str) -> Event:
    """One round of two teams who have paid for the pot."""
    event = make_event(slug, director=dana, pot_cents=500, rounds_planned=1, slug=slug, teams=2)
    played_round(event, [(1, 2, win(0, 7))])
    return fresh(event)


def test_prizes_by_percentage_are_of_the_fees_taken_and_ties_share(dana: User) -> None:
    event = finished(dana, cut=4)
    set_prizes(Actor(dana), event, {"by": "percent", "percent": ["50", "30", "15.05", "4.95"], "purse": 0})
    assert (payouts(fresh(event)).purse, payouts(event).prizes) == (8000, (4000, 2400, 1204, 396))
    assert payouts(event).waits == ("The prizes are due when there is a champion.",)
    play_round(dana, event)
    play_round(dana, event)
    facts = payouts(event)
    # The losers of the semifinals share third place: 1204 + 396.
    assert [payee.cents for payee in facts.payees if payee.purpose == "prize"] == [4000, 2400, 800, 800]
    assert len(facts.notes) == 1


def test_odd_cents_go_one_each_unless_the_event_had_started_before(dana: User) -> None:
    event = make_event("Level", director=dana, pot_cents=100, rounds_planned=1, teams=8)
    played_round(event, [(5, 6, win(0, 7)), (3, 4, win(0, 7)), (1, 2, win(0, 7)), (7, 8, win(0))])
    file = export_event(fresh(event))
    # An event that had started before keeps its way through every file.
    before = import_event(Actor(dana), changed(file, Event, 1, odd_to_lowest=True), name="Before")
    events = event, import_event(Actor(dana), file, name="Now"), before, import_event(Actor(dana), export_event(before))
    shares = [[payee.cents for payee in payouts(fresh(each)).payees] for each in events]
    assert shares == [[267, 267, 266]] * 2 + [[268, 266, 266]] * 2
    assert "the lowest number (" in payouts(before).pot.text
    assert "the lowest numbers, " in payouts(event).pot.text
    assert not import_event(Actor(dana), export_event(make_event("Open", dana, slug="open"))).odd_to_lowest


def test_a_disqualified_team_takes_no_prize_and_the_others_move_up(dana: User, event: Event) -> None:
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [5000, 2000]})
    withdraw_team(Actor(dana), event, 2, 3, disqualified=True)
    prizes = [(payee.number, payee.cents) for payee in payouts(fresh(event)).payees if payee.purpose == "prize"]
    assert prizes == [(1, 5000), (3, 2000)]


def test_the_pot_is_not_paid_while_somebody_in_it_owes(dana: User, event: Event) -> None:
    ledger.set_paid(Actor(dana), event, 4, False, "the check bounced")
    refusal = refusal_of(lambda: pay_out_share(Actor(dana), event, 1, "pot"))
    assert (refusal.faults[0].rule, "Eagles" in refusal.faults[0].text) == ("12", True)
    ledger.set_pot(Actor(dana), event, 4, False, "as agreed")
    assert pay_out_share(Actor(dana), event, 1, "pot").cents == -1500
    with pytest.raises(Conflict):
        ledger.set_pot(Actor(dana), event, 3, False, "as agreed")


def test_prizes_are_never_paid_from_the_pot(dana: User, event: Event) -> None:
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [8001]})
    refusal = refusal_of(lambda: pay_out_share(Actor(dana), event, 1, "prize"))
    assert refusal.faults[0].text == "Only $80 is on hand besides the Boston pot."
    with pytest.raises(ValidationFailed):
        pay_out_all(Actor(dana), event)
    assert not event.ledger.filter(kind="payout").exists()
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [4000, 4000, 1]})
    with pytest.raises(ValidationFailed):
        pay_out_all(Actor(dana), event)
    payout_services.move_cash(Actor(dana), event, 1, Wording(reason="Found"))
    pay_out_all(Actor(dana), event)
    assert cash(event).in_hand == 0


def test_prizes_that_were_paid_keep_their_table_until_they_are_taken_back(dana: User, event: Event) -> None:
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [1000]})
    line = pay_out_share(Actor(dana), event, 1, "prize")
    with pytest.raises(Conflict):
        set_prizes(Actor(dana), event, {"by": "place", "prizes": [500]})
    payout_services.reverse(Actor(dana), event, line.number, WHY)
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [500]})
    assert sure(payouts(fresh(event)).payee(1, "prize")).left == 500


def test_a_payout_names_who_gave_it_and_a_witness(dana: User) -> None:
    event, client = finished(dana), signed_in(dana)
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [5000, 2000]})
    to = reverse("money-payout", args=[event.slug])
    page = client.get(reverse("desk-money", args=[event.slug])).text
    share = html.unescape(sure(re.search(rf'formaction="({to}[^"]*number=2[^"]*)"', page))[1])
    assert (client.post(share, {"witness": "\u202eciV"}).status_code, cash(event).paid_out("prize")) == (422, 0)
    for _ in range(2):
        assert client.post(share, {"witness": "Vic"}).status_code == 302
    assert [(line.cents, line.by) for line in cash(event).lines if line.kind == "payout"] == [
        (-2000, "dana, witness Vic")
    ]
    act = Journal.objects.filter(event=event, action="pay-out").get()
    assert act.text.startswith("2 Books got $20 from the prizes, witness Vic (receipt ")
    assert client.post(to).status_code == 302
    assert (payouts(event).left, cash(event).lines[-1].by) == (0, "dana")
    # What an earlier program wrote is read.
    confirmed = Journal(action="pay-out", code="prize", facts=act.facts | {"witness": "", "second": "vic"})
    assert confirmed.text.startswith("2 Books got $20 from the prizes, confirmed by vic (receipt ")


@pytest.mark.long
@pytest.mark.django_db
def test_random_pots_are_paid_out_to_the_cent() -> None:
    director, seen, ended = make_user("rand"), 0, Counter[str]()

    @settings(max_examples=RANDOM_LEDGERS // 5, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(
        st.integers(1, 999),
        st.lists(st.booleans(), min_size=6, max_size=6),
        st.lists(st.tuples(st.booleans(), st.sampled_from([5, 6, 7])), min_size=3, max_size=3),
        st.lists(st.integers(0, 4000), max_size=8),
        st.lists(st.integers(1, 6), max_size=6),
    )
    def run(pot: int, inside: list[bool], results: list[tuple[bool, int]], prizes: list[int], taps: list[int]) -> None:
        nonlocal seen
        seen += 1
        with transaction.atomic():
            fields: dict[str, Any] = {"pot_cents": pot, "fee_cents": 997, "rounds_planned": 1}
            event = make_event("Random", director, slug=f"r{seen}", teams=6, **fields)
            for number, joins in enumerate(inside, start=1):
                if not joins:
                    ledger.set_pot(Actor(director), event, number, False, "as agreed")
            pairs = [(1, 2), (3, 4), (5, 6)]
            played_round(
                event, [(*pair, win(int(side), how)) for pair, (side, how) in zip(pairs, results, strict=True)]
            )
            set_prizes(Actor(director), event, {"by": "place", "prizes": prizes})
            with suppress(DomainError):
                make_cut(Actor(director), event, 1)
            event.refresh_from_db()
            for number in taps:
                for purpose in ("pot", "prize"):
                    with suppress(DomainError):
                        pay_out_share(Actor(director), event, number, purpose)
            due = payouts(event)
            assert sum(payee.cents for payee in due.payees if payee.purpose == "pot") in (0, pot * sum(inside))
            try:
                pay_out_all(Actor(director), event)
            except DomainError:
                ended["refused"] += 1
            else:
                ended["shared" if after_ties(due) else "paid"] += 1
                after = payouts(event)
                assert all(payee.left == 0 for payee in after.payees)
                assert after.books.paid_out("pot") == (pot * sum(inside) if any(inside) else 0)
                assert after.books.paid_out("prize") + after.unpaid == (
                    sum(prizes) if final_places(event).groups else 0
                )
            assert cash(event).balances
            assert cash(event).in_hand >= cash(event).pot_left >= 0
            transaction.set_rollback(True)

    run()
    assert min(ended[how] for how in ("refused", "shared", "paid")) > 0


def after_ties(due: Payouts) -> bool:
    """Whether somebody shared a prize or the pot."""
    return bool(due.notes) or len([payee for payee in due.payees if payee.purpose == "pot"]) > 1


def test_who_was_paid_and_has_no_share_any_more_is_due_nothing(dana: User, event: Event) -> None:
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [5000, 2000]})
    pay_out_share(Actor(dana), event, 2, "prize", uuid.uuid4())
    withdraw_team(Actor(dana), event, 2, 3, disqualified=True)
    payee = sure(payouts(fresh(event)).payee(2, "prize"))
    assert (payee.cents, payee.paid, payee.left) == (0, 2000, -2000)
