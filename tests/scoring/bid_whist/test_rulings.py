"""Every ruling: what it must say, what it does, and how it fits the sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.bid_whist.checks import problems
from scoring.bid_whist.rules import SHEETS, STANDARD, TOURNAMENT_2021, Rules
from scoring.bid_whist.rulings import complete, find_choice, find_rule, is_printed, ruling_problems, rulings
from scoring.bid_whist.score import score_entry
from scoring.game import Ruling
from scoring.ledger import BySide, Line, Verdict, start

THREE_BOOKS = replace(TOURNAMENT_2021, renege_price="three-books")
EFFECTS = {"none", "void", "set", "take-points", "three-books", "game", "nobody", "adjustment"}


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
            assert choice.effect in EFFECTS
            bid = "5-no" if rule.rule == "31" else "5"
            said: dict[str, Any] = {"side": 0, "bidder": 1 if rule.rule == "35" else 0, "bid": bid, "books": 5}
            ruling = Ruling(rule.rule, choice.key, **{key: said[key] for key in choice.needs if key in said})
            if choice.effect == "adjustment":
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
    found = find_choice(TOURNAMENT_2021, Ruling("13", "Both Late"))
    assert found is not None and found.effect == "nobody"
    assert find_choice(TOURNAMENT_2021, Ruling("13", "both")) is None
    assert [problem.text for problem in ruling_problems(TOURNAMENT_2021, Ruling("22", "continue"))] == [
        "Rule 22 grants: play-on (Play on, no penalty), void (The hand is void and dealt again)."
    ]
    assert find_choice(TOURNAMENT_2021, Ruling("48", "void")) is None


def test_ruling_of_no_rule_stays_as_it_is() -> None:
    assert complete(TOURNAMENT_2021, Ruling("48", "void")) == Ruling("48", "void")


@pytest.mark.parametrize(
    ("rule", "printed"), [("1", True), ("47", True), ("0", False), ("48", False), ("07", False), ("٧", False)]
)
def test_printed_rules_are_one_to_forty_seven(rule: str, printed: bool) -> None:
    assert is_printed(rule) is printed


def test_renege_in_a_rubber_loses_one_game_and_leaving_loses_it_all() -> None:
    rules = replace(TOURNAMENT_2021, rubber_games=2)
    lines, carry = score_entry(rules, start(2), Ruling("41", "game", 0))
    assert (carry.games, carry.scores, carry.verdict) == ((0, 1), (0, 0), None)
    assert [(line.rule, line.side, line.points) for line in lines] == [
        ("7", 1, 5),
        ("bw.boston_parr.rubber", 1, 0),
        ("bw.boston_parr.rubber", 1, -5),
    ]
    _, left = score_entry(rules, carry, Ruling("46", "forfeit", 0))
    assert left.verdict is not None and (left.verdict.winner, left.verdict.how) == (1, "forfeit")


@pytest.mark.parametrize("winner", [0, 1])
def test_game_of_a_rubber_says_its_score(winner: int) -> None:
    rules, scores = replace(TOURNAMENT_2021, rubber_games=2), BySide((3, -1)) if winner == 0 else BySide((-1, 3))
    lines, _ = score_entry(rules, start(2)._replace(scores=scores, hands=3), Ruling("41", "game", 1 - winner))
    assert lines[1].text.startswith("game 1 of the rubber, 8 to −1: ")
    _, over = score_entry(rules, start(2)._replace(games=BySide((1, 1)), hands=9), Ruling("41", "game", 1 - winner))
    assert over.verdict is not None and "won the rubber, 2 to 1 in games." in over.verdict.text


def test_game_lost_by_a_renege_says_so() -> None:
    lines, carry = score_entry(TOURNAMENT_2021, start(2)._replace(hands=3, deals=5), Ruling("41", "game", 1))
    assert carry.verdict == Verdict(0, "renege", "41", "Renege by {side 1}: game to {side 0}.")
    assert (carry.hands, carry.deals) == (4, 6)
    assert lines == (Line("7", 0, 5, "Renege by {side 1}: game to {side 0}", "bonus"),)
