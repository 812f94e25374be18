"""What the columns of a table hold: by their headings, by their cells, and by all columns together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile

from tournament.errors import Fault
from tournament.forms.roster.lines import cells_of, last_names_first, split_number
from tournament.forms.roster.marks import OUT_AT_THE_BEGINNING, PLAYS, answer_of
from tournament.forms.roster.names import are_no_people, are_people, are_towns, is_person, people_in, turned
from tournament.forms.roster.people import BEHIND_LAST, BETWEEN, comma_in, people_of_cell
from tournament.forms.roster.readings import WORDS, Choice, NoneFits, Reading, readings_of
from tournament.forms.roster.records import ENOUGH, UNKNOWN, Column, Record, Roster, Unread, are_all
from tournament.forms.roster.table import (
    FIELDS,
    HEADING,
    NO_TEAM,
    ROLES,
    STANDINGS,
    TEAM_ROLES,
    TITLE,
    heading_at,
    plain,
    role_of,
    why_aside,
)
from tournament.models.team import MARKS
from tournament.words.texts import name_key


def read_table(records: list[Record], roster: Roster) -> list[Record]:
    """Take the headings off, and say what each column is; gives the records that are left."""
    start = heading_at([record.cells for record in records])
    top = list(takewhile(_is_title, records)) if start is None else records[: start + 1]
    headings = Record(0, []) if start is None else records[start]
    top = [record for record in top if roster.wishes.of(record) != ""]
    for record in top:
        # Headings that no line holds were put together from what the lines say they are.
        if record.number:
            roster.set_aside(record, NO_TEAM if record is not headings and _names_people(record) else HEADING)
    body = [record for record in records if record not in top]
    if not body:
        raise Unread("There are no names below the headings.")
    # What stands beyond the headings is a column where most rows have it, and a fault where few do.
    width = len(headings.cells)
    if sum(any(record.cells[width:]) for record in records) * 2 > len(records):
        width = max(len(record.cells) for record in records)
    columns = roster.columns
    # So many rows tell what a column is: whoever is out is looked for among these.
    teams = [record for record in body[:ENOUGH] if not why_aside(record.cells)] + body[ENOUGH:]
    teams = teams or body
    for index, heading in enumerate([*headings.cells, *[""] * width][:width]):
        cells = [record.cells[index] for record in teams if index < len(record.cells)]
        columns.append(Column(heading, cells if index else [split_number(cell)[1] for cell in cells]))
    if roster.wishes.columns == columns_key(columns) and len(roster.wishes.roles) == len(columns):
        for column, role in zip(columns, roster.wishes.roles, strict=True):
            column.role = role if role in ROLES else ""
        _decide_commas(columns, roster)
    else:
        _guess_roles(columns, roster)
    _check_columns(headings.number, roster)
    for column in columns:
        if column.tells_status:
            _show_status(column, roster)
    return body


def _names_people(record: Record) -> bool:
    """Whether people stand in a row above the headings: another list, perhaps, which is asked about."""
    parts = [part for cell in record.cells for piece in cells_of(cell) for part in people_in(piece)]
    return any(" " in part and is_person(part) for part in parts)


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
    _by_headings(columns, roster.wanted)
    if not {"name", "player", "first"} & {column.role for column in columns}:
        _by_cells(columns, roster)
    _name_is_a_player(columns, roster.wanted)
    people = [column for column in columns if column.role in ("player", "first")]
    if roster.wanted > 1 and len(people) == 1 and not people[0].is_mostly("several"):
        _find_team_of_persons(columns)
    for column in columns:
        if column.role == UNKNOWN and column.heading and any(column.cells):
            roster.left_out.append(f"the column “{column.heading}”")
            column.is_unknown = True
        column.role = "" if column.role == UNKNOWN else column.role
    _decide_commas(columns, roster)


def _decide_commas(columns: Sequence[Column], roster: Roster) -> None:
    """What a comma means in each column of players; where two ways fit, it is asked about once."""
    for column in columns:
        if roster.wanted == 1 and column.role == "name":
            order = last_names_first(column.filled, set())
            column.is_turned = bool(order)
            if order == "perhaps":
                roster.questions.append("Read as “Last, First”.")
    players = [column for column in columns if column.role == "player"]
    is_person_a_line = any(column.role == "of" for column in columns)
    is_only = len(players) == 1 and not is_person_a_line
    for column in players:
        comma, is_asked = comma_in(column.filled, roster.wanted, is_only=is_only)
        column.comma = comma
        if not is_asked:
            continue
        column.comma = roster.wishes.reading if roster.wishes.reading in (BETWEEN, BEHIND_LAST) else comma
        cell = next(cell for cell in column.filled if "," in cell)
        ways = [(way, f"{way} – {' · '.join(people_of_cell(cell, way))}") for way in (BETWEEN, BEHIND_LAST)]
        roster.choice = Choice(column.comma, tuple(ways), is_made=column.comma == roster.wishes.reading)


def _by_headings(columns: Sequence[Column], wanted: int) -> None:
    """What the headings say, where the cells below do not contradict."""
    for column in columns:
        column.role = role_of(column.heading)
        # Only the plain word stands for what its cells do not look like.
        kind = {"number": "number", **dict.fromkeys(MARKS, "answer")}.get(column.role)
        differs = kind and plain(column.heading) not in FIELDS and not column.is_all(kind)
        if differs or (column.role in ("name", "player") and column.is_all("never")):
            column.role = ""
    halves = {column.role for column in columns} & {"first", "last"}
    for column in columns:
        is_second = column.role == "name" and sum(other.role == "name" for other in columns) > 1
        is_team = re.search(r"team|pair|squad|side|mannschaft", plain(column.heading))
        if (len(halves) == 1 and column.role in halves) or (is_second and not is_team):
            column.role = "player"
    _fill_blank_headings(columns, wanted)
    names = [column for column in columns if column.role == "name"]
    if len(names) == 1 and not any(column.role in ("player", "first") for column in columns):
        # “Pair: Ann Lee & Bo Carter” are its players.
        is_called_so = bool(re.search("pair|partner", plain(names[0].heading)))
        _, are_players = _people_shown(names[0], wanted, is_called_so=is_called_so)
        names[0].role = "player" if are_players else "name"


def _fill_blank_headings(columns: Sequence[Column], wanted: int) -> None:
    """A heading that spans two columns stands over the first: the next player is below no heading."""
    for before, column in pairwise(columns):
        players = sum(other.role == "player" for other in columns)
        is_blank = column.role == UNKNOWN and not column.heading and column.filled
        if is_blank and before.role == "player" and players < wanted and not column.is_all("never"):
            column.role = "player"


def _name_is_a_player(columns: Sequence[Column], wanted: int) -> None:
    """“Name” is the first player, not the team, beside a “Partner”, or where people stand below it."""
    names = [column for column in columns if column.role == "name" and plain(column.heading) == "name"]
    others = [column for column in columns if column.role == "player"]
    if len(names) != 1 or len(others) != wanted - 1 or not others:
        return
    has_partner = any("partner" in plain(column.heading) for column in others)
    if has_partner or are_people(names[0].filled):
        names[0].role = "player"


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
    """What columns are whose headings say nothing: a number, a mark, and texts that are read as lines are."""
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
    if roster.wanted > 1 and _is_person_a_line(texts):
        for column in texts:
            column.role = "of" if _comes_again(column) else "player"
        roster.questions.append(CHECK_COLUMNS)
    elif not _by_reading(texts, columns, roster):
        _in_order(texts, columns, roster)


CHECK_COLUMNS = "What’s in the columns is a guess. Check what it says above each one."


def _comes_again(column: Column) -> bool:
    return len(set(column.filled)) * 2 <= len(column.filled)


def _is_person_a_line(texts: Sequence[Column]) -> bool:
    """Two columns of which one comes again: a person and their team; a pair in one cell is no person."""
    again = [column for column in texts if _comes_again(column)]
    return len(texts) == 2 and len(again) == 1 and not any(column.is_mostly("several") for column in texts)


def _by_reading(texts: Sequence[Column], columns: Sequence[Column], roster: Roster) -> bool:
    """The reading of a list for columns without headings; whether there is one."""
    if roster.wanted == 1 or not texts:
        return False
    with_commas = [column for column in texts if sum("," in cell for cell in column.filled) * 2 > len(column.filled)]
    shown = [_people_shown(column, roster.wanted, is_only=len(with_commas) < 2) for column in texts]
    places = [people for people, _ in shown]
    together = next((place for place, (_, is_pair) in enumerate(shown) if is_pair), None)
    readings = _readings_or_none(places, roster.wanted, together)
    if not readings and together is None and len(texts) == roster.wanted:
        _as_players(texts, places, roster)
        return True
    if any(column.role == "city" for column in columns):
        readings = [reading for reading in readings if "city" not in reading.roles]
    if readings:
        _take(readings, texts, roster)
    return bool(readings)


def _readings_or_none(places: Sequence[Sequence[str]], wanted: int, together: int | None) -> list[Reading]:
    try:
        return readings_of(places, wanted, together)
    except NoneFits:
        return []


def _as_players(texts: Sequence[Column], places: Sequence[Sequence[str]], roster: Roster) -> None:
    """As many columns as a team has players are these, or a team and its players; asked where few look like people."""
    if any(map(are_no_people, places)):
        roster.questions.append(CHECK_COLUMNS)
    for column in texts:
        column.role = "player"
    if are_no_people(places[0]):
        texts[0].role = "name"


def _take(readings: Sequence[Reading], texts: Sequence[Column], roster: Roster) -> None:
    """Give the columns the roles of the reading that was chosen, or is the likeliest; several are asked about."""
    taken = next((reading for reading in readings if reading.key == roster.wishes.reading), readings[0])
    for column, role in zip(texts, taken.roles, strict=True):
        column.role = "player" if role == "players" else role
    if any(column.heading for column in texts):
        roster.questions.append(CHECK_COLUMNS)
    elif len(readings) > 1:
        options = tuple((reading.key, _in_words(reading, texts)) for reading in readings)
        roster.choice = Choice(taken.key, options, is_made=taken.key == roster.wishes.reading)


def _people_shown(
    column: Column, wanted: int, *, is_only: bool = True, is_called_so: bool = False
) -> tuple[list[str], bool]:
    """What a column shows to a reading, first names first; whether its cells hold all players of a team."""
    if wanted == 1:
        return column.filled, False
    comma, is_unclear = comma_in(column.filled, wanted, is_only=is_only)
    listed = [people_of_cell(cell, comma) for cell in column.filled]
    everybody = [person for people in listed for person in people]
    are_pairs = sum(len(people) == wanted for people in listed) * 5 >= len(listed) * 4
    if are_pairs and not is_unclear and (is_called_so or are_people(everybody)) and not are_towns(column.filled):
        return everybody, True
    if comma == BEHIND_LAST:
        return [turned(cell) for cell in column.filled], False
    return [turned(cell) if is_person(turned(cell)) else cell for cell in column.filled], False


def _in_words(reading: Reading, texts: Sequence[Column]) -> str:
    first = [f"{WORDS[role]} “{column.filled[0]}”" for role, column in zip(reading.roles, texts, strict=True)]
    return ", ".join(first)


def _in_order(texts: list[Column], columns: Sequence[Column], roster: Roster) -> None:
    """Texts in the order in which clubs write: team, players, town, club; which is asked about unless it is plain."""
    again = [column for column in texts if _comes_again(column)]
    several = [column for column in texts if column.is_mostly("several")]
    has_city = any(column.role == "city" for column in columns)
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
    if not is_plain or len(texts) > len(order):
        roster.questions.append(CHECK_COLUMNS)


def _show_status(column: Column, roster: Roster) -> None:
    """A column of statuses is shown once with its values; where they are not all one kind, who plays is asked."""
    counts = Counter(cell for cell in column.cells if cell)
    if not counts:
        return
    values = ", ".join(f"{value} {count}" for value, count in counts.most_common(8))
    more = f" and {len(counts) - 8} more" if len(counts) > 8 else ""
    absent = [value for value in counts if _is_out(value, column)]
    out = sum(counts[value] for value in absent)
    unknown = [value for value in counts if not PLAYS.fullmatch(value) and value not in absent]
    if not out and not unknown:
        roster.notes.append(f"“{column.heading}”: {values}{more}. All of them play.")
        return
    roster.statuses |= {f"it says “{value}”" for value in absent}
    plays = f"{out} {'is' if out == 1 else 'are'} set aside" if out else "all of them play"
    roster.questions.append(f"“{column.heading}”: {values}{more}. As it’s read now, {plays}. Is that right?")


def _is_out(value: str, column: Column) -> bool:
    return bool(OUT_AT_THE_BEGINNING.match(value)) or (column.asks_who_comes and answer_of(value) is False)


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
