"""A tablet that belongs to a table: bound by a card, known by a token of which only the hash is kept."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournament.models.event import Event


class Device(models.Model):
    """`code_hash` is the code on the card until it is used; `token_hash` the key of the tablet that used it.

    A table may have several tablets, told apart by `letter`; one of them `writes`, the others look on. `unsent` and
    `battery` (percent) are what the tablet said of itself when it was last heard of.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="devices")
    table = models.PositiveSmallIntegerField()
    code_hash = models.CharField(max_length=64, blank=True)
    token_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    paired_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    letter = models.CharField(max_length=3, default="A")
    writes = models.BooleanField(default=True)
    unsent = models.PositiveSmallIntegerField(null=True, blank=True)
    battery = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["table", "id"]
        constraints = [
            models.UniqueConstraint(fields=["code_hash"], condition=~Q(code_hash=""), name="one_device_per_code"),
            models.UniqueConstraint(fields=["token_hash"], condition=~Q(token_hash=""), name="one_device_per_token"),
            models.UniqueConstraint(
                fields=["event", "table"],
                condition=Q(revoked_at__isnull=True, writes=True),
                name="one_writer_per_table",
            ),
        ]

    def __str__(self) -> str:
        return f"Tablet of table {self.table}"
