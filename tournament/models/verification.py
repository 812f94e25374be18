"""A second person's look at a sheet that was typed from paper: accepted, or rejected with a reason."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.game import Game
from tournament.models.stored import Guarded


class Verification(Guarded):
    """`code` is the fingerprint of the sheet that was compared with its paper: a later entry asks for a new look."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="verifications")
    code = models.CharField(max_length=16)
    accepted = models.BooleanField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    name = models.CharField(max_length=40)
    reason = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(code=""), name="a_verification_names_its_sheet"),
            models.CheckConstraint(condition=Q(accepted=True) | ~Q(reason=""), name="a_rejection_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{'Verified' if self.accepted else 'Rejected'} by {self.name}: {self.game}"
