"""Lists that have columns: what each is taken for, the teams that its rows make, what is doubtful in any list."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from tournament.errors import Fault
from tournament.forms.roster_lines import (
    MARKS,
    NEVER,
    NOBODY,
    PEOPLE,
    PICTURES,
    Aside,
    Column,
    Record,
    Roster,
    Unread,
    Wishes,
    doubt_of,
    is_mark,
    letters,
    mark_of,
    people_in,
    split_number,
    turned,
)
from tournament.queries.roster import RosterRow, fault_at
from tournament.texts import name_key

# What a column may be taken for.
ROLES = {
    "": "left out",
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
# Headings stand at the top, below a title perhaps; a title says what the list is, or when.
FIRST_LINES = 10
TITLE = re.compile(
    r"\b(?:teams|list|roster|entries|entrants|sign-?ups?|registrations?|registered|tournament|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
# What is no team of tonight: shown apart, with its choice.
WAITING, SUM, HEADING, TALK, NO_TEAM, OUT = "waiting list", "a sum", "a heading", "talk", "no team", "left out"
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
    """A heading without case, points and hyphens."""
    return " ".join(re.sub(r"[._\-:()’']+", " ", name_key(heading)).split())


def role_of(heading: str) -> str | None:
    """What a heading stands for; None where its words are not understood."""
    words = plain(re.sub(r"\(.*\)", "", heading) if plain(heading) not in FIELDS else heading)
    if words in FIELDS or not words:
        return FIELDS.get(words)
    return next((role for role, pattern in BY_WORDS if pattern.search(words)), None)


def is_heading(cell: str) -> bool:
    """Whether a cell consists of the words of headings: “Captain Name”, and not “Captain Jack”."""
    words = plain(re.sub(r"\(.*\)", "", cell) if plain(cell) not in FIELDS else cell)
    left = [word for _, pattern in BY_WORDS for word in pattern.findall(words)]
    return words in FIELDS or bool(left and not set(words.split()) - set(" ".join(left).split()) - FILLERS)


def number_of(row: RosterRow, text: str, roster: Roster) -> int | None:
    text = text.rstrip(".").strip().removesuffix(".0")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        roster.faults.append(fault_at(row, "number", f"“{text}” is not a number."))
        return None
    return int(text)


def yes_of(row: RosterRow, key: str, text: str, roster: Roster) -> bool:
    mark = mark_of(text)
    if mark is None:
        roster.faults.append(fault_at(row, key, f"“{text}” is not yes or no."))
    elif " " in text.strip():
        roster.notes.append(f"Row {row.row}: “{text}” was read as {'paid' if mark else 'not paid'}.")
    return bool(mark)


def _is(kind: str, cells: Sequence[str]) -> bool:
    """Whether at least four of five cells are of a kind."""
    tests = {
        "number": str.isdecimal,
        "mark": is_mark,
        "never": lambda cell: any(pattern.fullmatch(cell) for pattern in NEVER.values()),
        "people": lambda cell: len(people_in(cell)) > 1 or 1 < len(cell.split()) < 5,
    }
    return bool(cells) and sum(map(tests[kind], cells)) * 5 >= len(cells) * 4


# The rows: whether a list has columns, and where its headings are.


def grid_of(text: str) -> tuple[list[list[str]], str]:
    """The cells of a list, row by row, with the sign between them: none, and a cell a line, where it has no columns."""
    lines = re.split(r"\r\n|\r|\n", text)
    filled = [line for line in lines if line.strip(f"{DELIMITERS} \u00a0")]
    for delimiter in "\t;|,":
        heads = [_quick(line, delimiter) for line in filled[:FIRST_LINES]]
        below = [_quick(line, delimiter) for line in filled[:40]]
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
        if cell and len(rest) > 1 and any(_is(kind, rest) and not _is(kind, [cell]) for kind in ("number", "never")):
            return 1
    return int(any(count > 1 for count in stems.values()))


def heading_at(rows: Sequence[Sequence[str]]) -> int | None:
    """The index of the row of headings among the first rows."""
    counts = [_headings(cells, rows[index + 1 :]) for index, cells in enumerate(rows[:FIRST_LINES])]
    return next((index for index, count in enumerate(counts) if count and (count > 1 or max(counts) == 1)), None)


def records_of(grid: Sequence[Sequence[str]]) -> list[Record]:
    """The rows that are not empty, numbered as a spreadsheet numbers them; a cell may hold several lines."""
    return [
        Record(number, [unguarded(cell) for cell in cells] if len(cells) > 1 else list(cells), (number,))
        for number, cells in enumerate(grid, start=1)
        if any(cell.strip(f"{DELIMITERS} \u00a0") for cell in cells)
    ]


def why_aside(cells: Sequence[str], wishes: Wishes, text: str) -> str:
    """Why a row is no team: a wish, or what stands in it. Nothing for a row that is one."""
    if wish := wishes.rows.get(text):
        return "" if wish == "in" else OUT if wish == "out" else wish
    filled = [cell for cell in cells if cell]
    if waits := next(filter(WAITS.fullmatch, filled), ""):
        # “Waiting list (in this order)” stands above those who wait.
        return (
            WAITING
            if filled[0] == waits and not any(re.search("[A-Z]", cell) for cell in filled[1:])
            else f"it says “{waits}”"
        )
    if SUMS.fullmatch(" ".join(filled)):
        return SUM
    bye = next(filter(BYES.fullmatch, filled[:3]), "")
    return f"it says “{bye}”" if bye else ""


# The columns.


def read_table(records: list[Record], roster: Roster, wanted: int, wishes: Wishes) -> Iterator[Record]:
    """Take the headings off, and say what each column is; gives the records that are left."""
    width = max(len(record.cells) for record in records)
    rows = [record.cells + [""] * (width - len(record.cells)) for record in records]
    start = heading_at(rows)
    if start is None:
        # A title stands alone in its row.
        filled = [len(list(filter(None, row))) for row in rows[:FIRST_LINES]]
        start = next((index for index, count in enumerate(filled) if count > 1), 0) - 1
        heading, top_row = [""] * width, 0
        start = start if all(TITLE.search(record.text) for record in records[: start + 1]) else -1
    else:
        # What stands beyond the headings is a column where most rows have it, and a fault where few do.
        own = len(records[start].cells)
        width = width if sum(any(row[own:]) for row in rows) * 2 > len(rows) else own
        heading, top_row = rows[start][:width], records[start].number
    top = [record for record in records[: start + 1] if wishes.rows.get(record.text) != "in"]
    roster.aside += [Aside(record.number, record.text, HEADING) for record in top]
    body = [record for record in records if record not in top]
    if not body:
        roster.faults.append(Fault("text", "There are no names below the headings."))
        return
    cells = [[row.cells[index] for row in body if index < len(row.cells)] for index in range(width)]
    if wishes.columns == columns_key(heading) and len(wishes.roles) == width and set(wishes.roles) <= ROLES.keys():
        roles = list(wishes.roles)
    else:
        roles = _guessed_roles(heading, cells, wanted, roster)
    roster.columns = [Column(*column) for column in zip(heading, roles, cells, strict=True)]
    _check_columns(top_row, roster)
    for record in body:
        # A list of several pages has its headings on each of them.
        if top_row and [plain(cell) for cell in record.cells] == [plain(cell) for cell in heading[: len(record.cells)]]:
            roster.aside.append(Aside(record.number, record.text, HEADING))
        else:
            yield record


def columns_key(heading: Sequence[str]) -> str:
    return f"{len(heading)} {' · '.join(heading)}"


def _guessed_roles(heading: Sequence[str], cells: Sequence[list[str]], wanted: int, roster: Roster) -> list[str]:
    """What each column is taken for: by its heading, by its cells, and by the other columns."""
    filled = [[cell for cell in column if cell and not NOBODY.fullmatch(cell)] for column in cells]
    ranks = STANDINGS & {word for text in heading for word in plain(text).split()}
    if len(ranks) > 2:
        raise Unread("These are another program’s standings, not a list of teams. Paste the list of entries instead.")
    if len(ranks) > 1:
        roster.questions.append("These look like standings: only names and towns are read. Are these tonight’s teams?")
    roles = _by_headings(heading, filled)
    if "name" not in roles and not {"player", "first"} & set(roles):
        roles = _by_cells(heading, roles, filled, wanted, roster)
    if wanted > 1 and roles.count("player") + roles.count("first") == 1 and not _is_several(roles, filled):
        _find_team_of_persons(roles, cells, filled)
    for text, role in zip(heading, roles, strict=True):
        if role is None and text:
            roster.notes.append(f"The column “{text}” is not known and was left out.")
    return [role or "" for role in roles]


def _by_headings(heading: Sequence[str], filled: Sequence[list[str]]) -> list[str | None]:
    """What the headings say, where the cells below do not contradict."""
    roles = [role_of(text) for text in heading]
    for index, role in enumerate(roles):
        # Only the plain word stands for what its cells do not look like.
        kind = {"number": "number", "paid": "mark", "in_pot": "mark"}.get(role or "", "")
        differs = kind and plain(heading[index]) not in FIELDS and not _is(kind, filled[index])
        if differs or (role in ("name", "player") and _is("never", filled[index])):
            roles[index] = ""
    if ("first" in roles) != ("last" in roles):
        roles = ["player" if role in ("first", "last") else role for role in roles]
    for index, role in enumerate(list(roles)):
        is_team = re.search(r"team|pair|squad|side|mannschaft", plain(heading[index]))
        if role == "name" and roles.count("name") > 1 and not is_team:
            roles[index] = "player"
    return roles


def _find_team_of_persons(roles: list[str | None], cells: Sequence[list[str]], filled: Sequence[list[str]]) -> None:
    """One line a person: what comes again, or is merged over two lines and empty in the lower one, is their team."""
    for index in sorted(
        (index for index, role in enumerate(roles) if role in ("name", "number")), key=lambda index: roles[index] or ""
    ):
        again = Counter(map(name_key, filled[index]))
        twice = sum(count > 1 for count in again.values())
        if not again or (twice * 2 < len(again) and cells[index].count("") * 3 < len(cells[index])):
            continue
        if roles[index] == "name" or not {"name", "of"} & set(roles):
            roles[index] = "of"
        elif "of" in roles and len(again) < len(filled[index]):
            roles[index] = ""


def _is_several(roles: Sequence[str | None], filled: Sequence[list[str]]) -> bool:
    """Whether the only column of players names several in a cell."""
    cells = [cell for role, column in zip(roles, filled, strict=True) if role == "player" for cell in column]
    return sum(len(people_in(cell)) > 1 for cell in cells) * 2 > len(cells)


def _by_cells(
    heading: Sequence[str], roles: list[str | None], filled: Sequence[list[str]], wanted: int, roster: Roster
) -> list[str | None]:
    """What columns are whose headings say nothing: a number, a mark, and texts in the order in which clubs write."""
    texts = []
    for index, column in enumerate(filled):
        if roles[index] is not None or not column or _is("never", column):
            continue
        if _is("number", column):
            is_number = "number" not in roles and len(set(column)) == len(column)
            roles[index] = "number" if is_number else "" if heading[index] else roles[index]
        elif _is("mark", column):
            roles[index] = next((key for key in ("paid", "in_pot") if key not in roles), None)
        else:
            texts.append(index)
    again = [index for index in texts if len(set(filled[index])) * 2 <= len(filled[index])]
    several = [
        index for index in texts if sum(len(people_in(cell)) > 1 for cell in filled[index]) * 2 > len(filled[index])
    ]
    if wanted > 1 and len(texts) == 2 and len(again) == 1:
        order = ["of" if index in again else "player" for index in texts]
    else:
        if again and len(texts) > 1 + (wanted > 1):
            roles[again[-1]], texts = "city", [index for index in texts if index != again[-1]]
        pairs = (
            wanted > 1 and len(texts) == wanted and not several and all(_is("people", filled[index]) for index in texts)
        )
        count = 0 if wanted == 1 else 1 if several else wanted
        order = [*([] if pairs else ["name"]), *["player"] * count, *(["city"] if "city" not in roles else []), "club"]
        if several and wanted > 1 and texts[0] in several:
            order = order[1:]
    for index, role in zip(texts, order, strict=False):
        roles[index] = role
    people = [cell for role, column in zip(roles, filled, strict=True) if role == "player" for cell in column]
    if any(heading) or not (_is("people", people) or wanted == 1) or "of" in order or len(texts) > len(order):
        roster.questions.append("What the columns hold was guessed. Look at what stands above each of them.")
    return roles


def _check_columns(row: int, roster: Roster) -> None:
    """What cannot be so: two columns of one kind, and no names at all."""
    roles = [column.role for column in roster.columns]
    for index, column in enumerate(roster.columns):
        if column.role in roles[:index] and column.role not in ("", "player", "first", "last"):
            text = f"Row {row}: two columns are headed {ROLES[column.role].capitalize()}: “{column.heading}” too."
            roster.faults.append(Fault(f"{row}:{column.role}", text))
    if not {"name", "of", "player", "first", "last"} & set(roles):
        roster.faults.append(Fault(f"{row}:name", f"Row {row}: the column Team is missing."))


def row_of_cells(record: Record, roster: Roster, wanted: int) -> RosterRow:
    """A team, or a person of one, from its cells."""
    blank = RosterRow(record.number, None, "")
    if any(record.cells[len(roster.columns) :]):
        text = (
            f"Row {record.number}: there are {len(record.cells)} columns, and the headings are {len(roster.columns)}."
        )
        roster.faults.append(Fault(f"{record.number}:", text))
    values: dict[str, list[str]] = {}
    for column, cell in zip(roster.columns, record.cells, strict=False):
        values.setdefault(column.role, []).append(cell)
    first = {role: next(filter(None, cells), "") for role, cells in values.items()}
    alone = len(values.get("player", ())) == 1
    players = [name for cell in values.get("player", ()) for name in _people(cell, alone and wanted > 1)]
    players += [
        " ".join(pair).strip() for pair in zip_longest(values.get("first", ()), values.get("last", ()), fillvalue="")
    ]
    name, number = first.get("of") or first.get("name", ""), first.get("number", "")
    if name.isdecimal() and first.get("of"):
        name, number = "", name
    elif "number" not in values and name:
        number, name = split_number(name)
    return RosterRow(
        row=record.number,
        number=number_of(blank, number, roster),
        name=name,
        players=tuple(name for name in players if name),
        city=first.get("city", ""),
        club=first.get("club", ""),
        paid=yes_of(blank, "paid", first.get("paid", ""), roster),
        in_pot=yes_of(blank, "in_pot", first.get("in_pot", ""), roster),
    )


def _people(cell: str, several: bool) -> list[str]:
    """The people of a cell: one, “Last, First”, or all of a team where the list has one column for them."""
    parts = [part.strip() for part in re.split(r"[;|\n]", cell) if part.strip()]
    parts = [name for part in parts for name in ([turned(part)] if turned(part) != part else PEOPLE.split(part))]
    if several and len(parts) == 1:
        return people_in(cell) if turned(cell) == cell or cell.count(",") > 1 else parts
    return [turned(part.strip()) for part in parts if part.strip()]


def joined(rows: Sequence[RosterRow], roster: Roster, wanted: int) -> list[RosterRow]:
    """One team of all lines of its people. A line without a team belongs to the one above, where that is not full."""
    teams: dict[str, RosterRow] = {}
    above = ""
    # A cell that is merged over two lines is empty in the lower one; where few are empty, there is no team.
    is_merged = sum(not row.name for row in rows) * 3 >= len(rows)
    for row in rows:
        key = name_key(row.name) or (f"#{row.number}" if row.number is not None else "")
        if not key and not is_merged:
            row = replace(row, guessed=_and_then(row.guessed, "no team is named"))
        elif not key and above and len(teams[above].players) < wanted:
            key, row = above, replace(row, guessed=_and_then(row.guessed, "a line without a team joined the one above"))
        key = above = key or f"row {row.row}"
        team = teams.get(key)
        if team is None:
            teams[key] = row
            continue
        roster.more.setdefault(team.row, []).append(row.row)
        keys = {name_key(player) for player in team.players}
        more = [player for player in row.players if name_key(player) not in keys]
        differs = [
            f"“{getattr(row, field)}” too in row {row.row}"
            for field in ("number", "city", "club")
            if getattr(row, field) not in (None, "", getattr(team, field)) and getattr(team, field)
        ]
        if row.paid != team.paid:
            differs.append("not all of them have paid")
        teams[key] = replace(
            team,
            players=(*team.players, *more),
            number=team.number if team.number is not None else row.number,
            city=team.city or row.city,
            club=team.club or row.club,
            paid=team.paid and row.paid,
            in_pot=team.in_pot and row.in_pot,
            guessed=_and_then(team.guessed, row.guessed, *differs),
        )
    return [
        team if len(team.players) >= wanted else replace(team, guessed=_and_then(team.guessed, "somebody is missing"))
        for team in teams.values()
    ]


# What no row may pass in silence.


def looked_at(row: RosterRow, record: Record, roster: Roster, wanted: int) -> RosterRow:
    """The row without placeholders, with what of it is doubtful; what is never a name is a fault with its cell."""
    guesses, players = [row.guessed], []
    for player in row.players:
        if NOBODY.fullmatch(player):
            guesses.append(f"“{player}” was taken for nobody yet")
        elif any(map(str.isalnum, player)):
            players.append(player)
    name, *players = [PICTURES.sub("", MARKS.sub("", text)) or text for text in (row.name, *players)]
    city = PICTURES.sub("", row.city)
    if NOBODY.fullmatch(name) and players and len(name.split()) < 3:
        guesses.append(f"“{name}” was not taken as a name")
        name = ""
    row = replace(row, name=name, players=tuple(players), city=city)
    for column, text in [
        ("name", name),
        *((f"player{seat}", text) for seat, text in enumerate(players, 1)),
        ("city", city),
    ]:
        if kind := next((words for words, pattern in NEVER.items() if pattern.fullmatch(text)), ""):
            cell = next(
                (f" in cell {letters(index)}{row.row}" for index, cell in enumerate(record.cells) if cell == text), ""
            )
            roster.faults.append(fault_at(row, column, f"“{text}”{cell} is {kind} and no name. Write the name."))
        elif text:
            is_player = column.startswith("player") or (wanted == 1 and column == "name")
            guesses.append(doubt_of("player" if is_player else column, text))
    return replace(row, guessed=_and_then(*guesses))


def _and_then(*texts: str) -> str:
    return "; ".join(dict.fromkeys(filter(None, texts)))
