"""An evening's awkward moments at the desk, in Chromium: no dead end, no invented result, and the books balance."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from tests.browser.conftest import LAPTOP, PHONE, TURN, look, tap
from tests.browser.test_desk import at_desk
from tests.factories import PASSWORD, make_event, make_teams, make_user
from tests.halls import eventually
from tests.sure import fresh, sure
from tests.tournament.results.evenings import bracket_of, finish_game, played_round, win
from tests.tournament.setup.test_rounds import LIST
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Round
from tournament.queries.desk import desk_round
from tournament.queries.ledger import cash, payouts
from tournament.queries.playoffs import playoffs
from tournament.queries.rules import ruleset_of
from tournament.queries.todo import needs_of
from tournament.services.draws import draw_rounds
from tournament.services.rounds import seat_side
from tournament.services.verifying import findings

pytestmark = pytest.mark.nightly

SMALL_LAPTOP = (1366, 768)


@pytest.fixture
def dana(transactional_db: None) -> User:
    return make_user("dana", is_staff=True)


# What a part of a page says in an open window, and on a page asked for now. Ages and clocks move on by themselves.
OPEN = "(id) => document.querySelector(id)?.textContent"
FRESH = """async (id) => {
    const text = await (await fetch(location.pathname)).text();
    return new DOMParser().parseFromString(text, "text/html").querySelector(id)?.textContent; }"""
MOVES_ON = re.compile(r"\d+:\d\d|\d+ (second|minute|min|hour)s?( ago)?|just now")


class Windows:
    """Left open all evening, never loaded again: a second window of the desk, phones with standings and schedule."""

    def __init__(self, new_page: Any, user: User, event: Event) -> None:
        self.event = event
        parts = {
            f"/desk/{event.slug}/": "#round",
            f"/e/{event.slug}/": "#standings",
            f"/e/{event.slug}/schedule/": "#schedule",
        }
        self.open = [
            (at_desk(new_page, user, LAPTOP) if "desk" in to else new_page(PHONE), to, part)
            for to, part in parts.items()
        ]
        for page, to, _ in self.open:
            page.goto(to)

    def agree(self) -> None:
        """All that is open says what the site says now; the desk has all that is open to do; every result is right."""
        for page, _, part in self.open:
            eventually(partial(says_what_is_so, page, part), partial(page.evaluate, OPEN, part))
        desk = words_in(self.open[0][0].evaluate(OPEN, "#round"))
        with TURN:
            event = fresh(self.event)
            waits = needs_of(event, sure(desk_round(event)), ruleset_of(event))
            assert [need.text for need in waits if words_in(need.text) not in desk] == []
            assert [line for line in findings() if "no longer refuses" not in line] == []


def says_what_is_so(page: Any, part: str) -> bool:
    return words_in(page.evaluate(OPEN, part)) == words_in(page.evaluate(FRESH, part))


def words_in(text: str) -> str:
    return " ".join(MOVES_ON.sub("", text).split())


def finish_round(event: Event, round_: Round) -> None:
    """Every table that still plays writes its game to the end, and both sides sign."""
    with TURN:
        event.refresh_from_db()
        for game in round_.games.filter(state__in=["playing", "to-sign"]):
            finish_game(event, game, win(0) if not game.entries.exists() else [])


def finish_last(event: Event) -> Round:
    """Finish the round that was started last."""
    with TURN:
        round_ = sure(event.rounds.order_by("number").last())
    finish_round(event, round_)
    return round_


def confirm(page: Any) -> None:
    """Type the password where it is asked for."""
    page.get_by_role("heading", name="Confirm with your password").wait_for()
    page.locator("[name=again_password]").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def test_late_swapped_joining_and_leaving_teams_leave_no_dead_end(new_page: Any, dana: User) -> None:
    event = make_event("Awkward Open", director=dana, rounds_planned=3, movement="swiss", verify_own=True)
    make_teams(event, 8)
    draw_rounds(Actor(dana), event, seed=5)
    desk, home = at_desk(new_page, dana, SMALL_LAPTOP), f"/desk/{event.slug}/"
    desk.goto(home)
    desk.get_by_role("button", name="Start game 1").click()
    desk.get_by_text("Late: ").first.or_(desk.get_by_role("button", name="Seat all but the late ones")).wait_for()

    # One team is late at table 1; everybody else sits.
    with TURN:
        round_ = event.rounds.get(number=1)
        for game in round_.games.all():
            for side in game.sides.exclude(game__table=1, index=1):
                seat_side(Actor(), game, side.index)
        Round.objects.filter(pk=round_.pk).update(started_at=timezone.now() - timedelta(minutes=9))
        late = round_.games.get(table=1).sides.get(index=1).team
    desk.goto(home)
    todo = desk.locator(".needs")
    todo.get_by_text(f"Late: {late.name}.").wait_for()
    todo.get_by_role("link", name="Award the game").click()
    desk.get_by_role("button", name="Apply this ruling").click()
    desk.get_by_text("The ruling is on the sheet.").wait_for()
    finish_round(event, round_)

    # Two teams sat in each other's place: the sheets change hands, and both tables sign again.
    with TURN:
        one, other = (round_.games.get(table=table).sides.get(index=0).team for table in (2, 3))
    desk.goto(reverse("round-swap", args=[event.slug, 1]) + f"?first={one.number}&second={other.number}")
    desk.get_by_label("What happened").fill("Sat at each other's table")
    desk.get_by_role("button", name="Show what changes").click()
    desk.get_by_role("button", name="Swap them").click()
    confirm(desk)
    desk.get_by_text("The two have changed places").wait_for()
    for table in (2, 3):
        with TURN:
            game = round_.games.get(table=table)
        desk.goto(f"{home}games/{game.pk}/")
        desk.get_by_role("button", name="Both signed on paper").click()
        desk.get_by_text("Both signed on paper").or_(
            desk.get_by_text("Only an official can correct it")
        ).first.wait_for()
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Close game 1").click()

    # A walk-in joins from game 2.
    desk.goto(f"{home}teams/")
    desk.locator("#add summary").click()
    for label, text in (("Team", "Late Birds"), ("Player 1", "Al"), ("Player 2", "Bo")):
        desk.locator("#add").get_by_label(label, exact=True).fill(text)
    desk.get_by_role("button", name="Enter the team").click()
    if desk.get_by_role("button", name="and re-seat").count():
        desk.get_by_role("button", name="and re-seat").click()
    desk.get_by_text("Entered: Late Birds.").wait_for()
    for number in (2, 3):
        desk.goto(home)
        act = desk.locator("#next-act")
        if (draw := act.get_by_role("button", name="Draw")).count():
            draw.click()
            desk.goto(home)
        desk.locator("#next-act").get_by_role("button", name=f"Start game {number}").click()
        desk.get_by_role("heading", name=f"Game {number}").first.wait_for()
        with TURN:
            round_ = event.rounds.get(number=number)
        if number == 3:
            # A team goes while its game is played: the game is settled in this round.
            with TURN:
                gone = sure(round_.games.order_by("table").last()).sides.get(index=0).team
            desk.goto(f"{home}teams/{gone.number}/")
            desk.get_by_label("Last game it plays").fill("2")
            desk.get_by_role("button", name="Withdraw the team").click()
            desk.get_by_text("the game goes to").wait_for()
            look(desk, "awkward-leaving")
            desk.get_by_role("button", name="Withdraw", exact=True).click()
            desk.get_by_text(f"Withdrawn: {gone.name}.").wait_for()
            with TURN:
                assert round_.games.get(sides__team=gone).state == "final"
        finish_round(event, round_)
        desk.goto(home)
        desk.locator("#next-act").get_by_role("button", name=f"Close game {number}").click()
    desk.goto(home)
    desk.locator("#next-act").get_by_role("link", name="Make the cut").click()
    desk.get_by_text("left after game 2").or_(desk.get_by_text("Who would advance")).first.wait_for()
    with TURN:
        awards = list(Entry.objects.filter(game__round__event=event).exclude(kind="hand").order_by("pk"))
        assert [entry.facts["rule"] for entry in awards] == ["13", "46"]


def tied(dana: User) -> Event:
    """Three winners, and three losers who are tied for the fourth place; team 1 made the Boston of the pot."""
    fields = {"fee_cents": 1000, "pot_cents": 500, "verify_own": True, "rounds_planned": 1}
    event = make_event("Tied Open", director=dana, **fields)
    make_teams(event, 6)
    played_round(event, [(1, 2, win(0, 7, 1)), (3, 4, win(0, 6, 1)), (5, 6, win(0, 5, 1))])
    return event


def correct(
    desk: Any,
    event: Event,
    table: int,
    seat: str,
    books: str,
    save: str = "Save the correction",
    position: int = 2,
    number: int = 1,
) -> None:
    """Correct the last hand of a qualifying table by its own page, through what it changes."""
    with TURN:
        game = Game.objects.get(round__event=event, round__number=number, table=table)
    desk.goto(f"/desk/{event.slug}/games/{game.pk}/entries/{position}/revisions/")
    desk.locator("#revise-reason").fill("Read from the paper again")
    desk.get_by_text("Won the bid", exact=True).click()
    desk.locator(f"label:has(#seat-{seat})").click()
    desk.get_by_text("Books", exact=True).first.click()
    desk.locator(f"label:has([name=books][value='{books}'])").click()
    desk.get_by_role("button", name="Correct the line").click()
    desk.get_by_role("heading", name="What this changes").wait_for()
    look(desk, f"awkward-correction-{table}")
    desk.get_by_role("button", name=save).first.click()
    if desk.get_by_role("heading", name="Confirm with your password").count():
        confirm(desk)
    desk.get_by_text("The line is corrected.").wait_for()


def decide(desk: Any, event: Event, words: str) -> None:
    """What the director says about a bracket that a correction changed."""
    desk.goto(f"/desk/{event.slug}/")
    desk.locator(".needs").get_by_role("link", name="Decide what counts").first.click()
    desk.get_by_role("radio", name=words).first.check(force=True)
    desk.get_by_role("button", name="Save the decision").click()
    desk.get_by_text("Decision saved.").wait_for()


def test_a_tie_corrections_and_the_pot_leave_no_dead_end_and_the_books_balance(new_page: Any, dana: User) -> None:
    event = tied(dana)
    desk, home = at_desk(new_page, dana, SMALL_LAPTOP), f"/desk/{event.slug}/"
    desk.goto(f"{home}playoffs/")
    desk.get_by_text("Who would advance").wait_for()
    desk.get_by_label("How many advance").fill("4")
    desk.get_by_role("button", name="Make the cut").click()
    desk.get_by_role("heading", name="Tied at the cut").first.wait_for()
    desk.get_by_role("radio", name="Draw for it").check(force=True)
    desk.get_by_role("textbox", name="Witness").fill("Vic")
    desk.get_by_role("button", name="Break the tie").click()

    # The pot is paid: money that goes out asks for the password.
    desk.goto(f"{home}money/")
    desk.get_by_role("button", name="Pay out everything: $30").click()
    confirm(desk)
    desk.get_by_text("Paid out. Receipt").wait_for()

    # The bracket is drawn and in play when a sheet of the qualifying proves wrong.
    desk.goto(f"{home}playoffs/")
    desk.locator("#next-act").get_by_role("button", name="Start semifinal").click()
    desk.get_by_role("heading", name="Semifinal is in play").wait_for()
    correct(desk, event, 3, "side-1", "11")
    decide(desk, event, "Replay")
    desk.goto(home)
    desk.get_by_text("Does not count").first.wait_for()
    look(desk, "awkward-void")
    with TURN:
        round_ = event.rounds.get(stage="playoff")
    finish_round(event, round_)
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Close semifinal").click()
    desk.goto(f"{home}playoffs/")
    desk.locator("#next-act").get_by_role("button", name="Start final").click()
    desk.get_by_role("heading", name="Final is in play").wait_for()
    with TURN:
        final = event.rounds.get(title="Final")
    finish_round(event, final)

    # The Boston of the paid pot is corrected away.
    correct(desk, event, 1, "side-0", "12")
    with TURN:
        event.refresh_from_db()
        asked = bool(bracket_of(event).asked)
    if asked:
        decide(desk, event, "Keep")
    desk.goto(home)
    desk.locator(".needs").get_by_role("link", name="Take $30 back").click()
    desk.get_by_role("button", name="Take it back").click()
    if desk.get_by_role("heading", name="Confirm with your password").count():
        confirm(desk)
    desk.get_by_text("is taken back.").wait_for()
    with TURN:
        left = payouts(event).left
    if left:
        desk.get_by_role("button", name="Pay out everything").click()
        desk.get_by_text("Paid out. Receipt").wait_for()
    desk.get_by_text("The books balance").wait_for()
    look(desk, "awkward-money")

    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Close final").click()
    desk.goto(f"{home}playoffs/")
    desk.get_by_role("heading", name="Champions: ").wait_for()
    look(desk, "awkward-finish")
    desk.get_by_role("button", name="Finish the event").click()
    desk.get_by_text("The event is finished.").first.wait_for()
    with TURN:
        event.refresh_from_db()
        books = cash(event)
        invented = Entry.objects.filter(game__round__event=event, game__round__stage="playoff").exclude(kind="hand")
        assert (books.balances, payouts(event).left, playoffs(event).step) == (True, 0, "over")
        assert (list(invented), books.in_hand) == ([], 6000 if left else 9000)


def test_what_was_drawn_from_results_that_change_is_never_stated_before_it_is_decided(
    new_page: Any, table_page: Any, dana: User
) -> None:
    fields = {"fee_cents": 1000, "pot_cents": 500, "verify_own": True, "rounds_planned": 2, "movement": "swiss"}
    event = make_event("Restless Open", director=dana, options={"round_minutes": 60}, **fields)
    make_teams(event, 6, ("Aces", "Owls", "Jays", "Eagles", "Full Deck", "Rollers"))
    draw_rounds(Actor(dana), event, seed=5)
    desk, home = at_desk(new_page, dana, SMALL_LAPTOP), f"/desk/{event.slug}/"
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Start game 1").click()
    desk.get_by_role("heading", name="Game 1").first.wait_for()
    windows = Windows(new_page, dana, event)
    windows.agree()
    desk.get_by_role("button", name="5 more minutes").click()
    windows.agree()

    # A tablet is withdrawn and put back: it plays on by itself.
    tablet = table_page(of=event)
    desk.goto(f"{home}tablets/")
    desk.get_by_role("button", name="Withdraw the tablet of table 1").click()
    tablet.get_by_role("alert").first.wait_for()
    windows.agree()
    desk.get_by_role("button", name="Put the tablet back at table 1").click()
    tablet.locator("body[data-mode]").wait_for()
    windows.agree()

    # Two at one sheet: the second one is told what is on the sheet, and what was typed.
    with TURN:
        game = event.rounds.get(number=1).games.get(table=1)
        for side in game.sides.all():
            seat_side(Actor(), game, side.index)
    sheet = f"{home}games/{game.pk}/"
    second = at_desk(new_page, dana, LAPTOP)
    for page in (desk, second):
        page.goto(sheet)
        if (dealer := page.get_by_role("button", name="Ann").first).is_visible():
            dealer.click()
    for page, books in ((desk, 11), (second, 9)):
        tap(page, "seat-0", "bid-4" if page is desk else "bid-3", f"books-{books}")
        page.locator("#effect strong").wait_for()
    for page in (desk, second):
        page.locator("#record").click()
    second.get_by_text("You had:").wait_for()
    look(second, "awkward-two-desks")
    windows.agree()
    finish_round(event, game.round)
    windows.agree()

    # The next draw is deleted by nobody who presses once.
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Close game 1").click()
    desk.locator("#next-act").get_by_role("button", name="Draw").or_(
        desk.locator("#next-act").get_by_role("link", name="Draw")
    ).first.click()
    windows.agree()
    desk.goto(f"{home}draw/")
    if (draw := desk.locator("form.draw-form").get_by_role("button", name="Draw", exact=True)).count():
        draw.click()
        windows.agree()

    # A result of game 1 is corrected: game 2 waits until it is decided, on phones too.
    correct(desk, event, 1, "1", "11", "Save, decide later", position=1)
    windows.agree()
    desk.goto(home)
    look(desk, "awkward-drawn-before")
    desk.get_by_text("was drawn before the results changed").first.wait_for()
    assert windows.open[2][0].get_by_text("On hold").count() > 0
    desk.locator("#next-act").get_by_role("link", name="Draw again or keep").click()
    look(desk, "awkward-again-or-keep")
    desk.get_by_role("button", name="Draw again").first.click()
    windows.agree()
    assert windows.open[2][0].get_by_text("On hold").count() == 0
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Start game 2").click()
    desk.get_by_role("heading", name="Game 2").first.wait_for()
    windows.agree()
    finish_round(event, event.rounds.get(number=2))
    windows.agree()
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Close game 2").click()
    windows.agree()

    # A signed sheet of a closed game is typed again: one correction, shown first.
    desk.goto(f"{sheet}sheet/")
    desk.locator("[name='1.books']").select_option("12")
    desk.get_by_label("Reason").fill("Misread")
    desk.get_by_role("button", name="Show what this changes").click()
    desk.get_by_role("heading", name="What this changes").wait_for()
    look(desk, "awkward-typed-again")
    desk.get_by_role("button", name="Save").first.click()
    if desk.get_by_role("heading", name="Confirm with your password").count():
        confirm(desk)
    desk.wait_for_url(f"**{sheet}")
    windows.agree()

    # Somebody leaves between the cut and the first match: two ways are shown, pressed twice is pressed once.
    desk.goto(f"{home}playoffs/")
    desk.get_by_label("How many advance").fill("4")
    desk.get_by_role("button", name="Make the cut").click()
    windows.agree()
    with TURN:
        gone = bracket_of(fresh(event)).seeds[2]
    desk.goto(f"{home}teams/{gone}/")
    desk.get_by_label("Last game it plays").fill("2")
    desk.get_by_role("button", name="Withdraw the team").click()
    look(desk, "awkward-leaves-the-bracket")
    desk.get_by_role("button", name="the next in moves up").dblclick()
    desk.get_by_text("Withdrawn").first.wait_for()
    windows.agree()
    # Two are level for the place: they play for it.
    desk.goto(home)
    desk.locator("#next-act").get_by_role("link", name="Break the tie").click()
    desk.get_by_role("button", name="Start the one-game tie-break").click()
    desk.get_by_role("heading", name="Tie-break").first.wait_for()
    windows.agree()
    finish_last(event)
    windows.agree()

    # A semifinal that is corrected before a hand of the final is played: the final is paired again, with the way back.
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Start semifinal").click()
    desk.get_by_role("heading", name="Semifinal is in play").wait_for()
    windows.agree()
    semifinal = finish_last(event)
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Close semifinal").click()
    desk.locator("#next-act").get_by_role("button", name="Start final").click()
    desk.get_by_role("heading", name="Final is in play").wait_for()
    windows.agree()
    correct(desk, event, 1, "side-1", "11", position=1, number=semifinal.number)
    windows.agree()
    desk.goto(home)
    look(desk, "awkward-paired-again")
    desk.locator(".needs").get_by_role("button", name="Undo").click()
    windows.agree()
    desk.goto(f"{home}playoffs/")
    desk.get_by_text("Change the decision").first.wait_for(state="attached")
    look(desk, "awkward-undone")
    finish_last(event)
    windows.agree()
    desk.goto(home)
    desk.locator("#next-act").get_by_role("button", name="Close final").click()
    windows.agree()
    look(windows.open[1][0], "awkward-phone")
    desk.goto(f"{home}playoffs/")
    desk.get_by_role("button", name="Finish the event").click()
    desk.get_by_text("The event is finished.").first.wait_for()
    windows.agree()


# A new event on one screen: another game is chosen, and nothing that was typed or pasted is lost.
TYPED = {
    "name": "Winter Open",
    "place": "Elks Lodge",
    "rounds_planned": "5",
    "fee_cents": "25",
    "pot_cents": "10",
    "cut": "4",
}
SAID = """(names) => Object.fromEntries(names.map((name) => [
    name, document.querySelector(`#new-event [name=${name}]`)?.value ?? null]))"""


@pytest.fixture
def new_event_page(new_page: Any, otis: User) -> Any:
    """The page with every field filled in and each fold open."""
    page = at_desk(new_page, otis, LAPTOP)
    page.goto("/new/")
    for fold in page.locator(".fold summary").all():
        fold.click()
    for name, words in TYPED.items():
        page.locator(f"#new-event [name={name}]").fill(words)
    page.locator("[name=sheet]").select_option("bid_whist/standard")
    page.locator("[name=movement]").select_option("round-robin")
    page.locator("[name=losers]").select_option("places-4")
    page.get_by_label("Who plays?").fill(LIST)
    page.get_by_text("3 teams, 6 players read").wait_for()
    return page


def choose(page: Any, game: str) -> None:
    page.locator(".games label", has_text=game).click()
    shown(page, game.lower().replace(" ", "_") + "/")


def shown(page: Any, sheet: str) -> None:
    """The settings of this sheet have come."""
    page.locator(f"[name=shown][value^='{sheet}']").wait_for(state="attached")


def said(page: Any) -> dict[str, Any]:
    typed = page.evaluate(SAID, [*TYPED, "sheet", "movement"])
    return typed | {"third": page.locator("[name=losers]").input_value() == "places-4"}


def test_another_game_keeps_what_was_typed(new_event_page: Any) -> None:
    before = said(new_event_page)
    choose(new_event_page, "Spades")
    assert new_event_page.get_by_label("Boston pot").count() == 0
    assert {name: said(new_event_page)[name] for name in TYPED} == TYPED
    assert new_event_page.locator(".fold[open]").count() == new_event_page.locator(".fold").count()
    assert new_event_page.get_by_label("Who plays?").input_value() == LIST
    choose(new_event_page, "Back Alley")
    new_event_page.locator("[name=sheet]").select_option("back_alley/individual")
    shown(new_event_page, "back_alley/individual")
    look(new_event_page, "new-event-singles")
    assert new_event_page.locator("[name=movement]").input_value() == "moving"
    choose(new_event_page, "Bid Whist")
    assert said(new_event_page) == before
    assert new_event_page.get_by_text("$25 a team, $10 into the Boston pot").is_visible()
    assert new_event_page.get_by_text("5 games, round robin").is_visible()


def test_what_is_typed_while_the_page_is_asked_stays(new_event_page: Any) -> None:
    with new_event_page.expect_request("**/new/draft/"):
        new_event_page.locator(".games label", has_text="Spades").click()
    new_event_page.locator("[name=fee_cents]").fill("30")
    shown(new_event_page, "spades/")
    assert new_event_page.locator("[name=fee_cents]").input_value() == "30"
