"""Why something was not done, as errors that carry what a person needs: what is wrong, where, and by which rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scoring.ledger import one_stop


class Fault(NamedTuple):
    """One thing that is wrong: the field it stands in, the rule it breaks, and a sentence."""

    field: str
    text: str
    rule: str = ""


class DomainError(Exception):
    """Something was refused and nothing was stored."""

    status = 422
    # After how many seconds it may be tried again, where waiting helps.
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
    """What was typed cannot be so: 422, with the typed values kept."""


class Conflict(DomainError):
    """It was changed since it was looked at, or it is closed: 409, with what stands there now."""

    status = 409


class Unavailable(DomainError):
    """The database is busy or full: 503, and trying again soon may do."""

    status, seconds = 503, 2


class TooMany(DomainError):
    """Tried too often: 429, and waiting for these seconds will do."""

    status = 429

    def __init__(self, faults: Iterable[Fault] | str, seconds: int = 60) -> None:
        super().__init__(faults)
        self.seconds = seconds


class Malformed(DomainError):
    """What was sent is no message of this site: 400."""

    status = 400


class TooLarge(DomainError):
    """What was sent is larger than a message may be: 413."""

    status = 413


class Unknown(DomainError):
    """Nobody we know sent it: 401."""

    status = 401


class Damaged(DomainError):
    """What is stored here cannot be read: 500, and nothing that was sent can put it right."""

    status = 500


class PasswordNeeded(Exception):
    """What was asked cannot be undone: the password is to be typed again, and then it goes on by itself."""
