"""A substitute: from one round on (or for one round only) somebody else sits in a player's place."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from tournament.models.stored import AddOnly
from tournament.models.team import Team


class Substitution(AddOnly):
    """`position` is the place in the team; `to_round` is None where the substitute stays. The latest one counts.

    `by` says who approved it in the words of an event file; otherwise the account says it.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="substitutions")
    position = models.PositiveSmallIntegerField()
    out = models.CharField(max_length=40)
    into = models.CharField(max_length=40)
    from_round = models.PositiveSmallIntegerField()
    to_round = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(from_round__gte=1), name="substitution_from"),
            models.CheckConstraint(
                condition=Q(to_round__isnull=True) | Q(to_round__gte=F("from_round")), name="substitution_to"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.into} for {self.out} in {self.team}"
