"""The house stays small: statements and modules of each room, and the whole, are held at a figure that only falls.

A statement is an `ast.stmt` node that is not a docstring. `scoring` and `tournament` are counted without migrations. To
print today's figures: `python -m tests.architecture.test_size`.
"""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Files that stand in no folder of their own are counted with their package.
ROOMS: dict[str, tuple[int, int]] = {
    # room: (statements, modules)
    "scoring": (1367, 10),
    "scoring/back_alley": (705, 5),
    "scoring/bid_whist": (744, 6),
    "scoring/okinawa": (224, 5),
    "scoring/spades": (482, 5),
    "scoring/standings": (565, 5),
    "tournament": (1591, 25),
    "tournament/archive": (1391, 8),
    "tournament/demo": (952, 6),
    "tournament/forms": (3043, 15),
    "tournament/lists": (532, 8),
    "tournament/management": (438, 17),
    "tournament/models": (733, 7),
    "tournament/pairing": (870, 6),
    "tournament/queries": (6322, 40),
    "tournament/reports": (2640, 17),
    "tournament/services": (4207, 22),
    "tournament/serving": (454, 5),
    "tournament/templatetags": (158, 4),
    "tournament/views": (2533, 18),
    "tournament/words": (148, 3),
}
NODES = 436_124
FRONT_END_LINES = 15_312
TEST_LINES = 54_341
# What may fall below a figure before the figure itself has to be lowered.
SLACK = {
    "statements": 20,
    "modules": 0,
    "AST nodes": 400,
    "lines of templates, styles and scripts": 60,
    "lines of tests": 200,
}
RAISE = (
    "A feature brings its own raise: look first for what can be deleted, then raise the figure in the same commit and "
    "name it there and in the note of the issue."
)
LOWER = "Well done. Lower the figure in the same commit, so that what was gained is not lost again."


def source_files() -> list[Path]:
    return [path for path in listed("scoring/*.py", "tournament/*.py") if "migrations" not in path.parts]


def front_end_files() -> list[Path]:
    patterns = ("templates/*.html", "tournament/static/*.css", "tournament/static/*.js", "templates/*.js")
    return [path for path in listed(*patterns) if "vendor" not in path.parts]


@cache
def measured() -> dict[tuple[str, str], int]:
    """Every figure of today, by where it is and what it counts."""
    figures: Counter[tuple[str, str]] = Counter()
    for path in source_files():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        figures[room_of(path), "statements"] += sum(
            isinstance(node, ast.stmt) and not is_docstring(node) for node in nodes
        )
        figures[room_of(path), "modules"] += 1
        figures["whole", "AST nodes"] += len(nodes)
    figures["whole", "lines of templates, styles and scripts"] = sum(map(lines_of, front_end_files()))
    figures["whole", "lines of tests"] = sum(map(lines_of, listed("tests/*.py")))
    return dict(figures)


def figures_held() -> dict[tuple[str, str], int]:
    """Every figure that may not be passed, by the same keys."""
    rooms = {
        (room, unit): figure
        for room, pair in ROOMS.items()
        for unit, figure in zip(("statements", "modules"), pair, strict=True)
    }
    return rooms | {
        ("whole", "AST nodes"): NODES,
        ("whole", "lines of templates, styles and scripts"): FRONT_END_LINES,
        ("whole", "lines of tests"): TEST_LINES,
    }


def test_rooms_are_those_of_the_table() -> None:
    rooms = {room for room, unit in measured() if unit == "modules"}
    assert rooms == set(ROOMS), "Give a new room its line in ROOMS, and take the line of a room that is gone away."


@pytest.mark.parametrize(("where", "unit"), sorted(figures_held()))
def test_size(where: str, unit: str) -> None:
    before, now = figures_held()[where, unit], measured()[where, unit]
    assert now <= before, f"{where}: {before} {unit} before, {now} now. {RAISE}"
    assert now >= before - SLACK[unit], f"{where}: {before} {unit} before, {now} now. {LOWER}"


def test_python_lives_in_four_places() -> None:
    places = {path.relative_to(ROOT).parts[0] for path in listed("*.py")}
    assert places == {"scoring", "tournament", "tests", "manage.py"}, "Move the module to one of the three packages."


def room_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def lines_of(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def listed(*patterns: str) -> list[Path]:
    names = subprocess.check_output(["git", "ls-files", *patterns], cwd=ROOT, text=True).split()
    return [path for path in (ROOT / name for name in names) if path.exists()]


def main() -> None:
    rooms = sorted({room for room, unit in measured() if unit == "modules"})
    for room in rooms:
        print(f'    "{room}": ({measured()[room, "statements"]}, {measured()[room, "modules"]}),')
    total = [sum(measured()[room, unit] for room in rooms) for unit in ("statements", "modules")]
    print("{} statements in {} modules".format(*total))
    for unit in ("AST nodes", "lines of templates, styles and scripts", "lines of tests"):
        print(f"{measured()['whole', unit]} {unit}")


if __name__ == "__main__":
    main()
