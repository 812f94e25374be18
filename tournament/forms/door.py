"""What a press at the door sends: which team, whether it is here, and what it pays."""

from __future__ import annotations

import re
import uuid
from contextlib import suppress

from django import forms
from django.http import QueryDict

from tournament.forms.fields import PlainForm
from tournament.words.texts import NOTE_LONG

# They are here; they are not; they are here and pay; they pay.
YES, NO, BOTH, PAY = "yes", "no", "both", "pay"
# A debt with the sum that the page showed, as `Debt.taken` writes it.
DEBT = re.compile(r"([a-z0-9-]{1,40}):([0-9]{1,9})")


class DoorForm(PlainForm):
    """One press of a row: a check-in, unless it says otherwise. `take` has one value for each debt that is paid."""

    number = forms.IntegerField(min_value=1, max_value=9999)
    here = forms.ChoiceField(choices=[(one, one) for one in (YES, NO, BOTH, PAY)], required=False)
    key = forms.UUIDField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.texts = data.getlist("take")

    @property
    def is_here(self) -> bool:
        return self.cleaned_data["here"] not in (NO, PAY)

    @property
    def takes(self) -> dict[str, int]:
        """The debts by key, each with the sum that was shown; none if the press is only a check-in."""
        if self.cleaned_data["here"] not in (BOTH, PAY):
            return {}
        return {found[1]: int(found[2]) for found in map(DEBT.fullmatch, self.texts) if found}

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or {}
        if cleaned.get("here") in (BOTH, PAY) and not (self.texts and all(map(DEBT.fullmatch, self.texts))):
            raise forms.ValidationError("What is paid is missing.")
        return cleaned


class NoteForm(PlainForm):
    note = forms.CharField(
        label="Note", required=False, max_length=NOTE_LONG, help_text="Only officials read it: “owes me a call”."
    )


def read_key(text: str) -> uuid.UUID | None:
    """The key of a page; None if it is not one."""
    with suppress(ValueError):
        return uuid.UUID(text)
    return None
