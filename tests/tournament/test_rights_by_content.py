"""Who may read something is tested by what is in pages and files, whatever their addresses are."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_user, signed_in
from tests.tournament.reports.evenings import eventful, pdf_text, squeezed
from tests.tournament.test_access import ADDRESSES, address
from tournament.access import Actor
from tournament.gate.middleware import TABLE_COOKIE
from tournament.lists.catalog import LISTS
from tournament.models import Event, Game
from tournament.queries.ledger import Wording
from tournament.reports.pdf.catalog import PAPERS
from tournament.services.devices import issue_card, pair_device
from tournament.services.payouts import charge, move_cash, pay
from tournament.urls import JOBS

OFFICIALS = {"verifier", "director"}
# What is looked for, and who may read it: the words of a receipt, a sum of it as people and as files write it, who owes
# how much, and from where somebody acted.
MARKS = {
    "Zuleika Quill": {"director"},
    "$773,177.31": {"director"},
    "77317731": {"director"},
    "773177.31": {"director"},
    "owes_cents": {"director"},
    "paid $5 too much": {"director"},
    "192.168.1.7": OFFICIALS,
}
FORMATS = ("csv", "json", "xlsx", "pdf")


def addresses(event: Event, game: Game) -> Iterator[str]:
    """Every address that is looked at, and every file of those that send several."""
    for name, (readers, _) in ADDRESSES.items():
        if readers is not None and name != "sign-out":
            yield address(name, event, game)
    desk = f"/desk/{event.slug}"
    yield from (f"{desk}/papers/{name}.{kind}" for name in LISTS for kind in FORMATS[:3])
    yield from (f"{desk}/papers/{name}.pdf" for name in (*PAPERS, *JOBS.split("|")))
    yield from (f"{desk}/log/?format={kind}" for kind in FORMATS)


def text_of(content: bytes) -> str:
    """All that can be read in a page or file, in every sheet of a workbook, with and without its spaces."""
    if content.startswith(b"%PDF"):
        text = pdf_text(content)
    elif content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            text = "\n".join(packed.read(name).decode() for name in packed.namelist())
    else:
        text = content.decode(errors="replace")
    return f"{text}\n{squeezed(html.unescape(text))}"


@pytest.fixture
def browsers(dana: User) -> dict[str, Client]:
    event = eventful(dana)
    actor = Actor(dana)
    charge(actor, event, 1, 1000, Wording(reason="guest of the house"))
    charge(actor, event, 3, -500, Wording(reason="juniors"))
    pay(actor, event, 1, 137, Wording(person="Zuleika Quill", reason="paid twice"))
    move_cash(actor, event, 77317731, Wording(reason="change from the bank"))
    people = {"verifier": User.objects.get(username="vic"), "director": dana}
    people |= {"stranger": make_user("stranger"), "owner": make_user("otto", is_staff=True)}
    browsers = {role: signed_in(user) for role, user in people.items()} | {"anonymous": Client(), "table": Client()}
    browsers["table"].cookies[TABLE_COOKIE] = pair_device(Actor(), issue_card(actor, event, 2))
    return browsers


def test_what_is_in_pages_and_files_is_read_by_those_who_may(browsers: dict[str, Client]) -> None:
    event = Event.objects.get()
    game = Game.objects.filter(round__event=event).order_by("table")[1]
    read: dict[str, set[str]] = {mark: set() for mark in MARKS}
    leaks = []
    for path in dict.fromkeys(addresses(event, game)):
        for role, browser in browsers.items():
            answer = browser.get(path)
            text = text_of(b"".join(answer.streaming_content) if answer.streaming else answer.content)  # type: ignore[attr-defined]
            for mark, readers in MARKS.items():
                if re.search(rf"(?<!\d){re.escape(mark)}", text) or squeezed(mark) in text:
                    read[mark].add(role)
                    if role not in readers:
                        leaks.append((role, path, mark))
    assert leaks == []
    assert read == MARKS


def test_a_verifier_is_offered_no_paper_of_money(browsers: dict[str, Client]) -> None:
    event = Event.objects.get()
    page, director = (
        browsers[role].get(reverse("desk-papers", args=[event.slug])) for role in ("verifier", "director")
    )
    for offered in ('value="money"', 'value="receipts"', reverse("event-export", args=[event.slug])):
        assert (offered in page.content.decode(), offered in director.content.decode()) == (False, True)
    for name in ("money.csv", "receipts.pdf", "cash.pdf"):
        assert browsers["verifier"].get(f"/desk/{event.slug}/papers/{name}").status_code == 403
