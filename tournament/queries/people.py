"""Names as everybody reads them, for rows and for copied texts; and which of the club's people a player is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from tournament.access import NOBODY, Names, is_hidden, names_of, show_of, shown_name, shown_names, strictest
from tournament.models import Event, Game, Journal, Notice, Person, Player, Round, Side, Substitution, Team
from tournament.queries.lineups import was_there, who_sat
from tournament.queries.rules import visibility
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.wording import Written
from tournament.words.phrases import A_PLAYER, OPEN_ENTRIES
from tournament.words.texts import by_alphabet, is_placeholder, near_key

# How the rows of an event are shown.

NAMED = (
    Prefetch("players", Player.objects.select_related("person__merged_into")),
    Prefetch("substitutions", Substitution.objects.select_related("person__merged_into")),
)


def strict_names() -> dict[str, str]:
    """The strictest wish among living people of a name, by near key, for every name with a wish other than full."""
    strict: dict[str, str] = {}
    wishes = living(Person.objects.filter(~Q(show="full") | ~Q(merged_into__show="full")))
    for near, show, merged in wishes.values_list("near", "show", "merged_into__show"):
        strict[near] = strictest([strict.get(near, "full"), show, merged or "full"])
    return strict


def shown_rows(teams: Iterable[Team]) -> Iterator[tuple[Team | Player | Substitution, str]]:
    """The rows of teams that were read with `NAMED` and their events, each with its public name."""
    strict = strict_names()
    for team in teams:
        event = team.event
        name, names = shown_names(event, team, strict)
        yield team, name
        yield from zip(team.players.all(), names, strict=True)
        for row in team.substitutions.all():
            deleted = row.person is not None and row.person.deleted_at is not None
            yield row, A_PLAYER if deleted else shown_name(row.into, show_of(event, row, strict), row.position + 1)


# Texts that were copied into notices, corrections, and signatures. Officials read them as they were written.


def names_in(event: Event) -> Names:
    """All names of an event, read as plain values: hundreds of players are searched for one sentence."""
    labels, rows = dict[int, str](), defaultdict[int, list[tuple[str, str]]](list)
    for number, name, entered in event.teams.order_by("number").values_list("number", "name", "entered"):
        labels[number] = f"{number} {name}"
        rows[number].append((name, entered or name))
    players = Player.objects.filter(team__event=event).order_by("position", "id")
    for number, name, entered in players.values_list("team__number", "name", "entered"):
        rows[number].append((name, entered or name))
    substitutes = Substitution.objects.filter(team__event=event)
    for number, shown, into in substitutes.values_list("team__number", "shown", "into"):
        rows[number].append((shown or into, into))
    return Names(labels, chain.from_iterable(rows.values()))


def unread_notices(teams: Iterable[int]) -> list[Notice]:
    """The notices that these teams have not read yet, oldest first, with public names."""
    notices = list(Notice.objects.filter(team__in=list(teams), seen_at=None).select_related("team__event"))
    if notices:
        names = names_in(notices[0].team.event)
        for notice in notices:
            notice.facts = names.within(notice.facts)
    return notices


def corrections_of(event: Event) -> list[Journal]:
    """Every correction of a final game with public names, newest first; `key` is that of the game."""
    acts = Journal.objects.filter(event=event, action="correct-final", noun="game").select_related("user", "device")
    games = [act for act in acts if act.key.isdecimal()]
    if games:
        names = names_in(event)
        for act in games:
            act.facts = names.within(act.facts)
    return games


def substitutes_shown(team: Team) -> tuple[str, ...]:
    """Every substitution of a team that was read with all its rows, as a sentence with public names."""
    names = names_of([team])
    return tuple(row.worded(row.name, names.of(row.out)) for row in team.substitutions.all())


def together(first: Person, other: Person) -> list[Round]:
    """The rounds in which both sat, as two different people."""
    rounds = _sat(first)
    return [rounds[pk] for pk in sorted(rounds.keys() & _sat(other).keys())]


def _sat(person: Person) -> dict[int, Round]:
    people = {person.pk, *person.merged.values_list("pk", flat=True)}
    plays = Q(players__person__in=people) | Q(substitutions__person__in=people)
    teams = Team.objects.filter(plays).distinct().prefetch_related("players", "substitutions")
    rounds = {}
    for side in Side.objects.filter(team__in=teams).select_related("round__event"):
        team = next(team for team in teams if team.pk == side.team_id)
        if any(row.person_id in people for row in who_sat(side.round.event, team, side.round.number)):
            rounds[side.round_id] = side.round
    return rounds


# Who a player is: the one person of that name who plays for no other team of the event; somebody new; or a question.
# This offers a choice to officials. Searching for a name changes nothing.


@dataclass(frozen=True, slots=True)
class Match:
    """A player with the persons it may be. No person means somebody new, one a known person; several are asked about.

    `busy` means that one of them plays elsewhere in this event, `near` that their name is only similar.
    """

    player: Player
    candidates: tuple[Person, ...]
    busy: bool = False
    near: bool = False

    @property
    def is_certain(self) -> bool:
        return len(self.candidates) < 2 and not self.busy and not self.near


def matches(event: Event, players: Sequence[Player]) -> list[Match]:
    """The persons each of these unlinked players may be: a few queries for any number of them."""
    named = [player for player in players if not is_placeholder(player.full_name)]
    around = people_near(named)
    taken = {person for _, person in persons_by_row(event)}
    result, seen = [], set[str]()
    for player in named:
        near = around[near_key(player.full_name)]
        same = [person for person in near if person.key == player.key]
        candidates = _each_once(same or near)
        if player.instead_of is not None:
            candidates = _each_once([player.instead_of, *candidates])
        free = [person for person in candidates if person.pk not in taken]
        is_busy = player.key in seen or len(free) < len(candidates)
        is_asked = player.instead_of is not None or bool(candidates and not same)
        result.append(Match(player, candidates, busy=is_busy, near=is_asked))
        seen.add(player.key)
        if same and len(free) == 1:
            taken.add(free[0].pk)
    return result


def people_near(players: Iterable[Player]) -> dict[str, list[Person]]:
    """The people who are not deleted with the names of these players or similar ones, by near key: one query."""
    people: dict[str, list[Person]] = defaultdict(list)
    nears = {near_key(player.full_name) for player in players}
    for person in by_name(living(Person.objects.all()).filter(near__in=nears).select_related("merged_into")):
        people[person.near].append(person)
    return people


def by_name(people: Iterable[Person]) -> list[Person]:
    """People as in a phone book, those with the same name by number: the same order on every database."""
    return sorted(people, key=lambda person: (by_alphabet(person.name), person.pk))


def _each_once(people: Iterable[Person]) -> tuple[Person, ...]:
    """These people, with merged ones replaced by the person they were merged into."""
    return tuple({person.pk: person for person in map(as_merged, people)}.values())


def offered_for(player: Player) -> tuple[Person, ...]:
    """The persons a player can be linked to: those with the same or a similar name, and who sat there before."""
    before = [player.instead_of] if player.instead_of is not None else []
    return _each_once([*before, *people_near([player])[near_key(player.full_name)]])


def as_merged(person: Person) -> Person:
    """The person, or the one it was merged into."""
    return person.merged_into or person


def persons_by_row(event: Event) -> set[tuple[int, int]]:
    """The players of an event, by key, with their persons: in teams, and in entries that have no team yet."""
    waits = Q(team=None, entry__event=event, entry__state__in=[*OPEN_ENTRIES, "joined"])
    rows = Player.objects.filter(Q(team__event=event) | waits, person__isnull=False)
    return {(row, merged or pk) for row, pk, merged in rows.values_list("pk", "person", "person__merged_into")}


def nobodys_rows(people: Iterable[Person]) -> QuerySet[Player]:
    """The unlinked players with the name of one of these people: offered, never linked automatically."""
    keys = [person.key for person in people if person.key]
    rows = Player.objects.filter(person=None, key__in=keys).exclude(team__event__slug__startswith=Event.REHEARSAL)
    return rows.select_related("team__event", "entry__event")


def living(people: QuerySet[Person]) -> QuerySet[Person]:
    return people.filter(deleted_at=None)


# The people page of an event, and that of the club.


@dataclass(frozen=True, slots=True)
class Who:
    """A player of an event with the person, merged ones replaced, and the number of other events that person plays in.

    `match` is who an unlinked player may be; `offered` are others who may be meant. `may_wish` says whether the actor
    may set how the person is shown everywhere.
    """

    player: Player
    person: Person | None
    others: int
    match: Match | None
    offered: tuple[Person, ...]
    may_wish: bool

    @property
    def can_change(self) -> bool:
        """Whether the actor can say that this is somebody other than the named person."""
        return self.match is not None or (self.person is not None and self.person.deleted_at is None)

    @property
    def keeps_wish(self) -> bool:
        """Whether the wish for this event differs from the person's, and can be kept for it."""
        return self.may_wish and self.person is not None and self.player.show != self.person.show


