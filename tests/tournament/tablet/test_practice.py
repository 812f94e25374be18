"""The practice table: looks and works like the tablet, by every sheet, and stores nothing at all."""

from __future__ import annotations

import html
import json
import re
import uuid
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_game, page_of, play, seat_all
from tests.messages import check, send
from tests.sure import sure
from tests.tournament.tablet.conftest import at, bind
from tests.tournament.tablet.hands import EVERY_SHEET, legal_hand
from tournament.models import Entry, Game
from tournament.queries.rulings import asked
from tournament.queries.sheet import Effect, effect_of_hand, sheet_games, sheet_now
from tournament.queries.tablet import Practice, practice_game, practice_page


def document(response: Any) -> str:
    return html.unescape(sure(re.search(r'name="document" value="([^"]*)"', response.content.decode()))[1])


def rows() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_models()}


@pytest.mark.parametrize("key", EVERY_SHEET)
def test_a_game_of_every_sheet_is_played_to_its_end_and_nothing_is_stored(db: None, client: Client, key: str) -> None:
    before = rows()
    page = client.get("/practice/", {"sheet": key})
    assert "Who deals first?" in page_of(page) and "Practice: nothing is saved." in page_of(page)
    page = client.post("/practice/seats/", {"document": document(page), "dealer": "1"})
    for _ in range(20):
        played = Practice(key, 1, tuple(json.loads(document(page))["entries"]))
        if sure(practice_page(played).sheet).over:
            break
        form = {"document": document(page), **legal_hand(practice_game(played))}
        page = client.post("/practice/entries/", form)
        assert page.status_code == 200, page_of(page)
    sheet = sure(practice_page(Practice(key, 1, tuple(json.loads(document(page))["entries"]))).sheet)
    # A game to a number of points may go on for longer than anybody practises.
    for side in sheet.unsigned:
        form = {"document": document(page), "name": side.players[0], "code": sheet.code}
        page = client.post("/practice/signatures/", {"side": side.index, **form})
        assert page.status_code == 200
    assert ("Practice again" in page_of(page)) == sheet.over
    assert rows() == before
    assert "sessionid" not in client.cookies


@pytest.fixture
def begun(db: None, client: Client) -> Any:
    """A practice game of the tournament sheet with its dealer named."""
    return client.post("/practice/seats/", {"document": Practice().document(), "dealer": "0"})


def test_the_effect_is_said_before_the_hand_is_written(begun: Any, client: Client) -> None:
    form = {"document": document(begun), "seat": "0", "bid": "3", "books": "9"}
    part = client.post("/practice/preview/", form, headers={"HX-Request": "true"})
    assert "3 made with 9 books: Eagles +3" in page_of(part)
    whole = client.post("/practice/preview/", form)
    assert "3 made with 9 books: Eagles +3" in page_of(whole) and json.loads(document(whole))["entries"] == []


def test_a_hand_is_written_undone_and_made_void(begun: Any, client: Client) -> None:
    second_hand = client.post(
        "/practice/entries/", {"document": document(begun), "seat": "1", "bid": "2-no", "books": "7"}
    )
    assert "row-set" in page_of(second_hand)
    two = client.post("/practice/entries/", {"document": document(second_hand), "entry": "void", "rule": "17"})
    assert [line["entry"] for line in json.loads(document(two))["entries"]] == ["hand", "void"]
    back = client.post("/practice/undos/", {"document": document(two)})
    assert [line["entry"] for line in json.loads(document(back))["entries"]] == ["hand"]


def test_what_the_rules_refuse_keeps_the_game_and_what_was_typed(begun: Any, client: Client) -> None:
    page = client.post("/practice/entries/", {"document": document(begun), "seat": "1", "bid": "2"})
    assert page.status_code == 422 and "How many books did the bidding side take?" in page_of(page)
    assert re.search(r'id="bid-2"[^>]*checked', page_of(page))
    assert document(page) == document(begun)
    assert client.post("/practice/undos/", {"document": document(begun)}).status_code == 409
    assert client.post("/practice/seats/", {"document": document(begun), "dealer": "9"}).status_code == 422
    late = client.post("/practice/signatures/", {"document": document(begun), "side": "0", "name": "Ann"})
    assert late.status_code == 409


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"sheet":"no/such","dealer":0,"entries":[],"signed":[]}',
        '{"sheet":["x"],"dealer":0,"entries":[],"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":9,"entries":[],"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":true,"entries":[],"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":0,"entries":[1],"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":0,"entries":{"a":1},"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":0,"entries":[{"entry":"ruling"}],"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":0,"entries":[{"entry":["hand"]}],"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":0,"entries":[{"entry":"hand","seat":0,"bid":"9","books":3}],"signed":[]}',
        '{"sheet":"bid_whist/standard","dealer":0,"entries":[],"signed":[["x",1]]}',
        '{"sheet":"bid_whist/standard","dealer":0,"entries":[],"signed":7}',
        "9" * 70_000,
        "[" * 3000,
    ],
)
def test_a_game_that_no_page_sent_is_refused_in_words(db: None, client: Client, sent: str) -> None:
    for name in ("entries", "undos", "seats", "signatures", "preview"):
        answer = client.post(f"/practice/{name}/", {"document": sent})
        assert answer.status_code == 422, (name, sent)
        assert "This practice game cannot be read." in page_of(answer)


