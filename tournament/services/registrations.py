"""Players enter by themselves: an entry, the desk's decision about it, and two single players who form a team.

What strangers type changes nothing for others: an entry takes no name away from anybody, and never says which person of
the club somebody is.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from django.db.models import Max

from tournament.access import Actor
from tournament.errors import Conflict, Fault, TooMany, ValidationFailed
from tournament.models import Event, Player, Registration, Team
from tournament.queries.devices import fingerprint
from tournament.queries.leaving import is_drawn, team_of
from tournament.queries.registrations import (
    MOST_WAITING,
    comes_alone,
    entry_of,
    names_of,
    names_on_list,
    names_team,
    renamed_by,
    shown_single,
    spoken_for,
    twins_of,
    waiting_from,
)
from tournament.queries.roster import RosterRow, cleaned_row, players_wanted
from tournament.services import teams
from tournament.services.draws import draw_again
from tournament.services.people import link, show_names
from tournament.services.players import take_out
from tournament.services.transactions import announce, look_again, writing
from tournament.site.limits import SECONDS
from tournament.words.phrases import OPEN_ENTRIES
from tournament.words.texts import SUFFIX, mixed_letters, name_key

CLOSED = "Entries are closed. Ask the desk if there’s still room."
CHANGED = "This entry has changed. Look at it again."
AT_DESK = "Names can no longer be changed here: tell the desk."
BEGUN = "Game 1 has started: tell the desk you’re leaving."
TOO_MANY = "A lot of entries from here are already waiting for the desk. Type the code on the wall, or ask the desk."


def enter(
    actor: Actor,
    event: Event,
    token: str,
    *,
    name: str = "",
    players: Sequence[str],
    contact: str = "",
    note: str = "",
    show: str = "full",
    in_pot: bool | None = None,
    in_hall: bool = True,
) -> tuple[Player, bool]:
    """Take an entry at the end of the line; return the row of the player who entered, and whether the entry is new.

    `token` is the token of the form and of the private link: sending it again leads to the entry that it made. The
    entry waits for the desk, or becomes a team at once if there is room. Entries from outside the hall (not `in_hall`)
    are limited. Raises Conflict, TooMany, ValidationFailed.
    """
    with writing(event) as event:
        made = Player.objects.filter(token_hash=fingerprint(token)).select_related("entry").first()
        if made is not None:
            return made, False
        if not event.takes_entries:
            raise Conflict(CLOSED)
        if not in_hall and waiting_from(event, actor.address) >= MOST_WAITING:
            raise TooMany(TOO_MANY, SECONDS)
        row = _cleaned(name, players)
        entry = Registration(event=event, name=row.name, key=name_key(row.name), in_pot=in_pot)
        entry.position = _last_place(event) + 1
        entry.state = "asked"
        entry.save()
        rows = [
            Player(entry=entry, position=position, name=text, key=name_key(text), show=show)
            for position, text in enumerate(row.players or (row.name,))
        ]
        rows[0].contact, rows[0].note, rows[0].token_hash = contact, note, fingerprint(token)
        Player.objects.bulk_create(rows)
        _put_in_line(actor, entry)
    return Player.objects.select_related("entry").get(token_hash=fingerprint(token)), True


def _last_place(event: Event) -> int:
    return event.registrations.aggregate(last=Max("position"))["last"] or 0


def _cleaned(name: str, players: Sequence[str]) -> RosterRow:
    """The names of an entry, clean. Raises ValidationFailed for a name that is impossible or occurs twice in it."""
    row, faults = cleaned_row(RosterRow(name=name, players=tuple(players)))
    keys = [name_key(text) for text in row.players]
    for seat, key in enumerate(keys):
        if key in keys[:seat]:
            faults.append(Fault(f"player{seat + 1}", f"{row.players[seat]} is named twice."))
    if faults:
        raise ValidationFailed(faults)
    return row


def _put_in_line(actor: Actor, entry: Registration) -> None:
    """Put an entry in line, or before the desk: if the club wants that, games are drawn, or a name is known."""
    event = entry.event
    entry.state = "asked" if _waits_for_desk(entry) else _in_line(entry)
    entry.save(update_fields=["state"])
    _log(actor, entry, "made")
    teams.make_room(actor, event, entry)


def _waits_for_desk(entry: Registration) -> bool:
    event, names = entry.event, names_of(entry)
    if event.entries_wait or is_drawn(event) or any(map(mixed_letters, names)):
        return True
    return bool(twins_of(entry, names, names_on_list(event)))


def _in_line(entry: Registration) -> str:
    return "single" if comes_alone(entry) else "waiting"


def change(
    actor: Actor,
    player: Player,
    *,
    contact: str | None = None,
    note: str | None = None,
    show: str | None = None,
    name: str | None = None,
    names: Mapping[int, str] | None = None,
) -> None:
    """Change what a private link may change: wish and contact, and the names that `renamed_by` allows.

    `names` are new names by the key of the row. Raises Conflict, ValidationFailed.
    """
    with _locked(player) as player:
        entry = entry_of(player)
        own = spoken_for(player)
        for row in own:
            row.show = row.show if show is None else show
        mine = next(row for row in own if row.pk == player.pk)
        mine.contact = mine.contact if contact is None else contact
        mine.note = mine.note if note is None else note
        Player.objects.bulk_update(own, ["show", "contact", "note"])
        if name is not None or names:
            _rename(player, name, names or {})
        team = team_of(entry)
        if team is not None:
            show_names(entry.event, [team.pk])
            look_again(entry.event, sides__team=team)
        _log(actor, entry, "changed")


def _rename(player: Player, name: str | None, names: Mapping[int, str]) -> None:
    """Write new names. If the team is in and a new name is already on the list, only the desk may change it."""
    entry = entry_of(player)
    rows = list(entry.players.all())
    texts = [names.get(row.pk, row.full_name) for row in rows]
    renamed = {row.pk for row, text in zip(rows, texts, strict=True) if text != row.full_name}
    # The name of a player without a partner is also the entry's name.
    is_one_name = comes_alone(entry) or players_wanted(entry.event) == 1
    entry_name = texts[0] if is_one_name else name or entry.name
    if entry_name == entry.name and not renamed:
        return

    allowed = {row.pk for row in renamed_by(player)}
    if not allowed or not renamed <= allowed:
        raise Conflict(AT_DESK)
    if entry_name != entry.name and not is_one_name and not names_team(player):
        raise Conflict(AT_DESK)

    clean = _cleaned(entry_name, texts)
    is_known = bool(twins_of(entry, _new_names(entry, rows, clean), names_on_list(entry.event)))
    if is_known:
        if entry.state not in OPEN_ENTRIES:
            raise Conflict(AT_DESK)
        # An entry that is not in yet waits until the desk has said who that is.
        entry.state = "asked"
    _write_names(entry, rows, clean)


def _new_names(entry: Registration, rows: Sequence[Player], clean: RosterRow) -> list[str]:
    """The names that are new in an entry, without those that are only spelled differently."""
    new = [text for row, text in zip(rows, clean.players, strict=True) if name_key(text) != row.key]
    if name_key(clean.name) != entry.key:
        new.append(clean.name)
    return new


def _write_names(entry: Registration, rows: Sequence[Player], clean: RosterRow) -> None:
    """Write the names of an entry, its players and its team, and the entry's state."""
    for row, text in zip(rows, clean.players, strict=True):
        row.name, row.entered, row.key = text, "", name_key(text)
    Player.objects.bulk_update(rows, ["name", "entered", "key"])
    entry.name, entry.key = clean.name, name_key(clean.name)
    entry.save(update_fields=["name", "key", "state"])
    if entry.team is not None and entry.team.full_name != clean.name:
        teams.name_team(entry.team, clean.name)


