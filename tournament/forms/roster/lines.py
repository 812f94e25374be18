"""Read a line of a list as clubs write it, without columns: a team, its players, and what follows them.

For example “1. Owls – A / B”, “Name: A, B”, “A & B”, “Name (A and B)”. A line is cut into pieces at tabs, commas,
dashes, colons and brackets. What the pieces are follows from their number, from the signs between two people, and from
the other lines of the list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from tournament.forms.roster.marks import NOBODY, is_mark, without_payment
from tournament.forms.roster.names import PEOPLE, are_towns, are_turned, people_in, turned
from tournament.forms.roster.records import Unread
from tournament.models.team import MARKS

BULLET = re.compile(r"^\s*(?:\[[ xX✓✔]?\]\s*|[•◦▪·*>☐♠-♧▶►➤→]\ufe0f?\s*|[-–—]\s+)*")
# “1.”, “1)”, “#1”, “No. 1”, “1 –”, “1,”: clearly a number; a bare “1 ” only if every line begins that way.
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
    """What cuts a line: signs, perhaps followed by a text in quotes, and texts in brackets."""
    return re.compile(rf"(?:^|(?P<strong>[{strong}])|(?P<weak>{weak})) *(?P<quoted>{QUOTED})?|(?P<bracket>{bracket})")


AT_ONE_SIGN = {character: _tokens(character) for character in "\t;|"}
# Dashes and colons cut only after a text: “Name: A, B”, “Name – A / B”.
AT_EVERY_SIGN = _tokens("\t;|,", r"\s*:(?:\s+|$)|\s+[-–—]+\s+|\s*[–—]+\s*(?=\D)|\s*[–—]+\s*$", BRACKET)
# How far after a bracket the line is examined.
LONGEST_NAMES = 200
GAP = re.compile(r"\s{2,}")
A_TOWN = re.compile(r".+, [A-Z]{2}\.?")
STATE = re.compile(
    r"[A-Z]{2}\.?|(?:Ala|Ariz|Ark|Calif|Colo|Conn|Del|Fla|Ga|Ill|Ind|Kan|Kans|Ky|La|Mass|Mich|Minn|Miss|Mo|Neb|Okla|Ore"
    r"|Pa|Tenn|Tex|Va|Wash|Wis|W\. ?Va)\."
)
TURNED_TWICE = re.compile(
    r"([\w'’.-]+, *[\w'’.-]+) *(?:;|/|&|\+|\b(?:and|with)\b) *([\w'’.-]+, *[\w'’.-]+)", re.IGNORECASE
)


class Piece(NamedTuple):
    """A part of a line between separators. `kind` is plain, quoted, bracket, or named (a colon follows)."""

    text: str
    kind: str = "plain"


class Facts(NamedTuple):
    """What a list shows about its lines: whether they are numbered, bare names, “Last, First”; which towns recur."""

    numbered: bool = False
    bare_names: bool = False
    towns: frozenset[str] = frozenset()
    turned: str = ""


# The texts of a row, each with the role that a column of such texts has. A line may also have a “doubt”.
Cells = list[tuple[str, str]]


def facts_of(lines: Sequence[str], wanted: int) -> Facts:
    """Find what the lines of a list show about each other."""
    numbered = _are_numbered(lines)
    texts = [split_number(line, numbered)[1] for line in lines]
    listed = [cells_of(text, wanted) for text in texts]
    towns = _towns_in(listed)
    return Facts(
        numbered=numbered,
        bare_names=any(map(_is_bare_name, listed)),
        towns=towns,
        turned=last_names_first(texts, towns) if wanted == 1 else "",
    )


def _are_numbered(lines: Sequence[str]) -> bool:
    """Whether most lines begin with a number, and the numbers rise."""
    begin = [split_number(line, bare=True)[0] for line in lines]
    numbers = [int(number) for number in begin if number]
    return len(numbers) * 2 > len(lines) > 1 and numbers == sorted(set(numbers))


def _is_bare_name(pieces: Sequence[str]) -> bool:
    """Whether a line is only one name."""
    return len(pieces) == 1 and len(PEOPLE.split(pieces[0])) == 1 and pieces[0][:1] not in QUOTES


def _towns_in(listed: Sequence[Sequence[str]]) -> frozenset[str]:
    """The texts that recur after the first piece of other lines."""
    counts: Counter[str] = Counter()
    for pieces in listed:
        counts.update({piece.casefold() for piece in pieces[1:]})
    return frozenset(name for name, count in counts.items() if count > 1 and name and not NOBODY.fullmatch(name))


def last_names_first(texts: Sequence[str], towns: Set[str]) -> str:
    """Whether single players are written “Lee, Ann”: “yes”, “perhaps” if towns would look the same, or nothing."""
    halves = [text.split(",") for text in texts if turned(text) != text]
    if len(halves) * 5 < len(texts) * 4 or len(texts) < 2:
        return ""
    before, behind = [half[0].strip() for half in halves], [half[1].strip() for half in halves]
    if are_turned(before, behind):
        return "yes"
    return "" if towns or are_towns(behind) else "perhaps"


def read_line(line: str, wanted: int, facts: Facts) -> Cells:
    """Read a team of `wanted` players from its line. Raises Unread if that is impossible."""
    number, rest = split_number(line, facts.numbered)
    pieces = pieces_of(rest, wanted)
    if not any(map(str.isalpha, line)):
        raise Unread("There is a number but no name.")
    if any(piece.kind != "quoted" and piece.text.startswith(QUOTES) for piece in pieces):
        raise Unread("A quotation mark is not closed.")
    if facts.numbered and not number and len(pieces) > 1 and not pieces[0].text:
        # This line has no number where the others have one.
        pieces = pieces[1:]
    return [("number", number), *_team(rest, pieces, wanted, facts)]


def _team(rest: str, pieces: list[Piece], wanted: int, facts: Facts) -> Cells:
    """Read what follows the number of a line: `rest` is the text, `pieces` are its parts."""
    two_people = TURNED_TWICE.fullmatch(rest.strip())
    if wanted == 2 and two_people and pieces[-1].text.casefold() not in facts.towns:
        return _cells("", map(turned, two_people.groups()), (), "read as “Last, First” of two people")
    name, payment = without_payment(rest)
    if facts.turned and turned(name) != name:
        return _cells(turned(name), (), [Piece(payment, "bracket")] if payment else ())
    if wanted == 1:
        return _cells(pieces[0].text, (), pieces[1:])
    return _players_in_one_piece(pieces, wanted) or _players_piece_by_piece(pieces, wanted, facts)


def cells_of(line: str, wanted: int = 0) -> list[str]:
    """The pieces of a line, whatever they are."""
    return [piece.text for piece in pieces_of(line, wanted)]


def split_number(line: str, bare: bool = False) -> tuple[str, str]:
    """The number at the start of a line, and the rest of it."""
    # Keep trailing separators: an empty cell has its place.
    text = without_bullet(line)
    for pattern in (NUMBER, MARKED_NUMBER, *([BARE_NUMBER] if bare else [])):
        if (match := pattern.match(text)) and text[match.end() :].strip():
            return match[1], text[match.end() :]
    return "", text


def without_bullet(line: str) -> str:
    return BULLET.sub("", line, count=1)


def pieces_of(text: str, wanted: int) -> list[Piece]:
    """Cut at the strongest separator that gives a team and its players, else at every separator, else at gaps."""
    text, payment = without_payment(text)
    if payment:
        return [*pieces_of(text, wanted), Piece(payment, "bracket")]
    for character, tokens in AT_ONE_SIGN.items():
        if character in text and len(pieces := _cut(text, tokens)) > wanted:
            return pieces
    pieces = _cut(text, AT_EVERY_SIGN)
    if len(pieces) == 1 and pieces[0].kind == "plain":
        return [Piece(part) for part in GAP.split(pieces[0].text)]
    return pieces


def _cut(text: str, tokens: re.Pattern[str]) -> list[Piece]:
    """The pieces between the tokens; a text in quotes or brackets is one piece.

    A strong sign cuts everywhere: two in a row have an empty piece between them. A weak one cuts only after a text.
    """
    pieces: list[Piece] = []
    start = 0
    is_after_enclosed = False
    for token in tokens.finditer(text):
        before = text[start : token.start()].strip()
        # A text in quotes or brackets is a piece already, so that the sign after it ends nothing.
        is_empty_place = not before and not is_after_enclosed
        if token["weak"] and is_empty_place:
            continue
        if token["bracket"] and before and _is_nickname(token["bracket"], text[token.end() :][:LONGEST_NAMES]):
            continue
        if before or (token["strong"] and is_empty_place):
            ends_with_colon = ":" in (token["weak"] or "")
            pieces.append(Piece(before, "named" if ends_with_colon and not pieces else "plain"))
        if token["quoted"]:
            pieces.append(_enclosed(token["quoted"], "quoted"))
        elif token["bracket"]:
            pieces.append(_enclosed(token["bracket"], "bracket"))
        start, is_after_enclosed = token.end(), bool(token["quoted"] or token["bracket"])
    pieces.append(Piece(text[start:].strip()))
    while len(pieces) > 1 and not pieces[-1].text:
        pieces.pop()
    return pieces


def _enclosed(text: str, kind: str) -> Piece:
    return Piece(text[1:-1].replace('""', '"').strip(), kind)


def _is_nickname(bracket: str, behind: str) -> bool:
    """“Nell (Nelly) Gaines / Otis Reed” has a nickname, “Aces (Columbus) Tom & Tim” a town."""
    people, is_inside = PEOPLE.split(behind), behind.lstrip()[:1].isalnum()
    is_team = len(people) > 1 and len({len(person.split()) for person in people}) == 1
    return is_inside and len(people_in(bracket[1:-1])) == 1 and not is_team


def _players_in_one_piece(pieces: list[Piece], wanted: int) -> Cells | None:
    """“Six Low (Flo and Ida)”, “Owls – A / B”: one piece names the players, the text before it is the team.

    A piece between the team and its players is their town. None for a line that is written differently.
    """
    name, rest = pieces[0].text, pieces[1:]
    several = [piece for piece in rest if len(people_in(piece.text)) > 1 and not A_TOWN.fullmatch(piece.text)]
    for piece in several:
        index, people = rest.index(piece), people_in(piece.text)
        others = rest[:index] + rest[index + 1 :]
        if index == 0 or piece.kind == "bracket":
            return _cells(name, people, others)
        if index == 1 and len(several) == 1 and len(people) == wanted:
            return _cells(name, people, others, f"“{rest[0].text}” was read as the town")
    return None


def _players_piece_by_piece(pieces: list[Piece], wanted: int, facts: Facts) -> Cells:
    """“Owls, Ann, Bo, Dayton”, “Ann, Bo”, “Ann & Bo, Dayton”: each player is a piece, or the first piece is a pair."""
    first, rest = pieces[0].text, pieces[1:]
    players = [piece for piece in rest if _may_be_player(piece)]
    if pieces[0].kind != "plain" or not first or len(players) > wanted:
        return _cells_of_pieces(first, players[:wanted], rest)

    # “A, B, Dayton” is a pair and its town if Dayton recurs in other lines, else a team with its players.
    doubt = ""
    if players and players[-1].text.casefold() in facts.towns:
        doubt = f"“{players[-1].text}” was read as the town"
        players = players[:-1]

    people = people_in(first, in_a_row=False)
    # “Owls/Ann/Bo”: one name more than players are wanted.
    begins_with_team = first.count("/") == wanted and len(people) == wanted + 1
    if begins_with_team and not players:
        return _cells(people[0], people[1:], rest, f"“{people[0]}” was read as the team")
    if len(people) > 1 and len(players) < wanted:
        # “Ann Lee & Bo Carter, Dayton”
        if all(" " in person for person in people):
            return _cells("", people, rest, doubt)
        # “Cut & Deal” alone is a team's name in a list of names, and a pair in a list of pairs.
        if not players and not facts.bare_names:
            return _cells("", people, rest, doubt or "read as two players without a team name")
    # “Ann, Bo”: the first piece is a player, too.
    if players and len(players) == wanted - 1:
        return _cells_of_pieces("", [pieces[0], *players], rest, doubt or "read as players without a team name")
    # “Owls, Ann, Bo, Dayton”
    return _cells_of_pieces(first, players, rest, doubt)


def _may_be_player(piece: Piece) -> bool:
    """Read a text in brackets as a remark or a town, unless it says that a seat is open."""
    return bool(piece.text) and (piece.kind != "bracket" or bool(NOBODY.fullmatch(piece.text)))


def _cells_of_pieces(name: str, players: Sequence[Piece], rest: Sequence[Piece], doubt: str = "") -> Cells:
    """Read a team whose players are some pieces of the rest."""
    # Two pieces may be equal, such as a repeated name.
    behind = [piece for piece in rest if not any(piece is player for player in players)]
    return _cells(name, [piece.text for piece in players], behind, doubt)


def _cells(name: str, players: Iterable[str] = (), rest: Sequence[Piece] = (), doubt: str = "") -> Cells:
    """Read a team whose players are followed by town, club, fee and pot in this order; empty texts keep their place."""
    texts = _with_state([piece.text for piece in rest])
    count = _count_places(texts)
    places, marks = texts[:count], texts[count:]
    if texts[:1] == [""]:
        # The town's place is empty: the marks begin after it.
        marks = marks[1:]
    roles_of_marks = [*MARKS, *["more"] * len(marks)]
    return [
        ("name", name),
        *(("person", player) for player in players),
        *zip(("city", "club"), places, strict=False),
        *zip(roles_of_marks, marks, strict=False),
        ("doubt", doubt),
    ]


def _with_state(texts: list[str]) -> list[str]:
    """“Dayton”, “OH” as “Dayton, OH”."""
    if len(texts) > 1 and texts[0] and not is_mark(texts[0]) and STATE.fullmatch(texts[1]):
        return [f"{texts[0]}, {texts[1]}", *texts[2:]]
    return texts


def _count_places(texts: Sequence[str]) -> int:
    """How many of the first two texts say where a team is from: those before the first mark or gap."""
    for index, text in enumerate(texts[:2]):
        if not text or is_mark(text):
            return index
    return len(texts[:2])
