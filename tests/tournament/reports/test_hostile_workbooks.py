"""Workbooks that mean harm are refused in under a second and 100 MB, with a sentence."""

from __future__ import annotations

import ast
import csv
import functools
import io
import json
import os
import re
import resource
import statistics
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest
from django.contrib.auth.models import User

from tests.benchmarks.figures import reference
from tests.benchmarks.hall import measured
from tests.factories import ODD, make_event, make_game, make_round, make_teams, make_user, pairs_of, play
from tests.sure import sure
from tests.tournament.reports.evenings import on_paper, pdf_text, squeezed
from tournament.access import Actor
from tournament.forms.roster.file import read_list
from tournament.forms.roster.reader import read_roster
from tournament.forms.score_workbook import A_TABLE
from tournament.forms.score_workbook_unread import Page, remarks_of
from tournament.forms.uploads import Unreadable, open_workbook, sheet_rows
from tournament.forms.workbook_marks import Marked
from tournament.lists.catalog import LISTS
from tournament.lists.schedule import results_list
from tournament.models import Event, Game, Player, Team
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rules import EVERYTHING
from tournament.queries.schedule import round_cards, team_slips
from tournament.queries.score_workbooks import FIRST_ROW, blank_boards, board_cells
from tournament.queries.sheet import sheet_now
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.files import list_csv
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.bracket import draw_team_slips
from tournament.reports.pdf.catalog import draw_receipts
from tournament.reports.pdf.lettering import BOLD, LAST_BOLD, PLAIN, SERIF, TIED, runs, wrapped
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services import ledger
from tournament.words.texts import clean_name, name_key

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
HEAD = f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{MAIN}"><sheetData>'
TAIL = "</sheetData></worksheet>"

# Under a tracer (coverage) reading takes several times as long: only the order of magnitude is held then.
SECONDS = 1 if sys.gettrace() is None else 5
# What the loop beside it takes on the machine of which a second is promised: a slower or a busy one may take longer.
LOOP = 0.0015


def plain(rows: list[list[object]] | None = None) -> bytes:
    book = openpyxl.Workbook()
    for row in rows or [["Team", "Player 1", "Player 2"], ["Aces", "Ann", "Bea"]]:
        sure(book.active).append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def changed(content: bytes, **parts: bytes) -> bytes:
    """The workbook with parts replaced or added; names are written with __ for / and _dot_ for a point."""
    wanted = {name.replace("__", "/").replace("_dot_", "."): data for name, data in parts.items()}
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, wanted.pop(name) if name in wanted else old.read(name))
        for name, data in wanted.items():
            new.writestr(name, data)
    return file.getvalue()


