"""Bids of the hand in play, locked by its tablet: a message like any other, and no line of the sheet."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_game, play, revise_entry, seat_all
from tests.public import READ, addresses_in
from tests.sure import sure
from tests.tournament.submissions.conftest import Tablet, close_round
from tests.tournament.test_public_version import VERSION
from tournament.access import Actor
from tournament.models import Entry, Event, Game, Journal, Submission
from tournament.queries.deskgame import desk_sheet
from tournament.queries.pending import pending
from tournament.queries.sheet import sheet_games
from tournament.queries.tablet import tablet_page, tablet_place
from tournament.services.devices import issue_card, issue_second_card, pair_device, take_over
from tournament.services.entries import record_entry, undo_entry
from tournament.services.submissions import decide
from tournament.words.journal import in_full

pytestmark = pytest.mark.both_databases

MADE = {"entry": "hand", "bids": ["6", "6"], "tricks": [7, 6]}
SPADES = {"sheet": "spades/jokers"}


def a_table(dana: User, **fields: Any) -> Tablet:
    game = make_game(dana, **(SPADES | fields))
    seat_all(game)
    return Tablet(pair_device(Actor(), issue_card(Actor(dana), game.round.event, 1)), game)


@pytest.fixture
def tablet(dana: User) -> Tablet:
    """Aces against Books at Spades, each side with one bid."""
    return a_table(dana)


@pytest.fixture
def game(tablet: Tablet) -> Game:
    return tablet.game


@pytest.fixture
def second(dana: User, tablet: Tablet) -> Tablet:
    code = issue_second_card(Actor(dana), tablet.game.round.event, 1)
    return Tablet(pair_device(Actor(), code), tablet.game)


def bids(position: int, *calls: str, agreed: bool = False, **more: Any) -> dict[str, Any]:
    return {"kind": "bids", "position": position, "bids": list(calls), "agreed": agreed, **more}


def lock(tablet: Tablet, position: int, *calls: str, agreed: bool = False) -> dict[str, Any]:
    """As the tablet's script does: what it writes next is not behind the bids."""
    last = tablet.last
    item = tablet.item(**bids(position, *calls, agreed=agreed))
    tablet.last = last
    return item


def locked(tablet: Tablet) -> str:
    """What the table's tablet shows, and the desk with it."""
    page = tablet_page(tablet_place(tablet.device))
    game = sheet_games().get(pk=tablet.game.pk)
    desk = desk_sheet(Actor(User.objects.get(username="dana")), game)
    assert page.locked == desk.locked
    return page.locked.words if page.locked else ""


def answers(tablet: Tablet, *items: Any) -> list[tuple[str, str]]:
    return [(result["status"], result["text"]) for result in tablet.send(*items).json()["results"]]


def log() -> list[str]:
    return [in_full(act.action, act.code, act.facts) for act in Journal.objects.filter(action="bids").order_by("pk")]


def test_locked_bids_are_seen_at_table_and_desk_and_are_no_line(tablet: Tablet, second: Tablet, game: Game) -> None:
    before = Game.objects.get(pk=game.pk).version
    assert answers(tablet, lock(tablet, 1, "5", "Blind 7")) == [("applied", "")]
    assert (locked(tablet), locked(second)) == ("Aces 5 · Books Blind 7 · 12 of 13 bid",) * 2
    assert (Entry.objects.count(), log(), Game.objects.get(pk=game.pk).version) == (0, [], before + 1)
    assert answers(tablet, tablet.hand(1, MADE | {"bids": ["5", "blind-7"]})) == [("applied", "")]
    assert (Entry.objects.count(), locked(tablet), log()) == (1, "", [])


@pytest.mark.parametrize(
    ("fields", "calls", "words"),
    [
        ({"sheet": "spades/standard"}, ["nil", "4", "5", "3"], "Aces Nil + 5 · Books 7 · 12 of 13 bid"),
        ({"sheet": "spades/overtime"}, ["4", "4", "nil", "1"], "Aces 4 + Nil · Books 5 · 9 of 13 bid"),
        ({"sheet": "back_alley/partnership"}, ["7", "board", "pass", "pass"], "Aces 7 · Books Board"),
        (
            {"sheet": "back_alley/individual", "sides": 3},
            ["4", "pass", "6"],
            "Aces 4 · Books Pass · Night Owls 6 · 10 of 13 bid",
        ),
        ({"sheet": "okinawa/standard"}, ["1", "2", "pass", "1"], "Aces 1 · Books 3 · 4 of 5 bid"),
    ],
)
def test_every_game_in_which_everybody_bids_says_its_own_bids(
    dana: User, fields: dict[str, Any], calls: list[str], words: str
) -> None:
    tablet = a_table(dana, **fields)
    assert answers(tablet, lock(tablet, 1, *calls)) == [("applied", "")]
    assert locked(tablet) == words


