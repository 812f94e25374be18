"""The teams of an event at the desk: entered, listed, changed while the event goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import may
from tournament.errors import DomainError, ValidationFailed
from tournament.forms.fields import show_faults
from tournament.forms.hand import read_confirmed
from tournament.forms.respelt import read_who
from tournament.forms.roster.form import RosterForm
from tournament.forms.teams import MergeForm, SubstituteForm, SwapForm, TeamForm, WithdrawalForm
from tournament.gate.middleware import render
from tournament.lists.teams import desk_teams_list
from tournament.models import Event, Round, Team
from tournament.queries.decisions import draw_question
from tournament.queries.ledger import cash
from tournament.queries.lineups import substitutions_of
from tournament.queries.roster import letters_note, row_of
from tournament.queries.rules import ruleset_of
from tournament.queries.todo_next import shared_players
from tournament.request import Request
from tournament.services import ledger as marks
from tournament.services import substitutions, teams
from tournament.services.confirming import NeedsConfirmation
from tournament.services.playoffs import decide_placing
from tournament.services.respelling import SeatAnswers, WhoIsIt, respell_team
from tournament.services.substitutions import change_and_reseat, has_rounds_to_reseat
from tournament.services.teams import enter_roster
from tournament.services.waiting import PAST_THE_LIMIT, enter_up_to_limit, past_the_limit
from tournament.tables import page_table, team_switch
from tournament.views.confirming import correction_buttons, question, question_page, seating_buttons, with_password
from tournament.views.pages import done, in_event, on_form, page_or_part, sent

# Team changes during the event: the effect on the draw is shown first, then done in one act.

ENDS = "Games in play that will end:"
# How to undo an act: shown before it, and again after it.
BACK_IN_PLAY = "To undo this, press “Back in play” on the team’s page. Games already awarded stay awarded."
ENTER_AGAIN = "To undo this, enter it again with its players."
SWAP_AGAIN = "To undo this, swap the same two again."


def team_page(request: Request, team: Team, status: int = 200, **forms: Any) -> HttpResponse:
    """One team at the desk with everything that can be done; a refused form keeps its typed values."""
    event = team.event
    started = event.rounds.exclude(state="planned").count()
    context: dict[str, Any] = {
        "event": event,
        "tab": "teams",
        "team": team,
        "form": TeamForm(event, None, row_of(team)),
        "leaving": WithdrawalForm(initial={"after_round": started}),
        "substituting": SubstituteForm(team),
        "merging": MergeForm(team),
        "substitutions": substitutions_of(team),
        "asked": None,
        "open": next(iter(forms), ""),
    }
    return render(request, "desk/team.html", context | forms, status=status)


@on_form("change-teams", "leaving", WithdrawalForm, team_page)
def withdrawal(request: Request, team: Team, form: WithdrawalForm) -> HttpResponse:
    """A team leaves, or is sent away."""
    event, typed = team.event, form.cleaned_data
    if teams.has_left(team, **typed):
        # The second press of the same button.
        return redirect("desk-team", event.slug, team.number)
    act = partial(teams.leave, request.actor, event, team.number, **typed)
    words, title = f"Withdrawn: {team.full_name}.", f"Withdraw {team.full_name}"
    warns: dict[str, Any] = {"warning": ENDS, "warn": teams.games_given}
    return changed(request, event, act, title, words, "Withdraw", undo=BACK_IN_PLAY, **warns)


@require_POST
@in_event("change-teams")
def comeback(request: Request, event: Event, number: int) -> HttpResponse:
    """A team that had left plays on."""
    team = get_object_or_404(Team, event=event, number=number)
    act = partial(teams.return_team, request.actor, event, number)
    return changed(
        request, event, act, f"Bring back {team.full_name}", f"Back in play: {team.full_name}.", "Bring back"
    )


@on_form("change-teams", "merging", MergeForm, team_page, of_team=True)
def merge(request: Request, team: Team, form: MergeForm) -> HttpResponse:
    """Another entry's players join this team."""
    other, name = form.cleaned_data["other"], form.cleaned_data["new_name"]
    act = partial(teams.merge_teams, request.actor, team.event, team.number, other, name)
    title = f"Merge No. {other} into {team.full_name}"
    words = noted("The two entries were merged.", name)
    return changed(request, team.event, act, title, words, "Merge")


@on_form("change-teams", "substituting", SubstituteForm, team_page, of_team=True)
def substitute(request: Request, team: Team, form: SubstituteForm) -> HttpResponse:
    """Enter a substitute for a player."""
    substitution = substitutions.substitute(request.actor, team.event, team.number, **form.cleaned_data)
    words = noted(f"{substitution.into} plays for {substitution.out}.", substitution.into)
    return done(request, words, "desk-team", team.event.slug, team.number)


