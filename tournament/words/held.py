"""Why something that a tablet sent was not written on the sheet, what it was, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tournament.words.forms import choice
from tournament.words.saying import TEXT, Facts, say

KINDS = {
    "hand": "A hand",
    "void": "A hand that does not count",
    "undo": "Undo of the last line",
    "seat": "A side is seated",
    "dealer": "First dealer",
    "call": "A call for the director",
    "uncall": "A call that is withdrawn",
    "sign": "A signature",
    "unsign": "A signature that is taken back",
    "other": "Something",
}
STATUSES = {
    "parked": "Waits for the desk",
    "applied": "Applied",
    "replaced": "Put in the place of a line",
    "discarded": "Discarded",
}
# What people read of a case at the desk, by the code that the program looks at.
WHY = {
    "former-device": "From a tablet that the table no longer uses",
    "other-table": "For another table",
    "no-game": "Its round was drawn again",
    "closed": "After the round was closed",
    "final": "After both sides had signed",
    "not-writer": "Two tablets wrote at this table",
    "waiting": "Waits for an earlier line",
    "gap": "A line before it is missing",
    "conflict": "Another line is already in its place",
    "refused": "The rules do not allow it, or it cannot be read",
    "changed": "The sheet was changed meanwhile",
    "uuid-reused": "Sent twice with different content",
    "fault": "A program error stopped it",
}
REASONS = {
    "another-last": "The sheet has changed: another hand is the last one now.",
    "begun": "A hand is already recorded, so the first dealer stays.",
    "closed": "{round} is no longer in play.",
    "elsewhere": "It is for table {table}, and the tablet belongs to table {own}.",
    "fault": "A program error stopped it. The director decides.",
    "final": "Both sides have signed: the sheet is final. Only an official can correct it.",
    "former": "It came from a tablet that was taken off table {table}.",
    "from-paper": "The game was continued from paper: only an official can take these totals back.",
    "game-deleted": "The round was drawn again, so this game was deleted.",
    "gap": "It is line {line} of the sheet; line {due} is missing.",
    "line-changed": "The director changed this line meanwhile, so it was not undone.",
    "looks-on": "Another tablet was keeping score at table {table} when this arrived.",
    "meanwhile": "Another hand was recorded meanwhile. Look at the sheet, then record yours if it is still right.",
    "no-call": "{round} is not in play, so table {table} cannot call the director.",
    "no-game": "Its game is not in this event: the round was drawn again, or it is another event's.",
    "no-pin": "No PIN yet for {team}. Get one at the desk.",
    "no-player": "Choose the name of a player of this side.",
    "no-seat": "There is no such seat at this table.",
    "no-side": "There is no such side at this table.",
    "not-over": "The game is not over: there is nothing to sign yet.",
    "not-played": "{round} is not in play: nothing can be recorded at table {table}.",
    "not-seated": "Everybody must be seated before the first deal. Not seated yet: {teams}.",
    "nothing": "There is nothing to undo.",
    "over": "Both sides have signed. The game is over.",
    "paused": (
        "Five wrong PINs: nobody signs on this tablet for a minute. Hands can be entered, and an official may witness."
    ),
    "recorded": "Line {line} was already recorded. The director will compare them.",
    "reused": "It has the same number as something received earlier.",
    "round-closed": "{round} is closed: its signatures stay.",
    "ruling-last": "The last line is a ruling: only the director can withdraw it, with a reason.",
    "same-moment": "Somebody else recorded a line at the same moment. Look at the sheet and try again.",
    "seats-closed": "{round} is not in play: nobody can be seated at table {table}.",
    "sent-before": "The tablet sent this before, with different content.",
    "sheet-changed": "The sheet has changed since it was signed. Check it and sign again.",
    "sheet-differs": "The sheet was changed since you looked at it. Please check it again before signing.",
    "signed": "Both sides had signed already: the sheet is final.",
    "signed-by-all": "Every side has signed: the sheet is final. Only an official can correct it.",
    "unreadable": "The tablet sent something this version cannot read. Write the hand on paper.",
    "void": "This game no longer counts: its match is replayed or played by others.",
    "waiting": "It waits because an earlier line is still with the director.",
    "wrong-pin": "Wrong PIN ({count} of {most} on this tablet): nothing was signed.",
}

KIND = choice(KINDS)
STATUS = choice(STATUSES)


class Reason(str):
    """Why something is not done: the sentence that a person reads, with the code and values that a row keeps of it."""

    code: str
    facts: Facts

    def __new__(cls, code: str, **facts: Any) -> Reason:
        made = super().__new__(cls, say(REASONS[code], facts))
        made.code, made.facts = code, facts
        return made


def kept(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Reasons as a row keeps them; what the rules of a game say of an entry is kept in their words."""
    return [
        {"said": one.code, **one.facts} if isinstance(one, Reason) else {"said": TEXT, "text": one} for one in texts
    ]


def reasons_text(reasons: Sequence[Facts]) -> str:
    """The reasons of a row, one sentence behind the other."""
    return " ".join(one["text"] if one["said"] == TEXT else say(REASONS[one["said"]], one) for one in reasons)
