"""The second look at a sheet that was typed from paper: accept it or reject it, never edit it."""

from __future__ import annotations

from django.db.models import F

from tournament.access import Actor
from tournament.models import Game, Verification
from tournament.queries.sheet import sheet_now
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note, place_of
from tournament.services.transactions import locked_game, writing


def verify_sheet(actor: Actor, game: Game, *, code: str, accepted: bool, reason: str = "") -> Verification:
    """Say that the sheet with this code is what stands on its paper, or that it is not, with a reason.

    Raises Changed where the sheet is another one by now or was looked at before, Invalid where whoever asks has typed
    it (unless the event allows that) or rejects it without a reason.
    """
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        sheet = sheet_now(game)
        if sheet.paper is None:
            raise Changed("Nothing on this sheet was typed from paper.")
        if sheet.code != code:
            raise Changed("The sheet was changed since you opened it. Compare it with its paper again.")
        if (look := sheet.paper.look) is not None:
            raise Changed(f"{look.name} already {'verified' if look.accepted else 'rejected'} this sheet.")
        if actor.account.get_username() in sheet.paper.typed_by and not event.verify_own:
            raise Invalid([Fault("accepted", "You typed this sheet, so another official must verify it.")])
        if not accepted and not reason.strip():
            raise Invalid([Fault("reason", "Say what does not match the paper.")])
        made = Verification.objects.create(
            game=game,
            code=code,
            accepted=accepted,
            by=actor.person,
            name=actor.account.get_username()[:40],
            reason=reason.strip()[:200],
        )
        Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
        said = place_of(game) | ({} if accepted else {"reason": made.reason})
        note(actor, event, "verify", "game", game.pk, "verified" if accepted else "rejected", said)
        return made
