"""Who is in the Boston pot: a fact of the event whatever way a team came in; and who never played is in no pot."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import confirmed_in, make_event, make_teams, page_of, play, signed_in, words_of
from tests.sure import fresh, refusal_of, sure
from tests.tournament.registrations.conftest import team
from tests.tournament.results.evenings import finish_game, played_round, win
from tests.tournament.setup.test_events import fields
from tournament.access import NOBODY, Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Event, Game, PartnerDraw, Person, Season, Team
from tournament.queries.final_places import final_places
from tournament.queries.game_results import have_played
from tournament.queries.ledger import Wording, cash, payouts
from tournament.queries.pot import pot
from tournament.queries.roster import RosterRow
from tournament.queries.rules import ruleset_of
from tournament.queries.standings import standings
from tournament.services import ledger
from tournament.services.corrections import apply_ruling
from tournament.services.draws import draw_rounds
from tournament.services.events import change_event, change_options, copy_event, create_event, set_up_event
from tournament.services.payouts import pay_out_all, refund
from tournament.services.playoffs import finish_event, make_cut
from tournament.services.registrations import enter
from tournament.services.season import enter_pairs
from tournament.services.teams import add_team, change_team, enter_roster, leave_out, return_team, withdraw_team

EVERYBODY = {"pot_entry": "every-team"}


def row(name: str, **facts: Any) -> RosterRow:
    return RosterRow(name=name, players=(f"{name} One", f"{name} Two"), **facts)


def rows(*names: str) -> list[RosterRow]:
    return [row(name) for name in names]


def money_of(event: Event, name: str) -> tuple[bool, int, int, int]:
    """Of one team: whether it is in the pot, its fee, what it has for the pot, and what it owes."""
    account = next(account for account in cash(event).accounts if account.team.full_name == name)
    return account.in_pot, account.due_fee, account.pot, account.owes


def in_pot(event: Event) -> tuple[int, int, int]:
    """How many are in the pot and what it comes to, by the books; and by the games."""
    books, stands = cash(fresh(event)), pot(fresh(event))
    assert (books.pot_teams, books.pot) == (stands.entered, stands.cents)
    return books.pot_teams, books.pot, stands.cents


# Every way by which a team comes into an event; each gives the event that has it.


def by_form(dana: User, said: dict[str, Any]) -> Event:
    return set_up_event(Actor(dana), said, rows("Reds", "Blues"))


def by_later_list(dana: User, said: dict[str, Any]) -> Event:
    event = create_event(Actor(dana), said)
    enter_roster(Actor(dana), event, rows("Reds", "Blues"))
    return event


def by_list_again(dana: User, said: dict[str, Any]) -> Event:
    event = set_up_event(Actor(dana), said, rows("Golds", "Blues"))
    enter_roster(Actor(dana), event, rows("Reds", "Blues"), replace=True)
    return event


def by_the_door(dana: User, said: dict[str, Any]) -> Event:
    opened = create_event(
        Actor(dana), said | {"entries_from": timezone.now() - timedelta(hours=1), "entries_wait": False}
    )
    enter(NOBODY, opened, "a key", **team("Reds"))
    return opened


def from_the_waiting_list(dana: User, said: dict[str, Any]) -> Event:
    clock = {"entries_from": timezone.now() - timedelta(hours=1), "entries_wait": False, "entry_limit": 1}
    event = create_event(Actor(dana), said | clock)
    enter(NOBODY, event, "a key", **team("Blues"))
    enter(NOBODY, event, "another key", **team("Reds"))
    withdraw_team(Actor(dana), event, 1, 0)
    return event


def walks_in_late(dana: User, said: dict[str, Any]) -> Event:
    event = set_up_event(Actor(dana), said, rows("Blues", "Greens"))
    played_round(event, [(1, 2, win(0))])
    add_team(Actor(dana), event, row("Reds"))
    return event


def by_lot(dana: User, said: dict[str, Any]) -> Event:
    season = Season.objects.create(name="Fall", slug="fall")
    event = create_event(Actor(dana), said | {"season": season})
    pair = [Person.objects.create(name=name, key=name.lower()).pk for name in ("Reds", "Otis Reed")]
    draw = PartnerDraw.objects.create(season=season, number=1, seed=1, pairs=[pair], again=[])
    [made] = enter_pairs(Actor(dana), draw, event)
    change_team(Actor(dana), event, made.number, row("Reds", number=made.number), changed=())
    return event


def by_copy(dana: User, said: dict[str, Any]) -> Event:
    return copy_event(Actor(dana), by_form(dana, said), "Copied Open", said["date"], with_teams=True)


def by_file(dana: User, said: dict[str, Any]) -> Event:
    """An event file that is read; a rehearsal is made by it, too."""
    return import_event(Actor(dana), export_event(by_form(dana, said)))


WAYS: list[Callable[[User, dict[str, Any]], Event]] = [
    by_form,
    by_later_list,
    by_list_again,
    by_the_door,
    from_the_waiting_list,
    walks_in_late,
    by_lot,
    by_copy,
    by_file,
]
PRESETS: dict[str, tuple[dict[str, Any], tuple[bool, int, int, int]]] = {
    "nothing": ({}, (False, 0, 0, 0)),
    "fee": ({"fee_cents": 2000}, (False, 2000, 0, 2000)),
    "fee and pot": ({"fee_cents": 2000, "pot_cents": 500, "all_in": True}, (True, 2000, 500, 2500)),
    "voluntary pot": ({"pot_cents": 500, "all_in": False}, (False, 0, 0, 0)),
    "pot without fee": ({"pot_cents": 500, "all_in": True, "names": "initial"}, (True, 0, 500, 500)),
    "no pot after all": ({"pot_cents": 0, "all_in": True}, (False, 0, 0, 0)),
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("way", WAYS)
def test_what_the_event_says_of_money_holds_for_every_way_in(
    dana: User, way: Callable[[User, dict[str, Any]], Event], preset: str
) -> None:
    chosen, owed = PRESETS[preset]
    said = {"name": "Pot Open", "date": datetime.date(2026, 11, 21), "sheet": "bid_whist/no-kitty-2021", **chosen}
    event = fresh(way(dana, said))
    assert money_of(event, "Reds") == owed
    reds = next(team for team in event.teams.all() if team.full_name == "Reds")
    shown = [["Reds One", "Reds Two"], ["Reds O.", "Reds T."]][chosen.get("names") == "initial"]
    assert [player.name for player in reds.players.all()] == shown


def test_21_teams_by_five_ways_are_in_the_pot_and_so_is_their_copy(dana: User) -> None:
    """Case 14."""
    said = {"name": "Pot Open", "date": datetime.date(2026, 11, 21), "sheet": "bid_whist/no-kitty-2021"}
    clock = {"entries_from": timezone.now() - timedelta(hours=1), "entries_wait": False, "entry_limit": 18}
    event = create_event(Actor(dana), said | clock | {"pot_cents": 500, "all_in": True})
    for number in range(1, 13):
        enter(NOBODY, event, f"key {number}", **team(f"Door {number}"))
    enter_roster(Actor(dana), event, rows(*(f"List {number}" for number in range(1, 7))))
    enter(NOBODY, event, "a key", **team("Waiting"))
    assert in_pot(event) == (18, 9000, 9000)
    change_event(Actor(dana), event, {"entry_limit": 19})
    played_round(fresh(event), [(number, number + 1, win(0)) for number in range(1, 18, 2)], byes=[19])
    add_team(Actor(dana), fresh(event), row("Late"))
    played_round(fresh(event), [(number, number + 1, win(0)) for number in range(1, 20, 2)])
    add_team(Actor(dana), fresh(event), row("Walk-in"))
    assert in_pot(event) == (21, 10500, 10500)
    copy = copy_event(Actor(dana), fresh(event), "Next Open", event.date, with_teams=True)
    assert in_pot(copy) == (21, 10500, 10500)
    assert ruleset_of(copy).rules.pot_entry == "every-team"


def nineteen(dana: User, **said: Any) -> Event:
    """19 teams that have paid $20 and $5; all but the last have checked in."""
    event = make_event("Pot Open", dana, fee_cents=2000, pot_cents=500, checks_in=True, rounds_planned=1, **said)
    make_teams(event, 19)
    event.teams.exclude(number=19).update(here_at=timezone.now())
    return fresh(event)


@pytest.mark.parametrize("options", [EVERYBODY, {}])
def test_who_never_came_is_in_no_pot_owes_nothing_and_has_no_place(dana: User, options: dict[str, str]) -> None:
    """Case 15, where the pot is for everybody and where it is voluntary."""
    event = nineteen(dana, options=options)
    assert in_pot(event) == (19, 9500, 9500)
    withdraw_team(Actor(dana), event, 19, 0)
    account = sure(cash(event).account(19))
    assert in_pot(event) == (18, 9000, 9000)
    assert (account.owes, account.due, account.over, account.in_pot) == (0, 0, 2500, False)
    desk = signed_in(dana)
    page = words_of(desk.get(reverse("money-team", args=[event.slug, 19])))
    assert "Never played owes nothing" in page and "To give back $25" in page
    assert "To be given back $25" in words_of(desk.get(reverse("desk-money", args=[event.slug])))
    refund(Actor(dana), event, 19, 2500, Wording(reason="Did not come"))
    scores = [(number, number + 1, win(0, 7 if number == 1 else 5)) for number in range(1, 18, 2)]
    played_round(fresh(event), scores)
    assert [line.number for line in standings(fresh(event)).lines].count(19) == 0
    make_cut(Actor(dana), fresh(event), 1)
    finish_event(Actor(dana), fresh(event))
    lines = final_places(fresh(event)).lines
    assert sorted(line.number for line in lines) == list(range(1, 19))
    assert {line.rank for line in lines} <= set(range(1, 19))
    assert "Team 19" not in words_of(Client().get(reverse("standings", args=[event.slug])))
    assert sum(line.cents for line in pay_out_all(Actor(dana), fresh(event))) == -9000
    books = cash(fresh(event))
    assert (books.balances, books.in_hand, payouts(fresh(event)).left) == (True, 36000, 0)


def test_leave_out_says_what_goes_back_and_gives_it_back_in_the_same_press(dana: User) -> None:
    event, desk = nineteen(dana, options=EVERYBODY), signed_in(dana)
    to, asked = reverse("leave-out", args=[event.slug]), {"numbers": "19,"}
    page = page_of(desk.post(to, asked))
    assert "19 Team 19: $25 goes back" in page
    assert (fresh(event).teams.get(number=19).status, cash(event).in_hand) == ("playing", 47500)
    answer = desk.post(to, asked | {"confirmed": confirmed_in(page)}, follow=True)
    assert "Dropped: 19 Team 19: $25 goes back." in words_of(answer)
    last = event.ledger.order_by("-number")[0]
    assert (last.number, last.kind, last.cents, last.reason) == (39, "refund", -2500, "Dropped: never played")
    account = sure(cash(event).account(19))
    assert (account.paid, account.owes, account.over, account.team.paid) == (0, 0, 0, False)
    assert (in_pot(event)[0], cash(event).balances, cash(event).in_hand) == (18, True, 45000)
    # A second press finds nobody, and gives nothing.
    assert (desk.post(to, asked).status_code, event.ledger.count()) == (409, 39)
    # Who comes after all owes it again.
    return_team(Actor(dana), event, 19)
    assert (in_pot(event)[0], sure(cash(event).account(19)).owes) == (19, 2500)


def test_leave_out_with_a_draw_says_and_gives_back_the_same(dana: User) -> None:
    event, desk = nineteen(dana, options=EVERYBODY), signed_in(dana)
    draw_rounds(Actor(dana), event)
    to, asked = reverse("leave-out", args=[event.slug]), {"numbers": "19,"}
    page = page_of(desk.post(to, asked))
    assert "19 Team 19: $25 goes back" in page
    desk.post(to, asked | {"confirmed": confirmed_in(page)})
    assert (in_pot(event)[0], cash(event).in_hand, event.ledger.count()) == (18, 45000, 39)


def test_leave_out_gives_nothing_where_the_money_is_not_there(dana: User) -> None:
    event = nineteen(dana, options=EVERYBODY)
    event.ledger.create(event=event, number=39, kind="adjustment", purpose="cash", cents=-47000, reason="To the bank")
    refused = refusal_of(lambda: leave_out(Actor(dana), event, [19]), ValidationFailed)
    assert [fault.text for fault in refused.faults] == ["Only $5 is on hand."]
    assert fresh(event).teams.get(number=19).status == "playing"


# Who has played, and who never did.


def lost_by_default(dana: User, event: Event, loser: int) -> None:
    """Game 1 of Aces and Books, won by who was there; Night Owls have the bye."""
    played_round(event, [(1, 2, [])], state="running", byes=[3])
    game = Game.objects.get(round__event=event)
    apply_ruling(Actor(dana), game, {"entry": "award", "rule": "13", "to": 2 - loser})
    play(dana, game)


@pytest.mark.parametrize(
    ("number", "left_after", "never"),
    [
        # Did not come to game 1, and left; who was there has played.
        (2, 1, True),
        (1, 1, False),
        (2, 0, True),
        # Sat out game 1; was gone by then.
        (3, 1, False),
        (3, 0, True),
    ],
)
def test_who_was_not_there_never_played(dana: User, number: int, left_after: int, never: bool) -> None:
    event = make_event("Pot Open", dana, fee_cents=2000, pot_cents=500, teams=3)
    lost_by_default(dana, event, 2)
    withdraw_team(Actor(dana), fresh(event), number, left_after)
    account = sure(cash(fresh(event)).account(number))
    assert (account.absent, account.over, in_pot(event)[0]) == (never, 2500 if never else 0, 2 if never else 3)


def test_a_hand_that_was_played_counts_even_where_the_last_game_is_said_to_be_none(dana: User) -> None:
    event = make_event("Pot Open", dana, pot_cents=500, teams=2)
    played_round(event, [(1, 2, win(0))])
    withdraw_team(Actor(dana), fresh(event), 2, 0)
    assert (have_played(list(event.teams.all())), in_pot(event)[0]) == (
        set(event.teams.values_list("pk", flat=True)),
        2,
    )


def test_who_sits_at_a_table_has_played_until_the_game_is_given_away(dana: User) -> None:
    event = make_event("Pot Open", dana, pot_cents=500, teams=2)
    played_round(event, [(1, 2, [])], state="running")
    withdraw_team(Actor(dana), fresh(event), 2, 1)
    assert in_pot(event)[0] == 2
    finish_game(fresh(event), Game.objects.get(round__event=event), [{"entry": "award", "rule": "46", "to": 0}])
    assert in_pot(event)[0] == 1


def test_who_never_played_cannot_be_marked_as_paid(dana: User) -> None:
    event = make_event("Pot Open", dana, fee_cents=2000, teams=2)
    withdraw_team(Actor(dana), event, 2, 0)
    refund(Actor(dana), event, 2, 2000, Wording(reason="Did not come"))
    refused = refusal_of(lambda: ledger.set_paid(Actor(dana), event, 2, True), Conflict)
    assert [fault.text for fault in refused.faults] == ["Books never played and owes nothing."]
    row = words_of(signed_in(dana).get(reverse("desk-teams", args=[event.slug])))
    assert re.search(r"2 Books Left .* no no", row)


# What the desk asks, and how the pot becomes one for everybody or voluntary.


def test_where_everybody_is_in_no_form_asks_for_it(dana: User) -> None:
    event, desk = make_event("Pot Open", dana, pot_cents=500, options=EVERYBODY), signed_in(dana)
    enter_roster(Actor(dana), event, rows("Reds", "Blues"))
    teams, one = reverse("desk-teams", args=[event.slug]), reverse("desk-team", args=[event.slug, 1])
    assert all('name="in_pot"' not in page_of(desk.get(page)) for page in (teams, one))
    assert "in the Boston pot)" not in page_of(desk.get(teams))
    assert "$0 of $10 paid into the pot, 2 teams in it" in words_of(desk.get(teams))
    refused = refusal_of(lambda: ledger.set_pot(Actor(dana), event, 1, True), Conflict)
    assert refused.faults[0].text == ledger.FOR_EVERYBODY
    listed = page_of(desk.post(reverse("desk-roster", args=[event.slug]), {"text": "team,pot\nGolds,yes\nGreens,no\n"}))
    assert "Everybody is in the pot at this event: what the list says about it is not read." in listed


def sent(event: Event, desk: Client, **said: str) -> Any:
    """The event's own form, as it is but for what is `said`."""
    form = fields(name=event.name, fee_cents="20", pot_cents="5", rounds_planned=str(event.rounds_planned))
    return desk.post(reverse("desk-setup", args=[event.slug]), form | said)


