"""What a hand would do if it were recorded, in words and before anything is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.ledger import Carry, Line
from tournament.models import Game
from tournament.phrases import clause, minus, signed
from tournament.queries.scored import TIME, NotPossible, ScoredLine
from tournament.queries.sheet import game_sheet
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.wording import how_words, players_of, write_down
from tournament.refusals import Fault


@dataclass(frozen=True, slots=True)
class Effect:
    """A hand's effect: a headline, its reasons and what it leads to. `outcome` is made, set, over or refused."""

    headline: str
    lines: tuple[str, ...]
    outcome: str


def effect_of_hand(
    game: Game, facts: dict[str, Any], faults: tuple[Fault, ...] = (), *, at_table: bool = False
) -> Effect | None:
    """The effect of a hand on a game that came from `sheet_games()`; None while too little was chosen to say.

    A hand that is played `at_table` after time was called ends its game, as when it is recorded.
    """
    sheet = game_sheet(game)
    if sheet.over:
        return Effect("The game is over.", (), "refused")
    if faults:
        return _so_far(sheet, facts)
    try:
        after = sheet.scored.with_entry(facts)
    except NotPossible as refusal:
        texts = [problem.text for problem in refusal.problems]
        return Effect(texts[0], tuple(texts[1:]), "refused")
    line = after.lines[-1]
    if at_table and game.round.time_called_at is not None and after.ends_by_time(sheet.scored, "table"):
        line = line._replace(after=after.with_entry({"entry": TIME}).carry)
    return effect_of_line(sheet, line)


def effect_of_line(sheet: GameSheet, line: ScoredLine) -> Effect:
    before, after = line.before, line.after
    names = tuple(side.name for side in sheet.sides)
    lines = tuple(one.name(names, players_of(sheet.seats)) for one in line.lines)
    written = write_down(sheet.rules, line.facts, names, sheet.seats, lines, before=before)
    changes = [
        f"{name} {signed(now - old)}"
        for name, old, now in zip(names, before.scores, after.scores, strict=True)
        if now != old
    ]
    what = f"{written.text} {sheet.word}" if written.took is not None else "This hand"
    headline = f"{what}: {', '.join(changes) or 'nobody scores'}"
    why = _reasons(lines, names, written.who) or (
        _sentence(_with_rule(written.text, written.rule)) if written.rule else ""
    )
    return Effect(
        headline,
        (why, _standing(names, after)),
        "over" if after.verdict else written.outcome,
    )


def _reasons(lines: tuple[Line, ...], names: tuple[str, ...], bidder: int | None) -> str:
    """The reason of every line with its rule, and its points where there are several.

    A side is named where it is not the one that bid.
    """
    several = sum(1 for line in lines if line.points) > 1
    said = [
        _with_rule(
            (line.text if line.side == bidder else f"{names[line.side]}: {line.text}")
            + (f", {signed(line.points)}" if several and line.points else ""),
            line.rule,
        )
        for line in lines
    ]
    return _sentence("; ".join(said))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _standing(names: tuple[str, ...], after: Carry) -> str:
    score = ", ".join(f"{name} {minus(now)}" for name, now in zip(names, after.scores, strict=True))
    if after.verdict is None:
        return f"Score after this hand: {score}."
    winner = after.verdict.winner
    who = f"{names[winner]} won" if winner is not None else "nobody won"
    ended = ", ".join(dict.fromkeys((who, how_words(after.verdict.how))))
    return f"Game over: {_with_rule(ended, after.verdict.rule)}. {score}."


def _so_far(sheet: GameSheet, facts: dict[str, Any]) -> Effect | None:
    """With the bid and its side chosen, say what is needed."""
    fields = {field.layout: field for field in sheet.next.fields if field.of == "bidder"} if sheet.next else {}
    seat, bid, taken = (facts.get(fields[one].key) if one in fields else None for one in ("seats", "grid", "count"))
    words = next((one.words for one in fields["grid"].offered() if one.value == bid), "") if bid else ""
    if not words or taken is not None or seat is None or seat not in range(len(sheet.seats)):
        return None
    name = sheet.sides[seat % len(sheet.sides)].name
    return Effect(f"{name} bid {words}: how many {sheet.word} did they take?", (), "")


def _with_rule(text: str, rule: str) -> str:
    return f"{text} ({clause(rule)})" if clause(rule) else text
