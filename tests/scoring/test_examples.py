"""Every worked example holds, down to the rule of every line. The examples are the rules as a director reads them."""

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
from tests.scoring.examples import FOLDER, PREFIXES, ROOT, document_of, load_examples

EXAMPLES = load_examples()
KEYS = {"title", "source", "sheet", "systems", "shows", "sides", "options", "opening", "entries", "gives"}
RUNNING = ("scores", "sets", "bags", "lines")


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_gives_what_it_says(name: str) -> None:
    example = EXAMPLES[name]
    assert set(example) <= KEYS, "an example says nothing that is not checked"
    gives = example["gives"]
    printed = print_score(document_of(example))
    if "problems" in gives:
        assert errors(printed, gives["problems"]) == gives["problems"]
        assert set(gives) == {"problems"} and not example.get("shows")
        return
    assert printed["problems"] == []
    assert {key: found(printed, key) for key in gives} == gives
    assert (printed["winner"], printed["over"]) == (gives.get("winner"), gives["over"])
    assert sorted(emitted(printed)) == example["shows"]


def errors(printed: dict[str, Any], expected: list[list[Any]]) -> list[list[Any]]:
    """Return the problems as the example writes them: field and rule, and the entry if the example gives it."""
    given = [[problem["field"], problem["rule"], problem["entry"]] for problem in printed["problems"]]
    if len(given) != len(expected):
        return given
    return [problem[: len(said)] for problem, said in zip(given, expected, strict=True)]


def found(printed: dict[str, Any], key: str) -> Any:
    if key == "lines":
        return [[[line["rule"], line["side"], line["points"]] for line in step["lines"]] for step in printed["entries"]]
    if key in RUNNING:
        return [step[key] for step in printed["entries"]]
    return printed[key]


def emitted(printed: dict[str, Any]) -> set[str]:
    rules = {line["rule"] for step in printed["entries"] for line in step["lines"]}
    return rules | ({printed["rule"]} if printed["over"] else set())


# Every system and variation that the sources describe is shown by a worked example that is scored.
# Standings, the playoff and the Boston pot are shown in fixtures/examples/standings, which has its own runner.
SYSTEMS = """
    ba.partnership ba.partnership.board ba.partnership.allpass ba.partnership.schedule ba.partnership.notrump
    ba.var.25deals ba.var.partner_double_board ba.var.first_six ba.var.rainbow4 ba.var.rainbow8 ba.var.rainbow12
    ba.var.rainbow_plain ba.var.blind ba.players.3 ba.players.4 ba.players.5 ba.players.6 ba.var.big_blooper_follow
    ba.var.fixed_deal ba.var.spades_trump ba.high_two ba.high_two.board ba.high_two.redeal ba.var.reduced
    ba.var.all ba.var.redeal_demand ba.individual ba.individual.board ba.individual.one_card ba.individual.18
    ba.individual.twos_high ba.individual.26 ba.commercial
    ok.contract ok.okinawa ok.var.okinawa_fail50 ok.throw_up ok.var.no_throw_up ok.var.one_ten ok.schedule
    tw.hand tw.no tw.game5 tw.two_sets tw.odd tw.renege tw.backdoor tw.dealer_forced tw.auto_set tw.card_count
    tw.boston tw.bidding tw.five_minutes tw.forfeit
    sp.contract sp.bags sp.nil sp.blind_nil sp.game500 sp.var.passing sp.joker sp.joker.blind sp.nyc.first
    sp.nyc.bid sp.nyc.ten sp.nyc.boston sp.nyc.blind sp.nyc.come_out sp.nyc.back_to_back sp.nyc.game500
    sp.nyc.french_cut sp.partnership_bidding
    bw.hand bw.no_trump bw.game7 bw.ladder bw.dealer_forced bw.renege bw.var.nt_jokers_out bw.tricks
    bw.var.nt_jokers_any bw.var.min4 bw.var.low_over_high bw.var.all_equal bw.var.sport bw.var.one_joker
    bw.var.one_joker_deuce bw.var.two_jokers_deuce bw.var.opponents_score bw.var.boston28 bw.var.two_sets
    bw.boston_parr bw.boston_parr.rubber bw.cincinnati bw.rhode_island bw.hawaii bw.hawaii.win
    bw52.hand bw52.kitty bw52.auction bw52.rankings bw52.signals
""".split()

# A variation that only takes something away is shown by the refusal.
SHOWN_BY_REFUSAL = {"ok.var.no_throw_up"}


def test_there_are_as_many_systems_as_the_sources_have() -> None:
    assert (len(SYSTEMS), len(set(SYSTEMS))) == (102, 102)


@pytest.mark.parametrize("system", SYSTEMS)
def test_system_is_shown_by_an_example(system: str) -> None:
    shown = [example for example in load_examples().values() if system in example["systems"]]
    key = "problems" if system in SHOWN_BY_REFUSAL else "lines"
    assert [example for example in shown if key in example["gives"]], f"no scored example shows {system}"


def test_examples_show_no_system_that_is_not_there() -> None:
    shown = {system for example in load_examples().values() for system in example["systems"]}
    assert sorted(shown - set(SYSTEMS)) == []


# Every “why?” has an answer: each rule id that a game can cite is in its RULES.md.
GAMES = [pytest.param(game, id=game.key) for game in document.GAMES]
ID_IN_SOURCE = re.compile(rf'"((?:{"|".join(sorted(PREFIXES))})\.[a-z0-9_.]+)"')


