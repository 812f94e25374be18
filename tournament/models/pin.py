"""The PIN with which a team signs, where the event asks for one: only its hash is kept."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournament.models.team import Team


class Pin(models.Model):
    """A team has one PIN at a time: a new one takes the place of the old one, which works no more."""

    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="pin")
    hash = models.CharField(max_length=128)
    given_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(hash=""), name="a_pin_has_a_hash")]

    def __str__(self) -> str:
        return f"PIN of {self.team}"
