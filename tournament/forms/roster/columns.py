"""Find what the columns of a table hold, from their headings, their cells, and all columns together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
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
    """Remove the headings and decide what each column is; return the remaining records."""
    start = heading_at([record.cells for record in records])
    headings = Record(0, []) if start is None else records[start]
    top = list(takewhile(_is_title, records)) if start is None else records[: start + 1]
    # Somebody chose one of these lines as a team in the preview.
    top = [record for record in top if roster.wishes.of(record) != ""]
    _set_aside_top(top, headings, roster)
    body = [record for record in records if record not in top]
    if not body:
        raise Unread("There are no names below the headings.")
    roster.columns += _columns_of(records, headings, body)
    if not _take_wished_roles(roster):
        _guess_roles(roster.columns, roster)
    _check_columns(headings.number, roster)
    for column in roster.columns:
        if column.tells_status:
            _show_status(column, roster)
    return body


def _set_aside_top(top: Sequence[Record], headings: Record, roster: Roster) -> None:
    for record in top:
        if not record.number:
            # No line holds these headings: they were built from what the lines say they are.
            continue
        is_another_list = record is not headings and _names_people(record)
        roster.set_aside(record, NO_TEAM if is_another_list else HEADING)


def _columns_of(records: Sequence[Record], headings: Record, body: Sequence[Record]) -> list[Column]:
    """Build the columns, each with its heading and the cells that show what it holds."""
    # Cells beyond the headings are a column if most rows have them, and a fault if few do.
    width = len(headings.cells)
    if sum(any(record.cells[width:]) for record in records) * 2 > len(records):
        width = max(len(record.cells) for record in records)
    # The first rows are enough to tell what a column holds; teams that are out do not count.
    teams = [record for record in body[:ENOUGH] if not why_aside(record.cells)] + list(body[ENOUGH:])
    columns = []
    for index in range(width):
        heading = headings.cells[index] if index < len(headings.cells) else ""
        cells = [record.cells[index] for record in teams or body if index < len(record.cells)]
        if index == 0:
            cells = [split_number(cell)[1] for cell in cells]
        columns.append(Column(heading, cells))
    return columns


def _take_wished_roles(roster: Roster) -> bool:
    """Give the columns the roles that were chosen in the preview of this table; return whether there were any."""
    columns, wishes = roster.columns, roster.wishes
    if wishes.columns != columns_key(columns) or len(wishes.roles) != len(columns):
        return False
    for column, role in zip(columns, wishes.roles, strict=True):
        column.role = role if role in ROLES else ""
    _decide_commas(columns, roster)
    return True


def _names_people(record: Record) -> bool:
    """Whether there are people in a row above the headings: perhaps another list, so ask about it."""
    parts = [part for cell in record.cells for piece in cells_of(cell) for part in people_in(piece)]
    return any(" " in part and is_person(part) for part in parts)


def _is_title(record: Record) -> bool:
    """Whether a row is a title: one cell alone."""
    return sum(map(bool, record.cells)) == 1 and bool(TITLE.search(record.text))


def columns_key(columns: Sequence[Column]) -> str:
    return f"{len(columns)} {' · '.join(column.heading for column in columns)}"


def _guess_roles(columns: Sequence[Column], roster: Roster) -> None:
    """Decide what each column is, from its heading, its cells and the other columns."""
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
    """Decide what a comma means in each column of names; if two ways fit, ask once."""
    if roster.wanted == 1:
        _turn_names(columns, roster)
    players = [column for column in columns if column.role == "player"]
    is_person_a_line = any(column.role == "of" for column in columns)
    is_only = len(players) == 1 and not is_person_a_line
    for column in players:
        column.comma, is_asked = comma_in(column.filled, roster.wanted, is_only=is_only)
        if is_asked:
            _ask_about_commas(column, roster)


def _turn_names(columns: Sequence[Column], roster: Roster) -> None:
    """Decide whether the column of names has “Lee, Ann”, if everybody plays alone."""
    for column in columns:
        if column.role != "name":
            continue
        order = last_names_first(column.filled, set())
        column.is_turned = bool(order)
        if order == "perhaps":
            roster.questions.append("Read as “Last, First”.")


def _ask_about_commas(column: Column, roster: Roster) -> None:
    """Show both ways with the first cell that has a comma."""
    wished = roster.wishes.reading
    if wished in (BETWEEN, BEHIND_LAST):
        column.comma = wished
    cell = next(cell for cell in column.filled if "," in cell)
    ways = [(way, f"{way} – {' · '.join(people_of_cell(cell, way))}") for way in (BETWEEN, BEHIND_LAST)]
    roster.choice = Choice(column.comma, tuple(ways), is_made=column.comma == wished)


def _by_headings(columns: Sequence[Column], wanted: int) -> None:
    """Decide roles by the headings, unless the cells below contradict them."""
    for column in columns:
        column.role = role_of(column.heading)
        if _contradicts_heading(column):
            column.role = ""
    _find_more_players(columns)
    _fill_blank_headings(columns, wanted)
    names = [column for column in columns if column.role == "name"]
    if len(names) == 1 and not any(column.role in ("player", "first") for column in columns):
        # “Pair: Ann Lee & Bo Carter” are its players.
        is_called_so = bool(re.search("pair|partner", plain(names[0].heading)))
        _, are_players = _people_shown(names[0], wanted, is_called_so=is_called_so)
        names[0].role = "player" if are_players else "name"


def _contradicts_heading(column: Column) -> bool:
    """Whether the cells of a column are not what its heading says."""
    if column.role in ("name", "player"):
        return column.is_all("never")
    # A plain word like “Paid” counts whatever the cells below it hold.
    if plain(column.heading) in FIELDS:
        return False
    if column.role == "number":
        return not column.is_all("number")
    return column.role in MARKS and not column.is_all("answer")


def _find_more_players(columns: Sequence[Column]) -> None:
    """Take “First name” without a last name, and a second “Name” that is not a team's, as players."""
    halves = {column.role for column in columns} & {"first", "last"}
    for column in columns:
        names = sum(other.role == "name" for other in columns)
        is_half = len(halves) == 1 and column.role in halves
        is_second_name = column.role == "name" and names > 1
        is_team = re.search(r"team|pair|squad|side|mannschaft", plain(column.heading))
        if is_half or (is_second_name and not is_team):
            column.role = "player"


