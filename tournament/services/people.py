"""The people of the club: linked when a team is entered, shown as they wish, merged, separated, deleted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tournament.access import Actor, hidden_words, may, tells
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Membership, Person, Player, Registration, Round, Substitution, Team
from tournament.queries.people import (
    NAMED,
    matches,
    nobodys_rows,
    offered_for,
    persons_by_row,
    shown_rows,
    together,
)
from tournament.services.transactions import (
    announce,
    in_line,
    look_again,
    note_site,
    raise_events,
    raise_seasons,
    writing,
)
from tournament.words.phrases import A_PLAYER, NAMES_SHOWN
from tournament.words.texts import Refused, clean_name, name_key, near_key

# Who a player is. Players of a rehearsal are never linked to people of the club.


def link(event: Event, players: Sequence[Player]) -> None:
    """Link players to people as far as that is certain; new names become new persons. The rows are not saved.

    Only acts of officials call this. A player stays unlinked until somebody says who it is if several people have the
    name, if the person plays for another team, or if the name is close to another person's.
    """
    if event.is_rehearsal:
        return
    unknown = [player for player in players if player.person_id is None]
    nears = {near_key(player.full_name) for player in unknown}
    # None of these people is merged or deleted between the read and the write.
    list(Person.objects.select_for_update(no_key=True).filter(near__in=nears).order_by("pk"))
    new = []
    for match in matches(event, unknown):
        player = match.player
        if not match.is_certain:
            continue
        if match.candidates:
            player.person = match.candidates[0]
        else:
            player.person = new_person(player)
            new.append(player.person)
    Person.objects.bulk_create(new)
    for player in players:
        # A new person's key is known only now.
        player.person = player.person


def new_person(player: Player) -> Person:
    """An unsaved person with a player's name."""
    return Person(name=player.full_name, key=player.key, near=near_key(player.full_name))


def link_teams(event: Event, teams: Iterable[int]) -> None:
    """Link the players of these teams to people, because officials now work with them."""
    players = list(Player.objects.filter(team__in=list(teams), person=None).order_by("team__number", "position"))
    link(event, players)
    linked = [player for player in players if player.person_id]
    if not linked:
        return
    Player.objects.bulk_update(linked, ["person"])
    show_names(event, {player.team_id for player in linked if player.team_id})


def show_names(event: Event, teams: Iterable[int] | None = None) -> None:
    """Rewrite the public names of all teams or some, in rows and in notes of the draw."""
    read = event.teams.prefetch_related(*NAMED)
    _write_names(read if teams is None else read.filter(pk__in=teams))


def _write_names(teams: Iterable[Team]) -> None:
    """Do the same for teams that were read with `NAMED` and their events."""
    changed: dict[type, list[Any]] = {Team: [], Player: [], Substitution: []}
    names: dict[int, dict[str, str]] = defaultdict(dict)
    for row, name in shown_rows(teams):
        if row.name == name:
            continue
        if isinstance(row, Team):
            names[row.event_id] |= {row.name: name, row.full_name: name}
        full = row.full_name
        if isinstance(row, Substitution):
            row.shown = "" if name == full else name
        else:
            row.name, row.entered = name, "" if name == full else full
        changed[type(row)].append(row)
    Team.objects.bulk_update(changed[Team], ["name", "entered"])
    Player.objects.bulk_update(changed[Player], ["name", "entered"])
    for row in changed[Substitution]:
        Substitution._base_manager.filter(pk=row.pk).update(shown=row.shown)
    for round_ in Round.objects.filter(event__in=names) if names else ():
        now = names[round_.event_id]
        notes = [note | {"teams": [now.get(team, team) for team in note.get("teams", ())]} for note in round_.notes]
        if notes != round_.notes:
            round_.notes = notes
            round_.save(update_fields=["notes"])


def renew(event: Event) -> None:
    """Do the same as an act of its own: published pages are rebuilt, and open tables read the names again."""
    with writing(event) as locked:
        show_names(locked)
        look_again(locked)


