"""The projector of a finished event whose names are as wide as names may be: every slide fits, and nothing covers
anything else."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import look
from tests.browser.test_space import widen
from tests.factories import make_event, make_teams
from tests.tournament.results.evenings import played_round, win
from tests.tournament.results.test_playoffs import play_round
from tournament.access import Actor
from tournament.models import Event
from tournament.services.playoffs import finish_event, make_cut

HALL = (1920, 1080)
SHOWN = "(slide) => document.querySelectorAll('[data-slide]').forEach((one, at) => { one.hidden = at !== slide; })"
OUTSIDE = """() => [...document.querySelectorAll("[data-slide]:not([hidden]) *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && !one.closest(".slotname") && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1); })
    .map((one) => `${one.tagName} ${one.className}`)"""
# What must not cover what: rows and the line under them, a figure and its words, the cards of a bracket.
COVERED = """() => { const all = (what) => [...document.querySelectorAll(`[data-slide]:not([hidden]) ${what}`)];
    const words = (one) => { const made = document.createRange(); made.selectNodeContents(one);
        return made.getBoundingClientRect(); };
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const pairs = (some) => some.flatMap((one, at) => some.slice(at + 1).map((other) => [one, other]));
    const boxes = (what) => all(what).map((one) => one.getBoundingClientRect());
    return [...pairs(all(".facts dt, .facts dd").map(words)), ...pairs(boxes(".match")),
        ...pairs([...boxes("tbody tr"), ...all(".pageno").map(words)])].filter((two) => meet(...two)).length; }"""


@pytest.fixture
def finished(dana: User) -> Event:
    """16 teams, all of them in the playoffs, one a Boston and a closest game that ends below zero."""
    event = make_event(director=dana, pot_cents=1000, rounds_planned=1)
    make_teams(event, 16)
    widen(event)
    games = [(one, one + 8, win(0, 7 if one == 1 else 5, 4 if one == 2 else 0)) for one in range(1, 9)]
    played_round(event, games)
    make_cut(Actor(dana), event, 16, best_of=1, third_place=True)
    event.refresh_from_db()
    for _ in range(4):
        play_round(dana, event)
    finish_event(Actor(dana), event)
    return event


def boxes(page: Any, what: str) -> list[tuple[int, int]]:
    """From where to where the shown ones of a kind go."""
    found = (one.bounding_box() for one in page.locator(f"[data-slide]:not([hidden]) {what}").all())
    return [(round(one["x"]), round(one["x"] + one["width"])) for one in found]


@pytest.mark.nightly
def test_third_place_stands_below_the_final(new_page: Any, finished: Event) -> None:
    page = new_page(HALL)
    page.goto(f"/e/{finished.slug}/board/")
    page.evaluate(SHOWN, page.locator("[data-slide]").count() - 1)
    assert boxes(page, ".third .match") == boxes(page, ".column.last .match")


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
    (second, first), last = boxes(page, ".podium li")[::-1], page.locator("[data-slide]").count() - 1
    page.evaluate(SHOWN, last)
    (match,) = boxes(page, ".match")
    assert [second[0] + first[1], match[0] + match[1]] == [1920, 1920]
    assert match[1] - match[0] < 1300


def test_every_slide_of_the_end_fits_and_covers_nothing(new_page: Any, finished: Event) -> None:
    page = new_page(HALL)
    page.goto(f"/e/{finished.slug}/board/")
    slides = page.locator("[data-slide]")
    wrong = {}
    for at in range(slides.count()):
        page.evaluate(SHOWN, at)
        look(page, f"projector-{at}")
        if (found := (page.evaluate(OUTSIDE), page.evaluate(COVERED))) != ([], 0):
            wrong[slides.nth(at).get_attribute("class")] = found
    assert slides.count() > 5 and wrong == {}
