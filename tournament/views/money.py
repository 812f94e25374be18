"""Money at the desk: who owes and paid, every receipt, one team's account, cash in and out, payouts, the pot."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tournament.errors import DomainError
from tournament.forms.fields import show_faults
from tournament.forms.money import CashForm, ChargeForm, PaymentForm, PayoutForm, PrizesForm, RefundForm, ReversalForm
from tournament.gate.middleware import render
from tournament.lists.money import cash_list, money_list, receipts_list
from tournament.lists.standings import pot_list
from tournament.models import Event, Ledger, Team
from tournament.queries.door import debts_at, door_of
from tournament.queries.ledger import Cash, payments, payouts, receipts_of
from tournament.queries.ledger import cash as cash_of
from tournament.queries.pot import pot
from tournament.reports.pdf.catalog import draw_receipts
from tournament.reports.pdf.paper import paper_of
from tournament.request import Request
from tournament.services import payouts as payout_services
from tournament.services.payouts import check_payout, pay_out, set_prizes
from tournament.services.transactions import dry_run
from tournament.tables import ListTable, cell_from, page_table
from tournament.views.pages import (
    done,
    in_event,
    need_password,
    on_form,
    page_or_part,
    send_file,
    sent,
)
from tournament.words.phrases import money as in_words


def _receipts(request: Request, event: Event, books: Cash, team: int | None = None) -> ListTable:
    rows = receipts_list(event, books, desk=True, team=team)
    return page_table(rows, request, prefix="receipt-", order_by="-number")


def _account(request: Request, team: Team, status: int = 200, **given: Any) -> HttpResponse:
    books = cash_of(team.event)
    context = {"event": team.event, "tab": "money", "team": team, "books": books, "payment": PaymentForm()}
    context["receipts"] = _receipts(request, team.event, books, team.number)
    context["debts"] = debts_at(team.event, team)
    account = books.account(team.number)
    context["shares"] = account.shares(line for line in books.lines if line.team == team) if account else []
    context |= {"account": account, "charge": ChargeForm(), "refund": RefundForm(), **given}
    return render(request, "desk/money_team.html", context, status=status)


def shown(request: Request, event: Event, status: int = 200, **given: Any) -> HttpResponse:
    """The page “Money”, with the refused form if there is one."""
    event.refresh_from_db()
    facts, door = payouts(event), door_of(event, with_money=True)
    rows = {row.team.pk: row for row in door.playing}
    owes = cell_from("desk/_owes.html", request, event, doors=rows)
    context = {"event": event, "tab": "money", "payouts": facts, "books": facts.books, "cash_form": CashForm()}
    context["accounts"] = page_table(money_list(event, facts.books, owes), request)
    context["cash"] = page_table(cash_list(event, facts.books), request, prefix="cash-", orderable=False)
    context["receipts"] = _receipts(request, event, facts.books)
    context["door"] = door
    context |= {"prizes_form": PrizesForm.of(event.prizes), "payout_form": PayoutForm(), **given}
    return render(request, "desk/money.html", context, status=status)


@in_event("pay", polled=True)
def money_page(request: Request, event: Event) -> HttpResponse:
    """Everything about money on one page."""
    return shown(request, event)


@in_event("pay")
def account(request: Request, event: Event, number: int) -> HttpResponse:
    """One team: what it owes and why, its receipts, and everything that can be done about them."""
    return _account(request, get_object_or_404(Team, event=event, number=number))


@on_form("pay", "payment", PaymentForm, _account)
def payment(request: Request, team: Team, form: PaymentForm) -> HttpResponse:
    """A team pays: all that it owes with one tap, or a part."""
    lines = payout_services.pay(request.actor, team.event, team.number, form.cleaned_data["cents"] or None, form.facts)
    return done(request, f"Taken from {team.full_name}. {receipts_of(lines)}.", _back(request, team.event, team.number))


@on_form("pay", "charge", ChargeForm, _account)
def charge(request: Request, team: Team, form: ChargeForm) -> HttpResponse:
    """What a team has to pay is changed."""
    payout_services.charge(request.actor, team.event, team.number, form.signed, form.facts)
    words = f"The amount to pay was changed for {team.full_name}."
    return done(request, words, "money-team", team.event.slug, team.number)


@on_form("pay", "refund", RefundForm, _account)
def refund(request: Request, team: Team, form: RefundForm) -> HttpResponse:
    """Money back to a team; against the rule only with the password."""
    event, cents, override = team.event, form.cleaned_data["cents"], form.cleaned_data["override"]
    act = partial(payout_services.refund, request.actor, event, team.number, cents, form.facts, override=override)
    dry_run(act)
    need_password(request, f"Give {in_words(cents, event.currency)} back to {team.full_name}.")
    words = f"Given back to {team.full_name}. Receipt {act().number}."
    return done(request, words, "money-team", event.slug, team.number)


@require_http_methods(["GET", "HEAD", "POST"])
@in_event("pay")
def reversal(request: Request, event: Event, number: int) -> HttpResponse:
    """Reverse a receipt with a new one."""
    line = get_object_or_404(event.ledger.select_related("team", "reverses", "reversed_by"), number=number)
    # The suggested reason for a reversal: corrected results, if the team no longer has a right to the money.
    over = {payee.receipt for payee in payouts(event).payees if payee.over}
    reason = "The results were corrected" if number in over else ""
    form = ReversalForm(sent(request), initial={"reason": reason})
    if form.is_valid():
        act = partial(payout_services.reverse, request.actor, event, number, form.facts)
        try:
            dry_run(act)
            need_password(request, f"Take receipt {number} back: {in_words(abs(line.cents), event.currency)}.")
            act()
            return done(request, f"Receipt {number} is taken back.", "desk-money", event.slug)
        except DomainError as refusal:
            return _reversal(request, event, line, form, show_faults(form, refusal))
    return _reversal(request, event, line, form, 422 if form.is_bound else 200)


@on_form("pay", "cash_form", CashForm, shown)
def cash(request: Request, event: Event, form: CashForm) -> HttpResponse:
    """Put in or take out cash that belongs to no team."""
    line = payout_services.move_cash(request.actor, event, form.signed, form.facts)
    return done(request, f"Recorded as receipt {line.number}.", "desk-money", event.slug)


def _reversal(request: Request, event: Event, line: Ledger, form: ReversalForm, status: int) -> HttpResponse:
    context = {"event": event, "tab": "money", "line": line, "form": form}
    return render(request, "desk/money_reversal.html", context, status=status)


def _back(request: Request, event: Event, number: int) -> str:
    """Back to where the button was: the list, or the team's own page."""
    if request.POST.get("from") == "list":
        return reverse("desk-money", args=[event.slug]) + f"#team-{number}"
    return reverse("money-team", args=[event.slug, number])


