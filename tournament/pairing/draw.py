"""The entry point to the draw: every method by its key, one round or a whole schedule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import rustworkx

from tournament.pairing.plan import (
    CITY,
    CLUB,
    HAD_BYE,
    INSTEAD,
    NO_WINNER,
    NOTHING_PLAYED,
    UNSEATED,
    Draw,
    Entrant,
    History,
    Note,
    Played,
    annotate_all,
    byes_so_far,
    in_common,
    moved_from_home,
    pairs_of,
    rematch,
    together,
)
from tournament.pairing.round_robin import all_play_all, carry_on, circle_rounds, spread
from tournament.pairing.swiss import group_tables, pair_in_order, swiss

__all__ = [
    "FIXED",
    "METHODS",
    "NOTHING_PLAYED",
    "Checked",
    "Draw",
    "DrawOptions",
    "Entrant",
    "History",
    "Partners",
    "Played",
    "Warned",
    "check_by_hand",
    "draw_all",
    "draw_partners",
    "draw_round",
]

# A draw by hand: used as the director made it, with a warning for everything that looks wrong.


class Warned(NamedTuple):
    """One thing that looks wrong. `blocks` means that the round cannot be played like this; else `note` is kept of it.

    `kind` is double-seat, unknown, table-size, unseated, second-bye, rematch, same-city, same-club, or away.
    """

    kind: str
    teams: tuple[int, ...]
    blocks: bool
    text: str
    note: Note | None = None


class Checked(NamedTuple):
    """The draw as it was made, with the nonblocking warnings as notes; all warnings, blocking ones first."""

    draw: Draw
    warnings: tuple[Warned, ...]


def check_by_hand(
    tables: Sequence[Sequence[int]],
    byes: Sequence[int],
    entrants: Sequence[Entrant],
    history: History = NOTHING_PLAYED,
    sizes: Sequence[int] = (2,),
    apart: Sequence[str] = (CITY, CLUB),
    numbers: Sequence[int] = (),
) -> Checked:
    """Check a draw by hand; `sizes` lists how many sides a table may have, `apart` who should not meet.

    A team that neither sits at a table nor has a bye is unseated: a warning, because a team may be away. Without
    `numbers` the tables count from 1.
    """
    by_number = {entrant.number: entrant for entrant in entrants}
    numbers = numbers or range(1, len(tables) + 1)
    warnings = _blocking(tables, byes, by_number, sizes, numbers)
    seated = {*(team for table in tables for team in table), *byes}
    away = [entrant for entrant in entrants if entrant.number not in seated]
    warnings += [_noted("unseated", (entrant.number,), Note(UNSEATED, teams=(entrant.label,))) for entrant in away]
    before = byes_so_far(entrants, history)
    again = [by_number[team] for team in byes if before.get(team)]
    warnings += [_noted("second-bye", (entrant.number,), Note(HAD_BYE, teams=(entrant.label,))) for entrant in again]
    warnings += _meetings(tables, by_number, history, apart)
    moved = moved_from_home(tables, numbers, entrants, history.next_round)
    warnings += [_noted("away", (), note) for note in moved]
    notes = tuple(warning.note for warning in warnings if warning.note is not None)
    return Checked(Draw(tuple(tuple(table) for table in tables), tuple(byes), notes), tuple(warnings))


def _noted(kind: str, teams: tuple[int, ...], note: Note) -> Warned:
    return Warned(kind, teams, False, str(note), note)


def _blocking(
    tables: Sequence[Sequence[int]],
    byes: Sequence[int],
    by_number: dict[int, Entrant],
    sizes: Sequence[int],
    numbers: Sequence[int],
) -> list[Warned]:
    warnings = []
    seats = Counter([*(team for table in tables for team in table), *byes])
    for team, count in sorted(seats.items()):
        if team not in by_number:
            warnings.append(Warned("unknown", (team,), True, f"There is no number {team} in this event."))
        elif count > 1:
            text = f"Seated {count} times: {by_number[team].label}."
            warnings.append(Warned("double-seat", (team,), True, text))
    for number, table in zip(numbers, tables, strict=True):
        if len(table) not in sizes:
            wanted = " or ".join(str(size) for size in sizes)
            text = f"Table {number} has {len(table)} instead of {wanted}."
            warnings.append(Warned("table-size", tuple(table), True, text))
    return warnings


def _meetings(
    tables: Sequence[Sequence[int]], by_number: dict[int, Entrant], history: History, apart: Sequence[str]
) -> list[Warned]:
    warnings = []
    met = history.meetings()
    for table in tables:
        for pair in pairs_of({team for team in table if team in by_number}):
            first, second = by_number[pair[0]], by_number[pair[1]]
            if pair in met:
                warnings.append(_noted("rematch", pair, rematch(first, second, history.next_round, met[pair])))
            for wish in apart:
                if in_common(first, second, wish):
                    [note] = together(first, second, history.next_round, (wish,))
                    warnings.append(_noted(f"same-{wish}", pair, note))
    return warnings


# The movement of a club evening: half of the teams sit, the other half goes up one table after each round. Team *i* of
# the first half sits at table *i* and is side 0; the second half starts at tables 1, 2, … and goes up: from table 1 to
# 2, from the last table to table 1. With an odd number the last table is not a table: the team that comes to it has a
# bye. With *n* tables nobody meets anybody twice in *n* rounds; for more rounds all-play-all is drawn instead.

Slot = int | None


def moving_teams(
    entrants: Sequence[Entrant],
    rounds: int,
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    apart: Sequence[str] = (),
) -> tuple[Draw, ...]:
    """Draw the next `rounds` rounds of the movement.

    Without a history the teams take their seats by number, or as the seed draws them. With one, the movement continues:
    a late team takes an empty seat or opens a table, a team that left leaves an empty seat. If that would bring
    rematches or needless byes, the remaining rounds are re-seated and the first note says so.
    """
    if history.rounds:
        return carry_on(entrants, rounds, history, go_on_moving(entrants, rounds, history), seed, apart)
    tables = (len(entrants) + 1) // 2
    if rounds > tables > 0:
        order = spread(entrants, lambda order: circle_rounds(order, rounds), seed, apart)
        draws = circle_rounds(order, rounds)
        first = Draw(draws[0].tables, draws[0].byes, (Note(INSTEAD, tables + 1),))
        return annotate_all((first, *draws[1:]), entrants, history, apart)
    order = spread(entrants, lambda order: movement_rounds(order, rounds), seed, apart)
    return annotate_all(movement_rounds(order, rounds), entrants, history, apart)


def movement_rounds(order: Sequence[int], rounds: int) -> tuple[Draw, ...]:
    """Return the plain movement for teams in the order of their seats."""
    sitting: list[Slot] = [*order[: len(order) // 2], *[None] * (len(order) % 2)]
    moving: list[Slot] = list(order[len(order) // 2 :])
    return tuple(_round(sitting, moving, steps) for steps in range(rounds))


def go_on_moving(entrants: Sequence[Entrant], rounds: int, history: History) -> tuple[Draw, ...] | None:
    """Continue the movement that the first round of the history began.

    None means that there is nothing to continue: the first round did not have tables of two.
    """
    first = history.rounds[0]
    if not first.tables or any(len(table) != 2 for table in first.tables):
        return None
    present = {entrant.number for entrant in entrants}
    sitting: list[Slot] = [*(table[0] for table in first.tables), *(None for _ in first.byes)]
    moving: list[Slot] = [*(table[1] for table in first.tables), *first.byes]
    seated = {team for team in (*sitting, *moving) if team is not None}
    steps = len(history.rounds)
    # From here on, seat i meets the team that has come to table i by now.
    moving = [moving[(index - steps) % len(moving)] for index in range(len(moving))]
    sitting = [team if team in present else None for team in sitting]
    moving = [team if team in present else None for team in moving]
    for late in sorted(present - seated):
        _seat(late, sitting, moving)
    return tuple(_round(sitting, moving, step) for step in range(rounds))


def _round(sitting: Sequence[Slot], moving: Sequence[Slot], steps: int) -> Draw:
    tables, byes = [], []
    for index, sits in enumerate(sitting):
        comes = moving[(index - steps) % len(moving)]
        if sits is not None and comes is not None:
            tables.append((sits, comes))
        else:
            byes += [team for team in (sits, comes) if team is not None]
    return Draw(tuple(tables), tuple(byes))


def _seat(late: int, sitting: list[Slot], moving: list[Slot]) -> None:
    for seats in (sitting, moving):
        if None in seats:
            seats[seats.index(None)] = late
            return
    sitting.append(late)
    moving.append(None)


# A random draw: chance decides, except that nobody meets twice if it can be avoided.


def random_draw(
    entrants: Sequence[Entrant], history: History = NOTHING_PLAYED, seed: int | None = None, apart: Sequence[str] = ()
) -> Draw:
    """Shuffle the entrants by the seed and the round's number, and pair neighbors in that order."""
    shuffled = [replace(entrant, won=0, points=0) for entrant in sorted(entrants, key=lambda entrant: entrant.number)]
    Random(f"{seed}/random/{history.next_round}").shuffle(shuffled)  # noqa: S311
    return pair_in_order(shuffled, history, apart)


