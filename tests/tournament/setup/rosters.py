"""The examples of lists of teams: a file of `fixtures/examples/rosters/` as a person sends it, and as it is read."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from openpyxl.styles import Font

from tournament.forms.roster.form import RosterForm
from tournament.forms.roster.reader import read_roster
from tournament.forms.roster.records import Roster
from tournament.models import Event

FOLDER = Path(__file__).resolve().parents[3] / "fixtures/examples/rosters"
EXAMPLES = sorted(FOLDER.glob("*.toml"))
# A game for each number of players in a team, with its options.
GAMES: dict[int, tuple[str, dict[str, Any]]] = {
    1: ("back_alley/individual", {}),
    2: ("bid_whist/no-kitty-2021", {}),
    3: ("back_alley/partnership", {"players": 6, "sides": 2}),
}


def form_of(example: Mapping[str, Any], **more: str | list[str]) -> RosterForm:
    """The form with an example's list: pasted, or uploaded where it is a workbook or has an encoding."""
    data, files = QueryDict(mutable=True), {}
    for name, value in more.items():
        data.setlist(name, [value] if isinstance(value, str) else value)
    if "sheets" in example:
        files["file"] = SimpleUploadedFile("teams.xlsx", workbook(example["sheets"]))
    elif "file" in example:
        files["file"] = SimpleUploadedFile(example["file"], (FOLDER / example["file"]).read_bytes())
    elif "encoding" in example:
        files["file"] = SimpleUploadedFile("teams.csv", example["list"].encode(example["encoding"]))
    else:
        data.setdefault("text", example["list"])
    sheet, options = GAMES[example["players"]]
    form = RosterForm(Event(sheet=sheet, options=options), data, files)
    assert form.is_valid(), form.errors
    return form


def roster_of(example: Mapping[str, Any]) -> Roster:
    """What is read, before anybody is numbered or compared with the teams of an event."""
    form = form_of(example)
    roster = read_roster(form.data["text"], example["players"], form.wishes)
    roster.questions += [text for text in form.roster.questions if text not in roster.questions]
    return roster


def workbook(sheets: list[dict[str, Any]]) -> bytes:
    """A workbook with these sheets, whose dates look like dates."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for sheet in sheets:
        page = book.create_sheet(sheet["title"])
        page.sheet_state = "hidden" if sheet.get("hidden") else "visible"
        for row in sheet["rows"]:
            page.append(row)
        for number in sheet.get("hidden_rows", ()):
            page.row_dimensions[number].hidden = True
        for cell in (cell for number in sheet.get("crossed_rows", ()) for cell in page[number]):
            cell.font = Font(strike=True)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
