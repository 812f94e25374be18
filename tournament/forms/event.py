"""The event as a form: what, when, where, by which rules, how many rounds, for how much."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

from django import forms

from tournament.forms.fields import MoneyField, NameField
from tournament.phrases import MOVEMENTS, SIGN_WITH, VERIFY_CLOSING
from tournament.queries.rules import sheet_choices

BEST_OF = [(1, "one game"), (3, "best of 3"), (5, "best of 5"), (7, "best of 7")]
CURRENCIES = [("$", "$"), ("€", "€"), ("£", "£")]
NEAR = (
    ("America/New_York", "Eastern (New York)"),
    ("America/Chicago", "Central (Chicago)"),
    ("America/Denver", "Mountain (Denver)"),
    ("America/Los_Angeles", "Pacific (Los Angeles)"),
    ("America/Anchorage", "Alaska (Anchorage)"),
    ("Pacific/Honolulu", "Hawaii (Honolulu)"),
)
# Single players are drawn in groups, whatever the movement of teams is, unless the director draws by hand.
SINGLES_MEET = [("moving", "Everybody meets different players"), ("by-hand", MOVEMENTS["by-hand"])]
GROUPS = (
    ("The event", ("name", "date", "place", "time_zone")),
    ("The games", ("sheet", "rounds_planned", "movement", "keep_apart")),
    ("Money", ("fee_cents", "pot_cents", "currency")),
    ("Playoffs and paper", ("cut", "best_of", "third_place", "paper")),
    ("At the table", ("sign_with",)),
    ("Sheets from paper", ("verify_closing", "verify_own")),
)


class EventForm(forms.Form):
    """What an event is. `sections` are its fields in groups, for the page."""

    name = NameField(label="Name", longest=60, widget=forms.TextInput(attrs={"maxlength": 60}))
    date = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    place = NameField(label="Place", longest=60, required=False, help_text="Hall and town, as players should read it.")
    time_zone = forms.ChoiceField(label="Time zone", choices=lambda: time_zones())
    sheet = forms.ChoiceField(label="Rule sheet", choices=sheet_choices)
    rounds_planned = forms.IntegerField(
        label="Rounds", min_value=1, max_value=60, help_text="Games that everybody plays."
    )
    movement = forms.ChoiceField(
        label="Who meets whom",
        choices=list(MOVEMENTS.items()),
        help_text="In games without partners, tables are drawn so that everybody meets different players.",
    )
    keep_apart = forms.BooleanField(label="Keep the same city or club apart where possible", required=False)
    fee_cents = MoneyField(label="Entry fee", help_text="Empty: no fee.")
    pot_cents = MoneyField(label="Boston pot, each", help_text="Empty: no pot.")
    currency = forms.ChoiceField(label="Currency", choices=CURRENCIES)
    cut = forms.IntegerField(
        label="How many reach the playoffs",
        min_value=2,
        max_value=1024,
        required=False,
        help_text="Empty: decided later.",
    )
    best_of = forms.TypedChoiceField(label="A playoff match is", choices=BEST_OF, coerce=int)
    third_place = forms.BooleanField(label="Play for third place", required=False)
    paper = forms.ChoiceField(label="Paper", choices=[("letter", "Letter"), ("a4", "A4")])
    sign_with = forms.ChoiceField(
        label="A sheet is signed with",
        choices=list(SIGN_WITH.items()),
        required=False,
        help_text="PINs are printed on the slips, under Print & files.",
    )
    verify_closing = forms.ChoiceField(
        label="Sheets typed from paper and not verified", choices=list(VERIFY_CLOSING.items()), required=False
    )
    verify_own = forms.BooleanField(label="The person who typed a sheet may also verify it", required=False)

    def __init__(self, *args: Any, pinned: tuple[str, ...] = (), singles: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        if singles:
            self.fields["movement"].choices, self.fields["movement"].help_text = SINGLES_MEET, ""
        # An imported event may have what no new event is offered.
        for name in ("currency", "time_zone"):
            field, own = self.fields[name], self.initial.get(name)
            if own and not field.valid_value(own):
                field.choices = [*field.choices, (own, own)]
        for name in pinned:
            self.fields[name].disabled = True
            self.fields[name].help_text = "Pinned since the games began."

    def clean_sign_with(self) -> str:
        return self.cleaned_data["sign_with"] or "name"

    def clean_verify_closing(self) -> str:
        return self.cleaned_data["verify_closing"] or "warns"

    def sections(self) -> list[tuple[str, list[Any]]]:
        return [(title, [self[name] for name in names]) for title, names in GROUPS]


class CopyForm(forms.Form):
    """An event like an earlier one."""

    like = forms.ChoiceField(label="Like")
    name = NameField(label="New name", longest=60, widget=forms.TextInput(attrs={"maxlength": 60}))
    date = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    with_teams = forms.BooleanField(label="With everybody entered, unpaid", required=False)

    def __init__(self, *args: Any, events: list[tuple[str, str]], **settings: Any) -> None:
        super().__init__(*args, prefix="copy", **settings)
        self.fields["like"].choices = events


@lru_cache(maxsize=1)
def time_zones() -> list[tuple[str, Any]]:
    """The time zones of the United States by their usual names, then all others."""
    known = available_timezones()
    near = [(zone, words) for zone, words in NEAR if zone in known or zone == "America/New_York"]
    named = {zone for zone, _ in near}
    rest = sorted(zone for zone in known if "/" in zone and not zone.startswith("Etc/") and zone not in named)
    groups: list[tuple[str, Any]] = [("United States", near)]
    if rest:
        groups.append(("Everywhere", [(zone, zone.replace("_", " ")) for zone in rest]))
    return [*groups, ("Other", [("UTC", "UTC")])]
