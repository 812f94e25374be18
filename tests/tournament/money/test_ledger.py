"""The ledger: what is owed and paid, what is refused, and books that balance whatever happens."""

from __future__ import annotations

import os
import re
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.factories import make_event, make_round, make_user
from tests.sure import fresh, refusal_of, statements_of, sure
from tests.tournament.archive.filed import rows_of, told
from tests.tournament.money.conftest import priced
from tests.tournament.results.evenings import played_round, win
from tournament.access import NOBODY, Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, DomainError, Fault, ValidationFailed
from tournament.models import Event, Ledger, Team
from tournament.queries.ledger import Account, Wording, cash
from tournament.queries.pot import pot
from tournament.queries.roster import RosterRow
from tournament.services import ledger, payouts
from tournament.services.events import change_event
from tournament.services.ledger import account_of, mark_paid, write_line
from tournament.services.payouts import pay_out_all, pay_out_share, set_prizes
from tournament.services.teams import enter_roster, merge_teams, remove_team, withdraw_team
from tournament.services.transactions import writing

pytestmark = pytest.mark.both_databases

RANDOM_LEDGERS = int(os.environ.get("RANDOM_LEDGERS", "300"))
WHY = Wording(reason="as agreed")


def lines(event: Event) -> list[tuple[int, str, int]]:
    return list(event.ledger.values_list("number", "kind", "cents"))


def account(event: Event, number: int) -> Account:
    return sure(cash(event).account(number))


def test_pay_covers_the_fee_first_then_the_pot_with_a_receipt_each(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 1)
    payouts.pay(Actor(dana), event, 3)
    payouts.pay(Actor(dana), event, 2, 1500, Wording(person="Bo"))
    assert lines(event) == [(1, "fee", 2000), (2, "pot", 500), (3, "fee", 2000), (4, "fee", 1500)]
    assert list(event.teams.values_list("paid", flat=True)) == [True, False, True, False]
    aces = account(event, 2)
    assert (aces.owes_fee, aces.owes_pot, aces.owes, aces.paid) == (500, 500, 1000, 1500)
    payouts.pay(Actor(dana), event, 2, 1000, Wording(person="Cy"))
    assert lines(event)[4:] == [(5, "fee", 500), (6, "pot", 500)]
    assert Team.objects.get(event=event, number=2).paid


def test_pay_with_the_same_key_pays_once(dana: User) -> None:
    event, key = priced(dana), uuid.uuid4()
    first = payouts.pay(Actor(dana), event, 1, None, Wording(key))
    assert payouts.pay(Actor(dana), event, 1, None, Wording(key)) == first
    assert len(lines(event)) == 2
    refusal = refusal_of(lambda: payouts.pay(Actor(dana), event, 1, None, Wording(uuid.uuid4())))
    assert refusal.faults[0].text == "Nothing is owed by Aces. Nothing was taken."
    other = make_event("Other Open", director=dana, fee_cents=100)
    Team.objects.create(event=other, number=1, name="Aces", key="aces")
    with pytest.raises(Conflict):
        payouts.pay(Actor(dana), other, 1, None, Wording(key))


def prepay(event: Event, number: int, cents: int) -> None:
    """A line “paid in advance”, as earlier programs wrote it."""
    with writing(event) as event:
        team, account = account_of(event, number)
        if 0 < cents <= account.owes:
            write_line(NOBODY, event, "prepaid", cents, team, Wording())
            mark_paid(event, [team])
        else:
            raise ValidationFailed([Fault("cents", "nothing owed")])


def test_prepaid_money_counts_for_fee_and_pot(event: Event) -> None:
    prepay(event, 1, 2500)
    books, aces = cash(event), account(event, 1)
    assert (lines(event), aces.owes, books.in_hand, books.balances) == ([(1, "prepaid", 2500)], 0, 2500, True)
    assert (books.lines[0].words, ("prepaid", "Paid in advance", 2500) in books.kinds) == ("Paid in advance", True)


