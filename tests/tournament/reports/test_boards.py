"""A blank board is filled in a spreadsheet and read back: the same as if the hands had been typed on the tablet."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl.utils import get_column_letter

from scoring.ledger import bid_words
from tests.factories import make_event, make_game, make_round, make_teams, pairs_of, play
from tests.sure import refusal_of
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.forms.hand import read_hand, typed_bid
from tournament.forms.score_workbook import keys_of, read_boards
from tournament.models import Entry, Event, Game
from tournament.queries.rules import ruleset
from tournament.queries.score_workbooks import FIRST_ROW, Boards, blank_boards, board_cells, round_boards
from tournament.queries.scored import NotPossible
from tournament.queries.sheet import sheet_now
from tournament.reports.excel.boards import boards_workbook
from tournament.services.entries import enter_boards

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
    return make_game(director, name=f"Club {sheet[:3]}", sheet=sheet)


@pytest.fixture
def game(dana: User) -> Game:
    return table_of(dana, "bid_whist/no-kitty-2021")


@pytest.fixture
def event(game: Game) -> Event:
    return game.round.event


def filled(game: Game, hands: Any, *, simple: bool = False) -> bytes:
    """The board of a game with hands written on it, as somebody does in a spreadsheet."""
    workbook = round_boards(game.round.event, game.round, simple=simple)
    return typed(boards_workbook(workbook), f"Table {game.table}", workbook, hands)


def typed(content: bytes, title: str, boards: Boards, hands: Any) -> bytes:
    """The workbook with hands written on one of its boards."""
    return with_cells(content, written(boards, map(cells_of, hands)), title)


def written(boards: Boards, rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The cells of rows that somebody types, by their names."""
    letters = letters_of(boards)
    return {
        f"{letters[column]}{row}": value
        for row, cells in enumerate(rows, start=FIRST_ROW)
        for column, value in cells.items()
        if column in letters
    }


def with_cells(content: bytes, cells: dict[str, Any], title: str = "Table 1") -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(content))
    for name, value in cells.items():
        book[title][name] = value
    return saved(book)


def letters_of(boards: Boards) -> dict[str, str]:
    return {cell.key: get_column_letter(index) for index, cell in enumerate(board_cells(boards), start=1)}


