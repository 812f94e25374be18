"""What the examples leave out: decisions, level games, openings."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import print_score
from tests.scoring.okinawa.test_checks import SAID, document, faults

TIME = {"entry": "time"}
EVEN = {"entry": "hand", "bids": ["2", "2"], "tricks": [2, 3]}


def ended(printed: dict[str, Any]) -> tuple[Any, ...]:
    return printed["over"], printed["winner"], printed["how"], printed["rule"], printed["points"]


@pytest.mark.parametrize(
    "entry, end",
    [
        ({"entry": "award", "rule": "late", "to": 1}, (True, 1, "late", "late", [11, -15])),
        ({"entry": "ruling", "rule": "forfeit", "side": 0}, (True, 1, "forfeit", "forfeit", [11, -15])),
        ({"entry": "agreed_stop"}, (True, 0, "agreed-stop", "agreed-stop", [11, -15])),
        (TIME, (True, 0, "time", "time", [11, -15])),
        ({"entry": "adjustment", "points": [0, 30], "reason": "miscounted"}, (False, None, None, None, [11, 15])),
    ],
)
def test_decision_after_a_hand(entry: dict[str, Any], end: tuple[Any, ...]) -> None:
    assert ended(print_score(document(SAID, entry))) == end


def test_decision_with_a_fault_is_refused() -> None:
    entries: dict[str, dict[str, Any]] = {
        "award": {"rule": "late", "to": 2},
        "ruling": {"rule": "late"},
        "adjustment": {"points": [1, 0]},
    }
    for kind, facts in entries.items():
        assert len(faults(print_score(document({"entry": kind} | facts)))) == 1
    assert faults(print_score(document(TIME, TIME))) == [("entry", "time")]


def test_time_on_a_level_score_is_decided_by_the_next_hand_that_is_not_level() -> None:
    level = {"entry": "hand", "bids": ["3", "3"], "tricks": [2, 3]}
    both_set = {"entry": "hand", "bids": ["4", "4"], "tricks": [2, 3]}
    printed = print_score(document(TIME, both_set, level))
    assert ended(printed) == (True, 1, "deciding-hand", "time", [0, 0])
    assert [(line["points"], line["text"]) for line in printed["entries"][2]["lines"]] == [
        (0, "deciding hand, worth −15 but not scored: 3 bid, 2 tricks: set"),
        (0, "deciding hand, worth +15 but not scored: 3 bid, 3 tricks: made"),
    ]


def test_adjustment_breaks_the_tie_that_the_next_hand_was_to_decide() -> None:
    adjusted = {"entry": "adjustment", "points": [0, 5], "reason": "slow play"}
    assert ended(print_score(document(TIME, adjusted))) == (True, 1, "time", "time", [0, 5])
    opening, options = {"scores": [100, 100], "hands": 12}, {"level_at_end": "one-more"}
    last = {"entry": "hand", "bids": ["7", "okinawa"], "tricks": [7, 6]}
    level = last | {"bids": ["8", "8"]}
    printed = print_score(document(level, adjusted, opening=opening, options=options))
    assert ended(printed) == (True, 1, "schedule", "ok.schedule", [60, 65])
    both = adjusted | {"points": [5, 5]}
    assert ended(print_score(document(level, both, opening=opening, options=options)))[:2] == (False, None)


def test_opening_after_thirteen_hands_is_over() -> None:
    assert faults(print_score(document(opening={"scores": [100, 90], "hands": 13}))) == [("opening", "")]


def test_opening_level_after_thirteen_hands_is_decided_by_one_more() -> None:
    opening, options = {"scores": [90, 90], "hands": 13}, {"level_at_end": "one-more"}
    entry = {"entry": "hand", "cards": 13, "bids": ["7", "7"], "tricks": [7, 6]}
    printed = print_score(document(entry, opening=opening, options=options))
    assert ended(printed) == (True, 0, "deciding-hand", "ok.schedule", [90, 90])


def test_opening_with_scores_and_no_count_of_hands_has_seen_one() -> None:
    opening = {"scores": [20, 20]}
    assert [print_score(document(*[EVEN] * count, opening=opening))["problems"] for count in (4, 5)] == [
        [],
        [
            {
                "entry": 4,
                "field": "tricks",
                "rule": "ok.contract",
                "text": "6 tricks were played, but 5 are written down.",
            }
        ],
    ]


def test_okinawa_without_a_bonus_loses_no_bonus() -> None:
    entry = {"entry": "hand", "bids": ["okinawa", "pass"], "tricks": [4, 1]}
    options = {"okinawa_bonus": 0, "okinawa_fails": "tricks-and-bonus"}
    assert print_score(document(entry, options=options))["points"] == [-25, 1]


def test_nothing_is_written_after_the_end() -> None:
    opening = {"scores": [50, 90], "hands": 12}
    last = {"entry": "hand", "bids": ["5", "5"], "tricks": [7, 6]}
    assert faults(print_score(document(last, last, opening=opening))) == [("entry", "ok.schedule")]
