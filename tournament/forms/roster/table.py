"""Read lists that have columns: the role of each, the teams in the rows, and what is doubtful in any list."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from tournament.errors import Fault
from tournament.forms.roster.lines import Cells, split_number, without_bullet
from tournament.forms.roster.marks import (
    NOBODY,
    OUT_AT_THE_BEGINNING,
    OUT_BEFORE,
    OUT_BEHIND,
    PARTLY,
    PICTURES,
    PICTURES_BEFORE,
    STRUCK,
    answer_of,
    cell_name,
    doubt_of,
    is_mark,
    never_of,
    without_payment,
)
from tournament.forms.roster.names import turned
from tournament.forms.roster.people import people_of_cell
from tournament.forms.roster.records import UNKNOWN, Column, Record, Roster, Unread, are_all
from tournament.models.team import MARKS, PLAIN_FACTS
from tournament.queries.roster import RosterRow, fault_at
from tournament.words.texts import SUFFIX, name_key

# The roles that a column may have.
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
# Headings as secretaries write them, without case, periods and hyphens; a spreadsheet may be German.
HEADINGS = {
    "number": "entry|no|nr|num|number|team no|team nr|team number|team num|#|team #|id|seed|table|nummer|startnummer"
    "|n°|nº|numéro|numero|núm",
    "name": "team|team name|name|teams|partnership|pair|side|squad|name of team|mannschaft|paar|teamname"
    "|équipe|equipe|nom de l équipe|nom de l equipe|equipo|nombre del equipo|pareja|paire|squadra|coppia|ploeg",
    "player": "name 1|name1|name 2|name2|name 3|name 4"
    "|player 1|player1|p1|first player|1st player|partner 1|player one|player a|captain|player|member 1"
    "|player 2|player2|p2|second player|2nd player|partner 2|player two|player b|partner|member 2|spieler 1|spieler 2"
    "|player 3|player3|p3|third player|3rd player|member 3|substitute|sub|reserve|alternate|spieler 3|ersatz"
    "|player 4|player4|p4|fourth player|4th player|member 4|spieler 4"
    "|players|partners|members|names|player names|spieler|namen"
    "|joueur 1|joueur 2|joueur 3|joueur 4|joueurs|partenaire|jugador 1|jugador 2|jugador 3|jugador 4|jugadores"
    "|compañero|giocatore 1|giocatore 2|giocatori|speler 1|speler 2|spelers",
    "city": "city|town|home|hometown|home town|from|place|location|ort|stadt|wohnort|ville|ciudad|città|plaats",
    "club": "club|organisation|organization|lodge|chapter|league|verein",
    "paid": "paid|pd|fee|fees|entry fee|fee paid|entry paid|payment|has paid|paid?|bezahlt|startgeld"
    "|payé|pagado|pagato|betaald",
    "in_pot": "boston pot|pot|boston|in pot|in the pot|boston pot opt in|pot opt in|optin|pot?|boston pot?",
}
FIELDS = {heading: key for key, headings in HEADINGS.items() for heading in headings.split("|")}
# Headings in other words: the first row that matches decides. Columns that hold no names are left out.
BY_WORDS = [
    (role, re.compile(rf"\b(?:{words})\b"))
    for role, words in (
        ("name", r"team name|name of (?:the |your )?team|team.* called"),
        ("paid", r"collected|received|dues|buy ?in|(?:amount|fees?|entry|price|has|have you)? ?paid|fee|bezahlt"),
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
# Words of headings, besides those above.
FILLERS = set("a the of your you s is are what which in and for please enter if any full name names 1 2 3 4 5".split())
FILLERS |= set("one two 1st 2nd second team teams group ticket #".split())
STANDINGS = set(
    "rank pos place pts points score w l d won lost wins losses draws tb tb1 tb2 diff played rd avg".split()
)
STANDINGS |= {"buchholz", "sos", "record", "+/-", "mp", "gp", "total"}
# The guard before a text that a spreadsheet would run as a formula: reports/files.py writes it.
GUARD = re.compile(r"'(?=[=+\-@＝＋－＠])")
DELIMITERS = ",;\t|"
BLANKS = f"{DELIMITERS} \u00a0"
# Headings are at the top, perhaps below a title; a title says what the list is, or its date.
FIRST_LINES, SAMPLE = 10, 40
# What follows a team's name in the first cell: “Owls: Lee, Ann”, “Owls - Ann Lee”, “Owls (Ann Lee”.
BEHIND_A_NAME = re.compile(r": | [-–—] | \(")
BEHIND_A_NAME_OR_COMMA = re.compile(r": | [-–—] | \(|, ")
TITLE = re.compile(
    r"\b(?:teams|list|roster|entries|entrants|sign-?ups?|registrations?|registered|tournament|(?:19|20)\d\d)\b"
    r"|\b(?:bid whist|whist|spades|pinochle|card (?:club|night|party)|classic|invitational|championship|jamboree)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:jan|feb|mar|apr|may|june|july|aug|sept?|oct|nov|dec)[a-z]*\.? \d",
    re.IGNORECASE,
)
# Lines that are not a team of tonight: they are shown apart, with a choice.
# Columns that name people and teams.
NAMES = {"name", "of", "player", "first", "last", *PLAIN_FACTS}
# Two headings for the team are one too many, whatever is below them.
TEAM_ROLES = {"name", "of"}
WAITING, SUM, HEADING, TALK, NO_TEAM, OUT = "waiting list", "a sum", "a heading", "talk", "no team", "skipped"
HIDDEN, CROSSED_OUT, ABSENT, EMPTY = "hidden", "crossed out", "not playing", "an empty line"
WAITS = re.compile(
    r"\W*(?:(?:on )?(?:the )?(?:(?:wait(?:ing)?|reserve|alternate)s?[ -]?list(?:ed)?|stand-?by)|cancell?ed|waiting"
    r"|subs|substitutes|alternates?|reserves|backups?|on deck"
    r"|withdr[ae]wn?|refunded|declined|not attending|no[ -]shows?|scratched|warteliste)\W*\d*\W*",
    re.IGNORECASE,
)
# What comes before a team that does not play tonight, or above several: “Subs: Ann & Bo”, “Maybe:”.
APART = re.compile(
    r"\W*(?:wait(?:ing|s|list)?(?: ?list)?|subs?|substitutes?|alternates?(?: teams?)?|reserves?|back-?ups?|spares?"
    r"|drop(?:s|ped)?(?: out)?|out|not (?:playing|coming|attending|here)|maybes?|tentative|overflow|scratch(?:ed|es)?"
    r"|cancell?ed|can(?:no|.)t make it|withdr[ae]wn?|withdrew|regrets|no[ -]shows?|absent|excused|declined)\W*",
    re.IGNORECASE,
)
SUMS = re.compile(
    r"\W*(?:(?:sub|grand )?total|sum|summe|count)\b[^a-z]*(?:(?:teams?|players?|pairs?|people|paid|owed)[^a-z]*)*"
    r"|.*\d\s*=\s*[$€£]?\d.*|\W*\d+ (?:teams?|players?|pairs?|people)\W*|\W*(?:teams|players|pairs)\W*\d+\W*",
    re.IGNORECASE,
)
# “Total collected $480”, “Amount in box: 240”.
SUM_OF_MONEY = re.compile(
    r"\W*(?:(?:sub|grand )?totals?|amounts?|sums?|cash|money|collected|balance|fees|entry fees|prize money|payout)"
    r"(?:\W|\d|\b(?:collected|in|the|box|of|due|owed|paid|out|teams?|players?|entr(?:y|ies)|fees?|received|cash|money|pot"
    r"|prizes?|so|far|to|date|total|boston|for|and|bank|envelope|drawer|x)\b)*",
    re.IGNORECASE,
)
BYES = re.compile(
    r"\W*(?:byes?|test|example|ghost|dummy|phantom|sits? out|freilos|spielfrei|vacant|no team|empty)\W*\d*\W*",
    re.IGNORECASE,
)


def unguarded(text: str) -> str:
    """The text of a cell on one line, without the spreadsheet's guard."""
    return GUARD.sub("", " ".join(text.split()), count=1)


