"""The rule set of an event: its options in words, its rulebook, who sees what, and who runs it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import QuerySet

from scoring.decisions import DIRECTOR, RulingRule
from scoring.document import all_sheets, find_game, find_sheet
from scoring.game import CardGame, Choice, NextHand, Seating, Sheet
from scoring.game import Field as Field
from scoring.ledger import Problem, bid_words
from scoring.opening import Total, totals_of
from scoring.options import (
    EventRules,
    Option,
    choose,
    choose_stored,
    describe,
    every_option,
    idle_options,
    read_values,
)
from scoring.standings.pot import EVERY_TEAM
from tournament import access
from tournament.access import Actor
from tournament.errors import Damaged, Fault
from tournament.models import Event, Game, Official, Round
from tournament.models.stored import author
from tournament.pairing.bracket import THIRD_KEY, build_bracket
from tournament.pairing.swiss import table_sizes
from tournament.words.phrases import RULE_STAGES
from tournament.words.texts import by_alphabet

MOST_AT_A_TABLE = 6
# Single players meet as many others as possible: two alone sit at a table only if the sheet allows no more.
FEWEST_SINGLES = 3
# If nobody has partners and the number of hands is fixed, a total says more than who won the table.
BY_TOTAL = ("points", "games-won", "lots")

# What can still change, with a confirmation, once games are played: it does not affect points or ranks.
CLOCK = ("round_minutes", "grace_minutes")
OPEN_LATER = frozenset({"standings_visible", *CLOCK})


@dataclass(frozen=True)
class Ruleset:
    """What an event is played by. `rules` are the sheet's options with the event's choices.

    An event that has started keeps the sheet it started with: its defaults are those that were printed then. `own` are
    the options that a stage of the event has for itself.
    """

    game: CardGame[Any]
    sheet: Sheet[Any]
    rules: EventRules
    own: frozenset[str] = frozenset()

    @cached_property
    def seating(self) -> Seating:
        return self.game.seating(self.rules)

    @cached_property
    def first_hand(self) -> NextHand:
        """What the table writes in the first hand of a game."""
        return self.game.next_hand(self.rules, self.game.begin(self.rules))

    @cached_property
    def bids(self) -> dict[str, Choice]:
        """What a side may bid if a side bids, by its key in the game document."""
        return {choice.value: choice for choice in self.first_hand.choices("bid")}

    def bid_words(self, bid: str) -> str:
        """A bid in the words of the sheet's players."""
        return self.bids[bid].words if bid in self.bids else bid_words(bid)

    @cached_property
    def columns(self) -> tuple[Field, ...]:
        """What a sheet has room for: the fields that a hand needs."""
        return tuple(field for field in self.game.columns(self.rules) if field.needed)

    @property
    def sets_end_games(self) -> bool:
        """Whether a side loses the game by a number of sets, in all or in a row."""
        return any(getattr(self.rules, key, None) is not None for key in ("set_limit", "back_to_back"))

    @property
    def singles(self) -> bool:
        """Whether everybody plays alone: then a team is one player."""
        return self.seating.seats == self.seating.sides

    @property
    def unit(self) -> str:
        """The word for what sits at a side of the table."""
        return "player" if self.singles else "team"

    def cited(self, rules: str) -> str:
        """Rules of the printed sheet for the end of a sentence, “ (rule 45)”; empty if the sheet numbers none."""
        if not any(rule.rule.isdigit() for rule in self.game.rulings(self.rules)):
            return ""
        return f" (rule{'s' if ',' in rules else ''} {rules})"

    @cached_property
    def table_sizes(self) -> tuple[int, ...]:
        """How many sides a table of the event can have, fewest first: several numbers only if players are single."""
        if not self.singles:
            return (self.seating.sides,)
        return tuple(size for size in range(2, MOST_AT_A_TABLE + 1) if self._with(size).seating == (size, size))

    @property
    def smallest_table(self) -> int:
        """The fewest sides that a draw seats at a table."""
        return next((size for size in self.table_sizes if size >= FEWEST_SINGLES), self.table_sizes[-1])

    @property
    def has_matches(self) -> bool:
        """Whether two can meet at their own table: playoffs and tie-break games need that."""
        return 2 in self.table_sizes

    def without_seat(self, count: int) -> int:
        """How many of `count` teams sit out each round."""
        largest = self.seating.sides
        return count - sum(table_sizes(count, largest, min(self.smallest_table, largest)))

    def at_table(self, sides: int) -> Ruleset:
        """The rules at a table with this many sides, if the sheet can be played by several numbers of them."""
        return self._tables.get(sides, self)

    @cached_property
    def _tables(self) -> dict[int, Ruleset]:
        return {sides: self._with(sides) for sides in self.table_sizes if sides != self.seating.sides}

    def _with(self, sides: int) -> Ruleset:
        return dataclasses.replace(self, rules=self.game.for_sides(self.rules, sides))

    @property
    def suggested(self) -> dict[str, Any]:
        """Options that a new event begins with, because the sheet leaves open what its standings are for."""
        by_total = self.singles and self.game.hands_planned(self.rules) is not None
        unchosen = self.rules.tiebreak_order == EventRules().tiebreak_order
        return {"tiebreak_order": list(BY_TOTAL)} if by_total and unchosen else {}

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Every option that has an effect, with its words, in the sheet's order."""
        return describe(self.rules, self.sheet.rules)

    @property
    def totals(self) -> tuple[Total, ...]:
        """What the form asks for a game that continues from a paper sheet."""
        return totals_of(self.rules)

    @property
    def said(self) -> tuple[Option, ...]:
        """The options that a printed sheet mentions."""
        return tuple(option for option in self.options if option.is_said)

    @property
    def titles(self) -> dict[str, str]:
        """The words before every option of the sheet, offered or not."""
        return {option.key: option.title for option in every_option(self.rules, self.sheet.rules)}

    @property
    def chosen(self) -> tuple[Option, ...]:
        """The options that differ from the printed sheet, and those that are this stage's own."""
        return tuple(option for option in self.options if option.value != option.default or option.key in self.own)

    @property
    def of_its_own(self) -> tuple[Option, ...]:
        """The options that this stage has for itself."""
        return tuple(option for option in self.options if option.key in self.own)

    @property
    def in_short(self) -> str:
        """These options in few words, for a sheet: “The game is won at: 500 points”; empty if the stage has none."""
        pairs = ((option.title.rstrip(":"), option.words.partition(" (")[0]) for option in self.of_its_own)
        return " · ".join(f"{title}: {words}" for title, words in pairs)


