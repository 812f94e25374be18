"""The door: one row a team, with who is here and what is owed, one press for both; and what the phone says."""

from __future__ import annotations

import io
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from openpyxl import load_workbook
from pypdf import PdfReader

from tests.factories import make_user, words_of
from tests.sure import fresh, refusal_of, statements_of
from tests.tournament.persons.visitor import Visitor, confirmed
from tests.tournament.season.clubs import FOUR, MORE, evening, make_season, members, person
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Event, Ledger, Official, Player, Season
from tournament.queries.door import door_of
from tournament.queries.ledger import cash
from tournament.services.door import door, take_all
from tournament.services.draws import draw_rounds
from tournament.services.ledger import set_paid
from tournament.services.rounds import start_round
from tournament.services.verifying import findings

DOOR, MONEY, LOG = (reverse(name, args=["march"]) for name in ("desk-check-in", "desk-money", "desk-log"))
PHONE = reverse("check-in", args=["march"])


@pytest.fixture
def season(dana: User) -> Season:
    return make_season(dues_cents=3000)


@pytest.fixture
def march(dana: User, season: Season) -> Event:
    """Two teams whose four players are members: each owes $20, $5 for the pot, and $60 dues."""
    event = evening(dana, season, checks_in=True, fee_cents=2000, pot_cents=500, options={"pot_entry": "every-team"})
    members(season)
    return event


@pytest.fixture
def director(dana: User) -> Visitor:
    return Visitor(dana)


@pytest.fixture
def verifier(march: Event) -> Visitor:
    vera = make_user("vera")
    Official.objects.create(event=march, user=vera, role="verifier")
    return Visitor(vera)


def lines_of(event: Event) -> list[tuple[int, str, int]]:
    return [(line.number, line.kind, line.cents) for line in event.ledger.all()]


def is_here(event: Event, number: int) -> bool:
    return event.teams.get(number=number).here_at is not None


def in_full(event: Event, number: int) -> dict[str, int]:
    """All that a team owes at the door, as its row sends it."""
    [row] = [row for row in door_of(event, with_money=True).playing if row.team.number == number]
    return {debt.key: debt.cents for debt in row.debts}


def log_file(who: Visitor, kind: str) -> str:
    """What is read in a file of the log."""
    content = who.client.get(LOG, {"format": kind}).content
    if kind == "pdf":
        return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split())
    if kind == "xlsx":
        rows = load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True)  # type: ignore[union-attr]
        return "\n".join(str(cell) for row in rows for cell in row)
    return content.decode()


def findings_now() -> list[str]:
    return [line for line in findings() if "no longer refuses" not in line]


def test_case_16_here_and_85_in_one_press(march: Event, director: Visitor) -> None:
    """Fee $20, pot $5, dues $30 each of two members, one press: three kinds, $85, four receipts in a row, cash + $85;
    same key again: none.
    """
    page = director.open(DOOR)
    assert "Fee $20 · Pot $5 · Dues, Otis Reed $30 · Dues, Ann Hill $30" in page.words
    done = page.press("Here and $85")
    assert (done.status, "1 Aces: here. $85 taken. Receipts 1 to 4." in done.words) == (302, True)
    four = [(1, "fee", 2000), (2, "pot", 500), (3, "dues", 3000), (4, "dues", 3000)]
    books = cash(march)
    assert (lines_of(march), books.in_hand, books.balances, is_here(march, 1)) == (four, 8500, True, True)
    assert fresh(march.teams.get(number=1)).paid
    again = page.press("Here and $85")
    assert (again.status, lines_of(march), findings_now()) == (302, four, [])
    assert "$85 taken here" in done.words and "$85 owed" in done.words
    taken = [act.text for act in march.journal.filter(noun="money").order_by("pk")]
    assert [text.partition(" (")[0] for text in taken] == [
        "1 Aces paid $25",
        "Otis Reed paid dues of $30, Fall 2026",
        "Ann Hill paid dues of $30, Fall 2026",
    ]


def test_here_and_money_can_be_two_presses(march: Event, director: Visitor) -> None:
    here = director.open(DOOR).press("Here: Aces")
    assert ("1 Aces: here." in here.words, lines_of(march), is_here(march, 1)) == (True, [], True)
    paid = director.open(DOOR).press("Take $85: Books")
    assert ("$85 taken. Receipts 1 to 4." in paid.words, is_here(march, 2)) == (True, False)
    assert [line[1] for line in lines_of(march)] == ["fee", "pot", "dues", "dues"]


def test_two_laptops_press_the_same_row_and_one_takes_the_money(march: Event, director: Visitor, dana: User) -> None:
    other = Visitor(dana).open(DOOR)
    director.open(DOOR).press("Here and $85")
    late = other.press("Here and $85")
    assert (late.status, cash(march).in_hand) == (409, 8500)
    assert "Nothing was taken: Paid already: Aces. Receipt 2 is the last one of this team." in late.words


