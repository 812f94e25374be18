"""What was printed: noted in the journal by the codes of the sheets, so that only what is new is printed again."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from tournament.access import Actor
from tournament.models import Event
from tournament.services.journal import note


def note_printed(actor: Actor, event: Event, codes: Sequence[str]) -> None:
    """Note that these sheets were printed as they stood. Nothing that is shown changes: the version stays."""
    if codes:
        with transaction.atomic():
            text = f"{len(codes)} score sheet{'s' if len(codes) > 1 else ''} printed"
            note(actor, event, "print", "event", event.pk, text, after={"codes": list(codes)})