def ticks(event: Event) -> list[bool]:
    return list(event.teams.values_list("in_pot", flat=True))


def test_the_tick_at_setup_makes_the_pot_one_for_everybody_and_voluntary_again(dana: User) -> None:
    event, desk = make_event("Pot Open", dana, fee_cents=2000, pot_cents=500), signed_in(dana)
    enter_roster(Actor(dana), event, [row("Reds", in_pot=True, paid=True), row("Blues", paid=True)])
    assert (in_pot(event), ticks(event)) == ((1, 500, 500), [True, False])
    assert sent(event, desk, all_in="on").status_code == 302
    assert (in_pot(event), ticks(event)) == ((2, 1000, 1000), [True, False])
    assert list(event.teams.values_list("paid", flat=True)) == [True, False]
    assert sure(event.journal.filter(noun="options").first()).text == "Options changed: Boston pot"
    # Voluntary again: nobody's money changes by it, and from now on each one can leave.
    assert sent(event, desk).status_code == 302
    assert (in_pot(event), ticks(event)) == ((2, 1000, 1000), [True, True])
    ledger.set_pot(Actor(dana), event, 2, False)
    assert (in_pot(event), list(event.teams.values_list("paid", flat=True))) == ((1, 500, 500), [True, True])


def test_once_games_are_played_who_does_not_pay_can_still_be_let_out(dana: User) -> None:
    event, desk = make_event("Pot Open", dana, pot_cents=500, rounds_planned=1, options=EVERYBODY), signed_in(dana)
    enter_roster(Actor(dana), event, [row("Reds", paid=True), row("Blues")])
    played_round(fresh(event), [(1, 2, win(0, 7))])
    refused = refusal_of(lambda: pay_out_all(Actor(dana), fresh(event)))
    assert "untick “Everybody is in the pot” under Setup, Money and take them out of it" in refused.faults[0].text
    form = {"fee_cents": "", "rounds_planned": "1"}
    assert sent(fresh(event), desk, **form).status_code == 422
    assert sent(fresh(event), desk, confirm="on", **form).status_code == 302
    ledger.set_pot(Actor(dana), fresh(event), 2, False, "Would not pay")
    assert [line.cents for line in pay_out_all(Actor(dana), fresh(event))] == [-500]
    # And nobody is put in any more.
    assert 'name="all_in"' not in page_of(desk.get(reverse("desk-setup", args=[event.slug])))
    refused = refusal_of(
        lambda: change_event(Actor(dana), fresh(event), {"all_in": True}, confirmed=True), ValidationFailed
    )
    assert refused.faults[0].field == "all_in"


