"""Uploaded files: a list of teams, a workbook, an event file. Nothing hostile is unpacked, nothing too large read."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zipfile
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from itertools import zip_longest
from math import isfinite
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import QueryDict
from openpyxl import DEFUSEDXML
from openpyxl.reader.excel import ExcelReader
from openpyxl.workbook import Workbook
from openpyxl.xml.constants import ARC_STYLE

from scoring.fields import parse_json
from scoring.ledger import CannotScore
from tournament.errors import Fault
from tournament.forms.roster.columns import columns_key
from tournament.forms.roster.marks import cell_name
from tournament.forms.roster.reader import clean_text, decode, read_roster
from tournament.forms.roster.records import ReadLine, Record, Roster, Unread, Wishes
from tournament.forms.roster.table import OUT, ROLES, grid_of, heading_at, text_of_grid
from tournament.forms.workbook_marks import MOST_COLUMNS, date_styles
from tournament.models import Event
from tournament.queries.respelt import notes_of_list, seated_in
from tournament.queries.roster import RosterRow, cleaned_row, numbered, players_wanted, roster_faults, roster_notes

# Limits in bytes after unpacking; a 500-team event stays far below them.
MOST_ALL = 24 * 1024 * 1024
MOST_PART = 8 * 1024 * 1024
MOST_STRINGS = 4 * 1024 * 1024
MOST_SHEETS = 300
MOST_MEMBERS = 1000
# Whatever is not a sheet is read whole when a workbook is opened: a club's list has some thousands of marks there.
MOST_OTHER_TAGS = 60_000
# A row is read to its end, however long it is, and rows may all bear one number: the most marks of a sheet, and of all
# together. Sheets that do not say how large they are have to be gone through to their end before their first row can be
# read, which counts four times.
MOST_SHEET_TAGS, MOST_TAGS, UNSAID = 200_000, 800_000, 4
# Rows of all sheets together, empty ones above a cell that is far down too: each costs time.
MOST_ALL_ROWS = 20_000
DANGEROUS = ("vbaproject", "macrosheets/", "activex/", "externallinks/", "embeddings/", "connections.xml")
# A file of LibreOffice says what it is in a part of this name; it is as short as that.
MIMETYPE = 200
# A packed file, as every newer spreadsheet is; and one of before 2007, or locked.
PACKED, OLD = b"PK", b"\xd0\xcf\x11\xe0"


class Room(NamedTuple):
    """How many rows a sheet may have, and what to do with a larger file. Empty ones may follow in lists of others."""

    rows: int
    advice: str
    empty_rows: bool = False


A_LIST = Room(2100, "Upload just the list, without pictures.", empty_rows=True)


class Unreadable(ValueError):
    """A file that is not opened, with the reason as a sentence."""


class _Unstyled(zipfile.ZipFile):
    """A package without styles: what cells look like is not read."""

    def read(self, name: Any, pwd: bytes | None = None) -> bytes:
        if name == ARC_STYLE:
            raise KeyError(name)
        return super().read(name, pwd)


def is_workbook(content: bytes) -> bool:
    """Whether this looks like a workbook, one that cannot be opened too."""
    return content.startswith((PACKED, OLD))


def open_workbook(content: bytes, room: Room = A_LIST) -> Workbook:
    """Open a workbook for reading, row by row. Raises Unreadable before anything large is unpacked."""
    if content.startswith(OLD):
        raise Unreadable("This is an old or locked Excel file. Save it as .xlsx without a password and upload that.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            _look_inside(package, room)
        reader = ExcelReader(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        reader.archive = _Unstyled(io.BytesIO(content))
        reader.read()
        return reader.wb
    except Unreadable:
        raise
    except Exception as fault:
        # A broken package fails in many ways, all of which mean the same to whoever uploaded it.
        raise Unreadable("This file is not an Excel workbook, or it is damaged. Save it as .xlsx.") from fault


def sheet_rows(book: Workbook, title: str, room: Room = A_LIST) -> list[list[Any]]:
    """The values of a sheet, at most as many rows as there is room for and columns as a list may have."""
    page = book[title]
    rows = []
    for row in page.iter_rows(max_row=room.rows + 1, max_col=MOST_COLUMNS, values_only=True):
        rows.append(list(row))
    if len(rows) > room.rows and any(value is not None for value in rows[-1]):
        raise Unreadable(f"The sheet “{title[:40]}” has more than {room.rows:,} rows.")
    return rows


class ListFile(NamedTuple):
    """A list's file as text; what is asked about it; and the rows that it hides, each as one line."""

    text: str = ""
    questions: Sequence[str] = ()
    hidden: Sequence[str] = ()


