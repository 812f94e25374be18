"""A game at the desk: its sheet, corrections, rulings, signatures on paper, the second look, notices."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_GET, require_http_methods, require_POST

from tournament import access
from tournament.errors import Conflict, DomainError
from tournament.forms.hand import (
    Revision,
    TypedSheet,
    line_values,
    read_confirmed,
    read_hand,
    read_index,
    read_key,
    read_line,
    read_place,
    read_position,
    read_revision,
    read_totals,
    typed_line,
    typed_values,
    typed_words,
)
from tournament.forms.ruling import RulingForm, ruling_on
from tournament.gate.middleware import render
from tournament.lists.sheets import rulings_list
from tournament.models import Event, Game, Notice
from tournament.queries.clocks import seconds_of_grace
from tournament.queries.deskgame import DeskGame, desk_game, desk_sheet, sheet_before, sheet_line
from tournament.queries.history import game_history
from tournament.queries.lineups import table_of
from tournament.queries.people import corrections_of
from tournament.queries.rulings import LATE, likely_of, rulings_of, team_that_goes
from tournament.queries.sheet import effect_of_hand, with_sheet
from tournament.queries.sheetfacts import Row
from tournament.queries.typed_sheets import verify_queue
from tournament.request import Request
from tournament.services.confirming import NeedsConfirmation
from tournament.services.corrections import (
    acknowledge_notice,
    apply_ruling,
    bring_back,
    correct_sheet,
    replace_by_ruling,
    retype_sheet,
    rule_on_final,
    withdraw_ruling,
)
from tournament.services.entries import open_from_paper, record_entry, undo_entry
from tournament.services.events import change_event
from tournament.services.rounds import begin_from_paper, seat_side, unseat_side
from tournament.services.signatures import (
    note_paper_signatures,
    sign_sheet,
    take_paper_signatures_back,
    take_signature_back,
    verify_sheet,
)
from tournament.tables import page_table
from tournament.views.confirming import correction_buttons, question, with_password
from tournament.views.pages import Page, at_desk, done, in_event, nothing_new, page_or_part, public_page, sent
from tournament.views.teams import changed, settle_draw

# An act on a game. Returns the message about it, or none.
Acting = Callable[[Request, Game], str | None]


@require_GET
@at_desk("see-desk")
def show(request: Request, game: Game) -> HttpResponse:
    """The full sheet with its versions, rulings and signatures."""
    if nothing_new(request, game.version):
        return HttpResponse(status=204)
    context = _context(request, game)
    return page_or_part(request, "desk/game.html", "desk/_sheet.html", context)


def on_sheet(action: str, form: str) -> Callable[[Acting], Page]:
    """A press on the page of a game, or on its table's card. A refusal is shown at its `form`."""

    def wrap(act: Acting) -> Page:
        @require_POST
        @at_desk(action)
        @functools.wraps(act)
        def view(request: Request, game: Game) -> HttpResponse:
            return _answer(request, game, act, form)

        return view

    return wrap


def _answer(request: Request, game: Game, act: Acting, form: str) -> HttpResponse:
    try:
        done = act(request, game)
    except NeedsConfirmation as needed:
        context = _context(request, game) | {"values": typed_values(request.POST)}
        return render(request, "desk/game.html", context | _question(request, game, needed, "Bring them back"))
    except DomainError as refusal:
        return refused_at(request, game, refusal, form)
    if done:
        messages.success(request, done)
    return _back_to(request, game)


@on_sheet("record", "entry")
def enter(request: Request, game: Game) -> str:
    """Write the next line from paper: a hand, a void hand, the end of time, an agreed stop."""
    sheet = desk_game(request.actor, game.pk).sheet
    posted = read_line(sheet, request.POST).checked()
    position, key = posted.position, posted.client_key
    entry = record_entry(request.actor, game, posted.facts, position=position, client_key=key, source="paper")
    # The same form sent twice is one hand, with the number that it had.
    number = sheet.scored.hands.get(entry.position, sheet.hands + 1)
    words = {"hand": f"Hand {number} saved.", "void": "Void hand saved."}
    return words.get(entry.kind, "Saved.")


