"""Print and files: papers, workbooks and lists of an event, and filled score workbooks read back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from tournament import access
from tournament.errors import DomainError
from tournament.forms.score_workbook import BoardsForm, ReadBoards, keys_of, read_boards
from tournament.gate.middleware import render
from tournament.lists.catalog import LISTS, MONEY
from tournament.lists.column import Listing
from tournament.models import Event, Game, Round
from tournament.queries.devices import spaced_code, tables_without, tablet_list
from tournament.queries.papers import (
    AFTER,
    CARDS,
    PrintJob,
    event_sheets,
    print_job,
    print_jobs,
    result_text,
    unprinted_sheets,
)
from tournament.queries.pictures import whole_book
from tournament.queries.rules import ruleset_of, stage_rounds
from tournament.queries.score_workbooks import blank_boards, blank_sheet, round_boards, what_boards_do
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.boards import boards_workbook
from tournament.reports.excel.workbook import event_workbook, list_workbook
from tournament.reports.files import list_csv, list_json
from tournament.reports.pdf.bracket import TableCard
from tournament.reports.pdf.catalog import PAPERS, Wanted, printed
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.request import Request
from tournament.services.devices import issue_cards
from tournament.services.entries import enter_boards
from tournament.services.transactions import note_papers, note_printed
from tournament.views.pages import hall_address, in_event, on_game, send_file, site_of

# A paper's name in its file name, if it differs from its name in the address.
CALLED = {"bracket": "playoffs", "cash": "cash sheet", "poster": "results", "book": "event book"}
WRITERS: dict[str, Callable[[Listing], bytes]] = {"csv": list_csv, "json": list_json, "xlsx": list_workbook}
KINDS = {"pdf": "PDF", "xlsx": "Excel", "csv": "CSV", "json": "JSON"}
EVERY = tuple(KINDS)
# What is not printed.
FILES = ("xlsx", "csv", "json")


@in_event("print")
def desk_papers(request: Request, event: Event) -> HttpResponse:
    """Everything there is to print and to download."""
    return papers_page(request, event)


def papers_page(request: Request, event: Event, *, wrong: str = "", fault: str = "", status: int = 200) -> HttpResponse:
    """The page of papers. `wrong` is the job without any box checked, `fault` what a single paper lacks."""
    rounds, asked = event.rounds.all(), one_asked(request.GET)
    hidden = hidden_papers(request, event)
    jobs = [job.without(hidden) for job in print_jobs(event)]
    context = {"event": event, "tab": "papers", "jobs": jobs, "rounds": rounds, "asked": asked}
    context |= {"papers": papers_of(event, hidden), "kinds": KINDS, "wrong": wrong, "fault": fault}
    context |= {"stages": stage_rounds(event), "boards_do": what_boards_do(event)}
    context["result_text"] = result_text(event) if event.stage in ("playoffs", "over") else ""
    return render(request, "desk/papers.html", context, status=status)


def hidden_papers(request: Request, event: Event) -> frozenset[str]:
    """The papers and lists that this official may not see: those of money, without the right to handle it."""
    return frozenset() if access.may(request.actor, "pay", event) else MONEY


def _sees_money(request: Request, event: Event, name: str = "") -> bool:
    """Whether money may be in this file. Raises PermissionDenied if the file has nothing else."""
    hidden = hidden_papers(request, event)
    if name in hidden:
        access.require(request.actor, "pay", event)
    return not hidden


@in_event("print")
def one_paper(request: Request, event: Event) -> HttpResponse:
    """Redirect to the file of a single paper, or say why there is none."""
    address, fault = one_address(event, one_asked(request.GET))
    return redirect(address) if address else papers_page(request, event, fault=fault, status=422)


@in_event("print")
def event_sheets_pdf(request: Request, event: Event) -> HttpResponse:
    """Every score sheet of the event, in the order of a cut stack."""
    return _send_sheets(request, event, lambda: event_sheets(event), event.name, f"{event.name} score sheets")


@require_POST
@in_event("print")
def unprinted_sheets_pdf(request: Request, event: Event) -> HttpResponse:
    """The score sheets that were not printed in their current form; they are recorded as printed."""
    sheets = unprinted_sheets(event)
    if not sheets:
        messages.info(request, "Every sheet was printed already, and none has changed since.")
        return redirect("desk-papers", event.slug)

    def make() -> bytes:
        content = _sheets(request, event, sheets, event.name)
        note_printed(request.actor, event, [sheet.code for sheet in sheets])
        return content

    return send_file(request, event, make, f"{event.name} new score sheets", "pdf", inline=True)


@in_event("print")
def round_sheets_pdf(request: Request, event: Event, number: int) -> HttpResponse:
    """The score sheets of a round: pre-filled before it, partial during it, final after it."""
    round_ = get_object_or_404(Round, event=event, number=number)
    note_papers(request.actor, event, ["sheets"])
    return _send_sheets(
        request,
        event,
        lambda: event_sheets(event, rounds=[number]),
        f"{event.name}, {round_}",
        f"{event.name} {round_} score sheets",
    )


@on_game("print")
def game_sheet_pdf(request: Request, game: Game) -> HttpResponse:
    """One table's sheet as it stands now."""
    event = game.round.event

    def sheet() -> list[GameSheet]:
        return [game_sheet(get_object_or_404(sheet_games(), pk=game.pk))]

    return _send_sheets(request, event, sheet, f"{game}", f"{event.name} {game}")


