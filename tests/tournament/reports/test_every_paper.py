"""Every paper for few and many teams, short and long names, on both sizes of paper: whole, apart, no thin last page."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from tests.factories import make_event, make_round, make_teams, pairs_of
from tests.quick import remembered
from tests.sure import fresh
from tests.tournament.reports.audit import Page, faults_of, is_thin, pages_of
from tests.tournament.reports.evenings import pdf_pages, squeezed
from tests.tournament.results.evenings import bracket_of, finish_game, played_round, win
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.models import Event, Player, Team
from tournament.queries.ledger import Said
from tournament.queries.pictures import whole_book
from tournament.queries.score_workbooks import blank_sheet
from tournament.reports.pdf.bracket import TableCard
from tournament.reports.pdf.catalog import OTHERS, PAPERS, Wanted, printed
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services import payouts
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import close_round

TEAMS, SIZES = (2, 8, 24, 60), ("letter", "a4")
ROUNDS = 3
# How teams, their players, the event and its hall are named: by what it does to a number.
NAMES: dict[str, Callable[[int], tuple[str, str]]] = {
    "short": lambda number: (f"Aces {number}", f"Ann {number}"),
    "words": lambda number: (
        f"Magnificent Ladies of Upper Sandusk {number:02}",
        f"Wilhelmina Featherstonehaugh-Smith {number:02}",
    ),
    "wide": lambda number: ("W" * 36 + f"{number:02}", "W" * 38),
}
# Papers whose pages are no rows of one list: parts of a bracket, a paper for each, a book.
APART = ("bracket", "book", "poster")
SITE = "http://192.168.1.7:8000/"


@remembered
def evening(dana: User, teams: int) -> Event:
    """Three games of everybody, and playoffs to the champion where there are enough teams."""
    for seed in itertools.count():
        with suppress(ValidationFailed), transaction.atomic():
            return _evening(dana, teams, Random(seed))
    raise AssertionError


def _evening(dana: User, teams: int, chance: Random) -> Event:
    """An evening by chance. Raises ValidationFailed where somebody is level at the cut."""
    event = make_event("Columbus Open", dana, place="Union Hall", rounds_planned=ROUNDS, fee_cents=2000, pot_cents=500)
    entered = [team.number for team in make_teams(event, teams)]
    half, actor = teams // 2, Actor(dana)
    for number in range(ROUNDS):
        other = entered[half:]
        turned = other[number % half :] + other[: number % half]
        played_round(event, [(*pair, _hands(chance)) for pair in zip(entered[:half], turned, strict=True)])
    for number in entered[:3]:
        payouts.charge(actor, event, number, -500, Said(reason="helped with the chairs"))
    make_cut(actor, fresh(event), next(size for size in (16, 4, 1) if size <= half))
    event = fresh(event)
    while event.cut and bracket_of(event).champion_number is None:
        round_ = start_playoff_round(actor, event)
        for game in round_.games.all():
            finish_game(event, game, _hands(chance))
        close_round(actor, fresh(event), round_.number)
        event = fresh(event)
    return finish_event(actor, event)


def _hands(chance: Random) -> list[dict[str, Any]]:
    return win(chance.randrange(2), chance.choice((5, 5, 6, 7)), chance.randrange(5))


def named(event: Event, names: str, paper: str) -> Event:
    """The event with other names, on other paper."""
    of = NAMES[names]
    for team in event.teams.all():
        team_name, player = of(team.number)
        Team.objects.filter(pk=team.pk).update(name=team_name, key=team_name.casefold())
        Player.objects.filter(team=team).update(name=player, key=player.casefold())
    longest = {"short": ("Columbus Open", "Union Hall")}.get(names, (of(7)[0] + " Open", of(8)[0]))
    Event.objects.filter(pk=event.pk).update(name=longest[0], place=longest[1], paper=paper)
    return fresh(event)


def every_paper(event: Event) -> Iterator[tuple[str, bytes]]:
    """Each by its name."""
    cards = [TableCard(table, "ABCD-EFGH", f"{SITE}pair/#{table}") for table in range(1, 5)]
    for key in sorted(PAPERS):
        yield key, printed(Wanted(event, with_money=True), [key], key, SITE)
    for key, number in itertools.product(sorted(OTHERS), (1, event.rounds.count())):
        yield f"{key} {number}", printed(Wanted(event, number, cards), [key], key, SITE)
    yield "blank", score_sheets([blank_sheet(event)], paper=event.paper, site=SITE)
    yield "blank simple", score_sheets([blank_sheet(event)], paper=event.paper, site=SITE, simple=True)


# What the recipe prints; a night prints all of it.
DOZEN = {
    (2, "words", "letter"), (2, "wide", "a4"), (8, "short", "letter"), (8, "words", "a4"), (8, "wide", "letter"),
    (24, "words", "letter"), (24, "wide", "a4"),
}  # fmt: skip
GRID = [
    pytest.param(*each, id="-".join(map(str, each)), marks=() if each in DOZEN else pytest.mark.nightly)
    for each in itertools.product(TEAMS, NAMES, SIZES)
]


@pytest.mark.long
@pytest.mark.parametrize(("teams", "names", "paper"), GRID)
def test_every_paper_is_whole(dana: User, teams: int, names: str, paper: str) -> None:
    event = named(evening(dana, teams), names, paper)
    found = [fault for key, content in every_paper(event) for fault in faults(key, pages_of(content))]
    assert found == []


def faults(key: str, pages: list[Page]) -> Iterator[str]:
    for number, page in enumerate(pages, start=1):
        yield from (f"{key}, page {number}: {fault}" for fault in faults_of(page))
    if key not in APART and is_thin(pages):
        yield f"{key}, last page of {len(pages)}: too little on it"


@pytest.mark.parametrize(("names", "paper"), itertools.product(("words", "wide"), SIZES))
def test_every_name_of_a_bracket_and_of_the_slips_is_whole(dana: User, names: str, paper: str) -> None:
    """Names that stand on several lines are read from the file in the order in which they were written."""
    event = named(evening(dana, 24), names, paper)
    for key in ("bracket", "slips", "standings", "poster", "certificates"):
        text = squeezed("".join(pdf_pages(printed(Wanted(event), [key], key, SITE))))
        shown = event.teams.all() if key in ("slips", "standings") else event.teams.filter(number__in=_best(event))
        assert [team.name for team in shown if squeezed(team.name) not in text] == []


def _best(event: Event) -> list[int]:
    return [line.number for line in whole_book(event).finale.places.lines if line.rank in (1, 2)]


@pytest.mark.parametrize("teams", [2, 200])
def test_a_paper_for_few_and_for_very_many_teams_is_whole(dana: User, teams: int) -> None:
    event = make_event(director=dana, teams=teams)
    make_round(event, pairs_of(list(event.teams.all())))
    event = named(event, "words", "letter")
    for key in ("standings", "teams", "slips", "poster", "bracket", "certificates", "rules"):
        assert list(faults(key, pages_of(printed(Wanted(event), [key], key, SITE)))) == []
    assert list(faults("seating", pages_of(printed(Wanted(event, 1), ["seating"], "seating", SITE)))) == []


def test_what_the_script_finds() -> None:
    """A cut name, type that nobody reads, a word on another, and one that is half off the paper."""
    papers = Papers("Faults")
    pen = papers.pen
    pen.text(100, 700, "Magnificent…", size=12)
    pen.text(100, 600, "tiny", size=5.5)
    pen.text(100, 500, "over", size=12)
    pen.text(104, 503, "printed", size=12)
    pen.text(590, 400, "outside", size=12)
    papers.next_page()
    pen.text(100, 700, "alone", size=12)
    papers.next_page()
    pages = pages_of(papers.finish())
    assert [fault.partition(" ")[0] for fault in faults_of(pages[0])] == ["cut:", "in", "off", "'over'"]
    assert (list(faults_of(pages[1])), is_thin(pages)) == ([], True)
