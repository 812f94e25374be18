"""What a hand would do if it were recorded, in words and before anything is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.game import NextHand
from scoring.ledger import Carry, Line, side_name
from tournament.models import Game
from tournament.phrases import clause, minus, signed
from tournament.queries.rules import Ruleset
from tournament.queries.scored import TIME, NotPossible, ScoredLine
from tournament.queries.sheet import game_sheet
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.wording import Gist, gist_of, how_words, players_of
from tournament.refusals import Fault

# What an effect leaves open: the names of sides and players, what the hand changes, and the score after it.
MARK = re.compile(r"\{(side|seat|changes|score) ?(\d*)\}")
NOBODY = "nobody scores"


@dataclass(frozen=True, slots=True)
class Effect:
    """A hand's effect: a headline, its reasons and what it leads to. `outcome` is made, set, over or refused."""

    headline: str
    lines: tuple[str, ...]
    outcome: str


class Marked(NamedTuple):
    """The same with marks: for any table whose game stands so. js/outcomes.js puts the names in as `filled` does."""

    headline: str
    why: str
    standing: str
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
    gist = gist_of(sheet.rules, line.facts, line.entry, line.lines, line.before)
    return filled(marked_effect(sheet.rules, gist, line.lines, line.after), sheet, line)


def marked_effect(rules: Ruleset, gist: Gist, lines: tuple[Line, ...], after: Carry) -> Marked:
    """What a hand does, the same for every table. `gist` is what it comes to, whatever the score is."""
    what = f"{gist.text} {rules.game.word}" if gist.bid else "This hand"
    why = _reasons(lines, gist.who) or (_with_rule(gist.text, gist.rule) + "." if gist.rule else "")
    outcome = "over" if after.verdict else gist.outcome
    return Marked(f"{what}: {{changes}}", why, _standing(after), outcome)


def filled(marked: Marked, sheet: GameSheet, line: ScoredLine) -> Effect:
    """An effect with the names and the score of its table."""
    names, before, after = tuple(side.name for side in sheet.sides), line.before.scores, line.after.scores
    turned = zip(names, before, after, strict=True)
    changes = [f"{name} {signed(now - old)}" for name, old, now in turned if now != old]
    score = ", ".join(f"{name} {minus(now)}" for name, now in zip(names, after, strict=True))
    said = {"side": names, "seat": players_of(sheet.seats)}
    said |= {"changes": (", ".join(changes) or NOBODY,), "score": (score,)}
    headline, why, standing = (_fill(text, said) for text in marked[:3])
    return Effect(headline, (f"{why[:1].upper()}{why[1:]}", standing), marked.outcome)


def _fill(text: str, said: Mapping[str, Sequence[str]]) -> str:
    return MARK.sub(lambda mark: said[mark[1]][int(mark[2] or 0)], text)


def _reasons(lines: tuple[Line, ...], bidder: int | None) -> str:
    """The reason of every line with its rule, and its points where there are several.

    A side is named where it is not the one that bid.
    """
    several = sum(1 for line in lines if line.points) > 1
    said = [
        _with_rule(
            (line.text if line.side == bidder else f"{side_name(line.side)}: {line.text}")
            + (f", {signed(line.points)}" if several and line.points else ""),
            line.rule,
        )
        for line in lines
    ]
    return f"{'; '.join(said)}." if said else ""


def _standing(after: Carry) -> str:
    if after.verdict is None:
        return "Score after this hand: {score}."
    winner = after.verdict.winner
    who = f"{side_name(winner)} won" if winner is not None else "nobody won"
    ended = ", ".join(dict.fromkeys((who, how_words(after.verdict.how))))
    return f"Game over: {_with_rule(ended, after.verdict.rule)}. {{score}}."


def _so_far(sheet: GameSheet, facts: dict[str, Any]) -> Effect | None:
    """With the bid and its side chosen, say what is needed."""
    fields = {field.layout: field for field in sheet.next.fields if field.of == "bidder"} if sheet.next else {}
    seat, bid, taken = (facts.get(fields[one].key) if one in fields else None for one in ("seats", "grid", "count"))
    words = next((one.words for one in fields["grid"].offered() if one.value == bid), "") if bid else ""
    if not words or taken is not None or seat is None or seat not in range(len(sheet.seats)):
        return None
    name = sheet.sides[seat % len(sheet.sides)].name
    return Effect(_asks(sheet.rules, words).replace("{who}", name), (), "")


def asks(rules: Ruleset, due: NextHand) -> dict[str, str]:
    """What is asked once a bid was chosen, by bid; {who} stands for the side."""
    return {
        one.value: _asks(rules, one.words) for field in due.fields if field.layout == "grid" for one in field.offered()
    }


def _asks(rules: Ruleset, bid: str) -> str:
    return f"{{who}} bid {bid}: how many {rules.game.word} did they take?"


def _with_rule(text: str, rule: str) -> str:
    return f"{text} ({clause(rule)})" if clause(rule) else text
