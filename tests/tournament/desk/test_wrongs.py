"""Rulings about a hand, at the desk: previewed, on the sheet with the hand they are about, withdrawn, carried along."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.document import print_score
from tests.factories import confirmed_in, make_game, page_of, play, words_of
from tests.sure import sure
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import ValidationFailed
from tournament.models import Game, Journal
from tournament.queries.rulings import rulings_of
from tournament.queries.sheet import sheet_now
from tournament.services.corrections import apply_ruling, correct_sheet, withdraw_ruling
from tournament.services.entries import record_entry


def hand(bids: str, *tricks: int) -> dict[str, Any]:
    return {"entry": "hand", "bids": bids.split(), "tricks": list(tricks)}


FIRST, SECOND = hand("6 5", 7, 6), hand("4 7", 6, 7)
RENEGE = {"entry": "ruling", "rule": "renege", "side": 0, "choice": "set"}


def spades(dana: User, **options: Any) -> Game:
    return make_game(dana, sheet="spades/jokers", options={"renege_price": "set"} | options)


@pytest.fixture
def game(dana: User) -> Game:
    return spades(dana)


def rule(game: Game) -> str:
    return reverse("game-ruling", args=[game.round.event.slug, game.pk])


def words_on(response: Any) -> str:
    return " ".join(words_of(response).split())


def test_renege_is_previewed_applied_reported_and_withdrawn(game: Game, dana: User, desk: Client) -> None:
    play(dana, game, FIRST, SECOND)
    asked = desk.get(rule(game), {"rule": "renege", "side": "0", "choice": "set"})
    assert asked.context["form"].hands == (
        ("1", "Hand 1: Bid: Aces 6, Books 5. Took: Aces 7, Books 6"),
        ("2", "Hand 2: Bid: Aces 4, Books 7. Took: Aces 6, Books 7"),
    )
    answers = {"rule": "renege", "side": "0", "choice": "set", "line": "1"}
    shown = desk.get(rule(game), answers)
    effect = shown.context["form"].effect
    assert (effect.before, effect.after) == ((103, 121), (-18, 121))
    assert effect.counts == ("Aces: no sets → 1 set", "Aces: 3 bags → 2 bags")
    text = "Aces −60 : renege, scored as if no trick was taken: 6 bid, 0 tricks: set"
    assert text in words_on(shown)

    desk.post(rule(game), answers | {"position": "3"})
    sheet = sheet_now(game)
    assert [(row.number, row.deltas, row.sets) for row in sheet.rows] == [
        (1, (-60, 51), (1, 0)),
        (2, (42, 70), (1, 0)),
        (None, (0, 0), (1, 0)),
    ]
    assert sheet.rows[2].written.text == "Renege by Aces: set for the hand (hand 1)"
    [ruling] = rulings_of(game.round.event)
    assert ruling.effect == ("Aces −60: renege, scored as if no trick was taken: 6 bid, 0 tricks: set",)
    ruled = Journal.objects.get(action="rule")
    assert ruled.facts["what"] == "Renege by Aces: set for the hand (hand 1)"

    withdraw_ruling(Actor(dana), game, position=3, revision=0, reason="no renege after all")
    assert (sheet_now(game).scores, sheet_now(game).sets) == ((103, 121), (0, 0))


def test_each_of_two_reneges_in_one_hand_says_what_it_cost_its_own_side(game: Game, dana: User, desk: Client) -> None:
    play(dana, game, FIRST, RENEGE | {"line": 1})
    shown = desk.get(rule(game), {"rule": "renege", "side": "1", "choice": "set", "line": "1"})
    text = "renege, scored as if no trick was taken: 5 bid, 0 tricks: set"
    assert [(gain.side, gain.points, gain.text) for gain in shown.context["form"].effect.gains] == [
        ("Books", -50, text)
    ]
    apply_ruling(Actor(dana), game, RENEGE | {"side": 1, "line": 1}, position=3)
    assert [ruling.effect for ruling in rulings_of(game.round.event)] == [
        ("Aces −60: renege, scored as if no trick was taken: 6 bid, 0 tricks: set",),
        (f"Books −50: {text}",),
    ]


def test_a_renege_in_the_last_hand_takes_the_end_back(game: Game, dana: User, desk: Client) -> None:
    opening = {"entry": "adjustment", "points": [450, 0], "reason": "carried on"}
    play(dana, game, opening, FIRST, sign=False)
    assert sheet_now(game).over
    shown = desk.get(rule(game), {"rule": "renege", "side": "0", "choice": "set"})
    assert shown.context["form"].effect.goes_on and "The game goes on." in words_on(shown)
    refused = desk.get(rule(game), {"rule": "forfeit", "side": "0", "choice": "forfeit"})
    assert "The game is over: nothing can be added." in words_on(refused)
    apply_ruling(Actor(dana), game, RENEGE | {"line": 2}, position=3)
    game.refresh_from_db()
    assert (game.state, sheet_now(game).scores) == ("playing", (390, 51))
    record_entry(Actor(dana), game, SECOND)
    assert sheet_now(game).scores == (432, 121)


def test_a_ruling_that_ends_the_game_earlier_sets_the_later_hand_aside(dana: User, desk: Client) -> None:
    game = spades(dana, set_limit=2)
    play(dana, game, FIRST, hand("6 5", 5, 8), SECOND)
    shown = desk.get(rule(game), {"rule": "renege", "side": "0", "choice": "set", "line": "1"})
    assert "The game is over: Books won" in words_on(shown)
    apply_ruling(Actor(dana), game, RENEGE | {"line": 1}, position=4)
    rows = sheet_now(game).rows
    assert [row.scores for row in rows] == [(-60, 51), (-120, 104), (-120, 104), (-120, 104)]
    assert [row.ends_game for row in rows] == [False, True, False, False]
    assert rows[2].written.text == "set aside: the game was over before this hand"
    withdraw_ruling(Actor(dana), game, position=4, revision=0, reason="not shown")
    assert sheet_now(game).scores == (43, 174)


def test_a_hand_that_is_ruled_on_stays_a_hand(game: Game, dana: User) -> None:
    play(dana, game, FIRST, SECOND, RENEGE | {"line": 1})
    with pytest.raises(ValidationFailed) as refused:
        correct_sheet(Actor(dana), game, position=1, revision=0, facts=None, reason="not played")
    [fault] = refused.value.faults
    assert fault.text == "After this, line 2 of the sheet would be refused: Line 1 is not a hand above this ruling."
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=hand("5 5", 7, 6), reason="bid miscopied")
    assert sheet_now(game).scores == (-8, 121)


def test_a_ruling_needs_a_hand_of_the_sheet(game: Game, desk: Client, dana: User) -> None:
    answers = {"rule": "renege", "side": "0", "choice": "set", "position": "1"}
    assert "Which hand is it about? Save the hand first." in words_on(desk.post(rule(game), answers))
    play(dana, game, FIRST)
    refused = desk.post(rule(game), answers | {"position": "2", "line": "7"})
    assert (refused.status_code, "Which hand is it about?" in words_on(refused)) == (422, True)


def test_renege_without_a_price_is_an_adjustment_that_the_report_counts(dana: User, desk: Client) -> None:
    game = spades(dana, renege_price="adjustment")
    play(dana, game, FIRST)
    answers = {"rule": "renege", "choice": "adjustment", "means": "points", "points-0": "-30", "reason": "renege"}
    whose = desk.post(rule(game), answers | {"position": "2"})
    assert (whose.status_code, "Which side broke the rule?" in words_on(whose)) == (422, True)
    assert desk.post(rule(game), answers | {"side": "0", "position": "2"}).status_code == 302
    [row] = sheet_now(game).rows[1:]
    assert (row.facts["rule"], row.deltas) == ("renege", (-30, 0))
    assert (row.facts["side"], row.facts["line"], row.written.about) == (0, 1, "Aces")


UNBID = {"entry": "hand", "tricks": [7, 6]}
CANNOT = "This side has no bid in that hand that can be set. Write an adjustment."
NO_TRICK = "This side has no tricks in that hand to take off. Write an adjustment."
ADJUST = {"choice": "adjustment", "points-0": "-30", "reason": "two spades hidden"}


@pytest.mark.parametrize(
    ("sheet", "options", "played", "wrong", "granted", "why"),
    [
        ("spades/new-york", {"renege_price": "set"}, UNBID, "renege", ["adjustment", "no-renege"], CANNOT),
        ("spades/new-york", {"wrong_call": "set"}, UNBID, "wrong-call", ["adjustment"], CANNOT),
        (
            "spades/standard",
            {"renege_price": "three-books-set", "second_renege": "game"},
            hand("nil 6 nil 6", 0, 7, 0, 6),
            "renege",
            ["adjustment", "game", "no-renege"],
            CANNOT,
        ),
        ("spades/jokers", {"wrong_call": "three-lost"}, hand("2 9", 0, 13), "wrong-call", ["adjustment"], NO_TRICK),
        (
            "okinawa/standard",
            {"renege_price": "set"},
            hand("pass 2 pass pass", 3, 2),
            "renege",
            ["adjustment", "no-renege"],
            CANNOT,
        ),
        ("spades/new-york", {}, UNBID, "missing-cards", ["set", "adjustment", "warning"], ""),
    ],
)
def test_a_hand_that_cannot_pay_the_price_is_adjusted_under_the_name_of_the_wrong(
    dana: User, desk: Client, sheet: str, options: Any, played: Any, wrong: str, granted: list[str], why: str
) -> None:
    game = make_game(dana, sheet=sheet, options=options)
    play(dana, game, played, sign=False)
    shown = desk.get(rule(game), {"rule": wrong, "side": "0"})
    form = shown.context["form"]
    assert ([choice.key for choice in form.rule.choices], form.why) == (granted, why)
    assert why in words_on(shown)
    assert ("line" in form.asks) == bool(why)
    answers = {"rule": wrong, "side": "0"} | ADJUST
    before = sheet_now(game).scores
    after = desk.get(rule(game), answers).context["form"].effect.after
    assert after == (before[0] - 30, before[1])
    assert desk.post(rule(game), answers | {"position": "2"}).status_code == 302
    [ruling] = rulings_of(game.round.event)
    [_, row] = sheet_now(game).rows
    assert (row.facts["side"], row.facts["line"], sheet_now(game).scores) == (0, 1, after)
    assert (ruling.line.written.rule, ruling.line.written.about) == (wrong, "Aces")
    assert row.written.text.endswith(" by Aces: points adjusted (hand 1)")
    assert ruling.effect == ("Aces −30: two spades hidden",)


def test_a_price_that_the_hand_cannot_pay_is_refused_with_its_reason(dana: User, desk: Client) -> None:
    game = make_game(dana, sheet="spades/new-york", options={"renege_price": "set"})
    play(dana, game, UNBID)
    answer = desk.post(rule(game), {"rule": "renege", "side": "0", "choice": "set", "line": "1", "position": "2"})
    assert (answer.status_code, CANNOT in words_on(answer)) == (422, True)
    assert 'value="adjustment"' in page_of(answer)


def test_an_adjusted_renege_of_an_unbid_hand_is_the_first_of_two(dana: User, desk: Client) -> None:
    game = make_game(dana, sheet="spades/new-york", options={"renege_price": "set", "second_renege": "game"})
    play(dana, game, UNBID)
    none = desk.post(rule(game), {"rule": "renege", "side": "0", **ADJUST, "points-0": "", "position": "2"})
    assert "Write the points or sets that are given or taken." in words_on(none)
    said = {"rule": "renege", "side": "0", **ADJUST, "points-0": "0", "position": "2"}
    assert desk.post(rule(game), said).status_code == 302
    play(dana, game, FIRST, sign=False)
    shown = desk.get(rule(game), {"rule": "renege", "side": "0", "choice": "set"})
    assert "The game is over: Books won" in words_on(shown)
    desk.post(rule(game), {"rule": "renege", "side": "0", "choice": "set", "position": "4"})
    assert (sheet_now(game).winner, sheet_now(game).scores) == (1, (130, 110))
    withdraw_ruling(Actor(dana), game, position=2, revision=0, reason="no renege in the first hand")
    assert (sheet_now(game).winner, sheet_now(game).scores) == (None, (10, 110))


def test_an_adjustment_about_a_hand_goes_with_that_hand_into_documents(dana: User) -> None:
    game = make_game(dana, sheet="spades/new-york", options={"renege_price": "set", "second_renege": "game"})
    adjusted = {"entry": "adjustment", "rule": "renege", "side": 0, "line": 2, "points": [-30, 0], "reason": "renege"}
    play(dana, game, {"entry": "void", "rule": "misdeal"}, UNBID, adjusted)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=None, reason="no misdeal")
    document = sheet_now(game).document
    assert (document["entries"][1]["line"], print_score(document)["points"]) == (1, [40, 60])


def test_talking_says_how_many_tricks(game: Game, dana: User, desk: Client) -> None:
    play(dana, game, FIRST)
    answers = {"rule": "talking", "side": "1", "choice": "books-off", "books": "2"}
    shown = desk.get(rule(game), answers)
    assert "Talking: 2 tricks to Aces" in words_on(shown)
    too_many = desk.get(rule(game), answers | {"books": "9"})
    assert "That side has 6 tricks to take off." in words_on(too_many)
    desk.post(rule(game), answers | {"position": "2"})
    sheet = sheet_now(game)
    assert sheet.scores == (63, -50)
    assert sheet.rows[1].written.text == "Talking by Books, tricks to Aces: 2 (hand 1)"


PRICED: dict[str, tuple[dict[str, str], dict[str, str], Any, list[tuple[str, int, str]], str]] = {
    "three move, and set": (
        {"renege_price": "three-books-set"},
        {"rule": "renege", "side": "0", "choice": "three-books-set"},
        ((-60, 54), (1, 0)),
        [
            ("Aces", 0, "renege: 3 tricks to Books"),
            ("Aces", -60, "renege, scored as if no trick was taken: 6 bid, 0 tricks: set"),
        ],
        "Renege by Aces: three tricks to Books, and set for the hand (hand 1)",
    ),
    "three for nobody": (
        {"renege_price": "three-lost"},
        {"rule": "renege", "side": "0", "choice": "three-lost"},
        ((-60, 51), (1, 0)),
        [("Aces", 0, "renege: 3 tricks off, to nobody")],
        "Renege by Aces: three tricks count for nobody (hand 1)",
    ),
    "wrong call": (
        {"wrong_call": "three-lost"},
        {"rule": "wrong-call", "side": "1", "choice": "three-lost"},
        ((61, -50), (0, 1)),
        [("Books", 0, "wrong call: 3 tricks off, to nobody")],
        "Wrong call by Books: three tricks count for nobody (hand 1)",
    ),
    "two for nobody": (
        {},
        {"rule": "disclosing", "side": "1", "choice": "books-lost", "books": "2"},
        ((61, -50), (0, 1)),
        [("Books", 0, "disclosing: 2 tricks off, to nobody")],
        "Disclosing by Books, tricks that count for nobody: 2 (hand 1)",
    ),
}


@pytest.mark.parametrize(("options", "answers", "after", "gains", "sentence"), PRICED.values(), ids=PRICED)
def test_a_price_of_several_parts_is_previewed_written_said_and_taken_back(
    dana: User, desk: Client, options: Any, answers: Any, after: Any, gains: Any, sentence: str
) -> None:
    game = spades(dana, **options)
    play(dana, game, FIRST)
    effect = desk.get(rule(game), answers).context["form"].effect
    assert [(gain.side, gain.points, gain.text) for gain in effect.gains] == gains
    assert effect.after == after[0]
    assert desk.post(rule(game), answers | {"position": "2"}).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.scores, sheet.sets, sheet.rows[1].written.text) == (*after, sentence)
    [ruling] = rulings_of(game.round.event)
    assert ruling.effect == tuple(f"{side} −{-points}: {text}" if points else text for side, points, text in gains)
    withdraw_ruling(Actor(dana), game, position=2, revision=0, reason="none after all")
    assert (sheet_now(game).scores, sheet_now(game).sets) == ((61, 51), (0, 0))


def test_document_and_event_file_name_the_hand_where_lines_are_missing(game: Game, dana: User) -> None:
    play(dana, game, FIRST, {"entry": "void", "rule": "misdeal"}, SECOND, RENEGE | {"line": 3})
    correct_sheet(Actor(dana), game, position=2, revision=0, facts=None, reason="no misdeal")
    sheet = sheet_now(game)
    document = sheet.document
    assert (sheet.scores, [row.position for row in sheet.rows]) == ((21, 121), [1, 3, 4])
    assert document["entries"][2]["line"] == 2
    assert print_score(document)["points"] == [21, 121]
    again = import_event(Actor(dana), json.loads(json.dumps(export_event(game.round.event))))
    [copy] = Game.objects.filter(round__event=again)
    assert (sheet_now(copy).scores, sheet_now(copy).rows[2].facts["line"]) == ((21, 121), 3)


@pytest.mark.parametrize(
    ("dealer", "choice", "says", "deals"),
    [
        ("same", "void", "The hand does not count and is dealt again.", [1, 1, 1]),
        ("next", "next-dealer", "The hand does not count, and the next player deals.", [1, 2, 1]),
    ],
)
def test_a_ruled_misdeal_says_who_deals_and_lets_that_player_deal(
    dana: User, desk: Client, dealer: str, choice: str, says: str, deals: list[int]
) -> None:
    game = spades(dana, misdeal_dealer=dealer)
    play(dana, game, FIRST)
    seen = [sure(sheet_now(game).next).dealer]
    shown = desk.get(rule(game), {"rule": "misdeal", "side": "0"})
    assert (shown.context["form"].choice.key, says in words_on(shown)) == (choice, True)
    assert desk.post(rule(game), {"rule": "misdeal", "choice": choice, "position": "2"}).status_code == 302
    seen.append(sure(sheet_now(game).next).dealer)
    withdraw_ruling(Actor(dana), game, position=2, revision=0, reason="no misdeal")
    assert [*seen, sure(sheet_now(game).next).dealer] == deals


def test_a_choice_that_the_page_of_before_offered_is_asked_again(dana: User, desk: Client) -> None:
    game = spades(dana, misdeal_dealer="next")
    answer = desk.post(rule(game), {"rule": "misdeal", "choice": "void", "position": "1"})
    assert (answer.status_code, "What is decided?" in words_on(answer)) == (422, True)


def test_a_ruling_in_place_of_an_earlier_line_is_announced_first(game: Game, dana: User, desk: Client) -> None:
    play(dana, game, FIRST, SECOND)
    there = reverse("game-line-ruling", args=[game.round.event.slug, game.pk, 1])
    answers = {"rule": "misdeal", "choice": "void", "revision": "0", "reason": "misdealt"}
    shown = desk.post(there, answers)
    assert ("What this changes" in words_on(shown), sheet_now(game).scores) == (True, (103, 121))
    desk.post(there, answers | {"confirmed": confirmed_in(page_of(shown))})
    assert sheet_now(game).scores == (42, 70)


def test_a_sheet_typed_again_takes_the_ruling_along_with_its_hand(game: Game, dana: User, desk: Client) -> None:
    play(dana, game, {"entry": "void", "rule": "misdeal"}, FIRST, SECOND, RENEGE | {"line": 2})
    again = reverse("game-sheet", args=[game.round.event.slug, game.pk])
    shown = desk.get(again)
    typed = {name: value for line in shown.context["typed"].lines for name, _, _, value in line.fields}
    typed |= {"code": sheet_now(game).code, "reason": "no misdeal"}
    struck = desk.post(again, typed | {"2.goes": "yes"})
    assert "a ruling about a hand that goes: it must go, too." in words_on(struck)
    asked = desk.post(again, typed | {"1.goes": "yes"})
    desk.post(again, typed | {"1.goes": "yes", "confirmed": confirmed_in(page_of(asked))})
    sheet = sheet_now(game)
    assert ([row.kind for row in sheet.rows], sheet.scores) == (["hand", "hand", "ruling"], (-18, 121))
    assert sheet.rows[2].facts["line"] == sheet.rows[0].position


def test_a_renege_found_after_the_signatures_is_a_correction(game: Game, dana: User, desk: Client) -> None:
    play(dana, game, {"entry": "adjustment", "points": [450, 390], "reason": "carried on"}, FIRST)
    answers = {"rule": "renege", "side": "0", "choice": "set"}
    assert (game.state, "They lose" in words_on(desk.get(rule(game)))) == ("final", False)
    asked = desk.post(rule(game), answers)
    changes = {change.what: (change.before, change.after) for change in asked.context["impact"].changes}
    assert (changes["Points of Aces"], changes["Winner"]) == (("511 points", "390 points"), ("Aces", "not over"))
    desk.post(rule(game), answers | {"confirmed": confirmed_in(page_of(asked))})
    game.refresh_from_db()
    assert (game.state, sheet_now(game).scores) == ("playing", (390, 441))