@require_http_methods(["GET", "POST"])
@in_event("draw")
def swap(request: Request, event: Event, number: int) -> HttpResponse:
    """Two teams of a round sat in each other's place."""
    round_ = get_object_or_404(event.rounds, number=number)
    form = SwapForm(round_, request.POST or None, initial=request.GET.dict())
    if not form.is_valid():
        return _swap_page(request, round_, form, 422 if form.is_bound else 200)
    there = f"{reverse('desk', args=[event.slug])}?round={number}"
    typed = {"number": number, **form.cleaned_data, "confirmed": read_confirmed(request.POST)}
    act = partial(substitutions.swap_teams, request.actor, event, **typed)
    try:
        with_password(request, "You are about to change who played at which table.", act)
    except NeedsConfirmation as needed:
        asked = question(request, needed, correction_buttons(needed.impact, "Swap them"), there, SWAP_AGAIN)
        return _swap_page(request, round_, form, **asked)
    except DomainError as refusal:
        return _swap_page(request, round_, form, show_faults(form, refusal))
    settle_draw(request, event)
    words = f"The two have changed places; every hand stays at the table where it was recorded. {SWAP_AGAIN}"
    return done(request, words, there)


def changed(
    request: Request,
    event: Event,
    act: Callable[[], Any],
    title: str,
    words: str,
    verb: str = "Save",
    back: str = "",
    undo: str = "",
    **warns: Any,
) -> HttpResponse:
    """Show what an act does to draw or bracket, and do it when that is confirmed; at once if it touches neither.

    `verb` names the act on its button, `warns` is shown in any case (`warning` and `warn` of the service). `back` is
    the page that the user came from and returns to; by default the list of teams. `undo` says how to undo the act.
    """
    back = back or reverse("desk-teams", args=[event.slug])
    redraw, confirmed = request.POST.get("seating") != "keep", read_confirmed(request.POST)
    try:
        change_and_reseat(request.actor, event, act, redraw=redraw, confirmed=confirmed, **warns)
    except NeedsConfirmation as needed:
        buttons = seating_buttons(needed.impact, verb)
        return question_page(request, event, needed, buttons, title=title, back=back, undo=undo)
    return done(request, f"{words} {undo}", back)


def noted(words: str, *names: str) -> str:
    """What was done, and which of the typed names may be deceptive."""
    return " ".join(filter(None, (words, *map(letters_note, names))))


def settle_draw(request: Request, event: Event) -> None:
    """Draw the next round again or keep it, as the preview of the saved change offered."""
    question = draw_question(event) if request.POST.get("drawn") in ("keep", "replay") else None
    if question and may(request.actor, "draw", event):
        decide_placing(request.actor, event, question.source, request.POST["drawn"])


def _swap_page(request: Request, round_: Round, form: SwapForm, status: int = 200, **extra: Any) -> HttpResponse:
    context = {"event": round_.event, "tab": "round", "round": round_, "form": form, **extra}
    return render(request, "desk/swap.html", context, status=status)


# The teams of an event at the desk: the list with fees and pot, one team, numbers; the secretary's list.

