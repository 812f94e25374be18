"""The entries of a sheet: which of them count, and where they leave the game."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.document import read_entry, read_opening, write_opening
from scoring.fields import Fields
from scoring.ledger import Carry
from scoring.problem import Problem
from tournament.models import Entry, Game
from tournament.models.entry import OPENING, REMOVED
from tournament.queries.rules import Ruleset, pinned_options, ruleset_at


def active_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that count: the last revision of each position, unless it took the position off the sheet."""
    last: dict[int, Entry] = {}
    for entry in sorted(entries, key=lambda entry: (entry.position, entry.revision)):
        last[entry.position] = entry
    return [entry for _, entry in sorted(last.items()) if entry.kind != REMOVED]


def next_position(entries: Sequence[Entry]) -> int:
    """Where the next entry stands: behind the last one that counts."""
    return max((entry.position for entry in active_entries(entries)), default=0) + 1


def opening_carry(rules: Ruleset, active: Sequence[Entry]) -> Carry:
    """Where the game starts: nought, or the totals carried on from paper."""
    facts = None
    if active and active[0].kind == OPENING:
        # The row says “entry: opening” like every row; the document's opening has no such field.
        facts = {key: value for key, value in active[0].facts.items() if key != "entry"}
    return read_opening(rules.game, rules.rules, facts, Fields({}))


def opening_faults(rules: Ruleset, opening: Mapping[str, Any]) -> tuple[Problem, ...]:
    """What is wrong with totals from paper: their number and size, or a game that is over by them."""
    fields = Fields({})
    read_opening(rules.game, rules.rules, opening, fields)
    return tuple(one._replace(field=one.field.removeprefix("opening.")) for one in fields.problems)


def carry_of(rules: Ruleset, entries: Iterable[Entry]) -> Carry:
    """Where the game stands after all entries that count."""
    active = active_entries(entries)
    carry = opening_carry(rules, active)
    for entry in active:
        if entry.kind != OPENING:
            facts, _ = read_entry(rules.game, entry.facts)
            _, carry = rules.game.score_entry(rules.rules, carry, facts)
    return carry


def first_fault(
    rules: Ruleset, carry: Carry, facts: Sequence[dict[str, Any]]
) -> tuple[int, tuple[Problem, ...]] | None:
    """The first of some entries that cannot be scored, with its problems; None where all can."""
    for index, one in enumerate(facts):
        entry, problems = read_entry(rules.game, one)
        problems = problems or rules.game.problems(rules.rules, carry, entry)
        if problems:
            return index, problems
        _, carry = rules.game.score_entry(rules.rules, carry, entry)
    return None


def with_dealer(rules: Ruleset, carry: Carry, first_dealer: int, facts: dict[str, Any]) -> dict[str, Any]:
    """A hand with the seat that dealt it, by which the rules know the order of speaking; anything else as it is.

    What the line itself says of its dealer stands; otherwise it is whoever was due at `carry`.
    """
    if facts.get("entry") != "hand" or facts.get("dealer") is not None:
        return facts
    due = rules.game.next_hand(rules.rules, carry)
    return {**facts, "dealer": (first_dealer + due.dealer) % rules.seating.seats}


def with_dealers(
    rules: Ruleset, carry: Carry, first_dealer: int, lines: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Lines that follow each other, every hand with its dealer, up to the first that cannot be scored."""
    dealt: list[dict[str, Any]] = []
    for facts in lines:
        facts = with_dealer(rules, carry, first_dealer, facts)
        dealt.append(facts)
        entry, problems = read_entry(rules.game, facts)
        if problems or rules.game.problems(rules.rules, carry, entry):
            break
        _, carry = rules.game.score_entry(rules.rules, carry, entry)
    return [*dealt, *lines[len(dealt) :]]


def sheet_code(game: Game, active: Sequence[Entry]) -> str:
    """The fingerprint of the sheet: 80 bits over the rules, the teams and every entry that counts."""
    event = game.round.event
    teams = [side.team.number for side in sorted(game.sides.all(), key=lambda side: side.index)]
    content = [event.sheet, pinned_options(event), game.round.number, game.table, game.leg, teams]
    content.append([[entry.position, entry.facts] for entry in active])
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return base64.b32encode(hashlib.sha256(canonical.encode()).digest()[:10]).decode()


def document_of(game: Game) -> dict[str, Any]:
    """The game document: the same facts in the form that is exported, archived and scored on the command line."""
    event = game.round.event
    rules = ruleset_at(game)
    active = active_entries(game.entries.all())
    document: dict[str, Any] = {"sheet": event.sheet}
    if event.options:
        document["options"] = event.options
    document["sides"] = [side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index)]
    if active and active[0].kind == OPENING:
        document["opening"] = write_opening(opening_carry(rules, active))
    document["entries"] = [entry.facts for entry in active if entry.kind != OPENING]
    return document
