"""One way to ask “do it?”: an act that others see is done only as it was shown."""

from __future__ import annotations

from tournament.queries.impact import Impact


class NeedsConfirmation(Exception):
    """Somebody acts who has not seen what this changes: `impact` says it, and nothing is stored.

    `is_changed` says that something else was confirmed: the event has changed since it was shown.
    """

    def __init__(self, impact: Impact, *, is_changed: bool) -> None:
        super().__init__(impact.key)
        self.impact, self.is_changed = impact, is_changed


def ask_first(impact: Impact, confirmed: str | None, *, asks: bool = True) -> None:
    """Raise NeedsConfirmation unless exactly this impact was `confirmed` (its key; empty before it was shown).

    The caller holds the event, so that nothing changes between this comparison and the end of the act. None stands for
    an act that asks nothing. Where the act `asks` nobody, a key is still compared: it was given for something
    else.
    """
    if confirmed is None or confirmed == impact.key:
        return
    if asks or confirmed:
        raise NeedsConfirmation(impact, is_changed=bool(confirmed))
