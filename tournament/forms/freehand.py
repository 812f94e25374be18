"""A line of a list as clubs write it, without columns: “1. Owls – A / B”, “Name: A, B”, “A & B”, “Name (A and B)”.

A line is cut into pieces at tabs, commas, dashes, colons and brackets; what the pieces are follows from their number,
from the signs between two people, and from the other lines of the list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


def read_line(line: str, wanted: int, known: Known) -> Entrant:
    """A team of `wanted` players from its line. Raises Unread where that is impossible."""
    number, rest = _number(line, known.numbered)
    pieces = _pieces(rest, wanted)
    if known.numbered and not number and len(pieces) > 1 and not pieces[0].text:
        pieces = pieces[1:]
    entrant = _alone(pieces) if wanted == 1 else _team(pieces, wanted, known)
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
        if (found := pattern.match(text)) and text[found.end() :].strip():
            return found[1], text[found.end() :]
    return "", text


def _pieces(text: str, wanted: int) -> list[Piece]:
    """Cut at the strongest separator that gives a team and its players; else at every separator; else at gaps."""
    for sign in STRONG:
        if sign in text and len(pieces := _cut(text, sign)) > wanted:
            return pieces
    pieces = _cut(text, STRONG + ",", loosely=True)
    if len(pieces) == 1 and pieces[0].kind == "plain" and GAP.search(pieces[0].text):
        pieces = [Piece(part) for part in GAP.split(pieces[0].text)]
    return [piece._replace(text=" ".join(piece.text.split())) for piece in pieces]


def _cut(text: str, signs: str, *, loosely: bool = False) -> list[Piece]:
    """Cut at the signs; loosely at dashes, colons and brackets, too. What stands in quotes or brackets stays whole."""
    pieces: list[Piece] = []
    open_, at = "", 0
    while at < len(text):
        sign = text[at]
        if sign in QUOTES and not open_.strip():
            quoted, at = _quoted(text, at)
            pieces.append(Piece(quoted, "quoted"))
            at = _past(text, at, signs, loosely)
            open_ = ""
        elif loosely and sign in BRACKETS and (inside := _inside(text, at, open_)) is not None:
            if open_.strip():
                pieces.append(Piece(open_.strip()))
            pieces.append(Piece(inside.strip(), "bracket"))
            at, open_ = _past(text, at + len(inside) + 2, signs, loosely), ""
        elif sign in signs:
            pieces.append(Piece(open_.strip()))
            at, open_ = at + 1, ""
            if at == len(text):
                pieces.append(Piece(""))
        elif loosely and open_.strip() and (found := COLON.match(text, at) or DASH.match(text, at)):
            named = not pieces and ":" in found[0]
            pieces.append(Piece(open_.strip(), "named" if named else "plain"))
            at, open_ = found.end(), ""
        else:
            at, open_ = at + 1, open_ + sign
    if open_.strip():
        pieces.append(Piece(open_.strip()))
    while len(pieces) > 1 and not pieces[-1].text:
        pieces.pop()
    return pieces


def _quoted(text: str, at: int) -> tuple[str, int]:
    """What stands in quotes, two quotes being one; and where it ends."""
    close, made, at = QUOTES[text[at]], "", at + 1
    while at < len(text):
        if text[at] == close and text[at + 1 : at + 2] == close == '"':
            made, at = made + close, at + 2
        elif text[at] == close:
            return made.strip(), at + 1
        else:
            made, at = made + text[at], at + 1
    raise Unread("A quotation mark is not closed.")


def _inside(text: str, at: int, before: str) -> str | None:
    """What stands in a bracket that is a piece of its own; None for one in a name: “Nell (Nelly) Gaines”."""
    end = text.find(BRACKETS[text[at]], at)
    if end < 0 or (before and not before[-1].isspace()):
        return None
    inside, behind = text[at + 1 : end], text[end + 1 :].lstrip()
    is_nickname = before.strip() and behind[:1].isalnum() and len(people_in(inside)) == 1
    return None if is_nickname else inside


def _past(text: str, at: int, signs: str, loosely: bool) -> int:
    """Behind the separator that follows a quote or a bracket."""
    while at < len(text) and text[at].isspace() and text[at] not in signs:
        at += 1
    if at < len(text) and text[at] in signs:
        return at + 1
    found = loosely and (COLON.match(text, at) or re.compile(r"[-–—]+\s+").match(text, at))
    return found.end() if found else at


def _alone(pieces: list[Piece]) -> Entrant:
    return Entrant(name=pieces[0].text, rest=tuple(piece.text for piece in pieces[1:])) if pieces else Entrant()


def _team(pieces: list[Piece], wanted: int, known: Known) -> Entrant:
    first, rest = pieces[0], pieces[1:]
    for place, piece in enumerate(rest):
        # “Six Low (Flo and Ida)”, “Owls – A / B”: people of one piece are the players, what stands before is the name.
        if len(people := people_in(piece.text)) >= 2 and (place == 0 or piece.kind == "bracket"):
            return Entrant(name=first.text, players=tuple(people), rest=_texts(rest[:place] + rest[place + 1 :]))
    words = [piece for piece in rest if piece.kind != "bracket" and piece.text]
    if first.kind in ("named", "quoted") or not first.text or len(words) > wanted:
        return Entrant(name=first.text, players=_texts(words[:wanted]), rest=_behind(rest, words[:wanted]))
    # “A, B, Dayton” is a pair and its town where Dayton comes again in other lines, and a team with its players else.
    if words and words[-1].text.casefold() in known.towns:
        words.pop()
    if len(words) == wanted:
        return Entrant(name=first.text, players=_texts(words), rest=_behind(rest, words))
    pair = people_in(first.text, in_a_row=False)
    if len(pair) >= 2 and not words:
        # “Cut & Deal” alone is a team's name in a list of names, and a pair in a list of pairs.
        if all(" " in one for one in pair) or not known.bare_names:
            return Entrant(players=tuple(pair), rest=_texts(rest))
    elif len(pair) >= 2 and all(" " in one for one in pair):
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
