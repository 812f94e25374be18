"""The playoffs as they are now: seeds from the standings, slots from the results; nothing of it is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from scoring.ledger import listed
from tournament.models import Event, Placing
from tournament.pairing.bracket import (
    NOBODY,
    THIRD_KEY,
    Bracket,
    Decided,
    MatchGame,
    MatchState,
    Progress,
    build_bracket,
    finish,
    follow,
    seed_order,
)
from tournament.queries.placings import SEEDS, decision_on, drawn_seeds, seeds_of
from tournament.queries.rules import ruleset_of, stage_rounds
from tournament.queries.schedule import Table, games_of
from tournament.queries.standings import Standings, standings
from tournament.queries.tie_breaks import PREFIX
from tournament.words.journal import PLACINGS
from tournament.words.phrases import DONE, VOID
from tournament.words.sentences import say

# Decisions about the bracket after a correction: what is asked of the director, and what was decided.


@dataclass(frozen=True, slots=True)
class KeepOrReplay:
    """Something that was made from results which have changed since: a match, the seeds, a tie-break or a round's draw.

    `before` had gone on, `after` would go on by the results; team numbers, for seeds and draws all of them in order.
    `decided` is keep, replay, or nothing while the director is asked; `about` is seeds, lots or draw, and nothing for a
    match; `undo` says that a match was paired again without asking, because no hand was written, and none is yet.
    """

    source: str
    title: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    text: str
    facts: Mapping[str, Any]
    decided: str
    about: str = ""
    undo: bool = False

    def code(self, kind: str) -> str:
        """Return the code of what is decided, keep or replay: each of them has words of its own."""
        return f"{kind}-{self.about}" if self.about else kind

    @property
    def keep_words(self) -> str:
        return say(PLACINGS[self.code("keep")], self.facts)

    @property
    def replay_words(self) -> str:
        return say(PLACINGS[self.code("replay")], self.facts)


def match_decisions(placings: Sequence[Placing]) -> dict[str, Decided]:
    return {
        placing.source: Decided(placing.before[0], placing.after[0], placing.kind == "keep")
        for placing in placings
        if placing.kind in ("keep", "replay") and placing.source != SEEDS and placing.before and placing.after
    }


def put_out(placings: Sequence[Placing]) -> dict[str, frozenset[int]]:
    """The matches from which both teams were put out, with these two teams."""
    latest = {placing.source: placing for placing in placings if placing.kind in ("out", "in")}
    return {source: frozenset(placing.before) for source, placing in latest.items() if placing.kind == "out"}


def match_questions(
    progress: Progress, names: Mapping[int, str], decisions: Mapping[str, Decided], written: Collection[str]
) -> tuple[KeepOrReplay, ...]:
    """The matches whose result was changed after somebody had gone on from them.

    `written` are those from which a match follows in which something is written as it is paired now.
    """
    questions = []
    for state in progress.states:
        if state.asked is None or state.winner is None:
            continue
        old, new = names[state.asked], names[state.winner]
        where = f"{state.match.title}, {state.match.key}"
        decided = "" if state.undecided else "keep" if state.stays else "replay"
        decision = decisions.get(state.match.key)
        is_made = decision is not None and (decision.before, decision.after) == (state.asked, state.winner)
        undo = decided == "replay" and not is_made and state.match.key not in written
        questions.append(
            KeepOrReplay(
                source=state.match.key,
                title=where,
                before=(state.asked,),
                after=(state.winner,),
                text=f"{where} was corrected before a hand was played: {new} advances instead of {old}."
                if undo
                else f"{where}: {new} won it by the corrected sheet, but {old} already played on.",
                facts={"old": old, "new": new},
                decided=decided,
                undo=undo,
            )
        )
    return tuple(questions)


def seeds_question(
    before: tuple[int, ...], after: tuple[int, ...], names: Mapping[int, str], decided: str
) -> KeepOrReplay:
    """The standings give other seeds than those of the draw."""
    moved = [f"seed {seed} {names[new]} (was {names[old]})" for seed, (old, new) in _moved(before, after)]
    return KeepOrReplay(
        source=SEEDS,
        title="Seeds",
        before=before,
        after=after,
        text=f"The standings were corrected: the seeding has changed since the bracket was drawn: {', '.join(moved)}.",
        facts={},
        decided=decided,
        about=SEEDS,
    )


def lots_question(table: Standings) -> tuple[KeepOrReplay, ...]:
    """A tie-break that was for more teams than it decides between now."""
    if table.old_break is None:
        return ()
    attempt, level = table.old_break
    source, names = f"{PREFIX}{attempt.number}", table.books.names
    old, new = (listed(names[team] for team in sorted(teams)) for teams in (attempt.teams, level))
    what = f"lots drawn among {old} decide" if attempt.method in ("lots", "bye") else f"tie-break among {old} decides"
    text = f"{new} are now tied at the cut: the {what} between them."
    decided = decision_on(table.placings, source, attempt.teams, level)
    return (KeepOrReplay(source, "Tie at the cut", attempt.teams, level, text, {"teams": new}, decided, "lots"),)


def _moved(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[int, tuple[int, int]]]:
    pairs = enumerate(zip(before, after, strict=False), start=1)
    return [(seed, pair) for seed, pair in pairs if pair[0] != pair[1]]


@dataclass(frozen=True, slots=True)
class MatchSide:
    """A side of a match: a team, or where it will come from. `number` is None while the slot waits.

    `score` is the games won in a match of several, the points of a single game otherwise; None before they are known.
    """

    number: int | None
    name: str
    seed: int | None
    wins: int
    won: bool
    lost: bool
    score: int | None = None


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A match as it is drawn. `state` is waiting, ready, playing or decided.

    `both_out` says that nobody goes on from it, `has_gone_on` that a game was begun in a match that it leads to,
    `on_hold` that the officials still decide who plays in it, or who won it.
    """

    key: str
    title: str
    round: int
    position: int
    best_of: int
    sides: tuple[MatchSide, MatchSide]
    games: tuple[Table, ...]
    state: str
    both_out: bool = False
    has_gone_on: bool = False
    on_hold: bool = False

    @property
    def last(self) -> Table | None:
        return next((game for game in reversed(self.games) if game.counts), None)

    @property
    def counted(self) -> tuple[Table, ...]:
        """The games that decided it, or are on the way to."""
        return tuple(game for game in self.games if game.counts and game.state == "final")

    @property
    def can_both_go_out(self) -> bool:
        """Whether both teams came to a game that nobody won, and it is not decided yet."""
        last = self.last
        return self.state == "ready" and last is not None and last.state == "final" and last.winner is None

    @property
    def teams(self) -> tuple[int, int]:
        """The team numbers of a match in which both slots are filled."""
        first, second = (side.number for side in self.sides)
        assert first is not None and second is not None
        return first, second


