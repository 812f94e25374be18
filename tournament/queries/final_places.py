"""The final places: who finished where and how. Pages, projector, papers, files, and prizes read them here."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.ledger import counted
from scoring.standings.tiebreaks import BY_KEY, ordinal
from tournament.models import Event, Team
from tournament.pairing import final_places as pure
from tournament.pairing.bracket import MAIN
from tournament.pairing.final_places import (
    DISQUALIFIED,
    LOST_FINAL,
    LOST_PART,
    WENT_OUT,
    WON_FINAL,
    WON_PART,
    Placed,
)
from tournament.queries.bracket import bracket, champion_of
from tournament.queries.bracket_facts import BracketFacts, BracketPart, MatchFacts
from tournament.queries.game_results import Mark, have_played
from tournament.queries.rules import EVERYTHING, Visibility, ruleset_of
from tournament.queries.standings import Standings, StandingsLine, standings
from tournament.queries.wording import BY_DEFAULT
from tournament.words.phrases import result

STILL_PLAYS = "still-plays"
PLACE = " place"
SCORED = {WON_FINAL: "Won", LOST_FINAL: "Lost", WON_PART: "Won", LOST_PART: "Lost"}


def how_placed(
    ending: str, where: str, score: tuple[int, ...], line: StandingsLine | None, *, after_playoffs: bool
) -> str:
    """Say how a place was reached. `score` is the result of the match from this team's side.

    `where` is the title of the match; of a team that still plays, that of the part.
    """
    if ending == WENT_OUT:
        return f"Went out in the {_rounds_called(where)}"
    if ending in SCORED:
        return f"{SCORED[ending]} the {_match_called(where)} {result(score) if score else 'by default'}"
    if ending == STILL_PLAYS:
        return f"Still to play {_part_called(where)}"
    if ending == DISQUALIFIED:
        return "Disqualified"
    return _qualified(line, after_playoffs) if line else ""


def _lower(title: str) -> str:
    return f"{title[:1].lower()}{title[1:]}"


def _rounds_called(title: str) -> str:
    """A round inside a sentence: quarterfinals, round of 16, losers’ final, of which there is one."""
    words = _lower(title)
    return f"{words}s" if words.endswith(("semifinal", "quarterfinal")) else words


def _match_called(title: str) -> str:
    """The last match of a part inside a sentence: final, game for third, consolation final."""
    words = _lower(title)
    return f"game for {words.removesuffix(PLACE)}" if words.endswith(PLACE) else words


def _part_called(title: str) -> str:
    """A part inside a sentence: for third, in the consolation."""
    words = _lower(title)
    return words.removesuffix(PLACE) if words.endswith(PLACE) else f"in the {words}"


def _qualified(line: StandingsLine, after_playoffs: bool) -> str:
    figures = f"{counted(line.won, 'game')} won, {counted(line.points, 'point')}"
    if after_playoffs:
        shared = "tied for " if line.label.endswith("=") else ""
        seed = f"{shared}{ordinal(line.rank)} in qualifying"
        return f"{seed[0].upper()}{seed[1:]}: {figures}"
    reason = BY_KEY[line.decided_by].advantage if line.decided_by else ""
    return f"{figures}; {reason}" if reason else figures


STEPS, NAMES_ON_A_STEP = 3, 3


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A team at its final place. `rank` is None and `label` empty for a team that was disqualified.

    `players` are empty where everybody plays alone. `ending` is one of `pairing/final_places.py`, or STILL_PLAYS;
    `where` is the title of the match that decided it, `score` its result from this team's side. `line` is its line of
    the standings, None while those are hidden. `playoffs` are the games won and played there. `unbeaten` is a champion
    who came to the final without a loss, and so one game ahead.
    """

    rank: int | None
    label: str
    number: int
    team: str
    players: tuple[str, ...]
    city: str
    ending: str
    where: str
    score: tuple[int, ...]
    line: StandingsLine | None
    after_playoffs: bool
    playoffs: tuple[int, int]
    unbeaten: bool = False

    @property
    def how(self) -> str:
        """“Won the final 7–3”, “Went out in the quarterfinals”, “9th in qualifying: 4 games won, 31 points”."""
        words = how_placed(self.ending, self.where, self.score, self.line, after_playoffs=self.after_playoffs)
        return f"{words}, unbeaten before it" if self.unbeaten else words

    @property
    def ordinal(self) -> str:
        return ordinal(self.rank) if self.rank else ""

    @property
    def record(self) -> str:
        """“5 of 6 games, then 3 of 3”; nothing while the standings are hidden."""
        if self.line is None:
            return ""
        won, played = self.playoffs
        if played and not self.line.played:
            return f"{won} of {played} game{'' if played == 1 else 's'}"
        first = f"{self.line.won} of {self.line.played} game{'' if self.line.played == 1 else 's'}"
        return f"{first}, then {won} of {played}" if played else first


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the podium. `more` counts those who share it and are not named there."""

    rank: int
    ordinal: str
    lines: tuple[PlaceLine, ...]
    more: int


@dataclass(frozen=True, slots=True)
class FinalPlaces:
    """Every team that played by its final place; no lines while there is no champion, or while nobody may see one.

    `hidden` says why teams that only played the qualifying games are missing. `open_from` is the best place that is
    still to be played for.
    """

    lines: tuple[PlaceLine, ...] = ()
    unit: str = "team"
    hidden: str = ""
    open_from: int | None = None

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each place together, best first: what prizes are paid by."""
        placed = (line for line in self.lines if line.rank)
        return tuple(tuple(line.number for line in group) for _, group in groupby(placed, lambda line: line.rank))

    def index_lines(self) -> dict[int, PlaceLine]:
        """The lines by team number, for whoever looks for more than one."""
        return {line.number: line for line in self.lines}

    @property
    def podium(self) -> tuple[Step, ...]:
        """The first three places, as many of them as were taken."""
        top = (line for line in self.lines if line.rank and line.rank <= STEPS)
        groups = [tuple(group) for _, group in groupby(top, lambda line: line.rank)]
        return tuple(
            Step(group[0].rank or 0, group[0].ordinal, group[:NAMES_ON_A_STEP], len(group[NAMES_ON_A_STEP:]))
            for group in groups
        )

    @property
    def champion(self) -> PlaceLine | None:
        return next((line for line in self.lines if line.rank == 1), None)

    @property
    def after_playoffs(self) -> bool:
        """Whether playoffs were played; without them the standings are the final ranks."""
        return any(line.after_playoffs for line in self.lines)

    @property
    def title(self) -> str:
        """What the first place is called."""
        return "Champion" if self.unit == "player" else "Champions"

    @property
    def won_by(self) -> str:
        """How the first place was won, with the other side: “Won the final 7–3 against Aces”."""
        first = self.champion
        if first is None:
            return ""
        other = next((line.team for line in self.lines if line.ending == LOST_FINAL), "")
        if first.ending == WON_FINAL and other:
            return f"{first.how} against {other}"
        away = next((line.team for line in self.lines if line.ending == DISQUALIFIED), "")
        return f"{first.how}; {away} was disqualified" if first.ending == LOST_FINAL else first.how


