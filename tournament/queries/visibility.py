"""Which results may be seen by whom: the one place that knows the option `standings_visible`.

Page, board, part, file: everything that shows a result of a qualifying game asks here first.
"""

from __future__ import annotations

from typing import NamedTuple

from tournament import access
from tournament.access import Actor
from tournament.models import Event, Round
from tournament.queries.rules import ruleset_of


class Visibility(NamedTuple):
    """Which qualifying rounds' results are shown: those in play, those that are closed. `why` explains what is not."""

    running: bool
    closed: bool
    why: str = ""

    def shows(self, stage: str, state: str) -> bool:
        """Whether the final games of a round of this stage and state may be seen; playoffs are played in the open."""
        if stage != "qualifying":
            return True
        return self.running if state == "running" else self.closed and state == "closed"


EVERYTHING = Visibility(True, True)


def visibility(event: Event, actor: Actor) -> Visibility:
    """What the actor may see; officials see everything at any time."""
    rule = ruleset_of(event).rules.standings_visible
    if rule == "live" or event.stage == "over" or access.may(actor, "see-desk", event):
        return EVERYTHING
    if rule == "after-round":
        return Visibility(False, True, "Results are shown when a round is closed.")
    if rule == "after-stage" and (event.stage == "playoffs" or _qualifying_is_over(event)):
        return EVERYTHING
    when = "after the qualifying games" if rule == "after-stage" else "at the end of the event"
    return Visibility(False, False, f"Standings and results are shown {when}.")


def _qualifying_is_over(event: Event) -> bool:
    closed = Round.objects.filter(event=event, stage="qualifying", state="closed").count()
    return closed >= event.rounds_planned


def hall_notice(event: Event) -> str:
    """What officials must know before they turn their screen round: what the public does not see now."""
    return visibility(event, access.NOBODY).why
