"""A ruling as it is built at the desk: what happened, whose fault, the choice, and what else the rule needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.decisions import RulingChoice, RulingRule
from scoring.document import read_entry
from scoring.ledger import Carry, Problem
from tournament.errors import Fault, ValidationFailed
from tournament.forms.fields import whole_number
from tournament.queries.deskgame import DeskGame
from tournament.queries.rules import Ruleset
from tournament.queries.rulings import (
    DISORDER,
    LATE,
    LEAVING,
    OTHER,
    RulingEffect,
    effect_of,
    in_place_of_a_hand,
    is_leaving,
    ruling_table,
)
from tournament.queries.scored import ScoredGame

ASKED = {
    "choice": "What is decided?",
    "side": "Which side broke the rule?",
    "bidder": "Which side won the bid?",
    "bid": "What was the bid?",
    "books": "How many books did the bidding side have?",
    "reason": "The reason must be written down.",
    "cited": "Under which rule of the sheet? Write its number.",
    "to": "Who gets the game?",
    "line": "Which hand is it about? Save the hand first.",
}
WHOSE = {
    **dict.fromkeys(LATE, "Which side is late?"),
    **dict.fromkeys(LEAVING, "Which side leaves?"),
    **dict.fromkeys(DISORDER, "Which side is it about?"),
    "31": "Which side bid No and led?",
    "34": "Which side holds the wrong number?",
    "35": "Which side holds the wrong number?",
}
# What the director can do if the sheet prints no penalty.
MEANS = (("points", "Points and sets"), ("game", "The game to a side"), ("nobody", "The game to nobody"))


@dataclass(frozen=True, slots=True)
class RulingForm:
    """Everything chosen so far. `facts` is the entry once nothing is missing; `effect` what it would do.

    `why` is why the hand cannot pay the sheet's penalty, if something else is granted instead.
    """

    table: tuple[RulingRule, ...]
    names: tuple[str, ...]
    values: Mapping[str, str]
    rule: RulingRule | None = None
    choice: RulingChoice | None = None
    asks: frozenset[str] = frozenset()
    bids: tuple[tuple[str, str], ...] = ()
    hands: tuple[tuple[str, str], ...] = ()
    missing: tuple[Fault, ...] = ()
    faults: tuple[Fault, ...] = ()
    facts: dict[str, Any] | None = None
    effect: RulingEffect | None = None
    means: tuple[tuple[str, str], ...] = field(default=MEANS)
    why: str = ""

    @property
    def fault_words(self) -> str:
        """The question for the side at fault, in the words of the rule."""
        return _whose(self.rule)

    @property
    def choosers(self) -> tuple[str, ...]:
        """To whom the choices are granted, by name if the side at fault is known."""
        return tuple(dict.fromkeys(self.chooser(choice) for choice in self.rule.choices)) if self.rule else ()

    @property
    def leaves(self) -> bool:
        """Whether the ruling is about a team that leaves: then it also forfeits all its other games."""
        return bool(self.rule and is_leaving(self.rule.rule) and self.choice and "game" in self.choice.effects)

    @property
    def must_cite(self) -> bool:
        """Whether a rule must be named: a game is always awarded, or given to nobody, under one."""
        return self.values.get("means") in ("game", "nobody")

    def checked(self) -> dict[str, Any]:
        """The entry; or ValidationFailed with everything that is missing or wrong."""
        if self.facts is None:
            raise ValidationFailed([*self.faults, *self.missing])
        return self.facts

    def chooser(self, choice: RulingChoice) -> str:
        """Who chooses: the director, or the other side by its name."""
        side = _index(self.values.get("side", ""), len(self.names))
        if choice.who == "the director":
            return "You decide"
        if side is not None and len(self.names) == 2:
            return f"The choice of {self.names[1 - side]}"
        return f"{choice.who[:1].upper()}{choice.who[1:]} chooses"


def _whose(rule: RulingRule | None) -> str:
    return WHOSE.get(rule.rule, ASKED["side"]) if rule else ""


def ruling_on(game: DeskGame, answers: Mapping[str, str], position: int | None = None) -> RulingForm:
    """Read the choices for a ruling on a game as it is now, or in the place of the line at a position."""
    scored = game.sheet.scored if position is None else game.sheet.scored.before(position)
    hands = tuple(
        (str(row.position), f"Hand {row.number}: {row.written.headed}")
        for row in game.sheet.rows
        if row.kind == "hand" and row.number and (position is None or row.position < position)
    )
    absent = [side.index for side in game.sheet.sides if side.seated_at is None]
    if answers.get("rule") in LATE and "side" not in answers and len(absent) == 1:
        answers = {**dict(answers.items()), "side": str(absent[0])}
    table = ruling_table(game.rules)
    if any(row.position == position and row.kind == "hand" for row in game.sheet.rows):
        table = in_place_of_a_hand(game.rules)
    return read_ruling(table, scored, tuple(side.name for side in game.sheet.sides), hands, answers)


def read_ruling(
    table: tuple[RulingRule, ...],
    scored: ScoredGame,
    names: tuple[str, ...],
    hands: tuple[tuple[str, str], ...],
    answers: Mapping[str, str],
) -> RulingForm:
    """Read the choices for a ruling on a game; later questions follow earlier answers.

    `hands` are those it can be about, by line: the last one unless another is named.
    """
    rules = scored.rules
    values = {"line": hands[-1][0]} if hands else {}
    values |= {key: str(value).strip() for key, value in answers.items()}
    named_rule, named_choice = values.get("rule", ""), values.get("choice", "")

    asked_about = next((row for row in table if row.rule == named_rule), None)
    if asked_about is None:
        form = RulingForm(table, names, values, missing=(Fault("rule", "What happened?"),))
        if not named_rule:
            return form
        return replace(form, faults=(Fault("rule", f"The sheet has no rule “{named_rule}” to rule on."),))

    rule, why = _payable(scored, asked_about, names, values)
    choice = _choice(rule, named_choice)
    asks = _asks(rules, scored.carry, rule, choice, values)
    if why and choice is None:
        # It may be about another hand, which can pay the penalty.
        asks |= {"line"}
    bids = _bids(rules, rule) if "bid" in asks else ()
    form = RulingForm(table, names, values, rule, choice, asks, bids, hands, why=why)

    if choice is None and _choice(asked_about, named_choice):
        # The hand cannot pay what was chosen.
        return replace(form, faults=(Fault("choice", why, rule.rule),))
    missing = _missing(form, rule, choice)
    if choice is None or missing:
        return replace(form, missing=missing)
    facts, faults = _facts(form, rule, choice)
    if faults:
        return replace(form, faults=faults)
    result = effect_of(scored, facts, names)
    if isinstance(result, RulingEffect):
        return replace(form, facts=facts, effect=result)
    return replace(form, faults=tuple(Fault(row.field, row.text, row.rule) for row in result))


def _bids(rules: Ruleset, rule: RulingRule) -> tuple[tuple[str, str], ...]:
    """The bids that a ruling can be about: only No bids if the rule is about those."""
    bids = list(rules.bids.values())
    if rule.rule == "31":
        bids = [bid for bid in bids if bid.row == "no"]
    return tuple((bid.value, bid.words) for bid in bids)


def _payable(
    scored: ScoredGame, rule: RulingRule, names: tuple[str, ...], values: Mapping[str, str]
) -> tuple[RulingRule, str]:
    """What is granted in the named hand: if it cannot pay a penalty of the sheet, something else, and why."""
    side, line = _index(values.get("side", ""), len(names)), values.get("line", "")
    if not rule.instead or side is None or not line:
        return rule, ""
    paid, why = [], ""
    for choice in rule.choices:
        refusal = ""
        if choice.of_hand:
            facts = {
                "entry": "ruling",
                "rule": rule.rule,
                "choice": choice.key,
                "side": side,
                "line": whole_number(line),
            }
            refusal = _choice_refused(effect_of(scored, facts, names))
        if refusal:
            why = refusal
        else:
            paid.append(choice)
    if not why:
        return rule, ""
    return rule._replace(choices=(*rule.instead, *paid)), why


def _choice_refused(effect: RulingEffect | Sequence[Problem]) -> str:
    """Why the hand cannot pay what was chosen; empty if it can."""
    if isinstance(effect, RulingEffect):
        return ""
    return next((problem.text for problem in effect if problem.field == "choice"), "")


def _choice(rule: RulingRule, key: str) -> RulingChoice | None:
    """The named choice; a single choice need not be named. One that an older page offered is ignored."""
    if len(rule.choices) == 1 and not key:
        return rule.choices[0]
    return next((choice for choice in rule.choices if choice.key == key), None)


def _asks(
    rules: Ruleset, carry: Carry, rule: RulingRule, choice: RulingChoice | None, values: Mapping[str, str]
) -> frozenset[str]:
    """The fields that this ruling shows. The side is always recorded, unless both erred."""
    asks = {"reason"}
    if rule.rule == OTHER:
        asks.add("cited")
    one_sided = rule.rule != "36" or any("side" in possible.needs for possible in rule.choices)
    if choice is None:
        return frozenset(asks | {"side"} if one_sided else asks)

    asks |= set(choice.needs)
    if one_sided and "nobody" not in choice.effects:
        asks.add("side")
    if choice.of_hand and not rules.game.need_line:
        asks.add("line")
    if "adjustment" in choice.effects:
        means = values.get("means", "points")
        asks.add("means")
        if means == "game":
            asks.add("to")
        elif means != "nobody":
            asks.add("points")
        # Who gets a game, or nobody, does not depend on a hand.
        if means != "points" or not choice.of_hand:
            asks -= {"side", "line"}
    if "bidder" in asks and _tells_bidder(rules, carry, rule, choice):
        asks.discard("bidder")
    return frozenset(asks)


def _tells_bidder(rules: Ruleset, carry: Carry, rule: RulingRule, choice: RulingChoice) -> bool:
    """Whether the rule itself says who must have bid: then it is not asked."""
    facts = {"entry": "ruling", "rule": rule.rule, "choice": choice.key, "side": 0, "bid": "2-no", "books": 8}
    entry, problems = read_entry(rules.game, facts)
    problems = problems or rules.game.problems(rules.rules, carry._replace(verdict=None), entry)
    return all(problem.field != "bidder" for problem in problems)


def _missing(form: RulingForm, rule: RulingRule, choice: RulingChoice | None) -> tuple[Fault, ...]:
    values = form.values
    if choice is None:
        no_choice = Fault("choice", ASKED["choice"], rule.rule)
        if "side" in form.asks and not values.get("side"):
            return (Fault("side", _whose(rule), rule.rule), no_choice)
        return (no_choice,)
    every = ("side", "bidder", "bid", "books", "reason")
    needed = [name for name in every if name in choice.needs and name in form.asks]
    if "line" in form.asks:
        needed.append("line")
    if "adjustment" in choice.effects and form.must_cite:
        if rule.rule == OTHER:
            needed.append("cited")
        if values.get("means") == "game":
            needed.append("to")
    cited = "" if rule.rule == OTHER else rule.rule
    asks = ASKED | {"side": _whose(rule)}
    return tuple(Fault(name, asks[name], cited) for name in needed if not values.get(name))


def _facts(form: RulingForm, rule: RulingRule, choice: RulingChoice) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """The entry as the game document has it."""
    values = form.values
    faults: list[Fault] = []
    reason = values.get("reason", "")[:200]
    cited = values.get("cited", "").removeprefix("rule").strip() if rule.rule == OTHER else rule.rule
    adjusts = "adjustment" in choice.effects
    facts: dict[str, Any] = {"entry": "ruling", "rule": cited or rule.rule, "choice": choice.key}
    if adjusts:
        facts, wrong = _adjustment(form, cited, reason)
        faults += wrong
    if "line" in form.asks:
        line = next((line for line, _ in form.hands if line == values["line"]), None)
        if line is None:
            faults.append(Fault("line", ASKED["line"], rule.rule))
        else:
            facts["line"] = int(line)
    for name in ("side", "bidder", "books"):
        if name in form.asks and values.get(name, ""):
            number = _index(values[name], 14 if name == "books" else len(form.names))
            if number is None:
                faults.append(Fault(name, ASKED[name], rule.rule))
            facts[name] = number
    if "bid" in form.asks and values.get("bid"):
        facts["bid"] = values["bid"]
    if reason and not adjusts:
        facts["reason"] = reason
    return facts, tuple(faults)


def _adjustment(form: RulingForm, cited: str, reason: str) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    values, means = form.values, form.values.get("means", "points")
    if means in ("game", "nobody"):
        to = _index(values.get("to", ""), len(form.names)) if means == "game" else None
        faults = (Fault("to", ASKED["to"]),) if means == "game" and to is None else ()
        return {"entry": "award", "rule": cited, "to": to, "reason": reason}, faults
    sides = range(len(form.names))
    points, wrong = _numbers(values, "points", sides)
    sets, bad = _numbers(values, "sets", sides)
    facts: dict[str, Any] = {"entry": "adjustment", "points": points, "reason": reason}
    if any(sets):
        facts["sets"] = sets
    if cited:
        facts["rule"] = cited
    # For what was done in a hand, no points are entered as 0: the ruling is still on the sheet.
    says_none = "line" in form.asks and any(values.get(f"points-{side}") for side in sides)
    if not (wrong or bad or any(points) or any(sets) or says_none):
        return facts, (Fault("points-0", "Write the points or sets that are given or taken."),)
    return facts, (*wrong, *bad)


def _numbers(values: Mapping[str, str], name: str, sides: range) -> tuple[list[int], tuple[Fault, ...]]:
    """One whole number per side between −99 and 99; an empty one is zero."""
    numbers, faults = [], []
    for side in sides:
        text = values.get(f"{name}-{side}", "")
        number = whole_number(text or "0", -99, 99)
        numbers.append(number or 0)
        if number is None:
            faults.append(Fault(f"{name}-{side}", f"“{text[:20]}” is not a number of {name} between −99 and 99."))
    return numbers, tuple(faults)


def _index(text: str, count: int) -> int | None:
    """A number from zero to below `count`, or None."""
    return whole_number(text, 0, count - 1)
