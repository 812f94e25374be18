"""Every act by its code: the journal's sentence, the state before and after, and what teams are told."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tournament.words import sentences
from tournament.words.phrases import NAMES_SHOWN
from tournament.words.sentences import FIELD, FORMS, TEXT, Facts, choice, said_by, say, unknown_text

AT = "{round}, table {table}: "
SEATS, WAITS = "seated", "waited for"
AGAIN = AT + "{teams:against}: doesn’t count, to be played again: {reason}"
SWAPPED = "{round}: {first} and {second} were swapped: {reason}"
RECEIPT = " ({receipts})[: {reason}]"
IMPORTED = "{teams:n, team}, {rounds:n, round}, {games:n, game}, {entries:n, entry}; {finished:n, game} finished"
LOTS = "drawn with number {seed}, watched by {witness}: {numbers}"

# Why the program itself deletes a draw.
WHY_DELETED = {"other-tables": "it was made for tables of another size"}
# The director's choices for games that were played before a correction.
PLACINGS = {
    "keep": "Keep {old} in: the later games count as they were played",
    "replay": "Replay: {new} will advance; what {old} played later is kept but does not count",
    "keep-seeds": "Keep: the bracket stays as it was drawn and played",
    "replay-seeds": "Replay: the new seeds are drawn; games of other pairs are kept on record but do not count",
    "keep-lots": "Keep: the earlier drawing or tie-break still decides between {teams}",
    "replay-lots": "Play it off: {teams} are tied again, and what was drawn or played before is set aside",
    "keep-draw": "Keep the draw: its tables stay as they are",
    "replay-draw": "Draw again: its tables follow the results as they are now",
}

FORMS |= {
    "thing": sentences.KIND,
    "decided": sentences.STATUS,
    "role": choice({"director": "director", "verifier": "verifier"}),
    "door": choice({"phone": "from a phone", "tablet": "on a shared tablet", "desk": "at the desk"}),
    "why": choice(WHY_DELETED),
    "show": choice(NAMES_SHOWN),
    "reasons": sentences.reasons_text,
    "notice": lambda value: notice_text(value["said"], value),
}


class Sentence(NamedTuple):
    """The journal's sentence for an act; `before` and `after` if every act of this kind changes the same.

    `teams` is what both teams of the game are told. If it is empty, nobody is told.
    """

    text: str
    before: str = ""
    after: str = ""
    teams: str = ""


def _money(text: str) -> Sentence:
    return Sentence(text + RECEIPT, "{was:standing}", "{now:standing}")


S = Sentence
SENTENCES: dict[str, dict[str, Sentence]] = {
    "answer": {"answered": S(AT + "call answered ({about})", "open", "answered")},
    "appoint": {
        "known": S("{name} appointed as {role}"),
        "new": S("{name} appointed as {role}, with a new account"),
    },
    "archive": {"archived": S("The event was archived"), "returned": S("The event was taken out of the archive")},
    "bids": {
        "agreed": S(AT + "bids of line {line} changed, both sides agree", "{old}", "{new}"),
        "differ": S(AT + "line {line} recorded with other bids than were locked", "{old}", "{new}"),
    },
    "board": {"shows": S("On the projector: {section}")},
    "call": {
        "called": S(AT + "director called: {about}"),
        "coming": S(AT + "on the way to the call ({about})", "open", "on the way"),
    },
    "call-off": {"withdrawn": S(AT + "director no longer needed ({about})", "open", "withdrawn")},
    "card": {
        "first": S("Table {table}: card issued"),
        "again": S("Table {table}: new card issued, the old one withdrawn"),
        "second": S("Table {table}: card for a second tablet, {letter}, issued"),
    },
    "cash": {
        "in": _money("{sum:money} put into the cash box"),
        "out": _money("{sum:money} taken out of the cash box"),
    },
    "change": {
        "event": S("Event changed: {names:fields}"),
        "options": S("Options changed: {options}"),
        "team": S("{team} changed"),
        "note": S("{team}: the desk’s note changed"),
        "wall-code": S("A new code on the wall"),
    },
    "charge": {
        "more": _money("{team}: {sum:money} more to pay"),
        "less": _money("{team}: {sum:money} less to pay"),
    },
    "check-in": {
        "here": S("{team} checked in {how:door}", "", "here"),
        "away": S("{team}: check-in undone, {how:door}", "here", ""),
        "still": S("{team}: still in, {how:door}"),
    },
    "close": {
        "closed": S("{round} closed: every game is final[; not verified yet: {games:places}]", "in play", "closed")
    },
    "correct": {"line": S(AT + "entry {line} corrected: {reason}")},
    "correct-final": {
        "corrected": S(
            AT + "a final game corrected: {reason}", teams="{round}, table {table}, was corrected: {reason}"
        ),
        "swapped": S(SWAPPED, teams=SWAPPED),
    },
    "create": {
        "new": S("{event} set up"),
        "copy": S("{event} set up like {other}[, with {teams:units}]"),
        "invited": S("{teams:units} invited from {season}[; drawn by lot, number {seed}]"),
        "champions": S("{teams:units} qualified from {season}, seeded by their places[; drawn by lot, number {seed}]"),
    },
    "cut": {"cut": S("Cut: {size} advance"), "none": S("The first place decides: no playoffs")},
    "decide": {
        "held": S("Table {table}: {kind:thing} {status:decided}: {reason}"),
        **{code: S("{match}: " + words) for code, words in PLACINGS.items()},
        "out": S("{match}: {teams:and} are both out: nobody won"),
        "in": S("{match}: {teams:and} are back in"),
    },
    "dismiss": {"dismissed": S("{name} is no longer {role}", "", "not an official")},
    "draw": {
        "by-lot": S("{rounds} drawn: {movement}, {teams:units}, draw number {seed}"),
        "by-number": S("{rounds} drawn: {movement}, {teams:units}, by {unit} number"),
        "by-hand": S("Game {number} drawn by hand"),
        "deleted": S("The draw of {count:n game} deleted[: {why}]"),
        "begin": S(AT + "{teams:against} begin"),
        "matches": S("{round}: {matches}"),
    },
    "dues": {
        "paid": S("{player} paid dues of {sum:money}, {season} ({receipts})"),
        "back": S("{player} got dues of {sum:money} back, {season} ({receipts})"),
    },
    "enter": {
        "team": S("{team} entered[, from game {joins}]"),
        "list": S("{teams:units} entered from a list"),
        "replaced": S("{teams:units} entered from a list in place of the old ones"),
    },
    "entry": {
        "made": S("{name} entered by themselves"),
        "typed": S("{name} put on the list of entries by the desk"),
        "accepted": S("{name}: entry accepted"),
        "accepted-many": S(
            "{count:n entry} accepted[, {inside} in][, {queued} on the waiting list][, {alone} without a partner]"
        ),
        "refused-many": S("{count:n entry} not accepted"),
        "let-in": S("{name} let in from the waiting list"),
        "mail-failed": S("{name} moved up, but the email could not be sent"),
        "told": S("{name} told by the desk that they moved up"),
        "refused": S("{name}: entry not accepted"),
        "changed": S("{name}: entry changed by its link"),
        "withdrawn": S("{name}: entry withdrawn by its link"),
        "link": S("{name}: a new private link for {player}"),
        "leaving": S("{name}: wants to leave after the draw, by its link"),
        "stays": S("{name}: stays after all, by its link"),
        "kept": S("{name}: stays, as the desk says"),
        "let-go": S("{name}: the desk let them go"),
        "wants": S("{name} wants to play with {partner}"),
        "alone": S("{name} no longer wants to play with {partner}"),
        "joined": S("{name} and {partner} enter together"),
    },
    "enter-boards": {"lines": S("{count:n line} entered from {games:n game} of the score workbook")},
    "extend": {
        "more": S(
            "{round}: {minutes:n minute} more[: {reason}]", "minutes added {was:signed}", "minutes added {now:signed}"
        ),
        "given": S("{round}: {minutes:n minute} from now[: {reason}]"),
        "less": S(
            "{round}: {minutes:n minute} less[: {reason}]", "minutes added {was:signed}", "minutes added {now:signed}"
        ),
    },
    "finish": {
        "champion": S("Finished. Champion: {name}", "{was:stage}", "{now:stage}"),
        "champions": S("Finished. Champions: {name}", "{was:stage}", "{now:stage}"),
    },
    "freeze": {"fixed": S("{round} begins: the rule sheet and its options are fixed")},
    "import": {
        "file": S("Imported from an event file: " + IMPORTED),
    },
    "hall-word": {
        "shown": S("To the hall, for {minutes:n minute}: {word}"),
        "removed": S("The word to the hall removed"),
    },
    "merge": {"teams": S("{joining} merged into {team}")},
    "number": {"drawn": S("{count} numbers drawn, draw number {seed}")},
    "other-hall": {"games": S("{games:n game} imported from the other hall's event file")},
    "pair": {
        "here": S("Table {table}: tablet {letter} set up"),
        "card": S("Table {table}: tablet set up"),
    },
    "park": {"held": S("Table {table}: {kind:thing} is kept for the desk: {reasons}")},
    "pause": {"stopped": S("{round}: clock stopped at {at:clock}: {reason}", "running", "stopped")},
    "pay": {
        "marked": S("{team} marked as paid[: {reason}]"),
        "unmarked": S("{team} marked as not paid[: {reason}]"),
        "paid": _money("{team} paid {sum:money}"),
        "advance": _money("{team} paid {sum:money} in advance"),
    },
    "pay-out": {
        "pot": _money("{team} got {sum:money} from the Boston pot[, confirmed by {second}][, witness {witness}]"),
        "prize": _money("{team} got {sum:money} from the prizes[, confirmed by {second}][, witness {witness}]"),
    },
    "people": {
        "found": S("{count:n player} found among the people of the club"),
        "known": S("{team}: {player} is a person of the club"),
        "new": S("{team}: {player} is somebody new"),
        "wish": S("{player} is shown as: {show:show}"),
        "row-wish": S("{player} is shown in this event as: {show:show}"),
    },
    "pin": {"teams": S("New PIN given to {teams:units}"), "team": S("New PIN given to {team}")},
    "pot": {
        "in": S("Into the Boston pot: {team}[: {reason}]", "in the pot no", "in the pot yes"),
        "out": S("Out of the Boston pot: {team}[: {reason}]", "in the pot yes", "in the pot no"),
    },
    "print": {
        "sheets": S("{sheets:n score sheet} printed"),
        "papers": S("Printed: {papers}"),
    },
    "prizes": {"places": S("Prizes for {count:n place}"), "none": S("No prizes")},
    "read": {"notice": S("{team} read: {notice}")},
    "record": {
        "line": S(AT + "{kind} {line} written"),
        "time": S(AT + "time written after the hand in play"),
        "paper": S(AT + "continued from paper"),
        "file": S(AT + "{count:n line} written from a file"),
    },
    "refund": {"back": _money("{team} got {sum:money} back[, against rule {rule}]")},
    "remove": {"team": S("{team} removed from the list")},
    "restore": {
        "line": S(AT + "line {line} is back: {reason}"),
        "backup": S("Restored from the backup {file}; the tablets will send again what they hold"),
        "admission": S("Accounts, offices and withdrawn tablets stayed as they were before the restore"),
        "unknown": S("Not known: which accounts, offices and tablets were revoked after the backup was made"),
        "checked": S("Checked what the copy may lack"),
        "goes-on": S("This laptop goes on, and another one that had taken over does not"),
        "elsewhere": S("Restored by the means of the database; the tablets will send again what they hold"),
    },
    "resume": {"running": S("{round}: clock restarted after {stood:clock}", "stopped", "running")},
    "return": {"team": S("{team}: back in play", "{was:status}", "{now:status}")},
    "reverse": {"receipt": _money("Receipt {number} taken back")},
    "revoke": {
        "withdrawn": S("Table {table}: tablet and card withdrawn", "", "no tablet"),
        "back": S("Table {table}: tablet put back", "no tablet"),
    },
    "rule": {"ruled": S(AT + "ruled[ under {rule:cited}]: {what}")},
    "seat": {
        "seated": S(AT + "{team} seated", WAITS, SEATS),
        "unseated": S(AT + "{team} not seated after all", SEATS, WAITS),
        "all": S("Seated at {tables:n table}, marked at the desk[; waited for: {late:waiting}]"),
        "undone": S("Seating at {tables:n table} undone", SEATS, WAITS),
        "dealer": S(AT + "{player} deals first", "[{was}]", "{player}"),
        "left": S(AT + "a player left, and the others play on"),
        "instead": S("{team} seated in the place of {left}"),
    },
    "sign": {
        "signed": S(AT + "{name} signed for {side}"),
        "back": S(AT + "signature of {name} for {side} undone"),
        "paper": S(AT + "signed on paper ({sides:and})"),
        "paper-back": S(AT + "signatures on paper undone ({sides:and})"),
    },
    "start": {
        "started": S("{round} started: {tables:n table}", "drawn", "in play"),
        "undone": S("Start of {round:within} undone: nothing was recorded yet", "in play", "drawn"),
    },
    "substitute": {
        "from": S("{team}: {player} plays for {out} from game {since} on[: {reason}]", "{out}", "{player}"),
        "once": S("{team}: {player} plays for {out} in game {since}[: {reason}]", "{out}", "{player}"),
    },
    "seat-late": {
        "seated": S(AT + "{late} came late and plays {team}, who had a bye"),
        "undone": S(AT + "taken off: {late} came too late, and {team} has the bye again"),
    },
    "swap": {"swapped": S(SWAPPED)},
    "take-over": {"keeps": S("Table {table}: tablet {letter} keeps score", "[tablet {old}]", "tablet {letter}")},
    "tiebreak": {
        "round": S("{round}: {pairs}"),
        "games": S("Tied at the cut: numbers {numbers} play off"),
        "lots": S("Order " + LOTS),
        "bye": S("Order for a bye " + LOTS),
        "head-to-head": S("Tied at the cut: the games of numbers {numbers} against each other decide"),
    },
    "time": {"called": S("{round}: time called, {games:n game} still in play", "running", "time called")},
    "undo": {"line": S(AT + "entry {line} undone")},
    "verify": {
        "verified": S(AT + "sheet from paper verified", "waiting", "verified"),
        "rejected": S(AT + "sheet from paper rejected: {reason}", "waiting", "rejected: {reason}"),
    },
    "void": {
        "again": S(AGAIN, "{state}", "doesn’t count", teams=AGAIN),
        "void": S(AT + "{teams:against}: doesn’t count", "in play", "doesn’t count"),
        "counts": S(AT + "{teams:against}: counts again", "doesn’t count", "in play"),
    },
    "withdraw": {
        "left": S("{team}: withdrawn after game {after}[; last seen in game {last}]", "{was:status}", "{now:status}"),
        "disqualified": S(
            "{team}: disqualified after game {after}[; last seen in game {last}]", "{was:status}", "{now:status}"
        ),
        "ruling": S(AT + "ruling withdrawn: {reason}"),
    },
    "wrong-pin": {"wrong": S(AT + "wrong PIN for {team}")},
}


# An act that was stored as a sentence, or comes from another program.
WORDS = S("[" + AT + "]{text}")
UNKNOWN = S("")
PLACED = r"(.+?), table (\d{1,4}): (.+)"


NOTICES = {
    TEXT: "{text}",
    **{code: sentence.teams for codes in SENTENCES.values() for code, sentence in codes.items() if sentence.teams},
}


def notice_text(code: str, facts: Facts) -> str:
    """What a team is told, by the code of the act."""
    return said_by(NOTICES, code, facts)


def for_teams(action: str, code: str, facts: Facts) -> dict[str, Any]:
    """The values for what the teams of a game are told of an act; none if they are told nothing."""
    sentence = _sentence(action, code) or UNKNOWN
    return {field[1]: facts[field[1]] for field in FIELD.finditer(sentence.teams)}


def text(action: str, code: str, facts: Facts) -> str:
    sentence = _sentence(action, code)
    return say(sentence.text, facts) if sentence else unknown_text(f"{action}, {code}", facts)


def place_and_text(action: str, code: str, facts: Facts) -> tuple[int | None, str]:
    """The table number that an act is about, and its sentence without that; None if it names no table."""
    sentence = _sentence(action, code)
    if sentence and sentence.text.startswith(AT):
        return facts["table"], say(sentence.text.removeprefix(AT), facts)
    return (facts["table"], facts["text"]) if code == TEXT and "table" in facts else (None, text(action, code, facts))


def before_and_after(action: str, code: str, facts: Facts) -> tuple[str | None, str | None]:
    """The state before and after, if the act itself defines it."""
    sentence = _sentence(action, code) or UNKNOWN
    return say(sentence.before, facts) or None, say(sentence.after, facts) or None


def _sentence(action: str, code: str) -> Sentence | None:
    """The sentence of an act; one from another program keeps its words. None for a code that this version lacks."""
    return WORDS if code == TEXT else SENTENCES.get(action, {}).get(code)


def in_full(action: str, code: str, facts: Facts) -> str:
    """Everything the log says about an act, for callers that must know that every value is there."""
    before, after = before_and_after(action, code, facts)
    return " · ".join(filter(None, (text(action, code, facts), before, after)))


def read_back(action: str, said: str, before: Any = None, after: Any = None) -> tuple[str, dict[str, Any], Any, Any]:
    """The code and values of an act that was stored as a sentence: its words, without the table."""
    placed = re.match(PLACED, said, re.DOTALL)
    if placed is None:
        return TEXT, {"text": said}, before, after
    game = re.fullmatch(r"Game (\d+)", placed[1], re.ASCII)
    where = {"round": int(game[1]) if game else placed[1], "table": int(placed[2])}
    return TEXT, {**where, "text": placed[3]}, before, after
