"""Two scorers, written independently, agree on random games of every sheet: 300, or DIFFERENTIAL_GAMES."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from scoring import document
from scoring.document import find_sheet, print_score
from scoring.game import CardGame
from scoring.options import EventRules, choose
from tests.scoring import wrongs
from tests.scoring.back_alley import games as back_alley
from tests.scoring.back_alley.naive import play as play_back_alley
from tests.scoring.bid_whist import games as bid_whist
from tests.scoring.bid_whist.naive import play as play_bid_whist
from tests.scoring.drawn import games_of, random_game
from tests.scoring.examples import load_examples
from tests.scoring.okinawa import games as okinawa
from tests.scoring.okinawa.naive import keep_score as keep_okinawa
from tests.scoring.spades import games as spades
from tests.scoring.spades.naive import TABLES
from tests.scoring.spades.naive import keep_score as keep_spades

GAMES = int(os.environ.get("DIFFERENTIAL_GAMES", "300"))
ENDS = ("over", "winner", "how")
ALLEYS = back_alley.OPTIONS


def printed_of(document: dict[str, Any]) -> dict[str, Any]:
    printed = print_score(document)
    assert printed["problems"] == [], document
    return printed


def rows(printed: dict[str, Any], ends: Iterable[str]) -> dict[str, Any]:
    """Line by line, as some scorers keep it."""
    entries = [{"scores": step["scores"], "sets": step["sets"]} for step in printed["entries"]]
    return {"entries": entries} | {key: printed[key] for key in ends}


def columns(printed: dict[str, Any], heads: Iterable[str], ends: Iterable[str]) -> dict[str, Any]:
    """Column by column, as the others keep it."""
    return {key: [step[key] for step in printed["entries"]] for key in heads} | {key: printed[key] for key in ends}


def compare_bid_whist(document: dict[str, Any], printed: dict[str, Any]) -> None:
    assert rows(printed, (*ENDS, "points", "bostons")) == play_bid_whist(document), document


@pytest.mark.parametrize("wild", [False, True], ids=["as printed", "with options"])
@pytest.mark.parametrize("sheet", bid_whist.SHEETS)
def test_bid_whist(sheet: str, wild: bool) -> None:
    chance = Random(f"{sheet} {wild}")
    for _ in range(GAMES // len(bid_whist.SHEETS)):
        document = bid_whist.random_document(chance, sheet, wild)
        compare_bid_whist(document, printed_of(document))


@pytest.mark.parametrize("option", bid_whist.READINGS)
def test_every_option_of_bid_whist(option: str) -> None:
    chance, readings = Random(option), bid_whist.READINGS[option]
    for turn in range(GAMES // len(bid_whist.READINGS)):
        document = bid_whist.random_document(chance, "no-kitty-2021")
        document["options"] = {option: readings[turn % len(readings)]}
        printed = print_score(document)
        if not printed["problems"]:
            compare_bid_whist(document, printed)


@pytest.mark.parametrize("way", spades.WAYS)
def test_spades(way: str) -> None:
    sheet, _, changes = spades.WAYS[way]
    chance = Random(f"spades {way}")
    for _ in range(GAMES):
        document = spades.random_document(chance, way)
        expected = columns(printed_of(document), ("scores", "sets", "bags"), (*ENDS, "bostons"))
        opening = document["opening"]
        start, hands = opening["scores"], opening["hands"]
        assert expected == keep_spades(TABLES[sheet] | changes, start, hands, document["entries"], opening), document


@pytest.mark.parametrize("way", okinawa.WAYS)
def test_okinawa(way: str) -> None:
    chance = Random(f"okinawa {way}")
    for _ in range(GAMES):
        document = okinawa.random_document(chance, way)
        expected = keep_okinawa(document["entries"], okinawa.WAYS[way], document.get("opening"))
        assert columns(printed_of(document), ["scores"], ENDS) == expected, document


def compare_ruled(chance: Random, document: dict[str, Any], keep: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """Check that a game with rulings scores like its rewritten hands; return whether anything was compared.

    `keep` is the other scorer. Games are skipped if a blind bid is no longer allowed, or if they go on after their end.
    """
    ruled = wrongs.with_wrongs(chance, document)
    plain, printed = wrongs.erased(ruled), print_score(ruled)
    if plain is None or not wrongs.rulings_in(ruled["entries"]):
        return False
    written, loser = plain
    parts = (keep(document | {"entries": written[:length]}) for length in range(1, len(written) + 1))
    column = next((part for part in parts if part["over"]), None) or keep(document | {"entries": written})
    ends = {key: column[key] for key in ENDS}
    if loser is not None and len(column["scores"]) == len(written):
        ends = {"over": True, "winner": 1 - loser, "how": "renege"}
    if printed["problems"]:
        problem = printed["problems"][0]
        above = ruled["entries"][: problem["entry"]]
        is_late = ends["over"] and len(above) - len(wrongs.rulings_in(above)) >= len(column["scores"])
        assert problem["field"] == "bids" or (problem["field"] == "entry" and is_late), (problem, ruled)
        return False
    for head in ("scores", "sets", "bags"):
        if head in column:
            assert [step[head] for step in printed["entries"]] == spread(column[head], ruled["entries"]), ruled
    assert {key: printed[key] for key in ENDS} == ends, ruled
    assert printed.get("bostons") == column.get("bostons", printed.get("bostons")), ruled
    return True


def spread(column: list[list[int]], entries: list[dict[str, Any]]) -> list[list[int]]:
    """Spread a column over the whole sheet: rulings, and entries after the end, repeat the line above."""
    lines, column = iter(column), []
    for entry in entries:
        last = column[-1:] or [[]]
        column += last if entry["entry"] in wrongs.RULINGS else [next(lines, *last)]
    return column


def spades_ruled(chance: Random) -> bool:
    way = chance.choice(sorted(spades.WAYS))
    sheet, options, changes = spades.WAYS[way]
    document = spades.random_document(chance, way)
    document["options"] = options | wrongs.price_list(chance)
    opening = document["opening"]
    if document["options"]["second_renege"] == "game":
        opening["reneges"] = [chance.randrange(2), chance.randrange(2)]
    start, hands = opening["scores"], opening["hands"]
    return compare_ruled(
        chance, document, lambda part: keep_spades(TABLES[sheet] | changes, start, hands, part["entries"], opening)
    )


def okinawa_ruled(chance: Random) -> bool:
    document = okinawa.random_document(chance, chance.choice(sorted(okinawa.WAYS)))
    document["options"] = document["options"] | wrongs.price_list(chance)
    return compare_ruled(
        chance, document, lambda part: keep_okinawa(part["entries"], part["options"], part.get("opening"))
    )


ALSO = {"rainbow4": True, "rainbow8": True, "rainbow12": True, "first_six": True}


def back_alley_ruled(chance: Random) -> bool:
    sheet, options = chance.choice([("partnership", {}), ("partnership", ALSO), ("partnership", ALSO), ("all", {})])
    document = back_alley.random_document(chance, sheet, options)
    while len(document["sides"]) != 2:
        document = back_alley.random_document(chance, sheet, options)
    document["options"] |= wrongs.price_list(chance)

    def keep(part: dict[str, Any]) -> dict[str, Any]:
        played = play_back_alley(part)
        heads = {key: [entry[key] for entry in played["entries"]] for key in ("scores", "sets")}
        return heads | {key: played[key] for key in ENDS}

    return compare_ruled(chance, document, keep)


@pytest.mark.parametrize("ruled", [spades_ruled, okinawa_ruled, back_alley_ruled])
def test_wrongs_of_the_games_of_tricks(ruled: Callable[[Random], bool]) -> None:
    chance = Random(ruled.__name__)
    compared = sum(ruled(chance) for _ in range(2 * GAMES))
    assert compared >= 2 * GAMES * 2 / 3


def test_a_ruling_about_a_hand_of_bid_whist_is_one_in_its_place() -> None:
    chance = Random("wrongs of bid whist")
    prices = {"32": ("set",), "35": ("take-points",), "41": ("game",)}
    for _ in range(GAMES):
        bidder, level, books = chance.randrange(2), str(chance.randint(1, 7)), chance.randrange(14)
        rule = chance.choice(sorted(prices))
        side = 1 - bidder if rule == "35" else chance.randrange(2)
        ruling = {"entry": "ruling", "rule": rule, "side": side, "choice": prices[rule][0]}
        document: dict[str, Any] = {"sheet": "bid_whist/no-kitty-2021", "sides": ["Aces", "Books"]}
        document["options"] = {"renege_price": "three-books"}
        hand = {"entry": "hand", "bidder": bidder, "bid": level, "books": books}
        other = {"entry": "hand", "bidder": 1 - bidder, "bid": "2", "books": 8}
        about = printed_of(document | {"entries": [hand, ruling | {"line": 1}]})
        instead = printed_of(document | {"entries": [ruling | {"bidder": bidder, "bid": level, "books": books}]})
        assert about["entries"][0] == instead["entries"][0]
        assert {key: about[key] for key in ENDS} == {key: instead[key] for key in ENDS}
        if not instead["over"]:
            later = printed_of(document | {"entries": [hand, other, ruling | {"line": 1}]})
            before = printed_of(document | {"entries": [hand, ruling | {"line": 1}, other]})
            assert later["entries"][1] == before["entries"][2]


def compare_back_alley(chance: Random, sheet: str, options: dict[str, Any]) -> None:
    document = back_alley.random_document(chance, sheet, options)
    assert rows(printed_of(document), (*ENDS, "points")) == play_back_alley(document), document


@pytest.mark.parametrize("sheet", back_alley.SHEETS)
def test_back_alley(sheet: str) -> None:
    chance = Random(sheet)
    for _ in range(GAMES):
        compare_back_alley(chance, sheet, {})


@pytest.mark.parametrize(("sheet", "option"), [(sheet, name) for sheet in back_alley.SHEETS for name in ALLEYS[sheet]])
def test_every_option_of_back_alley(sheet: str, option: str) -> None:
    chance = Random(f"{sheet} {option}")
    for _ in range(GAMES // 10):
        compare_back_alley(chance, sheet, {option: chance.choice(ALLEYS[sheet][option])})


@pytest.mark.parametrize("sheet", ["partnership", "all"])
def test_options_of_back_alley_together(sheet: str) -> None:
    chance = Random(f"{sheet} together")
    for _ in range(GAMES):
        names = [name for name in chance.sample(sorted(ALLEYS[sheet]), chance.randint(2, 5)) if name != "back_to_back"]
        options = {name: chance.choice(ALLEYS[sheet][name]) for name in names}
        if "blind" in options or options.get("players", 0) >= 5:
            options = {name: value for name, value in options.items() if name not in ("fixed_deal", "most_cards")}
        compare_back_alley(chance, sheet, options)


# Every game, also new ones: it has what `drawn.py` asks for, and its two scorers agree.
A_FEW = max(4, GAMES // 30)


@pytest.mark.parametrize("sheet", [sheet.key for _, sheet in document.all_sheets()])
def test_the_second_scorer_of_every_game_agrees(sheet: str) -> None:
    chance = Random(f"every game: {sheet}")
    for _ in range(A_FEW):
        drawn = random_game(chance, sheet)
        expected = games_of(sheet).kept(drawn)
        heads = [key for key in expected if key not in ENDS]
        assert "scores" in heads
        assert columns(printed_of(drawn), heads, ENDS) == expected, drawn


def away(played: Iterable[tuple[str, dict[str, Any]]]) -> set[str]:
    """Return the options that a sheet, or a game on it, changes from their default."""
    every_rules = [choose(find_sheet(sheet).rules, options)[0] for sheet, options in played]
    return {
        field.name for rules in every_rules for field in fields(rules) if getattr(rules, field.name) != field.default
    }


@pytest.mark.parametrize("game", document.GAMES, ids=lambda game: game.key)
def test_every_option_is_shown_and_drawn_away_from_its_default(game: CardGame[Any]) -> None:
    own = {field.name for sheet in game.sheets for field in fields(sheet.rules) if "option" in field.metadata}
    own -= {field.name for field in fields(EventRules)}
    examples = [example for name, example in load_examples().items() if name.startswith(f"{game.key}/")]
    unseen = own - away((example["sheet"], example.get("options", {})) for example in examples)
    assert not unseen, f"Add an example with another choice to fixtures/examples/{game.key}: {sorted(unseen)}"
    undrawn = own - away(games_of(game.key).DRAWN)
    where = f"tests/scoring/{game.key}"
    assert not undrawn, f"Draw another choice in {where}/games.py, and score it in naive.py there: {sorted(undrawn)}"