def test_no_public_page_and_no_public_version_learns_of_them(tablet: Tablet, game: Game) -> None:
    event, stranger = game.round.event, Client()
    paths = [*addresses_in(event, READ).values(), reverse("public-game", args=[event.slug, game.pk])]

    def seen() -> tuple[int, list[str]]:
        pages = [VERSION.sub("", stranger.get(path).content.decode("latin-1")) for path in paths]
        return Event.objects.get(pk=event.pk).public_version, pages

    before = seen()
    assert answers(tablet, lock(tablet, 1, "6", "6")) == [("applied", "")]
    assert seen() == before


def test_the_same_again_changes_nothing_and_another_bid_needs_both_sides(tablet: Tablet) -> None:
    first = lock(tablet, 1, "6", "6")
    assert answers(tablet, first, first, lock(tablet, 1, "6", "6")) == [("applied", "")] * 3
    refused = "The bids are locked: Aces 6 · Books 6 · 12 of 13 bid. They change only when both sides agree."
    assert answers(tablet, lock(tablet, 1, "6", "5")) == [("discarded", refused)]
    assert (locked(tablet), log()) == ("Aces 6 · Books 6 · 12 of 13 bid", [])
    assert answers(tablet, lock(tablet, 1, "6", "5", agreed=True)) == [("applied", "")]
    words = "Aces 6 · Books 5 · 11 of 13 bid"
    assert locked(tablet) == words
    assert log() == [
        f"Game 1, table 1: bids of line 1 changed, both sides agree · Aces 6 · Books 6 · 12 of 13 bid · {words}"
    ]


REFUSED = [
    (bids(2, "6", "6"), "These bids are for line 2 of the sheet, and that is not the next one."),
    (bids(1, "6"), "This game needs 2 bids, not 1."),
    (bids(1, *"1234"), "This game needs 2 bids, not 4."),
    (bids(1, "6", "14"), "“14” cannot be bid now."),
    (bids(1, "6", "Nil"), "“Nil” cannot be bid now."),
    (bids(1), "This game needs 2 bids, not 0."),
]


@pytest.mark.parametrize(("item", "sentence"), REFUSED)
def test_bids_that_cannot_be_are_refused_in_a_sentence(tablet: Tablet, item: dict[str, Any], sentence: str) -> None:
    assert answers(tablet, tablet.item(**item)) == [("discarded", sentence)]
    assert (locked(tablet), Submission.objects.filter(status="parked").count()) == ("", 0)


@pytest.mark.parametrize(
    "field", [{"bids": "6"}, {"bids": [6, 6]}, {"bids": ["6"] * 7}, {"agreed": None}, {"position": -1}]
)
def test_what_is_no_message_of_bids_is_kept_as_it_came(tablet: Tablet, field: dict[str, Any]) -> None:
    assert tablet.results(tablet.item(**(bids(1, "6", "6") | field))) == [("parked", "refused")]


def test_a_lock_for_a_hand_on_the_sheet_and_one_in_a_game_that_is_over_are_refused(dana: User, tablet: Tablet) -> None:
    play(dana, tablet.game, MADE)
    assert answers(tablet, lock(tablet, 1, "6", "6")) == [("discarded", REFUSED[0][1].replace("line 2", "line 1"))]
    Game.objects.update(state="void")
    [(_, void)] = answers(tablet, lock(tablet, 2, "6", "6"))
    Game.objects.update(state="final")
    [(_, final)] = answers(tablet, lock(tablet, 2, "6", "6"))
    close_round()
    [(_, closed)] = answers(tablet, lock(tablet, 2, "6", "6"))
    assert (void, final, closed) == (
        "This game no longer counts.",
        "The sheet was final already.",
        "Game 1 is not in play.",
    )


def test_no_bids_are_locked_where_one_side_wins_an_auction_or_nobody_bids(dana: User) -> None:
    for fields in ({"sheet": "bid_whist/no-kitty-2021"}, {"sheet": "spades/new-york"}):
        tablet = a_table(dana, name=fields["sheet"], **fields)
        assert answers(tablet, lock(tablet, 1, "6", "6")) == [("discarded", "No bids can be locked here now.")]


