"""What long work makes: each by its name, from plain values, so that any process of the site can do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from django.urls import reverse

from tournament.access import Actor
from tournament.archive.store.event import PHASES, import_event
from tournament.lists.column import Listing
from tournament.lists.hands import hands_list
from tournament.models import Event
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import whole_book
from tournament.queries.papers import game_count
from tournament.reports.excel.lists import list_workbook
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.files import list_csv, list_json
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.paper import paper_of
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services.works import Tell, begin_work, counted, maker

# Each phase of an import is told in hundredths.
STEPS = 100


class Large(NamedTuple):
    """A file that takes long for a large event: what it is called, its kind, and what makes it for a site."""

    words: str
    kind: str
    make: Callable[[Event, Tell, str], bytes]


def _book(event: Event, tell: Tell, site: str) -> bytes:
    whole, sheets = whole_book(event, lambda: tell(0)), counted(event_sheets(event), tell)
    return paper_of(event, "event book", lambda papers: draw_event_book(papers, whole, sheets), site)


def _sheets(event: Event, tell: Tell, site: str) -> bytes:
    sheets = counted(event_sheets(event), tell)
    return score_sheets(sheets, paper=event.paper, zone=event.time_zone, title=event.name, site=site)


def _workbook(event: Event, tell: Tell, site: str) -> bytes:
    return event_workbook(whole_book(event, lambda: tell(0)), counted(event_sheets(event), tell))


def _hands(write: Callable[[Listing], bytes]) -> Callable[[Event, Tell, str], bytes]:
    return lambda event, tell, site: write(hands_list(event, counted(event_sheets(event), tell)))


LARGE = {
    "book": Large("event book", "pdf", _book),
    "score-sheets": Large("score sheets", "pdf", _sheets),
    "workbook": Large("workbook", "xlsx", _workbook),
    "hands-csv": Large("hands", "csv", _hands(list_csv)),
    "hands-json": Large("hands", "json", _hands(list_json)),
    "hands-xlsx": Large("hands", "xlsx", _hands(list_workbook)),
}


def begin_paper(actor: Actor, event: Event, name: str, site: str) -> str:
    """Start on a file of a large event; the key of the work."""
    large = LARGE[name]
    return begin_work(
        actor,
        "paper",
        {"event": event.pk, "name": name, "site": site},
        words=large.words,
        name=f"{event.name} {large.words}",
        kind=large.kind,
        total=game_count(event),
        action="print",
        back=reverse("desk-papers", args=[event.slug]),
        event=event,
    )


@maker("paper")
def _paper(actor: Actor, key: str, tell: Tell, order: Any) -> bytes:
    return LARGE[order["name"]].make(Event.objects.get(pk=order["event"]), tell, order["site"])


def begin_import(actor: Actor, data: Any) -> str:
    """Start to import a large event file; the key of the work."""
    back, total, action = reverse("event-import"), STEPS * len(PHASES), "create-event"
    words = "import of an event"
    return begin_work(actor, "import", data, words=words, name="", kind="json", total=total, action=action, back=back)


@maker("import")
def _import(actor: Actor, key: str, tell: Tell, data: Any) -> str:
    def told(what: str, done: int, total: int) -> None:
        tell(PHASES.index(what) * STEPS + done * STEPS // max(total, 1))

    event = import_event(actor, data, told, epoch=UUID(key))
    return reverse("event-imported", args=[event.slug])
