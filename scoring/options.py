"""Options of rule sheets, declared once, then checked, read and described; and the options about the event itself.

A rule sheet is a frozen dataclass of options, each with its words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeVar

from scoring.ledger import Problem, hyphenated, listed, quoted
from scoring.standings.tiebreaks import TIEBREAKS

RulesT = TypeVar("RulesT", bound="Any")


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """One option of a sheet with its current value, in the words that the sheet prints."""

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
        """Return whether the sheet prints the option: not if both the sheet and the club leave it at `unsaid`."""
        return self.unsaid is None or self.value != self.unsaid or self.value != self.default

    @property
    def words(self) -> str:
        """Return the current value in players’ words."""
        return self.words_of(self.value)

    @property
    def printed(self) -> str:
        """Return the sheet’s own value in players’ words, whatever the club has chosen."""
        return self.words_of(self.default)

    def words_of(self, value: Any) -> str:
        """Return a value of the option in players’ words."""
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
    int: from `low` to `high`, counted in `unit`; with `none`, the words for it, the value may also be None. tuple: a
    list of items from `choices`; `in_order` says that their order matters. `group` is the part of a printed sheet that
    lists the option: event, bidding, scoring, end, wrongs or cards. At the value `unsaid` it is not printed.
    """
    words = dict(choices or {}) | ({"none": none} if none else {})
    kind = {bool: "yes-no", tuple: "list", str: "choice"}.get(type(default), "number")
    declared = Option("", title, kind, default, default, words, low, high, unit, group, in_order, unsaid)
    return dataclasses.field(default=default, metadata={"option": declared})


def describe(rules: Any, defaults: Any = None) -> tuple[Option, ...]:
    """List the options that have an effect beside the others, in the order in which their class declares them.

    Options without an effect (`irrelevant_options`) are left out: a club is not asked about a kitty that its sheet does
    not have. A field that was not declared with `option` (the rule book, for example) is not an option.
    """
    irrelevant = rules.irrelevant_options()
    return tuple(item for item in every_option(rules, defaults or rules) if item.key not in irrelevant)


def every_option(rules: Any, defaults: Any) -> tuple[Option, ...]:
    """List every option of a rule sheet, including those that have no effect beside the others."""
    options = []
    for field in dataclasses.fields(rules):
        if "option" in field.metadata:
            default, value, item = getattr(defaults, field.name), getattr(rules, field.name), field.metadata["option"]
            choices = {key: rules.worded(words) for key, words in item.choices.items()}
            words = {"title": rules.worded(item.title), "choices": choices}
            options.append(dataclasses.replace(item, key=field.name, default=default, value=value, **words))
    return tuple(options)


def choose(rules: RulesT, chosen: Mapping[str, Any]) -> tuple[RulesT, tuple[Problem, ...]]:
    """Return the sheet with the chosen options, and a problem for each choice that it refuses.

    Refused are choices that cannot be read, that contradict another option, or that have no effect beside the others.
    """
    made, problems = choose_stored(rules, chosen)
    return made, problems or idle_problems(rules, made, chosen)


def choose_stored(rules: RulesT, chosen: Mapping[str, Any]) -> tuple[RulesT, tuple[Problem, ...]]:
    """Do the same for stored options: earlier versions let a club choose an option that had no effect."""
    made, problems = read_values(rules, chosen)
    if chosen and not problems:
        problems = tuple(Problem(f"options.{key}", "", text) for key, text in made.conflicts())
    return made, problems


def idle_problems(rules: Any, made: Any, chosen: Iterable[str]) -> tuple[Problem, ...]:
    """Say of each option that was changed from the sheet (`rules`) and has no effect why it has none."""
    return tuple(
        Problem(f"options.{key}", "", _why_idle(rules, made, key)) for key in idle_options(rules, made, chosen)
    )


def idle_options(rules: Any, made: Any, chosen: Iterable[str]) -> list[str]:
    """List the options that were changed from the sheet and have no effect beside the others."""
    idle = made.irrelevant_options()
    return [key for key in chosen if key in idle and getattr(made, key) != getattr(rules, key)]


