"""The game document: a game written down as JSON, read strictly, scored, and printed with its points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from scoring.back_alley.score import GAME as BACK_ALLEY
from scoring.bid_whist.score import GAME as BID_WHIST
from scoring.decisions import Adjustment, AgreedStop, Award, Ruling, Time, Void
from scoring.fields import Fields
from scoring.game import CardGame, Sheet, game_points
from scoring.ledger import CannotScore, Carry, Line, Problem, named, quoted
from scoring.okinawa.score import GAME as OKINAWA
from scoring.opening import opening_contradictions, read_opening
from scoring.options import choose, describe
from scoring.spades.score import GAME as SPADES

GAMES: tuple[CardGame[Any], ...] = (BID_WHIST, SPADES, BACK_ALLEY, OKINAWA)


def find_game(key: str) -> CardGame[Any]:
    """Find a game by the key of the game or of one of its sheets; KeyError if there is none."""
    return {game.key: game for game in GAMES}[key.partition("/")[0]]


def find_sheet(key: str) -> Sheet[Any]:
    """Find a rule sheet by its key, “spades/standard”; KeyError if there is none."""
    return {sheet.key: sheet for sheet in find_game(key).sheets}[key]


def all_sheets() -> tuple[tuple[CardGame[Any], Sheet[Any]], ...]:
    """List every sheet with its game, in the order in which they are offered."""
    return tuple((game, sheet) for game in GAMES for sheet in game.sheets)


def heading_of(rule: str) -> str:
    """Return players’ name for a clause that no sheet numbers; nothing for any other rule."""
    return next((game.headings[rule] for game in GAMES if rule in game.headings), "")


# The game document: one game written down as plain data, read strictly.

TOP = frozenset({"sheet", "options", "sides", "opening", "entries", "title", "note"})
NOTE = frozenset({"entry", "note"})
RULED = frozenset({"rule", "reason", "director", "time", "at"}) | NOTE
GIVEN_TO = ("to", "side", "winner")
DECISION_FIELDS = {
    "void": frozenset({"rule", "reason"}) | NOTE,
    "ruling": frozenset({"side", "choice", "bidder", "seat", "bid", "books", "line", "points", "sets"}) | RULED,
    "award": frozenset(GIVEN_TO) | RULED,
    "adjustment": frozenset({"points", "sets", "side", "line"}) | RULED,
    "time": frozenset({"rule", "reason"}) | NOTE,
    "agreed_stop": frozenset({"rule", "reason"}) | NOTE,
}
# No game here has more sides at a table.
MOST_SIDES = 6


@dataclass(frozen=True, slots=True)
class Document:
    """A game as data. `carry` is where it starts: at 0, or at the totals of a paper sheet."""

    game: CardGame[Any]
    sheet: Sheet[Any]
    rules: Any
    sides: tuple[str, ...]
    carry: Carry
    entries: tuple[Any, ...]


def read_document(data: Any, as_played: Sheet[Any] | None = None) -> Document:
    """Read a game document, or raise CannotScore with everything that is malformed.

    `as_played` is its sheet as it was when the game was played, if the caller stored what the sheet printed then.
    """
    if not isinstance(data, Mapping):
        raise CannotScore((Problem("document", "", "A game document is an object with a sheet, sides and entries."),))
    fields = Fields(data)
    fields.only(TOP)
    game, sheet = _find(data.get("sheet"))
    sheet = as_played or sheet
    sides = fields.texts("sides")
    options = {} if data.get("options") is None else data["options"]
    if not isinstance(options, Mapping):
        fields.refuse("options", "Options are an object: option and choice.")
        options = {}
    rules, refused = choose(game.for_sides(sheet.rules, len(sides)), options)
    needed = game.seating(rules).sides
    if len(sides) != needed:
        tables = (choose(game.for_sides(sheet.rules, n), options)[0] for n in range(2, MOST_SIDES + 1))
        *others, last = map(str, sorted({game.seating(table).sides for table in tables}))
        playing = f"{', '.join(others)} or {last}" if others else last
        naming = "1 is named" if len(sides) == 1 else f"{len(sides)} are named"
        fields.refuse("sides", f"{sheet.title} is played by {playing} sides; {naming}.")
    carry = _read_opening(game, rules, data.get("opening"), fields)
    entries, faults = read_entries(game, data.get("entries"))
    rules = game.as_written(rules, options, entries)
    problems = (*fields.problems, *refused, *faults)
    if problems:
        raise CannotScore(problems)
    return Document(game, sheet, rules, sides, carry, entries)


def _read_opening(game: CardGame[Any], rules: Any, data: Any, fields: Fields) -> Carry:
    before = len(fields.problems)
    carry = read_opening(game, rules, data, fields)
    if len(fields.problems) == before:
        wrong = opening_contradictions(game, rules, data, carry)
        fields.problems += [problem._replace(field=f"opening.{problem.field}") for problem in wrong]
    return carry


def read_entries(game: CardGame[Any], data: Any) -> tuple[tuple[Any, ...], tuple[Problem, ...]]:
    """Read the entries of a document; every problem names the entry it belongs to."""
    if not isinstance(data, (list, tuple)):
        return (), (Problem("entries", "", "The entries are a list."),)
    entries, problems = [], []
    for index, facts in enumerate(data):
        entry, faults = read_entry(game, facts)
        entries.append(entry)
        problems += [fault._replace(entry=index) for fault in faults]
    return tuple(entries), tuple(problems)


def read_entry(game: CardGame[Any], facts: Any) -> tuple[Any, tuple[Problem, ...]]:
    """Read one entry of a game's document: the entry, or None and its problems."""
    if not isinstance(facts, Mapping):
        return None, (Problem("entry", "", "An entry is an object."),)
    kind = facts.get("entry")
    kind = kind.replace("-", "_") if isinstance(kind, str) else kind
    if kind == "hand":
        return game.read_hand(facts)
    if not isinstance(kind, str) or kind not in DECISION_FIELDS:
        return None, (Problem("entry", "", f"{quoted(kind)} is not an entry: hand, {', '.join(DECISION_FIELDS)}."),)
    fields = Fields(facts)
    fields.only(DECISION_FIELDS[kind])
    entry = _read_decision(kind, fields)
    return (None, tuple(fields.problems)) if fields.problems else (entry, ())