def packed(files: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        for name, text in files.items():
            package.writestr(name, text)
    return file.getvalue()


def first_sheet(text: str, encoding: str = "utf-8") -> bytes:
    return changed(plain(), xl__worksheets__sheet1_dot_xml=text.encode(encoding))


def strings(items: str) -> bytes:
    return changed(plain(), xl__sharedStrings_dot_xml=f'<sst xmlns="{MAIN}">{items}</sst>'.encode())


def styles(parts: str) -> bytes:
    return changed(plain(), xl__styles_dot_xml=f'<styleSheet xmlns="{MAIN}">{parts}</styleSheet>'.encode())


def sheet(rows: str, size: str = "") -> bytes:
    """A workbook whose sheet has these rows, of which it says how many there are."""
    dimension = f'<dimension ref="{size}"/>' if size else ""
    return first_sheet(HEAD.replace("<sheetData>", f"{dimension}<sheetData>") + rows + TAIL)


CELL = "<c><v>1</v></c>"


@functools.cache
def a_zip_bomb() -> bytes:
    return sheet(" " * 200_000_000)


def an_entity_bomb() -> bytes:
    entities = "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10 if at else "ha" * 10}">' for at in range(10))
    text = f'<?xml version="1.0"?><!DOCTYPE x [{entities}]><worksheet xmlns="{MAIN}"><sheetData><row r="1">'
    return first_sheet(f"{text}<c><v>&a9;</v></c></row>{TAIL}")


def ten_thousand_sheets_that_are_only_named() -> bytes:
    sheets = "".join(f'<sheet name="S{at}" sheetId="{at}" r:id="rId1"/>' for at in range(1, 10_001))
    names = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    text = f'<workbook xmlns="{MAIN}" {names}><sheets>{sheets}</sheets></workbook>'
    return changed(plain(), xl__workbook_dot_xml=text.encode())


@functools.cache
def a_million_rows() -> bytes:
    return sheet(f"<row>{CELL}</row>" * 1_000_000)


@functools.cache
def a_hundred_thousand_rows(size: str = "") -> bytes:
    return sheet("".join(f'<row r="{at}"><c t="n"><v>1</v></c></row>' for at in range(1, 100_000)), size)


def a_hundred_thousand_rows_that_are_said() -> bytes:
    return a_hundred_thousand_rows("A1:A99999")


@functools.cache
def a_row_without_end() -> bytes:
    return sheet(f'<row r="1">{CELL * 500_000}</row>', "A1:BH1")


def rows_without_end_on_many_sheets() -> bytes:
    with zipfile.ZipFile(io.BytesIO(sheet(f'<row r="1">{CELL * 48_000}</row>', "A1:C9"))) as package:
        page = package.read("xl/worksheets/sheet1.xml")
    return changed(far_cells(12), **{f"xl__worksheets__sheet{number}_dot_xml": page for number in range(2, 14)})


def a_size_that_lies() -> bytes:
    content = bytearray(a_zip_bomb())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as package:
        size = package.getinfo("xl/worksheets/sheet1.xml").file_size
    return bytes(content).replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))


def many_defined_names() -> bytes:
    with zipfile.ZipFile(io.BytesIO(plain())) as package:
        text = package.read("xl/workbook.xml").decode()
    names = "".join(f'<definedName name="n{at}">1</definedName>' for at in range(150_000))
    text = re.sub("<definedNames ?/>", "", text).replace("</sheets>", f"</sheets><definedNames>{names}</definedNames>")
    return changed(plain(), xl__workbook_dot_xml=text.encode())


