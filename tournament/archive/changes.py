"""What changed while an event was played, in its file: substitutes, the clock of a round, sheets from paper."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from scoring.fields import Fields
from tournament.models import Game, Round, Signature, Substitution, Team, Verification
from tournament.phrases import SIGNED_HOW
from tournament.queries.authors import author

CLOCK = ("paused_at", "paused_seconds", "extra_seconds", "time_called_at")
SUBSTITUTE = frozenset("position out in from_round to_round reason by at".split())
SIGNED = frozenset("side name reason how by at code".split())
LOOK = frozenset("accepted by at reason code".split())
LONGEST_DAY = 86_400
# Before and after them a time cannot be shown in every time zone.
YEARS = range(1900, 2201)
# The largest number that a small column keeps in every database, and the largest that any column keeps.
SMALL, LARGE = 32_767, 2_147_483_647


@dataclass(frozen=True, slots=True)
class FileSignature:
    """A signature. `code` names an earlier state of the sheet; `at` is None where the file tells only who signed.

    `how` and `revision` are those of the model: a signature may be taken back and given again.
    """

    side: int
    name: str = ""
    reason: str = ""
    by: str = ""
    at: datetime | None = None
    code: str = ""
    how: str = ""
    revision: int = 0


def changes_of_team(team: Team) -> dict[str, Any]:
    said = [
        filled(
            {
                "position": one.position,
                "out": one.out,
                "in": one.into,
                "from_round": one.from_round,
                "to_round": one.to_round,
                "reason": one.reason,
                "by": author(one.by, one.approved_by),
                "at": one.made_at.isoformat(),
            }
        )
        for one in sorted(team.substitutions.all(), key=lambda one: one.pk)
    ]
    return {"substitutes": said} if said else {}


def clock_of_round(round_: Round) -> dict[str, Any]:
    found = {name: getattr(round_, name) for name in CLOCK}
    return {name: one.isoformat() if isinstance(one, datetime) else one for name, one in found.items() if one}


def seen_of_game(game: Game) -> dict[str, Any]:
    """Who signed the sheet and who compared it with its paper: as it stands now, and as it stood before."""
    result = getattr(game, "result", None)
    code = result.code if result is not None else ""
    said: dict[str, Any] = {"signed": []}
    for signature in sorted(game.signatures.all(), key=lambda one: (one.code != code, one.side, one.pk)):
        said["signed"].append(_signature(signature) | _stood(signature.code, code))
    looks = sorted(game.verifications.all(), key=lambda one: one.pk)
    return said | filled({"looks": [_look(one) | _stood(one.code, code) for one in looks]})


def filled(said: dict[str, Any]) -> dict[str, Any]:
    """What is empty is left out of the file."""
    return {key: value for key, value in said.items() if value not in ("", None, [])}


def _signature(one: Signature) -> dict[str, Any]:
    by = author(one.by, one.witness)
    at = one.signed_at.isoformat()
    return {"side": one.side, "name": one.name} | filled({"reason": one.reason, "how": one.how, "by": by, "at": at})


def _look(one: Verification) -> dict[str, Any]:
    said = {"accepted": one.accepted, "by": one.name, "at": one.made_at.isoformat()}
    return said | filled({"reason": one.reason})


def _stood(code: str, now: str) -> dict[str, str]:
    return {} if code == now else {"code": code}


def read_substitutes(data: Any, fields: Fields) -> list[Substitution]:
    """The substitutions of a team; a fault at the team's field where one cannot be read."""
    made = []
    for said in objects(data, SUBSTITUTE):
        position, first, last = said.number("position"), said.number("from_round"), said.number("to_round")
        out, into, reason = said.text("out")[:40], said.text("in")[:40], said.text("reason")[:200]
        by, at = said.text("by")[:150], read_moment(said, "at")
        rounds = first is not None and 1 <= first <= 1000 and (last is None or first <= last <= 1000)
        if said.problems or position is None or not 0 <= position < 8 or not rounds or not (out and into):
            fields.refuse("substitutes", "each needs a position, the names out and in, and from_round.")
            return []
        rounds_of = {"from_round": first or 1, "to_round": last}
        # A file that does not say when: now.
        made.append(
            Substitution(
                position=position, out=out, into=into, reason=reason, by=by, made_at=at or timezone.now(), **rounds_of
            )
        )
    return made


