"""How games end: the ends that games share, and how a game’s list of ends is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.ledger import BySide, Carry, Verdict, cached_on_rules, number, required, side_name

# The winner and a sentence, or None while the game goes on.
Met = tuple[int, str] | None


class End(NamedTuple):
    """One way in which a game ends: a side wins it, or loses it.

    Either `met` names the winner, with a sentence, or `out` names the sides that lost and `why` gives the reason for
    one of them in a few words. `met` and `out` take the rules, the carry before and after, and what the game knows of
    the hand (None after an adjustment). `how` is a word of the game’s RULES.md. `clause` is the key of the clause in
    the sheet’s rule book; `bonus` is the key of the one that pays the winner. `applies` says whether a sheet has this
    end. An end that is `by_hand` depends on the hand alone, whatever the score.
    """

    how: str
    clause: str
    applies: Callable[[Any], bool]
    met: Callable[[Any, Carry, Carry, Any], Met] | None = None
    out: Callable[[Any, Carry, Carry, Any], Sequence[int]] | None = None
    why: Callable[[Any, Carry, int], str] | None = None
    bonus: str = ""
    by_hand: bool = False


class Ending(NamedTuple):
    """A verdict, and the rule under which the winner gets the bonus ("" if none is due)."""

    verdict: Verdict
    bonus_rule: str = ""


def first_end(
    ends: Sequence[End], cites: Mapping[str, str], rules: Any, before: Carry, after: Carry, hand: Any
) -> Ending | None:
    """Return the first of the ends that is met, citing the sheet’s rule book; None while the game goes on.

    If both sides lost in one hand, by the same end or by two, the higher score wins; if they are tied, they play on.
    """
    asked = _ends_of(rules, ends)
    lost: dict[int, str] = {}
    for end in asked:
        if end.out:
            for side in end.out(rules, before, after, hand):
                lost.setdefault(side, required(end.why)(rules, after, side))
    for end in asked:
        if end.out:
            met = _lost(lost, after) if end.out(rules, before, after, hand) else None
        else:
            met = required(end.met)(rules, before, after, hand)
        if met:
            winner, text = met
            return Ending(Verdict(winner, end.how, cites[end.clause], text), cites.get(end.bonus, ""))
    return None


class ByHand(NamedTuple):
    """Who wins by one hand alone, and whether the winner gets the bonus."""

    winner: int
    has_bonus: bool


def won_by_hand(ends: Sequence[End], cites: Mapping[str, str], rules: Any, carry: Carry, hand: Any) -> ByHand | None:
    """Say who wins by this hand alone, whatever the score; None if nobody does."""
    for end in _ends_of(rules, ends):
        met = required(end.met)(rules, carry, carry, hand) if end.by_hand else None
        if met:
            return ByHand(met[0], bool(cites.get(end.bonus)))
    return None


class Finish(NamedTuple):
    """How games of a sheet end, as numbers: for a spreadsheet, which compares them and knows no rules.

    The spreadsheet checks, in this order: what one hand alone decides (`Worth.wins`); whether `sets` in all or
    `sets_in_a_row` lose the game; whether the bidders, at `lose_at` and behind the other side, go out the `back_door`
    ("first-hand" or "any-hand"); whether a side at `lose_at` loses; and whether a side at `win_at` wins.

    `win_by` says who wins if both are at `win_at`: the "bidder", or the side with the "higher" score. With "broken-tie"
    the higher score wins even below `win_at`, once both were there and tied. With "lead" a side wins by one of the
    three numbers of `lead`: that many points to nothing, a lead of that many, or a lead of that many at the target. The
    bonuses go to the winner. A first hand played `unbid` ends the game only for a side with fewer than `unbid_least`
    tricks. `untold` has sentences for what numbers cannot say.
    """

    sets: int | None = None
    sets_in_a_row: int | None = None
    sets_bonus: int = 0
    back_door: str = ""
    back_door_bonus: int = 0
    lose_at: int | None = None
    win_at: int | None = None
    win_by: str = ""
    lead: tuple[int, int, int] = (0, 0, 0)
    unbid: bool = False
    unbid_least: int | None = None
    untold: tuple[str, ...] = ()


def finish_by_sets(rules: Any, bonus: int = 0) -> Finish:
    """Return how sets end a game of this sheet. Every Finish starts with this."""
    in_a_row = getattr(rules, "back_to_back", None)
    if rules.set_limit is not None and rules.counts_sets_in_a_row:
        return Finish(sets_in_a_row=rules.set_limit, sets_bonus=bonus)
    return Finish(sets=rules.set_limit, sets_in_a_row=in_a_row, sets_bonus=bonus)


@cached_on_rules
def _ends_of(rules: Any, ends: Sequence[End]) -> tuple[End, ...]:
    return tuple(end for end in ends if end.applies(rules))


def _lost(lost: Mapping[int, str], after: Carry) -> Met:
    if len(lost) == 1:
        [(loser, why)] = lost.items()
        return 1 - loser, f"{why}."
    winner, first, second = leader(after.scores), lost[0], lost[1]
    if winner is None:
        return None
    return winner, f"{first}, {second[0].lower()}{second[1:]}: {side_name(winner)} won with the higher score."


def leader(scores: BySide[int]) -> int | None:
    """Return the side with the highest score; None if several share it."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


