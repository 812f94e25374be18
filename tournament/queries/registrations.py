"""Players who enter themselves: what the entry page and a private link show, and the desk's list of entries."""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.signing import BadSignature, Signer
from django.db.models import CharField, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Cast
from django.utils.crypto import constant_time_compare

from tournament.access import show_of, shown_name
from tournament.models import Event, Journal, Player, Registration, Team
from tournament.queries.devices import fingerprint
from tournament.queries.leaving import is_drawn, team_of
from tournament.queries.ledger import accounts_of
from tournament.queries.people import strict_names
from tournament.queries.roster import letters_note, players_wanted
from tournament.queries.rules import ruleset_of
from tournament.words.phrases import A_PLAYER, ENTRY_STATES, OPEN_ENTRIES
from tournament.words.texts import is_placeholder, near_key

# Entries that play or will play: their names are on the list.
ON_LIST = (*OPEN_ENTRIES, "in", "joined", "leaving")
# The most entries that wait from one address; a user with the code on the wall may be in a hall with one address.
MOST_WAITING = 40

# What `services/mail.py` writes in the log about the mail to players who moved up from the waiting list.
MAIL_FAILED, TOLD = "mail-failed", "told"


def is_wall_code(event: Event, typed: str) -> bool:
    """Whether this is the code on the hall's wall, as people type it: in lowercase, with a space."""
    return constant_time_compare(typed.replace(" ", "").upper(), event.wall_code)


# The key of a form is the private link of what it makes, so the same form sent twice leads to one entry.


def new_form_key(event: Event) -> str:
    """A signed key for one form of an event's entry page: nobody can forge one."""
    return _signer(event).sign(secrets.token_urlsafe(24))


def token_of(event: Event, key: str) -> str | None:
    """The token of the private link that this form makes; None if it is not a form of this event."""
    try:
        return _signer(event).unsign(key)
    except BadSignature:
        return None


def _signer(event: Event) -> Signer:
    return Signer(salt=f"uptown.entry/{event.pk}")


def player_by_link(slug: str, token: str) -> Player | None:
    """The player of this event whose private link this is."""
    rows = Player.objects.filter(entry__event__slug=slug, token_hash=fingerprint(token))
    return rows.select_related("entry__event", "entry__team", "entry__wants__team", "team", "person").first()


def entry_of(player: Player) -> Registration:
    """The entry of a player who entered."""
    assert player.entry is not None
    return player.entry


def spoken_for(player: Player) -> list[Player]:
    """The rows that a private link controls: its own, and those of the same entry that have no link themselves."""
    return [row for row in entry_of(player).players.all() if row.pk == player.pk or not row.token_hash]


def comes_alone(entry: Registration) -> bool:
    """Whether this is a player who looks for a partner: one name, in a game that is played in teams."""
    keys = [player.key for player in entry.players.all()]
    return keys == [entry.key] and players_wanted(entry.event) > 1


def names_team(player: Player) -> bool:
    """Whether a private link controls the team's name: only the link of the player who entered it."""
    entry = entry_of(player)
    if entry.state == "joined" or (entry.state == "leaving" and entry.wants_id):
        return False
    # The player who entered has the first row; seats may have changed since.
    linked = [row.pk for row in entry.players.all() if row.token_hash]
    return player.pk == min(linked, default=0)


def may_rename(entry: Registration) -> bool:
    """Whether its links can change names: as long as entries are taken and no game is drawn."""
    event = entry.event
    is_on = event.takes_entries and entry.state in (*OPEN_ENTRIES, "in", "joined")
    return is_on and not is_drawn(event)


def renamed_by(player: Player) -> list[Player]:
    """The rows whose names a private link can change: players whom the desk has not linked to a person yet."""
    if not may_rename(entry_of(player)):
        return []
    return [row for row in spoken_for(player) if row.person_id is None]


# What strangers read.


@dataclass(frozen=True, slots=True)
class Single:
    """Somebody who looks for a partner, by public name."""

    entry: Registration
    name: str
    note: str