# Winners up, losers down: after each round the winner goes up a table and the loser goes down one.


def winners_up(
    entrants: Sequence[Entrant], history: History = NOTHING_PLAYED, seed: int | None = None, apart: Sequence[str] = ()
) -> Draw:
    """Draw the next round of winners up, losers down; the first round is drawn at random.

    The winner of table 1 and the loser of the last table stay. At a table without a winner, the side listed first
    counts as the winner, and the draw says so. Teams that had a bye or come late start at the bottom. If two would meet
    again, they are drawn against their nearest neighbors instead.
    """
    if not history.rounds:
        return random_draw(entrants, history, seed, apart)
    level = {entrant.number: replace(entrant, won=0, points=0) for entrant in entrants}
    last = history.rounds[-1]
    ladder, notes = _ladder(last, level)
    newcomers = sorted(level.keys() - set(ladder))
    draw = pair_in_order([level[number] for number in (*ladder, *newcomers)], history, apart)
    return replace(draw, notes=(*notes, *draw.notes))


def _ladder(last: Played, level: dict[int, Entrant]) -> tuple[list[int], list[Note]]:
    """Best seat first, by the order in which the tables were drawn.

    Two neighbors are to meet, so each winner is next to the loser that comes down to it.
    """
    placed: list[tuple[int, int]] = []
    notes = []
    for index, table in enumerate(last.tables):
        won = [team for team in table if team in last.winners]
        if not won:
            notes.append(Note(NO_WINNER, last.numbers[index] if last.numbers else index + 1))
            won = [table[0]]
        for team in table:
            # A loser of table 1 goes to table 2, where the winner of table 3 comes up to it.
            placed.append((2 * index - 2 if team in won else 2 * index + 1, team))
    placed.sort(key=lambda seat: seat[0])
    return [team for _, team in placed if team in level], notes


