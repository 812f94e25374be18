"""What a director types while the event runs: the clock of a round, the way to the champion, money, dues."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring.standings.pot import percentage
from tournament.access import Actor
from tournament.errors import Fault, ValidationFailed
from tournament.forms.fields import MoneyField, NameField, whole_number
from tournament.models import Event
from tournament.queries.ledger import Said
from tournament.services.rounds import extend_round, pause_round, resume_round
from tournament.words.phrases import BOARD_SECTIONS

# What is done to a round's clock at the desk.


def set_clock(actor: Actor, event: Event, number: int, data: Mapping[str, str]) -> str:
    """Pause, continue or extend, as the form says; gives the sentence for the page."""
    what, reason = data.get("what", ""), data.get("reason", "")
    if what == "pause":
        pause_round(actor, event, number, reason)
        return "The clock is stopped."
    if what == "resume":
        resume_round(actor, event, number)
        return "The clock is running again."
    if what == "extend":
        added = _minutes(data["added"]) if "added" in data else None
        extend_round(actor, event, number, _minutes(data.get("minutes", "")), reason, added=added)
        return "The length of the game was changed."
    raise ValidationFailed([Fault("what", "Pause, continue or extend?")])


def _minutes(text: str) -> int:
    return whole_number(text, -999, 999) or 0


def read_place(text: str) -> int:
    """A place in the list of entries, or a team, as a button sends it; 0 for anything else."""
    return whole_number(text, 0) or 0


def read_person(text: str) -> int | None:
    """The number of a person as the list of people offers it, with the name behind it; None for anything else."""
    number = re.match(r"\d{1,9}", text)
    return int(number[0]) if number else None


def read_rows(texts: Iterable[str]) -> set[int]:
    """The keys of the rows that are ticked; what is no key is no row."""
    return {int(text) for text in texts if re.fullmatch("[0-9]{1,9}", text)}


# What the director types on the way to the champion.


class CutForm(forms.Form):
    """How many teams go on, and how their matches are played."""

    size = forms.IntegerField(
        label="How many advance",
        min_value=1,
        max_value=9999,
        error_messages={"required": "How many advance?", "invalid": "A whole number is needed."},
        help_text="The order of the standings decides. 1: no playoffs, the first place is the champion.",
    )
    best_of = forms.TypedChoiceField(
        label="A match is",
        coerce=int,
        choices=[(1, "one game"), (3, "best of 3"), (5, "best of 5"), (7, "best of 7")],
    )
    third_place = forms.BooleanField(label="The losers of the semifinals play for third place", required=False)

    @classmethod
    def of(cls, event: Event) -> CutForm:
        """The form as the set-up of the event fills it in."""
        size = 1 if event.no_playoffs else event.cut
        return cls(initial={"size": size, "best_of": event.best_of, "third_place": event.third_place})


class TieForm(forms.Form):
    """How a tie of three or more teams is broken."""

    method = forms.ChoiceField(
        choices=[
            ("game", "One game"),
            ("all-play", "Round robin"),
            ("head-to-head", "Their qualifying games against each other"),
            ("bye", "Draw for a bye, then play"),
            ("lots", "Draw for it"),
        ],
        error_messages={
            "required": "Choose how the tie is broken.",
            "invalid_choice": "Choose one of the ways that are offered.",
        },
    )
    witness = forms.CharField(label="Witness", required=False, max_length=40)
    seed = forms.IntegerField(
        label="Number to draw with (optional)",
        required=False,
        min_value=0,
        max_value=2_147_483_647,
        help_text="The same number draws the same order. If left empty, one is picked and kept.",
    )


class PlacingForm(forms.Form):
    """What becomes of games that were played before a correction."""

    source = forms.CharField(max_length=12)
    kind = forms.ChoiceField(
        choices=[("keep", "Keep"), ("replay", "Replay")],
        error_messages={"required": "Keep what was played, or replay it?", "invalid_choice": "Keep or replay?"},
    )
    reason = forms.CharField(label="Why", required=False, max_length=200)


class BoardForm(forms.Form):
    """What the hall's board shows."""

    shows = forms.ChoiceField(choices=BOARD_SECTIONS.items())


