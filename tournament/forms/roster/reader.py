"""Read a secretary's list from any file or text into teams: each line is a team, set aside, or a fault."""

from __future__ import annotations

import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Mapping, Sequence, Set
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
# Real lines and lists are much shorter; longer ones only cost time.
LONGEST_LINE, LONGEST_LIST, LONGEST_TABLE = 1000, 150_000, 400_000
MOST_PLAYERS = 4
# How many lines at the top may be titles.
TITLES = 3
# Breaks in a line and between lines, and the mark that old programs put at the end of a file.
BREAKS = "\t\n\v\f\r\x1a"
NO_LIST = "This file is not a CSV or Excel file. In Excel choose Save as, then CSV UTF-8."
REPORT = re.compile(r"(?:0[0-9]2|1[0-9]2|XX[A-Z]|001|BB[A-Z])[ \t]")
A_REPORT = "This is another program’s report (.trf), not a list of teams. Paste just the names, one team per line."
# “[10/24/26, 6:02 PM] Ann Lee: ”, “24.10.26, 18:02 - Ann Lee: ”.
MESSAGE = re.compile(
    r"\W*\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? +\d{1,2}:\d\d[^A-Za-z]*(?:[ap]\.?m\.?)?[\]\s–-]+([^:\t,;|]+):\s+",
    re.IGNORECASE,
)
# The headers of a mail, and what it quotes.
MAIL = re.compile(r"(?:from|to|cc|subject|date|sent|reply-to): .|>|on .* wrote:$", re.IGNORECASE)
QUOTED = re.compile(r"^(?:>\s?)+")
# UTF-8 that another program misread: “JosÃ© NÃºÃ±ez”.
BROKEN = re.compile("[ÂÃÄÅÐÑâ][\u0080-¿ŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]{1,2}")
# “Otis Reed, Jr.” is one name.
JUNIOR = re.compile(r", *(?=(?:jr|sr|ii|iii|iv)\b)", re.IGNORECASE)
# “Table 2” above the people who sit there.
TABLE = re.compile(r"\W*(?:table|tbl)\.? ?#?\d{1,3}\W*", re.IGNORECASE)
VERSUS = re.compile(r"(?<!\s)\s+(?:vs\.?|versus|against)\s+", re.IGNORECASE)
# A captain's mark is not part of the name.
CAPTAIN = re.compile(r" *\((?:c|cap?t?\.?|captain)\)", re.IGNORECASE)
UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)