@require_http_methods(["GET", "POST"])
@at_desk("record")
def preview(request: Request, game: Game) -> HttpResponse:
    """What a hand would do, before it is written."""
    desk = desk_game(request.actor, game.pk)
    typed = request.POST or request.GET
    posted = read_hand(desk.sheet, typed)
    effect = effect_of_hand(desk.game, posted.facts, posted.faults)
    if request.htmx:
        return render(request, "components/effect.html", {"effect": effect})
    return render(
        request, "desk/game.html", _context(request, game) | {"values": typed_values(typed), "effect": effect}
    )


@on_sheet("record", "sheet")
def undo(request: Request, game: Game) -> str:
    """Take the last line off the sheet; it stays on record."""
    position, key = read_position(request.POST) or 0, read_key(request.POST)
    undo_entry(request.actor, game, position=position, client_key=key, source="desk")
    return "The last line was undone."


@on_sheet("record", "opening")
def opening(request: Request, game: Game) -> str:
    """Continue a game from the totals of a paper sheet."""
    desk = desk_game(request.actor, game.pk)
    open_from_paper(request.actor, game, read_totals(desk.rules, desk.sheet, request.POST))
    return "The game continues from the totals of the paper sheet."


@on_sheet("seat", "seats")
def seat(request: Request, game: Game) -> str | None:
    """Record at the desk that a side is seated or not, or who dealt first, which seats everybody.

    For a table's card, the answer is the round with all its tables.
    """
    if "dealer" in request.POST:
        begin_from_paper(request.actor, game, read_index(request.POST["dealer"]))
        return None
    act = unseat_side if "away" in request.POST else seat_side
    seated = act(request.actor, game, read_index(request.POST.get("side", "")))
    return f"{'Seated' if seated.seated_at else 'Not seated'}: {seated.team.full_name}."


@on_sheet("paper-signatures", "witness")
def on_paper(request: Request, game: Game) -> str:
    """Record that all sides signed the paper sheet, as the sender has seen."""
    note_paper_signatures(request.actor, game, request.POST.get("code", ""))
    return f"Table {game.table} is signed on paper. You can undo it until {game.round.inside} is closed."


@on_sheet("paper-signatures", "witness")
def return_paper_signatures(request: Request, game: Game) -> str:
    """Undo the signatures on paper, or the signature of one side until the last has signed."""
    if "side" in request.POST:
        take_signature_back(request.actor, game, read_index(request.POST["side"]))
    else:
        take_paper_signatures_back(request.actor, game, request.POST.get("code", ""))
    return "Undone: the game waits to be signed."


@on_sheet("witness", "witness")
def witness(request: Request, game: Game) -> str:
    """Sign for a side as a witness, with the reason."""
    name, posted = request.actor.account.get_username(), request.POST
    side, code, reason = read_index(posted.get("side", "")), posted.get("code", ""), posted.get("reason", "")
    sign_sheet(request.actor, game, side=side, name=name, code=code, reason=reason)
    return "Signed."


def _back_to(request: Request, game: Game) -> HttpResponse:
    """The page of the act: the game's own, or the round if its table has a card there."""
    slug = game.round.event.slug
    if "card" in request.POST:
        # The round in play needs no name: the page then moves to the next one by itself.
        chosen = "" if game.round.state == "running" else f"?round={game.round.number}"
        return redirect(f"{reverse('desk', args=[slug])}{chosen}#table-{game.table}")
    return redirect("desk-game", slug, game.pk)


