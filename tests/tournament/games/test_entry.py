"""What a table of another game writes: refused at its field, kept as typed, corrected with the cards of its deal."""

from __future__ import annotations

import io
import json
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import confirmed_in, page_of, play, revise_entry, signed_in
from tests.messages import check, send
from tests.sure import sure
from tests.tournament.reports.test_boards import filled
from tests.tournament.submissions.conftest import Tablet
from tests.tournament.tablet.conftest import at
from tests.tournament.tablet.test_practice import document, table, turns
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.forms.score_workbook import keys_of, read_boards
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Entry, Event, Game
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rulings import asked
from tournament.queries.sheet import sheet_now
from tournament.queries.tablet import Practice
from tournament.reports.excel.workbook import event_workbook
from tournament.services.devices import facts_of
from tournament.services.entries import enter_boards
from tournament.services.events import create_event


@pytest.mark.parametrize(
    ("sheet", "options", "cards", "bids", "tricks", "field", "sentence"),
    [
        ("okinawa/standard", {}, 5, "1 2 1 1", "3 3", "tricks", "5 tricks were played, but 6 are written down."),
        ("okinawa/standard", {}, 5, "1 2 1 9", "3 2", "bids", "There are 5 tricks in this hand: 9 cannot be bid."),
        ("spades/standard", {}, 13, "4 three 3 3", "5 0 4 4", "bids", "“three” is not a bid."),
        ("spades/standard", {}, 13, "4 blind-nil 3 3", "5 0 4 4", "bids", "at least 100 points behind"),
        ("spades/new-york", {"first_hand_unbid": False}, 13, "blind-7 5", "8 5", "bids", "at least 100 points behind"),
        ("spades/four-hand-tournament", {}, 13, "3 6", "6 7", "bids", "“3” cannot be bid. Each side bids 4 to 13."),
        ("back_alley/all", {}, 13, "all 1 1 1", "7 6", "bids", "all"),
        ("back_alley/partnership", {"rainbow8": True}, 13, "rainbow 1 1 1", "3 4 3 3", "bids", "ainbow"),
        ("back_alley/korean-war-26", {}, 13, "double-board 1 1 1", "4 3 3 3", "bids", "“double-board”"),
    ],
)
def test_what_cannot_be_is_refused_at_its_question(
    dana: User, sheet: str, options: dict[str, object], cards: int, bids: str, tricks: str, field: str, sentence: str
) -> None:
    tablet, _ = table(dana, sheet, sides=4 if "korean" in sheet else 2, **options)
    answer = check(tablet, turns(cards, bids, tricks))
    assert answer.status_code == 422
    assert answer.context["faults"][0].field == field
    assert sentence in " ".join(fault.text for fault in answer.context["faults"])
    assert answer.context["values"]["bid-0"] == bids.split()[0]
    assert Entry.objects.count() == 0
    page = answer.content.decode()
    at_question = page.index('id="step-bids"' if field == "bids" else 'id="step-tricks"')
    assert page.index('class="wrong"') > at_question


def test_a_first_round_and_trumps_may_be_written_in_okinawa(dana: User) -> None:
    tablet, game = table(dana, "okinawa/standard")
    asks = sure(asked(sheet_now(game)))
    assert [call.place and call.place.index for call in asks.of("auction")] == [1, 2, 3, 0]
    assert [suit.value for suit in asks.of("trump")[0].choices] == ["clubs", "diamonds", "hearts", "spades"]
    calls = {"auction-1": "1", "auction-2": "2", "trump": "hearts"}
    assert send(tablet, "hand", game, turns(5, "pass 1 2 1", "3 2", **calls))["status"] == "applied"
    facts = Entry.objects.get().facts
    assert (facts["auction"], facts["dealer"], facts["trump"]) == (["1", "2", "pass", "pass"], 0, "hearts")


def test_a_first_round_that_goes_down_is_refused_where_it_stands(dana: User) -> None:
    tablet, _ = table(dana, "okinawa/standard")
    answer = check(tablet, turns(5, "pass 3 1 1", "3 2", **{"auction-1": "3", "auction-2": "2"}))
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "auction")
    assert answer.context["values"]["auction-2"] == "2"