def _why_idle(rules: Any, made: Any, key: str) -> str:
    """Say which other option takes away the effect: the first one that would restore it with another value."""
    options = {item.key: item for item in every_option(made, rules)}
    idle = options.pop(key)
    said = f"“{idle.title.rstrip(':,')}” does nothing here"
    for item in options.values():
        others = (dataclasses.replace(made, **{item.key: value}) for value in _other_values(item))
        if any(key not in other.irrelevant_options() for other in others):
            said += f": “{item.title.rstrip(':,')}” is “{item.words}”"
            break
    return f"{said}. Leave it at “{idle.printed}”."


def _other_values(item: Option) -> list[Any]:
    """Return other values of an option, as far as they can make a difference to other options."""
    if item.type == "yes-no":
        return [not item.value]
    if item.type == "list":
        return [tuple(item.choices)]
    if item.type == "choice":
        return [choice for choice in item.choices if choice != item.value]
    return [value for value in (None, item.low, item.high) if value is not None or "none" in item.choices]


def read_values(rules: RulesT, chosen: Mapping[str, Any]) -> tuple[RulesT, tuple[Problem, ...]]:
    """Return the sheet with values for its options, and a problem for each value that cannot be read.

    In a choice, capitals are read as small letters, and spaces and underscores as hyphens; "yes" and "no" are read as
    true and false. For a misspelling, the problem suggests what was meant.
    """
    if not chosen:
        return rules, ()
    options = {item.key: item for item in every_option(rules, rules)}
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in chosen.items():
        if key not in options:
            text = f"This rule sheet has no option “{key}”.{_meant(str(key), options)}"
            problems.append(Problem(f"options.{key}", "", text))
            continue
        try:
            values[key] = ACCEPT[options[key].type](options[key], value)
        except ValueError as refusal:
            problems.append(Problem(f"options.{key}", "", f"{options[key].title}: {refusal}"))
    return dataclasses.replace(rules, **values), tuple(problems)