def _context(request: Request, game: Game) -> dict[str, Any]:
    desk = desk_game(request.actor, game.pk)
    return {
        "event": desk.game.round.event,
        "tab": "round",
        "desk": desk,
        "sheet": desk.sheet,
        "history": game_history(desk.game),
        "client_key": uuid.uuid4(),
        "position": desk.sheet.next_position,
        "values": {},
        "faults": (),
    }


def refused_at(request: Request, game: Game, refusal: DomainError, where: str) -> HttpResponse:
    """The page again with the typed values and what is wrong, at the right form."""
    context = _context(request, game) | {"values": typed_values(request.POST), "wrong": where, "refusal": refusal}
    context["meanwhile"] = _meanwhile(request, context["desk"], refusal)
    if where == "entry":
        context["faults"] = refusal.faults
    return render(request, "desk/game.html", context, status=refusal.status)


def _meanwhile(request: Request, desk: DeskGame, refusal: DomainError, position: int | None = None) -> dict[str, str]:
    """After a conflict: who did what, the typed values, and a way to replace one with the other."""
    if refusal.status != Conflict.status:
        return {}
    typed, here = request.POST, position or read_index(request.POST.get("position", ""))
    row = next((row for row in desk.sheet.rows if row.position == here), None)
    if row is None:
        return {}
    line = f"hand {row.number}" if row.number else f"line {row.position}"
    what = {"head": f"{row.by} {'corrected' if row.revision else 'recorded'} {line} while you typed:"}
    what |= {"stands": row.written.headed, "typed": typed_words(sheet_before(desk, here), typed)}
    if position is None and desk.corrects and row.kind == "hand" and typed.get("kind", "hand") == "hand":
        to = reverse("game-revision", args=[desk.game.round.event.slug, desk.game.pk, here])
        what |= {"to": f"{to}?{urlencode(typed_values(typed))}", "act": f"Correct {line} to this"}
    return what


# Ruling on a game, step by step; correcting a line of a sheet; and the report of all rulings of an event.

FINAL = "You are about to correct a final sheet."


@require_http_methods(["GET", "POST"])
@at_desk("rule")
def rule(request: Request, game: Game) -> HttpResponse:
    """Choose what happened, whose fault, the choice, the effect; then apply. Every step has its own address.

    A game that its hands ended and nobody has signed redirects to the place of the last hand.
    """
    desk = desk_game(request.actor, game.pk)
    if request.method == "GET" and desk.last_hand is not None:
        # What is found when the books are counted is ruled on in the place of the hand that ended the game.
        there = reverse("game-line-ruling", args=[game.round.event.slug, game.pk, desk.last_hand])
        return redirect(f"{there}?{request.GET.urlencode()}" if request.GET else there)
    form = ruling_on(desk, request.POST if request.method == "POST" else request.GET)
    if request.method == "GET" or "show" in request.POST:
        return render(request, "desk/ruling.html", _ruling_context(request, desk, form))
    try:
        return _rule_on_final(request, desk, form) if game.state == "final" else _apply_ruling(request, game, form)
    except DomainError as refusal:
        context = _ruling_context(request, desk, form) | {"refusal": refusal, "shown": refusal.faults}
        context["meanwhile"] = _meanwhile(request, desk, refusal)
        return render(request, "desk/ruling.html", context, status=refusal.status)


@require_http_methods(["GET", "POST"])
@at_desk("rule")
def rule_instead(request: Request, game: Game, position: int) -> HttpResponse:
    """A ruling in the place of an existing line, also on the sheet of a final game."""
    desk = desk_sheet(request.actor, with_sheet(game))
    line = sheet_line(desk, position)
    form = ruling_on(desk, request.POST if request.method == "POST" else request.GET, position)
    if request.method == "GET" or "show" in request.POST:
        return render(request, "desk/ruling.html", _ruling_context(request, desk, form) | {"line": line})
    try:
        return _replace(request, desk, line, form)
    except DomainError as refusal:
        context = _ruling_context(request, desk, form) | {"line": line, "refusal": refusal, "shown": refusal.faults}
        return render(request, "desk/ruling.html", context, status=refusal.status)