def test_a_fee_that_changed_meanwhile_is_not_taken_at_the_old_sum(march: Event, director: Visitor) -> None:
    page = director.open(DOOR)
    Event.objects.filter(pk=march.pk).update(fee_cents=2500)
    refused = page.press("Here and $85")
    assert (refused.status, lines_of(march), is_here(march, 1)) == (409, [], False)
    assert "This is owed now by Aces: Fee $25, Pot $5, Dues, Otis Reed $30, Dues, Ann Hill $30." in refused.words


@pytest.mark.parametrize(
    "wrong", [{}, {"take": "fee"}, {"take": ["fee:2000", "x"]}, {"here": "maybe"}, {"number": "0"}]
)
def test_a_row_that_is_not_understood_takes_nothing(march: Event, director: Visitor, wrong: dict[str, Any]) -> None:
    answer = director.post(DOOR, {"number": "1", "here": "pay"} | wrong)
    assert (answer.status, "This page is too old." in answer.words, lines_of(march)) == (409, True, [])


def test_a_part_is_taken_on_the_page_of_the_team(march: Event, director: Visitor) -> None:
    page = director.open(reverse("money-team", args=["march", 1]))
    done = page.press("Take $30 dues from Ann Hill")
    assert (done.address, lines_of(march)) == (page.address, [(1, "dues", 3000)])
    assert done.press("Take $25").status == 302
    assert lines_of(march)[1:] == [(2, "fee", 2000), (3, "pot", 500)]
    assert "Take $30" in director.open(DOOR).words


def test_the_page_of_the_money_takes_the_same_in_one_press(march: Event, director: Visitor) -> None:
    done = director.open(MONEY).press("Take $85 from Books")
    assert (done.status, done.address.partition("#")[0]) == (302, MONEY)
    assert [line[1] for line in lines_of(march)] == ["fee", "pot", "dues", "dues"]
    assert "Dues in the cash $60" in done.words


def test_all_who_are_here_have_paid(march: Event, director: Visitor, dana: User, season: Season) -> None:
    director.open(DOOR).press("Here: Aces")
    asked = director.open(DOOR).press("All paid: take $85")
    assert "$85 from those who are here." in asked.words and "1 Aces: $85" in asked.words
    assert ("Books" in asked.words, lines_of(march)) == (False, [])
    done = asked.press("They paid")
    assert ("$85 taken. Receipts 1 to 4." in done.words, cash(march).in_hand) == (True, 8500)
    assert asked.press("They paid").status == 302 and cash(march).in_hand == 8500
    refused = refusal_of(lambda: take_all(Actor(dana), fresh(march), uuid.uuid4(), confirmed=None), Conflict)
    assert refused.texts == ("Everybody who is here has paid.",)


def test_more_who_came_meanwhile_are_asked_about_again(march: Event, director: Visitor) -> None:
    director.open(DOOR).press("Here: Aces")
    asked = director.open(DOOR).press("All paid: take $85")
    director.open(DOOR).press("Here: Books")
    again = asked.press("They paid")
    assert ("$170 from those who are here." in again.words, lines_of(march)) == (True, [])
    assert confirmed(again).status == 302 and cash(march).in_hand == 17000


def test_case_17_a_verifier_reads_nothing_of_money(march: Event, director: Visitor, verifier: Visitor) -> None:
    """Verifier: no “dues”, no sum at check-in, in the log nor its four files."""
    director.open(DOOR).press("Here and $85")
    read = {"door": verifier.open(DOOR).words, "log": verifier.open(LOG).words}
    read |= {kind: log_file(verifier, kind) for kind in ("csv", "json", "xlsx", "pdf")}
    told = {name: found[0] for name, text in read.items() if (found := re.search(r"\$|[Dd]ues|\bpaid\b", text))}
    assert told == {}
    assert all("Aces" in text for text in read.values())
    # A director reads all of it there.
    assert all("dues of $30" in log_file(director, kind) for kind in ("csv", "xlsx", "pdf"))
    refused = verifier.post(DOOR, {"number": "2", "here": "both", "take": "fee:2000"})
    assert (refused.status, len(lines_of(march)), is_here(march, 2)) == (403, 4, False)
    assert verifier.post(DOOR, {"number": "2", "here": "yes"}).status == 302
    assert verifier.open(MONEY).status == 403


def test_what_officials_know_of_a_team_stands_in_its_row(march: Event, director: Visitor, verifier: Visitor) -> None:
    Player.objects.filter(name="Ann Hill").update(contact="555-0177")
    page = director.open(reverse("team-note", args=["march", 1]))
    done = page.press("Save", note="Owes me a call")
    assert done.status == 302
    for who in (director, verifier):
        words = who.open(DOOR).words
        assert "555-0177" in words and "Owes me a call" in words
    assert "the desk’s note changed" in director.open(LOG).words
    assert "Owes me a call" not in director.open(LOG).words
    for address in (reverse("teams", args=["march"]), PHONE, reverse("standings", args=["march"])):
        assert "Owes me a call" not in words_of(Visitor().client.get(address))
    long = page.press("Save", note="x" * 200)
    assert (long.status, "x" * 200 in long.answer.content.decode()) == (422, True)