def ruleset_of(event: Event, round_: Round | None = None) -> Ruleset:
    """The rule sheet of an event: once started, the one it started with. Raises Damaged.

    Its games are played by that of their round; standings, pot, and byes use that of the event.
    """
    printed = event.printed if event.frozen_at is not None else ""
    own = json.dumps(round_.options if round_ is not None else {}, sort_keys=True)
    try:
        return ruleset(event.sheet, json.dumps(event.options, sort_keys=True), printed, own)
    except Damaged as damage:
        raise Damaged(fault._replace(text=f"{event}: {fault.text}") for fault in damage.faults) from damage


def everybody_in_pot(event: Event) -> bool:
    """Whether the Boston pot is for everybody: then each team is in it, whatever its own mark says."""
    return ruleset_of(event).rules.pot_entry == EVERY_TEAM


def asks_for_pot(event: Event) -> bool:
    """Whether each team decides for itself if it joins the Boston pot."""
    return bool(event.pot_cents) and not everybody_in_pot(event)


def ruleset_at(game: Game) -> Ruleset:
    """The rules of a game: those of its round, for a table of its size."""
    rules = ruleset_of(game.round.event, game.round)
    return rules.at_table(len(game.sides.all())) if rules.singles else rules


@lru_cache(maxsize=64)
def ruleset(key: str, options: str = "{}", printed: str = "", own: str = "{}") -> Ruleset:
    """A rule sheet with options as JSON, and over them a stage's `own`.

    With `printed`, what the sheet printed then replaces what it prints now.

    Raises Damaged for an option that cannot be read: playing by the default instead would change points without notice.
    """
    sheet = find_sheet(key)
    if printed:
        sheet = dataclasses.replace(sheet, rules=_stored(sheet, printed))
    rules = _stored(sheet, options)
    if own != "{}":
        rules = _stored(dataclasses.replace(sheet, rules=rules), own)
    return Ruleset(find_game(key), sheet, rules, frozenset(json.loads(own)))