@require_GET
@in_event("see-desk")
def report(request: Request, event: Event) -> HttpResponse:
    """Every ruling of the event, newest first, including waived and withdrawn ones."""
    table = page_table(rulings_list(event, rulings_of(event)), request, order_by="-at")
    context = {"event": event, "tab": "rulings", "table": table}
    return render(request, "desk/rulings.html", context)


def after_ruling(request: Request, game: Game, facts: dict[str, Any]) -> str:
    """Where to go after a ruling replaced a line or was withdrawn.

    Back to the sheet; if the ruling sends a team away, to that team's page, where it is decided whether it plays on.
    """
    event = game.round.event
    settle_draw(request, event)
    team = team_that_goes(game, facts)
    if team is None:
        return reverse("desk-game", args=[event.slug, game.pk])
    stands = "Still in play" if team.status == "playing" else "Still withdrawn"
    messages.warning(request, f"{stands}: {team.full_name}. If that is no longer right, change it here.")
    return reverse("desk-team", args=[event.slug, team.number])


def _apply_ruling(request: Request, game: Game, form: RulingForm) -> HttpResponse:
    """Write it; if a team leaves because of it, first show the new draw of the rounds that have not started."""
    facts, position, key = form.checked(), read_position(request.POST), read_key(request.POST)
    team = team_that_goes(game, facts) if form.leaves and request.POST.get("leaves") == "yes" else None
    act = partial(apply_ruling, request.actor, game, facts, position=position, client_key=key, leaves=bool(team))
    event, sheet = game.round.event, reverse("desk-game", args=[game.round.event.slug, game.pk])
    if team:
        return changed(request, event, act, f"Withdraw {team.full_name}", "The ruling is on the sheet.", back=sheet)
    act()
    return done(request, "The ruling is on the sheet.", sheet)


def _rule_on_final(request: Request, desk: DeskGame, form: RulingForm) -> HttpResponse:
    """Write it on a final sheet, after showing everything it changes."""
    facts, confirmed = form.checked(), read_confirmed(request.POST)
    reason = form.values.get("reason") or (form.rule.when if form.rule else "")
    act = partial(rule_on_final, request.actor, desk.game, facts, reason=reason, confirmed=confirmed)
    try:
        with_password(request, FINAL, act)
    except NeedsConfirmation as needed:
        context = _ruling_context(request, desk, form) | _question(request, desk.game, needed)
        return render(request, "desk/ruling.html", context)
    messages.success(request, "The ruling is on the sheet.")
    return redirect(after_ruling(request, desk.game, facts))


def _replace(request: Request, desk: DeskGame, line: Row, form: RulingForm) -> HttpResponse:
    """Save what was shown."""
    # The page of a ruling shows what it does to the lines before it; a final game and later lines change more.
    is_last = line.position == desk.sheet.rows[-1].position and desk.game.state != "final"
    confirmed = None if is_last else read_confirmed(request.POST)
    # A ruling on a hand that nobody has signed is like any other: its reason is also the reason for replacing it.
    happened = form.rule.when if form.rule and desk.last_hand == line.position else ""
    revision, facts = read_place(line, request.POST, happened), form.checked()
    act = partial(replace_by_ruling, request.actor, desk.game, facts, **revision, confirmed=confirmed)
    try:
        _correct(request, desk.game, act)
    except NeedsConfirmation as needed:
        context = _ruling_context(request, desk, form) | {"line": line} | _question(request, desk.game, needed)
        return render(request, "desk/ruling.html", context)
    messages.success(request, "The ruling is on the sheet in place of the line.")
    return redirect(after_ruling(request, desk.game, facts))


def _correct(request: Request, game: Game, act: Callable[[], object]) -> None:
    """Correct a sheet; a final one with the password."""
    if game.state == "final":
        with_password(request, FINAL, act)
    else:
        act()


