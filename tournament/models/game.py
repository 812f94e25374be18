"""A round with its games: sides, entries of the sheet, signatures, results, and what tablets sent."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournament.models.event import Device, Event
from tournament.models.stored import Guarded, shown_author
from tournament.models.team import Team
from tournament.pairing.plan import Note
from tournament.words.journal import notice_text
from tournament.words.phrases import (
    BY_IMPORT,
    CALLED,
    CALLS,
    GAME_STATES,
    NOT_SEATED,
    ON_THE_WAY,
    ROUND_STATES,
    SIGNED_HOW,
    SOURCES,
    STAGES,
    TOLD,
)
from tournament.words.sentences import STATUSES, reasons_text

# A round: the slot in which every table plays one game; and the teams that sit out.


class Round(models.Model):
    """`notes` holds what the draw could not avoid, each as the `row` of a Note.

    `by_hand` means that a director seated its tables. `options` are those of the rule sheet by which its games are
    played instead of the event's: those of its stage at the time of the draw.

    The clock runs from `started_at`, without `paused_seconds` and the time since `paused_at`, and rings `extra_seconds`
    later than the rule sheet says. `time_called_at` is when the director told all tables that time is up.
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
    options = models.JSONField(default=dict, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(default=0)
    extra_seconds = models.IntegerField(default=0)
    time_called_at = models.DateTimeField(null=True, blank=True)

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
    def inside(self) -> str:
        """Its name inside a sentence: game 5, the final."""
        return str(self)[:1].lower() + str(self)[1:]

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


# A game: the hands of one table until somebody wins; its sides; and the table's call for the director.


def is_here(last_entry_at: object, seated_at: object) -> bool:
    """Whether a side was tapped as seated, or play has begun: nobody writes a hand with an empty seat."""
    return bool(last_entry_at or seated_at)


class Game(models.Model):
    """`match` names the bracket match in the playoffs, `leg` the game within it.

    `first_dealer` is a seat; `begun_at` is when the table named it, with everybody seated: from then on hands are
    written.

    `version` rises with every entry and signature, so that two screens notice each other.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="games")
    table = models.PositiveSmallIntegerField()
    match = models.CharField(max_length=12, blank=True)
    leg = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=GAME_STATES.items(), default="planned")
    first_dealer = models.PositiveSmallIntegerField(default=0)
    begun_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    last_entry_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round__number", "table", "leg"]
        constraints = [
            models.UniqueConstraint(fields=["round", "table", "leg"], name="one_game_per_table"),
            models.CheckConstraint(condition=Q(state__in=list(GAME_STATES)), name="game_state"),
        ]

    def __str__(self) -> str:
        return f"Table {self.table}, {self.round}"

    @property
    def waits_for_seats(self) -> bool:
        sides = self.sides.all()
        return self.state == "playing" and not all(is_here(self.last_entry_at, side.seated_at) for side in sides)

    @property
    def state_words(self) -> str:
        """What its table is doing, the same on every page: nothing is played before everybody is seated."""
        return NOT_SEATED if self.waits_for_seats else GAME_STATES[self.state]


class Side(models.Model):
    """A team at a table. Side 0 stays where it sits; seat i belongs to side i mod the number of sides."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sides")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="+")
    leg = models.PositiveSmallIntegerField(default=1)
    index = models.PositiveSmallIntegerField()
    team = models.ForeignKey(Team, on_delete=models.RESTRICT, related_name="sides")
    seated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["game", "index"], name="one_team_per_side"),
            models.UniqueConstraint(fields=["round", "team", "leg"], name="one_table_per_team_and_round"),
        ]

    def __str__(self) -> str:
        return f"{self.team} at {self.game}"


class Call(models.Model):
    """A table calls the director. At most one call of a game is open.

    `coming_at` is when a director reported to be on the way, and `coming_by` who it was.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=10, choices=CALLS.items())
    called_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    coming_at = models.DateTimeField(null=True, blank=True)
    coming_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["called_at"]
        constraints = [
            models.UniqueConstraint(fields=["game"], condition=Q(answered_at__isnull=True), name="one_open_call"),
            models.CheckConstraint(condition=Q(kind__in=list(CALLS)), name="call_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} at {self.game}"

    @property
    def said(self) -> str:
        """What it is about, as a sentence."""
        return CALLED[self.kind]

    @property
    def heard(self) -> str:
        """What the table is told about its call: nobody is on the way until somebody says so."""
        return ON_THE_WAY if self.coming_at else TOLD

    @property
    def coming(self) -> str:
        """Who is on the way, as the officials read it; empty before that."""
        if self.coming_at is None:
            return ""
        return f"{shown_author('', self.coming_by) or 'a director'} is on the way"


# An entry of a game's sheet. Entries are only added: a correction is a new revision that replaces the old one.

OPENING = "opening"
REMOVED = "removed"
# Why the program itself wrote a line, as a code, with the reason that people read: an end by time follows the hand in
# play; a line was set aside because a correction put it after the end of the game.
AFTER_HAND, SET_ASIDE = "after-hand", "set-aside"
CAUSES = {AFTER_HAND: "after the hand in play", SET_ASIDE: "Set aside: the game ends before this line"}
# Kinds that only a director writes and withdraws.
RULED = frozenset({"ruling", "award", "adjustment"})
KINDS = ("opening", "hand", "void", "ruling", "award", "adjustment", "time", "agreed_stop", "removed")


class Entry(Guarded):
    """`facts` is the entry as the game document has it. Position 0 is an opening continued from paper.

    An entry counts while no later revision of its position replaces it; “removed” takes a position off the sheet. `by`
    says who wrote it if it came in an event file; otherwise the account or the tablet does. `cause` is a code of CAUSES
    if the program itself wrote the line; `reason` is only for people.
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