READ, TOO_LARGE, TOO_MANY = "it was read", "too large when it is unpacked", "has more than 2,100 rows"
FAR = "more than 20,000 rows together"
DAMAGED, INSTRUCTIONS = "damaged", "instructions that no spreadsheet writes"
TEN_THOUSAND = {f"xl__worksheets__sheet{number}_dot_xml": (HEAD + TAIL).encode() for number in range(2, 10_002)}
OPEN_DOCUMENT = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}
COMMENT = f'<?xml version="1.0"?><!--{"x" * 100_000}--><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
UTF_16 = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY a "b">]><worksheet/>'
MACROS = pytest.param(lambda: changed(plain(), xl__vbaProject_dot_bin=b"\0" * 100), "holds macros", id="macros")
# Files of some kilobytes that took up to 46 seconds and 420 MB; what cells look like is not read at all.
FEW_BYTES = [
    pytest.param(lambda: styles(f"<cellXfs>{'<xf/>' * 600_000}</cellXfs>"), READ, id="many cell styles"),
    pytest.param(lambda: styles(f"<fonts>{'<font/>' * 300_000}</fonts>"), READ, id="many fonts"),
    pytest.param(lambda: strings(f"<si>{'<r/>' * 900_000}</si>"), TOO_LARGE, id="one string of many runs"),
    pytest.param(lambda: strings("<si/>" * 800_000), TOO_LARGE, id="many empty strings"),
    pytest.param(many_defined_names, TOO_LARGE, id="many defined names"),
    pytest.param(lambda: far_cells(290), FAR, id="far cells on many sheets"),
    pytest.param(lambda: far_cells(1), READ, id="a far cell"),
    pytest.param(lambda: sheet('<row r="1"/>' * 320_000, "A1:C9"), TOO_MANY, id="rows of one number"),
    pytest.param(
        lambda: sheet(f'<row r="1">{CELL * 200_000}</row>', "A1:C9"), "far too many cells", id="a row of cells"
    ),
]
REFUSED = [
    *FEW_BYTES,
    MACROS,
    pytest.param(lambda: packed(OPEN_DOCUMENT), "Open it there, save it as .xlsx", id="an open document"),
    pytest.param(a_zip_bomb, TOO_LARGE, id="a zip bomb"),
    pytest.param(an_entity_bomb, INSTRUCTIONS, id="an entity bomb"),
    pytest.param(lambda: first_sheet(f"{COMMENT}<worksheet>&a;</worksheet>"), INSTRUCTIONS, id="after a comment"),
    pytest.param(lambda: first_sheet(UTF_16, "utf-16"), "an encoding that no spreadsheet uses", id="UTF-16"),
    pytest.param(lambda: changed(plain(), **TEN_THOUSAND), "too many sheets", id="ten thousand sheets"),
    pytest.param(ten_thousand_sheets_that_are_only_named, "too many sheets", id="only named"),
    pytest.param(a_million_rows, TOO_LARGE, id="a million rows"),
    pytest.param(a_hundred_thousand_rows, "far more than the 2,100 rows of a list", id="a hundred thousand rows"),
    pytest.param(a_hundred_thousand_rows_that_are_said, TOO_MANY, id="rows that are said"),
    pytest.param(a_row_without_end, "far too many cells", id="a row without end"),
    pytest.param(rows_without_end_on_many_sheets, "far more than the 2,100 rows", id="on many sheets"),
    pytest.param(lambda: strings("<si><t>a</t></si>" * 1_000_000), TOO_LARGE, id="a million strings"),
    pytest.param(a_size_that_lies, DAMAGED, id="a size that lies"),
    pytest.param(lambda: b"\xd0\xcf\x11\xe0" + b"\0" * 1000, "an old or locked Excel file", id="an old file"),
    pytest.param(lambda: plain()[: len(plain()) // 2], DAMAGED, id="half a file"),
    pytest.param(lambda: packed({}), DAMAGED, id="a zip of nothing"),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED)
def test_hostile_workbook_is_refused_quickly(make: Callable[[], bytes], sentence: str) -> None:
    refused_quickly(make(), sentence, read_list)


def refused_quickly(content: bytes, sentence: str, read: Callable[[bytes], object]) -> None:
    """In one try of five: on a busy machine the same work takes longer."""
    for _ in range(5):
        said, seconds, kilobytes = read_in_a_process(content, read)
        assert sentence in said
        assert kilobytes < 100_000
        if seconds < SECONDS * pace():
            return
    pytest.fail(f"{seconds} s")


def pace() -> float:
    """How many times as long as there this machine takes now."""
    return max(1.0, statistics.median(measured(reference)[0] for _ in range(5)) / LOOP)


# What is said of the same files where a score workbook is read.
UPLOAD = "Upload a score workbook of this site."
LINES = "".join(f'<row r="{number}">{CELL * 20}</row>' for number in range(1, 10_001))
TOO_LONG = [
    *FEW_BYTES,
    MACROS,
    pytest.param(a_zip_bomb, f"{TOO_LARGE}. {UPLOAD}", id="a zip bomb"),
    pytest.param(a_million_rows, f"{TOO_LARGE}. {UPLOAD}", id="a million rows"),
    pytest.param(a_hundred_thousand_rows, f"far more than the 2,100 rows that are read. {UPLOAD}", id="many rows"),
    pytest.param(a_hundred_thousand_rows_that_are_said, f"more than 2,100 rows. {UPLOAD}", id="rows that are said"),
    pytest.param(a_row_without_end, f"far too many cells. {UPLOAD}", id="a row without end"),
    pytest.param(lambda: sheet(LINES, "A1:T10000"), f"more than 2,100 rows. {UPLOAD}", id="more lines than a table"),
    pytest.param(an_entity_bomb, INSTRUCTIONS, id="an entity bomb"),
]


def far_cells(sheets: int) -> bytes:
    """Sheets of two cells each, the second as far down as rows are read."""
    book = openpyxl.Workbook()
    for number in range(sheets):
        page = book.create_sheet(f"Page {number}")
        page["A1"] = "Team"
        page["C2100"] = 1
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


LONG_LISTS = {
    "spaces": (" " * 990 + "a\n") * 150,
    "signs": ("A & " * 240 + "\n") * 150,
    "brackets": ("(" * 990 + "\n") * 150,
    "nicknames": ("(a) " * 240 + "\n") * 150,
    "dashes": ("a" + " –" * 400 + "\n") * 150,
    "cells": "Team\tPlayer 1\t" + "x\t" * 27 + "\n" + ("A & B\t" * 29 + "\n") * 1900,
    "commas": "Team,Player 1\n" + ("," * 990 + "\n") * 2000,
    "one line": "a " * 1_000_000,
    "rows": "".join(f"Team {number}, Ann Lee, Bo Carter\n" for number in range(5000)),
    "persons": "Player,Team\n" + "".join(f"A{number} Lee,T{number // 2}\n" for number in range(1990)),
}


@pytest.mark.parametrize("text", LONG_LISTS.values(), ids=LONG_LISTS)
def test_a_hostile_list_is_read_quickly(text: str) -> None:
    refused_quickly(text.encode(), "", lambda content: read_roster(content.decode(), 2))


def test_a_score_workbook_with_a_far_line_is_read_quickly(dana: User) -> None:
    shape = blank_boards(make_event(director=dana))
    row = [5 if cell.key.startswith("change") else None for cell in board_cells(shape)]
    rows = [[None] * len(row)] * (FIRST_ROW - 1) + [row] * 2000
    refused_quickly(b"", "", lambda _: remarks_of(Page("Page", shape, rows), 2, (), {}))


def results_in(content: bytes) -> None:
    book = open_workbook(content, A_TABLE)
    marked = Marked(content, book, A_TABLE.rows)
    sheet_rows(book, book.sheetnames[0], A_TABLE)
    marked.of(book.sheetnames[0])


@pytest.mark.parametrize(("make", "sentence"), TOO_LONG)
def test_hostile_score_workbook_is_refused_quickly(make: Callable[[], bytes], sentence: str) -> None:
    refused_quickly(make(), sentence, results_in)


def read_in_a_process(content: bytes, read: Callable[[bytes], object] = read_list) -> tuple[str, float, int]:
    """Why a file was refused, the seconds of work and the kilobytes that it took, in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        sentence = "it was read"
        before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        try:
            read(content)
        except Unreadable as refused:
            sentence = str(refused)
        finally:
            seconds = time.process_time() - begun
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            os.write(writer, json.dumps([sentence, seconds, grown]).encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        sentence, seconds, grown = json.loads(answer.read())
    os.waitpid(child, 0)
    return sentence, seconds, grown


def test_a_plain_list_is_read_in_that_process() -> None:
    assert read_in_a_process(plain())[0] == "it was read"


def test_a_file_of_libreoffice_is_sent_back_to_it() -> None:
    with pytest.raises(Unreadable, match=r"a LibreOffice \(\.ods\) file"):
        open_workbook(packed(OPEN_DOCUMENT | {"content.xml": "<office/>"}))


def test_a_list_of_teams_is_read_as_text() -> None:
    rows: list[list[object]] = [["No.", "Team", "Paid"], [1, "=1+1", True], [2.0, "A, B", None]]
    assert read_list(plain(rows)).text.splitlines()[0] == "No.\tTeam\tPaid"
    assert read_list(plain([["Team"], ["A, B"], ["Łódź"], [3.0]])).text.splitlines() == ["Team", "A, B", "Łódź", "3"]


def test_a_number_beyond_all_numbers_is_named_with_its_cell() -> None:
    content = plain([["Team", "Player 1"], [12345, "Ann"]])
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        sheet = package.read("xl/worksheets/sheet1.xml").replace(b"<v>12345</v>", b"<v>1e400</v>")
    with pytest.raises(Unreadable, match="The number in cell A2 is too large"):
        read_list(changed(content, xl__worksheets__sheet1_dot_xml=sheet))


# Names that look like formulas, markup or paths, and names that are hard to fit: literally in every file.
ROOT = Path(__file__).parents[3]
NAMES = (
    '=HYPERLINK("http://x/","y")', "=1+1", "+1", "-5", "@home", "<b>bold</b>", "<img src=http://x/y.png>", "A/B",
    "a:b*c?[d]", "{{7*7}} %s {x}", "&amp; & &lt;", "#N/A", "W" * 40, "The Magnificent Ladies of Upper Sandusky",
    "Łódź Ñandú", "Команда Ёлки", "Ομάδα", "x\u0302y\u0331", "♠♥♦♣", "Ærø & Ýrý", "½ Đặng’s “Four”", "''quoted''",
)  # fmt: skip


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
    for game in make_round(event, pairs_of(teams)).games.all():
        play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
    for team, name in zip(teams, NAMES, strict=True):
        Team.objects.filter(pk=team.pk).update(name=name)
        ledger.set_paid(Actor(dana), event, team.number, False, "typed by mistake")
    whole, sheets = whole_book(event), event_sheets(event)
    papers = (
        on_paper(draw_event_book, whole, sheets),
        on_paper(draw_team_slips, whole.event, team_slips(event)),
        on_paper(draw_receipts, whole.event, whole.cash.lines),
    )
    book = openpyxl.load_workbook(io.BytesIO(event_workbook(whole, sheets)))
    cells = [(cell.value, cell.data_type) for page in book for row in page.iter_rows() for cell in row]
    return Files(
        tuple(squeezed(pdf_text(paper)) for paper in papers), cells, [list_csv(make(event)) for make in LISTS.values()]
    )


def times(name: str, text: str) -> int:
    """How often a name occurs in a text, but not as a part of another of these names."""
    plain, *others = ("".join(one.split()) for one in (name, *NAMES))
    return text.count(plain) - sum(text.count(other) for other in others if plain in other and plain != other)


@pytest.mark.parametrize("name", NAMES)
def test_name_stands_literally_in_book_slips_workbook_and_lists(db: None, name: str) -> None:
    assert clean_name(name, free=True) == name
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
    doors = {"csv": {"reports/files.py", "forms/roster/table.py"}, "openpyxl": set()}
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
            assert place.startswith(
                ("reports/excel/", "forms/uploads.py", "forms/score_workbook.py", "forms/workbook_marks.py")
            ), place
    assert seen == doors["csv"]


# Words on paper: where a line may break, and how the ending of a game is said.
def lines_of(content: bytes) -> list[str]:
    """The lines as they are on the paper, without trailing blanks."""
    return [line.strip() for line in pdf_text(content).splitlines()]


def sheet_lines(game: Game) -> list[str]:
    return lines_of(score_sheets([sheet_now(game)]))


def test_tied_words_stay_on_one_line_where_it_holds_them() -> None:
    assert wrapped("ended by points (rule 6)", 8.0, 70.0) == ("ended by points", "(rule 6)")
    assert wrapped(f"out backwards (rule{TIED}6)", 8.0, 70.0) == ("out backwards", f"(rule{TIED}6)")
    assert wrapped(f"wide{TIED}words{TIED}anyway", 8.0, 30.0) == ("wide", "words", "anyway")


def test_a_sign_that_one_font_lacks_comes_from_the_next() -> None:
    assert runs("★ Boston pot ♠ Łódź Ομάδα 🂡", SERIF) == (
        ("★", LAST_BOLD),
        (" Boston pot", SERIF),
        (" ♠", BOLD),
        (" Łódź Ομάδα", SERIF),
        (" 🂡", LAST_BOLD),
    )
    assert runs("Łódź Ομάδα Команда", PLAIN) == (("Łódź Ομάδα Команда", PLAIN),)


def named(event: Event, *names: str) -> list[Team]:
    teams = make_teams(event, len(names))
    for team, name in zip(teams, names, strict=True):
        Team.objects.filter(pk=team.pk).update(name=name, key=name_key(name))
    return teams


def test_game_points_are_never_parted_from_their_side(event: Event, dana: User) -> None:
    names = ("Sisters in the Good Books", "No Trump Nation of Ohio")
    game = make_round(event, [tuple(named(event, *names))]).games.get()
    lines = sheet_lines(play(dana, game, ODD))
    at = lines.index("Points A")
    assert lines[at : at + 4] == ["Points A", "−1", "Points B", "5"]


def test_a_rule_is_cited_once(dana: User, game: Game) -> None:
    award: dict[str, Any] = {"entry": "award", "rule": "13", "to": 0}
    text = " ".join(sheet_lines(play(dana, game, award)))
    assert "Game to Aces (rule 13) A +5" in text
    assert re.findall(r"(?:A \+5: )?Game to Aces: Books came late(?: \(rule 13\))*", text) == [
        "A +5: Game to Aces: Books came late",
        "Game to Aces: Books came late (rule 13)",
    ]


def test_the_sentence_of_an_ending_goes_on_with_its_rule(dana: User, game: Game) -> None:
    assert "Odd: Aces set on a bid of 1 (rule 7)." in sheet_lines(play(dana, game, ODD))


def test_a_star_stands_beside_its_team(event: Event, dana: User) -> None:
    round_ = make_round(event, [tuple(named(event, "Full Deck", "Blind Board Kings"))])
    play(dana, round_.games.get(), {"entry": "hand", "bidder": 1, "bid": "3", "books": 13})
    papers = Papers("Results")
    draw_lists(papers, results_list(event, *round_cards([round_], EVERYTHING)))
    lines = lines_of(papers.finish())
    starred = [line for line in lines if "★" in line]
    assert (len(starred), "★" in lines) == (1, False)
    assert re.search(rf"Kings[ {TIED}]★$", starred[0])


def test_bags_stand_in_every_line_and_beside_the_score(dana: User) -> None:
    game = make_game(dana, sheet="spades/standard")
    hands = [{"entry": "hand", "bids": ["3", "2", "2", "4"], "tricks": [took, 2, 3, 8 - took]} for took in (4, 5)]
    play(dana, game, *hands, sign=False)
    lines = lines_of(score_sheets([sheet_now(game)]))
    assert [line for line in lines if re.fullmatch(r"\d+ bags?", line)] == ["5 bags"]
    first = lines.index("52")
    second = lines.index("105", first)
    assert (lines[first : first + 4], lines[second : second + 4]) == (["52", "2", "60", "0"], ["105", "5", "0", "0"])


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_bids_of_partners_are_whole_where_three_sides_share_the_paper(dana: User, paper: str) -> None:
    game = make_game(dana, 3, sheet="back_alley/partnership", options={"players": 6, "sides": 3})
    bids = ["quadruple-board", "board", "double-board", "triple-board", "pass", "pass"]
    play(dana, game, {"entry": "hand", "bids": bids, "tricks": [8, 0, 0, 0, 0, 0]})
    text = " ".join(lines_of(score_sheets([sheet_now(game)], paper=paper)))
    assert "QB = quadruple board" in text and "…" not in text
    assert " QB Triple board 8 + 0 Board Pass 0 + 0 DB Pass 0 + 0 " in text


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_four_single_players_with_long_names_are_named_to_the_end(dana: User, paper: str) -> None:
    event = make_event(director=dana, sheet="back_alley/individual")
    names = ("Wilhelmina Montgomery", "Maximilian Wenceslaus von Hammersmith", "Guadalupe Villanueva", "Bo")
    players = named(event, *names)
    Player.objects.all().delete()
    game = make_round(event, [tuple(players)]).games.get()
    play(dana, game, {"entry": "hand", "bids": ["1", "0", "0", "2"], "tricks": [1, 6, 3, 3]})
    lines = lines_of(score_sheets([sheet_now(game)], paper=paper))
    assert "Took" in lines and "To…" not in lines
    assert any(line.endswith("Hammersmith") for line in lines)
