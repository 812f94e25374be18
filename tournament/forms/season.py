"""What owners type about a season: what there are points for, who is ranked, and how much an event counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField

from scoring.standings.season import BEST_EVENINGS, MORE_PLACES, PERSON, TEAM, Scheme, scheme_of
from tournament.errors import Fault, ValidationFailed
from tournament.forms.fields import NameField, PlainForm, whole_number
from tournament.models import Season
from tournament.queries.season_events import may_lie_within

# What one thing may bring at most, and how much an event may count.
MOST_POINTS, MOST_WEIGHT = 999, 9
CIRCLE = "A season can’t be part of itself, or of a season that is part of it."
BOTH = "Points by place or by the size of the field: clear one of the two."
NOTHING = "Give points for something: a place, a game won, the champion or just for playing."
# The fields in groups, each below its heading.
GROUPS = {
    "Season": ("name", "whose", "within", "paper"),
    "Points": ("places", "field", "split", "win", "champion", "attendance"),
    "Who is ranked": ("members", "evenings", "games"),
    "Total": ("best", "average", "ties"),
}
# The fields of a scheme as they are typed; in the scheme `whose` is stored as `for`.
NUMBERS = ("win", "champion", "attendance")
COUNTS = ("field", "best", "evenings", "games")
TICKS = ("split", "average", "members")


def _points(label: str, example: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MOST_POINTS, required=False, help_text=example)


def _count(label: str, example: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=400, required=False, help_text=example)


class SeasonForm(PlainForm):
    """A season and its scheme of points."""

    name = NameField(
        label="Name", longest=60, free=True, widget=forms.TextInput(attrs={"maxlength": 60, "placeholder": "2026"})
    )
    whose = forms.ChoiceField(
        label="The table is for",
        choices=[(PERSON, "Individual players (partners change)"), (TEAM, "Fixed teams")],
    )
    within = forms.ModelChoiceField(
        label="Part of",
        queryset=Season.objects.none(),
        required=False,
        empty_label="No other season",
        error_messages={"invalid_choice": CIRCLE},
        help_text="January as part of 2026: its events count in both tables.",
    )
    paper = forms.ChoiceField(label="Paper size", choices=[("letter", "Letter"), ("a4", "A4")])
    places = forms.CharField(
        label="Points by place",
        required=False,
        max_length=400,
        help_text="First place first: 6, 3, 1. Leave empty if places bring no points.",
    )
    field = _count(
        "Or by the size of the field: one point for every how many teams",
        "5: with 22 teams the first five places get 5, 4, 3, 2 and 1.",
    )
    split = forms.BooleanField(
        label="Teams that share a place split its points",
        required=False,
        help_text="With 6, 3, 1 and two teams second: 2 each. Unticked: 3 each.",
    )
    win = _points("Each game won", "1: five games won bring 5.")
    champion = _points("Champion’s bonus", "2: with 6 for first place the champion gets 8.")
    attendance = _points("Just for playing", "1: everyone who plays gets at least 1.")
    members = forms.BooleanField(
        label="Only members are ranked",
        required=False,
        help_text="Guests first, members second and third: the members get the points of first and second.",
    )
    evenings = _count("Fewest events to be ranked", "3: players with 1 or 2 events are listed below everyone else.")
    games = _count("Fewest games to count in an event", "2: a substitute for one game gets nothing from that event.")
    best = _count(
        "Best events that count", "3: of 9, 4, 4 and 2 points the 2 is dropped. Leave empty to count every event."
    )
    average = forms.BooleanField(
        label="Average per event instead of the sum",
        required=False,
        help_text="Points of 6 and 3 make 4.5. Missing an event costs nothing.",
    )
    ties = forms.ChoiceField(
        label="Tied on points",
        required=False,
        choices=[(MORE_PLACES, "More first places, then more second places"), (BEST_EVENINGS, "Best single event")],
        help_text="Best single event: 5 + 1 goes before 3 + 3.",
    )

    def __init__(self, data: Any = None, *, season: Season | None = None) -> None:
        # The form starts with a point for everybody who comes: by places alone most of a club would get nothing.
        scheme = scheme_of(season.scheme) if season else Scheme(attendance=1)
        season = season or Season()
        initial = {name: getattr(scheme, name) for name in (*NUMBERS, *COUNTS, *TICKS, "whose", "ties")}
        initial |= {name: getattr(season, name) for name in ("name", "paper", "within")}
        super().__init__(data, initial=initial | {"places": ", ".join(map(str, scheme.places))})
        outer: Any = self.fields["within"]
        outer.queryset = may_lie_within(season)
        if not outer.queryset.exists() and not (data and data.get("within")):
            del self.fields["within"]

    @property
    def groups(self) -> list[tuple[str, list[BoundField]]]:
        """The fields below their headings."""
        return [(heading, [self[name] for name in names if name in self.fields]) for heading, names in GROUPS.items()]

    def clean_places(self) -> list[int]:
        texts = re.split(r"[\s,;/]+", self.cleaned_data["places"].strip(" ,;/"))
        points = [whole_number(text, 0, MOST_POINTS) for text in texts if text]
        whole = [point for point in points if point is not None]
        if len(whole) < len(points) or whole != sorted(whole, reverse=True):
            raise forms.ValidationError(f"Whole numbers up to {MOST_POINTS}, none above the one before it: 6, 3, 1.")
        return whole

    def clean_ties(self) -> str:
        return self.cleaned_data["ties"] or MORE_PLACES

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("places") and cleaned.get("field"):
            self.add_error("field", BOTH)
        elif not self.errors and not (any(cleaned["places"]) or any(cleaned[name] for name in ("field", *NUMBERS))):
            self.add_error("places", NOTHING)
        return cleaned

    @property
    def chosen(self) -> dict[str, Any]:
        """The season's fields, of a form that is valid."""
        typed = self.cleaned_data
        scheme = {"places": typed["places"], "ties": typed["ties"], "for": typed["whose"]}
        scheme |= {name: typed[name] or 0 for name in NUMBERS}
        scheme |= {name: typed[name] for name in (*COUNTS, *TICKS)}
        return {"name": typed["name"], "paper": typed["paper"], "scheme": scheme, "within": typed.get("within")}


def read_weight(data: Mapping[str, str]) -> int:
    """How much an event counts, as it is posted."""
    weight = whole_number(data.get("counts", ""), 0, MOST_WEIGHT)
    if weight is None:
        raise ValidationFailed([Fault("counts", f"An event counts 0 to {MOST_WEIGHT} times.")])
    return weight
