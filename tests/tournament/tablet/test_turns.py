"""The form of games in which everybody bids."""

from __future__ import annotations

import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_round, make_teams
from tests.messages import check, send
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.models import Entry, Game
from tournament.queries.rulings import asked
from tournament.queries.sheet import sheet_now
from tournament.services.rounds import choose_first_dealer, seat_side


def table(dana: User, sheet: str, sides: int = 2, **options: object) -> tuple[Client, Game]:
    """A tablet at a table where another game is played, seated and ready. Six players may sit at three sides."""
    chosen = options | ({"sides": sides} if options.get("players") == 6 else {})
    event = make_event(f"Evening of {sheet}", dana, sheet=sheet, slug="evening", options=chosen)
    game = make_round(event, [tuple(make_teams(event, sides))]).games.get()
    tablet = bind(dana, event, 1)
    for side in range(sides):
        seat_side(Actor(), game, side)
    choose_first_dealer(Actor(), game, 0)
    return tablet, game


def turns(cards: int, bids: str, tricks: str, **changes: str) -> dict[str, str]:
    form = {"cards": str(cards), "position": "1", "client_key": str(uuid.uuid4())}
    form |= {f"bid-{index}": bid for index, bid in enumerate(bids.split())}
    return form | {f"tricks-{index}": count for index, count in enumerate(tricks.split())} | changes


def test_one_bid_and_one_count_a_seat_become_the_facts_of_the_hand(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    form = turns(13, "4 nil 3 3", "5 0 4 4")
    assert [send(tablet, "hand", game, form)["status"] for _ in range(2)] == ["applied"] * 2
    facts = {"entry": "hand", "cards": 13, "bids": ["4", "nil", "3", "3"], "tricks": [5, 0, 4, 4], "dealer": 0}
    assert [entry.facts for entry in Entry.objects.all()] == [facts]


def test_six_players_of_three_teams_are_asked_one_after_the_other(dana: User) -> None:
    tablet, game = table(dana, "back_alley/partnership", sides=3, players=6)
    asks = asked(sheet_now(game))
    assert asks is not None
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


def test_the_sheet_says_what_everybody_bid_and_took(dana: User) -> None:
    tablet, game = table(dana, "spades/standard")
    send(tablet, "hand", game, turns(13, "4 nil 3 3", "5 0 4 4"))
    shown = tablet.get(reverse("tablet")).content.decode()
    assert "Bid: Ann 1 4, Ann 2 Nil, Bea 1 3, Bea 2 3. Took: Ann 1 5, Ann 2 0, Bea 1 4, Bea 2 4" in shown


@pytest.mark.parametrize(
    ("bids", "tricks", "said"),
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
    dana: User, bids: str, tricks: str, said: str
) -> None:
    tablet, _ = table(dana, "spades/standard")
    answer = check(tablet, turns(13, bids, tricks))
    assert answer.status_code == 422
    assert any(said in fault.text for fault in answer.context["faults"])
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
    first = asked(sheet_now(game))
    assert first is not None and first.of("bids") == ()
    assert [taker.place and taker.place.name for taker in first.of("tricks")] == ["Books", "Aces"]
    assert send(tablet, "hand", game, turns(13, "", "7 6"))["status"] == "applied"
    second = asked(sheet_now(game))
    assert second is not None and [turn.place and turn.place.name for turn in second.of("bids")] == ["Aces", "Books"]


def test_a_first_six_bid_asks_whether_it_was_won(dana: User) -> None:
    tablet, game = table(dana, "back_alley/partnership", first_six=True)
    questions = asked(sheet_now(game))
    assert questions is not None and [one.words for one in questions.of("first_six")] == [
        "First six bid: were all six won?"
    ]
    form = turns(13, "first-six pass 3 3", "8 5")
    answer = check(tablet, form)
    assert (answer.status_code, answer.context["faults"][0].field) == (422, "first_six")
    assert send(tablet, "hand", game, {**form, "first_six": "yes"})["status"] == "applied"
    assert Entry.objects.get().facts["first_six"] is True


def test_individuals_bid_and_score_for_themselves(dana: User) -> None:
    tablet, game = table(dana, "back_alley/individual", sides=4)
    assert send(tablet, "hand", game, turns(13, "4 3 pass 2", "5 3 0 5"))["status"] == "applied"
    assert len(sheet_now(game).scores) == 4


def test_a_poll_with_nothing_typed_does_not_warn(dana: User) -> None:
    tablet, _ = table(dana, "spades/standard")
    polled = {"version": "old", "cards": "13", "position": "4"}
    answer = tablet.get(reverse("tablet"), polled, headers={"HX-Request": "true"})
    assert (answer.context["values"], answer.context["faults"]) == ({}, ())
