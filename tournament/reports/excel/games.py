"""One row per game: points and counts are read from the page of hands, and whether they are those of the sheet."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from tournament.phrases import clause
from tournament.queries.book import EventBook
from tournament.queries.wording import how_words
from tournament.reports.excel.cells import NAMES, NUMBER, Formula, Page, PageColumn
from tournament.reports.excel.columns import COUNT, SCORE, GameColumns
from tournament.reports.excel.hands import GameLines

HEAD = (
    PageColumn("Game", 8),
    PageColumn("Round", 12, wraps=True),
    PageColumn("Round no.", 8, NUMBER, hidden=True),
    PageColumn("Counts", 8),
)
AGREES = "agrees with the sheet"
CHANGED = "changed here: enter it in Uptown"
# The last columns, which are not printed.
ON_SCREEN = 3
UNDER = "Points and counts come from the page of hands, the winner from the sheet. “Counts”: in the standings."


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
