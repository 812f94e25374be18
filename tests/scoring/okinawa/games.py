"""Random games of Okinawa for the tests: by player or by team, thrown up, passed by all, stopped by the clock."""

from __future__ import annotations

import random
from typing import Any

from tests.scoring import wrongs
from tests.scoring.drawn import Played, Turn
from tests.scoring.okinawa.naive import DEALS, keep_score

WAYS: dict[str, dict[str, Any]] = {
    "standard": {},
    "bonus-lost": {"okinawa_fails": "tricks-and-bonus"},
    "one-more": {"level_at_end": "one-more"},
    "both": {"okinawa_fails": "tricks-and-bonus", "level_at_end": "one-more"},
    "other-points": {"trick_points": 10, "over_points": 3, "okinawa_bonus": 25, "okinawa_fails": "tricks-and-bonus"},
    "thrown-up-early": {"throw_up": "one-ten", "throw_up_from": 2},
    "two-sets": {"set_limit": 2},
    "three-sets-or-two-in-a-row": {"set_limit": 3, "back_to_back": 2},
    "overtime": {"deciding_hand": "counts", "misdeal_dealer": "next"},
    "passes-played": {"nobody_bids": "played", "number_for_all": "refused"},
}


def random_document(pencil: random.Random, way: str) -> dict[str, Any]:
    options = WAYS[way]
    paper = random_paper(pencil, options) if pencil.random() < 0.3 else {}
    document = {"sheet": "okinawa/standard", "options": options, "sides": ["Aces", "Books"]}
    return document | {"entries": deal_game(pencil, options, paper)} | ({"opening": paper} if paper else {})


def random_paper(pencil: random.Random, options: dict[str, Any]) -> dict[str, Any]:
    """Return the totals of a sheet that is continued, with too few sets to lose; sometimes tied when time ran out."""
    most = min(2, options.get("set_limit", 9) - 1)
    sets = [pencil.randint(0, most), pencil.randint(0, most)]
    running = [pencil.randint(0, min(number, options.get("back_to_back", 9) - 1)) for number in sets]
    paper = {"scores": [20, pencil.choice([20, -15])], "hands": pencil.randint(2, 12)}
    paper |= {"sets": sets, "sets_running": running}
    may_decide = paper["scores"] == [20, 20] and "set_limit" not in options
    return paper | ({"deciding": True} if may_decide and pencil.random() < 0.5 else {})


def deal_game(
    pencil: random.Random, options: dict[str, Any], paper: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    paper = paper or {}
    played, timed = paper.get("hands", 0), bool(paper.get("deciding"))
    for _ in range(pencil.randint(1, 18)):
        chance = pencil.random()
        if chance < 0.01 and not timed and played < 13:
            timed = True
            entries.append({"entry": "time"})
        elif chance < 0.05 and played + 1 >= options.get("throw_up_from", 6):
            entries.append({"entry": "void", "rule": "ok.throw_up"})
        elif chance < 0.08 and options.get("nobody_bids") != "played":
            entries.append({"entry": "hand", "bids": ["pass"] * 4, "tricks": pencil.choice([[], [0, 0], [0] * 4])})
        else:
            hand = deal_hand(pencil, DEALS[min(played, 12)])
            if chance < 0.08:
                hand["bids"] = ["pass"] * 4
            if options.get("number_for_all") == "refused":
                hand["bids"] = ["okinawa" if bid == str(DEALS[min(played, 12)]) else bid for bid in hand["bids"]]
            entries.append(hand)
            played += 1
        if keep_score(entries, options, paper)["over"]:
            break
    return entries


def deal_hand(pencil: random.Random, cards: int) -> dict[str, Any]:
    tricks = [0, 0, 0, 0]
    lucky = pencil.choice([(1, 1, 1, 1), (1, 0, 1, 0), (0, 1, 0, 1), (3, 1, 2, 1)])
    for _ in range(cards):
        tricks[pencil.choices(range(4), lucky)[0]] += 1
    by_side = [tricks[0] + tricks[2], tricks[1] + tricks[3]]
    bids = ["pass"] * 4
    for side in (0, 1):
        team = min(cards, max(0, by_side[side] + pencil.randint(-2, 2)))
        first = pencil.randint(0, team)
        bids[side], bids[side + 2] = (str(number) if number else "pass" for number in (first, team - first))
        if pencil.random() < 0.15:
            bids[pencil.choice([side, side + 2])] = "okinawa"
    if pencil.random() < 0.3 and "okinawa" not in bids:
        sums = [sum(int(bid) for bid in bids[side::2] if bid != "pass") for side in (0, 1)]
        bids = [str(number) if number else "pass" for number in sums]
    hand = {"entry": "hand", "bids": bids, "tricks": pencil.choice([tricks, by_side])}
    return hand | {"cards": cards} if pencil.random() < 0.5 else hand


# What the tests of all games need to know about this one: see `tests/scoring/drawn.py`.

DRAWN: Played = [("okinawa/standard", options) for options in (*WAYS.values(), wrongs.DRAWN)]
TARIFFS = ("standard", "bonus-lost", "other-points", "passes-played")


def random_game(chance: random.Random, sheet: str) -> dict[str, Any]:
    return random_document(chance, chance.choice(TARIFFS))


def random_entries(chance: random.Random, sheet: str, sides: int) -> list[dict[str, Any]]:
    return deal_game(chance, {})


def hand_of(chance: random.Random, turn: Turn) -> dict[str, Any]:
    return deal_hand(chance, turn.due.cards)


def kept(document: dict[str, Any]) -> dict[str, Any]:
    return keep_score(document["entries"], document["options"], document.get("opening"))
