"""One way to ask “do it?”: an act that others can see is done only as it was shown."""

from __future__ import annotations

from tournament.queries.impact import Impact


class NeedsConfirmation(Exception):
    """Somebody acts without having seen what this changes: `impact` describes it, and nothing is stored.

    `is_changed` means that the event has changed since the confirmed impact was shown.
    """

    def __init__(self, impact: Impact, *, is_changed: bool) -> None:
        super().__init__(impact.key)
        self.impact, self.is_changed = impact, is_changed


def ask_first(impact: Impact, confirmed: str | None, *, asks: bool = True) -> None:
    """Raise NeedsConfirmation unless exactly this impact was `confirmed` (its key; empty before it was shown).

    The caller holds the event, so that nothing changes between this comparison and the end of the act. Pass None for an
    act that asks nothing. Even if the act `asks` nobody, a key is compared: it was given for something else.
    """
    if confirmed is None or confirmed == impact.key:
        return
    if asks or confirmed:
        raise NeedsConfirmation(impact, is_changed=bool(confirmed))