def _lines_of_cell(text: str) -> str:
    """The text of a cell with its line breaks, without the guard."""
    if "\n" not in text:
        return unguarded(text)
    return "\n".join(filter(None, map(unguarded, text.split("\n"))))


def plain(heading: str) -> str:
    """A heading without case, periods and hyphens, and without brackets if it is unknown with them."""
    words = " ".join(re.sub(r"[._\-:()’']+", " ", name_key(heading)).split())
    return words if words in FIELDS or "(" not in heading else plain(re.sub(r"\(.*\)|\(", "", heading))


def role_of(heading: str) -> str:
    """The role that a heading names."""
    words = plain(heading)
    by_words = (role for role, pattern in BY_WORDS if pattern.search(words))
    return FIELDS[words] if words in FIELDS else next(by_words, UNKNOWN)


def is_heading(cell: str) -> bool:
    """Whether a cell consists of the words of headings: “Captain Name”, and not “Captain Jack”."""
    words = plain(cell)
    left = [word for _, pattern in BY_WORDS for word in pattern.findall(words)]
    return words in FIELDS or bool(left and not set(words.split()) - set(" ".join(left).split()) - FILLERS)


# The rows: whether a list has columns, and where the headings are.


def grid_of(text: str) -> tuple[list[list[str]], str]:
    """The cells of a list by row, and the sign between them; without columns no sign, and each line is one cell."""
    lines = re.split(r"\r\n|\r|\n", text)
    filled = [line for line in lines if line.strip(BLANKS)]
    delimiters = [delimiter for delimiter in "\t;|," if _has_heading(filled, delimiter)]
    delimiters = delimiters or [delimiter for delimiter in "\t;|," if _is_even(filled, delimiter)]
    if not delimiters:
        return [[line] for line in lines], ""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiters[0], strict=True)
    try:
        return list(reader), delimiters[0]
    except csv.Error as fault:
        text = f"Row {reader.line_num}: a quotation mark is not closed, or is inside a word."
        raise Unread(text) from fault


