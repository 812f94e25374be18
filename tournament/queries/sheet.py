"""A game's sheet for screens, the preview of a hand, and the fingerprint that is signed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Prefetch, prefetch_related_objects
from django.shortcuts import get_object_or_404
from django.utils.crypto import salted_hmac

from scoring.game import PASSED, NextHand
from scoring.ledger import Carry, Line, one_stop, side_name
from tournament.access import names_of
from tournament.errors import Fault
from tournament.models import Entry, Event, Game, Journal, Side, Signature
from tournament.models.game import REMOVED
from tournament.models.stored import shown_author
from tournament.queries.devices import LETTERS, plain_code
from tournament.queries.lineups import lineup
from tournament.queries.rules import Ruleset, Visibility, ruleset_at
from tournament.queries.scored import (
    TIME,
    NotPossible,
    ScoredGame,
    ScoredLine,
    active_entries,
    scored_game,
    sheet_code,
    sides_with_teams,
)
from tournament.queries.sheetfacts import GameSheet, Row, SeatFacts, SideFacts, Struck, coming_deals
from tournament.queries.signatures import standing_signatures
from tournament.queries.typed_sheets import paper_of
from tournament.queries.wording import Gist, bid_of, how_words, players_of, summed_up, write_down
from tournament.words.phrases import BY_IMPORT, SOURCES, clause, minus, signed

# The short code of a paper sheet, in its QR code and its address, and the game that it leads to.


GAME, EVENT = "game", "event"
# This many letters of a code prove that this site printed it: one guess in 28 million is right.
PROOF = 5


def sheet_address_code(kind: str, pk: int) -> str:
    """The code of a game's sheet, or of an event's blank one: its key in capitals and digits, then the proof."""
    return _written(pk) + _proof(kind, pk)


def found_by_code(code: str) -> Game | Event:
    """What a code leads to, whether typed or scanned. Raises Http404 for a code that this site did not print."""
    plain = plain_code(code)
    row, proof = plain[:-PROOF], plain[-PROOF:]
    pk = min(_read(row), 2**62)
    if proof == _proof(EVENT, pk) and row == _written(pk):
        return get_object_or_404(Event, pk=pk)
    if proof != _proof(GAME, pk) or row != _written(pk):
        pk = 0
    return get_object_or_404(Game.objects.select_related("round__event"), pk=pk)


def _proof(kind: str, pk: int) -> str:
    digest = salted_hmac(f"uptown.sheet.{kind}", str(pk)).digest()
    return _written(int.from_bytes(digest[:8]) % len(LETTERS) ** PROOF).rjust(PROOF, LETTERS[0])


def _written(number: int) -> str:
    text = ""
    while number or not text:
        number, digit = divmod(number, len(LETTERS))
        text = LETTERS[digit] + text
    return text


def _read(text: str) -> int:
    number = 0
    for character in text:
        number = number * len(LETTERS) + LETTERS.index(character)
    return number


# A game's sheet, read from its rows.


def sheet_games() -> Any:
    """Games with everything that `game_sheet` reads: a constant number of queries for any number of games."""
    return Game.objects.select_related("round__event", "result").prefetch_related(*_sheet(), "verifications")


def sheet_now(game: Game) -> GameSheet:
    """The current sheet of a game, read again from the database."""
    return game_sheet(sheet_games().get(pk=game.pk))


def with_sheet(game: Game) -> Game:
    """Add to a game that was just read what `sheet_games` loads.

    The comparison with paper is read only if the sheet came from paper, and signatures only once it can be signed.
    """
    signatures, *others = _sheet()
    prefetch_related_objects([game], *others, *([] if game.state == "playing" else [signatures]))
    return game


def _sheet() -> tuple[str | Prefetch[str, Any, str], ...]:
    return (
        Prefetch("signatures", Signature.objects.select_related("witness")),
        sides_with_teams(),
        "sides__team__players",
        "sides__team__substitutions",
        Prefetch("entries", Entry.objects.select_related("entered_by", "device")),
        "calls",
    )


def game_sheet(game: Game, *, whole: bool = False) -> GameSheet:
    """The sheet of a game from `sheet_games()`, with `whole` names for officials."""
    event, scored = game.round.event, scored_game(game)
    sides = tuple(
        _side(side, game.round.number, whole) for side in sorted(game.sides.all(), key=lambda side: side.index)
    )
    seats = seats_of(sides, scored.rules, game.first_dealer)
    entries = sorted(game.entries.all(), key=lambda entry: (entry.position, entry.revision))
    rows = _rows(scored, seats, sides, entries)
    code = sheet_code(game, scored)
    return GameSheet(
        scored=scored,
        game=game,
        sides=sides,
        seats=seats,
        rows=rows,
        removed=_removed(scored, seats, sides, entries),
        code=code,
        paper=paper_of(entries, game.verifications.all(), code, compared=event.compares_paper),
        signatures=_signed(game, code, whole) if scored.verdict else (),
        call=next((call for call in game.calls.all() if call.answered_at is None), None),
        next=scored.next_hand,
        next_position=scored.next_position,
        coming=() if scored.verdict else coming_deals(scored.rules, scored.carry.hands, scored.carry.deals),
        begun=game.begun_at is not None or bool(rows),
        short=sheet_address_code(GAME, game.pk),
    )


def _side(side: Side, number: int, whole: bool) -> SideFacts:
    team, players = side.team, lineup(side.team, number, whole=whole)
    return SideFacts(side.index, team.pk, team.number, team.full_name if whole else team.name, players, side.seated_at)


def _signed(game: Game, code: str, whole: bool) -> tuple[Signature, ...]:
    """The signatures under a sheet, with players' names as everybody may read them."""
    signatures = standing_signatures(game.signatures.all(), code)
    if whole:
        return tuple(signatures)
    names = names_of(side.team for side in game.sides.all())
    copies = tuple(copy(signature) for signature in signatures)
    for signature in copies:
        if not signature.on_paper and not signature.seen_by and signature.name != BY_IMPORT:
            signature.name = names.of(signature.name)
    return copies