@on_form("pay", "prizes_form", PrizesForm, shown)
def prizes(request: Request, event: Event, form: PrizesForm) -> HttpResponse:
    """The payout table."""
    set_prizes(request.actor, event, form.cleaned_data)
    return done(request, "Payout table saved.", "desk-money", event.slug)


@require_POST
@in_event("pay")
def payout(request: Request, event: Event) -> HttpResponse:
    """Hand over one share, or every share that is due."""
    form = PayoutForm({**request.POST.dict(), **request.GET.dict()})
    if not form.is_valid():
        return shown(request, event, 422, payout_form=form)
    share = form.cleaned_data["number"], form.cleaned_data["purpose"], form.facts.key
    try:
        if what := check_payout(event, *share):
            need_password(request, what)
        lines = pay_out(request.actor, event, *share, form.cleaned_data["witness"])
    except DomainError as refusal:
        return shown(request, event, refusal.status, faults=refusal.faults)
    return done(request, f"Paid out. {receipts_of(lines)}.", "desk-money", event.slug)


@in_event("pay")
def receipt_pdf(request: Request, event: Event, number: int) -> HttpResponse:
    """One receipt on paper: the whole payment that this line belongs to."""
    acts = (act for act in payments(cash_of(event).lines) if any(line.number == number for line in act))
    if (act := next(acts, None)) is None:
        raise Http404
    return send_file(
        request,
        event,
        lambda: paper_of(event, "receipts", lambda papers: draw_receipts(papers, event, act)),
        f"{event.name} receipt {number}",
        "pdf",
        inline=True,
    )


@in_event("see-desk", polled=True)
def pot_page(request: Request, event: Event) -> HttpResponse:
    """Who is in the pot, who leads or won it and why, and the shares."""
    stakes = pot(event)
    table = page_table(pot_list(event, stakes), request)
    context = {"event": event, "tab": "pot", "pot": stakes, "table": table, "books": cash_of(event)}
    return page_or_part(request, "desk/pot.html", "desk/_pot.html", context)
