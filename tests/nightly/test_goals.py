"""The table of goals is whole, and what it calls is there."""

from __future__ import annotations

import ast
import json
import random
import re
import subprocess
import sys
from base64 import b64encode
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.factories import make_user
from tests.halls import ROOT
from tests.nightly.__main__ import (
    BOTH,
    GOALS,
    MET,
    NOT_CHECKED,
    NOT_MEASURED,
    NOT_MET,
    ONLY_POSTGRES,
    OPEN,
    PARTLY,
    QUICK,
    verdict_of,
)
from tests.nightly.acts import ACTS, ELSEWHERE
from tests.nightly.audit import main
from tests.nightly.busy import EXPORTS, HAND, LOOK, report, slowest
from tests.nightly.faults import SERVICES, public, sweep
from tests.nightly.mutants import NO_PYTHON, TWICE, Mutant, alike, drawn, figure
from tests.nightly.powercut import NAME, Disk, Step, done, sectors
from tests.nightly.secrets import found
from tests.programs import Start, own_port, served
from tournament.access import Actor
from tournament.models import Event
from tournament.services.events import show_on_board


def test_every_goal_has_commands_and_is_looked_at_quickly() -> None:
    assert [goal.key for goal in GOALS] == [f"G{number}" for number in range(1, 28)]
    bare = [goal.key for goal in GOALS if not goal.commands]
    assert not bare, f"README.md: give these a command: {bare}"
    lines = {goal.key: " ".join(goal.commands) for goal in GOALS}
    lost = [whole for key, smaller in QUICK.items() for whole in smaller if whole not in lines[key]]
    assert not lost, f"QUICK has other words than the commands of README.md: {lost}"
    assert OPEN.keys() <= lines.keys()
    unknown = [word for word in (*BOTH, ONLY_POSTGRES) if word not in " ".join(lines.values())]
    assert not unknown, f"No command of README.md has these: {unknown}"


def test_what_the_commands_name_is_there() -> None:
    lines = [line for goal in GOALS for line in goal.commands]
    files = [word for line in lines for word in line.split() if word.startswith("tests/")]
    files += [name.replace(".", "/") + ".py" for line in lines for name in re.findall(r"-m (tests[\w.]+)", line)]
    gone = [file for file in files if not (ROOT / file).is_file()]
    assert not gone, f"README.md: name these by their new paths, or leave them out: {gone}"


def test_exit_codes_become_a_verdict() -> None:
    assert verdict_of([0, 0], "", quick=False) == MET
    assert verdict_of([0, 0], "", quick=True) == "held"
    assert verdict_of([0], "an hour of it", quick=False) == PARTLY
    assert verdict_of([0, NOT_CHECKED], "", quick=False) == PARTLY
    assert verdict_of([NOT_CHECKED], "", quick=False) == NOT_MEASURED
    assert verdict_of([], "no machine for it", quick=False) == NOT_MEASURED
    assert verdict_of([0, 1], "", quick=True) == NOT_MET


# The audit of packages: nothing known, something known, and nothing to look into, each with its own exit code.
WEAK = {
    "id": "GHSA-1",
    "affected": [
        {
            "package": {"name": "django", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "5.2.99"}]}],
        }
    ],
}


AWAY = "club @ https://club.example/club.zip\n"


def advisories(environ: dict[str, Any], start: Start) -> list[bytes]:
    """Answers like osv.dev: of Django 5.2.0 something is known, of all others nothing; at /broken it fails."""
    asked = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    is_weak = asked == {"package": {"name": "django", "ecosystem": "PyPI"}, "version": "5.2.0"}
    start("500 Broken" if environ["PATH_INFO"] == "/broken" else "200 OK", [])
    return [json.dumps({"vulns": [WEAK]} if is_weak else {}).encode()]


@pytest.mark.parametrize(
    ("packages", "path", "code", "texts"),
    [
        ("django==5.2.19\nrich==15.0.0\n", "/", 0, ["no known weakness"]),
        ("django==5.2.0\nrich==15.0.0\n", "/", 1, ["django 5.2.0: GHSA-1, mended in 5.2.99", "1 known weakness"]),
        ("django==5.2.0\n", "/broken", 3, ["not checked: there are no advisories to look into"]),
        ("django==5.2.0\n", "", 3, ["not checked: there are no advisories to look into"]),
        (f"{AWAY}rich==15.0.0\n", "/", 0, ["skipped: club", "no known weakness"]),
        (AWAY, "/", 3, ["skipped: club", "not checked: every package was skipped"]),
    ],
)
def test_the_audit_tells_its_outcomes_apart(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], packages: str, path: str, code: int, texts: list[str]
) -> None:
    """Without a path nothing answers at all."""
    wanted = tmp_path / "requirements.txt"
    wanted.write_text(packages)
    with served(advisories) as server:
        port = server.server_port if path else own_port()
        asked = ["--osv-url", f"http://127.0.0.1:{port}{path}", "--cache-dir", str(tmp_path)]
        ended = main([*asked, "--no-deps", "--disable-pip", "-r", str(wanted)])
    assert (ended, capfd.readouterr().out.splitlines()) == (code, texts)


