"""Rulings: the table of an event's rule sheet, what one would do to the sheet, and all that were made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from scoring.document import read_entry
from scoring.game import RulingRule
from scoring.ledger import Carry, Problem, named
from tournament.models import Event, Game, Team
from tournament.models.game import RULED
from tournament.phrases import signed
from tournament.queries.rules import Ruleset
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row, Struck
from tournament.queries.wording import how_words

OTHER = "other"
# What each kind of call is usually about; the first that the sheet knows leads there in one tap.
CALLED_FOR = {
    "renege": ("41", "bw.renege"),
    "exposed": ("32", "18", "22"),
    "count": ("17", "23", "34", "35", "36", "misdeal"),
    "score": (OTHER,),
}
# What is ruled on most at a hall's tables; whatever is not named follows in the sheet's order.
BY_USE = (
    "41", "bw.renege", "32", "13", "late", "22", "17", "misdeal", "34", "35", "29", "18", "23", "16", "27", "31", "36",
    "25", "26", "46", "forfeit", "47",
)  # fmt: skip
LATE = ("13", "late")
LEAVING = ("46", "forfeit")
DISORDER = ("47",)


class Likely(NamedTuple):
    """The rulings that a call points to, and all the others; both in the order of use."""

    first: tuple[RulingRule, ...]
    rest: tuple[RulingRule, ...]


def ruling_table(rules: Ruleset) -> tuple[RulingRule, ...]:
    """What can be ruled on, in the order and words of the sheet."""
    return rules.game.rulings(rules.rules)


def likely_rulings(rules: Ruleset, kind: str) -> Likely:
    """The table of rulings in the order of use, with those that fit a kind of call put first."""
    return likely_of(ruling_table(rules), kind)


def likely_of(rulings: tuple[RulingRule, ...], kind: str) -> Likely:
    """Some rulings in the order of use, with those that fit a kind of call put first."""
    table = sorted(rulings, key=_place_in_use)
    names = CALLED_FOR.get(kind, ())
    return Likely(
        tuple(one for one in table if one.rule in names), tuple(one for one in table if one.rule not in names)
    )


def in_place_of_a_hand(table: tuple[RulingRule, ...]) -> tuple[RulingRule, ...]:
    """What can be ruled in the place of a hand; where play goes on, the hand stays."""
    rules = (one._replace(choices=tuple(choice for choice in one.choices if choice.effect != "none")) for one in table)
    return tuple(one for one in rules if one.choices)


def rule_for_call(rules: Ruleset, kind: str) -> str:
    """The only rule that a call can be about; nothing where there are several."""
    first = likely_rulings(rules, kind).first
    return first[0].rule if len(first) == 1 else ""


def known_rule(rules: Ruleset, names: tuple[str, ...]) -> str:
    """The first of some names under which the sheet knows a rule; nothing where it knows none."""
    table = {one.rule for one in ruling_table(rules)}
    return next((name for name in names if name in table), "")


def _place_in_use(rule: RulingRule) -> int:
    if rule.rule == OTHER:
        return len(BY_USE) + 1
    return BY_USE.index(rule.rule) if rule.rule in BY_USE else len(BY_USE)


def is_leaving(rule: str) -> bool:
    """Whether a ruling under this rule sends a team away for the rest of the event."""
    return rule in LEAVING or rule in DISORDER


RULING_OUTCOMES = {"ruling", "award", "adjustment"}


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling of the report. `effect` has one clause a line of points; `withdrawn` says why it no longer stands."""

    game: int
    position: int
    round: str
    table: int
    at: datetime
    rule: str
    text: str
    side: str
    bid: str
    director: str
    effect: tuple[str, ...] = ()
    waived: bool = False
    reason: str = ""
    withdrawn: str = ""


def rulings_of(event: Event) -> tuple[RulingLine, ...]:
    """Every ruling of an event in the order of games and tables, on a sheet as it was made.

    It takes a constant number of queries.
    """
    games = sheet_games().filter(round__event=event, entries__kind__in=RULED).distinct()
    ordered = games.order_by("round__number", "table", "leg")
    sheets = (_of_sheet(game_sheet(game)) for game in ordered)
    return tuple(line for lines in sheets for line in sorted(lines, key=lambda line: (line.at, line.position)))


