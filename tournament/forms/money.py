"""What is typed about money: sums, who paid, and why."""

from __future__ import annotations

import re
import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring.standings.pot import percentage
from tournament.forms.fields import MoneyField, NameField, PlainForm
from tournament.queries.ledger import Wording

# “1,000” may be one amount or two.
THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")


class MoneyForm(PlainForm):
    """A sum with the page's key: pressing twice sends the same key, and counts once."""

    key = forms.UUIDField(widget=forms.HiddenInput, required=False)
    field_order = ("way", "cents", "person", "reason")

    def __init__(self, data: Any = None, **settings: Any) -> None:
        settings.setdefault("initial", {}).setdefault("key", uuid.uuid4())
        # There are several of these forms on one page.
        settings.setdefault("auto_id", f"{type(self).__name__.lower()}_%s")
        super().__init__(data, **settings)

    @property
    def facts(self) -> Wording:
        cleaned = self.cleaned_data
        return Wording(cleaned.get("key"), cleaned.get("person", ""), cleaned.get("reason", ""))


class PaymentForm(MoneyForm):
    """A payment. Without a sum: everything that is owed."""

    cents = MoneyField(label="Amount", help_text="Leave empty for all that is owed.")
    # A hidden player pays as “Player 1”.
    person = NameField(label="Paid by", required=False, free=True)
    reason = forms.CharField(label="Note", required=False, max_length=200)


class ReasonForm(MoneyForm):
    """A sum, or a receipt, with the reason for it."""

    reason = forms.CharField(label="Why", required=False, max_length=200)


class ReversalForm(ReasonForm):
    """A receipt to reverse."""


class ChargeForm(ReasonForm):
    """A change of what a team has to pay."""

    way = forms.ChoiceField(label="To pay", choices=[("less", "less"), ("more", "more")])
    cents = MoneyField(label="By")

    @property
    def signed(self) -> int:
        """The amount; below zero if the team pays less, or cash is taken out."""
        cents: int = self.cleaned_data["cents"]
        return cents if self.cleaned_data["way"] in ("more", "in") else -cents


class RefundForm(ReasonForm):
    """Money back."""

    cents = MoneyField(label="Amount")
    override = forms.BooleanField(label="Against the rule, by the director’s decision", required=False)


class CashForm(ChargeForm):
    """Cash that belongs to no team."""

    way = forms.ChoiceField(label="Cash is", choices=[("in", "put in"), ("out", "taken out")])
    cents = MoneyField(label="Amount")
    reason = forms.CharField(
        label="Why",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"placeholder": "Change for the cash box"}),
    )


class PayoutForm(MoneyForm):
    """Hand over a share, or without a team every share."""

    number = forms.IntegerField(required=False, min_value=1)
    purpose = forms.ChoiceField(required=False, choices=[("pot", "pot"), ("prize", "prize")])
    witness = NameField(label="Witness", required=False, help_text="Who saw it. May stay empty.")


class PrizesForm(PlainForm):
    """The payout table, as it is spoken: “100, 60, 40”."""

    by = forms.ChoiceField(label="Prizes are", choices=[("place", "amounts"), ("percent", "percentages")])
    values = forms.CharField(
        label="First place first",
        required=False,
        max_length=500,
        help_text="Amounts like 100, 60, 12.50 or percentages like 50, 30, 20. Leave empty for no prizes.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    purse = MoneyField(label="Percentages of", help_text="Leave empty for the entry fees that were taken.")

    @classmethod
    def of(cls, settings: dict[str, Any]) -> PrizesForm:
        """The form with the present payout table."""
        by = settings.get("by", "place")
        values = settings.get("percent") or [_amount(cents) for cents in settings.get("prizes", [])]
        return cls(initial={"by": by, "values": ", ".join(values), "purse": settings.get("purse") or None})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        values = cleaned.get("values", "")
        try:
            if cleaned.get("by") == "percent":
                cleaned["percent"] = [_percent(part) for part in _parts(values)]
            else:
                cleaned["prizes"] = [MoneyField().clean(part) for part in _parts(_without_thousands(values))]
        except ValidationError as wrong:
            self.add_error("values", wrong)
        return cleaned


def _amount(cents: int) -> str:
    return str(MoneyField().prepare_value(cents) or 0)


def _without_thousands(text: str) -> str:
    if THOUSANDS.search(text):
        raise ValidationError("Write thousands without a comma, and a space after each prize: 1000, 500.")
    return text


def _parts(text: str) -> list[str]:
    """The prizes as they are written. If spaces separate them, a comma without one is a decimal point: “12,50, 10”."""
    text = text.replace(";", ", ").strip(" ,")
    parts = [part.strip(" ,") for part in text.split(", " if ", " in text else ",")] if text else []
    if not all(parts):
        raise ValidationError("A prize is missing between two commas: enter 0 where a place gets nothing.")
    return parts


def _percent(text: str) -> str:
    number = text.removesuffix("%").strip().replace(",", ".")
    try:
        percentage(number)
    except ValueError:
        raise ValidationError("A percentage is a number from 0 to 100, like 50 or 12.5.") from None
    return number
