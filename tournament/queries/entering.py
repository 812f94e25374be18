"""Players who enter themselves: what the entry page and a private link show, and the desk's list of entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.access import shown_name, strictest
from tournament.models import Event, Registration
from tournament.phrases import A_PLAYER, ENTRY_STATES, day_time, money, one_stop
from tournament.queries.devices import fingerprint
from tournament.queries.roster import players_wanted
from tournament.queries.rules import ruleset_of
from tournament.texts import name_key

# The code on the wall: whoever types it is in the hall. Without letters and digits that look like another one.
LETTERS, LONG = "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 6
# An entry in one of these states has no team yet, and its names are taken all the same.
OPEN = ("asked", "waiting", "single")


def wall_code(event: Event) -> str:
    """The code of an event that hangs on the hall's wall; after a restore it is another one."""
    digest = salted_hmac("uptown.wall", f"{event.pk}/{event.epoch}", algorithm="sha256").digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:LONG])


def is_wall_code(event: Event, typed: str) -> bool:
    return constant_time_compare(typed.strip().upper(), wall_code(event))


def entry_by_link(slug: str, token: str) -> Registration | None:
    """The entry of a private link, which belongs to this event."""
    found = Registration.objects.filter(event__slug=slug, token_hash=fingerprint(token))
    return found.select_related("event", "team", "wants__team").first()


def comes_alone(entry: Registration) -> bool:
    """Whether it is a player who looks for a partner: one name, in a game that is played in teams."""
    alone = len(entry.players) == 1 and name_key(entry.players[0]) == entry.key
    return alone and players_wanted(entry.event) > 1


def may_rename(event: Event, entry: Registration) -> bool:
    """Whether its link changes names: before the draw, and what the desk has accepted is changed by the desk alone."""
    seen = event.entries_wait and entry.state != "asked"
    return event.takes_entries and entry.state in (*OPEN, "in") and not seen and not event.rounds.exists()


def shown_single(entry: Registration) -> str:
    """The name of somebody who looks for a partner, as everybody may read it."""
    show, name = strictest([entry.event.names, entry.show]), str(entry.players[0])
    return A_PLAYER if show == "hidden" else shown_name(name, show, entry.position)


@dataclass(frozen=True, slots=True)
class Single:
    """Somebody who looks for a partner: the place in the list of entries names them."""

    position: int
    name: str
    note: str
    wants: int | None = None


def singles_of(event: Event) -> list[Single]:
    """Who looks for a partner, as everybody may read it; `wants` is the place of the one that was chosen."""
    found = event.registrations.filter(state="single").select_related("wants")
    return [
        Single(one.position, shown_single(one), one.note, one.wants.position if one.wants else None)
        for one in _of(event, found)
    ]


def _of(event: Event, found: QuerySet[Registration]) -> list[Registration]:
    entries = list(found)
    for entry in entries:
        entry.event = event
    return entries


@dataclass(frozen=True, slots=True)
class Door:
    """What everybody reads on the entry page. `left` are the places that are free; None without a limit."""

    event: Event
    cost: str
    when: str
    teams: tuple[str, ...]
    left: int | None
    asked: int
    waiting: int
    singles: Sequence[Single]


def door(event: Event) -> Door:
    """What stands on the entry page, in a constant number of queries; of what waits for the desk only how much."""
    teams = tuple(event.teams.filter(status="playing").values_list("name", flat=True))
    states = [*event.registrations.values_list("state", flat=True)]
    left = max(event.entry_limit - len(teams), 0) if event.entry_limit else None
    singles = singles_of(event)
    return Door(event, _cost(event), _when(event), teams, left, states.count("asked"), states.count("waiting"), singles)


def _cost(event: Event) -> str:
    unit, fee, pot = ruleset_of(event).unit, event.fee_cents, event.pot_cents
    said = f"{money(fee, event.currency)} a {unit}" if fee else "No entry fee"
    return f"{said}, {money(pot, event.currency)} for the Boston pot" if pot else said


def _when(event: Event) -> str:
    """When entries open, until when they are open, or that they are closed."""
    if event.stage == "over":
        return "This event is over."
    if event.entries_are_over or event.entries_from is None:
        return "Entries are closed. Ask the desk whether there is still a place."
    if event.entries_from > timezone.now():
        return one_stop(f"Entries open on {day_time(event.entries_from, event.time_zone)}")
    until = event.entries_until
    return one_stop(f"Open until {day_time(until, event.time_zone)}" if until else "Open until game 1 starts")


def entry_words(entry: Registration) -> str:
    """What became of an entry, as its private link says it."""
    event, state, partner = entry.event, entry.state, entry.wants
    if event.stage == "over":
        return "This event is over."
    if state == "waiting":
        before = event.registrations.filter(state="waiting", position__lt=entry.position).count()
        return f"No. {before + 1} on the waiting list."
    if state == "joined":
        return f"You play in {_team_of(partner)}." if partner else "You play with your partner."
    return {
        "asked": "The desk will look at it.",
        "in": f"You are in as No. {entry.team.number}." if entry.team else "You are in.",
        "single": "You are on the list of players who look for a partner.",
        "withdrawn": "Withdrawn.",
        "refused": "The desk did not accept this entry. Ask the desk if you do not know why.",
    }[state]


def _team_of(partner: Registration) -> str:
    if partner.team is not None:
        return f"{partner.team.full_name}, No. {partner.team.number}"
    return f"{partner.name}: {partner.get_state_display().lower()}"


def entries_of(event: Event) -> dict[str, list[Registration]]:
    """Every entry by its state, in order."""
    found: dict[str, list[Registration]] = {state: [] for state in ENTRY_STATES}
    for entry in _of(event, event.registrations.select_related("team", "wants")):
        found[entry.state].append(entry)
    return found


def kept_waiting(event: Event) -> set[int]:
    """The places of those who cannot move up: a team of the list has their name by now."""
    stuck = event.registrations.filter(state="waiting", team=None, key__in=event.teams.values("key"))
    return set(stuck.values_list("position", flat=True))


def waiting_entries(event: Event) -> int:
    """How many entries wait for the desk; nothing is asked of an event that takes none."""
    return event.registrations.filter(state="asked").count() if event.entries_from else 0
