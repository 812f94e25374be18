"""Random games of Spades for the tests: legal bids, plausible tricks, now and then the clock."""

from __future__ import annotations

import random
from typing import Any

from tests.scoring import wrongs
from tests.scoring.drawn import Played, Turn
from tests.scoring.spades.naive import TABLES, keep_score

NUMBERS = [str(number) for number in range(1, 14)]
WAYS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "standard": ("spades/standard", {}, {}),
    "standard-help-partner": ("spades/standard", {"failed_nil": "help-partner"}, {"failed nil helps": True}),
    "standard-nil-bags-free": ("spades/standard", {"failed_nil_trick_points": 0}, {"failed nil point": 0}),
    "standard-five-bags": ("spades/standard", {"bag_limit": 5, "bag_penalty": 50}, {"bags": 5, "bag fine": 50}),
    "standard-out-backwards": ("spades/standard", {"lose_at": -200}, {"floor": -200}),
    "standard-at-the-table": ("spades/standard", {"passing": "three-cards", "french_cut": True}, {}),
    "standard-to-250": ("spades/standard", {"game_at": 250}, {"goal": 250}),
    "standard-two-sets": ("spades/standard", {"set_limit": 2}, {"limit": 2}),
    "standard-overtime": (
        "spades/standard",
        {"deciding_hand": "counts", "game_at": 1000},
        {"overtime": True, "goal": 1000},
    ),
    "standard-low-and-sets": ("spades/standard", {"set_limit": 2, "lose_at": -200}, {"limit": 2, "floor": -200}),
    "standard-dealt-again": (
        "spades/standard",
        {"misdeal_dealer": "next", "redeal_without_spades": True, "redeal_after_a_face": True},
        {},
    ),
    "standard-twice": ("spades/standard", {"twice_the_bid": "set"}, {"twice": True}),
    "standard-twice-with-the-nil": (
        "spades/standard",
        {"twice_the_bid": "set", "failed_nil": "help-partner"},
        {"twice": True, "failed nil helps": True},
    ),
    "overtime-twice": ("spades/overtime", {"twice_the_bid": "set"}, {"twice": True}),
    "four-hands-twice": ("spades/four-hand-tournament", {"twice_the_bid": "set"}, {"twice": True}),
    "new-york-twice": ("spades/new-york", {"twice_the_bid": "set", "over_limit": 5}, {"twice": True, "too many": 5}),
    "jokers-blind-thirteen": (
        "spades/jokers",
        {"boston_points": 130, "boston_on": "bid-13", "blind_boston_points": 350, "blind_boston_set": 200},
        {"boston pays": 130, "boston on 13": True, "blind 13": 350, "blind 13 set": 200},
    ),
    "jokers": ("spades/jokers", {}, {}),
    "jokers-without-bags": ("spades/jokers", {"bag_limit": None}, {"bags": None}),
    "new-york": ("spades/new-york", {}, {}),
    "new-york-first-hand-bid": ("spades/new-york", {"first_hand_unbid": False}, {"first free": False}),
    "new-york-any-ten": ("spades/new-york", {"boston_wins": "any-ten"}, {"boston game": "ten"}),
    "new-york-play-on": ("spades/new-york", {"level_at_game": "play-on"}, {"tie": "play on"}),
    "new-york-three-in-all": ("spades/new-york", {"set_limit": 3}, {"limit": 3}),
    "new-york-first-hand": ("spades/new-york", {"first_hand_least": 4}, {"least": 4}),
    "four-hands-bid-13": (
        "spades/four-hand-tournament",
        {"boston_on": "bid-13", "boston_bid_set": 200},
        {"boston on 13": True, "13 set": 200},
    ),
    "four-hands": ("spades/four-hand-tournament", {}, {}),
    "two-sets": ("spades/two-sets", {}, {}),
    "four-hands-2026": ("spades/four-hand-tournament-2026", {}, {}),
    "two-sets-2026": ("spades/two-sets-2026", {}, {}),
    "overtime": ("spades/overtime", {}, {}),
    "four-hands-one-more": ("spades/four-hand-tournament", {"level_at_end": "one-more"}, {"extra hand": True}),
    "four-hands-boston": ("spades/four-hand-tournament", {"boston_wins": "any-bid"}, {"boston game": "any"}),
}


def random_document(pencil: random.Random, way: str) -> dict[str, Any]:
    sheet, options, changes = WAYS[way]
    table = TABLES[sheet] | changes
    start = pencil.choice([(0, 0), (0, 0), (480, 490), (470, 470), (300, 120), (-150, 40)])
    if table["goal"] is not None and max(start) >= table["goal"]:
        start = (0, 0)
    hands = 0 if start == (0, 0) else 3
    paper = random_paper(pencil, table, start) if hands else {}
    entries = deal_game(pencil, sheet, table, start, hands, paper)
    opening = {"scores": list(start), "hands": hands} | paper
    return {"sheet": sheet, "options": options, "sides": ["Aces", "Books"], "opening": opening, "entries": entries}


