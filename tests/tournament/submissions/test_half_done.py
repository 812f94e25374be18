"""The database fails at every statement in turn: nothing half-done remains, and trying again gets the right answer."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection

from tests.sure import sure
from tests.tournament.submissions.conftest import THREE, TWO_SET, Tablet
from tests.tournament.submissions.interleaving import ODD
from tournament.access import Actor
from tournament.models import Call, Device, Entry, Event, Game, Journal, Notice, Result, Signature, Submission
from tournament.queries.scored import active_entries, scored_game, sheet_code
from tournament.queries.sheet import sheet_games
from tournament.services.corrections import correct_sheet
from tournament.services.devices import take_over
from tournament.services.entries import record_entry, undo_entry
from tournament.services.signatures import sign_sheet
from tournament.services.submissions import decide

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

KEPT = (Event, Game, Entry, Result, Signature, Call, Submission, Notice, Device)
# Times are another at every try.
TIMES = {"last_entry_at", "finished_at", "signed_at", "entered_at", "received_at", "called_at", "last_seen_at"}
# A serial number that a failed try has used up is not given again by PostgreSQL.
NUMBERS = {"id", "replaces_id", "decided_at"}
Act = Callable[[], Any]


class Power:
    """Fails at the statement with this number, before it reaches the database."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.failed = False

    def __call__(self, execute: Callable[..., Any], *rest: Any) -> Any:
        self.number -= 1
        if self.number == 0:
            self.failed = True
            raise OperationalError("the disk is full")
        return execute(*rest)


def everything() -> list[Any]:
    """What the database holds of an event, without times."""
    rows: list[Any] = [Journal.objects.count()]
    for model in KEPT:
        # An act that finds its work done makes the screens look again, and no more.
        left_out = TIMES | NUMBERS | ({"version"} if model is Event else set())
        found = model.objects.order_by("pk").values()
        rows += [{key: value for key, value in row.items() if key not in left_out} for row in found]
    return rows


def fail_everywhere(act: Act, again: Act | None = None) -> int:
    """Do it with a failure at each of its statements, until it gets through; gives how many statements it has."""
    before = everything()
    for number in itertools.count(1):
        power = Power(number)
        with connection.execute_wrapper(power):
            try:
                act()
            except OperationalError:
                assert power.failed
        if not power.failed:
            break
        assert everything() == before, f"statement {number} left something behind"
    done = everything()
    assert done != before
    (again or act)()
    assert everything() == done, "once more did something more"
    return number - 1


@pytest.fixture
def actor(tablet: Tablet) -> Actor:
    return Actor(None, tablet.device)


def test_record(actor: Actor, game: Game) -> None:
    key = uuid.uuid4()
    assert fail_everywhere(lambda: record_entry(actor, game, THREE, position=1, client_key=key)) > 5
    assert [entry.client_key for entry in Entry.objects.all()] == [key]


def test_undo(actor: Actor, game: Game) -> None:
    key = uuid.uuid4()
    record_entry(actor, game, THREE, position=1)
    assert fail_everywhere(lambda: undo_entry(actor, game, position=1, client_key=key)) > 5
    assert active_entries(Entry.objects.all()) == []


def test_the_last_signature(actor: Actor, game: Game) -> None:
    record_entry(actor, game, ODD, position=1)
    fresh = sheet_games().get(pk=game.pk)
    code = sheet_code(fresh, scored_game(fresh))
    sign_sheet(actor, game, side=0, name="Ann 1", code=code)
    assert fail_everywhere(lambda: sign_sheet(actor, game, side=1, name="Ann 2", code=code)) > 5
    assert Game.objects.get(pk=game.pk).state == "final"


def test_take_over(tablet: Tablet, second: Tablet) -> None:
    device = second.device
    assert fail_everywhere(lambda: take_over(Actor(None, device), device)) > 5
    assert [one.writes for one in Device.objects.order_by("letter")] == [False, True]


def test_the_desk_applies_what_was_kept_and_what_waited_for_it_follows(tablet: Tablet, game: Game, dana: Any) -> None:
    tablet.send(tablet.hand(2, THREE), tablet.hand(2, TWO_SET))
    row = sure(Submission.objects.order_by("pk").first())

    def decided_before() -> None:
        with pytest.raises(Exception, match="Somebody else already decided"):
            decide(Actor(dana), row, "apply", "It was played")

    assert fail_everywhere(lambda: decide(Actor(dana), row, "apply", "It was played"), decided_before) > 20
    assert [entry.facts["books"] for entry in active_entries(Entry.objects.all())] == [9, 7]


def test_a_correction_that_ends_the_game_earlier(actor: Actor, game: Game, dana: Any) -> None:
    for position in (1, 2):
        record_entry(actor, game, {**TWO_SET, "books": 8}, position=position)
    correction: dict[str, Any] = {"position": 1, "revision": 0, "facts": ODD, "reason": "as on paper"}

    def too_late() -> None:
        with pytest.raises(Exception, match="changed since"):
            correct_sheet(Actor(dana), game, **correction)

    assert fail_everywhere(lambda: correct_sheet(Actor(dana), game, **correction), too_late) > 10
    assert [entry.facts for entry in active_entries(Entry.objects.all())] == [ODD | {"dealer": 0}]


def test_a_batch_over_http_is_carried_on_where_it_was_cut_off(tablet: Tablet, game: Game) -> None:
    """Every answer is 503 with “try again” or complete; each item is whole or not there; all are there in the end."""
    items = [tablet.hand(1), tablet.hand(2, TWO_SET), tablet.hand(9), tablet.item("call", about="count")]
    calm = [("applied", ""), ("applied", ""), ("parked", "gap"), ("applied", "")]
    failures = []
    for number in itertools.count(1):
        power = Power(number)
        with connection.execute_wrapper(power):
            answer = tablet.send(*items)
        if answer.status_code == 200:
            break
        assert (answer.status_code, answer["Retry-After"], power.failed) == (503, "2", True)
        stored = list(Submission.objects.order_by("pk").values_list("uid", flat=True))
        assert [str(uid) for uid in stored] == [item["uid"] for item in items[: len(stored)]]
        assert Entry.objects.count() == min(2, len(stored))
        failures.append(len(stored))
    assert [(result["status"], result["code"]) for result in answer.json()["results"]] == calm
    # It failed within the first item, and after each.
    assert set(failures) == {0, 1, 2, 3}
    assert (tablet.results(*items), Entry.objects.count(), Call.objects.count()) == (calm, 2, 1)