def _find(key: Any) -> tuple[CardGame[Any], Sheet[Any]]:
    try:
        return find_game(key), find_sheet(key)
    except (KeyError, AttributeError):
        raise CannotScore((Problem("sheet", "", f"There is no rule sheet {quoted(key)}."),)) from None


def _read_decision(kind: str, fields: Fields) -> Any:
    rule, reason = _rule(fields), fields.text("reason")
    if kind == "void":
        return Void(rule, reason)
    director, time = fields.text("director"), fields.text("time") or fields.text("at")
    if kind == "award":
        named = _given_to(fields)
        return Award(rule, fields.number(named), reason, director, time, named)
    if kind == "adjustment":
        points, sets = fields.numbers("points"), fields.numbers("sets")
        side, line = fields.number("side"), fields.number("line")
        return Adjustment(points, sets, rule, reason, director, time, side, line)
    if kind == "ruling":
        return _read_ruling(fields, Ruling(rule, fields.text("choice"), reason=reason, director=director, time=time))
    return Time() if kind == "time" else AgreedStop()


def _read_ruling(fields: Fields, ruling: Ruling) -> Ruling | Adjustment:
    """Read what a ruling says about the bid. A ruling “adjustment” that has points or sets is read as an Adjustment."""
    side, bidder = fields.number("side"), fields.number("bidder")
    bid, books = fields.text("bid"), fields.number("books")
    given = [name for name in ("points", "sets") if fields.facts.get(name) is not None]
    if given and ruling.choice.strip().lower() == "adjustment":
        rule = "" if ruling.rule == "other" else ruling.rule
        points, sets = fields.numbers("points"), fields.numbers("sets")
        return Adjustment(points, sets, rule, ruling.reason, ruling.director, ruling.time)
    for name in given:
        fields.refuse(name, f"“{name}” can be given only if the choice is “adjustment”.")
    by = _bidder_in(fields, side, bidder)
    return replace(ruling, side=side, bidder=by, bid=bid, books=books, line=fields.number("line"))


