"""Addresses of print and files."""

from django.urls import path, re_path

from tournament.lists.catalog import LISTS
from tournament.queries.printjobs import AFTER, BETWEEN, TONIGHT
from tournament.views import boards, papers, printed, printjobs, works

NAMES = "|".join({**printed.PAPERS, **LISTS})
JOBS = "|".join((TONIGHT, BETWEEN, AFTER))
FILES = "|".join(LISTS)
LARGE = "|".join(works.LARGE)

urlpatterns = [
    path("papers/", papers.desk_papers, name="desk-papers"),
    path("papers/one/", papers.one_paper, name="one-paper"),
    re_path(rf"^papers/jobs/(?P<job>{JOBS})/$", printjobs.print_choice, name="print-choice"),
    re_path(rf"^papers/(?P<job>{JOBS})\.pdf$", printjobs.print_file, name="print-job"),
    path("papers/score-sheets.pdf", papers.event_sheets_pdf, name="sheets-pdf"),
    path("papers/new-score-sheets.pdf", papers.unprinted_sheets_pdf, name="unprinted-pdf"),
    path("papers/blank.pdf", papers.blank_sheet_pdf, name="blank-pdf"),
    path("papers/cards.pdf", printed.cards_pdf, name="cards-pdf"),
    path("papers/rounds/<int:number>/score-sheets.pdf", papers.round_sheets_pdf, name="round-pdf"),
    path("papers/rounds/<int:number>/seating.pdf", printed.seating_pdf, name="seating-pdf"),
    path("papers/games/<int:pk>.pdf", papers.game_sheet_pdf, name="game-pdf"),
    re_path(rf"^papers/(?P<name>{NAMES})\.pdf$", printed.event_paper, name="event-pdf"),
    re_path(rf"^papers/large/(?P<name>{LARGE})/$", works.large_paper, name="large-paper"),
    path("papers/boards/", boards.boards_page, name="desk-boards"),
    path("papers/boards/entries/", boards.boards_entry, name="boards-entry"),
    path("papers/boards/blank.xlsx", boards.blank_boards_file, name="blank-boards"),
    path("papers/boards/rounds/<int:number>.xlsx", boards.round_boards_file, name="round-boards"),
    path("papers/workbook.xlsx", papers.workbook, name="workbook"),
    re_path(rf"^papers/(?P<name>{FILES})\.(?P<kind>csv|json|xlsx)$", papers.event_list, name="event-list"),
]
