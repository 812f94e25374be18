"""A second scorer of Okinawa, with a pencil: written from the seed text alone, without scoring/okinawa."""

from __future__ import annotations

from typing import Any

DEALS = [5, 5, 5, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13]


def keep_score(
    entries: list[dict[str, Any]], options: dict[str, Any], paper: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the two columns of the sheet after each entry, and who won; `paper` is a sheet that is continued."""
    paper = paper or {}
    score, column, played = list(paper.get("scores", [0, 0])), [], paper.get("hands", 0)
    sets = list(paper.get("sets", [0, 0]))
    row = list(paper.get("sets_running", sets))
    winner, how = None, None
    level = clock = bool(paper.get("deciding"))
    for entry in entries:
        if entry["entry"] == "time":
            if score[0] == score[1]:
                level = clock = True
            else:
                winner, how = int(score[1] > score[0]), "time"
        elif entry["entry"] == "hand":
            cards = DEALS[min(played, 12)]
            if set(entry["bids"]) == {"pass"} and options.get("nobody_bids") != "played" and not sum(entry["tricks"]):
                column.append(list(score))
                continue
            won = [team_points(entry, side, cards, options) for side in (0, 1)]
            played += 1
            hit = [promised(entry, side, cards) > sum(entry["tricks"][side::2]) for side in (0, 1)]
            bid = [promised(entry, side, cards) > 0 for side in (0, 1)]
            sets = [sets[side] + hit[side] for side in (0, 1)]
            row = [row[side] + 1 if hit[side] else 0 if bid[side] else row[side] for side in (0, 1)]
            counts = clock and options.get("deciding_hand") == "counts"
            if level and not counts:
                if won[0] != won[1]:
                    winner, how = int(won[1] > won[0]), "deciding-hand"
            else:
                score = [score[0] + won[0], score[1] + won[1]]
                winner, how = out_by_sets(options, score, sets, row, hit)
                if how is not None:
                    pass
                elif counts and score[0] != score[1]:
                    winner, how = int(score[1] > score[0]), "deciding-hand"
                elif counts:
                    pass
                elif played == 13 and score[0] != score[1]:
                    winner, how = int(score[1] > score[0]), "schedule"
                elif played == 13 and options.get("level_at_end") == "one-more":
                    level = True
                elif played == 13:
                    how = "schedule"
        column.append(list(score))
    return {"scores": column, "winner": winner, "how": how, "over": how is not None}


def promised(entry: dict[str, Any], side: int, cards: int) -> int:
    """Return how many tricks a team must take."""
    bids = entry["bids"][side::2]
    return cards if "okinawa" in bids else sum(int(words) for words in bids if words != "pass")


def out_by_sets(
    options: dict[str, Any], score: list[int], sets: list[int], row: list[int], hit: list[bool]
) -> tuple[int | None, str | None]:
    """Return who wins because of the other team’s sets; if both lose, the higher score; tied, nobody yet."""
    limit, running = options.get("set_limit"), options.get("back_to_back")
    in_a_row = [running is not None and hit[side] and row[side] >= running for side in (0, 1)]
    out = [in_a_row[side] or (limit is not None and sets[side] >= limit) for side in (0, 1)]
    if not any(out) or (all(out) and score[0] == score[1]):
        return None, None
    how = "back-to-back" if any(in_a_row) else "two-sets" if limit == 2 else "sets"
    return (int(score[1] > score[0]) if all(out) else int(out[0])), how


def team_points(entry: dict[str, Any], side: int, cards: int, options: dict[str, Any]) -> int:
    each, bonus = options.get("trick_points", 5), options.get("okinawa_bonus", 50)
    bids, tricks = entry["bids"][side::2], sum(entry["tricks"][side::2])
    if "okinawa" in bids:
        if tricks == cards:
            return each * cards + bonus
        return -each * cards - (bonus if options.get("okinawa_fails") == "tricks-and-bonus" else 0)
    bid = sum(int(words) for words in bids if words != "pass")
    return each * bid + options.get("over_points", 1) * (tricks - bid) if tricks >= bid else -each * bid
