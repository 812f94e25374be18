"""Sentences out of codes and values: why something waits for the desk, what a team is told, how values read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scoring.decisions import cited
from scoring.document import find_sheet
from scoring.ledger import listed
from scoring.options import every_option
from tournament.pairing.plan import INSTEAD
from tournament.words.phrases import (
    BOARD_SECTIONS,
    CALLS,
    EVENT_STAGES,
    GAME_STATES,
    MOVEMENTS,
    RULE_STAGES,
    TEAM_STATES,
    clock_words,
    money,
    named,
)

# Single values within a sentence: a round, sums of money, teams at a table, keys in words.


# The form of a value within a sentence.
Form = Callable[[Any], str]
GROUPS = "groups"
DRAWN = MOVEMENTS | {
    INSTEAD: "Round robin, instead of moving teams",
    GROUPS: "Everybody meets different players",
}
PAPERS = {"seating": "seating", "slips": "slips", "sheets": "score sheets"}


def choice(words: Mapping[str, str], *, within: bool = True) -> Form:
    """Return a function that puts a code into words from a table, in lowercase within a sentence or unchanged.

    A code that is not in the table is shown as it is.
    """
    texts = {code: text.lower() if within else text for code, text in words.items()}
    return lambda code: texts.get(code, str(code))


def _round(value: int | str) -> str:
    return f"Game {value}" if isinstance(value, int) else value


def _within(value: int | str) -> str:
    """A round's title within a sentence."""
    said = _round(value)
    return said[:1].lower() + said[1:]


def _money(value: Sequence[Any]) -> str:
    cents, currency = value
    return money(cents, currency)


def _standing(value: dict[str, Any]) -> str:
    """A team's account with the club, or the content of the cash box."""
    if "in_hand" in value:
        return f"{_money(value['in_hand'])} cash on hand"
    got = f", got {_money(value['got'])}" if value.get("got") else ""
    return f"paid {_money(value['paid'])}, owes {_money(value['owes'])}{got}"


def _drawn_rounds(value: Sequence[int]) -> str:
    first, last = value
    return f"Game {first}" if first == last else f"Games {first} to {last}"


def _options(value: dict[str, Any]) -> str:
    titles = _titles(value["sheet"])
    keys = [key.rpartition(".") for key in value["keys"]]
    return ", ".join(
        titles.get(key, key) + (f" ({RULE_STAGES.get(of, of).lower()})" if of else "") for of, _, key in keys
    )


def _titles(sheet: str) -> dict[str, str]:
    try:
        rules = find_sheet(sheet).rules
    except KeyError:
        # A rule sheet that this version does not have: the keys are shown as they are.
        return {}
    return {option.key: option.title for option in every_option(rules, rules)}


