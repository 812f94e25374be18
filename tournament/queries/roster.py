"""The list of teams: rows, find by name, registration at the desk, and re-seating."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from django.db.models import QuerySet

from tournament.errors import Fault
from tournament.models import Bye, Event, Journal, Player, Round, Side, Team
from tournament.pairing.plan import Note, rounds_text
from tournament.queries.draws import DrawnRound, DrawOverview
from tournament.queries.ledger import Account, Cash, cash
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import TeamRow, current_round
from tournament.texts import Refused, clean_name, name_key

# Teams as they are entered: a row of the secretary's list, and what is wrong or worth a look in a list of them.


LARGEST_NUMBER = 9999
COLUMNS = {
    "number": "No.",
    "name": "Team",
    "player1": "Player 1",
    "player2": "Player 2",
    "player3": "Player 3",
    "player4": "Player 4",
    "city": "City",
    "club": "Club",
    "paid": "Paid",
    "in_pot": "Boston pot",
}


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A team to be entered.

    `row` is its line in the list, 0 where it was typed into a form; `guessed` says what of it does not stand there.
    """

    row: int
    number: int | None
    name: str
    players: tuple[str, ...] = ()
    city: str = ""
    club: str = ""
    paid: bool = False
    in_pot: bool = False
    guessed: str = ""


def players_wanted(event: Event) -> int:
    """How many players make a team in the event's game."""
    seats, sides = ruleset_of(event).seating
    return seats // sides


def cleaned_row(row: RosterRow) -> tuple[RosterRow, list[Fault]]:
    """The row with clean names, and a fault for each name that cannot be taken."""
    faults: list[Fault] = []

    def clean(field: str, text: str) -> str:
        try:
            return clean_name(text) if text.strip() else ""
        except Refused as refusal:
            faults.append(fault_at(row, field, str(refusal)))
            return text

    players = tuple(clean(f"player{place}", name) for place, name in enumerate(row.players, start=1) if name.strip())
    name = clean("name", row.name or (players[0] if len(players) == 1 else ""))
    if not name:
        faults.append(fault_at(row, "name", "A name is needed."))
    if row.number is not None and not 1 <= row.number <= LARGEST_NUMBER:
        faults.append(fault_at(row, "number", f"Numbers go from 1 to {LARGEST_NUMBER}; this is {row.number}."))
    city, club = clean("city", row.city), clean("club", row.club)
    return replace(row, name=name, players=players, city=city, club=club), faults


def roster_faults(event: Event, rows: Sequence[RosterRow], *, instead_of: Iterable[int] = ()) -> list[Fault]:
    """What keeps these rows from being entered: numbers and names that stand twice, here or among the event's teams.

    `instead_of` are teams (by key) that the rows replace.
    """
    known = _entered(event).exclude(pk__in=list(instead_of)).values_list("number", "key", "name")
    taken, entered = {number: name for number, _, name in known}, {key for _, key, _ in known}
    numbers: dict[int, int] = {}
    names: dict[str, int] = {}
    faults = []
    for row in rows:
        key = name_key(row.name)
        if row.number in taken:
            faults.append(fault_at(row, "number", f"Number {row.number} is taken by {taken[row.number]}."))
        elif row.number in numbers:
            rows_words = f"rows {numbers[row.number]} and {row.row}"
            faults.append(fault_at(row, "number", f"Number {row.number} is used twice ({rows_words})."))
        if row.name and key in entered:
            faults.append(fault_at(row, "name", f"“{row.name}” is already entered."))
        elif row.name and key in names:
            faults.append(fault_at(row, "name", f"“{row.name}” is used twice (rows {names[key]} and {row.row})."))
        if row.number is not None:
            numbers.setdefault(row.number, row.row)
        names.setdefault(key, row.row)
        faults += _same_player_twice(row)
    return faults