def withdraw(actor: Actor, player: Player) -> None:
    """Withdraw by a private link: before the draw, the next entry on the waiting list moves up.

    A second press changes nothing. A partner with a link of his own becomes a single player again, at his own place in
    line. Once games are drawn, the player only asks to leave: the team plays on until the desk decides.
    """
    with _locked(player) as player:
        entry = entry_of(player)
        if entry.state in ("withdrawn", "leaving"):
            return
        if entry.state not in (*OPEN_ENTRIES, "in", "joined"):
            raise Conflict(CHANGED)
        team = team_of(entry)
        if team is not None and entry.event.frozen_at is not None:
            raise Conflict(BEGUN)
        if team is not None and is_drawn(entry.event):
            entry.state = "leaving"
            entry.save(update_fields=["state"])
            _log(actor, entry, "leaving")
            return
        _log(actor, entry, "withdrawn")
        _leave(actor, player, team)


def stay(actor: Actor, player: Player) -> None:
    """Withdraw the wish to leave, as long as the desk has not decided. A second press changes nothing."""
    with _locked(player) as player:
        entry = entry_of(player)
        if team_of(entry) is None:
            raise Conflict("The desk has already decided. Please go there.")
        if entry.state != "leaving":
            return
        entry.state = "joined" if entry.wants_id and entry.team_id is None else "in"
        entry.save(update_fields=["state"])
        _log(actor, entry, "stays")


