"""Files that are uploaded: a list of teams, an event file. Too large or unreadable is said at the field."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError

from scoring.json_text import parse_json
from scoring.problem import CannotScore
from tournament.forms.roster import Roster, decode, read_roster
from tournament.forms.workbook_file import is_workbook, list_as_text
from tournament.models import Event
from tournament.queries.roster import RosterRow, cleaned_row, numbered, players_wanted, roster_faults, roster_notes

NO_EVENT_FILE = "This is no Uptown event file."


class UploadField(forms.FileField):
    """A file of at most the size that the site takes; `limit` names the setting."""

    def __init__(self, *, limit: str = "UPLOAD_LIMIT_BYTES", **options: Any) -> None:
        super().__init__(**options)
        self.limit = limit

    def clean(self, data: Any, initial: Any = None) -> Any:
        limit = getattr(settings, self.limit)
        if data and data.size > limit:
            raise ValidationError(
                f"The file is too large: {_megabytes(data.size)} MB, and {_megabytes(limit)} MB is the most."
            )
        return super().clean(data, initial)


class RosterForm(forms.Form):
    """A list of teams as text or as a file. The file's text is shown in the field, so that it can be mended there."""

    text = forms.CharField(
        label="The list",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"}),
        help_text="One team a line, with headings: No., Team, Player 1, Player 2, City, Paid, Boston pot.",
    )
    file = UploadField(label="Or a CSV or Excel file", required=False, allow_empty_file=True)
    replace = forms.BooleanField(label="In place of all that are entered now", required=False)

    def __init__(self, event: Event, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        self.event = event
        if players_wanted(event) == 1:
            self.fields["text"].help_text = "One player a line, with headings: No., Player, City, Paid, Boston pot."
        self.roster = Roster()
        if event.frozen_at is not None or not event.teams.exists():
            del self.fields["replace"]
        self.fields["file"].widget.attrs["accept"] = ".csv,.txt,.tsv,.xlsx,text/csv,text/plain"

    def clean(self) -> dict[str, Any]:
        """Read the list; what is wrong with it goes into `roster`, row by row."""
        said = self.cleaned_data
        if self.errors:
            return said
        text = said.get("text") or ""
        if said.get("file"):
            try:
                text = _text_of(said["file"].read())
            except ValueError as fault:
                raise ValidationError({"file": str(fault)}) from fault
        if len(text.encode("utf-8", "replace")) > settings.UPLOAD_LIMIT_BYTES:
            raise ValidationError({"text": f"The list is longer than {_megabytes(settings.UPLOAD_LIMIT_BYTES)} MB."})
        self.data = self.data.copy()
        self.data["text"] = text.replace("\x00", "")
        self._check(text, bool(said.get("replace")))
        return said

    def preview(self) -> list[tuple[RosterRow, set[str]]]:
        """The rows as they were read, each with its columns that are wrong."""
        wrong: dict[int, set[str]] = {}
        for fault in self.roster.faults:
            row, _, column = fault.field.partition(":")
            if row.isdecimal():
                wrong.setdefault(int(row), set()).add("player" if column.startswith("player") else column)
        return [(row, wrong.get(row.row, set())) for row in self.roster.rows]

    def _check(self, text: str, replace: bool) -> None:
        roster = read_roster(text, players_wanted(self.event))
        gone = list(self.event.teams.values_list("pk", flat=True)) if replace else []
        rows = []
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

    file = UploadField(label="Event file", limit="EVENT_FILE_LIMIT_BYTES")

    @property
    def is_large(self) -> bool:
        """Whether reading the file takes so long that one wants to see how far it is."""
        return bool(self.files["file"].size > settings.LARGE_FILE_BYTES)

    def clean_file(self) -> Any:
        content = self.cleaned_data["file"].read().removeprefix(BOM_UTF8)
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
            raise ValidationError(f"This event file cannot be read: {refusal.problems[0].text}") from refusal


def _text_of(content: bytes) -> str:
    """The text of a list, from a workbook too."""
    return list_as_text(content) if is_workbook(content) else decode(content)


def _place(fault: Any) -> tuple[int, int]:
    row, _, _ = fault.field.partition(":")
    return (int(row), 0) if row.isdecimal() else (0, 0)


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.1f}".removesuffix(".0")
