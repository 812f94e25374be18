"""The tablet: how it is paired, its page, the messages of its script; and the practice table.

A tablet acts as its table.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial, wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournament import access
from tournament.access import Actor
from tournament.errors import Conflict, DomainError, Fault, TooLarge, Unavailable, Unknown, ValidationFailed
from tournament.forms import practice as forms
from tournament.forms.hand import read_hand, read_key, read_position, typed_values
from tournament.forms.messages import read_batch, read_report, read_uids
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Device, Game
from tournament.queries.devices import installation, known_device, name_by_key, withdrawn_tablet, writer_of
from tournament.queries.laptops import other_laptop
from tournament.queries.outcomes import coming_forms, coming_key, stretch_of, tablet_state
from tournament.queries.pending import known_uids
from tournament.queries.people import unread_notices
from tournament.queries.rules import sheet_choices
from tournament.queries.scored import NotPossible
from tournament.queries.sheet import effect_of_hand, game_sheet, sheet_games, sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.tablet import (
    DEALER,
    PLAY,
    Practice,
    TabletPage,
    TabletPlace,
    is_recorded,
    practice_game,
    practice_page,
    tablet_page,
    tablet_place,
)
from tournament.request import Request
from tournament.services.devices import note_report, pair_device, take_over
from tournament.services.laptops import look_at_tablet
from tournament.services.rounds import end_without_hand
from tournament.services.submissions import receive
from tournament.site.static_files import SOURCES, asked
from tournament.views.pages import Page, declared, page_or_part

CHANGED = Fault("", "The sheet has changed. Look at it, then record this hand if it is still right.")
UPDATED = "Not recorded: the site has been updated. Load this page again, then record it again."
AGAIN = Fault("", "Not recorded. Press Record again; if this comes back, load this page again.")
COOKIE_DAYS = 60
PAGE = ("base.html", "tablet/table.html")


def at_table(action: str, *, scoring: bool = False) -> Callable[[Page], Page]:
    """A page of the game at the tablet's own table, for what tables may do there.

    The table is the actor, whoever else is signed in on this browser. `scoring`: only the tablet that keeps score.
    """

    def wrap(view: Page) -> Page:
        @wraps(view)
        def page(request: Request, pk: int, **given: Any) -> HttpResponse:
            actor = request.actor._replace(user=None)
            game = _own_game(actor, pk)
            access.require(actor, action, actor.tablet.event, game)
            if scoring and not actor.tablet.writes:
                raise Conflict("Another tablet is keeping score at this table. Take over on this one first.")
            return view(request, actor, game, **given)

        return declared(page, action)

    return wrap


def _own_game(actor: Actor, pk: int) -> Game:
    """A game of the tablet's event. Raises Conflict if it is this table's and is not in play."""
    event = actor.tablet.event
    game = get_object_or_404(Game.objects.select_related("round"), pk=pk, round__event=event)
    game.round.event = event
    if game.table == actor.tablet.table and game.round.state != "running":
        raise Conflict(f"{game.round} is not in play: nothing can be recorded at table {game.table}.")
    return game


@require_GET
def tablet(request: Request) -> HttpResponse:
    """The table's page; a poll that is current is answered by the middleware. Typed values are included."""
    device = request.actor.device
    if device is None:
        # A tablet that is allowed again finds its table from there.
        to = reverse("pair") + "?again"
        return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
    access.require(request.actor, "see-table", device.event)
    note_report(device)
    place = tablet_place(device)
    if "check" in request.GET and place.game is not None:
        return table_page(request, place, ValidationFailed(_wrong(place.game, request.GET)))
    return table_page(request, place, polled=bool(request.GET))


def _wrong(game: Game, data: QueryDict) -> Sequence[Fault]:
    """What is wrong with a hand that is incomplete, or that the rules refuse. Nothing is recorded."""
    sheet = sheet_now(game)
    try:
        posted = read_hand(sheet, data).checked()
        if posted.position not in (None, sheet.next_position):
            return (CHANGED,)
        sheet.scored.with_entry(posted.facts)
    except ValidationFailed as refusal:
        return refusal.faults
    except NotPossible as refusal:
        return [Fault(problem.field, problem.text, problem.rule) for problem in refusal.problems]
    return (AGAIN,)


@require_GET
@at_table("see-table")
def preview(request: Request, _actor: Actor, game: Game) -> HttpResponse:
    """What the typed hand would do; nothing is stored."""
    game = sheet_games().get(pk=game.pk)
    posted = read_hand(game_sheet(game), request.GET)
    effect = effect_of_hand(game, posted.facts, posted.faults, at_table=True)
    return page_or_part(request, "components/effect.html", "components/effect.html", {"effect": effect})


