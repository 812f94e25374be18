"""A second scorer of Bid Whist, written plainly from the two sources; it shares nothing with scoring/bid_whist.

One long loop over plain dictionaries, slow and obvious. Its job is to disagree with the real scorer.
"""

from __future__ import annotations

from typing import Any

# What each sheet prints: points that win and lose, the bonus of the tournament, and how a hand is paid.
TOURNAMENT = {"win": 5, "lose": -5, "limit": 2, "bonus": 5, "odd": True, "backdoor": "first-hand", "renege": "game"}
OTHERS = {"win": 7, "lose": -7, "limit": None, "bonus": 0, "odd": False, "backdoor": "none", "renege": "three-books"}
SHEETS: dict[str, dict[str, Any]] = {
    "no-kitty-2021": TOURNAMENT | {"pay": "base"},
    "standard": OTHERS | {"pay": "base"},
    "cincinnati": OTHERS | {"pay": "base"},
    "52-card": OTHERS | {"win": 21, "lose": None, "pay": "52"},
    "boston-parr": OTHERS | {"win": 11, "lose": None, "pay": "parr"},
    "rhode-island": OTHERS | {"win": 21, "lose": None, "pay": "rhode-island"},
    "hawaii": OTHERS | {"win": 21, "lose": None, "pay": "hawaii"},
    "marathon": OTHERS | {"win": None, "lose": None, "pay": "marathon"},
}


def pay_base(bid: int, no: bool, books: int, choice: dict[str, Any]) -> tuple[int, int]:
    """Return the points of the bidders and of the others."""
    times = 2 if no else 1
    others = 0
    if choice.get("defenders_score") == "books-above-six" and 13 - books > 6:
        others = (13 - books - 6) * times
    if choice.get("defenders_score") == "every-book":
        others = (13 - books) * times
    if books >= 6 + bid:
        if bid == 7 and choice.get("boston_bid_is_game"):
            return 28, 0
        return (bid if choice.get("score_basis") == "bid" else books - 6) * times, others
    lost, gained = price_of_set("base", bid, no, choice)
    return lost, gained + others


def pay(kind: str, bid: int, no: bool, books: int, choice: dict[str, Any]) -> tuple[int, int]:
    made = books >= 6 + bid
    if kind == "52":
        return (books - 6, 0) if made else (0, bid)
    if kind == "parr":
        return (books - 6 if made else -bid), 13 - books
    if kind == "rhode-island":
        times = 2 if no else 1
        if made:
            return books * times, 0
        return 0, (bid + (13 - books - 6 if 13 - books > 6 else 0)) * times
    if kind == "hawaii":
        return (1, 0) if made else (0, 2)
    if kind == "marathon":
        if made and bid == 7:
            return (26 if no else 13), 0
        return (bid if made else -bid) * (2 if no else 1), 0
    return pay_base(bid, no, books, choice)


def price_of_set(kind: str, bid: int, no: bool, choice: dict[str, Any]) -> tuple[int, int]:
    """Return the points of a set by ruling: of the side that is set, and of the other."""
    if kind == "base" and choice.get("set_pays", "bidders-lose") != "bidders-lose":
        gains = bid if choice["set_pays"] == "opponents-gain" else choice["set_pays"]
        return 0, gains * (2 if no else 1)
    if kind == "52":
        return 0, bid
    if kind == "rhode-island":
        return 0, bid * (2 if no else 1)
    if kind == "hawaii":
        return 0, 2
    if kind == "parr":
        return -bid, 0
    return -bid * (2 if no else 1), 0


