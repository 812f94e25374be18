"""What a game's entries come to: a cache that can be thrown away and made again from them."""

from __future__ import annotations

from django.db import models

from tournament.models.game import Game


class Result(models.Model):
    """One list per fact, one value per side. `code` is the fingerprint of the sheet it was computed from."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="result")
    over = models.BooleanField(default=False)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    how = models.CharField(max_length=20, blank=True)
    rule = models.CharField(max_length=40, blank=True)
    points = models.JSONField(default=list)
    scores = models.JSONField(default=list)
    sets = models.JSONField(default=list)
    bostons = models.JSONField(default=list)
    hands = models.PositiveSmallIntegerField(default=0)
    code = models.CharField(max_length=16)

    def __str__(self) -> str:
        return f"Result of {self.game}"