def _has_heading(lines: Sequence[str], delimiter: str) -> bool:
    """Whether one of the first lines is a row of headings when cut at a sign."""
    heads = [_quick(line, delimiter) for line in lines[:FIRST_LINES]]
    below = [_quick(line, delimiter) for line in lines[:SAMPLE]]
    return any(_headings(cells, below[index + 1 :]) for index, cells in enumerate(heads))


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
    """Whether lines are cells without headings: nearly all have the same number. In sentences a comma has blanks."""
    if delimiter == ",":
        lines = [re.sub('"[^"]*"', "", line) for line in lines]
        if len(lines) < 3 or any(", " in line for line in lines):
            return False
    counts = Counter(line.count(delimiter) for line in lines)
    most, lines_of_most = counts.most_common(1)[0] if counts else (0, 0)
    if most <= (2 if delimiter == "," else 0) or len(lines) < 2 or lines_of_most * 10 < len(lines) * 8:
        return False
    return delimiter in "\t|" or not _have_names_before(lines, delimiter)


def _have_names_before(lines: Sequence[str], delimiter: str) -> bool:
    """Whether most lines begin “Owls: Lee, Ann”: the text up to the delimiter is then more than one cell."""
    pattern = BEHIND_A_NAME if delimiter == "," else BEHIND_A_NAME_OR_COMMA
    first = [line.partition(delimiter)[0] for line in lines]
    named = [cell for cell in first if any(map(str.isalpha, cell[: _end_of_name(pattern, cell)]))]
    return len(named) * 10 >= len(first) * 8


def _end_of_name(pattern: re.Pattern[str], cell: str) -> int:
    """The position of the last sign after a name in a cell; 0 if there is none."""
    return max((match.start() for match in pattern.finditer(cell)), default=0)


def _headings(cells: Sequence[str], below: Sequence[Sequence[str]]) -> int:
    """How many headings a row of cells holds; zero if it is not a row of headings, which is unlike all others."""
    filled = [cell for cell in cells if cell.strip()]
    headings = sum(map(is_heading, filled))
    if headings > 1 and headings * 2 >= len(filled):
        return headings
    if len(filled) < 2 or any(map(_is_never_heading, filled)):
        return 0
    if any(_is_unlike_those_below(cells, index, below) for index in range(len(cells))):
        return 1
    return 1 if _are_counted(filled) else 0


