"""Who may do what to whom: every cell of the table is asked by a press. What is refused has changed nothing.

A private link speaks for its own row, and for rows of the same entry that have no link themselves; so each press is
also held against the rows that it may reach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse

from tests.factories import make_user
from tests.sure import fresh
from tests.tournament.persons.conftest import (
    TEAM,
    add_person,
    again,
    desk_page,
    door,
    enter_alone,
    enter_team,
    join,
    links_in,
    seats,
    states,
    team_typed,
)
from tests.tournament.persons.visitor import Page, Visitor, confirmed
from tests.tournament.registrations.conftest import open_event
from tests.tournament.season.clubs import person, played
from tournament.access import Actor
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event, Ledger, Official, Person, Player, Registration, Team
from tournament.queries.roster import RosterRow
from tournament.services.devices import issue_card, pair_device
from tournament.services.draws import draw_rounds
from tournament.services.people import choose_person
from tournament.services.teams import check_in, enter_roster
from tournament.site.cache import answers

STRANGER, LINK, PARTNER, TABLE = "stranger", "private link", "partner's link", "table"
VERIFIER, HERE, EVERYWHERE, OWNER = "verifier", "director here", "director of all her events", "owner"
ASKERS = (STRANGER, LINK, PARTNER, TABLE, VERIFIER, HERE, EVERYWHERE, OWNER)

# The page has no field for it; if it is sent anyway, it changes nothing.
IGNORED = 0


@dataclass
class Hall:
    """March is over, and Dana directed it; she and Fred direct the Open, which Vic verifies.

    In the Open the desk has typed Aces: Otis Reed, who played in March, and Kit Moor. By phone came Reds, Gus Poe with
    Ida Low, who has no link, and two who found each other: Cy Young and Di Hall, who has a link of her own.
    """

    event: Event
    visitors: dict[str, Visitor]
    links: dict[str, str]
    first_of_pair: str
    dana: User

    def page(self, asker: str) -> Page:
        """The page of the link that somebody has."""
        return self.visitors[asker].open(self.links[asker])

    def row(self, name: str) -> Player:
        return Player.objects.get(team__event=self.event, key=name)

    def draw(self) -> None:
        draw_rounds(Actor(self.dana), fresh(self.event))


@pytest.fixture
def hall(dana: User) -> Hall:
    played(dana, None)
    add_person(dana, "J. Pike")
    event = open_event(dana, rounds_planned=1, checks_in=True, fee_cents=2000)
    fred, vic, root = make_user("fred"), make_user("vic"), make_user("root", is_superuser=True, is_staff=True)
    for user, role in ((fred, "director"), (vic, "verifier")):
        Official.objects.create(event=event, user=user, role=role)
    enter_roster(Actor(dana), event, [RosterRow(name="Aces", players=("Otis Reed", "Kit Moor"))])
    reds = enter_team(event, "Reds", "Gus Poe", "Low, Ida", contact="gus@example.com")
    cy = enter_alone(event, "Cy Young", contact="cy@example.com")
    di = enter_alone(event, "Di Hall", contact="di@example.com")
    join(cy, di)
    assert states(event) == ["1 in", "2 in", "3 joined"]
    users = {VERIFIER: vic, HERE: fred, EVERYWHERE: dana, OWNER: root}
    visitors = {asker: Visitor(users.get(asker)) for asker in ASKERS}
    visitors[TABLE].client.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(Actor(dana), event, 1))
    return Hall(fresh(event), visitors, {LINK: reds.address, PARTNER: di.address}, cy.address, dana)


def facts() -> dict[tuple[str, int], dict[str, Any]]:
    """Every row of people, as it is stored."""
    models: tuple[Any, ...] = (Player, Registration, Person, Team, Ledger)
    return {(model.__name__, row["id"]): row for model in models for row in model._default_manager.values()}


# Presses. Each gives with what it was answered.


def type_at_the_desk(hall: Hall, asker: str) -> int:
    """A player's name in the form of a team, which asks whether the player with a private link keeps it."""
    form = (
        hall.visitors[EVERYWHERE]
        .open(desk_page(hall.event, "desk-team", 2))
        .form_to(desk_page(hall.event, "desk-team", 2))
    )
    asked = hall.visitors[asker].post(form.action, form.filled({"player1": "Gus Pow"}))
    typed: dict[str, Any] = {"who-1": "here"}
    return asked.press("Save", **typed).status if asked.status == 409 else asked.status


def type_in_an_entry(hall: Hall, asker: str) -> int:
    page = hall.visitors[asker].open(door(hall.event))
    return page.press(TEAM, **team_typed("Blues", "Al Blue", "Bo Blue")).status