@dataclass(frozen=True, slots=True)
class BracketCell:
    """One place of a bracket column: a match, or a team that has a bye there."""

    match: MatchFacts | None
    bye: MatchSide | None


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """One round of the bracket, from top to bottom."""

    number: int
    title: str
    cells: tuple[BracketCell, ...]


@dataclass(frozen=True, slots=True)
class BracketFacts:
    """The whole bracket. `unsettled` says what must be played off before the seeds are certain.

    `rules` is what each stage is played by otherwise than the games before it.
    """

    size: int
    columns: tuple[BracketColumn, ...]
    third: MatchFacts | None
    matches: tuple[MatchFacts, ...]
    stale: tuple[str, ...]
    foreign: tuple[Table, ...]
    champion: str
    runner_up: str
    champion_number: int | None
    unsettled: str
    level_seeds: tuple[str, ...]
    seeds: tuple[int, ...] = ()
    questions: tuple[KeepOrReplay, ...] = ()
    progress: Progress | None = None
    rules: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[KeepOrReplay, ...]:
        """What the director has to decide before anything goes on."""
        return tuple(question for question in self.questions if not question.decided)

    @property
    def held_games(self) -> frozenset[int]:
        """The keys of the games that wait for what the officials decide."""
        return frozenset(game.pk for match in self.matches if match.on_hold for game in match.games if game.counts)

    @property
    def voided(self) -> frozenset[int]:
        """The keys of the games whose teams are no longer those of their match, or whose match is no longer played."""
        stale = {game.pk for match in self.matches for game in match.games if game.stale}
        return frozenset(stale | {game.pk for game in self.foreign})


