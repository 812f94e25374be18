"""How a game of Spades ends: a Boston, sets in a row, points, the last hand, in this order."""

from __future__ import annotations

from scoring.decisions import leader
from scoring.ledger import BySide, Carry
from scoring.schedule import close_schedule
from scoring.spades.citations import CITES
from scoring.spades.rules import Rules
from scoring.spades.sheet import BLIND, COME_OUT, Bid
from scoring.verdict import Verdict


def boston_verdict(rules: Rules, side: int, bid: Bid | None) -> Verdict | None:
    """This function will say whether all 13 tricks of `side` win the game. `bid` is its own number, None for none."""
    if bid is None or rules.boston_wins == "no":
        return None
    if rules.boston_wins != "any-bid" and bid.number != 10:
        return None
    if rules.boston_wins == "open-ten" and bid.kind == BLIND:
        return None
    said = {BLIND: f"a blind bid of {bid.number}", COME_OUT: f"a {bid.number} that came out of a blind bid"}
    on = said.get(bid.kind, f"a bid of {bid.number}")
    return Verdict(side, "boston", CITES[rules.book]["boston"], f"All 13 tricks on {on}: game.")


def judge(rules: Rules, before: Carry, after: Carry, was_set: tuple[bool, ...]) -> Verdict | None:
    """This function will say whether sets in a row or points ended the game. `was_set`: in this entry, per side."""
    return _back_to_back(rules, after, was_set) or _negative(rules, after) or _points(rules, before, after)


def close_hands(rules: Rules, carry: Carry) -> Carry:
    """This function will end a game of a fixed number of hands after the last; level is a draw, or one hand decides."""
    if rules.hand_limit is None:
        return carry
    one_more = rules.level_at_end == "one-more"
    return close_schedule(carry, deals=rules.hand_limit, rule=CITES[rules.book]["end"], one_more=one_more)


def _back_to_back(rules: Rules, after: Carry, was_set: tuple[bool, ...]) -> Verdict | None:
    """Both sides at once: the higher score wins, and level they play on."""
    if rules.back_to_back is None:
        return None
    rule, limit = CITES[rules.book]["back_to_back"], rules.back_to_back
    shot = [side for side in range(2) if was_set[side] and after.sets_running[side] >= limit]
    times = "twice" if limit == 2 else f"{limit} times"
    if len(shot) == 1:
        return Verdict(1 - shot[0], "back-to-back", rule, f"Set {times} in a row: the other side wins.")
    winner = leader(after.scores)
    if not shot or winner is None:
        return None
    return Verdict(winner, "back-to-back", rule, f"Both sides were set {times} in a row: the higher score wins.")


def _negative(rules: Rules, after: Carry) -> Verdict | None:
    """Of two sides at the losing score the lower loses; both as low, the game goes on."""
    loser = leader(BySide(-score for score in after.scores))
    if rules.lose_at is None or loser is None or after.scores[loser] > rules.lose_at:
        return None
    text = f"The other side fell to {after.scores[loser]}: game.".replace("-", "−")
    return Verdict(1 - loser, "negative", CITES[rules.book]["game"], text)


def _points(rules: Rules, before: Carry, after: Carry) -> Verdict | None:
    """The side at the winning score wins; of two sides there the higher; level they play on."""
    winner = leader(after.scores)
    if rules.game_at is None or winner is None:
        return None
    rule = CITES[rules.book]["game"]
    if after.scores[winner] >= rules.game_at:
        return Verdict(winner, "points", rule, f"{after.scores[winner]} points: game.")
    was_level = leader(before.scores) is None and before.scores[0] >= rules.game_at
    if was_level and rules.level_at_game == "until-broken":
        return Verdict(
            winner, "points", rule, "Both had the points for game; the tie is broken: the higher score wins."
        )
    return None