def saved(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def cells_of(hand: dict[str, Any]) -> dict[str, Any]:
    """What somebody types of a hand, by the columns of a board."""
    one_bids = "bid" in hand
    if hand["entry"] == "void":
        return {"bid-0": "Void", "bid": "Void"}
    if one_bids:
        who = hand["bidder"] if "bidder" in hand else hand["seat"] % 2
        return {"seat": "AB"[who], "bid": word(hand["bid"]), "books": hand["books"]}
    bids = {f"bid-{index}": word(bid) for index, bid in enumerate(hand.get("bids", ()))}
    return bids | {f"tricks-{index}": tricks for index, tricks in enumerate(hand["tricks"])}


def word(bid: str) -> int | str:
    return int(bid) if bid.isdecimal() else bid_words(bid)


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
    assert [entry.facts for entry in Entry.objects.filter(game=game).order_by("position")] == dealt(hands)
    twin = make_game(dana, name="Twin", sheet=sheet)
    play(dana, twin, *hands, sign=False)
    first, other = (sheet_now(each) for each in (game, twin))
    assert (first.scores, first.sets, first.over, first.points) == (other.scores, other.sets, other.over, other.points)


def test_the_same_file_again_changes_nothing_and_a_longer_one_adds_the_rest(
    dana: User, game: Game, event: Event
) -> None:
    for count, new in ((2, 2), (2, 0), (4, 2), (4, 0)):
        read = read_boards(event, filled(game, WHIST[:count]))
        assert enter_boards(Actor(dana), event, keys_of(read.boards)) == new
    assert Entry.objects.filter(game=game).count() == 4


def test_a_board_goes_on_where_a_tablet_has_begun(dana: User, game: Game, event: Event) -> None:
    """The tablet tells more than the board: the bidder's seat, the trump."""
    hands = ({"entry": "hand", "seat": 2, "bid": "3", "books": 8, "trump": "hearts"}, {**WHIST[1], "seat": 1})
    play(dana, game, *hands, sign=False)
    read = read_boards(event, filled(game, WHIST))
    assert (read.faults, read.new) == ([], 2)
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 2
    facts = [entry.facts for entry in Entry.objects.filter(game=game).order_by("position")]
    assert facts == dealt([*hands, *WHIST[2:]])


@pytest.mark.parametrize("wrong", [{"seat": 1}, {"bid": "4"}, {"books": 9}])
def test_a_board_that_says_otherwise_than_the_tablet_enters_nothing(
    dana: User, wrong: dict[str, Any], game: Game
) -> None:
    play(dana, game, {"entry": "hand", "seat": 0, "bid": "3", "books": 8} | wrong, sign=False)
    with pytest.raises(ValidationFailed, match="line 1 of the sheet is different"):
        enter_boards(Actor(dana), game.round.event, [(game.pk, list(WHIST))])
    assert Entry.objects.filter(game=game).count() == 1


def test_a_board_that_says_otherwise_enters_nothing(dana: User) -> None:
    event = make_event("Two tables", dana)
    first, second = make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table")
    play(dana, second, {"entry": "hand", "bidder": 1, "bid": "3", "books": 9})
    refusal = refusal_of(lambda: enter_boards(Actor(dana), event, [(first.pk, list(WHIST)), (second.pk, list(WHIST))]))
    assert str(refusal) == "Game 1, table 2: line 1 of the sheet is different. Nothing was entered."
    assert Entry.objects.filter(game=first).count() == 0


@pytest.mark.parametrize(
    ("cells", "where", "text"),
    [
        ({"seat": "A", "bid": 9, "books": 7}, "Table 1, C8", "A bid is from 1 to 7"),
        ({"seat": "A", "bid": 3, "books": 17}, "Table 1, D8", "13"),
        ({"seat": "A", "bid": 3, "books": "many"}, "Table 1, D8", "“many” is not a whole number"),
        ({"seat": "Zed", "bid": 3, "books": 9}, "Table 1, B8", "“Zed” is not a side of this table"),
        ({"bid": 3, "books": 9}, "Table 1, B8", "Who won the bid?"),
    ],
)
def test_what_is_wrong_is_said_with_its_sheet_and_cell(
    cells: dict[str, Any], where: str, text: str, game: Game
) -> None:
    typed_cells = {f"{ {'seat': 'B', 'bid': 'C', 'books': 'D'}[key] }8": value for key, value in cells.items()}
    read = read_boards(game.round.event, with_cells(filled(game, ()), typed_cells))
    assert where in [fault.field for fault in read.faults]
    assert any(text in fault.text for fault in read.faults), read.faults


def test_every_field_of_a_hand_has_its_column_and_is_read(dana: User) -> None:
    """A first-six bid says whether it was won; a column of a seat names side and player."""
    event = make_event("Six", dana, sheet="back_alley/partnership", options={"first_six": True, "rainbow12": True})
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    shape = round_boards(event, game.round)
    heads = [cell.title for cell in board_cells(shape) if cell.field is not None]
    assert heads == ["Cards", "First six", "Bid", "Bid", "Took", "Bid", "Bid", "Took"]
    spades = make_event("Spades", dana, sheet="spades/standard")
    took = [cell.key for cell in board_cells(blank_boards(spades)) if cell.title == "Took"]
    assert took == ["tricks-0", "tricks-2", "tricks-1", "tricks-3"]
    hand = {"entry": "hand", "cards": 13, "bids": ["first-six", "1", "1", "1"], "tricks": [9, 4]}
    read = read_boards(event, with_cells(filled(game, [hand]), {f"{letters_of(shape)['first_six']}{FIRST_ROW}": "Yes"}))
    assert ([board.entries for board in read.boards], read.faults) == ([[hand | {"first_six": True}]], [])


def test_boards_of_another_installation_are_read_where_the_same_teams_meet(game: Game) -> None:
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
        ("Table 1, E5", "this board is for Aces and Books; Books and Aces meet there.")
    ]
    assert swapped.boards == []


