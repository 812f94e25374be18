"""The printed score sheet, read back: its code, every reason with points and clause, counters, and sizes of type."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from random import Random
from typing import Any

import pytest
import zxingcpp
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageDraw
from pypdf import PageObject, PdfReader

from scoring.document import all_sheets
from tests.factories import make_event, make_game, make_round, make_teams, pairs_of, play
from tests.factories import play_out as hands_of
from tests.sure import fresh, sure
from tests.tournament.archive.test_import import demo
from tests.tournament.games.play import play_out
from tests.tournament.reports.evenings import squeezed
from tests.tournament.reports.test_papers import paper_agrees
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.models import Event, Game, Player, Team
from tournament.queries.rules import Ruleset, ruleset, ruleset_of
from tournament.queries.score_workbooks import blank_sheet
from tournament.queries.sheet import EVENT, GAME, game_sheet, sheet_address_code, sheet_games, sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.pdf.lettering import PLAIN, text_width
from tournament.reports.pdf.paper import SHEET_HEIGHT, SHEET_WIDTH
from tournament.reports.pdf.score_sheet import HIGH, SIDES, hint_of, score_sheets
from tournament.reports.pdf.sheet_table import Table, coming_items, items_of, sheet_table
from tournament.services.corrections import correct_sheet
from tournament.services.entries import record_entry
from tournament.services.signatures import sign_for_all
from tournament.words.phrases import clause, signed

SITE = "http://192.168.1.7:8000/"
MADE = {"entry": "hand", "bidder": 0, "bid": "3", "books": 10, "seat": 2}
# One sheet of every shape; the others are played on long runs.
SHAPES = ("bid_whist/no-kitty-2021", "spades/standard", "back_alley/korean-war-26", "okinawa/standard")
PAPER = 792
# Whether rows of the sheet belong to deals, and have a circle for a void hand.
DEALT = {"okinawa/standard": True, "back_alley/partnership": True, "spades/standard": False}
KEYS = [pytest.param(sheet.key, marks=() if sheet.key in SHAPES else pytest.mark.long) for _, sheet in all_sheets()]


def pages_of(*sheets: GameSheet, **how: Any) -> list[PageObject]:
    return list(PdfReader(io.BytesIO(score_sheets(sheets, **how))).pages)


def text_of(*sheets: GameSheet) -> str:
    return squeezed("".join(page.extract_text() for page in pages_of(*sheets)))


def decoded(page: PageObject) -> str:
    """What a scanner reads from the modules that are drawn on a page."""
    contents = sure(page.get_contents())
    drawn = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re", contents.get_data().rpartition(b"0 0 0 rg")[2])
    boxes = [tuple(map(float, stroke)) for stroke in drawn if float(stroke[3]) < 3]
    left, low = min(x for x, *_ in boxes), min(y for _, y, *_ in boxes)
    picture = Image.new("L", (600, 600), 255)
    pen = ImageDraw.Draw(picture)
    for x, y, width, height in boxes:
        corner = (60 + (x - left) * 8, 540 - (y - low + height) * 8)
        pen.rectangle((*corner, corner[0] + width * 8, corner[1] + height * 8), fill=0)
    return str(sure(zxingcpp.read_barcode(picture)).text)


def test_the_code_on_paper_leads_to_its_game(event: Event, game: Game, desk: Client) -> None:
    (page,) = pages_of(sheet_now(game), site=SITE)
    address = decoded(page)
    assert address == f"HTTP://192.168.1.7:8000/S/{sheet_address_code(GAME, game.pk)}"
    path = address.removeprefix("HTTP://192.168.1.7:8000")
    for asked in (path, path.lower(), f"{path}/"):
        assert Client().get(asked)["Location"] == reverse("public-game", args=[event.slug, game.pk])
        assert desk.get(asked)["Location"] == reverse("desk-game", args=[event.slug, game.pk])


def test_the_code_of_a_blank_sheet_leads_to_its_event(event: Event, desk: Client) -> None:
    (page,) = pages_of(blank_sheet(event), site="https://cards.example.org/")
    address = decoded(page)
    assert address == f"HTTPS://CARDS.EXAMPLE.ORG/S/{sheet_address_code(EVENT, event.pk)}"
    path = address.removeprefix("HTTPS://CARDS.EXAMPLE.ORG")
    assert Client().get(path).status_code == 404, "Strangers do not see an event that is being set up."
    assert desk.get(path)["Location"] == reverse("desk", args=[event.slug])


def test_a_code_that_was_not_printed_leads_nowhere(game: Game, client: Client) -> None:
    code = sheet_address_code(GAME, game.pk)
    other = sheet_address_code(GAME, game.pk + 1)
    guesses = [code[:-1] + ("2" if code[-1] != "2" else "3"), "2" + code, other, "ZZZZZZZZZZZZZZZZZZZ", "222222"]
    assert [client.get(f"/S/{guess}").status_code for guess in guesses] == [404] * len(guesses)


@pytest.mark.parametrize("key", KEYS)
def test_every_reason_and_counter_of_a_finished_game_is_printed(key: str, dana: User) -> None:
    rules = next(game.seating(sheet.rules) for game, sheet in all_sheets() if sheet.key == key)
    sheet = sheet_now(play_out(dana, make_game(dana, rules.sides, sheet=key), Random(key)))
    text = text_of(sheet)
    paper_agrees(sheet, "\n".join(page.extract_text() for page in pages_of(sheet)))
    for row in sheet.rows:
        for line in row.lines:
            if line.kind == "rubber":
                continue
            points = f"{signed(line.points)}:" if line.points else ""
            assert squeezed(f"{points}{line.brief}") in text or line.brief in row.written.text, line
            assert squeezed(clause(line.rule)) in text
        assert all(squeezed(word) in text for word in row.written.words)
    for side in sheet.sides:
        assert f"Sets{'ABCDEF'[side.index]}{sheet.sets[side.index]}" in text
    counters = [counter.key for counter in sheet.rules.game.counters(sheet.rules.rules)]
    assert ("Bags" in text) == ("bags" in counters)
    assert ("○Boston" in text) == ("bostons" in counters)
    assert squeezed(f"Winner{sheet.winner_side.name if sheet.winner_side else 'Nobody'}") in text


@pytest.mark.parametrize("key", KEYS)
def test_a_sheet_to_fill_in_has_fourteen_hands_a_page(key: str, dana: User) -> None:
    event = make_event(director=dana, sheet=key)
    planned = blank_sheet(event).rules.game.hands_planned(blank_sheet(event).rules.rules)
    pages = pages_of(blank_sheet(event))
    assert len(pages) == -(-(planned or 14) // 14)
    assert len(pages_of(blank_sheet(event), simple=True)) == len(pages)


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_players_read_nine_points_or_more(game: Game, dana: User, paper: str) -> None:
    played = sheet_now(
        play(dana, game, MADE, {"entry": "void", "rule": "17"}, {"entry": "hand", "bidder": 1, "bid": "3", "books": 7})
    )
    for sheet in (played, blank_sheet(game.round.event)):
        (page,) = pages_of(sheet, paper=paper)
        # 6.8 is what is circled, 8 the foot.
        assert min(sizes_of(page) - {6.8, 8}) >= 9


def test_a_long_name_of_an_event_is_read_on_its_sheets(dana: User) -> None:
    venue = "Fraternal Order of Eagles Lodge No. 297, 1234 Parsons Avenue"
    event = make_event("The Wednesday Evening Invitational Card Classic of Greater Columbus", dana, place=venue)
    (page,) = pages_of(blank_sheet(event))
    assert squeezed(event.name) in squeezed(page.extract_text())
    assert min(sizes_of(page) - {6.8, 8}) >= 9


def sizes_of(page: PageObject) -> set[float]:
    sizes: set[float] = set()
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: sizes.add(size) if text.strip() else None)
    return sizes


def test_a_sheet_says_how_far_the_game_is(game: Game, dana: User) -> None:
    assert "Sofar" not in text_of(sheet_now(game))
    play(dana, game, MADE, {"entry": "void", "rule": "17"}, sign=False)
    assert "Sofarafterhand1" in text_of(sheet_now(game)) and "Printed" in text_of(sheet_now(game))


def test_what_the_club_chose_and_the_ranks_stand_on_the_sheet(dana: User) -> None:
    event = make_event(director=dana, sheet="bid_whist/52-card", options={"rubber_games": 2})
    sheet = blank_sheet(event)
    (chosen,) = sheet.rules.chosen
    text = text_of(sheet)
    for words in (f"{chosen.title.rstrip(':')}: {chosen.words}", sheet.rules.game.ranks(sheet.rules.rules)):
        assert words and squeezed(words) in text


def test_a_full_page_of_a_game_in_play_has_another_to_write_on(game: Game, dana: User) -> None:
    play(dana, game, MADE, *[{"entry": "void", "rule": "17"}] * 13, sign=False)
    first, second = pages_of(sheet_now(game))
    assert "Write the score" in second.extract_text()
    assert "Winner" not in first.extract_text()


def test_a_corrected_line_is_marked_in_the_table(game: Game, dana: User) -> None:
    play(dana, game, MADE)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts={**MADE, "books": 9}, reason="counted again")
    text = text_of(sheet_now(game))
    assert "1*A23" in text and "9of9:made" in text
    assert re.search(r"\*Line1was\(countedagain,dana\):\w*:?3madewith10", text) and "*corrected" in text


def test_every_game_of_a_rubber_has_its_line(dana: User) -> None:
    game = make_game(dana, sheet="bid_whist/standard", options={"rubber_games": 2})
    won = {"entry": "hand", "bidder": 0, "bid": "7", "books": 13}
    sheet = sheet_now(play(dana, game, won, won))
    text = text_of(sheet)
    assert "Game1oftherubber,7to0:" in text and "Game2oftherubber,7to0:" in text
    assert text.count("7-needed14") == 0 and "Winner" + squeezed(sheet.sides[0].name) in text


def test_a_dealer_whose_name_is_too_long_for_its_box_is_named_by_the_place(game: Game, dana: User) -> None:
    Player.objects.update(name="Maximilian-Alexander Whittington-Walthersby")
    (page,) = pages_of(sheet_now(play(dana, game, MADE)))
    assert re.search("DealtfirstA[12]", squeezed(page.extract_text()))
    assert min(sizes_of(page) - {6.8, 8}) >= 8.5


def test_a_sheet_from_an_event_file_says_so_in_one_sentence(dana: User) -> None:
    event = import_event(Actor(dana), demo())
    text = text_of(game_sheet(sheet_games().filter(round__event=event).first()))
    assert text.count("Thegamewasfinishedintheeventfile") == 1
    assert "byimport" not in text and "witness" not in text


def test_a_long_reason_to_sign_is_read_below_the_hands(game: Game, dana: User) -> None:
    reason = "Both teams had left for the train before the tablet was charged again, and both captains agreed by phone"
    play(dana, game, MADE, {"entry": "hand", "bidder": 0, "bid": "5", "books": 13}, sign=False)
    sign_for_all(Actor(dana), game, reason)
    sizes: list[tuple[str, float]] = []
    (page,) = pages_of(sheet_now(game))
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: sizes.append((squeezed(text), size)))
    assert squeezed(page.extract_text()).count(squeezed(f"Signed by dana, official: {reason}")) == 1
    assert min(size for text, size in sizes if text and text in squeezed(f"dana, official: {reason}")) >= 9


def test_a_reason_to_sign_takes_no_page_of_its_own(dana: User) -> None:
    """Fourteen hands fill the table; who signed for all four is on the line below it."""
    game = make_game(dana, 4, sheet="back_alley/individual")
    play(dana, game, *hands_of(ruleset_of(game.round.event), Random(1)))
    (page,) = pages_of(sheet_now(game))
    assert page.extract_text().count("Signed by dana, official: test") == 1


def test_a_winner_whose_name_is_too_long_for_its_box_is_named_by_the_side(game: Game, dana: User) -> None:
    Team.objects.filter(number=1).update(name="Maximilian’s Magnificent Marathon Mates!")
    sheet = sheet_now(play(dana, game, {**MADE, "bid": "7", "books": 13}))
    (page,) = pages_of(sheet)
    assert sheet.winner == 0 and "WinnerSideA" in squeezed(page.extract_text())
    assert min(sizes_of(page) - {6.8, 8}) >= 9


def test_four_long_names_are_read_beside_their_scores(dana: User) -> None:
    event = make_event(director=dana, sheet="back_alley/individual")
    names = ["The Quietly Confident Kings of Kalamazoo", "Old Dominion Downtown Deuces and Dealers"]
    names += ["Bartholomew Whittingham of Baltimore, MD", "Georgiana Featherstone-Haugh of Savannah"]
    players = make_teams(event, 4, names)
    Player.objects.filter(team__event=event).delete()
    game = make_round(event, [tuple(players)]).games.get()
    hand = {"entry": "hand", "bids": ["1", "2", "3", "4"], "tricks": [1, 2, 3, 7]}
    (page,) = pages_of(sheet_now(play(dana, game, hand, sign=False)))
    written: dict[str, tuple[float, float]] = {}
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: written.update({text.strip(): (tm[5], size)}))
    positions = {word: position for text, position in written.items() for word in text.split()}
    places = [positions[word] for name in names for word in name.split() if len(word) > 3]
    assert min(size for _, size in places) >= 8
    # And within their boxes.
    assert min(y for y, _ in places) > (PAPER + SHEET_HEIGHT) / 2 - SIDES - HIGH + 2


def test_what_ended_a_rubber_is_said_once(dana: User) -> None:
    game = make_game(dana, sheet="bid_whist/boston-parr", options={"rubber_games": 2})
    text = text_of(sheet_now(play(dana, game, *[{"entry": "hand", "bidder": 0, "bid": "7", "books": 13}] * 4)))
    assert "Endedbytherubber" in text or "Endedbyrubber" in text
    assert "rubber(therubber)" not in text


@pytest.mark.parametrize("key", [sheet.key for _, sheet in all_sheets()])
def test_how_to_fill_in_is_one_line_of_the_size_of_all_that_players_read(dana: User, key: str) -> None:
    rules = ruleset(key)
    for varies in (False, True):
        words = hint_of(sheet_table(rules), varies=varies)
        assert text_width(words, PLAIN, 9) <= SHEET_WIDTH, words


def test_where_every_row_is_a_deal_of_so_many_cards_a_void_hand_keeps_its_row(dana: User) -> None:
    """Somebody who began a new row was one card off from there on."""
    texts = {key: text_of(blank_sheet(make_event(key, dana, slug=key[:4], sheet=key))) for key in DEALT}
    words = squeezed("A void hand is dealt again in its row.")
    assert {key: words in text for key, text in texts.items()} == DEALT


def test_officials_stand_on_paper_by_their_names(game: Game, dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(first_name="Dana", last_name="Brooks")
    play(fresh(dana), game, MADE)
    record_entry(Actor(dana), game, {"entry": "hand", "bidder": 0, "bid": "5", "books": 13}, source="paper")
    correct_sheet(Actor(dana), game, position=1, revision=0, facts={**MADE, "books": 9}, reason="counted again")
    sign_for_all(Actor(dana), fresh(game), "no tablet")
    text = text_of(sheet_now(game))
    assert "countedagain,DanaBrooks" in text and "DanaBrooks,official:notablet" in text
    assert "TypedfrompaperbyDanaBrooks" in text and "dana" not in text


# The table of the printed score sheet: room for every answer at every size of table, trumps, and who deals.
HAND = {"entry": "hand", "seat": 2, "bid": "3", "books": 9, "trump": "hearts", "direction": "uptown"}


def every_table() -> dict[str, Table]:
    """The table of every rule sheet for every number of sides, and of its simple sheet."""
    tables = {}
    for game, sheet in all_sheets():
        for sides in (2, 3, 4, 5, 6):
            rules = Ruleset(game, sheet, game.for_sides(sheet.rules, sides))
            if rules.seating.sides == sides:
                tables[f"{sheet.key} {sides}"] = sheet_table(rules)
                tables[f"{sheet.key} {sides} simple"] = sheet_table(rules, simple=True)
    return tables


TABLES = every_table()


@pytest.mark.parametrize("name", TABLES)
def test_columns_stand_apart_and_within_the_paper(name: str) -> None:
    table = TABLES[name]
    for column, following in pairwise(table.columns):
        assert column.x + column.width + 2 <= following.x + 0.01
        if column.side != following.side and not table.by_bidder:
            assert column.x + column.width + 8 <= following.x + 0.01
    assert table.columns[-1].x + table.columns[-1].width <= SHEET_WIDTH + 0.01
    assert all(column.width >= column.natural - 0.01 for column in table.columns)


def test_sides_stand_further_apart_than_columns() -> None:
    """Somebody who typed sheets written by pencil took one side's box for the other's."""
    table = TABLES["spades/standard 2"]
    gaps = {column.key: following.x - column.x - column.width for column, following in pairwise(table.columns)}
    assert gaps["bags-0"] >= 14 and gaps["bags-0"] > gaps["score-0"] + 7
    books = TABLES["bid_whist/no-kitty-2021 2"].columns
    assert [column.head for column in books if column.key == "books"] == ["Books of the bidders"]
    assert min(following.x - column.x - column.width for column, following in pairwise(books)) >= 10


@pytest.mark.parametrize("name", TABLES)
def test_every_score_and_counter_has_its_column(name: str) -> None:
    key, sides, *_ = name.split()
    rules = ruleset(key)
    keys = {column.key for column in TABLES[name].columns}
    counters = {counter.key for counter in rules.game.counters(rules.rules)} - {"sets", "bostons"}
    counted = set() if name.endswith("simple") else counters
    assert {f"{counter}-{side}" for counter in {"score", *counted} for side in range(int(sides))} <= keys


@pytest.mark.parametrize("name", [name for name in TABLES if name.startswith("bid_whist/")])
def test_players_read_trumps_and_dealer_of_every_hand_from_a_bid_whist_sheet(name: str) -> None:
    """Rule 42 sends players to the score sheet for both."""
    circles = {column.key: column.circles for column in TABLES[name].columns}
    assert [line[:2] for line in circles["trump"]] == [("♠", "♥"), ("♦", "♣")]
    assert circles["dealer"] == (("A1", "A2"), ("B1", "B2"))


def test_the_direction_of_a_no_is_circled_beside_the_trumps() -> None:
    """Rule 31: a bidder who plays a card without having said it is set."""
    tables = {key: TABLES[f"bid_whist/{key} 2"] for key in ("no-kitty-2021", "standard", "52-card", "boston-parr")}
    trumps = {key: next(one for one in table.columns if one.key == "trump") for key, table in tables.items()}
    assert {key: (column.head, [line[2:] for line in column.circles]) for key, column in trumps.items()} == {
        "no-kitty-2021": ("Trump or No", [("Up",), ("Down",)]),
        "standard": ("Trump or NT", [("Up",), ("Down",)]),
        "52-card": ("Trump or NT", [("Up", ""), ("Down", "aces bad")]),
        "boston-parr": ("Trump", [(), ()]),
    }


@pytest.mark.parametrize("name", TABLES)
def test_every_sheet_has_room_for_who_deals(name: str) -> None:
    _, sides, *_ = name.split()
    (dealer,) = (column for column in TABLES[name].columns if column.key == "dealer")
    labels = [label for line in dealer.circles for label in line if label]
    assert labels == (["A1", "A2", "B1", "B2"] if sides == "2" and len(labels) == 4 else list("ABCD")[: len(labels)])
    assert labels or (dealer.boxes and int(sides) > 3) or sides == "2"


def test_who_deals_next_is_circled_in_every_family(dana: User) -> None:
    game = make_game(dana, 4, sheet="back_alley/individual")
    hand = {"entry": "hand", "bids": ["1", "2", "3", "4"], "tricks": [1, 2, 3, 7]}
    sheet = sheet_now(play(dana, game, hand, sign=False))
    assert [item.dealer for item in coming_items(sheet, sheet_table(sheet.rules))][:4] == ["B", "C", "D", "A"]
    (item,) = items_of(sheet, sheet_table(sheet.rules))
    dealt = next(column for column in sheet_table(sheet.rules).columns if column.key == "dealer")
    assert [piece.text for piece in item.pieces if piece.x == dealt.x - 3] == ["A"]


def test_sets_are_asked_for_only_where_they_end_a_game(dana: User) -> None:
    keys = ("bid_whist/no-kitty-2021", "bid_whist/standard", "spades/standard", "spades/new-york", "okinawa/standard")
    texts = {key: text_of(blank_sheet(make_event(key, dana, slug=f"e-{at}", sheet=key))) for at, key in enumerate(keys)}
    assert {key for key, text in texts.items() if "SetsA" in text} == {"bid_whist/no-kitty-2021", "spades/new-york"}


def test_sheets_that_are_only_read_share_a_page(dana: User) -> None:
    event = make_event(director=dana)
    games = list(make_round(event, pairs_of(make_teams(event, 6))).games.order_by("table"))
    for game in games[:2]:
        play(dana, game, {**MADE, "books": 11, "bid": "5"})
    sheets = [sheet_now(fresh(game)) for game in games]
    assert [sheet.game.state for sheet in sheets] == ["final", "final", "playing"]
    pages = pages_of(*sheets)
    assert [len(re.findall(r"Table \d", page.extract_text())) for page in pages] == [2, 1]
    # One alone, and what is still written on or signed, has a page of its own.
    assert len(pages_of(*sheets[1:])) == 2


def test_who_deals_is_circled_once_it_is_known_who_dealt_first(game: Game, dana: User) -> None:
    sheet = blank_sheet(game.round.event)
    assert {item.dealer for item in coming_items(sheet, sheet_table(sheet.rules))} == {""}
    sheet = sheet_now(play(dana, game, HAND, sign=False))
    coming = [item.dealer for item in coming_items(sheet, sheet_table(sheet.rules))]
    assert coming[:5] == ["B1", "A2", "B2", "A1", "B1"]


def test_a_hand_that_was_played_has_its_values_in_the_same_columns(game: Game, dana: User) -> None:
    sheet = sheet_now(play(dana, game, HAND, sign=False))
    table = sheet_table(sheet.rules)
    (item,) = items_of(sheet, table)
    written = {piece.x + 3: piece.text for piece in item.pieces if piece.line == 0 and piece.text}
    values = {column.key: written[column.x] for column in table.columns if column.x in written}
    assert values == {"seat": "A2", "bid": "3", "books": "9 of 9: made", "trump": "♥", "dealer": "A1"}
    assert [piece.text for piece in item.pieces if piece.line == 1][:1] == ["uptown. A +3: 3 over six (rule 4)"]


def test_words_are_circled_where_there_is_room_and_short_where_there_is_none() -> None:
    wide, narrow = TABLES["back_alley/individual 4"], TABLES["back_alley/partnership 5"]
    circles = [{column.circles for column in table.columns if column.key == "bids-0"} for table in (wide, narrow)]
    assert circles == [{(("Pass",), ("Board",))}, {((), ())}]
    assert (wide.short, narrow.short[:2]) == ((), (("P", "Pass"), ("B", "Board")))