@in_event("print")
def blank_sheet_pdf(request: Request, event: Event) -> HttpResponse:
    """An empty score sheet to be copied, and one for each stage with its own rules; `?board=simple` for less."""
    simple = request.GET.get("board") == "simple"
    words = "blank score sheet, scores only" if simple else "blank score sheet"
    return _send_sheets(
        request,
        event,
        lambda: [blank_sheet(event, round_) for round_ in (None, *stage_rounds(event))],
        f"{event.name}, {words}",
        f"{event.name} {words}",
        simple=simple,
    )


@in_event("print")
def event_paper(request: Request, event: Event, name: str) -> HttpResponse:
    """A paper of the whole event, or a list of it."""
    wanted = Wanted(event, with_money=_sees_money(request, event, name))
    note_papers(request.actor, event, [name])
    words = CALLED.get(name, name)
    return send_file(
        request,
        event,
        lambda: printed(wanted, [name], f"{event.name}: {words}", site_of(request)),
        f"{event.name} {words}",
        "pdf",
        inline=True,
    )


@in_event("print")
def seating_pdf(request: Request, event: Event, number: int) -> HttpResponse:
    """Who sits where in a round, for the wall."""
    round_ = get_object_or_404(Round, event=event, number=number)
    note_papers(request.actor, event, ["seating"])
    return send_file(
        request,
        event,
        lambda: printed(Wanted(event, number), ["seating"], f"{event.name}: seating, {round_}", site_of(request)),
        f"{event.name} {round_} seating",
        "pdf",
        inline=True,
    )


@in_event("print")
def workbook(request: Request, event: Event) -> HttpResponse:
    """Every list of the event."""
    with_money = _sees_money(request, event)

    def make() -> bytes:
        return event_workbook(whole_book(event), event_sheets(event), with_money=with_money)

    return send_file(request, event, make, event.name, "xlsx")


def _send_sheets(
    request: Request,
    event: Event,
    read: Callable[[], Iterable[GameSheet]],
    title: str,
    name: str,
    *,
    simple: bool = False,
) -> HttpResponse:
    """Send score sheets as one paper; they are read while it is made."""
    return send_file(
        request, event, lambda: _sheets(request, event, read(), title, simple=simple), name, "pdf", inline=True
    )


def _sheets(request: Request, event: Event, sheets: Iterable[GameSheet], title: str, *, simple: bool = False) -> bytes:
    site = site_of(request)
    return score_sheets(sheets, title=title, simple=simple, paper=event.paper, zone=event.time_zone, site=site)


@in_event("print")
def event_list(request: Request, event: Event, name: str, kind: str) -> HttpResponse:
    """A list of the event as Excel, CSV or JSON."""
    with_money = _sees_money(request, event, name)
    return send_file(
        request, event, lambda: WRITERS[kind](LISTS[name](event).seen(with_money)), f"{event.name} {name}", kind
    )


class Paper(NamedTuple):
    """A paper or a list: the kinds of the whole evening, and those of one round."""

    key: str
    words: str
    whole: tuple[str, ...] = ()
    each: tuple[str, ...] = ()