def _question(
    request: Request, game: Game, needed: NeedsConfirmation, words: str = "Save the correction"
) -> dict[str, Any]:
    """Everything a correction changes, on the page where it was made."""
    back = reverse("desk-game", args=[game.round.event.slug, game.pk])
    return question(request, needed, correction_buttons(needed.impact, words), back)


def _ruling_context(request: Request, desk: DeskGame, form: RulingForm) -> dict[str, Any]:
    is_late = form.rule is not None and form.rule.rule in LATE
    likely, others = likely_of(form.table, desk.sheet.call.kind if desk.sheet.call else "")
    return {
        "event": desk.game.round.event,
        "tab": "round",
        "desk": desk,
        "sheet": desk.sheet,
        "form": form,
        "early": seconds_of_grace(desk.game.round, desk.rules) if is_late else 0,
        "here": request.path,
        "shown": form.faults,
        "likely": likely,
        "others": others,
        "position": desk.sheet.next_position,
        "client_key": uuid.uuid4(),
    }


@require_http_methods(["GET", "POST"])
@at_desk("correct")
def revise(request: Request, game: Game, position: int) -> HttpResponse:
    """Rewrite a line or take it off. Everything it changes is shown first."""
    desk = desk_sheet(request.actor, with_sheet(game))
    line = sheet_line(desk, position)
    if line.ruled:
        access.require(request.actor, "rule", game.round.event)
    if request.method == "GET":
        shown = line_values(line.facts, sheet_before(desk, position)) | typed_line(request.GET)
        return _revision_page(request, desk, line, values=shown)
    try:
        return _save(request, desk, line, read_revision(sheet_before(desk, position), line, request.POST))
    except DomainError as refusal:
        return _revision_page(
            request,
            desk,
            line,
            status=refusal.status,
            values=typed_line(request.POST),
            refusal=refusal,
            meanwhile=_meanwhile(request, desk, refusal, position),
            at_entry=() if request.POST.get("what") == "remove" else refusal.faults,
        )


@on_sheet("correct", "set-aside")
def set_aside(request: Request, game: Game) -> str:
    """Count lines again that a correction put after the end of the game. What that changes is shown first."""
    bring_back(request.actor, game, request.POST.get("reason", ""), read_confirmed(request.POST))
    return "The lines count again."


def _save(request: Request, desk: DeskGame, line: Row, revision: Revision) -> HttpResponse:
    game = desk.game
    line_now: dict[str, Any] = {"position": line.position, "revision": revision.revision, "reason": revision.reason}
    line_now["confirmed"] = revision.confirmed
    if line.ruled and revision.facts is None:
        act = partial(withdraw_ruling, request.actor, game, **line_now)
    else:
        act = partial(correct_sheet, request.actor, game, facts=revision.facts, **line_now)
    try:
        _correct(request, game, act)
    except NeedsConfirmation as needed:
        values = typed_line(request.POST)
        return _revision_page(request, desk, line, values=values, **_question(request, game, needed))
    messages.success(request, "The ruling is withdrawn." if line.ruled else "The line is corrected.")
    return redirect(after_ruling(request, game, line.facts if line.ruled else {}))


@require_http_methods(["GET", "POST"])
@at_desk("correct")
def type_again(request: Request, game: Game) -> HttpResponse:
    """The whole sheet typed again, as one correction. Everything it changes is shown first."""
    typed = TypedSheet(desk_sheet(request.actor, with_sheet(game)), sent(request))
    if request.method == "GET":
        return _sheet_page(request, typed)
    try:
        correction = typed.checked()
        if typed.strikes_ruling:
            access.require(request.actor, "rule", game.round.event)
        _correct(request, game, partial(retype_sheet, request.actor, game, **correction))
    except NeedsConfirmation as needed:
        return _sheet_page(request, typed, **_question(request, game, needed))
    except DomainError as refusal:
        meanwhile = _meanwhile(request, typed.desk, refusal)
        return _sheet_page(request, typed, refusal.status, refusal=refusal, meanwhile=meanwhile)
    settle_draw(request, game.round.event)
    return done(request, "The sheet is corrected.", "desk-game", game.round.event.slug, game.pk)


