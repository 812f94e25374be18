"""The form that takes a list of teams: pasted or uploaded, looked through, mended, and entered."""

from __future__ import annotations

import hashlib
import re
from itertools import zip_longest
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import QueryDict

from tournament.errors import Fault
from tournament.forms.fields import PlainForm
from tournament.forms.roster.columns import columns_key
from tournament.forms.roster.file import opened
from tournament.forms.roster.reader import clean_text, read_roster
from tournament.forms.roster.records import ReadLine, Record, Roster, Unread, Wishes
from tournament.forms.roster.table import CROSSED_OUT, HIDDEN, OUT, ROLES, grid_of, text_of_grid
from tournament.forms.uploads import UploadField, megabytes
from tournament.models import Event
from tournament.queries.respelt import notes_of_list, seated_in
from tournament.queries.roster import (
    RosterRow,
    cleaned_row,
    numbered,
    players_wanted,
    roster_faults,
    roster_notes,
    twice_in_roster,
)

# How many rows can be edited at once; the place of a cell in the text.
MOST_OPEN = 40
CELL = re.compile(r"cell-(([1-9]\d{0,4})-(\d{1,2}))")


class RosterForm(PlainForm):
    """A list of teams as text or as a file. The file's text is shown in the field, so that it can be corrected there.

    The event may still be in setup: then nobody is entered yet, and an empty list is not a fault. The preview sends
    `role` for each of the `columns`; `row`, why a row is set aside, with its text; `mend`, the same with its number;
    `cell-LINE-COLUMN` with `was-…`, its former text, for the text whose digest is `basis`; and `said`, the questions
    about the file, with three lines `of` it, so that they are not asked about another list.
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
        """Read the list; its faults go into `roster`, row by row."""
        cleaned = self.cleaned_data
        if self.errors:
            return cleaned
        if cleaned.get("file"):
            file = opened(cleaned["file"])
            text, self.questions = clean_text(file.text), list(file.questions)
            self.rows = dict(file.aside)
        else:
            text = clean_text(cleaned["text"])
            if not any(line in text for line in self.given.getlist("of")):
                self.questions = []
            if self.given.get("basis") == _digest(text):
                text = self._mended(text)
                self.pressed = {int(row): why for row, why in self._wishes("mend") if re.fullmatch("[0-9]{1,5}", row)}
        if len(text.encode("utf-8", "replace")) > settings.UPLOAD_LIMIT_BYTES:
            raise ValidationError({"text": f"The list is longer than {megabytes(settings.UPLOAD_LIMIT_BYTES)} MB."})
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
        return [(row, why) for why, _, row in sent if why in ("", OUT, HIDDEN, CROSSED_OUT)]

    @property
    def carried(self) -> list[tuple[str, str]]:
        """The hidden fields with which the next preview begins where this one ended."""
        asked = [("said", text) for text in self.questions] + [("of", line) for line in self.lines_of_question]
        rows = [("row", f"{why}:{text}") for text, why in self.rows.items()]
        return [("basis", self.basis), ("columns", columns_key(self.roster.columns)), *asked, *rows]

    @property
    def lines_of_question(self) -> list[str]:
        return sorted(filter(None, self.data["text"].split("\n")), key=len)[-3:] if self.questions else []

    @property
    def over(self) -> int:
        """How many teams of the list are over the limit of entries."""
        if self.event.pk is None or not self.event.entry_limit:
            return 0
        replaces = bool(self.cleaned_data.get("replace"))
        count = 0 if replaces else self.event.teams.filter(status="playing").count()
        return max(len(self.roster.rows) - max(self.event.entry_limit - count, 0), 0)

    @property
    def is_limit_seen(self) -> bool:
        """Whether somebody who saw how many are over the limit has said what to do with them."""
        return not self.over or self.given.get("over") == str(self.over)

    @property
    def seen(self) -> str:
        """The value that confirms these guesses; other guesses are asked about again."""
        return _digest("\n".join(self.roster.guesses))

    @property
    def is_seen(self) -> bool:
        """Whether every guess was confirmed."""
        return not self.roster.guesses or self.given.get("seen") == self.seen

    @property
    def ends(self) -> list[ReadLine]:
        """The first and last teams, shown beside their text to check that the list was read right."""
        read = [line for line in self.lines() if line.team]
        return read if len(read) < 4 else [*read[:2], *read[-2:]]

    def lines(self) -> list[ReadLine]:
        """Every line of the list that is not empty, as it was read."""
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
        """The cells of a row for editing: place, column and text."""
        record = self.roster.records.get(number, Record(number, []))
        words = [f"{column.heading} ({ROLES[column.role]})".removeprefix(" ") for column in self.roster.columns]
        is_block = len(record.lines) > 1
        return [
            (f"{record.lines[index]}-0" if is_block else f"{number}-{index}", label, text)
            for index, (label, text) in enumerate(zip_longest(words[: len(record.cells)], record.cells, fillvalue=""))
        ]

    def _mended(self, text: str) -> str:
        """The text with the cells that were edited in the preview."""
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
                # Keep the text around it: a bullet, a number, the author of a message.
                cell, was, new = grid[row][column], given.get(f"was-{match[1]}", ""), given[match[0]]
                grid[row][column] = cell.replace(was, new, 1) if was and was in cell else new
                self.is_rewritten = True
        return text_of_grid(grid, delimiter) if self.is_rewritten else text

    def _check(self, text: str, replace: bool) -> None:
        roles = tuple(self.given.getlist("role"))
        self.wishes = Wishes(
            self.given.get("columns", ""), roles, self.rows, self.pressed, self.given.get("reading", "")
        )
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
        roster.questions += twice_in_roster(self.event, rows, instead_of=gone)
        if replace:
            roster.notes += notes_of_list(seated_in(self.event), rows)
        roster.rows = numbered(self.event, rows, instead_of=gone)
        roster.questions += self.questions
        self.roster = roster


def _digest(text: str) -> str:
    """A digest of a text, to check that it is the one that a page showed."""
    return hashlib.sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:16]


def _place(fault: Fault) -> tuple[int, int]:
    row, _, _ = fault.field.partition(":")
    return (int(row), 0) if row.isdecimal() else (0, 0)
