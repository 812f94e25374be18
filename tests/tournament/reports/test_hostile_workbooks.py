"""Workbooks that mean harm are refused in under a second and 100 MB, with a sentence."""

from __future__ import annotations

import functools
import io
import json
import os
import re
import resource
import sys
import time
import zipfile
from collections.abc import Callable

import openpyxl
import pytest

from tests.sure import sure
from tournament.forms.score_workbook import A_TABLE
from tournament.forms.uploads import Unreadable, list_as_text, open_workbook, sheet_rows

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
HEAD = f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{MAIN}"><sheetData>'
TAIL = "</sheetData></worksheet>"

# Under a tracer (coverage) reading takes several times as long: only the order of magnitude is held then.
SECONDS = 1 if sys.gettrace() is None else 5


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


@functools.cache
def a_zip_bomb() -> bytes:
    return changed(plain(), xl__worksheets__sheet1_dot_xml=(HEAD + " " * 200_000_000 + TAIL).encode())


def an_entity_bomb() -> bytes:
    entities = "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10 if at else "ha" * 10}">' for at in range(10))
    text = f'<?xml version="1.0"?><!DOCTYPE x [{entities}]><worksheet xmlns="{MAIN}"><sheetData><row r="1">'
    return changed(plain(), xl__worksheets__sheet1_dot_xml=f"{text}<c><v>&a9;</v></c></row>{TAIL}".encode())


def an_entity_after_a_long_comment() -> bytes:
    text = f'<?xml version="1.0"?><!--{"x" * 100_000}--><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
    return changed(plain(), xl__worksheets__sheet1_dot_xml=f"{text}<worksheet>&a;</worksheet>".encode())


def an_entity_in_another_encoding() -> bytes:
    text = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY a "b">]><worksheet/>'
    return changed(plain(), xl__worksheets__sheet1_dot_xml=text.encode("utf-16"))


def ten_thousand_sheets() -> bytes:
    sheet = (HEAD + TAIL).encode()
    return changed(plain(), **{f"xl__worksheets__sheet{at}_dot_xml": sheet for at in range(2, 10_002)})


def ten_thousand_sheets_that_are_only_named() -> bytes:
    sheets = "".join(f'<sheet name="S{at}" sheetId="{at}" r:id="rId1"/>' for at in range(1, 10_001))
    names = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    text = f'<workbook xmlns="{MAIN}" {names}><sheets>{sheets}</sheets></workbook>'
    return changed(plain(), xl__workbook_dot_xml=text.encode())


def macros() -> bytes:
    return changed(plain(), xl__vbaProject_dot_bin=b"\0" * 100)


@functools.cache
def a_million_rows() -> bytes:
    return changed(
        plain(), xl__worksheets__sheet1_dot_xml=(HEAD + "<row><c><v>1</v></c></row>" * 1_000_000 + TAIL).encode()
    )


@functools.cache
def a_hundred_thousand_rows() -> bytes:
    rows = "".join(f'<row r="{at}"><c t="n"><v>1</v></c></row>' for at in range(1, 100_000))
    return changed(plain(), xl__worksheets__sheet1_dot_xml=(HEAD + rows + TAIL).encode())


@functools.cache
def a_hundred_thousand_rows_that_are_said() -> bytes:
    with zipfile.ZipFile(io.BytesIO(a_hundred_thousand_rows())) as package:
        rows = package.read("xl/worksheets/sheet1.xml")
    said = rows.replace(b"<sheetData>", b'<dimension ref="A1:A99999"/><sheetData>', 1)
    return changed(plain(), xl__worksheets__sheet1_dot_xml=said)


@functools.cache
def a_row_without_end() -> bytes:
    row = f'<dimension ref="A1:BH1"/><sheetData><row r="1">{"<c><v>1</v></c>" * 500_000}</row>'
    text = (HEAD + TAIL).replace("<sheetData>", row, 1)
    return changed(plain(), xl__worksheets__sheet1_dot_xml=text.encode())


