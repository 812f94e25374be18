"""Rounds, games, seating, results and the bracket as lists, from `queries/schedule.py`, `bracket.py` and sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from tournament.lists.column import NUMBER, POINTS, SIDES, STARS, Column, Listing, Value, in_order, where
from tournament.models import Event
from tournament.queries.bracket_facts import BracketFacts, MatchFacts
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import Played, RoundCard, Seat, Table
from tournament.queries.sheetfacts import GameSheet
from tournament.words.phrases import GAME_STATES, STAGES, clause, minus


def rounds_list(event: Event, rounds: Sequence[RoundCard]) -> Listing:
    """One row per team and round: where it sat, and the result."""
    rows = [game for round_ in rounds for game in round_.played]
    return Listing("rounds", "Games", event, columns(rows), rows, where(event), empty="Nothing is drawn yet.")


def columns(rows: Sequence[Played]) -> tuple[Column, ...]:
    best_of_several = any(row.table and row.table.leg > 1 for row in rows)
    return (
        Column("round", "Game", lambda game: game.round.number, NUMBER, filed=True),
        Column("title", "Title", lambda game: game.round.title, shared=True),
        Column("stage", "Stage", lambda game: STAGES[game.round.stage], filed=True),
        Column("state", "State", lambda game: game.round.state_words, shared=True),
        Column("table", "Table", lambda game: game.table and game.table.table, NUMBER, shared=True),
        Column(
            "game",
            "Of the match",
            lambda game: game.table and game.table.leg,
            NUMBER,
            filed=not best_of_several,
            shared=True,
        ),
        Column("side", "Side", lambda game: SIDES[game.index] if game.table else "bye"),
        Column("number", "No.", attrgetter("seat.number"), NUMBER),
        Column("name", "Name", attrgetter("seat.team")),
        Column("won", "Won", lambda game: {"W": "yes", "L": "no", "N": "no"}.get(game.sign, "")),
        Column("points", "Points", attrgetter("seat.points"), POINTS),
        Column("bostons", "Bostons", attrgetter("seat.bostons"), STARS, shown=any(row.seat.bostons for row in rows)),
        Column("how", "How", lambda game: game.table.how if game.table else "", shared=True),
        Column("rule", "Rule", lambda game: clause(game.table.rule) if game.table else "", shared=True),
    )


# What the sides of a game have in common.
SHARED = ("round", "table", "stage", "state", "how", "rule")
# A row is a side of a game, a value for each column, without its sheet: memory must not grow with the hands.
GAME_HEADS = (
    ("round", "Game"),
    ("table", "Table", NUMBER),
    ("stage", "Stage"),
    ("state", "State"),
    ("side", "Side"),
    ("number", "No.", NUMBER),
    ("name", "Name"),
    ("against", "Against"),
    ("won", "Won"),
    ("points", "Points", POINTS),
    ("sets", "Sets", NUMBER),
    ("bostons", "Bostons", STARS),
    ("how", "How"),
    ("rule", "Rule"),
)


def games_list(event: Event, sheets: Iterable[GameSheet], *, bostons: bool) -> Listing:
    """One row per side of a game."""
    columns = tuple(
        replace(
            column,
            filed=column.key == "against",
            shared=column.key in SHARED,
            shown=bostons or column.key != "bostons",
        )
        for column in in_order(*GAME_HEADS)
    )
    rows = [game for sheet in sheets for game in _played(sheet)]
    return Listing("games", "Games", event, columns, rows, where(event))


def _played(sheet: GameSheet) -> Iterable[tuple[Value, ...]]:
    head = str(sheet.round), sheet.game.table, STAGES[sheet.round.stage], GAME_STATES[sheet.game.state]
    for side in sheet.sides:
        index = side.index
        won = "" if not sheet.over else "yes" if sheet.winner == index else "no"
        figures = won, sheet.points[index], sheet.sets[index], sheet.bostons[index]
        against = sheet.opponents(index)
        yield *head, SIDES[index], side.number, side.name, against, *figures, sheet.how_words, clause(sheet.rule)


# A row is a game, a value for each column, followed by its document.
DOCUMENT_HEADS = (
    ("round", "Game"),
    ("table", "Table", NUMBER),
    ("game", "Of the match", NUMBER),
    ("stage", "Stage"),
    ("state", "State"),
    ("numbers", "No."),
    ("sides", "Sides"),
    ("won", "Won"),
    ("points", "Points"),
    ("how", "How"),
    ("rule", "Rule"),
)


def documents_list(event: Event, sheets: Iterable[GameSheet]) -> Listing:
    """One row per game. In JSON each has its game document, from which another program can score it again."""
    rows = [_documented(sheet) for sheet in sheets]
    best_of_several = any(row[2] > 1 for row in rows)
    columns = tuple(
        replace(column, filed=column.key == "game" and not best_of_several) for column in in_order(*DOCUMENT_HEADS)
    )
    return Listing(
        name="games-by-table",
        title="Games by table",
        event=event,
        columns=columns,
        rows=rows,
        under=where(event),
        empty="Nothing is drawn yet.",
        in_json={"document": itemgetter(-1)},
    )


def _documented(sheet: GameSheet) -> tuple[Any, ...]:
    place = str(sheet.round), sheet.game.table, sheet.game.leg
    stage_and_state = STAGES[sheet.round.stage], GAME_STATES[sheet.game.state]
    numbers = tuple(side.number for side in sheet.sides)
    names = tuple(side.name for side in sheet.sides)
    winner = "" if sheet.winner is None else sheet.sides[sheet.winner].name
    result = winner, sheet.points, sheet.how_words, clause(sheet.rule)
    return *place, *stage_and_state, numbers, names, *result, sheet.document


def seating_list(event: Event, round_: RoundCard, players: Mapping[int, str], sides: int) -> Listing:
    """Who sits where in a round, table by table; teams that sit out come last."""

    def column(index: int) -> Column:
        return Column(
            f"side_{SIDES[index].lower()}", f"Side {SIDES[index]}", lambda row: _told(row, index, players), wall=True
        )

    says_match = any(table.words.title for table in round_.tables)
    match = Column("match", "Match", _match_title, shown=says_match, wall=True)
    return Listing(
        name="seating",
        title=f"Seating, {round_.title}",
        event=event,
        columns=(Column("table", "Table", _where, wall=True), match, *(column(at) for at in range(sides))),
        rows=[*round_.tables, *round_.byes],
        under=" · ".join(part for part in (where(event), *map(str, round_.notes)) if part),
        empty="This game is not drawn yet.",
        live=True,
    )


def seating_by_name(event: Event, round_: RoundCard) -> Listing:
    """Who sits where in a round, for those who look for their own name."""
    unit = ruleset_of(event).unit
    rows = sorted(round_.played, key=lambda game: (game.seat.team.casefold(), game.seat.number))
    return Listing(
        name="seating-by-name",
        title=f"Find your table, {round_.title}",
        event=event,
        columns=(
            Column("name", unit.capitalize(), attrgetter("seat.team"), wall=True),
            Column("number", "No.", attrgetter("seat.number"), NUMBER, wall=True),
            Column("table", "Table", lambda game: _where(game.table) if game.table else "Bye", wall=True),
        ),
        rows=rows,
        under=where(event),
        empty="This game is not drawn yet.",
        live=True,
    )


def results_list(event: Event, round_: RoundCard) -> Listing:
    """The results of a round: teams, points, how each game ended, Bostons."""
    rows: list[Place] = [*round_.tables, *round_.byes]
    return Listing(
        name="results",
        title=round_.title,
        event=event,
        columns=_result_columns(rows),
        rows=rows,
        under=where(event),
        empty="This game is not drawn yet.",
    )


def results_of_all(event: Event, rounds: Sequence[RoundCard]) -> Listing:
    """The results of all rounds, a row for each table, as printed for the games of an evening."""
    places: list[tuple[RoundCard, Place]] = [(round_, table) for round_ in rounds for table in round_.tables]
    places += [(round_, bye) for round_ in rounds for bye in round_.byes]
    rows = [(round_.title, place) for round_, place in sorted(places, key=lambda place: place[0].number)]
    columns = (
        replace(column, value=partial(_of_place, column)) for column in _result_columns([place for _, place in rows])
    )
    return Listing(
        name="games",
        title="Games",
        event=event,
        columns=(Column("round", "Game", itemgetter(0)), *columns),
        rows=rows,
        under=where(event),
        empty="Nothing is drawn yet.",
    )


def _of_place(column: Column, row: tuple[str, Place]) -> Value:
    return column.value(row[1])


def _result_columns(rows: Sequence[Place]) -> tuple[Column, ...]:
    return (
        Column("table", "Table", _where),
        Column("winners", "Won", lambda row: _names(row, won=True)),
        Column("winners_points", "Points", lambda row: _scores(row, won=True)),
        Column("losers", "Lost", lambda row: _names(row, won=False)),
        Column("losers_points", "Points", lambda row: _scores(row, won=False)),
        Column("how", "How it ended", _ended),
        Column("bostons", "Bostons", _starred, shown=any(map(_starred, rows))),
    )


# Lists that a secretary fills in.
BLANK = "________"


def recap_list(event: Event, round_: RoundCard, sides: int) -> Listing:
    """A row per table for the points that a secretary collects from the sheets; known points are already there."""
    unit = ruleset_of(event).unit

    def team(index: int, row: Table) -> str:
        return f"{row.seats[index].number}  {row.seats[index].team}" if index < len(row.seats) else ""

    def points(index: int, row: Table) -> str:
        if index >= len(row.seats):
            return ""
        return minus(row.seats[index].points) if row.shown else BLANK

    def winner(row: Table) -> str:
        return (str(row.winner) if row.winner else "nobody") if row.shown else BLANK

    columns = [Column("table", "Table", _where, wall=True)]
    for index, name in enumerate(SIDES[:sides]):
        columns.append(Column(f"side_{name.lower()}", f"Side {name}", partial(team, index), wall=True))
        columns.append(Column(f"points_{name.lower()}", "Points", partial(points, index), wall=True))
    columns.append(Column("winner", "Winner No.", winner, wall=True))
    columns.append(Column("signed", "Signed", lambda row: "✓" if row.shown else "□", wall=True))
    return Listing(
        name="recap",
        title=f"Recap, {round_.title}",
        event=event,
        columns=tuple(columns),
        rows=round_.tables,
        under=f"{where(event)} · one line for each sheet that comes to the desk",
        empty="This game is not drawn yet.",
        notes=tuple(f"Bye: {seat.number}  {seat.team} ({unit})" for seat in round_.byes),
    )


def bracket_list(event: Event, drawn: BracketFacts | None) -> Listing:
    """One row per match of the playoffs; a side that is not known yet says where it comes from."""
    rows = drawn.matches if drawn else ()
    return Listing("bracket", "Bracket", event, bracket_columns(), rows, where(event), empty=no_bracket(event))


def no_bracket(event: Event) -> str:
    """The text shown instead of a bracket."""
    if event.no_playoffs:
        return "No playoffs: the first place is the champion."
    return "The cut has not been made yet."


def bracket_columns() -> tuple[Column, ...]:
    def of_side(index: int) -> tuple[Column, ...]:
        letter, key = SIDES[index], SIDES[index].lower()
        return (
            Column(f"seed_{key}", f"Seed {letter}", lambda match: match.sides[index].seed, NUMBER),
            Column(f"number_{key}", f"No. {letter}", lambda match: match.sides[index].number, NUMBER),
            Column(f"name_{key}", f"Side {letter}", lambda match: match.sides[index].name),
            Column(f"wins_{key}", f"Wins {letter}", lambda match: match.sides[index].wins, NUMBER),
        )

    return (
        Column("match", "Match", attrgetter("key")),
        Column("round", "Playoff round", attrgetter("title")),
        Column("state", "State", attrgetter("state")),
        *of_side(0),
        *of_side(1),
        Column("won", "Won", _winner),
    )


def _winner(match: MatchFacts) -> str:
    return next((side.name for side in match.sides if side.won), "")


# A row of a round is a table, or a team that sits out.
Place = Table | Seat


def _where(row: Place) -> str:
    if not isinstance(row, Table):
        return "Bye"
    return f"{row.table}.{row.leg}" if row.leg > 1 else str(row.table)


def _match_title(row: Place) -> str:
    return row.words.title if isinstance(row, Table) else ""


def _told(row: Place, index: int, players: Mapping[int, str]) -> str:
    seats = row.seats if isinstance(row, Table) else (row,)
    if index >= len(seats):
        return ""
    names = players.get(seats[index].number, "") if isinstance(row, Table) else ""
    stays = " · stays" if isinstance(row, Table) and seats[index].home == row.table else ""
    return f"{seats[index].number}  {seats[index].team}" + (f" ({names})" if names else "") + stays


def _names(row: Place, *, won: bool) -> str:
    if not isinstance(row, Table):
        return f"{row.number}  {row.team}" if won else ""
    if not row.shown:
        # A side listed first stays first as long as nobody has won.
        seats = row.seats[:1] if won else row.seats[1:]
    else:
        seats = tuple(seat for seat in row.seats if seat.won is won)
    return ", ".join(f"{seat.number}  {seat.team}" for seat in seats) or ("nobody" if won else "")


def _scores(row: Place, *, won: bool) -> str:
    seats = row.seats if isinstance(row, Table) and row.shown else ()
    return ", ".join(minus(seat.points) for seat in seats if seat.won is won)


def _ended(row: Place) -> str:
    if not isinstance(row, Table):
        return ""
    rule = f" ({clause(row.rule)})" if row.rule[:1].isdigit() else ""
    return f"{row.how}{rule}" if row.shown else row.state_words


def _starred(row: Place) -> str:
    seats = row.seats if isinstance(row, Table) and row.shown else ()
    return ", ".join(f"{seat.team}\u00a0{'★' * seat.bostons}" for seat in seats if seat.bostons)