def _fill_blank_headings(columns: Sequence[Column], wanted: int) -> None:
    """Handle a heading that spans two columns: it is over the first, and the next player has no heading."""
    for before, column in pairwise(columns):
        players = sum(other.role == "player" for other in columns)
        is_blank = column.role == UNKNOWN and not column.heading and column.filled
        if is_blank and before.role == "player" and players < wanted and not column.is_all("never"):
            column.role = "player"


def _name_is_a_player(columns: Sequence[Column], wanted: int) -> None:
    """Take “Name” as the first player, not the team, beside a “Partner” or if it has people below it."""
    names = [column for column in columns if column.role == "name" and plain(column.heading) == "name"]
    others = [column for column in columns if column.role == "player"]
    if len(names) != 1 or len(others) != wanted - 1 or not others:
        return
    has_partner = any("partner" in plain(column.heading) for column in others)
    if has_partner or are_people(names[0].filled):
        names[0].role = "player"


def _find_team_of_persons(columns: Sequence[Column]) -> None:
    """Find the team if each person has a line: it repeats, or its cell is merged and empty in the lower line."""
    for column in [column for column in columns if column.role == "name"]:
        if _names_teams_of_persons(column):
            column.role = "of"
    for column in [column for column in columns if column.role == "number"]:
        if not _names_teams_of_persons(column):
            continue
        roles = {other.role for other in columns}
        numbers = set(map(name_key, column.filled))
        if not {"name", "of"} & roles:
            column.role = "of"
        elif "of" in roles and len(numbers) < len(column.filled):
            column.role = ""


def _names_teams_of_persons(column: Column) -> bool:
    """Whether most texts repeat, or every third cell is empty."""
    counts = Counter(map(name_key, column.filled))
    if not counts:
        return False
    again = sum(count > 1 for count in counts.values())
    return again * 2 >= len(counts) or column.cells.count("") * 3 >= len(column.cells)


def _by_cells(columns: Sequence[Column], roster: Roster) -> None:
    """Decide columns whose headings say nothing: a number, a mark, and texts that are read as lines are."""
    texts = []
    for column in columns:
        if column.role != UNKNOWN or not column.filled or column.is_all("never"):
            continue
        taken = {other.role for other in columns}
        if column.is_all("number"):
            column.role = _role_of_numbers(column, taken)
        elif column.is_all("mark"):
            column.role = next((role for role in MARKS if role not in taken), UNKNOWN)
        else:
            texts.append(column)
    if roster.wanted > 1 and _is_person_a_line(texts):
        for column in texts:
            column.role = "of" if _comes_again(column) else "player"
        roster.questions.append(CHECK_COLUMNS)
    elif not _by_reading(texts, columns, roster):
        _in_order(texts, columns, roster)


def _role_of_numbers(column: Column, taken: Set[str]) -> str:
    """Take different numbers as team numbers; skip others, silently if they have a heading."""
    if "number" not in taken and len(set(column.filled)) == len(column.filled):
        return "number"
    return "" if column.heading else UNKNOWN


CHECK_COLUMNS = "What’s in the columns is a guess. Check what it says above each one."


