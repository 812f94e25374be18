"""A secretary's list, read from any file or text into teams: each line is a team, set aside, or a fault."""

from __future__ import annotations

import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from tournament.errors import Fault
from tournament.forms.roster.blocks import all_blocks, are_sure
from tournament.forms.roster.checks import ask_about_boxes, ask_for_names, ask_who_paid, ask_who_plays
from tournament.forms.roster.columns import read_table
from tournament.forms.roster.lines import Cells, Facts, cells_of, facts_of, read_line
from tournament.forms.roster.marks import NOBODY, is_mark, without_payment, without_remarks
from tournament.forms.roster.names import PEOPLE, is_person, is_town, people_in
from tournament.forms.roster.readings import NoneFits
from tournament.forms.roster.records import NO_WISHES, Record, Roster, Unread, Wishes
from tournament.forms.roster.table import (
    ABSENT,
    BLANKS,
    DELIMITERS,
    EMPTY,
    FIRST_LINES,
    HEADING,
    NO_TEAM,
    OUT,
    SUM,
    TALK,
    TITLE,
    WAITING,
    by_role,
    couples,
    doubted,
    grid_of,
    is_absence_heading,
    is_heading,
    joined,
    judged,
    once_each,
    plain,
    records_of,
    row_of,
    why_aside,
)
from tournament.forms.roster.whole import read_whole
from tournament.queries.roster import RosterRow
from tournament.words.texts import LONGEST_NAME, SUFFIX, name_key

MOST_ROWS, MOST_CELLS = 2000, 60_000
# A line of a list is much shorter, and so is a list of the most rows: what is longer costs time.
LONGEST_LINE, LONGEST_LIST, LONGEST_TABLE = 1000, 150_000, 400_000
MOST_PLAYERS = 4
# So many lines at the top may be titles.
TITLES = 3
# Breaks in a line and between lines, and the mark with which old programs end a file.
BREAKS = "\t\n\v\f\r\x1a"
NO_LIST = "This file is not a CSV or Excel file. In Excel choose Save as, then CSV UTF-8."
REPORT = re.compile(r"(?:0[0-9]2|1[0-9]2|XX[A-Z]|001|BB[A-Z])[ \t]")
A_REPORT = "This is another program’s report (.trf), not a list of teams. Paste just the names, one team per line."
# “[10/24/26, 6:02 PM] Ann Lee: ”, “24.10.26, 18:02 - Ann Lee: ”.
MESSAGE = re.compile(
    r"\W*\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? +\d{1,2}:\d\d[^A-Za-z]*(?:[ap]\.?m\.?)?[\]\s–-]+([^:\t,;|]+):\s+",
    re.IGNORECASE,
)
# The heads of a mail, and what it quotes.
MAIL = re.compile(r"(?:from|to|cc|subject|date|sent|reply-to): .|>|on .* wrote:$", re.IGNORECASE)
QUOTED = re.compile(r"^(?:>\s?)+")
# UTF-8 read as something else once before: “JosÃ© NÃºÃ±ez”.
BROKEN = re.compile("[ÂÃÄÅÐÑâ][\u0080-¿ŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]{1,2}")
# “Otis Reed, Jr.” is one name.
JUNIOR = re.compile(r", *(?=(?:jr|sr|ii|iii|iv)\b)", re.IGNORECASE)
# “Table 2” over those who sit there.
TABLE = re.compile(r"\W*(?:table|tbl)\.? ?#?\d{1,3}\W*", re.IGNORECASE)
VERSUS = re.compile(r"(?<!\s)\s+(?:vs\.?|versus|against)\s+", re.IGNORECASE)
# Who is a captain is no part of a name.
CAPTAIN = re.compile(r" *\((?:c|cap?t?\.?|captain)\)", re.IGNORECASE)
UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)