def as_it_is(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


FORMS: dict[str, Form] = {
    "signed": str,
    "round": _round,
    "within": _within,
    "money": _money,
    "standing": _standing,
    "receipts": lambda value: f"receipt{'s' if len(value) > 1 else ''} {', '.join(map(str, value))}",
    "clock": clock_words,
    "units": lambda value: f"{value[0]} {value[1]}{'' if value[0] == 1 else 's'}",
    "against": " – ".join,
    "matches": lambda value: "; ".join(" – ".join(map(str, pair)) for pair in value),
    "pairs": lambda value: "; ".join(f"{one} – {other}" for one, other in value),
    "and": " and ".join,
    "rounds": _drawn_rounds,
    "places": lambda value: ", ".join(f"{_round(one)}, table {table}" for one, table in value),
    "waiting": lambda value: listed(f"{team} (table {table})" for team, table in value),
    "fields": lambda value: ", ".join(map(named, value)),
    "options": _options,
    "papers": lambda value: ", ".join(PAPERS[one] for one in value),
    "cited": cited,
    "about": choice(CALLS),
    "section": choice(BOARD_SECTIONS),
    "stage": choice(EVENT_STAGES, within=False),
    "status": choice(TEAM_STATES, within=False),
    "state": choice(GAME_STATES, within=False),
    "movement": choice(DRAWN, within=False),
}


# Sentences out of codes and values: templates in which values are filled in. “{team} entered[, from round {joins}]”: a
# value is put into words by the form that the template names after a colon, or by the form of its own name; a value
# without a form is shown unchanged. Text in brackets is shown only if every value in it is there. Things are counted
# with a noun: {tables:n table} is “1 table” or “24 tables”.

TEXT = "text"
FIELD = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
PART = re.compile(r"\[([^\[\]]*)\]")
PLURALS = {"entry": "entries"}

Facts = Mapping[str, Any]


def say(template: str, facts: Facts) -> str:
    """Fill in a template. Raises KeyError if a value outside brackets is missing."""
    said = PART.sub(lambda part: _part(part[1], facts), template)
    return FIELD.sub(lambda field: _form(field)(facts[field[1]]), said)


def unknown_text(code: str, facts: Facts) -> str:
    """The text for a row whose code this version does not know: the code and its facts."""
    values = ", ".join(f"{name}: {as_it_is(value)}" for name, value in facts.items() if name != "said")
    return f"{code} ({values})" if values else code


def can_be_said(words: Callable[[str, Facts], str], code: str, facts: Any) -> bool:
    """Whether these are a code and the values that its sentence needs; for data from elsewhere."""
    try:
        return bool(code and isinstance(facts, dict) and words(code, facts))
    except (LookupError, TypeError, ValueError, AttributeError):
        return False


def _part(part: str, facts: Facts) -> str:
    return part if all(facts.get(field[1]) not in (None, "", []) for field in FIELD.finditer(part)) else ""


def _form(field: re.Match[str]) -> Form:
    name, form = field[1], field[2]
    if form is None:
        return FORMS.get(name, as_it_is)
    return _counted(form) if form.startswith(("n ", "n, ")) else FORMS[form]


def _counted(form: str) -> Form:
    """“3 tables”; with a comma in the format, thousands are separated."""
    count, _, noun = form.partition(" ")
    large = count.endswith(",")
    many = PLURALS.get(noun, f"{noun}s")
    return lambda count: f"{count:{',' * large}} {noun if count == 1 else many}"


# Why a tablet's item was not written on the sheet, what it was, and what became of it.

KINDS = {
    "hand": "A hand",
    "void": "A hand that does not count",
    "undo": "Undo of the last line",
    "seat": "A side is seated",
    "dealer": "First dealer",
    "bids": "Bids of the hand in play",
    "call": "A call for the director",
    "uncall": "A call that is withdrawn",
    "sign": "A signature",
    "unsign": "A signature that is undone",
    "other": "Something",
}
STATUSES = {
    "parked": "Waits for the desk",
    "applied": "Applied",
    "replaced": "Put in the place of a line",
    "discarded": "Discarded",
}
# What people read about a case at the desk, by the code that the program uses.
WHY = {
    "former-device": "From a tablet that the table no longer uses",
    "other-table": "For another table",
    "no-game": "Its game was drawn again",
    "closed": "Its game is not in play",
    "others-sit": "It is about people who no longer sit there",
    "final": "After the sheet was final",
    "not-writer": "Two tablets wrote at this table",
    "waiting": "Waits for an earlier line",
    "gap": "A line before it is missing",
    "conflict": "Another line is already in its place",
    "refused": "The rules do not allow it, or it cannot be read",
    "changed": "The sheet has changed since",
    "uuid-reused": "Sent twice with different content",
    "fault": "A program error stopped it",
}
REASONS = {
    "another-last": "The sheet has changed: another hand is the last one now.",
    "bids-count": "This game needs {count} bids, not {bids}.",
    "begun": "A hand is already recorded, so the first dealer stays.",
    "bids-late": "These bids are for line {line} of the sheet, and that is not the next one.",
    "closed": "{round} is not in play.",
    "elsewhere": "It is for table {table}, and the tablet belongs to table {own}.",
    "fault": "A program error stopped it. The director decides.",
    "final": "The sheet is final. Only an official can correct it.",
    "former": "It came from a tablet that was taken off table {table}.",
    "from-paper": "The game was continued from paper: only an official can take these totals back.",
    "game-deleted": "It was drawn again, so this game was deleted.",
    "gap": "It is line {line} of the sheet; line {due} is missing.",
    "line-changed": "The director has changed this line, so it was not undone.",
    "looks-on": "Another tablet was keeping score at table {table} when this arrived.",
    "meanwhile": "Another hand was recorded before yours. Look at the sheet, then record yours if it is still right.",
    "no-bids": "No bids can be locked here now.",
    "no-call": "{round} is not in play, so table {table} cannot call the director.",
    "no-game": "Its game is not in this event: it was drawn again, or it is another event's.",
    "no-pin": "No PIN yet for {team}. Get one at the desk.",
    "no-player": "Choose the name of a player of this side.",
    "no-seat": "There is no such seat at this table.",
    "no-side": "There is no such side at this table.",
    "not-agreed": "The bids are locked: {bids}. They change only when both sides agree.",
    "not-bid": "“{bid}” cannot be bid now.",
    "not-over": "The game is not over: there is nothing to sign yet.",
    "not-played": "{round} is not in play: nothing can be recorded at table {table}.",
    "not-seated": "Everybody must be seated before the first deal. Not seated yet: {teams}.",
    "nothing": "There is nothing to undo.",
    "others-sit": "It is about {then:and}[; the desk has put {now:and} there since].",
    "over": "The sheet is final: the game is over.",
    "paused": (
        "Five wrong PINs: nobody signs on this tablet for a minute. Hands can be entered, and an official may witness."
    ),
    "recorded": "Line {line} was already recorded[ by {by}][: {stands}]. The director will compare them.",
    "reused": "It has the same number as something received earlier.",
    "round-closed": "{round} is closed: its signatures stay.",
    "ruling-last": "The last line is a ruling: only the director can withdraw it, with a reason.",
    "same-moment": "Somebody else recorded a line at the same moment. Look at the sheet and try again.",
    "seats-closed": "{round} is not in play: nobody can be seated at table {table}.",
    "sent-before": "The tablet sent this before, with different content.",
    "sheet-changed": "The sheet has changed since it was signed. Check it and sign again.",
    "sheet-differs": "The sheet was changed since you looked at it. Please check it again before signing.",
    "sides-swapped": "It was written before the sides changed places at the desk.",
    "signed": "The sheet was final already.",
    "signed-by-all": "The sheet is final. Only an official can correct it.",
    "unreadable": "The tablet sent something this version cannot read. Write the hand on paper.",
    "void": "This game no longer counts.",
    "waiting": "It waits because an earlier line is still with the director.",
    "wrong-pin": "Wrong PIN ({count} of {most} on this tablet): nothing was signed.",
}

KIND = choice(KINDS)
STATUS = choice(STATUSES)


class Reason(str):
    """Why something is not done: the sentence that a person reads, with the code and values that a row stores."""

    code: str
    facts: Facts

    def __new__(cls, code: str, **facts: Any) -> Reason:
        made = super().__new__(cls, say(REASONS[code], facts))
        made.code, made.facts = code, facts
        return made


def kept(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Reasons as a row stores them; what a game's rules say about an entry is stored in their words."""
    return [
        {"said": one.code, **one.facts} if isinstance(one, Reason) else {"said": TEXT, "text": one} for one in texts
    ]


def reasons_text(reasons: Sequence[Facts]) -> str:
    """The reasons of a row, as sentences one after another."""
    return " ".join(said_by(REASONS | {TEXT: "{text}"}, reason["said"], reason) for reason in reasons)


def said_by(templates: Mapping[str, str], code: str, facts: Facts) -> str:
    """The sentence of a code, or the code with its facts if this version does not know it."""
    return say(templates[code], facts) if code in templates else unknown_text(code, facts)
