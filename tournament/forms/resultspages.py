"""The pages of a results workbook: which games it tells of, and the lines of each, wherever they stand now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from scoring.json_text import parse_json
from tournament.forms.filled import words
from tournament.forms.workbook_file import Unreadable, cell_name
from tournament.models import Event
from tournament.models.entry import OPENING
from tournament.queries.resultsbook import ABOUT, AS_WRITTEN, HANDS
from tournament.queries.rules import every_pinned, ruleset_of
from tournament.refusals import Fault

LONGEST = 32_767
MOST_NUMBER = 5000
BY_EVENT_FILE = "Move the whole evening with its event file."
NO_HEADS = f"The page “{HANDS}” has lost its headings or its last column, “{AS_WRITTEN}”. {BY_EVENT_FILE}"
DAMAGED = f"The page “{ABOUT}” of this workbook is damaged. {BY_EVENT_FILE}"


class Told(NamedTuple):
    """A game as the page “About” tells it: round, table and game of a match, the sides in order, the numbers of its
    lines, and the totals that it was carried on from."""

    key: str
    place: tuple[int, int, int]
    sides: tuple[str, ...]
    lines: tuple[int, ...]
    totals: dict[str, Any] | None


class Line(NamedTuple):
    """A line of a game: its number, the row it stands in, its cells by column, the facts as they were written."""

    number: int
    row: int
    cells: dict[str, Any]
    facts: dict[str, Any]


class Page:
    """The page of hands; it knows where its columns stand now."""

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        for at, row in enumerate(rows[:10], start=1):
            self.columns = {words(title): index for index, title in enumerate(row) if words(title)}
            if {"Game", "Line", AS_WRITTEN} <= set(self.columns):
                self._head, self._rows = at, rows[at:]
                return
        raise Unreadable(NO_HEADS)

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The number and the cells of every row on which something stands."""
        for row, values in enumerate(self._rows, start=self._head + 1):
            cells = {title: values[at] for title, at in self.columns.items() if at < len(values)}
            if any(words(value) for value in cells.values()):
                yield row, cells

    def fault(self, row: int, column: str, text: str, rule: str = "") -> Fault:
        """What is wrong with a cell; in a column that is not there, it is said at the number of the line."""
        return Fault(f"{HANDS}, {cell_name(self.columns.get(column, self.columns['Line']), row)}", text, rule)


def read_told(event: Event, about: Sequence[Sequence[Any]]) -> list[Told]:
    """The games of a workbook. Raises Unreadable where the page is damaged or other rules are played."""
    try:
        played = parse_json(str(about[1][0]))
        told = [_told(row[0]) for row in about[2:] if row[0] is not None]
        if len({one.key for one in told}) < len(told) or len({one.place for one in told}) < len(told):
            raise ValueError("a game is there twice")
        sheet, options = played["sheet"], played["options"]
    except (LookupError, TypeError, ValueError) as fault:
        raise Unreadable(DAMAGED) from fault
    if sheet != event.sheet:
        raise Unreadable(f"These results belong to another rule sheet: {ruleset_of(event).sheet.title} is played here.")
    if options != every_pinned(event):
        raise Unreadable("These results were played with other options of the rule sheet than are chosen here.")
    return told


def read_lines(page: Page, told: Sequence[Told], faults: list[Fault]) -> dict[str, list[Line]]:
    """The lines of every game that is whole, in order.

    The last column names game and line itself: whoever sorts the list by its filter does not move it.
    """
    shown, written = _by_name(page, {one.key for one in told}, faults)
    lines = {}
    for one in told:
        before = len(faults)
        for number in one.lines:
            name = one.key, number
            if name not in shown:
                faults.append(Fault(HANDS, f"line {number} of game {one.key} is missing. Remove lines at the desk."))
            elif name not in written:
                faults.append(page.fault(shown[name][0], AS_WRITTEN, f"this cell has lost line {number} of {one.key}."))
        for (key, number), (row, _) in shown.items():
            if key == one.key and number not in one.lines:
                text = "this line was added by hand: enter the hand at the desk when the others are entered."
                faults.append(page.fault(row, "Line", text))
        if len(faults) == before:
            names = [(one.key, number) for number in one.lines]
            lines[one.key] = [Line(name[1], *shown[name], written[name]) for name in names]
    return lines


def _by_name(
    page: Page, keys: set[str], faults: list[Fault]
) -> tuple[dict[tuple[str, int], tuple[int, dict[str, Any]]], dict[tuple[str, int], dict[str, Any]]]:
    """What is seen of each line (its row and cells), and what its last column holds, by game and number."""
    shown: dict[tuple[str, int], tuple[int, dict[str, Any]]] = {}
    written: dict[tuple[str, int], dict[str, Any]] = {}
    for row, cells in page:
        held = cells.pop(AS_WRITTEN, None)
        key, number = words(cells["Game"]), words(cells["Line"])
        if key not in keys:
            faults.append(page.fault(row, "Game", f"“{key[:20]}” is not a game of this workbook."))
        elif not number.isdecimal() or len(number) > 5:
            faults.append(page.fault(row, "Line", f"“{number[:20]}” is not the number of a line."))
        elif (key, int(number)) in shown:
            faults.append(page.fault(row, "Line", f"line {number} of game {key} is here twice."))
        else:
            shown[key, int(number)] = row, cells
        if held is not None:
            try:
                name, facts = _held(held)
            except (TypeError, ValueError):
                faults.append(page.fault(row, AS_WRITTEN, "what this cell held of the line is damaged."))
            else:
                written[name] = facts
    return shown, written


def _held(cell: Any) -> tuple[tuple[str, int], dict[str, Any]]:
    """Game, number and facts of a line as its last column has them. Raises ValueError where that is damaged."""
    key, number, facts = parse_json(_text(cell))
    if not isinstance(key, str) or type(number) is not int or not isinstance(facts, dict):
        raise ValueError("this is not a line")
    return (key, number), facts


def _told(cell: Any) -> Told:
    key, place, sides, lines, totals = parse_json(_text(cell))
    numbers = [*place, *lines]
    plain = all(type(number) is int and 0 < number <= MOST_NUMBER for number in numbers) and len(place) == 3
    if not plain or not isinstance(key, str) or not all(isinstance(name, str) for name in sides):
        raise ValueError("this is not a game")
    if lines != sorted(set(lines)) or not (totals is None or totals.get("entry") == OPENING):
        raise ValueError("these are not the lines of a game")
    return Told(key, tuple(place), tuple(sides), tuple(lines), totals)


def _text(cell: Any) -> str:
    if not isinstance(cell, str) or len(cell) > LONGEST:
        raise ValueError("this text was not written by the program")
    return cell
