"""Drawn rounds, and what another draw would change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from scoring.standings.ranking import Chance
from scoring.standings.tiebreaks import Record
from tournament.models import Bye, Event, Journal, Round, Side, Team
from tournament.pairing.draw import (
    FIXED,
    Checked,
    Draw,
    DrawOptions,
    Entrant,
    History,
    Played,
    check_by_hand,
    draw_all,
    draw_round,
)
from tournament.pairing.plan import (
    BY_STAKE,
    INSTEAD,
    TELLS_STANDINGS,
    Note,
    ShortNote,
    Stake,
    annotate,
    in_short,
    moved_from_home,
    rounds_text,
    table_numbers,
)
from tournament.queries.game_results import Books, Mark, books_of, left_before
from tournament.queries.impact import NONE, Change, Group, Impact
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import RoundCard, Table, round_cards
from tournament.queries.standings import can_still_advance
from tournament.words.phrases import clock_time
from tournament.words.sentences import DRAWN, GROUPS

# These depend on results (or on who is there), so only the next round can be drawn.
ONE_AT_A_TIME = ("swiss", "random", "winners-up", "by-hand")
BY_RESULT = ("swiss", "winners-up")
STAKES = {Chance.IN: Stake.THROUGH, Chance.OUT: Stake.OUT, Chance.OPEN: Stake.OPEN}
# The key for storing how a round was drawn from results.
DRAW = "R"


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """Everything a draw needs. `rounds` is how many are drawn now, beginning with `history.next_round`."""

    method: str
    entrants: tuple[Entrant, ...]
    history: History
    rounds: int
    options: DrawOptions
    too_few: str
    waiting: str

    @property
    def why_not(self) -> str:
        return self.too_few or self.waiting

    @property
    def by_hand(self) -> bool:
        return self.method == "by-hand"


@dataclass(frozen=True, slots=True)
class DrawOverview:
    """Table by table, round by round. `rows` has one line a table, with None where a round has no such table."""

    rounds: tuple[RoundCard, ...]
    rows: tuple[tuple[int, tuple[Table | None, ...]], ...]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What could not be avoided, without repetition."""
        return tuple(dict.fromkeys(note for round_ in self.rounds for note in round_.notes))

    @property
    def notes_in_short(self) -> tuple[ShortNote, ...]:
        """The same in words, with a count in place of many of a kind."""
        return in_short([note for note in self.notes if note.said != BY_STAKE])

    @property
    def as_wished(self) -> tuple[str, ...]:
        """What the draw did because the event asks for it."""
        return tuple(str(note) for note in self.notes if note.said == BY_STAKE)

    @property
    def has_byes(self) -> bool:
        return any(round_.byes for round_ in self.rounds)

    @property
    def planned(self) -> tuple[RoundCard, ...]:
        return tuple(round_ for round_ in self.rounds if round_.state == "planned")


def draw_plan(event: Event, *, before: int | None = None) -> DrawPlan:
    """What the remaining rounds are drawn from. Rounds that have not started are not part of the past.

    With `before`, the plan of that one round: all earlier rounds are its past, drawn or played.
    """
    books = books_of(event)
    rounds = [round_ for round_ in books.rounds if round_.stage == "qualifying"]
    if before is None:
        past = [round_ for round_ in rounds if round_.state != "planned"]
    else:
        past = [round_ for round_ in rounds if round_.number < before]
    history = History(seated_in(past, _winners(books.marks)))
    records = {record.team: record for record in books.records}
    playing = [team for team in books.teams if not left_before(team, history.next_round)]
    method, options = _method(event)
    stakes = _stakes(event, books, method, history.next_round)
    entrants = tuple(_entrant(team, records[team.number], stakes.get(team.number, Stake.OPEN)) for team in playing)
    left = max(event.rounds_planned - len(past), 0)
    is_drawn_at_once = method in FIXED and method not in ONE_AT_A_TIME
    return DrawPlan(
        method=method,
        entrants=entrants,
        history=history,
        rounds=left if is_drawn_at_once else min(left, 1),
        options=options,
        too_few=_too_few(event, len(entrants)),
        waiting=_why_it_waits(past, method) if left else "",
    )


def _entrant(team: Team, record: Record, stake: Stake) -> Entrant:
    return Entrant(
        team.number,
        team.city,
        team.club,
        record.won,
        record.points,
        name=team.name,
        table=team.home or 0,
        stake=stake,
    )


def _stakes(event: Event, books: Books, method: str, number: int) -> dict[int, Stake]:
    """Who is through or out before the last game, if the event wants it drawn by that; otherwise empty."""
    if not event.stakes_apart or method != "swiss" or number != books.total:
        return {}
    return {team: STAKES[chance] for team, chance in can_still_advance(event, books).items()}


