"""The people of the club: found when a team is entered, shown as they wish, merged, parted, deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tournament.access import Actor, hidden_words, strictest, tells
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Person, Player, Registration, Substitution, Team
from tournament.phrases import A_PLAYER, NAMES_SHOWN
from tournament.queries.people import NAMED, matches, seated_persons, shown_rows, together
from tournament.services.transactions import announce, in_line, look_again, note_site, writing
from tournament.texts import name_key

# Who a player is. Nobody of a rehearsal is anybody of the club.


def link(event: Event, players: Sequence[Player], wishes: Mapping[str, str] | None = None) -> None:
    """Say of players that are not stored yet who they are, as far as that is certain; whoever is new becomes a person.

    `wishes` are how some want to be shown at most, by key: who that is, is not left open, or the wish would be lost.
    An earlier and stricter wish stays, and one that is new holds in every event.
    """
    if event.is_rehearsal:
        return
    wishes, new, stricter = wishes or {}, list[Person](), list[Person]()
    # Nobody of these names is merged or deleted between the look and the write.
    list(Person.objects.select_for_update().filter(key__in=[player.key for player in players]).order_by("pk"))
    for match in matches(event, [player for player in players if player.person_id is None]):
        player = match.player
        if match.is_certain and match.candidates:
            player.person = match.candidates[0]
        elif match.is_certain or wishes.get(player.key, "full") != "full":
            player.person = Person(name=player.full_name, key=player.key)
            new.append(player.person)
    for player in players:
        if player.person is not None:
            show = strictest([player.person.show, wishes.get(player.key, "full")])
            if show != player.person.show:
                player.person.show = show
                stricter.append(player.person)
    Person.objects.bulk_create(new)
    for player in players:
        # The key of who is new is known only now.
        player.person = player.person
    Person.objects.bulk_update(stricter, ["show"])
    if stricter:
        _renew_all(stricter)


def show_names(event: Event, teams: Iterable[int] | None = None) -> None:
    """Write the names as everybody is to read them now, of all teams or of some, in rows and notes of the draw."""
    read = event.teams.prefetch_related(*NAMED)
    rows = shown_rows(event, read if teams is None else read.filter(pk__in=teams))
    changed: dict[type, list[Any]] = {Team: [], Player: [], Substitution: []}
    names: dict[str, str] = {}
    for row, name in rows:
        if row.name == name:
            continue
        if isinstance(row, Team):
            names |= {row.name: name, row.full_name: name}
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
    for round_ in event.rounds.all() if names else ():
        notes = [note | {"teams": [names.get(team, team) for team in note.get("teams", ())]} for note in round_.notes]
        if notes != round_.notes:
            round_.notes = notes
            round_.save(update_fields=["notes"])


def renew(event: Event | int) -> None:
    """The same as an act of its own: what was published before is made new, and open tables read the names again."""
    with writing(event) as locked:
        show_names(locked)
        look_again(locked)


def _renew_all(people: Iterable[Person]) -> None:
    for pk in _events_of(people):
        renew(pk)


def _events_of(people: Iterable[Person]) -> list[int]:
    of = Q(players__person__in=people) | Q(substitutions__person__in=people)
    return sorted(set(Team.objects.filter(of).values_list("event", flat=True)))


def _locked(*people: Person) -> list[Person]:
    """People as they are now, held with whom was merged into them; their events first, as whoever enters teams does."""
    among = Person.objects.filter(Q(pk__in=[each.pk for each in people]) | Q(merged_into__in=people))
    list(Event.objects.select_for_update().filter(pk__in=_events_of(among)).order_by("pk"))
    locked = {each.pk: each for each in among.select_for_update().order_by("pk")}
    return [locked[each.pk] for each in people]


# At the desk of an event.


def find_people(actor: Actor, event: Event) -> int:
    """Link the players of an event who are linked to nobody, as far as it is certain who they are; gives how many."""
    with writing(event) as event:
        players = list(Player.objects.filter(team__event=event, person=None).order_by("team__number", "position"))
        link(event, players)
        linked = [player for player in players if player.person_id]
        Player.objects.bulk_update(linked, ["person"])
        show_names(event)
        look_again(event)
        announce(actor, event, "people", "teams", len(linked), "found", {"count": len(linked)})
    return len(linked)


def choose_person(actor: Actor, event: Event, pk: int, person: int | None) -> Player:
    """Say who a player is: a person of the club by key, or somebody new. Raises Conflict, ValidationFailed."""
    with writing(event) as event:
        player = Player.objects.select_related("team").filter(team__event=event, pk=pk).first()
        if player is None or event.is_rehearsal:
            raise Conflict("This team was changed meanwhile. Load the page again.")
        if person is None:
            chosen = Person.objects.create(name=player.full_name, key=player.key)
        else:
            existing = Person.objects.select_for_update().filter(pk=person, deleted_at=None, merged_into=None).first()
            if existing is None:
                raise ValidationFailed([Fault("person", "This person was deleted or merged meanwhile. Choose again.")])
            if any(pk == existing.pk and team != player.team_id for team, pk in seated_persons(event)):
                raise ValidationFailed([Fault("person", f"{existing} plays for another team of this event.")])
            chosen = existing
        player.person = chosen
        player.save(update_fields=["person"])
        show_names(event, [player.team_id])
        look_again(event, sides__team=player.team_id)
        facts = {"team": str(player.team), "player": player.full_name}
        announce(actor, event, "people", "team", player.team.number, "known" if person else "new", facts)
    return player


def set_wish(actor: Actor, event: Event, person: Person, show: str) -> None:
    """Show a person as the person wishes, wherever it plays."""
    if show not in NAMES_SHOWN:
        raise ValidationFailed([Fault("show", "Full name, first name and initial, or no name?")])
    with in_line(), transaction.atomic():
        [person] = _locked(person)
        people = [person, *person.merged.all()]
        Person.objects.filter(pk__in=[each.pk for each in people]).update(show=show)
        _renew_all(people)
        with writing(event):
            announce(actor, event, "people", "person", person.pk, "wish", {"player": str(person), "show": show})


# The people of the whole site, for owners.


def merge_persons(actor: Actor, person: Person, into: Person) -> None:
    """Two persons are one: nothing is rewritten but how the name is shown. Raises Conflict where that cannot be."""
    with in_line(), transaction.atomic():
        person, into = _locked(person, into)
        if why := why_not_merged(person, into):
            raise Conflict(why)
        person.merged_into = into
        person.save(update_fields=["merged_into"])
        note_site(actor, "merge", f"Person {person.pk} into person {into.pk}")
        _renew_all([person, into])


def why_not_merged(person: Person, into: Person) -> str:
    """Why these two cannot be one person; nothing where they can."""
    if person.pk == into.pk:
        return "Choose another person."
    if any(each.deleted_at or each.merged_into_id for each in (person, into)):
        return "One of them was merged or deleted meanwhile. Load the page again."
    if person.merged.exists():
        return f"Others are merged into {person}. Part them first, or merge {into} into {person}."
    if round_ := next(iter(together(person, into)), None):
        return (
            f"Both played in {round_}, {round_.event}: a person merged there would have played against himself,"
            " so these are two people."
        )
    return ""


def part_person(actor: Actor, person: Person) -> None:
    """Take a merge back."""
    with in_line(), transaction.atomic():
        [person] = _locked(person)
        into, person.merged_into = person.merged_into, None
        if into is None:
            raise Conflict("This person is merged into nobody.")
        person.save(update_fields=["merged_into"])
        note_site(actor, "part", f"Person {person.pk} from person {into.pk}")
        _renew_all([person, into])


def delete_person(actor: Actor, person: Person) -> None:
    """Take a person's name out of every list, for officials too; results show “a player”. Nothing brings it back."""
    with in_line(), transaction.atomic():
        [person] = _locked(person)
        people = [person, *person.merged.all()]
        if person.deleted_at or person.merged_into_id:
            raise Conflict("This person was merged or deleted meanwhile. Load the page again.")
        keys = {each.key for each in people}
        players = list(
            Player.objects.filter(person__in=people).select_related("team").prefetch_related("team__players")
        )
        keys |= {player.key for player in players}
        for player in players:
            _take_name(player)
        for entry in Registration.objects.all():
            if not keys.isdisjoint(map(name_key, (entry.name, *map(str, entry.players)))):
                entry.name, entry.key = A_PLAYER, f"{A_PLAYER} e{entry.pk}"
                entry.players, entry.contact, entry.note = [A_PLAYER for _ in entry.players], "", ""
                entry.save()
        Person.objects.filter(pk__in=[each.pk for each in people]).update(name="", key="", deleted_at=timezone.now())
        note_site(actor, "forget", f"Person {person.pk}")
        _renew_all(people)


def _take_name(player: Player) -> None:
    """A player's rows without the name. Where the team's name tells it, the team is called by its number for good."""
    team, hidden = player.team, hidden_words(player.full_name, "hidden")
    is_single = not team.named
    player.name, player.entered, player.key = A_PLAYER, "", f"{A_PLAYER} {player.pk}"
    if is_single or tells(team.full_name, hidden):
        team.name, team.entered = f"{'Player' if is_single else 'Team'} {team.number}", ""
        # The same key tells that the player is the team; no other team has a key like either.
        team.key = player.key if is_single else f"team {team.number} {player.pk}"
    if tells(team.shown_as, hidden):
        team.shown_as = ""
    player.save(update_fields=["name", "entered", "key"])
    team.save(update_fields=["name", "entered", "key", "shown_as"])
