"""Every example of the standings holds: places, the sentence of each tie, the cut, the pot and the prizes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from scoring.bid_whist.rules import TOURNAMENT_2021, Rules
from scoring.options import choose
from scoring.standings.pot import pay_out, settle_pot
from scoring.standings.ranking import Place, cut, rank
from scoring.standings.tiebreaks import BY_KEY, Competitors, GameRecord, Record

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "fixtures" / "examples" / "standings"
EXAMPLES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
KEYS = {"title", "source", "shows", "options", "teams", "playoffs", "lots", "cut", "pot", "prizes", "gives"}
GAME = re.compile(
    r"(?P<what>bye |playoff )?(?P<won>won|lost) (?P<points>-?\d+)(?: against (?P<rival>\d+))?"
    r"(?: by (?P<margin>\d+))?(?:, (?P<bostons>\d+) Bostons?)?(?:, (?P<sets>\d+) sets?)?"
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_gives_what_it_says(name: str) -> None:
    example = EXAMPLES[name]
    assert set(example) <= KEYS, "an example says nothing that is not checked"
    found: dict[str, Callable[[Any], Any]] = {
        "places": places_of,
        "ties": ties_of,
        "cut": cut_of,
        "pot": pot_of,
        "payout": payout_of,
    }
    gives = example["gives"]
    for key, expected in gives.items():
        given = found[key](example)
        assert {part: given[part] for part in expected} == expected if isinstance(expected, dict) else given == expected


def test_every_rule_of_the_examples_stands_in_the_rules() -> None:
    stated = set(re.findall(r"^\| (\w+) \|", (ROOT / "scoring/standings/RULES.md").read_text(encoding="utf-8"), re.M))
    shown = {rule for example in EXAMPLES.values() for rule in example["shows"]}
    assert shown == {"3", "10", "11", "12", "payout"} and shown <= stated


def test_every_example_named_in_the_rules_is_there() -> None:
    named = set(re.findall(r"`([\w-]+)\.toml`", (ROOT / "scoring/standings/RULES.md").read_text(encoding="utf-8")))
    assert named <= EXAMPLES.keys()


def test_every_reading_of_the_options_has_an_example() -> None:
    chosen = [example.get("options", {}) for example in EXAMPLES.values()]
    assert {options.get("boston_window") for options in chosen} == {None, 2, "none"}
    assert {options.get("best_record") for options in chosen} == {None, "points"}
    assert {options.get("pot_entry") for options in chosen} == {None, "every-team"}


@pytest.mark.parametrize("key", BY_KEY)
def test_every_key_of_the_order_decides_a_tie_in_an_example(key: str) -> None:
    decided = {tie.key for example in EXAMPLES.values() for line in ranked(example) for tie in line.ties}
    assert key in decided


def test_the_rules_say_how_every_key_is_read() -> None:
    rules = (ROOT / "scoring/standings/RULES.md").read_text(encoding="utf-8")
    section = rules.partition("## 2.")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", section, re.M) == list(BY_KEY)


def places_of(example: dict[str, Any]) -> list[str]:
    names = names_of(example)
    return [f"{line.label} {names[line.team]}" for line in ranked(example)]


def ties_of(example: dict[str, Any]) -> list[str]:
    return [tie.text for line in ranked(example) for tie in line.ties if tie.above == line.team]


def cut_of(example: dict[str, Any]) -> dict[str, Any]:
    made = cut(ranked(example), example["cut"], names_of(example))
    names = names_of(example)
    groups = {"advance": made.advance, "level": made.level, "out": made.out}
    return {key: [names[team] for team in teams] for key, teams in groups.items()} | {"seats": made.seats}


def pot_of(example: dict[str, Any]) -> dict[str, Any]:
    rules, names, asked = rules_of(example), names_of(example), example["pot"]
    entered = {team["number"] for team in example["teams"].values() if team.get("in_pot")}
    pot = settle_pot(
        records_of(example),
        entered,
        asked["cents"],
        rounds_closed=asked["closed"],
        rounds=asked["rounds"],
        boston_window=rules.boston_window,
        best_record=rules.best_record,
        pot_entry=rules.pot_entry,
        names=names,
    )
    return {
        "settled": pot.settled,
        "basis": pot.basis,
        "leaders": [names[team] for team in pot.leaders],
        "shares": {names[share.team]: share.cents for share in pot.shares},
        "text": pot.text,
    }


def payout_of(example: dict[str, Any]) -> dict[str, Any]:
    names = names_of(example)
    places = groupby(ranked(example), key=lambda place: place.rank)
    line = pay_out([[place.team for place in group] for _, group in places], example["prizes"], names)
    shares = {names[share.team]: share.cents for share in line.shares}
    return {"shares": shares, "unpaid": line.unpaid, "notes": list(line.notes)}


def ranked(example: dict[str, Any]) -> tuple[Place, ...]:
    numbers = {name: team["number"] for name, team in example["teams"].items()}
    lots = {numbers[name]: lot for name, lot in example.get("lots", {}).items()}
    order, names = rules_of(example).tiebreak_order, names_of(example)
    records = records_of(example)
    return rank(records, order, Competitors(records, example.get("playoffs", ()), lots), names)


def rules_of(example: dict[str, Any]) -> Rules:
    rules, problems = choose(TOURNAMENT_2021, example.get("options", {}))
    assert problems == ()
    return rules


def names_of(example: dict[str, Any]) -> dict[int, str]:
    return {team["number"]: name for name, team in example["teams"].items()}


def records_of(example: dict[str, Any]) -> list[Record]:
    return [
        Record(team["number"], tuple(read_game(number, text) for number, text in enumerate(team["games"], start=1)))
        for team in example["teams"].values()
    ]


def read_game(number: int, text: str) -> GameRecord:
    match = GAME.fullmatch(text)
    assert match is not None, text
    return GameRecord(
        number,
        (int(match["rival"]),) if match["rival"] else (),
        match["won"] == "won",
        int(match["points"]),
        int(match["bostons"] or 0),
        int(match["sets"] or 0),
        bye=match["what"] == "bye ",
        stage="playoff" if match["what"] == "playoff " else "qualifying",
        margin=int(match["margin"] or 0) * (1 if match["won"] == "won" else -1),
    )
