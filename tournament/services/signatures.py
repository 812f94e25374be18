"""Signing the sheet, the second look at typed sheets, and the result that follows from both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import F, QuerySet, prefetch_related_objects
from django.utils import timezone

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Game, Result, Signature, Verification
from tournament.queries.lineups import lineup
from tournament.queries.scored import ScoredGame, scored_game, sheet_code, sides_with_teams
from tournament.queries.sheet import sheet_now
from tournament.queries.signatures import standing_signatures
from tournament.services.transactions import (
    Shown,
    act_of,
    announce,
    announce_acts,
    locked_game,
    place_of,
    show,
    title_of,
    writing,
)
from tournament.words.phrases import VOID
from tournament.words.sentences import Reason

# The result of a game, computed from its entries. Nothing else writes the Result cache and a game's state.


BATCH = 200
STATE = ["state", "version", "finished_at", "last_entry_at"]
SHEET = (sides_with_teams(), "entries")
FACTS = ["over", "winner", "how", "rule", "points", "scores", "sets", "bostons", "hands", "code"]


def locked_sheet(event: Event, pk: int) -> Game:
    """A game of a locked event with everything its result is computed from. Raises Conflict if it was drawn again."""
    return locked_game(event, pk, _facts())


def read_sheet(game: Game) -> Game:
    """Turn a `locked_game` into a `locked_sheet`."""
    prefetch_related_objects([game], *SHEET)
    return game


def refresh_result(game: Game, scored: ScoredGame | None = None, *, signed: bool = False) -> Result:
    """Recompute a game's result and state from its entries and signatures.

    A caller with the `locked_sheet` passes the game as it is scored now, and a caller that has just `signed` it for all
    sides passes the signatures, so that nothing is read twice.
    """
    if scored is None:
        return refresh_results(game.round.event, [game.pk])[0]
    return _store([game], [result_of(game, scored)], signed)[0]


def refresh_results(event: Event, games: Sequence[int]) -> list[Result]:
    """Do the same for many games of an event (by key), in a constant number of queries for every two hundred."""
    done = []
    for first in range(0, len(games), BATCH):
        found = _facts().filter(round__event=event, pk__in=games[first : first + BATCH])
        loaded = list(found.select_related("round__event").prefetch_related("signatures"))
        done += _store(loaded, [result_of(game, scored_game(game)) for game in loaded])
    return done


def write_results(event: Event, tell: Callable[[int, int], None]) -> None:
    """Compute the results of an event that has none yet. The states of its games stay as they are stored.

    `tell` is called with how many games are done.
    """
    games = list(Game.objects.filter(round__event=event).exclude(state="planned").values_list("pk", flat=True))
    for first in range(0, len(games), BATCH):
        tell(first, len(games))
        found = _facts().filter(pk__in=games[first : first + BATCH]).select_related("round__event")
        Result.objects.bulk_create(result_of(game, scored_game(game)) for game in found)
    tell(len(games) or 1, len(games) or 1)


def rebuild_results(event: Event) -> int:
    """Discard every cached result of an event and compute it again. Returns how many games there are.

    Raises Damaged if a sheet cannot be read; every result then stays as it was.
    """
    with writing(event):
        Result.objects.filter(game__round__event=event).delete()
        games = Game.objects.filter(round__event=event).exclude(state="planned").values_list("pk", flat=True)
        return len(refresh_results(event, list(games)))


def _facts() -> QuerySet[Game]:
    """Games with what a result is computed from, and no more: this is read while the event is locked."""
    return Game.objects.select_related("round").prefetch_related(*SHEET)


def result_of(game: Game, scored: ScoredGame) -> Result:
    carry, verdict = scored.carry, scored.verdict
    return Result(
        game=game,
        over=verdict is not None,
        winner=verdict.winner if verdict else None,
        how=verdict.how if verdict else "",
        rule=verdict.rule if verdict else "",
        points=list(scored.points),
        scores=list(carry.scores),
        sets=list(carry.sets),
        bostons=list(carry.bostons),
        hands=carry.hands,
        code=sheet_code(game, scored),
    )


def _store(games: list[Game], results: list[Result], signed: bool = False) -> list[Result]:
    stored = Result.objects.bulk_create(results, update_conflicts=True, unique_fields=["game"], update_fields=FACTS)
    _refresh_states(games, results, signed)
    if len(games) == 1:
        # This runs after every hand, so one row is written without a list of cases.
        games[0].save(update_fields=STATE)
    else:
        Game.objects.bulk_update(games, STATE)
    return stored


def _refresh_states(games: list[Game], results: list[Result], signed: bool) -> None:
    now = timezone.now()
    for game, result in zip(games, results, strict=True):
        before, game.state = game.state, state_of(game, result, signed)
        if before != game.state or game.state == "final":
            show(Shown.PUBLIC)
        game.finished_at = (game.finished_at or now) if game.state == "final" else None
        game.version += 1


def state_of(game: Game, result: Result, signed: bool) -> str:
    if game.state == VOID:
        return VOID
    if not result.over:
        return "playing"
    if signed:
        return "final"
    standing = standing_signatures(game.signatures.all(), result.code)
    return "to-sign" if len(standing) < len(game.sides.all()) else "final"


# Signing a sheet, at the table or on paper. A signature is for the sheet that was seen; the last one makes it final.


def sign_sheet(actor: Actor, game: Game, *, side: int, name: str, code: str, reason: str = "") -> Signature:
    """Sign for a side under the sheet with this code. An official signs as a witness and gives a reason.

    Raises Conflict if the sheet is not the one that was seen, ValidationFailed if the name is not a player of the side.
    Signing twice changes nothing.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        sheet = locked_sheet(event, game.pk)
        scored = scored_game(sheet)
        if scored.verdict is None:
            raise Conflict(Reason("not-over"))
        if sheet_code(sheet, scored) != code:
            raise Conflict(Reason("sheet-differs"))
        written = Signature.objects.filter(game=game, side=side, code=code)
        if stands := standing_signatures(written, code):
            return stands[0]
        team = next((one.team for one in sheet.sides.all() if one.index == side), None)
        if team is None:
            raise ValidationFailed([Fault("side", Reason("no-side"))])
        # A team without named players signs with its own name.
        if actor.person is None and name not in (lineup(team, sheet.round.number) or (team.name,)):
            raise ValidationFailed([Fault("name", Reason("no-player"))])
        if actor.person is not None and not reason.strip():
            raise ValidationFailed([Fault("reason", "A witness who signs for a side must give a reason.")])
        signature = _signature(actor, sheet.pk, code, side, len(written), name, reason=reason)
        signature.save(force_insert=True)
        refresh_result(sheet, scored)
        facts = place_of(game) | {"name": name, "side": team.name}
        announce(actor, event, "sign", "game", game.pk, "signed", facts, after={"code": code})
        return signature