def test_only_the_tablet_that_keeps_score_locks_and_one_that_takes_over_has_the_bids(
    tablet: Tablet, second: Tablet
) -> None:
    looks_on = "Another tablet was keeping score at table 1 when this arrived."
    assert answers(second, lock(second, 1, "6", "6")) == [("discarded", looks_on)]
    tablet.send(lock(tablet, 1, "6", "6"))
    take_over(Actor(None, second.device), second.device)
    assert answers(tablet, lock(tablet, 1, "6", "5", agreed=True)) == [("discarded", looks_on)]
    assert (locked(second), log()) == ("Aces 6 · Books 6 · 12 of 13 bid", [])
    assert answers(second, second.hand(1, MADE)) == [("applied", "")]
    assert locked(second) == ""


@pytest.mark.parametrize("source", ["table", "desk"])
def test_a_hand_with_other_bids_is_the_sheets_fact_and_the_log_has_both(
    tablet: Tablet, dana: User, source: str
) -> None:
    tablet.send(lock(tablet, 1, "6", "6"))
    other = MADE | {"bids": ["6", "5"], "tricks": [8, 5]}
    if source == "table":
        assert answers(tablet, tablet.hand(1, other)) == [("applied", "")]
    else:
        record_entry(Actor(dana), tablet.game, other, source="desk")
    assert (sure(Entry.objects.first()).facts["bids"], locked(tablet)) == (["6", "5"], "")
    assert log() == [
        "Game 1, table 1: line 1 recorded with other bids than were locked · "
        "Aces 6 · Books 6 · 12 of 13 bid · Aces 6 · Books 5 · 11 of 13 bid"
    ]


def test_a_night_offline_is_delivered_in_order_and_a_lost_lock_parks_no_hand(tablet: Tablet, game: Game) -> None:
    batch = [lock(tablet, 1, "6", "5"), lock(tablet, 1, "6", "6", agreed=True), tablet.hand(1, MADE)]
    batch += [lock(tablet, 2, "6", "6"), lock(tablet, 2, "7", "6", agreed=True)]
    assert answers(tablet, *batch) == [("applied", "")] * 5
    assert answers(tablet, *batch) == [("applied", "")] * 5
    assert (locked(tablet), Entry.objects.count(), len(log())) == ("Aces 7 · Books 6 · 13 of 13 bid", 1, 2)
    lost = lock(tablet, 3, "6", "6")
    assert answers(tablet, tablet.hand(2, MADE | {"bids": ["7", "6"]}), tablet.hand(3, MADE)) == [("applied", "")] * 2
    assert answers(tablet, lost) == [("discarded", REFUSED[0][1].replace("line 2", "line 3"))]


def test_bids_behind_a_hand_that_waits_wait_with_it(tablet: Tablet, dana: User) -> None:
    gap = tablet.hand(2, MADE)
    assert tablet.results(gap, lock(tablet, 3, "6", "board")) == [("parked", "gap"), ("parked", "waiting")]
    [case] = pending(tablet.game.round.event).rows
    assert case.behind == ("Bids of line 3: 6, Board",)
    Submission.objects.filter(kind="bids").delete()
    tablet.results(lock(tablet, 2, "6", "6"))
    decide(Actor(dana), case.sent, "apply", "hand 1 it was")
    assert locked(tablet) == "Aces 6 · Books 6 · 12 of 13 bid"


def test_what_changes_on_the_sheet_meanwhile(tablet: Tablet, dana: User, game: Game) -> None:
    """A hand, or a deal that is void, overtakes the bids; a correction and a ruling leave the hand in play."""
    actor, words = Actor(dana), "Aces 6 · Books 6 · 12 of 13 bid"
    tablet.send(tablet.hand(1, MADE), lock(tablet, 2, "6", "6"))
    revise_entry(actor, game, position=1, revision=0, facts=MADE | {"tricks": [6, 7]}, reason="as on paper")
    assert locked(tablet) == words
    record_entry(actor, game, {"entry": "adjustment", "points": [-10, 0], "reason": "talking"}, source="desk")
    assert (locked(tablet), answers(tablet, tablet.hand(3, MADE))) == (words, [("applied", "")])
    undo_entry(actor, game, position=3)
    assert locked(tablet) == ""
    tablet.send(lock(tablet, 3, "6", "6"))
    assert locked(tablet) == words
    record_entry(actor, game, {"entry": "ruling", "rule": "misdeal", "choice": "void"}, source="desk")
    assert locked(tablet) == ""