def play(document: dict[str, Any]) -> dict[str, Any]:
    choice = document.get("options", {})
    sheet = SHEETS[document["sheet"].split("/")[1]]
    tournament = sheet["bonus"] == 5
    limit = choice.get("set_limit", sheet["limit"])
    backdoor = choice.get("backdoor_scope", sheet["backdoor"])
    renege = choice.get("renege_price", sheet["renege"])
    bonus = choice.get("bonus_points", sheet["bonus"])
    rubber = choice.get("rubber_games", 1)
    opening = document.get("opening", {})
    scores = list(opening.get("scores", [0, 0]))
    sets = list(opening.get("sets", [0, 0]))
    row = list(opening.get("sets_running", sets))
    games, bostons, running = list(opening.get("games", [0, 0])), list(opening.get("bostons", [0, 0])), []
    hands = opening.get("hands", 0)
    level_at_time, end = bool(opening.get("deciding")), None
    overtime = choice.get("deciding_hand") == "counts"
    how: str | None

    for entry in document["entries"]:
        assert end is None
        what = entry["entry"]
        rule, act = str(entry.get("rule", "")), entry.get("choice", "")
        gained: list[int] | None = None  # points of this entry's bid, if it had one
        bidder: Any = None
        set_side: Any = None
        made_side = books = None
        played = adjusted = False
        ending = None  # (winner, how, bonus is due)

        if what == "hand":
            bidder, books, played = entry["bidder"], entry["books"], True
            bid, no = int(entry["bid"][0]), entry["bid"].endswith("no")
        if what == "ruling":
            if act in ("award", "forfeit", "disqualified") or (act == "game" and renege == "game"):
                winner = 1 - entry["side"]
                how = {"award": "late", "game": "renege"}.get(act, "forfeit")
                if how == "renege":
                    ending, hands = (winner, how, True), hands + 1
                else:
                    scores[winner] += bonus
                    end = (winner, how)
            if act == "both-late":
                end = (None, "no-game")
            if act == "set" or (act == "game" and renege == "set"):
                bidder, bid, no = entry["bidder"], int(entry["bid"][0]), entry["bid"].endswith("no")
                set_side = entry["side"]
                lost, won = price_of_set(sheet["pay"], bid, no, choice)
                gained = [0, 0]
                gained[set_side] += lost
                gained[1 - set_side] += won
            if act == "take-points":
                bidder, bid, no = entry["bidder"], int(entry["bid"][0]), entry["bid"].endswith("no")
                made_side, gained = bidder, [0, 0]
                gained[bidder] = bid * (2 if no else 1)
            if act == "game" and renege == "three-books":
                bidder, bid, no = entry["bidder"], int(entry["bid"][0]), entry["bid"].endswith("no")
                theirs = {bidder: entry["books"], 1 - bidder: 13 - entry["books"]}
                if theirs[entry["side"]] < 3:
                    books = 0 if entry["side"] == bidder else 13
                else:
                    books = entry["books"] + (-3 if entry["side"] == bidder else 3)
        if what == "award":
            if entry.get("to") is None:
                end = (None, "no-game")
            else:
                scores[entry["to"]] += bonus
                how = {"13": "late", "41": "renege", "46": "forfeit", "47": "forfeit"}.get(rule, "award")
                end = (entry["to"], how)
        if what == "adjustment":
            adjusted = True
            for side in (0, 1):
                scores[side] += entry["points"][side]
                sets[side] += entry.get("sets", [0, 0])[side]
                row[side] = max(0, row[side] + entry.get("sets", [0, 0])[side])
        if what in ("time", "agreed_stop"):
            state = [(games[0], scores[0]), (games[1], scores[1])]
            how = "time" if what == "time" else "agreed-stop"
            if state[0] != state[1]:
                end = (0 if state[0] > state[1] else 1, how)
            elif what == "time":
                level_at_time = True
            else:
                end = (None, how)

        if books is not None:
            mine, others = pay(sheet["pay"], bid, no, books, choice)
            gained = [0, 0]
            gained[bidder], gained[1 - bidder] = mine, others
            if books >= 6 + bid:
                made_side = bidder
            else:
                set_side = bidder

        if gained is not None:
            first = hands == 0
            hands += 1
            if set_side is not None:
                sets[set_side] += 1
                row[set_side] += 1
            if set_side != bidder:
                row[bidder] = 0
            if level_at_time and not overtime:
                if gained[0] != gained[1]:
                    end = (0 if gained[0] > gained[1] else 1, "deciding-hand")
            else:
                scores[0] += gained[0]
                scores[1] += gained[1]
                if bid == 7 and choice.get("boston_bid_is_game"):
                    ending = (made_side if made_side is not None else 1 - set_side, "boston", False)
                elif set_side is not None and sheet["odd"] and (bid == 1 or seven_against(choice, books)):
                    ending = (1 - set_side, "odd", True)
        if (gained is not None and (overtime or not level_at_time)) or adjusted:
            counted = row if choice.get("sets_consecutive") else sets
            if ending is None and limit is not None and max(counted) >= limit:
                loser = 0 if counted[0] >= limit else 1
                ending = (1 - loser, "two-sets" if limit == 2 else "sets", True)
            if ending is None and sheet["lose"] is not None and scores[0] != scores[1]:
                loser = 0 if scores[0] < scores[1] else 1
                if scores[loser] <= sheet["lose"]:
                    paid = backdoor == "any-hand" or (backdoor == "first-hand" and not adjusted and first)
                    paid = paid and not adjusted and bidder == loser
                    ending = (1 - loser, "backdoor" if paid else "negative", paid)
            if ending is None and sheet["win"] is not None:
                winner = reached(document["sheet"], sheet["win"], scores, None if adjusted else bidder)
                if winner is not None:
                    ending = (winner, "points", False)
            if ending is None and adjusted and level_at_time:
                state = [(games[0], scores[0]), (games[1], scores[1])]
                if state[0] != state[1]:
                    end = (0 if state[0] > state[1] else 1, "time")
        if gained is not None and overtime and level_at_time and ending is None and scores[0] != scores[1]:
            end = (0 if scores[0] > scores[1] else 1, "deciding-hand")
        if played and (end or ending or choice.get("boston") == "any-13"):
            if books == 13:
                bostons[bidder] += 1
            if books == 0:
                bostons[1 - bidder] += 1
        if ending is not None:
            winner, how, due = ending
            scores[winner] += bonus if due else 0
            games[winner] += 1
            if games[winner] == rubber:
                end = (winner, how if rubber == 1 else "rubber")
            else:
                scores, sets, row, hands, level_at_time = [0, 0], [0, 0], [0, 0], 0, False
        running.append({"scores": list(scores), "sets": list(sets)})

    winner, how = end or (None, None)
    points = list(scores)
    if how == "no-game":
        points = [0, 0]
    elif winner is not None and choice.get("loser_points") == "winners-only":
        points[1 - winner] = 0
    elif winner is not None and choice.get("loser_points") == "zero-at-least":
        points[1 - winner] = max(0, points[1 - winner])
    assert tournament or sheet["bonus"] == 0
    return {
        "entries": running,
        "over": end is not None,
        "winner": winner,
        "how": how,
        "points": points,
        "bostons": bostons,
    }


def reached(sheet: str, target: int, scores: list[int], bidder: int | None) -> int | None:
    if sheet.endswith("hawaii"):
        if scores[0] == scores[1]:
            return None
        high = 0 if scores[0] > scores[1] else 1
        up, down = scores[high], scores[1 - high]
        return high if (up >= 7 and down == 0) or up - down >= 11 or (up >= target and up - down >= 2) else None
    there = [side for side in (0, 1) if scores[side] >= target]
    if len(there) == 2:
        if bidder is not None:
            return bidder
        return None if scores[0] == scores[1] else (0 if scores[0] > scores[1] else 1)
    return there[0] if there else None


def seven_against(choice: dict[str, Any], books: int | None) -> bool:
    return choice.get("odd_scope") == "any-bid" and books is not None and 13 - books >= 7