def _leave(actor: Actor, player: Player, team: Team | None) -> None:
    """Before the draw: withdraw the player's own entry; partners with links look for a partner again."""
    entry = entry_of(player)
    main = entry.wants if entry.state == "joined" and entry.wants else entry
    others = [one for one in (main, *main.wanted_by.filter(state="joined")) if one.pk != entry.pk]
    own = _own_entry(player)
    if own.pk != entry.pk:
        others.insert(0, entry)
    # Leave the list first, so that the players who stay have no seat and are alone again.
    own.state, own.wants = "withdrawn", None
    if others and own.players.count() == 1:
        # The team was named after both. A player who enters again comes alone.
        own.name, own.key = player.full_name, player.key
    own.save(update_fields=["state", "wants", "name", "key"])
    if team is not None and team.event.ledger.filter(team=team).exists():
        teams.withdraw_team(actor, entry.event, team.number, 0)
        take_out(Player.objects.filter(entry__in=others, team=team))
    elif team is not None:
        teams.remove_team(actor, entry.event, team.number)
    for other in others:
        _alone_again(other)
    teams.make_room(actor, entry.event)


def _own_entry(player: Player) -> Registration:
    """The entry of this player alone. A partner in it who has a link keeps the entry and its place in line."""
    entry = entry_of(player)
    rows = list(entry.players.all())
    if not any(row.token_hash and row.pk != player.pk for row in rows):
        return entry
    event = entry.event
    own = Registration.objects.create(
        event=event, position=_last_place(event) + 1, name=player.full_name, key=player.key, state="withdrawn"
    )
    Player.objects.filter(pk=player.pk).update(entry=own, position=0)
    player.entry = own
    return own


def _alone_again(entry: Registration) -> None:
    """The players who stay look for a partner again, or wait with the others of the entry."""
    entry = Registration.objects.select_related("event").get(pk=entry.pk)
    rows = list(entry.players.all())
    for position, row in enumerate(rows):
        row.position = position
    Player.objects.bulk_update(rows, ["position"])
    entry.team, entry.wants = None, None
    if len(rows) == 1:
        entry.name, entry.key = rows[0].full_name, rows[0].key
    entry.state = _in_line(entry)
    entry.save()


def enter_again(actor: Actor, player: Player) -> None:
    """Enter again after withdrawing, at the end of the line."""
    with _locked(player) as player:
        entry = entry_of(player)
        if entry.state != "withdrawn":
            raise Conflict(CHANGED)
        if not entry.event.takes_entries:
            raise Conflict(CLOSED)
        entry.position, entry.wants = _last_place(entry.event) + 1, None
        entry.save(update_fields=["position", "wants"])
        _put_in_line(actor, entry)


