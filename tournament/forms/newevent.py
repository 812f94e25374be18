"""A new event on one screen: the event, its pasted list, and what the one button does with both."""

from __future__ import annotations

from typing import Any

from tournament.forms.event import EventForm
from tournament.forms.fields import choice_field, offered
from tournament.forms.upload import RosterForm
from tournament.models import Event
from tournament.queries.draws import ONE_AT_A_TIME
from tournament.queries.events import blank_event, event_fields
from tournament.queries.roster import RosterRow
from tournament.refusals import Refusal


class NewEvent:
    """Two forms that are sent together. A file is shown in the list before anything is done with it."""

    def __init__(self, data: Any = None, files: Any = None, *, is_draft: bool = False) -> None:
        self.event = EventForm(_recalled(data) if is_draft else data, initial=event_fields(blank_event()))
        # The list is read for the game that is chosen now, by an event that nobody has stored.
        self.blank = Event(sheet=self.event.rules.sheet.key, options={})
        self.list = RosterForm(self.blank, data, files)
        self.roster_given = bool(files)
        self.draws = data is not None and "draw" in data

    @property
    def is_ready(self) -> bool:
        """Whether it was sent to be set up, and can be."""
        good = self.event.is_valid() & self.list.is_valid()
        return bool(good and not self.list.roster.faults and not self.roster_given and "check" not in self.event.data)

    @property
    def status(self) -> int:
        """The status of the page: a list that is only to be checked is no fault."""
        if not self.event.is_bound or "check" in self.event.data:
            return 200
        return 200 if self.roster_given and self.event.is_valid() and not self.list.roster.faults else 422

    @property
    def rows(self) -> list[RosterRow]:
        return self.list.roster.rows

    @property
    def button(self) -> str:
        """What the button does: “Set up and draw 6 rounds”."""
        if self.event["movement"].value() == "by-hand":
            return "Set up"
        count = str(self.event["rounds_planned"].value() or "")
        each = self.event["movement"].value() in ONE_AT_A_TIME
        if self.event.rules.singles or not each:
            return f"Set up and draw {count} round{'' if count == '1' else 's'}"
        return "Set up and draw round 1"

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What was said for other games and this one does not ask: it goes along hidden, and is back with them."""
        if not self.event.is_bound:
            return []
        said: Any = self.event.data
        unasked = [name for name in EventForm.base_fields if name not in self.event.fields and said.get(name)]
        aside = [(name, value) for name in ("kept-sheet", "kept-movement") for value in said.getlist(name)]
        return [*((name, said[name]) for name in unasked), *aside]

    def refuse(self, refusal: Refusal) -> int:
        """Show what was refused at the list or at its field; gives the status to answer with."""
        for fault in refusal.faults:
            if fault.field in self.event.fields:
                self.event.add_error(fault.field, fault.text)
            else:
                self.list.roster.faults.append(fault)
        return refusal.status


def _recalled(data: Any) -> Any:
    """What was said, for the game that is chosen now.

    Its sheet is the one that was chosen before another game was, or else its first one; a way to draw that it does not
    have gives way, and is back with a game that has it.
    """
    said = data.copy()
    sheets = [said.get("sheet", ""), *said.getlist("kept-sheet")]
    said["sheet"] = next((sheet for sheet in sheets if _game(sheet) == said.get("game")), sheets[0])
    form = EventForm(said, initial=event_fields(blank_event()))
    said["sheet"] = form.rules.sheet.key
    of_games = {_game(sheet): sheet for sheet in reversed(sheets) if _game(sheet) not in ("", form.rules.game.key)}
    said.setlist("kept-sheet", list(of_games.values()))
    movement = choice_field(form, "movement")
    ways = [way for way in (*said.getlist("kept-movement"), said.get("movement", "")) if way]
    said["movement"] = next((way for way in ways if movement.valid_value(way)), offered(movement)[0][0])
    said.setlist("kept-movement", [way for way in ways if not movement.valid_value(way)][:1])
    return said


def _game(sheet: str) -> str:
    return sheet.partition("/")[0]