def test_charge_changes_what_is_owed_and_moves_no_cash(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 1)
    payouts.charge(Actor(dana), event, 1, -1000, Wording(reason="Juniors pay half"))
    aces, books = account(event, 1), cash(event)
    assert (aces.due, aces.over, books.in_hand, books.balances) == (1500, 1000, 2500, True)
    for cents, why in ((-1001, "again"), (0, "nothing"), (100, " ")):
        with pytest.raises(ValidationFailed):
            payouts.charge(Actor(dana), event, 1, cents, Wording(reason=why))


@pytest.mark.parametrize(("gone", "rule"), [("left", "46"), ("disqualified", "47")])
def test_refund_to_a_team_that_is_gone_needs_an_override(event: Event, dana: User, gone: str, rule: str) -> None:
    payouts.pay(Actor(dana), event, 1)
    played_round(event, [(1, 2, win(0))])
    withdraw_team(Actor(dana), event, 1, 1, disqualified=gone == "disqualified")
    assert refusal_of(lambda: payouts.refund(Actor(dana), event, 1, 2000, WHY)).faults[0][::2] == ("override", rule)
    payouts.refund(Actor(dana), event, 1, 2000, WHY, override=True)
    assert lines(event)[-1] == (3, "refund", -2000)
    assert sure(event.journal.first()).text == f"1 Aces got $20 back, against rule {rule} (receipt 3): as agreed"


def test_refund_of_what_was_paid_too_much_needs_no_override(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 1)
    ledger.set_pot(Actor(dana), event, 1, False)
    played_round(event, [(1, 2, win(0))])
    withdraw_team(Actor(dana), event, 1, 1)
    payouts.refund(Actor(dana), event, 1, 500, WHY)
    assert (account(event, 1).over, account(event, 1).owes, cash(event).balances) == (0, 0, True)


def test_a_team_that_owes_nothing_is_not_marked_as_unpaid(event: Event, dana: User) -> None:
    payouts.charge(Actor(dana), event, 3, -2000, WHY)
    ledger.set_paid(Actor(dana), event, 3, False)
    assert (account(event, 3).owes, fresh(event).teams.get(number=3).paid) == (0, True)


def test_reverse_takes_a_line_back_once_and_names_it(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 1)
    back = payouts.reverse(Actor(dana), event, 1, WHY)
    assert (back.number, back.kind, back.cents, sure(back.reverses).number) == (3, "fee", -2000, 1)
    assert not Team.objects.get(event=event, number=1).paid
    for number in (1, 3, 99):
        with pytest.raises(Conflict):
            payouts.reverse(Actor(dana), event, number, WHY)


def test_no_more_cash_goes_out_than_is_in_hand(event: Event, dana: User) -> None:
    payouts.move_cash(Actor(dana), event, 1000, Wording(reason="Change"))
    refusal = refusal_of(lambda: payouts.move_cash(Actor(dana), event, -1001, Wording(reason="Hall")))
    assert refusal.faults[0].text == "Only $10 is on hand."
    payouts.move_cash(Actor(dana), event, -1000, Wording(reason="Hall"))
    assert cash(event).in_hand == 0


def test_a_line_is_never_changed_and_the_database_refuses_a_wrong_one(event: Event, dana: User) -> None:
    (line, _) = payouts.pay(Actor(dana), event, 1)
    line.cents = 1
    for act in (line.save, line.delete, event.ledger.all().delete, lambda: event.ledger.update(cents=1)):
        with pytest.raises(TypeError):
            act()
    wrong_lines = [
        ("fee", 1, 5, ""),
        ("fee", 9, -5, ""),
        ("payout", 9, 5, "pot"),
        ("payout", 9, -5, ""),
        ("fee", 9, 0, ""),
        ("gift", 9, 5, ""),
    ]
    for kind, number, cents, purpose in wrong_lines:
        with pytest.raises(IntegrityError), transaction.atomic():
            Ledger.objects.create(event=event, kind=kind, number=number, cents=cents, purpose=purpose)


