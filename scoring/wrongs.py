"""The offenses in games of bids and tricks: one list, with the prices that sheets charge and what each price does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scoring.decisions import (
    ADJUST_POINTS,
    DECISIONS,
    DIRECTOR,
    PLAIN_RULINGS,
    RENEGE,
    SAME_DEALER,
    WARNING,
    EntryKind,
    Ruling,
    RulingChoice,
    RulingRule,
    Scored,
    find_ruling,
    how_lost,
    lose_game,
    ruling_kind,
)
from scoring.laid import Laid, Priced
from scoring.ledger import Carry, Line, Problem, cached_on_rules, counted, required, side_name
from scoring.tricks import TrickHand, TrickRules, next_deals_after


class Wrong(NamedTuple):
    """An offense: its name in the game document, what happened, and what the sheet charges for it.

    `called` is its name in a sentence. If it can happen before anybody has bid, its points belong to no hand.
    """

    rule: str
    when: str
    called: str
    prices: Callable[[TrickRules], Sequence[str]]
    before_bids: bool = False


def _renege(rules: TrickRules) -> Sequence[str]:
    prices = ["adjustment", "warning"] if rules.renege_price == "adjustment" else [rules.renege_price]
    again = ["game"] if rules.second_renege_loses and rules.renege_price != "game" else []
    return (*prices, *again, "no-renege")


def _talking(rules: TrickRules) -> Sequence[str]:
    return ("warning", *(("books-off", "books-lost") if rules.moves_tricks else ()), "adjustment")


WRONGS = (
    Wrong(RENEGE, "A renege", "Renege", _renege),
    Wrong("wrong-call", "A renege was called, but there was none", "Wrong call", lambda rules: (rules.wrong_call,)),
    Wrong(
        "missing-cards",
        "Cards are missing at the end of a hand",
        "Cards missing",
        lambda rules: ("set", "adjustment", "warning"),
    ),
    Wrong("talking", "Talking across the table, or about the bids", "Talking", _talking, before_bids=True),
    Wrong("disclosing", "Telling or showing what is in one’s hand", "Disclosing", _talking, before_bids=True),
)

# What each price is called and does. In its sentence, side 0 broke the rule and side 1 is the other side.
BREAKS, GAINS = side_name(0), side_name(1)
# An adjustment for an offense in a hand names the side and the hand, so that a renege is counted as one.
ADJUSTED = ADJUST_POINTS._replace(needs=("side", "reason"), sentence=f"{BREAKS}: points adjusted", of_hand=True)
PRICES = {
    choice.key: choice
    for choice in (
        RulingChoice(
            "set", "Set for the hand", DIRECTOR, ("set",), of_hand=True, sentence=f"{BREAKS}: set for the hand"
        ),
        RulingChoice(
            "three-books",
            "Three tricks to the other side, or all they have",
            DIRECTOR,
            ("three-books",),
            sentence=f"{BREAKS}: three tricks to {GAINS}",
            of_hand=True,
        ),
        RulingChoice(
            "three-books-set",
            "Three tricks to the other side, and set for the hand",
            DIRECTOR,
            ("three-books", "set"),
            sentence=f"{BREAKS}: three tricks to {GAINS}, and set for the hand",
            of_hand=True,
        ),
        RulingChoice(
            "three-lost",
            "Three tricks, or all they have, count for nobody",
            DIRECTOR,
            ("three-lost",),
            sentence=f"{BREAKS}: three tricks count for nobody",
            of_hand=True,
        ),
        RulingChoice(
            "books-off",
            "Tricks off the hand, to the other side",
            DIRECTOR,
            ("books-off",),
            ("side", "books"),
            sentence=f"{BREAKS}, tricks to {GAINS}: {{books}}",
            of_hand=True,
        ),
        RulingChoice(
            "books-lost",
            "Tricks off the hand, to nobody",
            DIRECTOR,
            ("books-lost",),
            ("side", "books"),
            sentence=f"{BREAKS}, tricks that count for nobody: {{books}}",
            of_hand=True,
        ),
        RulingChoice(
            "game", "They lose this game", DIRECTOR, ("game",), sentence=f"{BREAKS}: game to {GAINS}", of_hand=True
        ),
        ADJUSTED,
        WARNING,
        RulingChoice("none", "No penalty: play on", DIRECTOR, (), other_names=(WARNING.key,)),
        RulingChoice("no-renege", "No renege: play on", DIRECTOR, (), ()),
    )
}


NEXT_DEALER = RulingChoice("next-dealer", "Void: the next player deals", DIRECTOR, ("void", "next-deals"), ())


@cached_on_rules
def rulings(rules: TrickRules) -> tuple[RulingRule, ...]:
    """List what can be ruled on, in the order in which it is offered. The last row is for everything else."""
    misdeal, *others = PLAIN_RULINGS
    return (_misdeal(rules, misdeal), *(_ruled_on(rules, wrong) for wrong in WRONGS), *others)


def _misdeal(rules: TrickRules, misdeal: RulingRule) -> RulingRule:
    """Let the next player deal if the sheet says so. Rulings made under the earlier reading keep their dealer."""
    if not next_deals_after(rules, misdeal.rule):
        return misdeal
    return misdeal._replace(choices=(NEXT_DEALER,), earlier=(SAME_DEALER,))


def _ruled_on(rules: TrickRules, wrong: Wrong) -> RulingRule:
    prices = wrong.prices(rules)
    choices = tuple(_named(wrong, _granted(wrong, price)) for price in prices)
    may_be_refused = any(choice.of_hand and choice.effects != ("game",) for choice in choices)
    instead = (_named(wrong, ADJUSTED),) if may_be_refused and ADJUSTED.key not in prices else ()
    return RulingRule(wrong.rule, wrong.when, choices, instead=instead)


def _granted(wrong: Wrong, price: str) -> RulingChoice:
    return ADJUST_POINTS if price == ADJUSTED.key and wrong.before_bids else PRICES[price]


def _named(wrong: Wrong, choice: RulingChoice) -> RulingChoice:
    return choice._replace(sentence=f"{wrong.called} by {choice.sentence}") if choice.sentence else choice


def find_rule(rules: TrickRules, rule: str) -> RulingRule:
    """Find the row of a clause. A clause that the list does not have is decided like everything else."""
    return find_ruling(rulings(rules), rule)


RULED = ruling_kind(find_rule)
TRICK_DECISIONS: Mapping[type, EntryKind] = {**DECISIONS, Ruling: RULED}


# A hand with the rulings about it. Tricks are taken off before the hand is scored, so contract, bags and Boston of both
# sides follow from what is left. A side that is set is scored as if it had taken no tricks. A side that loses the game
# loses it after the hand.

# The seats whose own tricks decide a nil or a rainbow. No ruling touches those tricks.
Untouched = Callable[[Any, Carry, TrickHand], Collection[int]]


class _Ruled(NamedTuple):
    """A hand as its rulings leave it: the tricks that count, the lines that explain them, and any faults."""

    hand: TrickHand
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]


def ruled_kind(kind: EntryKind, untouched: Untouched) -> EntryKind:
    """Return how a hand with rulings about it is checked and scored; `kind` is for a hand without any."""
    return EntryKind(
        lambda rules, carry, laid: _problems(kind, untouched, rules, carry, laid),
        lambda rules, carry, laid: _score(kind, untouched, rules, carry, laid),
    )


def _problems(kind: EntryKind, untouched: Untouched, rules: TrickRules, carry: Carry, laid: Laid) -> Sequence[Problem]:
    for priced in laid.rulings:
        if wrong := RULED.problems(rules, carry, priced.ruling):
            return tuple(problem.of(priced.entry) for problem in wrong)
    ruled = _as_ruled(untouched, rules, carry, laid)
    if ruled.problems:
        return ruled.problems
    words = required(kind.score(rules, carry, ruled.hand).result).words
    losers = {priced.ruling.side for priced in laid.rulings if "game" in priced.effects}
    problems = []
    for priced in laid.rulings:
        if "set" in priced.effects and words[required(priced.ruling.side)] != "set":
            text = "This side has no bid in that hand that can be set. Write an adjustment."
            problems.append(_refused(priced, "choice", text))
    if len(losers) > 1:
        text = "Another side has already lost the game by a ruling on that hand."
        problems.append(_refused(laid.rulings[-1], "side", text))
    return problems


def _score(kind: EntryKind, untouched: Untouched, rules: TrickRules, carry: Carry, laid: Laid) -> Scored:
    ruled = _as_ruled(untouched, rules, carry, laid)
    scored = kind.score(rules, carry, ruled.hand)
    lines, after = (*ruled.lines, *scored.lines), scored.carry
    for priced in laid.rulings:
        if "set" in priced.effects:
            lines = tuple(_by_ruling(line, priced.ruling) for line in lines)
        if "game" in priced.effects:
            after = lose_game(after, required(priced.ruling.side), how_lost(priced.ruling.rule), priced.ruling.rule)
    return scored._replace(lines=lines, carry=after)


def _as_ruled(untouched: Untouched, rules: TrickRules, carry: Carry, laid: Laid) -> _Ruled:
    hand, sides = laid.entry, len(carry.scores)
    fixed = untouched(rules, carry, hand)
    tricks, lines, problems = list(hand.tricks), [], []

    def seats_of(side: int) -> list[int]:
        return [seat for seat in range(side, len(tricks), sides) if seat not in fixed]

    for priced in laid.rulings:
        side, wanted = required(priced.ruling.side), _tricks_off(priced)
        theirs, others = seats_of(side), seats_of(1 - side)
        has = sum(tricks[seat] for seat in theirs)
        if wanted is None or (not has and "set" in priced.effects):
            continue
        if problem := _cannot_come_off(priced, wanted, has, others):
            problems.append(problem)
            continue
        off = rest = min(wanted, has)
        for seat in theirs:
            taken = min(rest, tricks[seat])
            tricks[seat] -= taken
            rest -= taken
        if _is_lost(priced):
            text = f"{_called(priced.ruling)}: {counted(off, 'trick')} off, to nobody"
        else:
            tricks[others[0]] += off
            text = f"{_called(priced.ruling)}: {counted(off, 'trick')} to {side_name(1 - side)}"
        lines.append(Line(priced.ruling.rule, side, 0, text, "ruling"))
    for priced in laid.rulings:
        for seat in seats_of(required(priced.ruling.side)) if "set" in priced.effects else ():
            tricks[seat] = 0
    return _Ruled(replace(hand, tricks=tuple(tricks)), tuple(lines), tuple(problems))


# The effects that take tricks off a hand: three, or a number that the director names; to the other side, or to nobody.
THREE = frozenset({"three-books", "three-lost"})
NUMBERED = frozenset({"books-off", "books-lost"})
TO_NOBODY = frozenset({"three-lost", "books-lost"})


def _tricks_off(priced: Priced) -> int | None:
    """Return how many tricks a ruling takes off; None if it takes none."""
    if THREE.intersection(priced.effects):
        return 3
    return (priced.ruling.books or 0) if NUMBERED.intersection(priced.effects) else None


def _is_lost(priced: Priced) -> bool:
    """Return whether the tricks that are taken off count for nobody."""
    return bool(TO_NOBODY.intersection(priced.effects))


def _cannot_come_off(priced: Priced, wanted: int, has: int, others: Sequence[int]) -> Problem | None:
    """Say why tricks cannot be taken off. “Three” may be fewer, down to one; the director’s number is exact."""
    if not others and not _is_lost(priced):
        text = "The other side cannot be given tricks: their bids depend on their own tricks. Write an adjustment."
        return _refused(priced, "choice", text)
    if THREE.intersection(priced.effects):
        text = "This side has no tricks in that hand to take off. Write an adjustment."
        return None if has else _refused(priced, "choice", text)
    if 0 < wanted <= has:
        return None
    text = f"How many tricks are taken off? That side has {counted(has, 'trick')} to take off."
    return _refused(priced, "books", text)


def _refused(priced: Priced, field: str, text: str) -> Problem:
    return Problem(field, priced.ruling.rule, text, priced.entry)


def _by_ruling(line: Line, ruling: Ruling) -> Line:
    """Cite the rule that was broken for the cost of a set by ruling."""
    if line.kind != "bid" or line.side != ruling.side:
        return line
    text = f"{_called(ruling)}, scored as if no trick was taken: {line.text}"
    return Line(ruling.rule, line.side, line.points, text, "ruling")


def _called(ruling: Ruling) -> str:
    return next((wrong.called.lower() for wrong in WRONGS if wrong.rule == ruling.rule), ruling.rule)
