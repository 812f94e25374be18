"""Whether the rows of an event file make sense together: settings, teams, money, log. Every fault names its row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any
from zoneinfo import available_timezones

from scoring.standings.pot import percentage
from tournament.archive.parts import KEYS_OF_ROWS
from tournament.archive.rows import Rows
from tournament.errors import Fault
from tournament.models import (
    Decision,
    Entry,
    Event,
    Game,
    Journal,
    Ledger,
    Notice,
    Placing,
    Player,
    Registration,
    Round,
    Substitution,
    Team,
)
from tournament.models.team import ADJUSTMENT, CASH, DUES, INCOME, OUTGO, OWED, PAYOUT, POT, PRIZE
from tournament.pairing.plan import Note
from tournament.queries.roster import LARGEST_TABLE
from tournament.queries.rules import (
    Ruleset,
    is_published,
    printed_problems,
    ruleset,
    stage_problems,
    stored_problems,
)
from tournament.words.journal import in_full, notice_text
from tournament.words.sentences import can_be_said
from tournament.words.texts import Refused, clean_name, is_placeholder, name_key

MOST_CENTS = 1_000_000_00
MOST_FEE = 1_000_000
MOST_PRIZES = 500
MOST_OFFICIALS = 200
MOST_PLAYERS = 8
LONGEST_DAY = 86_400
ROLES = ("director", "verifier")
PURPOSES = {PAYOUT: (POT, PRIZE), ADJUSTMENT: (OWED, CASH)}
PRIZES = f"at most {MOST_PRIZES}, in cents by place, or percentages that are 100 at most together"

# Limits for what people can set where the column allows more: far beyond them pages would be slow or fail.
LIMITS: dict[tuple[type, str], tuple[int, int]] = {
    (Event, "fee_cents"): (0, MOST_FEE),
    (Event, "pot_cents"): (0, MOST_FEE),
    (Event, "cut"): (2, 1024),
    (Event, "entry_limit"): (1, 9999),
    (Team, "left_after"): (0, 1000),
    (Team, "joined_in"): (0, 1000),
    (Team, "home"): (1, LARGEST_TABLE),
    (Player, "position"): (0, MOST_PLAYERS - 1),
    (Substitution, "position"): (0, MOST_PLAYERS - 1),
    (Substitution, "from_round"): (1, 1000),
    (Substitution, "to_round"): (1, 1000),
    (Registration, "position"): (1, 2_147_483_647),
    (Round, "number"): (1, 1000),
    (Round, "paused_seconds"): (0, 100 * LONGEST_DAY),
    (Round, "extra_seconds"): (-LONGEST_DAY, 100 * LONGEST_DAY),
    (Game, "table"): (1, 9999),
    (Game, "leg"): (1, 999),
    (Entry, "position"): (0, 5000),
    (Decision, "number"): (1, 32_767),
    (Placing, "number"): (1, 32_767),
    (Ledger, "number"): (1, 2_147_483_647),
    (Ledger, "cents"): (-MOST_CENTS, MOST_CENTS),
}
# Names as people type them.
NAMES: dict[type, tuple[str, ...]] = {
    Event: ("name", "place", "entry_words"),
    Team: ("name", "entered", "city", "club"),
    Player: ("name", "entered", "contact", "note"),
    Registration: ("name",),
}


def check_limits(rows: Rows) -> None:
    for (model, column), (low, high) in LIMITS.items():
        for row in rows.of(model):
            value = getattr(row, column)
            if value is not None and not low <= value <= high:
                rows.refuse(row, column, f"{value} is not from {low} to {high:,}")


def check_names(rows: Rows) -> None:
    """Clean the names, and derive the keys by which they are found again."""
    for model, columns in NAMES.items():
        for row in rows.of(model):
            for column in columns:
                _clean(rows, row, column)
    for model in (Team, Player, Registration):
        for row in rows.of(model):
            name = getattr(row, "entered", "") or row.name
            # A deleted name keeps the key that distinguishes it from others.
            if not is_placeholder(name):
                row.key = name_key(name)


def _clean(rows: Rows, row: Any, column: str) -> None:
    text = getattr(row, column)
    if not text.strip():
        setattr(row, column, "")
        if column == "name":
            rows.refuse(row, column, "a name is needed")
        return
    try:
        setattr(row, column, clean_name(text, longest=row._meta.get_field(column).max_length, free=True))
    except Refused as refusal:
        rows.refuse(row, column, str(refusal))


# The event: the rules it is played by.


def check_event(rows: Rows) -> Ruleset | None:
    """The rules that the event is played by; None if they cannot be determined."""
    events = rows.of(Event)
    if len(events) != 1:
        rows.faults.append(Fault("Event", f"An event file holds one event, and this holds {len(events)}."))
        return None
    [event] = events
    if event.time_zone not in available_timezones() | {"America/New_York"}:
        rows.refuse(event, "time_zone", f"“{event.time_zone}” is not known")
    if not _are_prizes(event.prizes):
        rows.refuse(event, "prizes", PRIZES)
    if not _are_officials(event.ran_by):
        rows.refuse(event, "ran_by", "each is a name and a role (director or verifier)")
    _check_stage(rows, event)
    return _rules(rows, event)


def _rules(rows: Rows, event: Event) -> Ruleset | None:
    if not is_published(event.sheet):
        rows.refuse(event, "sheet", f"there is no rule sheet “{event.sheet}”")
        return None
    for column in ("options", "stage_options"):
        if not isinstance(getattr(event, column), Mapping):
            rows.refuse(event, column, "options are an object, option and choice")
            return None
    printed = _printed(rows, event)
    if printed is None:
        return None
    before = len(rows.faults)
    for problem in printed_problems(event.sheet, printed) if printed else ():
        rows.refuse(event, f"printed{problem.field.removeprefix('options')}", problem.text, problem.rule)
    if len(rows.faults) > before:
        return None
    kept = event.printed if event.frozen_at is not None else ""
    for problem in stored_problems(ruleset(event.sheet, printed=kept).sheet, event.options):
        rows.refuse(event, problem.field, problem.text, problem.rule)
    if len(rows.faults) > before:
        return None
    rules = ruleset(event.sheet, json.dumps(event.options, sort_keys=True), kept)
    has_playoffs = event.cut is not None or event.stage in ("playoffs", "over")
    for problem in stage_problems(rules, event.stage_options, has_playoffs=has_playoffs, stored=True):
        rows.refuse(event, problem.field, problem.text, problem.rule)
    return rules if len(rows.faults) == before else None


def _printed(rows: Rows, event: Event) -> dict[str, Any] | None:
    """What the sheet printed when the event started; None if it cannot be read."""
    if event.frozen_at is None:
        if event.printed:
            rows.refuse(event, "printed", "the event has not started, and keeps no rules yet")
            return None
        return {}
    try:
        printed = json.loads(event.printed)
    except (ValueError, RecursionError):
        printed = None
    if not isinstance(printed, dict):
        rows.refuse(event, "printed", "what the sheet printed is an object, option and value, as text")
        return None
    return printed


def _check_stage(rows: Rows, event: Event) -> None:
    """The event's stage, compared with its rounds."""
    rounds = rows.of(Round)
    if event.stage == "setup" and any(round_.state != "planned" for round_ in rounds):
        rows.refuse(event, "stage", "the event is being set up, but rounds have been played")
    elif event.stage in ("setup", "playing") and any(round_.stage == "playoff" for round_ in rounds):
        rows.refuse(event, "stage", "there are playoff games, but the qualifying games are not over")


