"""A game: the hands of one table until somebody wins; its sides; and the table's call for the director."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.round import Round
from tournament.models.team import Team
from tournament.phrases import CALLED, CALLS, GAME_STATES


class Game(models.Model):
    """`match` names the bracket match in the playoffs, `leg` the game within it.

    `first_dealer` is a seat; `begun_at` is when the table named it, with everybody seated: from then on hands are
    written.

    `version` rises with every entry and signature, so that two screens notice each other.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="games")
    table = models.PositiveSmallIntegerField()
    match = models.CharField(max_length=12, blank=True)
    leg = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=GAME_STATES.items(), default="planned")
    first_dealer = models.PositiveSmallIntegerField(default=0)
    begun_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    last_entry_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round__number", "table", "leg"]
        constraints = [
            models.UniqueConstraint(fields=["round", "table", "leg"], name="one_game_per_table"),
            models.CheckConstraint(condition=Q(state__in=list(GAME_STATES)), name="game_state"),
        ]

    def __str__(self) -> str:
        return f"Table {self.table}, {self.round}"


class Side(models.Model):
    """A team at a table. Side 0 stays where it sits; seat i belongs to side i mod the number of sides."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sides")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="+")
    leg = models.PositiveSmallIntegerField(default=1)
    index = models.PositiveSmallIntegerField()
    team = models.ForeignKey(Team, on_delete=models.RESTRICT, related_name="sides")
    seated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["game", "index"], name="one_team_per_side"),
            models.UniqueConstraint(fields=["round", "team", "leg"], name="one_table_per_team_and_round"),
        ]

    def __str__(self) -> str:
        return f"{self.team} at {self.game}"


class Call(models.Model):
    """A table calls the director. At most one call of a game is open."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=10, choices=CALLS.items())
    called_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["called_at"]
        constraints = [
            models.UniqueConstraint(fields=["game"], condition=Q(answered_at__isnull=True), name="one_open_call"),
            models.CheckConstraint(condition=Q(kind__in=list(CALLS)), name="call_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} at {self.game}"

    @property
    def said(self) -> str:
        """What it is about, as a sentence."""
        return CALLED[self.kind]