def type_own_name(hall: Hall, asker: str) -> int:
    return _save(hall.page(asker), player1="Somebody Else")


def type_own_name_once_drawn(hall: Hall, asker: str) -> int:
    hall.draw()
    return _forge(hall.page(asker), player1="Somebody Else")


def type_own_name_once_known(hall: Hall, asker: str) -> int:
    """The desk has said who it is."""
    choose_person(Actor(hall.dana), hall.event, hall.row({LINK: "gus poe", PARTNER: "di hall"}[asker]).pk, None)
    return _forge(hall.page(asker), player1="Somebody Else")


def type_a_partner_without_link(hall: Hall, asker: str) -> int:
    return _save(hall.page(asker), player2="Somebody Else")


def type_a_partner_with_link(hall: Hall, asker: str) -> int:
    """The first of a pair types the second's name, and the second the first's."""
    page = hall.visitors[asker].open(hall.first_of_pair) if asker == LINK else hall.page(asker)
    return _forge(page, player2="Somebody Else")


def wish_at_the_desk(hall: Hall, asker: str) -> int:
    address = desk_page(hall.event, "row-wish", hall.row("otis reed").pk)
    return hall.visitors[asker].post(address, {"show": "hidden"}).status


def wish_in_an_entry(hall: Hall, asker: str) -> int:
    page = hall.visitors[asker].open(door(hall.event))
    return page.press(TEAM, **team_typed("Blues", "Al Blue", "Bo Blue", show="hidden")).status


def wish_by_a_link(hall: Hall, asker: str) -> int:
    return _save(hall.page(asker), show="hidden")


def freer_wish_by_a_link(hall: Hall, asker: str) -> int:
    """It was stricter before."""
    assert _save(hall.page(asker), show="hidden") == 302
    status = _save(hall.page(asker), show="initial")
    own = {LINK: "gus poe", PARTNER: "di hall"}[asker]
    assert hall.row(own).name == {LINK: "Gus P.", PARTNER: "Di H."}[asker]
    return status


def wish_of_the_person(hall: Hall, asker: str) -> int:
    address = desk_page(hall.event, "person-wish", person("Otis Reed").pk)
    return hall.visitors[asker].post(address, {"show": "hidden"}).status


def say_who_of_the_name(hall: Hall, asker: str) -> int:
    return _choose(hall, asker, "gus poe", "Gus Poe")


def say_who_of_a_near_name(hall: Hall, asker: str) -> int:
    return _choose(hall, asker, "low, ida", "Ida Low")


def say_who_of_another_name(hall: Hall, asker: str) -> int:
    return _choose(hall, asker, "gus poe", "Jo Pike")


def withdraw_at_the_desk(hall: Hall, asker: str) -> int:
    return hall.visitors[asker].post(desk_page(hall.event, "team-removal", 2), {}).status


def withdraw_by_a_link(hall: Hall, asker: str) -> int:
    """A player who leaves takes along nobody who has a link."""
    status = hall.page(asker).press("what=withdraw").status
    left = {LINK: ["1 withdrawn", "2 in", "3 joined"], PARTNER: ["1 in", "2 single", "3 withdrawn"]}
    assert states(hall.event) == left[asker]
    return status


def withdraw_by_a_guess(hall: Hall, asker: str) -> int:
    guess = reverse("entry", args=[hall.event.slug, "x" * 32])
    return hall.visitors[asker].post(guess, {"what": "withdraw"}).status


def withdraw_once_drawn(hall: Hall, asker: str) -> int:
    """The team plays on until the desk decides."""
    hall.draw()
    status = hall.page(asker).press("what=withdraw").status
    place = {LINK: 1, PARTNER: 3}[asker]
    assert f"{place} leaving" in states(hall.event)
    assert set(hall.event.teams.values_list("status", flat=True)) == {"playing"}
    return status


def new_link_at_the_desk(hall: Hall, asker: str) -> int:
    answer = hall.visitors[asker].post(desk_page(hall.event, "player-link", hall.row("gus poe").pk), {})
    if answer.status == 200:
        assert [Visitor().open(link).status for link in links_in(answer)] == [200]
    return answer.status


def first_link_of_a_partner(hall: Hall, asker: str) -> int:
    """The player who entered makes it; it is a separate link, and the player's own still works."""
    page = hall.page(asker)
    made = page.press("what=link")
    new = [link for link in links_in(made) if link != page.address]
    assert [Visitor().open(link).status for link in new] == [200]
    assert again(page).status == 200
    return made.status


