"""An event: one tournament of a club, who runs it, and the tablets at its tables."""

from __future__ import annotations

import secrets
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.pairing.bracket import PLACES_TO, Form
from tournament.words.phrases import (
    BOARD_SECTIONS,
    EVENT_STAGES,
    LOSERS,
    MOVEMENTS,
    NAMES_SHOWN,
    SECOND_LOSERS,
    VERIFY_CLOSING,
)

# A code on the wall has no letters and digits that look alike.
WALL_LETTERS, WALL_CODE_LONG = "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 6


def _seed() -> int:
    return secrets.randbelow(1_000_000)


def new_wall_code() -> str:
    return "".join(secrets.choice(WALL_LETTERS) for _ in range(WALL_CODE_LONG))


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Season(models.Model):
    """Events of the club that count together. Its table is computed from their final places and not stored.

    `scheme` says what points are given for: its keys and their values are those of `scoring/standings/season.py`.
    `time_zone` is not stored: code that reads the season sets it to that of the hall where it is played. A season may
    be `within` another one, as a month within the year: its events count in both. `told` is whether the owner has seen
    what a newer version counts differently. After a restore its own receipts continue at `receipts_from`.

    `version` rises with every write that shows in its table, or in that of a season around it or within it: caches
    depend on it. An event that is in play raises only its own version.
    """

    time_zone = "America/New_York"

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=60)
    scheme = models.JSONField(default=dict)
    dues_cents = models.PositiveIntegerField(default=0)
    currency = models.CharField(max_length=3, default="$")
    paper = models.CharField(max_length=10, choices=[("letter", "Letter"), ("a4", "A4")], default="letter")
    within = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="parts")
    receipts_from = models.PositiveIntegerField(default=1, editable=False)
    told = models.BooleanField(default=True, editable=False)
    version = models.PositiveBigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    """`options` holds the chosen options of the rule sheet; `version` rises with every write.

    `stage_options` are those of the playoffs, and of the round of the final, if they differ: {"playoff": {…}, "final":
    {…}}. The final uses those of the playoffs if it has none of its own.

    `public_version` rises with every write that a public page may show: caches depend on it.

    `cut` is how many reach the playoffs, if that is known; with `no_playoffs` the first place is the champion. With
    `stakes_apart` teams that are through or out play each other in the last qualifying game, if it is drawn by record.
    `losers` is what those who lose a match there play, down to the place `places_to`. As many as `second` of those who
    miss the cut play the second bracket, whose losers play `second_losers`.

    `printed` is written at the first start: the value of every option as the sheet printed it then, as canonical JSON.
    With `options` it is everything that the event is played by, whatever a later version prints. It is text instead of
    a JSON field: it is the key of the cache of rules, and a row read along with every game need not be parsed. `prizes`
    is the payout table: {"by": "place", "prizes": [cents, …]} or {"by": "percent", "percent": ["50", …], "purse":
    cents}. `odd_to_lowest`: an event that started before odd cents of shared sums were given out one each gives all of
    them to the lowest number. `board_shows` is what the director has on the hall's board. `by_number` is whether the
    rounds were last drawn by the numbers of the teams instead of by lot. `ran_by` are officials whom only the event
    file names, as [name, role]: they have no account here and no rights. `word` is a line from the desk to the whole
    hall, shown until `word_until`. An archived event is off the site's front page. `room_until` is when the hall
    closes, by its own clock: that evening, or in the night that follows.

    `names` is how the public reads players' names. Players enter themselves from `entries_from` until `entries_until`,
    at most `entry_limit` teams; `entries_wait` for the desk, and `entry_words` say how the fee is paid. `checks_in` is
    whether teams check in before game 1. A phone that sends its `wall_code` is in the hall: only officials read it
    here. What it brings to a `season` counts once the event is over, `counts` times. `places_no_shows`: teams that
    never came have a place, because the event was over and printed before that was changed.

    After a restore receipts continue at `receipts_from`: no number that was given out since the copy is used again.
    `since_copy` is what that copy held, until somebody has checked what may be missing.
    """

    # An address that is made from a name never begins with it.
    REHEARSAL = "_"

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=60)
    date = models.DateField()
    place = models.CharField(max_length=60, blank=True)
    time_zone = models.CharField(max_length=40, default="America/New_York")
    sheet = models.CharField(max_length=60, default="bid_whist/no-kitty-2021")
    options = models.JSONField(default=dict, blank=True)
    stage_options = models.JSONField(default=dict, blank=True)
    printed = models.TextField(blank=True, editable=False)
    rounds_planned = models.PositiveSmallIntegerField(default=6)
    movement = models.CharField(max_length=20, choices=MOVEMENTS.items(), default="moving")
    keep_apart = models.BooleanField(default=False)
    stakes_apart = models.BooleanField(default=False)
    seed = models.PositiveIntegerField(default=_seed)
    by_number = models.BooleanField(default=False)
    fee_cents = models.PositiveIntegerField(default=0)
    pot_cents = models.PositiveIntegerField(default=0)
    currency = models.CharField(max_length=3, default="$")
    cut = models.PositiveSmallIntegerField(null=True, blank=True)
    no_playoffs = models.BooleanField(default=False)
    best_of = models.PositiveSmallIntegerField(default=1)
    losers = models.CharField(max_length=11, choices=LOSERS.items(), default="out")
    places_to = models.PositiveSmallIntegerField(default=2)
    second = models.PositiveSmallIntegerField(null=True, blank=True)
    second_losers = models.CharField(max_length=11, choices=SECOND_LOSERS.items(), default="out")
    paper = models.CharField(max_length=10, choices=[("letter", "Letter"), ("a4", "A4")], default="letter")
    verify_own = models.BooleanField(default=False)
    verify_closing = models.CharField(max_length=6, choices=VERIFY_CLOSING.items(), default="warns")
    prizes = models.JSONField(default=dict, blank=True)
    odd_to_lowest = models.BooleanField(default=False, editable=False)
    ran_by = models.JSONField(default=list, blank=True)
    board_shows = models.CharField(max_length=10, choices=BOARD_SECTIONS.items(), default="turns")
    stage = models.CharField(max_length=10, choices=EVENT_STAGES.items(), default="setup")
    frozen_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveBigIntegerField(default=0)
    public_version = models.PositiveBigIntegerField(default=0)
    epoch = models.UUIDField(default=uuid.uuid4, editable=False)
    receipts_from = models.PositiveIntegerField(default=1, editable=False)
    since_copy = models.JSONField(default=dict, blank=True, editable=False)
    word = models.CharField(max_length=80, blank=True)
    word_until = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    room_until = models.TimeField(null=True, blank=True)
    names = models.CharField(max_length=7, choices=NAMES_SHOWN.items(), default="full")
    entries_from = models.DateTimeField(null=True, blank=True)
    entries_until = models.DateTimeField(null=True, blank=True)
    entry_limit = models.PositiveSmallIntegerField(null=True, blank=True)
    entries_wait = models.BooleanField(default=True)
    entry_words = models.CharField(max_length=200, blank=True)
    checks_in = models.BooleanField(default=False)
    wall_code = models.CharField(max_length=WALL_CODE_LONG, default=new_wall_code, editable=False)
    season = models.ForeignKey(Season, null=True, blank=True, on_delete=models.SET_NULL, related_name="events")
    counts = models.PositiveSmallIntegerField(default=1)
    places_no_shows = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-date", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(rounds_planned__gte=1, rounds_planned__lte=60), name="event_rounds"),
            models.CheckConstraint(condition=Q(stage__in=list(EVENT_STAGES)), name="event_stage"),
            models.CheckConstraint(condition=Q(frozen_at__isnull=True) | ~Q(printed=""), name="event_keeps_its_rules"),
            models.CheckConstraint(condition=Q(board_shows__in=list(BOARD_SECTIONS)), name="event_board_shows"),
            models.CheckConstraint(condition=Q(cut__isnull=True) | Q(cut__gte=2), name="event_cut"),
            models.CheckConstraint(condition=Q(best_of__in=[1, 3, 5, 7]), name="event_best_of"),
            models.CheckConstraint(condition=Q(losers__in=list(LOSERS)), name="event_losers"),
            models.CheckConstraint(condition=Q(places_to__in=list(PLACES_TO)), name="event_places_to"),
            models.CheckConstraint(condition=Q(second__isnull=True) | Q(second__gte=2), name="event_second"),
            models.CheckConstraint(condition=Q(second_losers__in=list(SECOND_LOSERS)), name="event_second_losers"),
            models.CheckConstraint(condition=Q(names__in=list(NAMES_SHOWN)), name="event_names"),
            models.CheckConstraint(condition=Q(entry_limit__isnull=True) | Q(entry_limit__gte=1), name="event_limit"),
            models.CheckConstraint(condition=Q(verify_closing__in=list(VERIFY_CLOSING)), name="event_verify_closing"),
            models.CheckConstraint(condition=Q(counts__lte=9), name="event_counts"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_rehearsal(self) -> bool:
        """Whether it is a copy to be thrown away, which only its officials see."""
        return self.slug.startswith(self.REHEARSAL)

    @property
    def playoff_form(self) -> Form:
        """The form of its bracket, if as many as were planned play the second one."""
        return Form(self.losers, self.places_to, self.second or 0, self.second_losers)

    @property
    def takes_entries(self) -> bool:
        """Whether players can enter themselves now: between the times that were set, until game 1 starts."""
        if self.entries_from is None or self.stage != "setup" or self.archived_at or self.is_rehearsal:
            return False
        return self.entries_from <= timezone.now() and not self.entries_are_over

    @property
    def entries_are_over(self) -> bool:
        """Whether self-entry is closed."""
        over = self.entries_until is not None and self.entries_until <= timezone.now()
        return over or self.stage != "setup" or self.archived_at is not None

    @property
    def compares_paper(self) -> bool:
        """Whether a second person compares what was typed from paper; somebody who runs an event alone is not asked."""
        return not self.verify_own

    @property
    def hall_word(self) -> str:
        """The desk's current message to the hall."""
        return self.word if self.word_until and self.word_until > timezone.now() else ""


class Official(models.Model):
    ROLES = (("director", "Director"), ("verifier", "Verifier"))

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="officials")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="offices")
    role = models.CharField(max_length=10, choices=ROLES)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="one_office_per_event")]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()}"


# A tablet that belongs to a table: bound by a card, known by a token of which only the hash is stored.


class Device(models.Model):
    """`code_hash` is the code on the card until it is used; `token_hash` the key of the tablet that used it.

    A table may have several tablets, distinguished by `letter`; one of them `writes`, the others only show the sheet.
    `unsent` and `battery` (percent) are what the tablet last reported about itself.
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


# The installation: its name lets a tablet tell this site from another one in the same hall.


class Installation(models.Model):
    """One row, so that the name is in every backup: what tablets keep belongs to the site, not to a laptop.

    `epoch` is that of the last restore; its `secret` shows a laptop that one with the same rows began it. `address` is
    where the site was last served for a hall.
    """

    name = models.CharField(max_length=16)
    epoch = models.UUIDField(null=True, blank=True, editable=False)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    address = models.CharField(max_length=80, blank=True, editable=False)

    def __str__(self) -> str:
        return self.name
