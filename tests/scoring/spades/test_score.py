"""What the examples leave out: decisions, level games, openings, options that only a few clubs use."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import print_score
from tests.scoring.spades.test_checks import FOUR_HANDS, NEW_YORK, SAID, STANDARD, document, faults, hand

TIME = {"entry": "time"}


def ended(printed: dict[str, Any]) -> tuple[Any, ...]:
    return printed["over"], printed["winner"], printed["how"], printed["rule"], printed["points"]


@pytest.mark.parametrize(
    "entry, end",
    [
        ({"entry": "award", "rule": "late", "to": 1}, (True, 1, "late", "late", [70, 51])),
        ({"entry": "award", "rule": "13", "to": 0}, (True, 0, "award", "13", [70, 51])),
        ({"entry": "award", "rule": "late", "to": None}, (True, None, "no-game", "late", [0, 0])),
        ({"entry": "ruling", "rule": "forfeit", "side": 0}, (True, 1, "forfeit", "forfeit", [70, 51])),
        ({"entry": "ruling", "rule": "misdeal"}, (False, None, None, None, [70, 51])),
        ({"entry": "void"}, (False, None, None, None, [70, 51])),
        ({"entry": "agreed_stop"}, (True, 0, "agreed-stop", "agreed-stop", [70, 51])),
        (TIME, (True, 0, "time", "time", [70, 51])),
        (
            {"entry": "adjustment", "points": [0, 449], "reason": "slip"},
            (True, 1, "points", "sp.game500", [70, 500]),
        ),
    ],
)
def test_decision_after_a_hand(entry: dict[str, Any], end: tuple[Any, ...]) -> None:
    assert ended(print_score(document(STANDARD, SAID, entry))) == end


@pytest.mark.parametrize(
    "entry, fault",
    [
        ({"entry": "award", "to": 2, "rule": "late"}, ("to", "late")),
        ({"entry": "ruling", "rule": "late", "choice": "sleep"}, ("choice", "late")),
        ({"entry": "adjustment", "points": [1], "reason": "x"}, ("points", "")),
    ],
)
def test_decision_with_a_fault_is_refused(entry: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults(print_score(document(STANDARD, entry))) == [fault]


def test_time_cannot_run_out_twice() -> None:
    assert faults(print_score(document(STANDARD, TIME, TIME))) == [("entry", "time")]


def test_level_deciding_hand_is_followed_by_another() -> None:
    level, won = hand(["7", "7", "7", "7"], [7, 6]), hand(["4", "4", "3", "3"], [7, 6])
    printed = print_score(document(STANDARD, TIME, level, won))
    assert ended(printed) == (True, 0, "deciding-hand", "time", [0, 0])
    assert [step["sets"] for step in printed["entries"]] == [[0, 0], [1, 1], [1, 2]]


def test_deciding_hand_charges_no_bags_and_scores_nothing() -> None:
    opening = {"scores": [200, 200], "bags": [9, 0]}
    printed = print_score(document(STANDARD, TIME, hand(["3", "3", "3", "2"], [7, 6]), opening=opening))
    last = printed["entries"][1]
    assert [(line["points"], line["text"]) for line in last["lines"]] == [
        (0, "deciding hand, worth +61 but not scored: 6 bid, 7 tricks: made, 1 bag"),
        (0, "deciding hand, worth +51 but not scored: 5 bid, 6 tricks: made, 1 bag"),
    ]
    assert {**last, "lines": []} == {"lines": [], "scores": [200, 200], "sets": [0, 0], "bags": [9, 0]}
    assert printed["winner"] == 0


def test_boston_in_a_deciding_hand_is_counted() -> None:
    opening = {"scores": [100, 100], "hands": 2}
    printed = print_score(document(NEW_YORK, TIME, hand(["4", "10"], [0, 13]), opening=opening))
    assert (printed["bostons"], printed["winner"], printed["how"]) == ([0, 1], 1, "deciding-hand")
    assert [(line["rule"], line["side"], line["points"]) for line in printed["entries"][1]["lines"]] == [
        ("sp.nyc.bid", 0, 0),
        ("sp.nyc.ten", 1, 0),
        ("sp.nyc.boston", 1, 0),
    ]


@pytest.mark.parametrize(
    ("bid", "words"),
    [
        ("10", "Aces took all 13 tricks on a bid of 10."),
        ("blind-10", "Aces took all 13 tricks on a blind bid of 10."),
        ("come-out-10", "Aces took all 13 tricks on a 10 that came out of a blind bid."),
    ],
)
def test_boston_that_wins_says_on_what_bid(bid: str, words: str) -> None:
    opening, options = {"scores": [40, 140], "hands": 1}, {"boston_wins": "any-ten"}
    printed = print_score(document(NEW_YORK, hand([bid, "4"], [13, 0]), opening=opening, options=options))
    assert (printed["winner"], printed["text"]) == (0, words)


def test_adjustment_breaks_the_tie_that_the_next_hand_was_to_decide() -> None:
    adjusted = {"entry": "adjustment", "points": [0, 5], "reason": "slow play"}
    assert ended(print_score(document(STANDARD, TIME, adjusted))) == (True, 1, "time", "time", [0, 5])
    both = {"entry": "adjustment", "points": [5, 5], "reason": "slow play"}
    assert ended(print_score(document(STANDARD, TIME, both)))[:2] == (False, None)
    opening, options = {"scores": [60, 60], "hands": 3}, {"level_at_end": "one-more"}
    printed = print_score(document(FOUR_HANDS, hand(["4", "4"], [6, 7]), adjusted, opening=opening, options=options))
    assert ended(printed) == (True, 1, "schedule", "sp.four_hand.end", [100, 105])


def test_second_deciding_hand_after_the_last_one_still_decides_by_the_schedule() -> None:
    opening, options = {"scores": [60, 60], "hands": 3}, {"level_at_end": "one-more"}
    level, won = hand(["4", "4"], [6, 7]), hand(["4", "5"], [6, 7])
    printed = print_score(document(FOUR_HANDS, level, level, won, opening=opening, options=options))
    assert ended(printed) == (True, 1, "deciding-hand", "sp.four_hand.end", [100, 100])
    assert printed["text"] == "Tied after the last hand: Books won the deciding hand."


def test_set_given_by_adjustment_counts_in_a_row() -> None:
    given = {"entry": "adjustment", "points": [0, 0], "sets": [1, 0], "reason": "card out of turn"}
    opening = {"scores": [100, 90], "hands": 3}
    entries = hand(["7", "6"], [6, 7]), given
    assert ended(print_score(document(NEW_YORK, *entries, opening=opening))) == (
        True,
        1,
        "back-to-back",
        "sp.nyc.back_to_back",
        [30, 150],
    )


def test_sets_of_an_opening_are_the_last_hands_played() -> None:
    opening = {"scores": [100, 90], "sets": [1, 0], "hands": 3}
    printed = print_score(document(NEW_YORK, hand(["7", "6"], [6, 7]), opening=opening))
    assert ended(printed)[:3] == (True, 1, "back-to-back")


def test_three_sets_in_a_row_where_the_sheet_asks_for_three() -> None:
    entries = [hand(["7", "6"], [6, 7])] * 3
    opening = {"scores": [100, 90], "hands": 1}
    printed = print_score(document(NEW_YORK, *entries, opening=opening, options={"back_to_back": 3}))
    assert (len(printed["entries"]), *ended(printed)[:3]) == (3, True, 1, "back-to-back")
    assert printed["text"] == "3 sets in a row for Aces (shot back to back)."


def test_opening_with_scores_has_had_its_first_hand() -> None:
    printed = print_score(document(NEW_YORK, hand(["6", "6"], [7, 6]), opening={"scores": [90, 40]}))
    assert printed["points"] == [150, 100]


def test_opening_of_a_game_that_is_over_is_refused() -> None:
    assert faults(print_score(document(STANDARD, opening={"scores": [510, 300]}))) == [("opening", "")]
    assert faults(print_score(document(FOUR_HANDS, opening={"scores": [110, 100], "hands": 4}))) == [("opening", "")]


def test_opening_level_at_500_plays_on() -> None:
    printed = print_score(document(STANDARD, SAID, opening={"scores": [520, 520]}))
    assert ended(printed)[:3] == (True, 0, "points")


def test_opening_level_after_the_last_hand_is_decided_by_one_more() -> None:
    options = {"level_at_end": "one-more"}
    opening = {"scores": [110, 110], "hands": 4}
    printed = print_score(document(FOUR_HANDS, hand(["6", "5"], [6, 7]), opening=opening, options=options))
    assert ended(printed) == (True, 0, "deciding-hand", "sp.four_hand.end", [110, 110])


def test_opening_with_more_than_ten_bags_was_charged_before() -> None:
    printed = print_score(document(STANDARD, hand(["3", "3", "2", "3"], [7, 6]), opening={"bags": [17, 0]}))
    assert (printed["points"], printed["entries"][0]["bags"]) == ([52, 60], [9, 0])


def test_both_above_the_winning_score_the_higher_wins() -> None:
    printed = print_score(document(STANDARD, hand(["4", "3", "3", "3"], [7, 6]), opening={"scores": [480, 470]}))
    assert (printed["points"], printed["text"]) == ([550, 530], "Both reached 500: Aces won with the higher score.")


def test_both_at_the_losing_score_and_level_play_on() -> None:
    entries = hand(["7", "7", "7", "7"], [7, 6]), hand(["7", "3", "6", "3"], [7, 6])
    printed = print_score(document(STANDARD, *entries, options={"lose_at": -100}))
    assert ended(printed) == (True, 1, "negative", "sp.game500", [-270, -80])
    assert printed["text"] == "Aces fell to −270."


def test_side_that_falls_to_the_losing_score_loses_to_the_other_one() -> None:
    printed = print_score(document(STANDARD, hand(["3", "7", "3", "6"], [7, 6]), options={"lose_at": -100}))
    assert ended(printed) == (True, 0, "negative", "sp.game500", [61, -130])


def test_boston_in_the_basic_game_is_no_boston() -> None:
    printed = print_score(document(STANDARD, hand(["7", "1", "6", "1"], [13, 0])))
    assert (printed["points"], printed["bostons"]) == ([130, -20], [0, 0])


def test_both_nils_and_all_thirteen_tricks_win_no_game() -> None:
    printed = print_score(
        document(STANDARD, hand(["nil", "1", "nil", "1"], [7, 0, 6, 0]), options={"boston_wins": "any-bid"})
    )
    assert ended(printed)[:3] == (False, None, None)


def test_blind_ten_that_takes_all_does_not_win_where_only_tens_in_the_open_do() -> None:
    opening = {"scores": [0, 100], "hands": 3}
    entry = hand(["blind-10", "4"], [13, 0])
    assert print_score(document(NEW_YORK, entry, opening=opening))["over"] is False
    nine = hand(["blind-9", "4"], [13, 0])
    won = print_score(document(NEW_YORK, nine, opening=opening, options={"boston_wins": "any-ten"}))
    assert (won["over"], won["points"]) == (False, [180, 60])


def test_ten_like_any_other_bid() -> None:
    options = {"ten_points": None, "ten_set": None}
    opening = {"scores": [100, 100], "hands": 3}
    entry = hand(["10", "4"], [11, 2])
    printed = print_score(document(NEW_YORK, entry, opening=opening, options=options))
    assert [line["rule"] for line in printed["entries"][0]["lines"]] == ["sp.nyc.bid", "sp.nyc.bid"]
    assert printed["points"] == [200, 60]


def test_games_without_a_winning_score_go_on() -> None:
    printed = print_score(document(STANDARD, SAID, opening={"scores": [600, 0]}, options={"game_at": None}))
    assert ended(printed)[:2] == (False, None)


@pytest.mark.parametrize("option, end", [("until-broken", (True, 0, "points")), ("play-on", (False, None, None))])
def test_tie_at_500_that_is_broken_below_it(option: str, end: tuple[Any, ...]) -> None:
    entries = hand(["5", "6"], [6, 7]), hand(["7", "8"], [6, 7])
    opening = {"scores": [460, 450], "hands": 5}
    printed = print_score(document(NEW_YORK, *entries, opening=opening, options={"level_at_game": option}))
    assert (ended(printed)[:3], printed["points"]) == (end, [440, 430])


def test_nothing_is_written_after_the_end() -> None:
    assert faults(print_score(document(STANDARD, TIME, SAID, SAID))) == [("entry", "time")]
