"""The list of teams at the desk; the same columns are downloaded."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html

from tournament.phrases import money
from tournament.queries.registration import RegisteredTeam
from tournament.queries.rules import ruleset_of
from tournament.tables.listing import Listing


class RegistrationTable(Listing):
    """No., team, players, city, paid, pot, money owed."""

    number = tables.Column(verbose_name="No.", attrs={"th": {"class": "num"}, "td": {"class": "num"}})
    name = tables.Column(verbose_name="Team", attrs={"td": {"class": "team"}})
    players = tables.Column(orderable=False, attrs={"td": {"class": "players"}})
    city = tables.Column(attrs={"td": {"class": "city"}})
    paid = tables.Column(attrs={"td": {"class": "paid"}})
    in_pot = tables.Column(verbose_name="Boston pot", attrs={"td": {"class": "pot-switch"}})
    owes = tables.Column(attrs={"th": {"class": "num"}, "td": {"class": "num owes"}})

    class Meta:
        order_by = ("number",)
        row_attrs = {"class": lambda record: "" if record.status == "playing" else "gone"}

    def __init__(self, rows: Any, event: Any, *, with_pot: bool, **settings: Any) -> None:
        self.event = event
        super().__init__(rows, **settings)
        rules = ruleset_of(event)
        self.columns["name"].column.verbose_name = rules.unit.capitalize()
        if rules.singles and not any(row.players for row in rows):
            self.columns.hide("players")
        if not with_pot:
            self.columns.hide("in_pot")
        if not any(row.owes for row in rows):
            self.columns.hide("owes")
        if not any(row.city or row.club for row in rows):
            self.columns.hide("city")

    def render_name(self, record: RegisteredTeam) -> str:
        to = reverse("desk-team", args=[self.event.slug, record.number])
        chip = ""
        if record.status != "playing":
            chip = format_html(' <span class="chip heart">{}</span>', record.status_words)
        elif record.joined_in > 1:
            chip = format_html(' <span class="chip sky">from game {}</span>', record.joined_in)
        return format_html('<a href="{}">{}</a>{}', to, record.name, chip)

    def render_players(self, value: tuple[str, ...]) -> str:
        return " · ".join(value) or "–"

    def render_city(self, record: RegisteredTeam) -> str:
        return " · ".join(part for part in (record.city, record.club) if part)

    def render_paid(self, record: RegisteredTeam) -> str:
        words = ("Paid", "Owes" if record.owes else "Not paid")
        return self._switch(record, "team-paid", record.paid, words, "paid")

    def render_in_pot(self, record: RegisteredTeam) -> str:
        return self._switch(record, "team-pot", record.in_pot, ("In pot", "No pot"), "in the Boston pot")

    def render_owes(self, value: int) -> str:
        return money(value, self.event.currency) if value else ""

    def _switch(self, record: RegisteredTeam, address: str, on: bool, words: tuple[str, str], what: str) -> str:
        request = getattr(self, "request", None)
        # The answer replaces the list: it must come back in the order in which it is shown.
        order = f"?{request.GET.urlencode()}" if request is not None and request.GET else ""
        context = {
            "to": reverse(address, args=[self.event.slug, record.number]) + order,
            "on": on,
            "words": words[0] if on else words[1],
            "label": f"{words[0] if on else words[1]}: {record.name} ({what})",
            # What takes money back once games are played is asked on a page of its own.
            "asks": self.event.frozen_at is not None and (on or what != "paid"),
        }
        return render_to_string("components/switch.html", context, request=request)
