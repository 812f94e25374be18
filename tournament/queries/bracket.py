"""The playoffs as they are now: seeds from the standings, slots from the results; nothing of it is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import replace
from typing import NamedTuple

from tournament.models import Event
from tournament.pairing.bracket import (
    CONSOLATION,
    LOSERS_PART,
    MAIN,
    SECOND_CONSOLATION,
    Bracket,
    Bye,
    Form,
    Losers,
    Match,
    Part,
    build_bracket,
)
from tournament.pairing.final_places import finish
from tournament.pairing.progress import NOBODY, Decided, MatchGame, MatchState, Progress, follow, team_in
from tournament.queries.bracket_facts import (
    BracketCell,
    BracketColumn,
    BracketFacts,
    BracketPart,
    MatchFacts,
    MatchSide,
)
from tournament.queries.keep_or_replay import (
    KeepOrReplay,
    lots_question,
    match_decisions,
    match_questions,
    put_out,
    seeds_question,
)
from tournament.queries.match_words import words_of
from tournament.queries.placings import SEEDS, decision_on, drawn_seeds, kept_seeds, seeds_of
from tournament.queries.rules import has_final_alone, ruleset_of, stage_rounds
from tournament.queries.schedule import Table, games_of
from tournament.queries.standings import Standings, standings
from tournament.words.phrases import DONE, VOID

HOW_MANY = ("no", "one", "two", "three", "four", "five")


def bracket(event: Event, table: Standings | None = None) -> BracketFacts | None:
    """The bracket of an event whose cut has been made; None before, and where the first place alone decides."""
    if event.stage not in ("playoffs", "over") or not event.cut:
        return None
    table = table or standings(event)
    games = games_of(event, "playoff")
    drawn_before = drawn_seeds(table.placings)
    seeds = seeds_of(table.cut, event.second or 0, drawn_before if games else ())
    if len(seeds) < 2:
        return None
    names = table.books.names | {seed: "To be played off" for seed in seeds if seed < 0} | {NOBODY: "Nobody"}
    followed = _followed(event, table, seeds, games, names)
    drawn, progress = followed.drawn, followed.progress
    stale = {(stale.match, stale.game) for stale in progress.stale}
    is_team = ruleset_of(event).unit == "team"
    matches = {}
    for state in progress.states:
        key = state.match.key
        matches[key] = _match(drawn, state, _marked(games.get(key, []), key, stale), names, is_team=is_team)
    played_on = {key for key, match in matches.items() if any(game.counts for game in match.games)}
    left_behind = _matches_before(drawn, played_on)
    matches = {
        key: replace(match, has_gone_on=key in left_behind, on_hold=key in followed.on_hold)
        for key, match in matches.items()
    }
    foreign = [row for key, rows in games.items() if key not in matches for row in rows]
    facts = _facts(drawn, progress, matches, foreign, table, names, followed.questions)
    return replace(
        facts,
        rules=tuple(f"{round_}: {ruleset_of(event, round_).in_short}" for round_ in stage_rounds(event)),
        final_alone=has_final_alone(event),
        left_out=_left_out(event.playoff_form, drawn),
    )


def _left_out(form: Form, drawn: Bracket) -> str:
    """What its form would have, if more teams were in it."""
    parts = {part.key for part in drawn.parts}
    told = []
    if form.losers == Losers.CONSOLATION and CONSOLATION not in parts:
        told.append("No consolation: with fewer than six teams, too few lose before the semifinals.")
    if form.second and not drawn.second:
        told.append("No second bracket: fewer than two teams are left for it.")
    if drawn.second and form.second_losers == Losers.CONSOLATION and SECOND_CONSOLATION not in parts:
        told.append("No consolation of the second bracket: with fewer than six teams, too few lose early.")
    return " ".join(told)


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
    decisions, out = match_decisions(placings), put_out(placings)
    first = len(table.cut.advance) + table.cut.seats if table.cut else 0
    first_seeds = kept_seeds(drawn_seeds(placings), seeds, first, has_begun=bool(games))
    gone = {team.number for team in table.books.teams if team.status != "playing"}

    def play(order: tuple[int, ...], decisions: Mapping[str, Decided]) -> tuple[Bracket, Progress]:
        second = max(0, len(order) - first)
        drawn = build_bracket(order, best_of=event.best_of, form=replace(event.playoff_form, second=second))
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


def due_by_team(drawn: BracketFacts) -> dict[int, MatchFacts]:
    """The match that each team plays next and that is not drawn yet, by its number."""
    due: dict[int, MatchFacts] = {}
    for match in drawn.matches:
        if match.state in ("waiting", "ready") and not match.on_hold:
            for side in match.sides:
                if side.number is not None:
                    due.setdefault(side.number, match)
    return due


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


def _match(
    drawn: Bracket, state: MatchState, games: tuple[Table, ...], names: dict[int, str], *, is_team: bool
) -> MatchFacts:
    match = state.match
    first = _side(drawn, state, 0, games, names)
    second = _side(drawn, state, 1, games, names)
    return MatchFacts(
        key=match.key,
        title=match.title,
        round=match.round,
        position=match.position,
        best_of=match.best_of,
        sides=(first, second),
        games=games,
        state=_state_of(state, games, (first, second)),
        both_out=state.both_out,
        part=match.part,
        column=match.column,
        to="" if drawn.is_plain else words_of(drawn, match).to,
        head_start=_head_start_words(match, first, is_team) if match.head_start else "",
    )


def _head_start_words(match: Match, unbeaten: MatchSide, is_team: bool) -> str:
    """Say what a head start means, once it is known who has it."""
    needs = match.best_of // 2
    count = "one game" if needs == 1 else f"{HOW_MANY[needs]} games"
    if unbeaten.number is None:
        return f"Who wins the winners’ bracket needs {count} here, the other side {HOW_MANY[needs + 1]}."
    have = "have" if is_team else "has"
    return f"{unbeaten.name} {have} not lost: they need {count}, the other side {HOW_MANY[needs + 1]}."


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
    if team == NOBODY and state.teams[1 - index] != NOBODY:
        name = "Bye"
    seed = drawn.teams.index(team) + 1 if team in drawn.teams else None
    through = _goes_on(state)
    won = team is not None and team == through
    lost = state.both_out or (through is not None and not won)
    score = _shown_score(state, index, games)
    return MatchSide(real, name, seed, _games_won(state, index), won, lost, score, is_nobody=team == NOBODY)


def _games_won(state: MatchState, index: int) -> int:
    """How many games a side won at the table, without its head start."""
    return state.wins[index] - (state.match.head_start if index == 0 else 0)


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
        return _games_won(state, index) if games else None
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
        parts=_parts(drawn, progress, facts, names),
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


def _parts(
    drawn: Bracket, progress: Progress, facts: Mapping[str, MatchFacts], names: Mapping[int, str]
) -> tuple[BracketPart, ...]:
    """Every part as it is drawn on a page: its columns, from the top, with byes."""
    parts = []
    for part in drawn.parts:
        columns = _columns(drawn, part, progress, facts, names)
        own = drawn.in_part(part.key)
        is_single = len(own) == 1 and part.key != MAIN
        parts.append(BracketPart(part.key, part.title, part.best, columns, facts[own[0].key] if is_single else None))
    return tuple(parts)


def _columns(
    drawn: Bracket, part: Part, progress: Progress, facts: Mapping[str, MatchFacts], names: Mapping[int, str]
) -> tuple[BracketColumn, ...]:
    matches: dict[tuple[int, int], Match] = {(one.column, one.position): one for one in drawn.in_part(part.key)}
    byes = {(bye.column, bye.position): bye for bye in drawn.byes if bye.part == part.key}
    highs = _highs(drawn, part, max(column for column, _ in matches))
    columns: list[BracketColumn] = []
    for number, high in enumerate(highs, start=1):
        places = [(number, position) for position in range(1, high + 1)]
        titles = [matches[place].title for place in places if place in matches]
        cells = [_cell(drawn, matches.get(place), byes.get(place), progress, facts, names) for place in places]
        if columns:
            before = columns[-1]
            cells = [replace(cell, is_fed=before.feeds(index)) for index, cell in enumerate(cells)]
        following = highs[number] if number < len(highs) else 0
        columns.append(BracketColumn(number, titles[0], tuple(cells), 0 < following < high, following == high))
    return tuple(columns)


def _highs(drawn: Bracket, part: Part, columns: int) -> list[int]:
    """How many places each column of a part has, one for each match that a full field would play there.

    In the losers’ bracket each second column has as many as the one before: there the next losers come in. The final of
    a double elimination stands behind the winners’ final.
    """
    if part.key == LOSERS_PART:
        return [2 ** ((columns - number) // 2) for number in range(1, columns + 1)]
    if part.key == MAIN and LOSERS_PART in {one.key for one in drawn.parts}:
        return [*(2 ** (columns - 1 - number) for number in range(1, columns)), 1]
    return [2 ** (columns - number) for number in range(1, columns + 1)]


def _cell(
    drawn: Bracket,
    match: Match | None,
    bye: Bye | None,
    progress: Progress,
    facts: Mapping[str, MatchFacts],
    names: Mapping[int, str],
) -> BracketCell:
    if match is not None:
        shown = facts[match.key]
        if shown.is_empty:
            return BracketCell()
        return BracketCell(bye=shown.bye) if shown.bye else BracketCell(match=shown)
    if bye is None:
        return BracketCell()
    team = team_in(progress, bye.slot)
    if team == NOBODY:
        return BracketCell()
    return BracketCell(bye=_bye_side(drawn, bye, team, names))


def _bye_side(drawn: Bracket, bye: Bye, team: int | None, names: Mapping[int, str]) -> MatchSide:
    words = bye.slot.words
    name = f"{words[0].upper()}{words[1:]}" if team is None else names[team]
    seed = drawn.teams.index(team) + 1 if team in drawn.teams else None
    real = team if team is not None and team > 0 else None
    return MatchSide(real, name, seed, 0, False, False)


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
