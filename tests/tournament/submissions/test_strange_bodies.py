"""Whatever is sent to a tablet's addresses: an answer that says what is wrong, never a mistake of the program.

About two thousand bodies; UPTOWN_BODIES=10 tries ten times as many, and others at every run; 0.2 a fifth.
"""

from __future__ import annotations

import json
import os
import uuid
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournament.submissions.conftest import Tablet
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Game, Submission

pytestmark = pytest.mark.both_databases

TIMES = float(os.environ.get("UPTOWN_BODIES", "1"))


def tried(count: int) -> settings:
    """Examples of a test, the same ones every time unless more were asked for."""
    return settings(
        max_examples=int(count * TIMES),
        deadline=None,
        database=None,
        derandomize=TIMES <= 1,
        suppress_health_check=list(HealthCheck),
    )


UID = str(uuid.UUID(int=7))
RIGHT: dict[str, dict[str, Any]] = {
    "hand": {"position": 1, "facts": {"entry": "hand", "seat": 0, "bid": "3", "books": 9}},
    "void": {"position": 1, "rule": "18"},
    "bids": {"position": 1, "bids": ["5", "6"], "agreed": False},
    "undo": {"position": 1, "of": UID},
    "seat": {"side": 0},
    "dealer": {"seat": 1},
    "call": {"about": "renege"},
    "sign": {"side": 0, "name": "Ann 1", "lines": []},
}
# What Python's writer of JSON does not write: a number too large for any, and lists within lists.
RAW = {"@huge": "1e400", "@deep": "[" * 400 + "]" * 400, "@not": "NaN"}
NUMBERS = [-1, 0, 1, 3, 9999, 10_000, 2**31, 2**63, 10**400, 1.5, -0.0, True]
TEXTS = ["", "0", "-1", "7.0", "٣", "a\0b", "\ud800", "x" * 5000, UID, "hand", "../", "{{7*7}}", "%s", "<b>", "NaN"]
numbers = st.one_of(st.sampled_from(NUMBERS), st.integers(), st.floats())
texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=20))
keys = st.one_of(st.sampled_from(["uid", "kind", "items", "facts", "entry", "seat", "bids", "took"]), texts)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts, st.sampled_from(sorted(RAW))),
    lambda inside: st.one_of(st.lists(inside, max_size=4), st.dictionaries(keys, inside, max_size=4)),
    max_leaves=8,
)


def written(value: Any) -> bytes:
    text = json.dumps(value)
    for name, raw in RAW.items():
        text = text.replace(f'"{name}"', raw)
    return text.encode()


@st.composite
def items(draw: Any, game: int) -> Any:
    """An item that is nearly right: some of its fields have something else in them."""
    kind = draw(st.sampled_from(sorted(RIGHT)))
    item = {"uid": str(draw(st.uuids())), "kind": kind, "game": game, "after": None, "at": 0, "n": 0, **RIGHT[kind]}
    inside = draw(st.sampled_from([item, item, item.get("facts", item)]))
    for _ in range(draw(st.integers(0, 3))):
        inside = dict(inside) if inside is not item else item
        inside[draw(st.sampled_from(sorted(inside)) | keys)] = draw(anything)
        if inside is not item:
            item["facts"] = inside
    return item


def answered(tablet: Tablet, name: str, content: bytes, *allowed: int) -> None:
    """Send it; whatever it did is taken back."""
    with transaction.atomic():
        answer = tablet.post(name, content)
        transaction.set_rollback(True)
    assert answer.status_code in allowed, (answer.status_code, content)
    assert answer.json()["app"] == "uptown"


@pytest.mark.parametrize("place", ["facts", "more"])
@pytest.mark.parametrize("raw", ["@huge", "@deep"])
def test_what_no_database_can_hold_is_kept_as_text(tablet: Tablet, raw: str, place: str) -> None:
    """A number beyond all numbers, lists without end: kept for the desk; the hand behind it in the queue goes on."""
    more: dict[str, Any] = {place: {"entry": "hand", "books": raw} if place == "facts" else raw}
    bad = tablet.hand(1, **more)
    answer = tablet.post("submissions", written({"items": [bad, tablet.hand(1, after=None)]}))
    assert [(result["status"], result["code"]) for result in answer.json()["results"]] == [
        ("parked", "refused"),
        ("applied", ""),
    ]
    assert Submission.objects.get(uid=bad["uid"]).body["unreadable"].startswith("{")


