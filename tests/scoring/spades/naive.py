"""A second scorer of Spades, as a scorekeeper with a pencil: one long walk down the sheet, no shared code.

Written from the seed text alone, without scoring/spades. `keep_score` gives the columns after each hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

BASIC = {
    "nil": 100,
    "blind nil": 200,
    "bags": 10,
    "bag fine": 100,
    "over": 1,
    "goal": 500,
    "floor": None,
    "failed nil helps": False,
    "failed nil point": 1,
    "low": None,
    "too many": None,
    "ten": None,
    "ten set": None,
    "blind set doubles": True,
    "first free": False,
    "shot": None,
    "boston game": "no",
    "boston pays": None,
    "count bostons": False,
    "hands": None,
    "extra hand": False,
    "tie": "play on",
    "limit": None,
    "least": None,
    "boston on 13": False,
    "13 set": None,
    "twice": False,
    "blind 13": None,
    "blind 13 set": None,
    "overtime": False,
}
TABLES: dict[str, dict[str, Any]] = {
    "spades/standard": BASIC,
    "spades/jokers": BASIC,
    "spades/new-york": BASIC
    | {
        "bags": None,
        "over": 0,
        "too many": 3,
        "ten": 200,
        "ten set": 200,
        "blind set doubles": False,
        "first free": True,
        "shot": 2,
        "boston game": "open",
        "count bostons": True,
        "tie": "first ahead",
    },
    "spades/four-hand-tournament": BASIC
    | {
        "bags": None,
        "over": 0,
        "ten": 200,
        "ten set": 100,
        "boston pays": 250,
        "count bostons": True,
        "goal": None,
        "hands": 4,
    },
    "spades/two-sets": BASIC
    | {"ten": 150, "boston pays": 200, "boston on 13": True, "count bostons": True, "goal": 350, "limit": 2},
    "spades/overtime": BASIC | {"shot": 2, "limit": 3},
}
TABLES["spades/four-hand-tournament-2026"] = TABLES["spades/four-hand-tournament"] | {"boston game": "any"}
TABLES["spades/two-sets-2026"] = TABLES["spades/two-sets"] | {"ten set": 150}


def keep_score(
    table: dict[str, Any],
    start: Sequence[int],
    hands: int,
    entries: list[dict[str, Any]],
    paper: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the sheet after all entries: columns of running scores, bags and sets, and how it ended.

    `paper` has the other totals of a sheet that is continued.
    """
    paper = paper or {}
    score, bags, sets, boston = list(start), *(list(paper.get(key, [0, 0])) for key in ("bags", "sets", "bostons"))
    row = list(paper.get("sets_running", sets))
    column: list[list[list[int]]] = []
    ended: tuple[int | None, str] | None = None
    extra = clock = bool(paper.get("deciding"))
    for entry in entries:
        if entry["entry"] == "time":
            if score[0] == score[1]:
                extra = clock = True
            else:
                ended = (0 if score[0] > score[1] else 1, "time")
            column.append([score[:], sets[:], bags[:]])
            continue
        free = table["first free"] and hands == 0
        was_level_high = table["goal"] is not None and score[0] == score[1] >= table["goal"]
        got, newbags, hit, team = [0, 0], [0, 0], [False, False], [0, 0]
        for side in (0, 1):
            team[side] = sum(entry["tricks"][side::2])
            if free:
                got[side] = 10 * team[side]
                continue
            got[side], newbags[side], hit[side] = one_side(table, entry["bids"][side::2], entry["tricks"][side::2])
            row[side] = row[side] + 1 if hit[side] else 0
            sets[side] += hit[side]
        after_bags = bags[:]
        counts = clock and table["overtime"]
        if table["bags"] and (counts or not extra):
            for side in (0, 1):
                for _ in range(newbags[side]):
                    after_bags[side] += 1
                    if after_bags[side] == table["bags"]:
                        after_bags[side] = 0
                        got[side] -= table["bag fine"]
        hands += 1
        if table["count bostons"]:
            boston = [boston[side] + (team[side] == 13) for side in (0, 1)]
        if extra and not counts:
            if got[0] != got[1]:
                ended = (0 if got[0] > got[1] else 1, "deciding-hand")
            column.append([score[:], sets[:], bags[:]])
            continue
        bags = after_bags
        score = [score[0] + got[0], score[1] + got[1]]
        column.append([score[:], sets[:], bags[:]])
        if free and table["least"] and min(team) < table["least"]:
            ended = (1 if team[0] < team[1] else 0, "first-hand")
        if not free:
            ended = ending(table, entry, team, score, hit, row, sets, was_level_high)
        if counts and ended is None and score[0] != score[1]:
            ended = (0 if score[0] > score[1] else 1, "deciding-hand")
        if ended is None and table["hands"] == hands:
            if score[0] != score[1]:
                ended = (0 if score[0] > score[1] else 1, "schedule")
            elif table["extra hand"]:
                extra = True
            else:
                ended = (None, "schedule")
    return {
        "scores": [line[0] for line in column],
        "sets": [line[1] for line in column],
        "bags": [line[2] for line in column],
        "over": ended is not None,
        "winner": ended[0] if ended else None,
        "how": ended[1] if ended else None,
        "bostons": boston,
    }


