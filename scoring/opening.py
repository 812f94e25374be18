"""A game continued from the totals of a paper sheet: what the totals may say, and how they are read and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from scoring.decisions import Adjustment
from scoring.fields import Fields
from scoring.game import CardGame
from scoring.ledger import BySide, Carry, Problem, counted

# One number for each side, one for the game, or yes or no.
TotalOf = Literal["side", "game", "flag"]


class Total(NamedTuple):
    """A total on a paper sheet that a game needs to continue: its name in the document, and how it is asked."""

    key: str
    heading: str
    of: TotalOf = "side"


# In the order in which they are asked. The `totals` of the rules name those that a sheet needs.
TOTALS = (
    Total("scores", "Score"),
    Total("sets", "Sets in all"),
    Total("sets_running", "Sets in a row so far"),
    Total("bags", "Bags"),
    Total("bostons", "Bostons"),
    Total("games", "Games won"),
    Total("reneges", "Reneges ruled on"),
    Total("hands", "Hands played so far", "game"),
    Total("deals", "Deals so far (with those not played)", "game"),
    Total("deciding", "Time was up with the score tied: the next hand decides", "flag"),
)
OPENING = frozenset(total.key for total in TOTALS)
COUNTS = ("sets", "bags", "bostons", "games", "reneges")
# Keys that early openings did not have. An opening without any of them is read as it was then.
CAME_LATER = frozenset({"sets_running", "reneges", "deciding"})
OVER = "there is nothing to continue."


def totals_of(rules: Any) -> tuple[Total, ...]:
    """List the totals from paper that a sheet asks for."""
    return tuple(total for total in TOTALS if total.key in rules.totals())


def read_opening(game: CardGame[Any], rules: Any, data: Any, fields: Fields) -> Carry:
    """Return the carry of a game that is continued from a paper sheet; without an opening, it starts at 0.

    If only one of sets in all and sets in a row is given, the other is the same number.
    """
    begin = game.begin(rules)
    if data is None:
        return begin
    if not isinstance(data, Mapping):
        fields.refuse("opening", "The opening is an object with scores, sets, bags and hands.")
        return begin
    opening = Fields(data)
    opening.only(OPENING)
    carry = _read_totals(opening, begin)
    if not opening.problems:
        if data.get("hands") is None:
            carry = game.carried_on(rules, carry)
        opening.problems += _impossible(game, rules, data, carry)
    for problem in opening.problems:
        named = problem if problem.field == "opening" else problem._replace(field=f"opening.{problem.field}")
        fields.problems.append(named)
    return begin if opening.problems else game.closed(rules, carry)


def _read_totals(opening: Fields, begin: Carry) -> Carry:
    """Return `begin` with the totals. Problems are noted in `opening`: then the carry is not to be used."""
    sides = len(begin.scores)
    scores = BySide(opening.numbers("scores", sides, 0))
    counts: dict[str, Any] = {name: BySide(opening.numbers(name, sides, 0)) for name in (*COUNTS, "sets_running")}
    hands, deals, deciding = opening.number("hands"), opening.number("deals"), opening.flag("deciding")
    for name, count in counts.items():
        if min(count, default=0) < 0:
            opening.refuse(name, f"“{name}” cannot be below zero.")
    for name, number in (("hands", hands), ("deals", deals)):
        if number is not None and number < 0:
            opening.refuse(name, f"“{name}” cannot be below zero.")

    if opening.facts.get("sets_running") is None:
        counts["sets_running"] = counts["sets"]
    elif opening.facts.get("sets") is None:
        counts["sets"] = counts["sets_running"]
    if hands is None:
        hands = 0
    if deals is None:
        deals = hands
    return begin._replace(**counts, scores=scores, hands=hands, deals=deals, deciding=bool(deciding))


def write_opening(carry: Carry) -> dict[str, Any]:
    """Write the totals of a game, so that another sheet can continue it; later keys only if they add something."""
    counts = {name: list(getattr(carry, name)) for name in ("scores", "sets", "bags", "bostons", "games")}
    written = {**counts, "hands": carry.hands, "deals": carry.deals}
    if carry.sets_running != carry.sets:
        written["sets_running"] = list(carry.sets_running)
    if any(carry.reneges):
        written["reneges"] = list(carry.reneges)
    if carry.deciding:
        written["deciding"] = True
    return written


def opening_contradictions(game: CardGame[Any], rules: Any, data: Any, carry: Carry) -> tuple[Problem, ...]:
    """Name contradictions in a new opening. Openings that are already stored are read without this check."""
    return () if data is None else tuple(_contradictions(game, rules, data, carry))


def _impossible(game: CardGame[Any], rules: Any, data: Mapping[str, Any], carry: Carry) -> list[Problem]:
    """Check the later keys against the other totals, and refuse totals with which the game is already over."""
    problems = []
    if any(row > sets for row, sets in zip(carry.sets_running, carry.sets, strict=True)):
        problems.append(_wrong("sets_running", "A side cannot have more sets in a row than sets in all."))
    elif data.get("sets_running") is not None and _is_lost_in_a_row(rules, carry):
        problems.append(_wrong("sets_running", f"{rules.back_to_back} sets in a row end the game: {OVER}"))
    if rules.second_renege_loses and max(carry.reneges) > 1:
        problems.append(_wrong("reneges", f"The second renege of a side ends the game: {OVER}"))
    if carry.deciding and not _is_tied(carry):
        problems.append(_wrong("deciding", "The score is not tied: time has ended this game."))
    if problems:
        return problems
    ended = _ended(game, rules, carry)
    return [_wrong("opening", ended)] if ended else []


def _contradictions(game: CardGame[Any], rules: Any, data: Mapping[str, Any], carry: Carry) -> Iterator[Problem]:
    if data.get("sets_running") is None and _is_lost_in_a_row(rules, carry):
        yield _wrong("sets", f"{rules.back_to_back} sets in a row end the game: {OVER}")
    if data.get("hands") is None:
        return
    fields = game.next_hand(rules, game.begin(rules)).fields
    # If only one side wins the bid, a hand sets at most one side.
    most = sum(carry.sets) if any(field.of == "bidder" for field in fields) else max(carry.sets)
    if most > carry.hands:
        yield _wrong("sets", f"There are more sets than hands: {counted(carry.hands, 'hand')} played so far.")
    if sum(carry.bostons) > carry.hands and not any(carry.games):
        yield _wrong("bostons", f"There are more Bostons than hands: {counted(carry.hands, 'hand')} played so far.")
    if carry.deals < carry.hands:
        yield _wrong("deals", f"There are fewer deals than hands: {counted(carry.hands, 'hand')} played so far.")


def _is_lost_in_a_row(rules: Any, carry: Carry) -> bool:
    limit = getattr(rules, "back_to_back", None)
    return limit is not None and max(carry.sets_running) >= limit


def _is_tied(carry: Carry) -> bool:
    """Return whether the game is tied: by games of a rubber first, then by points."""
    states = list(zip(carry.games, carry.scores, strict=True))
    return states.count(max(states)) > 1


def _ended(game: CardGame[Any], rules: Any, carry: Carry) -> str:
    """Say why the totals are those of a finished game. Adding 0 points ends a game only if it was already over."""
    nothing = Adjustment((0,) * len(carry.scores))
    after = game.score_entry(rules, carry, nothing)[1]
    if after.verdict is not None:
        return "These totals end the game. Type the totals before its last hand, then that hand: it ends the game."
    return "" if after.games == carry.games else "This game of the rubber is over: count it with the games won."


def _wrong(field: str, text: str) -> Problem:
    return Problem(field, "", text)