def test_boards_of_another_event_and_other_workbooks_are_refused(dana: User, game: Game) -> None:
    event = make_event("Another", dana)
    assert [fault.text for fault in read_boards(event, filled(game, WHIST)).faults] == [
        "This score workbook belongs to another event or another rule sheet."
    ]
    plain = io.BytesIO()
    openpyxl.Workbook().save(plain)
    assert read_boards(event, plain.getvalue()).faults[0].text.startswith("This is not a score workbook")


def test_board_is_protected_and_lists_the_bids(game: Game) -> None:
    page = openpyxl.load_workbook(io.BytesIO(filled(game, ())))["Table 1"]
    assert page.protection.sheet
    assert [page[f"{letter}8"].protection.locked for letter in "ABCDEF"] == [True, False, False, False, False, True]
    allowed = page.data_validations.dataValidation
    assert {rule.formula1 for rule in allowed} == {"Lists!$A$1:$A$22", "Lists!$B$1:$B$2", "0", "-9999"}
    # Without this the list is offered and anything is taken.
    assert all(rule.showErrorMessage and rule.errorStyle in (None, "stop") for rule in allowed)
    assert {rule.error for rule in allowed} == {
        "This bid is not in the list. Choose one.",
        "Who won the bid? Write A or B.",
        "Write a whole number from 0 to 13.",
        "Write the points as a whole number, such as 40 or -30.",
    }


def test_the_page_looks_first_and_enters_then(desk: Client, game: Game) -> None:
    address = f"/desk/{game.round.event.slug}/papers/boards/"
    file = SimpleUploadedFile("boards.xlsx", filled(game, WHIST))
    looked = desk.post(address, {"file": file})
    assert looked.status_code == 200
    assert Entry.objects.count() == 0
    assert desk.post(f"{address}entries/", {"boards": looked.context["signed"]}).status_code == 302
    assert Entry.objects.count() == 4
    assert desk.post(f"{address}entries/", {"boards": "forged"}).status_code == 422
    broken = desk.post(address, {"file": SimpleUploadedFile("boards.xlsx", b"PK\x03\x04 no workbook")})
    assert (broken.status_code, "not an Excel workbook" in broken.content.decode()) == (422, True)


def test_a_smaller_table_of_single_players_leaves_the_last_columns_empty(dana: User) -> None:
    event = make_event("Singles", dana, sheet="back_alley/individual")
    game = make_round(event, [tuple(make_teams(event, 3))]).games.get()
    hand = {"entry": "hand", "cards": 13, "bids": ["3", "pass", "4"], "tricks": [3, 6, 4]}
    read = read_boards(event, filled(game, [hand]))
    assert read.faults == []
    assert [board.entries for board in read.boards] == [[hand]]
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 1


SPADES_HAND = {"entry": "hand", "cards": 13, "bids": ["3", "2", "2", "4"], "tricks": [4, 3, 3, 3]}


def spades_book(dana: User, cells: dict[str, Any]) -> tuple[Game, bytes]:
    game = table_of(dana, "spades/standard")
    letters = letters_of(round_boards(game.round.event, game.round))
    return game, with_cells(filled(game, ()), {f"{letters[key]}{FIRST_ROW}": value for key, value in cells.items()})


BIDS = {"bid-0": 3, "bid-1": 2, "bid-2": 2, "bid-3": 4}


def test_one_number_a_team_is_enough_where_nobody_bid_nil(dana: User) -> None:
    game, content = spades_book(dana, BIDS | {"tricks-0": 7, "tricks-3": 6})
    read = read_boards(game.round.event, content)
    assert ([board.entries for board in read.boards], read.faults) == ([[SPADES_HAND | {"tricks": [7, 6]}]], [])
    # The tablet wrote the tricks of every player: that is the same hand.
    play(dana, game, SPADES_HAND, sign=False)
    again = read_boards(game.round.event, content)
    assert (again.faults, again.new, again.stands) == ([], 0, 1)
    assert enter_boards(Actor(dana), game.round.event, keys_of(again.boards)) == 0


