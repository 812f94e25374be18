"""The standings: ranked, every tie explained, and ties at the cut."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from django.template.defaultfilters import pluralize

from scoring.standings import tiebreaks
from scoring.standings.ranking import Chance, Cut, Place, Tie, can_still, cut, rank
from scoring.standings.tiebreaks import Competitors, Record
from tournament.access import Actor
from tournament.models import Event, Placing
from tournament.queries.events import kept, once_a_version
from tournament.queries.game_results import Books, Mark, books_of, left_before
from tournament.queries.placings import SEEDS, decision_on, drawn_seeds, kept_seeds, placings, seeds_of
from tournament.queries.rules import EVERYTHING, Visibility, ruleset_of, visibility
from tournament.queries.tie_breaks import TieBreak, field_of, tie_breaks

CHANCES = {"in": "In", "out": "Out", "open": "Can still make it", "level": "Tied at the cut", "": ""}


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A team's line. `label` is the place as people read it (“4=”); `rank` sorts.

    `marks` has one value for each qualifying round counted so far; None means that the team has no result in it. `ties`
    are sentences about its neighbors, and `decisive` says whether they decide something. `chance` is in, out, open,
    level or empty. `decided_by` is the key that put the team before the next one, if they were tied. If the teams at
    the cut are level, the cut falls below the line with `at_cut`, and the first level line has the `cut_note`.
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
        """What columns say about the team's games, in plain values. Open pages notice only changes of these."""
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
        """The sum of one field over the team's games."""
        return sum(getattr(mark, key) for mark in self.marks if mark)

    @property
    def chance_words(self) -> str:
        return CHANCES[self.chance]

    @property
    def chance_tone(self) -> str:
        return {"out": "plain", "open": "sky", "level": "gold"}.get(self.chance, "")


@dataclass(frozen=True)
class Standings:
    """All lines, best first. `cut` is None if nobody has said how many teams advance.

    `hidden` says why there are no lines. `cut_ties` explain who is level at the cut, if points do not. `state` says
    in words how far the event is: “after 3 of 6 games”. `bostons` says whether the sheet counts Bostons. `title` is
    the title of the table: after the cut, the final places of the event are a different table. `racing` are the places
    among the teams that can advance, and `placings` are the decisions made from them. `old_break` is a tie-break among
    more teams than are level now, with the level teams.
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
        """A fingerprint of what is shown: a hand in play raises the event's version but changes nothing here."""
        lines = [(line.label, line.number, line.team, line.city, line.gone, *line.summary) for line in self.lines]
        seen = repr((lines, self.state, self.cut, self.hidden))
        return hashlib.sha256(seen.encode()).hexdigest()[:12]

    def index_lines(self) -> dict[int, StandingsLine]:
        """The lines by team number, for callers that need several."""
        return {line.number: line for line in self.lines}


def shown_standings(event: Event, actor: Actor) -> Standings:
    """The standings that this actor may see, computed once for everybody who may see the same."""
    return _shown(event, visibility(event, actor))


def full_standings(event: Event) -> Standings:
    """The whole standings, for pages that show what follows from them: everybody can follow the bracket."""
    return _shown(event, EVERYTHING)


def passing_standings(event: Event) -> Standings:
    """The whole standings for a caller that caches its own result, such as an event's part in a season.

    Asking for forty finished events at once would push the event in play out of the cache.
    """
    return kept(event, "standings", EVERYTHING) or standings(event)


def _shown(event: Event, seen: Visibility) -> Standings:
    return once_a_version(event, "standings", seen, lambda: standings(event, seen))


