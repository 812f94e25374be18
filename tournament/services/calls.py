"""A table calls the director; the director answers. At most one call of a table is open."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from tournament.access import Actor
from tournament.models import Call, Event, Game
from tournament.phrases import CALLS
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note, place_of
from tournament.services.transactions import Shown, locked_game, writing
from tournament.words.held import Reason


def call_director(actor: Actor, game: Game, kind: str) -> Call:
    """Call the director to a table. Calling again while a call is open changes nothing: the first call stands."""
    if kind not in CALLS:
        raise Invalid([Fault("kind", "Say what the director is called for.")])
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = locked_game(event, game.pk)
        if game.round.state != "running":
            raise Changed(Reason("no-call", **place_of(game)))
        if (known := open_call(game)) is not None:
            return known
        try:
            with transaction.atomic():
                call = Call.objects.create(game=game, kind=kind)
        except IntegrityError:
            return Call.objects.get(game=game, answered_at=None)
        note(actor, event, "call", "call", call.pk, "called", place_of(game) | {"about": kind}, after={"kind": kind})
        return call


def answer_call(actor: Actor, call: Call) -> Call:
    """Close a table's call. A call that somebody answered already stays as it was answered."""
    with writing(call.game.round.event_id, Shown.INSIDE) as event:
        call = Call.objects.select_related("game__round").get(pk=call.pk)
        return call if call.answered_at is not None else _answer(actor, event, call)


def withdraw_call(actor: Actor, game: Game) -> None:
    """The table no longer needs the director. Where no call is open, nothing changes: somebody answered it."""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        if (call := open_call(game)) is None:
            return
        call.answered_at = timezone.now()
        call.save(update_fields=["answered_at"])
        note(actor, event, "call-off", "call", call.pk, "withdrawn", place_of(call.game) | {"about": call.kind})


def answer_open_call(actor: Actor, event: Event, game: Game) -> None:
    """Close the table's call, if one is open, within the transaction of what answered it: a ruling, say."""
    if (call := open_call(game)) is not None:
        _answer(actor, event, call)


def open_call(game: Game) -> Call | None:
    return Call.objects.select_related("game__round").filter(game=game, answered_at=None).first()


def _answer(actor: Actor, event: Event, call: Call) -> Call:
    call.answered_at = timezone.now()
    call.answered_by = actor.person
    call.save(update_fields=["answered_at", "answered_by"])
    note(actor, event, "answer", "call", call.pk, "answered", place_of(call.game) | {"about": call.kind})
    return call