def printed_by(key: str, stored: Mapping[str, Any] | None = None) -> str:
    """The value of every option as a sheet prints it today, offered or not: an event keeps these from its start on.

    `stored` is what an event in an event file had kept; what is missing there prints as it does today. An option that a
    later version adds is not among them, and gets that version's default. If its default is not how the game was played
    before, a migration must store the old value with the started events.
    """
    rules, _ = read_values(find_sheet(key).rules, stored or {})
    # Every option's value in JSON form.
    values = {option.key: option.value for option in every_option(rules, rules)}
    return json.dumps(
        {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}, sort_keys=True
    )


def printed_problems(key: str, stored: Mapping[str, Any]) -> tuple[Problem, ...]:
    """The stored values of an event that cannot be read."""
    return read_values(find_sheet(key).rules, stored)[1]


def _stored(sheet: Sheet[Any], stored: str) -> Any:
    """The rules of a sheet with values that are stored as JSON.

    Whether options fit together is checked when they are chosen. A later version may check more; stored values stay.
    """
    try:
        values = dict(json.loads(stored))
    except (TypeError, ValueError) as fault:
        raise Damaged(f"The stored options of “{sheet.title}” cannot be read.") from fault
    rules, problems = read_values(sheet.rules, values)
    if problems:
        faults = [
            Fault(problem.field, f"A stored option of “{sheet.title}” cannot be read. {problem.text}")
            for problem in problems
        ]
        raise Damaged(faults)
    return rules


def options_in(round_: Round) -> dict[str, Any]:
    """The options that were chosen for the games of a round: the event's, with those of its stage over them."""
    return {**round_.event.options, **round_.options}


def pinned_options(round_: Round) -> dict[str, Any]:
    """The options that a signature covers: all but those that can still change while games are played."""
    return {key: value for key, value in options_in(round_).items() if key not in OPEN_LATER}


# The pot's amount is shown with who is in it: every sheet has this option, even if it offers it nowhere.
POT_ENTRY = "pot_entry"


def option_problems(sheet: Sheet[Any], options: Mapping[str, Any], *, has_pot: bool) -> tuple[Problem, ...]:
    """What is wrong with a choice of options for a sheet, as it prints now or as an event has kept it.

    If an event `has_pot`, who is in it must always be chosen.
    """
    problems = choose(sheet.rules, options)[1]
    return tuple(one for one in problems if not (has_pot and one.field == f"options.{POT_ENTRY}"))


def stored_problems(sheet: Sheet[Any], options: Mapping[str, Any]) -> tuple[Problem, ...]:
    """The same for options that an event has: earlier versions accepted some without an effect."""
    return choose_stored(sheet.rules, options)[1]


class Copied(NamedTuple):
    """The options that a copy of an event takes over, those of its stages, and the titles of what it leaves out."""

    options: dict[str, Any]
    stages: dict[str, dict[str, Any]]
    left_out: tuple[str, ...]