@dataclass(frozen=True, slots=True)
class Race:
    """The race to advance: which teams can, in what order they are ranked, and how many do.

    `records` and `places` are those of the teams that can advance, and `games_left` are the games that each of them can
    still play. `size` is None while nobody has said how many advance. `complete` means that no game can change anything
    here any more.
    """

    records: tuple[Record, ...]
    places: tuple[Place, ...]
    order: tuple[str, ...]
    size: int | None
    games_left: Mapping[int, int]
    complete: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of the race: the cut, what each team can still reach, and the team above the line of the cut."""

    cut: Cut | None = None
    chances: Mapping[int, str] = field(default_factory=dict)
    last_in: int | None = None


def standings(event: Event, seen: Visibility = EVERYTHING) -> Standings:
    """The standings from the final games of the visible rounds: a constant number of queries."""
    books = books_of(event, seen)
    if not seen.closed:
        return _hidden(event, books, seen)
    rules = ruleset_of(event)
    is_over = event.stage == "over"
    placed = placings(event) if _is_cut(event) else ()
    breaks = _breaks(event, books, placed)
    order = _order(event, breaks)
    # The games of teams that left still show how good their opponents are.
    competitors = field_of(books.records, breaks)
    present = [record for record in books.records if record.team not in books.absent]
    places = rank(present, order, competitors, books.names)
    race = _race(event, books, places, order, competitors)
    outcome = _outcome(event, books, race, placed)
    return Standings(
        lines=_lines(books, places, outcome, unit=rules.unit, is_over=is_over),
        places=places,
        books=books,
        breaks=breaks,
        cut=outcome.cut,
        cut_size=race.size,
        complete=race.complete,
        state=_state(books),
        order=_order_words(event, order) if books.total else "seed",
        hidden="",
        unit=rules.unit,
        bostons=rules.rules.counts_bostons,
        title=_title(event) if books.total else "Seeds",
        racing=race.places,
        placings=placed,
        old_break=_old_break(books, race, breaks),
        cut_ties=_cut_ties(books, race, outcome.cut, is_over=is_over),
    )


def _hidden(event: Event, books: Books, seen: Visibility) -> Standings:
    """The standings for people who may not see them: why they are hidden, and how teams are ranked."""
    return Standings(
        lines=(),
        places=(),
        books=books,
        breaks=(),
        cut=None,
        cut_size=event.cut,
        complete=False,
        state="",
        order=_order_words(event, ()),
        hidden=seen.why,
        unit=ruleset_of(event).unit,
        title=_title(event),
    )


def _is_cut(event: Event) -> bool:
    """Whether the cut has been made, or the event has ended without one."""
    return event.stage in ("playoffs", "over")


def _order_words(event: Event, order: tuple[str, ...]) -> str:
    asked = next(option for option in ruleset_of(event).options if option.key == "tiebreak_order")
    return asked.words_of(order)


def _title(event: Event) -> str:
    return "Qualifying standings" if event.cut and _is_cut(event) else "Standings"


# The order: what the sheet ranks by, and what was decided between level teams.


def _breaks(event: Event, books: Books, placed: Sequence[Placing]) -> tuple[TieBreak, ...]:
    """The tie-breaks, once the last qualifying game has ended; before that nobody plays one."""
    is_last_closed = books.closed and len(books.closed) == len(books.counted)
    return tie_breaks(event, books.rounds, placed) if is_last_closed else ()


def _order(event: Event, breaks: tuple[TieBreak, ...]) -> tuple[str, ...]:
    """The sheet's keys; the director's decisions between level teams count even if the sheet has no playoff."""
    order = ruleset_of(event).rules.tiebreak_order
    if breaks and "playoff" not in order:
        return (*order, "playoff")
    return order


# The race: who can advance, and how many do.


def _race(
    event: Event, books: Books, places: tuple[Place, ...], order: tuple[str, ...], competitors: Competitors
) -> Race:
    """Rank the teams that can advance: not those that left or were disqualified before the playoffs began."""
    gone = {team.number for team in books.teams if left_before(team, books.total + 1)}
    records = tuple(record for record in books.records if record.team not in gone)
    # If every ranked team can advance, the ranking is the same.
    racing = places if len(records) == len(places) else rank(records, order, competitors, books.names)
    games_left = {record.team: _games_left(books, record) for record in records}
    is_played = bool(books.closed) and len(books.closed) == books.total
    return Race(
        records=records,
        places=racing,
        order=order,
        size=_cut_size(event) if racing else None,
        games_left=games_left,
        complete=is_played and not any(games_left.values()),
    )


def _cut_size(event: Event) -> int | None:
    """How many teams advance. An event that ends without playoffs only needs its first place."""
    if event.cut:
        return event.cut
    return 1 if _is_cut(event) else None


def _games_left(books: Books, record: Record) -> int:
    """Qualifying games that can still bring this team a win."""
    counted = {game.round for game in record.games} - set(books.closed)
    return max(books.total - len(books.closed) - len(counted), 0)


# The cut: who advances, who is level for the last places, who can still advance, and why.


def _outcome(event: Event, books: Books, race: Race, placed: Sequence[Placing]) -> Outcome:
    """The result of the race, by the bracket instead of the results if these changed after it was drawn."""
    if not race.size:
        return Outcome()
    drawn = drawn_seeds(placed)
    at_cut = _cut(event, books, race, race.size, drawn)
    has_begun = _has_bracket_begun(books)
    seeds = seeds_of(at_cut, event.second or 0, drawn if has_begun else ())
    drawn = kept_seeds(drawn, seeds, race.size, has_begun=has_begun)
    if _stays_as_drawn(race.size, at_cut, drawn, seeds, placed):
        return _as_drawn(race, at_cut, drawn[: race.size])
    chances = _chances(race, race.size, at_cut) if books.counted else {}
    return Outcome(at_cut, chances, _last_in(at_cut))


def _cut(event: Event, books: Books, race: Race, size: int, drawn: tuple[int, ...]) -> Cut:
    if books.total:
        return cut(race.places, size, books.names)
    # There are no qualifying games. The teams that were seeded when the bracket began stay in it; before that, the
    # teams with the lowest numbers are in.
    seeds = drawn[:size] if event.frozen_at and drawn else tuple(place.team for place in race.places[:size])
    out = tuple(place.team for place in race.places if place.team not in seeds)
    return Cut(advance=seeds, level=(), seats=0, out=out, text="")


def _stays_as_drawn(
    size: int, at_cut: Cut, drawn: tuple[int, ...], seeds: tuple[int, ...], placed: Sequence[Placing]
) -> bool:
    """Whether the bracket has different teams than the results now give, and keeps them.

    Drawn teams stay in unless the officials decide otherwise. If teams are level now, they stay in only if the
    officials decide so.
    """
    if len(drawn) < size or set(drawn[:size]) == set(at_cut.advance):
        return False
    decided = decision_on(placed, SEEDS, drawn, seeds)
    if at_cut.level:
        return decided == "keep"
    return decided != "replay"


def _as_drawn(race: Race, at_cut: Cut, drawn: tuple[int, ...]) -> Outcome:
    """The bracket's teams are in. There is no line, because they need not be the first ones."""
    chances = {record.team: "in" if record.team in drawn else "out" for record in race.records}
    if at_cut.level:
        at_cut = Cut(advance=drawn, level=(), seats=0, out=(), text="The bracket stays as it was drawn.")
    return Outcome(at_cut, chances)


