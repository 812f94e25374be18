"""Teams: rows of a list, search by name, a team's own page, registration at the desk."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Count, Prefetch, QuerySet
from django.template.defaultfilters import pluralize

from tournament.access import names_of
from tournament.errors import Fault
from tournament.models import Bye, Event, Notice, Player, Side, Substitution, Team
from tournament.models.team import MARKS, PLAIN_FACTS
from tournament.queries.bracket import bracket, due_by_team
from tournament.queries.bracket_facts import MatchSide
from tournament.queries.decisions import with_holds
from tournament.queries.events import once_a_version
from tournament.queries.final_places import FinalPlaces, PlaceLine
from tournament.queries.game_results import Mark
from tournament.queries.match_words import NOTHING_TO_SAY, MatchWords, words_by_match
from tournament.queries.people import substitutes_shown
from tournament.queries.rules import Visibility, everybody_in_pot, ruleset_of
from tournament.queries.schedule import Played, all_rounds, current_round, played_by_team
from tournament.queries.standings import Standings, StandingsLine, full_standings
from tournament.words.phrases import A_PLAYER, DONE
from tournament.words.texts import Refused, clean_name, mixed_letters, name_key

LARGEST_NUMBER = 9999
LARGEST_TABLE = 999
COLUMNS = {
    "number": "No.",
    "name": "Team",
    "player1": "Player 1",
    "player2": "Player 2",
    "player3": "Player 3",
    "player4": "Player 4",
    "city": "City",
    "club": "Club",
    "paid": "Paid",
    "in_pot": "Boston pot",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterRow:
    """A team to be entered.

    `row` is its line in the list, 0 if it was typed into a form; `guessed` says what is doubtful and must be asked.
    `shown_as` is what the club typed in place of a name that reveals the players; `hides` whether the public reads less
    than the name. `home` is the table that it never leaves.
    """

    row: int = 0
    number: int | None = None
    name: str
    players: tuple[str, ...] = ()
    city: str = ""
    club: str = ""
    paid: bool = False
    in_pot: bool = False
    guessed: str = ""
    shown_as: str = ""
    hides: bool = False
    home: int | None = None


def plain_facts_of(team: Team | RosterRow) -> dict[str, Any]:
    """The plain facts of a team by name."""
    return {fact: getattr(team, fact) for fact in PLAIN_FACTS}


def marks_of(team: Team | RosterRow) -> dict[str, Any]:
    """The yes-or-no facts of a team, by name."""
    return {mark: getattr(team, mark) for mark in MARKS}


def players_wanted(event: Event) -> int:
    """How many players make a team in the event's game."""
    seats, sides = ruleset_of(event).seating
    return seats // sides


def short_teams(event: Event) -> tuple[str, ...]:
    """The teams with fewer named players than their side has seats, a sentence for officials for each.

    A team without any named player is not short: there are clubs that type no names.
    """
    seats = players_wanted(event)
    if seats == 1:
        return ()
    counts = event.teams.filter(status="playing").annotate(count=Count("players"))
    return tuple(
        f"{team.full_name} has {team.count} player{pluralize(team.count)}; the game seats {seats} a side."
        for team in counts.filter(count__gte=1, count__lt=seats)
    )


def cleaned_row(row: RosterRow, *, typed: bool = False) -> tuple[RosterRow, list[Fault]]:
    """The row with clean names, and a fault for each name that is refused.

    In a row as it is `typed`, a name must be a real one; stored rows may have names that the program gave.
    """
    faults: list[Fault] = []

    def clean(field: str, text: str) -> str:
        try:
            return clean_name(text, free=not typed or field in PLAIN_FACTS) if text.strip() else ""
        except Refused as refusal:
            faults.append(fault_at(row, field, str(refusal)))
            return text

    players = tuple(clean(f"player{seat}", name) for seat, name in enumerate(row.players, start=1) if name.strip())
    name = clean("name", row.name or (players[0] if len(players) == 1 else ""))
    if not name:
        faults.append(fault_at(row, "name", "A name is needed."))
    if row.number is not None and not 1 <= row.number <= LARGEST_NUMBER:
        faults.append(fault_at(row, "number", f"Numbers go from 1 to {LARGEST_NUMBER}; this is {row.number}."))
    if row.home is not None and not 1 <= row.home <= LARGEST_TABLE:
        faults.append(fault_at(row, "home", f"Tables go from 1 to {LARGEST_TABLE}; this is {row.home}."))
    facts: dict[str, Any] = {fact: clean(fact, text) for fact, text in plain_facts_of(row).items()}
    return replace(row, name=name, players=players, **facts), faults