def second_link_of_a_partner(hall: Hall, asker: str) -> int:
    """One who has a link already: the page has no button for it, and sending it anyway makes none."""
    if asker == LINK:
        hall.page(asker).press("what=link")
    partner = hall.row({LINK: "low, ida", PARTNER: "cy young"}[asker])
    page, before = hall.page(asker), facts()
    assert not page.has("what=link")
    status = page.visitor.post(page.address, {"what": "link", "partner": partner.pk}).status
    return status if facts() != before else IGNORED


def rename_a_person(hall: Hall, asker: str) -> int:
    """On its own page, as the owner's form has it."""
    page = hall.visitors[OWNER].open(reverse("person", args=[person("Jo Pike").pk]))
    forms = [form for form in page.forms if "name" in form.names and form.method == "post"]
    assert len(forms) == 1, page.words
    return hall.visitors[asker].post(forms[0].action, forms[0].filled({"name": "Jo Park"})).status


def merge_persons(hall: Hall, asker: str) -> int:
    address = reverse("person-merger", args=[person("J. Pike").pk])
    return hall.visitors[asker].post(address, {"into": person("Jo Pike").pk, "sure": "yes"}).status


def delete_a_person(hall: Hall, asker: str) -> int:
    address = reverse("person-deletion", args=[person("Jo Pike").pk])
    return hall.visitors[asker].post(address, {"sure": "yes"}).status


# The door: who is here, and money.


def check_in_with_the_code(hall: Hall, asker: str) -> int:
    """At the page for phones and tablets of the hall."""
    page = hall.visitors[asker].open(f"{_phones(hall)}?code={hall.event.wall_code}&team=Aces")
    return page.press("We are here").status


def check_in_without_the_code(hall: Hall, asker: str) -> int:
    return hall.visitors[asker].post(_phones(hall), {"number": "1"}).status


def check_in_at_the_desk(hall: Hall, asker: str) -> int:
    return hall.visitors[asker].post(desk_page(hall.event, "desk-check-in"), {"number": "1", "here": "yes"}).status


def check_another_team_in_by_the_same_phone(hall: Hall, asker: str) -> int:
    check_in_with_the_code(hall, asker)
    return hall.visitors[asker].post(_phones(hall), {"number": "2", "code": hall.event.wall_code}).status


def undo_by_the_same_phone(hall: Hall, asker: str) -> int:
    check_in_with_the_code(hall, asker)
    return hall.visitors[asker].post(_phones(hall), {"number": "1", "here": "no"}).status


def undo_by_the_same_phone_once_drawn(hall: Hall, asker: str) -> int:
    check_in_with_the_code(hall, asker)
    hall.draw()
    return hall.visitors[asker].post(_phones(hall), {"number": "1", "here": "no"}).status


def undo_what_another_phone_did(hall: Hall, asker: str) -> int:
    check_in(Actor(), hall.event, 1, "phone")
    return hall.visitors[asker].post(_phones(hall), {"number": "1", "here": "no", "code": hall.event.wall_code}).status


def undo_at_the_desk(hall: Hall, asker: str) -> int:
    check_in(Actor(), hall.event, 1, "phone")
    hall.draw()
    return hall.visitors[asker].post(desk_page(hall.event, "desk-check-in"), {"number": "1", "here": "no"}).status


def take_money(hall: Hall, asker: str) -> int:
    typed = {"number": "1", "here": "pay", "take": "fee:2000"}
    return hall.visitors[asker].post(desk_page(hall.event, "desk-check-in"), typed).status


def _phones(hall: Hall) -> str:
    return desk_page(hall.event, "check-in")


def _save(page: Page, **typed: str) -> int:
    """Save what was typed, also where the form has no field for it."""
    names = page.form("Save").names
    known = {name: value for name, value in typed.items() if name in names}
    forged = {name: value for name, value in typed.items() if name not in names}
    return page.press("Save", forged=forged, **known).status


def _forge(page: Page, **typed: str) -> int:
    """The same of what must not be saved."""
    before = facts()
    status = _save(page, **typed)
    return status if facts() != before else IGNORED


def _choose(hall: Hall, asker: str, row: str, name: str) -> int:
    address = desk_page(hall.event, "player-person", hall.row(row).pk)
    return confirmed(hall.visitors[asker].post(address, {"person": person(name).pk})).status


# The table: what is asked, and with what each of `ASKERS` is answered. None: that is asked in another line.

