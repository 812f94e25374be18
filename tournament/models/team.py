"""A team of an event, its players and substitutes, and the ledger of its money."""

from __future__ import annotations

import re
import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from tournament.models.event import Event, Season
from tournament.models.stored import AddOnly, Guarded, shown_author
from tournament.words.phrases import A_PLAYER, ENTRY_STATES, NAMES_SHOWN, TEAM_STATES

# A member or guest of the club, across events. Only officials say which rows of an event are this person.


class Person(models.Model):
    """`show` is the person's own wish: the most of the name that strangers may read anywhere.

    `near` is the key without accents, order, and “Jr.”: it suggests who may be meant and never decides it. A person who
    turned out to be another one is `merged_into` it, one level deep; nothing else is rewritten. A deleted person has no
    name anymore (`deleted_at`): what was played stays, by “a player”.
    """

    name = models.CharField(max_length=40, blank=True)
    key = models.CharField(max_length=160, blank=True, db_index=True)
    near = models.CharField(max_length=160, blank=True, db_index=True)
    show = models.CharField(max_length=7, choices=NAMES_SHOWN.items(), default="full")
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.RESTRICT, related_name="merged")
    deleted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["key", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(show__in=list(NAMES_SHOWN)), name="person_show"),
            models.CheckConstraint(
                condition=Q(deleted_at__isnull=True) | Q(name="", key="", near=""), name="deleted_nameless"
            ),
        ]

    def __str__(self) -> str:
        return self.name or A_PLAYER


# A team of an event and its players. In games without partners a team is one player.

# Facts about a team that are short texts and change nothing else. Its row, its copy, and the log read this list.
PLAIN_FACTS = ("city", "club")
# Yes-or-no facts that come from its money.
MARKS = ("paid", "in_pot")


class Team(models.Model):
    """`key` is the name as people read it, so that no two teams look alike. `left_after` is the last round played.

    `name` is what everybody reads. If that is less than was entered, `entered` is the whole name, for officials;
    `shown_as` is what the club typed in its place. `home` is the table that the team never leaves, `here_at` when it
    checked in. `note` is the desk's own: only officials read it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=40)
    key = models.CharField(max_length=160)
    city = models.CharField(max_length=40, blank=True)
    club = models.CharField(max_length=40, blank=True)
    paid = models.BooleanField(default=False)
    in_pot = models.BooleanField(default=False)
    status = models.CharField(max_length=12, choices=TEAM_STATES.items(), default="playing")
    left_after = models.PositiveSmallIntegerField(null=True, blank=True)
    joined_in = models.PositiveSmallIntegerField(default=1)
    entered = models.CharField(max_length=40, blank=True)
    shown_as = models.CharField(max_length=40, blank=True)
    home = models.PositiveSmallIntegerField(null=True, blank=True)
    here_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_team_per_number"),
            models.UniqueConstraint(fields=["event", "key"], name="one_team_per_name"),
            models.UniqueConstraint(
                fields=["event", "home"], condition=Q(home__isnull=False), name="one_home_per_table"
            ),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=9999), name="team_number"),
            models.CheckConstraint(condition=~Q(name=""), name="team_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"

    @property
    def full_name(self) -> str:
        """The name as it was entered, for officials only."""
        return self.entered or self.name

    @property
    def in_full(self) -> str:
        """The number with that name."""
        return f"{self.number} {self.full_name}"

    @property
    def gone(self) -> str:
        """Why it no longer plays; empty while it does."""
        return "" if self.status == "playing" else self.get_status_display()

    @property
    def named(self) -> list[Player]:
        """Its players, which are loaded, in seat order; empty if the only one is the team itself."""
        players = list(self.players.all())
        return [] if [player.key for player in players] == [self.key] else players

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of its players, which are loaded, in seat order."""
        return tuple(player.name for player in self.named)

    @property
    def full_names(self) -> tuple[str, ...]:
        """The same as they were entered, for officials only."""
        return tuple(player.full_name for player in self.named)