# Private links: one for each player, of which only the hash is kept.


def new_link(actor: Actor, event: Event, pk: int) -> tuple[Player, str]:
    """Give a player a new private link; the old one ends. A player without an entry gets one with the state “in”."""
    with writing(event) as event:
        player = Player.objects.filter(pk=pk).select_related("team", "entry").first()
        if player is None or event.pk not in {one.event_id for one in (player.team, player.entry) if one}:
            raise Conflict("This player is no longer on the list. Load the page again.")
        if player.entry is None:
            player.entry = _entry_of_team(event, player)
        token = _give_link(player)
        _log(actor, entry_of(player), "link", player=player.full_name)
    return player, token


def _entry_of_team(event: Event, player: Player) -> Registration:
    """The entry of a team that the desk typed; it is created if there is none."""
    team = player.team
    assert team is not None
    entry = team.registrations.filter(state="in").first()
    if entry is None:
        entry = Registration.objects.create(
            event=event, position=_last_place(event) + 1, name=team.full_name, key=team.key, state="in", team=team
        )
    return entry


def first_link(actor: Actor, player: Player, pk: int) -> tuple[Player, str]:
    """Make the first link of a partner who has none, but never a second one. Raises Conflict."""
    with _locked(player) as player:
        partner = next((row for row in spoken_for(player) if row.pk == pk and not row.token_hash), None)
        if partner is None or partner.pk == player.pk:
            raise Conflict("Your partner already has a link. The desk can make a new one.")
        token = _give_link(partner)
        _log(actor, entry_of(player), "link", player=partner.full_name)
    return partner, token


def _give_link(player: Player) -> str:
    token = secrets.token_urlsafe(24)
    player.token_hash = fingerprint(token)
    player.save(update_fields=["token_hash", "entry"])
    return token


# The desk's decisions about entries.


def decide(
    actor: Actor,
    event: Event,
    places: Collection[int],
    *,
    accepted: bool,
    seed: int | None = None,
    confirmed: str | None = None,
) -> Counter[str]:
    """Accept or refuse the entries at these places, all at once. The limit still applies.

    Returns how many are in, on the waiting list, alone or refused. With a `seed`, games are drawn in the same act. If
    somebody has already drawn them, this must have been `confirmed`; None asks nothing.
    """
    with writing(event) as event:
        asked = list(event.registrations.filter(state="asked", position__in=places).prefetch_related("players"))
        if not places:
            raise Conflict("Select the entries first.")
        if not asked or event.stage in ("playoffs", "over"):
            raise Conflict("This is no longer waiting for the desk.")
        if accepted:
            _accept(actor, event, asked)
        else:
            event.registrations.filter(pk__in=[entry.pk for entry in asked]).update(state="refused")
        keys = [entry.pk for entry in asked]
        counts = Counter(event.registrations.filter(pk__in=keys).values_list("state", flat=True))
        _log_decision(actor, event, asked, counts, accepted=accepted)
        if seed is not None:
            draw_again(actor, event, seed=seed, confirmed=confirmed, asks=True)
    return counts


def _accept(actor: Actor, event: Event, entries: Sequence[Registration]) -> None:
    """Accepting players also says which people they are; as many entries as there is room for are in at once."""
    for entry in entries:
        entry.state = _in_line(entry)
    Registration.objects.bulk_update(entries, ["state"], batch_size=400)
    players = [player for entry in entries for player in entry.players.all()]
    link(event, players)
    Player.objects.bulk_update(players, ["person"], batch_size=400)
    teams.let_in(actor, event, teams.next_in_line(event), officials=True)


def _log_decision(
    actor: Actor, event: Event, entries: Sequence[Registration], counts: Counter[str], *, accepted: bool
) -> None:
    if len(entries) == 1:
        _log(actor, entries[0], "accepted" if accepted else "refused")
        return
    code = "accepted-many" if accepted else "refused-many"
    said = {"inside": counts["in"], "queued": counts["waiting"], "alone": counts["single"]}
    facts = {"count": len(entries)} | {name: count for name, count in said.items() if count}
    announce(actor, event, "entry", "entries", len(entries), code, facts)


