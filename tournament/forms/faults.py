"""A service's refusal shown in the form: each sentence at its field, the rest above."""

from __future__ import annotations

from django import forms

from tournament.refusals import Refusal


def show_faults(form: forms.Form, refusal: Refusal) -> int:
    """Put the faults into the form; gives the status to answer with."""
    for fault in refusal.faults:
        name = fault.field.removeprefix("options.")
        form.add_error(name if name in form.fields else None, fault.text)
    return refusal.status
