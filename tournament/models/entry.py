"""An entry of a game's sheet. Entries are only added: a correction is a new revision that replaces the old one."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.device import Device
from tournament.models.game import Game
from tournament.models.stored import Guarded
from tournament.phrases import SOURCES

OPENING = "opening"
REMOVED = "removed"
# Why the program itself wrote a line, as it looks at it, with the reason that people read: an end by time follows the
# hand in play; a line was set aside because a correction put it behind the end of the game.
AFTER_HAND, SET_ASIDE = "after-hand", "set-aside"
CAUSES = {AFTER_HAND: "after the hand in play", SET_ASIDE: "Set aside: the game ends before this line"}
# What only a director writes, and takes back.
RULED = frozenset({"ruling", "award", "adjustment"})
KINDS = ("opening", "hand", "void", "ruling", "award", "adjustment", "time", "agreed_stop", "removed")


class Entry(Guarded):
    """`facts` is the entry as the game document has it. Position 0 is an opening carried on from paper.

    An entry counts while no later revision of its position replaces it; “removed” takes a position off the sheet.
    `by` says who wrote it in the words of an event file; otherwise the account or the tablet says it.
    `cause` is a code of CAUSES where the program itself wrote the line; `reason` is for people alone.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="entries")
    position = models.PositiveSmallIntegerField()
    revision = models.PositiveSmallIntegerField(default=0)
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.RESTRICT, related_name="replaced_by"
    )
    kind = models.CharField(max_length=12)
    facts = models.JSONField()
    client_key = models.UUIDField(default=uuid.uuid4, unique=True)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    device = models.ForeignKey(Device, null=True, blank=True, on_delete=models.RESTRICT)
    source = models.CharField(max_length=6, choices=SOURCES.items())
    reason = models.CharField(max_length=200, blank=True)
    cause = models.CharField(max_length=10, blank=True, default="")
    by = models.CharField(max_length=150, blank=True)
    entered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["position", "revision"]
        constraints = [
            models.UniqueConstraint(fields=["game", "position", "revision"], name="one_entry_per_revision"),
            models.CheckConstraint(
                condition=Q(revision=0, replaces__isnull=True) | Q(revision__gte=1, replaces__isnull=False),
                name="a_revision_replaces_one",
            ),
            models.CheckConstraint(condition=Q(kind__in=KINDS), name="entry_kind"),
            models.CheckConstraint(condition=Q(cause__in=("", *CAUSES)), name="entry_cause"),
            models.CheckConstraint(condition=Q(source__in=list(SOURCES)), name="entry_source"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.position} of {self.game}"
