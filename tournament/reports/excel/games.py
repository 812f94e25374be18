"""One row per game: its points and sets are read from the page of hands."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from tournament.phrases import rule
from tournament.queries.book import EventBook
from tournament.queries.wording import how_words
from tournament.reports.excel.cells import NAMES, NUMBER, Column, Formula, Page
from tournament.reports.excel.hands import SCORE, Board, GameLines

HEAD = (
    Column("Game", 8),
    Column("Round", 16),
    Column("Round no.", 8),
    Column("Table", 7, NUMBER),
    Column("Stage", 12),
    Column("Counts", 8),
)
EACH = 5


def write_games(workbook: Workbook, book: EventBook, games: list[GameLines], board: Board) -> None:
    """Write the page and give its columns names: Games_No_A, Games_Points_A and so on."""
    page, names = Page(workbook, "Games"), NAMES[: book.event.sides]
    columns = list(HEAD)
    for name in names:
        columns += [Column(f"No. {name}", 7, NUMBER), Column(f"Side {name}", 24), Column(f"Points {name}", 9, SCORE)]
        columns += [Column(f"Sets {name}", 7), Column(f"Bostons {name}", 9)]
    columns += [Column("Winner no.", 9), Column("How it ended", 28), Column("Rule", 14), Column("Signed", 24)]
    columns.append(Column("From paper", 44))
    under = "Points and sets come from the page of hands. “Counts” says whether a game counts in the standings."
    page.begin_list("Games", under, columns, frozen_columns=1, rows=len(games))
    for game in games:
        page.list_row(_game(game, board, len(names), book.event.time_zone))
    start = len(HEAD) + 1
    spans = {"Key": "A", "Round": "C", "Counts": "F", "Winner": get_column_letter(start + EACH * len(names))}
    for side, name in enumerate(names):
        for part, what in enumerate(("No", "Team", "Points", "Sets", "Bostons")):
            spans[f"{what}_{name}"] = get_column_letter(start + EACH * side + part)
    for name, letter in spans.items():
        name_area(workbook, f"Games_{name}", "Games", letter, page)
    page.close_list()


def name_area(workbook: Workbook, name: str, title: str, letter: str, page: Page) -> None:
    """Give the cells of a column of a list a name."""
    area = f"'{title}'!${letter}${page.first}:${letter}${max(page.row, page.first)}"
    workbook.defined_names[name] = DefinedName(name, attr_text=area)


def _game(game: GameLines, board: Board, sides: int, zone: str) -> list[object]:
    sheet = game.sheet
    counts = sheet.state == "final" and sheet.stage == "qualifying"
    winner = sheet.winner_side
    values: list[object] = [game.key, sheet.round, sheet.round_number, sheet.table, sheet.stage]
    values.append("yes" if counts else "no")
    for side in sheet.sides:
        values += [side.number, side.name, _points(game, side.index, board), _sets(game, side.index, board)]
        values.append(sheet.bostons[side.index])
    # A smaller table leaves the columns of the last sides empty.
    values += [""] * EACH * (sides - len(sheet.sides))
    how = how_words(sheet.how) if sheet.over else "not finished"
    signed = ", ".join(one.words if one.paper else one.name for one in sheet.signatures)
    paper = sheet.paper.said(zone) if sheet.paper else ""
    return [*values, winner.number if winner else "", how, rule(sheet.rule) if sheet.rule else "", signed, paper]


def _points(game: GameLines, side: int, board: Board) -> object:
    """The last running score of the game, unless the losers' points option makes something else of it."""
    sheet = game.sheet
    if game.last is None or sheet.points[side] != sheet.scores[side]:
        return sheet.points[side]
    return Formula(f"='Hands'!{board.score[side]}{game.last}")


def _sets(game: GameLines, side: int, board: Board) -> object:
    if game.last is None:
        return game.sheet.sets[side]
    letter = board.sets[side]
    return Formula(f"=SUM('Hands'!{letter}{game.first}:{letter}{game.last})")
