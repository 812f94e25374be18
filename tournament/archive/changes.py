"""What changed while an event was played, in its file: lines of sheets, calls, notices, substitutes, the log."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.utils import timezone

from scoring.document import read_entry, read_opening
from scoring.fields import Fields
from scoring.ledger import Carry
from tournament.errors import Fault
from tournament.models import Call, Event, Game, Journal, Notice, Round, Signature, Substitution, Team, Verification
from tournament.models.game import CAUSES, OPENING, REMOVED
from tournament.models.stored import author
from tournament.phrases import CALLS, SIGNED_HOW, SOURCES
from tournament.queries.rules import Ruleset
from tournament.queries.scored import PAPER, active_entries
from tournament.queries.wording import write_down
from tournament.words.journal import in_full
from tournament.words.journal import read_back as read_log_sentence
from tournament.words.sentences import can_be_said, read_back
from tournament.words.sentences import text as told

# What changed while an event was played, in its file: substitutes, the clock of a round, sheets from paper.


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


# A table's calls for the director, and what its teams were told, in an event file.

CALL = frozenset("kind at answered_at".split())
NOTICE = frozenset("team text code facts at seen_at".split())


def calls_of(game: Game) -> list[dict[str, Any]]:
    return [
        filled({"kind": one.kind, "at": one.called_at.isoformat(), "answered_at": _time(one.answered_at)})
        for one in sorted(game.calls.all(), key=lambda one: one.pk)
    ]


def notices_of(game: Game) -> list[dict[str, Any]]:
    return [
        filled(
            {
                "team": one.team.number,
                "code": one.code,
                "facts": one.facts,
                "at": one.made_at.isoformat(),
                "seen_at": _time(one.seen_at),
            }
        )
        for one in sorted(game.notices.all(), key=lambda one: one.pk)
    ]


def read_calls(data: Any, fields: Fields) -> list[Call]:
    """The calls of a table: only the last one can be open."""
    calls: list[Call] = []
    for said in objects(data, CALL):
        kind, at, answered = said.text("kind"), read_moment(said, "at"), read_moment(said, "answered_at")
        if said.problems or kind not in CALLS or at is None or (calls and calls[-1].answered_at is None):
            fields.refuse("calls", "each needs a kind and a time; the next one comes when it was answered.")
            return []
        calls.append(Call(kind=kind, called_at=at, answered_at=answered))
    return calls


def read_notices(data: Any, teams: Collection[int], fields: Fields) -> list[tuple[int, Notice]]:
    """The notices about a table, each with the number of its team: one that was swapped away sits there no longer."""
    notices = []
    for said in objects(data, NOTICE):
        team, text, at = said.number("team"), said.text("text")[:300], read_moment(said, "at")
        seen, code = read_moment(said, "seen_at"), said.text("code")[:20]
        facts: Any = said.facts.get("facts")
        if text:
            # Until version 2 a file had the sentence.
            code, facts = read_back(text)
        if said.problems or team is None or team not in teams or at is None or not can_be_said(told, code, facts):
            fields.refuse("notices", "each needs a team of the event, what it was told and a time.")
            return []
        notices.append((team, Notice(code=code, facts=facts, made_at=at, seen_at=seen)))
    return notices


def _time(at: datetime | None) -> str:
    return at.isoformat() if at else ""


# The journal in an event file: acts on games name them by round, table and leg, because keys differ elsewhere.

ACT = frozenset("at by address action noun key text code facts before after".split())
# Nouns whose keys mean the same everywhere: numbers of teams, rounds, tables and places in the bracket.
LASTING = frozenset("team teams table money bracket".split())
GAME = "game"


def journal_of(event: Event) -> list[dict[str, Any]]:
    rows = Game.objects.filter(round__event=event).values_list("pk", "round__number", "table", "leg")
    games = {str(pk): game_name(*place) for pk, *place in rows}
    acts = Journal.objects.filter(event=event).select_related("user", "device").order_by("pk")
    return [_act(one, games) for one in acts.iterator(chunk_size=1000)]


def game_name(number: int, table: int, leg: int) -> str:
    """A game as the journal of a file names it."""
    return f"{number}/{table}/{leg}"


def read_journal(data: Any, faults: list[Fault]) -> list[Journal]:
    """The acts of a file, a fault for each that is none. The key of a game is “round/table/leg”."""
    acts: list[Journal] = []
    for index, fields in enumerate(objects(data, ACT), start=1):
        at, action, noun = read_moment(fields, "at"), fields.text("action")[:30], fields.text("noun")[:20]
        by, address, key = fields.text("by")[:150], fields.text("address")[:45], fields.text("key")[:40]
        text, code = fields.text("text")[:300], fields.text("code")[:20]
        facts: Any = fields.facts.get("facts")
        before, after = fields.facts.get("before"), fields.facts.get("after")
        if text:
            # Until version 2 a file had the sentence.
            code, facts, before, after = read_log_sentence(action, text, before, after)
        wrong = [f", field {problem.field}: {problem.text}" for problem in fields.problems]
        if wrong or at is None or not action or not noun or not can_be_said(partial(in_full, action), code, facts):
            needed = ": it needs a time, an action, a noun, and a code with its facts."
            faults.append(Fault("journal", f"Journal, line {index}{(*wrong, needed)[0]}"))
            continue
        who = {"by": by, "address": address, "action": action, "noun": noun, "key": key}
        acts.append(Journal(at=at, code=code, facts=facts, before=before, after=after, **who))
    return acts


def _act(one: Journal, games: Mapping[str, str]) -> dict[str, Any]:
    key = games.get(one.key, "") if one.noun == GAME else one.key if one.noun in LASTING else ""
    said = {
        "at": one.at.isoformat(),
        "by": author(one.by, one.user, one.device),
        "address": one.address,
        "action": one.action,
        "noun": one.noun,
        "key": key,
        "code": one.code,
        "facts": one.facts,
    }
    return filled(said) | {k: v for k, v in (("before", one.before), ("after", one.after)) if v is not None}


# The lines of a sheet in an event file: every revision of them, who wrote it, where from, when and why.

LINE = frozenset("line source by at reason cause facts".split())
MOST_LINES = 5000
IMPORT = "import"


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A revision of a line. `at` is None, and `by` empty, where the file does not say."""

    position: int
    revision: int
    facts: dict[str, Any]
    source: str
    by: str = ""
    reason: str = ""
    at: datetime | None = None
    cause: str = ""

    @property
    def kind(self) -> str:
        return str(self.facts.get("entry", "")).replace("-", "_")


