"""Options: described in words, chosen strictly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from scoring.document import all_sheets, find_sheet, read_document, score_document
from scoring.options import EventRules, choose, choose_stored, describe, every_option, option
from tests.scoring.bid_whist import games as bid_whist
from tests.scoring.spades import games as spades


@dataclass(frozen=True, kw_only=True)
class Rules(EventRules):
    """Options of every kind."""

    book: str = "printed"
    target: int | None = option(500, "A side wins at", low=1, high=999, unit="points", none="no score")
    bags: bool = option(True, "Bags", choices={"yes": "cost points", "no": "cost nothing"})
    passing: str = option("none", "Passing", choices={"none": "no cards", "three": "three cards"})
    defenders: str = option("no", "Defenders score", choices={"no": "nothing", "books": "their books"})
    suits: tuple[str, ...] = option(
        ("clubs", "hearts"), "Suits", choices={"clubs": "clubs", "hearts": "hearts", "spades": "spades"}
    )
    cards: int | None = option(None, "Cards", low=1, high=13, none="change")

    def conflicts(self) -> tuple[tuple[str, str], ...]:
        return (("bags", "Bags need a target."),) if self.bags and self.target is None else ()


def test_options_are_described_in_words_and_the_book_is_none() -> None:
    described = {item.key: (item.type, item.words) for item in describe(Rules(bags=False))}
    assert "book" not in described
    assert described["target"] == ("number", "500 points")
    assert described["bags"] == ("yes-no", "cost nothing")
    assert described["passing"] == ("choice", "no cards")
    assert described["tiebreak_order"] == ("list", "games won, then points, then a one-game playoff")
    assert described["suits"] == ("list", "clubs and hearts")


def test_value_is_told_beside_the_default() -> None:
    item = next(item for item in describe(Rules(target=None), Rules()) if item.key == "target")
    assert (item.default, item.value, item.words, item.printed) == (500, None, "no score", "500 points")


@pytest.mark.parametrize(
    ("chosen", "changed"),
    [
        ({}, {}),
        ({"target": 300}, {"target": 300}),
        ({"bags": False}, {"bags": False}),
        ({"bags": "no", "target": "none"}, {"bags": False, "target": None}),
        ({"bags": "no", "target": None}, {"bags": False, "target": None}),
        ({"bags": "yes"}, {}),
        ({"bags": " No"}, {"bags": False}),
        ({"bags": "Yes"}, {}),
        ({"passing": " Three "}, {"passing": "three"}),
        ({"defenders": False}, {"defenders": "no"}),
        ({"tiebreak_order": ["games won", "head_to_head"]}, {"tiebreak_order": ("games-won", "head-to-head")}),
    ],
)
def test_choice_that_fits_is_taken(chosen: dict[str, Any], changed: dict[str, Any]) -> None:
    assert choose(Rules(), chosen) == (replace(Rules(), **changed), ())


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"colour": "red"}, "options.colour"),
        ({"game_at": 300}, "options.game_at"),
        ({"sp.target": 300}, "options.sp.target"),
        ({"cards": "3"}, "options.cards"),
        ({"book": "other"}, "options.book"),
        ({"target": 0}, "options.target"),
        ({"target": 1000}, "options.target"),
        ({"target": "500"}, "options.target"),
        ({"target": True}, "options.target"),
        ({"grace_minutes": None}, "options.grace_minutes"),
        ({"bags": 1}, "options.bags"),
        ({"bags": "maybe"}, "options.bags"),
        ({"passing": "two"}, "options.passing"),
        ({"passing": False}, "options.passing"),
        ({"passing": True}, "options.passing"),
        ({"cards": False}, "options.cards"),
        ({"defenders": True}, "options.defenders"),
        ({"tiebreak_order": []}, "options.tiebreak_order"),
        ({"tiebreak_order": "points"}, "options.tiebreak_order"),
        ({"tiebreak_order": ["points", "points"]}, "options.tiebreak_order"),
        ({"tiebreak_order": ["weight"]}, "options.tiebreak_order"),
        ({"target": None}, "options.bags"),
    ],
)
def test_choice_that_does_not_fit_is_refused_at_its_option(chosen: dict[str, Any], field: str) -> None:
    _, problems = choose(Rules(), chosen)
    assert [problem.field for problem in problems] == [field]


def test_every_choice_is_judged_before_any_is_refused() -> None:
    chosen, problems = choose(Rules(), {"target": 0, "bags": False, "colour": 1})
    assert chosen == Rules(bags=False)
    assert [problem.field for problem in problems] == ["options.target", "options.colour"]


def test_event_rules_alone_always_go_together() -> None:
    assert (EventRules().conflicts(), EventRules().sets_in_a_row) == ((), False)


LOSERS = "Points of the side that lost: “{}” is not one of signed, zero-at-least, winners-only. Say “{}”."
VISIBLE = "is not one of live, after-round, after-stage, at-end. Say “after-round”."


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        ({"loser_points": "winner-only"}, LOSERS.format("winner-only", "winners-only")),
        ({"loser_points": "zero"}, LOSERS.format("zero", "zero-at-least")),
        ({"standings_visible": "after-each-round"}, f"Standings can be seen: “after-each-round” {VISIBLE}"),
        ({"pot_entry": "all"}, "Boston pot: “all” is not one of opt-in, every-team."),
        ({"pot_entry": 1}, "Boston pot: 1 is not one of opt-in, every-team."),
        ({"target": "unlimited"}, "A side wins at: a whole number or “none” is needed."),
        ({"grace_minutes": "5"}, "Late after: a whole number is needed."),
        ({"loser_point": "signed"}, "This rule sheet has no option “loser_point”. Say “loser_points”."),
        ({"colour": "red"}, "This rule sheet has no option “colour”."),
    ],
)
def test_a_near_miss_is_refused_with_the_right_word(chosen: dict[str, Any], text: str) -> None:
    unchanged, problems = choose(Rules(), chosen)
    assert (unchanged, [problem.text for problem in problems]) == (Rules(), [text])


# Options that have no effect beside the others are not offered and not printed, and no score depends on them.
SHEETS = {sheet.key: sheet for _, sheet in all_sheets()}
# For every other sheet its rules say so.
WITH_POT = {
    "bid_whist/no-kitty-2021": True,
    "spades/new-york": True,
    "spades/standard": False,
    "okinawa/standard": False,
    "back_alley/partnership": False,
}


@pytest.mark.parametrize(
    ("key", "chosen", "left_out", "offered"),
    [
        ("bid_whist/no-kitty-2021", {}, {"jokers", "kitty_sported", "jokers_at_no"}, {"kitty_goes_to", "odd_scope"}),
        ("bid_whist/no-kitty-2021", {"kitty_goes_to": "bidder"}, {"jokers_at_no"}, {"jokers", "kitty_sported"}),
        ("bid_whist/no-kitty-2021", {"set_limit": None}, {"sets_consecutive"}, {"set_limit", "boston_window"}),
        ("bid_whist/standard", {}, {"odd_scope", "sets_consecutive", "signals"}, {"jokers", "odd_loses"}),
        ("bid_whist/standard", {"kinds": ["straight", "special"]}, {"no_doubled", "jokers_at_no"}, {"kinds"}),
        ("bid_whist/boston-parr", {}, {"special_over_straight", "jokers"}, {"rubber_games"}),
        ("bid_whist/marathon", {}, {"rubber_games", "win_rule", "backdoor_scope"}, {"jokers_at_no", "win_at"}),
        ("spades/standard", {}, {"boston_window", "come_out", "boston_on"}, {"nil_points", "bag_penalty"}),
        ("spades/standard", {"nil_points": None, "blind_nil_points": None}, {"failed_nil"}, {"nil_points"}),
        ("spades/jokers", {}, {"nil_points", "blind_nil_points", "failed_nil"}, {"lowest_blind", "blind_set"}),
        ("spades/new-york", {}, {"bag_penalty", "level_at_end"}, {"come_out", "boston_window"}),
        ("back_alley/individual", {}, {"set_limit", "back_to_back"}, {"level_end", "deciding_hand"}),
        ("back_alley/partnership", {}, set(), {"set_limit", "back_to_back"}),
    ],
)
def test_what_means_nothing_is_not_offered(
    key: str, chosen: dict[str, Any], left_out: set[str], offered: set[str]
) -> None:
    rules, problems = choose(find_sheet(key).rules, chosen)
    keys = {option.key for option in describe(rules)}
    assert (problems, left_out & keys, offered - keys) == ((), set(), set())


@pytest.mark.parametrize("key", SHEETS)
def test_the_boston_pot_is_offered_where_bostons_are_counted(key: str) -> None:
    keys = {option.key for option in describe(SHEETS[key].rules)}
    counts = SHEETS[key].rules.counts_bostons
    assert ("boston_window" in keys, "pot_entry" in keys, WITH_POT.get(key, counts)) == (counts,) * 3


@pytest.mark.parametrize("key", [key for key in SHEETS if key.startswith(("bid_whist/", "spades/"))])
def test_no_score_depends_on_an_option_that_is_not_offered(key: str) -> None:
    chance = Random(key)
    tried = 0
    for _ in range(settings().max_examples // 4):
        document = _random_document(chance, key)
        sheet, played = find_sheet(key).rules, read_document(document)
        before = score_document(played)
        for name, value in _other_values(played.rules):
            chosen = {**document.get("options", {}), name: value}
            rules, problems = choose_stored(sheet, chosen)
            if problems:
                continue
            tried += 1
            after = score_document(replace(played, rules=rules))
            assert (after.steps, after.carry) == (before.steps, before.carry), name
            # Choosing one is refused; a stored one is read.
            is_other = getattr(rules, name) != getattr(sheet, name)
            assert [problem.field for problem in choose(sheet, chosen)[1]] == [f"options.{name}"] * is_other
    assert tried


def idle(key: str, chosen: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (problem.field.removeprefix("options."), problem.text) for problem in choose(find_sheet(key).rules, chosen)[1]
    ]


@pytest.mark.parametrize(
    ("key", "chosen", "field", "sentence"),
    [
        (
            "spades/standard",
            {"bag_limit": None, "bag_penalty": 50},
            "bag_penalty",
            "“The charge for bags is” does nothing here: “Bags (tricks over the bid) are charged for every” is"
            " “none: no charge”. Leave it at “100 points”.",
        ),
        (
            "bid_whist/standard",
            {"jokers": 0, "deuce_of_spades": True},
            "deuce_of_spades",
            "“The two of spades” does nothing here: “Jokers” is “0”. Leave it at “is a spade”.",
        ),
        (
            "spades/jokers",
            {"failed_nil": "help-partner"},
            "failed_nil",
            "“Tricks of a nil that failed” does nothing here."
            " Leave it at “do not help the partner’s bid and count as bags”.",
        ),
        (
            "okinawa/standard",
            {"renege_price": "game", "second_renege": "game"},
            "second_renege",
            "“A second renege in the same game costs” does nothing here: “A renege costs” is “the game”."
            " Leave it at “the same”.",
        ),
        (
            "bid_whist/boston-parr",
            {"no_over_same": False},
            "no_over_same",
            "“A no trump over the same number” does nothing here: “Kind” is “is named after the bid is won”."
            " Leave it at “outranks trumps and downtown”.",
        ),
    ],
)
def test_an_option_that_does_nothing_is_refused_with_what_makes_it_so(
    key: str, chosen: dict[str, Any], field: str, sentence: str
) -> None:
    assert idle(key, chosen) == [(field, sentence)]
    made, problems = choose_stored(find_sheet(key).rules, chosen)
    assert problems == () and {name: getattr(made, name) for name in chosen} == chosen


@pytest.mark.parametrize(
    ("key", "chosen", "field"),
    [
        ("okinawa/standard", {"throw_up": "none", "throw_up_from": 8}, "throw_up_from"),
        ("back_alley/partnership", {"rainbow_plain": True, "rainbow4": True}, "rainbow4"),
    ],
)
def test_what_another_option_takes_the_place_of_does_nothing(key: str, chosen: dict[str, Any], field: str) -> None:
    assert [name for name, _ in idle(key, chosen)] == [field]


def test_an_option_that_does_nothing_may_be_named_as_the_sheet_has_it() -> None:
    assert idle("spades/standard", {"bag_limit": None, "bag_penalty": 100}) == []


def _random_document(chance: Random, key: str) -> dict[str, Any]:
    if key.startswith("bid_whist/"):
        return bid_whist.random_document(chance, key.partition("/")[2])
    way = chance.choice([way for way, (sheet, _, _) in spades.WAYS.items() if sheet == key])
    return spades.random_document(chance, way)


def _other_values(rules: Any) -> Iterator[tuple[str, Any]]:
    """Every option that has no effect, with each other choice, or with its limits."""
    for item in every_option(rules, rules):
        if item.key not in rules.irrelevant_options():
            continue
        for name in item.choices:
            if name not in ("none", {True: "yes", False: "no"}.get(item.value, item.value)):
                yield item.key, name
        yield from ((item.key, limit) for limit in (item.low, item.high) if limit is not None)
