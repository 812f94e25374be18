"""A team of an event and its players. In games without partners a team is one player."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournament.models.event import Event
from tournament.phrases import TEAM_STATES


class Team(models.Model):
    """`key` is the name as people read it, so that no two teams look alike. `left_after` is the last round played."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=40)
    key = models.CharField(max_length=160)
    city = models.CharField(max_length=40, blank=True)
    club = models.CharField(max_length=40, blank=True)
    paid = models.BooleanField(default=False)
    in_pot = models.BooleanField(default=False)
    status = models.CharField(max_length=12, choices=TEAM_STATES.items(), default="playing")
    left_after = models.PositiveSmallIntegerField(null=True, blank=True)
    joined_in = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_team_per_number"),
            models.UniqueConstraint(fields=["event", "key"], name="one_team_per_name"),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=9999), name="team_number"),
            models.CheckConstraint(condition=~Q(name=""), name="team_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class Player(models.Model):
    """A player of a team, in the order in which the team is seated."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="players")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    key = models.CharField(max_length=160)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["team", "position"], name="one_player_per_place")]

    def __str__(self) -> str:
        return self.name
