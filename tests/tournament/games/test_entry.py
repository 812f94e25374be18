"""What a table of another game writes: refused at its field, kept as typed, corrected with the cards of its deal."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import play
from tests.messages import check, send
from tests.tournament.tablet.test_turns import table, turns
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.models import Entry, Event
from tournament.queries.rulings import asked
from tournament.queries.sheet import sheet_now
from tournament.services.devices import facts_of
from tournament.services.events import create_event


@pytest.mark.parametrize(
    ("sheet", "options", "cards", "bids", "tricks", "field", "said"),
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
    dana: User, sheet: str, options: dict[str, object], cards: int, bids: str, tricks: str, field: str, said: str
) -> None:
    tablet, _ = table(dana, sheet, sides=4 if "korean" in sheet else 2, **options)
    answer = check(tablet, turns(cards, bids, tricks))
    assert answer.status_code == 422
    assert answer.context["faults"][0].field == field
    assert said in " ".join(fault.text for fault in answer.context["faults"])
    assert answer.context["values"]["bid-0"] == bids.split()[0]
    assert Entry.objects.count() == 0
    page = answer.content.decode()
    at_question = page.index('id="step-bids"' if field == "bids" else 'id="step-tricks"')
    assert page.index('class="wrong"') > at_question


def test_a_first_round_and_trumps_may_be_written_in_okinawa(dana: User) -> None:
    tablet, game = table(dana, "okinawa/standard")
    asks = asked(sheet_now(game))
    assert asks is not None
    assert [call.place and call.place.index for call in asks.of("auction")] == [1, 2, 3, 0]
    assert [suit.value for suit in asks.of("trump")[0].choices] == ["clubs", "diamonds", "hearts", "spades"]
    calls = {"auction-1": "1", "auction-2": "2", "trump": "hearts"}
    assert send(tablet, "hand", game, turns(5, "pass 1 2 1", "3 2", **calls))["status"] == "applied"
    facts = Entry.objects.get().facts
    assert (facts["auction"], facts["dealer"], facts["trump"]) == (["1", "2", "pass", "pass"], 0, "hearts")


def test_a_first_round_that_goes_down_is_refused_where_it_stands(dana: User) -> None:
    tablet, _ = table(dana, "okinawa/standard")
    calls = {"auction-1": "3", "auction-2": "2"}
    answer = check(tablet, turns(5, "pass 3 1 1", "3 2", **calls))
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "auction")
    assert answer.context["values"]["auction-2"] == "2"


@pytest.mark.parametrize("sheet", ["spades/standard", "spades/new-york", "bid_whist/standard"])
def test_other_games_are_asked_for_no_first_round(dana: User, sheet: str) -> None:
    _, game = table(dana, sheet)
    asks = asked(sheet_now(game))
    suits = [4] if sheet.startswith("bid_whist") else []
    assert asks is not None and (asks.of("auction"), [len(one.choices) for one in asks.of("trump")]) == ((), suits)


def test_a_corrected_line_keeps_the_cards_of_its_own_deal(dana: User) -> None:
    _, game = table(dana, "back_alley/individual", sides=4)
    for cards in (13, 12, 11):
        hand = {"entry": "hand", "cards": cards, "bids": ["1", "2", "3", "1"], "tricks": [1, 2, cards - 4, 1]}
        play(dana, game, hand, sign=False)
    desk = Client()
    desk.force_login(dana)
    address = reverse("game-revision", args=[game.round.event.slug, game.pk, 2])
    shown = desk.get(address)
    assert shown.context["values"]["tricks-2"] == "8"
    assert '<input type="hidden" name="cards" value="12">' in shown.content.decode()
    form = turns(12, "1 2 4 1", "1 2 8 1", position="2", revision="0", reason="Bid misread")
    assert desk.post(address, form).status_code == 302
    assert Entry.objects.get(position=2, revision=1).facts["bids"] == ["1", "2", "4", "1"]


def test_paper_at_the_desk_goes_in_for_a_table_of_three(dana: User) -> None:
    _, game = table(dana, "back_alley/individual", sides=3)
    desk = Client()
    desk.force_login(dana)
    form = turns(13, "4 3 2", "5 4 4")
    assert desk.post(reverse("game-entry", args=[game.round.event.slug, game.pk]), form).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.scores, len(sheet.seats), sheet.coming[0].cards) == ((13, 10, 8), 3, 12)


def test_a_hand_that_does_not_count_is_void_by_the_rules_of_its_own_table(dana: User) -> None:
    _, game = table(dana, "back_alley/individual", sides=3)
    void = facts_of(game, "void", {"rule": "misdeal"})
    assert void == {"entry": "void", "rule": "misdeal", "reason": "A misdeal"}
    with pytest.raises(ValidationFailed, match="Say why the hand is void"):
        facts_of(game, "void", {"rule": "17"})


def test_pages_of_players_who_play_alone_speak_of_players(dana: User) -> None:
    event: Event = create_event(
        Actor(dana), {"name": "Reunion", "date": "2026-11-21", "sheet": "back_alley/individual"}
    )
    desk = Client()
    desk.force_login(dana)
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