def decode(content: bytes) -> tuple[str, list[str]]:
    """The text of an uploaded list: UTF-8 and UTF-16 with or without a mark, or what old spreadsheets write.

    With what is asked where an old encoding does not tell which accents it has. Raises ValueError with a sentence where
    it is no list.
    """
    # In UTF-16 every other byte of most names is zero; only the mark says which, and it may be missing.
    if b"\x00" in content[:2] and not content.startswith(UTF_16):
        content = UTF_16[content[0] == 0] + content
    is_wide = content.startswith(UTF_16)
    for encoding in ("utf-16",) if is_wide else ("utf-8-sig", "cp1252", "cp1250"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Nearly any two bytes are a sign of UTF-16: only a list has columns or lines, too.
        is_list = not is_wide or any(character in text for character in f"{DELIMITERS}\n\r")
        if not is_list or any(
            unicodedata.category(character) == "Cc" and character not in BREAKS for character in text
        ):
            break
        words = dict.fromkeys(f"“{word}”" for word in re.findall(r"\w+", text) if not word.isascii())
        if encoding.startswith("utf") or not words:
            return text, []
        return text, [f"Are these accents right: {', '.join([*words][:3])}? If not, save the file as CSV UTF-8."]
    raise ValueError(NO_LIST)


def clean_text(text: str) -> str:
    """Without the marks of programs, every line ended in one way, and each of two teams that meet on its own line."""
    lines = re.sub(r"\r\n|\r", "\n", text.lstrip("\ufeff").rstrip("\x1a")).split("\n")
    return "\n".join(map(_each_on_its_line, lines))


def _each_on_its_line(line: str) -> str:
    """“Ann & Bo vs. Cy & Di” as two lines, and so “Ann & Bo; Cy & Di; Eve & Flo”; any other line as it is."""
    pairs = line.split(";") if len(line) <= LONGEST_LINE else []
    if len(pairs) > 2 and all(len(PEOPLE.split(pair)) == 2 and "," not in pair for pair in pairs):
        return "\n".join(pair.strip() for pair in pairs)
    sides = VERSUS.split(line) if len(line) <= LONGEST_LINE else []
    if len(sides) != 2 or "\t" in line or not all(len(people_in(side)) > 1 for side in sides):
        return line
    return "\n".join(sides)


def unbroken(text: str) -> str:
    """The text with accents that another program broke put together again."""

    def whole(match: re.Match[str]) -> str:
        try:
            return match[0].encode("cp1252").decode()
        except UnicodeError:
            return match[0]

    return BROKEN.sub(whole, text)


def read_roster(text: str, wanted: int, wishes: Wishes = NO_WISHES) -> Roster:
    """Read a list of teams of `wanted` players each. Every fault names its row, and its column where there is one."""
    roster = Roster(wanted, wishes)
    try:
        _read(clean_text(text), roster)
    except Unread as fault:
        roster.faults.append(Fault("text", str(fault)))
    return roster


def _read(text: str, roster: Roster) -> None:
    """Text becomes rows of cells, these become teams; what is no team is set aside."""
    _check_lines(text)
    text = _prepared(text, roster)
    grid, delimiter = grid_of(text)
    if len(text) > (LONGEST_TABLE if delimiter else LONGEST_LIST) or sum(map(len, grid)) > MOST_CELLS:
        raise Unread("This is a lot more than a list of teams. Paste just the list.")
    records = records_of(grid)
    blocks = [] if delimiter or roster.is_talk else all_blocks(records, roster.wanted)
    if blocks and blocks[0].number and not are_sure(blocks, roster.wanted):
        roster.questions.append("Lines next to each other were read as one team.")
    if blocks or delimiter:
        records = read_table(blocks or records, roster)
    rows = _unlike_others(_teams(_rows(records, roster), roster), roster)
    if any(column.role == "of" for column in roster.columns):
        rows = joined(rows, roster)
    rows = once_each(couples(rows, roster), roster)
    ask_who_plays(rows, roster)
    ask_who_paid(roster)
    ask_for_names(roster)
    ask_about_boxes(records, roster)
    for row in rows:
        if len(row.players) > MOST_PLAYERS:
            text = f"Row {row.row}: {len(row.players)} players are too many for one team. Is each team on its own line?"
            roster.faults.append(Fault(f"{row.row}:player{MOST_PLAYERS + 1}", text))
    roster.rows = _named(rows, roster) if roster.wanted > 1 else rows
    roster.aside.sort()
    for why, count in Counter(aside.why for aside in roster.aside).items():
        if why not in (HEADING, SUM, OUT, EMPTY) and why not in roster.statuses:
            roster.questions.append(f"{count} line{'s are' if count > 1 else ' is'} set aside: {why}.")


def _check_lines(text: str) -> None:
    """Refuse what is no list, or far more than one, before it costs time."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip(BLANKS)]
    if not lines:
        raise Unread("There are no names in this list.")
    if len(lines) > MOST_ROWS + FIRST_LINES:
        raise Unread(f"You can enter at most {MOST_ROWS:,} at once; this list has {len(lines):,}.")
    if long := [number for number, line in lines if len(line) > LONGEST_LINE]:
        raise Unread(
            f"Row {long[0]}: this line is longer than {LONGEST_LINE:,} characters. Is each team on its own line?"
        )
    if sum(bool(REPORT.match(line)) for _, line in lines) * 2 > len(lines) > 1:
        raise Unread(A_REPORT)


def _prepared(text: str, roster: Roster) -> str:
    """The text without heads of messages and marks of captains, accents put together again."""
    lines = text.split("\n")
    is_chat = sum(bool(MESSAGE.match(line)) for line in lines) * 2 > len(lines)
    roster.is_talk = is_chat or sum(bool(MAIL.match(line)) for line in lines) > 1
    if roster.is_talk:
        roster.questions.append("These look like messages. Lines without a whole team are set aside.")
        text = "\n".join(QUOTED.sub("", MESSAGE.sub("", line)) for line in lines)
    whole = unbroken(text)
    if pairs := [f"“{old}” as “{new}”" for old, new in zip(text.split(), whole.split(), strict=True) if old != new]:
        roster.questions.append(f"Broken accents were fixed: {', '.join(pairs[:3])}.")
    unmarked = CAPTAIN.sub("", whole)
    if unmarked != whole:
        roster.left_out.append("captain marks like “(C)”")
    return re.sub(r"[ \u00a0]{3,}", "   ", unmarked)


def _are_other_headings(record: Record, roster: Roster) -> bool:
    """Whether a row in the middle of a table has headings of its own, which is asked about: a second list."""
    filled = [cell for cell in record.cells if cell]
    if len(filled) < 2 or not all(map(is_heading, filled)):
        return False
    words = f"Row {record.number} has headings of its own. If a second list begins there, paste it by itself."
    if words not in roster.questions:
        roster.questions.append(words)
    return True


def _is_heading(record: Record, roster: Roster) -> bool:
    """“----”, “sep=;”, “Wait list:”, nothing but headings: “Team – Players”; in a table the headings once more."""
    if roster.columns:
        headings = [plain(column.heading) for column in roster.columns]
        if any(headings) and [plain(cell) for cell in record.cells] == headings[: len(record.cells)]:
            return True
        return _are_other_headings(record, roster)
    line = record.cells[0].strip()
    says = any(map(str.isalnum, line))
    return (
        not says
        or line.endswith(":")
        or bool(TABLE.fullmatch(line))
        or line.startswith("sep=")
        or all(map(is_heading, filter(None, cells_of(line))))
    )


def _rows(records: Sequence[Record], roster: Roster) -> list[RosterRow]:
    """A row for each record that says something of a team; others are set aside, or cannot be read."""
    headings = {record.number for record in records if _is_heading(record, roster)}
    playing = _playing(records, headings, roster)
    if roster.columns:
        roles = [column.role for column in roster.columns]
        cells = {record.number: by_role(record, roles, roster) for record in playing}
    else:
        listed = [
            without_payment(without_remarks(record.cells[0])[0])[0]
            for record in records
            if record.number not in headings and not is_top_title(record, records)
        ]
        cells = _cells_of_lines(playing, facts_of(listed, roster.wanted), roster)
    _ask_for_reading(roster)
    return [
        judged(row_of(record.number, cells[record.number], roster), record, roster)
        for record in playing
        if record.number in cells
    ]


def _playing(records: Sequence[Record], headings: Set[int], roster: Roster) -> list[Record]:
    """The records that may be teams; headings, sums, and who waits or is out are set aside."""
    # Below “Wait list:” and “Not coming:” nobody plays, up to the next heading.
    playing, apart = [], ""
    for record in records:
        roster.records[record.number] = record
        why = roster.wishes.of(record)
        if why is None:
            why = why_aside(record.cells if roster.columns else cells_of(record.cells[0]), roster.columns)
            is_absence = record.number in headings and is_absence_heading(record.text)
            why = why or (ABSENT if is_absence else HEADING if record.number in headings else apart)
            if why in (WAITING, ABSENT, HEADING):
                apart = "" if why == HEADING else why
        if why:
            roster.set_aside(record, why)
        else:
            playing.append(record)
    return playing


NOT_ALIKE = "It isn’t clear which part is the team, who plays, and where they’re from. Check each line."


def _cells_of_lines(playing: Sequence[Record], facts: Facts, roster: Roster) -> dict[int, Cells]:
    """What each line says: all read as one list where they are alike, else each alone. Who is unread has a fault."""
    if facts.turned == "perhaps":
        roster.questions.append("Read as “Last, First”.")
    lines = {
        record.number: JUNIOR.sub(" ", roster.without_remarks(record.number, record.cells[0])) for record in playing
    }
    cells: dict[int, Cells] = {}
    if not roster.is_talk:
        titles = {record.number for record in playing if is_top_title(record, playing)}
        teams = {row: line for row, line in lines.items() if row not in titles}
        try:
            cells, roster.choice = read_whole(teams, roster.wanted, facts, roster.wishes.reading)
            roster.is_whole = bool(cells)
        except NoneFits:
            roster.questions.append(NOT_ALIKE)
    empty = sum(not any(map(str.isalpha, line)) for line in lines.values())
    for record in playing:
        row = record.number
        if row in cells:
            continue
        try:
            cells[row] = _looked_at(read_line(lines[row], roster.wanted, facts))
        except Unread as fault:
            if not any(map(str.isalpha, lines[row])) and empty > 1:
                roster.set_aside(record, EMPTY)
            elif roster.is_talk and roster.wishes.of(record) is None:
                roster.set_aside(record, TALK)
            else:
                roster.faults.append(Fault(f"{row}:", f"Row {row}: {str(fault)[0].lower()}{str(fault)[1:]}"))
    return cells


def is_top_title(record: Record, records: Sequence[Record]) -> bool:
    """Whether a line is among the first, and says what the list is, or when."""
    return record in records[:TITLES] and bool(TITLE.search(record.cells[0]))


def _looked_at(cells: Cells) -> Cells:
    """What a line alone says, with a doubt where a person stands as the town, or as the team of others."""
    players = [text for role, text in cells if role == "person"]
    places = [text for role, text in cells if role in ("city", "club") and is_person(text) and not is_town(text)]
    name = next((text for role, text in cells if role == "name"), "")
    called = people_in(name)
    is_people = bool(name) and all(map(is_person, called))
    if len(called) > 1 and all(" " in person for person in called):
        is_people = any(map(is_person, called))
    if players and is_people and (len(called) > 1 or not all(map(is_person, players))):
        places.append(name)
    return [*cells, ("doubt", f"is “{places[0]}” a player?")] if places else cells


def _ask_for_reading(roster: Roster) -> None:
    """Two readings that fit are asked about once, and both are shown."""
    choice = roster.choice
    if choice and not choice.is_made:
        (_, taken), *others = sorted(choice.options, key=lambda option: option[0] != choice.taken)
        could_be = " or ".join(words for _, words in others)
        roster.questions.append(f"This list can be read two ways. It was read as {taken}. It could be {could_be}.")


def _unlike_others(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Rows of a list of lines, each doubted where it lacks what most others have: a team's name, or a player."""
    wanted = roster.wanted
    if roster.columns or wanted == 1 or roster.is_talk:
        return list(rows)
    short = sum(0 < len(row.players) < wanted for row in rows)
    if short * 2 > len(rows) and not any(row.guessed for row in rows):
        roster.questions.append(f"Most teams have fewer than {wanted} players. Check how their lines were read.")
    are_named = any(row.name for row in rows)
    are_whole = sum(len(row.players) >= wanted for row in rows) * 2 > len(rows)
    looked_at = []
    for row in rows:
        if (are_named or not roster.is_whole) and not row.name and row.city and not is_town(row.city):
            row = doubted(row, f"is “{row.city}” the team, or a town?")
        if are_whole and 0 < len(row.players) < wanted and not row.guessed:
            row = doubted(row, "a player is missing")
        looked_at.append(row)
    return looked_at


def _teams(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """The rows that are teams. Among teams with their players, what names nobody is a title, or is set aside."""
    faulty = {fault.field.partition(":")[0] for fault in roster.faults}
    wanted = roster.wanted
    has_players = wanted > 1 and sum(len(row.players) >= wanted for row in rows) * 2 >= len(rows)
    teams, is_top = [], len(rows) > 1 and not roster.columns
    for row in rows:
        is_faulty = str(row.row) in faulty
        why = _why_no_team(row, roster, has_players=has_players, is_top=is_top, is_faulty=is_faulty)
        is_top = is_top and why == HEADING
        if why:
            roster.set_aside(roster.records[row.row], why)
        else:
            teams.append(row)
    gone = {str(row.row) for row in rows} - {str(team.row) for team in teams}
    roster.faults = [fault for fault in roster.faults if fault.field.partition(":")[0] not in gone]
    return teams


def _why_no_team(row: RosterRow, roster: Roster, *, has_players: bool, is_top: bool, is_faulty: bool) -> str:
    """Why a row that was read is no team; nothing for one that is. Most rows `has_players`, or are names alone."""
    record = roster.records[row.row]
    if roster.wishes.of(record) is not None:
        return ""
    is_whole = len(row.players) >= roster.wanted and "a player?" not in row.guessed
    if roster.is_talk and (not is_whole or MAIL.match(record.cells[0])):
        return TALK
    if is_top and row.number is None and TITLE.search(record.text) and (row.guessed or not is_whole):
        return HEADING
    is_bare = not row.players and row.number is None and "nobody yet" not in row.guessed
    if has_players and is_bare and (not roster.columns or sum(map(bool, record.cells)) == 1):
        return HEADING if is_top else NO_TEAM
    if roster.columns and not row.name and not row.players and _is_of_sums(record):
        return SUM
    is_nobody = NOBODY.fullmatch(row.name) and not row.players
    return NO_TEAM if is_nobody or (has_players and not is_whole and is_faulty) else ""


def _is_of_sums(record: Record) -> bool:
    """Whether nothing but numbers and marks stand in a row: what was collected, below a column."""
    return all(not any(map(str.isalpha, cell)) or is_mark(cell) for cell in record.cells)


def _named(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Teams without a name bear those of their players: “Smith & Jones”."""
    taken = {name_key(row.name) for row in rows}
    named, nameless = [], []
    for row in rows:
        if not row.name and row.players:
            free = [
                name for name in _names_of(row.players) if len(name) <= LONGEST_NAME and name_key(name) not in taken
            ]
            row = replace(row, name=next(iter(free), ""))
            taken.add(name_key(row.name))
            nameless.append(f"“{row.name}” (row {row.row})")
        named.append(row)
    if nameless:
        roster.notes.append(f"No team name, so it’s named after its players: {', '.join(nameless)}.")
    return named


def _names_of(players: Sequence[str]) -> list[str]:
    """What a team may be called after its players, the shortest first."""
    if len(players) == 1:
        return list(players)
    split = [SUFFIX.sub("", name).split() for name in players]
    last = [words[-1] for words in split]
    first = [" ".join(words[:-1]) for words in split]
    family = f"{_and(first)} {last[0]}" if len(set(last)) == 1 and all(first) else _and(last)
    return [
        family,
        _and([f"{words[0][0]}. {words[-1]}" for words in split]),
        _and(players),
        f"{last[0][:30]} & partner",
    ]


def _and(names: Sequence[str]) -> str:
    return " & ".join([", ".join(names[:-1]), names[-1]])