def _renew_all(people: Iterable[Person]) -> None:
    """Show these people again in their events, and in seasons of which they are members without having played."""
    people = list(people)
    _renew_events(_events_of(people), Membership.objects.filter(person__in=people).values_list("season", flat=True))


def _renew_events(pks: Collection[int], seasons: Iterable[int]) -> None:
    """Do what `renew` does in several events at once, and let these seasons read the names again, too."""
    events = {event.pk: event for event in Event.objects.select_for_update().filter(pk__in=pks).order_by("pk")}
    teams = list(Team.objects.filter(event__in=events).prefetch_related(*NAMED))
    for team in teams:
        team.event = events[team.event_id]
    _write_names(teams)
    look_again(*events.values())
    raise_events(events)
    raise_seasons(*seasons, *{event.season_id for event in events.values() if event.stage == "over"})


def _events_of(people: Iterable[Person]) -> list[int]:
    """The events in which one of these people plays, or a player who may be one of them and is linked to nobody."""
    people = list(people)
    of = Q(players__person__in=people) | Q(substitutions__person__in=people)
    events = set(Team.objects.filter(of).values_list("event", flat=True))
    nears = {near_key(person.name) for person in people if person.name}
    players = Player.objects.filter(person=None, team__isnull=False)
    for name, entered, event in players.values_list("name", "entered", "team__event"):
        if near_key(entered or name) in nears:
            events.add(event)
    for into, event in Substitution.objects.filter(person=None).values_list("into", "team__event"):
        if near_key(into) in nears:
            events.add(event)
    return sorted(events)


def _locked(*people: Person) -> list[Person]:
    """Lock these people and those merged into them, their events first, in the same order as when teams are entered."""
    among = Person.objects.filter(Q(pk__in=[each.pk for each in people]) | Q(merged_into__in=people))
    list(Event.objects.select_for_update().filter(pk__in=_events_of(among)).order_by("pk"))
    locked = {each.pk: each for each in among.select_for_update(no_key=True).order_by("pk")}
    return [locked[each.pk] for each in people]


def lock_people(people: Iterable[Person]) -> None:
    """Lock people with all their events, for an act that goes on to lock one of these events."""
    _locked(*people)


# At the desk of an event.


def find_people(actor: Actor, event: Event) -> int:
    """Link the unlinked players of an event, as far as it is certain who they are. Returns how many."""
    with writing(event) as event:
        players = list(Player.objects.filter(team__event=event, person=None).order_by("team__number", "position"))
        link_teams(event, {player.team_id for player in players if player.team_id})
        still = Player.objects.filter(team__event=event, person=None).count()
        look_again(event)
        count = len(players) - still
        announce(actor, event, "people", "teams", count, "found", {"count": count})
    return count


def row_in(event: Event, pk: int) -> Player:
    """A player of an event by key, in a team or an entry. Raises Conflict if the player is gone."""
    rows = Player.objects.select_related("team", "entry", "person", "instead_of__merged_into")
    player = rows.filter(Q(team__event=event) | Q(entry__event=event), pk=pk).first()
    if player is None or event.is_rehearsal:
        raise Conflict("This team has changed. Load the page again.")
    return player


def choose_person(actor: Actor, event: Event, pk: int, person: int | None) -> Player:
    """Link a player to a person of the club by key, or to a new person.

    Only owners choose among all people; others choose among those whose name matches. Raises Conflict,
    PermissionDenied, ValidationFailed.
    """
    with writing(event) as event:
        player = row_in(event, pk)
        is_offered = person is None or person in {one.pk for one in offered_for(player)}
        if not is_offered and not may(actor, "manage-people"):
            raise PermissionDenied("This person has a different name.")
        player.person = _new_for(player) if person is None else _chosen(event, player, person)
        player.instead_of = None
        player.save(update_fields=["person", "instead_of"])
        _look_at(event, player)
        about = player.team or player.entry
        facts = {"team": str(about), "player": player.full_name}
        number = player.team.number if player.team else 0
        announce(actor, event, "people", "team", number, "known" if person else "new", facts)
    return player


def _new_for(player: Player) -> Person:
    person = new_person(player)
    person.save()
    return person


