"""A blank board is filled in a spreadsheet and read back: the same as if the hands had been typed on the tablet."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl.utils import get_column_letter

from tests.factories import make_event, make_round, make_teams, play
from tests.programs import recalculated
from tournament.access import Actor
from tournament.forms.boards import keys_of, read_boards
from tournament.models import Entry, Event, Game
from tournament.queries.boards import FIRST_ROW, blank_boards, board_cells, round_boards
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.refusals import Invalid
from tournament.reports.excel.boards import boards_workbook
from tournament.services.paperimport import enter_boards

WHIST = (
    {"entry": "hand", "bidder": 0, "bid": "3", "books": 8},
    {"entry": "hand", "bidder": 1, "bid": "2-special", "books": 8},
    {"entry": "void"},
    {"entry": "hand", "bidder": 0, "bid": "2-no", "books": 8},
)
OKINAWA = (
    {"entry": "hand", "cards": 5, "bids": ["2", "pass", "1", "1"], "tricks": [3, 2]},
    {"entry": "hand", "cards": 5, "bids": ["pass", "okinawa", "1", "pass"], "tricks": [1, 4]},
    {"entry": "hand", "cards": 5, "bids": ["pass", "2", "2", "pass"], "tricks": [1, 4]},
)
SPADES = (
    {"entry": "hand", "cards": 13, "bids": ["3", "nil", "2", "4"], "tricks": [4, 0, 3, 6]},
    {"entry": "hand", "cards": 13, "bids": ["3", "2", "2", "4"], "tricks": [4, 3, 3, 3]},
)
GAMES = {"bid_whist/no-kitty-2021": WHIST, "okinawa/standard": OKINAWA, "spades/standard": SPADES}


def table_of(director: User, sheet: str) -> Game:
    event = make_event(f"Club {sheet[:3]}", director, sheet=sheet)
    aces, books = make_teams(event, 2)
    return make_round(event, [(aces, books)]).games.get()


def filled(game: Game, hands: Any, *, simple: bool = False) -> bytes:
    """The board of a game with hands written on it, as somebody does in a spreadsheet."""
    boards = round_boards(game.round.event, game.round, simple=simple)
    columns = {field.key: get_column_letter(at) for at, field in enumerate(board_cells(boards), start=1)}
    book = openpyxl.load_workbook(io.BytesIO(boards_workbook(boards)))
    page = book["Table 1"]
    for row, hand in enumerate(hands, start=FIRST_ROW):
        for key, value in cells_of(hand, boards.formulas.one_bids).items():
            page[f"{columns[key]}{row}"] = value
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def cells_of(hand: dict[str, Any], one_bids: bool) -> dict[str, Any]:
    if hand["entry"] == "void":
        return {"bid" if one_bids else "bid-0": "Void"}
    if one_bids:
        bid = hand["bid"].replace("-special", "-Special").replace("-no", "-No")
        return {"seat": "AB"[hand["bidder"]], "bid": int(bid) if bid.isdecimal() else bid, "books": hand["books"]}
    bids = {f"bid-{at}": int(bid) if bid.isdecimal() else bid.capitalize() for at, bid in enumerate(hand["bids"])}
    return bids | {f"tricks-{at}": tricks for at, tricks in enumerate(hand["tricks"])}


def dealt(hands: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The hands as they are stored, each with its dealer; a void hand is dealt again by the same player."""
    stored, dealer = [], 0
    for hand in hands:
        is_hand = hand["entry"] == "hand"
        stored.append({**hand, "dealer": dealer % 4} if is_hand else hand)
        dealer += is_hand
    return stored


@pytest.mark.parametrize("simple", [False, True])
@pytest.mark.parametrize("sheet", GAMES)
def test_filled_board_is_entered_like_the_same_hands_on_the_tablet(dana: User, sheet: str, simple: bool) -> None:
    game = table_of(dana, sheet)
    hands = GAMES[sheet]
    read = read_boards(game.round.event, filled(game, hands, simple=simple))
    assert read.faults == []
    assert enter_boards(Actor(dana), game.round.event, keys_of(read.boards)) == len(hands)
    facts = [entry.facts for entry in Entry.objects.filter(game=game).order_by("position")]
    assert facts == dealt(hands)
    event = make_event("Twin", dana, sheet=sheet)
    twin = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    play(dana, twin, *hands, sign=False)
    one, other = (game_sheet(sheet_games().get(pk=each.pk)) for each in (game, twin))
    assert (one.scores, one.sets, one.over, one.points) == (other.scores, other.sets, other.over, other.points)


