"""A game's sheet, read from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from scoring.game import NextHand
from tournament.models import Entry, Game, Side, Signature
from tournament.models.game import REMOVED
from tournament.phrases import SOURCES
from tournament.queries.authors import shown_author
from tournament.queries.deals import coming_deals
from tournament.queries.lineup import lineup
from tournament.queries.rules import Ruleset, ruleset_at
from tournament.queries.scored import ScoredGame, active_entries, scored_game, sheet_code
from tournament.queries.sheetcode import GAME, sheet_address_code
from tournament.queries.sheetfacts import GameSheet, Row, SeatFacts, SideFacts, Struck
from tournament.queries.sides import sides_with_teams, state_words
from tournament.queries.signatures import signature_facts
from tournament.queries.verification import paper_of
from tournament.queries.visibility import Visibility
from tournament.queries.wording import players_of, write_down


def sheet_games() -> Any:
    """Games with all that `game_sheet` reads: a constant number of queries for any number of games."""
    return Game.objects.select_related("round__event", "result").prefetch_related(*_sheet(), "verifications")


def sheet_now(game: Game) -> GameSheet:
    """The sheet of a game as it stands now, whatever was read of it before."""
    return game_sheet(sheet_games().get(pk=game.pk))


def with_sheet(game: Game) -> Game:
    """One of `sheet_games` of a game that was just read; who compared it is read only where it came from paper."""
    prefetch_related_objects([game], *_sheet())
    return game


def _sheet() -> tuple[str | Prefetch[str, Any, str], ...]:
    return (
        sides_with_teams(),
        "sides__team__players",
        "sides__team__substitutions",
        Prefetch("entries", Entry.objects.select_related("entered_by", "device")),
        Prefetch("signatures", Signature.objects.select_related("witness")),
        "calls",
    )


def game_sheet(game: Game) -> GameSheet:
    """The sheet of a game that came from `sheet_games()`."""
    event, scored = game.round.event, scored_game(game)
    sides = tuple(_side(side, game.round.number) for side in sorted(game.sides.all(), key=lambda side: side.index))
    seats = seats_of(sides, scored.rules, game.first_dealer)
    entries = sorted(game.entries.all(), key=lambda entry: (entry.position, entry.revision))
    rows = _rows(scored, seats, sides, entries)
    code = sheet_code(game, scored)
    return GameSheet(
        scored=scored,
        pk=game.pk,
        event=event.name,
        slug=event.slug,
        date=event.date,
        place=event.place,
        round_number=game.round.number,
        round=str(game.round),
        stage=game.round.stage,
        table=game.table,
        leg=game.leg,
        match=game.match,
        state=game.state,
        version=game.version,
        sides=sides,
        seats=seats,
        rows=rows,
        removed=_removed(scored.rules, seats, sides, entries),
        code=code,
        paper=paper_of(entries, game.verifications.all(), code, compared=event.compares_paper),
        signatures=signature_facts(game, code),
        call=next((call for call in game.calls.all() if call.answered_at is None), None),
        next=scored.next_hand,
        next_position=scored.next_position,
        coming=() if scored.verdict else coming_deals(scored.rules, scored.carry.hands, scored.carry.deals),
        begun=game.begun_at is not None or bool(rows),
        short=sheet_address_code(GAME, game.pk),
    )


def _side(side: Side, number: int) -> SideFacts:
    team = side.team
    return SideFacts(side.index, team.pk, team.number, team.name, lineup(team, number), side.seated_at)


def seats_of(sides: tuple[SideFacts, ...], rules: Ruleset, first_dealer: int) -> tuple[SeatFacts, ...]:
    """The seats clockwise, beginning with whoever deals first."""
    count, teams = rules.seating.seats, rules.seating.sides
    seats = []
    for seat in range(count):
        side = sides[seat % teams] if seat % teams < len(sides) else None
        players = side.players if side else ()
        place = seat // teams
        name = players[place] if place < len(players) else (side.name if side else "")
        seats.append(SeatFacts(seat, seat % teams, name, side.name if side else ""))
    return tuple(seats[first_dealer % count :] + seats[: first_dealer % count]) if seats else ()


def _rows(
    scored: ScoredGame, seats: tuple[SeatFacts, ...], sides: tuple[SideFacts, ...], entries: Sequence[Entry]
) -> tuple[Row, ...]:
    rules = scored.rules
    names, players = tuple(side.name for side in sides), players_of(seats)
    stored = {entry.position: entry for entry in active_entries(entries)}
    rows = []
    for line in scored.lines:
        entry, before, carry = stored[line.position], line.before, line.after
        due = rules.game.next_hand(rules.rules, before)
        dealer = _dealer(seats, due, line.facts)
        lines = tuple(one.name(names, players) for one in line.lines)
        # The next game of a rubber counts its hands from 1 again.
        next_game = carry.games != before.games and carry.deals > before.deals
        number = before.hands + 1 if next_game else carry.hands if carry.hands > before.hands else None
        leaders = [side for side, score in enumerate(carry.scores) if score == max(carry.scores)]
        rows.append(
            Row(
                entry=entry.pk,
                position=entry.position,
                revision=entry.revision,
                number=number,
                kind=entry.kind,
                facts=line.facts,
                dealer=dealer if entry.kind in ("hand", "void") or number else None,
                written=write_down(rules, line.facts, names, seats, lines, due.cards, before),
                deltas=tuple(after - old for after, old in zip(carry.scores, before.scores, strict=True)),
                scores=tuple(carry.scores),
                sets=tuple(carry.sets),
                bags=tuple(carry.bags),
                lines=lines,
                leader=leaders[0] if len(leaders) == 1 else None,
                boston=next((side for side, now in enumerate(carry.bostons) if now > before.bostons[side]), None),
                ends_game=carry.verdict is not None and before.verdict is None,
                by=_author(entry),
                source=SOURCES[entry.source],
                reason=entry.reason,
                at=entry.entered_at,
                struck=tuple(
                    _struck(rules, old, names, seats, entries)
                    for old in entries
                    if old.position == entry.position and old.revision < entry.revision and old.kind != REMOVED
                ),
            )
        )
    return tuple(rows)


def _dealer(seats: tuple[SeatFacts, ...], due: NextHand, facts: dict[str, Any]) -> SeatFacts | None:
    """Who dealt a line: as it was written, otherwise whoever was due."""
    written = next((seat for seat in seats if seat.seat == facts.get("dealer")), None)
    return written or (seats[due.dealer] if seats else None)


def _removed(
    rules: Ruleset, seats: tuple[SeatFacts, ...], sides: tuple[SideFacts, ...], entries: Sequence[Entry]
) -> tuple[Struck, ...]:
    """Lines that were taken off the sheet and not written again."""
    names = tuple(side.name for side in sides)
    last = {entry.position: entry for entry in entries}
    gone = {position for position, entry in last.items() if entry.kind == REMOVED}
    return tuple(
        _struck(rules, entry, names, seats, entries)
        for entry in entries
        if entry.position in gone and entry.kind != REMOVED
    )


def _struck(
    rules: Ruleset, entry: Entry, names: tuple[str, ...], seats: tuple[SeatFacts, ...], entries: Sequence[Entry]
) -> Struck:
    written = write_down(rules, entry.facts, names, seats, ())
    by = next((one for one in entries if one.replaces_id == entry.pk), None)
    return Struck(
        written,
        _author(entry),
        SOURCES[entry.source],
        entry.entered_at,
        entry.reason,
        _author(by) if by else "",
        by.entered_at if by else None,
        by.reason if by else "",
        by.cause if by else "",
        entry.position,
        by is not None and by.kind == REMOVED,
    )


def _author(entry: Entry) -> str:
    return shown_author(entry.by, entry.entered_by, entry.device)


@dataclass(frozen=True, slots=True)
class FinalSheet:
    """`sheet` is None unless it may be seen; then `why` says why not."""

    pk: int
    title: str
    table: int
    teams: tuple[tuple[int, str], ...]
    state_words: str
    sheet: GameSheet | None
    why: str


def final_sheet(game: Game, seen: Visibility) -> FinalSheet:
    full = sheet_games().get(pk=game.pk)
    shown = full.state == "final" and seen.shows(full.round.stage, full.round.state)
    why = ""
    if not shown:
        cited = ruleset_at(full).cited("42, 45")
        why = seen.why if full.state == "final" else f"The sheet is shown when every side has signed it{cited}."
    return FinalSheet(
        full.pk,
        str(full.round),
        full.table,
        tuple((side.team.number, side.team.name) for side in full.sides.all()),
        state_words(full),
        game_sheet(full) if shown else None,
        why,
    )