def take_signature_back(actor: Actor, game: Game, side: int) -> None:
    """Withdraw a side's signature. This is possible until every side has signed.

    If there is none, nothing changes. Raises Conflict if the sheet is final or its round is no longer in play.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = locked_sheet(event, game.pk)
        if game.state == "final":
            raise Conflict(Reason("signed-by-all"))
        if game.round.state != "running":
            raise Conflict(Reason("round-closed", round=title_of(game.round)))
        scored = scored_game(game)
        code = sheet_code(game, scored)
        written = Signature.objects.filter(game=game, side=side, code=code)
        stands = standing_signatures(written, code)
        if not stands:
            return
        _signature(actor, game.pk, code, side, len(written), stands[0].name, how="back").save(force_insert=True)
        refresh_result(game, scored)
        facts = place_of(game) | {"name": stands[0].name, "side": _names(game)[side]}
        announce(actor, event, "sign", "game", game.pk, "back", facts, after={"code": code, "how": "back"})


def sign_for_all(actor: Actor, game: Game, reason: str) -> None:
    """End a game, as the director, that cannot be signed at the table: nobody came, or a team has left."""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        sheet = locked_sheet(event, game.pk)
        scored = scored_game(sheet)
        witness_all(actor, sheet, scored, reason)
        refresh_result(sheet, scored, signed=True)


def witness_all(actor: Actor, game: Game, scored: ScoredGame, reason: str) -> None:
    """Sign for the sides that have not signed yet. The caller holds the `locked_sheet` and refreshes its result."""
    if scored.verdict is None:
        raise Conflict(Reason("not-over"))
    code, name = sheet_code(game, scored), actor.account.get_username()
    written = Signature.objects.filter(game=game, code=code)
    signed = {one.side for one in standing_signatures(written, code)}
    added, acts = [], []
    for side in game.sides.all():
        if side.index in signed:
            continue
        before = sum(one.side == side.index for one in written)
        added.append(_signature(actor, game.pk, code, side.index, before, name, reason=reason))
        facts = place_of(game) | {"name": name, "side": side.team.name}
        acts.append(act_of(actor, game.round.event, "sign", "game", game.pk, "signed", facts, after={"code": code}))
    Signature.objects.bulk_create(added)
    announce_acts(acts)


def _signature(
    actor: Actor, game: int, code: str, side: int, revision: int, name: str, *, how: str = "", reason: str = ""
) -> Signature:
    return Signature(
        game_id=game,
        side=side,
        code=code,
        name=name[:40],
        witness=actor.person,
        device=actor.device if actor.person is None else None,
        reason=reason.strip()[:200],
        how=how,
        revision=revision,
    )


def note_paper_signatures(actor: Actor, game: Game, code: str) -> None:
    """Record that every side without a signature on a tablet has signed the sheet with this code on paper.

    The paper has the names; the row says who has seen it. Doing it twice changes nothing. Raises Conflict if the game
    is not over, or if the sheet is not the one that was seen.
    """
    with writing(game.round.event_id) as event:
        sheet = locked_sheet(event, game.pk)
        scored = scored_game(sheet)
        if scored.verdict is None:
            raise Conflict("The game is not over: there is nothing to sign yet.")
        if sheet_code(sheet, scored) != code:
            raise Conflict("The sheet was changed since you looked at it. Compare it with the paper again.")
        signed = {one.side for one in standing_signatures(sheet.signatures.all(), code)}
        if sides := [side for side in _names(sheet) if side not in signed]:
            _write(actor, sheet, scored, code, sides, "paper")


def take_paper_signatures_back(actor: Actor, game: Game, code: str) -> None:
    """Undo that the sides signed this sheet on paper, as long as the round is in play.

    Raises Conflict if the round is closed, the sheet is another one, or it has no signature on paper.
    """
    with writing(game.round.event_id) as event:
        sheet = locked_sheet(event, game.pk)
        if sheet.round.state != "running":
            raise Conflict(f"{sheet.round} is closed: its signatures stay. A mistake is corrected on the sheet.")
        scored = scored_game(sheet)
        sides = [one.side for one in standing_signatures(sheet.signatures.all(), code) if one.how == "paper"]
        if sheet_code(sheet, scored) != code or not sides:
            raise Conflict("These signatures no longer count: look at the sheet again.")
        _write(actor, sheet, scored, code, sides, "back")


def _write(actor: Actor, game: Game, scored: ScoredGame, code: str, sides: list[int], how: str) -> None:
    before = list(Signature.objects.filter(game=game, code=code).values_list("side", flat=True))
    for side in sides:
        signature = _signature(actor, game.pk, code, side, before.count(side), actor.account.get_username(), how=how)
        signature.save(force_insert=True)
    refresh_result(game, scored)
    names = _names(game)
    facts = place_of(game) | {"sides": [names[side] for side in sides]}
    which = "paper" if how == "paper" else "paper-back"
    announce(actor, game.round.event, "sign", "game", game.pk, which, facts, after={"code": code, "how": how})


def _names(game: Game) -> dict[int, str]:
    """The sides of a `locked_sheet` in order, with the names of their teams."""
    return {side.index: side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index)}


# The second look at a sheet that was typed from paper: accept it or reject it, never edit it.


def verify_sheet(actor: Actor, game: Game, *, code: str, accepted: bool, reason: str = "") -> Verification:
    """Record that the sheet with this code matches its paper, or that it does not, with a reason.

    Raises Conflict if the sheet has changed or was looked at before, ValidationFailed if the actor typed it (unless the
    event allows that) or rejects it without a reason.
    """
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        sheet = sheet_now(game)
        if sheet.paper is None:
            raise Conflict("Nothing on this sheet was typed from paper.")
        if sheet.code != code:
            raise Conflict("The sheet was changed since you opened it. Compare it with its paper again.")
        if (look := sheet.paper.look) is not None:
            raise Conflict(f"{look.name} already {'verified' if look.accepted else 'rejected'} this sheet.")
        if actor.account.get_username() in sheet.paper.typed_by and not event.verify_own:
            raise ValidationFailed([Fault("accepted", "You typed this sheet, so another official must verify it.")])
        if not accepted and not reason.strip():
            raise ValidationFailed([Fault("reason", "Say what does not match the paper.")])
        made = Verification.objects.create(
            game=game,
            code=code,
            accepted=accepted,
            by=actor.person,
            name=actor.account.get_username()[:40],
            reason=reason.strip()[:200],
        )
        Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
        facts = place_of(game) | ({} if accepted else {"reason": made.reason})
        announce(actor, event, "verify", "game", game.pk, "verified" if accepted else "rejected", facts)
        return made
