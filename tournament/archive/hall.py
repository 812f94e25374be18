"""What the event file of another hall brings: games finished there and unplayed here, and what keeps the others out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from django.template.defaultfilters import pluralize
from django.utils import timezone

from tournament.archive.games import FileGame, FileRound
from tournament.archive.reading import MOST_FAULTS, EventFile
from tournament.models import Event, Game, Substitution, Team
from tournament.models.entry import OPENING, RULED
from tournament.models.submission import PARKED
from tournament.phrases import TEAM_STATES, VOID, day, result
from tournament.queries.rules import every_pinned, ruleset_at, ruleset_of
from tournament.queries.scored import active_entries, begin
from tournament.queries.sides import sides_with_teams
from tournament.refusals import Fault, Invalid
from tournament.texts import name_key


class HallGame(NamedTuple):
    """A game that the other hall finished: its row here, what the file says of it, and why it does not come."""

    game: Game
    said: FileGame
    why: str = ""

    @property
    def place(self) -> str:
        return place_of(self.game.round.title or f"Game {self.game.round.number}", self.game.table, self.game.leg)

    @property
    def teams(self) -> str:
        return " – ".join(side.team.name for side in self.game.sides.all())

    @property
    def score(self) -> str:
        return result(self.said.scores)

    @property
    def rulings(self) -> int:
        return sum(facts["entry"] in RULED for facts in self.said.entries)

    @property
    def signers(self) -> str:
        return ", ".join(one.name for one in self.said.standing if one.name)


@dataclass(slots=True)
class HallResults:
    """What a file of another hall comes to here: games that come, that stand here already, and that stay out.

    `open` counts those that are not finished there; `substitutes` come with their teams' games; `left` names the teams
    that only the other hall has sent away.
    """

    comes: list[HallGame] = field(default_factory=list)
    here: list[HallGame] = field(default_factory=list)
    out: list[HallGame] = field(default_factory=list)
    open: int = 0
    substitutes: list[tuple[Team, Substitution]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def hall_results(event: Event, file: EventFile) -> HallResults:
    """Compare a file with the event. Raises Invalid where it is of another event, other rules or other tables."""
    names = {team.number: team.name for team in file.teams}
    rows = Game.objects.filter(round__event=event).select_related("round__event")
    whole = rows.prefetch_related(sides_with_teams(), "entries", "calls", "submissions")
    games = {(game.round.number, game.table, game.leg): game for game in whole}
    results, faults = HallResults(), _another_event(event, file)
    for round_, said in ((one, game) for one in file.rounds for game in one.games):
        if said.void or not (said.over and said.final):
            results.open += said.begun and not said.void
            continue
        game = games.get((round_.number, said.table, said.leg))
        if game is None:
            faults.append(_no_such_game(round_, said, names))
            continue
        if fault := _strangers(round_, said, names, game):
            faults.append(fault)
            continue
        one = HallGame(game, said, _why_not(game, said))
        (results.here if _stands(game, said) else results.out if one.why else results.comes).append(one)
    if faults:
        raise Invalid(faults[:MOST_FAULTS])
    _teams(event, file, results)
    return results


def place_of(title: str, table: int, leg: int) -> str:
    """A game by its round and table, and by its number in a match of several games."""
    return f"{title}, table {table}" + (f", game {leg} of the match" if leg > 1 else "")


def _another_event(event: Event, file: EventFile) -> list[Fault]:
    said = file.fields
    if (name_key(said["name"]), said["date"]) != (name_key(event.name), event.date):
        there, here = f"{said['name']}, {day(said['date'])}", f"{event.name}, {day(event.date)}"
        return [Fault("event", f"The file is of another event: {there}. This is {here}.")]
    theirs = Event(sheet=said["sheet"], options=file.options, printed=file.printed, frozen_at=timezone.now())
    rules, other_rules = ruleset_of(event), ruleset_of(theirs)
    if rules.sheet.key != other_rules.sheet.key:
        text = f"The file is played by “{other_rules.sheet.title}”, this event by “{rules.sheet.title}”."
        return [Fault("sheet", text)]
    own, other = every_pinned(event), every_pinned(theirs)
    wrong = [rules.titles.get(key, key) for key in own if own[key] != other.get(key)]
    return [Fault("options", f"The other hall plays by other rules: {', '.join(wrong)}.")] if wrong else []


def _no_such_game(round_: FileRound, said: FileGame, names: Mapping[int, str]) -> Fault:
    teams = " and ".join(names[number] for number in said.teams)
    return Fault("rounds", f"{_place(round_, said)}: this event has no such game. There it is {teams}.")


def _strangers(round_: FileRound, said: FileGame, names: Mapping[int, str], game: Game) -> Fault | None:
    """A fault where others meet here: the round was drawn again, or it is another match."""
    here = [(side.team.number, name_key(side.team.name)) for side in game.sides.all()]
    there = [(number, name_key(names[number])) for number in said.teams]
    if here != there:
        theirs = " and ".join(f"{names[number]} ({number})" for number in said.teams)
        ours = " and ".join(f"{side.team.name} ({side.team.number})" for side in game.sides.all())
        return Fault("rounds", f"{_place(round_, said)}: there it is {theirs}, here {ours}.")
    if (game.round.stage, game.match) != (round_.stage, said.match):
        return Fault("rounds", f"{_place(round_, said)}: here it is a game of another stage or match.")
    return None


def _place(round_: FileRound, said: FileGame) -> str:
    return place_of(round_.title or f"Game {round_.number}", said.table, said.leg)


def _stands(game: Game, said: FileGame) -> bool:
    """Whether the sheet here says the same already."""
    return game.state != VOID and bool(game.entries.all()) and not _difference(game, said)


def _why_not(game: Game, said: FileGame) -> str:
    """Why a game is not imported; nothing where it can be."""
    if game.round.state == "planned":
        return f"{game.round} has not started here. Start it, then import the file again."
    if game.state == VOID:
        return "Here this game does not count."
    if game.entries.all():
        return f"Played here, too, and not the same: {_difference(game, said)}. The sheet here stays as it is."
    if any(call.answered_at is None for call in game.calls.all()):
        return "The table is calling the director here. Answer it, then import the file again."
    if any(one.status == PARKED for one in game.submissions.all()):
        return "A tablet here wrote on this game. Decide on that first, then import the file again."
    return ""


def _difference(game: Game, said: FileGame) -> str:
    """Where the sheet here first says something else; nothing where both are the same."""
    rows, rules = active_entries(game.entries.all()), ruleset_at(game)
    totals = next((row.facts for row in rows if row.kind == OPENING), None)
    if begin(rules, 0, totals).begin != begin(rules, 0, said.opening).begin:
        return "it starts from other totals"
    lines = [row.facts for row in rows if row.kind != OPENING]
    for number, (here, there) in enumerate(zip(lines, said.entries, strict=False), start=1):
        if here != there:
            return f"line {number} is different"
    if len(lines) == len(said.entries):
        return ""
    return f"{len(lines)} line{pluralize(len(lines))} here, {len(said.entries)} there"


def _teams(event: Event, file: EventFile, results: HallResults) -> None:
    """Substitutes come with the games of their teams. Who has left there alone is named: the director rules here."""
    playing = {side.team_id for one in results.comes for side in one.game.sides.all()}
    here = {team.number: team for team in event.teams.prefetch_related("substitutions")}
    for said in file.teams:
        team = here.get(said.number)
        if team is not None and said.status not in ("playing", team.status):
            results.left.append(f"{team.name}: {TEAM_STATES[said.status].lower()}")
        if team is not None and team.pk in playing:
            known = {(one.position, one.into, one.from_round, one.to_round) for one in team.substitutions.all()}
            told = [
                one for one in said.substitutes if (one.position, one.into, one.from_round, one.to_round) not in known
            ]
            results.substitutes += [(team, one) for one in told]
