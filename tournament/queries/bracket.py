"""The playoffs as they are now: seeds from the standings, slots from the results; nothing of it is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

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
    if table.cut is None or len(seeds := seeds_of(table.cut)) < 2:
        return None
    games = games_of(event, "playoff")
    names = table.books.names | {seed: "To be played off" for seed in seeds if seed < 0} | {NOBODY: "Nobody"}
    gone = {team.number for team in table.books.teams if team.status != "playing"}
    drawn, progress, questions, on_hold = _followed(event, table, seeds, games, names, gone)
    keys = {match.key for match in drawn.matches}
    played = {key: rows for key, rows in games.items() if key in keys}
    stale = {(stale.match, stale.game) for stale in progress.stale}
    facts = {
        state.match.key: _match(drawn, state, _marked(played.get(state.match.key, []), state.match.key, stale), names)
        for state in progress.states
    }
    # Each of them with whether anything was played on from it.
    played_on = {key for key, match in facts.items() if any(game.counts for game in match.games)}
    later = {
        slot.winner_of or slot.loser_of for match in drawn.matches if match.key in played_on for slot in match.slots
    }
    facts = {key: replace(match, has_gone_on=key in later, on_hold=key in on_hold) for key, match in facts.items()}
    foreign = [row for key, rows in games.items() if key not in keys for row in rows]
    rules = tuple(f"{round_}: {ruleset_of(event, round_).in_short}" for round_ in stage_rounds(event))
    return replace(_facts(drawn, progress, facts, foreign, table, names, questions), rules=rules)


def _followed(
    event: Event,
    table: Standings,
    seeds: tuple[int, ...],
    games: dict[str, list[Table]],
    names: dict[int, str],
    gone: set[int],
) -> tuple[Bracket, Progress, tuple[KeepOrReplay, ...], set[str]]:
    """The bracket as it was drawn and played until it is decided otherwise; what is asked, and which matches wait."""
    placings = table.placings
    first, decisions, out = drawn_seeds(placings), match_decisions(placings), put_out(placings)

    def play(order: tuple[int, ...], decisions: Mapping[str, Decided]) -> tuple[Bracket, Progress]:
        drawn = build_bracket(order, best_of=event.best_of, third_place=event.third_place)
        keys = {match.key for match in drawn.matches}
        rows = {key: [_match_game(row) for row in rows] for key, rows in games.items() if key in keys}
        return drawn, follow(drawn, rows, names, decisions, gone, out)

    drawn, progress = play(seeds, decisions)
    asked, on_hold = lots_question(table), set[str]()
    tied = {team for question in asked if not question.decided for team in question.after}
    if first != seeds and len(first) == len(seeds) and min(seeds) > 0:
        old = play(first, decisions)
        if others := _others(old[1], progress):
            decided = decision_on(placings, SEEDS, first, seeds)
            # A tie is decided before the seeds that follow from it.
            asked = asked if tied else (*asked, seeds_question(first, seeds, names, decided))
            on_hold |= set() if decided else others
            drawn, progress = (drawn, progress) if decided == "replay" else old
    undecided = {
        state.match.key: Decided(state.loser, state.winner, keep=False)
        for state in progress.states
        if state.undecided and state.loser is not None and state.winner is not None
    }
    if undecided:
        on_hold |= {*undecided, *_others(progress, play(drawn.teams, {**decisions, **undecided})[1])}
    on_hold |= {state.match.key for state in progress.states if tied.intersection(state.teams)}
    written = {key for key, rows in games.items() if any(row.written and row.state != VOID for row in rows)}
    before = {
        slot.winner_of or slot.loser_of for match in drawn.matches if match.key in written for slot in match.slots
    }
    return drawn, progress, (*asked, *match_questions(progress, names, decisions, before)), on_hold


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
    sides = []
    for index, slot in enumerate(state.match.slots):
        team = state.teams[index]
        real = team if team is not None and team > 0 else None
        name = f"{slot.words[0].upper()}{slot.words[1:]}" if team is None else names[team]
        seed = drawn.teams.index(team) + 1 if team in drawn.teams else None
        # Who goes on is shown as the winner, also where the director kept the team that had gone on; nobody while the
        # director is asked.
        first = state.through if state.stays else None if state.undecided else state.winner
        won = team is not None and first == team
        lost = state.both_out or (first is not None and not won)
        wins = state.wins[index]
        score = wins if games else None
        if state.match.best_of == 1:
            # The points in the game that counts; they are shown and of no value.
            last = next((game for game in reversed(games) if game.counts), None)
            score = next((seat.points for seat in last.seats if seat.number == team), None) if last else None
        sides.append(MatchSide(real, name, seed, wins, won, lost, score))
    is_known = all(side.number is not None for side in sides)
    open_ = any(game.counts and game.state not in DONE for game in games)
    done = state.winner is not None or state.both_out
    kind = "decided" if done else "playing" if open_ else "ready" if is_known else "waiting"
    match = state.match
    named = (match.key, match.title, match.round, match.position, match.best_of)
    return MatchFacts(*named, (sides[0], sides[1]), games, kind, state.both_out)


def _facts(
    drawn: Bracket,
    progress: Progress,
    facts: dict[str, MatchFacts],
    foreign: list[Table],
    table: Standings,
    names: dict[int, str],
    questions: tuple[KeepOrReplay, ...],
) -> BracketFacts:
    # Whoever was disqualified has no place, and those behind move up.
    away = {team.number for team in table.books.teams if team.status == "disqualified"}
    decided = finish(progress) if all(question.decided for question in questions) else ()
    order = [here for teams in decided if (here := [team for team in teams if team not in away])]
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
