"""Options: what a rule sheet leaves to the club, each with its words. A rule sheet is a frozen dataclass of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from scoring.problem import Problem, quoted
from scoring.words import listed

RulesT = TypeVar("RulesT", bound="Any")


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """One option of a sheet with its present value, in the words that the sheet prints."""

    key: str
    title: str
    type: str
    default: Any
    value: Any
    choices: Mapping[str, str]
    low: int | None
    high: int | None
    unit: str
    group: str
    in_order: bool
    unsaid: Any = None

    @property
    def is_said(self) -> bool:
        """Whether there is anything to say: not where the sheet and the club leave the thing out."""
        return self.unsaid is None or self.value != self.unsaid or self.value != self.default

    @property
    def words(self) -> str:
        """Say the present value as a player would read it."""
        return self.words_of(self.value)

    @property
    def printed(self) -> str:
        """Say what the sheet prints, whatever the club has chosen."""
        return self.words_of(self.default)

    def words_of(self, value: Any) -> str:
        """Say a value of the option as a player would read it."""
        if self.type == "list":
            words = [self.choices.get(item, item) for item in value]
            return ", then ".join(words) if self.in_order else listed(words)
        if isinstance(value, int) and value < 0:
            return f"−{-value} {self.unit}".strip()
        return self.choices.get(_key(value)) or f"{value} {self.unit}".strip()


def option(
    default: Any,
    title: str,
    *,
    choices: Mapping[str, str] | None = None,
    low: int | None = None,
    high: int | None = None,
    unit: str = "",
    none: str = "",
    group: str = "scoring",
    in_order: bool = False,
    unsaid: Any = None,
) -> Any:
    """Declare one field of a rule sheet.

    bool: `choices` gives the words for "yes" and "no". str: `choices` lists every value with its words.
    int: `low` to `high`, counted in `unit`; where `none` gives words, the value may also be None. tuple: a list
    whose items stand in `choices`; `in_order` says that the first of them comes first. `group` is where a printed sheet
    lists it: event, bidding, scoring, end or cards; at the value `unsaid` it leaves it out.
    """
    words = dict(choices or {})
    if none:
        words["none"] = none
    meta = {"title": title, "choices": words, "low": low, "high": high, "unit": unit, "group": group}
    meta |= {"in_order": in_order, "unsaid": unsaid}
    return dataclasses.field(default=default, metadata=meta)


def describe(rules: Any, defaults: Any = None) -> tuple[Option, ...]:
    """List the options that mean something, in the order in which their class declares them.

    Options that mean nothing beside the others (`moot`) are left out: a club is not asked about a kitty that its
    sheet does not have. A field that was not declared by `option` (the rule book that is cited) is no option.
    """
    moot = rules.moot()
    return tuple(item for item in every_option(rules, defaults or rules) if item.key not in moot)


def every_option(rules: Any, defaults: Any) -> tuple[Option, ...]:
    """List every option of a rule sheet, those that mean nothing beside the others, too."""
    fields = (field for field in dataclasses.fields(rules) if "title" in field.metadata)
    return tuple(_describe(field, rules, defaults) for field in fields)


def choose(rules: RulesT, chosen: Mapping[str, Any]) -> tuple[RulesT, tuple[Problem, ...]]:
    """Return the sheet with the chosen options, and a problem for each choice it refuses or that fits no other."""
    made, problems = read_values(rules, chosen)
    if chosen and not problems:
        problems = tuple(Problem(f"options.{key}", "", text) for key, text in made.misfits())
    return made, problems


def read_values(rules: RulesT, chosen: Mapping[str, Any]) -> tuple[RulesT, tuple[Problem, ...]]:
    """Return the sheet with values for its options, and a problem for each that it cannot read, one by one.

    Capitals are as good as small letters in a choice, spaces and underscores as hyphens, and "yes" and "no" as true and
    false. A near miss is told what was meant.
    """
    if not chosen:
        return rules, ()
    known = {item.key: item for item in every_option(rules, rules)}
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in chosen.items():
        if key not in known:
            text = f"This rule sheet has no option “{key}”.{_meant(str(key), known)}"
            problems.append(Problem(f"options.{key}", "", text))
            continue
        try:
            values[key] = _accept(known[key], value)
        except ValueError as refusal:
            problems.append(Problem(f"options.{key}", "", f"{known[key].title}: {refusal}"))
    return dataclasses.replace(rules, **values), tuple(problems)


def _describe(field: dataclasses.Field[Any], rules: Any, defaults: Any) -> Option:
    default = getattr(defaults, field.name)
    meta = field.metadata
    kind = "number"
    if isinstance(default, bool):
        kind = "yes-no"
    elif isinstance(default, tuple):
        kind = "list"
    elif isinstance(default, str):
        kind = "choice"
    return Option(
        field.name,
        meta["title"],
        kind,
        default,
        getattr(rules, field.name),
        meta["choices"],
        meta["low"],
        meta["high"],
        meta["unit"],
        meta["group"],
        meta["in_order"],
        meta["unsaid"],
    )


def _key(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _plain(text: str) -> str:
    """A word as choices are written."""
    return text.strip().lower().replace(" ", "-").replace("_", "-")


def _accept(item: Option, value: Any) -> Any:
    if item.type == "yes-no":
        return _accept_yes_no(value)
    if item.type == "choice":
        return _accept_choice(item, value)
    if item.type == "list":
        return _accept_list(item, value)
    return _accept_number(item, value)


def _accept_yes_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    said = _plain(value) if isinstance(value, str) else ""
    if said in ("yes", "no"):
        return said == "yes"
    raise ValueError("yes or no is needed.")


def _accept_choice(item: Option, value: Any) -> str:
    if isinstance(value, bool):
        value = _key(value)
    if isinstance(value, str):
        asked = _plain(value)
        if asked in item.choices:
            return asked
    near = _meant(_plain(value), item.choices) if isinstance(value, str) else ""
    raise ValueError(f"{quoted(value)} is not one of {', '.join(item.choices)}.{near}")


def _meant(said: str, known: Iterable[str]) -> str:
    """Name the words that were nearly said, the nearest first; nothing where none comes near."""
    near = get_close_matches(said, list(known), cutoff=0.75) or [one for one in known if len(said) > 2 and said in one]
    return f" Say {' or '.join(map(quoted, near))}." if near else ""


def _accept_list(item: Option, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not value:
        raise ValueError("a list is needed.")
    accepted = tuple(_accept_choice(item, one) for one in value)
    if len(set(accepted)) != len(accepted):
        raise ValueError("each may be chosen only once.")
    return accepted


def _accept_number(item: Option, value: Any) -> int | None:
    is_none = value is None or (isinstance(value, str) and _plain(value) == "none")
    if is_none and "none" in item.choices:
        return None
    if type(value) is not int:
        raise ValueError(f"a whole number{' or “none”' if 'none' in item.choices else ''} is needed.")
    if (item.low is not None and value < item.low) or (item.high is not None and value > item.high):
        raise ValueError(f"{value} is not from {item.low} to {item.high}.")
    return value
