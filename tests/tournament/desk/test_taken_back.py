"""What an act says about how it is taken back, before it is done and after; and that it is so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import strip_tags

from tests.factories import confirmed_in, make_event, make_round, page_of, pairs_of, signed_in
from tests.sure import fresh
from tests.tournament.desk.test_confirming import (
    SWAP,
    by_hand,
    drawn,
    not_all_here,
    not_all_here_and_drawn,
    one_left_a_seat,
    one_wants_to_leave,
    started,
    two_final,
    two_tables,
)
from tests.tournament.results.evenings import after_the_cut, played_round, win
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.services.draws import draw_rounds


class Way(NamedTuple):
    """An act by one of its ways: the evening, the address, what is typed, what is said, and what that is."""

    world: Callable[[User], Event]
    to: str
    typed: dict[str, str]
    undo: str
    back: tuple[tuple[str, dict[str, str]], ...] = ()


def by_number(dana: User) -> Event:
    event = make_event("By Number", dana, teams=6, rounds_planned=2)
    draw_rounds(Actor(dana), event, by_number=True)
    return fresh(event)


def planned(dana: User) -> Event:
    """Game 1 is drawn, and nobody has played."""
    event = make_event("Planned", dana, teams=4)
    make_round(event, pairs_of(list(event.teams.all())), state="planned")
    return event


AGAIN = "To undo this, draw again with number 5: that gives the same tables."
SWAPPED = "To undo this, swap the same two again."
FOR_GOOD = "This can’t be undone: drawing again gives other tables."
BACK = "To undo this, press “Back in play” on the team’s page."
HERE = "To undo this, press “They’re here” at check-in."
WAYS = {
    "delete the draw": Way(drawn, "draw/removal/", {}, AGAIN, (("draw/", {"seats": "lot", "seed": "5"}),)),
    "delete a draw by number": Way(
        by_number,
        "draw/removal/",
        {},
        "To undo this, draw again by number: that gives the same tables.",
        (("draw/", {"seats": "number"}),),
    ),
    "delete a draw by hand": Way(by_hand, "draw/removal/", {}, FOR_GOOD),
    "delete a draw of other teams": Way(one_left_a_seat, "draw/removal/", {}, FOR_GOOD),
    "swap in play": Way(two_tables, "rounds/1/swaps/", SWAP, SWAPPED, (("rounds/1/swaps/", SWAP),)),
    "swap after a game": Way(two_final, "rounds/1/swaps/", SWAP, SWAPPED, (("rounds/1/swaps/", SWAP),)),
    "swap before a game": Way(planned, "rounds/1/swaps/", SWAP, SWAPPED, (("rounds/1/swaps/", SWAP),)),
    "drop": Way(
        not_all_here,
        "check-in/absent/",
        {"numbers": "5,6"},
        HERE,
        (("check-in/5/", {}), ("check-in/6/", {})),
    ),
    "drop after the draw": Way(not_all_here_and_drawn, "check-in/absent/", {"numbers": "5,6"}, HERE),
    "withdraw": Way(started, "teams/3/withdrawal/", {"after_round": "1"}, BACK, (("teams/3/comeback/", {}),)),
    "let go": Way(one_wants_to_leave, "entries/leaving/2/", {"what": "again"}, BACK),
    "remove": Way(drawn, "teams/5/removal/", {}, "To undo this, enter it again with its players."),
}


def state(event: Event) -> list[Any]:
    """Who plays, and who sits where."""
    games = Game.objects.filter(round__event=event).order_by("round__number", "table").prefetch_related("sides__team")
    tables = [(game.round.number, game.table, [side.team.number for side in game.sides.all()]) for game in games]
    return [list(event.teams.values_list("number", "status")), tables]


def done(desk: Client, address: str, typed: dict[str, str]) -> tuple[str, str]:
    """The question and the page after it, where it asks."""
    first = desk.post(address, typed, follow=True)
    if 'name="confirmed"' not in page_of(first):
        return "", page_of(first)
    confirmed = typed | {"confirmed": confirmed_in(page_of(first))}
    return page_of(first), page_of(desk.post(address, confirmed, follow=True))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_an_act_says_before_and_after_how_it_is_taken_back(dana: User, way: Way) -> None:
    event, desk = way.world(dana), signed_in(dana)
    before = state(event)
    question, after = done(desk, f"/desk/{event.slug}/{way.to}", way.typed)
    assert (way.undo in question, way.undo in after) == (True, True)
    assert state(event) != before
    for address, typed in way.back:
        done(desk, f"/desk/{event.slug}/{address}", typed)
    assert not way.back or state(event) == before


def test_a_new_draw_names_the_one_before(dana: User) -> None:
    event, desk = drawn(dana), signed_in(dana)
    before = state(event)
    _, after = done(desk, f"/desk/{event.slug}/draw/", {"seats": "lot", "seed": "77"})
    assert "The draw before was number 5." in after
    done(desk, f"/desk/{event.slug}/draw/", {"seats": "lot", "seed": "5"})
    assert state(event) == before


def test_a_cut_says_until_when_it_can_be_changed(dana: User) -> None:
    event, desk = make_event(director=dana, rounds_planned=1, teams=4), signed_in(dana)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    words = "You can change the cut until the first playoff game or tie-break is drawn."
    page = page_of(desk.get(f"/desk/{event.slug}/playoffs/"))
    after = page_of(desk.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "4", "best_of": "1"}, follow=True))
    assert (words in page, words.replace("the cut", "it") in after) == (True, True)
    assert desk.post(f"/desk/{event.slug}/playoffs/cut/", {"size": "2", "best_of": "1"}).status_code == 302
    assert fresh(event).cut == 2


# What is shown before a swap, and before a team leaves that is tied at the cut.


def changes(page: str) -> Iterator[str]:
    """The rows of a question: what, before, after."""
    for row in page.split('<th scope="row"')[1:]:
        yield " | ".join(strip_tags(cell).strip() for cell in ("<th" + row.partition("</tr>")[0]).split("<td"))


def test_a_swap_before_any_hand_shows_who_sits_where(dana: User) -> None:
    event, desk = planned(dana), signed_in(dana)
    page = page_of(desk.post(f"/desk/{event.slug}/rounds/1/swaps/", SWAP))
    shown = list(changes(page))
    assert len(shown) == 2, shown
    assert "Table 1" in shown[0] and "Aces – Books" in shown[0] and "Night Owls – Books" in shown[0]
    assert "Table 2" in shown[1] and "Night Owls – Eagles" in shown[1] and "Aces – Eagles" in shown[1]


def test_a_tied_team_leaves_as_one_that_is_not_tied(dana: User) -> None:
    """3 and 1 are in; 2 and 4 are tied for the last place of three."""
    event, desk = after_the_cut(dana, 3, (1, 2, win(0, 6)), (3, 4, win(0, 7))), signed_in(dana)
    address = f"/desk/{event.slug}/teams/4/withdrawal/"
    page = page_of(desk.post(address, {"after_round": "1"}))
    assert 'name="confirmed"' in page
    assert any("Tied at the cut" in row and "Books, Eagles (1 place)" in row for row in changes(page))
    assert list(event.teams.filter(status="left")) == []
    desk.post(address, {"after_round": "1", "confirmed": confirmed_in(page)})
    assert [team.number for team in event.teams.filter(status="left")] == [4]


def test_the_first_place_leaves_where_there_are_no_playoffs(dana: User) -> None:
    event, desk = after_the_cut(dana, 1, (1, 2, win(0, 6)), (3, 4, win(0, 7))), signed_in(dana)
    page = page_of(desk.post(f"/desk/{event.slug}/teams/3/withdrawal/", {"after_round": "0"}))
    assert any("Champion" in row and "Night Owls" in row and "Aces" in row for row in changes(page)), page


def test_the_chip_of_the_desk_goes_on_with_the_event(dana: User) -> None:
    """An open page of the desk says “Qualifying games” for no longer than its button does."""
    event, desk = after_the_cut(dana, 2, (1, 2, win(0, 6)), (3, 4, win(0, 7))), signed_in(dana)
    page = page_of(desk.get(f"/desk/{event.slug}/"))
    asks = re.search(rf'hx-get="(/desk/{event.slug}/next-act/[^"]*)"', page)
    assert asks is not None and 'id="event-stage">Playoffs</span>' in page
    news = desk.get(re.sub(r"version=\d+", "version=0", asks[1]), headers={"HX-Request": "true"})
    assert 'id="event-stage" hx-swap-oob="true">Playoffs</span>' in page_of(news)
    # A page without the chip is sent none.
    page = page_of(desk.get(f"/desk/{event.slug}/games/{Game.objects.filter(round__event=event)[0].pk}/"))
    assert "stage=yes" not in page