def _chosen(event: Event, player: Player, pk: int) -> Person:
    existing = Person.objects.select_for_update(no_key=True).filter(pk=pk, deleted_at=None, merged_into=None).first()
    if existing is None:
        raise ValidationFailed([Fault("person", "This person has been deleted or merged. Choose again.")])
    if any(meant == existing.pk and row != player.pk for row, meant in persons_by_row(event)):
        raise ValidationFailed([Fault("person", f"{existing} plays for another team in this event.")])
    return existing


def _look_at(event: Event, player: Player) -> None:
    """Show a player's name again, and have tablets at open tables read it."""
    if player.team_id is not None:
        show_names(event, [player.team_id])
        look_again(event, sides__team=player.team_id)


def set_row_wish(actor: Actor, event: Event, pk: int, show: str) -> Player:
    """Set how a player's name is shown in this event only. Raises Conflict, ValidationFailed."""
    _check_wish(show)
    with writing(event) as event:
        player = row_in(event, pk)
        player.show = show
        player.save(update_fields=["show"])
        _look_at(event, player)
        facts = {"player": player.full_name, "show": show}
        announce(actor, event, "people", "person", player.pk, "row-wish", facts)
    return player


def _check_wish(show: str) -> None:
    if show not in NAMES_SHOWN:
        raise ValidationFailed([Fault("show", "Full name, first name and initial, or no name?")])


def set_wish(actor: Actor, event: Event | None, person: Person, show: str) -> None:
    """Set how a person is shown in every event; said at the desk of an event, or by an owner outside any event."""
    _check_wish(show)
    with in_line(), transaction.atomic():
        [person] = _locked(person)
        people = [person, *person.merged.all()]
        Person.objects.filter(pk__in=[each.pk for each in people]).update(show=show)
        _renew_all(people)
        if event is None:
            note_site(actor, "change", f"Person {person.pk}")
            return
        with writing(event):
            announce(actor, event, "people", "person", person.pk, "wish", {"player": str(person), "show": show})


def keep_wish(actor: Actor, event: Event, pk: int) -> Player:
    """Make a player's wish for this event the person's wish for every event. Raises Conflict."""
    player = row_in(event, pk)
    if player.person is None:
        raise Conflict("First say who this is.")
    set_wish(actor, event, player.person.merged_into or player.person, player.show)
    return player


# The people of the whole site, for owners.


def rename_person(actor: Actor, person: Person, name: str) -> Person:
    """Change a person's spelling, and that of every linked row that was spelled the old way.

    A row stays as it is if a team of that event has the new name already. Raises Conflict, ValidationFailed.
    """
    with in_line(), transaction.atomic():
        [person] = _locked(person)
        if person.deleted_at or person.merged_into_id:
            raise Conflict("This person has been merged or deleted. Load the page again.")
        try:
            clean = clean_name(name)
        except Refused as refusal:
            raise ValidationFailed([Fault("name", str(refusal))]) from refusal
        before = person.key
        person.name, person.key, person.near = clean, name_key(clean), near_key(clean)
        person.save(update_fields=["name", "key", "near"])
        people = [person, *person.merged.all()]
        for player in Player.objects.filter(person__in=people, key=before).select_related("team", "entry"):
            _rename_row(player, person)
        note_site(actor, "change", f"Person {person.pk}")
        _renew_all(people)
    return person


def _rename_row(player: Player, person: Person) -> None:
    """Write the person's name into a row, and into a team and an entry that are named after this player alone."""
    team = player.team
    if team is not None and team.key == player.key:
        if team.event.teams.filter(key=person.key).exclude(pk=team.pk).exists():
            return
        team.name, team.entered, team.key = person.name, "", person.key
        team.save(update_fields=["name", "entered", "key"])
    entry = player.entry
    if entry is not None and entry.key == player.key:
        entry.name, entry.key = person.name, person.key
        entry.save(update_fields=["name", "key"])
    player.name, player.entered, player.key = person.name, "", person.key
    player.save(update_fields=["name", "entered", "key"])


