"""A line of a list as clubs write it, without columns: a team, its players, and what stands behind them.

For example “1. Owls – A / B”, “Name: A, B”, “A & B”, “Name (A and B)”. A line is cut into pieces at tabs, commas,
dashes, colons and brackets. What the pieces are follows from their number, from the signs between two people, and from
the other lines of the list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from tournament.errors import Fault
from tournament.models.team import MARKS
from tournament.queries.roster import RosterRow

BULLET = re.compile(r"^\s*(?:[•◦▪·*>☐]\s*|[-–—]\s+)?")
# “1.”, “1)”, “#1”, “No. 1”, “1 –”, “1,”: a number beyond doubt; a bare “1 ” only where every line begins so.
NUMBER = re.compile(
    r"\(?(?:#|(?:no|nr|num|number|team|table)\b[.:]?\s*#?)?\s*(\d{1,4})(?:\s*[.):](?!\d)|\s*[,;|\t]|\s+[-–—](?=\s))\s*",
    re.IGNORECASE,
)
MARKED_NUMBER = re.compile(r"(?:#|(?:no|nr|num|number)[.:]?\s*#?)\s*(\d{1,4})\s+", re.IGNORECASE)
BARE_NUMBER = re.compile(r"(\d{1,4})\s+(?=\S)")
# Two quotes within quotes are one.
QUOTES = ('"', "“", "„", "«")
# Two quotes within quotes are one.
QUOTED = r'"(?:[^"]|"")*"(?!")|“[^”]*”|„[^“]*“|«[^»]*»'
BRACKET = r"(?<![^\s,;|:)\"”–—-])(?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\]|\{[^{}]*\})"


def _tokens(strong: str, weak: str = "(?!)", bracket: str = "(?!)") -> re.Pattern[str]:
    """What cuts a line: signs, with a text in quotes that may follow, and what stands in brackets."""
    return re.compile(rf"(?:^|(?P<strong>[{strong}])|(?P<weak>{weak})) *(?P<quoted>{QUOTED})?|(?P<bracket>{bracket})")


AT_ONE_SIGN = {character: _tokens(character) for character in "\t;|"}
# Dashes and colons cut behind a text alone: “Name: A, B”, “Name – A / B”.
AT_EVERY_SIGN = _tokens("\t;|,", r"\s*:(?:\s+|$)|\s+[-–—]+\s+|\s*[–—]+\s*(?=\D)|\s*[–—]+\s*$", BRACKET)
# So far behind a bracket its line is looked at.
LONGEST_NAMES = 200
GAP = re.compile(r"\s{2,}")
BETWEEN_TWO = r"\s*(?:\bw/|/|&|\+|\b(?:and|with)\b{})\s*"
PEOPLE = re.compile(BETWEEN_TWO.format(""), re.IGNORECASE)
PEOPLE_IN_A_ROW = re.compile(BETWEEN_TWO.format("|,"), re.IGNORECASE)
NO_PERSON = re.compile(r"(?:an?|the)\s|.*\b\d")
A_TOWN = re.compile(r".+, [A-Z]{2}\.?")
STATE = re.compile(r"[A-Z]{2}\.?")
# “pd $20”, “owes $10” behind the players.
PAYMENT = re.compile(
    r"(?<![\s,;–-])[\s,;–-]+((?:pd|paid|owe[sd]?|unpaid|not paid)\b\s*(?:[$€£]?\s*\d.*)?)$", re.IGNORECASE
)
# “Lee, Ann”, and “Lee, Ann & Carter, Bo”; “Otis Reed, Jr.” stays.
TURNED = re.compile(
    r"([^,;|/&+]+),(?! *(?:jr|sr|ii|iii|iv)\b) *([^,;|/&+]+?)( (?:jr|sr|ii|iii|iv)\.?)? *", re.IGNORECASE
)
TURNED_TWICE = re.compile(
    r"([\w'’.-]+, *[\w'’.-]+) *(?:;|/|&|\+|\b(?:and|with)\b) *([\w'’.-]+, *[\w'’.-]+)", re.IGNORECASE
)
# Where a player is still to be named.
NOBODY = re.compile(
    r"(?!#)\W*(?:tb[acd]|n ?/? ?a|none|nobody|unknown|(?:needs?|looking for|no|seeking)(?: an?)? (?:partner|player)\b.*"
    r"|\?+|partner (?:needed|wanted|tb[acd])|pending|open|x{2,}|to be (?:announced|determined|decided))\W*|\W*\?\W*",
    re.IGNORECASE,
)


class Unread(ValueError):
    """A line, or a list, that cannot be read, with the reason as a sentence."""


class Piece(NamedTuple):
    """A part of a line between its separators. `kind` is plain, quoted, bracket, or named where a colon follows."""

    text: str
    kind: str = "plain"


class Facts(NamedTuple):
    """What the list tells about its lines: whether they are numbered, bare names, “Last, First”; which towns recur."""

    numbered: bool = False
    bare_names: bool = False
    towns: frozenset[str] = frozenset()
    turned: bool = False


# What a row says: texts, each with the role that a column of such texts has. A line may also have a “doubt”.
Cells = list[tuple[str, str]]


def facts_of(lines: Sequence[str], wanted: int) -> Facts:
    """What the lines of a list tell about each other."""
    numbers = [int(number) for line in lines if (number := split_number(line, True)[0])]
    numbered = len(numbers) * 2 > len(lines) > 1 and numbers == sorted(set(numbers))
    texts = [split_number(line, numbered)[1] for line in lines]
    listed = [cells_of(text, wanted) for text in texts]
    bare = any(len(pieces) == 1 == len(PEOPLE.split(pieces[0])) and pieces[0][:1] not in QUOTES for pieces in listed)
    again = Counter(name for pieces in listed for name in set(map(str.casefold, pieces[1:])))
    towns = frozenset(name for name, count in again.items() if count > 1 and name and not NOBODY.fullmatch(name))
    is_turned = wanted == 1 and not towns and sum(turned(text) != text for text in texts) * 5 >= len(lines) * 4 > 4
    return Facts(numbered, bare, towns, is_turned)


def read_line(line: str, wanted: int, facts: Facts) -> Cells:
    """A team of `wanted` players from its line. Raises Unread where that is impossible."""
    number, rest = split_number(line, facts.numbered)
    pieces = _pieces(rest, wanted)
    if not any(map(str.isalpha, line)):
        raise Unread("There is a number but no name.")
    if any(piece.kind != "quoted" and piece.text.startswith(QUOTES) for piece in pieces):
        raise Unread("A quotation mark is not closed.")
    if facts.numbered and not number and len(pieces) > 1 and not pieces[0].text:
        pieces = pieces[1:]
    pair = TURNED_TWICE.fullmatch(rest.strip())
    if wanted == 2 and pair and pieces[-1].text.casefold() not in facts.towns:
        cells = _cells("", map(turned, pair.groups()), (), "read as “Last, First” of two people")
    elif facts.turned and turned(rest) != rest:
        cells = _cells(turned(rest))
    elif wanted > 1:
        cells = _team(pieces, wanted, facts)
    else:
        cells = _cells(pieces[0].text, (), pieces[1:])
    return [("number", number), *cells]


def cells_of(line: str, wanted: int = 0) -> list[str]:
    """The pieces of a line, whatever they are."""
    return [piece.text for piece in _pieces(line, wanted)]


def people_in(text: str, *, in_a_row: bool = True) -> list[str]:
    """The people that a piece names: “Nell Gaines / Otis Reed”, “A & B”, and in a row “A, B and C”."""
    parts = [part.strip() for part in (PEOPLE_IN_A_ROW if in_a_row else PEOPLE).split(text) if part.strip()]
    return [text] if any(NO_PERSON.match(part) for part in parts) else parts


def turned(text: str) -> str:
    """“Ann Lee” of “Lee, Ann”; any other text as it is."""
    match = TURNED.fullmatch(text)
    return f"{match[2].strip()} {match[1].strip()}{match[3] or ''}" if match else text


def split_number(line: str, bare: bool = False) -> tuple[str, str]:
    """The number before a line, and what follows it."""
    # Trailing separators stay: a cell that is empty has its place.
    text = BULLET.sub("", line, count=1)
    for pattern in (NUMBER, MARKED_NUMBER, *([BARE_NUMBER] if bare else [])):
        if (match := pattern.match(text)) and text[match.end() :].strip():
            return match[1], text[match.end() :]
    return "", text


def _pieces(text: str, wanted: int) -> list[Piece]:
    """Cut at the strongest separator that gives a team and its players; else at every separator; else at gaps."""
    if (payment := PAYMENT.search(text)) and payment.start():
        return [*_pieces(text[: payment.start()], wanted), Piece(payment[1], "bracket")]
    for character, tokens in AT_ONE_SIGN.items():
        if character in text and len(pieces := _cut(text, tokens)) > wanted:
            return pieces
    pieces = _cut(text, AT_EVERY_SIGN)
    if len(pieces) == 1 and pieces[0].kind == "plain":
        return [Piece(part) for part in GAP.split(pieces[0].text)]
    return pieces


def _cut(text: str, tokens: re.Pattern[str]) -> list[Piece]:
    """The pieces between the tokens; what stands in quotes or in brackets is one."""
    pieces: list[Piece] = []
    # Behind quotes and brackets a sign may follow, and cuts nothing.
    start, is_closed = 0, True
    for token in tokens.finditer(text):
        before, enclosed = text[start : token.start()].strip(), token["quoted"] or token["bracket"]
        if (token["weak"] and not before and not is_closed) or (
            token["bracket"] and before and _is_nickname(token["bracket"], text[token.end() :][:LONGEST_NAMES])
        ):
            continue
        if before or (token["strong"] and not is_closed):
            is_named = not pieces and token["weak"] and ":" in token["weak"]
            pieces.append(Piece(before, "named" if is_named else "plain"))
        if enclosed:
            kind = "quoted" if token["quoted"] else "bracket"
            pieces.append(Piece(enclosed[1:-1].replace('""', '"').strip(), kind))
        start, is_closed = token.end(), bool(enclosed)
    pieces.append(Piece(text[start:].strip()))
    while len(pieces) > 1 and not pieces[-1].text:
        pieces.pop()
    return pieces


def _is_nickname(bracket: str, behind: str) -> bool:
    """“Nell (Nelly) Gaines / Otis Reed” has a nickname, “Aces (Columbus) Tom & Tim” a town."""
    people, is_inside = PEOPLE.split(behind), behind.lstrip()[:1].isalnum()
    is_team = len(people) > 1 and len({len(person.split()) for person in people}) == 1
    return is_inside and len(people_in(bracket[1:-1])) == 1 and not is_team


def _team(pieces: list[Piece], wanted: int, facts: Facts) -> Cells:
    name, rest = pieces[0].text, pieces[1:]
    several = [piece for piece in rest if len(people_in(piece.text)) > 1 and not A_TOWN.fullmatch(piece.text)]
    for piece in several:
        # “Six Low (Flo and Ida)”, “Owls – A / B”: people of one piece are the players, what stands before is the name;
        # what stands between, a town.
        index, people = rest.index(piece), people_in(piece.text)
        is_behind_town = index == 1 and len(several) == 1 and len(people) == wanted
        if index == 0 or piece.kind == "bracket" or is_behind_town:
            doubt = f"“{rest[0].text}” was read as the town" if index and piece.kind != "bracket" else ""
            return _cells(name, people, rest[:index] + rest[index + 1 :], doubt)
    words = [piece for piece in rest if piece.text and (piece.kind != "bracket" or NOBODY.fullmatch(piece.text))]
    doubt, players = "", words[:wanted]
    if pieces[0].kind == "plain" and name and len(words) <= wanted:
        # “A, B, Dayton” is a pair and its town where Dayton comes again in other lines, else a team with its players.
        if words and words[-1].text.casefold() in facts.towns:
            doubt, players = f"“{words[-1].text}” was read as the town", words[:-1]
        pair = people_in(name, in_a_row=False)
        # “Cut & Deal” alone is a team's name in a list of names, and a pair in a list of pairs.
        is_sure = len(pair) > 1 and all(" " in person for person in pair)
        if name.count("/") == wanted == len(pair) - 1 and not players:
            return _cells(pair[0], pair[1:], rest, f"“{pair[0]}” was read as the team")
        if len(players) < wanted and (is_sure or (len(pair) > 1 and not players and not facts.bare_names)):
            return _cells("", pair, rest, doubt or ("" if is_sure else "read as two players without a team name"))
        if players and len(players) == wanted - 1:
            name, players = "", [pieces[0], *players]
            doubt = doubt or "read as players without a team name"
    # Two pieces may be equal, like a name that stands twice.
    behind = [piece for piece in rest if not any(piece is player for player in players)]
    return _cells(name, [piece.text for piece in players], behind, doubt)


def _cells(name: str, players: Iterable[str] = (), rest: Sequence[Piece] = (), doubt: str = "") -> Cells:
    """A team; behind its players stand town, club, fee and pot, in this order; an empty text has its place, too."""
    texts = [piece.text for piece in rest]
    if len(texts) > 1 and texts[0] and not is_mark(texts[0]) and STATE.fullmatch(texts[1]):
        texts[:2] = [", ".join(texts[:2])]
    count = next((index for index, text in enumerate(texts[:2]) if not text or is_mark(text)), len(texts[:2]))
    marks = texts[count + (texts[:1] == [""]) :]
    roles = [("city", "club")[:count], MARKS, ["more"] * len(marks)]
    behind = zip(chain(*roles), texts[:count] + marks, strict=False)
    return [("name", name), *(("person", player) for player in players), *behind, ("doubt", doubt)]


# What a name looks like, and what it never is.

# What is never a name, and what a spreadsheet made of one.
NEVER = {
    "an e-mail address": re.compile(r"\S+@\S+\.\w+"),
    "a web address": re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE),
    "a date with a time": re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ T]+\d{1,2}:\d\d.*"),
    "a date": re.compile(r"\d{4}-\d\d-\d\d"),
    "a time": re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?", re.IGNORECASE),
    "a phone number": re.compile(r"\+?(?:\d[ .()/-]*){9,14}\d|\(\d{3}\) ?\d{3}-\d{4}|\d{3}[-.]\d{4}"),
    "a spreadsheet error": re.compile(r"#(?:N/A|REF!|NAME\?|VALUE!|DIV/0!|NULL!|NUM!|SPILL!|####+)"),
}
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
CHANGED = re.compile(
    rf"\d{{1,2}}-(?:{MONTHS})|(?:{MONTHS})-\d{{1,2}}|\d+(?:\.\d+)?E\+?\d+|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?",
    re.IGNORECASE,
)
# What looks odd in a player's and in a team's name, and what is asked then.
ODD = {
    "player": re.compile(
        r".*(?:[/&;|?!=:*@<>]|,(?! *(?:jr|sr|ii|iii|iv)\b)|\b\d+\b)"
        r"|(?:me|guest|plus one|myself|my .*|partner)$|\W*\w\W*$|(?-i:[a-z])\S*(?: \S+){2,}$|(?:\S+ ){5}",
        re.IGNORECASE,
    ),
    "name": re.compile(
        rf".*:$|(?:\S+\s+){{7}}|(?:\S+\s+){{4,}}\S+[.!?]+$|[a-z]\S*(?:\s+\S+){{3}}|(?i:{NOBODY.pattern})$"
    ),
}
# Pictures behind a name are no part of it.
PICTURES = re.compile("[\\s\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+$")


def doubt_of(column: str, text: str) -> str:
    """What is asked about a name, a player or a town; nothing where it looks like one."""
    if CHANGED.fullmatch(text) or (column == "name" and text.isdecimal()):
        return f"did a spreadsheet turn what was typed into “{text}”?"
    if column == "city":
        return "" if text[0].isupper() else f"is “{text}” a town?"
    question = f"is “{text}” a player?" if column == "player" else "is this a team?"
    return question if ODD[column].match(text) else ""


def never_of(text: str) -> str:
    """What a text is that is never a name; nothing where it may be one."""
    return next((words for words, pattern in NEVER.items() if pattern.fullmatch(text)), "")


def cell_name(column: int, row: int) -> str:
    """A cell as a spreadsheet names it: the column counted from zero, the row from one; lists have fewer than 700."""
    return ("" if column < 26 else chr(64 + column // 26)) + chr(65 + column % 26) + str(row)


# What says yes, or a sum.

YES = {"yes", "y", "x", "1", "true", "paid", "in", "ok", "✓", "✔", "☑", "√", "on", "full", "pd", "cash", "ja", "check"}
NO = {"", "no", "n", "0", "false", "owed", "owes", "out", "-", "–", "—", "unpaid", "off", "☐", "not paid", "nein"}
AMOUNT = r"(?:[$€£]\s*)?{}\d*(?:[.,]\d{{1,2}})?(?:\s*[$€£])?"
PAID = re.compile(rf"(?:(?:has )?(?:paid|pd)\s*)?{AMOUNT.format('[1-9]')}|(?:paid|pd)\b.*", re.ASCII)
OWES = re.compile(rf".*\bowe[sd]?\b.*|(?:unpaid|not (?:yet )?paid|(?:will )?pays?)\b.*|{AMOUNT.format('0+')}", re.ASCII)


def mark_of(text: str) -> bool | None:
    """Whether a text says yes, or a sum; no, or none; None where it says neither."""
    word = text.casefold().strip().rstrip(".")
    if word in NO or OWES.fullmatch(word):
        return False
    return True if word in YES or PAID.fullmatch(word) else None


def is_mark(text: str) -> bool:
    """Whether a piece says yes or no, or a sum, and is no town."""
    return bool(text) and mark_of(text) is not None


# What columns hold, and what one is taken for while nothing tells.
UNKNOWN = "unknown"
# So many cells tell what a column is.
ENOUGH = 500

LOOKS: dict[str, Callable[[str], bool]] = {
    "number": str.isdecimal,
    "mark": is_mark,
    "never": lambda cell: bool(never_of(cell)),
    "several": lambda cell: len(people_in(cell)) > 1,
    "people": lambda cell: len(people_in(cell)) > 1 or 1 < len(cell.split()) < 5,
}


def are_all(kind: str, cells: Sequence[str]) -> bool:
    """Whether at least four of five cells are of a kind."""
    return bool(cells) and sum(map(LOOKS[kind], cells)) * 5 >= len(cells) * 4


@dataclass(slots=True)
class Column:
    """A column: its heading, its cells, what it is taken for; `filled` are names and more."""

    heading: str
    cells: list[str]
    role: str = UNKNOWN
    filled: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.filled = [cell for cell in self.cells[:ENOUGH] if cell and not NOBODY.fullmatch(cell)]

    @property
    def samples(self) -> list[str]:
        return list(dict.fromkeys(cell for cell in self.cells if cell))[:3]

    def is_all(self, kind: str) -> bool:
        return are_all(kind, self.filled)

    def is_mostly(self, kind: str) -> bool:
        return sum(map(LOOKS[kind], self.filled)) * 2 > len(self.filled)


# What was read of a list, with columns or without, and what its preview was told.


class Wishes(NamedTuple):
    """What the preview was told: a role for each of the columns with these headings, why rows are set aside.

    A row that is set aside for no reason is taken in. `rows` are named by their text, `pressed` by their number.
    """

    columns: str = ""
    roles: tuple[str, ...] = ()
    rows: Mapping[str, str] = {}
    pressed: Mapping[int, str] = {}

    def of(self, record: Record) -> str | None:
        """Why a row is set aside; None where nothing was said of it."""
        return self.pressed.get(record.number, self.rows.get(record.text))


NO_WISHES = Wishes()


class Record(NamedTuple):
    """A row of cells. `lines` are those of the text that it stands on; most stand on one."""

    number: int
    cells: list[str]
    lines: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The row as one line: by it a wish finds its row again."""
        return " ".join(" · ".join(cell for cell in self.cells if cell).split())


