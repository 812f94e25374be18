"""The house keeps its shape: layers, files that can be read, thin views, one place for every write."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.db.models import ForeignKey
from packaging.requirements import Requirement

from tests.sure import sure

ROOT = Path(__file__).resolve().parents[2]
FILE_LINES, VIEW_LINES = 600, 30
FORBIDDEN_NAMES = {"utils", "helpers", "common", "misc", "base", "manager"}
# The rows that only ever grow, and the cache that one service writes.
GUARDED = {"Entry", "Signature", "Journal", "Result"}


# What writes rows of any model. A set and a dictionary are updated with something, rows by keywords.
WRITES = {"save", "create", "bulk_create", "update_or_create", "get_or_create", "bulk_update", "delete"}


def python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from there(path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts)


def templates() -> list[Path]:
    return there((ROOT / "templates").rglob("*.html"))


def there(paths: Iterable[Path]) -> list[Path]:
    """The files of a folder: a law over a folder that is gone would hold for nothing."""
    files = sorted(paths)
    assert files, "A folder that this law is about is gone: name the one that took its place."
    return files


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_layers_hold() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"Import it from a room above, or move it down (pyproject.toml): {done.stdout[-3000:]}"


def test_files_are_small_enough_to_read() -> None:
    static = ROOT / "tournament/static/tournament"
    source = [*python_files("scoring", "tournament"), *there((*static.glob("js/*.js"), *static.glob("css/*.css")))]
    long = {str(path.relative_to(ROOT)): count for path in source if (count := lines(path)) > FILE_LINES}
    assert not long, f"Split these by what they are about, or make them simpler; {FILE_LINES} lines a file: {long}"


def test_python_lives_in_four_places() -> None:
    names = subprocess.check_output(["git", "ls-files", "*.py"], cwd=ROOT, text=True).split()
    places = {name.split("/")[0] for name in names}
    assert places == {"scoring", "tournament", "tests", "manage.py"}, "Move the module to one of the three packages."


def test_no_room_is_a_lumber_room() -> None:
    names = {path.stem for path in python_files("scoring", "tournament")}
    assert not names & FORBIDDEN_NAMES, f"Name these modules by what is in them: {names & FORBIDDEN_NAMES}"


def test_views_are_thin() -> None:
    thick = {}
    for path in python_files("tournament/views"):
        for function in functions(ast.parse(path.read_text(encoding="utf-8"))):
            body = [node for node in function.body if not isinstance(node, ast.Expr) or not is_text(node)]
            count = sure(body[-1].end_lineno) - body[0].lineno + 1 if body else 0
            if count > VIEW_LINES:
                thick[f"{path.stem}.{function.name}"] = count
    assert not thick, f"Move what is no answering of a request to queries, forms or services: {thick}"


def test_views_queries_and_whoever_reads_a_file_never_write() -> None:
    places = [
        *python_files("tournament/views", "tournament/queries"),
        *there(path for path in (ROOT / "tournament/archive").glob("*.py") if path.stem not in ("store", "inserting")),
    ]
    writing = [path.name for path in places if written_in(read(path))]
    assert not writing, f"Move the writing to a service (of an event file: to archive/store): {writing}"


@pytest.mark.parametrize(
    ("source", "writes"),
    [
        ("event.ledger.create(cents=1)", True),
        ("event.teams.update(paid=True)", True),
        ("Event.objects.filter(pk=1).update(stage='over')", True),
        ("Event.objects.filter(pk=1).delete()", True),
        ("game.save()", True),
        ("counts.update(bids)", False),
        ("digest.update(b'')", False),
        ("Event.objects.filter(pk=1).exists()", False),
    ],
)
def test_what_writes_rows_is_known_from_what_does_not(source: str, writes: bool) -> None:
    assert written_in(source) is writes


@pytest.mark.parametrize("model", sorted(GUARDED))
def test_guarded_rows_are_written_by_services_and_the_store_alone(model: str) -> None:
    pattern = re.compile(
        rf"\b{model}\.objects\.(create|bulk_create|update_or_create|get_or_create)\(|\b{model}\(\s*game="
    )
    places = [path for path in python_files("tournament") if pattern.search(read(path))]
    others = [str(path.relative_to(ROOT)) for path in places if path.parent.name != "services" and path.stem != "store"]
    assert not others, f"Call a service instead of writing {model} here: {others}"


def test_templates_have_no_inline_script_or_style() -> None:
    pattern = re.compile(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\bsrc=)(?![^>]*application/json)", re.IGNORECASE)
    inline = [str(path.relative_to(ROOT)) for path in templates() if pattern.search(read(path))]
    assert not inline, f"Move scripts and styles to files: the content policy refuses them in a page: {inline}"


def test_nothing_is_marked_safe_and_no_raw_sql_is_written() -> None:
    pattern = re.compile(r"mark_safe|\|safe\b|\.raw\(|RawSQL|\.extra\(")
    places = [*python_files("tournament"), *templates()]
    # What every tablet of a hall asks every few seconds, with a token as its parameter.
    polled = ROOT / "tournament" / "queries" / "devices.py"
    raw = [str(path.relative_to(ROOT)) for path in places if path != polled and pattern.search(read(path))]
    assert not raw, f"Let templates escape, and write queries with the ORM: {raw}"


def test_no_prefetch_ends_in_a_key_to_a_single_row() -> None:
    models = apps.get_app_config("tournament").get_models()
    keys = {field.name for model in models for field in model._meta.fields if isinstance(field, ForeignKey)}
    wrong = [
        f"{path.relative_to(ROOT)}: {node.value}"
        for path in python_files("tournament")
        for call in calls_of(read(path), {"prefetch_related", "prefetch_related_objects", "Prefetch"})
        for node in call.args
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.rpartition("__")[2] in keys
    ]
    assert not wrong, (
        "Django names every row of such a prefetch, which SQLite refuses beyond a thousand. Take a Prefetch whose "
        f"query has select_related, as sides_with_teams does: {wrong}"
    )


def test_installed_packages_are_the_pinned_ones() -> None:
    wrong = {}
    files = ("requirements.txt", "deploy/requirements.txt", "deploy/hosted.txt")
    for file in (*files, "tests/requirements.txt", "tests/postgresql.txt"):
        for line in (ROOT / file).read_text().splitlines():
            if line.startswith(("#", "-r")):
                continue
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate():
                installed = importlib.metadata.version(wanted.name)
                if installed not in wanted.specifier or "==" not in line:
                    wrong[wanted.name] = installed
    assert not wrong, f"Install what the requirements pin, each with “==”, and test with that: {wrong}"


@pytest.mark.parametrize("where", ["tournament/static/tournament/vendor", "tests/vendor"])
def test_vendored_files_are_the_ones_that_were_checked(where: str) -> None:
    folder = ROOT / where
    rows = re.findall(r"^\| (\S+) \|.*\| ([0-9a-f]{64}) \|$", (folder / "README.md").read_text(), re.MULTILINE)
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    del hashes["README.md"]
    assert hashes == dict(rows), f"Look through what changed, then write its hash to {where}/README.md"


# Where a script of others says its own version; one that says none has the first line that we wrote above it.
VERSION_SAID = re.compile(r'version:"([\d.]+)"|^/\*! \w+ v?([\d.]+)')


@pytest.mark.parametrize("where", ["tournament/static/tournament/vendor", "tests/vendor"])
def test_vendored_scripts_carry_the_version_that_is_written_down(where: str) -> None:
    about, licenses = read(ROOT / where / "README.md"), read(ROOT / "LICENSES.md")
    carried, licensed = {}, {}
    for script in there((ROOT / where).glob("*.js")):
        said = VERSION_SAID.search(read(script))
        carried[script.name] = said and (said[1] or said[2])
        row = re.search(rf"`{where}/{script.name}` \| ([\d.]+) \|", licenses)
        licensed[script.name] = row and row[1]
    written = dict(re.findall(r"^\| (\S+\.js) \|.*?\| ([\d.]+) \|", about, re.MULTILINE))
    assert carried == written == licensed, "Write a new version into the folder's README.md and into LICENSES.md."


def calls_of(source: str, names: set[str]) -> Iterator[ast.Call]:
    """The calls of these functions and methods in a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in names:
                yield node


