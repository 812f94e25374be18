"""Every line of every sheet with formulas, and a row per game that reads its points from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from tournament.phrases import clause
from tournament.queries.book import EventBook
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.wording import how_words
from tournament.reports.excel.cells import NAMES, NUMBER, OVER, Formula, Page, PageColumn
from tournament.reports.excel.columns import COUNT, SCORE, GameColumns, LineCells, begun

FOLLOWS = (
    "Change what was bid or taken: points, scores and counts follow here, in Games, Standings and the pot. "
    "Winners, bonuses and rulings stay as they are on the sheet. Games marks each game that was changed here."
)
PLAIN = (
    "Points stand here as they are on the sheets; scores, Games and Standings add them up. "
    "Games marks each game that was changed here."
)
HEAD = (
    PageColumn("Game", 8),
    PageColumn("Round", 12, wraps=True),
    PageColumn("Round no.", 8, NUMBER, hidden=True),
    PageColumn("Counts", 8),
)
AGREES = "agrees with the sheet"
CHANGED = "changed here: enter it in Uptown"
# So many games go on one page of paper, and lines of hands on each: in smaller type where they would just not.
GAMES_A_PAGE, LINES_A_PAGE = 32, 92
# The last columns, which are not printed.
ON_SCREEN = 3
UNDER = "Points and counts come from the page of hands, the winner from the sheet. “Counts”: in the standings."


class GameLines(NamedTuple):
    """Where a game's lines stand on the page: its key, its sheet, first and last row (None without lines)."""

    key: str
    sheet: GameSheet
    first: int | None
    last: int | None


