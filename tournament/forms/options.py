"""The options of a rule sheet as a form, in groups, each in the sheet's own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms

from scoring.options import Option
from tournament.forms.fields import option_field, option_initial, option_value
from tournament.models import Event
from tournament.queries.rules import OPEN_LATER, option_problems, ruleset_of

# What every director looks for has a group of its own, on top.
TIME = ("round_minutes", "grace_minutes")
GROUPS = {
    "time": "Time",
    "event": "Standings, byes and the pot",
    "bidding": "Bidding",
    "scoring": "Scoring",
    "end": "End of the game",
    "cards": "Cards",
}


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option on the page: its field, its words, what the sheet prints, and whether it differs or is pinned."""

    field: Any
    words: str
    printed: str
    changed: bool
    pinned: bool


class OptionsForm(forms.Form):
    """Every option of the event's rule sheet. `chosen` are the choices as the sheet takes them."""

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data, prefix="option")
        self.event = event
        self.rules = ruleset_of(event)
        self.options = self.rules.options
        self.pinned = {option.key for option in self.options if event.frozen_at and option.key not in OPEN_LATER}
        for option in self.options:
            field = option_field(option)
            field.initial = option_initial(option)
            field.disabled = option.key in self.pinned
            self.fields[option.key] = field

    @property
    def chosen(self) -> dict[str, Any]:
        return {
            option.key: option_value(option, self.cleaned_data[option.key])
            for option in self.options
            if option.key in self.cleaned_data
        }

    def clean(self) -> dict[str, Any]:
        for problem in option_problems(self.rules.sheet, self.chosen):
            key = problem.field.removeprefix("options.")
            self.add_error(key if key in self.fields else None, problem.text)
        return self.cleaned_data

    def groups(self) -> list[tuple[str, list[OptionLine]]]:
        """The options in the groups of the printed sheet."""
        made = []
        for key, title in GROUPS.items():
            lines = [self._line(option) for option in self.options if _group(option) == key]
            if lines:
                made.append((title, lines))
        return made

    def _line(self, option: Option) -> OptionLine:
        changed = option.value != option.default
        return OptionLine(self[option.key], option.words, option.printed, changed, option.key in self.pinned)


def _group(option: Option) -> str:
    return "time" if option.key in TIME else option.group
