"""What is done to a round's clock at the desk."""

from __future__ import annotations

from collections.abc import Mapping

from tournament.access import Actor
from tournament.models import Event
from tournament.refusals import Fault, Invalid
from tournament.services.clock import extend_round, pause_round, resume_round


def set_clock(actor: Actor, event: Event, number: int, data: Mapping[str, str]) -> str:
    """Pause, continue or extend, as the form says; gives the sentence for the page."""
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
        return "The length of the round was changed."
    raise Invalid([Fault("what", "Pause, continue or extend?")])


def _minutes(text: str) -> int:
    digits = text.strip().replace("\N{MINUS SIGN}", "-")
    whole = digits.removeprefix("-")
    return int(digits) if whole.isascii() and whole.isdigit() and len(whole) < 4 else 0
