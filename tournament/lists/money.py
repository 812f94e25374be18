"""The money as lists: what came in and went out, the teams' accounts, the receipts; from `queries/ledger.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from operator import attrgetter

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from tournament.lists.column import CENTS, NUMBER, TIME, Column, Listing, nothing, said, where
from tournament.models import Event, Ledger
from tournament.queries.dues import Member
from tournament.queries.ledger import Account, Cash
from tournament.queries.people import names_in
from tournament.queries.rules import ruleset_of
from tournament.words.phrases import exact_money


def money_list(event: Event, books: Cash, owes: Callable[[Account], str] | None = None) -> Listing:
    """What every team has to pay and has paid. The desk's page takes money if a team `owes`."""
    unit = ruleset_of(event).unit
    return Listing(
        name="money",
        title="Money",
        event=event,
        columns=columns(event, unit, owes),
        rows=books.accounts,
        under=f"What every {unit} has to pay, and has paid.",
        empty=f"No {unit}s yet.",
        total=True,
        mark=lambda account: {"id": f"team-{account.team.number}", "class": "muted" if account.team.gone else ""},
    )


def columns(event: Event, unit: str, owes: Callable[[Account], str] | None) -> tuple[Column, ...]:
    slug, checks_in = event.slug, event.checks_in

    def name(account: Account) -> str:
        gone = format_html(' <span class="chip heart">{}</span>', account.team.gone) if account.team.gone else ""
        to = reverse("money-team", args=[slug, account.team.number])
        here = account.team.here_at is not None or not checks_in or account.team.gone
        away = "" if here else SafeString(' <span class="chip plain">Not here</span>')
        return format_html('<a href="{}">{}</a>{}{}', to, account.team.full_name, gone, away)

    return (
        Column("number", "No.", attrgetter("team.number"), NUMBER),
        Column("name", unit.capitalize(), attrgetter("team.name"), html=name),
        Column("fee_cents", "Fee", attrgetter("due_fee"), CENTS),
        Column("pot_cents", "Boston pot", attrgetter("pot"), CENTS),
        Column("due_cents", "Due", attrgetter("due"), CENTS, within="owes_cents", html=nothing),
        Column("paid_cents", "Paid", attrgetter("paid"), CENTS),
        Column("owes_cents", "Owes", attrgetter("owes"), CENTS, html=owes),
        Column("over_cents", "Too much", attrgetter("over"), CENTS, within="owes_cents", html=nothing),
        Column("payouts_cents", "Paid out", attrgetter("payouts"), CENTS, within="owes_cents", html=nothing),
    )  # fmt: skip


def receipts_list(event: Event, books: Cash, *, desk: bool = False, team: int | None = None) -> Listing:
    """Every line of the ledger, or those of one team. With `desk` each line has the buttons of the desk."""
    rows = [line for line in books.lines if team is None or (line.team and line.team.number == team)]
    return Listing(
        name="receipts",
        title="Receipts",
        event=event,
        columns=receipt_columns(event, books, desk=desk),
        rows=rows,
        under="Every line of the ledger.",
        empty="No receipts yet.",
        mark=lambda line: {"class": "" if line.stands else "muted"},
    )


def receipt_columns(event: Event, books: Cash, *, desk: bool) -> tuple[Column, ...]:
    # Files and papers have the public names.
    names = cache(lambda: names_in(event))

    # What is in hand after each line.
    sums = accumulate(line.cents if line.is_cash else 0 for line in books.lines)
    in_hand = {line.number: cents for line, cents in zip(books.lines, sums, strict=True)}

    def amount(line: Ledger) -> str:
        kind = "struck" if line.taken_back else "set" if line.cents < 0 else ""
        return format_html('<span class="{}">{}</span>', kind, exact_money(line.cents, event.currency))

    def acts(line: Ledger) -> str:
        link = '<a class="btn link" href="{}" aria-label="{} receipt {}">{}</a>'
        ways = [("receipt-pdf", "Print")] * line.is_cash + [("money-reversal", "Take back")] * line.stands
        links = ((reverse(way, args=[event.slug, line.number]), words, line.number, words) for way, words in ways)
        return format_html_join("", link, links)

    return (
        Column("number", "No.", lambda line: line.number, NUMBER),
        Column("at", "Time", lambda line: line.made_at, TIME),
        Column("what", "What", lambda line: line.words),
        Column("who", "Who", lambda line: line.who and names().of(line.who),
               html=lambda line: line.who or _muted("Cash box")),
        Column("person", "By whom", lambda line: line.person and names().of(line.person), within="who",
               html=lambda line: _muted(f", {line.person}") if line.person else ""),
        Column("amount_cents", "Amount", lambda line: line.cents, CENTS, html=amount),
        Column("cash", "Moves cash", lambda line: "yes" if line.is_cash else "no", within="amount_cents",
               html=nothing),
        Column("reverses", "Takes back", lambda line: line.reverses and line.reverses.number, NUMBER,
               within="reason", html=nothing),
        Column("reason", "Why", lambda line: line.reason, html=_reason),
        Column("by", "Recorded by", lambda line: line.by, within="reason", html=_recorded),
        Column("held_cents", "Cash on hand", lambda line: in_hand[line.number], CENTS,
               within="amount_cents", html=nothing),
        Column("acts", "", lambda line: "", shown=desk, paged=True, html=acts),
    )  # fmt: skip


