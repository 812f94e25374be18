"""Files that are uploaded: a list of teams, an event file. Too large or unreadable is said at the field."""

from __future__ import annotations

import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError

from scoring.fields import parse_json
from scoring.ledger import CannotScore
from tournament.forms.cells import Roster
from tournament.forms.roster import decode, read_roster
from tournament.forms.workbook_file import is_workbook, list_as_text
from tournament.models import Event
from tournament.queries.roster import RosterRow, cleaned_row, numbered, players_wanted, roster_faults, roster_notes
from tournament.refusals import Fault

NO_EVENT_FILE = "This file is not an Uptown event file."


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


@dataclass(slots=True)
class ReadLine:
    """A line of the list as it was understood: a team with its columns that are wrong, a heading, or a fault alone."""

    number: int
    team: RosterRow | None = None
    heading: str = ""
    wrong: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


class RosterForm(forms.Form):
    """A list of teams as text or as a file. The file's text is shown in the field, so that it can be mended there.

    The event may be one that is only being set up: then nobody is entered yet, and an empty list is no fault.
    """

    text = forms.CharField(
        label="The list",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
        help_text="One team a line, as you have it: “1. Owls – Ann Lee / Bo Carter”, or copied from a spreadsheet.",
    )
    file = UploadField(label="Or a CSV or Excel file", required=False, allow_empty_file=True)
    replace = forms.BooleanField(label="Replace everything entered so far", required=False)

    def __init__(self, event: Event, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        self.event = event
        if players_wanted(event) == 1:
            self.fields["text"].help_text = "One player a line, as you have it, or copied from a spreadsheet."
        self.roster = Roster()
        if event.pk is None or event.frozen_at is not None or not event.teams.exists():
            del self.fields["replace"]
        self.fields["file"].widget.attrs["accept"] = ".csv,.txt,.tsv,.xlsx,text/csv,text/plain"

    def clean(self) -> dict[str, Any]:
        """Read the list; what is wrong with it goes into `roster`, row by row."""
        said = self.cleaned_data
        if self.errors:
            return said
        text = pasted_or_read(said)
        if len(text.encode("utf-8", "replace")) > settings.UPLOAD_LIMIT_BYTES:
            raise ValidationError({"text": f"The list is longer than {_megabytes(settings.UPLOAD_LIMIT_BYTES)} MB."})
        self.data = {**self.data, "text": text.replace("\x00", "")}
        if text.strip() or self.event.pk is not None:
            self._check(text, bool(said.get("replace")))
        return said

    def lines(self) -> list[ReadLine]:
        """Every line of the list that is not empty, as it was understood."""
        lines = {number: ReadLine(number, heading=text) for number, text in self.roster.headings}
        lines |= {row.row: ReadLine(row.row, team=row) for row in self.roster.rows}
        for fault in self.roster.faults:
            row, _, column = fault.field.partition(":")
            if row.isdecimal():
                line = lines.setdefault(int(row), ReadLine(int(row)))
                line.wrong.add("player" if column.startswith("player") else column)
                line.faults.append(fault.text)
        return [lines[number] for number in sorted(lines)]

    def _check(self, text: str, replace: bool) -> None:
        roster = read_roster(text, players_wanted(self.event))
        gone = list(self.event.teams.values_list("pk", flat=True)) if replace else []
        rows: list[RosterRow] = []
        for row in roster.rows:
            clean, faults = cleaned_row(row)
            rows.append(clean)
            roster.faults += faults
        roster.faults += roster_faults(self.event, rows, instead_of=gone)
        roster.faults.sort(key=_place)
        roster.notes += roster_notes(self.event, rows, instead_of=gone) if rows else []
        roster.rows = numbered(self.event, rows, instead_of=gone)
        self.roster = roster


class EventFileForm(forms.Form):
    """An event file. `data` of a valid form is what stands in it."""

    file = UploadField(label="Event file", limit="EVENT_FILE_LIMIT_BYTES", required=False)
    kept = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    @property
    def to_keep(self) -> str:
        """The file as text, to be sent again with the press that imports it; nothing where it is too long for that."""
        text = self.data.get("kept", "") or json.dumps(self.cleaned_data["file"], ensure_ascii=False)
        return text if len(text) < settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 3 else ""

    def clean(self) -> dict[str, Any]:
        """The file that was chosen, or else the one that was checked before."""
        said = self.cleaned_data
        if not self.errors and said.get("file") is None:
            if not said.get("kept"):
                raise ValidationError({"file": "Choose the event file."})
            said["file"] = self._read(said["kept"].encode())
        return said

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
        try:
            return parse_json(text)
        except CannotScore as refusal:
            why = refusal.problems[0].text.partition(": ")[2] or refusal.problems[0].text
            raise ValidationError(f"This event file is damaged or cut off: {why}") from refusal


def pasted_or_read(said: Mapping[str, Any]) -> str:
    """The list of a form: its file as text, or what was pasted. Raises ValidationError where the file is none."""
    if not said.get("file"):
        return said.get("text") or ""
    try:
        return text_of(said["file"].read())
    except ValueError as fault:
        raise ValidationError({"file": str(fault)}) from fault


def text_of(content: bytes) -> str:
    """The text of a list, from a workbook too."""
    return list_as_text(content) if is_workbook(content) else decode(content)


def _place(fault: Fault) -> tuple[int, int]:
    row, _, _ = fault.field.partition(":")
    return (int(row), 0) if row.isdecimal() else (0, 0)


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")