def roster_faults(event: Event, rows: Sequence[RosterRow], *, instead_of: Iterable[int] = ()) -> list[Fault]:
    """What keeps these rows from being entered: numbers and names used twice, here or among the event's teams.

    `instead_of` are teams (by key) that the rows replace.
    """
    existing = list(_entered(event).exclude(pk__in=list(instead_of)))
    taken, entered = {team.number: team.full_name for team in existing}, {team.key for team in existing}
    homes = {team.home: team.full_name for team in existing if team.home}
    numbers: dict[int, int] = {}
    names: dict[str, int] = {}
    faults = []
    for row in rows:
        key = name_key(row.name)
        if row.number in taken:
            faults.append(fault_at(row, "number", f"Number {row.number} is taken by {taken[row.number]}."))
        elif row.number in numbers:
            rows_words = f"rows {numbers[row.number]} and {row.row}"
            faults.append(fault_at(row, "number", f"Number {row.number} is used twice ({rows_words})."))
        if row.name and key in entered:
            faults.append(fault_at(row, "name", f"“{row.name}” is already entered."))
        elif row.name and key in names:
            faults.append(fault_at(row, "name", f"“{row.name}” is used twice (rows {names[key]} and {row.row})."))
        if row.home in homes:
            faults.append(fault_at(row, "home", f"{homes[row.home]} stays at table {row.home} already."))
        elif row.home:
            homes[row.home] = row.name
        if row.number is not None:
            numbers.setdefault(row.number, row.row)
        names.setdefault(key, row.row)
        faults += _same_player_twice(row)
    return faults


def roster_notes(event: Event, rows: Sequence[RosterRow], *, instead_of: Iterable[int] = ()) -> list[str]:
    """What is worth a look and keeps nobody out: missing players, an odd field."""
    gone = list(instead_of)
    notes = []
    wanted = players_wanted(event)
    for row in rows:
        for name in (row.name, *row.players):
            if note := letters_note(name):
                notes.append(f"{_row_words(row)}{note}")
        if wanted > 1 and len(row.players) < wanted:
            who = f"{row.name}: " if row.name else ""
            notes.append(f"{_row_words(row)}{who}{_missing_words(len(row.players), wanted)} named.")
    if event.pk and everybody_in_pot(event) and len({row.in_pot for row in rows}) > 1:
        notes.append("Everybody is in the pot at this event: what the list says about it is not read.")
    total = _entered(event).filter(status="playing").exclude(pk__in=gone).count() + len(rows)
    rules = ruleset_of(event)
    if total == 1:
        notes.append(f"One {rules.unit} alone cannot play: at least {rules.smallest_table} are needed.")
    elif rest := rules.without_seat(total):
        sit = f"one {rules.unit} sits" if rest == 1 else f"{rest} {rules.unit}s sit"
        notes.append(f"{total} {rules.unit}s do not fill the tables: {sit} out each game.")
    return notes


def twice_in_roster(event: Event, rows: Sequence[RosterRow], *, instead_of: Iterable[int] = ()) -> list[str]:
    """Players who are in two teams of these rows, or in one and a team of the event: nobody can play in both."""
    entered = _entered(event).exclude(pk__in=list(instead_of))
    players = Player.objects.filter(team__in=entered).select_related("team")
    seen = {player.key: f"plays for {player.team.full_name}" for player in players if player.team is not None}
    questions = []
    for row in rows:
        here = f"plays for {row.name}"
        for name in row.players:
            elsewhere = seen.setdefault(name_key(name), here)
            if elsewhere != here:
                questions.append(f"{_row_words(row)}{name} also {elsewhere}.")
    return questions


def letters_note(name: str) -> str:
    """The warning about a Latin name with a letter of another alphabet; empty if there is none."""
    letter = mixed_letters(name)
    return f"“{name}” has the {unicodedata.name(letter).capitalize()}." if letter else ""