def bracket(event: Event, table: Standings | None = None) -> BracketFacts | None:
    """The bracket of an event whose cut has been made; None before, and where the first place alone decides."""
    if event.stage not in ("playoffs", "over") or not event.cut:
        return None
    table = table or standings(event)
    seeds = seeds_of(table.cut) if table.cut else ()
    if len(seeds) < 2:
        return None
    games = games_of(event, "playoff")
    names = table.books.names | {seed: "To be played off" for seed in seeds if seed < 0} | {NOBODY: "Nobody"}
    followed = _followed(event, table, seeds, games, names)
    drawn, progress = followed.drawn, followed.progress
    stale = {(stale.match, stale.game) for stale in progress.stale}
    matches = {}
    for state in progress.states:
        key = state.match.key
        matches[key] = _match(drawn, state, _marked(games.get(key, []), key, stale), names)
    played_on = {key for key, match in matches.items() if any(game.counts for game in match.games)}
    left_behind = _matches_before(drawn, played_on)
    matches = {
        key: replace(match, has_gone_on=key in left_behind, on_hold=key in followed.on_hold)
        for key, match in matches.items()
    }
    foreign = [row for key, rows in games.items() if key not in matches for row in rows]
    rules = tuple(f"{round_}: {ruleset_of(event, round_).in_short}" for round_ in stage_rounds(event))
    return replace(_facts(drawn, progress, matches, foreign, table, names, followed.questions), rules=rules)


class Followed(NamedTuple):
    """A bracket with what was played in it, what the director is asked, and the keys of matches that wait for that."""

    drawn: Bracket
    progress: Progress
    questions: tuple[KeepOrReplay, ...]
    on_hold: set[str]


def _followed(
    event: Event, table: Standings, seeds: tuple[int, ...], games: dict[str, list[Table]], names: dict[int, str]
) -> Followed:
    """The bracket as it was drawn and played until it is decided otherwise; what is asked, and which matches wait."""
    placings = table.placings
    first_seeds, decisions, out = drawn_seeds(placings), match_decisions(placings), put_out(placings)
    gone = {team.number for team in table.books.teams if team.status != "playing"}

    def play(order: tuple[int, ...], decisions: Mapping[str, Decided]) -> tuple[Bracket, Progress]:
        drawn = build_bracket(order, best_of=event.best_of, third_place=event.third_place)
        keys = {match.key for match in drawn.matches}
        rows = {key: [_match_game(row) for row in rows] for key, rows in games.items() if key in keys}
        return drawn, follow(drawn, rows, names, decisions, gone, out)

    drawn, progress = play(seeds, decisions)
    asked, on_hold = lots_question(table), set[str]()
    tied = {team for question in asked if not question.decided for team in question.after}

    # Results that changed may give other seeds than those by which the bracket was drawn.
    if first_seeds != seeds and len(first_seeds) == len(seeds) and min(seeds) > 0:
        drawn_first, progress_first = play(first_seeds, decisions)
        others = _others(progress_first, progress)
        if others:
            decided = decision_on(placings, SEEDS, first_seeds, seeds)
            # A tie is decided before the seeds that follow from it.
            if not tied:
                asked = (*asked, seeds_question(first_seeds, seeds, names, decided))
            if not decided:
                on_hold |= others
            if decided != "replay":
                drawn, progress = drawn_first, progress_first

    undecided = _undecided(progress)
    if undecided:
        _, progress_otherwise = play(drawn.teams, {**decisions, **undecided})
        on_hold |= {*undecided, *_others(progress, progress_otherwise)}
    on_hold |= {state.match.key for state in progress.states if tied.intersection(state.teams)}

    written = {key for key, rows in games.items() if any(row.written and row.state != VOID for row in rows)}
    questions = match_questions(progress, names, decisions, _matches_before(drawn, written))
    return Followed(drawn, progress, (*asked, *questions), on_hold)


