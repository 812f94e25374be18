"""What a game comes to, from its locked rows, and its sides.

A game is scored once from its rows, and every line has the state before and after it. Results, sheet, preview, outcomes
sent in advance, signatures, corrections, and their impact use the same value; a new line is one more step, and nothing
is read or folded a second time.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Prefetch, QuerySet

from scoring.decisions import Ruling
from scoring.document import read_entry
from scoring.fields import Fields
from scoring.game import NextHand, game_points
from scoring.laid import Laid
from scoring.ledger import Carry, HandResult, Line, Problem, Verdict
from scoring.opening import opening_contradictions, read_opening, write_opening
from scoring.options import idle_options
from tournament.errors import Damaged
from tournament.models import (
    Entry,
    Game,
    Round,
    Side,
)
from tournament.models.game import OPENING, REMOVED, SET_ASIDE
from tournament.queries.rules import Ruleset, options_in, pinned_options, ruleset_at

TIME = "time"


class NotPossible(ValueError):
    """The rules refuse a line: its position, its place among the lines (counted from 1), and the problems."""

    def __init__(self, position: int, line: int, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(problem.text for problem in problems))
        self.position, self.line, self.problems = position, line, problems


class ScoredLine(NamedTuple):
    """A line that counts: its position, its facts as the game document has them, and its results."""

    position: int
    facts: dict[str, Any]
    entry: Any
    before: Carry
    lines: tuple[Line, ...]
    after: Carry
    result: HandResult | None = None

    @property
    def kind(self) -> str:
        return kind_of(self.facts)


# A line before it is scored: its position, its facts, and the entry that was read from them.
Read = tuple[int, dict[str, Any], Any]


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """The score of a game.

    `begin` is where it starts: with the totals of `opening`, if it was continued from paper.
    """

    rules: Ruleset
    first_dealer: int
    begin: Carry
    lines: tuple[ScoredLine, ...] = ()
    opening: dict[str, Any] | None = None

    @property
    def carry(self) -> Carry:
        """The state of the game after its last line."""
        return self.lines[-1].after if self.lines else self.begin

    @property
    def verdict(self) -> Verdict | None:
        return self.carry.verdict

    @property
    def points(self) -> tuple[int, ...]:
        """What it contributes for each side to the standings."""
        return tuple(game_points(self.rules.rules, self.carry))

    @property
    def hands(self) -> dict[int, int]:
        """The numbers of the hands that count, by their positions; the next game of a rubber begins with 1 again."""
        numbers = {}
        for line in self.lines:
            before, after = line.before, line.after
            if after.games != before.games and after.deals > before.deals:
                numbers[line.position] = before.hands + 1
            elif after.hands > before.hands:
                numbers[line.position] = after.hands
        return numbers

    @property
    def next_position(self) -> int:
        """The position of the next line: after the last one that counts."""
        return self.lines[-1].position + 1 if self.lines else 1

    @property
    def next_hand(self) -> NextHand | None:
        """What the table writes next; None when the game is over."""
        return None if self.verdict else self.rules.game.next_hand(self.rules.rules, self.carry)

    @property
    def unbegun(self) -> bool:
        """Whether nothing counts yet."""
        return not self.lines and self.opening is None

    def dealt(self, facts: dict[str, Any]) -> dict[str, Any]:
        """A hand with the seat that dealt it, from which the rules know the order of speaking; anything else unchanged.

        If the line itself names its dealer, that counts; otherwise it is the player whose turn it is.
        """
        if facts.get("entry") != "hand" or facts.get("dealer") is not None:
            return facts
        due = self.rules.game.next_hand(self.rules.rules, self.carry)
        return {**facts, "dealer": (self.first_dealer + due.dealer) % self.rules.seating.seats}

    def dealt_at(self, position: int, facts: dict[str, Any] | None) -> dict[str, Any] | None:
        """The same for an entry that replaces a line: the dealer of that line dealt it."""
        if facts is None or facts.get("entry") != "hand" or facts.get("dealer") is not None:
            return facts
        was = next((line.facts.get("dealer") for line in self.lines if line.position == position), None)
        return self.before(position).dealt(facts) if was is None else {**facts, "dealer": was}

    def bid_problems(self, facts: dict[str, Any]) -> tuple[Problem, ...]:
        """What is wrong with the bids of the hand that is due, before it is played."""
        return self.rules.game.bid_problems(self.rules.rules, self.carry, self.dealt(facts))

    def with_entry(self, facts: dict[str, Any]) -> ScoredGame:
        """The game with one more line, a hand with its dealer. Raises NotPossible."""
        return self.with_line(self.next_position, self.dealt(facts))

    def with_line(self, position: int, facts: dict[str, Any]) -> ScoredGame:
        """The game with one more line, written at a position after all others. Raises NotPossible."""
        entry = self._read(position, facts, len(self.lines) + 1)
        if isinstance(entry, Ruling):
            # It may be about a hand: then the game differs from there on.
            return self._folded([*map(_read, self.lines), (position, facts, entry)])
        if problems := self.rules.game.problems(self.rules.rules, self.carry, entry):
            raise NotPossible(position, len(self.lines) + 1, problems)
        return replace(self, lines=(*self.lines, _scored(self.rules, (position, facts, entry), entry, self.carry)))

    def with_lines(self, lines: Iterable[tuple[int, dict[str, Any]]]) -> ScoredGame:
        """The game with lines at positions after all others, every one of which must be possible.

        Raises NotPossible.
        """
        numbered = enumerate(lines, start=len(self.lines) + 1)
        read = [(position, facts, self._read(position, facts, number)) for number, (position, facts) in numbered]
        return self._folded([*map(_read, self.lines), *read])

    def before(self, position: int) -> ScoredGame:
        """The game as it was without the lines from a position on and their rulings on those before."""
        lines = [_read(line) for line in self.lines if line.position < position]
        return replace(self, lines=_scored_lines(self.rules, self.begin, lines))

    def replacing(self, position: int, facts: dict[str, Any] | None) -> ScoredGame:
        """The game with other facts, or no line, at a position. Raises NotPossible if a later line does not fit."""
        lines = [_read(line) for line in self.lines if line.position < position]
        if facts is not None:
            lines.append((position, facts, self._read(position, facts, len(lines) + 1)))
        return self._folded(lines + [_read(line) for line in self.lines if line.position > position])

    def _read(self, position: int, facts: dict[str, Any], number: int) -> Any:
        entry, problems = read_entry(self.rules.game, facts)
        if problems:
            raise NotPossible(position, number, problems)
        return entry

    def _folded(self, read: Sequence[Read]) -> ScoredGame:
        """The game with these lines, every one of which must be possible."""

        def check(index: int, carry: Carry, entry: Any) -> None:
            if problems := self.rules.game.problems(self.rules.rules, carry, entry):
                index = problems[0].of(index).entry or 0
                raise NotPossible(read[index][0], index + 1, problems)

        return replace(self, lines=_scored_lines(self.rules, self.begin, read, check))

    def ends_by_time(self, before: ScoredGame, source: str) -> bool:
        """Whether the last line was the hand in play when time was called: then the end by time follows at once.

        A ruling that scores the hand finishes it, too. Hands that are typed from paper are not in play: there the desk
        writes the end where the paper has it.
        """
        kind = self.lines[-1].kind
        if kind != "ruling" and (kind != "hand" or source != "table"):
            return False
        return before.goes_on_without_time and self.verdict is None and self.carry.hands > before.carry.hands

    @property
    def goes_on_without_time(self) -> bool:
        return not any(line.kind == TIME for line in self.lines)


def scored_game(game: Game) -> ScoredGame:
    """Score a game from its rows.

    A row's values are never dropped or replaced by a default: a row that cannot be read raises Damaged, which names
    event, game, and line.
    """
    return score_rows(game, ruleset_at(game), game.entries.all())


def score_rows(game: Game, rules: Ruleset, entries: Iterable[Entry]) -> ScoredGame:
    active = active_entries(entries)
    opening = active[0].facts if active and active[0].kind == OPENING else None
    if opening is not None and (problems := opening_faults(rules, opening, new=False)):
        raise Damaged(f"{_place(game)}, totals from paper: these cannot be read. {problems[0].text}")
    opened, read = begin(rules, game.first_dealer, opening), []
    for row in active:
        if row.kind != OPENING:
            entry, problems = read_entry(rules.game, row.facts)
            if problems:
                raise _damaged(game, row.position, problems)
            read.append((row.position, row.facts, entry))

    def check(index: int, carry: Carry, entry: Any) -> None:
        # Only the sheet knows the choices that it grants.
        problems = rules.game.problems(rules.rules, carry, entry) if isinstance(entry, (Ruling, Laid)) else ()
        if problems:
            raise _damaged(game, read[problems[0].of(index).entry or 0][0], problems)

    return replace(opened, lines=_scored_lines(rules, opened.begin, read, check))


def _damaged(game: Game, position: int, problems: Sequence[Problem]) -> Damaged:
    return Damaged(f"{_place(game)}, line {position}: this line cannot be read. {problems[0].text}")


def begin(rules: Ruleset, first_dealer: int = 0, opening: Mapping[str, Any] | None = None) -> ScoredGame:
    """A game without a line: at zero, or with the totals continued from paper."""
    carry = read_opening(rules.game, rules.rules, _totals(opening), Fields({}))
    return ScoredGame(rules, first_dealer, carry, opening=None if opening is None else dict(opening))


def opening_faults(rules: Ruleset, opening: Mapping[str, Any], *, new: bool) -> tuple[Problem, ...]:
    """What is wrong with totals from paper: their number and size, or a game that they already end.

    `new` ones must not contradict themselves either: stored ones are read as they were then.
    """
    fields, totals = Fields({}), _totals(opening)
    carry = read_opening(rules.game, rules.rules, totals, fields)
    if new and not fields.problems:
        return opening_contradictions(rules.game, rules.rules, totals, carry)
    return tuple(problem._replace(field=problem.field.removeprefix("opening.")) for problem in fields.problems)


def active_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that count: the last revision of each position, unless it took the position off the sheet."""
    last: dict[int, Entry] = {}
    for entry in sorted(entries, key=lambda entry: (entry.position, entry.revision)):
        last[entry.position] = entry
    return [entry for _, entry in sorted(last.items()) if entry.kind != REMOVED]


