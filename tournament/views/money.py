"""Money at the desk: who owes and paid, every receipt, one team's account, cash in and out, payouts, the pot."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import second_officials
from tournament.forms.fields import show_faults
from tournament.forms.money import CashForm, ChargeForm, PaymentForm, PayoutForm, PrizesForm, RefundForm, ReversalForm
from tournament.lists.money import cash_list, money_list, receipts_list
from tournament.lists.pot import pot_list
from tournament.models import Event, Ledger, Team
from tournament.phrases import money as words
from tournament.queries.cash import Cash, payments, receipts_of
from tournament.queries.cash import cash as cash_of
from tournament.queries.payouts import payouts
from tournament.queries.pot import pot
from tournament.refusals import Refusal
from tournament.reports.download import download
from tournament.reports.pdf.paper import paper_of
from tournament.reports.pdf.receipts import draw_receipts
from tournament.request import Request
from tournament.services import money
from tournament.services.payouts import check_payout, pay_out, set_prizes
from tournament.services.transactions import try_out
from tournament.signing_in import need_second
from tournament.tables import ListTable, cell_from, page_table
from tournament.views.pages import find_event, need_password, nothing_new, page_or_part, sent


def money_page(request: Request, event: str) -> HttpResponse:
    """Everything about money on one page."""
    found = find_event(request, event, "pay")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    return shown(request, found)


def account(request: Request, event: str, number: int) -> HttpResponse:
    """One team: what it owes and why, its receipts, and everything that can be done about them."""
    found = find_event(request, event, "pay")
    return _account(request, get_object_or_404(Team, event=found, number=number))


@require_POST
def payment(request: Request, event: str, number: int) -> HttpResponse:
    """A team pays: all that it owes with one tap, or a part."""
    found = find_event(request, event, "pay")
    team = get_object_or_404(Team, event=found, number=number)
    form = PaymentForm(request.POST)
    if not form.is_valid():
        return _account(request, team, 422, payment=form)
    cents, prepaid = form.cleaned_data["cents"] or None, form.cleaned_data["prepaid"]
    try:
        lines = money.pay(request.actor, found, number, cents, form.said, prepaid=prepaid)
    except Refusal as refusal:
        return _account(request, team, show_faults(form, refusal), payment=form)
    messages.success(request, f"Taken from {team.name}. {receipts_of(lines)}.")
    return redirect(_back(request, found, number))


@require_POST
def charge(request: Request, event: str, number: int) -> HttpResponse:
    """What a team has to pay is changed."""
    found = find_event(request, event, "pay")
    team = get_object_or_404(Team, event=found, number=number)
    form = ChargeForm(request.POST)
    if not form.is_valid():
        return _account(request, team, 422, charge=form)
    try:
        money.charge(request.actor, found, number, form.signed, form.said)
    except Refusal as refusal:
        return _account(request, team, show_faults(form, refusal), charge=form)
    messages.success(request, f"The amount to pay was changed for {team.name}.")
    return redirect("money-team", found.slug, number)


@require_POST
def refund(request: Request, event: str, number: int) -> HttpResponse:
    """Money back to a team; against the rule only with the password."""
    found = find_event(request, event, "pay")
    team = get_object_or_404(Team, event=found, number=number)
    form = RefundForm(request.POST)
    if not form.is_valid():
        return _account(request, team, 422, refund=form)
    cents, override = form.cleaned_data["cents"], form.cleaned_data["override"]
    act = partial(money.refund, request.actor, found, number, cents, form.said, override=override)
    try:
        try_out(act)
        need_password(request, f"Give {words(cents, found.currency)} back to {team.name}.")
        made = act()
    except Refusal as refusal:
        return _account(request, team, show_faults(form, refusal), refund=form)
    messages.success(request, f"Given back to {team.name}. Receipt {made.number}.")
    return redirect("money-team", found.slug, number)


@require_http_methods(["GET", "HEAD", "POST"])
def reversal(request: Request, event: str, number: int) -> HttpResponse:
    """A receipt is taken back by a new one."""
    found = find_event(request, event, "pay")
    line = get_object_or_404(found.ledger, number=number)
    form = ReversalForm(sent(request), initial={"reason": _why_back(found, line)})
    if form.is_valid():
        act = partial(money.reverse, request.actor, found, number, form.said)
        try:
            try_out(act)
            need_password(request, f"Take receipt {number} back: {words(abs(line.cents), found.currency)}.")
            act()
            messages.success(request, f"Receipt {number} is taken back.")
            return redirect("desk-money", found.slug)
        except Refusal as refusal:
            return _reversal(request, found, line, form, show_faults(form, refusal))
    return _reversal(request, found, line, form, 422 if form.is_bound else 200)


@require_POST
def cash(request: Request, event: str) -> HttpResponse:
    """Cash that is no team's goes in or out."""
    found = find_event(request, event, "pay")
    form = CashForm(request.POST)
    if not form.is_valid():
        return shown(request, found, 422, cash_form=form)
    try:
        made = money.move_cash(request.actor, found, form.signed, form.said)
    except Refusal as refusal:
        return shown(request, found, show_faults(form, refusal), cash_form=form)
    messages.success(request, f"Recorded as receipt {made.number}.")
    return redirect("desk-money", found.slug)


