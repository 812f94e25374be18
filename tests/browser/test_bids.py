"""Bids that a tablet locks: seen at the table and the desk, changed by agreement, kept through a night offline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import HTTP, LAPTOP, SECURE, TABLET, TABLET_UPRIGHT, TURN, Counted, look, press_play, tap
from tests.browser.test_desk import at_desk
from tests.browser.test_offline import ahead, unsent
from tests.factories import make_game, play, seat_all
from tests.halls import eventually
from tournament.models import Entry, Game, Journal, Submission
from tournament.queries.sheet import sheet_now
from tournament.words.journal import in_full

FIVE = "Aces 6 · Books 5 · 11 of 13 bid"


@pytest.fixture
def table(dana: User) -> Callable[..., Game]:
    """A game in play by a sheet in which everybody bids."""

    def open_table(sheet: str = "spades/jokers") -> Game:
        with TURN:
            game = make_game(dana, name="Spades Night", sheet=sheet)
            seat_all(game)
        return game

    return open_table


@pytest.fixture
def game(table: Callable[..., Game]) -> Game:
    return table()


def contract(page: Any) -> str:
    words = page.locator("#contract > span")
    return words.inner_text() if words.count() and words.is_visible() else ""


def shows(page: Any, words: str) -> None:
    eventually(lambda: contract(page) == words, lambda: contract(page))


def log() -> list[str]:
    with TURN:
        return [in_full(act.action, act.code, act.facts) for act in Journal.objects.filter(action="bids")]


def came() -> list[tuple[str, str]]:
    with TURN:
        return list(Submission.objects.order_by("pk").values_list("kind", "status"))


def recorded(game: Game) -> list[Any]:
    with TURN:
        return [entry.facts["bids"] for entry in Entry.objects.filter(game=game).order_by("position")]


def test_locked_bids_reach_desk_and_every_tablet_and_the_hand_takes_them(
    table_page: Any, new_page: Any, dana: User, game: Game
) -> None:
    event = game.round.event
    tablet = table_page(of=event)
    tap(tablet, "bid-1-5", "bid-0-6")
    look(tablet, "contract")
    tablet.get_by_role("button", name="Play", exact=True).click()
    shows(tablet, FIVE)
    look(tablet, "contract-locked")
    desk = at_desk(new_page, dana, LAPTOP)
    desk.goto(f"/desk/{event.slug}/games/{game.pk}/")
    desk.get_by_text(FIVE).wait_for()
    look(desk, "contract-desk")
    watching = table_page(of=event, further=True)
    shows(watching, FIVE)
    look(watching, "contract-watching")
    tablet.reload()
    shows(tablet, FIVE)
    tap(tablet, "tricks-1-6")
    tablet.locator("#record").click()
    eventually(lambda: len(sheet_now(game).rows) == 1, lambda: "")
    assert sheet_now(game).scores == (61, 51)
    shows(tablet, "")
    shows(watching, "")
    assert (came(), log()) == ([("bids", "applied"), ("hand", "applied")], [])


def test_a_bid_is_changed_where_both_sides_agree(table_page: Any, game: Game) -> None:
    tablet = table_page(of=game.round.event)
    tap(tablet, "bid-1-5", "bid-0-6", "tricks-1-6")
    tablet.get_by_role("button", name="Change a bid").click()
    tap(tablet, "bid-1-4")
    tablet.get_by_text("Do both sides agree?").wait_for()
    tablet.get_by_role("button", name="Keep the bids").click()
    tablet.locator("#bid-1-5:checked").wait_for(state="attached")
    tablet.get_by_role("button", name="Aces bid 6").click()
    tap(tablet, "bid-0-7")
    tablet.get_by_text("Do both sides agree?").wait_for()
    look(tablet, "contract-change")
    # Until they do, the locked bids stay.
    assert (contract(tablet), log()) == (FIVE, [])
    press_play(tablet)
    seven = "Aces 7 · Books 5 · 12 of 13 bid"
    shows(tablet, seven)
    eventually(lambda: len(log()) == 1, lambda: str(log()))
    assert log() == [f"Game 1, table 1: bids of line 1 changed, both sides agree · {FIVE} · {seven}"]
    tablet.locator("#record").click()
    eventually(lambda: recorded(game) == [["7", "5"]], lambda: str(recorded(game)))


def test_a_bid_that_is_being_changed_stays_open_when_the_answer_comes(table_page: Any, game: Game) -> None:
    tablet = table_page(of=game.round.event)
    requests: list[Any] = []
    tablet.route("**/t/api/submissions/", lambda route: requests.append(route))
    tap(tablet, "bid-1-5", "bid-0-6")
    press_play(tablet)
    shows(tablet, FIVE)
    tablet.get_by_role("button", name="Change a bid").click()
    eventually(lambda: bool(tablet.wait_for_timeout(50) or requests), lambda: "nothing was sent")
    with tablet.expect_response("**/t/api/submissions/"):
        requests[0].continue_()
    state = tablet.locator("#table-state")
    eventually(lambda: "Aces 6" in str(state.get_attribute("data-state")), lambda: "no page came")
    tablet.wait_for_timeout(300)
    tap(tablet, "bid-1-4")
    tablet.get_by_text("Do both sides agree?").wait_for()


def test_a_hand_begins_with_its_first_question_whatever_was_opened_again_before(table_page: Any, game: Game) -> None:
    tablet = table_page(of=game.round.event)
    tap(tablet, "bid-1-5", "bid-0-6", "tricks-1-6")
    tablet.locator("#entry .line").last.click()
    tablet.locator(".ask.open [name=tricks-0]").first.wait_for(state="attached")
    tablet.locator("#record").click()
    tablet.locator(".ask.open [name=bid-0]").first.wait_for(state="attached")


@pytest.mark.parametrize("size", [TABLET, TABLET_UPRIGHT])
def test_a_tablet_that_takes_over_in_the_middle_of_a_hand_goes_on_with_its_bids(
    table_page: Any, game: Game, size: tuple[int, int]
) -> None:
    first = table_page(size, of=game.round.event, trouble=True)
    tap(first, "bid-1-5", "bid-0-6")
    press_play(first)
    shows(first, FIVE)
    eventually(lambda: came() == [("bids", "applied")], lambda: str(came()))
    second = table_page(size, of=game.round.event, further=True, dark=True)
    first.context.set_offline(True)
    first.get_by_role("button", name="Aces bid 6").click()
    tap(first, "bid-0-8")
    press_play(first)
    unsent(first, 1)
    second.get_by_role("button", name="Keep score on this tablet").click()
    second.locator("#tricks-1-6").wait_for(state="attached")
    shows(second, FIVE)
    second.locator(".ask.open [name=tricks-1]").first.wait_for(state="attached")
    look(second, f"contract-taken-over-{size[0]}")
    tap(second, "tricks-1-6")
    second.locator("#record").click()
    eventually(lambda: recorded(game) == [["6", "5"]], lambda: str(recorded(game)))
    first.context.set_offline(False)
    first.get_by_text("Tablet B is keeping score").wait_for(timeout=40_000)
    assert (contract(first), log(), came()[-1]) == ("", [], ("bids", "discarded"))


@pytest.mark.parametrize("host", [HTTP, SECURE])
def test_a_night_without_a_network_is_delivered_in_order(
    table_page: Any, new_page: Any, dana: User, game: Game, host: str
) -> None:
    event = game.round.event
    tablet = table_page(of=event, host=host, trouble=True)
    watching = table_page(of=event, further=True)
    ahead(tablet)
    if host == SECURE:
        tablet.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    tablet.context.set_offline(True)
    tap(tablet, "bid-1-5", "bid-0-6")
    press_play(tablet)
    unsent(tablet, 1)
    assert contract(tablet) == FIVE
    look(tablet, f"contract-offline-{host}")
    if host == SECURE:
        tablet.reload()
        shows(tablet, FIVE)
    tablet.get_by_role("button", name="Aces bid 6").click()
    tap(tablet, "bid-0-7")
    press_play(tablet)
    unsent(tablet, 2)
    tap(tablet, "tricks-1-6")
    tablet.locator("#record").click()
    unsent(tablet, 3)
    assert contract(tablet) == ""
    tap(tablet, "bid-0-4", "bid-1-5")
    press_play(tablet)
    unsent(tablet, 4)
    assert contract(watching) == "" and came() == []
    tablet.context.set_offline(False)
    four = "Aces 4 · Books 5 · 9 of 13 bid"
    eventually(
        lambda: came() == [("bids", "applied")] * 2 + [("hand", "applied"), ("bids", "applied")], lambda: str(came())
    )
    for page in (tablet, watching):
        shows(page, four)
    desk = at_desk(new_page, dana, LAPTOP)
    desk.goto(f"/desk/{event.slug}/games/{game.pk}/")
    desk.get_by_text(four).wait_for()
    assert (recorded(game), len(log())) == ([["7", "5"]], 1)


def test_bids_that_come_too_late_are_told_at_the_table(table_page: Any, dana: User, game: Game) -> None:
    tablet = table_page(of=game.round.event, host=HTTP, trouble=True)
    ahead(tablet)
    tablet.context.set_offline(True)
    tap(tablet, "bid-1-5", "bid-0-6")
    press_play(tablet)
    unsent(tablet, 1)
    with TURN:
        play(dana, game, {"entry": "hand", "bids": ["6", "6"], "tricks": [7, 6]})
    tablet.context.set_offline(False)
    tablet.get_by_text("These bids are for line 1 of the sheet, and that is not the next one.").wait_for(timeout=40_000)
    look(tablet, "contract-late")
    tap(tablet, "bid-0-6", "bid-1-6")
    press_play(tablet)
    shows(tablet, "Aces 6 · Books 6 · 12 of 13 bid")
    assert tablet.get_by_text("These bids are for line 1").count() == 0


def test_bids_are_locked_by_keys_at_each_seat_and_nil_is_one(table_page: Any, table: Callable[..., Game]) -> None:
    game = table("spades/standard")
    tablet = table_page(of=game.round.event)
    typist = Counted(tablet)
    typist.press("n", "5", "4", "3", "Enter")
    shows(tablet, "Aces 8 · Books Nil + 4 · 12 of 13 bid")
    look(tablet, "contract-seats")
    typist.press("0", "6", "4", "Enter")
    eventually(lambda: recorded(game) == [["3", "nil", "5", "4"]], lambda: str(recorded(game)))
    assert came() == [("bids", "applied"), ("hand", "applied")]


def test_nobody_may_leave_a_bid_to_a_partner_who_may_not_bid_blind(table_page: Any, table: Callable[..., Game]) -> None:
    tablet = table_page(of=table("spades/overtime").round.event)
    tablet.locator(".ask.open [name=bid-1]").first.wait_for(state="attached")
    assert tablet.locator("#entry input[value=with-partner]").count() == 0


def test_bids_that_exclude_each_other_offer_no_play(table_page: Any, table: Callable[..., Game]) -> None:
    tablet = table_page(of=table("back_alley/partnership").round.event)
    tap(tablet, "bid-1-1", "bid-2-2", "bid-3-double-board", "bid-0-pass")
    tablet.get_by_text("A double board needs a board before it").wait_for()
    look(tablet, "contract-refused")
    tablet.get_by_role("button", name="Play", exact=True).wait_for(state="hidden")
    tablet.get_by_role("button", name="Ann 2 bid 1").click()
    tap(tablet, "bid-1-board")
    tablet.get_by_role("button", name="Play", exact=True).wait_for()


def test_a_hand_that_all_passed_is_thrown_in_with_one_tap(table_page: Any, table: Callable[..., Game]) -> None:
    game = table("back_alley/partnership")
    tablet = table_page(of=game.round.event)
    tap(tablet, "bid-1-pass", "bid-2-pass", "bid-3-pass", "bid-0-pass")
    thrown_in = tablet.get_by_role("button", name="All passed: the next player deals")
    thrown_in.wait_for()
    look(tablet, "contract-all-passed")
    assert not tablet.get_by_role("button", name="Play", exact=True).is_visible()
    thrown_in.click()
    eventually(lambda: [row.kind for row in sheet_now(game).rows] == ["void"], lambda: str(came()))
    assert sheet_now(game).scored.carry.deals == 1
    tablet.get_by_text("Ann 2 deals").first.wait_for()