def _comes_again(column: Column) -> bool:
    return len(set(column.filled)) * 2 <= len(column.filled)


def _is_person_a_line(texts: Sequence[Column]) -> bool:
    """Read two columns of which one repeats as a person and their team; a pair in one cell is not a person."""
    again = [column for column in texts if _comes_again(column)]
    return len(texts) == 2 and len(again) == 1 and not any(column.is_mostly("several") for column in texts)


def _by_reading(texts: Sequence[Column], columns: Sequence[Column], roster: Roster) -> bool:
    """Read columns without headings as a list is read; return whether a reading was found."""
    if roster.wanted == 1 or not texts:
        return False
    with_commas = [column for column in texts if _has_mostly_commas(column)]
    is_only = len(with_commas) < 2
    places: list[list[str]] = []
    # The place of the first column whose cells hold all players of a team.
    together = None
    for place, column in enumerate(texts):
        people, holds_all_players = _people_shown(column, roster.wanted, is_only=is_only)
        places.append(people)
        if holds_all_players and together is None:
            together = place

    readings = _readings_or_none(places, roster.wanted, together)
    if not readings and together is None and len(texts) == roster.wanted:
        _as_players(texts, places, roster)
        return True
    if any(column.role == "city" for column in columns):
        readings = [reading for reading in readings if "city" not in reading.roles]
    if not readings:
        return False
    _take(readings, texts, roster)
    return True


def _has_mostly_commas(column: Column) -> bool:
    with_comma = [cell for cell in column.filled if "," in cell]
    return len(with_comma) * 2 > len(column.filled)


def _readings_or_none(places: Sequence[Sequence[str]], wanted: int, together: int | None) -> list[Reading]:
    try:
        return readings_of(places, wanted, together)
    except NoneFits:
        return []


def _as_players(texts: Sequence[Column], places: Sequence[Sequence[str]], roster: Roster) -> None:
    """Take columns as players, or as a team and its players, by their number; ask if few look like people."""
    if any(map(are_no_people, places)):
        roster.questions.append(CHECK_COLUMNS)
    for column in texts:
        column.role = "player"
    if are_no_people(places[0]):
        texts[0].role = "name"


def _take(readings: Sequence[Reading], texts: Sequence[Column], roster: Roster) -> None:
    """Give the columns the roles of the chosen reading, or of the likeliest; if several fit, ask."""
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
    """The texts of a column with first names first, and whether its cells hold all players of a team."""
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
    """Read texts in the order in which clubs write: team, players, town, club; ask unless it is clear."""
    has_city = any(column.role == "city" for column in columns)
    again = [column for column in texts if _comes_again(column)]
    fewest = 1 if roster.wanted == 1 else 2
    if again and len(texts) > fewest:
        again[-1].role, has_city = "city", True
        texts.remove(again[-1])
    order = _usual_order(texts, roster.wanted)
    if not has_city:
        order.append("city")
    order.append("club")
    for column, role in zip(texts, order, strict=False):
        column.role = role
    if len(texts) > len(order) or not _is_plain(columns, roster.wanted):
        roster.questions.append(CHECK_COLUMNS)


def _usual_order(texts: Sequence[Column], wanted: int) -> list[str]:
    """Find the team and its players among texts without headings."""
    if wanted == 1:
        return ["name"]
    if texts and texts[0].is_mostly("several"):
        return ["player"]
    if any(column.is_mostly("several") for column in texts):
        return ["name", "player"]
    are_players = len(texts) == wanted and all(column.is_all("people") for column in texts)
    return [*([] if are_players else ["name"]), *["player"] * wanted]


def _is_plain(columns: Sequence[Column], wanted: int) -> bool:
    """Whether nobody needs to check: every heading says something, and players look like people."""
    if any(column.heading for column in columns):
        return False
    people = [cell for column in columns if column.role == "player" for cell in column.filled]
    return wanted == 1 or are_all("people", people)


def _show_status(column: Column, roster: Roster) -> None:
    """Show a column of statuses once with its values; if they differ in kind, ask who plays."""
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
    """Refuse what is impossible: two columns of one kind, or no names at all."""
    roles = [column.role for column in roster.columns]
    for index, column in enumerate(roster.columns):
        same = TEAM_ROLES if column.role in TEAM_ROLES else {column.role}
        if same & {*roles[:index]} and column.role not in ("", "player", "first", "last"):
            kind = ROLES[column.role].capitalize()
            text = f"Row {row}: two columns are headed {kind}. The second is “{column.heading}”."
            roster.faults.append(Fault(f"{row}:{column.role}", text))
    if not {"name", "of", "player", "first", "last"} & set(roles):
        roster.faults.append(Fault(f"{row}:name", f"Row {row}: the column Team is missing."))