def copied_options(event: Event) -> Copied:
    """The options that have an effect by today's sheet; an earlier version or sheet may have accepted more."""
    sheet = ruleset(event.sheet).sheet
    played = choose_stored(sheet.rules, event.options)[0]
    idle = idle_options(sheet.rules, played, event.options)
    left = [key for key in idle if not (event.pot_cents and key == POT_ENTRY)]
    options = {key: value for key, value in event.options.items() if key not in left}
    stages = {}
    for stage, own in event.stage_options.items():
        by_stage = choose_stored(played, of_stage(event.stage_options, stage))[0]
        idle = idle_options(played, by_stage, own)
        left += [key for key in idle if key not in left]
        stages[stage] = {key: value for key, value in own.items() if key not in idle}
    titles = {option.key: option.title for option in every_option(sheet.rules, sheet.rules)}
    return Copied(options, {stage: own for stage, own in stages.items() if own}, tuple(titles[key] for key in left))


# Options by stage: how games of the playoffs, or of the final, differ from those before them.

PLAYOFF, FINAL = RULE_STAGES
IN_STAGES = "Options can differ in “playoff” and in “final”: an object for each, option and choice."
ONE_FOR_ALL = "“{}” is the same in all games of the event."
ONE_POT = "Whether Bostons are counted is the same in all games of the event: the pot depends on it."
NO_PLAYOFFS = "This event has no playoffs, so nothing can differ in them: first say how many reach them."


def may_differ(option: Option) -> bool:
    """Whether a stage may have its own: how a game is bid, scored, ended, and timed, not what belongs to the event."""
    return option.group in ("bidding", "scoring", "end") or option.key in CLOCK


def of_stage(stages: Mapping[str, Any], stage: str) -> dict[str, Any]:
    """A stage's options besides the event's: the final uses the playoffs' options if it has none of its own."""
    return {**stages.get(PLAYOFF if stage else "", {}), **stages.get(FINAL if stage == FINAL else "", {})}


def stage_of(event: Event, stage: str, matches: Collection[str]) -> str:
    """The stage of a round by its matches; empty before the playoffs."""
    if stage != PLAYOFF:
        return ""
    if not event.cut:
        return PLAYOFF
    main_part = replace(event.playoff_form, second=0)
    final = build_bracket(range(event.cut), form=main_part).final
    return FINAL if final.key in matches else PLAYOFF


def has_final_alone(event: Event) -> bool:
    """Whether the final has options of its own: a round is played by the same options at every table."""
    return bool(event.stage_options.get(FINAL))


def stored_stage_options(event: Event, stage: str, matches: Collection[str]) -> list[dict[str, Any]]:
    """The options that a round of these matches may have been drawn with, those of today first.

    The match for third place had those of the final, before the final got a round of its own.
    """
    allowed = [of_stage(event.stage_options, stage_of(event, stage, matches))]
    if THIRD_KEY in matches:
        allowed.append(of_stage(event.stage_options, FINAL))
    return allowed


def stage_problems(
    rules: Ruleset, stages: Mapping[str, Any], *, has_playoffs: bool, stored: bool = False
) -> list[Problem]:
    """What is wrong with options by stage, given those of the event; each stage is checked at most once.

    `stored` ones may have no effect: earlier versions accepted such options.
    """
    if not all(stage in RULE_STAGES and isinstance(own, Mapping) for stage, own in stages.items()):
        return [Problem("stage_options", "", IN_STAGES)]
    if any(stages.values()) and not (has_playoffs and rules.has_matches):
        return [Problem("stage_options", "", NO_PLAYOFFS)]
    for stage in RULE_STAGES:
        if not stages.get(stage):
            continue
        problems = _problems_in_stage(rules, stage, of_stage(stages, stage), stored=stored)
        if problems:
            return problems
    return []