@require_POST
@at_table("record", scoring=True)
def time_list(request: Request, actor: Actor, game: Game) -> HttpResponse:
    """Time was called and no hand was in play: the game ends with the current score."""
    try:
        end_without_hand(actor, game, read_position(request.POST))
    except DomainError as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    messages.success(request, "Time: received")
    return redirect("tablet")


@require_POST
@at_table("see-table")
def from_before(request: Request, actor: Actor, _game: Game, form: str) -> HttpResponse:
    """A form of a page from before the last update. Nothing is recorded; the current page has the typed values."""
    return table_page(request, tablet_place(actor.tablet), Conflict(UPDATED))


def table_page(
    request: Request,
    place: TabletPlace,
    refusal: DomainError | None = None,
    polled: bool = False,
) -> HttpResponse:
    """The table's page with the typed values; they are dropped once their hand is on the sheet."""
    mine = refusal is not None or polled
    context = _context(tablet_page(place), request.POST or request.GET, mine)
    if refusal is not None:
        context["faults"] = refusal.faults
    status = refusal.status if refusal else 200
    response = page_or_part(request, "tablet/table.html", "tablet/_table.html", context, status)
    # This lets the tablet's own worker tell our pages from those of a hotel's network.
    response["X-App"] = "uptown"
    return response


def table_part(device: Device, ahead: str) -> str:
    """The same within another answer. Its forms have no token: the script inserts that of the page on screen.

    It omits the form of the next hand if the tablet has it already: `ahead` is the key of what it has.
    """
    page = tablet_page(tablet_place(device))
    sent = bool(ahead) and ahead == coming_key(page)
    return render_to_string("tablet/_table.html", _context(page, {}, False) | {"sent": sent})


def _context(page: TabletPage, typed: Any, mine: bool) -> dict[str, Any]:
    context: dict[str, Any] = {"page": page, "sheet": page.sheet, "state": json.dumps(tablet_state(page))}
    context |= {"values": {}, "faults": (), "client_key": uuid.uuid4(), "undo_key": uuid.uuid4()}
    context["notices"] = unread_notices(side.team for side in page.sheet.sides) if page.sheet else []
    if page.sheet is not None:
        context |= _kept_values(typed, page.sheet.next_position) if mine else {}
        context["position"] = page.sheet.next_position
    return context


def _kept_values(typed: Any, position: int) -> dict[str, Any]:
    key = read_key(typed)
    if key is not None and is_recorded(key):
        return {}
    values = typed_values(typed)
    same = read_position(typed) in (None, position)
    values_kept: dict[str, Any] = {"values": values}
    if same and key is not None:
        values_kept["client_key"] = key
    elif not same and values:
        values_kept["faults"] = (CHANGED,)
    return values_kept


@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: Request) -> HttpResponse:
    """A field for the code; only pressing the button binds the tablet, because anybody may open a link."""
    code, withdrawn = request.POST.get("code", "")[:40], withdrawn_tablet(request.COOKIES.get(TABLE_COOKIE, ""))
    is_deleted = TABLE_COOKIE in request.COOKIES and known_device(request.COOKIES[TABLE_COOKIE]) is None
    context: dict[str, Any] = {"device": request.actor.device, "code": code, "withdrawn": withdrawn, "faults": ()}
    context["is_deleted"] = is_deleted
    if request.method != "POST" and "again" in request.GET and request.actor.device is not None:
        to = reverse("tablet")
        return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
    if request.method != "POST":
        return HttpResponse(status=204) if request.htmx else render(request, "tablet/pair.html", context)
    try:
        token = pair_device(request.actor, code)
    except DomainError as refusal:
        return render(request, "tablet/pair.html", {**context, "faults": refusal.faults}, status=refusal.status)
    response = redirect("tablet")
    keep_key(request, response, token)
    return response


def keep_key(request: Request, response: HttpResponse, token: str) -> None:
    """Give the tablet its key, which no script can read."""
    age = COOKIE_DAYS * 24 * 3600
    response.set_cookie(TABLE_COOKIE, token, max_age=age, httponly=True, samesite="Strict", secure=request.is_secure())


@require_POST
def key(request: Request) -> HttpResponse:
    """The tablet's own key, for its script: scripts cannot read the cookie that holds it."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    response = JsonResponse({"app": "uptown", "token": request.COOKIES[TABLE_COOKIE]})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def writer(request: Request) -> HttpResponse:
    """Let this tablet write at its table from now on."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    take_over(request.actor._replace(user=None), request.actor.device)
    return redirect("tablet")