def merge_persons(actor: Actor, person: Person, into: Person) -> None:
    """Merge two persons. Only the shown names are rewritten. Raises Conflict if they cannot be merged."""
    with in_line(), transaction.atomic():
        person, into = _locked(person, into)
        if why := why_not_merged(person, into):
            raise Conflict(why)
        person.merged_into = into
        person.save(update_fields=["merged_into"])
        note_site(actor, "merge", f"Person {person.pk} into person {into.pk}")
        _renew_all([person, into])


def why_not_merged(person: Person, into: Person) -> str:
    """Why these two cannot be one person; empty if they can."""
    if person.pk == into.pk:
        return "Choose another person."
    if any(each.deleted_at or each.merged_into_id for each in (person, into)):
        return "One of them has been merged or deleted. Load the page again."
    if person.merged.exists():
        return f"Others are merged into {person}. Undo that first, or merge {into} into {person}."
    if round_ := next(iter(together(person, into)), None):
        return f"Both played in {round_}, {round_.event}, and nobody plays there twice: these are two people."
    return ""


def part_person(actor: Actor, person: Person) -> None:
    """Undo a merge."""
    with in_line(), transaction.atomic():
        [person] = _locked(person)
        into, person.merged_into = person.merged_into, None
        if into is None:
            raise Conflict("This person isn’t merged with anyone.")
        person.save(update_fields=["merged_into"])
        note_site(actor, "part", f"Person {person.pk} from person {into.pk}")
        _renew_all([person, into])


def delete_person(actor: Actor, person: Person, rows: Collection[int] = ()) -> None:
    """Remove a person's name from every list, also for officials; results show “a player”. This cannot be undone.

    It covers rows linked to this person, and the unlinked rows of the same name whose keys are in `rows`. Raises
    Conflict if one of these has been linked to somebody since.
    """
    with in_line(), transaction.atomic():
        [person] = _locked(person)
        people = [person, *person.merged.all()]
        if person.deleted_at or person.merged_into_id:
            raise Conflict("This person has been merged or deleted. Load the page again.")
        chosen = list(nobodys_rows(people).filter(pk__in=rows))
        if len(chosen) < len(set(rows)):
            raise Conflict("Somebody else has just said who these players are. Load the page again.")
        events = _events_of(people)
        own = Player.objects.filter(person__in=people).select_related("team", "entry").prefetch_related("team__players")
        for player in [*own, *chosen]:
            player.person = player.person or person
            _take_name(player)
        Person.objects.filter(pk__in=[each.pk for each in people]).update(
            name="", key="", near="", deleted_at=timezone.now()
        )
        note_site(actor, "forget", f"Person {person.pk}")
        _renew_events(events, Membership.objects.filter(person__in=people).values_list("season", flat=True))


def _take_name(player: Player) -> None:
    """Remove name, contact, and wish from a player's row, and from what its team and entry are called after it."""
    hidden = hidden_words(player.full_name, "hidden")
    if player.team is not None:
        _take_from_team(player, player.team, hidden)
    if player.entry is not None:
        _take_from_entry(player, player.entry, hidden)
    player.name, player.entered, player.key = A_PLAYER, "", f"{A_PLAYER} {player.pk}"
    player.contact, player.note, player.show = "", "", "full"
    player.save()


def _take_from_team(player: Player, team: Team, hidden: Sequence[str]) -> None:
    """If the team's name gives it away, the team is called by its number from now on."""
    is_single = not team.named
    if is_single or tells(team.full_name, hidden):
        team.name, team.entered = f"{'Player' if is_single else 'Team'} {team.number}", ""
        # This key shows that the player is the whole team; no other team has a key like it.
        team.key = f"{A_PLAYER} {player.pk}" if is_single else f"team {team.number} {player.pk}"
    if tells(team.shown_as, hidden):
        team.shown_as = ""
    team.save(update_fields=["name", "entered", "key", "shown_as"])


def _take_from_entry(player: Player, entry: Registration, hidden: Sequence[str]) -> None:
    is_alone = entry.key == player.key
    if is_alone or tells(entry.name, hidden):
        entry.name = A_PLAYER if is_alone else f"Entry {entry.position}"
        entry.key = f"{A_PLAYER} e{entry.pk}"
        entry.save(update_fields=["name", "key"])
