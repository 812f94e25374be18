"""The door in Chromium: players enter and check in by phone, the desk needs no more presses than with a pasted list."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, TURN, Counted, look
from tests.browser.test_desk import at_desk
from tests.browser.test_looks import AXE, faults
from tests.factories import PASSWORD, make_teams
from tests.tournament.registrations.conftest import alone, entered, open_event, team
from tests.tournament.season.clubs import make_season
from tournament.models import Event, Membership, Person, Player, Registration, Team
from tournament.words.texts import name_key, near_key

NAMES = ("Reds", "Blues", "Greens", "Golds")
LONG = "Bartholomew Featherstonehaugh-Whitlock"


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def enters_alone(page: Any, event: Event, name: str) -> str:
    """The address of the private link."""
    page.goto(f"/e/{event.slug}/enter/")
    page.get_by_text("I need a partner").click()
    form = page.locator("form:has([name=alone])")
    form.get_by_label("Your name").fill(name)
    form.get_by_label("How do we reach you?").fill("555-0100")
    press(page, "Enter alone")
    page.get_by_text("Save this page").wait_for()
    return str(page.url)


def test_a_member_enters_alone_finds_a_partner_and_checks_in_from_the_wall(new_page: Any, dana: User) -> None:
    with TURN:
        event = open_event(dana, entries_wait=True, checks_in=True, rounds_planned=2)
        entered(event, *map(team, NAMES))
    roy, ann, desk = new_page(PHONE), new_page(PHONE), at_desk(new_page, dana, LAPTOP)
    roy_link, ann_link = enters_alone(roy, event, "Roy Hill"), enters_alone(ann, event, "Ann Lee")
    desk.goto(f"/desk/{event.slug}/entries/")
    press(desk, "Accept")
    desk.get_by_text("4 teams are in, 2 look for a partner.").wait_for()
    roy.goto(roy_link)
    press(roy, "Play with Ann Lee")
    roy.get_by_text("chosen", exact=True).wait_for()
    ann.goto(ann_link)
    ann.get_by_text("wants to play with you").wait_for()
    press(ann, "Play with Roy Hill")
    ann.get_by_text("You play for Hill / Lee, No. 5.").wait_for()
    # The phone checks in from the wall's address, and speaks for its own team alone.
    wall = f"/e/{event.slug}/check-in/?code={event.wall_code}"
    roy.goto(f"{wall}&team=hill")
    press(roy, "We are here")
    roy.get_by_text("You are checked in.").wait_for()
    other = roy.request.post(wall, form={"number": "1", "csrfmiddlewaretoken": token_of(roy)}, headers=origin_of(roy))
    assert (other.status, "This phone checked in 5 Hill / Lee" in other.text()) == (409, True)
    ann.goto(f"{wall}&team=reds")
    press(ann, "We are here")
    ann.get_by_text("You are checked in.").wait_for()
    desk.goto(f"/desk/{event.slug}/check-in/")
    desk.get_by_role("button", name="Here: Golds").click()
    desk.get_by_role("button", name="Here: Greens").click()
    press(desk, "Drop the no-show")
    look(desk, "door-leave-out")
    press(desk, "Drop 1 team")
    desk.get_by_text("Dropped: 2 Blues.").wait_for()
    press(desk, "Draw 2 games")
    press(desk, "Start game 1")
    desk.get_by_text("Game 1 is in play.").wait_for()
    seated = {number for (number,) in Team.objects.filter(sides__round__number=1).values_list("number").distinct()}
    assert seated == {1, 3, 4, 5}


def token_of(page: Any) -> str:
    return str(page.locator("[name=csrfmiddlewaretoken]").first.input_value())


def origin_of(page: Any) -> dict[str, str]:
    return {"Origin": page.evaluate("location.origin"), "Referer": page.url}


# Both clubs announce an event first; one pastes its list in the hall, the other's players have entered by then.
PASTED = "\n".join(f"{name} {number} – Al {name}{number} / Bo {name}{number}" for number in range(3) for name in NAMES)


@pytest.mark.parametrize(("entries", "presses"), [(False, 8), (True, 7)])
def test_entries_by_players_cost_the_director_no_more_presses_than_a_pasted_list(
    new_page: Any, otis: User, entries: bool, presses: int
) -> None:
    owner = Counted(page := new_page(LAPTOP))
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("otis")
    page.get_by_label("Password").fill(PASSWORD)
    owner.tap(page.get_by_role("button", name="Sign in", exact=True))
    owner.tap(page.get_by_role("link", name="Set up the first one", exact=True))
    page.get_by_role("textbox", name="Name", exact=True).fill("Winter Cup")
    if entries:
        owner.tap(page.get_by_text("Players enter themselves", exact=True))
        page.get_by_label("Entries open").fill("2026-01-01T12:00")
    owner.tap(page.get_by_role("button", name="Set up only", exact=True))
    page.get_by_text("Winter Cup is set up.").wait_for()
    if entries:
        with TURN:
            entered(Event.objects.get(), *(team(f"{name} {number}") for number in range(3) for name in NAMES))
        owner.tap(page.get_by_role("link", name="Accept 12 entries", exact=True))
        look(page, "door-entries")
        owner.tap(page.get_by_role("button", name="Accept and draw", exact=True))
    else:
        owner.tap(page.get_by_role("link", name="Enter the teams", exact=True).first)
        page.get_by_label("The list").fill(PASTED)
        owner.tap(page.get_by_role("button", name="Check the list", exact=True))
        owner.tap(page.get_by_role("button", name="Enter 12 teams", exact=True))
        owner.tap(page.get_by_role("button", name="Draw 6 games", exact=True))
    owner.tap(page.get_by_role("button", name="Start game 1", exact=True))
    page.get_by_text("Game 1 is in play.").wait_for()
    assert (owner.taps, Team.objects.filter(status="playing").count()) == (presses, 12)


# What every person meets at the door and at the desk: nobody is shut out, and a keyboard alone will do.
@pytest.fixture
def door(dana: User) -> Event:
    """Two entries wait, two look for a partner, one team is here, one has a table of its own and one a long name."""
    season = make_season(dues_cents=3000)
    event = open_event(dana, entries_wait=True, checks_in=True, names="initial", fee_cents=2000, season=season)
    make_teams(event, 4)
    entered(event, team("Reds", players=[LONG, "Bo Hill"]), alone("Roy Hill"), alone("Ann Lee"))
    Registration.objects.filter(position__gt=1).update(state="single")
    Team.objects.filter(number=1).update(home=2, here_at=event.created_at, name=LONG, key=name_key(LONG))
    long = Person.objects.create(name=LONG, key=name_key(LONG))
    Player.objects.filter(team__number=2, position=0).update(person=long, contact="bartholomew@example.com")
    Membership.objects.create(season=season, person=long)
    return event


PUBLIC = ("/e/{0}/enter/", "/e/{0}/check-in/", "/e/{0}/check-in/?code={1}", "/e/{0}/check-in/?code={1}&team=e")
DESK = ("people/", "entries/", "check-in/", "check-in/2/note/", "money/", "money/teams/2/", "teams/1/", "setup/")


@pytest.mark.nightly
def test_the_new_pages_fit_every_screen_and_shut_nobody_out(new_page: Any, dana: User, otis: User, door: Event) -> None:
    public, desk, owner = new_page(PHONE), at_desk(new_page, dana, PHONE), at_desk(new_page, otis, PHONE)
    pages = [(public, path.format(door.slug, door.wall_code)) for path in PUBLIC]
    pages += [(desk, f"/desk/{door.slug}/{path}") for path in DESK]
    pages += [(owner, path) for path in ("/people/", f"/people/{Person.objects.get(name=LONG).pk}/")]
    for page in (public, desk, owner):
        page.add_init_script(path=AXE)
    wrong: dict[str, Any] = {}
    for page, path in pages:
        page.goto(path)
        if findings := faults(page, f"door{path.partition('?')[0].replace('/', '-')}"):
            wrong[path] = findings
    link = enters_alone(public, door, "Cy Young")
    public.goto(link)
    assert (wrong, faults(public, "door-link")) == ({}, [])


# Persons: who somebody is, what goes with one that is deleted, and the question about a name that was changed.


@pytest.fixture
def persons(dana: User, door: Event) -> Event:
    """A player of a near name, one who waits by the same name, and one who has another name in this event."""
    known = Person.objects.get(name=LONG)
    Person.objects.filter(pk=known.pk).update(near=near_key(LONG))
    twin = Person.objects.create(name="Ann Leé", key=name_key("Ann Leé"), near=near_key("Ann Lee"))
    Player.objects.filter(team__number=3, position=0).update(name="Ann Lee", key=name_key("Ann Lee"), person=None)
    Player.objects.filter(team__number=4, position=0).update(person=None, instead_of=twin)
    return door


def asks_who_sits_there(desk: Any, event: Event) -> None:
    """Another name is typed for a known player: the form of the team asks who that is."""
    desk.goto(f"/desk/{event.slug}/teams/2/")
    tabbed(desk, "[name=player1]", 90)
    desk.keyboard.press("Control+A")
    desk.keyboard.type("Bart Featherstone")
    desk.keyboard.press("Enter")
    desk.get_by_text("sat there. Who is Bart Featherstone?").first.wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize("screen", [PHONE, LAPTOP])
def test_persons_fit_every_screen_and_shut_nobody_out(
    new_page: Any, dana: User, otis: User, persons: Event, screen: Any
) -> None:
    desk, owner = at_desk(new_page, dana, screen), at_desk(new_page, otis, screen)
    for page in (desk, owner):
        page.add_init_script(path=AXE)
    known = Person.objects.get(name=LONG)
    wrong: dict[str, Any] = {}

    def check(page: Any, name: str) -> None:
        if findings := faults(page, f"persons-{name}"):
            wrong[name] = findings

    desk.goto(f"/desk/{persons.slug}/people/")
    desk.get_by_text("Who is this?").first.wait_for()
    for summary in desk.locator("main details summary").all():
        summary.click()
    check(desk, "people")
    asks_who_sits_there(desk, persons)
    check(desk, "question")
    owner.goto("/people/")
    check(owner, "all")
    owner.goto(f"/people/{known.pk}/")
    check(owner, "one")
    press(owner, "Delete this person")
    owner.get_by_text("It can’t be undone.").wait_for()
    check(owner, "deletion")
    other = Person.objects.get(name="Ann Leé")
    owner.goto(f"/people/{known.pk}/")
    owner.get_by_label("This is the same person as").fill(f"{other.pk} {other.name}")
    press(owner, "Show what changes")
    owner.get_by_text("you can undo it").wait_for()
    check(owner, "merger")
    assert wrong == {}


def test_saying_who_somebody_is_needs_no_mouse(new_page: Any, dana: User, persons: Event) -> None:
    desk = at_desk(new_page, dana, LAPTOP)
    asks_who_sits_there(desk, persons)
    tabbed(desk, "[name^=who-]", 90)
    desk.keyboard.press("Space")
    tabbed(desk, "main button", 90)
    desk.keyboard.press("Enter")
    desk.get_by_text("Saved: 2").first.wait_for()
    assert Player.objects.get(team__number=2, position=0).full_name == "Bart Featherstone"
    desk.goto(f"/desk/{persons.slug}/people/")
    tabbed(desk, "button[name=person]", 90)
    desk.keyboard.press("Enter")
    desk.get_by_text(": saved.").first.wait_for()
    tabbed(desk, "select[name=show]", 90)
    desk.keyboard.type("No names")
    tabbed(desk, "form[action$='/show/'] button, form.row button", 5)
    desk.keyboard.press("Enter")
    desk.get_by_text(": saved for this event.").first.wait_for()


def tabbed(page: Any, is_there: str, most: int = 60) -> None:
    """Tab on to what is named."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches({is_there!r})"):
            return
    raise AssertionError(is_there)


