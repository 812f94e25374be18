"""The desk in Chromium: a renege ruled in at most five taps, a late team, a hand from paper, a correction."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from tests.browser.conftest import LAPTOP, PHONE, Counted, look
from tests.factories import MADE_FIVE, PASSWORD, make_event, make_game, make_round, make_teams, play, seat_all
from tests.halls import eventually
from tournament.access import Actor
from tournament.models import Event, Game, Round, Side, Signature
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.services.rounds import call_director

THREE = {"entry": "hand", "bidder": 0, "seat": 0, "bid": "3", "books": 9}


@pytest.fixture
def hall(dana: User) -> Event:
    """Three tables in play; everybody sits."""
    event = make_event(director=dana)
    teams = make_teams(event, 6)
    round_ = make_round(event, [(teams[0], teams[1]), (teams[2], teams[3]), (teams[4], teams[5])])
    Side.objects.filter(round=round_).update(seated_at=timezone.now())
    return event


def table(event: Event, number: int) -> Game:
    return Game.objects.get(round__event=event, table=number)


def sheet(game: Game) -> GameSheet:
    return sheet_now(game)


def at_desk(new_page: Any, user: User, size: tuple[int, int], **options: Any) -> Any:
    """A page of somebody who is signed in already."""
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[-1]
    session["_auth_user_hash"] = user.get_session_auth_hash()
    session.save()
    cookie = {"name": "sessionid", "value": session.session_key, "domain": "localhost", "path": "/"}
    return new_page(size, storage_state={"cookies": [cookie]}, **options)


@pytest.fixture
def opened(new_page: Any, dana: User, hall: Event) -> Callable[..., Any]:
    """Opens a page of the desk, signed in: `opened("log/", PHONE)`."""

    def open_page(address: str = "", size: tuple[int, int] = LAPTOP, **options: Any) -> Any:
        page = at_desk(new_page, dana, size, **options)
        page.goto(f"/desk/{hall.slug}/{address}")
        return page

    return open_page


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without"])
def test_renege_is_ruled_in_at_most_five_taps(opened: Any, dana: User, hall: Event, scripts: bool) -> None:
    game = table(hall, 1)
    play(dana, game, THREE)
    call_director(Actor(), game, "renege")
    page = opened(size=PHONE, scripts=scripts)
    taps = Counted(page)
    taps.tap(page.locator("#table-1").get_by_role("link", name="Make a ruling"))
    taps.tap(page.locator("label", has=page.locator("#side-1")))
    taps.tap(page.locator("label", has=page.locator("#choice-game")))
    if not scripts:
        taps.tap(page.get_by_role("button", name="Show the effect"))
    page.get_by_text("The game is over: Aces won").wait_for()
    look(page, "ruling-phone")
    taps.tap(page.get_by_role("button", name="Apply this ruling"))
    page.get_by_text("The ruling is on the sheet.").wait_for()
    assert (taps.taps <= 5, sheet(game).scores, sheet(game).how) == (True, (8, 0), "renege")


@pytest.mark.nightly
def test_a_ruling_is_found_by_its_words_or_its_number(opened: Any, hall: Event) -> None:
    page = opened(f"games/{table(hall, 1).pk}/rulings/")
    rules = page.locator(".happened-one:visible .chip")
    find = page.locator("#find-ruling")
    shown = {}
    for words in ("", "renege", "card EXPOSED", "3", "32", "xyz"):
        find.fill(words)
        shown[words] = [text.removeprefix("Rule ") for text in rules.all_inner_texts()]
    assert shown.pop("")[:3] == ["41", "32", "13"]
    assert shown == {"renege": ["41"], "card EXPOSED": ["32", "22", "18"], "3": [], "32": ["32"], "xyz": []}
    page.get_by_text("No ruling matches.").wait_for()
    find.fill("renege")
    find.press("Enter")
    page.get_by_text("Which side broke the rule?", exact=True).wait_for()


@pytest.mark.nightly
def test_table_turns_late_by_the_clock_and_the_award_is_proposed(opened: Any, hall: Event) -> None:
    game = table(hall, 2)
    Side.objects.filter(game=game, index=1).update(seated_at=None)
    Round.objects.filter(event=hall).update(started_at=timezone.now() - datetime.timedelta(seconds=320))
    page = opened()
    page.get_by_text("Late 5:").wait_for()
    look(page, "desk-laptop")
    page.locator("#table-2").get_by_role("link", name="Award the game").click()
    page.get_by_text("You sign it for both sides.").wait_for()
    page.get_by_role("button", name="Apply this ruling").click()
    page.get_by_text("The ruling is on the sheet.").wait_for()
    assert (sheet(game).game.state, sheet(game).points) == ("final", (5, 0))


def test_desk_shows_what_a_table_writes_without_a_reload(opened: Any, dana: User, hall: Event) -> None:
    page = opened()
    play(dana, table(hall, 3), THREE)
    page.get_by_text("Hand 2").wait_for()


def test_correction_of_a_final_game_shows_what_changes_first(opened: Any, dana: User, hall: Event) -> None:
    game = table(hall, 1)
    play(dana, game, MADE_FIVE)
    page = opened(f"games/{game.pk}/entries/1/revisions/", PHONE)
    page.locator("#revise-reason").fill("the bid was 7")
    page.get_by_role("button", name="The bid 4").click()
    page.locator("label", has=page.locator("#bid-7")).click()
    page.get_by_role("button", name="Correct the line").click()
    page.get_by_text("What this changes").wait_for()
    look(page, "impact-phone")
    heads = page.locator(".impact thead").first.get_by_role("columnheader").all()
    assert len({round(head.bounding_box()["y"]) for head in heads[1:]}) == 1
    assert sheet(game).winner == 0
    page.get_by_role("button", name="Save the correction").click()
    # What is costly asks for the password again, and goes on with what was typed.
    page.locator("input[name=again_password]").fill(PASSWORD)
    look(page, "password-phone")
    page.locator("main button").click()
    page.get_by_text("The line is corrected.").wait_for()
    assert (sheet(game).winner, sheet(game).game.state) == (1, "final")


def test_page_whose_sign_in_has_ended_says_so_and_keeps_what_was_typed(opened: Any, hall: Event) -> None:
    page = opened(f"games/{table(hall, 1).pk}/")
    page.locator("details", has=page.locator("#total-hands")).locator("summary").click()
    page.locator("#total-hands").fill("7")
    Session.objects.all().delete()
    page.get_by_text("You are signed out. Sign in again; what you typed stays here.").wait_for()
    look(page, "signed-out-laptop")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in again").click()
    opened.value.locator("#id_username").fill("dana")
    opened.value.locator("#id_password").fill(PASSWORD)
    opened.value.locator("main button").click()
    opened.value.get_by_role("link", name="Rulings", exact=True).wait_for()
    page.locator("#signed-out").wait_for(state="hidden")
    assert page.locator("#total-hands").input_value() == "7"


# A paper sheet at the desk by keys alone, counted in Chromium: dealer, seven hands, signatures, the next table.
# Who won the bid, its kind where it has one, the bid, the books: a sheet that takes as many keys as any.
HANDS = ["a310", "bs310", "dn49", "bs410", "as37", "ds310", "bn410"]
MOST_KEYS = 45


def test_a_paper_game_takes_45_keys_and_no_pointer(opened: Any, hall: Event) -> None:
    Side.objects.update(seated_at=None)
    page = opened()
    keys = Counted(page)
    keys.press("Enter")
    page.get_by_role("heading", name="Table 1", exact=True).wait_for()
    look(page, "paper-begin-laptop")
    # The keys are heard once the page has loaded.
    page.wait_for_load_state()
    keys.press("Shift+B")
    page.locator("[data-dealer=B][aria-pressed=true]").wait_for()
    most = 0
    for number, keys_of_hand in enumerate(HANDS, start=1):
        before = keys.keys
        keys.press(*keys_of_hand, "Enter")
        page.get_by_text(f"Hand {number} saved.").wait_for()
        most = max(most, keys.keys - before)
    look(page, "paper-over-laptop")
    page.get_by_role("button", name="Both signed on paper").wait_for()
    keys.press("Enter")
    page.get_by_role("link", name="Next open table: 2").wait_for()
    look(page, "paper-signed-laptop")
    keys.press("Enter")
    page.get_by_role("heading", name="Table 2", exact=True).wait_for()
    game = table(hall, 1)
    assert (game.state, game.first_dealer, sheet(game).hands) == ("final", 1, 7)
    assert [signature.how for signature in Signature.objects.all()] == ["paper", "paper"]
    assert not Side.objects.filter(game=game, seated_at=None).exists()
    print(f"a paper game: {sheet(game).hands} hands, {keys.keys} keys, a hand {most} at most")
    assert (keys.keys <= MOST_KEYS, most <= 6) == (True, True)


# Print & files on a laptop: one line offers only what there is.
OFFERED = """() => Object.fromEntries(["of", "as"].map((name) => [
    name,
    [...document.querySelector(`.one-paper [name=${name}]`).options]
        .filter((one) => !one.disabled).map((one) => one.text),
]))"""

# Every label that a button has from now on.
WATCHED = """(button) => {
    window.seen = [];
    new MutationObserver(() => seen.push(button.textContent)).observe(button, { childList: true });
}"""


def test_one_line_offers_only_what_there_is(opened: Any) -> None:
    page = opened("papers/")
    assert page.evaluate(OFFERED) == {"of": ["the whole evening", "Game 1"], "as": ["PDF"]}
    page.locator("[name=of]").select_option("Game 1")
    assert page.evaluate(OFFERED)["as"] == ["PDF", "Excel"]
    page.locator("[name=as]").select_option("Excel")
    page.locator("[name=thing]").select_option("Standings")
    assert page.evaluate(OFFERED) == {"of": ["the whole evening"], "as": ["PDF", "Excel", "CSV", "JSON"]}
    with page.expect_download() as got:
        page.get_by_role("button", name="Download").click()
    assert got.value.suggested_filename.endswith(".xlsx")
    page.locator("[name=thing]").select_option("Seating")
    assert page.evaluate(OFFERED) == {"of": ["Game 1"], "as": ["PDF"]}


def test_the_pressed_button_says_that_its_file_is_being_made(opened: Any) -> None:
    page = opened("papers/")
    page.get_by_text("Workbook of the event (Excel)").click()
    page.locator("[name=thing]").select_option("Standings")
    page.locator("[name=as]").select_option("Excel")
    for role, words in (("link", "Download the workbook"), ("button", "Download")):
        button = page.get_by_role(role, name=words, exact=True)
        button.evaluate(WATCHED)
        with page.expect_download() as got:
            button.click()
        assert got.value.suggested_filename.endswith(".xlsx")
        page.wait_for_function("() => seen.length === 2")
        assert page.evaluate("() => seen") == ["Making the file…", words]


# A hand of Spades whose sheet prices a renege: 6 and 5 bid, 7 and 6 taken; what each price leaves of it.
PRICED = [
    ("set", "Set for the hand", (-60, 51), "1 set"),
    ("three-books", "Three tricks to the other side, or all they have", (-60, 54), "1 set"),
    ("game", "They lose this game", (61, 51), "The game is over: Books won"),
]


@pytest.mark.parametrize(("price", "words", "scores", "effect"), PRICED, ids=[price[0] for price in PRICED])
def test_a_renege_of_spades_is_ruled_on_its_hand_and_taken_back(
    new_page: Any, table_page: Any, dana: User, price: str, words: str, scores: tuple[int, int], effect: str
) -> None:
    game = make_game(dana, name="Spades Night", sheet="spades/jokers", options={"renege_price": price})
    seat_all(game)
    play(dana, game, {"entry": "hand", "bids": ["6", "5"], "tricks": [7, 6]})
    tablet, page = table_page(of=game.round.event), at_desk(new_page, dana, LAPTOP)
    there = f"/desk/{game.round.event.slug}/games/{game.pk}/"
    page.goto(there)
    page.get_by_role("link", name="Make a ruling").click()
    page.get_by_text("A renege", exact=True).click()
    page.locator("label", has=page.locator("#side-0")).click()
    page.locator("label", has=page.locator(f"#choice-{price}")).click()
    page.locator("label", has_text=words).first.wait_for()
    page.locator("#ruling-effect").get_by_text(effect).wait_for()
    page.get_by_role("button", name="Apply this ruling").click()
    page.get_by_text("The ruling is on the sheet.").wait_for()
    assert sheet(game).scores == scores
    eventually(lambda: scores_on(tablet) == list(scores), lambda: str(scores_on(tablet)))
    page.get_by_role("link", name="Withdraw").click()
    page.locator("#remove-reason").fill("the book was open")
    page.get_by_role("button", name="Withdraw the ruling").click()
    page.get_by_role("heading", name="What this changes").wait_for()
    page.get_by_role("button", name="Save the correction").click()
    page.get_by_text("The ruling is withdrawn.").wait_for()
    assert (sheet(game).scores, sheet(game).over) == ((61, 51), False)
    eventually(lambda: scores_on(tablet) == [61, 51], lambda: str(scores_on(tablet)))


def scores_on(tablet: Any) -> list[int]:
    """The score that a tablet shows, by side."""
    return [int(text.replace("−", "-")) for text in tablet.locator(".score-side .sheet-points").all_inner_texts()]
