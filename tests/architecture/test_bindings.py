"""The private language goes: how often each room still binds an old word is held at a figure that only falls.

A binding is a name that something is given: a variable, a parameter, a target of a loop, an attribute, a function, a
class, what follows `as`. Columns of the database are not counted. To print today's figures, and every place of a word:
`python -m tests.architecture.test_bindings`, `python -m tests.architecture.test_bindings WORD`.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from tests.architecture.test_size import ROOT, listed, room_of, source_files

# Each old word, with what is written instead: what the thing is.
INSTEAD = {
    **dict.fromkeys(("said", "told"), "params, label, message, event"),
    **dict.fromkeys(("found", "one"), "row, game, team, field, match"),
    **dict.fromkeys(("known", "kept"), "existing, cached, names"),
    **dict.fromkeys(("held", "Held"), "locked, LockedSheet"),
    **dict.fromkeys(("begun", "unbegun"), "started, is_empty"),
    **dict.fromkeys(("sign", "signs"), "character, signature, outcome"),
    **dict.fromkeys(("money", "cash", "paid"), "ledger, payouts, cents, has_paid"),
    "at": "index, moment, address",
    "made": "created, result (it stays where a bid was made)",
    "place": "rank, venue, seat, index, cell",
    "moot": "irrelevant_options",
    "misfits": "conflicts",
    "also": "extra",
    "Kept": "VersionedCache",
    "parked": "pending",
    "looks": "must_confirm",
    "beside": "extra",
    "coming": "upcoming",
    "onward": "next_game",
    "ahead": "prefetched",
    "leap": "offset",
    "stretch": "span",
    "gist": "summary",
    "Books": "Results",
    "books_of": "results_of",
    "event_book": "event_report",
    "boards": "score_workbooks, pages",
    "Refusal": "DomainError",
    "Invalid": "ValidationFailed",
    "Changed": "Conflict",
    "Busy": "Unavailable",
}
# Where a word has its own meaning: a bid that was made, the bid of all the tricks.
RIGHTFUL = {
    "made": ("scoring/", "tests/scoring/", "tournament/demo/player.py"),
    "boards": ("scoring/back_alley/", "tests/scoring/back_alley/"),
}
# Bindings that are left, by room. A room that is not named has none.
LEFT: dict[str, int] = {
    "tests": 12,
    "tests/architecture": 4,
    "tests/benchmarks": 29,
    "tests/browser": 20,
    "tests/hosted": 11,
    "tests/journeys": 1,
    "tests/nightly": 44,
    "tests/pictures": 5,
    "tests/scoring": 70,
    "tests/tournament": 264,
    "tournament": 1,
    "tournament/archive": 41,
    "tournament/demo": 41,
    "tournament/forms": 9,
    "tournament/lists": 5,
    "tournament/management": 12,
    "tournament/models": 4,
    "tournament/pairing": 1,
    "tournament/queries": 63,
    "tournament/reports": 10,
    "tournament/services": 182,
    "tournament/templatetags": 2,
    "tournament/views": 10,
    "tournament/words": 9,
}
# What may fall below a figure before the figure itself has to be lowered.
SLACK = 10


class Binding(NamedTuple):
    """A name that is given to something, and where."""

    path: str
    line: int
    word: str


@cache
def old_bindings() -> dict[str, list[Binding]]:
    """Every binding of an old word, by room."""
    rooms: dict[str, list[Binding]] = {}
    for path in [*source_files(), *listed("tests/*.py")]:
        name = path.relative_to(ROOT).as_posix()
        for word, line in names_bound(ast.parse(path.read_text(encoding="utf-8"))):
            if word in INSTEAD and not name.startswith(RIGHTFUL.get(word, ())):
                rooms.setdefault(room_of(path), []).append(Binding(name, line, word))
    return rooms


def names_bound(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every name that a module binds, with its line, except the columns of models."""
    columns = {id(target) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for target in _columns(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in columns:
                yield name, node.lineno
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name, node.lineno
            case _:
                pass


def _columns(model: ast.ClassDef) -> Iterator[ast.expr]:
    for node in model.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("models."):
            yield from node.targets


@pytest.mark.parametrize("room", sorted({*LEFT, *old_bindings()}))
def test_old_words_do_not_come_back(room: str) -> None:
    before, bindings = LEFT.get(room, 0), old_bindings().get(room, [])
    places = "\n".join(f"{path}:{line}: “{word}”: write {INSTEAD[word]}" for path, line, word in sorted(bindings))
    assert len(bindings) <= before, f"{room}: {before} old words before, {len(bindings)} now.\n{places}"
    assert len(bindings) >= before - SLACK, f"{room}: {before} before, {len(bindings)} now. Lower the figure in LEFT."


def test_what_binds_a_name() -> None:
    module = """
import json as a
class b(Model):
    column = models.TextField()
    c = 1
def d(e, *f, g=keyword(h=1)):
    self.i = [j for j in read]
    for k, l in m.items():
        n[0] += 1
    with open("x") as o:
        del p
try: pass
except ValueError as q: pass
"""
    assert sorted(name for name, _ in names_bound(ast.parse(module))) == list("abcdefgijkloq")


def main(words: list[str]) -> None:
    for room, bindings in sorted(old_bindings().items()):
        for path, line, word in sorted(bindings):
            if word in words:
                print(f"{path}:{line}: {word}")
        if not words:
            print(f'    "{room}": {len(bindings)},')
    if not words:
        total = Counter(binding.word for bindings in old_bindings().values() for binding in bindings)
        print(f"{total.total()} in all: {', '.join(f'{word} {count}' for word, count in total.most_common())}")


if __name__ == "__main__":
    main(sys.argv[1:])