def people_in(event: Event, directed: Collection[int] | None = ()) -> list[Who]:
    """Who everybody is, in the order of the teams, with waiting players last: a constant number of queries.

    `directed` are the events that the actor directs; None means all.
    """
    waits = Q(team=None, entry__event=event, entry__state__in=["waiting", "single", "joined"])
    rows = Player.objects.filter(Q(team__event=event) | waits)
    rows = rows.select_related("team", "entry__wants", "person__merged_into", "instead_of__merged_into")
    players = sorted(rows, key=_seat_or_line)
    unknown = {
        match.player.pk: match for match in matches(event, [player for player in players if player.person is None])
    }
    events, around = events_by_person(), people_near(players)
    who = []
    for player in players:
        person = as_merged(player.person) if player.person else None
        played = events[person.pk] if person else set[int]()
        near = _each_once(around[near_key(player.full_name)])
        offered = tuple(one for one in near if one != person)
        may_wish = person is not None and (directed is None or played <= {*directed})
        who.append(Who(player, person, len(played - {event.pk}), unknown.get(player.pk), offered, may_wish))
    return who


def _seat_or_line(player: Player) -> tuple[int, ...]:
    """Order by team and seat, then by place in line.

    A player who joined somebody waits next to them, at the place of both.

    The database cannot order this: a player in a team has an entry or none, and each database sorts missing values
    differently.
    """
    if player.team is not None:
        return 0, player.team.number, player.position, player.pk
    assert player.entry is not None
    entry = player.entry
    line = entry.wants if entry.state == "joined" and entry.wants else entry
    return 1, line.position, entry.position, player.position, player.pk


