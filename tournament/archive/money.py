"""The money and the decisions about the bracket in an event file: written out, and read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from scoring.fields import Fields
from scoring.standings.pot import percentage
from tournament.archive.changes import SMALL, each_once, filled, objects, read_count, read_moment
from tournament.errors import Fault
from tournament.models import Event, Ledger, Placing
from tournament.models.stored import author
from tournament.models.team import ADJUSTMENT, BEFORE, CASH, INCOME, OUTGO, OWED, PAYOUT, POT, PRIZE

LINE = frozenset("receipt kind purpose cents team payee person reason how by at reverses".split())
PLACING = frozenset("number kind source before after reason by at".split())
PLACING_NEEDS = (
    "it needs a kind (drawn, keep, replay, out or in) and teams of the file, each once; drawn are two at least."
)
MOST_CENTS = 1_000_000_00
MOST_PRIZES = 500
PURPOSES = {PAYOUT: (POT, PRIZE), ADJUSTMENT: (OWED, CASH)}


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of the ledger. `team` is a number, `reverses` a receipt; None where there is none."""

    receipt: int
    kind: str
    purpose: str
    cents: int
    team: int | None
    payee: str
    person: str
    reason: str
    how: str
    by: str
    at: datetime | None
    reverses: int | None


def ledger_of(event: Event) -> list[dict[str, Any]]:
    rows = Ledger.objects.filter(event=event).select_related("team", "reverses")
    return [filled(_line(row)) for row in rows]


def placings_of(event: Event) -> list[dict[str, Any]]:
    fields = ("number", "kind", "source", "before", "after", "reason")
    return [
        filled({name: getattr(one, name) for name in fields})
        | filled({"by": author(one.by, one.made_by), "at": one.made_at.isoformat()})
        for one in Placing.objects.filter(event=event).select_related("made_by")
    ]


def read_ledger(data: Any, teams: Mapping[int, str], faults: list[Fault]) -> tuple[FileLine, ...] | None:
    """The lines of a file, None where it has no ledger. A line takes back an earlier one of its kind, once, wholly."""
    if data is None:
        return None
    lines: dict[int, FileLine] = {}
    taken_back: set[int] = set()
    for index, fields in enumerate(objects(data, LINE), start=1):
        line = _read_line(fields, teams)
        old = lines.get(line.reverses) if line.reverses is not None else None
        if line.receipt in lines or line.receipt < 1:
            fields.refuse("receipt", "Every receipt has a number of its own, from 1.")
        if line.reverses is not None:
            same = old and (old.kind, old.purpose, old.team, -old.cents) == (
                line.kind,
                line.purpose,
                line.team,
                line.cents,
            )
            if old is None or not same or old.reverses is not None or line.reverses in taken_back:
                fields.refuse("reverses", "it takes back an earlier line of the same kind and team, once and wholly.")
            taken_back.add(line.reverses)
        elif (line.kind in INCOME and line.cents < 0) or (line.kind in OUTGO and line.cents > 0):
            fields.refuse("cents", "money in is above zero, money out is below zero.")
        lines[line.receipt] = line
        faults += [Fault("ledger", f"Ledger, line {index}, field {one.field}: {one.text}") for one in fields.problems]
    return tuple(lines[number] for number in sorted(lines))


def read_placings(data: Any, teams: Mapping[int, str], faults: list[Fault]) -> list[dict[str, Any]]:
    """The decisions about the bracket, as rows have them; without a time where the file tells none."""
    made: list[dict[str, Any]] = []
    for index, fields in enumerate(objects(data, PLACING), start=1):
        number, source = read_count(fields, "number", 1, SMALL) or index, fields.text("source")[:12]
        kind, before, after = fields.text("kind"), fields.numbers("before"), fields.numbers("after")
        reason, by, at = fields.text("reason")[:200], fields.text("by")[:150], read_moment(fields, "at")
        wrong = [f", field {problem.field}: {problem.text}" for problem in fields.problems]
        if not wrong and not _can_be_placed(kind, before, after, teams):
            wrong = [f": {PLACING_NEEDS}"]
        faults += [Fault("placings", f"Placing {index}{text}") for text in wrong]
        if not wrong:
            said = {"kind": kind, "source": source, "before": list(before), "after": list(after), "reason": reason}
            made.append({"number": number, "by": by, "made_at": at, **said})
    if len({one["number"] for one in made}) != len(made):
        faults.append(Fault("placings", "Placings: every one has a number of its own."))
    return made


def read_prizes(data: Any, faults: list[Fault]) -> dict[str, Any]:
    """The payout table: cents by place, or percentages of a sum."""
    if not data:
        return {}
    try:
        if data["by"] == "percent":
            percent, purse = [str(one) for one in _listed(data["percent"])], data.get("purse", 0)
            if percent and sum(map(percentage, percent), Fraction(0)) <= 100 and _is_money(purse):
                return {"by": "percent", "percent": percent, "purse": purse}
        elif all(map(_is_money, _listed(data["prizes"]))):
            return {"by": "place", "prizes": data["prizes"]}
    except (AttributeError, KeyError, TypeError, ValueError):
        pass
    text = f"Field prizes: at most {MOST_PRIZES}, in cents by place, or percentages that are 100 at most together."
    faults.append(Fault("prizes", text))
    return {}


def _can_be_placed(kind: str, before: tuple[int, ...], after: tuple[int, ...], teams: Mapping[int, str]) -> bool:
    least = 2 if kind == "drawn" else 1
    return kind in dict(Placing.KINDS) and len(before) >= least and each_once(before, teams) and each_once(after, teams)


def _listed(prizes: Any) -> list[Any]:
    if not isinstance(prizes, list) or len(prizes) > MOST_PRIZES:
        raise ValueError(prizes)
    return prizes


def _is_money(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_CENTS


def _line(row: Ledger) -> dict[str, Any]:
    return {
        "receipt": row.number,
        "kind": row.kind,
        "purpose": row.purpose,
        "cents": row.cents,
        "team": row.team.number if row.team else None,
        "payee": row.payee,
        "person": row.person,
        "reason": row.reason,
        "how": row.how,
        "by": row.by,
        "at": row.made_at.isoformat(),
        "reverses": row.reverses.number if row.reverses else None,
    }


def _read_line(fields: Fields, teams: Mapping[int, str]) -> FileLine:
    kind, purpose, team = fields.text("kind"), fields.text("purpose"), fields.number("team")
    if kind not in dict(Ledger.KINDS) or purpose not in PURPOSES.get(kind, ("",)):
        fields.refuse("kind", f"“{kind}” with purpose “{purpose}” is not known.")
    if team is not None and team not in teams:
        fields.refuse("team", f"there is no team {team}.")
    cents = fields.facts.get("cents")
    if type(cents) is not int or not cents or abs(cents) > MOST_CENTS:
        fields.refuse("cents", "a sum in whole cents is needed.")
        cents = 1
    if (how := fields.text("how")) not in ("", BEFORE):
        fields.refuse("how", f"“{how}” is not known.")
    texts = {"payee": 50, "person": 40, "reason": 200, "by": 150}
    payee, person, reason, by = (fields.text(key)[:longest] for key, longest in texts.items())
    receipt, reverses, at = (
        fields.number("receipt") or 0,
        fields.number("reverses"),
        read_moment(fields, "at", zoned=True),
    )
    return FileLine(receipt, kind, purpose, cents, team, payee, person, reason, how, by, at, reverses)