def test_what_is_missing_is_asked_of_the_player_of_a_side(dana: User) -> None:
    bids = {key: bid for key, bid in BIDS.items() if key != "bid-3"}
    game, content = spades_book(dana, bids | {"tricks-0": 7, "tricks-3": 6})
    (fault,) = read_boards(game.round.event, content).faults
    assert "B2" in fault.text


def test_a_nil_needs_the_tricks_of_each_player(dana: User) -> None:
    game, content = spades_book(dana, BIDS | {"bid-1": "Nil", "tricks-0": 7, "tricks-1": 6})
    faults = read_boards(game.round.event, content).faults
    assert [fault.field for fault in faults] == ["Table 1, F8"]
    assert faults[0].text.endswith("Here each player’s own number counts.")


def test_a_blank_board_comes_back_with_the_game_and_table_that_it_names(dana: User, game: Game, event: Event) -> None:
    shape = blank_boards(event)
    content = typed(boards_workbook(shape), "Board", shape, WHIST)
    unnamed = read_boards(event, content)
    assert [tuple(fault) for fault in unnamed.faults] == [
        ("Board, B3", "Write here which game this is, and at which table.", "")
    ]
    book = openpyxl.load_workbook(io.BytesIO(content))
    page = book["Board"]
    assert (page["A3"].value, page["C3"].value) == ("Game", "Table")
    page["B3"], page["D3"] = 1, 9
    assert "no game is drawn here for game 1 at table 9" in read_boards(event, saved(book)).faults[0].text
    page["D3"] = 1
    read = read_boards(event, saved(book))
    assert ([board.entries for board in read.boards], read.faults) == ([list(WHIST)], [])
    # A copied board makes two games in one file; the same game twice is refused.
    copy = book.copy_worksheet(page)
    assert [fault.text for fault in read_boards(event, saved(book)).faults] == ["this is the same game as on “Board”."]
    book.remove(copy)
    # Whose columns are whose may be written on a blank board; it is not swapped then.
    page["E5"], page["I5"] = "A: Books", "B: Aces"
    assert "this board is for Books and Aces" in read_boards(event, saved(book)).faults[0].text
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 4


def test_the_dry_run_compares_what_stands_cell_by_cell(dana: User, game: Game, event: Event) -> None:
    content = filled(game, WHIST)
    stands = [WHIST[0], {**WHIST[1], "books": 9}, {"entry": "hand", "bidder": 1, "bid": "3", "books": 9}]
    play(dana, game, *stands, sign=False)
    read = read_boards(event, content)
    assert [(fault.field, fault.text) for fault in read.faults] == [
        ("Table 1, D9", "the sheet says 9 here."),
        ("Table 1, A10", "the sheet says a hand here."),
    ]
    # What it comes to is not known before that is mended.
    assert read.boards[0].totals == [("Aces", None, None), ("Books", None, None)]


def test_every_fault_of_every_line_is_named_at_once(game: Game) -> None:
    content = with_cells(filled(game, WHIST[:2]), {"D8": 15, "C9": 9, "B11": "A", "C11": 3})
    read = read_boards(game.round.event, content)
    assert [fault.field for fault in read.faults] == ["Table 1, D8", "Table 1, C9", "Table 1, D11"]


def test_rulings_are_on_the_sheet_and_not_on_the_board(dana: User, game: Game) -> None:
    """A ruling of the desk between two hands keeps the board from nothing."""
    points = {"entry": "adjustment", "points": [1, 0], "reason": "Talk across the table"}
    play(dana, game, WHIST[0], points, sign=False)
    read = read_boards(game.round.event, filled(game, WHIST[:2]))
    assert (read.faults, read.new, read.stands) == ([], 1, 1)
    assert read.boards[0].totals == [("Aces", None, -2), ("Books", None, 2)]
    assert enter_boards(Actor(dana), game.round.event, keys_of(read.boards)) == 1