def _are_officials(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_OFFICIALS and all(map(_is_official, value))


def _is_official(row: Any) -> bool:
    if not isinstance(row, list) or len(row) != 2:
        return False
    name, role = row
    return isinstance(name, str) and 0 < len(name) <= 150 and isinstance(role, str) and role in ROLES


def _are_prizes(prizes: Any) -> bool:
    """Whether this is a payout table: cents by place, or percentages of a sum."""
    if not isinstance(prizes, dict):
        return False
    if not prizes:
        return True
    if prizes.get("by") == "place" and {*prizes} == {"by", "prizes"}:
        return _is_list_of(prizes["prizes"], _is_money)
    if prizes.get("by") == "percent" and {*prizes} == {"by", "percent", "purse"}:
        return _is_money(prizes["purse"]) and _is_list_of(prizes["percent"], _is_text) and _fit(prizes["percent"])
    return False


def _is_list_of(value: Any, fits: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_PRIZES and all(map(fits, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_money(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_CENTS


def _fit(percent: Sequence[str]) -> bool:
    try:
        return bool(percent) and sum(map(percentage, percent), Fraction(0)) <= 100
    except (ArithmeticError, ValueError):
        return False


# Teams and players who entered themselves.


def check_entries(rows: Rows) -> None:
    """Entries refer to entries other than themselves, and a player is in a team or an entry."""
    for entry in rows.of(Registration):
        if entry.wants is entry:
            rows.refuse(entry, "wants", "somebody else is needed")
    for player in rows.of(Player):
        if player.team is None and player.entry is None:
            rows.refuse(player, "team", "a team or an entry is needed")


# Draws, decisions and the log.


def check_notes(rows: Rows) -> None:
    for round_ in rows.of(Round):
        if not isinstance(round_.notes, list) or not all(map(_is_note, round_.notes)):
            rows.refuse(round_, "notes", "each is a note of the draw")


def _is_note(row: Any) -> bool:
    kinds = {"said": str, "number": int, "teams": list, "rounds": list, "home": str}
    if not isinstance(row, dict) or not all(type(row[key]) is kinds.get(key) for key in row):
        return False
    if not all(map(_is_text, row.get("teams", ()))) or not all(type(one) is int for one in row.get("rounds", ())):
        return False
    try:
        # A note without a sentence is not a note.
        return bool(str(Note.from_row(row)))
    except (LookupError, TypeError, ValueError):
        return False


def check_decisions(rows: Rows) -> None:
    """Decisions and placings: each about teams of the event, none of them named twice."""
    numbers = {team.number for team in rows.of(Team)}
    for decision in rows.of(Decision):
        if not _each_once(decision.teams, numbers) or len(decision.teams) < 2:
            rows.refuse(decision, "teams", "at least two teams of the event are needed, each once")
    for placing in rows.of(Placing):
        least = 2 if placing.kind == "drawn" else 1
        if not _each_once(placing.before, numbers) or len(placing.before) < least:
            rows.refuse(placing, "before", "teams of the event are needed, each once; drawn are two at least")
        if not _each_once(placing.after, numbers):
            rows.refuse(placing, "after", "teams of the event are needed, each once")


def _each_once(teams: Any, known: Collection[int]) -> bool:
    if not isinstance(teams, list) or not all(type(team) is int for team in teams):
        return False
    return len(set(teams)) == len(teams) and all(team in known for team in teams)


def check_words(rows: Rows) -> None:
    """The log and notices: codes with all the values that their sentences need."""
    for act in rows.of(Journal):
        if not can_be_said(partial(in_full, act.action), act.code, act.facts):
            rows.refuse(act, "facts", "something is missing that the sentence of this act needs")
        model = KEYS_OF_ROWS.get(act.noun)
        if model is not None and act.key and not _leads_to_one(act.key, len(rows.of(model))):
            rows.refuse(act, "key", f"“{act.key}” leads to no {model.__name__.lower()} of this file")
    for notice in rows.of(Notice):
        if not can_be_said(notice_text, notice.code, notice.facts):
            rows.refuse(notice, "facts", "something is missing that the sentence of this notice needs")


def _leads_to_one(key: str, rows: int) -> bool:
    return key.isascii() and key.isdecimal() and 1 <= int(key) <= rows


# Money.


def check_ledger(rows: Rows) -> None:
    """A line reverses an earlier one of its kind, once and in full.

    A kind with an unknown purpose is refused, because its effect on cash and pot is unknown.
    """
    taken_back = Counter(id(line.reverses) for line in rows.of(Ledger) if line.reverses is not None)
    for line in rows.of(Ledger):
        if line.kind == DUES:
            rows.refuse(line, "kind", "dues are a season’s, and no file has them")
        if line.purpose not in PURPOSES.get(line.kind, ("",)):
            rows.refuse(line, "purpose", f"“{line.kind}” with purpose “{line.purpose}” is not known")
        if line.reverses is not None:
            if not _takes_back(line) or taken_back[id(line.reverses)] > 1:
                text = "it takes back an earlier line of the same kind and team, once and wholly"
                rows.refuse(line, "reverses", text)
        elif line.cents == 0:
            rows.refuse(line, "cents", "a sum in whole cents is needed")
        elif (line.kind in INCOME and line.cents < 0) or (line.kind in OUTGO and line.cents > 0):
            rows.refuse(line, "cents", "money in is above zero, money out is below zero")


def _takes_back(line: Ledger) -> bool:
    old = line.reverses
    if old is None or old.reverses is not None or old.number >= line.number:
        return False
    return (old.kind, old.purpose, old.team, old.cents) == (line.kind, line.purpose, line.team, -line.cents)