def seats_of(sides: tuple[SideFacts, ...], rules: Ruleset, first_dealer: int) -> tuple[SeatFacts, ...]:
    """The seats clockwise, beginning with the first dealer."""
    count, teams = rules.seating.seats, rules.seating.sides
    seats = []
    for seat in range(count):
        side = sides[seat % teams] if seat % teams < len(sides) else None
        players = side.players if side else ()
        position = seat // teams
        name = players[position] if position < len(players) else (side.name if side else "")
        seats.append(SeatFacts(seat, seat % teams, name, side.name if side else ""))
    return tuple(seats[first_dealer % count :] + seats[: first_dealer % count]) if seats else ()


def _rows(
    scored: ScoredGame, seats: tuple[SeatFacts, ...], sides: tuple[SideFacts, ...], entries: Sequence[Entry]
) -> tuple[Row, ...]:
    rules, hands = scored.rules, scored.hands
    names, players = tuple(side.name for side in sides), players_of(seats)
    stored = {entry.position: entry for entry in active_entries(entries)}
    rows: list[Row] = []
    for line in scored.lines:
        entry, before, after = stored[line.position], line.before, line.after
        number = hands.get(line.position)
        lines = tuple(counted.name(names, players) for counted in line.lines)
        due = rules.game.next_hand(rules.rules, before)
        is_dealt = entry.kind in ("hand", "void") or number is not None
        earlier = [old for old in entries if old.position == entry.position and old.revision < entry.revision]
        row = Row(
            entry=entry.pk,
            position=entry.position,
            revision=entry.revision,
            number=number,
            kind=entry.kind,
            facts=line.facts,
            dealer=_dealer(seats, line.facts.get("dealer"), due.dealer) if is_dealt else None,
            written=write_down(
                rules,
                line.facts,
                names,
                seats,
                lines,
                cards=due.cards,
                before=before,
                result=line.result,
                hands=hands,
            ),
            deltas=tuple(new - old for new, old in zip(after.scores, before.scores, strict=True)),
            scores=tuple(after.scores),
            sets=tuple(after.sets),
            bags=tuple(after.bags),
            lines=lines,
            leader=_leader(after.scores),
            boston=_new_boston(before, after),
            ends_game=after.verdict is not None and before.verdict is None,
            by=_author(entry),
            source=SOURCES[entry.source],
            reason=entry.reason,
            at=entry.entered_at,
            struck=tuple(_struck(rules, before, old, names, seats, entries) for old in earlier if old.kind != REMOVED),
        )
        rows.append(row)
    return tuple(rows)


def _dealer(seats: tuple[SeatFacts, ...], written: int | None, due: int) -> SeatFacts | None:
    """Who dealt a line: the dealer that it names, otherwise the player whose turn it was."""
    if not seats:
        return None
    for seat in seats:
        if seat.seat == written:
            return seat
    return seats[due]


def _leader(scores: Sequence[int]) -> int | None:
    """The side with the highest score; None if several have it."""
    highest = max(scores)
    leaders = [side for side, score in enumerate(scores) if score == highest]
    return leaders[0] if len(leaders) == 1 else None


