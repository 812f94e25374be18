"""What of a whole list nobody may pass in silence: who plays is missing, or stands where nothing is read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tournament.forms.roster.names import is_person, people_in
from tournament.forms.roster.records import Column, Roster
from tournament.queries.roster import RosterRow

# “partner: Odessa Culpepper” in a column of comments.
SAYS_PAID = re.compile(r"\b(?:paid|pd|venmo|zelle|cash ?app|paypal)\b(?! *(?:by|with)?:)", re.IGNORECASE)
LABEL = re.compile(r"^[\w ]{2,20}:\s*")


def ask_who_plays(rows: Sequence[RosterRow], roster: Roster) -> None:
    """Ask about a list of pairs in which people stand as teams, or in columns that are not read."""
    if roster.wanted == 1:
        return
    nameless = [row for row in rows if not row.players and not row.guessed]
    people = [row.name for row in nameless if _is_somebody(row.name)]
    if people:
        roster.questions.append(f"“{people[0]}” looks like who plays, not like a team. Nobody was read as its players.")
    for seat in range(roster.wanted):
        begin = [row.players[seat].split()[0] for row in rows if len(row.players) > seat]
        # “N Ann Lee”, “S Bo Carter”: where they sit.
        if len(begin) > 2 and len(set(begin)) == 1 and len(begin[0]) < 3:
            roster.questions.append(f"Every player {seat + 1} is called “{begin[0]} …”. Is that part of the names?")
    if any(len(row.players) < roster.wanted for row in rows):
        for column in roster.columns:
            _ask_about_column(column, roster)


def ask_who_paid(roster: Roster) -> None:
    """Ask about a column that is not read and says of money, where no other says who has paid."""
    if any(column.role == "paid" for column in roster.columns):
        return
    for column in roster.columns:
        if column.role or column.tells_status:
            continue
        said = next((cell for cell in column.cells if SAYS_PAID.search(cell)), "")
        if said:
            called = f"“{column.heading}”" if column.heading else "without a heading"
            roster.questions.append(f"The column {called} isn’t read. Does “{said}” say who has paid?")


def _is_somebody(name: str) -> bool:
    """Whether the name of a team is a person’s, with first and last name, or two people’s."""
    parts = people_in(name)
    return any(is_person(part) and " " in part for part in parts)


def _ask_about_column(column: Column, roster: Roster) -> None:
    """Ask about a column that is not read, where people stand in it."""
    if column.role:
        return
    cells = [LABEL.sub("", cell) for cell in column.filled]
    people = [cell for cell in cells if " " in cell and is_person(cell)]
    if people and len(people) * 3 >= len(cells):
        called = f"“{column.heading}”" if column.heading else "without a heading"
        roster.questions.append(f"The column {called} isn’t read. Is “{people[0]}” a player?")
