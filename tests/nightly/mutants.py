"""Mutants of score, checks, verdicts and standings: at least 95% of those drawn must fail a test of `tests/scoring`.

    python -m tests.nightly.mutants [--draw 500] [--after 0] [--seed 1] [--only scoring/standings/ranking.py] [--jobs 2]

Cosmic Ray knows where a line can be changed and how. What does the same by what it is is left out of the
draw, and counted. No file is written: each mutant is put in the place of its module in a process of its own, which runs
the tests that can see it, quick ones first, and ends with the first failure. Prints the survivors with their lines.
`--draw 500 --after 250` runs the second half of the draw, `--draw 250` the first.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import ndiff
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import hypothesis
import pytest
from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db

from tests.halls import ROOT, options

# A number that means one of two sides, 0 or 1, has one of these names.
SIDE = {"side", "bidder", "loser", "winner"}


class NoAnnotations(ast.NodeTransformer):
    """Types, which mypy looks at, and nothing computes with."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)


class AnyParameters(ast.NodeTransformer):
    """How parameters may be given: the `*` between them is no multiplication. mypy looks at every call."""

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        before = [*node.posonlyargs, *node.args]
        missing = ast.Constant("no default")
        defaults = [missing] * (len(before) - len(node.defaults)) + node.defaults
        defaults += [default or missing for default in node.kw_defaults]
        node.posonlyargs, node.args, node.kwonlyargs = [], [*before, *node.kwonlyargs], []
        node.defaults, node.kw_defaults = defaults, []
        return self.generic_visit(node)