class Aside(NamedTuple):
    """A row that is not read as a team, and why."""

    number: int
    text: str
    why: str


@dataclass(slots=True)
class Roster:
    """What was read: every line that is not empty is in a row, set aside, or has a fault.

    `questions` are guesses about the whole list, as rows have theirs; `more` are the lines that joined a team, by the
    team's row; `cells` are the rows as they stand, `columns` those of a table.
    """

    wanted: int = 2
    wishes: Wishes = NO_WISHES
    is_talk: bool = False
    rows: list[RosterRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    aside: list[Aside] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    records: dict[int, Record] = field(default_factory=dict)
    more: dict[int, list[int]] = field(default_factory=dict)

    def set_aside(self, record: Record, why: str) -> None:
        self.records[record.number] = record
        self.aside.append(Aside(record.number, record.text, why))

    @property
    def players(self) -> int:
        """How many players are named; where everybody plays alone, the team is one."""
        return sum(len(row.players) for row in self.rows)

    @property
    def lines(self) -> int:
        return len(self.rows) + sum(map(len, self.more.values()))

    @property
    def shown(self) -> frozenset[str]:
        """What any row tells beside its name and its players; a club stands in the column of the city."""
        columns = {"city": "city", "club": "city", "paid": "paid", "in_pot": "in_pot"}
        return frozenset(columns[key] for key in columns if any(getattr(row, key) for row in self.rows))

    @property
    def guesses(self) -> list[str]:
        """What is asked about before anything is stored."""
        return self.questions + [f"Row {row.row}: {row.guessed}" for row in self.rows if row.guessed]