def lines_of(game: Game) -> list[dict[str, Any]]:
    """Every revision in order. What counts stands in the game document; the facts of all others stand here."""
    entries = sorted(game.entries.all(), key=lambda entry: (entry.position, entry.revision))
    counts = {entry.pk for entry in active_entries(entries) if entry.kind != OPENING}
    return [
        filled(
            {
                "line": one.position,
                "source": one.source,
                "by": author(one.by, one.entered_by, one.device),
                "at": one.entered_at.isoformat(),
                "reason": one.reason,
                "cause": one.cause,
                "facts": None if one.pk in counts else one.facts,
            }
        )
        for one in entries
    ]


def plain_lines(
    opening: dict[str, Any] | None, entries: Sequence[dict[str, Any]], paper: Sequence[int]
) -> list[SheetLine]:
    """The lines of a file that tells only what counts; `paper` are the numbers of those that were typed from paper."""
    facts = [{"entry": OPENING, **opening}] if opening else []
    first = 0 if opening else 1
    return [
        SheetLine(position, 0, one, PAPER if position in paper else IMPORT)
        for position, one in enumerate([*facts, *entries], start=first)
    ]


def read_lines(
    data: Any, rules: Ruleset, opening: dict[str, Any] | None, entries: Sequence[dict[str, Any]], fields: Fields
) -> list[SheetLine]:
    """The lines of a file that tells everything; a fault at the table's field “lines” where they do not fit."""
    if not isinstance(data, list) or len(data) > MOST_LINES:
        fields.refuse("lines", f"a list of at most {MOST_LINES:,} lines is needed.")
        return []
    lines: list[SheetLine] = []
    left = iter(entries)
    for index, said in enumerate(objects(data, LINE), start=1):
        line = _line(said, lines[-1] if lines else None, left)
        wrong = [problem.text for problem in said.problems] or _wrong(line, rules, "facts" in said.facts)
        if wrong or line is None:
            fields.refuse("lines", f"line {index}: {wrong[0]}")
            return []
        lines.append(line)
    counts = list({line.position: line for line in lines}.values())
    counting = [line.facts for line in counts if line.kind not in (OPENING, REMOVED)]
    begins = [_begins(rules, line.facts) for line in counts if line.kind == OPENING]
    if counting != list(entries) or begins != ([_begins(rules, opening)] if opening else []):
        fields.refuse("lines", "they are not those of the game: as many must count as the game has entries.")
        return []
    return lines


def _line(said: Fields, before: SheetLine | None, left: Iterator[dict[str, Any]]) -> SheetLine | None:
    position, source = said.number("line"), said.text("source")
    last = before.position if before else -1
    if position is None or not last <= position <= MOST_LINES:
        said.refuse("line", "the number of the line is needed, in order.")
    if source not in SOURCES:
        said.refuse("source", f"“{source}” is not known: {', '.join(SOURCES)}.")
    facts = said.facts.get("facts")
    if facts is None:
        facts = next(left, None)
        if facts is None:
            said.refuse("facts", "the game has no such entry.")
    elif not isinstance(facts, Mapping):
        said.refuse("facts", "what is on the line must be an object.")
    by, reason, at = said.text("by")[:150], said.text("reason")[:200], read_moment(said, "at")
    cause = said.text("cause")
    if cause and cause not in CAUSES:
        said.refuse("cause", f"“{cause}” is not known: {', '.join(CAUSES)}.")
    if said.problems or position is None:
        return None
    revision = before.revision + 1 if before and before.position == position else 0
    return SheetLine(position, revision, dict(facts or {}), source, by, reason, at, cause)


def _wrong(line: SheetLine | None, rules: Ruleset, told: bool) -> list[str]:
    """What a line cannot say. What counts was scored already; what was struck must at least be readable."""
    if line is None or not told:
        return [] if line and line.position > 0 else ["only totals continued from paper can come before line 1."]
    if line.kind == REMOVED:
        return [] if line.revision and line.facts == {"entry": REMOVED} else ["there was no line there to remove."]
    if (line.kind == OPENING) != (line.position == 0):
        return ["only totals continued from paper can come before line 1."]
    try:
        if line.kind == OPENING:
            fields = Fields({})
            _begins(rules, line.facts, fields)
            return [problem.text for problem in fields.problems]
        _, problems = read_entry(rules.game, line.facts)
        if not problems:
            write_down(rules, line.facts, ("",) * rules.seating.sides, (), ())
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return ["what was struck cannot be read."]
    return [problem.text for problem in problems]


def _begins(rules: Ruleset, facts: Mapping[str, Any], fields: Fields | None = None) -> Carry:
    """Where a game begins that was carried on from paper."""
    said = {key: value for key, value in facts.items() if key != "entry"}
    return read_opening(rules.game, rules.rules, said, fields or Fields({}))