def more_lines_than_a_table() -> bytes:
    rows = "".join(f'<row r="{at}">{"<c><v>1</v></c>" * 20}</row>' for at in range(1, 10_001))
    text = (HEAD + rows + TAIL).replace("<sheetData>", '<dimension ref="A1:T10000"/><sheetData>', 1)
    return changed(plain(), xl__worksheets__sheet1_dot_xml=text.encode())


def a_million_strings() -> bytes:
    text = f'<sst xmlns="{MAIN}">{"<si><t>a</t></si>" * 1_000_000}</sst>'
    return changed(plain(), xl__sharedStrings_dot_xml=text.encode())


def a_size_that_lies() -> bytes:
    content = bytearray(a_zip_bomb())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as package:
        size = package.getinfo("xl/worksheets/sheet1.xml").file_size
    return bytes(content).replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))


def an_old_file() -> bytes:
    return b"\xd0\xcf\x11\xe0" + b"\0" * 1000


def half_a_file() -> bytes:
    content = plain()
    return content[: len(content) // 2]


def a_zip_of_nothing() -> bytes:
    file = io.BytesIO()
    zipfile.ZipFile(file, "w").close()
    return file.getvalue()


def many_cell_styles() -> bytes:
    styles = f'<styleSheet xmlns="{MAIN}"><cellXfs>{"<xf/>" * 600_000}</cellXfs></styleSheet>'
    return changed(plain(), xl__styles_dot_xml=styles.encode())


def many_fonts() -> bytes:
    styles = f'<styleSheet xmlns="{MAIN}"><fonts>{"<font/>" * 300_000}</fonts></styleSheet>'
    return changed(plain(), xl__styles_dot_xml=styles.encode())


def one_string_of_many_runs() -> bytes:
    return changed(plain(), xl__sharedStrings_dot_xml=f'<sst xmlns="{MAIN}"><si>{"<r/>" * 900_000}</si></sst>'.encode())


def many_empty_strings() -> bytes:
    return changed(plain(), xl__sharedStrings_dot_xml=f'<sst xmlns="{MAIN}">{"<si/>" * 800_000}</sst>'.encode())


def many_defined_names() -> bytes:
    with zipfile.ZipFile(io.BytesIO(plain())) as package:
        text = package.read("xl/workbook.xml").decode()
    names = "".join(f'<definedName name="n{at}">1</definedName>' for at in range(150_000))
    text = re.sub("<definedNames ?/>", "", text).replace("</sheets>", f"</sheets><definedNames>{names}</definedNames>")
    return changed(plain(), xl__workbook_dot_xml=text.encode())


def rows_of_one_number() -> bytes:
    rows = '<dimension ref="A1:C9"/><sheetData>' + '<row r="1"/>' * 320_000
    text = (HEAD + TAIL).replace("<sheetData>", rows, 1)
    return changed(plain(), xl__worksheets__sheet1_dot_xml=text.encode())


def a_row_of_cells() -> bytes:
    cells = f'<dimension ref="A1:C9"/><sheetData><row r="1">{"<c><v>1</v></c>" * 200_000}</row>'
    text = (HEAD + TAIL).replace("<sheetData>", cells, 1)
    return changed(plain(), xl__worksheets__sheet1_dot_xml=text.encode())


def an_open_document() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    return file.getvalue()


# Files of some kilobytes that took up to 46 seconds and 420 MB; what cells look like is not read at all.
FEW_BYTES = [
    (many_cell_styles, "it was read"),
    (many_fonts, "it was read"),
    (one_string_of_many_runs, "too large when it is unpacked"),
    (many_empty_strings, "too large when it is unpacked"),
    (many_defined_names, "too large when it is unpacked"),
    (rows_of_one_number, "has more than 2,100 rows"),
    (a_row_of_cells, "far too many cells"),
]

REFUSED = [
    *FEW_BYTES,
    (an_open_document, "Open it there, save it as .xlsx"),
    (a_zip_bomb, "too large when it is unpacked"),
    (an_entity_bomb, "instructions that no spreadsheet writes"),
    (an_entity_after_a_long_comment, "instructions that no spreadsheet writes"),
    (an_entity_in_another_encoding, "an encoding that no spreadsheet uses"),
    (ten_thousand_sheets, "too many sheets"),
    (ten_thousand_sheets_that_are_only_named, "too many sheets"),
    (macros, "holds macros"),
    (a_million_rows, "too large when it is unpacked"),
    (a_hundred_thousand_rows, "far more than the 2,100 rows of a list"),
    (a_hundred_thousand_rows_that_are_said, "has more than 2,100 rows"),
    (a_row_without_end, "too large when it is unpacked"),
    (a_million_strings, "too large when it is unpacked"),
    (a_size_that_lies, "damaged"),
    (an_old_file, "an old or locked Excel file"),
    (half_a_file, "damaged"),
    (a_zip_of_nothing, "damaged"),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED)
def test_hostile_workbook_is_refused_quickly(make: Callable[[], bytes], sentence: str) -> None:
    refused_quickly(make(), sentence, list_as_text)


def refused_quickly(content: bytes, sentence: str, read: Callable[[bytes], object]) -> None:
    """In one try of three: on a busy machine the same work takes longer."""
    for _ in range(3):
        said, seconds, kilobytes = read_in_a_process(content, read)
        assert sentence in said
        assert kilobytes < 100_000
        if seconds < SECONDS:
            return
    pytest.fail(f"{seconds} s")


# What is said of the same files where a score workbook is read.
TOO_LONG = [
    *FEW_BYTES,
    (a_zip_bomb, "too large when it is unpacked. Upload a score workbook of this site."),
    (a_million_rows, "too large when it is unpacked. Upload a score workbook of this site."),
    (
        a_hundred_thousand_rows,
        "far more than the 2,100 rows that are read. Upload a score workbook of this site.",
    ),
    (a_hundred_thousand_rows_that_are_said, "more than 2,100 rows. Upload a score workbook of this site."),
    (a_row_without_end, "too large when it is unpacked. Upload a score workbook of this site."),
    (more_lines_than_a_table, "more than 2,100 rows. Upload a score workbook of this site."),
    (macros, "holds macros"),
    (an_entity_bomb, "instructions that no spreadsheet writes"),
]


def results_in(content: bytes) -> None:
    book = open_workbook(content, A_TABLE)
    sheet_rows(book, book.sheetnames[0], A_TABLE)


@pytest.mark.parametrize(("make", "sentence"), TOO_LONG)
def test_hostile_score_workbook_is_refused_quickly(make: Callable[[], bytes], sentence: str) -> None:
    refused_quickly(make(), sentence, results_in)


def read_in_a_process(content: bytes, read: Callable[[bytes], object] = list_as_text) -> tuple[str, float, int]:
    """Why a file was refused, the seconds of work and the kilobytes that it took, in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        said = "it was read"
        before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        try:
            read(content)
        except Unreadable as refused:
            said = str(refused)
        finally:
            seconds = time.process_time() - begun
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            os.write(writer, json.dumps([said, seconds, grown]).encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        said, seconds, grown = json.loads(answer.read())
    os.waitpid(child, 0)
    return said, seconds, grown


def test_a_plain_list_is_read_in_that_process() -> None:
    assert read_in_a_process(plain())[0] == "it was read"


def test_a_file_of_libreoffice_is_sent_back_to_it() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", "<office/>")
    with pytest.raises(Unreadable, match=r"a LibreOffice \(\.ods\) file"):
        open_workbook(file.getvalue())


def test_a_list_of_teams_is_read_as_text() -> None:
    rows: list[list[object]] = [["No.", "Team", "Paid"], [1, "=1+1", True], [2.0, "A, B", None]]
    assert list_as_text(plain(rows)).splitlines()[0] == "No.,Team,Paid"
    assert list_as_text(plain([["Team"], ["A, B"], ["Łódź"], [3.0]])).splitlines() == ["Team", '"A, B"', "Łódź", "3"]


def test_a_number_beyond_all_numbers_is_named_with_its_cell() -> None:
    content = plain([["Team", "Player 1"], [12345, "Ann"]])
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        sheet = package.read("xl/worksheets/sheet1.xml").replace(b"<v>12345</v>", b"<v>1e400</v>")
    with pytest.raises(Unreadable, match="The number in cell A2 is too large"):
        list_as_text(changed(content, xl__worksheets__sheet1_dot_xml=sheet))