def _has_bracket_begun(books: Books) -> bool:
    return any(round_.stage == "playoff" for round_ in books.rounds)


def _last_in(at_cut: Cut) -> int | None:
    """The team above the line of the cut; None if all teams advance."""
    if at_cut.level:
        return at_cut.level[-1]
    if at_cut.advance and at_cut.out:
        return at_cut.advance[-1]
    return None


def _chances(race: Race, size: int, at_cut: Cut) -> dict[int, str]:
    """What each team can still reach; empty if it is the same for every team, which would tell nobody anything."""
    still = can_still(race.places, size, race.games_left, race.order)
    chances = {team: str(chance) for team, chance in still.items()}
    if race.complete:
        chances |= dict.fromkeys(at_cut.level, "level")
    if len(set(chances.values())) == 1:
        return {}
    for team in at_cut.advance:
        # “Can still make it” would sound doubtful for a team that is above the line now.
        if chances[team] == "open":
            chances[team] = ""
    return chances


def can_still_advance(event: Event, books: Books) -> dict[int, Chance]:
    """Whether each team is certainly in, certainly out, or neither, from books that are read already.

    A team that has left is out. Empty while nobody has said how many advance, and before the first results.
    """
    if not event.cut or not books.counted:
        return {}
    order = ruleset_of(event).rules.tiebreak_order
    competitors = field_of(books.records, ())
    present = [record for record in books.records if record.team not in books.absent]
    race = _race(event, books, rank(present, order, competitors, books.names), order, competitors)
    still = can_still(race.places, event.cut, race.games_left, race.order)
    return dict.fromkeys(books.names, Chance.OUT) | still


def _old_break(books: Books, race: Race, breaks: tuple[TieBreak, ...]) -> tuple[TieBreak, tuple[int, ...]] | None:
    """The latest tie-break among a larger group than the one that is level at the cut, with the level teams.

    None if a tie-break decided exactly among the teams that would be level without any tie-break.
    """
    if not breaks or not race.size or _has_bracket_begun(books):
        return None
    without = rank(race.records, race.order, field_of(books.records, ()), books.names)
    level = cut(without, race.size, books.names).level
    decided = [attempt for attempt in breaks if attempt.order is not None and not attempt.set_aside]
    if not level or any(set(attempt.teams) == set(level) for attempt in decided):
        return None
    for attempt in reversed(decided):
        if set(level) < set(attempt.teams):
            return attempt, level
    return None