def _bidder_in(fields: Fields, side: int | None, bidder: int | None) -> int | None:
    """Return the side that won the bid, also from the bidder’s seat. With both, the seat may be the offender’s."""
    seat = fields.number("seat")
    if seat is None:
        return bidder
    if seat not in range(4):
        fields.refuse("seat", "The seat is a place at the table from 0 to 3.")
    elif bidder is not None and seat % 2 not in (bidder, side):
        fields.refuse("seat", f"Seat {seat} belongs to neither side that is named.")
    return seat % 2 if bidder is None else bidder


def _given_to(fields: Fields) -> str:
    """Return the field that names the side which gets the game: “to”, “side” or “winner”, whichever is written."""
    written = [name for name in GIVEN_TO if name in fields.facts]
    if not written:
        fields.refuse("side", "Which side is the game awarded to? A side, or null for nobody.")
    elif len(written) > 1:
        fields.refuse(written[1], "An award names the side once: the side that gets the game.")
    return written[0] if written else "side"


def _rule(fields: Fields) -> str:
    """Read the cited rule: text as on the sheet, “13”, or a plain number."""
    rule = fields.facts.get("rule")
    if type(rule) is int and 0 < rule < 1000:
        return str(rule)
    return fields.text("rule")


# A scored document: every entry with its reasons and the state after it, and how the game ended.


class Step(NamedTuple):
    """One entry, its lines, and the carry after it."""

    entry: Any
    lines: tuple[Line, ...]
    carry: Carry


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A scored game: its document, one step per entry, and the carry at the end."""

    document: Document
    steps: tuple[Step, ...]
    carry: Carry


def score_document(document: Document) -> Scorecard:
    """Score a document; raise CannotScore at the first entry that cannot be scored."""
    game, rules, carry = document.game, document.rules, document.carry
    steps = []
    for index, laid in enumerate(game.laid(rules, carry, document.entries)):
        if problems := game.problems(rules, carry, laid):
            raise CannotScore(tuple(problem.of(index) for problem in problems))
        lines, carry = game.score_entry(rules, carry, laid)
        steps.append(Step(document.entries[index], lines, carry))
    return Scorecard(document, tuple(steps), carry)


def print_score(data: Any) -> dict[str, Any]:
    """Score the data of a document and return what `manage.py score` prints for it."""
    try:
        card = score_document(read_document(data))
    except CannotScore as refusal:
        return {"problems": [print_problem(problem) for problem in refusal.problems]}
    verdict, sides = card.carry.verdict, card.document.sides
    return {
        "entries": [
            {
                "lines": [
                    {
                        "rule": line.rule,
                        "side": line.side,
                        "points": line.points,
                        "text": named(line.text, sides),
                        "kind": line.kind,
                    }
                    for line in step.lines
                ],
                "scores": list(step.carry.scores),
                "sets": list(step.carry.sets),
                "bags": list(step.carry.bags),
            }
            for step in card.steps
        ],
        "over": verdict is not None,
        "winner": verdict.winner if verdict else None,
        "how": verdict.how if verdict else None,
        "rule": verdict.rule if verdict else None,
        "text": named(verdict.text, sides) if verdict else None,
        "points": list(game_points(card.document.rules, card.carry)),
        "bostons": list(card.carry.bostons),
        "problems": [],
    }


def print_problem(problem: Problem) -> dict[str, Any]:
    """Return a problem as it is printed: where, by which rule, and what is wrong."""
    return {"entry": problem.entry, "field": problem.field, "rule": problem.rule, "text": problem.text}


def print_sheets() -> list[dict[str, Any]]:
    """Describe every rule sheet with its options in words."""
    printed = []
    for game, sheet in all_sheets():
        seating = game.seating(sheet.rules)
        fields = game.next_hand(sheet.rules, game.begin(sheet.rules)).fields
        options = [
            {
                "key": item.key,
                "title": item.title,
                "type": item.type,
                "choices": dict(item.choices),
                "low": item.low,
                "high": item.high,
                "default": item.default,
                "words": item.words,
                "group": item.group,
            }
            for item in describe(sheet.rules)
        ]
        printed.append(
            {
                "key": sheet.key,
                "title": sheet.title,
                "source": sheet.source,
                "seats": seating.seats,
                "sides": seating.sides,
                "bids_by": "seat" if any(field.key == "bids" and field.of == "seat" for field in fields) else "side",
                "auction": any(field.of == "bidder" for field in fields),
                "options": options,
            }
        )
    return printed
