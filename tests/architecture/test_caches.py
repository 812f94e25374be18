"""The program remembers few things between two requests, and each of them is named here."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.test_rooms import ROOT, python_files

# Each is keyed by a version that the database counts, or by all of the values that decide it. So it is right in several
# processes, and nothing ever empties it but room.
CACHES = {
    "tournament/site/cache.py answers": "pages and files by the event's version, the picture to share by what it shows",
    "tournament/queries/game_results.py _scored_games": "what a final game is to standings and pictures, by version",
    "tournament/queries/outcomes.py _outcomes": "what every next hand comes to, by the rules and the score",
    "tournament/queries/rules.py ruleset": "the rule sets of the events, by the sheet and the options",
    "tournament/queries/events.py _shown": "standings, rounds, the end and each team's page, by the public version",
    "tournament/queries/season.py _seasons": "the table of a season, by its version",
    "tournament/queries/season_parts.py _brought": "what each event brings to its season, by its public version",
    "tournament/queries/devices.py _heard": "when each tablet was heard of; the row has it, a minute older at most",
    "tournament/queries/tablet.py _places": "the version of what a tablet shows, by the event's version",
    "tournament/reports/pdf/lettering.py fitted": "how a name fits its box on paper, by its letters and the box",
    "tournament/reports/pdf/lettering.py line_of": "the fonts of a text on paper, word by word, and its width",
}
# Nothing decides them: they are worked out when they are first asked for, and stay as long as the process.
CONSTANTS = {
    "tournament/forms/event.py time_zones",
    "tournament/queries/home.py example",
    "tournament/reports/pdf/lettering.py register_fonts",
    "tournament/views/tablet.py shell",
    "tournament/site/static_files.py made_files",
}
# Django's own cache, in which tries are counted and sessions may lie.
DJANGOS = {"tournament/site/limits.py django.core.cache", "tournament/services/accounts.py django.core.cache"}
# What the threads that copy saw last of each disk, which may not answer: the desk says it, and nothing follows from it.
SEEN = {"tournament/queries/backups.py STATES"}
# Threads that play, by what they play.
PLAYERS = {"tournament/demo/evenings.py _visitors"}
# Ends with its object: `cached_property` with what one request made, `cached_on_rules` with its rule set.
DECORATORS = {"cache", "lru_cache"}
CONTAINERS = {"VersionedCache", "dict", "list", "set", "defaultdict", "OrderedDict", "WeakKeyDictionary", "local"}
FILLING = {"add", "append", "insert", "setdefault", "update"}
WHAT_TO_DO = (
    "Work it out each time, or once in a request and hand it on; what follows from the rules alone is an attribute of "
    "theirs (`cached_on_rules`). If it must be remembered, measure with tests/benchmarks and say so in CACHES."
)


def memories() -> Iterator[str]:
    """“path name” of each function that remembers, each container that is filled later, each use of Django's cache."""
    for path in python_files("tournament", "scoring"):
        where, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        own = {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        for line in tree.body:
            if isinstance(line, ast.Assign | ast.AnnAssign) and line.value and is_empty_container(line.value):
                yield f"{where} {ast.unparse(line.targets[0] if isinstance(line, ast.Assign) else line.target)}"
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "django.core.cache":
                yield f"{where} django.core.cache"
            if isinstance(node, ast.FunctionDef):
                if DECORATORS & {name_of(decorator) for decorator in node.decorator_list}:
                    yield f"{where} {node.name}"
                yield from (f"{where} {name}" for name in filled_in(node) & own)


def name_of(node: ast.expr) -> str:
    """The last name of `functools.lru_cache(maxsize=8)`."""
    return ast.unparse(node).partition("(")[0].partition("[")[0].rpartition(".")[2]


def is_empty_container(value: ast.expr) -> bool:
    """Whether this is made to be filled later."""
    if isinstance(value, ast.Dict | ast.List):
        return not ast.unparse(value).strip("[]{}")
    if not isinstance(value, ast.Call) or name_of(value) not in CONTAINERS:
        return False
    return name_of(value) == "VersionedCache" or not value.args or name_of(value) == "defaultdict"


def filled_in(function: ast.FunctionDef) -> set[str]:
    """The names that a function writes into and does not bind itself."""
    filled, bound = set[str](), {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            filled.add(node.value.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FILLING:
            filled.add(ast.unparse(node.func.value))
        if isinstance(node, ast.Global):
            filled.update(node.names)
            bound.difference_update(node.names)
    return filled - bound


def test_few_things_are_remembered() -> None:
    there = set(memories())
    assert there - CONSTANTS - DJANGOS - PLAYERS - SEEN == CACHES.keys(), WHAT_TO_DO
    assert there >= CONSTANTS | DJANGOS | PLAYERS, f"Take out: {sorted((CONSTANTS | DJANGOS | PLAYERS) - there)}"
