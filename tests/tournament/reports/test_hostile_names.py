"""Names that look like formulas, markup or paths, and names that are hard to fit: literally in every file."""

from __future__ import annotations

import ast
import csv
import functools
import io
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest
from pypdf import PdfReader

from tests.factories import make_event, make_round, make_teams, make_user, play
from tests.tournament.reports.papers import on_paper
from tournament.access import Actor
from tournament.lists.catalog import LISTS
from tournament.models import Team
from tournament.queries.draws import team_slips
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.files import list_csv
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.bracket import draw_team_slips
from tournament.reports.pdf.catalog import draw_receipts
from tournament.services import ledger
from tournament.texts import clean_name

ROOT = Path(__file__).parents[3]
NAMES = (
    '=HYPERLINK("http://x/","y")', "=1+1", "+1", "-5", "@home", "<b>bold</b>", "<img src=http://x/y.png>", "A/B",
    "a:b*c?[d]", "{{7*7}} %s {x}", "&amp; & &lt;", "#N/A", "W" * 40, "The Magnificent Ladies of Upper Sandusky",
    "Łódź Ñandú", "Команда Ёлки", "Ομάδα", "x\u0302y\u0331", "♠♥♦♣", "Team\u200d", "½ Đặng’s “Four”", "''quoted''",
)  # fmt: skip


def squeezed(content: bytes) -> str:
    """The text of a PDF without spaces and line ends: long names stand on several lines."""
    return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)


class Files(NamedTuple):
    """What was written about these teams, read back."""

    papers: tuple[str, ...]
    cells: list[tuple[Any, str]]
    lists: list[bytes]


@functools.cache
def files() -> Files:
    """The papers, the workbook and the lists of one evening that all of these teams play; made once."""
    dana = make_user("dana")
    event = make_event(director=dana, fee_cents=2500, pot_cents=500)
    teams = make_teams(event, len(NAMES))
    for game in make_round(event, list(zip(teams[::2], teams[1::2], strict=True))).games.all():
        play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
    for team, name in zip(teams, NAMES, strict=True):
        Team.objects.filter(pk=team.pk).update(name=name)
        ledger.set_paid(Actor(dana), event, team.number, False, "typed by mistake")
    whole, sheets = whole_book(event), event_sheets(event)
    papers = (
        on_paper(draw_event_book, whole, sheets),
        on_paper(draw_team_slips, whole.book.event, team_slips(event)),
        on_paper(draw_receipts, whole.book.event, whole.cash.lines),
    )
    book = openpyxl.load_workbook(io.BytesIO(event_workbook(whole, sheets)))
    cells = [(cell.value, cell.data_type) for page in book for row in page.iter_rows() for cell in row]
    return Files(tuple(map(squeezed, papers)), cells, [list_csv(make(event)) for make in LISTS.values()])


def times(name: str, text: str) -> int:
    """How often a name stands in a text, and not as a part of another one of these names."""
    plain, *others = ("".join(one.split()) for one in (name, *NAMES))
    return text.count(plain) - sum(text.count(other) for other in others if plain in other and plain != other)


@pytest.mark.parametrize("name", NAMES)
def test_name_stands_literally_in_book_slips_workbook_and_lists(db: None, name: str) -> None:
    assert clean_name(name) == name
    made = files()
    book, slips, receipts = (times(name, paper) for paper in made.papers)
    assert book >= 6 and slips >= 1 and receipts >= 1
    found = [kind for value, kind in made.cells if value == name]
    # In the standings, the games, the accounts and the list of teams; the page of rounds said what that of games says.
    assert len(found) >= 4
    assert set(found) == {"s"}
    for content in made.lists:
        _harmless(content)


def _harmless(content: bytes) -> None:
    """No cell of text that a spreadsheet would run."""
    for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@")) or cell.lstrip("+-").isdigit()


def test_files_are_written_through_one_door_each() -> None:
    doors = {"csv": {"reports/files.py", "forms/uploads.py", "forms/roster_lines.py"}, "openpyxl": set()}
    files, seen = list((ROOT / "tournament").rglob("*.py")), set()
    for path in files:
        place = path.relative_to(ROOT / "tournament").as_posix()
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        modules = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
        modules |= {node.module.split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        if "csv" in modules:
            seen.add(place)
            assert place in doors["csv"], place
        if "openpyxl" in modules:
            assert place.startswith(("reports/excel/", "forms/uploads.py", "forms/score_workbook.py")), place
    assert seen == doors["csv"]
