"""A draw made by hand: taken as the director made it, with a warning for everything that looks wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tournament.pairing.notes import in_common, rematch, together
from tournament.pairing.plan import CITY, CLUB, NOTHING_PLAYED, Draw, Entrant, History, byes_so_far, pairs_of
from tournament.pairing.words import HAD_BYE, UNSEATED, Note


class Warned(NamedTuple):
    """One thing that looks wrong. `blocks` says that the round cannot be played like this; else `note` is kept of it.

    `kind` is double-seat, unknown, table-size, unseated, second-bye, rematch, same-city or same-club.
    """

    kind: str
    teams: tuple[int, ...]
    blocks: bool
    text: str
    note: Note | None = None


class Checked(NamedTuple):
    """The draw as it was made, with the warnings that do not block it as notes; all warnings, blocking ones first."""

    draw: Draw
    warnings: tuple[Warned, ...]

    @property
    def can_be_played(self) -> bool:
        """Tell whether no warning blocks the draw."""
        return not any(warning.blocks for warning in self.warnings)


def check_by_hand(
    tables: Sequence[Sequence[int]],
    byes: Sequence[int],
    entrants: Sequence[Entrant],
    history: History = NOTHING_PLAYED,
    sizes: Sequence[int] = (2,),
    apart: Sequence[str] = (CITY, CLUB),
) -> Checked:
    """Check a draw by hand; `sizes` lists how many sides a table may have, `apart` who had better not meet.

    Whoever is neither at a table nor has a bye is unseated: a warning, because a team may be away.
    """
    by_number = {entrant.number: entrant for entrant in entrants}
    warnings = _blocking(tables, byes, by_number, sizes)
    warnings += _unseated(tables, byes, entrants)
    warnings += _second_byes(byes, entrants, by_number, history)
    warnings += _meetings(tables, by_number, history, apart)
    notes = tuple(warning.note for warning in warnings if warning.note is not None)
    return Checked(Draw(tuple(tuple(table) for table in tables), tuple(byes), notes), tuple(warnings))


def _noted(kind: str, teams: tuple[int, ...], note: Note) -> Warned:
    return Warned(kind, teams, False, str(note), note)


def _blocking(
    tables: Sequence[Sequence[int]], byes: Sequence[int], by_number: dict[int, Entrant], sizes: Sequence[int]
) -> list[Warned]:
    warnings = []
    seats = Counter([*(team for table in tables for team in table), *byes])
    for team, count in sorted(seats.items()):
        if team not in by_number:
            warnings.append(Warned("unknown", (team,), True, f"There is no number {team} in this event."))
        elif count > 1:
            text = f"Seated {count} times: {by_number[team].label}."
            warnings.append(Warned("double-seat", (team,), True, text))
    for number, table in enumerate(tables, start=1):
        if len(table) not in sizes:
            wanted = " or ".join(str(size) for size in sizes)
            text = f"Table {number} has {len(table)} instead of {wanted}."
            warnings.append(Warned("table-size", tuple(table), True, text))
    return warnings


def _unseated(tables: Sequence[Sequence[int]], byes: Sequence[int], entrants: Sequence[Entrant]) -> list[Warned]:
    seated = {*(team for table in tables for team in table), *byes}
    return [
        _noted("unseated", (entrant.number,), Note(UNSEATED, teams=(entrant.label,)))
        for entrant in entrants
        if entrant.number not in seated
    ]


def _second_byes(
    byes: Sequence[int], entrants: Sequence[Entrant], by_number: dict[int, Entrant], history: History
) -> list[Warned]:
    before = byes_so_far(entrants, history)
    return [
        _noted("second-bye", (team,), Note(HAD_BYE, teams=(by_number[team].label,)))
        for team in byes
        if before.get(team)
    ]


def _meetings(
    tables: Sequence[Sequence[int]], by_number: dict[int, Entrant], history: History, apart: Sequence[str]
) -> list[Warned]:
    warnings = []
    met = history.meetings()
    for table in tables:
        for pair in pairs_of({team for team in table if team in by_number}):
            first, second = by_number[pair[0]], by_number[pair[1]]
            if pair in met:
                warnings.append(_noted("rematch", pair, rematch(first, second, history.next_round, met[pair])))
            for wish in apart:
                if in_common(first, second, wish):
                    [note] = together(first, second, history.next_round, (wish,))
                    warnings.append(_noted(f"same-{wish}", pair, note))
    return warnings