def final_places(event: Event, seen: Visibility = EVERYTHING, table: Standings | None = None) -> FinalPlaces:
    """The final places, as soon as there is a champion.

    The bracket is played in the open: where the standings are still hidden, those who played in it are shown. Once it
    is over, who never sat in a game has no place.
    """
    unit = ruleset_of(event).unit
    nobody_yet = FinalPlaces(unit=unit)
    if event.stage not in ("playoffs", "over") or not (event.cut or seen.closed):
        return nobody_yet
    table = table or standings(event)
    drawn: BracketFacts | None = None
    champion: int | None = None
    if event.cut:
        drawn = bracket(event, table)
        if drawn is None or drawn.champion_number is None:
            return nobody_yet
    else:
        named = champion_of(event, table)
        if named is None:
            return nobody_yet
        champion = named[0]

    absent = table.books.absent | _never_there(event, table, champion)
    placed = _placed(table, drawn, champion, absent)
    if drawn is not None and not seen.closed:
        placed = [team_placed for team_placed in placed if team_placed.match]
    lines = list(_lines(event, placed, table, drawn, seen))
    hidden = "" if seen.closed else seen.why
    if drawn is None or event.stage == "over":
        return FinalPlaces(tuple(lines), unit, hidden)
    still_open = _still_open(drawn)
    open_from = min((part.best for part in still_open), default=None)
    return FinalPlaces(_told_who_plays(lines, drawn, still_open), unit, hidden, open_from)


def _told_who_plays(
    lines: Iterable[PlaceLine], drawn: BracketFacts, still_open: Iterable[BracketPart]
) -> tuple[PlaceLine, ...]:
    """The same lines; those of teams that play on in an open part say so."""
    plays_in = _plays_in(drawn, still_open)
    told = []
    for line in lines:
        if line.number in plays_in:
            line = replace(line, ending=STILL_PLAYS, where=plays_in[line.number])
        told.append(line)
    return tuple(told)