def test_another_content_under_the_same_number_is_told_and_the_bids_stay(tablet: Tablet) -> None:
    first = lock(tablet, 1, "6", "6")
    reused = "It has the same number as something received earlier."
    assert answers(tablet, first, first | {"bids": ["6", "7"]}) == [("applied", ""), ("discarded", reused)]
    assert locked(tablet) == "Aces 6 · Books 6 · 12 of 13 bid"


@pytest.mark.parametrize(
    ("sheet", "calls", "sentence"),
    [
        ("spades/overtime", ("3", "4", "with-partner", "4"), "“With partner” cannot be bid now."),
        (
            "back_alley/partnership",
            ("double-board", "1", "pass", "2"),
            "A double board needs a board before it, a triple board a double board, and each is bid once.",
        ),
        (
            "back_alley/partnership",
            ("pass", "pass", "pass", "pass"),
            "All passed: the hand is thrown in, and no tricks are played.",
        ),
    ],
)
def test_bids_that_exclude_each_other_are_refused_when_they_are_locked(
    dana: User, sheet: str, calls: tuple[str, ...], sentence: str
) -> None:
    tablet = a_table(dana, sheet=sheet)
    assert answers(tablet, lock(tablet, 1, *calls)) == [("discarded", sentence)]
    assert locked(tablet) == ""


def test_two_blind_bids_of_partners_are_refused_when_they_are_locked(dana: User) -> None:
    tablet = a_table(dana, sheet="spades/overtime")
    behind = {"entry": "adjustment", "points": [-120, 0], "reason": "carried on"}
    play(dana, tablet.game, behind, sign=False)
    sentence = "“blind 7” is bid for both partners: the partner’s bid is “With partner”."
    assert answers(tablet, lock(tablet, 2, "blind-7", "3", "blind-6", "4")) == [("discarded", sentence)]
    assert answers(tablet, lock(tablet, 2, "blind-7", "3", "with-partner", "4")) == [("applied", "")]


def test_bids_that_exclude_each_other_are_told_before_they_are_locked(dana: User, desk: Client) -> None:
    tablet = a_table(dana, sheet="back_alley/partnership")
    told = "A double board needs a board before it, a triple board a double board, and each is bid once."
    typed = dict(zip((f"bid-{seat}" for seat in range(4)), ("double-board", "1", "pass", "2"), strict=True))
    preview = reverse("game-preview", args=[tablet.game.round.event.slug, tablet.game.pk])
    page = desk.get(preview, typed).content.decode()
    assert (told in page, "data-at-bids" in page) == (True, True)
    assert "data-at-bids" not in desk.get(preview, typed | {"bid-0": "board"}).content.decode()


@pytest.mark.parametrize(
    ("sheet", "options", "voids"),
    [
        ("spades/standard", {}, ["A misdeal: Ann 1 deals again"]),
        ("spades/standard", {"misdeal_dealer": "next"}, ["A misdeal: Ann 2 deals next"]),
        ("back_alley/partnership", {}, ["A misdeal: Ann 1 deals again", "All passed: Ann 2 deals next"]),
        (
            "back_alley/partnership",
            {"thrown_in_dealer": "same"},
            ["A misdeal: Ann 1 deals again", "All passed: Ann 1 deals again"],
        ),
    ],
)
def test_a_void_hand_says_by_name_who_deals_then(
    dana: User, desk: Client, sheet: str, options: dict[str, Any], voids: list[str]
) -> None:
    tablet = a_table(dana, sheet=sheet, options=options)
    sheet_shown = tablet_page(tablet_place(tablet.device)).sheet
    assert sheet_shown is not None
    assert [void.words for void in sheet_shown.voids] == voids
    page = desk.get(reverse("desk-game", args=[tablet.game.round.event.slug, tablet.game.pk])).content.decode()
    assert all(words in page for words in voids)


def test_whoever_is_due_deals_where_somebody_else_had_dealt(dana: User) -> None:
    tablet = a_table(dana, sheet="bid_whist/no-kitty-2021")
    sheet = tablet_page(tablet_place(tablet.device)).sheet
    assert sheet is not None
    assert [void.words for void in sheet.voids][:2] == [
        "The wrong player dealt: Ann 1 deals",
        "Wrong number of cards before the bidding: Ann 1 deals again",
    ]
