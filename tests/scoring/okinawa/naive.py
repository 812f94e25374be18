"""Okinawa once more, with a pencil: written from the seed text alone, it knows nothing of scoring/okinawa."""

from __future__ import annotations

from typing import Any

DEALS = [5, 5, 5, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13]


def keep_score(entries: list[dict[str, Any]], *, fail_costs_bonus: bool, one_more: bool) -> dict[str, Any]:
    """The two columns of the board after each entry, the dealers, and who won."""
    score, column, played, dealer = [0, 0], [], 0, 0
    winner, how, level = None, None, False
    for entry in entries:
        if entry["entry"] == "time":
            if score[0] == score[1]:
                level = True
            else:
                winner, how = int(score[1] > score[0]), "time"
        elif entry["entry"] == "hand":
            cards = DEALS[min(played, 12)]
            dealer += 1
            if set(entry["bids"]) == {"pass"} and sum(entry["tricks"]) == 0:
                column.append(list(score))
                continue
            won = [team_points(entry, side, cards, fail_costs_bonus) for side in (0, 1)]
            played += 1
            if level:
                if won[0] != won[1]:
                    winner, how = int(won[1] > won[0]), "deciding-hand"
            else:
                score = [score[0] + won[0], score[1] + won[1]]
                if played == 13 and score[0] != score[1]:
                    winner, how = int(score[1] > score[0]), "schedule"
                elif played == 13 and one_more:
                    level = True
                elif played == 13:
                    how = "schedule"
        column.append(list(score))
    return {"scores": column, "winner": winner, "how": how, "over": how is not None}


def team_points(entry: dict[str, Any], side: int, cards: int, fail_costs_bonus: bool) -> int:
    bids, tricks = entry["bids"][side::2], sum(entry["tricks"][side::2])
    if "okinawa" in bids:
        if tricks == cards:
            return 5 * cards + 50
        return -5 * cards - (50 if fail_costs_bonus else 0)
    bid = sum(int(words) for words in bids if words != "pass")
    return 5 * bid + (tricks - bid) if tricks >= bid else -5 * bid