# What is left out of the draw of mutants is what nobody can tell apart, and nothing more; the figure says so.
PARAMETERS, SIDE, TYPE = "of how parameters are given", "another way to the other side", "of a type"


@pytest.mark.parametrize(
    ("source", "code", "why"),
    [
        ("def f(a: int | None) -> int: ...", "def f(a: int + None) -> int: ...", TYPE),
        ("a: int | None = 1", "a: int ^ None = 1", TYPE),
        ("def f(a, b=1, *, c, d=2): ...", "def f(a, b=1, /, c, d=2): ...", NO_PYTHON),
        ("def f(a, *, c, d=2): ...", "def f(a, /, c, d=2): ...", PARAMETERS),
        ("def f(a, *, c, d=2): ...", "def f(a, /, c, d=3): ...", ""),
        ("def f(a, *, c=None): ...", "def f(a, /, c): ...", ""),
        ("def f(a: int): return a == 2", "def f(a: int): return a is 2", ""),
        ("1 - side", "1 ^ side", SIDE),
        ("1 - hand.bidder", "1 >> hand.bidder", SIDE),
        ("1 - side", "1 | side", ""),
        ("1 - side", "2 ^ side", ""),
        ("1 - cards", "1 ^ cards", ""),
    ],
)
def test_a_change_is_left_out_where_it_is_none(source: str, code: str, why: str) -> None:
    assert alike(source, code) == why