MOVING, ROUND_ROBIN, SWISS, RANDOM = "moving", "round-robin", "swiss", "random"
WINNERS_UP, GROUPS, BY_HAND = "winners-up", "groups", "by-hand"
METHODS = (MOVING, ROUND_ROBIN, SWISS, RANDOM, WINNERS_UP, GROUPS, BY_HAND)
# These need no results: the whole evening can be drawn and printed before it starts.
FIXED = (MOVING, ROUND_ROBIN, RANDOM, GROUPS)


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """What a club may ask of a draw. `apart` names city and club as wanted.

    `table_size` and `smallest_table` apply to tables of single players.
    """

    apart: tuple[str, ...] = ()
    table_size: int = 4
    smallest_table: int | None = None


PLAIN = DrawOptions()


def draw_round(
    method: str,
    entrants: Sequence[Entrant],
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    options: DrawOptions = PLAIN,
) -> Draw:
    """Draw the round after `history`; the same seed gives the same draw.

    Raises ValueError for a method that draws nothing and for an entrant listed twice.
    """
    match method:
        case "swiss":
            return swiss(entrants, history, seed, options.apart)
        case "winners-up":
            return winners_up(entrants, history, seed, options.apart)
        case _:
            return draw_all(method, entrants, 1, history, seed, options)[0]


