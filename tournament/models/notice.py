"""A notice to a team: shown on its page and at its table until somebody there has read it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournament.models.device import Device
from tournament.models.game import Game
from tournament.models.team import Team
from tournament.words import notices


class Notice(models.Model):
    """`game` is what it is about; `seen_at` when it was acknowledged, at a table or by an official."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="notices")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notices")
    code = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    made_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    seen_on = models.ForeignKey(Device, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["made_at", "id"]

    def __str__(self) -> str:
        return f"To {self.team}: {self.text}"

    @property
    def text(self) -> str:
        return notices.text(self.code, self.facts)
