"""Every cache and memo of the source stands in the table of caches, and nothing else does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.test_rooms import ROOT, python_files

TABLE = ROOT / "tests" / "benchmarks" / "README.md"
DECORATORS = {"cache", "lru_cache"}


def memos() -> Iterator[str]:
    """“path name” of each function that remembers, each `Kept`, each dictionary filled later, each use of a cache."""
    for path in python_files("tournament", "scoring"):
        where, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                named = {ast.unparse(one).partition("(")[0].rpartition(".")[2] for one in node.decorator_list}
                if named & DECORATORS:
                    yield f"{where} {node.name}"
            if isinstance(node, ast.ImportFrom) and node.module == "django.core.cache":
                yield f"{where} django.core.cache"
        for node in tree.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and is_memo(ast.unparse(node.value)):
                yield f"{where} {ast.unparse(target) if target else ''}"


def is_memo(value: str) -> bool:
    """Whether a module keeps something in this that it has not got yet."""
    return bool(re.match(r"(Kept(\[.*\])?\(|(dict|defaultdict|OrderedDict|WeakKeyDictionary)(\[.*\])?\(|\{\}$)", value))


def test_the_table_of_caches_names_every_one() -> None:
    rows = re.findall(r"^\| `([^`]+)` `([^`]+)`", TABLE.read_text(encoding="utf-8"), re.M)
    named, there = {f"{path} {name}" for path, name in rows}, set(memos())
    assert named == there, f"Add a row with its measured gain, or delete one, in {TABLE.name}: {sorted(named ^ there)}"
