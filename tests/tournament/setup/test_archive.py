"""An event is archived, and from there deleted with all its rows, while the database guards every other event's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_user, page_of, signed_in
from tests.sure import refusal_of
from tests.tournament.archive.test_import import demo
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.models import Event, Journal, SiteAct
from tournament.models.triggers import lay_triggers, lift_triggers, missing_triggers
from tournament.services import events
from tournament.services.events import archive_event, delete_event


@pytest.fixture(autouse=True)
def guards(own_file: None, settings: Any, tmp_path: Path) -> Iterator[None]:
    """Tests run without the triggers of a real site."""
    settings.DATA = tmp_path
    lay_triggers()
    yield
    lift_triggers()


@pytest.fixture
def owner() -> User:
    return make_user("olga", is_staff=True, is_superuser=True)


def rows() -> dict[str, int]:
    return {model.__name__: model._base_manager.count() for model in apps.get_app_config("tournament").get_models()}


def guarded() -> None:
    """No trigger is missing, and one of them refuses."""
    assert missing_triggers() == []
    with pytest.raises(IntegrityError, match="only ever added"):
        Journal._base_manager.update(code="other")


def test_a_deleted_event_is_gone_with_all_its_rows_and_no_other_row(owner: User) -> None:
    stays = import_event(Actor(owner), demo())
    before, file = rows(), export_event(stays)
    gone = archive_event(Actor(owner), import_event(Actor(owner), demo()), archived=True)
    assert rows()["Ledger"] > before["Ledger"]
    assert (
        "not exactly the event’s name"
        in refusal_of(lambda: delete_event(Actor(owner), gone, "Demo", export_event)).texts[0]
    )
    path = delete_event(Actor(owner), gone, gone.name, export_event)
    assert rows() == before | {"SiteAct": 2}
    assert export_event(stays) == file
    assert [(act.action, act.user, act.slug) for act in SiteAct.objects.all()] == [
        ("delete", owner, gone.slug), ("archive", owner, gone.slug),
    ]  # fmt: skip
    assert path.name.startswith("before-deletion-")
    if connection.vendor == "sqlite":
        with sqlite3.connect(path) as backup:
            assert backup.execute("SELECT count(*) FROM tournament_event").fetchone() == (2,)
    guarded()


@pytest.mark.parametrize("failing", ["check_constraints", "lay_triggers"])
def test_a_deletion_that_fails_in_the_middle_leaves_event_and_triggers(
    owner: User, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    event = archive_event(Actor(owner), import_event(Actor(owner), demo()), archived=True)
    before = rows()

    def fails() -> None:
        assert not Event.objects.filter(pk=event.pk).exists()
        raise RuntimeError("in the middle")

    monkeypatch.setattr(connection if failing == "check_constraints" else events, failing, fails)
    with pytest.raises(RuntimeError, match="in the middle"):
        delete_event(Actor(owner), event, event.name, export_event)
    assert rows() == before
    guarded()


def test_an_event_in_use_is_not_deleted_and_a_round_in_play_not_archived(owner: User, event: Event) -> None:
    event.rounds.create(number=1, state="running")
    refused = refusal_of(lambda: archive_event(Actor(owner), event, archived=True), Conflict)
    assert refused.texts == ("A game is in play: close it, then archive the event.",)
    refused = refusal_of(lambda: delete_event(Actor(owner), event, event.name, export_event), Conflict)
    assert refused.texts == ("Only an archived event can be deleted: archive it first.",)


def test_the_archive_is_off_the_front_page_and_findable(owner: User, client: Client) -> None:
    event = make_event("Fall Classic", owner, stage="over")
    desk = signed_in(owner)
    assert "Fall Classic" in page_of(client.get("/")) and "Archived events" not in page_of(client.get("/"))
    desk.post(reverse("event-archive", args=[event.slug]), {"archived": "yes"})
    assert "Fall Classic" not in page_of(client.get("/")) and "Archived events" in page_of(client.get("/"))
    assert "Fall Classic" in page_of(client.get("/archive/")) and "site’s log" not in page_of(client.get("/archive/"))
    assert client.get(reverse("standings", args=[event.slug])).status_code == 200
    page = page_of(desk.get(reverse("event-archive", args=[event.slug])))
    assert "31 days" in page or connection.vendor != "sqlite"
    to = reverse("event-deletion", args=[event.slug])
    wrong = desk.post(to, {"name": "Fall", "again_password": "x"})
    assert wrong.status_code == 422 and Event.objects.filter(pk=event.pk).exists()