def _is_never_heading(cell: str) -> bool:
    return cell.isdecimal() or (is_mark(cell) and not is_heading(cell))


def _is_unlike_those_below(cells: Sequence[str], index: int, below: Sequence[Sequence[str]]) -> bool:
    """Whether a cell is a word and all cells below it are numbers or texts that are never a name."""
    if not cells[index]:
        return False
    others = [row[index] for row in below if index < len(row) and row[index]]
    if len(others) < 2:
        return False
    return any(are_all(kind, others) and not are_all(kind, [cells[index]]) for kind in ("number", "never"))


def _are_counted(cells: Sequence[str]) -> bool:
    """Whether two cells differ only in a number at the end: “Spieler 1”, “Spieler 2”."""
    stems = [(cell, re.sub(r"\s*\d\s*$", "", cell)) for cell in cells]
    counts = Counter(stem for cell, stem in stems if stem != cell)
    return any(count > 1 for count in counts.values())


def heading_at(rows: Sequence[Sequence[str]]) -> int | None:
    """The index of the row of headings among the first rows."""
    counts = [_headings(cells, rows[index + 1 : SAMPLE]) for index, cells in enumerate(rows[:FIRST_LINES])]
    return next((index for index, count in enumerate(counts) if count and (count > 1 or max(counts) == 1)), None)


def records_of(grid: Sequence[Sequence[str]]) -> list[Record]:
    """The rows that are not empty, numbered as in a spreadsheet; a cell may hold several lines."""
    return [
        Record(number, [_lines_of_cell(cell) for cell in cells] if len(cells) > 1 else list(cells), (number,))
        for number, cells in enumerate(grid, start=1)
        if any(cell.strip(BLANKS) for cell in cells)
    ]


def is_absence_heading(text: str) -> bool:
    """Whether the people below a heading do not play: “Not coming:”, “Subs:”."""
    return bool(OUT_AT_THE_BEGINNING.match(text) or APART.fullmatch(text))


def why_aside(cells: Sequence[str], columns: Sequence[Column] = ()) -> str:
    """Why a row is not a team, judged by its text; nothing for a row that may be one."""
    filled = [cell for cell in cells if cell]
    why = _why_its_columns(cells, columns) if columns else _why_its_line(filled)
    return why or _why_its_cells(filled, is_line=not columns)


def _why_its_columns(cells: Sequence[str], columns: Sequence[Column]) -> str:
    """What a row says in the columns that tell who plays: “withdrawn”, or no to “Coming?”."""
    pairs = [(cell, column) for cell, column in zip(cells, columns, strict=False) if cell]
    for cell, column in pairs:
        if column.tells_who_plays and OUT_AT_THE_BEGINNING.match(cell):
            return _says(cell)
    for cell, column in pairs:
        if column.asks_who_comes and answer_of(cell) is False:
            return _says(cell)
    return ""


def _why_its_line(filled: Sequence[str]) -> str:
    """A status after the team of a line, around it, or before it."""
    for cell in filled[1:]:
        # “out” alone says that a team is not in the pot.
        if OUT_AT_THE_BEGINNING.match(cell) and not is_mark(cell):
            return _says(cell)
    line = without_bullet(" ".join(filled))
    if STRUCK.match(line):
        return CROSSED_OUT
    before = OUT_BEFORE.match(line)
    if before:
        return _says(before[0].strip(" -–:"))
    if OUT_BEHIND.fullmatch(line):
        return _says(line.split()[-1])
    return ""


def _why_its_cells(filled: Sequence[str], *, is_line: bool) -> str:
    """What no cell of a team says: that it waits, a sum, that nobody plays here."""
    for cell in filled:
        if WAITS.fullmatch(cell):
            return WAITING if _stands_above(cell, filled) else _says(cell)
    if is_line and len(filled) > 1 and APART.fullmatch(filled[0]):
        return _says(filled[0])
    text = " ".join(filled)
    if SUMS.fullmatch(text) or SUM_OF_MONEY.fullmatch(text):
        return SUM
    for cell in filled[:3]:
        if BYES.fullmatch(cell):
            return _says(cell)
    return ""


def _stands_above(cell: str, filled: Sequence[str]) -> bool:
    """“Waiting list (in this order)” above teams means that they wait; after a team it means that this team waits."""
    return filled[0] == cell and not any(re.search("[A-Z]", other) for other in filled[1:])