def _problems_in_stage(rules: Ruleset, stage: str, own: Mapping[str, Any], *, stored: bool) -> list[Problem]:
    """What is wrong with the options of one stage; at most one sentence for each option."""
    played, problems = choose_stored(rules.rules, own) if stored else choose(rules.rules, own)
    wrong = {problem.field.removeprefix("options."): problem.text for problem in problems}
    options = {option.key: option for option in every_option(rules.rules, rules.sheet.rules)}
    for key in own:
        if key in options and not may_differ(options[key]):
            wrong[key] = ONE_FOR_ALL.format(options[key].title.rstrip(":"))
    title, field = RULE_STAGES[stage], f"stage_options.{stage}"
    found = [Problem(f"{field}.{key}", "", f"{title}: {text}") for key, text in wrong.items()]
    if played.counts_bostons != rules.rules.counts_bostons:
        found.append(Problem(field, "", f"{title}: {ONE_POT}"))
    return found


def playoff_rounds(event: Event) -> list[tuple[Round, str]]:
    """The drawn rounds of the playoffs, each with its stage."""
    rounds = event.rounds.filter(stage=PLAYOFF).order_by("number").prefetch_related("games")
    return [(round_, stage_of(event, PLAYOFF, [game.match for game in round_.games.all()])) for round_ in rounds]


def begun_stages(event: Event) -> set[str]:
    """The stages whose options are fixed because a round of them is drawn; the final belongs to the playoffs."""
    return {begun for _, stage in playoff_rounds(event) for begun in (PLAYOFF, stage)}


def stage_rounds(event: Event) -> list[Round]:
    """For each stage with its own options, a round that is not drawn yet, with its name and the stage it follows."""
    return [
        Round(event=event, number=number, title=RULE_STAGES[stage], options=of_stage(event.stage_options, stage))
        for number, stage in enumerate(RULE_STAGES, start=1)
        if event.stage_options.get(stage)
    ]


def is_published(sheet: str) -> bool:
    """Whether there is a rule sheet with this key, including one that a newer one has replaced."""
    return any(sheet == each.key for _, each in all_sheets())


def sheet_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The rule sheets by game, for a list to choose from."""
    return [(title, sheets_of(game)) for game, title in game_choices()]


def game_choices() -> list[tuple[str, str]]:
    """Every game, for a list to choose from."""
    return list(dict.fromkeys((game.key, game.title) for game, _ in all_sheets()))


def sheets_of(game: str, own: str = "") -> list[tuple[str, str]]:
    """The rule sheets of a game, for a list to choose from: the newest of each, and the event's own."""
    return [
        (sheet.key, sheet.title)
        for kind, sheet in all_sheets()
        if kind.key == game and (not sheet.newer or sheet.key == own)
    ]


# Who runs an event.


def officials_of(event: Event) -> list[Official]:
    """The officials of an event: directors first, then by name."""
    offices = event.officials.select_related("user")
    return sorted(offices, key=lambda office: (office.role, by_alphabet(office.user.username), office.pk))


def open_directors(event: Event) -> QuerySet[Official]:
    """The officials who can act as director: a closed account cannot."""
    return event.officials.filter(role="director", user__is_active=True)


def undirected(user: User) -> list[str]:
    """The names of a person's events that are not over and have no other director who can act."""
    theirs = Event.objects.filter(officials__user=user, officials__role="director").exclude(stage="over")
    return [event.name for event in theirs if not open_directors(event).exists()]


def officials_named(event: Event, name: Callable[[str, Any], str] = author) -> list[list[str]]:
    """Who runs the event, as [name, role]: officials with an account, and those that only its file names."""
    offices = list(event.officials.select_related("user"))
    accounts = {office.user.get_username() for office in offices}
    with_account = [[name("", named.user), named.role] for named in offices]
    return sorted(
        [*with_account, *(pair for pair in event.ran_by if pair[0] not in accounts)],
        key=lambda pair: (pair[1], pair[0]),
    )


# The rule sheet of an event for its players: every option in words, every ruling with its possible cost.

GROUPS = {
    "bidding": "Bidding",
    "scoring": "What a hand is worth",
    "end": "How a game ends",
    "wrongs": "What players do wrong",
    "cards": "Cards and seats",
    "event": "Standings, byes and the pot",
}