def singles_of(event: Event) -> list[Single]:
    players = Player.objects.select_related("person__merged_into")
    entries = event.registrations.filter(state="single").prefetch_related(Prefetch("players", players))
    strict = strict_names()
    return [_single(event, entry, entry.players.all()[0], strict) for entry in entries if entry.players.all()]


def shown_single(entry: Registration) -> str:
    """The name of one of them."""
    player = entry.players.select_related("person__merged_into").first()
    return _single(entry.event, entry, player, strict_names()).name if player else A_PLAYER


def _single(event: Event, entry: Registration, player: Player, strict: dict[str, str]) -> Single:
    show = show_of(event, player, strict)
    is_nobody = show == "hidden" or is_placeholder(player.full_name)
    name = A_PLAYER if is_nobody else shown_name(player.full_name, show, entry.position)
    return Single(entry, name, player.note)


def door(event: Event) -> dict[str, Any]:
    """The entry page; of entries that wait for the desk only the number. `left` is None if there is no limit."""
    teams = [*event.teams.filter(status="playing").values_list("name", flat=True)]
    states = Counter(event.registrations.values_list("state", flat=True))
    left = max(event.entry_limit - len(teams), 0) if event.entry_limit else None
    return {"teams": teams, "left": left, "states": states, "singles": singles_of(event)}


def place_in_line(entry: Registration) -> int:
    """Its place on the waiting list."""
    return 1 + entry.event.registrations.filter(state="waiting", position__lt=entry.position).count()


def link_page(player: Player) -> dict[str, Any]:
    """The page of a private link. It names the team only as long as the player is in it."""
    entry = entry_of(player)
    team = team_of(entry)
    partner = entry.wants if entry.state == "joined" else None
    owes = accounts_of(entry.event, [team.pk])[team.pk].owes if team is not None and player.team_id == team.pk else 0
    without = [row for row in spoken_for(player) if row.pk != player.pk]
    return {
        "entry": entry,
        "player": player,
        "team": team,
        "drawn": is_drawn(entry.event),
        "partner": partner,
        "without_link": without,
        "line": place_in_line(entry),
        "owes": owes,
        "singles": singles_of(entry.event),
    }


# Names that are on the list already.


@dataclass(frozen=True, slots=True)
class Listed:
    """A name on an event's list: of a player or a team, in the entry or the team with these keys."""

    name: str
    entry: int | None
    team: int | None
    number: int | None

    @property
    def words(self) -> str:
        where = f"on the list: No. {self.number}" if self.number else "on the list of entries"
        return f"{self.name} is {where}"


def names_on_list(event: Event) -> dict[str, list[Listed]]:
    """Every name on an event's list by near key: players and teams, playing or waiting."""
    plays = Q(team__event=event, team__status="playing")
    waits = Q(team=None, entry__event=event, entry__state__in=ON_LIST)
    players = Player.objects.filter(plays | waits).values_list("entered", "name", "entry", "team", "team__number")
    names = [Listed(entered or name, entry, team, number) for entered, name, entry, team, number in players]
    teams = event.teams.filter(status="playing").values_list("entered", "name", "pk", "number")
    names += [Listed(entered or name, None, team, number) for entered, name, team, number in teams]
    entries = event.registrations.filter(state__in=OPEN_ENTRIES).values_list("name", "pk")
    names += [Listed(name, entry, None, None) for name, entry in entries]
    on_list: dict[str, list[Listed]] = defaultdict(list)
    for listed in names:
        on_list[near_key(listed.name)].append(listed)
    return on_list


def names_of(entry: Registration) -> list[str]:
    """The names in an entry, each once: the entry's own name, and its players."""
    return list(dict.fromkeys([entry.name, *(player.full_name for player in entry.players.all())]))


def twins_of(entry: Registration, names: Iterable[str], on_list: dict[str, list[Listed]]) -> list[Listed]:
    """Others on the list with one of these names, or a similar one."""
    own_team = team_of(entry)
    found = []
    for listed in (listed for name in names for listed in on_list.get(near_key(name), ())):
        is_own = listed.entry == entry.pk or (own_team is not None and listed.team == own_team.pk)
        if not is_own and not is_placeholder(listed.name):
            found.append(listed)
    return found