def _says(text: str) -> str:
    return f"it says “{text}”"


# The teams: from a row's cells, and from all lines of their people.


def by_role(record: Record, roles: Sequence[str], roster: Roster) -> Cells:
    """The cells of a table's row, each with the role of its column; there may be more cells than columns.

    What follows a name is not part of it: a remark is left out, money counts as the fee.
    """
    cells: Cells = []
    paid: Cells = []
    if "number" not in roles and record.cells:
        number, first = split_number(record.cells[0])
        cells.append(("number", number))
        record = record._replace(cells=[first, *record.cells[1:]])
    for role, text in zip([*roles, *["more"] * len(record.cells)], record.cells, strict=False):
        if role in NAMES:
            text = roster.without_remarks(record.number, text)
            text, payment = without_payment(text)
            paid += [("paid", payment)] if payment else []
        cells.append((role, text))
    return [*cells, *paid]


def row_of(number: int, cells: Cells, roster: Roster) -> RosterRow:
    """Make a team, or one of its people, from texts with roles: the cells of a table, or the pieces of a line."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for role, text in cells:
        # The cells of players may hold several lines.
        texts[role].append(text if role == "player" else unguarded(text))
    first = defaultdict(str, {role: next(filter(None, same), "") for role, same in texts.items()})
    name, digits = first["of"] or first["name"], first["number"]
    if any(column.is_turned for column in roster.columns):
        name = turned(name)
    if first["of"].isdecimal():
        # The number tells which team a person belongs to.
        name, digits = "", name
    for text in filter(None, texts["more"]):
        words = f"Row {number}: “{text}” is left over at the end of the line. What is it?"
        roster.faults.append(Fault(f"{number}:", words))
    facts: dict[str, Any] = {fact: first[fact] for fact in PLAIN_FACTS}
    row = RosterRow(
        row=number,
        name=name,
        players=_players_of(texts, roster),
        guessed="; ".join(filter(None, texts["doubt"])),
        **facts,
    )
    for mark in MARKS:
        row = _marked(row, mark, first[mark], roster)
    return replace(row, number=_number_of(row, digits, roster))


def _players_of(texts: Mapping[str, list[str]], roster: Roster) -> tuple[str, ...]:
    """The players of a line, from the player cells and from cells with first and last names."""
    players = list(texts.get("person", []))
    commas = [column.comma for column in roster.columns if column.role == "player"]
    for cell, comma in zip(texts.get("player", []), commas, strict=False):
        players += people_of_cell(cell, comma)
    for first, last in zip_longest(texts.get("first", []), texts.get("last", []), fillvalue=""):
        players.append(f"{first} {last}".strip())
    return tuple(filter(None, players))


def _number_of(row: RosterRow, text: str, roster: Roster) -> int | None:
    digits = text.rstrip(".").strip().removesuffix(".0")
    if digits and not re.fullmatch(r"[0-9]{1,9}", digits):
        roster.faults.append(fault_at(row, "number", f"“{digits}” is not a number."))
        digits = ""
    return int(digits) if digits else None


def _marked(row: RosterRow, key: str, text: str, roster: Roster) -> RosterRow:
    """Set a mark of the row: yes, no, or a sum. Anything else is a fault, and a partial payment is asked about."""
    says = text.strip()
    if PARTLY.match(says):
        return doubted(row, f"“{says}” was read as not paid")
    mark = answer_of(text)
    if not roster.columns and (mark is None or says.casefold() in ("in", "on", "out")):
        return doubted(row, f"does “{says}” say that they have paid?")
    if mark is None:
        roster.faults.append(fault_at(row, key, f"“{text}” is not yes or no."))
    elif " " in text:
        roster.notes.append(f"Row {row.row}: “{text}” was read as {'paid' if mark else 'not paid'}.")
    marks: dict[str, Any] = {key: bool(mark)}
    return replace(row, **marks)


def joined(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Join the lines of a team's people. A line without a team belongs to the team above, unless that is full."""
    teams: dict[str, list[RosterRow]] = {}
    above = ""
    # A merged cell is empty in its lower line; if few cells are empty, the lines have no team.
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
    """Join the lines that name a team; if they disagree, the first counts, and the difference is asked about."""
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


