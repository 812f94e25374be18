"""Every rule of a season is in RULES.md and has an example; every choice of a scheme is shown and drawn."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.standings.season import Clause, Part, Scheme, SeasonPlace, Showing, figure, scheme_of, season_table
from tests.scoring.standings.test_season import random_season

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "fixtures" / "examples" / "seasons"
EXAMPLES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
# Examples with games are played on the site, in tests/tournament/results/test_season.py, where who counts is decided.
PLAYED = {name for name, example in EXAMPLES.items() if isinstance(example["events"], list)}
KEYS = {"title", "source", "shows", "scheme", "counts", "events", "gives", "says"}
SHOWING = re.compile(r"(?P<rank>\d+|-) (?P<name>\w+)(?:, (?P<wins>\d+) of (?P<games>\d+) games won)?")
# The columns of section 5 of RULES.md, and what a clause can decide there.
ROW = re.compile(
    r"^\| (?P<id>se\.\w+) \| (?P<case>[^|]+) \| (?P<decides>[^|]+) \| (?P<reading>[^|]+) \| (?P<where>.+) \|$"
)
DECIDES = {"points", "order", "who counts"}
# Whose lines the table has, and who counts, is decided before the table is made: `who counts`.
NOT_DRAWN = {"whose", "games", "members"}


def rows_of_the_rules() -> dict[str, dict[str, str]]:
    text = (ROOT / "scoring/standings/RULES.md").read_text(encoding="utf-8")
    section = text.partition("## 5. A season")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| se.")]
    rows = [match.groupdict() for line in lines if (match := ROW.fullmatch(line))]
    assert len(rows) == len(lines), "a row of section 5 has another form: id, case, decides, reading, example"
    return {row["id"]: row for row in rows}


RULES = rows_of_the_rules()


def showings_of(example: dict[str, Any]) -> list[Showing]:
    showings = []
    for name, lines in example["events"].items():
        found = [match for line in lines if (match := SHOWING.fullmatch(line))]
        assert len(found) == len(lines), f"{name}: a line is “1 Ann” or “1 Ann, 2 of 3 games won”"
        ranks = {match["name"]: None if match["rank"] == "-" else int(match["rank"]) for match in found}
        sharing = Counter(ranks.values())
        parts = {}
        for match in found:
            rank = ranks[match["name"]]
            shared = 1 if rank is None else sharing[rank]
            games, wins = int(match["games"] or 3), int(match["wins"] or 0)
            parts[match["name"]] = Part(rank, shared, games, wins, champion=rank == 1)
        field = sum(rank is not None for rank in ranks.values())
        showings.append(Showing(name, field, parts, example.get("counts", {}).get(name, 1)))
    return showings


def line_of(place: SeasonPlace) -> str:
    """A line as an example writes it: “1 Ann 9: 6 (1) 3”."""
    points = []
    for credit in place.credits:
        if credit is None:
            points.append("-")
        else:
            points.append(f"{figure(credit.points)}" if credit.counts else f"({figure(credit.points)})")
    return f"{place.label} {place.key} {figure(place.total)}: {' '.join(points)}"


def shown_by(places: Iterable[SeasonPlace]) -> set[str]:
    return {str(rule) for place in places for rule in place.rules}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in PLAYED])
def test_example_gives_what_it_says(name: str) -> None:
    example = EXAMPLES[name]
    assert set(example) <= KEYS, "an example says nothing that is not checked"
    scheme = scheme_of(example["scheme"])
    names = {key: key for lines in showings_of(example) for key in lines.parts}
    places = season_table(showings_of(example), scheme, names)
    assert [line_of(place) for place in places] == example["gives"]
    said = {credit.text for place in places for credit in place.credits if credit}
    said |= {reason.text for place in places for reason in (*place.ties, *place.remarks)}
    assert [sentence for sentence in example["says"] if sentence not in said] == []
    assert sorted(shown_by(places)) == example["shows"]


def test_every_clause_of_the_code_stands_in_the_rules_and_the_other_way_round() -> None:
    """Clauses that bring points or decide the order are cited by the code; who counts is decided by the site."""
    cited = {str(clause) for clause in Clause}
    stated = {key for key, row in RULES.items() if row["decides"] != "who counts"}
    assert {row["decides"] for row in RULES.values()} <= DECIDES
    assert not cited - stated, f"Add a row to section 5 of scoring/standings/RULES.md: {sorted(cited - stated)}"
    assert not stated - cited, f"No code cites these rows of RULES.md any more: {sorted(stated - cited)}"


@pytest.mark.parametrize("rule", RULES)
def test_every_clause_has_an_example(rule: str) -> None:
    """A clause that the site decides may name a test instead, if an evening in sentences cannot show it."""
    shown = {name for name, example in EXAMPLES.items() if rule in example["shows"]}
    named = set(re.findall(r"`seasons/([\w-]+)\.toml`", RULES[rule]["where"]))
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", RULES[rule]["where"])
    assert named <= shown, f"These examples do not show {rule}: {sorted(named - shown)}"
    assert named or (tests and rule not in set(Clause)), f"Name an example in fixtures/examples/seasons for {rule}"
    assert [name for path, name in tests if name not in functions_of(path)] == []


def functions_of(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_examples_show_no_clause_that_is_not_there() -> None:
    shown = {rule for example in EXAMPLES.values() for rule in example["shows"]}
    assert sorted(shown - set(RULES)) == []


def away(schemes: Iterable[Scheme]) -> set[str]:
    """Return the choices of a season that are not at their default."""
    usual = Scheme()
    return {
        field.name
        for scheme in schemes
        for field in fields(scheme)
        if getattr(scheme, field.name) != getattr(usual, field.name)
    }


def test_every_choice_of_a_scheme_is_shown_and_drawn_away_from_its_default() -> None:
    chance = Random("schemes")
    seasons = [random_season(chance) for _ in range(100)]
    choices = {field.name for field in fields(Scheme)}
    unseen = choices - away(scheme_of(example["scheme"]) for example in EXAMPLES.values())
    assert not unseen, f"Add an example with another choice to fixtures/examples/seasons: {sorted(unseen)}"
    undrawn = choices - NOT_DRAWN - away(scheme for _, scheme in seasons)
    where = "random_season and score it in naive, both in tests/scoring/standings/test_season.py"
    assert not undrawn, f"Draw another choice in {where}: {sorted(undrawn)}"
    shown = {rule for events, scheme in seasons for rule in shown_by(season_table(events, scheme))}
    unmet = {str(clause) for clause in Clause} - shown
    assert not unmet, f"No random season meets these clauses; let {where}: {sorted(unmet)}"