def roster_notes(event: Event, rows: Sequence[RosterRow], *, instead_of: Iterable[int] = ()) -> list[str]:
    """What is worth a look and keeps nobody out: players in two teams, missing players, an odd field."""
    gone = list(instead_of)
    players = Player.objects.filter(team__in=_entered(event).exclude(pk__in=gone)).values_list("key", "team__name")
    seen = {key: f"plays for {team}" for key, team in players}
    notes = []
    wanted = players_wanted(event)
    for row in rows:
        here = f"plays for {row.name}"
        for name in row.players:
            also = seen.setdefault(name_key(name), here)
            if also != here:
                notes.append(f"{_row_words(row)}{name} also {also}.")
        if wanted > 1 and len(row.players) < wanted:
            who = f"{row.name}: " if row.name else ""
            notes.append(f"{_row_words(row)}{who}{_missing_words(len(row.players), wanted)} named.")
    total = _entered(event).filter(status="playing").exclude(pk__in=gone).count() + len(rows)
    rules = ruleset_of(event)
    if total == 1:
        notes.append(f"One {rules.unit} alone cannot play: at least {rules.smallest_table} are needed.")
    elif rest := rules.without_seat(total):
        sit = f"one {rules.unit} sits" if rest == 1 else f"{rest} {rules.unit}s sit"
        notes.append(f"{total} {rules.unit}s do not fill the tables: {sit} out each round.")
    return notes


def numbered(event: Event, rows: Sequence[RosterRow], *, instead_of: Iterable[int] = ()) -> list[RosterRow]:
    """The rows with a number each: those that have none get the lowest free ones, in order."""
    taken = set(_entered(event).exclude(pk__in=list(instead_of)).values_list("number", flat=True))
    taken |= {row.number for row in rows if row.number is not None}
    free = (number for number in range(1, LARGEST_NUMBER + 1) if number not in taken)
    return [row if row.number is not None else replace(row, number=next(free)) for row in rows]


def fault_at(row: RosterRow, field: str, text: str) -> Fault:
    """A fault that names its row and column; a form shows it at the field and needs no row."""
    if not row.row:
        return Fault(field, text)
    return Fault(f"{row.row}:{field}", f"Row {row.row}, column {COLUMNS.get(field, field)}: {text}")


def _entered(event: Event) -> QuerySet[Team]:
    """The teams of an event; none of one that is only being set up."""
    return event.teams.all() if event.pk else Team.objects.none()


def _same_player_twice(row: RosterRow) -> list[Fault]:
    keys = [name_key(name) for name in row.players]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            return [fault_at(row, f"player{place + 1}", f"{row.players[place]} is named twice in this line.")]
    return []


def _missing_words(named: int, wanted: int) -> str:
    if not named:
        return "no players are"
    return f"{named} of {wanted} players {'is' if named == 1 else 'are'}"


def _row_words(row: RosterRow) -> str:
    return f"Row {row.row}: " if row.row else ""


# Looking up a team or a player: everybody who is meant by a number or a part of a name, and where they sit now.

LONGEST = 60


@dataclass(frozen=True, slots=True)
class Found:
    """A team that is meant.

    `players` are all of them, each with whether the name is what was looked for; `place` is “Table 6” or “Bye” in
    `round`, and empty where nothing is drawn for the team.
    """

    number: int
    team: str
    players: tuple[tuple[str, bool], ...]
    city: str
    place: str
    round: str
    status: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """Who was found under these words, in order of number."""

    text: str
    found: tuple[Found, ...]


def look_up(event: Event, text: str) -> Lookup:
    """The teams with this number, or with this part of their or a player's name: a constant number of queries."""
    text = " ".join(text.split())[:LONGEST]
    wanted = name_key(text)
    teams = Team.objects.filter(event=event).prefetch_related("players").order_by("number")
    if text.isdecimal() and (numbered := [team for team in teams if team.number == int(text)]):
        meant = numbered
    else:
        meant = [team for team in teams if is_meant(wanted, team.name, _players(team))]
    now = current_round(list(event.rounds.order_by("number")))
    places = _places(now) if now and meant else {}
    return Lookup(text, tuple(_found(team, wanted, places, now) for team in meant))


