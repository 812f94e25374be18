"""Rows that are only ever added: the log, and what the director decided about the playoffs."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.event import Device, Event
from tournament.words import journal as words
from tournament.words.phrases import BY_PHONE

# The author of a row: a person with an account, a table's tablet, or a name from an event file.


def author(by: str, person: User | None = None, device: Device | None = None) -> str:
    """The name as the log and files have it; empty if nobody is known."""
    if by:
        return by
    if person is not None:
        return person.get_username()
    return f"Table {device.table}" if device is not None else ""


def shown_author(by: str, person: User | None = None, device: Device | None = None) -> str:
    """The author as people read it on a sheet: officials by their own name if the account has one."""
    return (not by and person is not None and person.get_full_name()) or author(by, person, device)


# Rows that are only ever added: what happened stays as it was written.


Row = TypeVar("Row", bound=models.Model, covariant=True)


class AddOnlyQuerySet(models.QuerySet[Row]):
    """A query set that can read and add; changing or deleting rows is a programming error."""

    def update(self, **fields: Any) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never changed.")

    def delete(self) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never deleted.")


class AddOnly(models.Model):
    """A row that is written once."""

    objects = AddOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted.")


class Guarded(AddOnly):
    """A row that the database itself refuses to change or delete, except for the fields in `LOOSE`."""

    LOOSE: frozenset[str] = frozenset()

    class Meta:
        abstract = True


# The journal: who did what, when, from where, and what it was before and after.


class Journal(Guarded):
    """One act. `noun` and `key` name its object; `code` and `facts` describe it, in the words of `words/journal.py`.

    `by` says who it was if it came in an event file; otherwise the account or the tablet does. An act from an address
    without either came from a player's phone.
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

    @property
    def who(self) -> str:
        """Who did it; empty for acts of the program. Somebody without account and tablet is a player."""
        known = author(self.by, self.user, self.device)
        return known or (BY_PHONE if self.address else "")

    @property
    def was(self) -> object:
        """The state before the act: in its words, otherwise as it was stored."""
        before, _ = words.before_and_after(self.action, self.code, self.facts)
        return self.before if before is None else before

    @property
    def became(self) -> object:
        """What it was after the act."""
        _, after = words.before_and_after(self.action, self.code, self.facts)
        return self.after if after is None else after


# The site's log: what happened to whole events. It outlives them.


class SiteAct(Guarded):
    """An event was archived, taken out of the archive, or deleted: its name and address are kept as they were.

    So are those of a season that was set up, changed, or deleted.

    Persons are named only by their numbers, so that a deleted name is nowhere.
    """

    ACTIONS = {
        "archive": "archived",
        "return": "taken out of the archive",
        "delete": "deleted",
        "new": "set up",
        "change": "changed",
        "merge": "merged",
        "part": "parted",
        "forget": "deleted",
        "dues": "paid dues",
        "dues-back": "got dues back",
        "partners": "drawn by lot",
    }

    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    address = models.CharField(max_length=45, blank=True)
    action = models.CharField(max_length=10, choices=ACTIONS.items())
    event = models.CharField(max_length=60)
    slug = models.SlugField(max_length=60)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.event} {self.get_action_display()}"


# What the director decided about the playoffs: the order of tied teams, and what becomes of games already played.


class Decision(Guarded):
    """`teams` are team numbers, for lots in the order in which they were drawn; the same `seed` draws the same lots.

    With lots for a bye they are the seeds of a small bracket, whose games are tie-break games of the same number.

    `number` counts decisions and tie-break games together, because the latest one about the same teams counts. `by`
    says who made it if it came in an event file; otherwise the account does.
    """

    METHODS = (
        ("lots", "Drawing of lots"),
        ("head-to-head", "Their games against each other"),
        ("bye", "Lots for a bye, then games"),
    )

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="decisions")
    number = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=14, choices=METHODS)
    teams = models.JSONField()
    seed = models.PositiveIntegerField(null=True, blank=True)
    witness = models.CharField(max_length=40, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_decision_per_number"),
            models.CheckConstraint(condition=Q(method__in=["lots", "head-to-head", "bye"]), name="decision_method"),
        ]

    def __str__(self) -> str:
        return f"{self.get_method_display()}: {', '.join(str(number) for number in self.teams)}"


class Placing(Guarded):
    """What was drawn from results, and what the director decided when these changed.

    drawn: `before` are the seeds of the bracket (“seeds”), or the pairs of a round (“R2”). keep, replay: a corrected
    match, the seeds, a round or a tie-break (“T1”) now comes to `after` in place of `before`; keep leaves it as it was,
    replay makes it again. A decision is about exactly this change: if the result changes again, it is asked again. out:
    both teams (`before`) of a match that nobody won go no further; in takes that back.
    """

    KINDS = (("drawn", "Drawn"), ("keep", "Keep"), ("replay", "Replay"), ("out", "Both out"), ("in", "Both back in"))

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="placings")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=KINDS)
    source = models.CharField(max_length=12)
    before = models.JSONField()
    after = models.JSONField(default=list)
    reason = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=150, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_placing_per_number"),
            models.CheckConstraint(condition=Q(kind__in=["drawn", "keep", "replay", "out", "in"]), name="placing_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.source}"