def test_roster_books_who_has_paid_and_a_new_list_takes_it_back(dana: User) -> None:
    event = make_event("List Open", director=dana, fee_cents=2000, pot_cents=500)
    enter_roster(
        Actor(dana),
        event,
        [
            RosterRow(row=2, number=1, name="Aces", players=("Al", "Bo"), paid=True, in_pot=True),
            RosterRow(row=3, number=2, name="Books"),
        ],
    )
    assert lines(event) == [(1, "fee", 2000), (2, "pot", 500)]
    assert [line.words for line in cash(event).lines] == ["Entry fee, paid before", "Boston pot, paid before"]
    assert [line.how for line in import_event(Actor(dana), export_event(event)).ledger.all()] == ["before", "before"]
    enter_roster(Actor(dana), event, [RosterRow(row=2, number=1, name="Clubs", paid=True)], replace=True)
    assert lines(event)[2:] == [(3, "fee", -2000), (4, "pot", -500), (5, "fee", 2000)]
    books = cash(event)
    assert (books.in_hand, books.balances, books.gone, books.lines[0].who) == (2000, True, 0, "1 Aces")


def test_team_that_has_its_money_back_is_removed(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 1)
    payouts.refund(Actor(dana), event, 1, 2500, WHY)
    assert remove_team(Actor(dana), event, 1) == "1 Aces"
    assert (cash(event).in_hand, cash(event).balances) == (0, True)


def test_merged_entries_bring_their_money_along(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 2)
    merge_teams(Actor(dana), event, 1, 2)
    aces, books = account(event, 1), cash(event)
    assert (aces.paid, aces.owes, books.in_hand, books.balances) == (2500, 0, 2500, True)


def test_change_of_the_fee_counts_anew_who_has_paid(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 1)
    change_event(Actor(dana), event, {"fee_cents": 2500})
    event.refresh_from_db()
    assert not Team.objects.get(event=event, number=1).paid
    assert account(event, 1).owes == 500
    free = make_event("Free Open", director=dana)
    Team.objects.create(event=free, number=1, name="Aces", key="aces", paid=True)
    change_event(Actor(dana), free, {"fee_cents": 1000})
    assert (lines(free), Team.objects.get(event=free).paid) == ([(1, "fee", 1000)], True)


def test_the_ledger_goes_with_the_event_file(event: Event, dana: User) -> None:
    payouts.pay(Actor(dana), event, 1)
    payouts.reverse(Actor(dana), event, 2, WHY)
    payouts.charge(Actor(dana), event, 2, -500, Wording(reason="Late"))
    Event.objects.filter(pk=event.pk).update(prizes={"by": "percent", "percent": ["50", "33.3"], "purse": 0})
    data = export_event(fresh(event))
    assert [(line["number"], line["reverses"]) for line in rows_of(data, Ledger)] == [
        (1, None),
        (2, None),
        (3, 2),
        (4, None),
    ]
    copy = import_event(Actor(dana), data)
    assert told(copy) == told(event)
    assert cash(copy).in_hand == cash(event).in_hand == 2000


def test_cash_needs_as_many_queries_for_two_teams_as_for_thirty(dana: User) -> None:
    few, many = (make_event(f"Event {count}", director=dana, fee_cents=100, teams=count) for count in (2, 30))
    assert (statements_of(lambda: cash(few)), statements_of(lambda: cash(many))) == (3, 3)
    assert (cash(few).in_hand, cash(many).in_hand) == (200, 3000)


