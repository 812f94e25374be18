"""The standings: ranked, every tie explained, and ties at the cut."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise

from django.template.defaultfilters import pluralize

from scoring.standings import tiebreaks
from scoring.standings.ranking import Cut, Place, Tie, can_still, cut, rank
from scoring.standings.tiebreaks import Competitors, Ordering, Record
from tournament.access import Actor
from tournament.models import Decision, Event, Placing, Round
from tournament.models.stored import shown_author
from tournament.pairing.bracket import MatchGame, build_bracket, finish, follow
from tournament.queries.events import kept, once_a_version
from tournament.queries.game_results import Books, Mark, books_of, left_before
from tournament.queries.rules import EVERYTHING, Visibility, ruleset_of, visibility
from tournament.queries.schedule import Table, games_of

# What was decided between level teams beside the qualifying games: tie-break games, lots, games between them.


PREFIX = "T"
SEEDS = "seeds"
Pairs = tuple[tuple[int, int], ...]


def placings(event: Event) -> tuple[Placing, ...]:
    """What was drawn from results, and what was decided when they changed, the latest last."""
    return tuple(Placing.objects.filter(event=event).order_by("number"))


def drawn_seeds(placings: Sequence[Placing]) -> tuple[int, ...]:
    """The seeds with which the bracket was drawn, nothing before: where the cut was made again, the latest."""
    drawn = [tuple(placing.before) for placing in placings if (placing.kind, placing.source) == ("drawn", SEEDS)]
    return drawn[-1] if drawn else ()


def seeds_of(at_cut: Cut | None) -> tuple[int, ...]:
    """Team numbers by seed. A place that level teams still play for is a stand-in below zero."""
    return (*at_cut.advance, *(-1 - index for index in range(at_cut.seats))) if at_cut else ()


def decision_on(placings: Sequence[Placing], source: str, before: Sequence[int], after: Sequence[int]) -> str:
    """What was decided last about exactly this change: keep, replay or nothing."""
    kinds = [placing for placing in placings if placing.source == source and placing.kind in ("keep", "replay")]
    same = kinds and (list(kinds[-1].before), list(kinds[-1].after)) == (list(before), list(after))
    return kinds[-1].kind if same else ""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One attempt to separate level teams: `method` is games, lots, head-to-head or bye; `teams` are numbers.

    `order` is set once it is decided: best first, teams that are still level together. `due` are the pairs that can
    play now; games that are drawn from the start have none. `set_aside` says that it decides nothing any more: the
    results changed, and others of its teams play off.
    """

    number: int
    method: str
    teams: tuple[int, ...]
    games: tuple[Table, ...]
    order: Ordering | None
    seed: int | None
    witness: str
    by: str
    due: Pairs = ()
    set_aside: bool = False

    def find_lost(self) -> tuple[int, ...]:
        """The teams that lost a game of it, in order: with byes they are out of it."""
        done = (game for game in self.games if game.winner is not None)
        return tuple(team for game in done for team in game.teams if team != game.winner)

    def find_left(self) -> tuple[int, ...]:
        """The teams that have lost no game of it."""
        lost = set(self.find_lost())
        return tuple(team for team in self.teams if team not in lost)

    @property
    def is_open(self) -> bool:
        return self.order is None and not self.set_aside


def tie_breaks(
    event: Event, rounds: Iterable[Round] | None = None, placed: Sequence[Placing] = ()
) -> tuple[TieBreak, ...]:
    """All of them, the latest last, in three queries; in one where none of these `rounds` of the event is for games.

    What the officials decided about them is among the placings `placed`.
    """
    games: dict[int, list[Table]] = defaultdict(list)
    played = rounds is None or any(round_.stage == "tiebreak" for round_ in rounds)
    for match, rows in games_of(event, "tiebreak").items() if played else ():
        number = match[len(PREFIX) :]
        games[int(number) if number.isdecimal() else 0] += rows
    decided = [
        _decision(decision, tuple(games.pop(decision.number, ())) if decision.method == "bye" else ())
        for decision in Decision.objects.filter(event=event).select_related("made_by")
    ]
    attempts = [_attempt(number, tuple(rows)) for number, rows in games.items()]
    ordered = sorted([*decided, *attempts], key=lambda attempt: attempt.number)
    latest = {placing.source: placing.kind for placing in placed}
    ordered = [replace(attempt, set_aside=latest.get(f"{PREFIX}{attempt.number}") == "replay") for attempt in ordered]
    return tuple(_stopped(attempt, ordered) for attempt in ordered)


