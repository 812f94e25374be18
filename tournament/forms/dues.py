"""What is typed about the dues of a season."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError

from tournament.forms.fields import MoneyField, PlainForm
from tournament.forms.keys import read_person
from tournament.forms.money import MoneyForm


class SeasonDuesForm(PlainForm):
    """What the season asks of every member."""

    cents = MoneyField(label="Dues of each member", help_text="Leave empty for a season without dues.")


class DuesForm(MoneyForm):
    """A person who has paid everything owed: chosen from a list, by number."""

    person = forms.CharField(label="Somebody else", max_length=80, widget=forms.TextInput(attrs={"list": "club"}))

    def clean_person(self) -> int:
        number = read_person(self.cleaned_data["person"])
        if number is None:
            raise ValidationError("Choose a person from the list.")
        return number