class OtherSide(ast.NodeTransformer):
    """`1 ^ side` and `1 >> side` for `1 - side`: of 0 it is 1, of 1 it is 0."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        match node:
            case ast.BinOp(
                left=ast.Constant(value=1),
                op=ast.BitXor() | ast.RShift(),
                right=ast.Name(id=name) | ast.Attribute(attr=name),
            ) if name in SIDE:
                node.op = ast.Sub()
        return self.generic_visit(node)


RULES: dict[str, type[ast.NodeTransformer]] = {
    "of a type": NoAnnotations,
    "of how parameters are given": AnyParameters,
    "another way to the other side": OtherSide,
}
NO_PYTHON = "no Python"


def alike(source: str, code: str) -> str:
    """Which rule says that a changed module does the same as its source, or nothing."""
    try:
        ast.parse(code)
    except SyntaxError:
        return NO_PYTHON
    return next((name for name, rule in RULES.items() if _by(rule(), source) == _by(rule(), code)), "")


def _by(rule: Any, code: str) -> str:
    return ast.dump(rule.visit(ast.parse(code)))


PLACES = ("*/score.py", "*/checks.py", "*/verdict.py", "standings/*.py", "decisions.py", "tricks.py")
GOAL = 95.0
TWICE = "the same as another one"
# A mutant that runs in circles is stopped after so many seconds of computing, and counts as killed: all tests that can
# see one take 20.
LONGEST = 60
ALONE = ("-x", "-q", "-W", "ignore", "--noconftest", "-p", "no:cacheprovider", "-p", "no:django", "-p", "no:xdist")
# Random games come last: they find much, and take long.
LAST = ("test_properties.py", "test_differential.py")


class Mutant(NamedTuple):
    """A module with one change."""

    path: Path
    line: int
    operator: str
    code: str


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the mutant where its module is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = ".".join(mutant.path.relative_to(ROOT).with_suffix("").parts)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.mutant.code, str(self.mutant.path), "exec"), module.__dict__)


class Draw(NamedTuple):
    """The mutants, in the order of the lot; of the changes looked at, how many were left out, by rule; of how many."""

    mutants: list[Mutant]
    left_out: Counter[str]
    all_of: int


def drawn(paths: Sequence[Path], count: int, seed: int) -> Draw:
    """Draw this many changes that may change behavior."""
    sources = {str(path): path.read_text(encoding="utf-8") for path in paths}
    draw, seen = Draw([], Counter(), 0), set[str]()
    with use_db(":memory:", WorkDB.Mode.create) as found:
        init(paths, found, {})
        changes = [change for item in found.work_items for change in item.mutations]
    changes.sort(key=lambda change: (str(change.module_path), change.operator_name, change.occurrence))
    random.Random(seed).shuffle(changes)
    for change in changes:
        if len(draw.mutants) == count:
            break
        source = sources[str(change.module_path)]
        operator = get_operator(change.operator_name)(**change.operator_args)
        code = mutate_code(source, operator, change.occurrence) or source
        if why := alike(source, code) or (TWICE if code in seen else ""):
            draw.left_out[why] += 1
            continue
        seen.add(code)
        name = change.operator_name.rpartition("/")[2]
        draw.mutants.append(Mutant(Path(change.module_path), change.start_pos[0], name, code))
    return draw._replace(all_of=len(changes))


def survives(mutant: Mutant) -> bool:
    """Run the tests against a mutant, in this process, which must end afterwards."""
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 10))
    sys.meta_path.insert(0, Changed(mutant))
    tests, own = ROOT / "tests" / "scoring", mutant.path.parent.name
    # A game never imports another one: only what is shared is tested by all.
    files = [one for one in tests.rglob("test_*.py") if own in (one.parent.name, "scoring") or one.parent == tests]
    files.sort(key=lambda one: (one.name in LAST, one.parent.name != own, one))
    return pytest.main([*ALONE, *map(str, files)]) == 0


def _start(mutant: Mutant) -> int:
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            os._exit(0 if survives(mutant) else 1)
    return child


def _survivors(made: Sequence[Mutant], jobs: int, circling: list[Mutant]) -> Iterator[Mutant]:
    waiting, running = list(reversed(made)), dict[int, Mutant]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            running[_start(mutant)] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        if os.WIFSIGNALED(status):
            if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
                circling.append(mutant)
            else:
                print(f"{_place(mutant)}: ended by signal {os.WTERMSIG(status)}", flush=True)
        print(f"{len(made) - len(waiting) - len(running)} of {len(made)}", file=sys.stderr, flush=True)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            yield mutant


def _place(mutant: Mutant) -> str:
    return f"{mutant.path.relative_to(ROOT)}:{mutant.line}"


def _change(mutant: Mutant) -> str:
    lines = ndiff(mutant.path.read_text(encoding="utf-8").splitlines(), mutant.code.splitlines())
    return "\n".join(f"    {line}" for line in lines if line[0] in "+-")


def main() -> int:
    chosen = options(__doc__, draw=500, after=0, seed=1, only="", jobs=os.cpu_count() or 1)
    places = [chosen.only] if chosen.only else [f"scoring/{place}" for place in PLACES]
    paths = sorted({path for place in places for path in ROOT.glob(place) if path.name != "__init__.py"})
    draw = drawn(paths, chosen.draw, chosen.seed)
    made = draw.mutants[chosen.after :]
    # Nothing of the rules is among what every child has.
    assert not any(name.startswith("scoring") for name in sys.modules)
    # That something fails is all that is asked, not what of it is smallest.
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile("mutants", deadline=None, database=None, derandomize=True, phases=phases)
    hypothesis.settings.load_profile("mutants")
    left, circling = 0, list[Mutant]()
    for mutant in _survivors(made, chosen.jobs, circling):
        left += 1
        print(f"{_place(mutant)} {mutant.operator}\n{_change(mutant)}", flush=True)
    print(figure(draw, chosen.seed, made, left, len(circling)))
    return 0 if killed_of(made, left) >= GOAL else 1


def killed_of(made: Sequence[Mutant], left: int) -> float:
    return 100 * (len(made) - left) / len(made)


def figure(draw: Draw, seed: int, made: Sequence[Mutant], left: int, circling: int) -> str:
    """What was seen, and what was left out of the draw and why."""
    first = len(draw.mutants) - len(made)
    which = f"{len(made)}" + (f" (after the first {first})" if first else "")
    why = "; ".join(f"{count} {name}" for name, count in sorted(draw.left_out.items()))
    return (
        f"{which} of {draw.all_of:,} changes drawn (seed {seed}): {killed_of(made, left):.1f}% killed"
        f" ({circling} of them ran in circles), {left} survived; left out of the draw: {why or 'none'}"
    )


if __name__ == "__main__":
    sys.exit(main())