def numbered(event: Event, rows: Sequence[RosterRow], *, instead_of: Iterable[int] = ()) -> list[RosterRow]:
    """The rows with a number each: rows without one get the lowest free ones, in order."""
    taken = set(_entered(event).exclude(pk__in=list(instead_of)).values_list("number", flat=True))
    taken |= {row.number for row in rows if row.number is not None}
    free = (number for number in range(1, LARGEST_NUMBER + 1) if number not in taken)
    return [row if row.number is not None else replace(row, number=next(free)) for row in rows]


def fault_at(row: RosterRow, field: str, text: str) -> Fault:
    """A fault that names its row and column; a form shows it at the field and needs no row."""
    if not row.row:
        return Fault(field, text)
    return Fault(f"{row.row}:{field}", f"Row {row.row}, column {COLUMNS.get(field, field)}: {text}")


def _entered(event: Event) -> QuerySet[Team]:
    """The teams of an event; none for one that is only being set up."""
    return event.teams.all() if event.pk else Team.objects.none()


def _same_player_twice(row: RosterRow) -> list[Fault]:
    keys = ["" if name == A_PLAYER else name_key(name) for name in row.players]
    for seat, key in enumerate(keys):
        if key and key in keys[:seat]:
            return [fault_at(row, f"player{seat + 1}", f"{row.players[seat]} is named twice in this line.")]
    return []


def _missing_words(named: int, wanted: int) -> str:
    if not named:
        return "no players are"
    return f"{named} of {wanted} players {'is' if named == 1 else 'are'}"


def _row_words(row: RosterRow) -> str:
    return f"Row {row.row}: " if row.row else ""


# Looking up a team or a player: every match for a number or a part of a name, and where they sit now.


@dataclass(frozen=True, slots=True)
class Found:
    """A team that was found.

    `players` are all of them, each with whether the name matched; `place` is “Table 6” or “Bye” in `round`, and empty
    if nothing is drawn for the team.
    """

    number: int
    team: str
    players: tuple[tuple[str, bool], ...]
    city: str
    place: str
    round: str
    status: str


def look_up(event: Event, text: str, *, whole: bool = False) -> list[Found]:
    """The teams with this number, or with this part of their or a player's name: a constant number of queries.

    Officials search `whole` names, and read them.
    """
    wanted = name_key(text)
    teams = list(Team.objects.filter(event=event).order_by("number"))
    players = player_names(event, whole=whole)

    def names(team: Team) -> tuple[str, tuple[str, ...]]:
        return team.full_name if whole else team.name, players.get(team.number, ())

    if text.isdecimal() and (numbered := [team for team in teams if team.number == int(text)]):
        meant = numbered
    else:
        meant = [team for team in teams if is_meant(wanted, *names(team))]
    now = current_round(list(event.rounds.order_by("number")))
    places: dict[int, str] = {}
    if now and meant:
        sides = Side.objects.filter(round=now).order_by("leg").values_list("team_id", "game__table")
        places = {team: f"Table {table}" for team, table in sides}
        places |= dict.fromkeys(Bye.objects.filter(round=now).values_list("team_id", flat=True), "Bye")
    title = str(now)
    return [_found(team, *names(team), wanted, places.get(team.pk, ""), title) for team in meant]


def is_meant(wanted: str, team: str, players: tuple[str, ...]) -> bool:
    """Whether a key of a name is part of the name of a team or of a player."""
    return bool(wanted) and any(wanted in name_key(name) for name in (team, *players))


def _found(team: Team, name: str, players: tuple[str, ...], wanted: str, place: str, round_: str) -> Found:
    return Found(
        team.number,
        name,
        tuple((player, is_meant(wanted, player, ())) for player in players),
        team.city,
        place,
        round_ if place else "",
        team.gone,
    )


# The teams of an event, and one team's own page: where it sits next, its games, its place.


class Due(NamedTuple):
    """The match of the bracket that a team plays next, before it is drawn, and against whom."""

    words: MatchWords
    opponent: MatchSide


