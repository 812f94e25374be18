"""Rulings: applied by a director, kept on record whatever they cost, and withdrawn with a reason."""

from __future__ import annotations

import uuid
from typing import Any

from tournament.access import Actor
from tournament.models import Entry, Event, Game, Result
from tournament.models.game import RULED
from tournament.phrases import rule as cited
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import SIGNED_BY_DIRECTOR, is_leaving
from tournament.queries.wording import write_down
from tournament.refusals import Changed
from tournament.services.calls import answer_open_call
from tournament.services.corrections import correct_sheet
from tournament.services.entries import record_entry
from tournament.services.journal import note, place_of
from tournament.services.signatures import sign_for_all
from tournament.services.transactions import locked_game, writing
from tournament.services.withdrawals import send_away


def apply_ruling(
    actor: Actor,
    game: Game,
    facts: dict[str, Any],
    *,
    position: int | None = None,
    client_key: uuid.UUID | None = None,
    leaves: bool = False,
) -> Entry:
    """Write a ruling on the sheet and answer the table's call. `position` is where the director saw the end.

    A game that is given because nobody came or a team has left is signed for both sides by the director. `leaves`
    says that the side at fault is out of the event: its other games are forfeited when their round starts.
    """
    with writing(game.round.event_id) as event:
        entry = record_entry(actor, game, facts, position=position, client_key=client_key, source="desk")
        game = locked_game(event, game.pk)
        answer_open_call(actor, event, game)
        sign_if_nobody_can(actor, game)
        if leaves and is_leaving(str(facts.get("rule"))) and facts.get("side") is not None:
            send_away(actor, event, game, int(facts["side"]), str(facts["rule"]))
        note_ruling(actor, event, game, facts)
        return entry


def replace_by_ruling(
    actor: Actor,
    game: Game,
    facts: dict[str, Any],
    *,
    position: int,
    revision: int,
    reason: str,
    announced: str | None = None,
) -> None:
    """Put a ruling in the place of a line that stands on the sheet already; final games too, as with a correction."""
    with writing(game.round.event_id) as event:
        correct_sheet(
            actor, game, position=position, revision=revision, facts=facts, reason=reason, announced=announced
        )
        answer_open_call(actor, event, locked_game(event, game.pk))
        note_ruling(actor, event, game, facts)


def withdraw_ruling(
    actor: Actor, game: Game, *, position: int, revision: int, reason: str, announced: str | None = None
) -> None:
    """Take a ruling back: it stays on record, struck through, and the score is computed without it."""
    with writing(game.round.event_id) as event:
        stands = Entry.objects.filter(game=game, position=position, revision=revision, kind__in=RULED).first()
        if stands is None:
            raise Changed("This ruling is no longer on the sheet.")
        correct_sheet(actor, game, position=position, revision=revision, facts=None, reason=reason, announced=announced)
        said = place_of(game) | {"reason": reason.strip()}
        note(actor, event, "withdraw", "ruling", stands.pk, "ruling", said, before=stands.facts)


def sign_if_nobody_can(actor: Actor, game: Game) -> None:
    """Nobody is at the table to sign a game that was given because a side is not there: the director signs it."""
    result = Result.objects.get(game=game)
    if result.over and result.how in SIGNED_BY_DIRECTOR and game.state != "final":
        sign_for_all(actor, game, f"By ruling under {cited(result.rule)}")


def note_ruling(actor: Actor, event: Event, game: Game, facts: dict[str, Any]) -> None:
    """The journal says what happened and what was chosen in the words of the sheet."""
    names = tuple(game.sides.order_by("index").values_list("team__name", flat=True))
    written = write_down(ruleset_of(event), facts, names, (), ())
    said = place_of(game) | {"rule": written.rule, "what": written.text}
    note(actor, event, "rule", "game", game.pk, "ruled", said, after=facts)
