"""From the last qualifying game to the champion: the cut, ties at it, the bracket's rounds, the end."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence

from tournament.access import NOBODY, Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Decision, Event, Game, Placing, Player, Round, Side, Team
from tournament.pairing.bracket import PLACES_TO, Form
from tournament.pairing.plan import moved_from_home, table_numbers
from tournament.pairing.round_robin import circle_rounds
from tournament.queries.bracket import bracket, champion_of, questions_of
from tournament.queries.bracket_facts import BracketFacts, MatchFacts
from tournament.queries.decisions import open_questions
from tournament.queries.events import BRACKET_FORM
from tournament.queries.placings import SEEDS, drawn_seeds, placings
from tournament.queries.playoffs import can_stop, have_all_met, next_matches, round_title, unfinished
from tournament.queries.rules import of_stage, ruleset_of, stage_of
from tournament.queries.standings import Standings, standings
from tournament.queries.tie_breaks import PREFIX, tie_breaks
from tournament.services.bracket_repair import follow_bracket, keep_seeds, open_true_pairings, void_game
from tournament.services.draws import draw_rounds, entrants_of, write_placing
from tournament.services.rounds import ask_about_teams, close_round, start_round
from tournament.services.transactions import announce, locked_game, place_of, writing
from tournament.words.phrases import DONE, LOSERS, SECOND_LOSERS
from tournament.words.texts import Refused, clean_name

BEST_OF = (1, 3, 5, 7)
NO_MATCHES = "Two {}s alone cannot play this game, so there are no playoffs. Enter 1: the first place is the champion."


def make_cut(actor: Actor, event: Event, size: int, *, best_of: int | None = None, form: Form | None = None) -> Event:
    """End the qualifying games and set how many teams go on (rule 11); 1 ends the event with its first place.

    `form` is what losers and the others play; None leaves it as it was set up.

    The cut can be made again until a playoff or tie-break is drawn. Raises ValidationFailed if games are missing or the
    size does not fit the field.
    """
    with writing(event) as event:
        table = standings(event)
        if event.stage not in ("playing", "playoffs"):
            raise Conflict("The cut can be made when the qualifying games are over and before the event ends.")
        if table.breaks or event.rounds.exclude(stage="qualifying").exists():
            raise Conflict("The playoffs have begun, so the cut is fixed.")
        if missing := unfinished(event, table):
            raise ValidationFailed([Fault("size", missing)])
        form = form or event.playoff_form
        _check_size(event, size, sum(not line.gone for line in table.lines), best_of, form)
        before = {"cut": event.cut, "stage": event.stage}
        event.cut, event.no_playoffs = (size, False) if size > 1 else (None, True)
        event.best_of = best_of or event.best_of
        event.losers, event.places_to = form.losers, form.places_to
        event.second, event.second_losers = form.second or None, form.second_losers
        event.stage = "playoffs"
        event.save(update_fields=["cut", "no_playoffs", "best_of", *BRACKET_FORM, "stage"])
        keep_seeds(event, again=True)
        code, after = "cut" if size > 1 else "none", {"cut": size, "best_of": event.best_of}
        announce(actor, event, "cut", "event", event.pk, code, {"size": size}, before=before, after=after)
    return event


def start_playoff_round(actor: Actor, event: Event, *, confirmed: str | None = None) -> Round:
    """Draw and start the bracket's next round: one game of every match that can be played.

    If an event begins with its bracket and teams are short of players, it starts only as `confirmed`; None asks
    nothing.
    """
    with writing(event) as event:
        if event.stage != "playoffs":
            raise Conflict("Make the cut first: then the bracket can begin.")
        running = event.rounds.filter(state="running").exclude(stage="tiebreak").first()
        if running is not None:
            raise Conflict(f"{running} is still in play. Close it first.")
        _close_tie_breaks(actor, event)
        table = standings(event)
        if table.cut is not None and table.cut.level:
            raise ValidationFailed(table.cut.text)
        drawn = bracket(event, table)
        if drawn is not None and drawn.asked:
            raise ValidationFailed(drawn.asked[0].text)
        matches = next_matches(drawn)
        if drawn is None or not matches:
            raise Conflict("No match of the bracket is waiting to be played.")
        if confirmed is not None and event.frozen_at is None:
            ask_about_teams(event, confirmed)
        keep_seeds(event, again=event.frozen_at is None)
        _keep_second(event, drawn)
        title = round_title(drawn, matches)
        games = [(match.teams, match.key, len(match.games) + 1) for match in matches]
        round_ = draw_round(event, "playoff", title, games)
        said = {"round": title, "matches": [[side.name for side in match.sides] for match in matches]}
        announce(actor, event, "draw", "round", round_.number, "matches", said)
        start_round(actor, event, round_.number)
    round_.refresh_from_db()
    return round_


def decide_placing(actor: Actor, event: Event, source: str, kind: str, reason: str = "") -> Placing:
    """Decide about something that was made before results changed: keep it as it is, or make it again.

    The decision can be changed for as long as the question is open. A replay reopens a finished event, and draws a
    round again with the event's seed.
    """
    with writing(event) as event:
        is_cut = event.stage in ("playoffs", "over")
        asked = questions_of(bracket(event), standings(event)) if is_cut else open_questions(event)
        question = next((row for row in asked if row.source == source), None)
        if question is None:
            raise Conflict("This no longer needs a decision.")
        if kind not in ("keep", "replay"):
            raise ValidationFailed([Fault("kind", "Keep what was made before, or make it again?")])
        keep_seeds(event)
        params = {"after": list(question.after), "reason": reason.strip()[:200]}
        placing = write_placing(actor, event, kind, source, question.before, **params)
        if kind == "replay" and event.stage == "over":
            event.stage = "playoffs"
            event.save(update_fields=["stage"])
        params = {"match": question.title, **question.facts}
        announce(
            actor, event, "decide", "bracket", source, question.code(kind), params, after={"reason": placing.reason}
        )
        if kind == "replay" and question.about == "draw":
            draw_rounds(actor, event, seed=event.seed, by_number=event.by_number, in_place=True)
        follow_bracket(actor, event)
    return placing


def play_match_again(actor: Actor, event: Event, key: str, reason: str) -> Game:
    """Void the last game of a match that counts, and have the same teams play it again. Returns the voided game.

    In the round in play the new game opens at once; otherwise it comes with the next round that starts. Raises Conflict
    if no game of the match counts or its winner has played on, ValidationFailed without a reason.
    """
    with writing(event) as event:
        match = _match_of(event, key)
        game = match.last
        if event.stage != "playoffs" or game is None:
            raise Conflict(f"No game of {key} counts: there is nothing to play again.")
        if match.has_gone_on:
            raise Conflict(f"The winner of {key} has played on: correct the sheet instead, and decide what counts.")
        if not reason.strip():
            raise ValidationFailed([Fault("reason", "Say why the game doesn’t count: people will read it later.")])
        row = locked_game(event, game.pk)
        before = row.state
        void_game(actor, event, row)
        said = place_of(row) | {"teams": [side.name for side in match.sides], "reason": reason.strip()}
        announce(actor, event, "void", "game", row.pk, "again", said | {"state": before})
        if running := event.rounds.filter(stage="playoff", state="running").first():
            open_true_pairings(actor, event, running)
    return row


def put_both_out(actor: Actor, event: Event, key: str, *, back: bool = False) -> Placing:
    """Let nobody advance from a match that nobody won; `back` undoes that until somebody has played on from there."""
    with writing(event) as event:
        match = _match_of(event, key)
        if event.stage != "playoffs" or match.both_out is not back:
            raise Conflict(f"{key} has changed: look at the bracket again.")
        if not back and not match.can_both_go_out:
            raise Conflict(f"{key} was won: its winner advances.")
        if back and match.has_gone_on:
            raise Conflict(f"The match after {key} has begun: both stay out.")
        placing = write_placing(actor, event, "in" if back else "out", key, match.teams)
        params = {"match": f"{match.title}, {key}", "teams": [side.name for side in match.sides]}
        announce(actor, event, "decide", "bracket", key, placing.kind, params)
        follow_bracket(actor, event)
    return placing


def finish_event(actor: Actor, event: Event) -> Event:
    """End the event: there is a champion and nothing is in play."""
    with writing(event) as event:
        champion = _champion(event)
        _close_tie_breaks(actor, event)
        before = event.stage
        event.stage = "over"
        event.save(update_fields=["stage"])
        # Nobody needs to be reached any more.
        Player.objects.filter(entry__event=event).update(contact="")
        code, said = "champion" if ruleset_of(event).singles else "champions", {"name": champion, "was": before}
        announce(actor, event, "finish", "event", event.pk, code, said | {"now": event.stage})
    return event


def _champion(event: Event) -> str:
    """The champion's name, if the event can be finished.

    Raises Conflict if it is finished already, ValidationFailed if a round is in play or nobody has won yet.
    """
    if event.stage == "over":
        raise Conflict("The event is finished already.")
    running = event.rounds.filter(state="running").exclude(stage="tiebreak").first()
    if running is not None:
        raise ValidationFailed([Fault("", f"{running} is still in play. Close it first.")])
    champion = champion_of(event, standings(event))
    if champion is None:
        raise ValidationFailed([Fault("", "There is no champion yet.")])
    return champion[1]


def draw_round(
    event: Event, stage: str, title: str, games: Sequence[tuple[tuple[int, ...], str, int]], state: str = "planned"
) -> Round:
    """Create a round with one game per table: team numbers in side order, the match it belongs to, its leg.

    A team that never leaves its table plays there.
    """
    last = event.rounds.order_by("-number").first()
    own = of_stage(event.stage_options, stage_of(event, stage, [match for _, match, _ in games]))
    teams = {team.number: team for team in Team.objects.filter(event=event)}
    number, entrants, seats = last.number + 1 if last else 1, entrants_of(teams.values()), [game[0] for game in games]
    tables = table_numbers(seats, entrants)
    notes = [note.row for note in moved_from_home(seats, tables, entrants, number)]
    round_ = Round.objects.create(
        event=event, number=number, stage=stage, title=title, state=state, options=own, notes=notes
    )
    for table, (numbers, match, leg) in zip(tables, games, strict=True):
        game = Game.objects.create(round=round_, table=table, match=match, leg=leg)
        Side.objects.bulk_create(
            Side(game=game, round=round_, leg=leg, index=index, team=teams[number])
            for index, number in enumerate(numbers)
        )
    return round_


def _match_of(event: Event, key: str) -> MatchFacts:
    drawn = bracket(event)
    match = next((one for one in drawn.matches if one.key == key), None) if drawn else None
    if match is None:
        raise Conflict(f"{key} is no longer a match of the bracket. Load the page again.")
    return match


def _check_size(event: Event, size: int, teams: int, best_of: int | None, form: Form) -> None:
    faults, rules = [], ruleset_of(event)
    if not 1 <= size <= teams:
        faults.append(Fault("size", f"From 1 to {teams} can advance: {teams} are still in the event.", "11"))
    if size > 1 and not rules.has_matches:
        faults.append(Fault("size", NO_MATCHES.format(rules.unit)))
    if best_of is not None and best_of not in BEST_OF:
        faults.append(Fault("best_of", "A match is one game, or best of 3, 5 or 7."))
    if form.losers not in LOSERS or form.places_to not in PLACES_TO or form.second_losers not in SECOND_LOSERS:
        faults.append(Fault("losers", "Choose what a team plays that loses a match."))
    if form.second == 1:
        faults.append(Fault("second", "A second bracket needs at least two."))
    elif form.second > max(0, teams - size):
        left = teams - size
        words = "nobody else is" if left < 1 else "only one other is" if left == 1 else f"only {left} others are"
        faults.append(Fault("second", f"That is too many for the second bracket: {words} in the event."))
    if faults:
        raise ValidationFailed(faults)


def _keep_second(event: Event, drawn: BracketFacts) -> None:
    """Store who plays the second bracket as its first round starts: whoever has gone home since the cut does not."""
    if not event.second or event.rounds.filter(stage="playoff").exists():
        return
    second = len(drawn.seeds) - event.cut if event.cut else 0
    if drawn_seeds(placings(event)) != drawn.seeds:
        write_placing(NOBODY, event, "drawn", SEEDS, drawn.seeds)
    if event.second != second:
        event.second = second or None
        event.save(update_fields=["second"])


def _close_tie_breaks(actor: Actor, event: Event) -> None:
    for round_ in event.rounds.filter(stage="tiebreak", state="running"):
        if not round_.games.exclude(state__in=DONE).exists():
            close_round(actor, event, round_.number)


# Tied teams at the cut (rule 10): one game for two; for three or more the director picks how.

METHODS = ("game", "all-play", "head-to-head", "lots", "bye")
WITHOUT_GAMES = ("head-to-head", "lots")


def start_tiebreak(actor: Actor, event: Event, method: str, *, witness: str = "", seed: int | None = None) -> None:
    """Break the tie between teams at the cut.

    game: one game for two teams. all-play: each against each, one round after another. head-to-head: their qualifying
    games against each other, if all have met. lots: drawn from a stored seed, before a witness. bye: the first lots sit
    out, the others play, and so on to the last game.
    """
    with writing(event) as event:
        table = standings(event)
        level = table.cut.level if event.stage == "playoffs" and table.cut else ()
        if not level:
            raise Conflict("Nobody is tied at the cut.")
        if any(one.is_open for one in table.breaks):
            raise Conflict("A tie-break is being played already.")
        if event.rounds.filter(state="running", stage="playoff").exists():
            raise Conflict("A playoff round is in play. Close it first.")
        _check_method(event, method, level)
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
    """Stop a tie-break with byes once everybody left in it advances: lots give the seeds, and no game is needed."""
    with writing(event) as event:
        table = standings(event)
        attempt = next((one for one in table.breaks if one.is_open), None)
        if attempt is None or not can_stop(table, attempt):
            raise Conflict("The games of this tie-break still decide who advances.")
        number = max(one.number for one in table.breaks) + 1
        _draw_lots(actor, event, attempt.find_left(), number, "lots", witness, None)


def start_tie_round(actor: Actor, event: Event) -> Round:
    """Start the next games of a tie-break with byes."""
    with writing(event) as event:
        if event.rounds.filter(state="running", stage="playoff").exists():
            raise Conflict("A playoff round is in play. Close it first.")
        return _start_due(actor, event)


def _start_due(actor: Actor, event: Event) -> Round:
    attempt = next((one for one in tie_breaks(event) if one.is_open and one.due), None)
    if attempt is None:
        raise Conflict("No game of the tie-break is waiting to be played.")
    step = len({game.round for game in attempt.games}) + 1
    games = [(pair, f"{PREFIX}{attempt.number}", 1) for pair in attempt.due]
    round_ = draw_round(event, "tiebreak", f"Tie-break, game {step}", games)
    said = {"round": round_.title, "pairs": [list(pair) for pair in attempt.due]}
    announce(actor, event, "tiebreak", "round", round_.number, "round", said)
    start_round(actor, event, round_.number)
    return round_


def _check_method(event: Event, method: str, level: tuple[int, ...]) -> None:
    rules = ruleset_of(event)
    if method not in METHODS:
        raise ValidationFailed([Fault("method", "Choose how the tie is broken.")])
    if not rules.has_matches:
        if method not in WITHOUT_GAMES:
            text = f"Two {rules.unit}s alone cannot play this game: draw for it, or take their qualifying games."
            raise ValidationFailed([Fault("method", text)])
        return
    if len(level) == 2 and method != "game":
        raise ValidationFailed([Fault("method", "Two who are tied play one game.", "10")])
    if len(level) > 2 and method == "game":
        raise ValidationFailed([Fault("method", "One game is for two. Choose another way for three or more.", "10")])


def _draw_games(actor: Actor, event: Event, level: tuple[int, ...], number: int) -> None:
    """Draw the tie-break rounds, which may run beside others. If there are several, the first one starts at once."""
    count = len(level) - 1 + len(level) % 2
    drawn = []
    for step, draw in enumerate(circle_rounds(sorted(level), count), start=1):
        title = "Tie-break" if count == 1 else f"Tie-break, game {step} of {count}"
        games = [(tuple(table), f"{PREFIX}{number}", 1) for table in draw.tables]
        drawn.append(draw_round(event, "tiebreak", title, games))
    announce(actor, event, "tiebreak", "event", event.pk, "games", {"numbers": list(level)})
    start_round(actor, event, drawn[0].number)


def _draw_lots(
    actor: Actor, event: Event, level: tuple[int, ...], number: int, method: str, witness: str, seed: int | None
) -> None:
    try:
        witness = clean_name(witness)
    except Refused as refused:
        raise ValidationFailed([Fault("witness", f"Who watched the drawing? {refused}")]) from refused
    if seed is None:
        seed = secrets.randbelow(1_000_000)
    if not 0 <= seed < 2_147_483_648:
        raise ValidationFailed([Fault("seed", "The number to draw with is a whole number from 0 to 2147483647.")])
    order = random.Random(seed).sample(sorted(level), len(level))  # noqa: S311
    Decision.objects.create(
        event=event, number=number, method=method, teams=order, seed=seed, witness=witness, made_by=actor.person
    )
    said = {"seed": seed, "witness": witness, "numbers": order}
    announce(actor, event, "tiebreak", "event", event.pk, method, said, after={"lots": order, "seed": seed})


def _take_their_games(actor: Actor, event: Event, table: Standings, level: tuple[int, ...], number: int) -> None:
    if not have_all_met(table, level):
        raise ValidationFailed([Fault("method", "They have not all met each other: choose another way.", "10")])
    Decision.objects.create(
        event=event, number=number, method="head-to-head", teams=sorted(level), made_by=actor.person
    )
    after = standings(event)
    if after.cut is not None and set(after.cut.level) == set(level):
        raise ValidationFailed(
            [Fault("method", "Their games against each other leave them tied: choose another way.", "10")]
        )
    announce(actor, event, "tiebreak", "event", event.pk, "head-to-head", {"numbers": list(level)})