def read_list(content: bytes) -> ListFile:
    """The list in a file. Of a workbook that is a sheet in sight: one with headings, else with columns, else any."""
    if not is_workbook(content):
        return ListFile(*decode(content))
    book = open_workbook(content)
    sheets: list[tuple[tuple[bool, bool], str, ListFile]] = []
    left_out: list[str] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            book._date_formats = date_styles(package)  # type: ignore[attr-defined]
            for title in book.sheetnames:
                rows = _list_rows(book, title)
                filled = [row for row in rows if any(row)]
                if book[title].sheet_state != "visible":
                    left_out += [f"“{title}” (hidden)"] if filled else []
                elif filled:
                    hidden = [
                        Record(0, rows[index]).text for index in _hidden_rows(package, book[title]) if index < len(rows)
                    ]
                    is_table = sum(len(list(filter(None, row))) > 1 for row in filled) * 2 > len(filled)
                    read = ListFile(text_of_grid(rows, "\t"), (), hidden)
                    sheets.append(((heading_at(filled) is None, not is_table), title, read))
                    if sum(len(sheet.text) for _, _, sheet in sheets) > MOST_STRINGS:
                        raise Unreadable(f"This workbook holds far more than a list. {A_LIST.advice}")
    except Unreadable:
        raise
    except Exception as fault:
        raise Unreadable("This workbook is damaged: its sheets cannot be read.") from fault
    (_, title, read), *others = sorted(sheets, key=lambda sheet: sheet[0]) or [((False, False), "", ListFile())]
    if left_out := [f"“{other}”" for _, other, _ in others] + left_out:
        question = f"Read from the sheet “{title}”; skipped: {', '.join(left_out)}. Is the whole list on that sheet?"
        read = read._replace(questions=[question])
    return read


def _list_rows(book: Workbook, title: str) -> list[list[str]]:
    """The cells of a sheet as texts: numbers without “.0”, as wide and as long as it is filled."""
    rows = [
        [_cell(value, column, number) for column, value in enumerate(row)]
        for number, row in enumerate(sheet_rows(book, title), start=1)
    ]
    while rows and not any(rows[-1]):
        rows.pop()
    width = max((column + 1 for row in rows for column, cell in enumerate(row) if cell), default=0)
    return [row[:width] for row in rows]


def _hidden_rows(package: zipfile.ZipFile, page: Any) -> list[int]:
    """The indexes of the rows of a sheet that are hidden."""
    rows = re.findall(
        rb"<(?:\w+:)?row (?=[^>]*hidden=\"(?:1|true)\")[^>]*?r=\"(\d+)\"", package.read(page._worksheet_path)
    )
    return [int(number) - 1 for number in rows]


def _look_inside(package: zipfile.ZipFile, room: Room) -> None:
    parts = package.infolist()
    kind = next((part for part in parts if part.filename == "mimetype" and part.file_size < MIMETYPE), None)
    if kind is not None and b"opendocument" in package.read(kind):
        raise Unreadable("This is a LibreOffice (.ods) file. Open it there, save it as .xlsx, and upload that.")
    _look_at_parts(parts, room)
    looked = [_look_into(package, part, room) for part in parts]
    if sum(rows for _, rows in looked) > MOST_ALL_ROWS:
        raise Unreadable(f"The sheets of this workbook have more than {MOST_ALL_ROWS:,} rows together. {room.advice}")
    if sum(tags for tags, _ in looked) > MOST_TAGS:
        more = "of a list." if room == A_LIST else f"that are read. {room.advice}"
        raise Unreadable(f"This workbook holds far more than the {room.rows:,} rows {more}")


