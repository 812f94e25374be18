"""Okinawa once more, with a pencil: written from the seed text alone, it knows nothing of scoring/okinawa."""

from __future__ import annotations

from typing import Any

DEALS = [5, 5, 5, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13]


def keep_score(entries: list[dict[str, Any]], options: dict[str, Any]) -> dict[str, Any]:
    """The two columns of the board after each entry, and who won."""
    score, column, played = [0, 0], [], 0
    winner, how, level = None, None, False
    for entry in entries:
        if entry["entry"] == "time":
            if score[0] == score[1]:
                level = True
            else:
                winner, how = int(score[1] > score[0]), "time"
        elif entry["entry"] == "hand":
            cards = DEALS[min(played, 12)]
            if set(entry["bids"]) == {"pass"} and options.get("nobody_bids") != "played" and not sum(entry["tricks"]):
                column.append(list(score))
                continue
            won = [team_points(entry, side, cards, options) for side in (0, 1)]
            played += 1
            if level:
                if won[0] != won[1]:
                    winner, how = int(won[1] > won[0]), "deciding-hand"
            else:
                score = [score[0] + won[0], score[1] + won[1]]
                if played == 13 and score[0] != score[1]:
                    winner, how = int(score[1] > score[0]), "schedule"
                elif played == 13 and options.get("level_at_end") == "one-more":
                    level = True
                elif played == 13:
                    how = "schedule"
        column.append(list(score))
    return {"scores": column, "winner": winner, "how": how, "over": how is not None}


def team_points(entry: dict[str, Any], side: int, cards: int, options: dict[str, Any]) -> int:
    each, bonus = options.get("trick_points", 5), options.get("okinawa_bonus", 50)
    bids, tricks = entry["bids"][side::2], sum(entry["tricks"][side::2])
    if "okinawa" in bids:
        if tricks == cards:
            return each * cards + bonus
        return -each * cards - (bonus if options.get("okinawa_fails") == "tricks-and-bonus" else 0)
    bid = sum(int(words) for words in bids if words != "pass")
    return each * bid + options.get("over_points", 1) * (tricks - bid) if tricks >= bid else -each * bid
