"""Lists that have columns: what each is taken for, the teams that its rows make, what is doubtful in any list."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile, zip_longest
from typing import Any

from tournament.errors import Fault
from tournament.forms.roster.lines import Cells, split_number
from tournament.forms.roster.marks import NOBODY, PICTURES, cell_name, doubt_of, is_mark, mark_of, never_of
from tournament.forms.roster.names import PEOPLE, people_in, turned
from tournament.forms.roster.records import UNKNOWN, Column, Record, Roster, Unread, are_all
from tournament.models.team import MARKS, PLAIN_FACTS
from tournament.queries.roster import RosterRow, fault_at
from tournament.texts import name_key

# What a column may be taken for.
ROLES = {
    "": "skip",
    "name": "team",
    "of": "person’s team",
    "number": "number",
    "player": "player",
    "first": "first name",
    "last": "last name",
    "city": "town",
    "club": "club",
    "paid": "paid",
    "in_pot": "Boston pot",
}
# Headings as secretaries write them, without case, points and hyphens; a spreadsheet may be German.
HEADINGS = {
    "number": "entry|no|nr|num|number|team no|team nr|team number|team num|#|team #|id|seed|table|nummer|startnummer",
    "name": "team|team name|name|teams|partnership|pair|side|squad|name of team|mannschaft|paar|teamname",
    "player": "player 1|player1|p1|first player|1st player|partner 1|player one|player a|captain|player|member 1"
    "|player 2|player2|p2|second player|2nd player|partner 2|player two|player b|partner|member 2|spieler 1|spieler 2"
    "|player 3|player3|p3|third player|3rd player|member 3|substitute|sub|reserve|alternate|spieler 3|ersatz"
    "|player 4|player4|p4|fourth player|4th player|member 4|spieler 4"
    "|players|partners|members|names|player names|spieler|namen",
    "city": "city|town|home|hometown|home town|from|place|location|ort|stadt|wohnort",
    "club": "club|organisation|organization|lodge|chapter|league|verein",
    "paid": "paid|fee|fees|entry fee|fee paid|entry paid|payment|has paid|paid?|bezahlt|startgeld",
    "in_pot": "boston pot|pot|boston|in pot|in the pot|boston pot opt in|pot opt in|optin|pot?|boston pot?",
}
FIELDS = {heading: key for key, headings in HEADINGS.items() for heading in headings.split("|")}
# Headings in other words: the first row that fits decides. What is nobody's name is left out.
BY_WORDS = [
    (role, re.compile(rf"\b(?:{words})\b"))
    for role, words in (
        ("name", r"team name|name of (?:the |your )?team|team.* called"),
        ("paid", r"(?:amount|fees?|entry|price|has|have you)? ?paid|fee|bezahlt"),
        (
            "",
            r"e ?mails?|phone|mobile|tel|cell|timestamp|date|time|price|cost|orders?|type|quantity|qty|how many|zip|id",
        ),
        (
            "",
            r"number of|comments?|notes?|remarks?|status|address|state|country|buyer|billing|payment|shirt|meal|skill",
        ),
        ("", r"rank|pos|points?|pts|score|wins?|won|loss(?:es)?|lost|w|l|draws?|diff|played|record|avg|email\w*"),
        ("last", r"(?:last|family|sur) ?names?|surname|last|nachname"),
        ("first", r"(?:first|given|fore|christian) ?names?|first|vorname"),
        ("number", r"(?:team|pair|table|entry|seed) (?:no|nr|number|#)|seed|no|nr|number"),
        ("club", r"clubs?|affiliation|organi[sz]ations?|lodge|chapter|school|company|verein"),
        ("city", r"city|town|hometown|location|from|ort"),
        (
            "player",
            r"captains?|partners?|players?|members?|attendees?|participants?|guests?|holder|teammates?|who|person",
        ),
        ("player", r"your (?:full )?name|full name|spieler|entrants?|contestant|substitute|sub"),
        ("name", r"teams?|pairs?|squad|sides?|mannschaft|name"),
    )
]
# Words of which headings consist, beside those above.
FILLERS = set("a the of your you s is are what which in and for please enter if any full name names 1 2 3 4 5".split())
FILLERS |= set("one two 1st 2nd second team teams group ticket #".split())
STANDINGS = set(
    "rank pos place pts points score w l d won lost wins losses draws tb tb1 tb2 diff played rd avg".split()
)
STANDINGS |= {"buchholz", "sos", "record", "+/-", "mp", "gp", "total"}
# A spreadsheet's guard before a text that it would run: reports/files.py writes it.
GUARD = re.compile(r"'(?=[=+\-@＝＋－＠])")
DELIMITERS = ",;\t|"
BLANKS = f"{DELIMITERS} \u00a0"
# Headings stand at the top, below a title perhaps; a title says what the list is, or when.
FIRST_LINES, SAMPLE = 10, 40
TITLE = re.compile(
    r"\b(?:teams|list|roster|entries|entrants|sign-?ups?|registrations?|registered|tournament|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
# What is no team of tonight: shown apart, with its choice.
# Two headings for a team are one too many, whatever stands beneath them.
TEAM_ROLES = {"name", "of"}
WAITING, SUM, HEADING, TALK, NO_TEAM, OUT = "waiting list", "a sum", "a heading", "talk", "no team", "skipped"
WAITS = re.compile(
    r"\W*(?:(?:on )?(?:the )?(?:(?:wait(?:ing)?|reserve|alternate)s?[ -]?list(?:ed)?|stand-?by)|cancell?ed"
    r"|withdr[ae]wn?|refunded|declined|not attending|no[ -]shows?|scratched|warteliste)\W*\d*\W*",
    re.IGNORECASE,
)
SUMS = re.compile(
    r"\W*(?:(?:sub|grand )?total|sum|summe|count)\b[^a-z]*(?:(?:teams?|players?|pairs?|people|paid|owed)[^a-z]*)*"
    r"|.*\d\s*=\s*[$€£]?\d.*|\W*\d+ (?:teams?|players?|pairs?|people)\W*|\W*(?:teams|players|pairs)\W*\d+\W*",
    re.IGNORECASE,
)
BYES = re.compile(
    r"\W*(?:byes?|test|example|ghost|dummy|phantom|sits? out|freilos|spielfrei|vacant|no team|empty)\W*\d*\W*",
    re.IGNORECASE,
)


def unguarded(text: str) -> str:
    """The text of a cell without the guard of a spreadsheet, on one line."""
    return GUARD.sub("", " ".join(text.split()), count=1)


def plain(heading: str) -> str:
    """A heading without case, points and hyphens; without what stands in brackets, where it is unknown with it."""
    words = " ".join(re.sub(r"[._\-:()’']+", " ", name_key(heading)).split())
    return words if words in FIELDS or "(" not in heading else plain(re.sub(r"\(.*\)|\(", "", heading))


def role_of(heading: str) -> str:
    """What a heading stands for."""
    words = plain(heading)
    by_words = (role for role, pattern in BY_WORDS if pattern.search(words))
    return FIELDS[words] if words in FIELDS else next(by_words, UNKNOWN)


def is_heading(cell: str) -> bool:
    """Whether a cell consists of the words of headings: “Captain Name”, and not “Captain Jack”."""
    words = plain(cell)
    left = [word for _, pattern in BY_WORDS for word in pattern.findall(words)]
    return words in FIELDS or bool(left and not set(words.split()) - set(" ".join(left).split()) - FILLERS)


# The rows: whether a list has columns, and where its headings are.


def grid_of(text: str) -> tuple[list[list[str]], str]:
    """The cells of a list, row by row, with the sign between them: none, and a cell a line, where it has no columns."""
    lines = re.split(r"\r\n|\r|\n", text)
    filled = [line for line in lines if line.strip(BLANKS)]
    for delimiter in "\t;|,":
        heads = [_quick(line, delimiter) for line in filled[:FIRST_LINES]]
        below = [_quick(line, delimiter) for line in filled[:SAMPLE]]
        has_heading = any(_headings(cells, below[index + 1 :]) for index, cells in enumerate(heads))
        if has_heading or _is_even(filled, delimiter):
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
            try:
                return list(reader), delimiter
            except csv.Error as fault:
                text = f"Row {reader.line_num}: a quotation mark is not closed, or is inside a word."
                raise Unread(text) from fault
    return [[line] for line in lines], ""


def text_of_grid(grid: Sequence[Sequence[str]], delimiter: str) -> str:
    """The cells as the text of a list."""
    if not delimiter:
        return "\n".join(" ".join(row) for row in grid)
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(grid)
    return file.getvalue()


def _quick(line: str, delimiter: str) -> list[str]:
    return [cell.strip(' "') for cell in line.split(delimiter)]


def _is_even(lines: Sequence[str], delimiter: str) -> bool:
    """Whether lines are cells without headings: equally many on nearly all of them. A comma has blanks in sentences."""
    if delimiter == ",":
        lines = [re.sub('"[^"]*"', "", line) for line in lines]
        if len(lines) < 3 or any(", " in line for line in lines):
            return False
    counts = Counter(line.count(delimiter) for line in lines)
    most, lines_of_most = counts.most_common(1)[0] if counts else (0, 0)
    return most > (2 if delimiter == "," else 0) and len(lines) > 1 and lines_of_most * 10 >= len(lines) * 8


def _headings(cells: Sequence[str], below: Sequence[Sequence[str]]) -> int:
    """How many headings a row of cells holds; zero where it is no row of headings, which is unlike all others."""
    filled = [cell for cell in cells if cell.strip()]
    headings = sum(map(is_heading, filled))
    if headings > 1 and headings * 2 >= len(filled):
        return headings
    if len(filled) < 2 or any(is_mark(cell) or cell.isdecimal() for cell in filled):
        return 0
    stems = Counter(stem for cell in filled if (stem := re.sub(r"\s*\d\s*$", "", cell)) != cell)
    for index, cell in enumerate(cells):
        rest = [row[index] for row in below if index < len(row) and row[index]]
        if (
            cell
            and len(rest) > 1
            and any(are_all(kind, rest) and not are_all(kind, [cell]) for kind in ("number", "never"))
        ):
            return 1
    return int(any(count > 1 for count in stems.values()))


def heading_at(rows: Sequence[Sequence[str]]) -> int | None:
    """The index of the row of headings among the first rows."""
    counts = [_headings(cells, rows[index + 1 : SAMPLE]) for index, cells in enumerate(rows[:FIRST_LINES])]
    return next((index for index, count in enumerate(counts) if count and (count > 1 or max(counts) == 1)), None)


def records_of(grid: Sequence[Sequence[str]]) -> list[Record]:
    """The rows that are not empty, numbered as a spreadsheet numbers them; a cell may hold several lines."""
    return [
        Record(number, [unguarded(cell) for cell in cells] if len(cells) > 1 else list(cells), (number,))
        for number, cells in enumerate(grid, start=1)
        if any(cell.strip(BLANKS) for cell in cells)
    ]


def why_aside(cells: Sequence[str]) -> str:
    """Why a row is no team, by what stands in it; nothing for a row that may be one."""
    filled = [cell for cell in cells if cell]
    if waits := next(filter(WAITS.fullmatch, filled), ""):
        # “Waiting list (in this order)” stands above those who wait.
        is_above = filled[0] == waits and not any(re.search("[A-Z]", cell) for cell in filled[1:])
        return WAITING if is_above else f"it says “{waits}”"
    if SUMS.fullmatch(" ".join(filled)):
        return SUM
    bye = next(filter(BYES.fullmatch, filled[:3]), "")
    return f"it says “{bye}”" if bye else ""


# The columns.


def read_table(records: list[Record], roster: Roster) -> list[Record]:
    """Take the headings off, and say what each column is; gives the records that are left."""
    start = heading_at([record.cells for record in records])
    top = list(takewhile(_is_title, records)) if start is None else records[: start + 1]
    headings = Record(0, []) if start is None else records[start]
    top = [record for record in top if roster.wishes.of(record) != ""]
    for record in top:
        roster.set_aside(record, HEADING)
    body = [record for record in records if record not in top]
    if not body:
        raise Unread("There are no names below the headings.")
    # What stands beyond the headings is a column where most rows have it, and a fault where few do.
    width = len(headings.cells)
    if sum(any(record.cells[width:]) for record in records) * 2 > len(records):
        width = max(len(record.cells) for record in records)
    columns = roster.columns
    for index, heading in enumerate([*headings.cells, *[""] * width][:width]):
        columns.append(Column(heading, [record.cells[index] for record in body if index < len(record.cells)]))
    if roster.wishes.columns == columns_key(columns) and len(roster.wishes.roles) == len(columns):
        for column, role in zip(columns, roster.wishes.roles, strict=True):
            column.role = role if role in ROLES else ""
    else:
        _guess_roles(columns, roster)
    _check_columns(headings.number, roster)
    return body


def _is_title(record: Record) -> bool:
    """A title stands alone in its row."""
    return sum(map(bool, record.cells)) == 1 and bool(TITLE.search(record.text))


def columns_key(columns: Sequence[Column]) -> str:
    return f"{len(columns)} {' · '.join(column.heading for column in columns)}"


def _guess_roles(columns: Sequence[Column], roster: Roster) -> None:
    """What each column is taken for: by its heading, by its cells, and by the other columns."""
    ranks = STANDINGS & {word for column in columns for word in plain(column.heading).split()}
    if len(ranks) > 2:
        raise Unread("These are another program’s standings, not a list of teams. Paste the list of entries instead.")
    if len(ranks) > 1:
        roster.questions.append("These look like standings: only names and towns are read. Are these tonight’s teams?")
    _by_headings(columns)
    if not {"name", "player", "first"} & {column.role for column in columns}:
        _by_cells(columns, roster)
    people = [column for column in columns if column.role in ("player", "first")]
    if roster.wanted > 1 and len(people) == 1 and not people[0].is_mostly("several"):
        _find_team_of_persons(columns)
    for column in columns:
        if column.role == UNKNOWN and column.heading:
            roster.notes.append(f"The column “{column.heading}” was skipped.")
        column.role = "" if column.role == UNKNOWN else column.role


def _by_headings(columns: Sequence[Column]) -> None:
    """What the headings say, where the cells below do not contradict."""
    for column in columns:
        column.role = role_of(column.heading)
        # Only the plain word stands for what its cells do not look like.
        kind = {"number": "number", **dict.fromkeys(MARKS, "mark")}.get(column.role)
        differs = kind and plain(column.heading) not in FIELDS and not column.is_all(kind)
        if differs or (column.role in ("name", "player") and column.is_all("never")):
            column.role = ""
    halves = {column.role for column in columns} & {"first", "last"}
    for column in columns:
        is_second = column.role == "name" and sum(other.role == "name" for other in columns) > 1
        is_team = re.search(r"team|pair|squad|side|mannschaft", plain(column.heading))
        if (len(halves) == 1 and column.role in halves) or (is_second and not is_team):
            column.role = "player"


def _find_team_of_persons(columns: Sequence[Column]) -> None:
    """One line a person: what comes again, or is merged over two lines and empty in the lower one, is their team."""
    for role in ("name", "number"):
        for column in [column for column in columns if column.role == role]:
            again = Counter(map(name_key, column.filled))
            twice = sum(count > 1 for count in again.values())
            roles = {column.role for column in columns}
            if not again or (twice * 2 < len(again) and column.cells.count("") * 3 < len(column.cells)):
                continue
            if role == "name" or not {"name", "of"} & roles:
                column.role = "of"
            elif "of" in roles and len(again) < len(column.filled):
                column.role = ""


def _by_cells(columns: Sequence[Column], roster: Roster) -> None:
    """What columns are whose headings say nothing: a number, a mark, and texts in the order in which clubs write."""
    texts = []
    for column in columns:
        roles = {column.role for column in columns}
        if column.role != UNKNOWN or not column.filled or column.is_all("never"):
            continue
        if column.is_all("number"):
            is_number = "number" not in roles and len(set(column.filled)) == len(column.filled)
            column.role = "number" if is_number else "" if column.heading else UNKNOWN
        elif column.is_all("mark"):
            column.role = next((role for role in MARKS if role not in roles), UNKNOWN)
        else:
            texts.append(column)
    again = [column for column in texts if len(set(column.filled)) * 2 <= len(column.filled)]
    several = [column for column in texts if column.is_mostly("several")]
    has_city = any(column.role == "city" for column in columns)
    if roster.wanted > 1 and len(texts) == 2 and len(again) == 1:
        order = ["of" if column in again else "player" for column in texts]
    else:
        if again and len(texts) > 1 + (roster.wanted > 1):
            again[-1].role, has_city = "city", True
            texts.remove(again[-1])
        are_pairs = len(texts) == roster.wanted and all(column.is_all("people") for column in texts)
        is_named = roster.wanted == 1 or not ((are_pairs and not several) or texts[:1] == several[:1] != [])
        count = 0 if roster.wanted == 1 else 1 if several else roster.wanted
        order = ["name"] * is_named + ["player"] * count + ["city"] * (not has_city) + ["club"]
    for column, role in zip(texts, order, strict=False):
        column.role = role
    people = [cell for column in columns if column.role == "player" for cell in column.filled]
    is_plain = not any(column.heading for column in columns) and (roster.wanted == 1 or are_all("people", people))
    if not is_plain or "of" in order or len(texts) > len(order):
        roster.questions.append("What’s in the columns is a guess. Check what it says above each one.")


def _check_columns(row: int, roster: Roster) -> None:
    """What cannot be so: two columns of one kind, and no names at all."""
    roles = [column.role for column in roster.columns]
    for index, column in enumerate(roster.columns):
        same = TEAM_ROLES if column.role in TEAM_ROLES else {column.role}
        if same & {*roles[:index]} and column.role not in ("", "player", "first", "last"):
            text = f"Row {row}: two columns are headed {ROLES[column.role].capitalize()}: “{column.heading}” too."
            roster.faults.append(Fault(f"{row}:{column.role}", text))
    if not {"name", "of", "player", "first", "last"} & set(roles):
        roster.faults.append(Fault(f"{row}:name", f"Row {row}: the column Team is missing."))


# The teams: of a row's cells, of all lines of its people.


def by_role(record: Record, roles: Sequence[str]) -> Cells:
    """The cells of a table’s row, each with the role of its column; there may be more cells than columns."""
    return list(zip([*roles, *["more"] * len(record.cells)], record.cells, strict=False))


def row_of(number: int, cells: Cells, roster: Roster) -> RosterRow:
    """A team, or a person of one, from texts with their roles: the cells of a table, or the pieces of a line."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for role, text in cells:
        texts[role].append(unguarded(text))
    first = defaultdict(str, {role: next(filter(None, same), "") for role, same in texts.items()})
    is_alone = len(texts["player"]) == 1 and roster.wanted > 1
    players = [*texts["person"], *(name for cell in texts["player"] for name in _people(cell, is_alone))]
    pairs = zip_longest(texts["first"], texts["last"], fillvalue="")
    players += [" ".join(pair).strip() for pair in pairs]
    name, digits = first["of"] or first["name"], first["number"]
    if first["of"].isdecimal():
        name, digits = "", name
    elif "number" not in texts:
        digits, name = split_number(name)
    for text in filter(None, texts["more"]):
        words = f"Row {number}: “{text}” is left over at the end of the line. What is it?"
        roster.faults.append(Fault(f"{number}:", words))
    facts: dict[str, Any] = {fact: first[fact] for fact in PLAIN_FACTS}
    row = RosterRow(row=number, name=name, players=tuple(filter(None, players)), guessed=first["doubt"], **facts)
    marks: dict[str, Any] = {mark: _yes_of(row, mark, first[mark], roster) for mark in MARKS}
    return replace(row, number=_number_of(row, digits, roster), **marks)