def _muted(text: str) -> str:
    return format_html('<span class="muted">{}</span>', text)


def _reason(line: Ledger) -> str:
    if line.reverses:
        return f"Takes {line.reverses.number} back. {line.reason}"
    return f"Taken back by {line.taken_back.number}. {line.reason}" if line.taken_back else line.reason


def _recorded(line: Ledger) -> str:
    dot = "· " if line.reason or not line.stands else ""
    return _muted(f" {dot}recorded by {line.by}") if line.by else ""


def cash_lists(event: Event, books: Cash) -> tuple[Listing, ...]:
    """The cash sheet by kind, by team, and by receipt; all three have the same total."""
    receipts = receipts_list(event, books)
    if all(line.is_cash for line in books.lines):
        receipts = replace(receipts, columns=tuple(column for column in receipts.columns if column.key != "cash"))
    return cash_list(event, books), money_list(event, books), receipts


def cash_list(event: Event, books: Cash) -> Listing:
    """What came in and went out by kind, the cash on hand, and what is still owed."""
    unit = ruleset_of(event).unit
    rows = [(words, cents) for _, words, cents in books.kinds if cents]
    rows += [("Cash on hand", books.in_hand)]
    rows += [(f"Still owed by {unit}s", books.owed)] * bool(books.owed)
    rows += [(f"To be given back to {unit}s", -books.over)] * bool(books.over)
    rows += [("Cash on hand for the Boston pot", books.pot_left)] * bool(books.pot_left)
    verdict = "The sheet balances" if books.balances else "The sheet does not balance"
    total = said(books.in_hand, CENTS, event) or "nothing"
    return Listing(
        name="cash",
        title="Cash sheet",
        event=event,
        columns=(
            Column("what", "What", lambda row: row[0]),
            Column("in_cents", "In", lambda row: max(row[1], 0), CENTS),
            Column("out_cents", "Out", lambda row: max(-row[1], 0), CENTS),
        ),
        rows=rows,
        under=f"{where(event)} · {verdict}: by kind, by {unit} and by receipt the total is {total}.",
    )


def _member(member: Member) -> str:
    note = "" if member.is_member else format_html(' <span class="muted">{}</span>', "no longer a member")
    return format_html("<b>{}</b>{}", member.person, note)


def dues_list(
    event: Event, members: Sequence[Member], played: Mapping[int, int], pays: Callable[[Member], str] | None = None
) -> Listing:
    """What every member of a season owes and has paid, and how many events each `played` in.

    `event` represents the season; a page takes what one `pays`.
    """
    return Listing(
        name="dues",
        title="Dues",
        event=event,
        columns=(
            Column("number", "No.", attrgetter("person.pk"), NUMBER, filed=True),
            Column("name", "Member", lambda member: str(member.person), html=_member),
            Column("events", "Events", lambda member: played.get(member.person.pk, 0), NUMBER, filed=True),
            Column("paid_cents", "Paid", attrgetter("paid_cents"), CENTS),
            Column("owes_cents", "Owes", attrgetter("owes"), CENTS, html=pays),
            Column("when", "When and where", attrgetter("words")),
        ),
        rows=members,
        under="What every member owes for the season, and has paid.",
        empty="No members yet.",
        total=True,
        mark=lambda member: {"id": f"member-{member.person.pk}"},
    )
