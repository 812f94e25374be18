"""A new event from an invitation: its list is filled in, the rules are those of the season's last event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict

from tournament.errors import Fault
from tournament.forms.event import NewEvent
from tournament.forms.fields import PlainForm
from tournament.forms.roster.form import RosterForm
from tournament.forms.roster.reader import read_roster
from tournament.forms.roster.table import HEADING
from tournament.models import Event, Season
from tournament.queries.events import blank_event, event_fields
from tournament.queries.inviting import Invitation, InvitedRow
from tournament.queries.roster import RosterRow, players_wanted
from tournament.words.texts import name_key, near_key

NO_BRACKET = "This game has no bracket. Untick “Straight to the bracket”."
TOO_FEW = "A bracket needs at least 2 on the list."
NO_POT = "The pot is for games before the bracket, and there are none. Leave it empty."
# What the new event does not take from the last one.
OF_ITS_OWN = (
    "name date frozen_at printed stage cut pot_cents entries_from entries_until entry_limit entry_words entries_wait"
).split()
HEADINGS = ("Team", "Player 1", "Player 2", "Player 3", "Player 4")


# The list as it is filled in: the way people write it if that can be read without doubt, else in columns.


def typed_in(invitation: Invitation) -> tuple[Invitation, str]:
    """The invitation by the names that are read from its list, and the text of the list."""
    wanted = players_wanted(invitation.like)
    for text in (_as_lines(invitation.rows), _as_columns(invitation.rows)):
        roster = read_roster(text, wanted)
        aside = [line for line in roster.aside if line.why != HEADING]
        if not roster.faults and not aside and _reads_as(roster.rows, invitation.rows):
            return replace(invitation, rows=tuple(map(_by_read_names, invitation.rows, roster.rows))), text
    return invitation, _as_columns(invitation.rows)


def _as_lines(rows: Sequence[InvitedRow]) -> str:
    """“Ann Hill / Otis Reed”, “Aces – Ann Hill / Otis Reed”, or a name alone."""
    lines = []
    for row in rows:
        players = " / ".join(name for name, _ in row.players)
        lines.append(" – ".join(part for part in (row.name, players) if part))
    return "\n".join(lines)


def _as_columns(rows: Sequence[InvitedRow]) -> str:
    most = max((len(row.players) for row in rows), default=0)
    table = [HEADINGS[: most + 1]]
    table += [(row.name, *(name for name, _ in row.players), *[""] * (most - len(row.players))) for row in rows]
    return "\n".join("\t".join(cells) for cells in table)


def _reads_as(read: Sequence[RosterRow], rows: Sequence[InvitedRow]) -> bool:
    """Whether these are the teams and players that were written, at most with another spelling."""
    if len(read) != len(rows):
        return False
    for one, row in zip(read, rows, strict=True):
        names = one.players or ((one.name,) if row.players else ())
        if row.name and name_key(one.name) != name_key(row.name):
            return False
        if [near_key(name) for name in names] != [near_key(name) for name, _ in row.players]:
            return False
    return True


def _by_read_names(row: InvitedRow, read: RosterRow) -> InvitedRow:
    names = read.players or (read.name,)
    return replace(row, players=tuple((name, pk) for name, (_, pk) in zip(names, row.players, strict=False)))


# The form.


class InvitationForm(PlainForm):
    """Fields that only an event with an invitation has."""

    straight = forms.BooleanField(label="Straight to the bracket, seeded in this order", required=False)
    counts = forms.BooleanField(required=False)

    def __init__(self, season: Season, data: Any = None) -> None:
        super().__init__(data, initial={"straight": True})
        self.fields["counts"].label = f"Counts in {season}"


class InvitedList(RosterForm):
    """The list of an invitation. Its own lines are not questioned, because it is known who is meant."""

    def __init__(self, event: Event, data: Any, files: Any, invitation: Invitation) -> None:
        super().__init__(event, data, files)
        self.invited = {_line_key(row.name, [name for name, _ in row.players]) for row in invitation.rows}

    def clean(self) -> dict[str, Any]:
        """Read the list. A team with fewer players than its side seats is asked about."""
        cleaned = super().clean()
        roster, wanted = self.roster, players_wanted(self.event)
        roster.rows = [replace(row, guessed="") if self._is_invited(row) else row for row in roster.rows]
        for row in roster.rows:
            if wanted > 1 and len(row.players) < wanted:
                named = f"{len(row.players)} of {wanted} players" if row.players else "no players"
                roster.questions.append(f"Row {row.row}: {row.name} has {named}.")
        return cleaned

    def _is_invited(self, row: RosterRow) -> bool:
        as_team, as_players = _line_key(row.name, row.players), _line_key("", row.players or (row.name,))
        return as_team in self.invited or as_players in self.invited


def _line_key(team: str, players: Sequence[str]) -> tuple[str, ...]:
    return (name_key(team), *sorted(map(name_key, players)))


class InvitedEvent(NewEvent):
    """A new event with its invitation: first opened with the `text` of its list, later as it was sent."""

    def __init__(
        self,
        invitation: Invitation,
        data: Any = None,
        files: Any = None,
        *,
        is_draft: bool = False,
        text: str = "",
    ) -> None:
        self.invitation, self.text = invitation, text
        super().__init__(data, files, is_draft=is_draft, initial=_fields_like(invitation.like))
        self.asked = InvitationForm(invitation.season, data)
        # Whether it counts in the season is its own checkbox, and is not set because the last event counts.
        self.event.fields.pop("season", None)

    def _list(self, data: Any, files: Any) -> RosterForm:
        # If the last event's rules stay, its options decide whether a side is full.
        like = self.invitation.like
        if self.blank.sheet == like.sheet:
            self.blank.options = like.options
        if data is not None:
            return InvitedList(self.blank, data, files, self.invitation)
        opened = QueryDict(mutable=True)
        opened["text"] = self.text
        shown = InvitedList(self.blank, opened, None, self.invitation)
        shown.is_valid()
        return shown

    @property
    def is_straight(self) -> bool:
        return bool(self.asked["straight"].value()) and self.event.rules.has_matches

    @property
    def is_ready(self) -> bool:
        is_ready = super().is_ready
        return self._fits() and is_ready

    def _fits(self) -> bool:
        """Whether it can go straight to the bracket, if that is checked; otherwise the reason is shown."""
        if not self.asked.is_valid() or not self.asked.cleaned_data["straight"]:
            return True
        if not self.event.rules.has_matches:
            self.asked.add_error("straight", NO_BRACKET)
        if len(self.list.roster.rows) < 2:
            self.list.roster.faults.append(Fault("text", TOO_FEW))
        if self.event.is_valid() and self.event.cleaned_data.get("pot_cents"):
            self.event.add_error("pot_cents", NO_POT)
        return not (self.asked.errors or self.event.errors or self.list.roster.faults)

    @property
    def fields(self) -> dict[str, Any]:
        """The event's values; straight to the bracket means all of the list, and no other games before."""
        counts = self.asked.cleaned_data["counts"]
        fields = super().fields | {"season": self.invitation.season if counts else None}
        if self.is_straight:
            fields |= {"cut": len(self.list.roster.rows), "rounds_planned": 1}
        return fields

    @property
    def button(self) -> str:
        return "Set up the bracket" if self.is_straight else super().button


def _fields_like(like: Event) -> dict[str, Any]:
    """The initial form: set up like the last event, with its own name and day and nothing played."""
    blank = blank_event()
    fields = event_fields(like)
    return fields | {name: getattr(blank, name) for name in OF_ITS_OWN} | {"season": None}
