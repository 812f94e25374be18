"""What a tablet sent, whatever became of it: written on the sheet, or kept for the desk to decide."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.models.device import Device
from tournament.models.event import Event
from tournament.models.game import Game
from tournament.words.held import STATUSES, reasons_text

PARKED, APPLIED, REPLACED, DISCARDED = "parked", "applied", "replaced", "discarded"


class Submission(models.Model):
    """`uid` was given by the tablet, so that the same thing sent twice counts once; `digest` is of its content.

    `after` is what the same tablet wrote just before on the same game. `code` says in one word why it is parked;
    `reasons` keeps what people read of it, as codes and values of `words/held.py`.
    `claimed_at` is the tablet's own clock: information, never used for order.
    """

    uid = models.UUIDField(unique=True)
    digest = models.CharField(max_length=64)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="submissions")
    device = models.ForeignKey(Device, on_delete=models.RESTRICT, related_name="submissions")
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="submissions")
    kind = models.CharField(max_length=10)
    after = models.UUIDField(null=True, blank=True)
    body = models.JSONField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    received_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, choices=STATUSES.items())
    code = models.CharField(max_length=20, blank=True)
    reasons = models.JSONField(default=list, blank=True)
    field = models.CharField(max_length=40, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    decided_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["event", "status"], name="submission_by_status")]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=[PARKED, APPLIED, REPLACED, DISCARDED]), name="submission_status"
            ),
            models.CheckConstraint(condition=~Q(status=PARKED) | ~Q(code=""), name="a_parked_one_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.device}"

    @property
    def reason(self) -> str:
        return reasons_text(self.reasons)
