"""The journal: who did what, when, from where, and what it was before and after."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournament.models.device import Device
from tournament.models.event import Event
from tournament.models.stored import Guarded
from tournament.words import journal as words


class Journal(Guarded):
    """One act. `noun` and `key` name what was acted on; `code` and `facts` say it, in the words of `words/journal.py`.

    `by` says who it was in the words of an event file; otherwise the account or the tablet says it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="journal")
    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    device = models.ForeignKey(Device, null=True, blank=True, on_delete=models.RESTRICT)
    by = models.CharField(max_length=150, blank=True)
    address = models.CharField(max_length=45, blank=True)
    action = models.CharField(max_length=30)
    noun = models.CharField(max_length=20)
    key = models.CharField(max_length=40, blank=True)
    code = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        return words.text(self.action, self.code, self.facts)