def decode(content: bytes) -> tuple[str, list[str]]:
    """Decode an uploaded list: UTF-8 and UTF-16 with or without a mark, or what old spreadsheets write.

    The second value is a question, if an old encoding leaves the accents in doubt. Raises ValueError with a sentence if
    the file is not a list.
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
        # Nearly any two bytes are a valid UTF-16 sign, but only a list has columns or lines as well.
        is_list = not is_wide or any(character in text for character in f"{DELIMITERS}\n\r")
        if not is_list or _has_controls(text):
            break
        return text, [] if encoding.startswith("utf") else _ask_about_accents(text)
    raise ValueError(NO_LIST)


def _has_controls(text: str) -> bool:
    """Whether a text has characters that no list has: it is another kind of file."""
    return any(unicodedata.category(character) == "Cc" and character not in BREAKS for character in text)


def _ask_about_accents(text: str) -> list[str]:
    words = dict.fromkeys(f"“{word}”" for word in re.findall(r"\w+", text) if not word.isascii())
    if not words:
        return []
    return [f"Are these accents right: {', '.join([*words][:3])}? If not, save the file as CSV UTF-8."]


def clean_text(text: str) -> str:
    """Remove the marks of programs, end every line the same way, and put two teams that meet on lines of their own."""
    lines = re.sub(r"\r\n|\r", "\n", text.lstrip("\ufeff").rstrip("\x1a")).split("\n")
    return "\n".join(map(_each_on_its_line, lines))


def _each_on_its_line(line: str) -> str:
    """Split “Ann & Bo vs. Cy & Di” or “Ann & Bo; Cy & Di; Eve & Flo” into lines; leave any other line unchanged."""
    pairs = line.split(";") if len(line) <= LONGEST_LINE else []
    if len(pairs) > 2 and all(len(PEOPLE.split(pair)) == 2 and "," not in pair for pair in pairs):
        return "\n".join(pair.strip() for pair in pairs)
    sides = VERSUS.split(line) if len(line) <= LONGEST_LINE else []
    if len(sides) != 2 or "\t" in line or not all(len(people_in(side)) > 1 for side in sides):
        return line
    return "\n".join(sides)


def unbroken(text: str) -> str:
    """Repair accents that another program broke."""

    def whole(match: re.Match[str]) -> str:
        try:
            return match[0].encode("cp1252").decode()
        except UnicodeError:
            return match[0]

    return BROKEN.sub(whole, text)


def read_roster(text: str, wanted: int, wishes: Wishes = NO_WISHES) -> Roster:
    """Read a list of teams of `wanted` players each. Every fault names its row, and its column if it has one."""
    roster = Roster(wanted, wishes)
    try:
        _read(clean_text(text), roster)
    except Unread as fault:
        roster.faults.append(Fault("text", str(fault)))
    return roster


def _read(text: str, roster: Roster) -> None:
    """Turn text into rows of cells and rows into teams; set aside what is not a team."""
    _check_lines(text)
    text = _prepared(text, roster)
    grid, delimiter = grid_of(text)
    longest = LONGEST_TABLE if delimiter else LONGEST_LIST
    if len(text) > longest or sum(map(len, grid)) > MOST_CELLS:
        raise Unread("This is a lot more than a list of teams. Paste just the list.")
    records = records_of(grid)
    if delimiter:
        records = read_table(records, roster)
    elif not roster.is_talk:
        records = _read_blocks(records, roster)
    rows = _unlike_others(_teams(_rows(records, roster), roster), roster)
    if any(column.role == "of" for column in roster.columns):
        rows = joined(rows, roster)
    rows = once_each(couples(rows, roster), roster)
    ask_who_plays(rows, roster)
    ask_who_paid(roster)
    ask_for_names(roster)
    ask_about_boxes(records, roster)
    _refuse_many_players(rows, roster)
    roster.rows = _named(rows, roster) if roster.wanted > 1 else rows
    roster.aside.sort()
    _ask_about_aside(roster)


def _read_blocks(records: list[Record], roster: Roster) -> list[Record]:
    """Turn lines in blocks, one block for each team, into a table; leave other lines unchanged."""
    blocks = all_blocks(records, roster.wanted)
    if not blocks:
        return records
    if blocks[0].number and not are_sure(blocks, roster.wanted):
        roster.questions.append("Lines next to each other were read as one team.")
    return read_table(blocks, roster)


def _refuse_many_players(rows: Sequence[RosterRow], roster: Roster) -> None:
    for row in rows:
        if len(row.players) > MOST_PLAYERS:
            text = f"Row {row.row}: {len(row.players)} players are too many for one team. Is each team on its own line?"
            roster.faults.append(Fault(f"{row.row}:player{MOST_PLAYERS + 1}", text))


def _ask_about_aside(roster: Roster) -> None:
    """Set rows aside without a question only if it is clear, or if a column's status says so."""
    plain_enough = {HEADING, SUM, OUT, EMPTY, *roster.statuses}
    for why, count in Counter(aside.why for aside in roster.aside).items():
        if why not in plain_enough:
            lines = "1 line is" if count == 1 else f"{count} lines are"
            roster.questions.append(f"{lines} set aside: {why}.")


def _check_lines(text: str) -> None:
    """Refuse what is not a list, or far more than one, before it costs time."""
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
    """Remove message headers and captains' marks, and repair accents."""
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
    """Ask about a row in the middle of a table that has headings of its own: perhaps a second list."""
    filled = [cell for cell in record.cells if cell]
    if len(filled) < 2 or not all(map(is_heading, filled)):
        return False
    words = f"Row {record.number} has headings of its own. If a second list begins there, paste it by itself."
    if words not in roster.questions:
        roster.questions.append(words)
    return True


def _is_heading(record: Record, roster: Roster) -> bool:
    """Whether a line is “----”, “sep=;”, “Wait list:”, only headings (“Team – Players”), or repeated headings."""
    if roster.columns:
        return _are_same_headings(record, roster) or _are_other_headings(record, roster)
    line = record.cells[0].strip()
    has_words = any(map(str.isalnum, line))
    if not has_words or line.endswith(":") or line.startswith("sep=") or TABLE.fullmatch(line):
        return True
    return all(map(is_heading, filter(None, cells_of(line))))


def _are_same_headings(record: Record, roster: Roster) -> bool:
    headings = [plain(column.heading) for column in roster.columns]
    return any(headings) and [plain(cell) for cell in record.cells] == headings[: len(record.cells)]


