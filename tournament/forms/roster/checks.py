"""Questions about a whole list that must not be skipped: players are missing, or in a column that is not read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tournament.forms.roster.names import are_no_people, is_person, people_in
from tournament.forms.roster.records import Column, Record, Roster
from tournament.queries.roster import RosterRow

# “partner: Odessa Culpepper” in a column of comments.
SAYS_PAID = re.compile(r"\b(?:paid|pd|venmo|zelle|cash ?app|paypal)\b(?! *(?:by|with)?:)", re.IGNORECASE)
SUM_PAID = re.compile(r"[$€£]? ?\d{1,3}(?: ?[+/] ?\d{1,3})*(?:\.\d\d)?")
CHECKED, UNCHECKED = re.compile(r"[\s*•–-]*(?:\[[xX✓✔]\]|☑|☒|✅)"), re.compile(r"[\s*•–-]*(?:\[ ?\]|☐)")
LABEL = re.compile(r"^[\w ]{2,20}:\s*")


def ask_who_plays(rows: Sequence[RosterRow], roster: Roster) -> None:
    """Ask about a list of pairs in which people were read as teams, or are in columns that are not read."""
    if roster.wanted == 1:
        return
    _ask_about_people_as_teams(rows, roster)
    for seat in range(roster.wanted):
        _ask_about_seat_letters(rows, seat, roster)
    _ask_about_two_teams(rows, roster)
    if any(len(row.players) < roster.wanted for row in rows):
        for column in roster.columns:
            _ask_about_column(column, roster)


def _ask_about_people_as_teams(rows: Sequence[RosterRow], roster: Roster) -> None:
    nameless = [row for row in rows if not row.players and not row.guessed]
    people = [row.name for row in nameless if _is_somebody(row.name)]
    pairs = [row.name for row in nameless if _are_several(row.name, roster.wanted)]
    if not people and len(pairs) * 2 > len(nameless):
        people = pairs
    if people:
        roster.questions.append(f"“{people[0]}” looks like players, not a team. No players were read for it.")


def _ask_about_seat_letters(rows: Sequence[RosterRow], seat: int, roster: Roster) -> None:
    """Ask about “N Ann Lee”, “S Bo Carter”, which say where the players sit."""
    begin = [row.players[seat].split()[0] for row in rows if len(row.players) > seat]
    if len(begin) > 2 and len(set(begin)) == 1 and len(begin[0].rstrip(".")) == 1:
        roster.questions.append(f"Every player {seat + 1} is called “{begin[0]} …”. Is that part of the names?")


def _ask_about_two_teams(rows: Sequence[RosterRow], roster: Roster) -> None:
    for row in rows:
        if 2 * roster.wanted <= len(row.players) <= 4:
            roster.questions.append(f"Row {row.row} has {len(row.players)} players. Are these two teams?")
            return


def ask_who_paid(roster: Roster) -> None:
    """Ask about an unread column that mentions money, if no other column says who has paid."""
    if any(column.role == "paid" for column in roster.columns):
        return
    for column in roster.columns:
        if column.role or column.tells_status:
            continue
        said = _said_of_money(column)
        if said:
            called = f"“{column.heading}”" if column.heading else "without a heading"
            roster.questions.append(f"The column {called} isn’t read. Does “{said}” say who has paid?")


def _said_of_money(column: Column) -> str:
    """A cell that says that somebody paid, or the first sum in a column of sums; nothing if there is none."""
    for cell in column.cells:
        if SAYS_PAID.search(cell):
            return cell
    sums = [cell for cell in column.filled if SUM_PAID.fullmatch(cell)]
    is_money = column.is_unknown and len(sums) * 2 > len(column.filled)
    return sums[0] if is_money else ""


def ask_for_names(roster: Roster) -> None:
    """Ask about an unknown column if no column has the names of the teams."""
    if roster.wanted == 1 or any(column.role in ("name", "of") for column in roster.columns):
        return
    for column in roster.columns:
        if column.is_unknown and column.heading and _may_name_teams(column):
            words = f"The column “{column.heading}” isn’t read. Is “{column.filled[0]}” a team’s name?"
            roster.questions.append(words)


def _may_name_teams(column: Column) -> bool:
    are_different = len(set(column.filled)) == len(column.filled) > 1
    return are_different and are_no_people(column.filled) and not _are_sums(column)


def _are_sums(column: Column) -> bool:
    return all(SUM_PAID.fullmatch(cell) or not any(map(str.isalpha, cell)) for cell in column.filled)


def ask_about_boxes(records: Sequence[Record], roster: Roster) -> None:
    """Ask what the boxes before lines mean, if some are checked and others are not."""
    checked = sum(bool(CHECKED.match(record.cells[0])) for record in records)
    if checked and any(UNCHECKED.match(record.cells[0]) for record in records):
        roster.questions.append(f"{checked} of the boxes before the lines are checked. The boxes were not read.")


def _is_somebody(name: str) -> bool:
    """Whether a team's name is the name of a person, first and last, or of two people."""
    parts = people_in(name)
    return any(is_person(part) and " " in part for part in parts)


def _are_several(name: str, wanted: int) -> bool:
    """Whether a name has as many parts as a team has players: “Hargis & Mullins”, “Hargis-Mullins”."""
    last_names = name.split("-")
    are_joined = len(last_names) == wanted and all(part[:1].isupper() and part.isalpha() for part in last_names)
    return are_joined or len(people_in(name)) == wanted


def _ask_about_column(column: Column, roster: Roster) -> None:
    """Ask about an unread column that has people in it."""
    if column.role:
        return
    cells = [LABEL.sub("", cell) for cell in column.filled]
    people = [cell for cell in cells if " " in cell and is_person(cell)]
    if people and len(people) * 3 >= len(cells):
        called = f"“{column.heading}”" if column.heading else "without a heading"
        roster.questions.append(f"The column {called} isn’t read. Is “{people[0]}” a player?")