@pytest.mark.parametrize("game", GAMES)
def test_rules_that_are_cited_systems_ways_to_end_and_options_stand_in_the_rules(game: CardGame[Any]) -> None:
    named = emitted_rules(game) | declared(game) | written(game)
    for example in examples_of(game).values():
        named |= {*example["systems"], example["gives"].get("how", "")}
    fields = type(game.sheets[0].rules).__dataclass_fields__.values()
    named |= {field.name for field in fields if "option" in field.metadata} - set(EventRules.__dataclass_fields__)
    assert sorted(named - stated(rules_path(game).read_text(encoding="utf-8")) - {""}) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_no_sheet_numbers_has_a_heading_for_players(game: CardGame[Any]) -> None:
    """Sheets and screens name the clause of a reason; rulings and house rules are words already."""
    ids = emitted_rules(game) | declared(game) | written(game)
    keys = {one for one in ids if "." in one}
    assert sorted(keys - set(game.headings)) == []
    assert [words for words in game.headings.values() if set(words) & set("._")] == []
    assert all(heading_of(one) for one in keys)


@pytest.mark.parametrize("game", GAMES)
def test_every_example_named_in_the_rules_is_there(game: CardGame[Any]) -> None:
    """Tables with a column for examples name some, and every game says where its examples are."""
    text = rules_path(game).read_text(encoding="utf-8")
    named = re.findall(r"`([\w/-]+)\.toml`", text)
    missing = [name for name in named if not (FOLDER / game.key / f"{name}.toml").is_file()]
    assert (missing, bool(named)) == ([], "| example |" in text)
    assert f"Examples are in `fixtures/examples/{game.key}/`" in text
    assert examples_of(game)


def rules_path(game: CardGame[Any]) -> Path:
    return ROOT / "scoring" / game.key / "RULES.md"


def stated(text: str) -> set[str]:
    """Return what is between backticks, or alone in a cell of a table, or in a cell with commas."""
    cells = (cell for row in text.splitlines() if row.startswith("|") for cell in row.strip("|").split("|"))
    numbered = {part.strip(" *`") for cell in cells for part in cell.split(",")}
    return numbered | set(re.findall(r"`([^`]+)`", text))


def examples_of(game: CardGame[Any]) -> dict[str, dict[str, Any]]:
    return {name: example for name, example in load_examples().items() if name.startswith(f"{game.key}/")}


def emitted_rules(game: CardGame[Any]) -> set[str]:
    """Return what the examples cite, except rules that a director wrote into an entry in their own words."""
    rules = set()
    for example in examples_of(game).values():
        document = document_of(example)
        printed = print_score(document)
        cited = {problem["rule"] for problem in printed["problems"]} | {printed.get("rule") or ""}
        cited |= {line["rule"] for step in printed.get("entries", ()) for line in step["lines"]}
        rules |= cited - {str(entry.get("rule")) for entry in document["entries"]}
    return rules


def declared(game: CardGame[Any]) -> set[str]:
    """Return the rulings of every sheet, and the table of citations if the game has one."""
    rules = {rule.rule for sheet in game.sheets for rule in game.rulings(sheet.rules)}
    if (ROOT / "scoring" / game.key / "citations.py").is_file():
        cites = importlib.import_module(f"scoring.{game.key}.citations").CITES
        rules |= {rule for clauses in cites.values() for rule in clauses.values()}
    return rules


def written(game: CardGame[Any]) -> set[str]:
    """Return the ids in the game’s source, as the list of systems writes them."""
    sources = (ROOT / "scoring" / game.key).glob("*.py")
    return {rule for path in sources for rule in ID_IN_SOURCE.findall(path.read_text(encoding="utf-8"))}


# The ranks of the cards that a sheet prints are in the RULES.md of its game.
PACKAGE = Path(scoring.__file__).parent


@pytest.mark.parametrize(("game", "sheet"), [pytest.param(*one, id=one[1].key) for one in all_sheets()])
def test_a_sheet_prints_the_ranks_that_its_rules_name(game: CardGame[Any], sheet: Sheet[Any]) -> None:
    text = (PACKAGE / game.key / "RULES.md").read_text(encoding="utf-8")
    named = game.ranks(sheet.rules)
    assert (f"| `{sheet.key}` | {named} |" in text) == bool(named)


def test_jokers_and_the_deuce_begin_the_trumps() -> None:
    ranks = "Uptown: A K Q J 10 down to 2. Downtown: A 2 3 up to 10 J Q K"
    two = f"{ranks}. Trumps begin with the big joker and the little joker"
    assert BID_WHIST.ranks(STANDARD) == two
    assert BID_WHIST.ranks(replace(STANDARD, deuce_of_spades=True)) == f"{two}, then the two of spades"
    one = replace(STANDARD, jokers=1)
    assert BID_WHIST.ranks(one) == f"{ranks}. Trumps begin with the joker"
    assert BID_WHIST.ranks(replace(CARDS_52, deuce_of_spades=True)).endswith("Aces bad: 2 3 up to K A")
    assert BID_WHIST.ranks(TOURNAMENT_2021) == ""


def test_a_side_far_behind_may_answer_more() -> None:
    game = next(game for game, sheet in all_sheets() if sheet.key == "spades/standard")
    words = [one.words for one in game.answers(find_sheet("spades/standard").rules, "bids")]
    assert words == ["Nil", *map(str, range(1, 14)), "Blind nil"]