def write_hands(
    book: Workbook, sheets: Iterable[GameSheet], board: GameColumns, lines: int, paper: str = "letter"
) -> list[GameLines]:
    """Write the page of hands, about so many `lines`, and return where each game stands on it."""
    page = Page(book, "Hands", paper)
    under = FOLLOWS if board.prices else PLAIN
    page.begin_list("Every hand", under, board.columns, frozen_columns=3, rows=lines)
    games = []
    for sheet in sheets:
        name, first = game_key(sheet), page.row + 1
        priced, stood = board.fits(sheet), begun(sheet, board)
        for index, (row, line) in enumerate(zip(sheet.rows, sheet.scored.lines, strict=True)):
            cells = LineCells(board, sheet, row, line, stood, page.row + 1, index=index, priced=priced)
            values = cells.values(name)
            page.list_row([values.get(at) for at in board.letters], border=None if index else OVER)
            stood = cells.after
        span = (first, page.row) if sheet.rows else (None, None)
        games.append(GameLines(name, _lean(sheet), *span))
    # As many pages as they need: a few lines more are better set a little smaller than on a page of their own.
    page.sheet.page_setup.fitToHeight = max(1, -(-page.lines // LINES_A_PAGE))
    _finish(page, board, page.first, max(page.row, page.first))
    # Who wrote a line, and whether it was changed, is for whoever works with it.
    page.close_list(on_screen=2)
    return games


def game_key(sheet: GameSheet) -> str:
    """What names a game in the workbook: round, table and, in a match of several games, which one."""
    leg = f".{sheet.leg}" if sheet.leg > 1 else ""
    return f"{sheet.round_number}-{sheet.table}{leg}"


def _lean(sheet: GameSheet) -> GameSheet:
    """The sheet without its lines: memory must not grow with the hands."""
    scored = replace(sheet.scored, lines=sheet.scored.lines[-1:])
    return replace(sheet, rows=(), removed=(), coming=(), scored=scored)


def _finish(page: Page, board: GameColumns, first: int, last: int) -> None:
    """What may be typed, and the colours: sets in red, a Boston on gold."""
    most = board.prices.most if board.prices else 13
    counts = DataValidation(type="whole", operator="between", formula1="0", formula2=str(most), allow_blank=True)
    counts.error = f"A whole number from 0 to {most}."
    bids = DataValidation(type="list", formula1="=Bids" if board.prices else '""', allow_blank=True)
    bids.error = "Choose a bid from the list: the sheet has no other."
    sides = DataValidation(type="list", formula1=f'"{",".join(NAMES[: board.sides])}"', allow_blank=True)
    sides.error = "Write A or B: the side that won the bid."
    for name, letter in board.letters.items():
        what = name.partition("-")[0]
        allowed = {"took": counts, "own": counts, "bid": bids if board.prices else None, "side": sides}.get(what)
        if allowed is not None:
            allowed.add(f"{letter}{first}:{letter}{last}")
    for allowed in (counts, bids, sides):
        allowed.showErrorMessage, allowed.errorTitle = True, "Not on this sheet"
        if allowed.sqref.ranges:
            page.sheet.data_validations.append(allowed)
    span = f"A{first}:{get_column_letter(len(board.columns))}{last}"
    if board.prices and board.prices.tariff.all_tricks:
        every = board.prices.tariff.all_tricks
        took = [f"${letter}{first}" for name, letter in board.letters.items() if name.startswith("took")]
        found = [f"{cell}={every}" for cell in took]
        if board.formulas.one_bids:
            # All of them for the other side are none for the bidders.
            found.append(f'AND({took[0]}<>"",{took[0]}=0)')
        gold = FormulaRule(formula=[f"OR({','.join(found)})"], fill=PatternFill("solid", bgColor="FBF0D9"))
        page.sheet.conditional_formatting.add(span, gold)
    if "outcome" in board.letters:
        red = FormulaRule(formula=[f'${board.letters["outcome"]}{first}="set"'], font=Font(color="A81D29"))
        page.sheet.conditional_formatting.add(span, red)


def write_games(workbook: Workbook, book: EventBook, games: list[GameLines], board: GameColumns) -> None:
    """Write the page and give its columns names: Games_No_A, Games_Points_A and so on."""
    page, names = Page(workbook, "Games", book.event.paper), NAMES[: book.rules.table_sizes[-1]]
    columns = list(HEAD)
    on_paper = any(game.sheet.paper for game in games)
    for name in names:
        columns += [PageColumn(f"No. {name}", 8, NUMBER), PageColumn(f"Side {name}", 20, wraps=True)]
        columns += [PageColumn(f"Points {name}", 8, SCORE), PageColumn(f"Sets {name}", 7, COUNT)]
        columns.append(PageColumn(f"Bostons {name}", 9, COUNT, hidden="bostons" not in board.counters))
    columns += [
        PageColumn("Winner no.", 9, NUMBER),
        PageColumn("How it ended", 19, wraps=True),
        PageColumn("Rule", 10, wraps=True),
    ]
    columns += [PageColumn("In this workbook", 24, wraps=True), PageColumn("Signed", 24, wraps=True)]
    columns.append(PageColumn("From paper", 30, wraps=True, hidden=not on_paper))
    if len(games) <= GAMES_A_PAGE:
        page.sheet.page_setup.fitToHeight = 1
    page.begin_list("Games", UNDER, columns, frozen_columns=1, rows=len(games))
    letters = {column.title: get_column_letter(at) for at, column in enumerate(columns, start=1)}
    for game in games:
        page.list_row(_game(game, board, letters, len(names), page.row + 1, book.event.time_zone))
    spans = {"Key": "Game", "Round": "Round no.", "Counts": "Counts", "Winner": "Winner no."}
    for name in names:
        spans |= {f"{what}_{name}": f"{what} {name}" for what in ("Points", "Sets", "Bostons")}
        spans |= {f"No_{name}": f"No. {name}", f"Team_{name}": f"Side {name}"}
    for name, title in spans.items():
        workbook.defined_names[f"Games_{name}"] = DefinedName(f"Games_{name}", attr_text=_area(page, letters[title]))
    said = _area(page, letters["In this workbook"])
    workbook.defined_names["Games_Changed"] = DefinedName("Games_Changed", attr_text=f'COUNTIF({said},"{CHANGED}")')
    differs = FormulaRule(
        formula=[f'${letters["In this workbook"]}{page.first}="{CHANGED}"'],
        fill=PatternFill("solid", bgColor="F6D9D5"),
    )
    page.sheet.conditional_formatting.add(
        f"A{page.first}:{get_column_letter(len(columns))}{max(page.row, page.first)}", differs
    )
    # Whether a cell was changed, who signed and who typed is for whoever works with it: lines on paper are larger so.
    page.close_list(on_screen=ON_SCREEN)


def _area(page: Page, letter: str) -> str:
    return f"'{page.sheet.title}'!${letter}${page.first}:${letter}${max(page.row, page.first)}"


def _game(game: GameLines, board: GameColumns, letters: dict[str, str], sides: int, at: int, zone: str) -> list[object]:
    sheet = game.sheet
    counts = sheet.state == "final" and sheet.stage == "qualifying"
    winner = sheet.winner_side.number if sheet.winner_side else ""
    values: list[object] = [game.key, sheet.round, sheet.round_number, "yes" if counts else "no"]
    for side in sheet.sides:
        values += [side.number, side.name, _points(game, side.index, board)]
        values += [_count(game, side.index, board, name) for name in ("sets", "bostons")]
    # A smaller table leaves the columns of the last sides empty.
    values += [""] * 5 * (sides - len(sheet.sides))
    how = how_words(sheet.how) if sheet.over else "not finished"
    signed = ", ".join(one.words if one.paper else one.name for one in sheet.signatures)
    paper = sheet.paper.said(zone) if sheet.paper else ""
    agrees = _agrees(game, board, letters, at, winner)
    return [*values, winner, how, clause(sheet.rule), agrees, signed, paper]


def _agrees(game: GameLines, board: GameColumns, letters: dict[str, str], at: int, winner: int | str) -> Formula:
    """Whether everything that the score depends on, and what it came to, is as on the sheet."""
    sheet, check = game.sheet, board.letters["check"]
    stands = [f"{letters[f'Points {NAMES[side.index]}']}{at}={sheet.points[side.index]}" for side in sheet.sides]
    stands.append(f"{letters['Winner no.']}{at}=" + (str(winner) if winner else '""'))
    if game.last is not None:
        stands.insert(0, f"SUM('Hands'!{check}{game.first}:{check}{game.last})=0")
    return Formula(f'=IF(AND({",".join(stands)}),"{AGREES}","{CHANGED}")', AGREES)


def _points(game: GameLines, side: int, board: GameColumns) -> object:
    """The last running score of the game; of the losers, what the sheet leaves them."""
    sheet, points = game.sheet, game.sheet.points[side]
    if game.last is None:
        return points
    score = f"'Hands'!{board.letters[f'score-{side}']}{game.last}"
    if points == sheet.scores[side] and (sheet.winner in (side, None) or board.formulas.losers == "signed"):
        return Formula(f"={score}", points)
    if sheet.winner not in (side, None) and board.formulas.losers == "zero-at-least":
        return Formula(f"=MAX(0,{score})", points)
    return points


def _count(game: GameLines, side: int, board: GameColumns, name: str) -> object:
    count = getattr(game.sheet, name)[side]
    if game.last is None or name not in board.counters:
        return count
    return Formula(f"='Hands'!{board.letters[f'{name}-{side}']}{game.last}", count)