def draw_all(
    method: str,
    entrants: Sequence[Entrant],
    rounds: int,
    history: History = NOTHING_PLAYED,
    seed: int | None = None,
    options: DrawOptions = PLAIN,
) -> tuple[Draw, ...]:
    """Draw the next `rounds` rounds of a method that needs no results (see FIXED).

    With a history it re-seats the remaining rounds only. Raises ValueError for any other method.
    """
    match method:
        case "moving":
            return moving_teams(entrants, rounds, history, seed, options.apart)
        case "round-robin":
            return all_play_all(entrants, rounds, history, seed, options.apart)
        case "groups":
            return group_tables(entrants, rounds, options.table_size, options.smallest_table, history, seed)
        case "random":
            draws = []
            for _ in range(rounds):
                draws.append(random_draw(entrants, history, seed, options.apart))
                history = history.after(draws[-1])
            return tuple(draws)
        case _:
            raise ValueError(f"“{method}” cannot be drawn ahead")


# Partners by lot: members in pairs, nobody with the last partner again if it can be avoided.

# Represents the partner of the one who is left over; nobody has this number.
LEFT_OVER = 0
# How often chance alone is tried. If only few pairs are barred, it finds a draw long before.
SHUFFLES = 100


class Partners(NamedTuple):
    """Members in pairs, in the order in which they were drawn.

    `alone` is the member left over if the number is odd, otherwise None; `again` are the pairs that were partners
    before.
    """

    pairs: tuple[tuple[int, int], ...]
    alone: int | None
    again: tuple[tuple[int, int], ...]


def draw_partners(members: Sequence[int], before: Collection[tuple[int, int]], seed: int) -> Partners:
    """Draw members (numbers above 0, in any order) in pairs; the same seed draws the same pairs of the same members.

    `before` are the pairs that must not be drawn again, each in either order; (0, member) is the one who was left over,
    and should not be left over again. Every drawing without such a pair is as likely as any other. If there is none, or
    chance finds none in 100 shuffles, a matching has the smallest possible number of them. Raises ValueError for fewer
    than two members, a number twice, or one below 1.
    """
    order = sorted(members)
    if len(order) < 2 or order[0] < 1 or len(set(order)) != len(order):
        raise ValueError("partners are drawn among two members or more, each of them once")
    order += [LEFT_OVER] * (len(order) % 2)
    chance, barred = Random(seed), {frozenset(pair) for pair in before}  # noqa: S311
    for _ in range(SHUFFLES):
        chance.shuffle(order)
        drawn = list(zip(order[::2], order[1::2], strict=True))
        if barred.isdisjoint(map(frozenset, drawn)):
            break
    else:
        drawn = _with_fewest(order, barred)
    pairs = tuple(pair for pair in drawn if LEFT_OVER not in pair)
    alone = next((sum(pair) for pair in drawn if LEFT_OVER in pair), None)
    return Partners(pairs, alone, tuple(pair for pair in pairs if frozenset(pair) in barred))


def _with_fewest(order: Sequence[int], barred: Collection[frozenset[int]]) -> list[tuple[int, int]]:
    """Pair everybody in an order with the smallest possible number of barred pairs."""
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * len(order))
    places = pairs_of(range(len(order)))
    graph.add_edges_from([(low, high, 2 - (frozenset({order[low], order[high]}) in barred)) for low, high in places])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(order[low], order[high]) for low, high in sorted(tuple(sorted(pair)) for pair in matched)]
