"""Whoever asks “why?” finds the answer: every rule id that a game can cite stands in its RULES.md."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import scoring.game
from scoring import document
from scoring.bid_whist.rules import CARDS_52, STANDARD, TOURNAMENT_2021
from scoring.bid_whist.score import GAME as BID_WHIST
from scoring.document import all_sheets, find_sheet, heading_of, print_score
from scoring.game import CardGame, Sheet
from scoring.options import EventRules
from tests.scoring.examples import FOLDER, ROOT, document_of, load_examples

GAMES = [pytest.param(game, id=game.key) for game in document.GAMES]
ID_IN_SOURCE = re.compile(r'"((?:tw|bw|bw52|sp|ba|ok)\.[a-z0-9_.]+)"')


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_is_cited_stands_in_the_rules(game: CardGame[Any, Any]) -> None:
    known = stated(rules_path(game).read_text(encoding="utf-8"))
    assert sorted((emitted(game) | declared(game) | written(game)) - known - {""}) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_no_sheet_numbers_has_a_heading_for_players(game: CardGame[Any, Any]) -> None:
    """Sheets and screens name the clause of a reason; rulings and house rules are words already."""
    ids = emitted(game) | declared(game) | written(game)
    keys = {one for one in ids if "." in one}
    assert sorted(keys - set(game.headings)) == []
    assert [words for words in game.headings.values() if set(words) & set("._")] == []
    assert all(heading_of(one) for one in keys)


@pytest.mark.parametrize("game", GAMES)
def test_every_system_of_an_example_stands_in_the_rules(game: CardGame[Any, Any]) -> None:
    known = stated(rules_path(game).read_text(encoding="utf-8"))
    shown = {key for example in examples_of(game).values() for key in example["systems"]}
    assert sorted(shown - known) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_way_a_game_ends_stands_in_the_rules(game: CardGame[Any, Any]) -> None:
    known = stated(rules_path(game).read_text(encoding="utf-8"))
    ways = {example["gives"].get("how", "") for example in examples_of(game).values()}
    assert sorted(ways - known - {""}) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_option_stands_in_the_rules(game: CardGame[Any, Any]) -> None:
    known = stated(rules_path(game).read_text(encoding="utf-8"))
    fields = type(game.sheets[0].rules).__dataclass_fields__.values()
    own = {field.name for field in fields if "title" in field.metadata} - event_options()
    assert sorted(own - known) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_example_named_in_the_rules_is_there(game: CardGame[Any, Any]) -> None:
    """Where the tables have a column for them, they name some; every game says where its examples stand."""
    text = rules_path(game).read_text(encoding="utf-8")
    named = re.findall(r"`([\w/-]+)\.toml`", text)
    missing = [name for name in named if not (FOLDER / game.key / f"{name}.toml").is_file()]
    assert (missing, bool(named)) == ([], "| example |" in text)
    assert f"Examples are in `fixtures/examples/{game.key}/`" in text
    assert examples_of(game)


def rules_path(game: CardGame[Any, Any]) -> Path:
    return ROOT / "scoring" / game.key / "RULES.md"


def stated(text: str) -> set[str]:
    """What stands between backticks, or alone in a cell of a table (several with commas between)."""
    cells = (cell for row in text.splitlines() if row.startswith("|") for cell in row.strip("|").split("|"))
    numbered = {part.strip(" *`") for cell in cells for part in cell.split(",")}
    return numbered | set(re.findall(r"`([^`]+)`", text))


def examples_of(game: CardGame[Any, Any]) -> dict[str, dict[str, Any]]:
    return {name: example for name, example in load_examples().items() if name.startswith(f"{game.key}/")}


def emitted(game: CardGame[Any, Any]) -> set[str]:
    """What the examples cite, but for a rule that a director wrote into an entry in his own words."""
    rules = set()
    for example in examples_of(game).values():
        document = document_of(example)
        printed = print_score(document)
        cited = {problem["rule"] for problem in printed["problems"]} | {printed.get("rule") or ""}
        cited |= {line["rule"] for step in printed.get("entries", ()) for line in step["lines"]}
        rules |= cited - {str(entry.get("rule")) for entry in document["entries"]}
    return rules


def declared(game: CardGame[Any, Any]) -> set[str]:
    """The rulings of every sheet, and the table of citations where the game has one."""
    rules = {rule.rule for sheet in game.sheets for rule in game.rulings(sheet.rules)}
    if (ROOT / "scoring" / game.key / "citations.py").is_file():
        cites = importlib.import_module(f"scoring.{game.key}.citations").CITES
        rules |= {rule for clauses in cites.values() for rule in clauses.values()}
    return rules


def written(game: CardGame[Any, Any]) -> set[str]:
    """The ids in the game's source, in the notation of the list of systems."""
    sources = (ROOT / "scoring" / game.key).glob("*.py")
    return {rule for path in sources for rule in ID_IN_SOURCE.findall(path.read_text(encoding="utf-8"))}


def event_options() -> set[str]:
    return set(EventRules.__dataclass_fields__)


# The ranks of the cards: what a sheet prints of them stands in the RULES.md of its game.
PACKAGE = Path(scoring.__file__).parent


@pytest.mark.parametrize(("game", "sheet"), [pytest.param(*one, id=one[1].key) for one in all_sheets()])
def test_a_sheet_prints_the_ranks_that_its_rules_name(game: CardGame[Any, Any], sheet: Sheet[Any]) -> None:
    text = (PACKAGE / game.key / "RULES.md").read_text(encoding="utf-8")
    named = game.ranks(sheet.rules)
    assert (f"| `{sheet.key}` | {named} |" in text) == bool(named)


def test_jokers_and_the_deuce_begin_the_trumps() -> None:
    straight = "Straight: A K Q J 10 down to 2. Special: A 2 3 up to 10 J Q K"
    two = f"{straight}. Trumps begin with the big joker and the little joker"
    assert BID_WHIST.ranks(STANDARD) == two
    assert BID_WHIST.ranks(replace(STANDARD, deuce_of_spades=True)) == f"{two}, then the two of spades"
    one = replace(STANDARD, jokers=1)
    assert BID_WHIST.ranks(one) == f"{straight}. Trumps begin with the joker"
    assert BID_WHIST.ranks(replace(CARDS_52, deuce_of_spades=True)).endswith("Aces bad: 2 3 up to K A")
    assert BID_WHIST.ranks(TOURNAMENT_2021) == ""


def test_a_side_far_behind_may_answer_more() -> None:
    game = next(game for game, sheet in all_sheets() if sheet.key == "spades/standard")
    words = [one.words for one in game.answers(find_sheet("spades/standard").rules, "bids")]
    assert words == ["Nil", *map(str, range(1, 14)), "Blind nil"]