def test_a_game_without_bostons_keeps_the_pot_for_everybody(dana: User) -> None:
    event = make_event("Pot Open", dana, pot_cents=500, options=EVERYBODY)
    enter_roster(Actor(dana), event, rows("Reds", "Blues"))
    change_event(Actor(dana), event, {"sheet": "spades/standard"})
    assert in_pot(event) == (2, 1000, 1000)
    change_options(Actor(dana), fresh(event), {"grace_minutes": 7})
    assert in_pot(event) == (2, 1000, 1000)
    desk = signed_in(dana)
    assert 'name="all_in"' in page_of(desk.get(reverse("desk-setup", args=[event.slug])))
    change_event(Actor(dana), fresh(event), {"all_in": False})
    event.teams.update(in_pot=False)
    change_event(Actor(dana), fresh(event), {"all_in": True})
    assert in_pot(event) == (2, 1000, 1000)


def test_the_option_in_words_is_the_same_fact(dana: User) -> None:
    event = make_event("Pot Open", dana, pot_cents=500)
    enter_roster(Actor(dana), event, [row("Reds", in_pot=True, paid=True), row("Blues")])
    change_options(Actor(dana), event, EVERYBODY)
    assert (in_pot(event)[0], 'name="all_in" ' in setup_page(event, dana), is_ticked(event, dana)) == (2, True, True)
    change_options(Actor(dana), fresh(event), {"pot_entry": "opt-in"})
    assert (ticks(event), is_ticked(event, dana)) == ([True, True], False)


