"""What a director types while the event runs: the clock of a round, the projector, the deletion."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms

from tournament.access import Actor
from tournament.errors import Fault, ValidationFailed
from tournament.forms.fields import NameField, PlainForm, whole_number
from tournament.models import Event
from tournament.services.rounds import extend_round, pause_round, resume_round
from tournament.words.phrases import BOARD_SECTIONS


def set_clock(actor: Actor, event: Event, number: int, data: Mapping[str, str]) -> str:
    """Pause, continue, or extend, as the form says. Returns the sentence for the page."""
    what, reason = data.get("what", ""), data.get("reason", "")
    if what == "pause":
        pause_round(actor, event, number, reason)
        return "The clock is stopped."
    if what == "resume":
        resume_round(actor, event, number)
        return "The clock is running again."
    if what == "extend":
        added = _minutes(data["added"]) if "added" in data else None
        extend_round(actor, event, number, _minutes(data.get("minutes", "")), reason, added=added)
        return "The length of the game was changed."
    raise ValidationFailed([Fault("what", "Pause, continue or extend?")])


def _minutes(text: str) -> int:
    return whole_number(text, -999, 999) or 0


class BoardForm(PlainForm):
    """What the hall's board shows."""

    shows = forms.ChoiceField(choices=BOARD_SECTIONS.items())


class WordForm(PlainForm):
    """A line to the hall, and for how many minutes; an empty line removes the current one."""

    word = NameField(label="To the hall", free=True, max_length=80, required=False)
    minutes = forms.TypedChoiceField(choices=[(n, f"{n} min") for n in (10, 20, 30, 60)], coerce=int, initial=20)


class DeletionForm(PlainForm):
    """The name of the event to delete, typed to confirm."""

    name = forms.CharField(label="Type the event’s name to delete it", max_length=60)