def _number_of(row: RosterRow, text: str, roster: Roster) -> int | None:
    digits = text.rstrip(".").strip().removesuffix(".0")
    if digits and not re.fullmatch(r"[0-9]{1,9}", digits):
        roster.faults.append(fault_at(row, "number", f"“{digits}” is not a number."))
        digits = ""
    return int(digits) if digits else None


def _yes_of(row: RosterRow, key: str, text: str, roster: Roster) -> bool:
    mark = mark_of(text)
    if mark is None:
        roster.faults.append(fault_at(row, key, f"“{text}” is not yes or no."))
    elif " " in text:
        roster.notes.append(f"Row {row.row}: “{text}” was read as {'paid' if mark else 'not paid'}.")
    return bool(mark)


def _people(cell: str, is_alone: bool) -> list[str]:
    """The people of a cell: one, “Last, First”, or all of a team where the row has one text for them."""
    parts = [part.strip() for part in re.split(r"[;|\n]", cell) if part.strip()]
    if is_alone and len(parts) == 1 and (turned(cell) == cell or cell.count(",") > 1):
        return people_in(cell)
    return [turned(name.strip()) for part in parts for name in ([part] if turned(part) != part else PEOPLE.split(part))]


def joined(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """One team of all lines of its people. A line without a team belongs to the one above, where that is not full."""
    teams: dict[str, list[RosterRow]] = {}
    above = ""
    # A cell that is merged over two lines is empty in the lower one; where few are empty, there is no team.
    is_merged = sum(not row.name for row in rows) * 3 >= len(rows)
    for row in rows:
        key = name_key(row.name) or (f"#{row.number}" if row.number is not None else "")
        if not key and not is_merged:
            row = doubted(row, "no team is named")
        elif not key and above and sum(len(line.players) for line in teams[above]) < roster.wanted:
            key, row = above, doubted(row, "a line without a team was added to the one above")
        above = key or f"row {row.row}"
        teams.setdefault(above, []).append(row)
    return [_team_of(lines, roster) for lines in teams.values()]


def _team_of(lines: Sequence[RosterRow], roster: Roster) -> RosterRow:
    """The team of lines that name it; where they contradict, the first counts, and it is asked about."""
    team, *others = lines
    players = {name_key(player): player for line in lines for player in line.players}
    if others:
        roster.more[team.row] = [line.row for line in others]
        team = replace(team, players=tuple(players.values()), in_pot=all(line.in_pot for line in lines))
    for line in others:
        team = doubted(team, line.guessed)
        for field in ("number", *PLAIN_FACTS):
            value, other = getattr(team, field), getattr(line, field)
            if value and other and value != other:
                team = doubted(team, f"“{other}” is in row {line.row} as well")
            team = replace(team, **{field: value or other})
        if line.paid != team.paid:
            team = replace(doubted(team, "they haven’t all paid"), paid=False)
    return team if len(team.players) >= roster.wanted else doubted(team, "a player is missing")


# What no row may pass in silence.


def judged(row: RosterRow, record: Record, roster: Roster) -> RosterRow:
    """The row without placeholders, with what of it is doubtful; what is never a name is a fault with its cell."""
    doubts = [f"“{player}” was read as an open seat" for player in row.players if NOBODY.fullmatch(player)]
    players = [text for text in row.players if any(map(str.isalnum, text)) and not NOBODY.fullmatch(text)]
    name, *players = [PICTURES.sub("", text) or text for text in (row.name, *players)]
    city = PICTURES.sub("", row.city)
    if NOBODY.fullmatch(name) and players and len(name.split()) < 3:
        doubts.append(f"“{name}” was not read as a name")
        name = ""
    row = replace(row, name=name, players=tuple(players), city=city)
    seats = [("player", f"player{seat}", text) for seat, text in enumerate(players, 1)]
    for kind, column, text in [
        ("name" if roster.wanted > 1 else "player", "name", name),
        *seats,
        ("city", "city", city),
    ]:
        if never := never_of(text):
            where = [cell_name(index, row.row) for index, cell in enumerate(record.cells) if cell == text]
            words = f"“{text}”{f' in cell {where[0]}' if where else ''} is {never}, not a name. Type the name."
            roster.faults.append(fault_at(row, column, words))
        elif text:
            doubts.append(doubt_of(kind, text))
    return doubted(row, *doubts)


def doubted(row: RosterRow, *doubts: str) -> RosterRow:
    """The row with more that is asked about before anything is stored."""
    return replace(row, guessed="; ".join(dict.fromkeys(filter(None, (row.guessed, *doubts)))))