@pytest.mark.parametrize("sheet", ["spades/standard", "spades/new-york", "bid_whist/standard"])
def test_other_games_are_asked_for_no_first_round(dana: User, sheet: str) -> None:
    _, game = table(dana, sheet)
    asks = asked(sheet_now(game))
    suits = [4] if sheet.startswith("bid_whist") else []
    assert asks is not None and (asks.of("auction"), [len(suit.choices) for suit in asks.of("trump")]) == ((), suits)


def test_a_corrected_line_keeps_the_cards_of_its_own_deal(dana: User, desk: Client) -> None:
    _, game = table(dana, "back_alley/individual", sides=4)
    for cards in (13, 12, 11):
        hand = {"entry": "hand", "cards": cards, "bids": ["1", "2", "3", "1"], "tricks": [1, 2, cards - 4, 1]}
        play(dana, game, hand, sign=False)
    address = reverse("game-revision", args=[game.round.event.slug, game.pk, 2])
    shown = desk.get(address)
    assert shown.context["values"]["tricks-2"] == "8"
    assert '<input type="hidden" name="cards" value="12">' in shown.content.decode()
    form = turns(12, "1 2 4 1", "1 2 8 1", position="2", revision="0", reason="Bid misread")
    form |= {"confirmed": confirmed_in(page_of(desk.post(address, form)))}
    assert desk.post(address, form).status_code == 302
    assert Entry.objects.get(position=2, revision=1).facts["bids"] == ["1", "2", "4", "1"]


def test_paper_at_the_desk_goes_in_for_a_table_of_three(dana: User, desk: Client) -> None:
    _, game = table(dana, "back_alley/individual", sides=3)
    form = turns(13, "4 3 2", "5 4 4")
    assert desk.post(reverse("game-entry", args=[game.round.event.slug, game.pk]), form).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.scores, len(sheet.seats), sheet.coming[0].cards) == ((13, 10, 8), 3, 12)


def test_a_hand_that_does_not_count_is_void_by_the_rules_of_its_own_table(dana: User) -> None:
    _, game = table(dana, "back_alley/individual", sides=3)
    assert facts_of(game, "void", {"rule": "misdeal"}) == {"entry": "void", "rule": "misdeal", "reason": "A misdeal"}
    with pytest.raises(ValidationFailed, match="Say why the hand is void"):
        facts_of(game, "void", {"rule": "17"})


def test_pages_of_players_who_play_alone_speak_of_players(dana: User, desk: Client) -> None:
    event: Event = create_event(
        Actor(dana), {"name": "Reunion", "date": "2026-11-21", "sheet": "back_alley/individual"}
    )
    for name in ("desk-teams", "desk-roster", "desk-draw"):
        page = desk.get(reverse(name, args=[event.slug])).content.decode()
        assert ">Players</a>" in page and ">Teams</a>" not in page
    assert "Add a player" in desk.get(reverse("desk-teams", args=[event.slug])).content.decode()


def test_trumps_may_be_written_in_bid_whist_and_a_no_bid_has_none(dana: User) -> None:
    tablet, game = table(dana, "bid_whist/no-kitty-2021")
    hand = {"position": "1", "seat": "0", "bid": "3-no", "books": "9", "trump": "hearts"}
    answer = check(tablet, hand)
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "trump")
    page = answer.content.decode()
    assert page.index("A No bid has no trumps.") > page.index('id="step-beside"')
    assert send(tablet, "hand", game, hand | {"bid": "3"})["status"] == "applied"
    assert Entry.objects.get().facts == {
        "entry": "hand",
        "seat": 0,
        "bid": "3",
        "books": 9,
        "trump": "hearts",
        "dealer": 0,
    }
    assert "<b>3 hearts</b>" in tablet.get(reverse("tablet")).content.decode()


# Every hand is written with its dealer, so that the rules know who spoke first.
SHEET = "back_alley/partnership"
# Seat 0 deals and speaks last: the board of seat 1 is the first one, that of seat 0 doubles it.
BOTH_BOARD = turns(13, "board board pass pass", "13 0", client_key="")
FACTS = {"entry": "hand", "cards": 13, "bids": ["board", "board", "pass", "pass"], "tricks": [13, 0]}
TO_THE_RIGHT_SIDES = (260, -130)
# “Double board” was said before “board”.
IMPOSSIBLE = FACTS | {"bids": ["board", "double-board", "pass", "pass"]}
REFUSED = "With this dealer the players bid in another order."