def may_wish_for(person: Person, directed: Collection[int] | None) -> bool:
    """Whether a director of these events (None: all) may set how a person is shown: they are all it plays in."""
    if directed is None:
        return True
    people = [person.pk, *person.merged.values_list("pk", flat=True)]
    played = {event for events in events_by_person(person__in=people).values() for event in events}
    return played <= {*directed}


def events_by_person(**which: Any) -> dict[int, set[int]]:
    """The events (all, or of `which` teams) in which each person plays, including rows of persons merged into it."""
    events: dict[int, set[int]] = defaultdict(set)
    for rows in (Player.objects, Substitution.objects):
        linked = rows.filter(person__isnull=False, team__isnull=False, **which).values_list(
            "person", "person__merged_into", "team__event"
        )
        for person, merged, event in linked.distinct():
            events[merged or person].add(event)
    return events


def persons_by_team(event: Event) -> dict[Team, list[int]]:
    """The persons who play for each team, with merged ones replaced, substitutes last."""
    seats: dict[Team, list[int]] = defaultdict(list)
    players = Player.objects.order_by("team__number", "position")
    for rows in (players, Substitution.objects.order_by("team__number", "pk")):
        for row in rows.filter(team__event=event, person__isnull=False).select_related("team", "person"):
            person = row.person and (row.person.merged_into_id or row.person.pk)
            if row.team is not None and person and person not in seats[row.team]:
                seats[row.team].append(person)
    return seats


def everybody() -> list[tuple[Person, int]]:
    """The people of the club by name, each with the number of events."""
    events = events_by_person()
    people = living(Person.objects.filter(merged_into=None)).prefetch_related("merged")
    return [(person, len(events[person.pk])) for person in by_name(people)]


def both_played(first: Person, other: Person) -> list[Event]:
    """The events that both play in: two people there, or one who was entered twice."""
    events = events_by_person()
    return list(Event.objects.filter(pk__in=events[first.pk] & events[other.pk]))