def field_of(records: tuple[Record, ...], breaks: tuple[TieBreak, ...]) -> Competitors:
    """What the keys of the order look at: every record and the tie-breaks; of several lots the latest drawn count."""
    breaks = tuple(attempt for attempt in breaks if not attempt.set_aside)
    decided = [
        attempt.order if attempt.method in ("games", "bye") else tiebreaks.Decision(attempt.order, attempt.method)
        for attempt in breaks
        if attempt.order is not None
    ]
    lots = {
        team: lot for attempt in breaks if attempt.method == "lots" for lot, team in enumerate(attempt.teams, start=1)
    }
    return Competitors(records, decided, lots)


def _decision(decision: Decision, games: tuple[Table, ...]) -> TieBreak:
    teams = tuple(decision.teams)
    by = shown_author(decision.by, decision.made_by)
    order, due = _knock_out(teams, games) if decision.method == "bye" else (teams, ())
    return TieBreak(decision.number, decision.method, teams, games, order, decision.seed, decision.witness, by, due)


def _knock_out(lots: tuple[int, ...], games: tuple[Table, ...]) -> tuple[Ordering | None, tuple[tuple[int, int], ...]]:
    """A small bracket whose seeds are the lots: the first lots have the byes. Games belong to it by their pair."""
    drawn = build_bracket(lots)
    rows: dict[str, list[MatchGame]] = {}
    progress = follow(drawn, rows)
    for match in drawn.matches:
        pair = set(progress.state(match.key).teams)
        played = [game for game in games if set(game.teams) == pair]
        rows[match.key] = [MatchGame((game.teams[0], game.teams[1]), game.winner) for game in played]
        progress = follow(drawn, rows)
    open_ = [state.teams for state in progress.states if state.winner is None]
    due = tuple(
        (first, other)
        for first, other in open_
        if first is not None
        and other is not None
        and not any(set(game.teams) == {first, other} and game.state != "final" for game in games)
    )
    places = finish(progress)
    return (tuple(place[0] if len(place) == 1 else place for place in places) or None), due


def _stopped(attempt: TieBreak, attempts: Sequence[TieBreak]) -> TieBreak:
    """A tie-break with byes that was ended by lots, because all who were left were in: their lots go first."""
    if attempt.method != "bye" or attempt.order is not None:
        return attempt
    left = attempt.find_left()
    lots = next((other for other in attempts if other.method == "lots" and set(other.teams) == set(left)), None)
    if lots is None or lots.number < attempt.number:
        return attempt
    lost = [team for team in reversed(attempt.find_lost()) if team not in left]
    return replace(attempt, order=(*lots.teams, *lost), due=())


def _attempt(number: int, games: tuple[Table, ...]) -> TieBreak:
    teams = tuple(sorted({team for game in games for team in game.teams}))
    order: Ordering | None = None
    if all(game.state == "final" for game in games):
        # Most games won in the tie-break first; its points are of no value (rule 10).
        won = {team: sum(game.winner == team for game in games) for team in teams}
        ordered = sorted(teams, key=lambda team: (-won[team], team))
        levels = (tuple(group) for _, group in groupby(ordered, key=won.__getitem__))
        order = tuple(level[0] if len(level) == 1 else level for level in levels)
    return TieBreak(number, "games", teams, games, order, None, "", "")


# The standings: places, games as marks, every tie explained, who is in, out or level at the cut.