def _cut_ties(books: Books, race: Race, at_cut: Cut | None, *, is_over: bool) -> tuple[str, ...]:
    """Why the teams at the cut are ranked as they are, or are level, if points do not show it."""
    if at_cut is None or not books.counted or not (at_cut.out or at_cut.level):
        return ()
    edge = [*at_cut.advance[-1:], *at_cut.level, *at_cut.out[:1]]
    neighbors = set(pairwise(edge))
    # Two neighbors have the same tie; name it once.
    ties = dict.fromkeys(tie for place in race.places for tie in place.ties)
    told = []
    for tie in ties:
        if (tie.above, tie.below) in neighbors and tie.key != "points":
            told.append(_tie_text(tie, at_cut, is_over=is_over))
    return tuple(told)


def _tie_text(tie: Tie, at_cut: Cut | None, *, is_over: bool) -> str:
    """The sentence about a tie.

    Nobody plays off for a place that decides nothing: in a finished event, and away from the cut, level teams share
    their place.
    """
    if not tie.awaits:
        return tie.text
    plays_off = at_cut is None or {tie.above, tie.below} <= {*at_cut.level}
    if plays_off and not is_over:
        return tie.text
    awaited = tiebreaks.BY_KEY[tie.awaits].awaited
    return tie.text.replace(f"{awaited}.", "they share the place.")


# The lines: a place for each team, with a summary of its games.


def _lines(
    books: Books, places: tuple[Place, ...], outcome: Outcome, *, unit: str, is_over: bool
) -> tuple[StandingsLine, ...]:
    at_cut = outcome.cut
    teams = {team.number: team for team in books.teams}
    has_started = any(record.games for record in books.records)
    decisive = _decisive(places, outcome) if has_started else frozenset()
    last_in, first_level, last_seat, note = outcome.last_in, None, None, ""
    if has_started and at_cut and at_cut.level and len(at_cut.advance) + at_cut.seats > 1:
        # The cut falls among the level teams, below as many of them as there are places.
        last_in, first_level, last_seat = None, at_cut.level[0], at_cut.level[at_cut.seats - 1]
        note = f"{len(at_cut.level)} {unit}s for {at_cut.seats} place{pluralize(at_cut.seats)}"
    lines = []
    for order, place in enumerate(places, start=1):
        record = place.record
        number = record.team
        team = teams[number]
        marks = {mark.round: mark for mark in books.marks[number]}
        ties: tuple[str, ...] = ()
        if has_started:
            ties = tuple([_tie_text(tie, at_cut, is_over=is_over) for tie in place.ties])
        lines.append(
            StandingsLine(
                # Without qualifying games, teams are listed by seed.
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
                ties=ties,
                chance=outcome.chances.get(number, ""),
                last_in=number == last_in,
                at_cut=number == last_seat,
                cut_note=note if number == first_level else "",
                decided_by=_decided_by(place),
                decisive=number in decisive,
            )
        )
    return tuple(lines)


def _decided_by(place: Place) -> str:
    """The key that put a team before the next one, if they were tied."""
    for tie in place.ties:
        if tie.above == place.team:
            return tie.key or ""
    return ""


def _decisive(places: Sequence[Place], outcome: Outcome) -> frozenset[int]:
    """The teams whose tie matters: they share a place, or the cut falls between two with equally many wins."""
    decisive = set()
    for place in places:
        if place.ties and (place.shared or outcome.chances.get(place.team) == "level"):
            decisive.add(place.team)
    for last, first in pairwise(places):
        if last.team == outcome.last_in and last.record.won == first.record.won:
            decisive.update(place.team for place in (last, first) if place.ties)
    return frozenset(decisive)


def _state(books: Books) -> str:
    """How far the event is: “after 3 of 6 games, game 4 counted so far: 2 of 8 tables”."""
    if not books.counted:
        return "no games yet" if books.total else "no qualifying games"
    done = len(books.closed)
    of_all = f"of {books.total} game{pluralize(books.total)}"
    running = books.running
    if running is None:
        return f"after {done} {of_all}" if done else of_all
    final = books.final_tables(running.number)
    tables = books.tables[running.number]
    counted = f"counted so far: {final} of {tables} table{pluralize(tables)}" if final else "in play"
    if done:
        return f"after {done} {of_all}, game {running.number} {counted}"
    return f"game {running.number} of {books.total} {counted}"
