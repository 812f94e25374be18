"""A round: the slot in which every table plays one game; and the teams that sit out."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournament.models.event import Event
from tournament.models.team import Team
from tournament.pairing.words import Note
from tournament.phrases import ROUND_STATES, STAGES


class Round(models.Model):
    """`notes` holds what the draw could not avoid, each as the `row` of a Note.

    `by_hand` says that a director seated its tables.

    The clock runs from `started_at`, without `paused_seconds` and the time since `paused_at`, and rings `extra_seconds`
    later than the rule sheet says. `time_called_at` is when the director told all tables that time is up.

    `version` rises with every result of its games that everybody sees.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=10, choices=STAGES.items(), default="qualifying")
    title = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=10, choices=ROUND_STATES.items(), default="planned")
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    notes = models.JSONField(default=list, blank=True)
    by_hand = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(default=0)
    extra_seconds = models.IntegerField(default=0)
    time_called_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number"),
            models.UniqueConstraint(
                fields=["event"],
                condition=Q(state="running", stage__in=["qualifying", "playoff"]),
                name="one_running_round",
            ),
            models.CheckConstraint(condition=Q(state__in=list(ROUND_STATES)), name="round_state"),
        ]

    def __str__(self) -> str:
        return self.title or f"Game {self.number}"

    @property
    def noted(self) -> tuple[Note, ...]:
        return tuple(Note.from_row(row) for row in self.notes)


class Bye(models.Model):
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    team = models.ForeignKey(Team, on_delete=models.RESTRICT, related_name="byes")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "team"], name="one_bye_per_round")]

    def __str__(self) -> str:
        return f"{self.team} has a bye"