@dataclass(frozen=True, slots=True)
class OptionWords:
    """An option as players read it; `changed` means that the club's choice differs from the printed sheet."""

    title: str
    words: str
    printed: str
    changed: bool


@dataclass(frozen=True, slots=True)
class RulingWords:
    """What can happen at a table, and what can be chosen then: by the director, unless somebody else is named."""

    rule: str
    when: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The sheet in words, option by option, in groups. `voids` are hands dealt again besides misdeals."""

    game: str
    title: str
    pinned: bool
    groups: tuple[tuple[str, tuple[OptionWords, ...]], ...]
    rulings: tuple[RulingWords, ...]
    directions: tuple[str, ...]
    voids: tuple[str, ...]
    changed: int
    stages: tuple[tuple[str, tuple[Option, ...]], ...] = ()


def rulebook(event: Event) -> Rulebook:
    rules = ruleset_of(event)
    by_group: dict[str, list[OptionWords]] = {group: [] for group in GROUPS}
    by_group["scoring"] += [
        OptionWords(option.title, option.words, option.words, False) for option in rules.game.prices(rules.rules)
    ]
    for option in rules.said:
        words = OptionWords(option.title, option.words, option.printed, option.value != option.default)
        by_group.setdefault(option.group, []).append(words)
    groups = tuple((GROUPS.get(group, group.capitalize()), tuple(words)) for group, words in by_group.items() if words)
    rulings = tuple(RulingWords(rule.rule, rule.when, _choices(rule)) for rule in rules.game.rulings(rules.rules))
    return Rulebook(
        game=rules.game.title,
        title=rules.sheet.title,
        pinned=event.frozen_at is not None,
        groups=groups,
        rulings=rulings,
        directions=tuple(choice.words for choice in rules.first_hand.choices("direction")),
        voids=tuple(one.words for one in rules.game.void_choices(rules.rules)),
        changed=len(rules.chosen),
        stages=tuple((str(round_), ruleset_of(event, round_).of_its_own) for round_ in stage_rounds(event)),
    )


def _choices(rule: RulingRule) -> tuple[str, ...]:
    """What can be chosen, naming whoever chooses unless it is the director."""
    return tuple(
        ("" if who == DIRECTOR else f"{who.capitalize()} chooses: ") + " · ".join(choice.words for choice in choices)
        for who, choices in groupby(rule.choices, key=lambda choice: choice.who)
    )


# Who may see which results: the only place that knows the option `standings_visible`. Page, board, part, file:
# everything that shows a result of a qualifying game asks here first.


class Visibility(NamedTuple):
    """Which qualifying rounds show results: those in play, those that are closed. `why` explains what is hidden."""

    running: bool
    closed: bool
    why: str = ""

    def shows(self, stage: str, state: str) -> bool:
        """Whether the final games of a round of this stage and state may be seen; playoffs are always visible."""
        if stage != "qualifying":
            return True
        return self.running if state == "running" else self.closed and state == "closed"


EVERYTHING, NOTHING = Visibility(True, True), Visibility(False, False)


def visibility(event: Event, actor: Actor) -> Visibility:
    """What the actor may see; officials see everything at any time."""
    rule = ruleset_of(event).rules.standings_visible
    if rule == "live" or event.stage == "over" or access.may(actor, "see-desk", event):
        return EVERYTHING
    if rule == "after-round":
        return Visibility(False, True, "Results are shown when a game is closed.")
    closed = Round.objects.filter(event=event, stage="qualifying", state="closed")
    if rule == "after-stage" and (event.stage == "playoffs" or closed.count() >= event.rounds_planned):
        return EVERYTHING
    when = "after the qualifying games" if rule == "after-stage" else "at the end of the event"
    return Visibility(False, False, f"Standings and results are shown {when}.")


def hall_notice(event: Event) -> str:
    """A warning to officials before they turn their screen around: what the public cannot see now."""
    return visibility(event, access.NOBODY).why