class PaperChoice(NamedTuple):
    """The requested paper; `of` is the number of a round, or empty for the whole evening."""

    thing: str
    of: str
    kind: str


def papers_of(event: Event, hidden: Collection[str] = ()) -> tuple[Paper, ...]:
    """Everything that can be printed or downloaded individually, except what is hidden."""
    unit = ruleset_of(event).unit
    own = {"teams": f"{unit.capitalize()}s", "pot": "Boston pot", "money": "Money (cash sheet)"}
    own["entries"] = "Entries by players"
    if event.entries_from is None and not event.registrations.exists():
        hidden = {*hidden, "entries"}
    lists = [
        Paper(name, own.get(name, name.replace("-", " ").capitalize()), EVERY if name in PAPERS else FILES)
        for name in LISTS
        if name not in hidden
    ]
    return (
        Paper("score-sheets", "Score sheets", ("pdf",), ("pdf", "xlsx")),
        Paper("seating", "Seating", (), ("pdf",)),
        Paper("slips", f"{unit.capitalize()} slips", ("pdf",)),
        *([Paper("check-in", "Check-in poster", ("pdf",))] if event.checks_in else []),
        *([Paper("entry-poster", "Entry poster", ("pdf",))] if event.entries_from else []),
        Paper("rules", "Rules in words", ("pdf",)),
        *lists,
        Paper("poster", "Results poster", ("pdf",)),
        Paper("certificates", "Certificates", ("pdf",)),
        Paper("book", "Event book", ("pdf",)),
    )


def one_asked(sent: QueryDict) -> PaperChoice:
    """What a form asks for; if nothing, the score sheets of the evening."""
    return PaperChoice(sent.get("thing", "score-sheets"), sent.get("of", ""), sent.get("as", "pdf"))


def one_address(event: Event, asked: PaperChoice) -> tuple[str, str]:
    """The address of the file; or none, and the reason."""
    paper = next((paper for paper in papers_of(event) if paper.key == asked.thing), None)
    if paper is None or asked.kind not in KINDS:
        return "", "Choose what to print, and as what."
    if asked.of and not (asked.of.isdecimal() and event.rounds.filter(number=int(asked.of)).exists()):
        return "", "There is no such game."
    if asked.kind not in (paper.each if asked.of else paper.whole):
        return "", _missing(paper, asked)
    if paper.key == "certificates" and (awaits := print_job(event, AFTER).awaits):
        return "", f"{paper.words}: {awaits[0].lower()}{awaits[1:]}"
    return _address(event.slug, asked), ""


def _missing(paper: Paper, asked: PaperChoice) -> str:
    if asked.of and not paper.each:
        return f"{paper.words}: of the whole evening only."
    if not asked.of and asked.kind in paper.each:
        return f"{paper.words}: choose a game."
    kinds = paper.each if asked.of else paper.whole
    return f"{paper.words}: as {' or '.join(KINDS[kind] for kind in kinds)}."


def _address(slug: str, asked: PaperChoice) -> str:
    if asked.of:
        names = {("score-sheets", "pdf"): "round-pdf", ("score-sheets", "xlsx"): "round-boards"}
        return reverse(names.get((asked.thing, asked.kind), "seating-pdf"), args=[slug, int(asked.of)])
    if asked.thing == "score-sheets":
        return reverse("sheets-pdf", args=[slug])
    if asked.kind == "pdf":
        return reverse("event-pdf", args=[slug, "cash" if asked.thing == "money" else asked.thing])
    return reverse("event-list", args=[slug, asked.thing, asked.kind])


# What a director prints in one go: chosen on the page, in one file, in the order of handing out.


@require_POST
@in_event("print")
def print_choice(request: Request, event: Event, job: str) -> HttpResponse:
    """Print the checked papers. Cards are made here; a file without them has its own address."""
    chosen = print_job(event, job).without(hidden_papers(request, event)).chosen(request.POST.getlist("part"))
    if not chosen.keys:
        return papers_page(request, event, wrong=job, status=409 if chosen.awaits else 422)
    note_papers(request.actor, event, chosen.keys)
    if CARDS not in chosen.keys:
        address = reverse("print-job", args=[event.slug, job])
        return redirect(f"{address}?{urlencode({'part': chosen.keys}, doseq=True)}")
    access.require(request.actor, "pair-tablets", event)
    return _printed(request, event, chosen)