def phone_of(march: Event) -> Visitor:
    """A phone that checked Aces in."""
    phone = Visitor()
    found = phone.open(f"{PHONE}?code={march.wall_code}&team=Aces")
    assert found.press("We are here").status == 302
    return phone


def test_the_phone_says_what_is_owed_and_then_where_they_play(dana: User, march: Event, director: Visitor) -> None:
    phone = phone_of(march)
    words = phone.open(PHONE).words
    assert "You are checked in." in words and "Still to pay: $85. Please pay at the desk." in words
    assert "Undo check-in" in words and "Dues" not in words
    other = Visitor().open(f"{PHONE}?code={march.wall_code}&team=Aces").words
    assert "$" not in other
    director.open(DOOR).press("Take $85: Aces")
    assert "Still to pay" not in phone.open(PHONE).words
    draw_rounds(Actor(dana), fresh(march))
    words = phone.open(PHONE).words
    assert ("Game 1: Table 1" in words, "Undo check-in" in words) == (True, False)


def test_undo_by_phone_ends_with_the_draw(dana: User, march: Event, director: Visitor) -> None:
    phone = phone_of(march)
    page = phone.open(PHONE)
    draw_rounds(Actor(dana), fresh(march))
    late = page.press("Undo check-in")
    assert (late.status, is_here(march, 1)) == (409, True)
    assert "Game 1 is drawn. If you have to leave, please tell the desk." in late.words
    assert director.open(DOOR).press("Undo: Aces").status == 302
    assert not is_here(march, 1)


def test_to_do_names_what_is_owed_from_the_first_start_until_nothing_is(
    dana: User, march: Event, director: Visitor
) -> None:
    desk = reverse("desk", args=["march"])
    assert "owed by" not in director.open(desk).words.partition("To do")[2]
    draw_rounds(Actor(dana), fresh(march))
    for number in (1, 2):
        door(Actor(dana), march, number, None, here=True)
    start_round(Actor(dana), fresh(march), 1)
    assert "$170 owed by 2 teams." in director.open(desk).words
    door(Actor(dana), march, 1, None, takes=in_full(march, 1))
    assert "$85 owed by 1 team." in director.open(desk).words
    # Dues that the owner takes are none of the desk's any more.
    root = Visitor(make_user("root", is_staff=True))
    for name in ("Cy Dill", "Flo Kay"):
        paid = root.post(reverse("season-dues-payment", args=["fall"]), {"person": person(name).pk})
        assert paid.status == 302
    assert "$25 owed by 1 team." in director.open(desk).words
    set_paid(Actor(dana), fresh(march), 2, paid=True)
    assert "owed by" not in director.open(desk).words


def test_a_namesake_who_is_nobody_yet_owes_once_the_desk_says_who_it_is(
    dana: User, march: Event, director: Visitor
) -> None:
    """A player of a name that one member alone has owes as that member; of a name that is only near, nothing."""
    Player.objects.filter(name="Ann Hill").update(person=None)
    Player.objects.filter(name="Otis Reed").update(person=None, name="Reed, Otis", key="reed, otis")
    page = director.open(DOOR)
    assert "Fee $20 · Pot $5 · Dues, Ann Hill $30" in page.words
    page.press("Here and $55")
    rows = {player.full_name: player.person for player in Player.objects.filter(team__number=1)}
    assert rows == {"Reed, Otis": None, "Ann Hill": person("Ann Hill")}
    assert cash(march).in_hand == 5500


def test_the_row_of_a_team_asks_no_more_for_more_teams(dana: User, season: Season, director: Visitor) -> None:
    evening(dana, season, "March", FOUR, checks_in=True, fee_cents=2000)
    evening(dana, season, "April", FOUR + MORE, checks_in=True, fee_cents=2000)
    members(season)
    few, many = (
        statements_of(lambda name=name: director.client.get(reverse("desk-check-in", args=[name])))  # type: ignore[misc]
        for name in ("march", "april")
    )
    assert few == many


def test_an_act_is_one_whole_and_nobody_else_pays_for_it(march: Event, dana: User) -> None:
    """What a press takes is stored whole or not at all."""
    key = uuid.uuid4()
    takes = in_full(march, 1) | {"dues-1-99999": 500}
    assert refusal_of(lambda: door(Actor(dana), march, 1, key, here=True, takes=takes), Conflict).status == 409
    assert (Ledger.objects.count(), is_here(march, 1)) == (0, False)
    _, lines = door(Actor(dana), march, 1, key, here=True, takes=in_full(march, 1))
    assert sum(line.cents for line in lines) == 8500
