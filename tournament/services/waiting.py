"""The desk and the waiting list: entries beyond the limit, a partner for a single, the rest of a long list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Max

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Player, Registration, Team
from tournament.queries.registrations import names_on_list
from tournament.queries.roster import RosterRow, cleaned_row, plain_facts_of
from tournament.queries.rules import ruleset_of
from tournament.services import teams
from tournament.services.mail import tell_by_mail
from tournament.services.people import link
from tournament.services.registrations import join
from tournament.services.teams import enter_roster
from tournament.services.transactions import announce, writing
from tournament.words.phrases import OPEN_ENTRIES
from tournament.words.texts import Refused, clean_name, name_key, near_key

PAST_THE_LIMIT = "More than the limit:"


def let_in(actor: Actor, event: Event, position: int) -> Team:
    """Let an entry in from the waiting list, whatever its place and however many are in.

    Raises Conflict if it is no longer waiting.
    """
    with writing(event) as event:
        entry = event.registrations.select_related("team").filter(position=position, state="waiting").first()
        if entry is None:
            raise Conflict("This entry is no longer waiting. Look at the list again.")
        players = list(entry.players.all())
        link(event, players)
        Player.objects.bulk_update(players, ["person"])
        teams.let_in(actor, event, [entry], officials=True)
        announce(actor, event, "entry", "entry", entry.position, "let-in", {"name": entry.name})
        tell_by_mail(event, entry)
        assert entry.team is not None
        return entry.team


def past_the_limit(team: Team) -> tuple[str, ...]:
    """The question if a team exceeds the limit of its event."""
    event = team.event
    count = event.teams.filter(status="playing").count()
    if not event.entry_limit or count <= event.entry_limit:
        return ()
    return (f"The limit is {event.entry_limit}, and {team.full_name} would be No. {count}.",)


def give_partner(actor: Actor, event: Event, position: int, partner: str, name: str = "") -> Registration:
    """Give a player who came alone a partner whose name the desk types; they become a team, or wait in line."""
    with writing(event) as event:
        try:
            typed = clean_name(partner)
        except Refused as refusal:
            raise ValidationFailed([Fault("partner", str(refusal))]) from refusal
        if on_list := names_on_list(event).get(near_key(typed)):
            why = f"{on_list[0].words}. Is this somebody else? Then add an initial to the name."
            raise ValidationFailed([Fault("partner", why)])
        second = _put_last(actor, event, typed, (typed,), "single")
        return join(actor, event, position, second.position, name)


def enter_up_to_limit(actor: Actor, event: Event, rows: Sequence[RosterRow], *, anew: bool = False) -> list[Team]:
    """Enter a list up to the limit, in order; the others go to the end of the waiting list.

    `anew` removes the teams that were entered before.

    Raises ValidationFailed as `enter_roster` does, and for a name that is already waiting.
    """
    with writing(event) as event:
        room = _room(event, anew=anew)
        inside, outside = (rows, []) if room is None else (rows[:room], rows[room:])
        waiting = set(event.registrations.filter(state__in=OPEN_ENTRIES).values_list("key", flat=True))
        cleaned = [_named(event, cleaned_row(row)[0]) for row in outside]
        faults = [
            Fault(f"{row.row}:name", f"{row.name} is on the waiting list already.")
            for row in cleaned
            if name_key(row.name) in waiting
        ]
        faults += [
            Fault(
                f"{row.row}:name", f"{row.name}: name the players. Without their names nobody is on the waiting list."
            )
            for row in cleaned
            if not row.players
        ]
        if faults:
            raise ValidationFailed(faults)
        entered = enter_roster(actor, event, inside, replace=anew) if inside else []
        for row in cleaned:
            _put_last(actor, event, row.name, row.players, "waiting", _said_of(row))
    return entered


def _room(event: Event, *, anew: bool) -> int | None:
    """How many more teams the limit has room for; None without a limit."""
    if not event.entry_limit:
        return None
    count = 0 if anew else event.teams.filter(status="playing").count()
    return max(event.entry_limit - count, 0)


def _named(event: Event, row: RosterRow) -> RosterRow:
    """A row with its players; somebody who plays alone is the player."""
    return replace(row, players=row.players or (row.name,)) if ruleset_of(event).singles else row


def _said_of(row: RosterRow) -> str:
    """Values that a waiting entry has no field for, so that the desk can still read them."""
    said = [*plain_facts_of(row).values(), "paid, as the list says" if row.paid else ""]
    return ", ".join(filter(None, said))[:120]


def _put_last(
    actor: Actor, event: Event, name: str, players: Sequence[str], state: str, note: str = ""
) -> Registration:
    """Write an entry of the desk, without a private link, at the end of the line. The caller holds the event."""
    last = event.registrations.aggregate(last=Max("position"))["last"] or 0
    entry = Registration.objects.create(
        event=event,
        position=last + 1,
        name=name,
        key=name_key(name),
        state=state,
    )
    rows = [
        Player(entry=entry, position=position, name=text, key=name_key(text)) for position, text in enumerate(players)
    ]
    rows[0].note = note
    link(event, rows)
    Player.objects.bulk_create(rows)
    announce(actor, event, "entry", "entry", entry.position, "typed", {"name": name})
    return entry