# The ends that games share. A game lists them among its own, in the order in which they are checked.


def _by_sets(rules: Any, before: Carry, after: Carry, hand: Any) -> Sequence[int]:
    counted = after.sets_running if rules.counts_sets_in_a_row else after.sets
    return [side for side, sets in enumerate(counted) if sets >= rules.set_limit]


def _sets_of(rules: Any, after: Carry, side: int) -> str:
    in_a_row = rules.counts_sets_in_a_row
    return _sets_words((after.sets_running if in_a_row else after.sets)[side], side, in_a_row=in_a_row)


def _sets_words(sets: int, side: int, *, in_a_row: bool) -> str:
    count = {1: "One set", 2: "Two sets", 3: "Three sets"}.get(sets, f"{sets} sets")
    return f"{count}{' in a row' if in_a_row else ''} for {side_name(side)}"


def sets_so_far(rules: Any, carry: Carry, side: int) -> str:
    """Say how close its sets have brought a side to losing the game; nothing if sets do not end the game."""
    limit, in_a_row = getattr(rules, "set_limit", None), getattr(rules, "back_to_back", None)
    if limit is not None and rules.counts_sets_in_a_row:
        limit, in_a_row = None, limit
    if limit is None and in_a_row is None:
        return ""
    sets, running = carry.sets[side], carry.sets_running[side]
    words = [f"{sets} set{'s' if sets > 1 else ''} of {limit}"] if limit is not None and sets else []
    words += [f"{running} of {in_a_row} in a row"] if in_a_row is not None and running else []
    return ", ".join(words) or ("no sets in a row" if sets else "no sets")


def _back_to_back(rules: Any, before: Carry, after: Carry, hand: Any) -> Sequence[int]:
    return [
        side
        for side, sets in enumerate(after.sets_running)
        if sets >= rules.back_to_back and after.sets[side] > before.sets[side]
    ]


def _fell_too_low(rules: Any, before: Carry, after: Carry, hand: Any) -> Sequence[int]:
    return [side for side, score in enumerate(after.scores) if score <= rules.lose_at]


IN_A_ROW = End(
    "back-to-back",
    "back_to_back",
    lambda rules: rules.back_to_back is not None,
    out=_back_to_back,
    why=lambda rules, after, side: _sets_words(after.sets_running[side], side, in_a_row=True),
)
TWO_SETS = End("two-sets", "sets", lambda rules: rules.set_limit == 2, out=_by_sets, why=_sets_of, bonus="sets_bonus")
SET_LIMIT = TWO_SETS._replace(how="sets", applies=lambda rules: rules.set_limit not in (None, 2))
NEGATIVE = End(
    "negative",
    "lose",
    lambda rules: rules.lose_at is not None,
    out=_fell_too_low,
    why=lambda rules, after, side: f"{side_name(side)} fell to {number(after.scores[side])}",
)