def one_side(table: dict[str, Any], bids: list[str], tricks: list[int]) -> tuple[int, int, bool]:
    """Return points, new bags and “set” of one side."""
    points = bags = 0
    numbers, usable = [], 0
    nil_tricks = 0
    for seat, bid in enumerate(bids):
        own = tricks[seat] if len(tricks) == len(bids) else 0
        if bid in ("nil", "0", "blind-nil"):
            worth = table["blind nil"] if bid == "blind-nil" else table["nil"]
            if own == 0:
                points += worth
            else:
                points -= worth
                nil_tricks += own
        else:
            # A number that was bid blind is for both partners.
            numbers += [] if bid == "with-partner" else [bid]
            usable += own
    if len(tricks) != len(bids):
        usable = sum(tricks)
    if not numbers:
        return points + nil_tricks * table["failed nil point"], nil_tricks, False
    if table["failed nil helps"]:
        usable += nil_tricks
    else:
        bags += nil_tricks
        points += nil_tricks * table["failed nil point"]
    blind = numbers[0].startswith("blind-")
    total = sum(int(number.split("-")[-1]) for number in numbers)
    if blind and total == usable == 13 and table["blind 13"] is not None:
        return points + table["blind 13"], bags, False
    if table["boston pays"] is not None and usable == 13 and (total == 13 or not table["boston on 13"]):
        return points + table["boston pays"], bags, False
    over = usable - total
    open_limit = table["too many"] if not blind and total < 10 else None
    good = over >= 0 and not (open_limit and over >= open_limit) and not (table["twice"] and usable >= 2 * total)
    prize = table["ten"] if total == 10 and table["ten"] else 10 * total
    price = table["ten set"] if total == 10 and table["ten set"] else 10 * total
    price = table["13 set"] if total == 13 and table["13 set"] is not None else price
    if good:
        return points + prize * (2 if blind else 1) + over * table["over"], bags + over, False
    if blind and total == 13 and table["blind 13 set"] is not None:
        return points - table["blind 13 set"], bags, True
    return points - price * (2 if blind and table["blind set doubles"] else 1), bags, True


def ending(
    table: dict[str, Any],
    entry: dict[str, Any],
    team: list[int],
    score: list[int],
    hit: list[bool],
    row: list[int],
    sets: list[int],
    was_level_high: bool,
) -> tuple[int | None, str] | None:
    for side in (0, 1):
        if team[side] == 13:
            bids_of_side = entry["bids"][side::2]
            ten = len(bids_of_side) == 1 and bids_of_side[0] in ("10", "come-out-10")
            blind_ten = bids_of_side == ["blind-10"]
            if table["boston game"] == "open" and ten:
                return side, "boston"
            if table["boston game"] == "ten" and (ten or blind_ten):
                return side, "boston"
            if table["boston game"] == "any":
                return side, "boston"
    high = None if score[0] == score[1] else 0 if score[0] > score[1] else 1
    # Who lost, and how. If both did, the higher score wins, by the first reason.
    ways = [
        ("back-to-back", [table["shot"] is not None and hit[side] and row[side] >= table["shot"] for side in (0, 1)]),
        (
            "two-sets" if table["limit"] == 2 else "sets",
            [table["limit"] is not None and sets[side] >= table["limit"] for side in (0, 1)],
        ),
        ("negative", [table["floor"] is not None and score[side] <= table["floor"] for side in (0, 1)]),
    ]
    out = [any(way[side] for _, way in ways) for side in (0, 1)]
    if any(out):
        how = next(name for name, way in ways if any(way))
        if not all(out):
            return (1 if out[0] else 0), how
        if high is not None:
            return high, how
        return None
    if table["goal"] is None or high is None:
        return None
    if score[high] >= table["goal"]:
        return high, "points"
    if was_level_high and table["tie"] == "first ahead":
        return high, "points"
    return None
