"""Why something was not done, as errors that carry what a person needs: what is wrong, where, and by which rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scoring.ledger import one_stop


class Fault(NamedTuple):
    """One fault: its field, the rule it breaks, and a sentence."""

    field: str
    text: str
    rule: str = ""


class DomainError(Exception):
    """Something was refused and nothing was stored."""

    status = 422
    # The number of seconds after which to try again, if waiting helps.
    seconds = 0

    def __init__(self, faults: Iterable[Fault] | str) -> None:
        given = [Fault("", faults)] if isinstance(faults, str) else faults
        self.faults = tuple(fault._replace(text=one_stop(fault.text)) for fault in given)
        super().__init__(" ".join(self.texts))

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentence of each fault."""
        return tuple(fault.text for fault in self.faults)


class ValidationFailed(DomainError):
    """The input is not valid: 422, with the typed values kept."""


class Conflict(DomainError):
    """It changed after it was looked at, or it is closed: 409, with its current state."""

    status = 409


class Unavailable(DomainError):
    """The database is busy or full: 503, and trying again soon may help."""

    status, seconds = 503, 2


class TooMany(DomainError):
    """Tried too often: 429, and waiting for these seconds helps."""

    status = 429

    def __init__(self, faults: Iterable[Fault] | str, seconds: int = 60) -> None:
        super().__init__(faults)
        self.seconds = seconds


class Malformed(DomainError):
    """The data is not a message of this site: 400."""

    status = 400


class TooLarge(DomainError):
    """The data is larger than a message may be: 413."""

    status = 413


class Unknown(DomainError):
    """The sender is unknown: 401."""

    status = 401


class Damaged(DomainError):
    """Stored data cannot be read: 500, and no request can fix that."""

    status = 500


class PasswordNeeded(Exception):
    """The act cannot be undone: the password must be typed again, and then it continues by itself."""