def setup_page(event: Event, dana: User) -> str:
    return page_of(signed_in(dana).get(reverse("desk-setup", args=[event.slug])))


def is_ticked(event: Event, dana: User) -> bool:
    return bool(re.search(r'<input[^>]*name="all_in"[^>]*checked', setup_page(event, dana)))


def test_a_pot_says_what_is_paid_apart_from_what_is_expected(dana: User) -> None:
    event = make_event("Open", dana, fee_cents=0, pot_cents=500, options=EVERYBODY)
    for number, name in enumerate(("Aces", "Books"), start=1):
        Team.objects.create(event=event, number=number, name=name, key=name.lower())
    desk, address = signed_in(dana), f"/desk/{event.slug}/teams/"
    assert "$0 of $10 paid into the pot, 2 teams in it" in words_of(desk.get(address))
    desk.post(f"{address}1/paid/", {"on": "yes"})
    assert "$5 of $10 paid into the pot, 2 teams in it" in words_of(desk.get(address))
    desk.post(f"{address}2/paid/", {"on": "yes"})
    assert "$10 paid into the pot, 2 teams in it" in words_of(desk.get(address))


@pytest.mark.parametrize(("fee", "owes"), [(2000, "$20.00"), (0, "")])
def test_each_column_of_money_says_what_its_heading_says(dana: User, fee: int, owes: str) -> None:
    """“Paid” says whether a team has paid; what it owes has a column of its own."""
    event = make_event("Open", dana, fee_cents=fee, pot_cents=0)
    Team.objects.create(event=event, number=1, name="Aces", key="aces")
    page = page_of(signed_in(dana).get(f"/desk/{event.slug}/teams/"))
    assert 'aria-label="Not paid: Aces (paid)"' in page and ">Owes</button>" not in page
    assert re.findall(r"<td[^>]*owes_cents[^>]*>([^<]*)<", page) == [owes] * bool(owes)