ACCEPT, UP_TO_LIMIT = "accept", "up-to-limit"


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("change-teams")
def team_list(request: Request, event: Event) -> HttpResponse:
    """All teams, and a form to add one."""
    form = TeamForm(event, sent(request))
    if form.is_valid():
        try:
            act, name = partial(teams.add_team, request.actor, event, form.row), form.row.name or form.row.players[0]
            words = noted(f"Entered: {name}.", *form.new_names)
            warns: dict[str, Any] = {"warning": PAST_THE_LIMIT, "warn": past_the_limit}
            return changed(request, event, act, f"Enter {name}", words, "Enter", **warns)
        except DomainError as refusal:
            return _list(request, event, form, show_faults(form, refusal))
    return _list(request, event, form, 422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("change-teams")
def one_team(request: Request, event: Event, number: int) -> HttpResponse:
    """One team: change it, or take it off the list."""
    shown = get_object_or_404(Team, event=event, number=number)
    form = TeamForm(event, sent(request), row_of(shown))
    if form.is_valid():
        try:
            said = SeatAnswers(read_who(request.POST), request.POST.get("asked", ""))
            team = respell_team(request.actor, event, number, form.row, said, changed=form.changed_data)
        except WhoIsIt as question:
            # Nobody else did anything: the question is about what was typed here.
            return team_page(request, shown, show_faults(form, question), form=form, asked=question.asked, meanwhile={})
        except DomainError as refusal:
            return team_page(request, shown, show_faults(form, refusal), form=form)
        again = "home" in form.changed_data and has_rounds_to_reseat(event)
        words = f"Saved: {team.in_full}.{' The tables of the games to come were numbered for it.' if again else ''}"
        return done(request, noted(words, *form.new_names), "desk-teams", event.slug)
    return team_page(request, shown, 422 if form.is_bound else 200, form=form)


@require_POST
@in_event("pay")
def mark_paid(request: Request, event: Event, number: int) -> HttpResponse:
    """A fee is paid, or is not."""
    return _mark(request, event, number, "paid", marks.set_paid)


@require_POST
@in_event("pay")
def pot(request: Request, event: Event, number: int) -> HttpResponse:
    """A team joins the Boston pot, or leaves it."""
    return _mark(request, event, number, "pot", marks.set_pot)


@require_POST
@in_event("change-teams")
def removal(request: Request, event: Event, number: int) -> HttpResponse:
    """A team is taken off the list before the event opens."""
    team = get_object_or_404(Team, event=event, number=number)
    act = partial(teams.remove_team, request.actor, event, number)
    words = f"Removed from the list: {team.in_full}."
    return changed(request, event, act, f"Remove {team.full_name}", words, "Remove", undo=ENTER_AGAIN)


@require_POST
@in_event("change-teams")
def numbers(request: Request, event: Event) -> HttpResponse:
    """Team numbers are drawn by lot."""
    count = teams.draw_numbers(request.actor, event)
    return done(request, f"Numbers 1 to {count} are drawn.", "desk-teams", event.slug)


def _mark(request: Request, event: Event, number: int, what: str, act: Callable[..., Team]) -> HttpResponse:
    """Set a mark of the list; once games have been played, marks that take money back are confirmed first."""
    team, on = get_object_or_404(Team, event=event, number=number), request.POST.get("on") == "yes"
    reason = request.POST.get("reason", "")
    try:
        act(request.actor, event, number, on, reason)
    except DomainError as refusal:
        if event.frozen_at is None:
            raise
        faults = refusal.faults if "reason" in request.POST or not isinstance(refusal, ValidationFailed) else ()
        context = {"event": event, "tab": "teams", "team": team, "what": what, "on": on, "here": request.path}
        context |= {"account": cash(event).account(number), "faults": faults, "reason": reason}
        return render(request, "desk/mark.html", context, status=refusal.status)
    return _list(request, event) if request.htmx else redirect("desk-teams", event.slug)


def _list(request: Request, event: Event, form: TeamForm | None = None, status: int = 200) -> HttpResponse:
    books = cash(event)
    table = page_table(desk_teams_list(event, books, team_switch(request, event)), request)
    context: dict[str, Any] = {"event": event, "tab": "teams", "books": books, "table": table}
    context |= {"form": form or TeamForm(event), "twice": shared_players(event), "drawn": event.rounds.exists()}
    context["entries"] = event.entries_from is not None or event.registrations.exists()
    return page_or_part(request, "desk/teams.html", "desk/_teams.html", context, status)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("change-teams")
def roster(request: Request, event: Event) -> HttpResponse:
    """Paste or upload; look through; accept."""
    if request.method != "POST":
        return _page(request, event, RosterForm(event), 200)
    form = RosterForm(event, request.POST, request.FILES)
    is_look = bool(request.htmx or request.POST.get("mend"))
    if not form.is_valid() or (form.roster.faults and not is_look):
        return _page(request, event, form, 422)
    if ACCEPT not in request.POST or form.is_rewritten or is_look:
        return _page(request, event, form, 200)
    return _enter(request, event, form) if form.is_seen and form.is_limit_seen else _page(request, event, form, 422)


def _enter(request: Request, event: Event, form: RosterForm) -> HttpResponse:
    try:
        replace = form.cleaned_data.get("replace", False)
        if request.POST[ACCEPT] == UP_TO_LIMIT:
            teams = enter_up_to_limit(request.actor, event, form.roster.rows, anew=replace)
        else:
            teams = enter_roster(request.actor, event, form.roster.rows, replace=replace)
    except DomainError as refusal:
        form.roster.faults += refusal.faults
        return _page(request, event, form, refusal.status)
    unit = ruleset_of(event).unit
    words = f"1 {unit} is entered" if len(teams) == 1 else f"{len(teams)} {unit}s are entered"
    waits = len(form.roster.rows) - len(teams)
    messages.success(request, f"{words}, {waits} on the waiting list." if waits else f"{words}.")
    return redirect("desk-teams", event.slug)


def _page(request: Request, event: Event, form: RosterForm, status: int) -> HttpResponse:
    context = {"event": event, "tab": "teams", "form": form, "roster": form.roster}
    return render(request, "desk/roster.html", context, status=status)