@require_safe
@in_event("print")
def print_file(request: Request, event: Event, job: str) -> HttpResponse:
    """A job as one file. It changes nothing, and printing it again gives the same paper."""
    chosen = print_job(event, job).without(hidden_papers(request, event))
    chosen = chosen.chosen(set(request.GET.getlist("part") or chosen.keys) - {CARDS})
    if not chosen.keys:
        raise Http404
    return _printed(request, event, chosen)


def _printed(request: Request, event: Event, job: PrintJob) -> HttpResponse:
    name = f"{event.name} {job.button.lower()}"

    def make() -> bytes:
        cards = []
        if CARDS in job.keys:
            # New ones for the tables that have no tablet.
            address = hall_address(request, reverse("pair"))
            codes = issue_cards(request.actor, event, tables_without(tablet_list(event)))
            cards = [TableCard(table, spaced_code(code), f"{address}#{code}") for table, code in sorted(codes.items())]
        wanted = Wanted(event, job.round or 0, cards, _sees_money(request, event))
        return printed(wanted, job.keys, name, site_of(request))

    return send_file(request, event, make, name, "pdf", inline=True)


# Score boards as a workbook: downloaded, uploaded filled, looked at, then entered.

SALT = "boards"


@in_event("print")
def blank_boards_file(request: Request, event: Event) -> HttpResponse:
    """An empty board with the event's rules, or those of the named stage; `?board=simple` for bids and scores alone."""
    simple = request.GET.get("board") == "simple"
    kind = "blank scores-only workbook" if simple else "blank score workbook"
    wanted, stages = request.GET.get("stage", ""), {str(round_): round_ for round_ in stage_rounds(event)}
    if wanted and wanted not in stages:
        raise Http404
    stage = stages.get(wanted)
    name = " ".join(filter(None, (event.name, str(stage or ""), kind)))
    return send_file(request, event, lambda: boards_workbook(blank_boards(event, stage, simple=simple)), name, "xlsx")


@in_event("print")
def round_boards_file(request: Request, event: Event, number: int) -> HttpResponse:
    """The boards of a round, a sheet for each table."""
    round_ = get_object_or_404(Round, event=event, number=number)
    simple = request.GET.get("board") == "simple"
    kind = "scores-only workbook" if simple else "score workbook"
    name = f"{event.name} {round_} {kind}"
    return send_file(request, event, lambda: boards_workbook(round_boards(event, round_, simple=simple)), name, "xlsx")


@in_event("correct")
def boards_page(request: Request, event: Event) -> HttpResponse:
    """Upload filled boards: a dry run shows what would be entered and what is wrong."""
    form = BoardsForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return _page(request, event, form, None, status)
    read = read_boards(event, form.cleaned_data["file"].read())
    return _page(request, event, form, read, 422 if read.faults else 200)


@require_POST
@in_event("correct")
def boards_entry(request: Request, event: Event) -> HttpResponse:
    """Enter the lines that were looked at: all of them or none."""
    try:
        new = enter_boards(request.actor, event, _accepted(event, request.POST.get("boards", "")))
    except DomainError as refusal:
        read = ReadBoards(faults=list(refusal.faults))
        return _page(request, event, BoardsForm(), read, refusal.status)
    messages.success(
        request,
        f"{new} line{'' if new == 1 else 's'} entered." if new else "Every line of this file was already entered.",
    )
    return redirect("desk-boards", event.slug)


def _accepted(event: Event, signed: str) -> Any:
    try:
        slug, boards = signing.loads(signed, salt=SALT, max_age=3600)
    except signing.BadSignature:
        raise DomainError("This page is too old. Upload the file again.") from None
    if slug != event.slug:
        raise DomainError("This score workbook belongs to another event.")
    return boards


def _page(request: Request, event: Event, form: BoardsForm, read: ReadBoards | None, status: int) -> HttpResponse:
    signed = ""
    if read is not None and not read.faults:
        signed = signing.dumps([event.slug, keys_of(read.boards)], salt=SALT, compress=True)
    context = {"event": event, "tab": "papers", "form": form, "read": read, "signed": signed}
    return render(request, "desk/boards.html", context, status=status)