Act = Callable[[Hall, str], int]
WRITES: list[tuple[Act, tuple[int | None, ...]]] = [
    (type_at_the_desk, (403, 403, 403, 403, 403, 302, 302, 302)),
    (type_in_an_entry, (302, None, None, None, None, None, None, None)),
    (type_own_name, (None, 302, 302, None, None, None, None, None)),
    (type_own_name_once_drawn, (None, IGNORED, IGNORED, None, None, None, None, None)),
    (type_own_name_once_known, (None, IGNORED, IGNORED, None, None, None, None, None)),
    (type_a_partner_without_link, (None, 302, None, None, None, None, None, None)),
    (type_a_partner_with_link, (None, IGNORED, IGNORED, None, None, None, None, None)),
    (wish_at_the_desk, (403, 403, 403, 403, 403, 302, 302, 302)),
    (wish_in_an_entry, (302, None, None, None, None, None, None, None)),
    (wish_by_a_link, (None, 302, 302, None, None, None, None, None)),
    (freer_wish_by_a_link, (None, 302, 302, None, None, None, None, None)),
    (wish_of_the_person, (403, 403, 403, 403, 403, 403, 302, 302)),
    (say_who_of_the_name, (403, 403, 403, 403, 403, 302, 302, 302)),
    (say_who_of_a_near_name, (403, 403, 403, 403, 403, 302, 302, 302)),
    (say_who_of_another_name, (403, 403, 403, 403, 403, 403, 403, 302)),
    (withdraw_at_the_desk, (403, 403, 403, 403, 403, 302, 302, 302)),
    (withdraw_by_a_link, (None, 302, 302, None, None, None, None, None)),
    (withdraw_by_a_guess, (404, 404, 404, 404, 404, 404, 404, 404)),
    (withdraw_once_drawn, (None, 302, 302, None, None, None, None, None)),
    (new_link_at_the_desk, (403, 403, 403, 403, 403, 200, 200, 200)),
    (first_link_of_a_partner, (None, 200, None, None, None, None, None, None)),
    (second_link_of_a_partner, (None, IGNORED, IGNORED, None, None, None, None, None)),
    (rename_a_person, (403, 403, 403, 403, 403, 403, 403, 302)),
    (merge_persons, (403, 403, 403, 403, 403, 403, 403, 302)),
    (delete_a_person, (403, 403, 403, 403, 403, 403, 403, 302)),
    (check_in_with_the_code, (302, 302, 302, 302, 302, 302, 302, 302)),
    (check_in_without_the_code, (422, 422, 422, 302, 422, 422, 422, 422)),
    (check_in_at_the_desk, (403, 403, 403, 403, 302, 302, 302, 302)),
    (check_another_team_in_by_the_same_phone, (409, 409, 409, 302, 409, 409, 409, 409)),
    (undo_by_the_same_phone, (302, 302, 302, 302, 302, 302, 302, 302)),
    (undo_by_the_same_phone_once_drawn, (409, 409, 409, 302, 409, 409, 409, 409)),
    (undo_what_another_phone_did, (409, 409, 409, 302, 409, 409, 409, 409)),
    (undo_at_the_desk, (403, 403, 403, 403, 302, 302, 302, 302)),
    (take_money, (403, 403, 403, 403, 403, 302, 302, 302)),
]
# The rows that a link may change.
REACH = {LINK: {"gus poe", "low, ida"}, PARTNER: {"di hall"}}
# Of these the desk did something first.
PREPARED = {
    type_own_name_once_known,
    second_link_of_a_partner,
    check_another_team_in_by_the_same_phone,
    undo_by_the_same_phone,
    undo_by_the_same_phone_once_drawn,
    undo_what_another_phone_did,
    undo_at_the_desk,
}
BY_A_LINK = {type_own_name, type_a_partner_without_link, wish_by_a_link, freer_wish_by_a_link}


@pytest.mark.parametrize(("act", "expected"), WRITES, ids=[act.__name__ for act, _ in WRITES])
def test_a_press_is_answered_as_the_table_says(hall: Hall, act: Act, expected: tuple[int | None, ...]) -> None:
    asked = {asker: status for asker, status in zip(ASKERS, expected, strict=True) if status is not None}
    assert {asker: outcome(hall, act, asker) for asker in asked} == asked


def outcome(hall: Hall, act: Act, asker: str) -> int:
    """With what somebody's press is answered; what was done is taken back, and what was refused has changed nothing."""
    cache.clear()
    answers.clear()
    with transaction.atomic():
        before, names = facts(), dict(Player.objects.values_list("pk", "key"))
        status = act(hall, asker)
        changed = {key for key, row in facts().items() if before.get(key) != row} | (before.keys() - facts().keys())
        transaction.set_rollback(True)
    if act in BY_A_LINK:
        rows = {names[pk] for model, pk in changed if model == "Player" and pk in names}
        assert rows <= REACH[asker], rows
    was_done = status != IGNORED and status < 400
    assert bool(changed) == was_done or act in PREPARED, (asker, status, changed)
    return status