def test_the_figure_says_how_many_were_left_out_and_why(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text("def f(side: int | None, *, cards: int) -> int:\n    return 1 - side if cards == 2 else 0\n")
    draw = drawn([path], 1000, 1)
    assert sum(draw.left_out.values()) + len(draw.mutants) == draw.all_of
    assert {PARAMETERS: 1, SIDE: 2}.items() <= draw.left_out.items()
    assert draw.left_out[TYPE] > 5
    assert not [mutant for mutant in draw.mutants if "1 ^ side" in mutant.code or "/, cards" in mutant.code]
    words = figure(draw, 1, draw.mutants[2:], 1, 0)
    assert words.startswith(f"{len(draw.mutants) - 2} (after the first 2) of {draw.all_of} changes drawn (seed 1): ")
    assert "2 another way to the other side; " in words


def test_a_draw_goes_on_where_a_shorter_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "game.py"
    path.write_text("def f(cards: int) -> int:\n    return 2 * cards + 1 - cards\n")
    whole = drawn([path], 20, 1).mutants
    assert (drawn([path], 8, 1).mutants, len(whole)) == (whole[:8], 20)
    assert len({mutant.code for mutant in whole}) == 20
    assert TWICE and isinstance(whole[0], Mutant)


# What a power cut may leave, by the model of `powercut.py`; a thousand of them: `python -m tests.nightly.powercut`.
WRITE = Step("w", 500, NAME, b"n" * 600)


def test_a_write_reaches_the_disk_sector_by_sector() -> None:
    assert [(part.place, len(part.data)) for part in sectors(WRITE)] == [(500, 12), (512, 512), (1024, 76)]
    assert done(b"o" * 2000, WRITE) == b"o" * 500 + b"n" * 600 + b"o" * 900
    assert done(b"", WRITE) == b"\0" * 500 + b"n" * 600
    assert done(b"abc", Step("t", 1, NAME, b"")) == b"a"


def test_what_was_synced_is_there_and_nothing_else_is_certain(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"o" * 2000)
    disk, chance, seen = Disk(tmp_path), random.Random(1), set[bytes]()
    disk.take(WRITE)
    for _ in range(200):
        disk.cut(chance, tmp_path)
        seen.add((tmp_path / NAME).read_bytes())
    assert len(seen) > 20
    assert {b"o" * 2000, done(b"o" * 2000, WRITE)} < seen
    disk.take(Step("s", 0, NAME, b""))
    disk.cut(chance, tmp_path)
    assert (tmp_path / NAME).read_bytes() == done(b"o" * 2000, WRITE)


# A few acts with a fault at every statement; all of them: `python -m tests.nightly.faults`.
ACTS_FILE = Path(__file__).with_name("acts.py")


@pytest.fixture
def dana(own_file: None) -> User:
    if connection.vendor != "sqlite":
        pytest.skip("an evening is put back as a file")
    return make_user("dana")


def called(tree: ast.AST) -> set[str]:
    """The names of the functions that are called, or handed on, as far as the text says it."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def test_every_service_has_its_act_or_a_reason() -> None:
    """By names alone; the nightly run looks at what is really reached."""
    functions: dict[str, set[str]] = {}
    ready = called(ast.parse(ACTS_FILE.read_text(encoding="utf-8")))
    for file in Path(SERVICES).glob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                functions.setdefault(node.name, set()).update(called(node))
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                ready |= called(node)
    reached: set[str] = set()
    while new := (ready & functions.keys()) - reached:
        reached |= new
        ready = set().union(*(functions[name] for name in new))
    named = {service.rpartition(".")[2] for service in ELSEWHERE}
    assert {service for service in public() if service.rpartition(".")[2] not in reached | named} == set()
    assert ELSEWHERE.keys() - public() == set()


@pytest.mark.parametrize("name", ACTS)
def test_every_act_is_possible_on_its_evening(name: str, db: None) -> None:
    dana = make_user("dana")
    event = ACTS[name].world(dana)
    ACTS[name].do(Actor(dana), Event.objects.get(pk=event.pk))


@pytest.mark.parametrize("name", ["close_round", "send_gap"])
def test_a_fault_at_any_statement_leaves_nothing_half_done(name: str, dana: User) -> None:
    act = ACTS[name]
    event = act.world(dana)
    count, wrong = sweep(lambda: act.do(Actor(dana), Event.objects.get(pk=event.pk)))
    assert (count >= 10, wrong) == (True, [])


def test_an_act_in_two_transactions_is_noticed(dana: User) -> None:
    event = ACTS["show_on_board"].world(dana)

    def two() -> None:
        show_on_board(Actor(dana), event, "standings")
        show_on_board(Actor(dana), event, "seating")

    wrong = sweep(two)[1]
    assert wrong
    assert all(fault.endswith("neither before nor after") for fault in wrong)


# A small hall for a few seconds, and how its figure is judged; the promised one: `python -m tests.nightly.busy`.
@pytest.mark.nightly
@pytest.mark.long
def test_hands_looks_and_exports_of_a_small_hall_go_without_an_error() -> None:
    size = ("--minutes", "0.15", "--tables", "3", "--viewers", "6", "--every", "1")
    words = [sys.executable, "-m", "tests.nightly.busy", *size]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    figure = re.fullmatch(r"(\d+) hands, .*; (\d+) looks, .*; (\d+) exports; 0 errors", done.stdout.splitlines()[-1])
    assert figure and min(map(int, figure.groups())) > 0, done.stdout + done.stderr[-2000:]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("late", "wrong", "exit_code"), [([1.9], [], 0), ([2.1], [], 0), ([2.1, 2.1], [], 1), ([], ["look: no answer"], 1)]
)
def test_the_slowest_hundredth_and_every_error_decide(late: list[float], wrong: list[str], exit_code: int) -> None:
    hands = late + [0.1] * (100 - len(late))
    assert report({HAND: hands, LOOK: [0.1], **{file: [0.1] for file in EXPORTS}}, wrong) == exit_code


@pytest.mark.nightly
def test_the_slowest_part_is_left_out_and_somebody_must_have_looked_on() -> None:
    assert report(defaultdict(list, {HAND: [0.1], EXPORTS[0]: [0.1]}), []) == 1
    seconds = [number / 100 for number in range(200, 0, -1)]
    assert (slowest(seconds, 100), slowest(seconds, 2), slowest([0.3], 100), slowest([], 2)) == (1.98, 1.0, 0.3, 0.0)


# A short evening whose log holds no secret; the whole one: `python -m tests.nightly.secrets`.
PASSWORD = "Größe & 7/7?"


@pytest.mark.nightly
@pytest.mark.long
def test_no_secret_of_an_evening_is_in_its_log() -> None:
    words = [sys.executable, "-m", "tests.nightly.secrets", "--teams", "4", "--rounds", "1"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    printed = done.stdout.splitlines()
    assert (done.returncode, printed[-1].partition("lines: ")[2]) == (0, "0 found; control: 0 missed"), (
        done.stdout + done.stderr[-2000:]
    )


@pytest.mark.nightly
@pytest.mark.parametrize(
    "line",
    [
        f"ValueError: {PASSWORD!r}",
        "Not Found: /sign-in/Gr%C3%B6%C3%9Fe%20%26%207/7%3F",
        "GET /sign-in/?password=Gr%C3%B6%C3%9Fe+%26+7%2F7%3F&next=/",
        *(f"Basic {b64encode(f'{name}:{PASSWORD}'.encode()).decode()}" for name in ("me", "you", "them")),
    ],
)
def test_a_secret_is_found_however_it_is_written(line: str) -> None:
    (leak,) = found(f"first\n{line}\nlast", {PASSWORD: "password"})
    assert leak.startswith("password: ") and PASSWORD not in leak


@pytest.mark.nightly
def test_six_digits_within_another_number_are_no_code() -> None:
    secrets = {"918273": "code"}
    assert found("11:02:36.918273 · 19182730 · 0a918273", secrets) == []
    assert found("signed with 918273", secrets) == ["code: signed with …"]