def _new_boston(before: Carry, after: Carry) -> int | None:
    """The side that made a Boston with a line."""
    for side, bostons in enumerate(after.bostons):
        if bostons > before.bostons[side]:
            return side
    return None


def _removed(
    scored: ScoredGame, seats: tuple[SeatFacts, ...], sides: tuple[SideFacts, ...], entries: Sequence[Entry]
) -> tuple[Struck, ...]:
    """Lines that were removed and not written again. Earlier lines count as hands, even if they were removed."""
    names = tuple(side.name for side in sides)

    def before(position: int) -> Carry:
        carry = next((line.before for line in scored.lines if line.position >= position), scored.carry)
        hands = len({entry.position for entry in entries if entry.position < position and entry.kind == "hand"})
        return carry._replace(hands=hands, deals=hands)

    last = {entry.position: entry for entry in entries}
    gone = {position for position, entry in last.items() if entry.kind == REMOVED}
    return tuple(
        _struck(scored.rules, before(entry.position), entry, names, seats, entries)
        for entry in entries
        if entry.position in gone and entry.kind != REMOVED
    )


def _struck(
    rules: Ruleset,
    before: Carry,
    entry: Entry,
    names: tuple[str, ...],
    seats: tuple[SeatFacts, ...],
    entries: Sequence[Entry],
) -> Struck:
    """A line that no longer counts, described as if the game were still at `before`, when it was written."""
    written = write_down(rules, entry.facts, names, seats, (), before=before._replace(verdict=None))
    by = next((later for later in entries if later.replaces_id == entry.pk), None)
    return Struck(
        written=written,
        by=_author(entry),
        source=SOURCES[entry.source],
        at=entry.entered_at,
        reason=entry.reason,
        struck_by=_author(by) if by else "",
        struck_at=by.entered_at if by else None,
        struck_reason=by.reason if by else "",
        struck_cause=by.cause if by else "",
        position=entry.position,
        taken_off=by is not None and by.kind == REMOVED,
    )


def _author(entry: Entry) -> str:
    return shown_author(entry.by, entry.entered_by, entry.device)


def why_hidden(game: Game, seen: Visibility) -> str:
    """Why the sheet of a game is hidden at this level of visibility; empty if it is shown."""
    if game.state != "final":
        return f"The sheet is shown when every side has signed it{ruleset_at(game).cited('42, 45')}."
    return "" if seen.shows(game.round.stage, game.round.state) else seen.why


def printed_sheets(event: Event) -> dict[str, datetime]:
    """When each sheet was last printed, by its fingerprint at the time."""
    acts = Journal.objects.filter(event=event, action="print").order_by("pk").values_list("at", "after")
    printings = ((moment, after.get("codes")) for moment, after in acts if isinstance(after, dict))
    return {
        code: moment
        for moment, codes in printings
        if isinstance(codes, list)
        for code in codes
        if isinstance(code, str)
    }


# What a hand would do if it were recorded, in words, before anything is stored.

