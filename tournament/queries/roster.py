"""Teams as they are entered: a row of the secretary's list, and what is wrong or worth a look in a list of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from tournament.models import Event, Player, Team
from tournament.queries.rules import ruleset_of
from tournament.refusals import Fault
from tournament.texts import Refused, clean_name, name_key

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