def next_position(entries: Iterable[Entry]) -> int:
    """The position of the next entry: after the last one that counts."""
    return max((entry.position for entry in active_entries(entries)), default=0) + 1


def kind_of(facts: Mapping[str, Any]) -> str:
    return str(facts.get("entry", "")).replace("-", "_")


def sheet_code(game: Game, scored: ScoredGame) -> str:
    """The fingerprint of the sheet: 80 bits over the rules, the teams, and every entry that counts."""
    event = game.round.event
    teams = [side.team.number for side in sorted(game.sides.all(), key=lambda side: side.index)]
    content = [event.sheet, pinned_options(game.round), game.round.number, game.table, game.leg, teams]
    opening = [] if scored.opening is None else [[0, scored.opening]]
    content.append(opening + [[line.position, line.facts] for line in scored.lines])
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return base64.b32encode(hashlib.sha256(canonical.encode()).digest()[:10]).decode()


def written_document(round_: Round, scored: ScoredGame, names: Sequence[str]) -> dict[str, Any]:
    """The document of a game that is scored already, with the names of its sides as the reader may see them."""
    document: dict[str, Any] = {"sheet": round_.event.sheet}
    rules = scored.rules
    idle = idle_options(rules.sheet.rules, rules.rules, options_in(round_))
    if options := {key: value for key, value in options_in(round_).items() if key not in idle}:
        document["options"] = options
    document["sides"] = list(names)
    if scored.opening is not None:
        document["opening"] = write_opening(scored.begin)
    places = {line.position: number for number, line in enumerate(scored.lines, start=1)}
    document["entries"] = [renumbered(line.facts, places) for line in scored.lines]
    return document