def couples(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Read “Ron & Ella Tubbs” as Ron Tubbs and Ella Tubbs, and ask about it once."""
    read, shared = [], []
    for row in rows:
        record = roster.records[row.row]
        whole = _with_last_name(row.players, record.text)
        if whole != row.players:
            shared.append(" and ".join(whole))
        read.append(replace(row, players=whole))
    if shared:
        more = f", and {len(shared) - 1} more" if len(shared) > 1 else ""
        roster.questions.append(f"Couples were read with one last name: {shared[0]}{more}.")
    return read


def _with_last_name(players: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Whether the first of two players has only a first name, right before the other's full name."""
    if len(players) != 2 or " " in players[0] or " " not in players[1]:
        return players
    if not all(word[0].isupper() for word in " ".join(players).split()):
        return players
    pattern = rf"{re.escape(players[0])}\s*(?:&|\+|/|and)\s*{re.escape(players[1])}"
    last = SUFFIX.sub("", players[1]).split()[-1]
    return (f"{players[0]} {last}", players[1]) if re.search(pattern, text, re.IGNORECASE) else players


def once_each(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Join two lines with the same players, because partners may both fill in a form; ask about it."""
    teams: dict[frozenset[str], RosterRow] = {}
    alone: list[RosterRow] = []
    for row in rows:
        who = frozenset(map(name_key, row.players))
        if len(who) < max(roster.wanted, 2) or roster.wishes.of(roster.records[row.row]) == "":
            alone.append(row)
        elif who in teams:
            teams[who] = _both(teams[who], row, roster)
        else:
            teams[who] = row
    return sorted([*alone, *teams.values()], key=lambda row: row.row)


def _both(team: RosterRow, again: RosterRow, roster: Roster) -> RosterRow:
    """The team, with what its second line adds."""
    roster.more.setdefault(team.row, []).append(again.row)
    called = f", as “{again.name}”" if again.name and name_key(again.name) != name_key(team.name) else ""
    team = doubted(team, f"row {again.row} has the same players{called}: read as one team", again.guessed)
    facts = {fact: getattr(team, fact) or getattr(again, fact) for fact in ("name", "number", *PLAIN_FACTS, *MARKS)}
    return replace(team, **facts)


# What must not be skipped in any row.


def judged(row: RosterRow, record: Record, roster: Roster) -> RosterRow:
    """Remove placeholders and note what is doubtful; a text that is never a name is a fault with its cell."""
    doubts = [f"“{player}” was read as an open seat" for player in row.players if NOBODY.fullmatch(player)]
    players = [_without_pictures(player) for player in row.players if _is_somebody(player)]
    name = _without_pictures(row.name)
    city = PICTURES.sub("", row.city)
    if NOBODY.fullmatch(name) and players and len(name.split()) < 3:
        doubts.append(f"“{name}” was not read as a name")
        name = ""
    row = replace(row, name=name, players=tuple(players), city=city)
    kind_of_name = "name" if roster.wanted > 1 else "player"
    seats = [("player", f"player{seat}", player) for seat, player in enumerate(players, start=1)]
    for kind, column, text in [(kind_of_name, "name", name), *seats, ("city", "city", city)]:
        never = never_of(text)
        if never:
            where = next((cell_name(index, row.row) for index, cell in enumerate(record.cells) if cell == text), "")
            place = f" in cell {where}" if where else ""
            words = f"“{text}”{place} is {never}, not a name. Type the name."
            roster.faults.append(fault_at(row, column, words))
        elif text:
            doubts.append(doubt_of(kind, text))
    return doubted(row, *doubts)


def _is_somebody(text: str) -> bool:
    return any(map(str.isalnum, text)) and not NOBODY.fullmatch(text)


def _without_pictures(text: str) -> str:
    """Remove pictures from a name, unless it consists of pictures alone."""
    return PICTURES_BEFORE.sub("", PICTURES.sub("", text)) or text


def doubted(row: RosterRow, *doubts: str) -> RosterRow:
    """Add questions to the row, to be asked before anything is stored."""
    return replace(row, guessed="; ".join(dict.fromkeys(filter(None, (row.guessed, *doubts)))))
