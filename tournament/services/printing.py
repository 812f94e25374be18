"""What was printed: noted in the journal, so that sheets are printed once and a new draw says what it spoils."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from django.db import OperationalError, transaction

from tournament.access import Actor
from tournament.models import Event, Journal
from tournament.services.journal import note
from tournament.words.forms import PAPERS


def note_printed(actor: Actor, event: Event, codes: Sequence[str]) -> None:
    """Note that these sheets were printed as they stood. Nothing that is shown changes: the version stays."""
    if codes:
        with transaction.atomic():
            said = {"sheets": len(codes)}
            note(actor, event, "print", "event", event.pk, "sheets", said, after={"codes": list(codes)})


def note_papers(actor: Actor, event: Event, papers: Collection[str]) -> None:
    """Note that papers of the draw were printed, once for each draw. They come even where nothing can be noted."""
    said = {"papers": [name for name in PAPERS if name in papers]}
    if not said["papers"]:
        return
    with suppress(OperationalError), transaction.atomic():
        acts = Journal.objects.filter(event=event)
        drawn = acts.filter(action="draw").order_by("-pk").values_list("pk", flat=True).first() or 0
        if not acts.filter(action="print", facts=said, pk__gt=drawn).exists():
            note(actor, event, "print", "event", event.pk, "papers", said)