def scores(game: Game) -> tuple[int, ...]:
    return sheet_now(game).scores


def dealers(game: Game) -> list[int | None]:
    return [entry.facts.get("dealer") for entry in Entry.objects.filter(game=game).order_by("position", "revision")]


EVERY_WAY = ("tablet", "desk", "later", "practice")


def posted(way: str, dana: User, tablet: Client, game: Game, form: dict[str, str], **item: Any) -> Any:
    """What is answered to a line that comes this way; `item` is what a tablet sends of it later."""
    if way == "later":
        sent = Tablet(key_of(tablet), game)
        return sent.send(sent.item(form.get("kind", "hand"), **item))
    if way == "practice":
        document = Practice(game.round.event.sheet, 0).document()
        return Client().post("/practice/entries/", {"document": document, **form})
    if way == "desk":
        return signed_in(dana).post(reverse("game-entry", args=["evening", game.pk]), form)
    return check(tablet, form)


def test_two_boards_of_preview_desk_and_practice_table_go_to_the_right_sides(dana: User) -> None:
    tablet, game = table(dana, SHEET)
    assert "Aces +260, Books −130" in page_of(tablet.get(at("tablet-preview", game), BOTH_BOARD))
    assert posted("desk", dana, tablet, game, BOTH_BOARD).status_code == 302
    assert (scores(game), dealers(game)) == (TO_THE_RIGHT_SIDES, [0])
    page = posted("practice", dana, tablet, game, BOTH_BOARD)
    assert [line["dealer"] for line in json.loads(document(page))["entries"]] == [0]
    assert page.context["sheet"].scores == TO_THE_RIGHT_SIDES


def test_two_boards_sent_later_go_to_the_right_sides(dana: User) -> None:
    tablet, game = table(dana, SHEET)
    sent = Tablet(key_of(tablet), game)
    assert sent.results(sent.hand(1, FACTS), sent.hand(2, FACTS | {"cards": 12, "tricks": [0, 12]})) == [
        ("applied", ""),
        ("applied", ""),
    ]
    # The second hand is dealt by seat 1, so that seat 0 speaks before it: 120 for each, doubled for side 1.
    assert (scores(game), dealers(game)) == ((260 - 120, -130 + 240), [0, 1])


def test_two_boards_of_a_filled_paper_go_to_the_right_sides(dana: User) -> None:
    _, game = table(dana, SHEET)
    event = game.round.event
    read = read_boards(event, filled(game, [FACTS]))
    assert enter_boards(Actor(dana), event, keys_of(read.boards)) == 1
    assert (scores(game), dealers(game)) == (TO_THE_RIGHT_SIDES, [0])
    # The same file again says nothing else, though it names no dealer.
    assert enter_boards(Actor(dana), event, keys_of(read_boards(event, filled(game, [FACTS])).boards)) == 0


def test_a_correction_keeps_the_dealer_of_the_hand(dana: User) -> None:
    _, game = table(dana, SHEET)
    play(dana, game, FACTS, sign=False)
    revise_entry(Actor(dana), game, position=1, revision=0, facts=FACTS | {"tricks": [12, 1]}, reason="Miscounted")
    assert (scores(game), dealers(game)) == ((-260, -130), [0, 0])


def test_a_line_of_before_is_scored_as_it_was(dana: User) -> None:
    _, game = table(dana, SHEET)
    Entry.objects.create(game=game, position=1, revision=0, kind="hand", facts=FACTS, source="table")
    assert scores(game) == (130, -260)


@pytest.mark.parametrize("way", EVERY_WAY)
def test_words_in_an_impossible_order_are_refused(dana: User, way: str) -> None:
    tablet, game = table(dana, SHEET)
    form = turns(13, "board double-board pass pass", "13 0")
    assert REFUSED in page_of(posted(way, dana, tablet, game, form, position=1, facts=IMPOSSIBLE))
    assert not Entry.objects.exists()


