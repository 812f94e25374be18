"""Reading a hand: missing and malformed fields are refused, and nothing is guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.bid_whist.rules import HAWAII, RHODE_ISLAND, SHEETS, STANDARD, TOURNAMENT_2021, Rules
from scoring.bid_whist.rulings import find_rule, is_printed, rulings
from scoring.bid_whist.score import GAME
from scoring.bid_whist.sheet import Bid, Hand, parse_bid, read_hand
from scoring.decisions import Ruling, RulingChoice
from scoring.ledger import Line, Verdict, required, start

problems, score_entry = GAME.problems, GAME.score_entry
HAND = {"entry": "hand", "bidder": 1, "bid": "3-no", "books": 9}
TRUMPS = "clubs, diamonds, hearts, spades, no-trump"


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("3", Bid(3, "straight")),
        (" 3 Special ", Bid(3, "special")),
        ("7-NO", Bid(7, "no")),
        ("4-straight", Bid(4, "straight")),
        ("0", Bid(0, "straight")),
        ("8", Bid(8, "straight")),
        ("3-", None),
        ("3-nope", None),
        ("10", None),
        ("", None),
        ("pass", None),
        ("٣", None),
    ],
)
def test_bid_is_read_as_the_table_says_it(text: str, bid: Bid | None) -> None:
    assert parse_bid(text) == bid


@pytest.mark.parametrize("text", ["3", "3-special", "3-no"])
def test_bid_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_bid(text)) == text


def test_hand_is_read_whole_and_its_seat_tells_the_side() -> None:
    table = {"dealer": 0, "auction": ["1", "pass", "4", "pass"], "trump": "spades", "direction": "uptown"}
    hand = Hand(1, Bid(4, "straight"), 10, 3, 0, ("1", "pass", "4", "pass"), "spades", "uptown")
    assert read_hand({"entry": "hand", "bidder": 1, "bid": "4", "books": 10, "seat": 3} | table) == (hand, ())
    assert read_hand({"entry": "hand", "seat": 3, "bid": "3", "books": 9}) == (Hand(1, Bid(3, "straight"), 9, 3), ())


@pytest.mark.parametrize(
    ("trump", "direction", "read"),
    [
        ("Spades", "high", ("spades", "uptown")),
        ("hearts", "Low", ("hearts", "downtown")),
        ("clubs", "downtown aces good", ("clubs", "downtown")),
        ("diamonds", "special", ("diamonds", "downtown")),
    ],
)
def test_a_direction_goes_by_the_words_of_the_bid_too(trump: str, direction: str, read: tuple[str, str]) -> None:
    hand, problems = read_hand(HAND | {"trump": trump, "direction": direction})
    assert problems == ()
    assert hand is not None and (hand.trump, hand.direction) == read


@pytest.mark.parametrize(
    ("field", "said", "text"),
    [
        *(("trump", word, f"“{word.lower()}” is not a suit. Trumps are {TRUMPS}.") for word in ("♥", "NT")),
        ("direction", "aces bad", "“aces-bad” is not a direction: uptown, downtown, downtown-aces-bad."),
    ],
)
def test_a_near_miss_is_told_the_words_there_are(field: str, said: str, text: str) -> None:
    hand, problems = read_hand(HAND | {field: said})
    assert (hand, [(problem.field, problem.text) for problem in problems]) == (None, [(field, text)])


@pytest.mark.parametrize("said", ["no", "No trump", "no_trump"])
def test_no_trump_named_after_the_bid_makes_it_a_no(said: str) -> None:
    hand, problems = read_hand({"bidder": 0, "bid": "4", "books": 10, "trump": said})
    assert problems == ()
    assert hand is not None and hand.contract == Bid(4, "no")


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"bidder": None}, ["bidder"]),
        ({"bidder": 2}, ["bidder"]),
        ({"bidder": -1}, ["bidder"]),
        ({"bidder": True}, ["bidder"]),
        ({"bidder": "1"}, ["bidder"]),
        ({"seat": 2}, ["seat"]),
        ({"seat": 5}, ["seat"]),
        ({"seat": 1.0}, ["seat"]),
        ({"bidder": None, "seat": 4}, ["seat"]),
        ({"bid": None}, ["bid"]),
        ({"bid": 3}, ["bid"]),
        ({"bid": "3-nope"}, ["bid"]),
        ({"bid": ["3"]}, ["bid"]),
        ({"books": None}, ["books"]),
        ({"books": True}, ["books"]),
        ({"books": 7.0}, ["books"]),
        ({"books": "7"}, ["books"]),
        ({"dealer": 4}, ["dealer"]),
        ({"dealer": "north"}, ["dealer"]),
        ({"auction": "pass"}, ["auction"]),
        ({"auction": [3]}, ["auction"]),
        ({"trump": "stars"}, ["trump"]),
        ({"trump": 4}, ["trump"]),
        ({"direction": "sideways"}, ["direction"]),
        ({"book": 9}, ["book"]),
        ({"bid": "x", "books": None, "bidder": 7}, ["bidder", "bid", "books"]),
        ({"bid": "9", "books": 20, "bidder": 5}, ["bidder", "books", "bid"]),
    ],
)
def test_hand_that_is_not_well_formed_is_refused_at_its_field(wrong: dict[str, Any], fields: list[str]) -> None:
    hand, problems = read_hand(HAND | wrong)
    assert hand is None
    assert [problem.field for problem in problems] == fields
    assert all(problem.text for problem in problems)


# The sentence of every line: what was bid, what was taken, and why it pays what it pays.
BOSTON = replace(STANDARD, boston_bid_is_game=True)
TELLING = replace(STANDARD, defenders_score="books-above-six")


def told(rules: Rules, entry: Any) -> list[tuple[int, int, str]]:
    lines, carry = score_entry(rules, start(2), entry)
    ending = [(required(carry.verdict.winner), 0, carry.verdict.text)] if carry.verdict else []
    return [(line.side, line.points, line.text) for line in lines] + ending


def hand(bid: str, books: int) -> Hand:
    return Hand(0, required(parse_bid(bid)), books)


def renege(side: int, books: int) -> Ruling:
    return Ruling("bw.renege", "renege", side=side, bidder=0, bid="4", books=books)


def offender_has(books: int) -> list[tuple[int, int, str]]:
    """The bidder reneged: none of its books count."""
    bidder = [(0, 0, f"renege: {books} books of {{side 0}} count as 0"), (0, -4, "4 uptown bid, 0 of 10 books: set")]
    return [*bidder, (1, 7, "13 books against the bid"), (1, 0, "{side 1} reached 7.")]


@pytest.mark.parametrize(
    ("rules", "entry", "expected"),
    [
        (TOURNAMENT_2021, hand("3", 9), [(0, 3, "3 bid, 9 books: 3 over six")]),
        (TOURNAMENT_2021, hand("3", 8), [(0, -3, "3 bid, 8 of 9 books: set")]),
        (replace(TOURNAMENT_2021, score_basis="bid"), hand("3", 11), [(0, 3, "3 bid, 11 books: made, the bid counts")]),
        (HAWAII, hand("4", 11), [(0, 1, "4 bid, 11 books: made, one point")]),
        (RHODE_ISLAND, hand("3", 10), [(0, 10, "3 bid and made: a point for each of 10 books")]),
        (
            BOSTON,
            hand("7", 13),
            [
                (0, 28, "7 uptown bid and made: a Boston"),
                (0, 0, "all 13 books: a Boston"),
                (0, 0, "{side 0} made a bid of 7."),
            ],
        ),
        *((TELLING, renege(0, books), offender_has(books)) for books in (2, 3)),
        (
            TELLING,
            renege(1, 11),
            [
                (1, 0, "renege: 11 books of {side 0} count as 13"),
                (0, 7, "4 uptown bid, 13 books: 7 over six"),
                (0, 0, "{side 0} reached 7."),
            ],
        ),
        (
            TELLING,
            renege(1, 1),
            [
                (1, 0, "renege: 1 book of {side 0} counts as 4"),
                (0, -4, "4 uptown bid, 4 of 10 books: set"),
                (1, 3, "9 books against the bid"),
            ],
        ),
        (
            TELLING,
            renege(1, 8),
            [(1, 0, "renege: 8 books of {side 0} count as 11"), (0, 5, "4 uptown bid, 11 books: 5 over six")],
        ),
    ],
)
def test_lines_say_what_was_bid_and_taken(rules: Rules, entry: Any, expected: list[tuple[int, int, str]]) -> None:
    assert told(rules, entry) == expected


# Every ruling: what it must say, what it does, and what contradicts the sheet.
THREE_BOOKS = replace(TOURNAMENT_2021, renege_price="three-books")
EFFECTS = {"void", "set", "take-points", "three-books", "game", "nobody", "adjustment"}


def refused(rules: Rules, ruling: Ruling) -> list[tuple[str, str]]:
    return [(problem.field, problem.rule) for problem in problems(rules, start(2), ruling)]


@pytest.mark.parametrize("price", ["game", "set", "three-books"])
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.key)
def test_every_choice_that_is_offered_can_be_scored(sheet: Any, price: str) -> None:
    rules = replace(sheet.rules, renege_price=price)
    offered = rulings(rules)
    assert offered
    for rule in offered:
        assert rule.choices
        for choice in rule.choices:
            assert set(choice.effects) <= EFFECTS
            bid = "5-no" if rule.rule == "31" else "5"
            said: dict[str, Any] = {"side": 0, "bidder": 1 if rule.rule == "35" else 0, "bid": bid, "books": 5}
            ruling = Ruling(rule.rule, choice.key, **{key: said[key] for key in choice.needs if key in said})
            if "adjustment" in choice.effects:
                assert refused(rules, ruling) == [("choice", rule.rule)]
            else:
                assert refused(rules, ruling) == []
                score_entry(rules, start(2), ruling)


@pytest.mark.parametrize(
    ("rules", "ruling", "expected"),
    [
        (TOURNAMENT_2021, Ruling("", "void"), [("rule", "")]),
        (TOURNAMENT_2021, Ruling("48", "warning", 0), [("rule", "")]),
        (TOURNAMENT_2021, Ruling("renege", "game", 0), [("rule", "")]),
        (STANDARD, Ruling("", "warning", 0), [("rule", "")]),
        (STANDARD, Ruling("spilled coffee", "warning", 0), []),
        (TOURNAMENT_2021, Ruling("other", "warning", 0), []),
        (TOURNAMENT_2021, Ruling("22", "set", 0), [("choice", "22")]),
        (TOURNAMENT_2021, Ruling("32", ""), [("choice", "32")]),
        (TOURNAMENT_2021, Ruling("41", "set", 0, 0, "3"), [("choice", "41")]),
        (TOURNAMENT_2021, Ruling("41", "three-books", 0, 0, "3"), [("choice", "41")]),
        (THREE_BOOKS, Ruling("41", "set", 0, 0, "3", 9), [("choice", "41")]),
        (THREE_BOOKS, Ruling("41", "three books", 0, 0, "3", 9), []),
        (THREE_BOOKS, Ruling("41", "game", 0, 0, "3", 9), []),
        (STANDARD, Ruling("17", "void"), []),
        (TOURNAMENT_2021, Ruling("34", "", 0, None, "3"), []),
        (TOURNAMENT_2021, Ruling("34", "set", None, 0, "3"), []),
        (TOURNAMENT_2021, Ruling("34", "set", 1, 0, "3"), [("side", "34")]),
        (TOURNAMENT_2021, Ruling("31", "set", 0, 0, "3"), [("bid", "31")]),
        (TOURNAMENT_2021, Ruling("31", "set", 0, None, "3-no"), []),
        (TOURNAMENT_2021, Ruling("31", "play-on", 0), []),
        (TOURNAMENT_2021, Ruling("35", "take-points", 1, 1, "3"), [("side", "35")]),
        (TOURNAMENT_2021, Ruling("35", "take-points", None, 1, "3"), []),
        (TOURNAMENT_2021, Ruling("35", "take-points", 1, None, "3"), []),
        (TOURNAMENT_2021, Ruling("35", "take-points", None, None, "3"), [("side", "35"), ("bidder", "35")]),
        (TOURNAMENT_2021, Ruling("32", "set", 2, 3, "x", 14), [(f, "32") for f in ("side", "bidder", "bid", "books")]),
        (TOURNAMENT_2021, Ruling("32", "set", 0, 1, "0"), [("bid", "24")]),
        (TOURNAMENT_2021, Ruling("17", "void", 5), [("side", "17")]),
        (THREE_BOOKS, Ruling("41", "game", 0, 1, "3"), [("books", "41")]),
        (STANDARD, Ruling("41", "three-books", 0, 1, "2", 0), [("bid", "bw.ladder"), ("books", "bw.hand")]),
    ],
)
def test_ruling_is_refused_for_what_it_leaves_out(
    rules: Rules, ruling: Ruling, expected: list[tuple[str, str]]
) -> None:
    assert refused(rules, ruling) == expected


def test_tournament_numbers_name_the_rulings_of_the_other_sheets() -> None:
    named = {rule: find_rule(STANDARD, rule) for rule in ("41", "13", "46", "47", "renege")}
    assert {rule: found.rule for rule, found in named.items() if found} == {
        "41": "bw.renege",
        "13": "late",
        "46": "forfeit",
        "47": "forfeit",
        "renege": "bw.renege",
    }


def test_choice_may_be_written_with_spaces_and_only_by_its_own_words() -> None:
    found = chosen("13", "Both Late")
    assert found is not None and found.effects == ("nobody",)
    assert chosen("13", "both") is None
    assert [problem.text for problem in problems(TOURNAMENT_2021, start(2), Ruling("22", "continue"))] == [
        "Rule 22 grants: play-on (Play on, no penalty), void (The hand is void and dealt again)."
    ]
    assert find_rule(TOURNAMENT_2021, "48") is None


@pytest.mark.parametrize(
    ("rule", "words", "key"),
    [
        ("22", "waived", "play-on"),
        ("22", "dealt again", "void"),
        ("27", "partner silenced", "progressive"),
        ("27", "bid made progressive", "progressive"),
        ("35", "take the points", "take-points"),
        ("35", "points-taken", "take-points"),
        ("41", "renege", "game"),
        ("41", "both reneged", "void"),
        ("46", "disqualified", "forfeit"),
        ("47", "forfeit", "disqualified"),
        ("13", "game", "award"),
        ("13", "renege", None),
        ("13", "none", None),
        ("16", "both-reneged", None),
        ("41", "set", None),
    ],
)
def test_choice_may_be_named_by_other_words_of_the_rule_sheet(rule: str, words: str, key: str | None) -> None:
    choice = chosen(rule, words)
    assert (choice and choice.key) == key


def chosen(rule: str, words: str) -> RulingChoice | None:
    return required(find_rule(TOURNAMENT_2021, rule)).choice(words)


@pytest.mark.parametrize(
    ("rule", "printed"), [("1", True), ("47", True), ("0", False), ("48", False), ("07", False), ("٧", False)]
)
def test_printed_rules_are_one_to_forty_seven(rule: str, printed: bool) -> None:
    assert is_printed(rule) is printed


def test_game_lost_by_a_renege_says_so() -> None:
    lines, carry = score_entry(TOURNAMENT_2021, start(2)._replace(hands=3, deals=5), Ruling("41", "game", 1))
    assert carry.verdict == Verdict(0, "renege", "41", "Renege by {side 1}: game to {side 0}.")
    assert (carry.hands, carry.deals) == (4, 6)
    assert lines == (Line("7", 0, 5, "Renege by {side 1}: game to {side 0}", "bonus"),)