def _why_it_waits(past: Sequence[Round], method: str) -> str:
    """A draw by results waits for the round that is in play."""
    running = next((round_ for round_ in past if round_.state == "running"), None)
    if running is None or method not in BY_RESULT:
        return ""
    return f"Game {running.number} is still in play: the next game depends on its results."


def draws_by(plan: DrawPlan, seed: int | None) -> tuple[Draw, ...]:
    """The rounds of a plan as the seed draws them; by number if there is no seed."""
    if plan.method in FIXED and plan.method not in ONE_AT_A_TIME:
        return draw_all(plan.method, plan.entrants, plan.rounds, plan.history, seed, plan.options)
    return (draw_round(plan.method, plan.entrants, plan.history, seed, plan.options),)


def drawn_pairs(plan: DrawPlan, draw: Draw) -> list[int]:
    """The tables of a round that was drawn from results, in order; empty for any other round.

    Their order matters only if the next draw depends on it.
    """
    if plan.method not in BY_RESULT or not plan.history.rounds:
        return []
    tables = [sorted(table) for table in draw.tables]
    return [team for table in (tables if plan.method == "winners-up" else sorted(tables)) for team in table]


def draw_overview(event: Event, **which: str) -> DrawOverview:
    """The qualifying rounds as drawn (all, or only `which`: those in a state), in a constant number of queries."""
    drawn = round_cards(event.rounds.filter(stage="qualifying", **which), whole=True)
    by_table = [{table.table: table for table in round_.tables} for round_ in drawn]
    numbers = sorted({number for tables in by_table for number in tables})
    rows = tuple((number, tuple(tables.get(number) for tables in by_table)) for number in numbers)
    return DrawOverview(drawn, rows)


def checked_by_hand(
    event: Event, number: int, tables: Sequence[tuple[int, ...]], given: Sequence[int] = ()
) -> tuple[Checked, tuple[int, ...]]:
    """A draw of one round by hand, with its warnings, and its table numbers in order.

    Teams at no table sit out. A `given` number counts, even if another team stays elsewhere; 0 is none.
    """
    plan = draw_plan(event, before=number)
    seated = {team for table in tables for team in table}
    byes = tuple(entrant.number for entrant in plan.entrants if entrant.number not in seated)
    fixed = {team for table, own in zip(tables, given, strict=False) if own for team in table}
    stays = [entrant for entrant in plan.entrants if entrant.number not in fixed and entrant.table not in given]
    rows = sorted(zip(table_numbers(tables, stays, given), tables, strict=True))
    numbers, seats = tuple(row[0] for row in rows), tuple(row[1] for row in rows)
    sizes = ruleset_of(event).table_sizes
    return check_by_hand(seats, byes, plan.entrants, plan.history, sizes, plan.options.apart, numbers), numbers


def meeting_notes(event: Event) -> dict[int, tuple[Note, ...]]:
    """The warnings about who meets whom in every qualifying round as it is seated now.

    These are rematches, second byes, neighbors if they are kept apart, and teams that are not at their own table. What
    the draw said about stakes stays for those who still meet: it was true before the game, whatever happened since.
    """
    teams = event.teams.values_list("number", "city", "club", "name", "home")
    entrants = tuple(
        Entrant(number, city, club, name=name, table=home or 0) for number, city, club, name, home in teams
    )
    apart = _method(event)[1].apart
    history, notes = History(), {}
    rounds = list(event.rounds.filter(stage="qualifying").order_by("number"))
    for round_, played in zip(rounds, seated_in(rounds), strict=True):
        moved = moved_from_home(played.tables, played.numbers, entrants, round_.number)
        at_stake = _stakes_still_true(round_, played, entrants)
        meetings = annotate(Draw(played.tables, played.byes), entrants, history, apart).notes
        notes[round_.number] = (*at_stake, *meetings, *moved)
        history = History((*history.rounds, played))
    return notes


def _stakes_still_true(round_: Round, played: Played, entrants: Iterable[Entrant]) -> list[Note]:
    """What the draw said about the stakes of two teams that have not been seated elsewhere since."""
    said = [note for note in round_.noted if note.said in TELLS_STANDINGS]
    if not said:
        return []
    names = {entrant.number: entrant.label for entrant in entrants}
    tables = [{names[team] for team in table} for table in played.tables]
    return [note for note in said if set(note.teams) in tables]


def seats_words(event: Event, overview: DrawOverview) -> str:
    """How the seats came about, for the badge: by hand, by lot with its number, by number, or moved from there."""
    rounds = overview.rounds
    if rounds and all(round_.by_hand for round_ in rounds):
        return "By hand"
    extra = ", some games by hand" if any(round_.by_hand for round_ in rounds) else ""
    if not event.by_number:
        return f"Draw number {event.seed}{extra}"
    moved = _moved_apart(event, overview)
    unit = ruleset_of(event).unit
    moves = f", moved to keep cities apart ({moved} {unit}{'' if moved == 1 else 's'})" if moved else ""
    return f"By number{moves}{extra}"


