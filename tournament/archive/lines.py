"""The lines of a sheet in an event file: every revision of them, who wrote it, where from, when and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.document import read_entry, read_opening
from scoring.fields import Fields
from scoring.ledger import Carry
from tournament.archive.changes import filled, objects, read_moment
from tournament.models import Game
from tournament.models.entry import CAUSES, OPENING, REMOVED
from tournament.phrases import SOURCES
from tournament.queries.authors import author
from tournament.queries.rules import Ruleset
from tournament.queries.scored import active_entries
from tournament.queries.verification import PAPER
from tournament.queries.wording import write_down

LINE = frozenset("line source by at reason cause facts".split())
MOST_LINES = 5000
IMPORT = "import"


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A revision of a line. `at` is None, and `by` empty, where the file does not say."""

    position: int
    revision: int
    facts: dict[str, Any]
    source: str
    by: str = ""
    reason: str = ""
    at: datetime | None = None
    cause: str = ""

    @property
    def kind(self) -> str:
        return str(self.facts.get("entry", "")).replace("-", "_")


def lines_of(game: Game) -> list[dict[str, Any]]:
    """Every revision in order. What counts stands in the game document; the facts of all others stand here."""
    entries = sorted(game.entries.all(), key=lambda entry: (entry.position, entry.revision))
    counts = {entry.pk for entry in active_entries(entries) if entry.kind != OPENING}
    return [
        filled(
            {
                "line": one.position,
                "source": one.source,
                "by": author(one.by, one.entered_by, one.device),
                "at": one.entered_at.isoformat(),
                "reason": one.reason,
                "cause": one.cause,
                "facts": None if one.pk in counts else one.facts,
            }
        )
        for one in entries
    ]


def plain_lines(
    opening: dict[str, Any] | None, entries: Sequence[dict[str, Any]], paper: Sequence[int]
) -> list[SheetLine]:
    """The lines of a file that tells only what counts; `paper` are the numbers of those that were typed from paper."""
    facts = [{"entry": OPENING, **opening}] if opening else []
    first = 0 if opening else 1
    return [
        SheetLine(position, 0, one, PAPER if position in paper else IMPORT)
        for position, one in enumerate([*facts, *entries], start=first)
    ]


def read_lines(
    data: Any, rules: Ruleset, opening: dict[str, Any] | None, entries: Sequence[dict[str, Any]], fields: Fields
) -> list[SheetLine]:
    """The lines of a file that tells everything; a fault at the table's field “lines” where they do not fit."""
    if not isinstance(data, list) or len(data) > MOST_LINES:
        fields.refuse("lines", f"a list of at most {MOST_LINES:,} lines is needed.")
        return []
    lines: list[SheetLine] = []
    left = iter(entries)
    for index, said in enumerate(objects(data, LINE), start=1):
        line = _line(said, lines[-1] if lines else None, left)
        wrong = [problem.text for problem in said.problems] or _wrong(line, rules, "facts" in said.facts)
        if wrong or line is None:
            fields.refuse("lines", f"line {index}: {wrong[0]}")
            return []
        lines.append(line)
    counts = list({line.position: line for line in lines}.values())
    counting = [line.facts for line in counts if line.kind not in (OPENING, REMOVED)]
    begins = [_begins(rules, line.facts) for line in counts if line.kind == OPENING]
    if counting != list(entries) or begins != ([_begins(rules, opening)] if opening else []):
        fields.refuse("lines", "they are not those of the game: as many must count as the game has entries.")
        return []
    return lines


def _line(said: Fields, before: SheetLine | None, left: Iterator[dict[str, Any]]) -> SheetLine | None:
    position, source = said.number("line"), said.text("source")
    last = before.position if before else -1
    if position is None or not last <= position <= MOST_LINES:
        said.refuse("line", "the number of the line is needed, in order.")
    if source not in SOURCES:
        said.refuse("source", f"“{source}” is not known: {', '.join(SOURCES)}.")
    facts = said.facts.get("facts")
    if facts is None:
        facts = next(left, None)
        if facts is None:
            said.refuse("facts", "the game has no such entry.")
    elif not isinstance(facts, Mapping):
        said.refuse("facts", "what is on the line must be an object.")
    by, reason, at = said.text("by")[:150], said.text("reason")[:200], read_moment(said, "at")
    cause = said.text("cause")
    if cause and cause not in CAUSES:
        said.refuse("cause", f"“{cause}” is not known: {', '.join(CAUSES)}.")
    if said.problems or position is None:
        return None
    revision = before.revision + 1 if before and before.position == position else 0
    return SheetLine(position, revision, dict(facts or {}), source, by, reason, at, cause)


def _wrong(line: SheetLine | None, rules: Ruleset, told: bool) -> list[str]:
    """What a line cannot say. What counts was scored already; what was struck must at least be readable."""
    if line is None or not told:
        return [] if line and line.position > 0 else ["only totals continued from paper can come before line 1."]
    if line.kind == REMOVED:
        return [] if line.revision and line.facts == {"entry": REMOVED} else ["there was no line there to remove."]
    if (line.kind == OPENING) != (line.position == 0):
        return ["only totals continued from paper can come before line 1."]
    try:
        if line.kind == OPENING:
            fields = Fields({})
            _begins(rules, line.facts, fields)
            return [problem.text for problem in fields.problems]
        _, problems = read_entry(rules.game, line.facts)
        if not problems:
            write_down(rules, line.facts, ("",) * rules.seating.sides, (), ())
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return ["what was struck cannot be read."]
    return [problem.text for problem in problems]


def _begins(rules: Ruleset, facts: Mapping[str, Any], fields: Fields | None = None) -> Carry:
    """Where a game begins that was carried on from paper."""
    said = {key: value for key, value in facts.items() if key != "entry"}
    return read_opening(rules.game, rules.rules, said, fields or Fields({}))
