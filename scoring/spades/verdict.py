"""How a game of Spades ends: a Boston, sets in a row, points, the last hand, in this order."""

from __future__ import annotations

from scoring.decisions import leader
from scoring.ledger import BySide, Carry
from scoring.schedule import close_schedule
from scoring.spades.citations import CITES
from scoring.spades.rules import Rules
from scoring.spades.sheet import BLIND, COME_OUT, Bid
from scoring.verdict import Verdict
from scoring.words import number, side_name


def boston_verdict(rules: Rules, side: int, bid: Bid | None) -> Verdict | None:
    """Return whether all 13 tricks of `side` win the game. `bid` is its own number, None for none."""
    if bid is None or rules.boston_wins == "no":
        return None
    if rules.boston_wins != "any-bid" and bid.number != 10:
        return None
    if rules.boston_wins == "open-ten" and bid.kind == BLIND:
        return None
    said = {BLIND: f"a blind bid of {bid.number}", COME_OUT: f"a {bid.number} that came out of a blind bid"}
    on = said.get(bid.kind, f"a bid of {bid.number}")
    return Verdict(side, "boston", CITES[rules.book]["boston"], f"{side_name(side)} took all 13 tricks on {on}.")


def judge(rules: Rules, before: Carry, after: Carry, was_set: tuple[bool, ...]) -> Verdict | None:
    """Return whether sets in a row or points ended the game. `was_set`: in this entry, per side."""
    return _back_to_back(rules, after, was_set) or _negative(rules, after) or _points(rules, before, after)


def close_hands(rules: Rules, carry: Carry) -> Carry:
    """End a game of a fixed number of hands after the last; a tie is a draw, or one hand decides."""
    if rules.hand_limit is None:
        return carry
    one_more = rules.level_at_end == "one-more"
    return close_schedule(carry, deals=rules.hand_limit, rule=CITES[rules.book]["end"], one_more=one_more)


def _back_to_back(rules: Rules, after: Carry, was_set: tuple[bool, ...]) -> Verdict | None:
    """Both sides at once: the higher score wins, and tied they play on."""
    if rules.back_to_back is None:
        return None
    rule, limit = CITES[rules.book]["back_to_back"], rules.back_to_back
    shot = [side for side in range(2) if was_set[side] and after.sets_running[side] >= limit]
    row = f"{'two' if limit == 2 else limit} sets in a row"
    if len(shot) == 1:
        return Verdict(
            1 - shot[0], "back-to-back", rule, f"{row.capitalize()} for {side_name(shot[0])} (shot back to back)."
        )
    winner = leader(after.scores)
    if not shot or winner is None:
        return None
    return Verdict(
        winner, "back-to-back", rule, f"Both sides had {row}: {side_name(winner)} won with the higher score."
    )


def _negative(rules: Rules, after: Carry) -> Verdict | None:
    """Of two sides at the losing score the lower loses; both as low, the game goes on."""
    loser = leader(BySide(-score for score in after.scores))
    if rules.lose_at is None or loser is None or after.scores[loser] > rules.lose_at:
        return None
    text = f"{side_name(loser)} fell to {number(after.scores[loser])}."
    return Verdict(1 - loser, "negative", CITES[rules.book]["game"], text)


def _points(rules: Rules, before: Carry, after: Carry) -> Verdict | None:
    """The side at the winning score wins; of two sides there the higher; tied they play on."""
    winner = leader(after.scores)
    if rules.game_at is None or winner is None:
        return None
    rule = CITES[rules.book]["game"]
    if after.scores[winner] >= rules.game_at:
        text = f"{side_name(winner)} reached {after.scores[winner]}."
        if min(after.scores) >= rules.game_at:
            text = f"Both reached {rules.game_at}: {side_name(winner)} won with the higher score."
        return Verdict(winner, "points", rule, text)
    was_level = leader(before.scores) is None and before.scores[0] >= rules.game_at
    if was_level and rules.level_at_game == "until-broken":
        return Verdict(winner, "points", rule, f"Both had reached {rules.game_at}; {side_name(winner)} broke the tie.")
    return None
