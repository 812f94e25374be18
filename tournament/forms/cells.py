"""What a cell of a list means: a heading in other words, a number, yes or no; and what was read of the whole list."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tournament.queries.roster import RosterRow, fault_at
from tournament.refusals import Fault
from tournament.texts import name_key

# Headings as secretaries write them, without case, points and hyphens; a spreadsheet may be German.
HEADINGS = {
    "number": "no|nr|num|number|team no|team nr|team number|team num|#|team #|id|seed|table|nummer|startnummer",
    "name": "team|team name|name|teams|partnership|pair|side|squad|name of team|mannschaft|paar|teamname",
    "player1": "player 1|player1|p1|first player|1st player|partner 1|player one|player a|captain|player|member 1"
    "|spieler 1",
    "player2": "player 2|player2|p2|second player|2nd player|partner 2|player two|player b|partner|member 2|spieler 2",
    "player3": "player 3|player3|p3|third player|3rd player|member 3|substitute|sub|reserve|alternate|spieler 3|ersatz",
    "player4": "player 4|player4|p4|fourth player|4th player|member 4|spieler 4",
    "players": "players|partners|members|names|player names|spieler|namen",
    "city": "city|town|home|hometown|home town|from|place|location|ort|stadt|wohnort",
    "club": "club|organisation|organization|lodge|chapter|league|verein",
    "paid": "paid|fee|fees|entry fee|fee paid|entry paid|payment|has paid|paid?|bezahlt|startgeld",
    "in_pot": "boston pot|pot|boston|in pot|in the pot|boston pot opt in|pot opt in|optin|pot?|boston pot?",
}
FIELDS = {heading: key for key, headings in HEADINGS.items() for heading in headings.split("|")}
PLAYERS = ("player1", "player2", "player3", "player4")
YES = {"yes", "y", "x", "1", "true", "paid", "in", "ok", "✓", "✔", "☑", "√", "on", "full"}
NO = {"", "no", "n", "0", "false", "owed", "owes", "out", "-", "–", "—", "unpaid", "off", "☐"}
# A spreadsheet's guard before a text that it would run: reports/csv_file.py writes it.
GUARD = re.compile(r"'(?=[=+\-@＝＋－＠])")


@dataclass(slots=True)
class Roster:
    """What was read: every line that is not empty is a row, a heading (line and text) or a fault."""

    rows: list[RosterRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)

    @property
    def players(self) -> int:
        """How many players are named; where everybody plays alone, the team is one."""
        return sum(len(row.players) for row in self.rows)

    @property
    def told(self) -> frozenset[str]:
        """What any row tells beside its name and its players; a club stands in the column of the city."""
        told = {"city": "city", "club": "city", "paid": "paid", "in_pot": "in_pot"}
        return frozenset(told[key] for key in told if any(getattr(row, key) for row in self.rows))

    @property
    def guessed(self) -> int:
        return sum(bool(row.guessed) for row in self.rows)


def unguarded(text: str) -> str:
    """The text of a cell without the guard of a spreadsheet, on one line."""
    return GUARD.sub("", " ".join(text.split()), count=1)


def is_heading(cell: str) -> bool:
    return plain(cell) in FIELDS


def plain(heading: str) -> str:
    """A heading without case, points and hyphens."""
    return " ".join(re.sub(r"[._\-:()]+", " ", name_key(heading)).split())


def number_of(row: RosterRow, text: str, roster: Roster) -> int | None:
    text = text.rstrip(".").strip().removesuffix(".0")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        roster.faults.append(fault_at(row, "number", f"“{text}” is not a number."))
        return None
    return int(text)


def yes_of(row: RosterRow, key: str, text: str, roster: Roster) -> bool:
    if _is_yes(text):
        return True
    if not _is_no(text):
        roster.faults.append(fault_at(row, key, f"“{text}” is not yes or no."))
    return False


def _is_yes(text: str) -> bool:
    word = text.casefold().strip().rstrip(".")
    return word in YES or bool(re.fullmatch(r"[$€£]?\s*[1-9]\d*(?:[.,]\d{1,2})?", word, re.ASCII))


def _is_no(text: str) -> bool:
    word = text.casefold().strip().rstrip(".")
    return word in NO or bool(re.fullmatch(r"[$€£]?\s*0+(?:[.,]0{1,2})?", word, re.ASCII))


def is_mark(text: str) -> bool:
    """Whether a piece says yes or no, or a sum, and is no town."""
    return bool(text) and (_is_yes(text) or _is_no(text))
