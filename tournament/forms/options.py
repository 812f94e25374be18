"""The options of a rule sheet as a form, in groups, each in the sheet's own words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scoring.options import Option, choose, every_option
from tournament.forms.fields import PlainForm, option_field, option_initial, option_value, stage_field, whole_number
from tournament.models import Event, Round
from tournament.queries.rules import (
    CLOCK,
    OPEN_LATER,
    Ruleset,
    begun_stages,
    may_differ,
    of_stage,
    option_problems,
    ruleset_of,
    stage_problems,
)
from tournament.words.phrases import RULE_STAGES

# The options that every director looks for have a group of their own, at the top.
GROUPS = {
    "time": "Time",
    "event": "Standings, byes and the pot",
    "bidding": "Bidding",
    "scoring": "Scoring",
    "end": "End of the game",
    "wrongs": "What players do wrong",
    "cards": "Cards",
}


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option on the page: its field, its words, what the sheet prints, and whether it differs or is fixed.

    `stages` are its values in each stage; an option that matters only in stages has no field of its own.
    """

    field: Any
    title: str
    words: str
    printed: str
    changed: bool
    pinned: bool
    stages: tuple[OptionLine, ...] = ()

    @property
    def differs(self) -> bool:
        return any(line.changed or line.field.errors for line in self.stages)


class OptionsForm(PlainForm):
    """Every option of the event's rule sheet: `chosen` as the sheet takes them, `stages` those of single stages."""

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data, prefix="option")
        self.event = event
        self.rules = ruleset_of(event)
        self.options = self.rules.options
        self.by_stage = self._rules_by_stage()
        self.every = self._shown_options()
        self.pinned: set[str] = set()
        if event.frozen_at is not None:
            self.pinned = {option.key for option in self.options if option.key not in OPEN_LATER}
        for option in self.options:
            field = option_field(option)
            field.initial = option_initial(option)
            field.disabled = option.key in self.pinned
            self.fields[option.key] = field
        begun = begun_stages(event) if event.stage in ("playoffs", "over") else set()
        for stage in self.by_stage:
            self._add_stage(stage, has_begun=stage in begun)

    def _rules_by_stage(self) -> dict[str, Ruleset]:
        """What each stage is played by, if the event has stages."""
        has_playoffs = self.event.cut and self.rules.has_matches
        if not has_playoffs and not self.event.stage_options:
            return {}
        by_stage = {}
        for stage in RULE_STAGES:
            options = of_stage(self.event.stage_options, stage)
            by_stage[stage] = ruleset_of(self.event, Round(options=options))
        return by_stage

    def _shown_options(self) -> list[Option]:
        """The options that matter in the event, or in one of its stages."""
        shown = {option.key for option in self.options}
        for rules in self.by_stage.values():
            shown |= {option.key for option in rules.options}
        return [option for option in every_option(self.rules.rules, self.rules.sheet.rules) if option.key in shown]

    def _add_stage(self, stage: str, *, has_begun: bool) -> None:
        """A field for each option that a stage may set for itself, with its own value."""
        own = self.event.stage_options.get(stage, {})
        own_options = {option.key: option for option in self.by_stage[stage].options if option.key in own}
        for option in self.every:
            if not may_differ(option):
                continue
            field = stage_field(option, RULE_STAGES[stage])
            chosen = own_options.get(option.key)
            if chosen is not None:
                field.initial = "none" if chosen.value is None else option_initial(chosen)
            field.disabled = has_begun and option.key not in OPEN_LATER
            self.fields[_name(stage, option)] = field

    @property
    def stages(self) -> dict[str, dict[str, Any]] | None:
        """What each stage has for itself; None if the event has no stages."""
        if not self.by_stage:
            return None
        return {
            stage: {
                # A value that is not a whole number is refused by the rules with a sentence, or it is the word “none”.
                option.key: cleaned if (number := whole_number(str(cleaned))) is None else number
                for option in self.every
                if (cleaned := self.cleaned_data.get(_name(stage, option)))
            }
            for stage in self.by_stage
        }

    @property
    def chosen(self) -> dict[str, Any]:
        return {
            option.key: option_value(option, self.cleaned_data[option.key])
            for option in self.options
            if option.key in self.cleaned_data
        }

    def clean(self) -> dict[str, Any]:
        problems = list(option_problems(self.rules.sheet, self.chosen, has_pot=bool(self.event.pot_cents)))
        if not problems:
            rules = replace(self.rules, rules=choose(self.rules.sheet.rules, self.chosen)[0])
            problems = stage_problems(rules, self.stages or {}, has_playoffs=True)
        for problem in problems:
            key = problem.field.removeprefix("options.")
            self.add_error(key if key in self.fields else None, problem.text)
        return self.cleaned_data

    def groups(self) -> list[tuple[str, list[OptionLine]]]:
        """The options in the groups of the printed sheet."""
        groups = []
        for key, title in GROUPS.items():
            lines = [self._line(option) for option in self.every if _group(option) == key]
            if lines:
                groups.append((title, lines))
        return groups

    def _line(self, option: Option) -> OptionLine:
        changed = option.value != option.default
        field = self[option.key] if option.key in self.fields else None
        words, pinned = option.words if field else "only in the playoffs or the final", option.key in self.pinned
        stages = (self._in_stage(stage, option) for stage in self.by_stage if _name(stage, option) in self.fields)
        shown = tuple(line for line in stages if line.changed or not line.pinned)
        return OptionLine(field, option.title, words, option.printed, changed, pinned or not field, shown)

    def _in_stage(self, stage: str, option: Option) -> OptionLine:
        field, own = self[_name(stage, option)], {option.key: option for option in self.by_stage[stage].of_its_own}
        words = own[option.key].words if option.key in own else "the same"
        changed = option.key in self.event.stage_options.get(stage, {})
        return OptionLine(field, RULE_STAGES[stage], words, "", changed, field.field.disabled)


def _name(stage: str, option: Option) -> str:
    """The name of a stage's own field for an option, after the option's field for the event."""
    return f"stage_options.{stage}.{option.key}"


def _group(option: Option) -> str:
    return "time" if option.key in CLOCK else option.group