def written_in(source: str) -> bool:
    """Whether a module calls what writes rows."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [(node, node.func.attr) for node in calls if isinstance(node.func, ast.Attribute)]
    return any(name in WRITES or (name == "update" and node.keywords and not node.args) for node, name in named)


def lines(path: Path) -> int:
    return len(read(path).splitlines())


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def is_text(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


# Templates can be read: no line is longer than a screen is wide.
TEMPLATES = (ROOT / "templates", ROOT / "tests/games/melds/templates")
WIDTH = 160


def test_no_line_of_a_template_is_longer_than_a_screen_is_wide() -> None:
    longer = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)}"
        for folder in TEMPLATES
        for path in sorted(folder.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > WIDTH
    ]
    assert not longer, f"Break these lines: {WIDTH} characters are what a screen shows: {longer}"


# What Safari knows by its own name alone is said to it as well.
STYLES = ROOT / "tournament/static/tournament/css"
PREFIXED = re.compile(r"^\s*(?P<own>-webkit-)?(?P<name>user-select|text-size-adjust):\s*(?P<value>[^;]+);", re.M)


def test_what_safari_knows_by_its_own_name_is_said_twice() -> None:
    said = {
        file.name: [
            (match["name"], match["value"], bool(match["own"])) for match in PREFIXED.finditer(file.read_text("utf-8"))
        ]
        for file in STYLES.glob("*.css")
    }
    assert any(said.values()), "No style needs this any more: take the test away."
    for file, lines in said.items():
        prefixed, plain = (sorted(line[:2] for line in lines if line[2] is own) for own in (True, False))
        assert prefixed == plain, f"{file}: write these lines with and without -webkit-: {prefixed}, {plain}"


def test_templates_that_everybody_sees_read_no_result_by_themselves() -> None:
    pages = there(path for name in ("public", "board") for path in (ROOT / "templates" / name).rglob("*.html"))
    reading = [str(path.relative_to(ROOT)) for path in pages if re.search(r"\.result\b", read(path))]
    assert not reading, f"Take it from a `Table` of queries/schedule.py, which knows what may be seen: {reading}"