def waiting_from(event: Event, address: str) -> int:
    """How many entries from one address wait in an event."""
    made = Journal.objects.filter(event=event, action="entry", code="made", address=address)
    places = {int(key) for key in made.values_list("key", flat=True) if key.isdecimal()}
    return event.registrations.filter(state__in=OPEN_ENTRIES, position__in=places).count()


# At the desk.


def entries_read(event: Event) -> QuerySet[Registration]:
    return event.registrations.select_related("team", "wants__team").prefetch_related("players")


def entries_of(event: Event) -> dict[str, list[Registration]]:
    """Every entry by its state, in order, each with whether a team of the list has its name (`is_taken`).

    Those that wait for the desk have `twins`: who on the list has the same or a similar name. `untold` are those that
    moved up and got no mail.
    """
    entries: dict[str, list[Registration]] = {state: [] for state in ENTRY_STATES}
    same = Exists(Team.objects.filter(event=event, key=OuterRef("key")))
    for row in entries_read(event).annotate(is_taken=same, last_mail=last_mail_of(event)):
        entries[row.state].append(row)
    entries["untold"] = [entry for entry in entries["in"] if entry.last_mail == MAIL_FAILED]  # type: ignore[attr-defined]
    if entries["asked"]:
        on_list = names_on_list(event)
        for entry in entries["asked"]:
            names = names_of(entry)
            odd = [note for note in map(letters_note, names) if note]
            words = [listed.words for listed in twins_of(entry, names, on_list)]
            entry.twins = list(dict.fromkeys([*words, *odd]))  # type: ignore[attr-defined]
    return entries


def decided_words(event: Event, counts: Mapping[str, int]) -> str:
    """The outcome of entries that the desk decided, each kind counted separately."""
    unit = ruleset_of(event).unit
    said = {
        "in": ("{} {} is in", "{} {}s are in"),
        "waiting": ("{} on the waiting list", "{} on the waiting list"),
        "single": ("{} looks for a partner", "{} look for a partner"),
        "refused": ("{} not accepted", "{} not accepted"),
    }
    parts = [said[state][counts[state] != 1].format(counts[state], unit) for state in said if counts.get(state)]
    return f"{', '.join(parts)}."


def waiting_entries(event: Event) -> int:
    """How many entries wait for the desk; no query for an event that takes none."""
    return event.registrations.filter(state="asked").count() if event.entries_from else 0


class Untold(NamedTuple):
    """An entry that moved up from the waiting list and has not been told."""

    position: int
    name: str


@dataclass(frozen=True, slots=True)
class EntriesToDo:
    """What the desk has to do about entries: decide this many, and tell these that they moved up."""

    asked: int
    untold: tuple[Untold, ...]


def last_mail_of(event: Event) -> Subquery:
    """What the log last said about the mail to an entry: it failed, or the desk has told them since."""
    key = Cast(OuterRef("position"), CharField())
    mails = Journal.objects.filter(event=event, action="entry", noun="entry", key=key, code__in=[MAIL_FAILED, TOLD])
    return Subquery(mails.order_by("-pk").values("code")[:1])


def untold_words(entry: Untold) -> str:
    return f"{entry.name} moved up from the waiting list, but the email to them could not be sent. Please tell them."


def entries_to_do(event: Event) -> EntriesToDo:
    """What waits for the desk, in one statement. A failed mail waits until the desk has told them itself."""
    if not event.entries_from:
        return EntriesToDo(0, ())
    waits = Q(state="asked") | Q(state="in", last_mail=MAIL_FAILED)
    entries = event.registrations.annotate(last_mail=last_mail_of(event)).filter(waits)
    # The desk asks this with every page: of entries that wait only their number is needed.
    rows = list(entries.values_list("state", "position", "name"))
    untold = tuple(Untold(position, name) for state, position, name in rows if state == "in")
    return EntriesToDo(len(rows) - len(untold), untold)