class WordForm(forms.Form):
    """A line to the hall, and for how many minutes; without a line the one that is there goes."""

    word = NameField(label="To the hall", free=True, max_length=80, required=False)
    minutes = forms.TypedChoiceField(choices=[(n, f"{n} min") for n in (10, 20, 30, 60)], coerce=int, initial=20)


class DeletionForm(forms.Form):
    """The name of the event that is to be deleted, typed once more."""

    name = forms.CharField(label="Type the event’s name to delete it", max_length=60)


# What is typed about money: sums, who paid, and why.

# “1,000” may be one amount or two.
THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")


class MoneyForm(forms.Form):
    """A sum with the page's key: pressing twice sends the same key, and counts once."""

    key = forms.UUIDField(widget=forms.HiddenInput, required=False)
    field_order = ("way", "cents", "person", "reason")

    def __init__(self, data: Any = None, **settings: Any) -> None:
        settings.setdefault("initial", {}).setdefault("key", uuid.uuid4())
        # Several of these forms stand on one page.
        settings.setdefault("auto_id", f"{type(self).__name__.lower()}_%s")
        super().__init__(data, **settings)

    @property
    def facts(self) -> Said:
        cleaned = self.cleaned_data
        return Said(cleaned.get("key"), cleaned.get("person", ""), cleaned.get("reason", ""))


class PaymentForm(MoneyForm):
    """A payment. No sum: everything that is owed."""

    cents = MoneyField(label="Amount", help_text="Leave empty for all that is owed.")
    # A hidden player pays as “Player 1”.
    person = NameField(label="Paid by", required=False, free=True)
    reason = forms.CharField(label="Note", required=False, max_length=200)


class ReasonForm(MoneyForm):
    """A sum, or a receipt, with the reason for it."""

    reason = forms.CharField(label="Why", required=False, max_length=200)


class ReversalForm(ReasonForm):
    """A receipt is taken back."""


class ChargeForm(ReasonForm):
    """What a team has to pay is changed."""

    way = forms.ChoiceField(label="To pay", choices=[("less", "less"), ("more", "more")])
    cents = MoneyField(label="By")

    @property
    def signed(self) -> int:
        """The amount; below zero where the team pays less, or cash is taken out."""
        cents: int = self.cleaned_data["cents"]
        return cents if self.cleaned_data["way"] in ("more", "in") else -cents


class RefundForm(ReasonForm):
    """Money back."""

    cents = MoneyField(label="Amount")
    override = forms.BooleanField(label="Against the rule, by the director’s decision", required=False)


class CashForm(ChargeForm):
    """Cash that is no team's."""

    way = forms.ChoiceField(label="Cash is", choices=[("in", "put in"), ("out", "taken out")])
    cents = MoneyField(label="Amount")
    reason = forms.CharField(
        label="Why",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"placeholder": "Change for the cash box"}),
    )


class PayoutForm(MoneyForm):
    """A share is handed over; without a team, every share."""

    number = forms.IntegerField(required=False, min_value=1)
    purpose = forms.ChoiceField(required=False, choices=[("pot", "pot"), ("prize", "prize")])
    witness = NameField(label="Witness", required=False, help_text="Who saw it. May stay empty.")


class PrizesForm(forms.Form):
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
        """The form as the payout table stands."""
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
    """The prizes as they are written. Where spaces part them, a comma without one is a decimal point: “12,50, 10”."""
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


# What is typed about the dues of a season.


class SeasonDuesForm(forms.Form):
    """What the season asks of every member."""

    cents = MoneyField(label="Dues of each member", help_text="Leave empty for a season without dues.")


class DuesForm(MoneyForm):
    """All that a person owes is paid: somebody of a list, by number."""

    person = forms.CharField(label="Somebody else", max_length=80, widget=forms.TextInput(attrs={"list": "club"}))

    def clean_person(self) -> int:
        number = read_person(self.cleaned_data["person"])
        if number is None:
            raise ValidationError("Choose a person from the list.")
        return number
