"""Paying out at the desk: the payout table, handing shares over, and receipts on paper."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournament.access import second_officials
from tournament.forms.faults import show_faults
from tournament.forms.money import PayoutForm, PrizesForm
from tournament.models import Event
from tournament.queries.cash import cash, payments, receipts_of
from tournament.refusals import Refusal
from tournament.reports.download import download
from tournament.reports.pdf.paper import paper_of
from tournament.reports.pdf.receipts import draw_receipts
from tournament.request import Request
from tournament.services.payouts import check_payout, pay_out, set_prizes
from tournament.signing_in import need_second
from tournament.views.money import shown
from tournament.views.pages import find_event, need_password


@require_POST
def prizes(request: Request, event: str) -> HttpResponse:
    """The payout table."""
    found = find_event(request, event, "pay")
    form = PrizesForm(request.POST)
    if not form.is_valid():
        return shown(request, found, 422, prizes_form=form)
    try:
        set_prizes(request.actor, found, form.cleaned_data)
    except Refusal as refusal:
        return shown(request, found, show_faults(form, refusal), prizes_form=form)
    messages.success(request, "Payout table saved.")
    return redirect("desk-money", found.slug)


@require_POST
def payout(request: Request, event: str) -> HttpResponse:
    """One share is handed over, or every share that is due."""
    found = find_event(request, event, "pay")
    form = PayoutForm(request.POST)
    if not form.is_valid():
        raise Http404
    share = form.cleaned_data["number"], form.cleaned_data["purpose"], form.said.key
    try:
        second = _confirmed(request, found, check_payout(found, *share))
        lines = pay_out(request.actor, found, *share, second)
    except Refusal as refusal:
        return shown(request, found, refusal.status, faults=refusal.faults)
    messages.success(request, f"Paid out. {receipts_of(lines)}.")
    return redirect("desk-money", found.slug)


def _confirmed(request: Request, event: Event, what: str) -> Any:
    """The password again, and a second official where the event has one; nothing where nothing is paid again."""
    if not what:
        return None
    need_password(request, what, again=event.verify_own and not second_officials(request.actor, event))
    return need_second(request, event, what)


def receipt_pdf(request: Request, event: str, number: int) -> HttpResponse:
    """One receipt on paper: the whole payment that this line belongs to."""
    found = find_event(request, event, "pay")
    acts = (act for act in payments(cash(found).lines) if any(line.number == number for line in act))
    if (act := next(acts, None)) is None:
        raise Http404
    content = paper_of(found, "receipts", lambda papers: draw_receipts(papers, found, act))
    return download(content, f"{found.name} receipt {number}", "pdf", inline=True)