CHANCES = {"in": "In", "out": "Out", "open": "Can still make it", "level": "Tied at the cut", "": ""}


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A team's line. `label` is the place as it is written (“4=”); `rank` sorts.

    `marks` has one value per qualifying round counted so far, None where the team has no result in it.
    `ties` are the sentences about its neighbours, `decisive` says whether they decide something; `chance` is in, out,
    open, level or nothing. `decided_by` is the key that put it before the next team, where they were tied. Where
    teams are level at the cut, it goes through them below the line `at_cut`; the first of them has the `cut_note`.
    """

    rank: int
    label: str
    order: int
    number: int
    team: str
    city: str
    gone: str
    marks: tuple[Mark | None, ...]
    played: int
    won: int
    points: int
    bostons: int
    sets: int
    ties: tuple[str, ...]
    chance: str
    last_in: bool
    decided_by: str = ""
    decisive: bool = False
    at_cut: bool = False
    cut_note: str = ""

    @property
    def summary(self) -> tuple[object, ...]:
        """What columns say of its team's games, in plain values: what is left out changes unseen by open pages."""
        return (
            self.marks,
            self.won,
            self.points,
            self.bostons,
            self.sets,
            self.ties,
            self.chance,
            self.last_in,
            self.cut_note,
        )

    def total(self, key: str) -> int:
        """The sum of something over its games."""
        return sum(getattr(mark, key) for mark in self.marks if mark)

    @property
    def chance_words(self) -> str:
        return CHANCES[self.chance]

    @property
    def chance_tone(self) -> str:
        return {"out": "plain", "open": "sky", "level": "gold"}.get(self.chance, "")


@dataclass(frozen=True)
class Standings:
    """All lines, best first. `cut` is None while no number of teams has been named. `hidden` says why there is none.

    `cut_ties` explain who is level at the cut where points do not tell. `state` says in words how far the event is:
    “after 3 of 6 games”; `bostons` whether the sheet counts them. `title` is what they are called: from the cut on
    the places of the event are others. `racing` are the places among those who can go on. `placings` were made from
    them. `old_break` is a tie-break that decides between fewer than it was played or drawn for, and these.
    """

    lines: tuple[StandingsLine, ...]
    places: tuple[Place, ...]
    books: Books
    breaks: tuple[TieBreak, ...]
    cut: Cut | None
    cut_size: int | None
    complete: bool
    state: str
    order: str
    hidden: str
    unit: str = "team"
    bostons: bool = True
    title: str = "Standings"
    racing: tuple[Place, ...] = ()
    placings: tuple[Placing, ...] = ()
    old_break: tuple[TieBreak, tuple[int, ...]] | None = None
    cut_ties: tuple[str, ...] = ()

    @cached_property
    def code(self) -> str:
        """The fingerprint of what is shown: a hand in play raises the event's version and changes nothing here."""
        lines = [(line.label, line.number, line.team, line.city, line.gone, *line.summary) for line in self.lines]
        seen = repr((lines, self.state, self.cut, self.hidden))
        return hashlib.sha256(seen.encode()).hexdigest()[:12]

    def index_lines(self) -> dict[int, StandingsLine]:
        """The lines by team number, for whoever looks for more than one."""
        return {line.number: line for line in self.lines}


def shown_standings(event: Event, actor: Actor) -> Standings:
    """The standings as this actor may see them, computed once for everybody who may see as much."""
    return _shown(event, visibility(event, actor))


def full_standings(event: Event) -> Standings:
    """The whole standings for a page that shows what follows from them: the bracket is played in the open."""
    return _shown(event, EVERYTHING)


def passing_standings(event: Event) -> Standings:
    """The same for what is kept itself, as what an event brings to its season.

    Forty evenings that are over, asked for at once, would push the standings of the one in play out.
    """
    return kept(event, "standings", EVERYTHING) or standings(event)


def _shown(event: Event, seen: Visibility) -> Standings:
    return once_a_version(event, "standings", seen, lambda: standings(event, seen))


