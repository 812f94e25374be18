"""What the director types on the way to the champion."""

from __future__ import annotations

from django import forms

from tournament.forms.fields import PlainForm
from tournament.models import Event
from tournament.pairing.bracket import Form, Losers
from tournament.words.phrases import SECOND_LOSERS, WHO_LOSES


class CutForm(PlainForm):
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
    losers = forms.ChoiceField(
        label="Who loses a match …",
        choices=list(WHO_LOSES.items()),
        widget=forms.RadioSelect,
        required=False,
        initial=Losers.OUT,
    )
    second = forms.IntegerField(
        label="How many of the others play a second bracket",
        min_value=2,
        max_value=1024,
        required=False,
        error_messages={"min_value": "A second bracket needs at least two."},
        help_text="The next in the standings. Leave empty for none.",
    )
    second_losers = forms.ChoiceField(
        label="There, who loses …", choices=list(SECOND_LOSERS.items()), required=False, initial=Losers.OUT
    )

    @classmethod
    def of(cls, event: Event) -> CutForm:
        """The form with the values of the event's setup."""
        return cls(
            initial={
                "size": 1 if event.no_playoffs else event.cut,
                "best_of": event.best_of,
                "losers": event.playoff_form.answer,
                "second": event.second,
                "second_losers": event.second_losers,
            }
        )

    def chosen_form(self) -> Form:
        """The form of playoffs that was chosen."""
        chosen = self.cleaned_data
        return Form.from_answer(chosen["losers"], chosen["second"], chosen["second_losers"])


class TieForm(PlainForm):
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


class PlacingForm(PlainForm):
    """The decision about games that were played before a correction."""

    source = forms.CharField(max_length=12)
    kind = forms.ChoiceField(
        choices=[("keep", "Keep"), ("replay", "Replay")],
        error_messages={"required": "Keep what was played, or replay it?", "invalid_choice": "Keep or replay?"},
    )
    reason = forms.CharField(label="Why", required=False, max_length=200)