def team_that_goes(game: Game, facts: Mapping[str, Any]) -> Team | None:
    """The team that a ruling sends away; None for every other entry."""
    if facts.get("entry") != "ruling" or not is_leaving(str(facts.get("rule"))):
        return None
    side = game.sides.select_related("team").filter(index=facts.get("side", -1)).first()
    return side.team if side else None


def _of_sheet(sheet: GameSheet) -> list[RulingLine]:
    lines = []
    for row in sheet.rows:
        if row.kind in RULED:
            lines.append(_stands(sheet, row))
        lines += [_gone(sheet, row.position, old) for old in row.struck if _is_ruling(old)]
    lines += [_gone(sheet, 0, old) for old in sheet.removed if _is_ruling(old)]
    return lines


def _is_ruling(old: Struck) -> bool:
    return old.written.outcome in RULING_OUTCOMES


def _stands(sheet: GameSheet, row: Row) -> RulingLine:
    effect = [f"{sheet.sides[line.side].name} {signed(line.points)}: {line.text}" for line in row.lines]
    if row.ends_game:
        winner = sheet.winner_side
        who = f"{winner.name} won" if winner else "nobody won"
        effect.append(f"Game over: {who}" + (f" ({sheet.how_words})" if sheet.how_words != who else ""))
    return _line(sheet, row.position, row, effect=tuple(effect), waived=not effect, reason=row.reason)


def _gone(sheet: GameSheet, position: int, old: Struck) -> RulingLine:
    why = " · ".join(filter(None, (old.struck_by, old.struck_reason)))
    return _line(sheet, position, old, withdrawn=why or "withdrawn")


def _line(sheet: GameSheet, position: int, one: Row | Struck, **said: Any) -> RulingLine:
    return RulingLine(
        game=sheet.pk,
        position=position,
        round=sheet.round,
        table=sheet.table,
        at=one.at,
        rule=one.written.rule,
        text=one.written.text,
        side=one.written.about,
        bid=one.written.bid,
        director=one.by,
        **said,
    )


# Nobody is at the table to sign such a game: the director signs for both sides.
SIGNED_BY_DIRECTOR = frozenset({"late", "forfeit", "no-game"})


@dataclass(frozen=True, slots=True)
class Gain:
    """Points of one side under one rule, with the reason."""

    side: str
    points: int
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class RulingEffect:
    """What an entry does. Lists have one value per side. `charged` names the sides that are charged a set."""

    gains: tuple[Gain, ...]
    sides: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    sets: tuple[int, ...]
    charged: tuple[str, ...]
    over: bool
    winner: str
    how: str
    how_words: str
    rule: str
    text: str

    @property
    def nothing(self) -> bool:
        """Whether neither score, sets nor the end of the game change."""
        return not (self.gains or self.charged or self.over)

    @property
    def signed_by_director(self) -> bool:
        return self.over and self.how in SIGNED_BY_DIRECTOR

    @property
    def scores(self) -> tuple[tuple[str, int, int], ...]:
        """Each side with its score before and after."""
        return tuple(zip(self.sides, self.before, self.after, strict=True))


def effect_of(
    rules: Ruleset, carry: Carry, facts: dict[str, Any], names: tuple[str, ...]
) -> RulingEffect | tuple[Problem, ...]:
    """The effect of an entry on a sheet that stands at `carry`, or why the rules refuse it."""
    entry, problems = read_entry(rules.game, facts)
    problems = problems or rules.game.problems(rules.rules, carry, entry)
    if problems:
        return problems
    lines, after = rules.game.score_entry(rules.rules, carry, entry)
    verdict = after.verdict
    return RulingEffect(
        gains=tuple(Gain(names[line.side], line.points, line.rule, named(line.text, names)) for line in lines),
        sides=names,
        before=tuple(carry.scores),
        after=tuple(after.scores),
        sets=tuple(after.sets),
        charged=tuple(name for name, new, old in zip(names, after.sets, carry.sets, strict=True) if new > old),
        over=verdict is not None,
        winner=names[verdict.winner] if verdict and verdict.winner is not None else "",
        how=verdict.how if verdict else "",
        how_words=how_words(verdict.how) if verdict else "",
        rule=verdict.rule if verdict else "",
        text=named(verdict.text, names) if verdict else "",
    )