def _sheet_page(request: Request, typed: TypedSheet, status: int = 200, **extra: Any) -> HttpResponse:
    desk = typed.desk
    context = {"event": desk.game.round.event, "tab": "round", "desk": desk, "sheet": desk.sheet, "typed": typed}
    return render(request, "desk/type_again.html", context | {"values": typed.values} | extra, status=status)


def _revision_page(request: Request, desk: DeskGame, line: Row, status: int = 200, **extra: Any) -> HttpResponse:
    context = {
        "event": desk.game.round.event,
        "tab": "round",
        "at_entry": (),
        "desk": desk,
        "sheet": sheet_before(desk, line.position),
        "line": line,
        **extra,
    }
    return render(request, "desk/revision.html", context, status=status)


# Notices that teams have read, and the public list of corrections.


@require_POST
def acknowledge(request: Request, pk: int) -> HttpResponse:
    """Acknowledge a notice at the table where the team sits now, or at the desk."""
    notice = get_object_or_404(Notice.objects.select_related("team__event", "game__round"), pk=pk)
    here = table_of(request.actor, notice.team)
    access.require(request.actor, "see-table", notice.team.event, here or notice.game)
    acknowledge_notice(request.actor, notice)
    if request.actor.person is None:
        return redirect("tablet")
    return redirect("desk-game", notice.team.event.slug, notice.game_id)


@conditional_page
@require_GET
@in_event("see-event")
def corrections(request: Request, event: Event) -> HttpResponse:
    """Every final game that an official corrected, with the reason: for everybody."""
    context = {"event": event, "corrections": corrections_of(event)}
    return public_page(request, "public/corrections.html", "public/_corrections.html", context)


# The queue of sheets that were typed from paper, and the second person's look at one of them.


@require_GET
@in_event("see-desk")
def queue(request: Request, event: Event) -> HttpResponse:
    """The sheets that wait, were rejected or verified; those of one typist."""
    state, typist = request.GET.get("state", "waiting"), request.GET.get("by", "")
    shown = verify_queue(event, state, typist)
    context = {"event": event, "tab": "round", "queue": shown, "state": state, "by": typist}
    context["alone"] = event.officials.count() < 2
    return render(request, "desk/verify.html", context)


@require_POST
@in_event("set-up")
def run_alone(request: Request, event: Event) -> HttpResponse:
    """Record that the director runs the event alone: nobody is asked for a second look."""
    change_event(request.actor, event, {"verify_own": True}, confirmed=True)
    messages.success(request, "You run this event alone: typed sheets count. You can turn that off under Setup.")
    return redirect("desk", event.slug)


@require_http_methods(["GET", "POST"])
@at_desk("verify")
def verify(request: Request, game: Game) -> HttpResponse:
    """One sheet next to its paper: accept or reject, not edit."""
    desk = desk_game(request.actor, game.pk)
    context = {"event": game.round.event, "tab": "round", "desk": desk, "sheet": desk.sheet}
    if request.method == "GET":
        return render(request, "desk/verify_game.html", context)
    accepted = request.POST.get("what") == "accept"
    posted = {"code": request.POST.get("code", ""), "reason": request.POST.get("reason", "")}
    try:
        verify_sheet(request.actor, game, accepted=accepted, **posted)
    except DomainError as refusal:
        shown = context | {"refusal": refusal, "values": request.POST}
        return render(request, "desk/verify_game.html", shown, status=refusal.status)
    messages.success(request, f"{game.round}, table {game.table}: sheet {'accepted' if accepted else 'rejected'}.")
    return redirect("desk-verify", game.round.event.slug)