def _undecided(progress: Progress) -> dict[str, Decided]:
    """Matches whose result changed after somebody had gone on from them, each as if the other team went on."""
    undecided = {}
    for state in progress.states:
        if state.undecided and state.loser is not None and state.winner is not None:
            undecided[state.match.key] = Decided(state.loser, state.winner, keep=False)
    return undecided


def _matches_before(drawn: Bracket, keys: Set[str]) -> set[str]:
    """The keys of the matches from which the teams of some matches came."""
    return {slot.winner_of or slot.loser_of for match in drawn.matches if match.key in keys for slot in match.slots}


def _others(first: Progress, second: Progress) -> set[str]:
    """The matches that are played by others in one of two brackets of a size."""
    return {state.match.key for state in first.states if {*state.teams} != {*second.state(state.match.key).teams}}


def questions_of(drawn: BracketFacts | None, table: Standings) -> tuple[KeepOrReplay, ...]:
    """What is asked about results that changed; without a bracket there is the first place alone to be tied for."""
    return drawn.questions if drawn else lots_question(table)


def champion_of(event: Event, table: Standings | None = None) -> tuple[int, str] | None:
    if event.stage not in ("playoffs", "over"):
        return None
    table = table or standings(event)
    if event.cut:
        drawn = bracket(event, table)
        return (drawn.champion_number, drawn.champion) if drawn and drawn.champion_number else None
    is_asked = any(not question.decided for question in lots_question(table))
    if table.complete and table.cut and not table.cut.level and table.cut.advance and not is_asked:
        number = table.cut.advance[0]
        return number, table.books.names[number]
    return None


def _match_game(game: Table) -> MatchGame:
    return MatchGame((game.teams[0], game.teams[1]), game.winner, game.written)


def _marked(games: list[Table], key: str, stale: set[tuple[str, int]]) -> tuple[Table, ...]:
    return tuple(
        replace(game, counts=(key, index) not in stale and game.state != VOID, stale=(key, index) in stale)
        for index, game in enumerate(games)
    )


def _match(drawn: Bracket, state: MatchState, games: tuple[Table, ...], names: dict[int, str]) -> MatchFacts:
    match = state.match
    first = _side(drawn, state, 0, games, names)
    second = _side(drawn, state, 1, games, names)
    return MatchFacts(
        match.key,
        match.title,
        match.round,
        match.position,
        match.best_of,
        (first, second),
        games,
        _state_of(state, games, (first, second)),
        state.both_out,
    )


def _state_of(state: MatchState, games: tuple[Table, ...], sides: tuple[MatchSide, MatchSide]) -> str:
    if state.winner is not None or state.both_out:
        return "decided"
    if any(game.counts and game.state not in DONE for game in games):
        return "playing"
    if all(side.number is not None for side in sides):
        return "ready"
    return "waiting"


def _side(drawn: Bracket, state: MatchState, index: int, games: tuple[Table, ...], names: dict[int, str]) -> MatchSide:
    team, words = state.teams[index], state.match.slots[index].words
    real = team if team is not None and team > 0 else None
    name = f"{words[0].upper()}{words[1:]}" if team is None else names[team]
    seed = drawn.teams.index(team) + 1 if team in drawn.teams else None
    through = _goes_on(state)
    won = team is not None and team == through
    lost = state.both_out or (through is not None and not won)
    return MatchSide(real, name, seed, state.wins[index], won, lost, _shown_score(state, index, games))