KINDS = ("pay", "prepay", "charge", "refund", "reverse", "cash", "paid", "unpaid", "in", "out", "leave")
ACTS = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.integers(1, 4),
        st.integers(-3000, 3000),
        st.integers(1, 20),
    ),
    min_size=1,
    max_size=14,
)
# An evening in which every act is carried out, whatever chance brings besides: what, team, cents, receipt.
EVERY = [
    ("pay", 1, 2000, 1),
    ("reverse", 1, 0, 1),
    ("pay", 1, 2000, 1),
    ("prepay", 2, 2000, 1),
    ("charge", 3, 500, 1),
    ("refund", 1, 1000, 2),
    ("cash", 1, 700, 1),
    ("paid", 4, 0, 1),
    ("unpaid", 4, 0, 1),
    ("in", 3, 0, 1),
    ("out", 3, 0, 1),
    ("leave", 2, 0, 1),
]


def act_on(actor: Actor, event: Event, what: str, number: int, cents: int, receipt: int) -> None:
    match what:
        case "pay":
            payouts.pay(actor, event, number, abs(cents) or None)
        case "prepay":
            prepay(event, number, abs(cents))
        case "charge":
            payouts.charge(actor, event, number, cents, WHY)
        case "refund":
            payouts.refund(actor, event, number, abs(cents), WHY, override=receipt % 2 == 0)
        case "reverse":
            payouts.reverse(actor, event, receipt, WHY)
        case "cash":
            payouts.move_cash(actor, event, cents, WHY)
        case "paid" | "unpaid":
            ledger.set_paid(actor, event, number, what == "paid")
        case "in" | "out":
            ledger.set_pot(actor, event, number, what == "in")
        case _:
            withdraw_team(actor, event, number, 0, disqualified=bool(receipt % 2))


@pytest.mark.long
@pytest.mark.django_db
def test_random_ledgers_balance_and_nothing_falls_below_zero() -> None:
    director = make_user("rand")
    seen, done = 0, Counter[str]()

    @settings(max_examples=RANDOM_LEDGERS, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(ACTS)
    @example(EVERY)
    def run(acts: list[tuple[str, int, int, int]]) -> None:
        nonlocal seen
        seen += 1
        with transaction.atomic():
            event = priced(director, slug=f"random-{seen}")
            for act in acts:
                with suppress(DomainError), transaction.atomic():
                    act_on(Actor(director), event, *act)
                    done[act[0]] += 1
            check(event)
            transaction.set_rollback(True)

    run()
    # Every kind of act was carried out, not only refused.
    assert set(done) == set(KINDS)


def check(event: Event) -> None:
    books = cash(event)
    assert books.balances
    assert books.in_hand == sum(line.cents for line in event.ledger.exclude(purpose="owed")) >= 0
    assert [line.number for line in books.lines] == list(range(1, len(books.lines) + 1))
    marked = dict(event.teams.values_list("number", "paid"))
    for row in books.accounts:
        assert min(row.paid, row.owes, row.over, row.due, row.paid_fee, row.paid_pot) >= 0
        assert marked[row.team.number] == (row.paid > 0 if row.absent else row.owes == 0)
    taken_back = [line.reverses for line in books.lines if line.reverses]
    assert len(taken_back) == len(set(taken_back))


def test_a_round_in_play_does_not_hinder_money(event: Event, dana: User) -> None:
    make_round(event, [tuple(event.teams.filter(number__lte=2))])
    assert len(payouts.pay(Actor(dana), event, 1)) == 2


def test_each_player_pays_a_part_once(event: Event, desk: Client) -> None:
    """$25.01 of three: 8.34, 8.34, and what is left; who has paid is asked no more."""
    for position, name in enumerate(("Ann", "Bo", "Cy")):
        event.teams.get(number=1).players.create(position=position, name=name, key=name.lower())
    Event.objects.filter(pk=event.pk).update(fee_cents=2001)
    page = reverse("money-team", args=[event.slug, 1])
    offered = []
    for name, cents in (("Ann", "8.34"), ("Bo", "8.34"), ("Cy", "8.33")):
        offered.append(re.findall(r"(Ann|Bo|Cy): \$([0-9.]+)", desk.get(page).text))
        paid = desk.post(reverse("money-payment", args=[event.slug, 1]), {"cents": cents, "person": name})
        assert paid.status_code == 302
    assert offered == [
        [("Ann", "8.34"), ("Bo", "8.34"), ("Cy", "8.34")],
        [("Bo", "8.34"), ("Cy", "8.34")],
        [("Cy", "8.33")],
    ]
    assert account(fresh(event), 1).owes == 0


# The money of an entry that becomes part of another team: it goes along, less what was given back.
def accounts(event: Event) -> list[tuple[int, int, int, int, int]]:
    """The first two accounts: number, what is due, paid, owed, and paid above what is due."""
    return [(row.team.number, row.due, row.paid, row.owes, row.over) for row in cash(event).accounts[:2]]


def one_game(director: User, **fields: object) -> Event:
    """Four teams after their one game; teams 1 and 3 have made a Boston."""
    event = make_event("Merged", director, rounds_planned=1, **fields, teams=4)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 7))])
    return fresh(event)


