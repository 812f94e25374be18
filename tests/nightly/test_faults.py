"""A few acts with a fault at every statement; all of them: `python -m tests.nightly.faults`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.factories import make_user
from tests.nightly.acts import ACTS, ELSEWHERE
from tests.nightly.faults import SERVICES, public, sweep
from tournament.access import Actor
from tournament.models import Event
from tournament.services.events import show_on_board

ACTS_FILE = Path(__file__).with_name("acts.py")


@pytest.fixture
def dana(own_file: None) -> User:
    if connection.vendor != "sqlite":
        pytest.skip("an evening is put back as a file")
    return make_user("dana")


def called(tree: ast.AST) -> set[str]:
    """The names of the functions that are called, or handed on, as far as the text says it."""
    names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    return names | {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)}


def test_every_service_has_its_act_or_a_reason() -> None:
    """By names alone; the nightly run looks at what is really reached."""
    functions: dict[str, set[str]] = {}
    ready = called(ast.parse(ACTS_FILE.read_text(encoding="utf-8")))
    for file in Path(SERVICES).glob("*.py"):
        for one in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.FunctionDef):
                functions.setdefault(one.name, set()).update(called(one))
            elif isinstance(one, ast.Assign | ast.AnnAssign):
                ready |= called(one)
    found: set[str] = set()
    while new := (ready & functions.keys()) - found:
        found |= new
        ready = set().union(*(functions[name] for name in new))
    named = {one.rpartition(".")[2] for one in ELSEWHERE}
    assert {one for one in public() if one.rpartition(".")[2] not in found | named} == set()
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
    assert all(one.endswith("neither before nor after") for one in wrong)