def _key(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _accept_yes_no(item: Option, value: Any) -> bool:
    answer = _asked(value)
    if answer not in ("yes", "no"):
        raise ValueError("yes or no is needed.")
    return answer == "yes"


def _accept_choice(item: Option, value: Any) -> str:
    asked = _asked(value)
    if asked not in item.choices:
        near = _meant(asked, item.choices) if asked else ""
        raise ValueError(f"{quoted(value)} is not one of {', '.join(item.choices)}.{near}")
    return asked


def _asked(value: Any) -> str:
    """Return what was chosen, as choices are written; nothing if it cannot be a choice."""
    value = _key(value) if isinstance(value, (bool, int)) else value
    return hyphenated(value) if isinstance(value, str) else ""


def _meant(text: str, words: Iterable[str]) -> str:
    """Suggest the words that are close to a text, the closest first; nothing if none is."""
    near = get_close_matches(text, list(words), cutoff=0.75) or [
        word for word in words if len(text) > 2 and text in word
    ]
    return f" Say {' or '.join(map(quoted, near))}." if near else ""


def _accept_list(item: Option, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not value:
        raise ValueError("a list is needed.")
    accepted = tuple(_accept_choice(item, choice) for choice in value)
    if len(set(accepted)) != len(accepted):
        raise ValueError("each may be chosen only once.")
    return accepted


def _accept_number(item: Option, value: Any) -> int | None:
    if "none" in item.choices and (value is None or _asked(value) == "none"):
        return None
    if type(value) is not int:
        raise ValueError(f"a whole number{' or “none”' if 'none' in item.choices else ''} is needed.")
    if (item.low is not None and value < item.low) or (item.high is not None and value > item.high):
        raise ValueError(f"{value} is not from {item.low} to {item.high}.")
    return value


ACCEPT: Mapping[str, Callable[[Option, Any], Any]] = {
    "yes-no": _accept_yes_no,
    "choice": _accept_choice,
    "list": _accept_list,
    "number": _accept_number,
}


# What every rule sheet says about the event around its games: ranking, pot, byes, clocks, who sees what.
#
# These options do not affect hands. They are on the sheet because players must be able to read them there.

BOSTON_POT = frozenset({"boston_window", "best_record", "pot_entry"})


@dataclass(frozen=True, kw_only=True)
class EventRules:
    """The options of the event. The rules of every game extend this class."""

    tiebreak_order: tuple[str, ...] = option(
        ("games-won", "points", "playoff"),
        "Standings are ordered by",
        choices={entry.key: entry.words for entry in TIEBREAKS},
        group="event",
        in_order=True,
    )
    loser_points: str = option(
        "signed",
        "Points of the side that lost",
        choices={
            "signed": "its final score, even below zero",
            "zero-at-least": "its final score, but never below zero",
            "winners-only": "none; only winners keep points",
        },
        group="event",
    )
    bye: str = option(
        "game-won",
        "A bye gives",
        choices={
            "game-won": "the game and the points of an awarded game",
            "average": "the average points of that game's winners, and the game",
            "none": "nothing",
        },
        group="event",
    )
    boston_window: int | None = option(
        4,
        "The Boston pot counts Bostons in the first",
        low=1,
        high=99,
        unit="games",
        none="all games of the event",
        group="event",
    )
    best_record: str = option(
        "games-won",
        "With no Boston, the pot's best record is",
        choices={"games-won": "games won; ties share", "points": "games won, then points; ties share"},
        group="event",
    )
    pot_entry: str = option(
        "opt-in",
        "Boston pot",
        choices={"opt-in": "for those who paid into it", "every-team": "for everybody"},
        group="event",
    )
    grace_minutes: int = option(5, "Late after", low=0, high=120, unit="minutes", group="event")
    round_minutes: int | None = option(
        None,
        "A game lasts",
        low=1,
        high=600,
        unit="minutes (then the leader wins)",
        none="until it is over",
        group="event",
    )
    standings_visible: str = option(
        "live",
        "Standings can be seen",
        choices={
            "live": "at all times",
            "after-round": "after each game",
            "after-stage": "after the qualifying games",
            "at-end": "at the end of the event",
        },
        group="event",
    )
    first_dealer: str = option(
        "first-club",
        "First dealer",
        choices={
            "first-club": "the player who gets the first club",
            "first-diamond": "the player who gets the first diamond",
            "high-card": "the player who cuts the highest card",
            "side-one": "the first side of the sheet",
            "by-lot": "drawn at random",
            "named": "named by the officials",
        },
        group="event",
    )

    @property
    def sets_in_a_row(self) -> bool:
        """Return whether only sets in a row lose the game: an opening then says how many there are."""
        return False

    @property
    def second_renege_loses(self) -> bool:
        """Return whether the second renege of a side in one game costs it the game."""
        return False

    @property
    def counts_bostons(self) -> bool:
        """Return whether the game counts Bostons, so that a pot can be paid for them."""
        return False

    def totals(self) -> frozenset[str]:
        """Name the totals that a game continued from paper must have, because the rest of the game depends on them."""
        read = {
            "sets": not self.sets_in_a_row,
            "sets_running": self.sets_in_a_row,
            "bostons": self.counts_bostons,
            "reneges": self.second_renege_loses,
        }
        return frozenset({"scores", "hands", "deciding"} | {key for key, is_read in read.items() if is_read})

    def worded(self, text: str) -> str:
        """Put the sheet’s own words into a title or a choice that has places for them."""
        return text

    def irrelevant_options(self) -> frozenset[str]:
        """Name the options that have no effect beside the others: they are neither offered nor printed.

        No score depends on them, and choosing one is refused. Without Bostons there is no Boston pot.
        """
        return frozenset() if self.counts_bostons else BOSTON_POT

    def conflicts(self) -> tuple[tuple[str, str], ...]:
        """Name options that contradict each other: the option, and why. Most games have none."""
        return ()


def set_limit(default: int | None, low: int = 1) -> Any:
    """Declare the option for how many sets lose the game."""
    return option(
        default,
        "Sets that lose the game:",
        low=low,
        high=13,
        none="none: sets do not end a game",
        group="end",
    )


@dataclass(frozen=True, kw_only=True)
class GameRules(EventRules):
    """What every sheet says about its games: the sets that lose one, and the deciding hand after time."""

    set_limit: int | None = set_limit(None)
    deciding_hand: str = option(
        "nothing",
        "The hand that decides a game tied at time",
        choices={"nothing": "scores nothing", "counts": "is scored like any other; then the leader wins"},
        group="end",
    )

    @property
    def counts_sets_in_a_row(self) -> bool:
        """Return whether the limit of sets is for sets in a row."""
        return False