class Registration(models.Model):
    """An entry that players make themselves: a place in line. Once accepted, it becomes a team.

    `position` is its place in the order in which entries came; `name` is that of the team, or of a player who comes
    alone, and `key` is that of the name. Its players are separate rows. `wants` is the single that a single has pressed
    for; once joined, the entry of the team. `in_pot` is asked only if the pot is voluntary.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="registrations")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=40)
    key = models.CharField(max_length=160)
    state = models.CharField(max_length=10, choices=ENTRY_STATES.items())
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="registrations")
    wants = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="wanted_by")
    in_pot = models.BooleanField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["event", "position"], name="one_entry_per_place"),
            models.CheckConstraint(condition=Q(state__in=list(ENTRY_STATES)), name="registration_state"),
        ]

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """One row for a human in an event, from the moment the name is typed: in a team, in an entry, or in both.

    `position` is the seat in the team, or before that the place in the entry. `name` is what everybody reads; if that
    is less, `entered` is the whole name, for officials, and `key` belongs to it. `person` is who that is, once
    officials have said so; `instead_of` is the person who sat there under another name, until somebody has said whether
    it is the same. `show` is the wish of this player for this event.

    `contact` is a way to reach the player, which only officials see; `note` is a line by a player who looks for a
    partner. `token_hash` is of the player's own private link; a row from an event file has none.
    """

    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.CASCADE, related_name="players")
    entry = models.ForeignKey(Registration, null=True, blank=True, on_delete=models.CASCADE, related_name="players")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    key = models.CharField(max_length=160)
    entered = models.CharField(max_length=40, blank=True)
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.RESTRICT, related_name="players")
    instead_of = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    show = models.CharField(max_length=7, choices=NAMES_SHOWN.items(), default="full")
    contact = models.CharField(max_length=120, blank=True)
    note = models.CharField(max_length=120, blank=True)
    token_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["team", "position"], name="one_player_per_place"),
            models.UniqueConstraint(fields=["token_hash"], condition=~Q(token_hash=""), name="one_player_per_link"),
            models.CheckConstraint(
                condition=Q(team__isnull=False) | Q(entry__isnull=False), name="player_plays_or_entered"
            ),
            models.CheckConstraint(condition=Q(show__in=list(NAMES_SHOWN)), name="player_show"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def full_name(self) -> str:
        """The name as it was entered, for officials only."""
        return self.entered or self.name

    @property
    def event(self) -> Event:
        """The event of its team, or of its entry."""
        if self.team is not None:
            return self.team.event
        assert self.entry is not None
        return self.entry.event


# A substitute: from one round on (or for only one round) somebody else sits in a player's place.


class Substitution(AddOnly):
    """`position` is the place in the team; `to_round` is None if the substitute stays. The latest one counts.

    `person` is who sits in, if it is known which person that is. `show` is the wish that an event file brought, and
    `shown` the public form of `into`, if that is less: the only field that changes.

    `by` says who approved it if it came in an event file; otherwise the account does.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="substitutions")
    position = models.PositiveSmallIntegerField()
    out = models.CharField(max_length=40)
    into = models.CharField(max_length=40)
    show = models.CharField(max_length=7, choices=NAMES_SHOWN.items(), default="full")
    shown = models.CharField(max_length=40, blank=True)
    from_round = models.PositiveSmallIntegerField()
    to_round = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.RESTRICT, related_name="substitutions")

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

    @property
    def name(self) -> str:
        """The public name of the substitute."""
        return self.shown or self.into

    @property
    def full_name(self) -> str:
        return self.into

    @property
    def words(self) -> str:
        """From which game on, who approved it, and why, as it was written."""
        return self.worded(self.into, self.out)

    def worded(self, into: str, out: str) -> str:
        """The same with the given names."""
        only = self.to_round == self.from_round
        when = f"in game {self.from_round} only" if only else f"from game {self.from_round} on"
        name = shown_author(self.by, self.approved_by)
        by = f", approved by {name}" if name else ""
        why = f": {self.reason}" if self.reason else ""
        return f"{into} for {out} {when}{by}{why}"


# Money: what came in, what went out, and changes of what is owed, line by line, forever.

FEE, POT, PREPAID, REFUND, PAYOUT, ADJUSTMENT = "fee", "pot", "prepaid", "refund", "payout", "adjustment"
# What a member pays for a season. It is in the cash of the desk that took it, and in no team's account.
DUES = "dues"
INCOME, OUTGO = (FEE, POT, PREPAID), (REFUND, PAYOUT)
# What a payout is paid from, and what an adjustment changes: what a team has to pay, or the cash itself.
PRIZE, OWED, CASH = "prize", "owed", "cash"
# How money was taken: at the desk unless noted, or earlier, according to a list of teams.
BEFORE = "before"


