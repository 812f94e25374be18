"""What a tablet is sent in advance: the outcome of the next hand, forms of hands to come, and its page's state.

The tablet itself says what a hand would do, online or offline. All hands can be listed only if one side wins the
auction; if everybody bids there are too many.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from scoring.document import read_entry
from scoring.game import Choice, Field, NextHand
from scoring.ledger import BySide, Carry, cached_on_rules
from tournament.queries.bids import Locked
from tournament.queries.rules import Ruleset
from tournament.queries.scored import ScoredGame
from tournament.queries.sheet import NOBODY, asks, marked_effect
from tournament.queries.sheetfacts import LINES, GameSheet, SideFacts
from tournament.queries.tablet import DEALER, PLAY, SEATS, TabletPage
from tournament.queries.wording import bid_of, summed_up
from tournament.words.phrases import CALLED

# Endings that need no counting: such a hand ends the game whatever was written before it.
BY_ITSELF = frozenset({"odd", "boston"})
# How many tables may be in play at once, each with another score.
MOST = 512


class After(NamedTuple):
    """Where a hand leads: the score after it, its description, how the bid ended, and whether the game is over.

    `ends` means that it ends the game whatever comes before it. `sets` is the set count afterward of a side that has
    one set: another one, none anymore, or the same; empty if sets end no game.
    """

    scores: tuple[int, ...]
    standing: str
    outcome: str
    over: bool
    ends: bool
    sets: tuple[int, ...]


class Outcomes(NamedTuple):
    """Every next hand. `answers` are those to the fields that a hand needs, in order.

    `hands` are three lists over all combinations of them, the last field fastest: the number of the headline, of the
    reason, and of where it leads. Texts have marks, as in `sheet.Marked`. `asks` is the question behind each bid, until
    the number taken is given.
    """

    answers: tuple[tuple[Any, ...], ...]
    headlines: tuple[str, ...]
    reasons: tuple[str, ...]
    leads: tuple[After, ...]
    hands: tuple[list[int], list[int], list[int]]
    asks: dict[str, str]
    nobody: str = NOBODY


class Limits(NamedTuple):
    """At which counts the game is over, for an offline tablet; None if no count ends the game.

    `hands` are those still to be played, `sets_now` the current number of sets. A game won by a lead, or as part of a
    rubber, does not depend on a single sum: nothing is sent about it.
    """

    win_at: int | None
    lose_at: int | None
    sets: int | None
    sets_now: tuple[int, ...]
    hands: int | None


def outcomes(scored: ScoredGame) -> Outcomes | None:
    """The result of every next hand; empty if everybody bids, or the game is over."""
    return None if scored.next_hand is None else _outcomes(scored.rules, _asked_of(scored.rules, scored.carry))


def _asked_of(rules: Ruleset, carry: Carry) -> Carry:
    """The part of a score that matters for a next hand: tables that differ only in the rest have the same outcomes."""
    none = BySide.each(len(carry.scores), 0)
    ends, in_a_row = _set_limit(rules) is not None, _in_a_row(rules)
    sets, running = carry.sets if ends and not in_a_row else none, carry.sets_running if ends and in_a_row else none
    # If one side wins the auction, no game has a fixed number of hands: only the first hand differs.
    return carry._replace(sets=sets, sets_running=running, bostons=none, hands=min(carry.hands, 1), deals=0)


@lru_cache(maxsize=MOST)
def _outcomes(rules: Ruleset, carry: Carry) -> Outcomes | None:
    """The same for every table with these rules and this score; `carry` is what `_asked_of` leaves of it."""
    due = rules.game.next_hand(rules.rules, carry)
    fields = tuple(field for field in due.fields if field.needed)
    if not fields or any(field.of != "bidder" for field in fields):
        return None
    numbered: tuple[dict[Any, int], ...] = ({}, {}, {})
    numbers: tuple[list[int], list[int], list[int]] = ([], [], [])
    # The sets after a hand of a side that has one set, whatever the score is: only in a rubber do sets depend on the
    # score, and then nothing is sent about them. A bid that was made breaks a row of sets.
    sets = {"set": 2, "": 1} | dict.fromkeys(("made", "lost"), 0 if _in_a_row(rules) else 1)
    if _set_limit(rules) is None:
        sets = {}
    for facts, entry, bid in _hands(rules, fields):
        lines, after, result = rules.game.scored(rules.rules, carry, entry)
        summary = summed_up(rules, facts, bid, lines, result)
        marked = marked_effect(rules, summary, lines, after)
        ends = after.verdict is not None and after.verdict.how in BY_ITSELF
        counted = tuple(map(sets.__getitem__, summary.words)) if sets else ()
        lead = After(after.scores, marked.standing, marked.outcome, after.verdict is not None, ends, counted)
        for column, those, value in zip(numbers, numbered, (marked.headline, marked.why, lead), strict=True):
            column.append(those.setdefault(value, len(those)))
    headlines, reasons, leads = (tuple(those) for those in numbered)
    return Outcomes(
        tuple(_answers(rules, field) for field in fields), headlines, reasons, leads, numbers, asks(rules, due)
    )


@cached_on_rules
def _hands(rules: Ruleset, fields: tuple[Field, ...]) -> tuple[tuple[Mapping[str, Any], Any, str], ...]:
    """Every combination of answers as facts, entry, and bid: a sheet offers no answer that its rules refuse."""
    hands = []
    *others, last = fields
    counts = _answers(rules, last)
    for answers in product(*[_answers(rules, field) for field in others]):
        facts = {"entry": "hand"} | dict(zip([field.key for field in others], answers, strict=True))
        entry: Any = None
        for answer in counts:
            facts = facts | {last.key: answer}
            if entry is None:
                entry, _ = read_entry(rules.game, facts)
                bid = bid_of(facts, entry)
            else:
                # The entry has the count as it was given: the rest of the hand need not be read again.
                entry = replace(entry, **{last.key: answer})
            hands.append((facts, entry, bid))
    return tuple(hands)


def _answers(rules: Ruleset, field: Field) -> tuple[Any, ...]:
    """Every answer to a field; one player of a side represents all of them."""
    if field.layout == "seats":
        return tuple(range(rules.seating.sides))
    return tuple(int(choice.value) if field.layout == "count" else choice.value for choice in field.offered())


def limits(scored: ScoredGame) -> Limits:
    """The counts at which a game is over."""
    rules, carry = scored.rules, scored.carry
    options = rules.rules
    planned = rules.game.hands_planned(options)
    hands = None if planned is None else max(planned - carry.hands, 0)
    if getattr(options, "win_rule", "lead") == "lead" or getattr(options, "rubber_games", 1) > 1:
        return Limits(None, None, None, (), hands)
    win_at, lose_at = getattr(options, "win_at", None), getattr(options, "lose_at", None)
    return Limits(win_at, lose_at, _set_limit(rules), tuple(_counted_sets(rules, carry)), hands)


def _set_limit(rules: Ruleset) -> int | None:
    limit: int | None = getattr(rules.rules, "set_limit", None)
    return limit


def _counted_sets(rules: Ruleset, carry: Carry) -> BySide[int]:
    return carry.sets_running if _in_a_row(rules) else carry.sets


def _in_a_row(rules: Ruleset) -> bool:
    return bool(getattr(rules.rules, "sets_consecutive", False))


# The forms of hands to come, which a tablet is sent before it needs them: once for many hands.

# Placeholders for the numbers of a hand and its line until they are filled in. Nothing and nobody has such a name.
NUMBER, POSITION = 7_302_518_846_193, 7_302_518_846_194
# A side this far behind may bid everything that only a trailing side may bid.
BEHIND = -100_000
# Marks the row of an answer that the current score does not allow: css/unsent.css shows it while lines are unsent.
AT_ANOTHER_SCORE = "another-score"


def stretch_of(sheet: GameSheet) -> tuple[Carry, int, int]:
    """The hands that are sent together: the carry and the position before the first of them, and how many there are.

    All hands of a schedule; in a game without one, those of this sheet of paper and of the next.
    """
    rules, carry = sheet.rules, sheet.scored.carry
    planned = rules.game.hands_planned(rules.rules)
    first = carry.hands // LINES * LINES if planned is None else 0
    past = carry.hands - first
    begin = carry._replace(hands=first, deals=carry.deals - past)
    return (begin, sheet.next_position - past, 2 * LINES if planned is None else planned)


def coming_forms(sheet: GameSheet, write: Callable[[GameSheet], str]) -> Iterator[str]:
    """The form of each hand of its stretch, for the sheet as it will be then.

    Forms that differ only in the numbers of hand and line are sent once.
    """
    written: dict[NextHand, str] = {}
    for upcoming in coming_sheets(sheet):
        assert upcoming.next is not None
        due = upcoming.next._replace(number=NUMBER)
        if due not in written:
            written[due] = write(replace(upcoming, next=due, next_position=POSITION))
        form = written[due].replace(str(NUMBER), str(upcoming.next.number))
        yield form.replace(str(POSITION), str(upcoming.next_position))


def coming_sheets(sheet: GameSheet) -> tuple[GameSheet, ...]:
    """The sheet as the entry form needs it for each hand of its stretch."""
    if sheet.next is None:
        return ()
    carry, position, many = stretch_of(sheet)
    return tuple(
        replace(
            sheet,
            next=_at_any_score(sheet.rules, carry._replace(hands=carry.hands + k, deals=carry.deals + k)),
            next_position=position + k,
        )
        for k in range(many)
    )


def _at_any_score(rules: Ruleset, carry: Carry) -> NextHand:
    """What the table writes next, with every answer that another score would allow, marked as such.

    While lines are only on the tablet, nobody knows the score: the table may be far behind by then.
    """
    due = rules.game.next_hand(rules.rules, carry)
    sides = len(carry.scores)
    far = [BySide(tuple(BEHIND * (side == other) for other in range(sides))) for side in range(sides)]
    others = [rules.game.next_hand(rules.rules, carry._replace(scores=scores)) for scores in far]
    fields = []
    for index, field in enumerate(due.fields):
        alike = [other.fields[index] for other in others if _keys(other) == _keys(due)]
        choices = zip(field.choices, *(other.choices for other in alike), strict=False)
        fields.append(field._replace(choices=tuple(_with_more(*offered) for offered in choices)))
    return due._replace(fields=tuple(fields))


def _keys(due: NextHand) -> list[str]:
    return [field.key for field in due.fields]


def _with_more(now: tuple[Choice, ...], *others: tuple[Choice, ...]) -> tuple[Choice, ...]:
    more = dict.fromkeys(choice for offered in others for choice in offered if choice not in now)
    return (*now, *(choice._replace(row=AT_ANOTHER_SCORE) for choice in more))


def coming_key(page: TabletPage) -> str:
    """Changes with what is sent in advance, and with nothing else: not with every hand, nor when somebody sits down."""
    sheet = page.sheet
    if sheet is None or sheet.next is None:
        return ""
    carry, position, many = stretch_of(sheet)
    # What may be bid can depend on the score.
    first = sheet.rules.game.next_hand(sheet.rules.rules, carry)
    seats = sorted((seat.seat, seat.name, seat.team) for seat in sheet.seats)
    dealer = None if sheet.unbegun else sheet.seats[0].seat
    # The first number goes up when the markup of the forms changes: then everything is sent again.
    about = (3, sheet.game.pk, sheet.sheet_key, sheet.rules.rules, seats, dealer, page.writes, first, position, many)
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


# What the tablet's script knows of its table, as plain data next to the page: facts of the sheet, nothing computed.

MILLISECONDS = 1000


def tablet_state(page: TabletPage) -> dict[str, Any]:
    """The page as data. `stamp` is when it was made: of two pages the newer one is right.

    `reached` is the event's version: what was answered at a later one may not be on the page yet. `who` sits there, or
    will sit there in the `round` that comes next.
    """
    state: dict[str, Any] = {
        "stamp": int(time.time() * MILLISECONDS),
        "reached": page.event.version,
        "instance": page.instance,
        "epoch": str(page.event.epoch),
        "event": page.event.slug,
        "event_name": page.event.name,
        "table": page.table,
        "device": page.device,
        "letter": page.letter,
        "writes": page.writes,
        "phase": page.phase,
        "version": page.version,
        "game": None,
        "who": [side.row for side in page.who],
        "round": page.coming.number if page.coming else None,
    }
    sheet = page.sheet
    if sheet is None:
        return state
    state |= _sheet_state(page, sheet)
    if page.writes and page.phase in (SEATS, DEALER, PLAY):
        next_hands = outcomes(sheet.scored)
        state["outcomes"] = next_hands and next_hands._asdict()
        state["limits"] = limits(sheet.scored)._asdict()
        state["timed"] = page.times is not None and page.times.called
    return state


def _sheet_state(page: TabletPage, sheet: GameSheet) -> dict[str, Any]:
    """What the tablet knows of its game.

    `dealer` deals first, None while nobody is named; `coming` changes with what the tablet is sent ahead. `hands` have
    been scored; with `timed` the server has to be asked what a hand does: time was called.
    """
    return {
        "game": sheet.game.pk,
        "round": sheet.round.number,
        "coming": coming_key(page),
        "dealer": None if page.phase in (SEATS, DEALER) else sheet.seats[0].seat,
        "lines": page.lines,
        "scores": sheet.scores,
        "call": sheet.call.kind if sheet.call else None,
        "calls": CALLED,
        "hand": sheet.next.number if sheet.next else None,
        "hands": sheet.hands,
        "locked": _locked_state(page.locked),
        "fields": [_field(field) for field in sheet.next.fields if field.needed] if sheet.next else [],
        "sides": [_side(sheet, side) for side in sheet.sides],
        "seats": {seat.seat: seat.name for seat in sheet.seats},
    }


def _locked_state(locked: Locked | None) -> dict[str, Any] | None:
    if locked is None:
        return None
    return {"position": locked.position, "bids": locked.bids, "words": locked.words}


def _field(field: Field) -> dict[str, str]:
    return {"key": field.key, "layout": field.layout, "short": field.short}


def _side(sheet: GameSheet, side: SideFacts) -> dict[str, Any]:
    signed = sheet.over and side not in sheet.unsigned
    return {
        "name": side.name,
        "players": side.players or (side.name,),
        "seated": side.seated_at is not None,
        "signed": signed,
    }