def shown(request: Request, event: Event, status: int = 200, **given: Any) -> HttpResponse:
    """The page “Money”, with a form that was refused where there is one."""
    event.refresh_from_db()
    facts, owes = payouts(event), cell_from("desk/_owes.html", request, event)
    context = {"event": event, "tab": "money", "payouts": facts, "books": facts.books, "cash_form": CashForm()}
    context["accounts"] = page_table(money_list(event, facts.books, owes), request)
    context["cash"] = page_table(cash_list(event, facts.books), request, prefix="cash-", orderable=False)
    context["receipts"] = _receipts(request, event, facts.books)
    context |= {"seconds": second_officials(request.actor, event)}
    context |= {"prizes_form": PrizesForm.of(event.prizes), "keys": PaymentForm(), **given}
    return render(request, "desk/money.html", context, status=status)


def _account(request: Request, team: Team, status: int = 200, **given: Any) -> HttpResponse:
    books = cash_of(team.event)
    one = books.account(team.number)
    context = {"event": team.event, "tab": "money", "team": one, "books": books, "payment": PaymentForm()}
    context["receipts"] = _receipts(request, team.event, books, team.number)
    context |= {"charge": ChargeForm(), "refund": RefundForm(), **given}
    return render(request, "desk/money_team.html", context, status=status)


def _receipts(request: Request, event: Event, books: Cash, team: int | None = None) -> ListTable:
    rows = receipts_list(event, books, desk=True, team=team)
    return page_table(rows, request, prefix="receipt-", order_by="-number")


def _reversal(request: Request, event: Event, line: Ledger, form: ReversalForm, status: int) -> HttpResponse:
    shown_line = next(one for one in cash_of(event).lines if one.number == line.number)
    context = {"event": event, "tab": "money", "line": shown_line, "form": form}
    return render(request, "desk/money_reversal.html", context, status=status)


def _why_back(event: Event, line: Ledger) -> str:
    """The reason that is nearly always the right one: the share is no longer theirs."""
    over = {one.receipt for one in payouts(event).payees if one.over}
    return "The results were corrected" if line.number in over else ""


def _back(request: Request, event: Event, number: int) -> str:
    """Back to where the button was: the list, or the team's own page."""
    if request.POST.get("from") == "list":
        return reverse("desk-money", args=[event.slug]) + f"#team-{number}"
    return reverse("money-team", args=[event.slug, number])


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
    acts = (act for act in payments(cash_of(found).lines) if any(line.number == number for line in act))
    if (act := next(acts, None)) is None:
        raise Http404
    content = paper_of(found, "receipts", lambda papers: draw_receipts(papers, found, act))
    return download(content, f"{found.name} receipt {number}", "pdf", inline=True)


def pot_page(request: Request, event: str) -> HttpResponse:
    """Who is in the pot, who leads or won it and why, and the shares."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    stakes = pot(found)
    table = page_table(pot_list(found, stakes), request)
    context = {"event": found, "tab": "pot", "pot": stakes, "table": table, "books": cash_of(found)}
    return page_or_part(request, "desk/pot.html", "desk/_pot.html", context)
