"""A season: events that count together, what its members owe for it, and the partners drawn for it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.event import Event, Season
from tournament.models.stored import Guarded
from tournament.models.team import Person


class Membership(models.Model):
    """A member of a season, who owes its dues. `team` is the fixed team for which the member is listed, by its name."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.RESTRICT, related_name="memberships")
    team = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["season", "person"], name="one_membership_per_person")]

    def __str__(self) -> str:
        return f"{self.person}, {self.season}"


class Dues(Guarded):
    """One line of what a member paid for the season, in whole cents: below zero where it was given back.

    `number` is that of the receipt. `at` is the event at whose desk it was taken, if it was at one. `key` was given by
    the page, so that pressing twice pays once. What was wrong is taken back by a line that `reverses` it.
    """

    # Who pays at an event that is deleted later has paid.
    LOOSE = frozenset({"at_id"})

    season = models.ForeignKey(Season, on_delete=models.RESTRICT, related_name="dues")
    number = models.PositiveIntegerField()
    person = models.ForeignKey(Person, on_delete=models.RESTRICT, related_name="dues")
    cents = models.IntegerField()
    how = models.CharField(max_length=20, blank=True)
    at = models.ForeignKey(Event, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.RESTRICT, related_name="reversed_by"
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    taken_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="one_line_per_receipt"),
            models.CheckConstraint(condition=~Q(cents=0), name="dues_of_something"),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.cents}"

    @property
    def stands(self) -> bool:
        """Whether it is neither taken back nor takes something back; what reverses it is loaded."""
        return self.reverses_id is None and not hasattr(self, "reversed_by")


class PartnerDraw(Guarded):
    """Partners by lot: `pairs` are persons by key, in the order in which they were drawn.

    `again` are the places of those among them that were partners before, because it could not be avoided. `alone` is
    who was left over where the members were an odd number. The same `seed` draws the same members alike.
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
