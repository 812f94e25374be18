"""Every worked example holds, down to the rule of every line. The examples are the rules as a director reads them."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import print_score
from tests.scoring.examples import document_of, load_examples

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
        assert refusals(printed, gives["problems"]) == gives["problems"]
        assert set(gives) == {"problems"} and not example.get("shows")
        return
    assert printed["problems"] == []
    assert {key: found(printed, key) for key in gives} == gives
    assert (printed["winner"], printed["over"]) == (gives.get("winner"), gives["over"])
    assert sorted(emitted(printed)) == example["shows"]


def refusals(printed: dict[str, Any], expected: list[list[Any]]) -> list[list[Any]]:
    """The problems in the shape in which the example gives them: field and rule, and the entry where it is said."""
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