def random_paper(pencil: random.Random, table: dict[str, Any], start: tuple[int, int]) -> dict[str, Any]:
    """Return other totals of a sheet that is continued: too few sets to lose, bags, Bostons, a tie at time."""
    most = min(3, (table["limit"] or 9) - 1)
    sets = [pencil.randint(0, most), pencil.randint(0, most)]
    running = [pencil.randint(0, min(number, (table["shot"] or 9) - 1)) for number in sets]
    bags = table["bags"] or 1
    paper: dict[str, Any] = {"sets": sets, "bags": [pencil.randrange(bags), pencil.randrange(bags)]}
    if table["shot"] or pencil.random() < 0.5:
        paper["sets_running"] = running
    if pencil.random() < 0.3:
        paper["bostons"] = [1, 0]
    if start[0] == start[1] and pencil.random() < 0.3:
        paper["deciding"] = True
    return paper


def deal_game(
    pencil: random.Random,
    sheet: str,
    table: dict[str, Any],
    start: tuple[int, int],
    hands: int,
    paper: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    score, timed = list(start), bool(paper and paper.get("deciding"))
    for _ in range(pencil.randint(1, 12)):
        if not timed and hands < (table["hands"] or 99) and pencil.random() < 0.03:
            entries.append({"entry": "time"})
            timed = True
        else:
            entries.append(deal_hand(pencil, sheet, table, score, first=hands == 0))
            hands += 1
        before = hands - sum(entry["entry"] == "hand" for entry in entries)
        kept = keep_score(table, start, before, entries, paper)
        if kept["over"]:
            break
        score = kept["scores"][-1]
    return entries


def deal_hand(
    pencil: random.Random, sheet: str, table: dict[str, Any], score: list[int], *, first: bool
) -> dict[str, Any]:
    by_seat = [0, 0, 0, 0]
    lucky = pencil.choice([(1, 1, 1, 1), (1, 1, 1, 1), (1, 9, 1, 9), (0, 1, 0, 1), (1, 0, 1, 0), (0, 2, 2, 1)])
    for _ in range(13):
        by_seat[pencil.choices(range(4), lucky)[0]] += 1
    by_side = [by_seat[0] + by_seat[2], by_seat[1] + by_seat[3]]
    if first and table["first free"]:
        return {"entry": "hand", "tricks": pencil.choice([by_seat, by_side])}
    if sheet in ("spades/standard", "spades/overtime"):
        behind = [score[1] - score[0], score[0] - score[1]]
        blind_nil = sheet == "spades/standard"
        bids = [player_bid(pencil, behind[seat % 2] if blind_nil else 0, by_seat[seat]) for seat in range(4)]
        for side in (0, 1):
            if not blind_nil and behind[side] >= 100 and pencil.random() < 0.3:
                bids[side::2] = pencil.choice(
                    [[f"blind-{pencil.randint(6, 9)}", "with-partner"], ["with-partner", "blind-6"]]
                )
        nil = any(bid in ("0", "nil", "blind-nil") for bid in bids)
        return {"entry": "hand", "bids": bids, "tricks": by_seat if nil else pencil.choice([by_seat, by_side])}
    bids = [team_bid(pencil, sheet, score[1 - side] - score[side], by_side[side]) for side in (0, 1)]
    return {"entry": "hand", "bids": bids, "tricks": pencil.choice([by_seat, by_side])}


def player_bid(pencil: random.Random, behind: int, tricks: int) -> str:
    if pencil.random() < 0.2:
        return pencil.choice(["nil", "0", "blind-nil"] if behind >= 100 else ["nil", "0"])
    if pencil.random() < 0.2:
        return pencil.choice(NUMBERS)
    return str(min(13, max(1, tricks + pencil.randint(-2, 1))))


def team_bid(pencil: random.Random, sheet: str, behind: int, tricks: int) -> str:
    low, high, blind = {
        "spades/jokers": (1, 13, 7),
        "spades/new-york": (4, 10, 6 if behind >= 100 else None),
        "spades/four-hand-tournament": (4, 13, None),
        "spades/two-sets": (4, 13, None),
        "spades/four-hand-tournament-2026": (4, 13, None),
        "spades/two-sets-2026": (4, 13, None),
    }[sheet]
    if blind is not None and pencil.random() < 0.3:
        bid = f"blind-{pencil.randint(blind, high)}"
        return pencil.choice([bid, "come-out-10"]) if sheet == "spades/new-york" else bid
    if pencil.random() < 0.3:
        return str(pencil.randint(low, high))
    return str(min(high, max(low, tricks + pencil.randint(-3, 1))))


# What the tests of all games need to know about this one: see `tests/scoring/drawn.py`.

DRAWN: Played = [*((sheet, options) for sheet, options, _ in WAYS.values()), ("spades/jokers", wrongs.DRAWN)]


def random_game(chance: random.Random, sheet: str) -> dict[str, Any]:
    return random_document(chance, chance.choice([way for way, (key, _, _) in WAYS.items() if key == sheet]))


def random_entries(chance: random.Random, sheet: str, sides: int) -> list[dict[str, Any]]:
    return deal_game(chance, sheet, TABLES[sheet], (0, 0), 0)


def hand_of(chance: random.Random, turn: Turn) -> dict[str, Any]:
    first = turn.carry.hands == 0
    return deal_hand(chance, turn.sheet, TABLES[turn.sheet], list(turn.carry.scores), first=first)


def kept(document: dict[str, Any]) -> dict[str, Any]:
    played = document["sheet"], document["options"]
    changes = next(changes for sheet, options, changes in WAYS.values() if (sheet, options) == played)
    table, opening = TABLES[document["sheet"]] | changes, document["opening"]
    sheet = keep_score(table, opening["scores"], opening["hands"], document["entries"], opening)
    return {key: sheet[key] for key in ("scores", "sets", "bags", "over", "winner", "how")}
