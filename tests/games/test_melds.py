"""A game that nobody thought of is set up, typed, previewed, signed, listed, exported and read back."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
from django.contrib.auth.models import User
from django.urls import reverse
from openpyxl.utils import get_column_letter
from pypdf import PdfReader

from scoring.document import print_score
from tests.factories import confirmed_in, play, signed_in
from tests.messages import check, send
from tests.tournament.games.play import set_up
from tests.tournament.tablet.conftest import at
from tests.tournament.tablet.test_practice import HTMX, table
from tournament.access import Actor
from tournament.archive.export import event_file
from tournament.archive.store import import_event
from tournament.forms.score_workbook import keys_of, read_boards
from tournament.lists.sheets import hands_list
from tournament.models import Entry, Event, Game
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.score_workbooks import FIRST_ROW, board_cells, round_boards
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.queries.standings import standings
from tournament.queries.tablet import Practice
from tournament.reports.excel.boards import boards_workbook
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services.entries import enter_boards

SHEET = "melds/standard"
HANDS: tuple[dict[str, Any], ...] = (
    {"entry": "hand", "melds": [40, 20], "tricks": [12, 0]},
    {"entry": "hand", "melds": [0, 60], "tricks": [5, 7]},
)


def typed(melds: str, tricks: str, position: int = 1) -> dict[str, str]:
    form = {"position": str(position)}
    form |= {f"meld-{side}": meld for side, meld in enumerate(melds.split())}
    return form | {f"tricks-{side}": count for side, count in enumerate(tricks.split())}


def test_the_command_line_scores_it() -> None:
    scored = print_score({"sheet": SHEET, "sides": ["Aces", "Books"], "entries": list(HANDS)})
    assert (scored["over"], scored["winner"], scored["points"]) == (True, 0, [210, 130])


def test_the_hand_after_a_tied_time_decides() -> None:
    tied = {"entry": "hand", "melds": [0, 0], "tricks": [6, 6]}
    entries = [tied, {"entry": "time"}, {"entry": "hand", "melds": [0, 0], "tricks": [7, 5]}]
    scored = print_score({"sheet": SHEET, "sides": ["Aces", "Books"], "entries": entries})
    assert (scored["over"], scored["winner"], scored["points"]) == (True, 0, [130, 110])


def test_points_by_the_director_end_it_as_a_hand_does() -> None:
    award = {"entry": "adjustment", "points": [0, 90], "reason": "recount", "rule": "adjustment"}
    scored = print_score({"sheet": SHEET, "sides": ["Aces", "Books"], "entries": [HANDS[1], award]})
    assert (scored["over"], scored["winner"], scored["points"]) == (True, 1, [50, 220])


def test_it_is_set_up_from_its_rule_sheet(dana: User) -> None:
    event = set_up(Actor(dana), SHEET, 4)
    desk = signed_in(dana)
    assert (event.sheet, event.teams.count()) == (SHEET, 4)
    rules = desk.get(reverse("rules", args=[event.slug])).content.decode()
    assert "Melds to 200" in rules and "The game is won with" in rules


def test_a_table_types_it_sees_what_it_does_and_finds_it_on_the_sheet(dana: User) -> None:
    tablet, game = table(dana, SHEET)
    page = tablet.get(reverse("tablet")).content.decode()
    assert 'How many points did <span class="wrap">Aces</span> meld?' in page and 'id="meld-0" inputmode' in page
    missing = check(tablet, typed("40", "12 0"))
    assert (missing.status_code, missing.context["faults"][0].field) == (422, "meld-1")
    assert "How many points did Books meld?" in missing.content.decode()
    wrong = check(tablet, typed("45 0", "12 0"))
    assert (wrong.status_code, wrong.context["faults"][0].field) == (422, "melds")
    assert wrong.content.decode().index('id="step-melds"') > 0
    shown = tablet.get(at("tablet-preview", game), typed("40 20", "12 0"), headers=HTMX).content.decode()
    assert "This hand: Aces +160" in shown
    assert send(tablet, "hand", game, typed("40 20", "12 0"))["status"] == "applied"
    assert Entry.objects.get().facts == HANDS[0] | {"dealer": 0}
    assert "Meld: Aces 40, Books 20. Took: Aces 12, Books 0" in tablet.get(reverse("tablet")).content.decode()


def test_the_desk_types_it_and_corrects_it_with_what_stands(dana: User) -> None:
    _, game = table(dana, SHEET)
    desk = signed_in(dana)
    args = [game.round.event.slug, game.pk]
    assert desk.post(reverse("game-entry", args=args), typed("40 20", "12 0")).status_code == 302
    shown = desk.get(reverse("game-revision", args=[*args, 1])).context["values"]
    assert shown == {"meld-0": "40", "meld-1": "20", "tricks-0": "12", "tricks-1": "0"}
    form = typed("40 30", "11 1") | {"revision": "0", "reason": "Trick miscounted"}
    announced = confirmed_in(desk.post(reverse("game-revision", args=[*args, 1]), form).content.decode())
    assert desk.post(reverse("game-revision", args=[*args, 1]), form | {"confirmed": announced}).status_code == 302
    assert sheet_now(game).scores == (150, 40)


def finished(dana: User) -> tuple[Event, Game]:
    _, game = table(dana, SHEET)
    game = play(dana, game, *HANDS)
    return game.round.event, game


def test_it_is_signed_ranked_and_printed(dana: User) -> None:
    event, game = finished(dana)
    assert (game.state, sheet_now(game).winner) == ("final", 0)
    assert [(line.team, line.won, line.points) for line in standings(event).lines] == [
        ("Aces", 1, 210),
        ("Books", 0, 130),
    ]
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(score_sheets([sheet_now(game)]))).pages)
    assert all(word in text.split() for word in ("Meld", "Took", "40", "60", "210", "130"))


def test_the_list_of_hands_says_what_was_melded(dana: User) -> None:
    event, game = finished(dana)
    listed = hands_list(event, [sheet_now(game)])
    (more,) = (column for column in listed.columns if column.key == "more")
    assert [more.value(row) for row in listed.rows] == ["Meld: 40 | 20"] * 2 + ["Meld: 0 | 60"] * 2


def test_a_score_board_has_a_column_for_its_field_and_is_read(dana: User) -> None:
    _, game = table(dana, SHEET)
    event = game.round.event
    workbook = round_boards(event, game.round)
    letters = {cell.key: get_column_letter(index) for index, cell in enumerate(board_cells(workbook), start=1)}
    assert [cell.title for cell in board_cells(workbook) if cell.field] == ["Meld", "Took", "Meld", "Took"]
    book = openpyxl.load_workbook(io.BytesIO(boards_workbook(workbook)))
    for row, hand in enumerate(HANDS, start=FIRST_ROW):
        for name, key in (("meld", "melds"), ("tricks", "tricks")):
            for side in range(2):
                book["Table 1"][f"{letters[f'{name}-{side}']}{row}"] = hand[key][side]
    file = io.BytesIO()
    book.save(file)
    read = read_boards(event, file.getvalue())
    assert ([board.entries for board in read.boards], read.faults) == ([list(HANDS)], [])
    book["Table 1"][f"{letters['meld-1']}{FIRST_ROW}"] = 25
    file = io.BytesIO()
    book.save(file)
    faults = read_boards(event, file.getvalue()).faults
    assert [(fault.field, fault.text) for fault in faults] == [("Table 1, B8", "A meld is counted in tens.")]
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 2


def test_the_workbook_and_the_event_file_give_it_back(dana: User) -> None:
    event, game = finished(dana)
    content = event_workbook(whole_book(event), event_sheets(event))
    book = openpyxl.load_workbook(io.BytesIO(content))
    heads, *lines = book["Hands"].iter_rows(min_row=4, values_only=True)
    deltas = [delta for row in sheet_now(game).rows for delta in row.deltas]
    assert [line[heads.index("Points")] for line in lines] == deltas
    assert [line[heads.index("Also")] for line in lines] == ["Meld: 40 | 20"] * 2 + ["Meld: 0 | 60"] * 2
    saved = event_file(event)
    copied = import_event(Actor(dana), saved, name="The same evening")
    again = sheet_games().get(round__event=copied)
    assert sheet_now(again).document == sheet_now(game).document
    assert game_sheet(again).scores == (210, 130)


def test_a_blank_sheet_and_a_practice_table_are_made_for_it(dana: User) -> None:
    event, _ = finished(dana)
    desk = signed_in(dana)
    assert desk.get(reverse("blank-pdf", args=[event.slug])).status_code == 200
    began = desk.post(reverse("practice-seats"), {"document": Practice(SHEET).document(), "dealer": "1"})
    assert (began.status_code, 'name="meld-1"' in began.content.decode()) == (200, True)