# The gaps in the text of an effect: names of sides and players, what the hand changes, and the score after it.
MARK = re.compile(r"\{(side|seat|changes|score) ?(\d*)\}")
NOBODY = "nobody scores"


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a hand: a headline, its reasons, and the result. `outcome` is made, set, over or refused.

    With `at_bids` the bids themselves are refused, and no hand is played with them.
    """

    headline: str
    lines: tuple[str, ...]
    outcome: str
    at_bids: bool = False


class Marked(NamedTuple):
    """An effect with gaps, the same for every table in this situation. js/outcomes.js fills it as `filled` does."""

    headline: str
    why: str
    standing: str
    outcome: str


def effect_of_hand(
    game: Game, facts: dict[str, Any], faults: tuple[Fault, ...] = (), *, at_table: bool = False
) -> Effect | None:
    """The effect of a hand on a game from `sheet_games()`; None while too little has been chosen.

    After time was called, a hand played `at_table` ends its game, just as when it is recorded.
    """
    sheet = game_sheet(game)
    if sheet.over:
        return Effect("The game is over.", (), "refused")
    if problems := _refused_bids(sheet, facts):
        return problems
    if faults:
        return _so_far(sheet, facts)
    try:
        after = sheet.scored.with_entry(facts)
    except NotPossible as refusal:
        texts = [problem.text for problem in refusal.problems]
        return Effect(texts[0], tuple(texts[1:]), "refused")
    line = after.lines[-1]
    if at_table and game.round.time_called_at is not None and after.ends_by_time(sheet.scored, "table"):
        line = line._replace(after=after.with_entry({"entry": TIME}).carry)
    summary = summed_up(sheet.rules, line.facts, bid_of(line.facts, line.entry), line.lines, line.result)
    return filled(marked_effect(sheet.rules, summary, line.lines, line.after), sheet, line)


def _refused_bids(sheet: GameSheet, facts: dict[str, Any]) -> Effect | None:
    """What is wrong with the bids, once everybody has bid; None if all passed, which is a hand in itself."""
    bids, field = facts.get("bids"), sheet.next.field("bids") if sheet.next else None
    if field is None or not field.everybody or not bids or "" in bids or set(bids) == {PASSED}:
        return None
    problems = sheet.scored.bid_problems(facts)
    return Effect(problems[0].text, tuple(one.text for one in problems[1:]), "refused", True) if problems else None


def marked_effect(rules: Ruleset, summary: Gist, lines: tuple[Line, ...], after: Carry) -> Marked:
    """What a hand does, the same for every table. `summary` describes the hand independently of the score."""
    what = f"{summary.text} {rules.game.word}" if summary.bid else "This hand"
    why = _reasons(lines, summary.who) or (_with_rule(summary.text, summary.rule) + "." if summary.rule else "")
    outcome = "over" if after.verdict else summary.outcome
    return Marked(f"{what}: {{changes}}", why, _standing(after), outcome)


def filled(marked: Marked, sheet: GameSheet, line: ScoredLine) -> Effect:
    """An effect with the names and the score of its table."""
    names, before, after = tuple(side.name for side in sheet.sides), line.before.scores, line.after.scores
    turned = zip(names, before, after, strict=True)
    changes = [f"{name} {signed(now - old)}" for name, old, now in turned if now != old]
    score = ", ".join(f"{name} {minus(now)}" for name, now in zip(names, after, strict=True))
    values = {"side": names, "seat": players_of(sheet.seats)}
    values |= {"changes": (", ".join(changes) or NOBODY,), "score": (score,)}
    headline, why, standing = (_fill(text, values) for text in marked[:3])
    return Effect(headline, (f"{why[:1].upper()}{why[1:]}", standing), marked.outcome)


def _fill(text: str, values: Mapping[str, Sequence[str]]) -> str:
    return one_stop(MARK.sub(lambda mark: values[mark[1]][int(mark[2] or 0)], text))


def _reasons(lines: tuple[Line, ...], bidder: int | None) -> str:
    """The reason for every line with its rule, and its points if several lines have points.

    A side is named unless it is the bidding side.
    """
    several, reasons = len(lines) > 1 and len(lines) - [line.points for line in lines].count(0) > 1, []
    for line in lines:
        text = line.text if line.side == bidder else f"{side_name(line.side)}: {line.text}"
        if several and line.points:
            text += f", {signed(line.points)}"
        cited = clause(line.rule)
        reasons.append(f"{text} ({cited})" if cited else text)
    return f"{'; '.join(reasons)}." if reasons else ""


def _standing(after: Carry) -> str:
    if after.verdict is None:
        return "Score after this hand: {score}."
    winner = after.verdict.winner
    who = f"{side_name(winner)} won" if winner is not None else "nobody won"
    ended = ", ".join(dict.fromkeys((who, how_words(after.verdict.how))))
    return f"Game over: {_with_rule(ended, after.verdict.rule)}. {{score}}."


def _so_far(sheet: GameSheet, facts: dict[str, Any]) -> Effect | None:
    """Once a bid and its side are chosen, ask for what the hand still needs."""
    fields = {field.layout: field for field in sheet.next.fields if field.of == "bidder"} if sheet.next else {}
    seat, bid, taken = (
        facts.get(fields[layout].key) if layout in fields else None for layout in ("seats", "grid", "count")
    )
    words = next((choice.words for choice in fields["grid"].offered() if choice.value == bid), "") if bid else ""
    if not words or taken is not None or seat is None or seat not in range(len(sheet.seats)):
        return None
    name = sheet.sides[seat % len(sheet.sides)].name
    return Effect(_asks(sheet.rules, words).replace("{who}", name), (), "")


def asks(rules: Ruleset, due: NextHand) -> dict[str, str]:
    """The question that follows each bid, by bid; {who} is replaced by the side."""
    return {
        choice.value: _asks(rules, choice.words)
        for field in due.fields
        if field.layout == "grid"
        for choice in field.offered()
    }


def _asks(rules: Ruleset, bid: str) -> str:
    return f"{{who}} bid {bid}: how many {rules.game.word} did they take?"


def _with_rule(text: str, rule: str) -> str:
    cited = clause(rule)
    return f"{text} ({cited})" if cited else text