# The result of a game's entries: a cache that can be discarded and rebuilt from them.


class Result(models.Model):
    """One list per fact, one value per side. `code` is the fingerprint of the sheet it was computed from."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="result")
    over = models.BooleanField(default=False)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    how = models.CharField(max_length=20, blank=True)
    rule = models.CharField(max_length=40, blank=True)
    points = models.JSONField(default=list)
    scores = models.JSONField(default=list)
    sets = models.JSONField(default=list)
    bostons = models.JSONField(default=list)
    hands = models.PositiveSmallIntegerField(default=0)
    code = models.CharField(max_length=16)

    def __str__(self) -> str:
        return f"Result of {self.game}"

    @property
    def shown(self) -> list[int]:
        """The text next to the names: the game's result, or the score while it is in play."""
        shown: list[int] = self.points if self.over else self.scores
        return shown


# A side's signature under the sheet it saw. A later entry changes the sheet's code, and the signature with it.


class Signature(Guarded):
    """`code` is the fingerprint of the sheet that was signed. A witness signs for a side with a reason.

    `how` means that the side signed on paper, as the witness saw, or that a signature was withdrawn: that is a new row,
    so the last `revision` counts. `by` is the witness if the row came in an event file; otherwise the account is.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="signatures")
    side = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=16)
    name = models.CharField(max_length=40)
    witness = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    device = models.ForeignKey(Device, null=True, blank=True, on_delete=models.RESTRICT)
    reason = models.CharField(max_length=200, blank=True)
    how = models.CharField(max_length=5, choices=SIGNED_HOW.items(), blank=True)
    revision = models.PositiveSmallIntegerField(default=0)
    by = models.CharField(max_length=150, blank=True)
    signed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["signed_at"]
        constraints = [
            models.UniqueConstraint(fields=["game", "side", "code", "revision"], name="one_signature_per_side"),
            models.CheckConstraint(condition=Q(how__in=["", *SIGNED_HOW]), name="signature_how"),
            models.CheckConstraint(condition=~Q(code=""), name="a_signature_names_its_sheet"),
        ]

    def __str__(self) -> str:
        return f"{self.name} under {self.game}"

    @property
    def on_paper(self) -> bool:
        return self.how == "paper"

    @property
    def seen_by(self) -> str:
        """Who signed for the side, or saw it sign; empty if an event file says that the game was signed."""
        return "" if self.name == BY_IMPORT else shown_author(self.by, self.witness)

    @property
    def words(self) -> str:
        """How it was given unless a player signed on a tablet: “signed on paper, seen by dana”, or why."""
        if self.on_paper:
            return f"{SIGNED_HOW['paper']}, seen by {self.seen_by}"
        return f"{self.official}: {self.reason}" if self.seen_by else self.reason

    @property
    def at_the_desk(self) -> str:
        return self.in_public + (f" · {self.reason}" if self.reason and not self.on_paper else "")

    @property
    def in_public(self) -> str:
        """Who signed and how, without why."""
        return self.words if self.on_paper else f"{self.name}, official" if self.seen_by else self.name

    @property
    def official(self) -> str:
        """Who signed in place of a side."""
        return f"{self.seen_by}, official"


# A second person's look at a sheet that was typed from paper: accepted, or rejected with a reason.


class Verification(Guarded):
    """`code` is the fingerprint of the sheet that was compared with its paper: a later entry asks for a new look."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="verifications")
    code = models.CharField(max_length=16)
    accepted = models.BooleanField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    name = models.CharField(max_length=40)
    reason = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(code=""), name="a_verification_names_its_sheet"),
            models.CheckConstraint(condition=Q(accepted=True) | ~Q(reason=""), name="a_rejection_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{'Verified' if self.accepted else 'Rejected'} by {self.name}: {self.game}"


# A notice to a team: shown on its page and at its table until somebody there has read it.


class Notice(models.Model):
    """`game` is what it is about; `seen_at` when it was acknowledged, at a table or by an official."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="notices")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notices")
    code = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    made_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    seen_on = models.ForeignKey(Device, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["made_at", "id"]

    def __str__(self) -> str:
        return f"To {self.team}: {self.text}"

    @property
    def text(self) -> str:
        return notice_text(self.code, self.facts)


# What a tablet sent: written on the sheet, or kept for the desk to decide.

# “parked” is also sent to tablets and stored there: the word stays.
PENDING, APPLIED, REPLACED, DISCARDED = "parked", "applied", "replaced", "discarded"


class Submission(models.Model):
    """`uid` was given by the tablet, so that the same item sent twice counts once; `digest` is of its content.

    `after` is what the same tablet wrote just before on the same game. `code` says in one word why it is pending;
    `reasons` are codes and values of `words/sentences.py` for what people read. `claimed_at` is the tablet's own clock:
    information, never used for order.
    """

    uid = models.UUIDField(unique=True)
    digest = models.CharField(max_length=64)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="submissions")
    device = models.ForeignKey(Device, on_delete=models.RESTRICT, related_name="submissions")
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="submissions")
    kind = models.CharField(max_length=10)
    after = models.UUIDField(null=True, blank=True)
    body = models.JSONField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    received_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, choices=STATUSES.items())
    code = models.CharField(max_length=20, blank=True)
    reasons = models.JSONField(default=list, blank=True)
    field = models.CharField(max_length=40, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    decided_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["event", "status"], name="submission_by_status")]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=[PENDING, APPLIED, REPLACED, DISCARDED]), name="submission_status"
            ),
            models.CheckConstraint(condition=~Q(status=PENDING) | ~Q(code=""), name="a_parked_one_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.device}"

    @property
    def reason(self) -> str:
        return reasons_text(self.reasons)
