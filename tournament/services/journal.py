"""Writing the journal: every act with who, when, from where, before and after."""

from __future__ import annotations

from typing import Any

from tournament.access import Actor
from tournament.models import Event, Game, Journal, Round
from tournament.words import journal as words


def note(
    actor: Actor,
    event: Event,
    action: str,
    noun: str,
    key: object,
    code: str,
    facts: dict[str, Any] | None = None,
    *,
    before: Any = None,
    after: Any = None,
) -> Journal:
    """Add a line to the event's journal, with a code and values of `words/journal.py`.

    It belongs into the transaction of the act itself.
    """
    # What cannot be said is a mistake of the program, and shows while nothing is stored.
    words.text(action, code, facts or {})
    return Journal.objects.create(
        event=event,
        user=actor.person,
        device=actor.device,
        address=actor.address,
        action=action,
        noun=noun,
        key=str(key),
        code=code,
        facts=facts or {},
        before=before,
        after=after,
    )


def title_of(round_: Round) -> int | str:
    """A round as a row keeps it: its title, or the number of its game."""
    return round_.title or round_.number


def place_of(game: Game) -> dict[str, Any]:
    """The round and the table of a game, as a row keeps them."""
    return {"round": title_of(game.round), "table": game.table}