def _moved_apart(event: Event, overview: DrawOverview) -> int:
    """How many sit in round 1 elsewhere than by number alone, because neighbors were kept apart."""
    method, options = _method(event)
    if not options.apart or method not in FIXED or not overview.rounds or overview.rounds[0].by_hand:
        return 0
    first = overview.rounds[0]
    drawn = [table.teams for table in sorted(first.tables, key=lambda table: table.pk)]
    there = {seat.number for seat in first.byes}.union(*drawn)
    plain = draw_all(
        method,
        [Entrant(number) for number in sorted(there)],
        event.rounds_planned,
        History(),
        None,
        replace(options, apart=()),
    )[0]
    before = {number: (table, side) for table, seats in enumerate(plain.tables) for side, number in enumerate(seats)}
    after = {number: (table, side) for table, seats in enumerate(drawn) for side, number in enumerate(seats)}
    return sum(before.get(number) != after.get(number) for number in there)


def in_groups(event: Event) -> bool:
    """Whether single players are drawn so that everybody meets different opponents."""
    return ruleset_of(event).seating.sides != 2 and event.movement != "by-hand"


def movement_of(event: Event, notes: Iterable[Note] = ()) -> str:
    """The code of the movement that the event has set or, by the notes of the draw, was drawn with instead."""
    if any(note.said == INSTEAD for note in notes):
        return INSTEAD
    return GROUPS if in_groups(event) else event.movement


def movement_words(event: Event, notes: Iterable[Note] = ()) -> str:
    """The same in words."""
    return DRAWN[movement_of(event, notes)]


def _too_few(event: Event, count: int) -> str:
    rules = ruleset_of(event)
    if count >= rules.smallest_table:
        return ""
    return f"At least {rules.smallest_table} {rules.unit}s are needed; {count or 'none'} can be drawn."


def _method(event: Event) -> tuple[str, DrawOptions]:
    """More than two sides at a table are drawn in groups, whatever the movement of teams is."""
    rules = ruleset_of(event)
    apart = ("city", "club") if event.keep_apart else ()
    if in_groups(event):
        return "groups", DrawOptions(apart, rules.seating.sides, min(rules.smallest_table, rules.seating.sides))
    return event.movement, DrawOptions(apart=apart)


def _winners(marks: Mapping[int, Sequence[Mark]]) -> dict[int, frozenset[int]]:
    winners: dict[int, set[int]] = defaultdict(set)
    for team, played in marks.items():
        for mark in played:
            if mark.sign in ("W", "B"):
                winners[mark.round].add(team)
    return {number: frozenset(teams) for number, teams in winners.items()}


def seated_in(rounds: Sequence[Round], winners: Mapping[int, frozenset[int]] | None = None) -> tuple[Played, ...]:
    """Who sits where in these rounds, in two queries; `winners` by round number.

    The tables are in the order in which they were drawn: their numbers depend on the teams that stay.
    """
    tables: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    numbers: dict[int, int] = {}
    sides = Side.objects.filter(round__in=rounds).order_by("game_id", "index")
    for round_key, game, table, team in sides.values_list("round_id", "game_id", "game__table", "team__number"):
        tables[round_key][game].append(team)
        numbers[game] = table
    byes: dict[int, list[int]] = defaultdict(list)
    sitting_out = Bye.objects.filter(round__in=rounds).order_by("team__number")
    for round_key, team in sitting_out.values_list("round_id", "team__number"):
        byes[round_key].append(team)
    return tuple(
        Played(
            tuple(tuple(teams) for teams in tables[round_.pk].values()),
            tuple(byes[round_.pk]),
            winners.get(round_.number, frozenset()) if winners else frozenset(),
            tuple(numbers[game] for game in tables[round_.pk]),
        )
        for round_ in rounds
    )


# Compare two draws of the same event: which tables, byes, and notes of which rounds change.


def lost_by_redraw(event: Event) -> tuple[str, ...]:
    """What else is lost with the rounds that have not started, besides a draw that can be repeated, in sentences."""
    planned = Round.objects.filter(event=event, stage="qualifying", state="planned").order_by("number")
    rounds = list(planned.values_list("number", "by_hand"))
    if not rounds:
        return ()
    acts = Journal.objects.filter(event=event)
    drawn = acts.filter(action="draw").order_by("-pk").values_list("pk", flat=True).first() or 0
    printed = acts.filter(action="print", pk__gt=drawn).order_by("-pk").values_list("at", flat=True).first()
    by_hand = [number for number, is_by_hand in rounds if is_by_hand]
    lost = []
    if by_hand:
        lost.append(f"Seated by hand: {rounds_text(by_hand)}. Those seats are lost.")
    if printed:
        lost.append(f"Papers of this draw were printed at {clock_time(printed, event.time_zone)}. They would be wrong.")
    return tuple(lost)