def renumbered(facts: dict[str, Any], places: Mapping[int, int]) -> dict[str, Any]:
    """A line that refers to another, with line numbers as used elsewhere: on a sheet, or in a document without gaps."""
    return {**facts, "line": places[facts["line"]]} if facts.get("line") in places else facts


def _totals(opening: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The row says “entry: opening” like every row; the document's opening has no such field."""
    return None if opening is None else {key: value for key, value in opening.items() if key != "entry"}


def _place(game: Game) -> str:
    return f"{game.round.event}, {game.round}, table {game.table}"


def _read(line: ScoredLine) -> Read:
    return line.position, line.facts, line.entry


def _scored_lines(
    rules: Ruleset,
    carry: Carry,
    read: Sequence[Read],
    check: Callable[[int, Carry, Any], None] = lambda index, carry, entry: None,
) -> tuple[ScoredLine, ...]:
    """Fold lines from the game's beginning; `check` is called for each before it is scored."""
    entries, positions = [entry for _, _, entry in read], [position for position, _, _ in read]
    laid = rules.game.laid(rules.rules, carry, entries, positions)
    lines = []
    for index, (line, entry) in enumerate(zip(read, laid, strict=True)):
        check(index, carry, entry)
        lines.append(_scored(rules, line, entry, carry))
        carry = lines[-1].after
    return tuple(lines)


def _scored(rules: Ruleset, read: Read, laid: Any, before: Carry) -> ScoredLine:
    lines, after, result = rules.game.scored(rules.rules, before, laid)
    return ScoredLine(*read, before, lines, after, result)


def set_aside(entries: Iterable[Entry]) -> list[Entry]:
    """The lines that are set aside, in their last form, in the order of the sheet."""
    versions: dict[int, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.position, entry.revision)):
        versions.setdefault(entry.position, []).append(entry)
    return [
        line[-2]
        for _, line in sorted(versions.items())
        if len(line) > 1 and line[-1].kind == REMOVED and line[-1].cause == SET_ASIDE
    ]


def sides_with_teams() -> Prefetch[str, QuerySet[Side], str]:
    """The sides of a game with their teams, to prefetch with games.

    A separate query for the teams would name every one of them, which SQLite refuses beyond a thousand (“Expression
    tree is too large”).
    """
    return Prefetch("sides", queryset=Side.objects.select_related("team"))
