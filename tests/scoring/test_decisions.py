"""Awards, adjustments, the clock and an agreed stop, which all games share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, cast

import pytest

from scoring.decisions import (
    DECISIONS,
    Adjustment,
    Award,
    Ruling,
    Time,
    Void,
    add_adjustment,
    adjustment_problems,
    cited,
    give_game,
    stop_by_agreement,
    stop_by_clock,
)
from scoring.document import all_sheets, find_game, find_sheet, print_score, read_document, score_document
from scoring.ends import leader
from scoring.game import CardGame, Sheet
from scoring.ledger import BySide, Carry, Line, Problem, Verdict, start
from tests.scoring.examples import ended, faults

TIME = {"entry": "time"}
HANDS: dict[str, dict[str, Any]] = {
    "spades/standard": {"entry": "hand", "bids": ["3", "1", "4", "4"], "tricks": [7, 6]},
    "okinawa/standard": {"entry": "hand", "bids": ["2", "1", "pass", "2"], "tricks": [3, 2]},
    "back_alley/partnership": {"entry": "hand", "bids": ["4", "3", "2", "3"], "tricks": [7, 6]},
}


def at(*scores: int) -> Carry:
    return start(len(scores))._replace(scores=BySide(scores))


LATE = "Game to {side 1}: {side 0} came late"
BONUS = Line("13", 1, 5, LATE, "award")
GIVEN = "The director awarded the game to {side 1}."


@pytest.mark.parametrize(
    ("award", "how", "bonus", "lines", "scores", "verdict"),
    [
        (Award("13", 1), "late", (5,), (BONUS,), (3, 5), Verdict(1, "late", "13", f"{LATE}.")),
        (Award("13", 1), "late", (5, "7"), (BONUS._replace(rule="7"),), (3, 5), Verdict(1, "late", "13", f"{LATE}.")),
        (Award("late", 1), "late", (0,), (), (3, 0), Verdict(1, "late", "late", f"{LATE}.")),
        (Award("director", 1), "award", (0,), (), (3, 0), Verdict(1, "award", "director", GIVEN)),
        (Award("13", None), "late", (5,), (), (3, 0), Verdict(None, "no-game", "13", "Late: nobody won.")),
    ],
)
def test_award_gives_the_game_and_its_bonus_where_there_is_one(
    award: Award, how: str, bonus: Any, lines: Any, scores: Any, verdict: Verdict
) -> None:
    given, carry, _ = give_game(at(3, 0), award, how, *bonus)
    assert (given, carry.scores, carry.verdict) == (lines, scores, verdict)


def test_adjustment_adds_points_and_sets() -> None:
    carry = at(3, 0)._replace(sets=BySide((1, 1)), sets_running=BySide((0, 1)))
    lines, after, _ = add_adjustment(carry, Adjustment((-1, 0), (1, -1), "20", "talked"))
    assert lines == (Line("20", 0, -1, "talked", "adjustment"),)
    assert (after.scores, after.sets, after.sets_running) == ((2, 0), (2, 0), (1, 0))


def test_adjustment_without_rule_or_sets_cites_itself() -> None:
    lines, after, _ = add_adjustment(at(0, 0), Adjustment((0, 2)))
    assert lines == (Line("adjustment", 1, 2, "adjusted by the director", "adjustment"),)
    assert after.sets == (0, 0)


def test_adjustment_is_refused_with_every_fault() -> None:
    carry = at(0, 0)
    assert adjustment_problems(None, carry, Adjustment((1, 0), (0, 1), "", "recounted")) == ()
    faults = adjustment_problems(None, carry, Adjustment((1,), (-1,), "20", " "))
    assert [(fault.field, fault.rule) for fault in faults] == [(f, "20") for f in ("points", "sets", "sets", "reason")]


def test_adjustment_names_a_side_that_is_at_the_table_and_its_hand() -> None:
    stranger = Adjustment((-5, 0), reason="reneged", rule="renege", side=2, line=1)
    alone = Adjustment((-5, 0), reason="reneged", rule="renege", side=1)
    handless = Adjustment((-5, 0), reason="reneged", rule="renege", line=1)
    found = [
        (problem.field, problem.text)
        for adjustment in (stranger, alone, handless)
        for problem in adjustment_problems(None, at(0, 0), adjustment)
    ]
    assert found == [
        ("side", "Which side is it about? Side 0 to side 1."),
        ("line", "Which hand is it about? Name its line on the sheet."),
        ("side", "Which side broke the rule in that hand?"),
    ]


def test_clock_gives_the_game_to_the_leader_or_lets_a_hand_decide() -> None:
    assert stop_by_clock(at(2, 3)).verdict == Verdict(1, "time", "time", "Time was up with {side 1} ahead.")
    level = stop_by_clock(at(3, 3, 1))
    assert (level.verdict, level.deciding) == (None, True)


def test_agreed_stop_gives_the_game_to_the_leader_or_nobody() -> None:
    assert stop_by_agreement(at(2, 3), "43").carry.verdict == Verdict(
        1, "agreed-stop", "43", "All players agreed to stop with {side 1} ahead."
    )
    assert stop_by_agreement(at(3, 3), "43").carry.verdict == Verdict(
        None, "agreed-stop", "43", "All players agreed to stop with the score tied: nobody won."
    )


def test_rubber_is_led_by_games_before_points() -> None:
    carry = at(0, 9)._replace(games=BySide((1, 0)))
    for stopped in (stop_by_clock(carry), stop_by_agreement(carry, "43").carry):
        assert stopped.verdict is not None and stopped.verdict.winner == 0


def test_leader_is_the_only_side_at_the_top() -> None:
    assert [leader(BySide(scores)) for scores in ((1, 2), (2, 1), (2, 2), (0, 3, 3))] == [1, 0, None, None]


def test_rule_is_named_in_a_sentence() -> None:
    assert (cited("13"), cited("late")) == ("rule 13", "late")


def test_forfeit_at_a_table_of_four_is_won_by_the_best_of_the_others() -> None:
    forfeit = Ruling("forfeit", "forfeit", 0)
    verdicts = [
        DECISIONS[Ruling].score(None, at(*scores), forfeit).carry.verdict
        for scores in ((50, 7, 8, 3), (50, 8, 8, 3), (50, 3, 2, 8))
    ]
    assert [(verdict.winner, verdict.how) for verdict in verdicts if verdict] == [
        (2, "forfeit"),
        (None, "forfeit"),
        (3, "forfeit"),
    ]


@pytest.mark.parametrize("sheet", ["bid_whist/standard", *HANDS])
def test_game_that_is_over_takes_nothing_more_time_runs_out_once_and_a_stranger_is_no_entry(sheet: str) -> None:
    game, rules, stranger = find_game(sheet), find_sheet(sheet).rules, cast(Any, object())
    begin = game.begin(rules)
    over = begin._replace(verdict=Verdict(0, "points", "6", "5 points: game."))
    assert game.problems(rules, over, Time()) == (Problem("entry", "6", "The game is over: nothing can be added."),)
    assert game.problems(rules, begin, Time()) == ()
    text = "Time is already up: the next hand decides the game."
    assert game.problems(rules, begin._replace(deciding=True), Time()) == (Problem("entry", "time", text),)
    for ask in (game.problems, game.score_entry):
        with pytest.raises(KeyError):
            ask(rules, begin, stranger)


# The games whose sources print no penalties have the same decisions. Side 0 is ahead after each hand.
def play(sheet: str, *entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return print_score({"sheet": sheet, "sides": ["Aces", "Books"], "entries": list(entries), **more})


def ruling(rule: str, choice: str, side: int | None = None) -> dict[str, Any]:
    return {"entry": "ruling", "rule": rule, "choice": choice, "side": side}


OPEN = (False, None, None, None)
DECIDED: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
    ({"entry": "award", "rule": "late", "to": 1}, (True, 1, "late", "late")),
    ({"entry": "award", "rule": "13", "to": 0}, (True, 0, "award", "13")),
    ({"entry": "award", "rule": "late", "to": None}, (True, None, "no-game", "late")),
    (ruling("late", "award", 0), (True, 1, "late", "late")),
    (ruling("late", "game", 1), (True, 0, "late", "late")),
    (ruling("late", "Both late"), (True, None, "no-game", "late")),
    (ruling("forfeit", "", 0), (True, 1, "forfeit", "forfeit")),
    (ruling("misdeal", ""), OPEN),
    (ruling("late", "wait", 0), OPEN),
    (ruling("17", "warning", 0), OPEN),
    ({"entry": "void"}, OPEN),
    ({"entry": "agreed_stop"}, (True, 0, "agreed-stop", "agreed-stop")),
    (TIME, (True, 0, "time", "time")),
]


@pytest.mark.parametrize("sheet", HANDS)
@pytest.mark.parametrize(("entry", "end"), DECIDED)
def test_decision_after_a_hand(sheet: str, entry: dict[str, Any], end: tuple[Any, ...]) -> None:
    before, after = play(sheet, HANDS[sheet]), play(sheet, HANDS[sheet], entry)
    points = [0, 0] if end[2] == "no-game" else before["points"]
    assert (*ended(after), after["entries"][1]["lines"]) == (*end, points, [])


@pytest.mark.parametrize("sheet", HANDS)
@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"entry": "award", "to": 2, "rule": "late"}, [("to", "late")]),
        ({"entry": "award", "to": -1, "rule": "13"}, [("to", "13")]),
        ({"entry": "award", "side": 2, "rule": "13"}, [("side", "13")]),
        ({"entry": "award", "to": 2}, [("to", ""), ("rule", "")]),
        ({"entry": "adjustment", "points": [1], "reason": "x"}, [("points", "")]),
        ({"entry": "adjustment", "points": [1, 0]}, [("reason", "")]),
        (ruling(" ", "warning", 0), [("rule", "")]),
        (ruling("late", "sleep"), [("choice", "late")]),
        (ruling("late", "void"), [("choice", "late")]),
        (ruling("other", "adjustment", 0), [("choice", "other")]),
        (ruling("late", "award"), [("side", "late")]),
        (ruling("late", "award", 2), [("side", "late")]),
        (ruling("misdeal", "void", -1), [("side", "misdeal")]),
    ],
)
def test_decision_with_a_fault_is_refused(sheet: str, entry: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert faults(play(sheet, entry)) == expected


@pytest.mark.parametrize("sheet", HANDS)
def test_games_without_prices_offer_the_same_rulings(sheet: str) -> None:
    offered = [
        (rule.rule, [choice.key for choice in rule.choices])
        for rule in find_game(sheet).rulings(find_sheet(sheet).rules)
    ]
    assert offered == [
        ("misdeal", ["void"]),
        ("renege", ["adjustment", "warning", "no-renege"]),
        ("wrong-call", ["none"]),
        ("missing-cards", ["set", "adjustment", "warning"]),
        ("talking", ["warning", "books-off", "books-lost", "adjustment"]),
        ("disclosing", ["warning", "books-off", "books-lost", "adjustment"]),
        ("late", ["award", "wait", "both-late"]),
        ("forfeit", ["forfeit"]),
        ("other", ["warning", "adjustment"]),
    ]


class Decider(NamedTuple):
    """The last deal of a sheet on which one more hand decides a tie: a hand that leaves it tied, and one that does not.

    `rule` is the clause of the schedule, `won` the side that wins by the other hand, `total` the score of both before.
    """

    options: dict[str, Any]
    opening: dict[str, Any]
    level: dict[str, Any]
    other: dict[str, Any]
    won: int
    rule: str
    total: int
    sentences: list[str]


def trick_hand(bids: str, *tricks: int) -> dict[str, Any]:
    return {"entry": "hand", "bids": bids.split(), "tricks": list(tricks)}


DECIDERS = {
    "spades/four-hand-tournament": Decider(
        {"level_at_end": "one-more"},
        {"scores": [60, 60], "hands": 3},
        trick_hand("4 4", 6, 7),
        trick_hand("4 5", 6, 7),
        1,
        "sp.four_hand.end",
        100,
        [
            "worth +40 but not scored: 4 bid, 6 tricks: made, 2 over",
            "worth +50 but not scored: 5 bid, 7 tricks: made, 2 over",
        ],
    ),
    "okinawa/standard": Decider(
        {"level_at_end": "one-more"},
        {"scores": [100, 100], "hands": 12},
        trick_hand("8 8", 7, 6),
        trick_hand("7 7", 7, 6),
        0,
        "ok.schedule",
        60,
        ["worth +35 but not scored: 7 bid, 7 tricks: made", "worth −35 but not scored: 7 bid, 6 tricks: set"],
    ),
    "back_alley/partnership": Decider(
        {"level_end": "one-more-hand"},
        {"scores": [60, 60], "hands": 25},
        trick_hand("4 4 4 4", 3, 3, 3, 4),
        trick_hand("3 4 3 4", 3, 3, 3, 4),
        0,
        "ba.partnership.schedule",
        20,
        ["worth +30 but not scored: 6 bid, 6 tricks: made", "worth −40 but not scored: 8 bid, 7 tricks: set"],
    ),
}


@pytest.mark.parametrize("sheet", DECIDERS)
def test_level_deciding_hand_is_followed_by_another_and_an_adjustment_breaks_the_tie_too(sheet: str) -> None:
    more = DECIDERS[sheet]

    def end_of(*entries: dict[str, Any]) -> dict[str, Any]:
        return play(sheet, more.level, *entries, opening=more.opening, options=more.options)

    tied = [more.total] * 2
    decided = end_of(more.level, more.other)
    assert ended(end_of(more.level)) == (*OPEN, tied)
    assert ended(decided) == (True, more.won, "deciding-hand", more.rule, tied)
    assert decided["text"] == f"Tied after the last hand: {('Aces', 'Books')[more.won]} won the deciding hand."
    assert [(line["points"], line["text"]) for line in decided["entries"][2]["lines"]] == [
        (0, f"deciding hand, {text}") for text in more.sentences
    ]
    carried_on = play(
        sheet, more.other, opening=more.opening | {"hands": more.opening["hands"] + 1}, options=more.options
    )
    assert ended(carried_on) == (True, more.won, "deciding-hand", more.rule, more.opening["scores"])
    adjusted = {"entry": "adjustment", "points": [0, 5], "reason": "slow play"}
    assert ended(end_of(adjusted)) == (True, 1, "schedule", more.rule, [more.total, more.total + 5])
    assert ended(end_of(adjusted | {"points": [5, 5]})) == (*OPEN, [more.total + 5] * 2)


@pytest.mark.parametrize("sheet", HANDS)
def test_adjustment_breaks_the_tie_on_time(sheet: str) -> None:
    adjusted = {"entry": "adjustment", "points": [0, 5], "reason": "slow play"}
    assert ended(play(sheet, TIME, adjusted)) == (True, 1, "time", "time", [0, 5])
    assert ended(play(sheet, TIME, adjusted | {"points": [5, 5]})) == (*OPEN, [5, 5])


@pytest.mark.parametrize(
    ("sheet", "options", "hand"),
    [
        ("spades/standard", {}, {"bids": ["nil", "6", "nil", "6"], "tricks": [0, 6, 0, 7]}),
        ("spades/standard", {"failed_nil": "help-partner"}, {"bids": ["nil", "4", "4", "4"], "tricks": [5, 4, 0, 4]}),
        (
            "back_alley/partnership",
            {"rainbow12": True},
            {"bids": ["rainbow", "1", "board", "1"], "tricks": [12, 0, 0, 0]},
        ),
    ],
    ids=["two nils", "a nil that failed made the bid", "a rainbow took every trick"],
)
def test_set_is_refused_where_no_bid_depends_on_tricks_that_it_takes(sheet: str, options: Any, hand: Any) -> None:
    ruling = {"entry": "ruling", "rule": "missing-cards", "side": 0, "choice": "set"}
    facts = {"sheet": sheet, "sides": ["Aces", "Books"], "options": options, "opening": {"hands": 1}}
    problems = print_score(facts | {"entries": [{"entry": "hand", **hand}, ruling]})["problems"]
    text = "This side has no bid in that hand that can be set. Write an adjustment."
    assert problems == [{"entry": 1, "field": "choice", "rule": "missing-cards", "text": text}]


@pytest.mark.parametrize(
    ("sheet", "rule", "hand"),
    [
        ("bid_whist/no-kitty-2021", "41", {"bidder": 0, "bid": "4", "books": 10}),
        ("spades/standard", "misdeal", {"bids": ["4", "2", "3", "3"], "tricks": [7, 6]}),
    ],
)
def test_ruling_does_not_void_a_hand_that_is_written(sheet: str, rule: str, hand: dict[str, Any]) -> None:
    ruling = {"entry": "ruling", "rule": rule, "choice": "void", "line": 1}
    printed = print_score({"sheet": sheet, "sides": ["Aces", "Books"], "entries": [{"entry": "hand", **hand}, ruling]})
    text = "A ruling cannot void a hand on the sheet: take that hand off, and write the ruling without a line."
    assert printed["problems"] == [{"entry": 1, "field": "line", "rule": rule, "text": text}]


VOIDS = ("void", "next-dealer")


@pytest.mark.parametrize("dealer", ["same", "next"])
@pytest.mark.parametrize(("game", "sheet"), [pytest.param(*one, id=one[1].key) for one in all_sheets()])
def test_a_ruled_void_passes_the_deal_on_as_the_void_entry_of_its_rule_does(
    game: CardGame[Any], sheet: Sheet[Any], dealer: str
) -> None:
    chosen = {"misdeal_dealer": dealer} if hasattr(sheet.rules, "misdeal_dealer") else {}
    rules, before = replace(sheet.rules, **chosen), game.begin(sheet.rules)._replace(hands=2, deals=2)
    compared = []
    for rule in game.rulings(rules):
        for choice in (choice for choice in rule.choices if choice.key in VOIDS):
            ruled, void = Ruling(rule.rule, choice.key, side=0), Void(rule.rule)
            assert game.problems(rules, before, ruled) == game.problems(rules, before, void) == ()
            after = game.score_entry(rules, before, ruled)[1]
            assert after == game.score_entry(rules, before, void)[1]
            compared.append(after.deals)
    assert set(compared) == ({3} if chosen == {"misdeal_dealer": "next"} else {2})


@pytest.mark.parametrize("sheet", HANDS)
@pytest.mark.parametrize("choice", ["void", ""])
def test_a_misdeal_that_was_ruled_before_keeps_its_dealer(sheet: str, choice: str) -> None:
    """It said “Void: the same player deals again” even if the sheet lets the next player deal."""
    facts = {"sheet": sheet, "sides": ["Aces", "Books"], "options": {"misdeal_dealer": "next"}}
    entries = [ruling("misdeal", choice), ruling("misdeal", "next-dealer")]
    deals = [step.carry.deals for step in score_document(read_document(facts | {"entries": entries})).steps]
    assert deals == [0, 1]