def standings(event: Event, seen: Visibility = EVERYTHING) -> Standings:
    """The standings from the final games of the rounds that may be seen: a constant number of queries."""
    rules = ruleset_of(event)
    books = books_of(event, seen)
    if not seen.closed:
        words = _order_words(event, ())
        return Standings(
            (), (), books, (), None, event.cut, False, "", words, seen.why, rules.unit, title=_title(event)
        )
    stage_is_over = books.closed and len(books.closed) == len(books.counted)
    placed = placings(event) if event.stage in ("playoffs", "over") else ()
    breaks, order = tie_breaks(event, books.rounds, placed) if stage_is_over else (), rules.rules.tiebreak_order
    if breaks and "playoff" not in order:
        # What the director decided between level teams counts, also on a sheet that names no playoff.
        order = (*order, "playoff")
    # The games of those who are gone still tell how good their opponents are.
    field = field_of(books.records, breaks)
    present = [record for record in books.records if record.team not in books.absent]
    places = rank(present, order, field, books.names)
    # Teams that cannot go on: they left, or were disqualified, before the playoffs began.
    gone = {team.number for team in books.teams if left_before(team, books.total + 1)}
    playing = tuple(record for record in books.records if record.team not in gone)
    racing = places if len(playing) == len(places) else rank(playing, order, field, books.names)
    # How many go on. An event that ends without playoffs asks for its first place alone.
    first_alone = 1 if event.stage in ("playoffs", "over") else None
    size = event.cut or first_alone if racing else None
    left = {record.team: _games_left(books, record) for record in playing}
    at_cut, drawn = cut(racing, size, books.names) if size else None, drawn_seeds(placed)
    if size and not books.total:
        # Who was seeded when the bracket began stays in it, and until then the first by number are.
        order_in = drawn if event.frozen_at and drawn else tuple(row.team for row in racing[:size])
        at_cut = Cut(order_in, (), 0, tuple(row.team for row in racing if row.team not in order_in), "")
    complete = bool(books.closed) and not any(left.values()) and len(books.closed) == books.total
    chances = _chances(racing, size, left, order, at_cut, complete) if books.counted else {}
    last_in = at_cut.advance[-1] if at_cut and at_cut.out and at_cut.advance and not at_cut.level else None
    if at_cut and at_cut.level:
        last_in = at_cut.level[-1]
    if at_cut and len(drawn) == size and {*drawn} != {*at_cut.advance}:
        # Who was drawn stays in until the officials decide otherwise; for a tie, where they decided so.
        decided = decision_on(placed, SEEDS, drawn, seeds_of(at_cut))
        if decided != "replay" if not at_cut.level else decided == "keep":
            last_in, chances = None, {record.team: "in" if record.team in drawn else "out" for record in playing}
            if at_cut.level:
                at_cut = Cut(drawn, (), 0, (), "The bracket stays as it was drawn.")
    return Standings(
        lines=_lines(books, places, chances, last_in, at_cut, rules.unit, over=event.stage == "over"),
        places=places,
        books=books,
        breaks=breaks,
        cut=at_cut,
        cut_size=size,
        complete=complete,
        state=_state(books),
        order=_order_words(event, order) if books.total else "seed",
        hidden="",
        unit=rules.unit,
        bostons=rules.rules.counts_bostons,
        title=_title(event) if books.total else "Seeds",
        racing=racing,
        placings=placed,
        old_break=_old_break(breaks, cut(rank(playing, order, field_of(books.records, ()), books.names), size))
        if breaks and size and not any(round_.stage == "playoff" for round_ in books.rounds)
        else None,
        cut_ties=_cut_ties(racing, at_cut, over=event.stage == "over") if at_cut and books.counted else (),
    )


def _old_break(breaks: tuple[TieBreak, ...], plain: Cut) -> tuple[TieBreak, tuple[int, ...]] | None:
    """The latest tie-break among more teams than are level at the cut without any; none where one was among these."""
    decided = [attempt for attempt in breaks if attempt.order is not None and not attempt.set_aside]
    level = set(plain.level)
    if not level or any(set(attempt.teams) == level for attempt in decided):
        return None
    return next(((attempt, plain.level) for attempt in reversed(decided) if level < set(attempt.teams)), None)


def _cut_ties(racing: tuple[Place, ...], at_cut: Cut, *, over: bool) -> tuple[str, ...]:
    """Why those at the cut stand as they do, or stand level, wherever points do not show it."""
    edge = [*at_cut.advance[-1:], *at_cut.level, *at_cut.out[:1]]
    pairs = set(pairwise(edge)) if at_cut.out or at_cut.level else ()
    ties = dict.fromkeys(tie for standing in racing for tie in standing.ties)
    return tuple(
        _tie_text(tie, at_cut, over=over) for tie in ties if (tie.above, tie.below) in pairs and tie.key != "points"
    )


def _tie_text(tie: Tie, at_cut: Cut | None, *, over: bool) -> str:
    """The sentence of a tie.

    Nobody plays off for a place that decides nothing: in a finished event, and away from the cut, those who are level
    share the place.
    """
    if not tie.awaits:
        return tie.text
    plays_off = at_cut is None or {tie.above, tie.below} <= {*at_cut.level}
    if plays_off and not over:
        return tie.text
    awaited = tiebreaks.BY_KEY[tie.awaits].awaited
    return tie.text.replace(f"{awaited}.", "they share the place.")


