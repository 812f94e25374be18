"""Signing a sheet, at the table or on paper. A signature is for the sheet that was seen; the last makes it final."""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Game, Journal, Signature, Team
from tournament.queries.scored import ScoredGame, scored_game, sheet_code
from tournament.queries.signatures import lineup, standing_signatures
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import line, note, place_of, title_of
from tournament.services.results import locked_sheet, refresh_result
from tournament.services.transactions import Shown, writing
from tournament.words.held import Reason


def sign_sheet(actor: Actor, game: Game, *, side: int, name: str, code: str, reason: str = "") -> Signature:
    """Sign for a side under the sheet with this code. An official signs as a witness and gives a reason.

    Raises Changed where the sheet is not the one that was seen, Invalid where the name is no player of the side.
    Signing twice changes nothing.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        sheet = locked_sheet(event, game.pk)
        scored = scored_game(sheet)
        if scored.verdict is None:
            raise Changed(Reason("not-over"))
        if sheet_code(sheet, scored) != code:
            raise Changed(Reason("sheet-differs"))
        written = Signature.objects.filter(game=game, side=side, code=code)
        if stands := standing_signatures(written, code):
            return stands[0]
        team = next((one.team for one in sheet.sides.all() if one.index == side), None)
        if team is None:
            raise Invalid([Fault("side", Reason("no-side"))])
        if actor.person is None:
            _must_be_a_player(team, sheet.round.number, name)
        elif not reason.strip():
            raise Invalid([Fault("reason", "A witness who signs for a side must give a reason.")])
        signature = _signature(actor, sheet.pk, code, side, len(written), name, reason=reason)
        signature.save(force_insert=True)
        refresh_result(sheet, scored)
        said = place_of(game) | {"name": name, "side": team.name}
        note(actor, event, "sign", "game", game.pk, "signed", said, after={"code": code})
        return signature


def take_signature_back(actor: Actor, game: Game, side: int) -> None:
    """Take a side's signature back, until every side has signed.

    Where none stands, nothing changes. Raises Changed where the sheet is final or its round is not in play any more.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = locked_sheet(event, game.pk)
        if game.state == "final":
            raise Changed(Reason("signed-by-all"))
        if game.round.state != "running":
            raise Changed(Reason("round-closed", round=title_of(game.round)))
        scored = scored_game(game)
        code = sheet_code(game, scored)
        written = Signature.objects.filter(game=game, side=side, code=code)
        stands = standing_signatures(written, code)
        if not stands:
            return
        _signature(actor, game.pk, code, side, len(written), stands[0].name, how="back").save(force_insert=True)
        refresh_result(game, scored)
        said = place_of(game) | {"name": stands[0].name, "side": _names(game)[side]}
        note(actor, event, "sign", "game", game.pk, "back", said, after={"code": code, "how": "back"})


def sign_for_all(actor: Actor, game: Game, reason: str) -> None:
    """The director ends a game that cannot be signed at the table: nobody came, or a team has left."""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        sheet = locked_sheet(event, game.pk)
        scored = scored_game(sheet)
        witness_all(actor, sheet, scored, reason)
        refresh_result(sheet, scored, signed=True)


def witness_all(actor: Actor, game: Game, scored: ScoredGame, reason: str) -> None:
    """The same for whoever holds the `locked_sheet` and refreshes its result: the sides that have not signed it."""
    if scored.verdict is None:
        raise Changed(Reason("not-over"))
    code, name = sheet_code(game, scored), actor.account.get_username()
    written = Signature.objects.filter(game=game, code=code)
    signed = {one.side for one in standing_signatures(written, code)}
    added, lines = [], []
    for side in game.sides.all():
        if side.index in signed:
            continue
        before = sum(one.side == side.index for one in written)
        added.append(_signature(actor, game.pk, code, side.index, before, name, reason=reason))
        said = place_of(game) | {"name": name, "side": side.team.name}
        lines.append(line(actor, game.round.event, "sign", "game", game.pk, "signed", said, after={"code": code}))
    Signature.objects.bulk_create(added)
    Journal.objects.bulk_create(lines)


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


def _must_be_a_player(team: Team, number: int, name: str) -> None:
    """A team whose players nobody wrote down signs with its own name."""
    if name not in (lineup(team, number) or (team.name,)):
        raise Invalid([Fault("name", Reason("no-player"))])


def note_paper_signatures(actor: Actor, game: Game, code: str) -> None:
    """Note that every side which has not signed on a tablet has signed the sheet with this code on paper.

    The paper carries the names; the row says who has seen it. Done twice, nothing changes. Raises Changed where the
    game is not over, or where the sheet is not the one that was seen.
    """
    with writing(game.round.event_id) as event:
        sheet = locked_sheet(event, game.pk)
        scored = scored_game(sheet)
        if scored.verdict is None:
            raise Changed("The game is not over: there is nothing to sign yet.")
        if sheet_code(sheet, scored) != code:
            raise Changed("The sheet was changed since you looked at it. Compare it with the paper again.")
        signed = {one.side for one in standing_signatures(sheet.signatures.all(), code)}
        if sides := [side for side in _names(sheet) if side not in signed]:
            _write(actor, sheet, scored, code, sides, "paper")


def take_paper_signatures_back(actor: Actor, game: Game, code: str) -> None:
    """Take back that the sides signed this sheet on paper, as long as the round is in play.

    Raises Changed where the round is closed, the sheet is another one, or no signature on paper stands under it.
    """
    with writing(game.round.event_id) as event:
        sheet = locked_sheet(event, game.pk)
        if sheet.round.state != "running":
            raise Changed(f"{sheet.round} is closed: its signatures stay. A mistake is corrected on the sheet.")
        scored = scored_game(sheet)
        sides = [one.side for one in standing_signatures(sheet.signatures.all(), code) if one.how == "paper"]
        if sheet_code(sheet, scored) != code or not sides:
            raise Changed("These signatures no longer count: look at the sheet again.")
        _write(actor, sheet, scored, code, sides, "back")


def _write(actor: Actor, game: Game, scored: ScoredGame, code: str, sides: list[int], how: str) -> None:
    before = list(Signature.objects.filter(game=game, code=code).values_list("side", flat=True))
    for side in sides:
        signature = _signature(actor, game.pk, code, side, before.count(side), actor.account.get_username(), how=how)
        signature.save(force_insert=True)
    refresh_result(game, scored)
    names = _names(game)
    said = place_of(game) | {"sides": [names[side] for side in sides]}
    which = "paper" if how == "paper" else "paper-back"
    note(actor, game.round.event, "sign", "game", game.pk, which, said, after={"code": code, "how": how})


def _names(game: Game) -> dict[int, str]:
    """The sides of a `locked_sheet` in their order, with the names of their teams."""
    return {side.index: side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index)}