def test_a_changed_plus_minus_is_named_by_its_cell_and_an_empty_line_is_remarked_on(game: Game) -> None:
    workbook = round_boards(game.round.event, game.round)
    cells = written(workbook, [cells_of(WHIST[0]), {}, cells_of(WHIST[1])])
    letters = letters_of(workbook)
    changed = {f"{letters['change-0']}8": 9, f"{letters['score-0']}8": 9}
    read = read_boards(game.round.event, with_cells(boards_workbook(workbook), cells | changed))
    assert (read.faults, read.new) == ([], 2)
    assert [(remark.field, remark.text) for remark in read.remarks] == [
        ("Table 1, A9", "this line is empty: the hands below it follow on."),
        (f"Table 1, {letters['change-0']}8", "the board says 9; by the rules and the sheet it is −3."),
        (f"Table 1, {letters['score-0']}8", "the board says 9; by the rules and the sheet it is −3."),
    ]


# A bid as players write it, and how a game document has it.
WRITTEN = {
    "bid_whist/no-kitty-2021": [("2s", "2-special"), ("2 N", "2-no"), ("2no", "2-no"), ("2 NT", "2-no"), ("2 up", "2"),
        ("２", "2"), ("2 Special", "2-special"), ("3 No Trump", "3-no"), ("4 down", "4-special"), ("2-x", "2-x")],
    "bid_whist/standard": [("3s", "3-special"), ("3 down", "3-special"), ("4 low", "4-special"), ("4 nt", "4-no"),
        ("5", "5"), ("5 up", "5"), ("5 High", "5"), ("4 No trump", "4-no"), ("4-Special", "4-special")],
    "okinawa/standard": [("Ok", "okinawa"), ("p", "pass"), ("３", "3"), ("0", "0")],
    "spades/standard": [("NIL", "nil"), ("n", "nil"), ("blind NIL", "blind-nil"), ("−3", "-3"),
        ("1 2", "1-2"), ("3.", "3"), ("1.3", "1.3")],
    "back_alley/partnership": [("Dbl Board", "dbl-board"), ("double", "double-board"), ("Rainbow+1", "rainbow+1")],
}  # fmt: skip


@pytest.mark.parametrize("sheet", WRITTEN)
def test_bids_are_read_as_players_write_them(dana: User, sheet: str) -> None:
    rules = ruleset(sheet)
    key = next(field.key for field in rules.columns if field.key in ("bid", "bids"))
    answers = rules.game.answers(rules.rules, key)
    for typed_text, value in WRITTEN[sheet]:
        assert typed_bid(typed_text.lower().replace(" ", "-").replace("−", "-"), answers) == value, typed_text
    # Each answer is read by its own words, however they are spaced.
    for answer in answers:
        for words in (answer.value, answer.words, answer.words.upper(), f" {answer.words}. "):
            assert typed_bid(words, answers) == answer.value, words


def test_typed_bids_are_read_from_keys_and_workbooks_and_documents_stay_strict(game: Game) -> None:
    sheet = sheet_now(game)
    posted = read_hand(sheet, {"seat": "0", "bid": "2 NT", "books": "８"})
    assert (posted.faults, posted.facts["bid"], posted.facts["books"]) == ((), "2-no", 8)
    read = read_boards(game.round.event, with_cells(filled(game, WHIST[:1]), {"B8": "ａ", "C8": "2 NT"}))
    assert (read.faults, read.boards[0].entries[0]["bid"]) == ([], "2-no")
    with pytest.raises(NotPossible, match="is not a bid"):
        sheet.scored.with_entry({**posted.facts, "bid": "2 nt"})


