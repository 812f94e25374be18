"""A line of a list as clubs write it, without columns: a team, its players, and what stands behind them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tournament.errors import Fault
from tournament.queries.roster import RosterRow

# “1. Owls – A / B”, “Name: A, B”, “A & B”, “Name (A and B)”.
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
QUOTES = '"“„«'
# Two quotes within quotes are one.
QUOTED = re.compile(r'"(?:[^"]|"")*"(?!")|“[^”]*”|„[^“]*“|«[^»]*»')
BRACKETS = {"(": ")", "[": "]", "{": "}"}
BETWEEN_TWO = r"\s*(?:\bw/|/|&|\+|\b(?:and|with)\b{})\s*"
PEOPLE = re.compile(BETWEEN_TWO.format(""), re.IGNORECASE)
PEOPLE_IN_A_ROW = re.compile(BETWEEN_TWO.format("|,"), re.IGNORECASE)
NO_PERSON = re.compile(r"(?:an?|the)\s|.*\b\d")
A_TOWN = re.compile(r".+, [A-Z]{2}\.?")
# “pd $20”, “owes $10” behind the players.
PAYMENT = re.compile(r"[\s,;–-]+((?:pd|paid|owe[sd]?|unpaid|not paid)\b\s*(?:[$€£]?\s*\d.*)?)$", re.IGNORECASE)
# “Lee, Ann”, and “Lee, Ann & Carter, Bo”; “Otis Reed, Jr.” stays.
TURNED = re.compile(r"([^,;|/&+]+), *((?!(?:jr|sr|ii|iii|iv)\b)[^,;|/&+]+)", re.IGNORECASE)
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
    """A line that cannot be read, with the reason as a sentence."""


class Piece(NamedTuple):
    """A part of a line between its separators. `kind` is plain, quoted, bracket, or named where a colon follows."""

    text: str
    kind: str = "plain"


class Known(NamedTuple):
    """What the list tells about its lines: whether they are numbered, bare names, “Last, First”; which towns recur."""

    numbered: bool = False
    bare_names: bool = False
    towns: frozenset[str] = frozenset()
    turned: bool = False


@dataclass(slots=True)
class Entrant:
    """What a line says. `rest` are the pieces behind the players, in their places; `guess` is what is doubtful."""

    number: str = ""
    name: str = ""
    players: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    guess: str = ""


def known_of(lines: Sequence[str], wanted: int) -> Known:
    """What the lines of a list tell about each other."""
    numbers = [int(number) for line in lines if (number := split_number(line, True)[0])]
    numbered = len(numbers) * 2 > len(lines) > 1 and numbers == sorted(set(numbers))
    bare, last = False, Counter[str]()
    for line in lines:
        try:
            pieces = _pieces(split_number(line, numbered)[1], wanted)
        except Unread:
            continue
        bare |= len(pieces) == 1 and len(PEOPLE.split(pieces[0].text)) == 1
        last.update({piece.text.casefold() for piece in pieces[1:] if piece.text and not NOBODY.fullmatch(piece.text)})
    towns = frozenset(text for text, count in last.items() if count > 1)
    is_turned = [bool(TURNED.fullmatch(split_number(line, numbered)[1])) for line in lines]
    return Known(numbered, bare, towns, wanted == 1 and not towns and sum(is_turned) * 5 >= len(lines) * 4 > 4)


def read_line(line: str, wanted: int, facts: Known) -> Entrant:
    """A team of `wanted` players from its line. Raises Unread where that is impossible."""
    number, rest = split_number(MARKS.sub("", line), facts.numbered)
    pieces = _pieces(rest, wanted)
    if facts.numbered and not number and len(pieces) > 1 and not pieces[0].text:
        pieces = pieces[1:]
    if not pieces:
        raise Unread("There is no name.")
    match = TURNED_TWICE.fullmatch(rest.strip())
    if wanted == 2 and match and pieces[-1].text.casefold() not in facts.towns:
        entrant = Entrant(players=(turned(match[1]), turned(match[2])), guess="read as “Last, First” of two people")
    elif facts.turned and turned(rest.strip()) != rest.strip():
        entrant = Entrant(name=turned(rest.strip()))
    elif wanted > 1:
        entrant = _team(pieces, wanted, facts)
    else:
        entrant = Entrant(name=pieces[0].text, rest=_texts(pieces[1:]))
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


def turned(text: str) -> str:
    """“Ann Lee” of “Lee, Ann”; any other text as it is."""
    match = TURNED.fullmatch(text)
    if not match:
        return text
    first, _, suffix = re.sub(r" ((?:jr|sr|ii|iii|iv)\.?)$", r"\n\1", match[2].strip(), flags=re.IGNORECASE).partition(
        "\n"
    )
    return " ".join(filter(None, (first, match[1].strip(), suffix)))


def split_number(line: str, bare: bool = False) -> tuple[str, str]:
    """The number before a line, and what follows it."""
    # Trailing separators stay: a cell that is empty has its place.
    text = BULLET.sub("", line.lstrip().rstrip(" \u00a0"), count=1) if BULLET.match(line.lstrip()) else line.lstrip()
    for pattern in (NUMBER, MARKED_NUMBER, *([BARE_NUMBER] if bare else [])):
        if (match := pattern.match(text)) and text[match.end() :].strip():
            return match[1], text[match.end() :]
    return "", text


def _pieces(text: str, wanted: int) -> list[Piece]:
    """Cut at the strongest separator that gives a team and its players; else at every separator; else at gaps."""
    if (payment := PAYMENT.search(text)) and payment.start():
        return [*_pieces(text[: payment.start()], wanted), Piece(payment[1], "bracket")]
    for delimiter in STRONG:
        if delimiter in text and len(pieces := _cut(text, delimiter)) > wanted:
            return pieces
    pieces = _cut(text, STRONG + ",", loosely=True)
    if len(pieces) == 1 and pieces[0].kind == "plain" and GAP.search(pieces[0].text):
        pieces = [Piece(part) for part in GAP.split(pieces[0].text)]
    return [piece._replace(text=" ".join(piece.text.split())) for piece in pieces]


def _cut(text: str, characters: str, *, loosely: bool = False) -> list[Piece]:
    """Cut there; loosely at dashes, colons and brackets, too. What stands in quotes or brackets stays whole."""
    pieces: list[Piece] = []
    open_, index = "", 0
    while index < len(text):
        character = text[index]
        if character in QUOTES and not open_.strip():
            quoted = _quoted(text, index)
            pieces.append(Piece(quoted[1:-1].replace('""', '"').strip(), "quoted"))
            index, open_ = _past(text, index + len(quoted), characters, loosely), ""
        elif loosely and character in BRACKETS and (inside := _inside(text, index, open_)) is not None:
            if open_.strip():
                pieces.append(Piece(open_.strip()))
            pieces.append(Piece(inside.strip(), "bracket"))
            index, open_ = _past(text, index + len(inside) + 2, characters, loosely), ""
        elif character in characters:
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


def _quoted(text: str, index: int) -> str:
    """What stands in quotes, with them."""
    match = QUOTED.match(text, index)
    if match is None:
        raise Unread("A quotation mark is not closed.")
    return match[0]


def _inside(text: str, index: int, before: str) -> str | None:
    """What stands in a bracket that is a piece of its own; None for one in a name: “Nell (Nelly) Gaines”."""
    end = text.find(BRACKETS[text[index]], index)
    if end < 0 or (before and not before[-1].isspace()):
        return None
    inside, behind = text[index + 1 : end], text[end + 1 :].lstrip()
    # “Nell (Nelly) Gaines / Otis Reed” has a nickname, “Aces (Columbus) Tom & Tim” a town.
    lengths = {len(person.split()) for person in PEOPLE.split(behind)}
    is_team = len(PEOPLE.split(behind)) > 1 and len(lengths) == 1
    is_nickname = before.strip() and behind[:1].isalnum() and len(people_in(inside)) == 1 and not is_team
    return None if is_nickname else inside


def _past(text: str, index: int, characters: str, loosely: bool) -> int:
    """Behind the separator that follows a quote or a bracket."""
    separator = rf"\s*?[{characters}]" + r"|\s*(?::(?:\s+|$)|[-–—]+\s+)" * loosely + r"|\s*"
    match = re.compile(separator).match(text, index)
    return match.end() if match else index


def _team(pieces: list[Piece], wanted: int, facts: Known) -> Entrant:
    first, rest = pieces[0], pieces[1:]
    several = [
        index
        for index, piece in enumerate(rest)
        if len(people_in(piece.text)) >= 2 and not A_TOWN.fullmatch(piece.text)
    ]
    for index in several:
        # “Six Low (Flo and Ida)”, “Owls – A / B”: people of one piece are the players, what stands before is the name;
        # what stands between, a town.
        piece, others = rest[index], rest[:index] + rest[index + 1 :]
        if (
            index == 0
            or piece.kind == "bracket"
            or (len(several) == 1 and index == 1 and len(people_in(piece.text)) == wanted)
        ):
            between = f"“{rest[0].text}” was taken as the town" if index and piece.kind != "bracket" else ""
            return Entrant(name=first.text, players=tuple(people_in(piece.text)), rest=_texts(others), guess=between)
    words = [piece for piece in rest if piece.text and (piece.kind != "bracket" or NOBODY.fullmatch(piece.text))]
    if first.kind in ("named", "quoted") or not first.text or len(words) > wanted:
        return Entrant(name=first.text, players=_texts(words[:wanted]), rest=_behind(rest, words[:wanted]))
    # “A, B, Dayton” is a pair and its town where Dayton comes again in other lines, and a team with its players else.
    town = words.pop().text if words and words[-1].text.casefold() in facts.towns else ""
    guess = f"“{town}” was taken as the town" if town else ""
    if len(words) == wanted:
        return Entrant(name=first.text, players=_texts(words), rest=_behind(rest, words))
    pair = people_in(first.text, in_a_row=False)
    if first.text.count("/") == wanted == len(pair) - 1 and not words:
        return Entrant(
            name=pair[0], players=tuple(pair[1:]), rest=_texts(rest), guess=f"“{pair[0]}” was taken as the team"
        )
    if len(pair) >= 2 and not words:
        # “Cut & Deal” alone is a team's name in a list of names, and a pair in a list of pairs.
        is_sure = all(" " in name for name in pair)
        if is_sure or not facts.bare_names:
            guess = guess or ("" if is_sure else "read as two players without a team name")
            return Entrant(players=tuple(pair), rest=_texts(rest), guess=guess)
    elif len(pair) >= 2 and all(" " in name for name in pair):
        return Entrant(players=tuple(pair), rest=_texts(rest), guess=guess)
    elif len(words) == wanted - 1 and words:
        guess = guess or "read as players without a team name"
        return Entrant(players=_texts([first, *words]), rest=_behind(rest, words), guess=guess)
    return Entrant(name=first.text, players=_texts(words), rest=_behind(rest, words), guess=guess)


def _texts(pieces: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(piece.text for piece in pieces)


def _behind(pieces: list[Piece], used: list[Piece]) -> tuple[str, ...]:
    """The pieces that are not players, in their places."""
    left = list(pieces)
    for piece in used:
        left.remove(piece)
    return _texts(left)


# What a name looks like, and what it never is.

# What is never a name, and what a spreadsheet made of one.
NEVER = {
    "an e-mail address": re.compile(r"\S+@\S+\.\w+"),
    "a web address": re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE),
    "a date with a time": re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ T]+\d{1,2}:\d\d.*"),
    "a date": re.compile(r"\d{4}-\d\d-\d\d"),
    "a time": re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?", re.IGNORECASE),
    "a telephone number": re.compile(r"\+?(?:\d[ .()/-]*){9,14}\d|\(\d{3}\) ?\d{3}-\d{4}|\d{3}[-.]\d{4}"),
    "an error of a spreadsheet": re.compile(r"#(?:N/A|REF!|NAME\?|VALUE!|DIV/0!|NULL!|NUM!|SPILL!|####+)"),
}
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
CHANGED = re.compile(
    rf"\d{{1,2}}-(?:{MONTHS})|(?:{MONTHS})-\d{{1,2}}|\d+(?:\.\d+)?E\+?\d+|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?",
    re.IGNORECASE,
)
ODD_IN_PLAYER = re.compile(
    r".*(?:[/&;|?!=:*@,<>]|\b\d+\b)|(?:me|guest|plus one|myself|my .*|partner)$|\W*\w\W*$", re.IGNORECASE
)
LOWER = re.compile(r"[a-z]\S*(?: \S+){2,}")
SENTENCE = re.compile(r"(?:\S+\s+){7,}\S+|(?:\S+\s+){4,}\S+[.!?]+|[a-z]\S*(?:\s+\S+){3,}")
# Pictures behind a name, and who is a captain: no part of it.
PICTURES = re.compile("[\\s\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+$")
MARKS = re.compile(r"\s*\((?:c|cap?t?\.?|captain)\)", re.IGNORECASE)


def doubt_of(column: str, text: str) -> str:
    """What is asked about a name, a player or a town; nothing where it looks like one."""
    if CHANGED.fullmatch(text) or (column == "name" and text.isdecimal()):
        return f"did a spreadsheet make “{text}” of what was typed?"
    if column == "player":
        is_odd = ODD_IN_PLAYER.match(text) or LOWER.fullmatch(text) or len(text.split()) > 5
        return f"is “{text}” a player?" if is_odd else ""
    if column == "city":
        return "" if text[0].isupper() else f"is “{text}” a town?"
    return "is this a team?" if SENTENCE.fullmatch(text) or NOBODY.fullmatch(text) or text.endswith(":") else ""


def letters(index: int) -> str:
    """A column as a spreadsheet names it; lists have fewer than 700."""
    return ("" if index < 26 else chr(64 + index // 26)) + chr(65 + index % 26)


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


# What was read of a list, with columns or without, and what its preview was told.


class Wishes(NamedTuple):
    """What the preview was told: a role for each of the columns with these headings, what becomes of rows."""

    columns: str = ""
    roles: tuple[str, ...] = ()
    rows: Mapping[str, str] = {}


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
class Column:
    """A column: its heading, what it is taken for, and its cells."""

    heading: str
    role: str
    cells: list[str]

    @property
    def samples(self) -> list[str]:
        return list(dict.fromkeys(cell for cell in self.cells if cell))[:3]


@dataclass(slots=True)
class Roster:
    """What was read: every line that is not empty is in a row, set aside, or has a fault.

    `questions` are guesses about the whole list, as rows have theirs; `more` are the lines that joined a team, by the
    team's row; `cells` are the rows as they stand, `columns` those of a table.
    """

    rows: list[RosterRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    aside: list[Aside] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    records: dict[int, Record] = field(default_factory=dict)
    more: dict[int, list[int]] = field(default_factory=dict)

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
