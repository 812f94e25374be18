"""Score boards as a workbook: a sheet per table, lists of possible answers, and points as lookups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Literal

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.utils import coordinate_to_tuple, get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.properties import PageSetupProperties

from tournament.queries.score_workbooks import (
    ABOUT,
    BIDS,
    FIRST_ROW,
    GAME_ROW,
    LETTERS,
    LISTS,
    SIDES_ROW,
    TAKEN,
    UNKNOWN,
    VERSION,
    VOID,
    WORDS_OF_BOARD,
    Board,
    BoardColumn,
    Boards,
    board_cells,
    head_places,
)
from tournament.reports.excel.cells import (
    BOLD,
    HEAD_FILL,
    HEAD_FONT,
    LEFT,
    LINE,
    MUTED,
    PAPERS,
    TITLE_FONT,
    finished,
    new_book,
    sheet_title,
)
from tournament.reports.excel.endings import Endings
from tournament.reports.excel.prices import Lookup, PriceTable
from tournament.reports.excel.rows import EMPTY, Cell, Formula, RowSheet, Value, Written, add_row_sheet, written

TYPED = PatternFill("solid", fgColor="FFFDF4")
THIN = Border(bottom=Side(style="thin", color="D8D2C2"))
# A block begins with a line, so that nobody writes in the other side's block.
BEGINS = Side(style="medium", color="0F5B46")
BLOCK = Border(bottom=Side(style="thin", color="D8D2C2"), left=BEGINS)
# Input cells have a border: their light color is lost on gray paper.
INK = Side(style="thin", color="5D6762")
BOX = Border(left=INK, right=INK, top=INK, bottom=INK)
BLOCK_BOX = Border(left=BEGINS, right=INK, top=INK, bottom=INK)
CENTERED = Alignment(horizontal="center", vertical="center", wrap_text=True)
MIDDLE = Alignment(horizontal="center")
# A number in a hidden column has no room: LibreOffice prints ### for it at the edge of the column before.
TINY = Font(name="Calibri", size=1, color="FFFFFF")
OPEN = Protection(locked=False)
IN_BOX = Alignment(horizontal="center", shrink_to_fit=True)
OVER = Alignment(wrap_text=True, vertical="center")
SEAT = Font(name="Calibri", size=9, color="5D6762")
RESULT = Font(name="Calibri", size=14, bold=True, color="0F5B46")
POINTS = "+0;[Red]-0;0"
# A cell of a hidden column: its border is printed differently.
UNSEEN = ";;;"
# The approximate width of a letter of a column and height of a line; the title and the headings take some extra lines.
POINTS_A_LETTER, POINTS_A_ROW, ROWS_MORE = 5.6, 15, 4


class _Columns:
    """Where the columns of a board are, and their formulas."""

    def __init__(self, boards: Boards) -> None:
        self.boards, self.cells = boards, board_cells(boards)
        self.prices = PriceTable(boards.tariff) if boards.tariff else None
        self.letters = {cell.key: get_column_letter(index) for index, cell in enumerate(self.cells, start=1)}
        self.first, self.last = FIRST_ROW, FIRST_ROW + boards.lines - 1
        self.bids = next((cell for cell in self.cells if cell.field and cell.field.layout in ("row", "grid")), None)
        self.endings = Endings(boards, boards.finish, self.at, self.first) if boards.finish else None
        # The same on every board.
        self.lines = {row: self._line(row) for row in range(self.first, self.last + 1)}

    def at(self, key: str, row: int) -> str:
        return f"{self.letters[key]}{row}"

    def block(self, side: int) -> list[BoardColumn]:
        """The visible columns of a side."""
        return [cell for cell in self.cells if cell.side == side and cell.of not in ("at", "place")]

    def _line(self, row: int) -> dict[str, Value]:
        """The content of a line by its columns: numbers and formulas; the rest is typed."""
        return {key: Formula(value) if isinstance(value, str) else value for key, value in self._computed(row)}

    def _computed(self, row: int) -> Iterator[tuple[str, int | str | None]]:
        """The number of the line, the cards of the deal, and the formulas."""
        yield "line", row - self.first + 1
        yield from ((cell.key, self._cards(row)) for cell in self._laid("given"))
        for side in range(self.boards.sides):
            yield from self._side(side, row)
        if self.endings is not None:
            lookups = [lookup for side in range(self.boards.sides) if (lookup := self._lookup(side, row))]
            yield from self.endings.cells(row, lookups, self._written(row))

    def _side(self, side: int, row: int) -> Iterator[tuple[str, str]]:
        before = {key: self.at(key, row - 1) if row > self.first else "0" for key in self.letters}
        known_key, change, score = (f"{name}-{side}" for name in ("at", "change", "score"))
        known_cell, changed_cell = self.at(known_key, row), self.at(change, row)
        lookup = self._lookup(side, row)
        yield known_key, self._known(lookup, side, row)
        yield (
            score,
            f'=IF(OR({changed_cell}="{UNKNOWN}",{before[score]}="{UNKNOWN}"),"{UNKNOWN}",N({before[score]})+N({changed_cell}))',
        )
        if lookup is None:
            yield change, f"={known_cell}"
            return
        yield from zip(lookup.names, lookup.formulas(), strict=True)
        charge = lookup.charge(before.get(f"bags-{side}", ""))
        yield change, f"=IF(N({known_cell})=1,{self._points(lookup, side, row)}{charge},{known_cell})"
        for counter in self.boards.counters:
            if self.boards.counts(counter):
                cell = f"{counter.key}-{side}"
                after = lookup.count(counter.key, before[cell])
                yield cell, f"=IF(N({known_cell})=1,{after},{before[cell]})"

    def _points(self, lookup: Lookup, side: int, row: int) -> str:
        """What a hand gives a side, and what winning the game with it adds."""
        if self.endings is None or not self.endings.has_bonus:
            return lookup.part("own")
        return f"{self.at(f'raw-{side}', row)}{self.endings.bonus(side, row, [lookup])}"

    def _written(self, row: int) -> list[str]:
        """The cells of a line that say which hand was played."""
        return [self.at(cell.key, row) for cell in self.cells if cell.field and cell.field.layout != "given"]

    def _cards(self, row: int) -> int | str | None:
        """A void hand is dealt again with the same number of cards, and so is one that all passed."""
        cards = self.boards.cards
        if len(set(cards)) < 2 or self.bids is None:
            return self.boards.cards[0] if cards else None
        number = str(row - self.first + 1)
        if row > self.first:
            letter = self.letters[self.bids.key]
            number += f'-COUNTIF({letter}${self.first}:{letter}{row - 1},"{VOID}")'
            thrown_in = self.letters["at-0"]
            number += f"-COUNTIF({thrown_in}${self.first}:{thrown_in}{row - 1},0)"
        return f'=IF({number}>{len(cards)},"",INDEX({LISTS}!$D$1:$D${len(cards)},{number}))'

    def _lookup(self, side: int, row: int) -> Lookup | None:
        """The formulas of a side in a line; None if the game declares no prices."""
        if self.prices is None:
            return None
        bids, own = ([self.at(cell.key, row) for cell in self._own(keys, side)] for keys in (BIDS, TAKEN))
        took = f"SUM({own[0]}:{own[-1]})" if len(own) > 1 else own[0]
        return Lookup(
            self.prices,
            lambda name: self.at(name, row),
            side,
            bids=bids,
            own=own if len(own) == len(bids) else [took] * len(bids),
            took=took,
            cards=next((self.at(cell.key, row) for cell in self._laid("given")), ""),
            who=next((self.at(cell.key, row) for cell in self._laid("seats")), ""),
        )

    def _own(self, keys: Sequence[str], side: int) -> list[BoardColumn]:
        return [cell for cell in self.cells if cell.field and cell.field.key in keys and cell.side in (None, side)]

    def _laid(self, layout: str) -> Iterator[BoardColumn]:
        return (cell for cell in self.cells if cell.field and cell.field.layout == layout)

    def _known(self, lookup: Lookup | None, side: int, row: int) -> str:
        """A formula: 1 if a side’s prices are known, 0 if all passed, else a value that means points must be typed.

        It is empty without a hand, and in lines beyond the end of the game.
        """
        if lookup is None:
            return f'=IF(COUNTA({",".join(self._written(row))})=0,"","{UNKNOWN}")'
        counted = f"COUNT({','.join(self.at(cell.key, row) for cell in self._own(TAKEN, side))})"
        ready = [f"{counted}>0", *(f'{self.at(cell.key, row)}<>""' for cell in self._laid("seats"))]
        calls = [self.at(cell.key, row) for cell in self.cells if cell.key.startswith("call")]
        conditions = ",".join(lookup.known(counted, calls))
        known = f'IF(AND({conditions}),1,"{UNKNOWN}")'
        if all_passed := self._all_passed(lookup, calls, row):
            known = f"IF({all_passed},0,{known})"
        if self.endings is not None:
            ready.append(f"NOT({self.endings.is_stopped(row)})")
        return f'=IF(AND({",".join(ready)}),{known},"")'

    def _all_passed(self, lookup: Lookup, calls: Sequence[str], row: int) -> str:
        taken = [self.at(cell.key, row) for cell in self.cells if cell.field and cell.field.key in TAKEN]
        dealt = next((self.at(cell.key, row) for cell in self._laid("given")), "0")
        each = len(calls) // self.boards.sides
        seats = str(len(calls))
        if self.endings is not None and self.boards.sides > 2:
            seats = f"{each}*{self.endings.seats_taken()}"
        return lookup.thrown_in(calls, seats, f"SUM({','.join(taken)})", dealt)

    def sets(self, side: int, row: int) -> str | None:
        """Whether a side was set, as a formula; empty if no prices are known."""
        lookup = self._lookup(side, row)
        return f"AND(N({self.at(f'at-{side}', row)})=1,{lookup.part('set')}>0)" if lookup else None


def boards_workbook(boards: Boards) -> bytes:
    """The workbook: a sheet for each board, the lists, the prices, and what the reader needs to recognize the games."""
    workbook = new_book(f"{boards.event}: score workbook")
    columns = _Columns(boards)
    titles: list[str] = []
    lines: list[Written] = []
    for board in boards.boards:
        page = add_row_sheet(workbook, sheet_title(board.title, workbook.sheetnames))
        titles.append(page.title)
        # All boards share these, in the same styles: they are written once.
        lines = lines or _lines(page, columns)
        _board(page, columns, board, lines)
    _lists(add_row_sheet(workbook, LISTS), boards)
    if columns.prices is not None:
        columns.prices.write(workbook)
    about = add_row_sheet(workbook, ABOUT)
    about.sheet_state = "hidden"
    _note(about, VERSION, "simple" if boards.simple else "complex")
    _note(about, boards.slug, boards.sheet_key)
    for title, board in zip(titles, boards.boards, strict=True):
        _note(about, title, board.game, board.table, *boards.words_above(board))
    return finished(workbook)


def _note(about: RowSheet, *facts: int | str) -> None:
    about.append([about.text(str(fact)) for fact in facts])


def _lines(page: RowSheet, columns: _Columns) -> list[Written]:
    """The headings of the columns, and below them a row for each line."""
    head = page.style(font=HEAD_FONT, fill=HEAD_FILL, alignment=CENTERED)
    styles = {
        cell.key: page.style(**_looks(cell, begins=cell.side is not None and cell == columns.block(cell.side)[0]))
        for cell in columns.cells
    }
    heads = written([(head, cell.title) for cell in columns.cells], FIRST_ROW - 1)
    lines = ([(style, line.get(key)) for key, style in styles.items()] for line in columns.lines.values())
    return [heads, *(written(line, number) for number, line in enumerate(lines, start=columns.first))]


def _looks(cell: BoardColumn, *, begins: bool) -> dict[str, Any]:
    """The style of a field of a column."""
    looks: dict[str, Any] = {"alignment": LEFT if cell.key in ("ruling", "over") else MIDDLE}
    if cell.typed and cell.of != "change":
        looks |= {"border": BLOCK_BOX if begins else BOX, "fill": TYPED}
    else:
        looks["border"] = BLOCK if begins else THIN
    if cell.typed:
        looks["protection"] = OPEN
    if not cell.shown:
        looks["font"] = TINY
    if cell.of == "change":
        looks["number_format"] = POINTS
    elif not cell.shown:
        looks["number_format"] = UNSEEN
    return looks


# The cells above the lines of a board, by row and column.
Top = dict[tuple[int, int], Cell]


def _board(page: RowSheet, columns: _Columns, board: Board, lines: Sequence[Written]) -> None:
    """Write a board: the page setup, the cells above the lines, then the lines."""
    boards = columns.boards
    top: Top = {}
    for address, text in zip(WORDS_OF_BOARD, boards.words_above(board), strict=True):
        _put(top, address, page.text(text, font=TITLE_FONT if address == "A1" else MUTED))
    _names(page, top, columns, board)
    for cell in columns.cells:
        dimensions = page.column_dimensions[columns.letters[cell.key]]
        dimensions.width, dimensions.hidden = cell.width, not cell.shown
    if columns.endings is not None:
        _result(page, top, columns, board, columns.endings)
    _validate(page, columns)
    _color(page, columns)
    shown = [cell for cell in columns.cells if cell.shown]
    page.freeze_panes = f"B{FIRST_ROW}"
    page.print_area = f"A1:{columns.letters[shown[-1].key]}{columns.last}"
    page.print_title_rows = f"{SIDES_ROW}:{FIRST_ROW - 1}"
    page.page_setup.orientation = _orientation(columns, shown)
    page.page_setup.paperSize = PAPERS[boards.paper]
    # A page per table: a sheet that is carried to the desk is complete.
    page.page_setup.fitToWidth, page.page_setup.fitToHeight = 1, 1
    page.page_margins = PageMargins(left=0.4, right=0.4, top=0.4, bottom=0.55, header=0.25, footer=0.25)
    page.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    page.oddFooter.center.text = "&A, page &P of &N"
    # Without a password: protection keeps formulas from slips of the hand, not from the club.
    page.protection.sheet = True
    for row in range(1, FIRST_ROW - 1):
        page.append([top.get((row, column), EMPTY) for column in range(1, len(columns.cells) + 1)])
    for line in lines:
        page.append(line)


def _orientation(columns: _Columns, shown: Sequence[BoardColumn]) -> Literal["landscape", "portrait"]:
    """Choose the orientation in which the lines fit better: many lines and few columns use portrait."""
    wide = sum(cell.width for cell in shown) * POINTS_A_LETTER
    high = (columns.last + ROWS_MORE) * POINTS_A_ROW
    return "landscape" if wide > high else "portrait"


def _put(top: Top, address: str, cell: Cell) -> None:
    top[coordinate_to_tuple(address)] = cell


def _names(page: RowSheet, top: Top, columns: _Columns, board: Board) -> None:
    """Which game and table it is, whose block is whose, and the players over their columns; open where it is blank."""
    _name_game(page, top, columns, board)
    _name_sides(page, top, columns, board)
    _name_seats(page, top, columns, board)


def _name_game(page: RowSheet, top: Top, columns: _Columns, board: Board) -> None:
    """The game and the table, each in the box behind its label."""
    shown = [letter for letter, cell in zip(columns.letters.values(), columns.cells, strict=True) if cell.shown]
    _put(top, f"{shown[0]}{GAME_ROW}", page.text("Game", font=BOLD))
    _put(top, f"{shown[2]}{GAME_ROW}", page.text("Table", font=BOLD))
    looks = {"font": BOLD, "alignment": IN_BOX, "border": THIN}
    if not board.table:
        looks |= {"fill": TYPED, "border": BOX, "protection": OPEN}
    for value, index in zip((board.game, board.table), head_places(columns.cells), strict=True):
        place = GAME_ROW, index + 1
        if not value:
            top[place] = page.style(**looks), None
        elif isinstance(value, int):
            top[place] = page.style(**looks), value
        else:
            top[place] = page.text(value, **looks)


def _name_sides(page: RowSheet, top: Top, columns: _Columns, board: Board) -> None:
    """The name of each side over its block; a table may have fewer sides than the board."""
    is_blank = not board.table
    for side in range(columns.boards.sides):
        name = board.sides[side] if side < len(board.sides) else ""
        if not name and not is_blank:
            continue
        block = [columns.letters[cell.key] for cell in columns.block(side)]
        address = f"{block[0]}{SIDES_ROW}"
        protection = Protection(locked=not is_blank)
        _put(top, address, page.text(f"{LETTERS[side]}: {name}", font=BOLD, alignment=OVER, protection=protection))
        page.merged_cells.add(f"{address}:{block[-1]}{SIDES_ROW}")
    page.heights[SIDES_ROW] = 2 * LINE


def _name_seats(page: RowSheet, top: Top, columns: _Columns, board: Board) -> None:
    """The name of each player over the columns of the seat, unless every side is one player."""
    if columns.boards.sides >= columns.boards.seats:
        return
    for cell in columns.cells:
        is_of_seat = cell.field is not None and cell.field.of == "seat"
        if not is_of_seat or cell.place >= len(board.seats):
            continue
        address = f"{columns.letters[cell.key]}{SIDES_ROW + 1}"
        _put(top, address, page.text(board.seats[cell.place], font=SEAT, alignment=CENTERED))
        page.heights[SIDES_ROW + 1] = 2 * LINE


def _result(page: RowSheet, top: Top, columns: _Columns, board: Board, endings: Endings) -> None:
    """How the game ended, above the board; and hidden, which sides somebody sits on."""
    won = Formula(endings.result(columns.last))
    _put(top, f"{columns.letters['over']}{GAME_ROW}", (page.style(font=RESULT), won))
    hidden = page.style(font=TINY, number_format=UNSEEN)
    for side in range(columns.boards.sides):
        if board.table:
            taken: int | Formula = int(side < len(board.sides))
        elif columns.boards.sides == 2:
            taken = 1
        else:
            bids = next(each for each in columns.cells if each.side == side and each.field)
            letter = columns.letters[bids.key]
            taken = Formula(f"=IF(COUNTA({letter}{columns.first}:{letter}{columns.last})>0,1,0)")
        _put(top, endings.taken(side).replace("$", ""), (hidden, taken))


def _validate(page: RowSheet, columns: _Columns) -> None:
    """What may be typed. Anything else is refused, with the reason."""
    boards = columns.boards
    letters = LETTERS[: boards.sides]
    either = f"{', '.join(letters[:-1])} or {letters[-1]}"
    rules: dict[str, tuple[Literal["list", "whole"], str, str, str]] = {
        "row": ("list", f"{LISTS}!$A$1:$A${len(boards.bids)}", "", "This bid is not in the list. Choose one."),
        "seats": ("list", f"{LISTS}!$B$1:$B${boards.sides}", "", f"Who won the bid? Write {either}."),
        "count": ("whole", "0", str(boards.most), f"Write a whole number from 0 to {boards.most}."),
        "yes-no": ("list", '"Yes,No"', "", "Write Yes or No."),
        "change": ("whole", "-9999", "9999", "Write the points as a whole number, such as 40 or -30."),
    }
    rules["grid"] = rules["row"]
    for layout, (kind, low, high, error) in rules.items():
        allowed = DataValidation(
            type=kind, formula1=low, formula2=high or None, allow_blank=True, showErrorMessage=True
        )
        if high:
            allowed.operator = "between"
        allowed.errorTitle, allowed.error = "Not entered", error
        for cell in columns.cells:
            if layout in (cell.of, cell.field.layout if cell.field else ""):
                allowed.add(f"{columns.at(cell.key, columns.first)}:{columns.at(cell.key, columns.last)}")
        if allowed.sqref.ranges:
            page.data_validations.append(allowed)


def _color(page: RowSheet, columns: _Columns) -> None:
    """Format sets in red, mark points that must be written, and hide the score of empty lines."""
    first, last = columns.first, columns.last
    if "over" in columns.letters:
        # A hand written after the end matters more than the word “over”.
        over = f"{columns.letters['over']}{first}"
        late = FormulaRule(formula=[f'LEFT(${over},5)="After"'], font=Font(color="A81D29", bold=True))
        ended = FormulaRule(
            formula=[f'LEFT(${over},9)="Game over"'], font=Font(color="0F5B46", bold=True),
            fill=PatternFill("solid", bgColor="DDEFE4"),
        )  # fmt: skip
        for rule in (late, ended):
            page.conditional_formatting.add(f"{over}:{columns.letters['over']}{last}", rule)
    for side in range(columns.boards.sides):
        change = columns.letters[f"change-{side}"]
        block = [columns.letters[cell.key] for cell in columns.block(side)]
        score = columns.letters[f"score-{side}"]
        unwritten = FormulaRule(formula=[f'${change}{first}=""'], font=Font(color="FFFFFF"), stopIfTrue=True)
        page.conditional_formatting.add(f"{score}{first}:{block[-1]}{last}", unwritten)
        missing = FormulaRule(formula=[f'${change}{first}="{UNKNOWN}"'], fill=PatternFill("solid", bgColor="FBE3A2"))
        page.conditional_formatting.add(f"{change}{first}:{change}{last}", missing)
        if lost := columns.sets(side, first):
            red = FormulaRule(formula=[lost], font=Font(color="A81D29"))
            page.conditional_formatting.add(f"{block[0]}{first}:{score}{last}", red)


def _lists(page: RowSheet, boards: Boards) -> None:
    page.sheet_state = "hidden"
    bids = [int(bid) if bid.isdecimal() else bid for bid in boards.bids]
    for row in zip_longest(bids, LETTERS[: boards.sides], (), boards.cards):
        page.append([(0, value) for value in row])