def test_an_unknown_sheet_gives_the_usual_one(db: None, client: Client) -> None:
    assert json.loads(document(client.get("/practice/?sheet=x")))["sheet"] == "bid_whist/no-kitty-2021"


def test_the_events_page_and_the_pairing_page_lead_there(db: None, client: Client) -> None:
    assert all('href="/practice/"' in page_of(client.get(path)) for path in ("/", "/t/"))


# What a hand would do, in words, before it is recorded.
HTMX = {"HX-Request": "true"}


def effect(game: Game, **facts: object) -> Effect | None:
    return effect_of_hand(sheet_games().get(pk=game.pk), {"entry": "hand", **facts})


def test_effect_of_hand_that_is_made_and_doubled(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "3", "books": 9})
    assert effect(game, seat=1, bid="2-no", books=8) == Effect(
        "2-No made with 8 books: Books +4",
        (
            "2-No bid, 8 books: 2 over six, +2 (rule 4); No bid, doubled, +2 (rule 5).",
            "Score after this hand: Aces 3, Books 4.",
        ),
        "made",
    )


def test_effect_of_hand_that_ends_the_game(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    shown = sure(effect(game, seat=3, bid="3-no", books=9))
    assert (shown.headline, shown.outcome) == ("3-No made with 9 books: Books +6", "over")
    assert shown.lines[-1] == "Game over: Books won, by points (rule 6). Aces 0, Books 8."


@pytest.mark.parametrize(
    ("books", "headline", "outcome"),
    [(8, "3 set with 8 books: Aces −3", "set"), (14, "There are 13 books; 14 is not possible.", "refused")],
)
def test_effect_of_hand_that_is_set_or_cannot_be(game: Game, books: int, headline: str, outcome: str) -> None:
    shown = sure(effect(game, seat=0, bid="3", books=books))
    assert (shown.headline, shown.outcome) == (headline, outcome)


def test_the_preview_answers_words_and_stores_nothing(ready: Client, game: Game) -> None:
    answer = ready.get(at("tablet-preview", game), {"seat": "1", "bid": "3-no", "books": "9"}, headers=HTMX)
    assert "3-No made with 9 books: Books +6" in answer.content.decode()
    assert Entry.objects.count() == 0


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({}, "show here before you record it"),
        ({"seat": "1", "bid": "3-no"}, "Books bid 3-No: how many books did they take?"),
        ({"seat": "77", "bid": "3-no"}, "show here before"),
        ({"bid": "3-no"}, "show here before"),
    ],
)
def test_the_preview_of_half_a_hand_asks_for_the_rest(
    ready: Client, game: Game, typed: dict[str, str], sentence: str
) -> None:
    assert sentence in ready.get(at("tablet-preview", game), typed, headers=HTMX).content.decode()


# The form of games in which everybody bids.
def table(dana: User, sheet: str, sides: int = 2, **options: object) -> tuple[Client, Game]:
    """A tablet at a table where another game is played, seated and ready. Six players may sit at three sides."""
    chosen = options | ({"sides": sides} if options.get("players") == 6 else {})
    game = make_game(dana, sides, name=f"Evening of {sheet}", sheet=sheet, slug="evening", options=chosen)
    seat_all(game)
    return bind(dana, game.round.event, 1), game


def turns(cards: int, bids: str, tricks: str, **changes: str) -> dict[str, str]:
    form = {"cards": str(cards), "position": "1", "client_key": str(uuid.uuid4())}
    form |= {f"bid-{index}": bid for index, bid in enumerate(bids.split())}
    return form | {f"tricks-{index}": count for index, count in enumerate(tricks.split())} | changes