FOR_GOOD = "This can’t be undone: drawing again gives other tables."


def way_back_to_draw(event: Event) -> str:
    """How the waiting draw can be recreated after it is deleted: by its number, if that gives the same tables today."""
    plan = draw_plan(event)
    if plan.why_not or plan.by_hand or not plan.rounds:
        return FOR_GOOD
    draws = draws_by(plan, None if event.by_number else event.seed)
    seats = (
        [number, table, team]
        for number, draw in enumerate(draws, start=plan.history.next_round)
        for teams, table in zip(draw.tables, table_numbers(draw.tables, plan.entrants), strict=True)
        for team in teams
    )
    if sorted(seats) != sorted(seats_drawn(event)):
        return FOR_GOOD
    how = "by number" if event.by_number else f"with number {event.seed}"
    return f"To undo this, draw again {how}: that gives the same tables."


def seats_drawn(event: Event) -> tuple[list[int], ...]:
    """Game, table, and team of every seat in a drawn round that has not started, for comparison."""
    sides = Side.objects.filter(round__event=event, round__stage="qualifying", round__state="planned")
    seats = sides.order_by("round__number", "game__table", "index")
    return tuple(list(seat) for seat in seats.values_list("round__number", "game__table", "team__number"))


def seed_words(event: Event, impact: Impact) -> str:
    """The number of the replaced draw, with which it can be drawn again; `event` is the event before.

    Empty if no table moved or it had no number: seated by hand, or by number.
    """
    has_number = impact.ground and impact.groups and not impact.warnings and not event.by_number
    return f"The draw before was number {event.seed}." if has_number else ""


def redrawn_words(impact: Impact, count: int) -> str:
    """What a draw did to the waiting rounds; if nothing moved, that it is the same draw as before."""
    words = f"{count} game{'' if count == 1 else 's'} drawn"
    if impact.ground and not impact.groups:
        why = "because this movement follows from the games that have started"
        return f"{words}: every table is the same as before, {why}."
    return f"{words}."


def reseating(before: DrawOverview, after: DrawOverview) -> Impact:
    """The rounds that differ, with a sentence for each: how many play, who sits out, who meets again."""
    old = {round_.number: round_ for round_ in before.rounds}
    new = {round_.number: round_ for round_ in after.rounds}
    rounds = [_round(old.get(number), new.get(number)) for number in sorted({*old, *new})]
    changed = tuple(group for group in rounds if group.changes)
    titles = {group.title for group in changed}
    shown = [round_ for round_ in after.rounds if round_.title in titles]
    tables = [table for round_ in after.rounds for table in round_.tables]
    met = Counter(frozenset(pair) for table in tables for pair in combinations(table.teams, 2))
    return Impact(changed, summary=_summary(shown, met))


def _summary(shown: Sequence[RoundCard], met: Counter[frozenset[int]]) -> tuple[str, ...]:
    """For each of the rounds that change: how many play, who sits out, and how many meet again."""
    lines = []
    for round_ in shown:
        again = sum(met[frozenset(pair)] > 1 for table in round_.tables for pair in combinations(table.teams, 2))
        rematches = f"{again} rematch{'' if again == 1 else 'es'}" if again else "no rematch"
        tables = f"{len(round_.tables)} table{'' if len(round_.tables) == 1 else 's'}"
        byes = f"bye: {', '.join(seat.team for seat in round_.byes)}" if round_.byes else "no bye"
        lines.append(f"{round_.title}: {tables}, {byes}, {rematches}")
    return tuple(lines)


def _round(old: RoundCard | None, new: RoundCard | None) -> Group:
    before, after = _seats_by_table(old), _seats_by_table(new)
    places = dict.fromkeys((*before, *after))
    shown = new or old
    title = shown.title if shown else ""
    lines = [Change(title, place, before.get(place, NONE), after.get(place, NONE)) for place in places]
    changed = tuple(line for line in lines if line.before != line.after)
    notes = tuple(map(str, new.notes)) if new else ()
    return Group(title, changed, len(lines) - len(changed), notes)


def _seats_by_table(round_: RoundCard | None) -> dict[str, str]:
    if round_ is None:
        return {}
    tables = {f"Table {table.table}": " – ".join(seat.team for seat in table.seats) for table in round_.tables}
    byes = {"Bye": ", ".join(seat.team for seat in round_.byes)} if round_.byes else {}
    return tables | byes
