"""Players who enter themselves: what the entry page and a private link show, and the desk's list of entries."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.access import shown_name, strictest
from tournament.models import Event, Registration, Team
from tournament.phrases import A_PLAYER, ENTRY_STATES
from tournament.queries.devices import fingerprint
from tournament.queries.roster import players_wanted
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
    entries = Registration.objects.filter(event__slug=slug, token_hash=fingerprint(token))
    return entries.select_related("event", "team", "wants__team").first()


def comes_alone(entry: Registration) -> bool:
    """Whether it is a player who looks for a partner: one name, in a game that is played in teams."""
    is_one = len(entry.players) == 1 and name_key(entry.players[0]) == entry.key
    return is_one and players_wanted(entry.event) > 1


def may_rename(entry: Registration) -> bool:
    """Whether its link changes names: before the draw, and what the desk has accepted is changed by the desk alone."""
    event, is_seen = entry.event, entry.event.entries_wait and entry.state != "asked"
    return event.takes_entries and entry.state in (*OPEN, "in") and not is_seen and not event.rounds.exists()


def shown_single(entry: Registration) -> str:
    """The name of somebody who looks for a partner, as everybody may read it."""
    show, name = strictest([entry.event.names, entry.show]), str(entry.players[0])
    return A_PLAYER if show == "hidden" else shown_name(name, show, entry.position)


def door(event: Event) -> dict[str, Any]:
    """What stands on the entry page; of what waits for the desk only how much. `left` is None without a limit."""
    teams = [*event.teams.filter(status="playing").values_list("name", flat=True)]
    states = Counter(event.registrations.values_list("state", flat=True))
    left = max(event.entry_limit - len(teams), 0) if event.entry_limit else None
    return {"teams": teams, "left": left, "states": states, "singles": singles_of(event)}


def singles_of(event: Event) -> list[Registration]:
    return [*event.registrations.filter(state="single")]


def place_in_line(entry: Registration) -> int:
    """Which one on the waiting list it is."""
    return 1 + entry.event.registrations.filter(state="waiting", position__lt=entry.position).count()


def entries_of(event: Event) -> dict[str, list[Registration]]:
    """Every entry by its state, in order, each with whether a team of the list has its name (`is_taken`)."""
    entries: dict[str, list[Registration]] = {state: [] for state in ENTRY_STATES}
    same = Exists(Team.objects.filter(event=event, key=OuterRef("key")))
    for entry in event.registrations.select_related("team", "wants__team").annotate(is_taken=same):
        entries[entry.state].append(entry)
    return entries


def waiting_entries(event: Event) -> int:
    """How many entries wait for the desk; nothing is asked of an event that takes none."""
    return event.registrations.filter(state="asked").count() if event.entries_from else 0