def is_meant(wanted: str, team: str, players: tuple[str, ...]) -> bool:
    """Whether a key of a name is part of the name of a team or of a player."""
    return bool(wanted) and any(wanted in name_key(name) for name in (team, *players))


def _players(team: Team) -> tuple[str, ...]:
    return tuple(player.name for player in team.players.all())


def _places(round_: Round) -> dict[int, str]:
    sides = Side.objects.filter(round=round_).order_by("leg").values_list("team_id", "game__table")
    byes = Bye.objects.filter(round=round_).values_list("team_id", flat=True)
    return {team: f"Table {table}" for team, table in sides} | dict.fromkeys(byes, "Bye")


def _found(team: Team, wanted: str, places: dict[int, str], now: Round | None) -> Found:
    place = places.get(team.pk, "")
    return Found(
        team.number,
        team.name,
        tuple((name, is_meant(wanted, name, ())) for name in _players(team)),
        team.city,
        place,
        str(now) if place else "",
        team.get_status_display() if team.status != "playing" else "",
    )


# The teams of an event as the desk lists them: players, what they owe, the pot, who has left.


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredTeam(TeamRow):
    """A team of the list. `owes` is in cents."""

    paid: bool
    in_pot: bool
    owes: int


@dataclass(frozen=True, slots=True)
class Registration:
    """The list with its sums, in cents."""

    teams: tuple[RegisteredTeam, ...]
    playing: int
    owing: int
    owed: int
    taken: int
    pot_teams: int
    pot: int


def registration(event: Event, books: Cash | None = None) -> Registration:
    """All teams of an event by number, in a constant number of queries."""
    books = books or cash(event)
    accounts = {account.number: account for account in books.accounts}
    everybody = event.teams.all()
    teams = tuple(_registered(team, accounts[team.number]) for team in everybody)
    in_pot = [team for team in teams if team.in_pot]
    return Registration(
        teams=teams,
        playing=sum(not team.gone for team in teams),
        owing=sum(team.owes > 0 for team in teams),
        owed=sum(team.owes for team in teams),
        taken=books.paid,
        pot_teams=len(in_pot),
        pot=len(in_pot) * event.pot_cents,
    )


def row_of(team: Team) -> RosterRow:
    players = tuple(team.players.values_list("name", flat=True))
    return RosterRow(0, team.number, team.name, players, team.city, team.club, team.paid, team.in_pot)


def _registered(team: Team, account: Account) -> RegisteredTeam:
    return RegisteredTeam(
        number=team.number,
        name=team.name,
        players=account.players,
        city=team.city,
        club=team.club,
        paid=team.paid,
        in_pot=account.in_pot,
        owes=account.owes,
        gone=account.status_words if account.status != "playing" else "",
        joined_in=team.joined_in,
    )


# Two draws of the same event laid side by side: which tables, byes and notes of which rounds change.