def read_clock(fields: Fields) -> dict[str, Any]:
    found: dict[str, Any] = {name: read_moment(fields, name) for name in ("paused_at", "time_called_at")}
    for name, low in (("paused_seconds", 0), ("extra_seconds", -LONGEST_DAY)):
        number = fields.number(name) or 0
        if not low <= number <= 100 * LONGEST_DAY:
            fields.refuse(name, f"{number} is not a number of seconds.")
        found[name] = number
    return found


def read_looks(data: Any, fields: Fields) -> list[Verification]:
    looks = []
    for said in objects(data, LOOK):
        accepted, by, at = said.flag("accepted"), said.text("by")[:40], read_moment(said, "at")
        reason, code = said.text("reason")[:200], said.text("code")[:16]
        if said.problems or accepted is None or not by or at is None or not (accepted or reason):
            fields.refuse("looks", "each needs accepted, by and at; a rejection also a reason.")
            return []
        looks.append(Verification(accepted=accepted, name=by, made_at=at, reason=reason, code=code))
    return looks


def read_signed(data: Any, fields: Fields, sides: int) -> list[FileSignature] | None:
    """Who signed: numbers of sides, or objects with side and name.

    A side signs each state of the sheet once; once more only after its signature was taken back.
    """
    if data is None:
        return None
    signed: list[FileSignature] = []
    for said in objects(data, SIGNED, alone="side"):
        side, code, at = said.number("side"), said.text("code")[:16], read_moment(said, "at")
        how, before = said.text("how"), [known for known in signed if (known.side, known.code) == (side, code)]
        stands = bool(before) and before[-1].how != "back"
        wrong = [problem.text for problem in said.problems]
        if (
            wrong
            or side is None
            or side not in range(sides)
            or stands != (how == "back")
            or how not in ("", *SIGNED_HOW)
        ):
            fields.refuse("signed", (*wrong, "a list of sides is needed, each once.")[0])
            return []
        texts = (said.text("name")[:40], said.text("reason")[:200], said.text("by")[:150])
        signed.append(FileSignature(side, *texts, at, code, how, len(before)))
    return signed


def objects(data: Any, known: frozenset[str], alone: str = "") -> Iterator[Fields]:
    """Each object of a list with its fields; what is none has no field, or the one that may stand `alone`."""
    for one in data if isinstance(data, list) else [] if data is None else [None]:
        said = Fields(one if isinstance(one, Mapping) else {alone: one} if alone else {})
        said.only(known)
        yield said


def read_count(fields: Fields, key: str, low: int, high: int) -> int | None:
    """A whole number within its limits."""
    number: int | None = fields.facts.get(key)
    if number is None or (type(number) is int and low <= number <= high):
        return number
    fields.refuse(key, f"a whole number from {low} to {high:,} is needed.")
    return None


def each_once(numbers: Sequence[int], known: Container[int]) -> bool:
    """Whether they are numbers that the file knows, none of them twice."""
    return len(set(numbers)) == len(numbers) and all(number in known for number in numbers)


def read_moment(fields: Fields, key: str, *, zoned: bool = False) -> datetime | None:
    """A time with its zone; without one it is read as UTC, or refused where it must be `zoned`."""
    text = fields.text(key)
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        fields.refuse(key, f"“{text}” is not a time like 2026-11-21T19:00:00+00:00.")
        return None
    if zoned and found.tzinfo is None:
        fields.refuse(key, "a time with its zone is needed.")
        return None
    if found.year not in YEARS:
        fields.refuse(key, f"“{text}” is not between the years {YEARS[0]} and {YEARS[-1]}.")
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
