"""Uploaded files: a list of teams, a workbook, an event file.

Nothing hostile is unpacked, nothing too large is read.
"""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from openpyxl import DEFUSEDXML
from openpyxl.reader.excel import ExcelReader
from openpyxl.workbook import Workbook
from openpyxl.xml.constants import ARC_STYLE

from scoring.fields import parse_json
from scoring.ledger import CannotScore
from tournament.forms.fields import PlainForm
from tournament.forms.workbook_marks import MOST_COLUMNS

# Limits in bytes after unpacking; a 500-team event stays far below them.
MOST_ALL = 24 * 1024 * 1024
MOST_PART = 8 * 1024 * 1024
MOST_STRINGS = 4 * 1024 * 1024
MOST_SHEETS = 300
MOST_MEMBERS = 1000
# Parts that are not sheets are read whole when a workbook is opened: a club's list has some thousands of XML tags
# there.
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


# The most lines, and separators between cells, of a list, typed or uploaded.
MOST_LINES, MOST_CELLS = 2_100, 60_000


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
    """The values of a sheet, at most as many rows as allowed and as many columns as a list may have."""
    page = book[title]
    rows = []
    for row in page.iter_rows(max_row=room.rows + 1, max_col=MOST_COLUMNS, values_only=True):
        rows.append(list(row))
    if len(rows) > room.rows and any(value is not None for value in rows[-1]):
        raise Unreadable(f"The sheet “{title[:40]}” has more than {room.rows:,} rows.")
    return rows


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
    """The package's own description of its parts, before anything is unpacked."""
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
        # No more than this is unpacked: a part may be larger than it says.
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


def check_length(text: str) -> None:
    """Refuse a list that is far too long before it is read. Raises Unreadable."""
    lines = sum(1 for line in text.splitlines() if line.strip())
    if lines > MOST_LINES:
        raise Unreadable(f"This list has {lines:,} lines. The limit is {MOST_LINES:,}.")
    cells = sum(map(text.count, ",;\t|"))
    if cells > MOST_CELLS:
        raise Unreadable(f"This list has {cells:,} cells. The limit is {MOST_CELLS:,}.")


def words(value: Any) -> str:
    """A cell's value as it is read aloud: 3.0 is 3, and there is one blank between words."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else " ".join(str(value).split())


# Without the package that reads XML safely, nothing is opened.
assert DEFUSEDXML


# Uploaded files: a list of teams, an event file. Too large or unreadable files are reported at the field.

NO_EVENT_FILE = "This file is not an Uptown event file."
CHOOSE_AGAIN = "Choose the event file again."
# Each value and list costs time and up to 250 bytes when it is read; a club's evening has some thousands, one of a
# thousand teams some hundred thousand.
MOST_VALUES = 2_000_000
# What a form may send besides files, with room for its other fields.
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
                f"The file is too large: {megabytes(data.size)} MB. The limit is {megabytes(limit)} MB."
            )
        return super().clean(data, initial)


class EventFileForm(PlainForm):
    """An event file. `data` of a valid form is its content."""

    file = UploadField(label="Event file", limit="EVENT_FILE_LIMIT_BYTES", required=False)
    kept = forms.CharField(required=False, widget=forms.HiddenInput)
    findings_seen = forms.BooleanField(label="Import the event as it is", required=False)

    @property
    def to_keep(self) -> str:
        """The packed file, to be sent again with the press that imports it; empty if it is too long for that."""
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
        # Missing parts are reported only for a file that was meant as an event file.
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
    """The packed file. However much was sent, no more is unpacked than may be uploaded."""
    try:
        content = zlib.decompressobj().decompress(base64.b64decode(packed), settings.EVENT_FILE_LIMIT_BYTES)
    except (ValueError, zlib.error) as fault:
        raise ValidationError({"file": CHOOSE_AGAIN}) from fault
    return content


def megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")