def test_merged_entry_leaves_the_pot_which_is_paid_out_without_it(dana: User) -> None:
    event = one_game(dana, pot_cents=500)
    merge_teams(Actor(dana), event, 2, 1)
    assert accounts(event) == [(1, 0, 0, 0, 0), (2, 500, 1000, 0, 500)]
    stands = pot(event)
    assert (stands.cents, [(team.number, team.cents) for team in stands.teams]) == (1500, [(3, 1500), (2, 0), (4, 0)])
    assert [(line.payee, line.cents) for line in pay_out_all(Actor(dana), event)] == [("3 Night Owls", -1500)]
    assert (cash(event).in_hand, cash(event).balances) == (500, True)


def test_merged_entry_owes_no_fee_any_more(dana: User) -> None:
    event = make_event("Merged", dana, rounds_planned=1, fee_cents=2000, teams=4)
    payouts.refund(Actor(dana), event, 2, 500, Wording(reason="half a team"))
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    merge_teams(Actor(dana), event, 1, 2)
    assert accounts(event) == [(1, 2000, 3500, 0, 1500), (2, 0, 0, 0, 0)]
    assert (event.teams.get(number=2).paid, cash(event).in_hand, cash(event).balances) == (True, 7500, True)
    assert sure(event.ledger.last()).reason == "Merged into 1 Aces"


def test_merged_entry_that_got_money_back_comes_off_the_list_before_the_event_opens(dana: User) -> None:
    event = make_event("Merged", dana, fee_cents=2000, pot_cents=500, teams=3)
    payouts.refund(Actor(dana), event, 2, 500, Wording(reason="half a team"))
    merge_teams(Actor(dana), event, 1, 2)
    assert accounts(event) == [(1, 2500, 4500, 0, 2000), (3, 2500, 2500, 0, 0)]
    assert (cash(event).in_hand, cash(event).balances) == (7000, True)


@pytest.mark.parametrize("opened", [True, False])
def test_merged_entry_stays_paid_for_in_a_pot_of_every_team_once_it_has_played(opened: bool, dana: User) -> None:
    fields = {"fee_cents": 2000, "pot_cents": 500, "options": {"pot_entry": "every-team"}}
    event = one_game(dana, **fields) if opened else make_event("Merged", dana, teams=4, **fields)
    merge_teams(Actor(dana), event, 2, 1)
    if opened:
        assert accounts(event) == [(1, 500, 500, 0, 0), (2, 2500, 4500, 0, 2000)]
        assert [line.cents for line in pay_out_all(Actor(dana), event)] == [-1000, -1000]
    else:
        assert accounts(event) == [(2, 2500, 5000, 0, 2500), (3, 2500, 2500, 0, 0)]
    assert cash(event).balances


# Every act with money and entries that is refused: what came before it, its answer; nothing is written.
Act = Callable[[Actor, Event], Any]
TOO_MUCH = 1_000_000_00 + 1


