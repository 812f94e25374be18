"""Every paper for few and many teams, short and long names, on both sizes of paper: whole, apart, no thin last page."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, make_round, pairs_of
from tests.tournament.reports.audit import faults_of, is_thin, missing, pages_of
from tests.tournament.reports.evenings import SHEETS, eventful, random_event
from tests.tournament.reports.grid import NAMES, Paper, evening, every_paper, named
from tests.tournament.season.clubs import make_season, members, played
from tournament.models import Person, Registration
from tournament.reports.pdf.paper import Papers

TEAMS, SIZES = (2, 8, 24, 60), ("letter", "a4")
# Papers whose pages are no rows of one list: parts of a bracket, a paper for each, a book.
APART = ("bracket", "book", "poster", "sheets")

# What the recipe prints; a night prints all of it.
DOZEN = {
    (2, "words", "letter"), (2, "wide", "a4"), (8, "short", "letter"), (8, "unbroken", "a4"), (8, "wide", "letter"),
    (24, "words", "letter"), (24, "wide", "a4"),
}  # fmt: skip
GRID = [
    pytest.param(*each, id="-".join(map(str, each)), marks=() if each in DOZEN else pytest.mark.nightly)
    for each in itertools.product(TEAMS, NAMES, SIZES)
]


@pytest.mark.long
@pytest.mark.parametrize(("teams", "names", "paper"), GRID)
def test_every_paper_is_whole(dana: User, teams: int, names: str, paper: str) -> None:
    assert wrong(every_paper(named(evening(dana, teams), names, paper))) == []


def wrong(papers: Iterable[Paper]) -> list[str]:
    """What is wrong with each of them."""
    return [fault for paper in papers for fault in faults(paper)]


def faults(paper: Paper) -> Iterator[str]:
    pages = pages_of(paper.content)
    for number, page in enumerate(pages, start=1):
        yield from (f"{paper.key}, page {number}: {fault}" for fault in faults_of(page))
    if paper.key.partition(" ")[0] not in APART and is_thin(pages):
        yield f"{paper.key}, last page of {len(pages)}: too little on it"
    yield from (f"{paper.key}: {name} is not on it" for name in missing(paper.content, paper.names))


@pytest.mark.long
@pytest.mark.parametrize(
    ("teams", "names"), [(2, "words"), pytest.param(200, "words", marks=pytest.mark.nightly), (10, "wide")]
)
def test_every_paper_of_a_first_game_to_come_is_whole(dana: User, teams: int, names: str) -> None:
    event = make_event(director=dana, teams=teams, pot_cents=500, fee_cents=2000)
    make_round(event, pairs_of(list(event.teams.all())))
    assert wrong(every_paper(named(event, names, "letter"))) == []


@pytest.mark.long
@pytest.mark.parametrize("teams", [2, pytest.param(200, marks=pytest.mark.nightly)])
def test_paper_of_a_size_that_is_not_known_is_letter(dana: User, teams: int) -> None:
    papers = list(every_paper(named(evening(dana, teams), "words", "a1")))
    sizes = {tuple(sorted(page[:2])) for paper in papers for page in pages_of(paper.content)}
    assert (sizes, wrong(papers)) == ({(612.0, 792.0)}, [])


@pytest.mark.long
@pytest.mark.nightly
def test_every_paper_of_two_hundred_teams_is_whole(dana: User) -> None:
    assert wrong(every_paper(named(evening(dana, 200), "words", "letter"))) == []


@pytest.mark.long
@pytest.mark.parametrize("names", NAMES)
def test_every_paper_of_an_evening_with_rulings_and_corrections_is_whole(dana: User, names: str) -> None:
    event = eventful(dana)
    for position in range(1, 9):
        name, _ = NAMES[names](position)
        Registration.objects.create(event=event, position=position, name=name, key=name.casefold(), state="waiting")
    assert wrong(every_paper(named(event, names, "letter"))) == []


# One sheet of every game; a night prints all of them.
FAMILIES = [
    pytest.param(
        family, sheet, names, id=f"{family}-{sheet}-{names}",
        marks=() if (sheet, names) == (sheets[0], "words") else pytest.mark.nightly,
    )
    for family, sheets in SHEETS.items()
    for sheet in sheets
    for names in ("words", "wide")
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("family", "sheet", "names"), FAMILIES)
def test_every_paper_of_every_family_is_whole(dana: User, family: str, sheet: str, names: str) -> None:
    event = random_event(family, 5, dana, teams=8, rounds=2, sheet=sheet)
    assert wrong(every_paper(named(event, names, "letter"))) == []


@pytest.mark.parametrize(("names", "paper"), itertools.product(NAMES, SIZES))
def test_the_table_of_a_season_is_whole(dana: User, client: Client, names: str, paper: str) -> None:
    season = make_season(paper=paper)
    for month in range(1, 7):
        played(dana, season, f"Evening {month}", month)
    people = [NAMES[names](number)[1] for number in range(1, Person.objects.count() + 1)]
    for person, name in zip(Person.objects.order_by("pk"), people, strict=True):
        Person.objects.filter(pk=person.pk).update(name=name)
    members(season)
    client.force_login(dana)
    content = client.get(f"/seasons/{season.slug}/standings.pdf").content
    assert wrong([Paper("season", content, frozenset(people))]) == []


# What the tests above look for, on papers that have it.


def test_what_the_script_finds() -> None:
    """A cut name, type that nobody reads, a word on another, and one that is half off the paper."""
    papers = Papers("Faults")
    pen = papers.pen
    pen.text(100, 700, "Magnificent…", size=12)
    pen.text(100, 600, "tiny-type:", size=5.5)
    pen.text(100, 500, "over", size=12)
    pen.text(104, 503, "printed", size=12)
    pen.text(590, 400, "outside", size=12)
    papers.next_page()
    pen.text(100, 700, "alone", size=12)
    papers.next_page()
    pages = pages_of(papers.finish())
    assert [fault.partition(" ")[0] for fault in faults_of(pages[0])] == ["cut:", "in", "off", "'over'"]
    assert (list(faults_of(pages[1])), is_thin(pages)) == ([], True)


def test_a_name_without_its_last_letters_is_missing() -> None:
    whole, cut = NAMES["words"](1)[0], NAMES["words"](2)[0]
    papers = Papers("Names")
    papers.pen.block(100, 700, whole, width=90, size=12)
    papers.pen.block(300, 700, cut[:-3], width=90, size=12)
    papers.next_page()
    content = papers.finish()
    assert list(faults(Paper("names", content, frozenset({whole, cut})))) == [f"names: {cut} is not on it"]
    assert len({word.bottom for word in pages_of(content)[0].words}) > 1


@pytest.mark.parametrize("names", ["words", "unbroken", "wide"])
def test_long_names_are_of_the_length_they_should_be(names: str) -> None:
    assert {len(name) for number in (1, 200) for name in NAMES[names](number)} == {38}