def _look_at_parts(parts: Sequence[zipfile.ZipInfo], room: Room) -> None:
    """What the package says of its parts, before anything is unpacked."""
    names = [part.filename.casefold() for part in parts]
    if len(parts) > MOST_MEMBERS or sum(name.startswith("xl/worksheets/") for name in names) > MOST_SHEETS:
        raise Unreadable(f"This workbook has too many sheets. The limit is {MOST_SHEETS}.")
    if any(mark in name for name in names for mark in DANGEROUS):
        raise Unreadable("This workbook holds macros, links or programs. Save it as a plain .xlsx and upload that.")
    if len(set(names)) != len(names) or any(part.flag_bits & 1 for part in parts):
        raise Unreadable("This file is not an Excel workbook, or it is locked with a password.")
    if sum(part.file_size for part in parts) > MOST_ALL or any(part.file_size > _most(part.filename) for part in parts):
        raise Unreadable(f"This workbook is too large when it is unpacked. {room.advice}")


def _look_into(package: zipfile.ZipFile, part: zipfile.ZipInfo, room: Room) -> tuple[int, int]:
    """The marks of a part that is a sheet, and the rows that are read of it."""
    name = part.filename.casefold()
    if not name.endswith((".xml", ".rels")):
        return 0, 0
    with package.open(part) as file:
        # So much and no more is unpacked: a part may hold more than it says.
        content = file.read(part.file_size + 1)
    _look_at(content, name)
    if name.startswith("xl/worksheets/"):
        tags = _look_at_sheet(content, room)
        numbers = re.findall(rb'<(?:\w+:)?row [^>]*?\br="(\d{1,7})"', content)
        return tags, min(max(map(int, numbers), default=0), room.rows)
    if name != ARC_STYLE and content.count(b"<") > MOST_OTHER_TAGS:
        raise Unreadable(f"This workbook is too large when it is unpacked. {room.advice}")
    return 0, 0


def _look_at_sheet(content: bytes, room: Room) -> int:
    """The marks of a sheet, more of one that does not say how large it is."""
    tags = content.count(b"<")
    if b"<dimension" not in content[:5000]:
        return tags * UNSAID
    if not room.empty_rows and len(re.findall(rb"<(?:\w+:)?row[\s>/]", content)) > room.rows:
        raise Unreadable(f"A sheet of this workbook has more than {room.rows:,} rows. {room.advice}")
    if tags > MOST_SHEET_TAGS:
        raise Unreadable(
            f"A sheet of this workbook has more than {room.rows:,} rows or far too many cells. {room.advice}"
        )
    return tags


def _look_at(content: bytes, name: str) -> None:
    """No document type, so no entities; no other encoding in which one could hide; no macros by type; few sheets."""
    if b"\x00" in content[:200] or re.search(rb"encoding=[\"'](?!utf-8)", content[:200], re.IGNORECASE):
        raise Unreadable("This workbook is written in an encoding that no spreadsheet uses.")
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise Unreadable("This workbook holds instructions that no spreadsheet writes. It was not opened.")
    if name == "[content_types].xml" and b"macroenabled" in content.lower():
        raise Unreadable("This workbook holds macros. Save it as a plain .xlsx and upload that.")
    if name == "xl/workbook.xml" and len(re.findall(rb"<(?:\w+:)?sheet[\s/]", content)) > MOST_SHEETS:
        raise Unreadable(f"This workbook has too many sheets. The limit is {MOST_SHEETS}.")


def _most(name: str) -> int:
    return MOST_STRINGS if name.casefold().endswith(("sharedstrings.xml", "styles.xml")) else MOST_PART