def test_the_same_file_again_changes_nothing_and_a_longer_one_adds_the_rest(dana: User) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    event = game.round.event
    for count, new in ((2, 2), (2, 0), (4, 2), (4, 0)):
        read = read_boards(event, filled(game, WHIST[:count]))
        assert enter_boards(Actor(dana), event, keys_of(read.boards)) == new
    assert Entry.objects.filter(game=game).count() == 4


def test_a_board_goes_on_where_a_tablet_has_begun(dana: User) -> None:
    """The tablet tells more than the board: the bidder's seat, the trump."""
    game = table_of(dana, "bid_whist/no-kitty-2021")
    event = game.round.event
    begun = ({"entry": "hand", "seat": 2, "bid": "3", "books": 8, "trump": "hearts"}, {**WHIST[1], "seat": 1})
    play(dana, game, *begun, sign=False)
    read = read_boards(event, filled(game, WHIST))
    assert (read.faults, read.new) == ([], 2)
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 2
    facts = [entry.facts for entry in Entry.objects.filter(game=game).order_by("position")]
    assert facts == dealt([*begun, *WHIST[2:]])


@pytest.mark.parametrize("wrong", [{"seat": 1}, {"bid": "4"}, {"books": 9}])
def test_a_board_that_says_otherwise_than_the_tablet_enters_nothing(dana: User, wrong: dict[str, Any]) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    play(dana, game, {"entry": "hand", "seat": 0, "bid": "3", "books": 8} | wrong, sign=False)
    with pytest.raises(Invalid, match="line 1 of the sheet is different"):
        enter_boards(Actor(dana), game.round.event, [(game.pk, list(WHIST))])
    assert Entry.objects.filter(game=game).count() == 1


def test_a_board_that_says_otherwise_enters_nothing(dana: User) -> None:
    event = make_event("Two tables", dana)
    teams = make_teams(event, 4)
    first, second = make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])]).games.order_by("table")
    play(dana, second, {"entry": "hand", "bidder": 1, "bid": "3", "books": 9})
    with pytest.raises(Invalid) as refused:
        enter_boards(Actor(dana), event, [(first.pk, list(WHIST)), (second.pk, list(WHIST))])
    assert str(refused.value) == "Game 1, table 2: line 1 of the sheet is different. Nothing was entered."
    assert Entry.objects.filter(game=first).count() == 0


@pytest.mark.parametrize(
    ("cells", "where", "text"),
    [
        ({"seat": "A", "bid": 9, "books": 7}, "Table 1, C6", "A bid is from 1 to 7"),
        ({"seat": "A", "bid": 3, "books": 17}, "Table 1, D6", "13"),
        ({"seat": "A", "bid": 3, "books": "many"}, "Table 1, D6", "“many” is not a whole number"),
        ({"seat": "Zed", "bid": 3, "books": 9}, "Table 1, B6", "“Zed” is not a side of this table"),
        ({"bid": 3, "books": 9}, "Table 1, B6", "Who won the bid?"),
    ],
)
def test_what_is_wrong_is_said_with_its_sheet_and_cell(
    dana: User, cells: dict[str, Any], where: str, text: str
) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    book = openpyxl.load_workbook(io.BytesIO(filled(game, ())))
    for key, value in cells.items():
        book["Table 1"][f"{ {'seat': 'B', 'bid': 'C', 'books': 'D'}[key] }6"] = value
    file = io.BytesIO()
    book.save(file)
    read = read_boards(game.round.event, file.getvalue())
    assert where in [fault.field for fault in read.faults]
    assert any(text in fault.text for fault in read.faults), read.faults


def test_every_field_of_a_hand_has_its_column_and_is_read(dana: User) -> None:
    """A first-six bid says whether it was won; a column of a seat names side and player."""
    event = make_event("Six", dana, sheet="back_alley/partnership", options={"first_six": True, "rainbow12": True})
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    heads = [cell.title for cell in board_cells(round_boards(event, game.round)) if cell.field is not None]
    each = ["A1", "B1", "A2", "B2"]
    assert heads == ["Cards", *(f"Bid {one}" for one in each), "Took A", "Took B", "First six"]
    spades = make_event("Spades", dana, sheet="spades/standard")
    took = [cell.title for cell in board_cells(blank_boards(spades)) if cell.title.startswith("Took")]
    assert took == [f"Took {one}" for one in each]
    hand = {"entry": "hand", "cards": 13, "bids": ["first-six", "1", "1", "1"], "tricks": [9, 4]}
    content = filled(game, [hand])
    book = openpyxl.load_workbook(io.BytesIO(content))
    book["Table 1"]["I6"] = "Yes"
    file = io.BytesIO()
    book.save(file)
    read = read_boards(event, file.getvalue())
    assert ([board.entries for board in read.boards], read.faults) == ([[hand | {"first_six": True}]], [])