def _order_words(event: Event, order: tuple[str, ...]) -> str:
    asked = next(option for option in ruleset_of(event).options if option.key == "tiebreak_order")
    return asked.words_of(order)


def _title(event: Event) -> str:
    return "Qualifying standings" if event.cut and event.stage in ("playoffs", "over") else "Standings"


def _games_left(books: Books, record: Record) -> int:
    """Qualifying games that can still bring this team a win."""
    counted = {game.round for game in record.games} - set(books.closed)
    return max(books.total - len(books.closed) - len(counted), 0)


def _chances(
    racing: tuple[Place, ...],
    size: int | None,
    left: dict[int, int],
    order: tuple[str, ...],
    at_cut: Cut | None,
    complete: bool,
) -> dict[int, str]:
    """What each team can still reach; nothing where that is the same for all and tells nobody apart."""
    if size is None or at_cut is None:
        return {}
    chances = {team: str(chance) for team, chance in can_still(racing, size, left, order).items()}
    if complete:
        chances |= dict.fromkeys(at_cut.level, "level")
    if len(set(chances.values())) == 1:
        return {}
    # “Can still make it” would belittle a team that is above the line now.
    return chances | {team: "" for team in at_cut.advance if chances[team] == "open"}


def _lines(
    books: Books,
    places: tuple[Place, ...],
    chances: dict[int, str],
    last_in: int | None,
    at_cut: Cut | None,
    unit: str,
    *,
    over: bool,
) -> tuple[StandingsLine, ...]:
    teams = {team.number: team for team in books.teams}
    has_started = any(record.games for record in books.records)
    decisive = _decisive(places, chances, last_in) if has_started else frozenset()
    level = at_cut.level if at_cut and has_started and len(at_cut.advance) + at_cut.seats > 1 else ()
    # The team below which the cut goes through those who are level.
    last_seat = level[: at_cut.seats][-1:] if at_cut else ()
    note = f"{len(level)} {unit}s for {at_cut.seats} place{pluralize(at_cut.seats)}" if at_cut and level else ""
    lines = []
    for order, place in enumerate(places, start=1):
        record = place.record
        number = record.team
        team = teams[number]
        marks = {mark.round: mark for mark in books.marks[number]}
        lines.append(
            StandingsLine(
                rank=place.rank if books.total else order,
                label=place.label if books.total else str(order),
                order=order,
                number=number,
                team=team.name,
                city=team.city,
                gone=team.gone,
                marks=tuple([marks.get(round_number) for round_number in books.counted]),
                played=record.played,
                won=record.won,
                points=record.points,
                bostons=record.bostons,
                sets=record.sets,
                ties=tuple([_tie_text(tie, at_cut, over=over) for tie in place.ties]) if has_started else (),
                chance=chances.get(number, ""),
                last_in=number == last_in and not level,
                at_cut=number in last_seat,
                cut_note=note if level[:1] == (number,) else "",
                decided_by=next((tie.key or "" for tie in place.ties if tie.above == number), ""),
                decisive=number in decisive,
            )
        )
    return tuple(lines)


def _decisive(places: Sequence[Place], chances: dict[int, str], last_in: int | None) -> frozenset[int]:
    """The teams whose tie matters: they share a place, or the cut falls between two who won as many games."""
    tied = [place for place in places if place.ties]
    decisive = {place.team for place in tied if place.shared or chances.get(place.team) == "level"}
    if last_in is not None:
        for last, first in pairwise(places):
            if last.team == last_in and last.record.won == first.record.won:
                decisive.update(place.team for place in (last, first) if place.ties)
    return frozenset(decisive)


def _state(books: Books) -> str:
    running = books.running
    done = len(books.closed)
    if not books.counted:
        return "no games yet" if books.total else "no qualifying games"
    of = f"of {books.total} game{pluralize(books.total)}"
    text = f"after {done} {of}" if done else of
    if running is None:
        return text
    final, tables = books.final_tables(running.number), books.tables[running.number]
    counted = f"counted so far: {final} of {tables} table{pluralize(tables)}" if final else "in play"
    return f"{text}, game {running.number} {counted}" if done else f"game {running.number} of {books.total} {counted}"
