"""Random games of Bid Whist as documents, for tests that compare scorers and check laws."""

from __future__ import annotations

from random import Random
from typing import Any

from scoring.document import print_score
from tests.scoring.bid_whist.naive import play
from tests.scoring.drawn import Turn, each, of_use

SHEETS = ("no-kitty-2021", "standard", "52-card", "boston-parr", "cincinnati", "rhode-island", "hawaii", "marathon")
LOWEST = {"standard": 3, "hawaii": 3, "marathon": 4}
READINGS: dict[str, tuple[Any, ...]] = {
    "score_basis": ("made", "bid"),
    "odd_scope": ("one-bid", "any-bid"),
    "backdoor_scope": ("first-hand", "any-hand", "none"),
    "set_limit": (2, 3, None),
    "sets_consecutive": (True, False),
    "renege_price": ("game", "set", "three-books"),
    "defenders_score": ("no", "books-above-six", "every-book"),
    "loser_points": ("signed", "zero-at-least", "winners-only"),
    "boston": ("ends-game", "any-13"),
    "boston_bid_is_game": (True, False),
    "bonus_points": (0, 5, 3),
    "rubber_games": (1, 2),
    "deciding_hand": ("nothing", "counts"),
    "set_pays": ("bidders-lose", "opponents-gain", 3),
    "no_over_same": (True, False),
    "kitty_sported": (False, True),
    "deuce_of_spades": (False, True),
    "jokers_at_no": ("no-value", "any-time"),
}
# Options that change how a hand is paid are drawn only where the hand is paid as in the base game.
PAID_AS_BASE = ("no-kitty-2021", "standard", "cincinnati")
OF_THE_BASE = ("score_basis", "defenders_score", "boston_bid_is_game", "set_pays")
PRICED = ("31", "32", "34", "35", "41")
FREE = (("22", "play-on"), ("22", "void"), ("27", "progressive"), ("29", "they-bid"), ("20", "warning"))
GIVEN = (("13", "award"), ("46", "forfeit"), ("47", "disqualified"))


def random_document(chance: Random, sheet: str, wild: bool = True) -> dict[str, Any]:
    """Return a game that ends or breaks off; `wild` games also draw options."""
    options = of_use(f"bid_whist/{sheet}", random_options(chance, sheet)) if wild else {}
    document: dict[str, Any] = {"sheet": f"bid_whist/{sheet}", "sides": ["Aces", "Books"], "entries": []}
    if options:
        document["options"] = options
    paper = random_paper(chance)
    if chance.random() < 0.2 and not print_score(document | {"opening": paper})["problems"]:
        document["opening"] = paper
    for _ in range(chance.randint(1, 14)):
        entry = random_entry(chance, sheet, options)
        longer = document | {"entries": [*document["entries"], entry]}
        printed = print_score(longer)
        if printed["problems"]:
            continue
        document = longer
        if printed["over"]:
            break
    return document


def random_paper(chance: Random) -> dict[str, Any]:
    """Return totals of a sheet that is continued: one set, which may not be in a row; sometimes a tie at time."""
    running = chance.choice([[0, 0], [1, 0]])
    paper = {"scores": [2, chance.choice([2, 1])], "hands": 3, "sets": [1, 0], "sets_running": running}
    paper |= {"bostons": [0, 1]} if chance.random() < 0.3 else {}
    return paper | ({"deciding": True} if paper["scores"] == [2, 2] and chance.random() < 0.5 else {})


def random_options(chance: Random, sheet: str) -> dict[str, Any]:
    names = [name for name in READINGS if sheet in PAID_AS_BASE or name not in OF_THE_BASE]
    return {name: chance.choice(READINGS[name]) for name in chance.sample(names, chance.randint(0, 4))}


def random_entry(chance: Random, sheet: str, options: dict[str, Any]) -> dict[str, Any]:
    draw = chance.random()
    if draw < 0.72:
        return {
            "entry": "hand",
            "bidder": chance.randrange(2),
            "bid": random_bid(chance, sheet),
            "books": random_books(chance),
        }
    if draw < 0.86:
        return random_ruling(chance, sheet, options)
    if draw < 0.90:
        return {"entry": "void"}
    if draw < 0.94:
        points = [chance.randint(-3, 3), chance.randint(-3, 3)]
        adjustment: dict[str, Any] = {"entry": "adjustment", "points": points, "reason": "by the director"}
        return adjustment | ({"sets": [chance.randint(-1, 1), 0]} if chance.random() < 0.4 else {})
    if draw < 0.96:
        return {"entry": "award", "rule": chance.choice(("13", "20", "41", "46")), "to": chance.choice((0, 1, None))}
    return {"entry": chance.choice(("time", "time", "agreed_stop"))}


def random_bid(chance: Random, sheet: str) -> str:
    kinds = ("", "-no") if sheet in ("boston-parr", "rhode-island", "hawaii") else ("", "-special", "-no")
    return f"{chance.choice((chance.randint(LOWEST.get(sheet, 1), 7), LOWEST.get(sheet, 1)))}{chance.choice(kinds)}"


def random_books(chance: Random) -> int:
    return chance.choice((0, 13, *range(4, 13), 8, 9, 10))


def random_ruling(chance: Random, sheet: str, options: dict[str, Any]) -> dict[str, Any]:
    tournament = sheet == "no-kitty-2021"
    side, bidder = chance.randrange(2), chance.randrange(2)
    if chance.random() < 0.25:
        rule, choice = chance.choice(GIVEN[: 2 if not tournament else 3])
        return {"entry": "ruling", "rule": rule, "choice": choice, "side": side}
    if tournament and chance.random() < 0.25:
        rule, choice = chance.choice(FREE)
        return {"entry": "ruling", "rule": rule, "choice": choice, "side": side}
    rule = chance.choice(PRICED) if tournament else "41"
    choice = {"41": "game", "35": "take-points"}.get(rule, "set")
    facts = {"entry": "ruling", "rule": rule, "choice": choice, "side": side, "bidder": bidder}
    return facts | {"bid": random_bid(chance, sheet), "books": random_books(chance)}


# What the tests of all games need to know about this one: see `tests/scoring/drawn.py`.

DRAWN = each("bid_whist", SHEETS, {"no-kitty-2021": READINGS})


def random_game(chance: Random, sheet: str) -> dict[str, Any]:
    return random_document(chance, sheet.partition("/")[2], wild=False)


def random_entries(chance: Random, sheet: str, sides: int) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = random_game(chance, sheet)["entries"]
    return entries


def hand_of(chance: Random, turn: Turn) -> dict[str, Any]:
    bid = random_bid(chance, turn.sheet.partition("/")[2])
    return {"entry": "hand", "bidder": chance.randrange(2), "bid": bid, "books": random_books(chance)}


def kept(document: dict[str, Any]) -> dict[str, Any]:
    played = play(document)
    columns = {key: [line[key] for line in played["entries"]] for key in ("scores", "sets")}
    return columns | {key: played[key] for key in ("over", "winner", "how")}
