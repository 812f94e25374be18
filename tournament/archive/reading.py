"""An event file read strictly: every fault is a sentence that names its place. Nothing is guessed, nothing dropped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from math import isfinite
from typing import Any
from zoneinfo import available_timezones

from django.utils.dateparse import parse_date

from scoring.fields import Fields
from scoring.ledger import listed
from tournament import PROGRAM
from tournament.archive.changes import (
    LARGE,
    SMALL,
    each_once,
    objects,
    read_count,
    read_journal,
    read_moment,
    read_substitutes,
)
from tournament.archive.games import FileRound, Tell, infer_states, read_games, read_rounds
from tournament.archive.money import FileLine, read_ledger, read_placings, read_prizes
from tournament.errors import Fault, ValidationFailed
from tournament.migrations._option_names import with_documented_options
from tournament.models import Journal, Substitution
from tournament.phrases import BOARD_SECTIONS, EVENT_STAGES, MOVEMENTS, VERIFY_CLOSING
from tournament.queries.roster import LARGEST_NUMBER, RosterRow, cleaned_row
from tournament.queries.rules import Ruleset, option_problems, printed_by, printed_problems, ruleset, sheet_choices
from tournament.texts import Refused, clean_name, name_key

# The teams of an event file.


TEAM = frozenset("number name players city club paid boston_pot status left_after joined_in substitutes note".split())
STATUSES = ("playing", "left", "disqualified")
MOST_TEAMS = 5000
MOST_PLAYERS = 8


@dataclass(slots=True)
class FileTeam:
    number: int
    row: RosterRow
    status: str
    left_after: int | None
    joined_in: int
    substitutes: list[Substitution] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.row.name


def read_teams(data: Any, faults: list[Fault]) -> list[FileTeam]:
    """The teams, with a fault for each that cannot be taken: no name, a name or number that stands twice."""
    if not isinstance(data, list):
        faults.append(Fault("teams", "Field teams: the teams are a list."))
        return []
    if len(data) > MOST_TEAMS:
        faults.append(Fault("teams", f"Field teams: at most {MOST_TEAMS:,} teams can be read; here are {len(data):,}."))
        return []
    teams: list[FileTeam] = []
    numbers: dict[int, str] = {}
    keys: dict[str, int] = {}
    for index, one in enumerate(data, start=1):
        team = _team(index, one, faults)
        if team is None:
            continue
        place = f"Team {team.number}"
        if team.number in numbers:
            text = f"{place}: the number is used twice, for “{numbers[team.number]}” and for “{team.name}”."
            faults.append(Fault("teams", text))
            continue
        other = keys.setdefault(name_key(team.name), team.number)
        if other != team.number:
            faults.append(Fault("teams", f"{place}, field name: team {other} is called “{team.name}” already."))
        numbers[team.number] = team.name
        teams.append(team)
    return teams


def mark_leaver(number: int | None, teams: Sequence[FileTeam], rounds: Sequence[Any], faults: list[Fault]) -> None:
    """The team that left without a substitute: its last round is the one before its games were given away."""
    if number is None:
        return
    team = next((team for team in teams if team.number == number), None)
    if team is None:
        faults.append(Fault("leaver", f"Field leaver: there is no team {number}."))
        return
    if team.status != "playing":
        return
    last = 0
    for round_ in rounds:
        for game in round_.games:
            if number in game.teams and not _given_away(game, game.teams.index(number)):
                last = max(last, round_.number)
    team.status, team.left_after = "left", last


def _given_away(game: Any, side: int) -> bool:
    if len(game.entries) != 1:
        return False
    facts = game.entries[0]
    return facts.get("entry") == "award" and facts.get("rule") in ("46", "47", "forfeit") and facts.get("to") != side


def _team(index: int, one: Any, faults: list[Fault]) -> FileTeam | None:
    if not isinstance(one, Mapping):
        faults.append(Fault("teams", f"Team in line {index} of the list: a team is an object."))
        return None
    fields = Fields(one)
    fields.only(TEAM)
    number = fields.number("number")
    place = f"Team {number}" if number is not None else f"Team in line {index} of the list"
    if number is None or not 1 <= number <= LARGEST_NUMBER:
        fields.refuse("number", f"a number from 1 to {LARGEST_NUMBER} is needed.")
    players = fields.texts("players")
    if len(players) > MOST_PLAYERS:
        fields.refuse("players", f"at most {MOST_PLAYERS} players can be named.")
    paid, in_pot = fields.flag("paid"), fields.flag("boston_pot")
    row = RosterRow(
        0,
        number,
        fields.text("name"),
        players[:MOST_PLAYERS],
        fields.text("city"),
        fields.text("club"),
        bool(paid),
        bool(in_pot),
    )
    row, wrong = cleaned_row(row)
    status = fields.text("status", "playing") or "playing"
    if status not in STATUSES:
        fields.refuse("status", f"“{status}” is not known: {', '.join(STATUSES)}.")
    left_after, joined_in = fields.number("left_after"), fields.number("joined_in")
    for key, value in (("left_after", left_after), ("joined_in", joined_in)):
        if value is not None and not 0 <= value <= 1000:
            fields.refuse(key, f"{value} is not a round.")
    substitutes = read_substitutes(one.get("substitutes"), fields)
    said = [(fault.field, fault.text) for fault in wrong if fault.field != "number"]
    said += [(problem.field, problem.text) for problem in fields.problems]
    faults += [Fault("teams", f"{place}, field {key}: {text}") for key, text in said]
    return None if said or number is None else FileTeam(number, row, status, left_after, joined_in or 1, substitutes)


# The manifest of an event file: its version, how many of everything it holds, and the checksum of all of it.

VERSION = 3
VERSIONS = (1, 2, 3)
# Files of version 1 have no manifest: people wrote them by hand.
MANIFESTED = 2


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """The file with its manifest in front."""
    manifest = {"version": VERSION, "program": PROGRAM, "counts": counts_of(data), "sha256": checksum(data)}
    return {"manifest": manifest} | data


def manifest_fault(data: Mapping[str, Any]) -> Fault | None:
    """Why a file is not what was written; None where it is, and where it is of a version without a manifest."""
    manifest, version = data.get("manifest"), data.get("version")
    version = 1 if version is None else version
    if type(version) is not int or version not in VERSIONS:
        known = listed(map(str, VERSIONS))
        text = f"Field version: this site reads event files of versions {known}, and this is {version}."
        return Fault("version", text)
    if manifest is None and version < MANIFESTED:
        return None
    if not isinstance(manifest, Mapping) or not isinstance(manifest.get("sha256"), str):
        return Fault("manifest", f"A file of version {version} has a manifest; this one has lost it.")
    if manifest.get("version") != version or manifest["sha256"] != checksum(data):
        text = "The file was changed or damaged after it was written: it does not give the checksum of its manifest."
        return Fault("manifest", text)
    return None


def count_fault(data: Mapping[str, Any]) -> Fault | None:
    """Where a readable file holds more or less than its manifest counts."""
    manifest = data.get("manifest")
    said = manifest.get("counts") if isinstance(manifest, Mapping) else None
    counts = counts_of(data)
    for name, count in counts.items() if manifest is not None else ():
        told = said.get(name) if isinstance(said, Mapping) else None
        if told != count:
            return Fault("manifest", f"The manifest counts {told} {name}, and the file holds {count}.")
    return None


def checksum(data: Mapping[str, Any]) -> str:
    """SHA-256 over the content, without its manifest and however it is laid out."""
    content = {key: value for key, value in data.items() if key != "manifest"}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def counts_of(data: Mapping[str, Any]) -> dict[str, int]:
    games = list(_games(data))
    return {
        "teams": len(data.get("teams") or ()),
        "games": len(games),
        "lines": sum(len(game.get("lines") or ()) for game in games),
        "signatures": sum(len(game.get("signed") or ()) for game in games),
        "notices": sum(len(game.get("notices") or ()) for game in games),
        "receipts": len(data.get("ledger") or ()),
        "acts": len(data.get("journal") or ()),
    }


def _games(data: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    for round_ in data.get("rounds") or ():
        yield from (table for table in round_["tables"] if "teams" in table)
    for key in ("tiebreaks", "playoffs"):
        yield from (data.get(key) or {}).get("games") or ()


TOP = frozenset(
    "version event date place time_zone sheet options rounds_planned movement keep_apart seed fee_cents"
    " pot_per_team_cents currency cut best_of third_place paper stage teams rounds tiebreaks playoffs decisions"
    " verify_own verify_closing ledger placings prizes leaver note title manifest officials frozen_at board_shows"
    " journal sign_with by_number printed".split()
)
NO_PINS = "The event signed with PINs. They are left out: a player signs by tapping a name."
MOST_FAULTS = 40
# Far more than any file of this site has, and far less than what exhausts Python.
DEEPEST = 99
METHODS = ("lots", "head-to-head", "bye")
DECISION = frozenset("number method teams seed witness by at".split())
ROLES = ("director", "verifier")
MOST_OFFICIALS = 200


@dataclass(slots=True)
class EventFile:
    """An event file that has no faults. `fields` are those of the event row."""

    fields: dict[str, Any]
    options: dict[str, Any]
    stage: str
    # What the rule sheet printed at the start, as it is stored; a file that does not say is read as of today.
    printed: str
    teams: list[FileTeam] = field(default_factory=list)
    rounds: list[FileRound] = field(default_factory=list)
    decisions: list[dict[str, Any]] = field(default_factory=list)
    ledger: tuple[FileLine, ...] | None = None
    placings: list[dict[str, Any]] = field(default_factory=list)
    journal: list[Journal] = field(default_factory=list)

    @property
    def games(self) -> int:
        return sum(len(round_.games) for round_ in self.rounds)

    @property
    def entries(self) -> int:
        return sum(len(game.entries) for round_ in self.rounds for game in round_.games)

    @property
    def finished(self) -> int:
        return sum(game.over for round_ in self.rounds for game in round_.games)


def read_event_file(data: Any, today: date, tell: Tell = lambda done, total: None) -> EventFile:
    """What an event file of any version says.

    Raises ValidationFailed with all its faults (the first forty); `today` is used where it names no date.
    """
    if not isinstance(data, Mapping):
        raise ValidationFailed([Fault("file", "An event file is an object with event, sheet, teams and rounds.")])
    if fault := _depth_fault(data) or _value_fault(data) or manifest_fault(data):
        raise ValidationFailed([fault])
    faults: list[Fault] = []
    data = with_documented_options(data)
    top = Fields(data)
    top.only(TOP)
    rules = _rules(data, faults)
    if faults or rules is None:
        raise ValidationFailed(faults[:MOST_FAULTS])
    fields = _fields(top, today, faults)
    teams = read_teams(data.get("teams"), faults)
    numbers = {team.number: team.name for team in teams}
    rounds = read_rounds(data.get("rounds"), rules, numbers, data.get("options") or {}, faults, tell)
    for key, stage in (("tiebreaks", "tiebreak"), ("playoffs", "playoff")):
        rounds += read_games(data.get(key), stage, rules, numbers, data.get("options") or {}, faults)
    decisions = _decisions(data.get("decisions"), numbers, faults)
    ledger, placings = (
        read_ledger(data.get("ledger"), numbers, faults),
        read_placings(data.get("placings"), numbers, faults),
    )
    fields["prizes"] = read_prizes(data.get("prizes"), faults)
    fields["ran_by"], journal = _officials(data.get("officials"), faults), read_journal(data.get("journal"), faults)
    mark_leaver(top.number("leaver"), teams, rounds, faults)
    faults += [Fault(problem.field, problem.text) for problem in top.problems]
    if not faults:
        infer_states(rounds, faults)
    if not faults and (fault := count_fault(data)):
        faults.append(fault)
    stage = _stage(top.text("stage"), rounds, faults)
    if data.get("printed") is not None and stage == "setup":
        faults.append(Fault("printed", "Field printed: the event has not started, and keeps no rules yet."))
    if faults:
        raise ValidationFailed(faults[:MOST_FAULTS])
    fields["rounds_planned"] = fields["rounds_planned"] or max(_qualifying(rounds), 1)
    if isinstance(playoffs := data.get("playoffs"), Mapping):
        fields |= {key: playoffs[key] for key in ("cut", "best_of", "third_place") if playoffs.get(key) is not None}
    options = dict(data.get("options") or {})
    printed = printed_by(rules.sheet.key, data.get("printed"))
    return EventFile(fields, options, stage, printed, teams, rounds, decisions, ledger, placings, journal)


def left_out(data: Mapping[str, Any]) -> list[str]:
    """What a readable file holds and this site no longer has, a sentence for each."""
    return [NO_PINS] if data.get("sign_with") == "pin" else []


def _depth_fault(data: Mapping[str, Any]) -> Fault | None:
    deep = next((key for key, value in data.items() if _is_deep(value, DEEPEST)), None)
    if deep is None:
        return None
    place = f"Field {deep}" if deep in TOP else "The file"
    return Fault("file", f"{place} is nested too deeply: at most {DEEPEST} levels can be read.")


def _is_deep(value: Any, left: int) -> bool:
    if not isinstance(value, (Mapping, list)):
        return False
    return left == 0 or any(_is_deep(one, left - 1) for one in (value if isinstance(value, list) else value.values()))


def _value_fault(data: Mapping[str, Any]) -> Fault | None:
    if not _unreadable(data):
        return None
    return Fault("file", "The file holds a character that cannot be stored, or a number beyond all numbers.")


def _unreadable(value: Any) -> bool:
    """Whether it holds what a database cannot keep: half a sign, the NUL character, or a number without end."""
    if isinstance(value, str):
        return "\x00" in value or any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, float):
        return not isfinite(value)
    if isinstance(value, Mapping):
        return any(_unreadable(key) or _unreadable(one) for key, one in value.items())
    return isinstance(value, list) and any(map(_unreadable, value))


def _rules(data: Mapping[str, Any], faults: list[Fault]) -> Ruleset | None:
    key, options = data.get("sheet"), data.get("options") or {}
    known = {sheet for _, sheets in sheet_choices() for sheet, _ in sheets}
    if not isinstance(key, str) or key not in known:
        named = f"There is no rule sheet “{key}”." if key else "The file names no rule sheet."
        faults.append(Fault("sheet", f"Field sheet: {named}"))
        return None
    if not isinstance(options, Mapping):
        faults.append(Fault("options", "Field options: options are an object, option and choice."))
        return None
    printed = data.get("printed") or {}
    if not isinstance(printed, Mapping):
        faults.append(Fault("printed", "Field printed: what the sheet printed is an object, option and value."))
        return None
    wrong = [
        problem._replace(field=f"printed{problem.field.removeprefix('options')}")
        for problem in printed_problems(key, printed)
    ]
    if not wrong:
        kept = ruleset(key, printed=printed_by(key, printed)).sheet
        wrong = list(option_problems(kept, dict(options)))
    faults += [Fault(problem.field, f"Field {problem.field}: {problem.text}") for problem in wrong]
    return None if faults else ruleset(key, json.dumps(dict(options), sort_keys=True), printed_by(key, printed))


def _fields(top: Fields, today: date, faults: list[Fault]) -> dict[str, Any]:
    said = {
        "name": _name(top, "event", 60, faults) or "Event",
        "place": _name(top, "place", 60, faults),
        "date": _date(top, today),
        "time_zone": _one_of(top, "time_zone", available_timezones() | {"America/New_York"}, "America/New_York"),
        "sheet": top.text("sheet"),
        "rounds_planned": _count(top, "rounds_planned", 1, 60),
        "movement": _one_of(top, "movement", MOVEMENTS, "moving"),
        "keep_apart": bool(top.flag("keep_apart")),
        "by_number": bool(top.flag("by_number")),
        "fee_cents": _count(top, "fee_cents", 0, 1_000_000) or 0,
        "pot_cents": _count(top, "pot_per_team_cents", 0, 1_000_000) or 0,
        "currency": top.text("currency", "$")[:3] or "$",
        "cut": _count(top, "cut", 2, 1024),
        "best_of": _count(top, "best_of", 1, 7) or 1,
        "third_place": bool(top.flag("third_place")),
        "paper": _one_of(top, "paper", ("letter", "a4"), "letter"),
        "verify_own": bool(top.flag("verify_own")),
        "verify_closing": _one_of(top, "verify_closing", VERIFY_CLOSING, "warns"),
        "board_shows": _one_of(top, "board_shows", BOARD_SECTIONS, "turns"),
        "frozen_at": read_moment(top, "frozen_at"),
    }
    if said["best_of"] not in (1, 3, 5, 7):
        top.refuse("best_of", "Field best_of: a match is one game, or best of 3, 5 or 7.")
    if (seed := _count(top, "seed", 0, LARGE)) is not None:
        said["seed"] = seed
    return said


def _name(top: Fields, key: str, longest: int, faults: list[Fault]) -> str:
    text = top.text(key)
    if not text.strip():
        if key == "event":
            faults.append(Fault("event", "Field event: the event needs a name."))
        return ""
    try:
        return clean_name(text, longest=longest)
    except Refused as refusal:
        faults.append(Fault(key, f"Field {key}: {refusal}"))
        return ""


def _date(top: Fields, today: date) -> date:
    text = top.text("date")
    if not text:
        return today
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None or isinstance(found, datetime):
        top.refuse("date", f"Field date: “{text}” is not a date like 2026-11-21.")
        return today
    return found


def _one_of(top: Fields, key: str, choices: Any, default: str) -> str:
    text = top.text(key, default) or default
    if text not in choices:
        top.refuse(key, f"Field {key}: “{text}” is not known.")
        return default
    return text


def _count(top: Fields, key: str, low: int, high: int) -> int | None:
    number = top.number(key)
    if number is not None and not low <= number <= high:
        top.refuse(key, f"Field {key}: {number} is not from {low} to {high:,}.")
        return None
    return number


def _decisions(data: Any, teams: Mapping[int, str], faults: list[Fault]) -> list[dict[str, Any]]:
    """Level teams put in order without a game, as rows have them; without a time where the file tells none."""
    made: list[dict[str, Any]] = []
    for index, fields in enumerate(objects(data, DECISION), start=1):
        number, seed = read_count(fields, "number", 1, SMALL) or index, read_count(fields, "seed", 0, LARGE)
        method, numbers, witness = fields.text("method"), fields.numbers("teams"), fields.text("witness")[:40]
        by, at = fields.text("by")[:150], read_moment(fields, "at")
        wrong = [f", field {problem.field}: {problem.text}" for problem in fields.problems]
        if not wrong and (method not in METHODS or len(numbers) < 2 or not each_once(numbers, teams)):
            wrong = [": it needs a method (lots, head-to-head or bye) and at least two teams, each once."]
        faults += [Fault("decisions", f"Decision {index}{text}") for text in wrong]
        if not wrong:
            said = {"method": method, "teams": list(numbers), "seed": seed, "witness": witness}
            made.append({"number": number, "by": by, "made_at": at, **said})
    if len({one["number"] for one in made}) != len(made):
        faults.append(Fault("decisions", "Decisions: every one has a number of its own."))
    return made


def _officials(data: Any, faults: list[Fault]) -> list[list[str]]:
    """Who ran the event, as [name, role]."""
    rows = data if isinstance(data, list) else [] if data is None else [None]
    named = [one for one in rows if isinstance(one, list) and len(one) == 2 and all(isinstance(it, str) for it in one)]
    named = [[name[:150], role] for name, role in named if name and role in ROLES][:MOST_OFFICIALS]
    if len(named) != len(rows):
        faults.append(Fault("officials", "Field officials: each is a name and a role (director or verifier)."))
    return named


def _stage(said: str, rounds: list[FileRound], faults: list[Fault]) -> str:
    started = any(round_.state != "planned" for round_ in rounds)
    later = any(round_.stage != "qualifying" for round_ in rounds)
    if said and said not in EVENT_STAGES:
        faults.append(Fault("stage", f"Field stage: “{said}” is not known."))
    elif said == "setup" and started:
        faults.append(Fault("stage", "Field stage: the event is being set up, but rounds have been played."))
    elif said in ("setup", "playing") and later:
        faults.append(Fault("stage", "Field stage: there are playoff games, but the qualifying games are not over."))
    if said:
        return said
    return "playoffs" if later else "playing" if started else "setup"


def _qualifying(rounds: list[FileRound]) -> int:
    return sum(round_.stage == "qualifying" for round_ in rounds)