def words(value: Any) -> str:
    """What stands in a cell, as it is read aloud: 3.0 is 3, and there is one blank between words."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else " ".join(str(value).split())


def _cell(value: Any, column: int, row: int) -> str:
    if isinstance(value, float) and not isfinite(value):
        raise Unreadable(f"The number in cell {cell_name(column, row)} is too large. Write what it should be.")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words(value).removesuffix(" 00:00:00")


# Without the package that reads XML safely, nothing is opened.
assert DEFUSEDXML


# Files that are uploaded: a list of teams, an event file. Too large or unreadable is said at the field.

NO_EVENT_FILE = "This file is not an Uptown event file."
CHOOSE_AGAIN = "Choose the event file again."
# Each value and list costs time and up to 250 bytes when it is read; a club's evening has some thousands, one of a
# thousand teams some hundred thousand.
MOST_VALUES = 2_000_000
# What a form may send beside files, with room for its other fields.
LONGEST_KEPT = settings.DATA_UPLOAD_MAX_MEMORY_SIZE - 64 * 1024


class UploadField(forms.FileField):
    """A file of at most the size that the site takes; `limit` names the setting."""

    def __init__(self, *, limit: str = "UPLOAD_LIMIT_BYTES", **options: Any) -> None:
        super().__init__(**options)
        self.limit = limit

    def clean(self, data: Any, initial: Any = None) -> Any:
        limit = getattr(settings, self.limit)
        if data and data.size > limit:
            raise ValidationError(
                f"The file is too large: {_megabytes(data.size)} MB. The limit is {_megabytes(limit)} MB."
            )
        return super().clean(data, initial)


# What a row is that the workbook hides; how many rows are open for mending at once; where a cell stands in the text.
HIDDEN = "hidden"
MOST_OPEN = 40
CELL = re.compile(r"cell-(([1-9]\d{0,4})-(\d{1,2}))")


class RosterForm(forms.Form):
    """A list of teams as text or as a file. The file's text is shown in the field, so that it can be mended there.

    The event may be one that is only being set up: then nobody is entered yet, and an empty list is no fault. What the
    preview sends: `role` for each column of `columns`; `row`, why a row is set aside with its text, and `mend`, the
    same with its number; `cell-LINE-COLUMN` with `was-…`, what stood there, of the text of which `basis` is the digest;
    and `said`, what is asked about the file, with three lines `of` it: another list is not asked about.
    """

    text = forms.CharField(
        label="The list",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
        help_text="One team per line, as you have it: “1. Owls – Ann Lee / Bo Carter”, or copied from a spreadsheet.",
    )
    file = UploadField(label="Or a CSV or Excel file", required=False, allow_empty_file=True)
    replace = forms.BooleanField(label="Replace everything entered so far", required=False)

    def __init__(self, event: Event, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        self.event, self.roster, self.given = event, Roster(), data or QueryDict()
        if players_wanted(event) == 1:
            self.fields["text"].help_text = "One player per line, as you have it, or copied from a spreadsheet."
        self.questions, self.is_rewritten, self.basis = self.given.getlist("said"), bool(files), ""
        self.rows, self.pressed = dict(self._wishes("row")), dict[int, str]()
        if event.pk is None or event.frozen_at is not None or not event.teams.exists():
            del self.fields["replace"]
        self.fields["file"].widget.attrs["accept"] = ".csv,.txt,.tsv,.xlsx,text/csv,text/plain"

    def clean(self) -> dict[str, Any]:
        """Read the list; what is wrong with it goes into `roster`, row by row."""
        cleaned = self.cleaned_data
        if self.errors:
            return cleaned
        if cleaned.get("file"):
            file = opened(cleaned["file"])
            text, self.questions = clean_text(file.text), list(file.questions)
            self.rows = dict.fromkeys(file.hidden, HIDDEN)
        else:
            text = clean_text(cleaned["text"])
            if not any(line in text for line in self.given.getlist("of")):
                self.questions = []
            if self.given.get("basis") == _digest(text):
                text = self._mended(text)
                self.pressed = {int(row): why for row, why in self._wishes("mend") if re.fullmatch("[0-9]{1,5}", row)}
        if len(text.encode("utf-8", "replace")) > settings.UPLOAD_LIMIT_BYTES:
            raise ValidationError({"text": f"The list is longer than {_megabytes(settings.UPLOAD_LIMIT_BYTES)} MB."})
        text = text.replace("\x00", "")
        self.data, self.basis = {**self.data, "text": text}, _digest(text)
        if text.strip() or self.event.pk is not None:
            self._check(text, bool(cleaned.get("replace")))
        return cleaned

    @property
    def roles(self) -> list[tuple[str, str]]:
        return list(ROLES.items())

    def _wishes(self, name: str) -> list[tuple[str, str]]:
        sent = [value.partition(":") for value in self.given.getlist(name)]
        return [(row, why) for why, _, row in sent if why in ("", OUT, HIDDEN)]

    @property
    def carried(self) -> list[tuple[str, str]]:
        """What goes along hidden, so that the next look begins where this one ends."""
        asked = [("said", text) for text in self.questions] + [("of", line) for line in self.lines_of_question]
        rows = [("row", f"{why}:{text}") for text, why in self.rows.items()]
        return [("basis", self.basis), ("columns", columns_key(self.roster.columns)), *asked, *rows]

    @property
    def lines_of_question(self) -> list[str]:
        return sorted(filter(None, self.data["text"].split("\n")), key=len)[-3:] if self.questions else []

    @property
    def over(self) -> int:
        """How many teams of the list the limit of entries has no room for."""
        if self.event.pk is None or not self.event.entry_limit:
            return 0
        replaces = bool(self.cleaned_data.get("replace"))
        count = 0 if replaces else self.event.teams.filter(status="playing").count()
        return max(len(self.roster.rows) - max(self.event.entry_limit - count, 0), 0)

    @property
    def is_limit_seen(self) -> bool:
        """Whether it was said what becomes of those beyond the limit, by somebody who read how many they are."""
        return not self.over or self.given.get("over") == str(self.over)

    @property
    def seen(self) -> str:
        """What is sent when the guesses were looked at; others are asked about again."""
        return _digest("\n".join(self.roster.guesses))

    @property
    def is_seen(self) -> bool:
        """Whether nothing is left that was guessed and not looked at."""
        return not self.roster.guesses or self.given.get("seen") == self.seen

    def lines(self) -> list[ReadLine]:
        """Every line of the list that is not empty, as it was understood."""
        roster = self.roster
        lines = {aside.number: ReadLine(aside.number, aside.text, why=aside.why) for aside in roster.aside}
        lines |= {row.row: ReadLine(row.row, roster.records[row.row].text, row) for row in roster.rows}
        of_team = {more: row for row, others in roster.more.items() for more in others}
        for fault in roster.faults:
            row, _, column = fault.field.partition(":")
            if row.isdecimal():
                number = of_team.get(int(row), int(row))
                line = lines.setdefault(number, ReadLine(number))
                line.wrong.add("player" if column.startswith("player") else column)
                line.faults.append(fault.text)
        listed = [lines[number] for number in sorted(lines)]
        for line in [line for line in listed if line.is_doubtful][:MOST_OPEN]:
            for number in (line.number, *roster.more.get(line.number, ())):
                line.cells += self._cells(number)
        return listed

    def _cells(self, number: int) -> list[tuple[str, str, str]]:
        """The cells of a row as they can be mended: where each stands, what it is taken for, its text."""
        record = self.roster.records.get(number, Record(number, []))
        words = [f"{column.heading} ({ROLES[column.role]})".removeprefix(" ") for column in self.roster.columns]
        is_block = len(record.lines) > 1
        return [
            (f"{record.lines[index]}-0" if is_block else f"{number}-{index}", label, text)
            for index, (label, text) in enumerate(zip_longest(words[: len(record.cells)], record.cells, fillvalue=""))
        ]

    def _mended(self, text: str) -> str:
        """The text with the cells that were typed in the preview."""
        given = {name: " ".join(self.given[name].split()) for name in self.given}
        typed = [
            match for name in given if (match := CELL.fullmatch(name)) and given[name] != given.get(f"was-{match[1]}")
        ]
        if not typed:
            return text
        try:
            grid, delimiter = grid_of(text)
        except Unread:
            return text
        for match in typed:
            row, column = int(match[2]) - 1, int(match[3])
            if row < len(grid) and column < len(grid[row]):
                # What stands around it in the text stays: a bullet, a number, who wrote the message.
                cell, was, new = grid[row][column], given.get(f"was-{match[1]}", ""), given[match[0]]
                grid[row][column] = cell.replace(was, new, 1) if was and was in cell else new
                self.is_rewritten = True
        return text_of_grid(grid, delimiter) if self.is_rewritten else text

    def _check(self, text: str, replace: bool) -> None:
        roles = tuple(self.given.getlist("role"))
        self.wishes = Wishes(self.given.get("columns", ""), roles, self.rows, self.pressed)
        roster = read_roster(text, players_wanted(self.event), self.wishes)
        self.rows |= {roster.records[row].text: why for row, why in self.pressed.items() if row in roster.records}
        gone = list(self.event.teams.values_list("pk", flat=True)) if replace else []
        rows: list[RosterRow] = []
        for row in roster.rows:
            clean, faults = cleaned_row(row, typed=True)
            rows.append(clean)
            roster.faults += faults
        roster.faults += roster_faults(self.event, rows, instead_of=gone)
        roster.faults.sort(key=_place)
        roster.notes += roster_notes(self.event, rows, instead_of=gone) if rows else []
        if replace:
            roster.notes += notes_of_list(seated_in(self.event), rows)
        roster.rows = numbered(self.event, rows, instead_of=gone)
        roster.questions += self.questions
        self.roster = roster


class EventFileForm(forms.Form):
    """An event file. `data` of a valid form is what stands in it."""

    file = UploadField(label="Event file", limit="EVENT_FILE_LIMIT_BYTES", required=False)
    kept = forms.CharField(required=False, widget=forms.HiddenInput)
    findings_seen = forms.BooleanField(label="Import the event as it is", required=False)

    @property
    def to_keep(self) -> str:
        """The file, packed, to be sent again with the press that imports it; nothing where it is too long for that."""
        packed = self.data.get("kept", "") or _packed(self.cleaned_data["file"])
        return packed if len(packed) < LONGEST_KEPT else ""

    def clean(self) -> dict[str, Any]:
        """The file that was chosen, or else the one that was checked before."""
        cleaned = self.cleaned_data
        if not self.errors and cleaned.get("file") is None:
            if not cleaned.get("kept"):
                raise ValidationError({"file": "Choose the event file."})
            cleaned["file"] = self._read(_unpacked(cleaned["kept"]))
        return cleaned

    def clean_file(self) -> Any:
        sent = self.cleaned_data.get("file")
        return self._read(sent.read()) if sent else None

    def _read(self, content: bytes) -> Any:
        content = content.removeprefix(BOM_UTF8)
        if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise ValidationError("This file is saved as UTF-16. Save it as UTF-8, or export it again.")
        try:
            text = content.decode()
        except UnicodeDecodeError as fault:
            raise ValidationError(NO_EVENT_FILE) from fault
        # What a file lacks is said only of one that was meant as an event file.
        if not text.lstrip().startswith("{"):
            raise ValidationError(NO_EVENT_FILE)
        if sum(map(text.count, ",[{")) > MOST_VALUES:
            raise ValidationError("This event file holds far more than an event.")
        try:
            return parse_json(text)
        except CannotScore as refusal:
            why = refusal.problems[0].text.partition(": ")[2] or refusal.problems[0].text
            raise ValidationError(f"This event file is damaged or cut off: {why}") from refusal


def _packed(file: Any) -> str:
    text = json.dumps(file, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"))).decode()


def _unpacked(packed: str) -> bytes:
    """The file that was packed. Whatever was sent, no more is unpacked than may be uploaded."""
    try:
        content = zlib.decompressobj().decompress(base64.b64decode(packed), settings.EVENT_FILE_LIMIT_BYTES)
    except (ValueError, zlib.error) as fault:
        raise ValidationError({"file": CHOOSE_AGAIN}) from fault
    return content


def _digest(text: str) -> str:
    """A short name of a text, to see whether it is the one that a page showed."""
    return hashlib.sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:16]


def opened(file: Any) -> ListFile:
    """The list in a file of a form. Raises ValidationError where the file is none."""
    try:
        return read_list(file.read())
    except ValueError as fault:
        raise ValidationError({"file": str(fault)}) from fault


def _place(fault: Fault) -> tuple[int, int]:
    row, _, _ = fault.field.partition(":")
    return (int(row), 0) if row.isdecimal() else (0, 0)


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")