def _rows(records: Sequence[Record], roster: Roster) -> list[RosterRow]:
    """Make a row of each record that describes a team; the others are set aside or cannot be read."""
    headings = {record.number for record in records if _is_heading(record, roster)}
    playing = _playing(records, headings, roster)
    if roster.columns:
        roles = [column.role for column in roster.columns]
        cells = {record.number: by_role(record, roles, roster) for record in playing}
    else:
        listed = [
            _without_extras(record.cells[0])
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


def _without_extras(line: str) -> str:
    """Remove remarks and what a line says about money."""
    text, _ = without_remarks(line)
    text, _ = without_payment(text)
    return text


def _playing(records: Sequence[Record], headings: Set[int], roster: Roster) -> list[Record]:
    """The records that may be teams; headings, sums, and teams that wait or are out are set aside."""
    playing = []
    # Teams below “Wait list:” or “Not coming:” do not play, down to the next heading.
    why_below = ""
    for record in records:
        roster.records[record.number] = record
        why = roster.wishes.of(record)
        if why is None:
            is_heading = record.number in headings
            why = _why_alone(record, roster, is_heading=is_heading) or why_below
            if why == HEADING:
                why_below = ""
            elif why in (WAITING, ABSENT):
                why_below = why
        if why:
            roster.set_aside(record, why)
        else:
            playing.append(record)
    return playing


def _why_alone(record: Record, roster: Roster, *, is_heading: bool) -> str:
    """Why a record is not a team, whatever is above it."""
    cells = record.cells if roster.columns else cells_of(record.cells[0])
    why = why_aside(cells, roster.columns)
    if why or not is_heading:
        return why
    return ABSENT if is_absence_heading(record.text) else HEADING


NOT_ALIKE = "It isn’t clear which part is the team, who plays, and where they’re from. Check each line."


def _cells_of_lines(playing: Sequence[Record], facts: Facts, roster: Roster) -> dict[int, Cells]:
    """Read all lines as one list if they are alike, else each line alone. A line that is not read gets a fault."""
    if facts.turned == "perhaps":
        roster.questions.append("Read as “Last, First”.")
    lines = {}
    for record in playing:
        line = roster.without_remarks(record.number, record.cells[0])
        lines[record.number] = JUNIOR.sub(" ", line)
    cells = {} if roster.is_talk else _read_as_one_list(playing, lines, facts, roster)
    empty = sum(not any(map(str.isalpha, line)) for line in lines.values())
    for record in playing:
        row = record.number
        if row in cells:
            continue
        try:
            cells[row] = _looked_at(read_line(lines[row], roster.wanted, facts))
        except Unread as fault:
            is_empty = not any(map(str.isalpha, lines[row]))
            if is_empty and empty > 1:
                roster.set_aside(record, EMPTY)
            elif roster.is_talk and roster.wishes.of(record) is None:
                roster.set_aside(record, TALK)
            else:
                roster.faults.append(Fault(f"{row}:", f"Row {row}: {_with_small_letter(str(fault))}"))
    return cells


def _read_as_one_list(
    playing: Sequence[Record], lines: Mapping[int, str], facts: Facts, roster: Roster
) -> dict[int, Cells]:
    """Read the lines if one reading fits them all; titles at the top are not part of the list."""
    titles = {record.number for record in playing if is_top_title(record, playing)}
    teams = {row: line for row, line in lines.items() if row not in titles}
    try:
        cells, roster.choice = read_whole(teams, roster.wanted, facts, roster.wishes.reading)
    except NoneFits:
        roster.questions.append(NOT_ALIKE)
        return {}
    roster.is_whole = bool(cells)
    return cells


def _with_small_letter(sentence: str) -> str:
    return f"{sentence[0].lower()}{sentence[1:]}"


def is_top_title(record: Record, records: Sequence[Record]) -> bool:
    """Whether a line near the top says what the list is, or its date."""
    return record in records[:TITLES] and bool(TITLE.search(record.cells[0]))


def _looked_at(cells: Cells) -> Cells:
    """Read a line alone, with a doubt if a person was read as the town, or as the team of others."""
    players = [text for role, text in cells if role == "person"]
    name = next((text for role, text in cells if role == "name"), "")
    people = [text for role, text in cells if role in ("city", "club") and is_person(text) and not is_town(text)]
    if players and _is_person_as_team(name, players):
        people.append(name)
    if not people:
        return cells
    return [*cells, ("doubt", f"is “{people[0]}” a player?")]


def _is_person_as_team(name: str, players: Sequence[str]) -> bool:
    """Whether people were read as the team's name: several, or one beside players who are not people."""
    people = people_in(name)
    if len(people) > 1:
        are_whole_names = all(" " in person for person in people)
        return any(map(is_person, people)) if are_whole_names else all(map(is_person, people))
    return bool(name) and all(map(is_person, people)) and not all(map(is_person, players))


def _ask_for_reading(roster: Roster) -> None:
    """If two readings fit, ask once and show both."""
    choice = roster.choice
    if choice and not choice.is_made:
        (_, taken), *others = sorted(choice.options, key=lambda option: option[0] != choice.taken)
        could_be = " or ".join(words for _, words in others)
        roster.questions.append(f"This list can be read two ways. It was read as {taken}. It could be {could_be}.")


def _unlike_others(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Doubt rows that lack what most others have: a team's name, or a player. Ask once if most lack a player."""
    wanted = roster.wanted
    if roster.columns or wanted == 1 or roster.is_talk:
        return list(rows)
    rows_short = sum(_is_short(row, wanted) for row in rows)
    if rows_short * 2 > len(rows) and not any(row.guessed for row in rows):
        roster.questions.append(f"Most teams have fewer than {wanted} players. Check how their lines were read.")
    # Lines that were all read the same way may be a list of players without team names.
    needs_name = not roster.is_whole or any(row.name for row in rows)
    rows_full = sum(len(row.players) >= wanted for row in rows)
    needs_players = rows_full * 2 > len(rows)
    checked = []
    for row in rows:
        if needs_name and not row.name and row.city and not is_town(row.city):
            row = doubted(row, f"is “{row.city}” the team, or a town?")
        if needs_players and _is_short(row, wanted) and not row.guessed:
            row = doubted(row, "a player is missing")
        checked.append(row)
    return checked


def _is_short(row: RosterRow, wanted: int) -> bool:
    """Whether a row has players, but not as many as a team."""
    return 0 < len(row.players) < wanted


def _teams(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """The rows that are teams. If teams have players, a row that names nobody is a title, or is set aside."""
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
    """Why a row is not a team; nothing if it is.

    `has_players` says that teams of this list have players, `is_top` that only headings stand above this row, and
    `is_faulty` that reading it found a fault.
    """
    record = roster.records[row.row]
    if roster.wishes.of(record) is not None:
        # What was chosen in the preview counts: a row that is still here was included.
        return ""
    is_complete = len(row.players) >= roster.wanted and "a player?" not in row.guessed
    if roster.is_talk and (not is_complete or MAIL.match(record.cells[0])):
        return TALK
    is_sure = is_complete and not row.guessed
    if is_top and not is_sure and row.number is None and TITLE.search(record.text):
        return HEADING
    # A name alone is a heading at the top of the list, or a remark between teams.
    if has_players and _is_name_alone(row, record, roster):
        return HEADING if is_top else NO_TEAM
    if roster.columns and not row.name and not row.players and _is_of_sums(record):
        return SUM
    if not row.players and NOBODY.fullmatch(row.name):
        return NO_TEAM
    if has_players and not is_complete and is_faulty:
        return NO_TEAM
    return ""


def _is_name_alone(row: RosterRow, record: Record, roster: Roster) -> bool:
    """Whether a row has no player, number or open seat; in a table it is then one cell."""
    if row.players or row.number is not None or "nobody yet" in row.guessed:
        return False
    return not roster.columns or sum(map(bool, record.cells)) == 1


def _is_of_sums(record: Record) -> bool:
    """Whether a row has only numbers and marks: the money collected, below a column."""
    return all(not any(map(str.isalpha, cell)) or is_mark(cell) for cell in record.cells)


def _named(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Name teams without a name after their players: “Smith & Jones”."""
    taken = {name_key(row.name) for row in rows}
    named, nameless = [], []
    for row in rows:
        if not row.name and row.players:
            row = replace(row, name=_free_name(row.players, taken))
            taken.add(name_key(row.name))
            nameless.append(f"“{row.name}” (row {row.row})")
        named.append(row)
    if nameless:
        roster.notes.append(f"No team name, so it’s named after its players: {', '.join(nameless)}.")
    return named


def _free_name(players: Sequence[str], taken: Set[str]) -> str:
    """The shortest name after its players that no other team has; none if all are taken or too long."""
    for name in _names_of(players):
        if len(name) <= LONGEST_NAME and name_key(name) not in taken:
            return name
    return ""


def _names_of(players: Sequence[str]) -> list[str]:
    """Possible names of a team after its players, the shortest first."""
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