# What is only read.


def people_of_the_club(hall: Hall, asker: str) -> int:
    return _seen(hall.visitors[asker].open(reverse("people")))


def contact_at_the_desk(hall: Hall, asker: str) -> int:
    """How somebody is reached, on the list of entries or where teams check in."""
    pages = [hall.visitors[asker].open(desk_page(hall.event, name)) for name in ("desk-entries", "desk-check-in")]
    told = [page for page in pages if "gus@example.com" in page.words]
    return min((_seen(page) for page in told), default=403)


def own_contact(hall: Hall, asker: str) -> int:
    """A link's own, and no other one's."""
    content = hall.page(asker).answer.content.decode()
    known = [who for who in ("gus", "cy", "di") if f"{who}@example.com" in content]
    return 200 if known == [{LINK: "gus", PARTNER: "di"}[asker]] else 403


def contact_of_others(hall: Hall, asker: str) -> int:
    """On no page that everybody reads."""
    hall.draw()
    pages = [reverse(name, args=[hall.event.slug]) for name in ("enter", "standings", "teams", "schedule")]
    pages += [reverse("team", args=[hall.event.slug, number]) for number in (1, 2, 3)]
    content = "".join(hall.visitors[asker].open(page).answer.content.decode() for page in pages)
    return 200 if "example.com" in content else 403


def what_is_owed(hall: Hall, asker: str) -> int:
    """By a team at the desk, and on the pages that everybody reads."""
    names = ("desk-check-in", "desk-money", "check-in", "enter", "teams")
    hall.draw()
    pages = [hall.visitors[asker].open(desk_page(hall.event, name)) for name in names]
    told = [page for page in pages if "Take $20" in page.words or "Still to pay" in page.words]
    return min((_seen(page) for page in told), default=403)


def what_the_own_team_owes(hall: Hall, asker: str) -> int:
    page = hall.page(asker)
    return page.status if "Your team still owes $20." in page.words else 403


def _seen(page: Page) -> int:
    """Being asked to sign in counts as a refusal."""
    return 403 if "/sign-in/" in page.address else page.status


READS: list[tuple[Act, tuple[int | None, ...]]] = [
    (people_of_the_club, (403, 403, 403, 403, 403, 403, 403, 200)),
    (contact_at_the_desk, (403, 403, 403, 403, 200, 200, 200, 200)),
    (own_contact, (None, 200, 200, None, None, None, None, None)),
    (contact_of_others, (403, 403, 403, 403, 403, 403, 403, 403)),
    (what_is_owed, (403, 403, 403, 403, 403, 200, 200, 200)),
    (what_the_own_team_owes, (None, 200, 200, None, None, None, None, None)),
]


@pytest.mark.parametrize(("act", "expected"), READS, ids=[act.__name__ for act, _ in READS])
def test_a_page_tells_what_the_table_says(hall: Hall, act: Act, expected: tuple[int | None, ...]) -> None:
    asked = {asker: status for asker, status in zip(ASKERS, expected, strict=True) if status is not None}
    assert {asker: outcome_of_reading(hall, act, asker) for asker in asked} == asked


def outcome_of_reading(hall: Hall, act: Act, asker: str) -> int:
    cache.clear()
    answers.clear()
    with transaction.atomic():
        status = act(hall, asker)
        transaction.set_rollback(True)
    return status


def test_people_of_an_event_are_offered_by_name_alone(hall: Hall) -> None:
    """A director reads the people of the rows and those of near names; an owner finds all people on their own page."""
    for asker in (HERE, EVERYWHERE):
        content = hall.visitors[asker].open(desk_page(hall.event, "desk-people")).answer.content.decode()
        others = [name for name in ("Ann Hill", "Cy Dill", "Flo Kay", "Hal Orr", "Jo Pike") if name in content]
        assert (others, "Ida Low" in content, "Gus Poe" in content) == ([], True, True), asker


def test_the_wish_of_a_partner_hides_nobody_else(hall: Hall) -> None:
    """What the partner's link saves leaves the first of the pair as he is."""
    first = [row.name for row in seats(hall.event, 3)]
    assert _save(hall.page(PARTNER), show="hidden") == 302
    assert [row.name for row in seats(hall.event, 3)] == [first[0], "Player 2"]
