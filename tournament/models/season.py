"""Who belongs to a season, and the partners that were drawn for it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournament.models.event import Season
from tournament.models.stored import Guarded
from tournament.models.team import Person


class Membership(models.Model):
    """A member of a season, who owes its dues. `team` is the name of the member's fixed team."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.RESTRICT, related_name="memberships")
    team = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["season", "person"], name="one_membership_per_person")]

    def __str__(self) -> str:
        return f"{self.person}, {self.season}"


class PartnerDraw(Guarded):
    """Partners by lot: `pairs` are persons by key, in the order in which they were drawn.

    `again` are the positions of pairs that were partners before, because it could not be avoided. `alone` is who was
    left over if the number of members was odd. The same `seed` draws the same members alike.
    """

    season = models.ForeignKey(Season, on_delete=models.RESTRICT, related_name="draws")
    number = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField()
    pairs = models.JSONField()
    again = models.JSONField(default=list)
    alone = models.ForeignKey(Person, null=True, blank=True, on_delete=models.RESTRICT, related_name="+")
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    drawn_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="one_draw_per_number")]

    def __str__(self) -> str:
        return f"Partners, draw {self.number} of {self.season}"
