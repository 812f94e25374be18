"""Writing the journal: every act with who, when, from where, before and after."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from tournament.access import Actor
from tournament.models import Event, Game, Journal, Round
from tournament.words import journal as words

Said = ParamSpec("Said")


def line(
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
    """A line of the event's journal that is not stored yet, with a code and values of `words/journal.py`."""
    # What cannot be said is a mistake of the program, and shows while nothing is stored.
    words.text(action, code, facts or {})
    return Journal(
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


def _added(make: Callable[Said, Journal]) -> Callable[Said, Journal]:
    @wraps(make)
    def note(*args: Said.args, **named: Said.kwargs) -> Journal:
        """Add a line to the event's journal. It belongs into the transaction of the act itself."""
        made = make(*args, **named)
        made.save(force_insert=True)
        return made

    return note


note = _added(line)


def title_of(round_: Round) -> int | str:
    """A round as a row keeps it: its title, or the number of its game."""
    return round_.title or round_.number


def place_of(game: Game) -> dict[str, Any]:
    """The round and the table of a game, as a row keeps them."""
    return {"round": title_of(game.round), "table": game.table}
