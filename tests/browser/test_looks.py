"""Every main page at five sizes, light and dark: nothing sticks out, nothing is refused or complained of, and nobody is
shut out by contrast, names or order (axe-core, serious findings)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, TABLET, TABLET_UPRIGHT, look
from tests.browser.test_desk import THREE, at_desk
from tests.browser.test_tablet import bind, sit_down
from tests.factories import MADE_FIVE, ODD, PASSWORD, make_event, make_round, make_teams, make_user, play
from tests.public import PAGES
from tests.tournament.results.evenings import played_round, win
from tests.tournament.results.test_playoffs import play_round
from tests.tournament.test_accounts import app_code, code_of, key_on
from tournament.access import Actor
from tournament.models import Event, Game, Player, Team
from tournament.pairing.bracket import Form, Losers
from tournament.services.playoffs import finish_event, make_cut
from tournament.services.rounds import call_director
from tournament.words.texts import name_key

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
HALL = (1920, 1080)
SIZES = (PHONE, TABLET_UPRIGHT, TABLET, LAPTOP, HALL)
LONG = "The Exceptionally Lucky Trump Tighteners"
STICKS_OUT = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
FINDINGS = """() => axe.run(document, {preload: false, resultTypes: ["violations"]}).then(found => found.violations
    .filter(one => ["serious", "critical"].includes(one.impact))
    .map(one => `${one.id}: ${one.nodes[0].target.join(" ")}`))"""

PUBLIC = (
    "/",
    "/sign-in/",
    "/password/forgotten/",
    "/password/sent/",
    "/t/",
    "/practice/",
    *PAGES.values(),
)
DESK = (
    "/",
    "/sign-ins/",
    "/password/",
    "/desk/{slug}/",
    "/desk/{slug}/teams/",
    "/desk/{slug}/teams/1/",
    "/desk/{slug}/roster/",
    "/desk/{slug}/draw/",
    "/desk/{slug}/standings/",
    "/desk/{slug}/playoffs/",
    "/desk/{slug}/pot/",
    "/desk/{slug}/rulings/",
    "/desk/{slug}/money/",
    "/desk/{slug}/tablets/",
    "/desk/{slug}/tablets/parked/",
    "/desk/{slug}/papers/",
    "/desk/{slug}/log/",
    "/desk/{slug}/setup/",
    "/desk/{slug}/setup/options/",
    "/desk/{slug}/verify/",
    "/desk/{slug}/games/{playing}/",
    "/desk/{slug}/games/{final}/",
    "/desk/{slug}/games/{playing}/rulings/",
    "/desk/{slug}/games/{playing}/rulings/?rule=34",
    "/desk/{slug}/games/{playing}/rulings/?rule=32&choice=set",
    "/desk/{slug}/games/{playing}/rulings/?rule=other&choice=adjustment",
    "/desk/{slug}/games/{final}/entries/1/revisions/",
)
# Those of any event, whatever was played in it.
EVENT_PAGES = [path for path in (*PUBLIC, *DESK) if "{slug}" in path and "games" not in path]


def widen(event: Event) -> None:
    for number, team in enumerate(event.teams.all()):
        name = f"{number}{'W' * 39}"
        Team.objects.filter(pk=team.pk).update(name=name, key=name_key(name))
        for player in team.players.all():
            name = f"{number}{player.position}{'M' * 38}"
            Player.objects.filter(pk=player.pk).update(name=name, key=name_key(name))


@pytest.fixture
def hall(dana: User) -> Event:
    """Two rounds, the first closed, the second in play: one game final, one called; the first team's name is as long
    as names may be."""
    event = make_event(director=dana, rounds_planned=2, pot_cents=1000)
    teams = make_teams(event, 4)
    Team.objects.filter(pk=teams[0].pk).update(name=LONG, key=name_key(LONG))
    for number in (1, 2):
        make_round(event, [(teams[0], teams[number]), (teams[3], teams[3 - number])], number)
        play(dana, game_at(event, number, 1), THREE, MADE_FIVE)
        if number == 1:
            play(dana, game_at(event, 1, 2), ODD)
            event.rounds.update(state="closed")
    sit_down(game_at(event, 2, 2))
    play(dana, game_at(event, 2, 2), THREE)
    call_director(Actor(), game_at(event, 2, 2), "renege")
    return event


def test_public_pages_fit_every_screen(new_page: Any, hall: Event) -> None:
    assert walked(new_page(PHONE), PUBLIC, hall) == {}


@pytest.mark.nightly
def test_desk_pages_fit_every_screen(new_page: Any, dana: User, hall: Event) -> None:
    assert walked(at_desk(new_page, dana, PHONE), DESK, hall) == {}


def test_tablet_fits_every_screen(new_page: Any, live_server: Any, dana: User, hall: Event) -> None:
    tablet = new_page(PHONE)
    bind(tablet, live_server, dana, hall, 2)
    assert walked(tablet, ("/t/table/",), hall) == {}


def test_forms_of_playoffs_are_chosen_with_the_keyboard_on_every_screen(new_page: Any, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=8, cut=4)
    played_round(event, [(number, number + 4, win(0, 5, number - 1)) for number in range(1, 5)])
    page = at_desk(new_page, dana, PHONE)
    page.add_init_script(path=AXE)
    page.goto(f"/desk/{event.slug}/playoffs/")
    assert faults(page, "looks-cut") == []
    page.get_by_label("is out").first.focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    assert page.locator("[name=losers]:checked").get_attribute("value") == "places-8"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Third place").wait_for()
    event.refresh_from_db()
    assert (event.cut, event.losers, event.places_to) == (4, "places", 8)
    assert faults(page, "looks-cut-made") == []


def game_at(event: Event, number: int, table: int) -> Game:
    return Game.objects.get(round__event=event, round__number=number, table=table)


def walked(page: Any, paths: tuple[str, ...], event: Event) -> dict[str, list[str]]:
    """What is wrong, by page. One load a page: the size and the colours change under it."""
    page.add_init_script(path=AXE)
    keys = {"slug": event.slug, "final": game_at(event, 1, 1).pk, "playing": game_at(event, 2, 2).pk}
    wrong = {}
    for path in paths:
        page.goto(path.format(**keys))
        page.locator("main").first.wait_for()
        if findings := faults(page, f"looks{path.format(**keys).replace('/', '-').replace('?', '-')}"):
            wrong[path] = findings
    return wrong


def faults(page: Any, name: str) -> list[str]:
    """What does not fit or shuts somebody out."""
    wrong = [*too_wide(page), *unfair(page, "light", PHONE), *unfair(page, "dark", LAPTOP)]
    look(page, name)
    return wrong


def too_wide(page: Any) -> list[str]:
    faults = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        over = page.evaluate(STICKS_OUT)
        if over > 0:
            faults.append(f"{over} px too wide at {width} × {height}")
    return faults


def unfair(page: Any, colours: str, size: tuple[int, int]) -> list[str]:
    page.emulate_media(color_scheme=colours, reduced_motion="reduce")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return [f"{colours}, {size[0]} px: {finding}" for finding in page.evaluate(FINDINGS)]


def test_a_phone_remembers_its_team(new_page: Any, live_server: Any, hall: Event) -> None:
    page = new_page(PHONE)
    page.goto(f"{live_server.url}/e/{hall.slug}/teams/2/")
    page.get_by_role("button", name="My team").click()
    page.goto(f"{live_server.url}/e/{hall.slug}/")
    page.locator("#mine:not([hidden]) #team").wait_for()
    assert page.locator("tr.mine").get_attribute("id") == "team-2"
    page.goto(f"{live_server.url}/e/{hall.slug}/teams/2/")
    page.get_by_role("button", name="My team").click()
    page.goto(f"{live_server.url}/e/{hall.slug}/")
    assert (page.locator("tr.mine").count(), page.locator("#mine").is_hidden()) == (0, True)


def undo_last(page: Any) -> None:
    if not page.get_by_role("button", name="Undo it").is_visible():
        page.get_by_text("Undo the last line").click()
    page.get_by_role("button", name="Undo it").click()


def test_a_desk_without_a_connection_keeps_what_was_typed(new_page: Any, dana: User, hall: Event) -> None:
    page = at_desk(new_page, dana, LAPTOP)
    page.goto(f"/desk/{hall.slug}/")
    page.goto(f"/desk/{hall.slug}/games/{game_at(hall, 2, 2).pk}/")
    page.locator("label:has(#seat-0)").click()
    page.context.set_offline(True)
    page.get_by_text("No connection: what you see may be out of date.").wait_for()
    undo_last(page)
    page.get_by_text("No connection: nothing was sent.").wait_for()
    look(page, "looks-no-connection")
    assert page.locator("#seat-0").is_checked()
    page.context.set_offline(False)
    page.locator("#lost").wait_for(state="hidden")
    undo_last(page)
    page.get_by_text("The last line was undone.").wait_for()


@pytest.mark.nightly
def test_a_laptop_without_any_network_still_sends_to_itself(new_page: Any, dana: User, hall: Event) -> None:
    page = at_desk(new_page, dana, LAPTOP)
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })")
    page.goto(f"/desk/{hall.slug}/games/{game_at(hall, 2, 2).pk}/")
    undo_last(page)
    page.get_by_text("The last line was undone.").wait_for()


def boxes(page: Any, what: str) -> list[tuple[int, int]]:
    """From where to where the shown ones of a kind go."""
    boxes = (element.bounding_box() for element in page.locator(f"[data-slide]:not([hidden]) {what}").all())
    return [(round(row["x"]), round(row["x"] + row["width"])) for row in boxes]


@pytest.mark.nightly
def test_two_teams_stand_in_the_middle(new_page: Any, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 2)
    played_round(event, [(1, 2, win(0))])
    make_cut(Actor(dana), event, 2, best_of=1)
    event.refresh_from_db()
    play_round(dana, event)
    finish_event(Actor(dana), event)
    page = new_page(HALL)
    page.goto(f"/e/{event.slug}/board/")
    (second, first) = boxes(page, ".podium li")[::-1]
    # One screen back from the first is the last: the bracket.
    page.keyboard.press("ArrowLeft")
    (match,) = boxes(page, ".match")
    assert [second[0] + first[1], match[0] + match[1]] == [1920, 1920]
    assert match[1] - match[0] < 1300


@pytest.mark.nightly
def test_third_place_stands_below_the_final(new_page: Any, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 8)
    played_round(event, [(number, number + 4, win(0)) for number in range(1, 5)])
    make_cut(Actor(dana), event, 4, best_of=1, form=Form(Losers.PLACES, 4))
    event.refresh_from_db()
    play_round(dana, event)
    page = new_page(HALL)
    page.goto(f"/e/{event.slug}/board/")
    page.keyboard.press("ArrowLeft")
    assert boxes(page, ".third .match") == boxes(page, ".column.last .match")


# The second factor as an owner meets it on the internet: an app is set up, and asked for from then on; accounts.
def sign_in(page: Any, name: str) -> None:
    page.goto("/sign-in/?next=/accounts/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()


def wait_for_room_in_step() -> None:
    """A code that is sent in the next 30 seconds after it was shown would set the clock of its app back."""
    left = 30 - time.time() % 30
    if left < 10:
        time.sleep(left + 0.1)


def test_an_owner_sets_an_app_up_and_shows_its_code_from_then_on(
    new_page: Any, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", True)
    otis = make_user("otis", is_staff=True)
    make_event(director=make_user("dana"))
    page = new_page(PHONE)
    page.add_init_script(path=AXE)
    sign_in(page, "otis")
    page.get_by_role("heading", name="Set up your second factor").wait_for()
    assert faults(page, "factor-set-up") == []
    wait_for_room_in_step()
    page.get_by_label("Code", exact=True).fill(code_of(key_on(page.content())))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    assert (page.locator(".codes code").count(), faults(page, "factor-codes")) == (10, [])
    page.get_by_role("link", name="I have kept them").click()
    page.get_by_role("heading", name="Accounts").wait_for()
    page.get_by_role("button", name="Close the account dana").click()
    page.get_by_text("The account dana is closed").wait_for()
    assert faults(page, "accounts") == []
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page, "otis")
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    assert faults(page, "factor-code") == []
    page.get_by_label("Code", exact=True).fill(app_code(otis, 1))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Accounts").wait_for()
