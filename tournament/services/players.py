"""Players of teams: their rows, seated by the names of a list and taken out again. Each row is written once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from django.db.models import F

from tournament.models import Event, Player, Registration, Team
from tournament.queries.respelt import respelt_in_list
from tournament.queries.roster import RosterRow, marks_of, numbered, plain_facts_of
from tournament.queries.rules import ruleset_of
from tournament.services.people import link, show_names
from tournament.words.texts import is_placeholder, name_key

# More than any team seats: seat numbers beyond it are free for a moment.
MOST_SEATS = 100

# Every way of entering ends here: a form, a list, an entry, the waiting list, a walk-in, pairs by lot, a copy.


def make_teams(
    event: Event, rows: Sequence[RosterRow], there: Sequence[Sequence[Player]] = (), *, officials: bool = True
) -> list[Team]:
    """Create teams from rows.

    Only this sets numbers, players and their persons, shown names, and the game they join in.

    `there` has, for each row, existing players who join the team by name. If a stranger acts, and not one of the
    `officials`, players are not linked to persons.
    """
    rows = numbered(event, rows)
    begun = event.rounds.filter(stage="qualifying").exclude(state="planned").count()
    teams = Team.objects.bulk_create(team_row(event, row, begun + 1) for row in rows)
    write_players(event, teams, rows, there, officials=officials)
    return list(event.teams.filter(pk__in=[team.pk for team in teams]))


def team_row(event: Event, row: RosterRow, joined_in: int) -> Team:
    """An unsaved team of a list, without its players."""
    assert row.number is not None
    return Team(
        event=event,
        number=row.number,
        name=row.name,
        key=name_key(row.name),
        joined_in=joined_in,
        shown_as=row.shown_as,
        home=row.home,
        **plain_facts_of(row),
        **marks_of(row),
    )


def write_players(
    event: Event,
    teams: Sequence[Team],
    rows: Sequence[RosterRow],
    there: Sequence[Sequence[Player]] = (),
    *,
    same: Collection[int] = (),
    officials: bool = True,
) -> None:
    """Seat players in teams by the names of the rows, link them to persons, and show their names as everybody may read.

    `there` has existing players for each team: a player whose name is in the row keeps the row in the database, and so
    does the player of a seat in `same`, under another name. Players left over are taken out. Somebody who plays alone
    is a player, too.
    """
    singles = ruleset_of(event).singles
    own_rows = there or [()] * len(teams)
    seated: list[Player] = []
    for team, row, own in zip(teams, rows, own_rows, strict=True):
        names = row.players or ((row.name,) if singles else ())
        keys = [name_key(name) if row.players else team.key for name in names]
        seats = _seats_of(names, keys, own, same)
        take_out(player for player in own if player not in seats.values())
        for position, (name, key) in enumerate(zip(names, keys, strict=True)):
            player = seats.get(position) or Player()
            _write_name(player, name, key)
            player.team, player.position = team, position
            seated.append(player)
    if officials:
        link(event, seated)
    _store(seated)
    show_names(event, [team.pk for team in teams])


def _seats_of(
    names: Sequence[str], keys: Sequence[str], own: Sequence[Player], same: Collection[int]
) -> dict[int, Player]:
    """Match a team's own players to seats: by name first, then by seats in which only the name changed."""
    free, seats = list(own), dict[int, Player]()
    for position, key in enumerate(keys):
        player = next((player for player in free if key in (player.key, name_key(player.full_name))), None)
        if player is not None:
            seats[position] = player
            free.remove(player)
    for position in same:
        player = next((player for player in free if player.position == position), None)
        if player is not None and position < len(names) and position not in seats:
            seats[position] = player
            free.remove(player)
    return seats


def _write_name(player: Player, name: str, key: str) -> None:
    """Give a player a whole name. The placeholder for a deleted name keeps its key."""
    if player.name and is_placeholder(name):
        return
    player.name, player.entered, player.key = name, "", key


def _store(players: Sequence[Player]) -> None:
    """Save players whose seats may have been exchanged."""
    kept = [player for player in players if not player._state.adding]
    # Two steps, because two players may not share a seat even for a moment.
    Player.objects.filter(pk__in=[player.pk for player in kept]).update(position=F("position") + MOST_SEATS)
    Player.objects.bulk_update(kept, ["team", "position", "name", "entered", "key", "person"], batch_size=400)
    Player.objects.bulk_create(player for player in players if player._state.adding)


def take_out(players: Iterable[Player]) -> None:
    """Take players out of their teams. A single who had joined is back among the singles, at the old place in line."""
    gone = unseat(players)
    if not gone:
        return
    alone = Registration.objects.filter(pk__in=[player.entry_id for player in gone if player.entry_id], state="joined")
    alone.update(state="single", wants=None, team=None)


def unseat(players: Iterable[Player]) -> list[Player]:
    """Detach rows of players who entered by themselves, and delete other rows. Returns those that sat in a team."""
    gone = [player for player in players if not player._state.adding]
    if not gone:
        return []
    Player.objects.filter(pk__in=[player.pk for player in gone], entry=None).delete()
    stay = [player for player in gone if player.entry_id is not None]
    for player in stay:
        player.team, player.name, player.entered = None, player.full_name, ""
    Player.objects.bulk_update(stay, ["team", "name", "entered"], batch_size=400)
    for player in gone:
        # A deleted row may be written again in another team.
        if player.entry_id is None:
            player.pk, player._state.adding = None, True
    return gone


def whose_rows(players: Sequence[Player], rows: Sequence[RosterRow]) -> list[list[Player]]:
    """For each row of a list that is pasted again, the existing players whose names are on it.

    A name that two players had belongs to the team with the same name; otherwise it is matched to nobody.
    """
    by_key: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        for key in {player.key, name_key(player.full_name)}:
            by_key[key].append(player)
    found = []
    for row in rows:
        own = []
        for name in row.players or (row.name,):
            named = by_key[name_key(name)]
            if len(named) > 1:
                named = [player for player in named if player.team and player.team.key == name_key(row.name)]
            if len(named) == 1 and named[0] not in own:
                own.append(named[0])
        found.append(own)
    return found


def asked_about(before: Sequence[Player], rows: Sequence[RosterRow]) -> list[list[Player]]:
    """For each row of a list that is pasted again, unsaved players for new names in occupied seats.

    Nobody has said whether they are the same people.
    """
    found = []
    for row, seats in zip(rows, respelt_in_list(before, rows), strict=True):
        new = []
        for position, player in seats:
            name = row.players[position]
            new.append(Player(name=name, key=name_key(name), instead_of=player.person or player.instead_of))
        found.append(new)
    return found


def copied(player: Player) -> Player:
    """An unsaved row for the same human in another team."""
    return Player(
        name=player.full_name, key=player.key, person=player.person, show=player.show, position=player.position
    )