def test_words_in_an_impossible_order_are_refused_on_a_filled_paper(dana: User) -> None:
    _, game = table(dana, SHEET)
    read = read_boards(game.round.event, filled(game, [IMPOSSIBLE]))
    assert [fault.text.partition(" A double")[0].endswith(REFUSED) for fault in read.faults] == [True]


def key_of(tablet: Client) -> str:
    return tablet.cookies[TABLE_COOKIE].value


# Uptown and downtown: named at the table where the bid leaves them open, shown on the sheet and on the rules page.
THREE_WAYS = ["Uptown", "Downtown, aces good", "Downtown, aces bad"]


@pytest.mark.parametrize(
    ("sheet", "offered"),
    [
        ("bid_whist/52-card", THREE_WAYS),
        ("bid_whist/standard", ["Uptown", "Downtown"]),
        ("bid_whist/no-kitty-2021", ["Uptown", "Downtown"]),
        ("bid_whist/boston-parr", []),
        ("spades/standard", []),
    ],
)
def test_the_directions_of_the_game_are_offered(dana: User, sheet: str, offered: list[str]) -> None:
    tablet, game = table(dana, sheet)
    asks = asked(sheet_now(game))
    assert (
        asks is not None
        and [choice.words for question in asks.of("direction") for choice in question.choices] == offered
    )
    page = page_of(tablet.get(reverse("tablet")))
    assert all(words in page for words in offered) and ('name="direction"' in page) == bool(offered)


def hand(**said: Any) -> dict[str, Any]:
    return {"position": "1", "seat": "0", "bid": "4", "books": "10", **said}


@pytest.mark.parametrize(
    ("sheet", "form", "shown"),
    [
        ("bid_whist/52-card", {"direction": "downtown-aces-bad"}, "downtown, aces bad"),
        ("bid_whist/52-card", {"direction": "downtown", "trump": "hearts"}, "hearts, downtown, aces good"),
        ("bid_whist/standard", {"bid": "4-no", "direction": "downtown"}, "downtown"),
    ],
)
def test_the_direction_of_a_hand_is_written_and_shown(
    dana: User, sheet: str, form: dict[str, str], shown: str, desk: Client
) -> None:
    tablet, game = table(dana, sheet)
    assert send(tablet, "hand", game, hand(**form))["status"] == "applied"
    assert Entry.objects.get().facts["direction"] == form["direction"]
    assert sheet_now(game).rows[0].written.trump == shown
    corrected = desk.get(reverse("game-revision", args=["evening", game.pk, 1]))
    assert corrected.context["values"]["direction"] == form["direction"]
    for browser, page in ((tablet, reverse("tablet")), (desk, reverse("desk-game", args=["evening", game.pk]))):
        assert shown in page_of(browser.get(page))


def test_a_direction_that_the_bid_excludes_is_refused_where_it_stands(dana: User) -> None:
    tablet, _ = table(dana, "bid_whist/standard")
    answer = check(tablet, hand(direction="downtown"))
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "direction")
    assert "A bid of 4 uptown is not played downtown." in answer.content.decode()


def test_a_number_with_no_trump_named_is_a_no_on_the_sheet_and_in_the_workbook(dana: User) -> None:
    _, game = table(dana, "bid_whist/52-card")
    play(dana, game, {"entry": "hand", "seat": 0, "bid": "5", "books": 11, "trump": "no-trump"}, sign=False)
    row = sheet_now(game).rows[0]
    assert (row.written.bid, row.written.text) == ("5 no trump", "5 no trump made with 11")
    event = game.round.event
    page = openpyxl.load_workbook(io.BytesIO(event_workbook(whole_book(event), event_sheets(event))))["Hands"]
    heads, line = page.iter_rows(min_row=4, max_row=5, values_only=True)
    assert [line[heads.index(head)] for head in ("Bid by", "Bid", "Took")] == ["Ann 1", "5 no trump", 11]


def test_the_rules_page_names_directions_and_hands_dealt_again(dana: User, client: Client) -> None:
    table(dana, "bid_whist/52-card")
    page = page_of(client.get(reverse("rules", args=["evening"])))
    assert " · ".join(THREE_WAYS) in page
    assert "All passed: the same player deals again" in page
    assert "A player without a face card called for a redeal: the same player deals again" in page
    assert "misdeal" in page and "Misdeal A" not in page and "Bw.renege" not in page
