"""Rulings about a hand: each is laid beside its hand before the game is folded, and takes effect in that hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from scoring.decisions import RENEGE, Adjustment, Decision, Ruling, RulingChoice
from scoring.ledger import BySide, Carry, Problem, required


class Priced(NamedTuple):
    """A ruling about a hand, its effects, and its place among the entries (counted from 0)."""

    ruling: Ruling
    effects: tuple[str, ...]
    entry: int


class Laid(NamedTuple):
    """An entry of a sheet that has rulings about hands.

    If the entry is a hand, `rulings` are those about it. If the entry is a ruling, `done` says that it was applied to
    its hand and scores nothing itself, and `fault` says why there is no hand for it. `between` marks an entry after a
    hand and before a ruling about it: if that ruling ends the game, the entry is set aside.
    """

    entry: Any
    rulings: tuple[Priced, ...] = ()
    done: bool = False
    fault: Problem | None = None
    between: bool = False


SET_ASIDE = "set aside: the game was over before this hand"


def lay(
    entries: Sequence[Any],
    lines: Sequence[int],
    choice_of: Callable[[Ruling], RulingChoice | None],
    *,
    needs_line: bool,
    second_renege_loses: bool,
    reneged: Collection[int] = (),
) -> tuple[Any, ...]:
    """Lay every ruling about a hand beside it; `lines` are the places of the entries on the sheet.

    A ruling without a line is about the last hand, or, in a game where a ruling `needs_line`, takes the place of a
    hand. An adjustment is scored at its own place even if it is about a hand, but a renege that it names counts in that
    hand. `reneged` are the sides that already have a renege on the paper sheet from which the game is continued.
    """
    laid: dict[int, Laid] = {}
    adjusted: list[tuple[int, Priced]] = []
    for index, ruling in enumerate(entries):
        if isinstance(ruling, Adjustment) and ruling.line is not None:
            at = _hand_at(entries, lines, index, ruling.line, ruling.rule)
            if isinstance(at, Problem):
                laid[index] = Laid(ruling, fault=at)
            elif ruling.rule == RENEGE:
                adjusted.append((at, Priced(Ruling(ruling.rule, "game", ruling.side), (), index)))
            continue
        choice = choice_of(ruling) if isinstance(ruling, Ruling) else None
        if choice is None or not (choice.of_hand or ruling.line is not None):
            continue
        hand = _hand_of(entries, lines, index, choice, needs_line=needs_line)
        if isinstance(hand, Problem):
            laid[index] = Laid(ruling, fault=hand)
        elif hand is not None and choice.of_hand:
            at_hand = laid.get(hand, Laid(entries[hand]))
            laid[hand] = at_hand._replace(rulings=(*at_hand.rulings, Priced(ruling, choice.effects, index)))
            laid[index] = Laid(ruling, done=True)
            _set_aside(entries, laid, range(hand + 1, index))
    if second_renege_loses:
        _price_second_reneges(entries, laid, adjusted, reneged)
    return tuple(laid.get(index, entry) for index, entry in enumerate(entries))


def _price_second_reneges(
    entries: Sequence[Any], laid: dict[int, Laid], adjusted: Sequence[tuple[int, Priced]], before: Collection[int]
) -> None:
    """Let the second renege of a side cost the game. They are counted in the order of the hands, not of the rulings.

    A renege for which the director adjusted points counts, too. If the second renege ends the game, adjustments for
    either of the two that are further down the sheet are set aside.
    """
    reneged: set[int | None] = set(before)
    for hand in sorted({*laid, *(at for at, _ in adjusted)}):
        at_hand = laid.get(hand, Laid(entries[hand]))
        here = (*at_hand.rulings, *(priced for at, priced in adjusted if at == hand))
        rulings = []
        for priced in sorted(here, key=lambda priced: priced.entry):
            reneges, side = priced.ruling.rule == RENEGE, priced.ruling.side
            if reneges and side in reneged:
                priced = priced._replace(effects=("game",))
                for at, other in adjusted:
                    if other.ruling.side == side and at <= hand:
                        _set_aside(entries, laid, range(hand + 1, other.entry + 1))
            rulings.append(priced)
            reneged |= {side} if reneges else set()
        laid[hand] = at_hand._replace(rulings=tuple(rulings))


def count_reneges(carry: Carry, rulings: Iterable[Priced]) -> Carry:
    """Count the reneges that were ruled on beside a hand."""
    reneges = list(carry.reneges)
    for priced in rulings:
        reneges[required(priced.ruling.side)] += priced.ruling.rule == RENEGE
    return carry._replace(reneges=BySide(reneges))


def _set_aside(entries: Sequence[Any], laid: dict[int, Laid], between: range) -> None:
    """Mark the entries between a hand and a ruling about it: if the ruling ends the game, none of them count."""
    for index in between:
        laid[index] = laid.get(index, Laid(entries[index]))._replace(between=True)


def _hand_of(
    entries: Sequence[Any], lines: Sequence[int], index: int, choice: RulingChoice, *, needs_line: bool
) -> int | Problem | None:
    """Find the hand of a ruling: its place, None if the ruling needs no hand, or the problem that there is none."""
    ruling, above = entries[index], range(index - 1, -1, -1)
    if ruling.line is not None and "void" in choice.effects:
        text = "A ruling cannot void a hand on the sheet: take that hand off, and write the ruling without a line."
        return Problem("line", ruling.rule, text, index)
    if ruling.line is not None:
        return _hand_at(entries, lines, index, ruling.line, ruling.rule)
    if needs_line:
        return None
    if "game" in choice.effects:
        # This ruling needs no hand. If a hand was just played, even one that ended the game, it is about that hand.
        last = next((row for row in above if not isinstance(entries[row], Ruling)), None)
        return last if last is not None and _is_hand(entries[last]) else None
    hand = next((row for row in above if _is_hand(entries[row])), None)
    if hand is None:
        return Problem("line", ruling.rule, "There is no hand yet for this ruling to be about.", index)
    return hand


def _hand_at(entries: Sequence[Any], lines: Sequence[int], index: int, line: int, rule: str) -> int | Problem:
    """Find the hand at a line of the sheet, above the entry that names the line."""
    hand = next((row for row in range(index) if lines[row] == line and _is_hand(entries[row])), None)
    return Problem("line", rule, f"Line {line} is not a hand above this ruling.", index) if hand is None else hand


def _is_hand(entry: Any) -> bool:
    return not isinstance(entry, Decision)
