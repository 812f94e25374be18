"""Level teams at the cut (rule 10): one game for two; for three or more the director picks how."""

from __future__ import annotations

import random
import secrets

from tournament.access import Actor
from tournament.models import Decision, Event, Round
from tournament.pairing.round_robin import circle_rounds
from tournament.queries.playoffs import can_stop, have_all_met
from tournament.queries.rules import ruleset_of
from tournament.queries.standings import PREFIX, Standings, standings, tie_breaks
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.playoffs import draw_round
from tournament.services.rounds import start_round
from tournament.services.transactions import writing
from tournament.texts import Refused, clean_name

METHODS = ("game", "all-play", "head-to-head", "lots", "bye")
WITHOUT_GAMES = ("head-to-head", "lots")


def start_tiebreak(actor: Actor, event: Event, method: str, *, witness: str = "", seed: int | None = None) -> None:
    """Decide between the teams that are level at the cut.

    game: one game for two teams. all-play: each against each, one round after another. head-to-head: their
    qualifying games against each other, where all have met. lots: drawn from a seed that is kept, before a witness.
    bye: the first lots sit out, the others play, and so on to the last game.
    """
    with writing(event) as event:
        table = standings(event)
        level = table.cut.level if event.stage == "playoffs" and table.cut else ()
        if not level:
            raise Changed("Nobody is tied at the cut.")
        if any(one.is_open for one in table.breaks):
            raise Changed("A tie-break is being played already.")
        if event.rounds.filter(state="running", stage="playoff").exists():
            raise Changed("A playoff round is in play. Close it first.")
        _may_choose(event, method, level)
        number = max((one.number for one in table.breaks), default=0) + 1
        if method in ("game", "all-play"):
            _draw_games(actor, event, level, number)
        elif method in ("lots", "bye"):
            _draw_lots(actor, event, level, number, method, witness, seed)
            if method == "bye":
                _start_due(actor, event)
        else:
            _take_their_games(actor, event, table, level, number)


def end_tiebreak(actor: Actor, event: Event, witness: str) -> None:
    """Stop a tie-break with byes when all who are left in it are in: lots give the seeds, and no game is needed."""
    with writing(event) as event:
        table = standings(event)
        attempt = next((one for one in table.breaks if one.is_open), None)
        if attempt is None or not can_stop(table, attempt):
            raise Changed("The games of this tie-break still decide who advances.")
        number = max(one.number for one in table.breaks) + 1
        _draw_lots(actor, event, attempt.left, number, "lots", witness, None)


def start_tie_round(actor: Actor, event: Event) -> Round:
    """Start the games that a tie-break with byes has come to."""
    with writing(event) as event:
        if event.rounds.filter(state="running", stage="playoff").exists():
            raise Changed("A playoff round is in play. Close it first.")
        return _start_due(actor, event)


def _start_due(actor: Actor, event: Event) -> Round:
    attempt = next((one for one in tie_breaks(event) if one.is_open and one.due), None)
    if attempt is None:
        raise Changed("No game of the tie-break is waiting to be played.")
    step = len({game.round for game in attempt.games}) + 1
    games = [(pair, f"{PREFIX}{attempt.number}", 1) for pair in attempt.due]
    round_ = draw_round(event, "tiebreak", f"Tie-break, game {step}", games)
    said = {"round": round_.title, "pairs": [list(pair) for pair in attempt.due]}
    note(actor, event, "tiebreak", "round", round_.number, "round", said)
    start_round(actor, event, round_.number)
    return round_


def _may_choose(event: Event, method: str, level: tuple[int, ...]) -> None:
    rules = ruleset_of(event)
    if method not in METHODS:
        raise Invalid([Fault("method", "Choose how the tie is broken.")])
    if not rules.has_matches:
        if method not in WITHOUT_GAMES:
            text = f"Two {rules.unit}s alone cannot play this game: draw lots, or take their qualifying games."
            raise Invalid([Fault("method", text)])
        return
    if len(level) == 2 and method != "game":
        raise Invalid([Fault("method", "Two who are tied play one game.", "10")])
    if len(level) > 2 and method == "game":
        raise Invalid([Fault("method", "One game is for two. Choose another way for three or more.", "10")])


def _draw_games(actor: Actor, event: Event, level: tuple[int, ...], number: int) -> None:
    """Tie-break rounds may run beside others; of several the first is started at once."""
    count = len(level) - 1 + len(level) % 2
    drawn = []
    for step, draw in enumerate(circle_rounds(sorted(level), count), start=1):
        title = "Tie-break" if count == 1 else f"Tie-break, game {step} of {count}"
        games = [(tuple(table), f"{PREFIX}{number}", 1) for table in draw.tables]
        drawn.append(draw_round(event, "tiebreak", title, games))
    note(actor, event, "tiebreak", "event", event.pk, "games", {"numbers": list(level)})
    start_round(actor, event, drawn[0].number)


def _draw_lots(
    actor: Actor, event: Event, level: tuple[int, ...], number: int, method: str, witness: str, seed: int | None
) -> None:
    try:
        witness = clean_name(witness)
    except Refused as refused:
        raise Invalid([Fault("witness", f"Who watched the drawing? {refused}")]) from refused
    if seed is None:
        seed = secrets.randbelow(1_000_000)
    if not 0 <= seed < 2_147_483_648:
        raise Invalid([Fault("seed", "The seed is a whole number from 0 to 2147483647.")])
    order = random.Random(seed).sample(sorted(level), len(level))  # noqa: S311
    Decision.objects.create(
        event=event, number=number, method=method, teams=order, seed=seed, witness=witness, made_by=actor.person
    )
    said = {"seed": seed, "witness": witness, "numbers": order}
    note(actor, event, "tiebreak", "event", event.pk, method, said, after={"lots": order, "seed": seed})


def _take_their_games(actor: Actor, event: Event, table: Standings, level: tuple[int, ...], number: int) -> None:
    if not have_all_met(table, level):
        raise Invalid([Fault("method", "They have not all met each other: choose another way.", "10")])
    Decision.objects.create(
        event=event, number=number, method="head-to-head", teams=sorted(level), made_by=actor.person
    )
    after = standings(event)
    if after.cut is not None and set(after.cut.level) == set(level):
        raise Invalid([Fault("method", "Their games against each other leave them tied: choose another way.", "10")])
    note(actor, event, "tiebreak", "event", event.pk, "head-to-head", {"numbers": list(level)})
