"""The secretary's list, pasted or uploaded, read into rows: with headings in any order, or line by line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tournament.forms.cells import (
    DELIMITERS,
    PLAYERS,
    Roster,
    delimiter_of,
    is_heading,
    is_mark,
    read_table,
    unguarded,
    yes_of,
)
from tournament.forms.freehand import Entrant, Known, Unread, cells_of, known_of, read_line
from tournament.queries.roster import RosterRow
from tournament.refusals import Fault
from tournament.texts import name_key

MOST_ROWS = 2000
# Breaks in a line and between lines, and the mark with which old programs end a file.
BREAKS = "\t\n\v\f\r\x1a"
NO_LIST = "This file is not a CSV or Excel file. In Excel choose Save as, then CSV."
# Headings stand at the top, below a title perhaps; a title says what the list is, or when.
FIRST_LINES = 10
TITLE = re.compile(
    r"\b(?:list|roster|entries|entrants|sign-?ups?|registrations?|registered|tournament|(?:19|20)\d\d)\b", re.IGNORECASE
)


# Letters of old Macs as other programs read them: “Jos\u017d”, “M\u0178ller”.
OLD_MAC = re.compile(r"[a-z](?:[ŽŠŸŒ‡ˆ‰‹]|š(?=[a-z]))", re.ASCII)
MAC = "The accents in this file are those of an old Mac program. Save it as “CSV UTF-8” there, and upload that."


def decode(content: bytes) -> str:
    """The text of an uploaded list: UTF-8 and UTF-16 with or without a mark, or what old spreadsheets write.

    Raises ValueError with a sentence where it is no list.
    """
    # In UTF-16 every other byte of most names is zero; only the mark says which, and it may be missing.
    if b"\x00" in content[:2] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = (b"\xfe\xff" if content[0] == 0 else b"\xff\xfe") + content
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Nearly any two bytes are a sign of UTF-16: only a list has columns or lines, too.
        if not _is_text(text) or (marked and not any(sign in text for sign in f"{DELIMITERS}\n\r")):
            break
        if encoding == "cp1252" and OLD_MAC.search(text) and not re.search("[À-ÿ]", text):
            raise ValueError(MAC)
        return text
    raise ValueError(NO_LIST)


def read_roster(text: str, wanted: int) -> Roster:
    """Read a list of teams of `wanted` players each. Every fault names its row, and its column where there is one."""
    roster = Roster()
    lines = re.split(r"\r\n|\r|\n", text.lstrip("\ufeff").rstrip("\x1a"))
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip(f"{DELIMITERS} \u00a0")]
    if not filled:
        roster.faults.append(Fault("text", "There are no names in this list."))
    elif (found := delimiter_of([line for _, line in filled[:FIRST_LINES]])) is not None:
        read_table(text.lstrip("\ufeff").rstrip("\x1a"), found, roster, wanted)
    else:
        _read_lines(filled, roster, wanted)
    count = len(roster.rows)
    if count > MOST_ROWS:
        roster.rows = []
        roster.faults.append(Fault("text", f"At most {MOST_ROWS:,} can be entered at once; here are {count:,}."))
    return replace(roster, rows=_named(roster.rows) if wanted > 1 else roster.rows)


def _is_text(text: str) -> bool:
    return not any(unicodedata.category(sign) == "Cc" and sign not in BREAKS for sign in text)


def _read_lines(lines: list[tuple[int, str]], roster: Roster, wanted: int) -> None:
    known = known_of([line for _, line in lines if not _is_heading(line)], wanted)
    for place, (number, line) in enumerate(lines):
        try:
            entrant = read_line(line, wanted, known)
        except Unread as fault:
            roster.faults.append(Fault(f"{number}:", f"Row {number}: {str(fault)[0].lower()}{str(fault)[1:]}"))
            continue
        is_title = not roster.rows and place < FIRST_LINES and len(lines) > 1 and _is_title(line, entrant)
        if _is_heading(line) or is_title or (place == 0 and _stands_alone(entrant, lines[1:], wanted, known)):
            roster.headings.append((number, " ".join(line.split())))
        elif not any(sign.isalpha() for sign in line):
            roster.faults.append(Fault(f"{number}:name", f"Row {number}: there is a number but no name."))
        else:
            roster.rows.append(_as_row(number, entrant, roster))


def _is_heading(line: str) -> bool:
    """“----”, “sep=;”, “Wait list:”, or nothing but headings: “Team – Players”."""
    cells = [cell for cell in cells_of(line) if cell]
    says = any(sign.isalnum() for sign in line)
    return not says or line.strip().endswith(":") or line.startswith("sep=") or all(is_heading(one) for one in cells)


def _is_title(line: str, entrant: Entrant) -> bool:
    return bool(TITLE.search(line)) and not entrant.number


def _stands_alone(entrant: Entrant, others: list[tuple[int, str]], wanted: int, known: Known) -> bool:
    """Whether a first line without players stands above lines that all have theirs."""
    if wanted == 1 or entrant.players or entrant.number or not others:
        return False
    try:
        return all(read_line(line, wanted, known).players for _, line in others if not _is_heading(line))
    except Unread:
        return False


def _as_row(number: int, entrant: Entrant, roster: Roster) -> RosterRow:
    """A team from its line. Behind the players stand town, club, fee and pot, in this order; more cannot be read."""
    rest = [unguarded(text) for text in entrant.rest]
    texts: list[str] = []
    while rest and len(texts) < 2 and not is_mark(rest[0]):
        texts.append(rest.pop(0))
        if rest and texts[-1] and re.fullmatch(r"[A-Z]{2}\.?", rest[0]) and len(texts) == 1:
            texts[-1] += f", {rest.pop(0)}"
        if not texts[-1] or (rest and not rest[0]):
            break
    marks = [*rest[:2], "", ""][:2]
    blank = RosterRow(number, None, "")
    for text in rest[2:]:
        if text:
            roster.faults.append(
                Fault(f"{number}:", f"Row {number}: “{text}” is left over at the end of the line. What is it?")
            )
    if len(entrant.players) > len(PLAYERS):
        text = f"Row {number}: {len(entrant.players)} players are too many for one team. Is each team on a line?"
        roster.faults.append(Fault(f"{number}:player{len(PLAYERS) + 1}", text))
    return RosterRow(
        row=number,
        number=int(entrant.number) if entrant.number else None,
        name=unguarded(entrant.name),
        players=tuple(unguarded(name) for name in entrant.players if name),
        city=texts[0] if texts else "",
        club=texts[1] if len(texts) > 1 else "",
        paid=yes_of(blank, "paid", marks[0], roster),
        in_pot=yes_of(blank, "in_pot", marks[1], roster),
    )


def _named(rows: list[RosterRow]) -> list[RosterRow]:
    """Teams without a name bear those of their players: “Smith & Jones”. It is said that this was guessed."""
    taken = {name_key(row.name) for row in rows if row.name}
    made = []
    for row in rows:
        if not row.name and row.players:
            name = next((one for one in _names_of(row.players) if name_key(one) not in taken), "")
            taken.add(name_key(name))
            town = f"; “{row.city}” was taken as the town" if row.city else ""
            row = replace(row, name=name, guessed=f"no team name; “{name}” was taken{town}") if name else row
        made.append(row)
    return made


def _names_of(players: Sequence[str]) -> Iterator[str]:
    """What a team may be called after its players, the shortest first."""
    if len(players) == 1:
        yield players[0]
        return
    split = [re.sub(r"[\s,]+(?:jr|sr|ii|iii|iv)\.?$", "", name, flags=re.IGNORECASE).split() for name in players]
    last = [words[-1] for words in split]
    if len(set(last)) == 1 and all(len(words) > 1 for words in split):
        yield f"{_and([' '.join(words[:-1]) for words in split])} {last[0]}"
    else:
        yield _and(last)
    yield _and([f"{words[0][0]}. {words[-1]}" for words in split])
    yield _and(players)


def _and(names: Sequence[str]) -> str:
    return " & ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
