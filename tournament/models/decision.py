"""What the director decided about the playoffs: the order of level teams, and what becomes of games played already."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.event import Event
from tournament.models.stored import Guarded


class Decision(Guarded):
    """`teams` are team numbers, for lots in the order in which they were drawn; the same `seed` draws the same lots.

    With lots for a bye they are the seeds of a small bracket, whose games are tie-break games of the same number.

    `number` counts decisions and tie-break games together, because the latest one about the same teams counts. `by`
    says who made it in the words of an event file; otherwise the account says it.
    """

    METHODS = (
        ("lots", "Drawing of lots"),
        ("head-to-head", "Their games against each other"),
        ("bye", "Lots for a bye, then games"),
    )

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="decisions")
    number = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=14, choices=METHODS)
    teams = models.JSONField()
    seed = models.PositiveIntegerField(null=True, blank=True)
    witness = models.CharField(max_length=40, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_decision_per_number"),
            models.CheckConstraint(condition=Q(method__in=["lots", "head-to-head", "bye"]), name="decision_method"),
        ]

    def __str__(self) -> str:
        return f"{self.get_method_display()}: {', '.join(str(number) for number in self.teams)}"


class Placing(Guarded):
    """What the director decided about the bracket after a correction, and the seeds with which it was drawn.

    drawn: `before` are the seeds of the first draw. keep, replay: a corrected match (or the “seeds”) now puts `after`
    into the slot where `before` had gone on; keep leaves it as it was played, replay has the later games played anew.
    A decision is about exactly this change: where the result changes once more, it is asked again.
    out: both teams (`before`) of a match that nobody won go no further; in takes that back.
    """

    KINDS = (("drawn", "Drawn"), ("keep", "Keep"), ("replay", "Replay"), ("out", "Both out"), ("in", "Both back in"))

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="placings")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=KINDS)
    source = models.CharField(max_length=12)
    before = models.JSONField()
    after = models.JSONField(default=list)
    reason = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=150, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_placing_per_number"),
            models.CheckConstraint(condition=Q(kind__in=["drawn", "keep", "replay", "out", "in"]), name="placing_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.source}"