class Ledger(Guarded):
    """One line of the books, in whole cents: above zero if the club takes money, below if it gives money.

    `number` is that of the receipt. `payee` is the team's name at that time, `person` the player who paid. A line is
    never changed: a mistake is reversed by a new line of the same kind that `reverses` it. `key` was given by the page,
    so that pressing twice pays once. An adjustment of what is owed moves no cash. `prepaid` is no longer written.

    Only dues have `season` and `member`. They have no `event` if they were taken on the season's own page, or once
    their desk's event is deleted: `desk` is that event's name at that time.
    """

    # A team that leaves the list before the first game takes its name with it; a deleted event leaves its dues.
    LOOSE = frozenset({"team_id", "event_id", "desk"})
    KINDS = (
        (FEE, "Entry fee"),
        (POT, "Boston pot"),
        (PREPAID, "Paid in advance"),
        (REFUND, "Refund"),
        (PAYOUT, "Payout"),
        (ADJUSTMENT, "Adjustment"),
        (DUES, "Dues"),
    )
    PURPOSES = ((POT, "Boston pot"), (PRIZE, "Prize"), (OWED, "What is owed"), (CASH, "Cash"))

    event = models.ForeignKey(Event, null=True, blank=True, on_delete=models.CASCADE, related_name="ledger")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=KINDS)
    purpose = models.CharField(max_length=5, choices=PURPOSES, blank=True)
    cents = models.IntegerField()
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="ledger")
    season = models.ForeignKey(Season, null=True, blank=True, on_delete=models.RESTRICT, related_name="dues")
    member = models.ForeignKey(Person, null=True, blank=True, on_delete=models.RESTRICT, related_name="dues")
    desk = models.CharField(max_length=60, blank=True)
    payee = models.CharField(max_length=50, blank=True)
    person = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    how = models.CharField(max_length=6, choices=[(BEFORE, "paid before")], blank=True)
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.RESTRICT, related_name="reversed_by"
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)
    by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_receipt_per_number"),
            models.UniqueConstraint(
                fields=["season", "number"], condition=Q(event=None, desk=""), name="one_receipt_per_season"
            ),
            models.CheckConstraint(condition=Q(kind__in=[*INCOME, *OUTGO, ADJUSTMENT, DUES]), name="ledger_kind"),
            models.CheckConstraint(
                condition=Q(kind=DUES, season__isnull=False, member__isnull=False, team=None)
                | (~Q(kind=DUES) & Q(season=None, member=None, event__isnull=False, desk="")),
                name="dues_of_a_member",
            ),
            models.CheckConstraint(condition=~Q(cents=0), name="a_line_moves_money"),
            models.CheckConstraint(
                condition=Q(reverses__isnull=False)
                | Q(kind__in=[*INCOME, DUES], cents__gt=0)
                | Q(kind__in=OUTGO, cents__lt=0)
                | Q(kind=ADJUSTMENT),
                name="ledger_direction",
            ),
            models.CheckConstraint(
                condition=(Q(kind=PAYOUT, purpose__in=[POT, PRIZE]))
                | (Q(kind=ADJUSTMENT, purpose__in=[OWED, CASH]))
                | (~Q(kind__in=[PAYOUT, ADJUSTMENT]) & Q(purpose="")),
                name="ledger_purpose",
            ),
        ]

    def __str__(self) -> str:
        return f"No. {self.number}: {self.get_kind_display()}, {self.cents} cents"

    @property
    def is_cash(self) -> bool:
        """Whether money changed hands."""
        return self.purpose != OWED

    @property
    def taken_back(self) -> Ledger | None:
        """The line that takes this one back."""
        return getattr(self, "reversed_by", None)

    @property
    def stands(self) -> bool:
        """Whether it is neither reversed nor a reversal."""
        return self.reverses is None and self.taken_back is None

    @property
    def words(self) -> str:
        words = self.get_kind_display()
        if self.season is not None:
            return f"{words}, {self.season}"
        if self.kind in (PAYOUT, ADJUSTMENT):
            purpose = self.get_purpose_display()
            words = f"{words}: {purpose if self.purpose == POT else purpose.lower()}"
        return f"{words}, {self.get_how_display()}" if self.how else words

    @property
    def who(self) -> str:
        """The team's name at that time, with its current number: an old one would name another team.

        For dues, the member.
        """
        if self.member is not None:
            return str(self.member)
        if self.team is None:
            return self.payee
        if self.payee == str(self.team):
            return self.team.in_full
        return f"{self.team.number} {re.sub('^[0-9]+ ', '', self.payee) or self.team.name}"
