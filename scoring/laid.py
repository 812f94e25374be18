"""Rulings about a hand: each is laid beside it before the game is folded; what it changes is scored in that hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from scoring.decisions import RENEGE, Adjustment, Decision, Ruling, RulingChoice
from scoring.ledger import BySide, Carry, Problem, required


class Priced(NamedTuple):
    """A ruling about a hand, what it does to it, and where it stands among the entries (counted from 0)."""

    ruling: Ruling
    effects: tuple[str, ...]
    entry: int


class Laid(NamedTuple):
    """An entry of a sheet with rulings about hands on it.

    `rulings` are those about this hand. A ruling that is `done` did its work at its hand and does nothing where it
    stands; `fault` says why it can be about none. An entry `between` a hand and a ruling about it is set aside where
    the game is over by that.
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

    Where a ruling `needs_line`, one without stands in the place of a hand; otherwise it is about the last hand. An
    adjustment about a hand is scored where it stands; a renege that it names counts in that hand. `reneged` are the
    sides with a renege on a paper sheet that the game is carried on from.
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
    """Let the second renege of a side cost the game, in the order of the hands, whenever they were ruled on.

    One that was adjusted is a renege, too. Where the game is over by the second, points of either that stand further
    down are set aside.
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
    """Note what stands between a hand and the ruling about it: nothing of that counts where the game is over by it."""
    for index in between:
        laid[index] = laid.get(index, Laid(entries[index]))._replace(between=True)


def _hand_of(
    entries: Sequence[Any], lines: Sequence[int], index: int, choice: RulingChoice, *, needs_line: bool
) -> int | Problem | None:
    """Find the hand of a ruling: its place, None where it stands by itself, or why there is none."""
    ruling, above = entries[index], range(index - 1, -1, -1)
    if ruling.line is not None and "void" in choice.effects:
        text = "A ruling does not void a hand that is written: take that hand off, and write the ruling without a line."
        return Problem("line", ruling.rule, text, index)
    if ruling.line is not None:
        return _hand_at(entries, lines, index, ruling.line, ruling.rule)
    if needs_line:
        return None
    if "game" in choice.effects:
        # It needs no hand; where one was just played, also one that ended the game, it is about that.
        last = next((row for row in above if not isinstance(entries[row], Ruling)), None)
        return last if last is not None and _is_hand(entries[last]) else None
    hand = next((row for row in above if _is_hand(entries[row])), None)
    return (
        Problem("line", ruling.rule, "There is no hand yet that this could be about.", index) if hand is None else hand
    )


def _hand_at(entries: Sequence[Any], lines: Sequence[int], index: int, line: int, rule: str) -> int | Problem:
    """Find the hand that stands at a line of the sheet, above the entry that names it."""
    hand = next((row for row in range(index) if lines[row] == line and _is_hand(entries[row])), None)
    return Problem("line", rule, f"Line {line} is not a hand above this ruling.", index) if hand is None else hand


def _is_hand(entry: Any) -> bool:
    return not isinstance(entry, Decision)
