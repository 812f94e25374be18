"""A side's signature under the sheet it saw. A later entry changes the sheet's code, and the signature with it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.device import Device
from tournament.models.game import Game
from tournament.models.stored import Guarded
from tournament.phrases import SIGNED_HOW


class Signature(Guarded):
    """`code` is the fingerprint of the sheet that was signed. A witness signs for a side with a reason.

    `how` says that the side signed on paper, as the witness saw, or that a signature was taken back: a row of its own
    behind it, so that the last `revision` is what stands. `by` is the witness in the words of an event file; otherwise
    the account says it.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="signatures")
    side = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=16)
    name = models.CharField(max_length=40)
    witness = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    device = models.ForeignKey(Device, null=True, blank=True, on_delete=models.RESTRICT)
    reason = models.CharField(max_length=200, blank=True)
    how = models.CharField(max_length=5, choices=SIGNED_HOW.items(), blank=True)
    revision = models.PositiveSmallIntegerField(default=0)
    by = models.CharField(max_length=150, blank=True)
    signed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["signed_at"]
        constraints = [
            models.UniqueConstraint(fields=["game", "side", "code", "revision"], name="one_signature_per_side"),
            models.CheckConstraint(condition=Q(how__in=["", *SIGNED_HOW]), name="signature_how"),
            models.CheckConstraint(condition=~Q(code=""), name="a_signature_names_its_sheet"),
        ]

    def __str__(self) -> str:
        return f"{self.name} under {self.game}"