def _placed(table: Standings, drawn: BracketFacts | None, champion: int | None, absent: Set[int]) -> list[Placed]:
    """Place everyone who was there. Without a bracket, the standings decide, with the champion first."""
    groups = [tuple(ranked.team for ranked in group) for _, group in groupby(table.places, lambda ranked: ranked.rank)]
    if champion is not None:
        others = [tuple(team for team in group if team != champion) for group in groups]
        groups = [(champion,), *others]
    disqualified = {team.number for team in table.books.teams if team.status == "disqualified"}
    placed = pure.final_places(drawn.progress if drawn else None, groups, disqualified | absent)
    return [team_placed for team_placed in placed if team_placed.team not in absent]


def _never_there(event: Event, table: Standings, champion: int | None) -> set[int]:
    """The numbers of the teams that never sat in a game of an event that is over: they have no place.

    What was over before this rule keeps the places that it printed; whoever was made champion stays it.
    """
    if event.stage != "over" or event.places_no_shows:
        return set()
    seen = {number for number, marks in table.books.marks.items() if any(_was_there(mark) for mark in marks)}
    asked = [team for team in table.books.teams if team.number not in seen]
    played = have_played(asked)
    return {team.number for team in asked if team.pk not in played and team.number != champion}


def _was_there(mark: Mark) -> bool:
    """Whether this game or bye alone says that the team was there."""
    return mark.sign in ("W", "B") or mark.how not in BY_DEFAULT


def _lines(
    event: Event, placed: Iterable[Placed], table: Standings, drawn: BracketFacts | None, seen: Visibility
) -> Iterable[PlaceLine]:
    teams = {team.number: team for team in Team.objects.filter(event=event).prefetch_related("players")}
    matches = {match.key: match for match in drawn.matches} if drawn else {}
    lines, played, singles = table.index_lines(), _played(drawn), ruleset_of(event).singles
    for team_placed in placed:
        team, match = teams[team_placed.team], matches.get(team_placed.match)
        yield PlaceLine(
            rank=team_placed.rank,
            label="" if team_placed.rank is None else f"{team_placed.rank}{'=' if team_placed.shared else ''}",
            number=team_placed.team,
            team=team.name,
            players=() if singles else tuple(player.name for player in team.players.all()),
            city=team.city,
            ending=team_placed.ending,
            where=match.title if match else "",
            score=_score(match, team_placed.team) if match else (),
            line=lines.get(team_placed.team) if seen.closed else None,
            after_playoffs=drawn is not None,
            playoffs=played.get(team_placed.team, (0, 0)),
            unbeaten=team_placed.ending == WON_FINAL
            and match is not None
            and match.head_start != ""
            and match.sides[0].number == team_placed.team,
        )


def _score(match: MatchFacts, team: int) -> tuple[int, ...]:
    """The result of a match from a team's side: games won where it took several, else the points of its game.

    Nothing where no hand decided it: somebody was late, had left, or did not come.
    """
    if match.best_of > 1:
        return _games_won(match, team)
    game = next((game for game in match.games if game.counts and game.winner is not None), None)
    if game is None or game.by_default or team not in game.teams or len(game.seats) != 2:
        return ()
    own = game.teams.index(team)
    return tuple(seat.points or 0 for seat in (game.seats[own], game.seats[1 - own]))


def _games_won(match: MatchFacts, team: int) -> tuple[int, ...]:
    """How many games of a match its two sides won, this team's side first; nothing where nobody won one."""
    first, second = match.sides
    if first.wins + second.wins == 0:
        return ()
    if first.number == team:
        return first.wins, second.wins
    return second.wins, first.wins


def _played(drawn: BracketFacts | None) -> dict[int, tuple[int, int]]:
    """The playoff games that each team won and played."""
    games: dict[int, tuple[int, int]] = {}
    if drawn is None:
        return games
    for match in drawn.matches:
        for game in match.games:
            if not game.counts or game.state != "final":
                continue
            for team in game.teams:
                won, played = games.get(team, (0, 0))
                games[team] = won + (game.winner == team), played + 1
    return games


def _still_open(drawn: BracketFacts) -> list[BracketPart]:
    """The parts besides the main one that are not played to their end."""
    return [part for part in drawn.parts if part.key != MAIN and not part.is_done]


def _plays_in(drawn: BracketFacts, parts: Iterable[BracketPart]) -> dict[int, str]:
    """The teams that still play, each with the title of the part."""
    titles = {part.key: part.title for part in parts}
    return {
        side.number: titles[match.part]
        for match in drawn.matches
        for side in match.sides
        if match.part in titles and match.state != "decided" and side.number is not None
    }