@dataclass(frozen=True, slots=True)
class TeamFacts:
    """A team's own page: the team with its players, substitutes, and unread notices, and its rounds.

    `substitutes` are sentences, `place` is its final place, `standings` what its `line` belongs to; `bostons` says
    whether the game counts them. `due` is its next match where losers play on, until that is drawn.
    """

    team: Team
    games: tuple[Played, ...]
    line: StandingsLine | None
    standings: str
    place: PlaceLine | None
    bostons: bool
    substitutes: tuple[str, ...]
    due: Due | None = None

    @property
    def next(self) -> Played | None:
        """The round that it plays now or next; None if nothing is drawn for it."""
        running = [game for game in self.games if game.round.state == "running"]
        now = next((game for game in running if game.table is None or game.table.state not in DONE), None)
        return now or next((game for game in self.games if game.round.state == "planned"), None)


def player_names(event: Event, *, whole: bool = False) -> dict[int, tuple[str, ...]]:
    """The names of the players by team number, in seat order; none if the only player is the team itself.

    They are read as values: a list of teams needs no objects for its players. Officials read `whole` names.
    """
    players = Player.objects.filter(team__event=event).order_by("team__number", "position", "id")
    facts = players.values_list("team__number", "name", "entered", "key", "team__key")
    names = {}
    for number, rows in groupby(facts, key=itemgetter(0)):
        seated = list(rows)
        is_team_itself = len(seated) == 1 and seated[0][3] == seated[0][4]
        shown = [entered if whole and entered else name for _, name, entered, _, _ in seated]
        names[number] = () if is_team_itself else tuple(shown)
    return names


def team_facts(event: Event, number: int, table: Standings, places: FinalPlaces, seen: Visibility) -> TeamFacts | None:
    """One team for those who may see this much; None if nobody has the number. All are read at once.

    `table` and `places` are what the same readers see.
    """
    return once_a_version(event, "teams", seen, lambda: _all_facts(event, table, places, seen)).get(number)


def _all_facts(event: Event, table: Standings, places: FinalPlaces, seen: Visibility) -> dict[int, TeamFacts]:
    """Every team with all its rounds, played and to come: a constant number of queries."""
    lines = table.index_lines() if table.books.counted else {}
    final, marks = places.index_lines(), table.books.marks
    games = played_by_team(with_holds(event, all_rounds(event, seen, tuple(table.books.names.items()))))
    substitutes = Prefetch("substitutions", Substitution.objects.select_related("approved_by"))
    unread = Prefetch("notices", Notice.objects.filter(seen_at=None), to_attr="unread")
    teams = event.teams.prefetch_related("players", substitutes, unread)
    names, due = names_of(teams), _due(event)
    for team in teams:
        for notice in team.unread:
            notice.facts = names.within(notice.facts)
    return {
        team.number: TeamFacts(
            team=team,
            games=tuple(_worth(game, marks.get(team.number, ())) for game in games[team.number]),
            line=lines.get(team.number),
            standings=table.title,
            place=final.get(team.number),
            bostons=table.bostons,
            substitutes=substitutes_shown(team),
            due=due.get(team.number),
        )
        for team in teams
    }


def _due(event: Event) -> dict[int, Due]:
    """The next match of each team in a bracket whose losers play on; in a single one its round says enough."""
    words = words_by_match(event) if event.stage == "playoffs" else {}
    drawn = bracket(event, full_standings(event)) if words else None
    if drawn is None:
        return {}
    due = {}
    for number, match in due_by_team(drawn).items():
        opponent = next(side for side in match.sides if side.number != number)
        due[number] = Due(words.get(match.key, NOTHING_TO_SAY), opponent)
    return due


def _worth(game: Played, marks: Sequence[Mark]) -> Played:
    """A bye with the points that it brings; a game as it is."""
    if game.table is not None or game.round.stage != "qualifying":
        return game
    points = next((mark.points for mark in marks if mark.round == game.round.number), None)
    return replace(game, seat=replace(game.seat, points=points))


def row_of(team: Team) -> RosterRow:
    """A team as it was entered, for officials; somebody who plays alone has no separate player row."""
    rows = team.named if ruleset_of(team.event).singles else team.players.all()
    return RosterRow(
        number=team.number,
        name=team.full_name,
        players=tuple(player.full_name for player in rows),
        shown_as=team.shown_as,
        home=team.home,
        hides=bool(team.entered),
        **plain_facts_of(team),
        **marks_of(team),
    )
