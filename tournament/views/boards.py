"""Score boards as a workbook: downloaded, uploaded filled, looked at, then entered."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from tournament.forms.score_workbook import BoardsForm, ReadBoards, keys_of, read_boards
from tournament.models import Event, Round
from tournament.queries.score_workbooks import blank_boards, round_boards
from tournament.refusals import Refusal
from tournament.reports.excel.boards import boards_workbook
from tournament.request import Request
from tournament.services.entries import enter_boards
from tournament.views.pages import find_event, send_file

SALT = "boards"


def blank_boards_file(request: Request, event: str) -> HttpResponse:
    """An empty board of the event's rules; `?board=simple` for bids and scores alone."""
    found = find_event(request, event, "print")
    simple = request.GET.get("board") == "simple"
    kind = "blank scores-only workbook" if simple else "blank score workbook"

    def make() -> bytes:
        return boards_workbook(blank_boards(found, simple=simple))

    return send_file(request, found, make, f"{found.name} {kind}", "xlsx")


def round_boards_file(request: Request, event: str, number: int) -> HttpResponse:
    """The boards of a round, a sheet for each table."""
    found = find_event(request, event, "print")
    round_ = get_object_or_404(Round, event=found, number=number)
    simple = request.GET.get("board") == "simple"
    kind = "scores-only workbook" if simple else "score workbook"

    def make() -> bytes:
        return boards_workbook(round_boards(found, round_, simple=simple))

    return send_file(request, found, make, f"{found.name} {round_} {kind}", "xlsx")


def boards_page(request: Request, event: str) -> HttpResponse:
    """Upload filled boards: a dry run shows what would be entered and what is wrong."""
    found = find_event(request, event, "correct")
    form = BoardsForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return _page(request, found, form, None, status)
    read = read_boards(found, form.cleaned_data["file"].read())
    return _page(request, found, form, read, 422 if read.faults else 200)


@require_POST
def boards_entry(request: Request, event: str) -> HttpResponse:
    """Enter the lines that were looked at: all of them or none."""
    found = find_event(request, event, "correct")
    try:
        new = enter_boards(request.actor, found, _accepted(found, request.POST.get("boards", "")))
    except Refusal as refusal:
        read = ReadBoards(faults=list(refusal.faults))
        return _page(request, found, BoardsForm(), read, refusal.status)
    messages.success(
        request,
        f"{new} line{'' if new == 1 else 's'} entered." if new else "Every line of this file was already entered.",
    )
    return redirect("desk-boards", found.slug)


def _accepted(event: Event, signed: str) -> Any:
    try:
        slug, boards = signing.loads(signed, salt=SALT, max_age=3600)
    except signing.BadSignature:
        raise Refusal("This page is too old. Upload the file again.") from None
    if slug != event.slug:
        raise Refusal("This score workbook belongs to another event.")
    return boards


def _page(request: Request, event: Event, form: BoardsForm, read: ReadBoards | None, status: int) -> HttpResponse:
    signed = ""
    if read is not None and not read.faults:
        signed = signing.dumps([event.slug, keys_of(read.boards)], salt=SALT, compress=True)
    context = {"event": event, "tab": "papers", "form": form, "read": read, "signed": signed}
    return render(request, "desk/boards.html", context, status=status)
