"""An event file read strictly: every fault is a sentence that names its place. Nothing is guessed, nothing dropped."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

from scoring.ledger import listed
from tournament import PROGRAM
from tournament.archive.declared import fault_in, read
from tournament.archive.games import Tell, infer_states, read_games
from tournament.archive.things import VERSIONS, EventFile, LedgerLine, Registration, Table, Team
from tournament.errors import Fault, ValidationFailed
from tournament.migrations._option_names import with_documented_options
from tournament.models import Ledger
from tournament.models.team import ADJUSTMENT, CASH, INCOME, OUTGO, OWED, PAYOUT, POT, PRIZE
from tournament.queries.roster import RosterRow, cleaned_row
from tournament.queries.rules import (
    Ruleset,
    option_problems,
    printed_by,
    printed_problems,
    ruleset,
    sheet_choices,
    stage_problems,
)
from tournament.texts import name_key

# The manifest: its version, how many of everything it holds, and the checksum of all of it.

VERSION = VERSIONS[-1]
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
    manifested = manifest.get("counts") if isinstance(manifest, Mapping) else None
    counts = counts_of(data)
    for name, count in counts.items() if manifest is not None else ():
        told = manifested.get(name) if isinstance(manifested, Mapping) else None
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


# The file as a whole.

NO_PINS = "The event signed with PINs. They are left out: a player signs by tapping a name."
MOST_FAULTS = 40
# Far more than any file of this site has, and far less than what exhausts Python.
DEEPEST = 99
PURPOSES = {PAYOUT: (POT, PRIZE), ADJUSTMENT: (OWED, CASH)}


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
    file = read(EventFile, data, "", faults)
    rules = _rules(file, faults) if file else None
    if file is None or rules is None:
        raise ValidationFailed(faults[:MOST_FAULTS])
    _check_teams(file.teams, faults)
    read_games(file, rules, faults, tell)
    numbers = {team.number for team in file.teams}
    _check_numbered(file.decisions, "Decision", lambda one: _each_once(one.teams, numbers), faults)
    _check_numbered(
        file.placings, "Placing", lambda one: _each_once(one.before, numbers) and _each_once(one.after, numbers), faults
    )
    _check_entries(file.registrations, numbers, faults)
    _check_ledger(file.ledger or (), numbers, faults)
    _mark_leaver(file, faults)
    if not faults:
        infer_states(file.rounds, faults)
    if not faults and (fault := count_fault(data)):
        faults.append(fault)
    _check_stage(file, faults)
    if file.printed is not None and file.stage == "setup":
        faults.append(fault_in("", "printed", "the event has not started, and keeps no rules yet."))
    if faults:
        raise ValidationFailed(faults[:MOST_FAULTS])
    _settle(file, today)
    file.printed = printed_by(rules.sheet.key, file.printed)
    return file


def _settle(file: EventFile, today: date) -> None:
    """Fill in what the file leaves open."""
    file.date = file.date or today
    file.rounds_planned = file.rounds_planned or max(sum(one.stage == "qualifying" for one in file.rounds), 1)
    if file.odd_to_lowest is None:
        # Written before sites gave odd cents one each: what had started is paid as it was announced.
        file.odd_to_lowest = file.frozen_at is not None or file.stage != "setup"


def left_out(data: Mapping[str, Any]) -> list[str]:
    """What a readable file holds and this site no longer has, a sentence for each."""
    return [NO_PINS] if data.get("sign_with") == "pin" else []


def _depth_fault(data: Mapping[str, Any]) -> Fault | None:
    deep = next((key for key, value in data.items() if _is_deep(value, DEEPEST)), None)
    if deep is None:
        return None
    place = f"Field {deep}" if deep in EventFile.keys else "The file"
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
    """Whether a value holds what a database cannot store: half a character, NUL, or a number beyond all numbers."""
    if isinstance(value, str):
        return "\x00" in value or any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, float):
        return not isfinite(value)
    if isinstance(value, Mapping):
        return any(_unreadable(key) or _unreadable(one) for key, one in value.items())
    return isinstance(value, list) and any(map(_unreadable, value))


def _rules(file: EventFile, faults: list[Fault]) -> Ruleset | None:
    """The rules that the event is played by; None where they cannot be told.

    What the file tells of the playoffs with their games comes before its settings.
    """
    for name in ("cut", "best_of", "third_place") if file.playoffs is not None else ():
        if (value := getattr(file.playoffs, name)) is not None:
            setattr(file, name, value)
    key, printed = file.sheet, file.printed or {}
    if key not in {sheet for _, sheets in sheet_choices() for sheet, _ in sheets}:
        if key:
            faults.append(fault_in("", "sheet", f"There is no rule sheet “{key}”."))
        return None
    wrong = [
        problem._replace(field=f"printed{problem.field.removeprefix('options')}")
        for problem in printed_problems(key, printed)
    ]
    if not wrong:
        sheet = ruleset(key, printed=printed_by(key, printed)).sheet
        wrong = list(option_problems(sheet, dict(file.options)))
    rules = None
    if not wrong:
        rules = ruleset(key, json.dumps(dict(file.options), sort_keys=True), printed_by(key, printed))
        has_playoffs = file.cut is not None or file.stage in ("playoffs", "over")
        wrong = stage_problems(rules, file.stage_options, has_playoffs=has_playoffs)
    faults += [fault_in("", problem.field, problem.text) for problem in wrong]
    # Without its stages nobody knows by what the playoffs were played.
    return None if wrong or any(fault.field == "stage_options" for fault in faults) else rules


def _check_teams(teams: Sequence[Team], faults: list[Fault]) -> None:
    """Clean the names of the teams; no number and no name stands twice."""
    numbers: dict[int, str] = {}
    keys: dict[str, int] = {}
    homes: dict[int, str] = {}
    for team in teams:
        row = RosterRow(
            number=team.number,
            name=team.name,
            players=team.players,
            city=team.city,
            club=team.club,
            paid=team.paid,
            in_pot=team.in_pot,
            home=team.home,
            shown_as=team.shown_as,
        )
        team.row, wrong = cleaned_row(row)
        team.name = team.row.name
        team.sound = team.sound and not wrong
        faults += [fault_in(team.located, fault.field, fault.text) for fault in wrong]
        if team.number in numbers:
            text = f"the number is used twice, for “{numbers[team.number]}” and for “{team.name}”."
            faults.append(fault_in(team.located, "", text))
            continue
        numbers[team.number] = team.name
        if team.home and (there := homes.setdefault(team.home, team.name)) != team.name:
            faults.append(fault_in(team.located, "home", f"“{there}” stays at table {team.home} already."))
        other = keys.setdefault(name_key(team.name), team.number)
        if other != team.number and team.sound:
            faults.append(fault_in(team.located, "name", f"team {other} is called “{team.name}” already."))


def _mark_leaver(file: EventFile, faults: list[Fault]) -> None:
    """Mark the team that left without a substitute. Its last round is the one before its games were awarded."""
    number = file.leaver
    if number is None:
        return
    team = next((team for team in file.teams if team.number == number), None)
    if team is None:
        faults.append(fault_in("", "leaver", f"there is no team {number}."))
    elif team.status == "playing":
        team.status = "left"
        team.left_after = max(
            (
                round_.number
                for round_ in file.rounds
                for table in round_.tables
                if number in table.teams and not _given_away(table, table.teams.index(number))
            ),
            default=0,
        )


def _given_away(table: Table, side: int) -> bool:
    if len(table.entries) != 1:
        return False
    facts = table.entries[0]
    return facts.get("entry") == "award" and facts.get("rule") in ("46", "47", "forfeit") and facts.get("to") != side


def _check_numbered(things: Sequence[Any], called: str, can_be: Callable[[Any], bool], faults: list[Fault]) -> None:
    """Decisions and placings: numbered by their order where the file has no numbers, each about teams of the file."""
    for index, thing in enumerate(things, start=1):
        thing.number = thing.number or index
        if thing.sound and not can_be(thing):
            faults.append(fault_in(thing.located, "", thing.needs))
    if len({thing.number for thing in things}) != len(things):
        faults.append(fault_in(f"{called}s", "", "every one has a number of its own."))


def _each_once(numbers: Sequence[int], known: Collection[int]) -> bool:
    """Whether they are numbers that the file knows, none of them twice."""
    return len(set(numbers)) == len(numbers) and all(number in known for number in numbers)


def _check_entries(entries: Sequence[Registration], teams: Collection[int], faults: list[Fault]) -> None:
    """Entries of players: each at a place of its own, about teams and other entries of the file."""
    places = Counter(entry.position for entry in entries)
    for entry in entries:
        if places[entry.position] > 1:
            faults.append(fault_in(entry.located, "position", "every entry has a place of its own."))
        if entry.team not in (None, *teams):
            faults.append(fault_in(entry.located, "team", f"there is no team {entry.team}."))
        if entry.wants is not None and (entry.wants == entry.position or not places[entry.wants]):
            faults.append(fault_in(entry.located, "wants", f"there is no other entry {entry.wants}."))


def _check_ledger(ledger: Sequence[LedgerLine], teams: Collection[int], faults: list[Fault]) -> None:
    """A line takes back an earlier one of its kind, once and wholly.

    What a kind that nobody knows does to cash and pot is unknown, and so it is refused.
    """
    lines: dict[int, LedgerLine] = {}
    taken_back: set[int] = set()
    for line in ledger:
        wrong = []
        if line.kind not in dict(Ledger.KINDS) or line.purpose not in PURPOSES.get(line.kind, ("",)):
            wrong.append(("kind", f"“{line.kind}” with purpose “{line.purpose}” is not known."))
        if line.team is not None and line.team not in teams:
            wrong.append(("team", f"there is no team {line.team}."))
        if line.number in lines:
            wrong.append(("receipt", "Every receipt has a number of its own, from 1."))
        if line.reverses is not None:
            old = lines.get(line.reverses)
            wanted = (line.kind, line.purpose, line.team, -line.cents, None)
            same = old and (old.kind, old.purpose, old.team, old.cents, old.reverses) == wanted
            if not same or line.reverses in taken_back:
                text = "it takes back an earlier line of the same kind and team, once and wholly."
                wrong.append(("reverses", text))
            taken_back.add(line.reverses)
        elif line.cents == 0:
            wrong.append(("cents", "a sum in whole cents is needed."))
        elif (line.kind in INCOME and line.cents < 0) or (line.kind in OUTGO and line.cents > 0):
            wrong.append(("cents", "money in is above zero, money out is below zero."))
        lines[line.number] = line
        faults += [fault_in(line.located, key, text) for key, text in wrong]


def _check_stage(file: EventFile, faults: list[Fault]) -> None:
    """Where the event stands, from its rounds where the file does not say."""
    started = any(round_.state not in ("", "planned") for round_ in file.rounds)
    later = any(round_.stage != "qualifying" for round_ in file.rounds)
    if file.stage == "setup" and started:
        faults.append(fault_in("", "stage", "the event is being set up, but rounds have been played."))
    elif file.stage in ("setup", "playing") and later:
        faults.append(fault_in("", "stage", "there are playoff games, but the qualifying games are not over."))
    file.stage = file.stage or ("playoffs" if later else "playing" if started else "setup")