def test_boards_of_another_installation_are_read_where_the_same_teams_meet(dana: User) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    content = filled(game, WHIST)
    Event.objects.filter(pk=game.round.event_id).update(slug="the-same-evening-elsewhere")
    event = Event.objects.get()
    read = read_boards(event, content)
    assert ([board.entries for board in read.boards], read.faults) == ([list(WHIST)], [])
    for side, index in zip(game.sides.order_by("index"), (2, 3), strict=True):
        side.index = index
        side.save(update_fields=["index"])
    for side in game.sides.order_by("index"):
        side.index = 3 - side.index
        side.save(update_fields=["index"])
    swapped = read_boards(event, content)
    assert [(fault.field, fault.text) for fault in swapped.faults] == [
        ("Table 1, A3", "this board is for Aces and Books; Books and Aces meet there.")
    ]
    assert swapped.boards == []


def test_boards_of_another_event_and_other_workbooks_are_refused(dana: User, event: Event) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    assert [fault.text for fault in read_boards(event, filled(game, WHIST)).faults] == [
        "This score workbook belongs to another event or another rule sheet."
    ]
    plain = io.BytesIO()
    openpyxl.Workbook().save(plain)
    assert read_boards(event, plain.getvalue()).faults[0].text.startswith("This is not a score workbook")


@pytest.mark.office
@pytest.mark.parametrize("sheet", GAMES)
def test_board_computes_the_scores_of_the_page(dana: User, sheet: str) -> None:
    game = table_of(dana, sheet)
    boards = round_boards(game.round.event, game.round)
    hands = [hand for hand in GAMES[sheet] if not {"okinawa", "nil"} & set(hand.get("bids", ()))]
    hands = [hand for hand in hands if hand["entry"] == "hand"][:2]
    read = read_boards(game.round.event, filled(game, hands))
    enter_boards(Actor(dana), game.round.event, keys_of(read.boards))
    columns = {field.key: at for at, field in enumerate(board_cells(boards))}
    page = openpyxl.load_workbook(recalculated(filled(game, hands)), data_only=True)["Table 1"]
    rows = [[cell.value for cell in row] for row in page.iter_rows(min_row=FIRST_ROW)]
    scores = [tuple(row[columns[f"score-{side}"]] for side in range(2)) for row in rows[: len(hands)]]
    shown = game_sheet(sheet_games().get(pk=game.pk))
    assert boards.computes
    assert scores == [row.scores for row in shown.rows]


def test_board_is_protected_and_lists_the_bids(dana: User) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    page = openpyxl.load_workbook(io.BytesIO(filled(game, ())))["Table 1"]
    assert page.protection.sheet
    assert [page[f"{letter}6"].protection.locked for letter in "ABCDEF"] == [True, False, False, False, True, True]
    assert {rule.formula1 for rule in page.data_validations.dataValidation} == {
        "Lists!$A$1:$A$22",
        "Lists!$B$1:$B$2",
        "0",
    }


def test_the_page_looks_first_and_enters_then(client: Client, dana: User) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    client.force_login(dana)
    address = f"/desk/{game.round.event.slug}/papers/boards/"
    file = SimpleUploadedFile("boards.xlsx", filled(game, WHIST))
    looked = client.post(address, {"file": file})
    assert looked.status_code == 200
    assert Entry.objects.count() == 0
    assert client.post(f"{address}entries/", {"boards": looked.context["signed"]}).status_code == 302
    assert Entry.objects.count() == 4
    assert client.post(f"{address}entries/", {"boards": "forged"}).status_code == 422
    broken = client.post(address, {"file": SimpleUploadedFile("boards.xlsx", b"PK\x03\x04 no workbook")})
    assert broken.status_code == 422
    assert "not an Excel workbook" in broken.content.decode()


def test_rules_whose_points_no_formula_gives_are_typed(dana: User) -> None:
    parr = make_event("Parr", dana, sheet="bid_whist/boston-parr")
    teams = make_teams(parr, 2)
    boards = round_boards(parr, make_round(parr, [tuple(teams)]))
    assert not boards.computes
    assert ruleset_of(parr).rules.defenders_score == "every-book"


def test_a_smaller_table_of_single_players_leaves_the_last_columns_empty(dana: User) -> None:
    event = make_event("Singles", dana, sheet="back_alley/individual")
    game = make_round(event, [tuple(make_teams(event, 3))]).games.get()
    hand = {"entry": "hand", "cards": 13, "bids": ["3", "pass", "4"], "tricks": [3, 6, 4]}
    read = read_boards(event, filled(game, [hand]))
    assert read.faults == []
    assert [board.entries for board in read.boards] == [[hand]]
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 1
