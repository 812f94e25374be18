"""Names that look like formulas, markup or paths, and names that are hard to fit: literally in every file."""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path

import openpyxl
import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from tests.factories import make_round, make_teams, play
from tournament.access import Actor
from tournament.lists.catalog import LISTS
from tournament.models import Event, Team
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import whole_book
from tournament.queries.slips import team_slips
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.files import list_csv
from tournament.reports.pdf.book import event_book_paper
from tournament.reports.pdf.receipts import ledger_receipts_paper
from tournament.reports.pdf.slips import team_slips_paper
from tournament.services import paid
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


@pytest.mark.parametrize("name", NAMES)
def test_name_stands_literally_in_book_slips_workbook_and_lists(event: Event, dana: User, name: str) -> None:
    assert clean_name(name) == name
    Event.objects.filter(pk=event.pk).update(fee_cents=2500, pot_cents=500)
    event.refresh_from_db()
    teams = make_teams(event, 2)
    game = make_round(event, [tuple(teams)]).games.get()
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
    Team.objects.filter(pk=teams[0].pk).update(name=name)
    paid.set_paid(Actor(dana), event, 1, False, "typed by mistake")
    whole = whole_book(event)
    plain = "".join(name.split())
    book = squeezed(event_book_paper(whole, event_sheets(event)))
    assert book.count(plain) >= 6
    assert plain in squeezed(team_slips_paper(whole.book.event, team_slips(event)))
    assert plain in squeezed(ledger_receipts_paper(whole.book.event, whole.cash.lines))
    _in_workbook(event_workbook(whole, event_sheets(event)), name)
    for make in LISTS.values():
        _harmless(list_csv(make(event)))


def _in_workbook(content: bytes, name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content))
    found = [cell for page in book for row in page.iter_rows() for cell in row if cell.value == name]
    assert len(found) >= 5
    assert {cell.data_type for cell in found} == {"s"}


def _harmless(content: bytes) -> None:
    """No cell of text that a spreadsheet would run."""
    for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@")) or cell.lstrip("+-").isdigit()


def test_files_are_written_through_one_door_each() -> None:
    doors = {"csv": {"reports/csv_file.py", "forms/workbook_file.py", "forms/headed.py"}, "openpyxl": set()}
    files, seen = list((ROOT / "tournament").rglob("*.py")), set()
    for path in files:
        place = path.relative_to(ROOT / "tournament").as_posix()
        modules = {name.name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                   if isinstance(node, ast.Import) for name in node.names}  # fmt: skip
        modules |= {node.module.split(".")[0] for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                    if isinstance(node, ast.ImportFrom) and node.module}  # fmt: skip
        if "csv" in modules:
            seen.add(place)
            assert place in doors["csv"], place
        if "openpyxl" in modules:
            assert place.startswith(("reports/excel/", "forms/workbook_file.py", "forms/boards.py")), place
    assert seen == doors["csv"]
