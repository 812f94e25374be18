"""Whether the games of an event file are possible: who met whom, every line scored by the rules, who signed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.document import read_entry
from scoring.fields import Fields
from scoring.opening import CAME_LATER, read_opening
from scoring.options import choose
from tournament.archive.rows import Rows, where
from tournament.models import Bye, Entry, Event, Game, Round, Side, Signature
from tournament.models.game import OPENING, REMOVED
from tournament.queries.rules import Ruleset, stored_stage_options
from tournament.queries.scored import NotPossible, active_entries, begin, kind_of, opening_faults
from tournament.queries.wording import write_down
from tournament.words.phrases import DONE

# The same limit as at the desk.
MOST_HANDS = 9999
NO_LINE = "there was no line there to remove"
NOT_READ = "what was struck cannot be read"
Tell = Callable[[int, int], None]


@dataclass
class FoundGame:
    """A game of the file with everything at its table."""

    game: Game
    sides: list[Side] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    signatures: list[Signature] = field(default_factory=list)
    over: bool = False
    counting: int = 0


def check_games(rows: Rows, rules: Ruleset, tell: Tell) -> list[FoundGame]:
    """Every game with its score. `tell` is called with how many rounds have been checked."""
    found = _found(rows)
    by_round: dict[int, list[FoundGame]] = defaultdict(list)
    for one in found:
        by_round[id(one.game.round)].append(one)
    rounds = rows.of(Round)
    for index, round_ in enumerate(rounds):
        tell(index, len(rounds))
        _check_round(rows, rules, round_, by_round[id(round_)])
    tell(1, 1)
    return found


def _found(rows: Rows) -> list[FoundGame]:
    found = {id(game): FoundGame(game) for game in rows.of(Game)}
    for side in rows.of(Side):
        found[id(side.game)].sides.append(side)
    for entry in rows.of(Entry):
        found[id(entry.game)].entries.append(entry)
    for signature in rows.of(Signature):
        found[id(signature.game)].signatures.append(signature)
    return list(found.values())


def _check_round(rows: Rows, rules: Ruleset, round_: Round, games: Sequence[FoundGame]) -> None:
    event: Event = round_.event
    matches = [one.game.match for one in games]
    own = round_.options
    if own not in stored_stage_options(event, round_.stage, matches):
        rows.refuse(round_, "options", "these are not the options that the event has for this stage")
        return
    rules = replace(rules, rules=choose(rules.rules, own)[0])
    _check_seats(rows, round_, games)
    for one in games:
        _check_game(rows, rules, one)
    for one in games:
        _check_state(rows, round_, one)


def _check_seats(rows: Rows, round_: Round, games: Sequence[FoundGame]) -> None:
    """A team sits at one table of a round, or has a bye."""
    sits = {id(side.team) for one in games for side in one.sides}
    for bye in rows.of(Bye):
        if bye.round is round_ and id(bye.team) in sits:
            rows.refuse(bye, "team", f"team {bye.team.number} sits at a table of this round")


def _check_state(rows: Rows, round_: Round, one: FoundGame) -> None:
    """Check that a game is as far as its round. Its score is compared once it is stored."""
    if round_.state == "planned" and one.entries:
        rows.refuse(one.game, "", "its round is planned, but hands have been written")
    if round_.state == "closed" and one.game.state not in DONE:
        why = "not signed by all" if one.over else "not finished"
        rows.refuse(one.game, "state", f"the round is closed, but the game is {why}")


def _check_game(rows: Rows, rules: Ruleset, one: FoundGame) -> None:
    game, count = one.game, len(one.sides)
    if count not in rules.table_sizes:
        sizes = " to ".join(str(size) for size in sorted({rules.table_sizes[0], rules.table_sizes[-1]}))
        rows.refuse(game, "", f"{sizes} {rules.unit}s are needed; {count} are named")
        return
    rules = rules.at_table(count)
    if game.first_dealer >= rules.seating.seats:
        rows.refuse(game, "first_dealer", f"{game.first_dealer} is not a seat of the table")
        return
    for side in one.sides:
        if side.index >= count:
            rows.refuse(side, "index", f"{side.index} is not a side of the table")
        if side.round is not game.round or side.leg != game.leg:
            rows.refuse(side, "round", "it is not that of its game")
    _check_signatures(rows, one)
    before = len(rows.faults)
    _check_lines(rows, rules, one)
    if len(rows.faults) == before:
        _score(rows, rules, one)


def _check_signatures(rows: Rows, one: FoundGame) -> None:
    """A side signs each state of the sheet once; again only after its signature was withdrawn."""
    written: dict[tuple[int, str], list[Signature]] = defaultdict(list)
    for signature in sorted(one.signatures, key=lambda signature: signature.revision):
        before = written[signature.side, signature.code]
        stands = bool(before) and before[-1].how != "back"
        if signature.side >= len(one.sides):
            rows.refuse(signature, "side", f"{signature.side} is not a side of the table")
        elif signature.revision != len(before) or stands != (signature.how == "back"):
            rows.refuse(signature, "revision", "a side signs a sheet once, until that is taken back")
        before.append(signature)


# The lines of a sheet: every revision must be readable, and those that count must be possible to score.


def _check_lines(rows: Rows, rules: Ruleset, one: FoundGame) -> None:
    by_position: dict[int, list[Entry]] = defaultdict(list)
    for entry in one.entries:
        by_position[entry.position].append(entry)
    for entries in by_position.values():
        entries.sort(key=lambda entry: entry.revision)
        before = None
        for revision, entry in enumerate(entries):
            if entry.revision != revision or entry.replaces is not before:
                rows.refuse(entry, "replaces", "each revision replaces the one before it, from 0 on")
            elif fault := _line_fault(rules, entry):
                rows.refuse(entry, "facts", fault)
            before = entry


def _line_fault(rules: Ruleset, entry: Entry) -> str:
    """What is wrong with a line; empty if nothing is. Scoring decides whether the game allows it there."""
    facts: Any = entry.facts
    if not isinstance(facts, Mapping):
        return "what is on the line must be an object"
    if kind_of(facts) != entry.kind:
        return f"the line is kept as “{entry.kind}”, and is something else"
    if entry.kind == REMOVED:
        return "" if entry.revision and {*facts} == {"entry"} else NO_LINE
    if (entry.kind == OPENING) != (entry.position == 0):
        return "only totals continued from paper can come before line 1"
    try:
        return _opening_fault(rules, facts) if entry.kind == OPENING else _facts_fault(rules, facts)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return NOT_READ


def _opening_fault(rules: Ruleset, facts: Mapping[str, Any]) -> str:
    # What earlier versions wrote is accepted, whatever it says; no later line depends on it.
    problems = opening_faults(rules, facts, new=not CAME_LATER.isdisjoint(facts))
    if problems:
        return problems[0].text
    fields = Fields({})
    opening = {key: value for key, value in facts.items() if key != "entry"}
    hands = read_opening(rules.game, rules.rules, opening, fields).hands
    return "" if hands <= MOST_HANDS else f"at most {MOST_HANDS:,} hands can have been played before"


def _facts_fault(rules: Ruleset, facts: Mapping[str, Any]) -> str:
    _, problems = read_entry(rules.game, facts)
    if problems:
        return problems[0].text
    write_down(rules, dict(facts), ("",) * rules.seating.sides, (), ())
    return ""


def _score(rows: Rows, rules: Ruleset, one: FoundGame) -> None:
    """Score the lines that count, from first to last."""
    active = active_entries(one.entries)
    opening = active[0].facts if active and active[0].kind == OPENING else None
    lines = [(entry.position, entry.facts) for entry in active if entry.kind != OPENING]
    one.counting = len(lines)
    try:
        scored = begin(rules, one.game.first_dealer, opening).with_lines(lines)
    except NotPossible as refusal:
        at = f"{where(one.game)}, line {refusal.position}"
        for problem in refusal.problems:
            rows.refuse_at(at, problem.field, problem.text, problem.rule)
        return
    one.over = scored.verdict is not None