@require_safe
def worker(request: Request) -> HttpResponse:
    """The worker of the tablet's page; another version of any file makes another worker."""
    files, version = shell()
    context = {"version": version, "files": json.dumps(files), "page": reverse("tablet")}
    response = render(request, "tablet/sw.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@cache
def shell() -> tuple[list[str], str]:
    """The address of every file of the tablet's page, and a version of all of them together."""
    names = asked(*PAGE)
    addresses = [static(name) for name in names]
    content = b"".join((SOURCES / name).read_bytes() for name in names)
    return addresses, hashlib.sha256(content + "".join(addresses).encode()).hexdigest()[:12]


# What a tablet's script sends and asks for, answered in JSON; every refusal is JSON, too.

SCHEME = "Table "
# The epoch of the last server that the tablet talked to.
EPOCH = "X-Epoch"
APP, VERSION = "uptown", 1
Answering = Callable[[Request, Actor], dict[str, Any]]


def message(*methods: str) -> Callable[[Answering], Callable[[Request], HttpResponse]]:
    """A view that answers a tablet.

    The tablet identifies itself in a header; cookies are ignored, so that no other page can make a browser send
    something here.
    """

    def wrap(view: Answering) -> Callable[[Request], HttpResponse]:
        @csrf_exempt
        @functools.wraps(view)
        def answering(request: Request) -> HttpResponse:
            if request.method not in methods:
                return _signed(JsonResponse({"app": APP, "error": "method"}, status=405))
            return _json_answer(view, request)

        return answering

    return wrap


def _json_answer(view: Answering, request: Request) -> HttpResponse:
    try:
        actor = _table(request)
        _must_go_on(request, actor)
        return _signed(JsonResponse(_about(actor) | view(request, actor)))
    except RequestDataTooBig:
        return _refused(TooLarge("This is too large for a message."))
    except OperationalError:
        return _refused(Unavailable("The database is busy. Please send it again in a moment."))
    except DomainError as refusal:
        return _refused(refusal)


def _must_go_on(request: Request, actor: Actor) -> None:
    """Accept nothing if another laptop goes on with these events, perhaps as this tablet reports."""
    look_at_tablet(actor.tablet, request.headers.get(EPOCH, ""))
    if other_laptop() is not None:
        raise Unavailable("Another laptop goes on with this event. The tablet keeps what it has.")


def _table(request: Request) -> Actor:
    header = request.headers.get("Authorization", "")
    device = known_device(header.removeprefix(SCHEME)) if header.startswith(SCHEME) else None
    if device is None:
        raise Unknown("This tablet belongs to no table here. Scan the table's card again.")
    return Actor(None, device, request.META.get("REMOTE_ADDR", ""))


def _about(actor: Actor) -> dict[str, Any]:
    device = actor.tablet
    writer = writer_of(device)
    return {
        "app": APP,
        "v": VERSION,
        # `known_device` fetched it with the tablet.
        "instance": getattr(device, "installation", None) or name_by_key(),
        "epoch": str(device.event.epoch),
        "table": device.table,
        "former": device.revoked_at is not None,
        "writes": device.writes and device.revoked_at is None,
        "writer": writer.letter if writer is not None else "",
        "now": timezone.now().isoformat(),
    }


def _refused(refusal: DomainError) -> HttpResponse:
    faults = [{"field": fault.field, "text": fault.text, "rule": fault.rule} for fault in refusal.faults]
    answer = {"app": APP, "v": VERSION, "instance": installation(), "faults": faults}
    response = JsonResponse(answer, status=refusal.status)
    if refusal.seconds:
        response["Retry-After"] = str(refusal.seconds)
    return _signed(response)


def _signed(response: HttpResponse) -> HttpResponse:
    response["X-App"] = APP
    response["Cache-Control"] = "no-store"
    return response


@message("POST")
def submissions(request: Request, actor: Actor) -> dict[str, Any]:
    """Accept a batch: one answer per item, in order; the event's version with all of it, and the page if requested."""
    batch = read_batch(request.body)
    tablet = actor.tablet
    answers = receive(actor, batch.items)
    note_report(tablet, batch.unsent_after(len(answers)), batch.report.battery)
    said = {"results": [answer._asdict() for answer in answers], "reached": tablet.event.version}
    return said | {"page": table_part(tablet, batch.ahead)} if batch.page and tablet.revoked_at is None else said


@message("POST")
def known(request: Request, actor: Actor) -> dict[str, Any]:
    """Which of these uids the event has, and what became of them."""
    return {"known": known_uids(actor.tablet.event, read_uids(request.body))}


@message("GET", "POST")
def ping(request: Request, actor: Actor) -> dict[str, Any]:
    """A sign of life; a tablet may report how many lines it has not sent yet, and its battery level."""
    report = read_report(request.body) if request.method == "POST" else None
    note_report(actor.tablet, report.unsent if report else None, report.battery if report else None)
    return {}


@message("GET")
def state(request: Request, actor: Actor) -> dict[str, Any]:
    """What the tablet needs while it is offline."""
    place = tablet_place(actor.tablet)
    if place.game is None or actor.tablet.revoked_at is not None:
        return nothing_ahead()
    return sent_ahead(place)


def nothing_ahead() -> dict[str, Any]:
    """There is no game."""
    return {"game": None, "coming": "", "from": 0, "lines": [], "forms": [], "before": [], "parts": {}}


def sent_ahead(place: TabletPlace) -> dict[str, Any]:
    """The forms of the game in play from the next hand on, those `before` it, and the page around them.

    Forms and parts are runs of `lines`, most of which they share.
    """
    page = tablet_page(place)
    sheet = page.sheet
    assert sheet is not None
    lines: dict[str, int] = {}
    # The buttons are the same for every dealer.
    write = partial(_form, pads={})
    forms = [_runs(form, lines) for form in coming_forms(sheet, write)]
    parts = {phase: _runs(_part(page, sheet, phase), lines) for phase in (DEALER, PLAY)} if sheet.unbegun else {}
    past = sheet.hands - stretch_of(sheet)[0].hands
    about = {"game": sheet.game.pk, "coming": coming_key(page), "from": sheet.hands}
    return about | {"lines": list(lines), "parts": parts, "forms": forms[past:], "before": forms[:past]}


def _form(sheet: GameSheet, pads: dict[object, str]) -> str:
    check, preview = reverse("tablet"), reverse("tablet-preview", args=[sheet.game.pk])
    context = {"sheet": sheet, "check_action": check, "preview_action": preview, "entry_target": "#table"}
    context |= {"position": sheet.next_position, "client_key": "", "values": {}, "faults": (), "ahead": sheet.unbegun}
    context |= {"pads": pads}
    return render_to_string("components/entry_form.html", context)


def _part(page: TabletPage, sheet: GameSheet, phase: str) -> str:
    context = {
        "page": replace(page, phase=phase),
        "sheet": sheet,
        "position": sheet.next_position,
        "faults": (),
        "ahead": True,
    }
    return render_to_string("tablet/_stage.html", context)


def _runs(html: str, lines: dict[str, int]) -> list[list[int]]:
    """A page as ranges of line numbers; a new line is added."""
    runs: list[list[int]] = []
    # The page is split at the start of each block: a button is one text, however many lines its template has.
    page = "\n".join(filter(None, (line.strip() for line in html.splitlines())))
    for text in re.split(r'\n(?=<(?!/?(?:input type="radio|kbd|small|span(?! hidden))))', page):
        number = lines.setdefault(text, len(lines))
        if runs and runs[-1][1] == number:
            runs[-1][1] += 1
        else:
            runs.append([number, number + 1])
    return runs


# The practice table: the tablet's page without storage. The game travels in the form.


@require_safe
def practice(request: Request) -> HttpResponse:
    """A new practice game, by the sheet of one's choice."""
    return _page(request, forms.read_sheet(request.GET))


@require_POST
def practice_preview(request: Request) -> HttpResponse:
    """What the typed hand would do."""
    game = forms.read_practice(request.POST)
    posted = read_hand(forms.sheet_of(game), request.POST)
    effect = effect_of_hand(practice_game(game), posted.facts, posted.faults)
    if request.htmx:
        return page_or_part(request, "components/effect.html", "components/effect.html", {"effect": effect})
    return _page(request, game, {"values": typed_values(request.POST), "effect": effect})


@require_POST
def step(request: Request, act: Callable[[Practice, Mapping[str, str]], Practice]) -> HttpResponse:
    """Act on the game that came with the form; a refusal leaves it, and the typed values, unchanged."""
    game = forms.read_practice(request.POST)
    try:
        return _page(request, act(game, request.POST))
    except DomainError as refusal:
        typed = {"values": typed_values(request.POST), "faults": refusal.faults}
        return _page(request, game, typed, refusal.status)


def _page(request: Request, game: Practice, more: Mapping[str, Any] | None = None, status: int = 200) -> HttpResponse:
    page = practice_page(game)
    sheet = page.sheet
    assert sheet is not None
    context: dict[str, Any] = {"page": page, "sheet": sheet, "practice": True}
    context |= {
        "document": game.document(),
        "position": sheet.next_position,
        "client_key": uuid.uuid4(),
        "undo_key": "",
    }
    context |= {"values": {}, "faults": (), "effect": None, "sheets": sheet_choices(), **(more or {})}
    return page_or_part(request, "practice/practice.html", "practice/_table.html", context, status)