class Seating(NamedTuple):
    """One line of a round: a table, or who has a bye. An empty text says that there is none."""

    place: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ReseatedRound:
    """A round that changes; `same` counts its tables that stay as they are."""

    title: str
    lines: tuple[Seating, ...]
    same: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Reseating:
    """What a change of teams does to the draw. `why_not` says why nothing is drawn anew, where nothing is.

    `can_keep` is whether the old draw can stay: an entry that goes off the list takes it along. `summary` says of every
    round how many tables it has, who sits out and how many meet again. `awards` are games in
    play that end with the change.
    """

    rounds: tuple[ReseatedRound, ...]
    why_not: str
    can_keep: bool = True
    summary: tuple[str, ...] = ()
    awards: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Names exactly this list: who confirms it confirms no other."""
        said = [[one.title, one.lines, one.notes] for one in self.rounds] + [[self.why_not, *self.awards]]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Lost:
    """What drawing again throws away: rounds seated by hand, and when papers of the draw were printed last."""

    by_hand: tuple[int, ...]
    printed: datetime | None

    @property
    def exists(self) -> bool:
        return bool(self.by_hand or self.printed)

    @property
    def by_hand_words(self) -> str:
        return rounds_text(self.by_hand) if self.by_hand else ""

    @property
    def key(self) -> str:
        """Names exactly this: who confirms it confirms no other."""
        return hashlib.sha256(repr((self.by_hand, self.printed)).encode()).hexdigest()[:20]


def lost_by_redraw(event: Event) -> Lost:
    """What the rounds that have not started hold beyond a draw that can be drawn again."""
    planned = Round.objects.filter(event=event, stage="qualifying", state="planned")
    if not planned.exists():
        return Lost((), None)
    acts = Journal.objects.filter(event=event)
    drawn = acts.filter(action="draw").order_by("-pk").values_list("pk", flat=True).first() or 0
    printed = acts.filter(action="print", pk__gt=drawn).order_by("-pk").values_list("at", flat=True).first()
    return Lost(tuple(planned.filter(by_hand=True).values_list("number", flat=True)), printed)


def redrawn_words(before: DrawOverview, after: DrawOverview, count: int) -> str:
    """What a draw did to the rounds that wait; where nothing has moved, that it is the draw that was there."""
    said = f"{count} round{'' if count == 1 else 's'} drawn"
    if before.planned and not reseating(before, after, "").rounds:
        return (
            f"{said}: every table is the same as before, because this movement follows from the rounds that have begun."
        )
    return f"{said}."


def reseating(before: DrawOverview, after: DrawOverview, why_not: str, *, can_keep: bool = True) -> Reseating:
    """The rounds in which anything differs."""
    old = {one.number: one for one in before.rounds}
    new = {one.number: one for one in after.rounds}
    rounds = [_round(old.get(number), new.get(number)) for number in sorted({*old, *new})]
    changed = tuple(one for one in rounds if one.lines)
    titles = {one.title for one in changed}
    shown = [one for one in after.rounds if one.title in titles]
    return Reseating(changed, why_not, can_keep, _summary(shown, _meetings(after)))


def _summary(shown: Sequence[DrawnRound], met: Counter[frozenset[int]]) -> tuple[str, ...]:
    """For each of the rounds that change how many play, who sits out and how many meet again."""
    said = []
    for one in shown:
        again = sum(
            met[frozenset((first[0], second[0]))] > 1
            for table in one.tables
            for first, second in combinations(table.teams, 2)
        )
        tables = f"{len(one.tables)} table{'' if len(one.tables) == 1 else 's'}"
        byes = f"bye: {', '.join(name for _, name in one.byes)}" if one.byes else "no bye"
        said.append(f"{one.title}: {tables}, {byes}, {_again(again)}")
    return tuple(said)


def _again(count: int) -> str:
    return f"{count} rematch{'' if count == 1 else 'es'}" if count else "no rematch"


def _meetings(overview: DrawOverview) -> Counter[frozenset[int]]:
    return Counter(
        frozenset((first[0], second[0]))
        for round_ in overview.rounds
        for table in round_.tables
        for first, second in combinations(table.teams, 2)
    )


def _round(old: DrawnRound | None, new: DrawnRound | None) -> ReseatedRound:
    before, after = _seats_by_table(old), _seats_by_table(new)
    places = dict.fromkeys((*before, *after))
    lines = [Seating(place, before.get(place, ""), after.get(place, "")) for place in places]
    changed = tuple(line for line in lines if line.before != line.after)
    shown = new or old
    return ReseatedRound(shown.title if shown else "", changed, len(lines) - len(changed), new.notes if new else ())


def _seats_by_table(one: DrawnRound | None) -> dict[str, str]:
    if one is None:
        return {}
    tables = {f"Table {at.table}": " – ".join(name for _, name in at.teams) for at in one.tables}
    byes = {"Bye": ", ".join(name for _, name in one.byes)} if one.byes else {}
    return tables | byes