def pay(*sums: int) -> list[Act]:
    return [partial(payouts.pay, number=1, cents=cents) for cents in sums]


def charge(*sums: int) -> list[Act]:
    return [partial(payouts.charge, number=1, cents=cents, said=WHY) for cents in sums]


def refund(*sums: int, why: Wording = WHY) -> list[Act]:
    return [partial(payouts.refund, number=1, cents=cents, said=why) for cents in sums]


def move(cents: int, why: Wording = WHY) -> list[Act]:
    return [lambda dana, event: payouts.move_cash(dana, event, cents, why)]


def prizes(by: str, **table: list[Any]) -> list[Act]:
    return [lambda dana, event: set_prizes(dana, event, {"by": by, **table})]


def merge(other: int, name: str = "") -> list[Act]:
    return [lambda dana, event: merge_teams(dana, event, 1, other, name)]


TAKE_BACK: list[Act] = [lambda dana, event: payouts.reverse(dana, event, 1, WHY)]
REPLACE: list[Act] = [lambda dana, event: enter_roster(dana, event, [], replace=True)]
REMOVE: list[Act] = [lambda dana, event: remove_team(dana, event, 1)]
UNKNOWN: list[Act] = [lambda dana, event: payouts.pay(dana, event, 9)]


@pytest.mark.parametrize(
    ("before", "acts", "answer"),
    [
        ([], pay(0, -1, 2501, 10**12), "422 Only $25 is owed by Aces. Nothing was taken."),
        ([], UNKNOWN, "409 Number 9 is no longer in the list. Load the page again."),
        (pay(2500), refund(2501, 0, -5), "422 Only $25 was paid by Aces: give back at most that."),
        (pay(2500), refund(100, why=Wording()), "422 Write down why."),
        ([*pay(2500), *move(1000), *refund(1000)], TAKE_BACK, "422 Part of this money was given back already."),
        (charge(500, -2400), TAKE_BACK, "422 The amount to pay cannot be below zero."),
        ([], move(TOO_MUCH), "422 At most 1,000,000 on one receipt."),
        ([], move(0), "422 How much?"),
        ([], move(5, Wording()), "422 Write down why."),
        ([], prizes("place", prizes=[1] * 65), "422 At most 64 places."),
        ([], prizes("percent", percent=["60", "40.01"]), "422 The percentages are more than 100 together."),
        ([], merge(1), "422 Choose another entry."),
        ([], merge(2, "Clubs"), "422 The name Clubs is already taken."),
        ([], merge(2, "\u202e"), "422 The character U+202E cannot be used in a name."),
        (pay(2500), REMOVE, "409 "),
        ([*pay(2500), *refund(100)], REPLACE, "409 Money was already paid out"),
    ],
)
def test_act_with_money_is_refused(event: Event, dana: User, before: list[Act], acts: list[Act], answer: str) -> None:
    for act in before:
        act(Actor(dana), event)
    written = lines(event)
    for act in acts:
        with pytest.raises(DomainError) as refusal:
            act(Actor(dana), event)
        assert f"{refusal.value.status} {refusal.value}".startswith(answer)
        assert (lines(event), event.teams.count()) == (written, 4)


def test_pot_that_is_paid_out_is_not_given_back(dana: User) -> None:
    event = make_event("Paid Pot", dana, pot_cents=500, rounds_planned=1, fee_cents=1000, teams=2)
    played_round(event, [(1, 2, win(0, 7))])
    pay_out_share(Actor(dana), fresh(event), 1, "pot")
    payouts.move_cash(Actor(dana), event, 5000, WHY)
    with pytest.raises(ValidationFailed, match="The Boston pot is paid out"):
        payouts.refund(Actor(dana), event, 2, 1500, WHY)
    with pytest.raises(Conflict, match="nobody can join or leave it"):
        ledger.set_pot(Actor(dana), event, 2, False, "asked for it")