# Two single players become a team if each chooses the other, or if the desk joins them.


def choose(actor: Actor, player: Player, position: int = 0) -> None:
    """Choose another single player as a partner; without a position, undo the choice."""
    with _locked(player) as player:
        entry = entry_of(player)
        if entry.state != "single" or entry.event.frozen_at is not None:
            raise Conflict("You’re no longer looking for a partner.")
        other = _single_at(entry.event, position) if position else None
        if partner := other or entry.wants:
            _log(actor, entry, "wants" if other else "alone", partner=partner.name)
        entry.wants = other
        entry.save(update_fields=["wants"])
        if other is not None and other.wants_id == entry.pk:
            _join(actor, entry, other, at_desk=False)


def join(actor: Actor, event: Event, first: int, second: int, name: str = "") -> Registration:
    """Join two single players to a team at the desk."""
    with writing(event) as event:
        if first == second:
            raise ValidationFailed([Fault("second", "Choose two players.")])
        return _join(actor, _single_at(event, first), _single_at(event, second), name, at_desk=True)


def _single_at(event: Event, position: int) -> Registration:
    other = event.registrations.filter(position=position).first()
    if other is None or other.state != "single":
        why = "has found a partner" if other and other.state == "joined" else "is no longer looking for a partner"
        raise Conflict(f"{shown_single(other) if other else 'This player'} {why}. Pick somebody else.")
    return other


def _join(actor: Actor, entry: Registration, other: Registration, name: str = "", *, at_desk: bool) -> Registration:
    """The team gets the earlier entry, whose place in line counts. Both players keep their rows and their links."""
    first, second = sorted((entry, other), key=attrgetter("position"))
    event = first.event
    _log(actor, first, "joined", partner=second.name)
    second.state, second.wants = "joined", first
    second.save(update_fields=["state", "wants"])
    # A player who had a partner before still has the seat from that entry.
    first.players.update(position=0)
    second.players.update(position=1)
    both = [*first.players.all(), *second.players.all()]
    clean = _cleaned(name or _called(event, both), [player.full_name for player in both])
    first.name, first.key, first.wants = clean.name, name_key(clean.name), None
    # Once games are drawn, a team that two strangers form waits for the desk.
    first.state = "waiting" if at_desk or not is_drawn(event) else "asked"
    first.save()
    if at_desk:
        link(event, both)
        Player.objects.bulk_update(both, ["person"])
    teams.make_room(actor, event)
    first.refresh_from_db()
    return first


def _called(event: Event, players: Sequence[Player]) -> str:
    """“Reed / Hall”, followed by a number if that name is taken."""
    name = " / ".join(SUFFIX.sub("", player.full_name).split()[-1][:17] for player in players)
    taken = {*event.teams.values_list("key", flat=True)}
    taken |= {*event.registrations.filter(state__in=OPEN_ENTRIES).values_list("key", flat=True)}
    return teams.free_name(name, taken)


@contextmanager
def _locked(player: Player) -> Iterator[Player]:
    """The current row of an entry's player, with its event locked. Raises Conflict if the event is over."""
    with writing(entry_of(player).event_id) as event:
        if event.stage == "over":
            raise Conflict("This event is over.")
        rows = Player.objects.select_related("entry__team", "entry__wants__team", "team", "person")
        now = rows.filter(pk=player.pk, token_hash=player.token_hash).first()
        if now is None or now.entry is None:
            raise Conflict("This link no longer works. The desk can make a new one.")
        now.entry.event = event
        yield now


def _log(actor: Actor, entry: Registration, code: str, **facts: Any) -> None:
    announce(actor, entry.event, "entry", "entry", entry.position, code, {"name": entry.name, **facts})