def _goes_on(state: MatchState) -> int | None:
    """The team that is shown as the winner: the one that the director kept, or nobody while the director is asked."""
    if state.stays:
        return state.through
    if state.undecided:
        return None
    return state.winner


def _shown_score(state: MatchState, index: int, games: tuple[Table, ...]) -> int | None:
    """How many games a side won. Where one game decides, its points in that game, which count for nothing."""
    if state.match.best_of > 1:
        return state.wins[index] if games else None
    last = next((game for game in reversed(games) if game.counts), None)
    if last is None:
        return None
    return next((seat.points for seat in last.seats if seat.number == state.teams[index]), None)


def _facts(
    drawn: Bracket,
    progress: Progress,
    facts: dict[str, MatchFacts],
    foreign: list[Table],
    table: Standings,
    names: dict[int, str],
    questions: tuple[KeepOrReplay, ...],
) -> BracketFacts:
    # A team that was disqualified has no place, and those behind it move up.
    disqualified = {team.number for team in table.books.teams if team.status == "disqualified"}
    order = []
    if all(question.decided for question in questions):
        for teams in finish(progress):
            still_in = [team for team in teams if team not in disqualified]
            if still_in:
                order.append(still_in)
    champion = order[0][0] if order and len(order[0]) == 1 else None
    second = order[1] if len(order) > 1 else []
    gone = "{} and {} met in a match that is no longer played."
    lost = [gone.format(*(names[team] for team in game.teams)) for game in foreign]
    return BracketFacts(
        size=len(drawn.teams),
        columns=_columns(drawn, facts, names),
        third=facts.get(THIRD_KEY),
        matches=tuple(facts.values()),
        stale=(*(stale.text for stale in progress.stale), *lost),
        foreign=tuple(foreign),
        champion=names[champion] if champion is not None else "",
        runner_up=names[second[0]] if len(second) == 1 else "",
        champion_number=champion,
        unsettled=table.cut.text if table.cut and table.cut.level else "",
        level_seeds=_level_seeds(table, drawn.teams),
        seeds=drawn.teams,
        questions=questions,
        progress=progress,
    )


def _columns(drawn: Bracket, facts: dict[str, MatchFacts], names: dict[int, str]) -> tuple[BracketColumn, ...]:
    by_position = {(match.round, match.position): facts[match.key] for match in drawn.matches if match.key != THIRD_KEY}
    order = seed_order(2**drawn.rounds)
    columns = []
    for number, title in enumerate(drawn.round_titles, start=1):
        cells = []
        for position in range(1, 2 ** (drawn.rounds - number) + 1):
            match = by_position.get((number, position))
            cells.append(BracketCell(match, None if match else _bye(order, position, drawn, names)))
        columns.append(BracketColumn(number, title, tuple(cells)))
    return tuple(columns)


def _bye(order: tuple[int, ...], position: int, drawn: Bracket, names: dict[int, str]) -> MatchSide:
    """Byes stand in the first round alone: the better seed of the pair goes through."""
    seed = min(order[2 * position - 2 : 2 * position])
    team = drawn.teams[seed - 1]
    return MatchSide(team if team > 0 else None, names[team], seed, 0, False, False)


def _level_seeds(table: Standings, seeds: tuple[int, ...]) -> tuple[str, ...]:
    """Seeds that share a place are set by team number; players are told so."""
    if not table.books.total:
        return ()
    shared: dict[str, list[str]] = defaultdict(list)
    for place in table.racing:
        if place.shared and place.team in seeds:
            shared[place.label].append(table.books.names[place.team])
    level = [f"{', '.join(teams)} ({label})" for label, teams in shared.items() if len(teams) > 1]
    return (f"Teams that share a place are seeded by team number: {'; '.join(level)}.",) if level else ()