def test_nothing_that_is_written_is_dropped_in_silence(game: Game) -> None:
    book = openpyxl.load_workbook(io.BytesIO(filled(game, WHIST[:1])))
    page = book["Table 1"]
    letters = letters_of(round_boards(game.round.event, game.round))
    page[f"{letters['ruling']}8"] = "Renege, Books −3"
    page[f"{letters['change-1']}9"] = 5
    page[f"{letters['score-0']}8"], page["A8"], page["Z8"] = 7, 2, "Ann kept score"
    page.title = "T1"
    book.create_sheet("Notes")["A1"] = "Bring change"
    read = read_boards(game.round.event, saved(book))
    assert read.faults == []
    assert [(remark.field, remark.text) for remark in read.remarks] == [
        ("Notes", "this sheet is not a board. It was not read."),
        ("Notes, A1", "“Bring change” was not read."),
        ("T1, A8", "this is line 2 of the board, moved. Lines are read from top to bottom."),
        (f"T1, {letters['score-0']}8", "the board says 7; by the rules and the sheet it is −3."),
        (f"T1, {letters['ruling']}8", "“Renege, Books −3”: rulings are entered at the desk."),
        ("T1, Z8", "“Ann kept score” was not read."),
        (f"T1, {letters['change-1']}9", "+5 without a hand: rulings are entered at the desk."),
    ]
    del book["T1"]
    gone = read_boards(game.round.event, saved(book))
    assert ("Table 1", "this board is no longer in the file.") in [
        (remark.field, remark.text) for remark in gone.remarks
    ]


# Whom a score workbook names, and titles that could be formulas.
def test_a_letter_names_a_side_before_any_name_does_and_no_name_two_sides(game: Game, event: Event) -> None:
    first, other = (side.team for side in game.sides.order_by("index"))
    for team, name in ((first, "B"), (other, "A")):
        team.players.filter(position=0).update(name=name, key=name)
        team.players.filter(position=1).update(name="Pat", key="pat")
    content = filled(game, WHIST[:2])
    assert [board.entries for board in read_boards(event, content).boards] == [[*WHIST[:2]]]
    cell = f"{letters_of(round_boards(event, game.round))['seat']}{FIRST_ROW}"
    (fault,) = read_boards(event, with_cells(content, {cell: "Pat"})).faults
    assert fault[:2] == (f"Table 1, {cell}", "“Pat” is not a side of this table: write A or B.")


def test_what_is_written_for_a_side_that_nobody_is_on_is_remarked(dana: User) -> None:
    event = make_event("Singles", dana, sheet="back_alley/individual")
    game = make_round(event, [tuple(make_teams(event, 3))]).games.get()
    hand = {"entry": "hand", "cards": 13, "bids": ["3", "pass", "4", "2"], "tricks": [3, 6, 4]}
    read = read_boards(event, filled(game, [hand]))
    cell = f"{letters_of(round_boards(event, game.round))['bid-3']}{FIRST_ROW}"
    assert [(remark.field, remark.text) for remark in read.remarks] == [(f"Table 1, {cell}", "“2” was not read.")]


def test_the_title_of_a_round_is_no_formula(game: Game) -> None:
    game.round.title = '=HYPERLINK("http://a.example")\x0b'
    game.round.save()
    shape = round_boards(game.round.event, game.round)
    book = openpyxl.load_workbook(io.BytesIO(boards_workbook(shape)))
    cells = [cell for page in book for row in page.iter_rows() for cell in row if "a.example" in str(cell.value)]
    assert len(cells) == 4 and {cell.data_type for cell in cells} == {"s"}


def test_the_name_of_an_event_becomes_no_formula_when_its_cell_is_edited(game: Game) -> None:
    game.round.event.name = "=1+1"
    game.round.event.save()
    book = openpyxl.load_workbook(io.BytesIO(boards_workbook(round_boards(game.round.event, game.round))))
    cells = [cell for page in book for row in page.iter_rows() for cell in row if str(cell.value).startswith("=1+1")]
    assert cells and {(cell.data_type, cell.quotePrefix) for cell in cells} == {("s", True)}