@pytest.mark.parametrize("at", [-62135596800000, 253402300799000, 10**18, -(10**18)])
def test_a_tablet_with_a_clock_of_another_age_can_be_decided_about(
    tablet: Tablet, game: Game, at: int, desk: Client
) -> None:
    tablet.post("submissions", written({"items": [tablet.hand(5, at=at)]}))
    page = desk.get(f"/desk/{game.round.event.slug}/tablets/parked/")
    assert (page.status_code, Submission.objects.get().claimed_at) == (200, None)


@pytest.mark.long
@tried(500)
@given(data=st.data())
def test_items_that_are_nearly_right_get_one_answer_each(tablet: Tablet, game: Game, data: st.DataObject) -> None:
    batch = data.draw(st.lists(st.one_of(items(game.pk), anything), min_size=1, max_size=4))
    with transaction.atomic():
        answer = tablet.post("submissions", written({"items": batch}))
        transaction.set_rollback(True)
    assert answer.status_code in (200, 400, 413), answer.content
    results = answer.json().get("results", [])
    assert len(results) == (len(batch) if answer.status_code == 200 else 0)
    assert {result["status"] for result in results} <= {"applied", "parked", "discarded", "invalid"}


@tried(150)
@given(content=st.one_of(st.binary(max_size=300), anything.map(written)))
@pytest.mark.parametrize("name", ["submissions", "known", "ping"])
def test_what_is_no_message_is_told_so(tablet: Tablet, name: str, content: bytes) -> None:
    answered(tablet, name, content, 200, 400, 413)


@tried(100)
@given(uids=anything, report=anything)
@pytest.mark.parametrize("name", ["known", "ping"])
def test_reports_and_questions(tablet: Tablet, name: str, uids: Any, report: Any) -> None:
    content = written({"uids": uids, "unsent": report, "battery": report, "items": []})
    answered(tablet, name, content, 200, 400, 413)


FIELDS = ["position", "client_key", "seat", "bid", "books", "bidder", "void", "rule", "dealer", "side", "kind", "name"]
FIELDS += ["code", "entry", "took-0", "bid-0", "facts", "of", "again_name"]
values = st.one_of(st.sampled_from(["1", "3", "9", "0", "18", "3-no", "renege", "Ann 1", UID]), numbers.map(str), texts)
FORMS = ["entries", "undos", "seats", "calls", "time", "signatures/return"]


def form_data(fields: list[tuple[str, str]]) -> bytes:
    return urlencode(fields, errors="surrogatepass").encode()


@tried(60)
@given(fields=st.lists(st.tuples(st.sampled_from(FIELDS), values), max_size=6))
@pytest.mark.parametrize("name", FORMS)
def test_forms_of_the_tablet(tablet: Tablet, game: Game, name: str, fields: list[tuple[str, str]]) -> None:
    tablet.client.cookies[TABLE_COOKIE] = tablet.token
    with transaction.atomic():
        answer = tablet.client.post(
            f"/t/table/games/{game.pk}/{name}/", form_data(fields), content_type="application/x-www-form-urlencoded"
        )
        transaction.set_rollback(True)
    assert answer.status_code in (302, 409, 422), answer.status_code


@tried(40)
@given(fields=st.lists(st.tuples(st.sampled_from(FIELDS), values), max_size=6))
@pytest.mark.parametrize(("name", "asked"), [("tablet", "version"), ("tablet", "check"), ("tablet-preview", "version")])
def test_questions_of_the_tablet(
    tablet: Tablet, game: Game, name: str, asked: str, fields: list[tuple[str, str]]
) -> None:
    tablet.client.cookies[TABLE_COOKIE] = tablet.token
    address = reverse(name) if name == "tablet" else reverse(name, args=[game.pk])
    answer = tablet.client.get(address, QUERY_STRING=form_data([*fields, (asked, "")]).decode())
    assert answer.status_code in (200, 422), answer.status_code


@tried(60)
@given(content=st.one_of(st.binary(max_size=200), values.map(lambda text: form_data([("code", text)]))))
def test_codes_of_cards(tablet: Tablet, content: bytes) -> None:
    with transaction.atomic():
        answer = tablet.client.post(reverse("pair"), content, content_type="application/x-www-form-urlencoded")
        transaction.set_rollback(True)
    assert answer.status_code in (302, 422, 429), answer.status_code
