"""A list of teams as clubs write it: lines without columns, and the cells of lists that have headings."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tournament.errors import Fault
from tournament.queries.roster import COLUMNS, RosterRow, fault_at
from tournament.texts import name_key

# A line of a list as clubs write it, without columns: “1. Owls – A / B”, “Name: A, B”, “A & B”, “Name (A and B)”.
#
# A line is cut into pieces at tabs, commas, dashes, colons and brackets; what the pieces are follows from their
# number, from the signs between two people, and from the other lines of the list.


BULLET = re.compile(r"[•◦▪·*>☐]\s*|[-–—]\s+")
# “1.”, “1)”, “#1”, “No. 1”, “1 –”, “1,”: a number beyond doubt; a bare “1 ” only where every line begins so.
NUMBER = re.compile(
    r"\(?(?:#|(?:no|nr|num|number|team|table)\b[.:]?\s*#?)?\s*(\d{1,4})(?:\s*[.):](?!\d)|\s*[,;|\t]|\s+[-–—](?=\s))\s*",
    re.IGNORECASE,
)
MARKED_NUMBER = re.compile(r"(?:#|(?:no|nr|num|number)[.:]?\s*#?)\s*(\d{1,4})\s+", re.IGNORECASE)
BARE_NUMBER = re.compile(r"(\d{1,4})\s+(?=\S)")
STRONG = "\t;|"
DASH = re.compile(r"\s+[-–—]+\s+|\s*[–—]+\s*(?=\D)|\s*[–—]+\s*$")
COLON = re.compile(r"\s*:(?:\s+|$)")
GAP = re.compile(r"\s{2,}")
QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»"}
BRACKETS = {"(": ")", "[": "]", "{": "}"}
BETWEEN_TWO = r"\s*(?:\bw/|/|&|\+|\b(?:and|with)\b{})\s*"
PEOPLE = re.compile(BETWEEN_TWO.format(""), re.IGNORECASE)
PEOPLE_IN_A_ROW = re.compile(BETWEEN_TWO.format("|,"), re.IGNORECASE)
NO_PERSON = re.compile(r"(?:an?|the)\s|.*\d")


class Unread(ValueError):
    """A line that cannot be read, with the reason as a sentence."""


class Piece(NamedTuple):
    """A part of a line between its separators. `kind` is plain, quoted, bracket, or named where a colon follows."""

    text: str
    kind: str = "plain"


class Known(NamedTuple):
    """What the list tells about its lines: whether they are numbered, hold bare names, and which towns recur."""

    numbered: bool = False
    bare_names: bool = False
    towns: frozenset[str] = frozenset()


@dataclass(slots=True)
class Entrant:
    """What a line says. `rest` are the pieces behind the players, in their places."""

    number: str = ""
    name: str = ""
    players: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


def known_of(lines: Sequence[str], wanted: int) -> Known:
    """What the lines of a list tell about each other."""
    numbers = [int(number) for line in lines if (number := _number(line, True)[0])]
    numbered = len(numbers) * 2 > len(lines) > 1 and numbers == sorted(set(numbers))
    bare, last = False, Counter[str]()
    for line in lines:
        try:
            pieces = _pieces(_number(line, numbered)[1], wanted)
        except Unread:
            continue
        bare |= len(pieces) == 1 and len(PEOPLE.split(pieces[0].text)) == 1
        last.update({piece.text.casefold() for piece in pieces[1:] if piece.text})
    return Known(numbered, bare, frozenset(text for text, count in last.items() if count > 1))


def read_line(line: str, wanted: int, facts: Known) -> Entrant:
    """A team of `wanted` players from its line. Raises Unread where that is impossible."""
    number, rest = _number(line, facts.numbered)
    pieces = _pieces(rest, wanted)
    if facts.numbered and not number and len(pieces) > 1 and not pieces[0].text:
        pieces = pieces[1:]
    if wanted > 1:
        entrant = _team(pieces, wanted, facts)
    else:
        entrant = Entrant(name=pieces[0].text, rest=_texts(pieces[1:])) if pieces else Entrant()
    entrant.number = number
    return entrant


def cells_of(line: str) -> list[str]:
    """The pieces of a line, whatever they are."""
    try:
        return [piece.text for piece in _pieces(line, 0)]
    except Unread:
        return [line]


def people_in(text: str, *, in_a_row: bool = True) -> list[str]:
    """The people that a piece names: “Nell Gaines / Otis Reed”, “A & B”, and in a row “A, B and C”."""
    parts = [part.strip() for part in (PEOPLE_IN_A_ROW if in_a_row else PEOPLE).split(text) if part.strip()]
    return [text] if any(NO_PERSON.match(part) for part in parts) else parts


def _number(line: str, bare: bool) -> tuple[str, str]:
    """The number before a line, and what follows it."""
    # Trailing separators stay: a cell that is empty has its place.
    text = BULLET.sub("", line.lstrip().rstrip(" \u00a0"), count=1) if BULLET.match(line.lstrip()) else line.lstrip()
    for pattern in (NUMBER, MARKED_NUMBER, *([BARE_NUMBER] if bare else [])):
        if (match := pattern.match(text)) and text[match.end() :].strip():
            return match[1], text[match.end() :]
    return "", text


def _pieces(text: str, wanted: int) -> list[Piece]:
    """Cut at the strongest separator that gives a team and its players; else at every separator; else at gaps."""
    for delimiter in STRONG:
        if delimiter in text and len(pieces := _cut(text, delimiter)) > wanted:
            return pieces
    pieces = _cut(text, STRONG + ",", loosely=True)
    if len(pieces) == 1 and pieces[0].kind == "plain" and GAP.search(pieces[0].text):
        pieces = [Piece(part) for part in GAP.split(pieces[0].text)]
    return [piece._replace(text=" ".join(piece.text.split())) for piece in pieces]


def _cut(text: str, signs: str, *, loosely: bool = False) -> list[Piece]:
    """Cut at the signs; loosely at dashes, colons and brackets, too. What stands in quotes or brackets stays whole."""
    pieces: list[Piece] = []
    open_, index = "", 0
    while index < len(text):
        character = text[index]
        if character in QUOTES and not open_.strip():
            quoted, index = _quoted(text, index)
            pieces.append(Piece(quoted, "quoted"))
            index = _past(text, index, signs, loosely)
            open_ = ""
        elif loosely and character in BRACKETS and (inside := _inside(text, index, open_)) is not None:
            if open_.strip():
                pieces.append(Piece(open_.strip()))
            pieces.append(Piece(inside.strip(), "bracket"))
            index, open_ = _past(text, index + len(inside) + 2, signs, loosely), ""
        elif character in signs:
            pieces.append(Piece(open_.strip()))
            index, open_ = index + 1, ""
            if index == len(text):
                pieces.append(Piece(""))
        elif loosely and open_.strip() and (match := COLON.match(text, index) or DASH.match(text, index)):
            named = not pieces and ":" in match[0]
            pieces.append(Piece(open_.strip(), "named" if named else "plain"))
            index, open_ = match.end(), ""
        else:
            index, open_ = index + 1, open_ + character
    if open_.strip():
        pieces.append(Piece(open_.strip()))
    while len(pieces) > 1 and not pieces[-1].text:
        pieces.pop()
    return pieces


def _quoted(text: str, index: int) -> tuple[str, int]:
    """What stands in quotes, two quotes being one; and where it ends."""
    close, quoted, index = QUOTES[text[index]], "", index + 1
    while index < len(text):
        if text[index] == close and text[index + 1 : index + 2] == close == '"':
            quoted, index = quoted + close, index + 2
        elif text[index] == close:
            return quoted.strip(), index + 1
        else:
            quoted, index = quoted + text[index], index + 1
    raise Unread("A quotation mark is not closed.")


def _inside(text: str, index: int, before: str) -> str | None:
    """What stands in a bracket that is a piece of its own; None for one in a name: “Nell (Nelly) Gaines”."""
    end = text.find(BRACKETS[text[index]], index)
    if end < 0 or (before and not before[-1].isspace()):
        return None
    inside, behind = text[index + 1 : end], text[end + 1 :].lstrip()
    is_nickname = before.strip() and behind[:1].isalnum() and len(people_in(inside)) == 1
    return None if is_nickname else inside


def _past(text: str, index: int, signs: str, loosely: bool) -> int:
    """Behind the separator that follows a quote or a bracket."""
    while index < len(text) and text[index].isspace() and text[index] not in signs:
        index += 1
    if index < len(text) and text[index] in signs:
        return index + 1
    match = loosely and (COLON.match(text, index) or re.compile(r"[-–—]+\s+").match(text, index))
    return match.end() if match else index


def _team(pieces: list[Piece], wanted: int, facts: Known) -> Entrant:
    first, rest = pieces[0], pieces[1:]
    for index, piece in enumerate(rest):
        # “Six Low (Flo and Ida)”, “Owls – A / B”: people of one piece are the players, what stands before is the name.
        if len(people := people_in(piece.text)) >= 2 and (index == 0 or piece.kind == "bracket"):
            return Entrant(name=first.text, players=tuple(people), rest=_texts(rest[:index] + rest[index + 1 :]))
    words = [piece for piece in rest if piece.kind != "bracket" and piece.text]
    if first.kind in ("named", "quoted") or not first.text or len(words) > wanted:
        return Entrant(name=first.text, players=_texts(words[:wanted]), rest=_behind(rest, words[:wanted]))
    # “A, B, Dayton” is a pair and its town where Dayton comes again in other lines, and a team with its players else.
    if words and words[-1].text.casefold() in facts.towns:
        words.pop()
    if len(words) == wanted:
        return Entrant(name=first.text, players=_texts(words), rest=_behind(rest, words))
    pair = people_in(first.text, in_a_row=False)
    if len(pair) >= 2 and not words:
        # “Cut & Deal” alone is a team's name in a list of names, and a pair in a list of pairs.
        if all(" " in name for name in pair) or not facts.bare_names:
            return Entrant(players=tuple(pair), rest=_texts(rest))
    elif len(pair) >= 2 and all(" " in name for name in pair):
        return Entrant(players=tuple(pair), rest=_texts(rest))
    elif len(words) == wanted - 1 and words:
        return Entrant(players=_texts([first, *words]), rest=_behind(rest, words))
    return Entrant(name=first.text, players=_texts(words), rest=_behind(rest, words))


def _texts(pieces: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(piece.text for piece in pieces)


def _behind(pieces: list[Piece], used: list[Piece]) -> tuple[str, ...]:
    """The pieces that are not players, in their places."""
    left = list(pieces)
    for piece in used:
        left.remove(piece)
    return _texts(left)


# What a cell of a list means (a heading in other words, a number, yes or no), and lists that have headings.

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
# A spreadsheet's guard before a text that it would run: reports/files.py writes it.
GUARD = re.compile(r"'(?=[=+\-@＝＋－＠])")
DELIMITERS = ",;\t|"


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
    def columns(self) -> frozenset[str]:
        """What any row tells beside its name and its players; a club stands in the column of the city."""
        columns = {"city": "city", "club": "city", "paid": "paid", "in_pot": "in_pot"}
        return frozenset(columns[key] for key in columns if any(getattr(row, key) for row in self.rows))

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
    mark = _mark(text)
    if mark is None:
        roster.faults.append(fault_at(row, key, f"“{text}” is not yes or no."))
    return bool(mark)


def _mark(text: str) -> bool | None:
    """Whether a text says yes, or a sum; no, or none; None where it says neither."""
    word = text.casefold().strip().rstrip(".")
    if word in YES or re.fullmatch(r"[$€£]?\s*[1-9]\d*(?:[.,]\d{1,2})?", word, re.ASCII):
        return True
    return False if word in NO or re.fullmatch(r"[$€£]?\s*0+(?:[.,]0{1,2})?", word, re.ASCII) else None


def is_mark(text: str) -> bool:
    """Whether a piece says yes or no, or a sum, and is no town."""
    return bool(text) and _mark(text) is not None


def delimiter_of(lines: Sequence[str]) -> str | None:
    """The sign between the columns, if one of the first lines holds headings."""
    counted = ((_headings(line.split(delimiter)), delimiter) for line in lines for delimiter in DELIMITERS)
    best = max(counted, default=(0, ""))
    return best[1] if best[0] else None


def _headings(cells: Sequence[str]) -> int:
    """How many headings a line of cells holds; zero where it is no line of headings."""
    filled = [cell for cell in cells if cell.strip()]
    headings = sum(is_heading(cell) for cell in filled)
    return headings if headings > 1 and headings * 2 >= len(filled) else 0


def read_table(text: str, delimiter: str, roster: Roster, wanted: int) -> None:
    records = list(_records(text, delimiter, roster))
    first = next((index for index, (_, cells) in enumerate(records) if _headings(cells)), len(records))
    roster.headings += [(number, _line(cells)) for number, cells in records[:first]]
    if roster.faults or first == len(records):
        return
    number, heading = records[first]
    roster.headings.append((number, _line(heading)))
    columns = _columns(number, heading, roster, wanted)
    if roster.faults:
        return
    if not records[first + 1 :]:
        roster.faults.append(Fault("text", "There are no names below the headings."))
    for number, cells in records[first + 1 :]:
        # A list of several pages has its headings on each of them.
        if [plain(cell) for cell in cells] == [plain(cell) for cell in heading]:
            roster.headings.append((number, _line(cells)))
        else:
            roster.rows.append(_row(number, cells, columns, roster))


def _records(text: str, delimiter: str, roster: Roster) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, numbered as a spreadsheet numbers them; a cell may hold several lines."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for number, cells in enumerate(reader, start=1):
            if any(cell.strip() for cell in cells):
                yield number, [unguarded(cell) for cell in cells]
    except csv.Error:
        roster.faults.append(
            Fault("text", f"Row {reader.line_num}: a quotation mark is not closed, or is inside a word.")
        )


def _columns(row: int, heading: Sequence[str], roster: Roster, wanted: int) -> list[str]:
    """What each column holds."""
    columns = [FIELDS.get(plain(cell), "") for cell in heading]
    for index, key in enumerate(columns):
        if key and key in columns[:index]:
            words = COLUMNS.get(key, "Players")
            text = f"Row {row}: two columns are headed {words}: “{heading[index]}” too."
            roster.faults.append(Fault(f"{row}:{key}", text))
        if not key and heading[index]:
            roster.notes.append(f"The column “{heading[index]}” is not known and was left out.")
    seats = PLAYERS[:wanted]
    here = [key for key in seats if key in columns]
    if "name" not in columns and not here and "players" not in columns:
        roster.faults.append(Fault(f"{row}:name", f"Row {row}: the column Team is missing."))
    # A list of names alone will do; a column for one of two partners will not.
    for key in seats if here and wanted > 1 and "players" not in columns else ():
        if key not in here:
            text = f"Row {row}: the column {COLUMNS[key]} is missing."
            roster.faults.append(Fault(f"{row}:{key}", text))
    return columns


def _row(number: int, cells: list[str], columns: Sequence[str], roster: Roster) -> RosterRow:
    if any(cells[len(columns) :]):
        text = f"Row {number}: there are {len(cells)} columns, and the headings are {len(columns)}."
        roster.faults.append(Fault(f"{number}:", text))
    values = {key: cell for key, cell in zip(columns, cells, strict=False) if key}
    players = [values.get(key, "") for key in PLAYERS]
    if "players" in values:
        players = [name for part in re.split(r"\s*;\s*", values["players"]) for name in re.split(r"\s*\|\s*", part)]
        players = [name for part in players for name in people_in(part)]
    blank = RosterRow(number, None, "")
    return RosterRow(
        row=number,
        number=number_of(blank, values.get("number", ""), roster),
        name=values.get("name", ""),
        players=tuple(name for name in players if name.strip()),
        city=values.get("city", ""),
        club=values.get("club", ""),
        paid=yes_of(blank, "paid", values.get("paid", ""), roster),
        in_pot=yes_of(blank, "in_pot", values.get("in_pot", ""), roster),
    )


def _line(cells: Sequence[str]) -> str:
    return " · ".join(cell for cell in cells if cell)
