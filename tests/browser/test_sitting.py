"""The desk changes who sits at a table, or which tablet is there, while a hand is in play and the network comes and
goes: what the tablets and the desk then say is so."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.browser.conftest import LAPTOP, TURN, tap
from tests.browser.test_desk import at_desk
from tests.browser.test_offline import ahead, hand, unsent
from tests.factories import make_event, make_round, make_teams, seat_all
from tests.halls import eventually
from tournament.access import Actor
from tournament.models import Call, Entry, Event, Game, Submission
from tournament.services.substitutions import substitute, swap_teams

SWAPPED = "The desk changed who sits here: Night Owls instead of Books."


@pytest.fixture
def game(event: Event) -> Game:
    """Aces against Books at table 1, and Night Owls against Eagles at table 2."""
    with TURN:
        teams = make_teams(event, 4)
        games = list(make_round(event, [tuple(teams[:2]), tuple(teams[2:])]).games.all())
        seat_all(games[0])
    return games[0]


def swap(dana: User, event: Event) -> None:
    with TURN:
        swap_teams(Actor(dana), event, 1, 2, 3, "sat in each other's place")


def moved(page: Any) -> str:
    box = page.locator("#moved")
    return box.locator("span").inner_text() if box.is_visible() else ""


def says(page: Any, words: str) -> None:
    eventually(lambda: moved(page) == words, lambda: moved(page))


def test_a_team_that_is_swapped_in_is_announced_and_asked_who_won_the_bid(
    table_page: Any, dana: User, event: Event, game: Game
) -> None:
    page = table_page()
    watching = table_page(further=True)
    tap(page, "seat-1", "bid-4")
    assert "Books bid 4" in page.inner_text("#effect")
    swap(dana, event)
    for tablet in (page, watching):
        says(tablet, SWAPPED)
    # What was bid stays; who bid it is to be said by those who sit there now.
    eventually(lambda: page.locator("[name=seat]:checked").count() == 0, lambda: page.inner_text("#entry"))
    assert page.locator("#bid-4:checked").count() == 1

    def asked() -> list[str]:
        return [words for words in ("Books bid", "Ann 2", "Ann 3") if words in page.inner_text("#next-hand")]

    eventually(lambda: asked() == ["Ann 3"], lambda: page.inner_text("#next-hand"))
    page.reload()
    says(page, SWAPPED)
    assert page.locator("[name=seat]:checked").count() == 0
    page.get_by_role("button", name="We have read it").click()
    says(page, "")
    page.reload()
    page.locator("#entry").wait_for()
    says(page, "")
    # One tablet has read it, the other has not.
    says(watching, SWAPPED)


def test_a_hand_that_was_recorded_offline_for_others_waits_with_the_director(
    table_page: Any, new_page: Any, dana: User, event: Event, game: Game
) -> None:
    page = table_page(trouble=True)
    ahead(page)
    page.context.set_offline(True)
    hand(page, 1, "4", 10)
    unsent(page, 1)
    swap(dana, event)
    page.context.set_offline(False)
    page.get_by_text("▲ With the director: 1").wait_for()
    assert "It is about Books; the desk has put Night Owls there since." in page.inner_text("#unsent")
    says(page, SWAPPED)
    with TURN:
        assert (Entry.objects.count(), Submission.objects.get().code) == (0, "others-sit")
    desk = at_desk(new_page, dana, LAPTOP)
    desk.goto(reverse("desk-parked", args=[event.slug]))
    desk.get_by_text("It is about people who no longer sit there").wait_for()
    assert "Ann 2: 4 made with 10" in desk.inner_text("main")


def test_bids_that_were_locked_are_asked_again_of_a_substitute(table_page: Any, dana: User) -> None:
    with TURN:
        event = make_event(director=dana, name="Spades Night", sheet="spades/jokers")
        game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
        seat_all(game)
    page = table_page(of=event)
    tap(page, "bid-1-5", "bid-0-6")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("#contract:not([hidden])").wait_for()
    with TURN:
        substitute(Actor(dana), event, 1, position=0, into="Zed", from_round=1)
    says(page, "The desk changed who sits here: Zed instead of Ann 1 for Aces.")
    page.get_by_text("All bids are in").wait_for()
    page.locator("#contract").wait_for(state="hidden")
    # Nobody repeats all bids: they are kept, to be locked by the players who are there now.
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("#contract:not([hidden])").wait_for()


def test_a_waiting_tablet_says_that_another_pair_is_to_come(
    table_page: Any, dana: User, event: Event, game: Game
) -> None:
    with TURN:
        game.round.__class__.objects.update(state="planned")
    page = table_page()
    page.get_by_text("Next at this table").wait_for()
    swap(dana, event)
    says(page, SWAPPED)


# A tablet is replaced while it holds a hand and a call.


def test_a_replaced_tablet_and_the_one_after_it_both_say_what_waits(
    table_page: Any, new_page: Any, live_server: Any, dana: User, event: Event, game: Game
) -> None:
    old = table_page(trouble=True)
    ahead(old)
    old.context.set_offline(True)
    hand(old, 0, "3", 9)
    unsent(old, 1)
    old.locator("summary", has_text="Call the director").click()
    old.get_by_role("button", name="Renege").click()
    old.get_by_text("Your call for the director is not sent: walk to the desk.").wait_for()
    assert "on the way" not in old.inner_text("body") and "has been told" not in old.inner_text("body")
    new = table_page()
    old.context.set_offline(False)
    old.wait_for_url("**/t/?again")
    old.get_by_text("1 hand and a call were sent to the desk just now").wait_for()
    new.get_by_text("Hand 1 from the tablet before waits with the director.").wait_for()
    new.locator("summary", has_text="Director is called").click()
    new.get_by_text("The desk has been told.").wait_for()
    desk = at_desk(new_page, dana, LAPTOP)
    desk.goto(f"/desk/{event.slug}/")
    desk.get_by_role("button", name="On my way").click()
    new.get_by_text("The director is on the way.").wait_for(timeout=15_000)
    with TURN:
        assert Call.objects.filter(answered_at=None, coming_by=dana).count() == 1
