"""What players type who enter themselves, and what the desk types about two who came alone."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.forms.fields import NameField, choice_field
from tournament.models import Event, Registration
from tournament.phrases import NAMES_SHOWN
from tournament.queries.entering import comes_alone, may_rename
from tournament.queries.roster import players_wanted
from tournament.services.entering import Wanted, wanted_of

# No person sees the field `more`; a program that fills in forms for a person may fill it in all the same.
FILLED = (
    "A hidden field was filled in, perhaps by a program of your browser. It is empty again: press the button once more."
)
OFF = {"autocomplete": "off"}


class EntryForm(forms.Form):
    """A team, a single player of a game without teams, or, with `alone`, somebody who looks for a partner.

    With an `entry` it changes that one; names that can no longer be changed are not asked.
    """

    name = NameField(label="Name of the team", widget=forms.TextInput(attrs=OFF))
    note = NameField(
        label="A line about yourself",
        longest=120,
        required=False,
        help_text="Whoever looks for a partner reads it.",
    )
    contact = NameField(
        label="How do we reach you?", longest=120, help_text="Phone or e-mail. Only the officials see it."
    )
    show = forms.ChoiceField(label="How everybody reads the names")
    more = forms.CharField(required=False, label="Leave this empty")

    def __init__(
        self, event: Event, data: Any = None, *, alone: bool = False, entry: Registration | None = None
    ) -> None:
        alone = comes_alone(entry) if entry else alone
        super().__init__(data, prefix="alone" if alone and not entry else None)
        self.entry, wanted = entry, players_wanted(event)
        self.is_fixed = entry is not None and not may_rename(event, entry)
        for seat in range(1, (1 if alone else wanted) + 1):
            label = "Your name" if alone or wanted == 1 else f"Player {seat}"
            box = forms.TextInput(attrs={"autocomplete": "name" if seat == 1 else "off"})
            self.fields[f"player{seat}"] = NameField(label=label, required=seat == 1, widget=box)
        away = {"name"} if alone or wanted == 1 else set()
        away |= set() if alone else {"note"}
        away |= {name for name in self.fields if name not in ("contact", "show", "more")} if self.is_fixed else set()
        for name in away:
            del self.fields[name]
        ways = [*NAMES_SHOWN.items()]
        choice_field(self, "show").choices = ways[[*NAMES_SHOWN].index(event.names) :]
        self.initial["show"] = entry.show if entry and entry.show in dict(ways) else event.names
        if entry:
            self.initial.update(name=entry.name, note=entry.note, contact=entry.contact)
            self.initial.update((f"player{seat}", name) for seat, name in enumerate(entry.players, start=1))
        self.order_fields(["name", *(f"player{seat}" for seat in range(1, wanted + 1)), "note"])

    def clean_more(self) -> str:
        if self.cleaned_data["more"]:
            raise forms.ValidationError(FILLED)
        return ""

    @property
    def wanted(self) -> Wanted:
        """What was typed, and of what was not asked, what the entry has."""
        typed, before = self.cleaned_data, wanted_of(self.entry) if self.entry else Wanted("", (), "")
        players = tuple(name for field, name in typed.items() if field.startswith("player") and name)
        name = before.name if self.is_fixed else typed.get("name", "")
        return Wanted(
            name,
            before.players if self.is_fixed else players,
            typed["contact"],
            typed.get("note", before.note),
            typed["show"],
        )


class JoinForm(forms.Form):
    """Two who came alone become a team."""

    first = forms.TypedChoiceField(label="Make", coerce=int)
    second = forms.TypedChoiceField(label="and", coerce=int)
    name = NameField(label="Name of the team", required=False, help_text="Leave empty for their surnames.")

    def __init__(self, singles: list[tuple[int, str]], data: Any = None) -> None:
        super().__init__(data)
        for field in ("first", "second"):
            choice_field(self, field).choices = [("", "Choose"), *singles]


def read_place(text: str) -> int:
    """A place in the list of entries, as a button sends it; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0