def test_one_bid_and_one_count_a_seat_become_the_facts_of_the_hand_and_stand_on_the_sheet(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    form = turns(13, "4 nil 3 3", "5 0 4 4")
    assert [send(tablet, "hand", game, form)["status"] for _ in range(2)] == ["applied"] * 2
    facts = {"entry": "hand", "cards": 13, "bids": ["4", "nil", "3", "3"], "tricks": [5, 0, 4, 4], "dealer": 0}
    assert [entry.facts for entry in Entry.objects.all()] == [facts]
    shown = tablet.get(reverse("tablet")).content.decode()
    assert "Bid: Ann 1 4, Ann 2 Nil, Bea 1 3, Bea 2 3. Took: Ann 1 5, Ann 2 0, Bea 1 4, Bea 2 4" in shown


def test_six_players_of_three_teams_are_asked_one_after_the_other(dana: User) -> None:
    tablet, game = table(dana, "back_alley/partnership", sides=3, players=6)
    asks = sure(asked(sheet_now(game)))
    assert [turn.place and turn.place.name for turn in asks.of("bids")] == [
        "Ann 2",
        "Ann 3",
        "Bea 1",
        "Bea 2",
        "Bea 3",
        "Ann 1",
    ]
    assert "What did Bea 3 bid?" in check(tablet, turns(8, "2 1", "")).content.decode()
    form = turns(8, "2 1 3 pass 1 board", "5 2 1")
    assert send(tablet, "hand", game, form)["status"] == "applied"
    sheet = sheet_now(game)
    assert (sheet.scores, sheet.coming[0].cards) == ((13, 10, -80), 7)


@pytest.mark.parametrize(
    ("bids", "tricks", "sentence"),
    [
        ("4 nil 3", "5 0 4 4", "What did Bea 2 bid?"),
        ("4 nil 3 3", "5 0 4", "How many tricks did Bea 2 take?"),
        ("4 nil 3 3", "5 0 4 x", "“x” is not a number: how many tricks did Bea 2 take?"),
        ("4 nil 3 3", "5 0 4 5", "13 tricks were played, but 14 are written down."),
        ("4 nil 3 3", "5 0 9 -1", "Tricks are counted from 0."),
        ("4 nil 3 99", "5 0 4 4", "“99” cannot be bid"),
    ],
)
def test_what_is_missing_or_cannot_be_is_said_and_the_rest_is_kept(
    dana: User, bids: str, tricks: str, sentence: str
) -> None:
    tablet, _ = table(dana, "spades/standard")
    answer = check(tablet, turns(13, bids, tricks))
    assert answer.status_code == 422
    assert any(sentence in fault.text for fault in answer.context["faults"])
    assert answer.context["values"]["bid-1"] == "nil" and "cards" not in answer.context["values"]
    assert Entry.objects.count() == 0


def test_a_number_of_cards_that_is_never_dealt_is_refused(dana: User) -> None:
    tablet, _ = table(dana, "back_alley/partnership")
    answer = check(tablet, turns(40, "4 pass 3 3", "6 7"))
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "cards")


def test_when_all_pass_no_tricks_are_asked_for(dana: User) -> None:
    tablet, game = table(dana, "back_alley/partnership")
    assert send(tablet, "hand", game, turns(13, "pass pass pass pass", ""))["status"] == "applied"
    assert Entry.objects.get().facts["tricks"] == [0, 0]


def test_sides_bid_where_the_sheet_says_so_and_the_first_hand_may_have_no_bids(dana: User) -> None:
    tablet, game = table(dana, "spades/new-york")
    first = sure(asked(sheet_now(game)))
    assert first.of("bids") == ()
    assert [taker.place and taker.place.name for taker in first.of("tricks")] == ["Books", "Aces"]
    assert send(tablet, "hand", game, turns(13, "", "7 6"))["status"] == "applied"
    assert [turn.place and turn.place.name for turn in sure(asked(sheet_now(game))).of("bids")] == ["Aces", "Books"]


def test_a_first_six_bid_asks_whether_it_was_won(dana: User) -> None:
    tablet, game = table(dana, "back_alley/partnership", first_six=True)
    questions = sure(asked(sheet_now(game)))
    assert [question.words for question in questions.of("first_six")] == ["First six bid: were all six won?"]
    form = turns(13, "first-six pass 3 3", "8 5")
    answer = check(tablet, form)
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "first_six")
    assert send(tablet, "hand", game, {**form, "first_six": "yes"})["status"] == "applied"
    assert Entry.objects.get().facts["first_six"] is True


def test_a_poll_with_nothing_typed_does_not_warn(dana: User) -> None:
    tablet, _ = table(dana, "spades/standard")
    polled = {"version": "old", "cards": "13", "position": "4"}
    answer = tablet.get(reverse("tablet"), polled, headers={"HX-Request": "true"})
    assert (answer.context["values"], answer.context["faults"]) == ({}, ())