# A person's own page: what everybody may see of that person.


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """`events` are those that show the name as openly as the page's title, each with the team, newest first.

    Games and hands are those of final games with visible results; `against` has games won and lost.
    """

    title: str
    events: tuple[Team, ...]
    games: Counter[str]
    partners: Counter[tuple[str, int]]
    against: dict[tuple[str, int], Counter[str]]


def person_title(person: Person) -> str:
    """The name as the person wishes it to be shown; empty if it is hidden or deleted."""
    show = strictest([person.show, *(other.show for other in person.merged.all())])
    return "" if show == "hidden" or person.deleted_at else shown_name(person.name, show, 0)


def person_state(pk: int) -> tuple[object, ...]:
    """What decides the public page of a person: the person, and the states of all its events and seasons."""
    rows = Person.objects.filter(Q(pk=pk) | Q(merged_into=pk)).order_by("pk")
    people = tuple(rows.values_list("pk", "name", "show", "merged_into", "deleted_at"))
    keys = [person[0] for person in people]
    played = Team.objects.filter(Q(players__person__in=keys) | Q(substitutions__person__in=keys))
    events = Event.objects.filter(teams__in=played).distinct().order_by("pk")
    return people, tuple(events.values_list("pk", "epoch", "public_version", "season__version"))


def person_facts(person: Person, title: str) -> PersonFacts:
    """Every final game is scored for it; the finished page is cached for everybody."""
    people = frozenset({person.pk, *(other.pk for other in person.merged.all())})
    rows = Player.objects.filter(person__in=people, name=title, team__isnull=False).select_related("team__event")
    seats = [row.team for row in rows.order_by("-team__event__date", "-team__event_id") if row.team is not None]
    teams = [team for team in seats if not is_hidden(team.event)]
    facts = PersonFacts(title, tuple(teams), Counter(), Counter(), defaultdict(Counter))
    events = {team.event_id: team.event for team in teams}
    seen = {pk: visibility(event, NOBODY) for pk, event in events.items()}
    for game in sheet_games().filter(sides__team__in=teams, state="final").distinct():
        if seen[game.round.event_id].shows(game.round.stage, game.round.state):
            _count(facts, game, people)
    return facts


def _count(facts: PersonFacts, game: Game, people: Collection[int]) -> None:
    """Count a game if the person, known by these keys, sat in it."""
    sheet = game_sheet(game)
    seats = _seats(game, sheet)
    own = _own_side(seats, people)
    if own is None:
        return
    how = ""
    if sheet.winner is not None:
        how = "won" if sheet.winner == own else "lost"
    facts.games.update({how: 1, "bostons": sheet.bostons[own]})
    for row in sheet.rows:
        if row.kind == "hand":
            facts.games[_outcome_for(own, row.written)] += 1
    for side, players in seats.items():
        for player in players:
            _, person = player
            if side != own:
                facts.against[player][how] += 1
            elif person not in people:
                facts.partners[player] += 1


def _seats(game: Game, sheet: GameSheet) -> dict[int, list[tuple[str, int]]]:
    """Who sat in a game, by side, without a side that lost by default and never came."""
    how_ended = sheet.scored.verdict.how if sheet.scored.verdict else None
    hands = len(sheet.scored.hands)
    seats = {}
    for side in game.sides.all():
        if was_there(how_ended, hands, won=side.index == sheet.winner):
            seats[side.index] = _linked(who_sat(game.round.event, side.team, game.round.number))
    return seats


def _own_side(seats: Mapping[int, Sequence[tuple[str, int]]], people: Collection[int]) -> int | None:
    for side, players in seats.items():
        if any(person in people for _, person in players):
            return side
    return None


def _outcome_for(side: int, hand: Written) -> str:
    """The outcome of a hand for a side; empty if the other side won the bid."""
    if hand.who is None:
        return hand.words[side] if hand.words else ""
    return hand.outcome if hand.who == side else ""


def _linked(rows: Iterable[Player | Substitution]) -> list[tuple[str, int]]:
    """Players in the game who may be known by name: the public name, and the person."""
    return [(row.name, row.person_id) for row in rows if row.person_id and not is_placeholder(row.name)]