def test_entering_and_checking_in_need_no_mouse(new_page: Any, dana: User) -> None:
    with TURN:
        event = open_event(dana, checks_in=True)
    phone, desk = new_page(PHONE), at_desk(new_page, dana, LAPTOP)
    phone.goto(f"/e/{event.slug}/enter/")
    for field, words in (("name", "Reds"), ("player1", "Al Red"), ("player2", "Bo Red"), ("contact", "555-0100")):
        tabbed(phone, f"[name={field}]")
        phone.keyboard.type(words)
    phone.keyboard.press("Enter")
    phone.get_by_text("You are in as No. 1.").wait_for()
    phone.goto(f"/e/{event.slug}/check-in/?code={event.wall_code}")
    tabbed(phone, "[name=team]")
    phone.keyboard.type("reds")
    phone.keyboard.press("Enter")
    phone.get_by_role("button", name="We are here").wait_for()
    tabbed(phone, ".arrival button")
    phone.keyboard.press("Enter")
    phone.get_by_text("You are checked in.").wait_for()
    desk.goto(f"/desk/{event.slug}/check-in/")
    for what in ("no", "yes"):
        tabbed(desk, f"#here-1[value={what}]")
        desk.keyboard.press("Enter")
        desk.locator(f"#here-1:not([value={what}])").wait_for()
    assert event.teams.get().here_at is not None
