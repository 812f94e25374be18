"""Wording used in several places: names of states, and numbers as a score sheet writes them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.dateformat import format as written
from django.utils.dateformat import time_format

from scoring.document import all_sheets, heading_of
from scoring.ledger import counted as counted
from scoring.ledger import one_stop as one_stop
from scoring.standings.tiebreaks import amount

EVENT_STAGES = {
    "setup": "Being set up",
    "playing": "Qualifying games",
    "playoffs": "Playoffs",
    "over": "Finished",
}
BOARD_SECTIONS = {
    "turns": "Everything in turn",
    "seating": "Seating",
    "standings": "Standings",
    "bracket": "Bracket",
    "pot": "Boston pot",
    "champion": "Champions",
}
ROUND_STATES = {"planned": "Planned", "running": "In play", "closed": "Closed"}
GAME_STATES = {
    "planned": "Not started",
    "playing": "Playing",
    "to-sign": "To sign",
    "final": "Final",
    "void": "Does not count",
}
# Games in these states delay neither their round nor their match.
VOID = "void"
DONE = ("final", VOID)
TEAM_STATES = {"playing": "Playing", "left": "Left", "disqualified": "Disqualified"}
NOT_SEATED = "Not seated"
# Nobody in the hall is told who plays before the officials have decided.
ON_HOLD = "On hold: the officials decide"
STAGES = {"qualifying": "Qualifying", "tiebreak": "Tie-break", "playoff": "Playoff"}
# How the public reads a player's name; a person may ask to show less than the event does, never more.
A_PLAYER = "a player"
# Authors without account and tablet: by an entry's private link, or at check-in.
BY_PHONE = f"{A_PLAYER}, by phone"
NAMES_SHOWN = {"full": "Full names", "initial": "First name and initial", "hidden": "No names"}
# The states of a player's own entry.
ENTRY_STATES = {
    "asked": "Waits for the desk",
    "in": "In",
    "waiting": "On the waiting list",
    "single": "Looks for a partner",
    "joined": "Has a partner",
    "leaving": "Wants to leave",
    "withdrawn": "Withdrawn",
    "refused": "Not accepted",
}
# In these states an entry has no team yet, and its players want to play.
OPEN_ENTRIES = ("asked", "waiting", "single")
# The stages that may have options of their own.
# What a team that loses a match of the playoffs does next. The second bracket does not let anybody lose twice.
LOSERS = {
    "out": "is out",
    "places": "plays on for a place",
    "consolation": "plays in a consolation bracket",
    "double": "goes to the losers’ bracket: out after two losses",
    "one-final": "goes to the losers’ bracket, with only one final",
}
# The same with the last place that is played for, as the director chooses it.
WHO_LOSES = {
    "out": "is out",
    "places-4": "plays for third place, after a semifinal",
    "places-8": "plays on for every place down to the eighth",
    "places-16": "plays on for every place down to the sixteenth",
    "consolation-2": "plays in a consolation bracket, after the first match",
    "consolation-4": "plays in a consolation bracket, or for third place",
    "double": "goes to the losers’ bracket: two losses and out",
    "one-final": "goes to the losers’ bracket, but one final decides",
}
SECOND_LOSERS = {key: LOSERS[key] for key in ("out", "places", "consolation")}
RULE_STAGES = {"playoff": "Playoffs", "final": "Final"}
MOVEMENTS = {
    "moving": "Moving teams go up one table",
    "round-robin": "Round robin",
    "swiss": "Swiss: by record",
    "random": "Random draw",
    "winners-up": "Winners up, losers down",
    "by-hand": "Drawn by hand",
}
# The acts of the journal, as the log names them; an act of a later version keeps its own name.
ACTS = {
    "answer": "call answered",
    "appoint": "official appointed",
    "archive": "archive",
    "bids": "bids changed",
    "check-in": "check-in",
    "board": "projector",
    "call": "director called",
    "call-off": "call withdrawn",
    "card": "card issued",
    "cash": "cash box",
    "change": "setup changed",
    "charge": "amount owed changed",
    "close": "game closed",
    "correct": "line corrected",
    "correct-final": "final sheet corrected",
    "create": "event set up",
    "cut": "cut to the playoffs",
    "decide": "decided at the desk",
    "dismiss": "official removed",
    "draw": "draw",
    "dues": "dues of the season",
    "enter": "entered",
    "entry": "entry by players",
    "enter-boards": "score workbook read",
    "extend": "length of a game changed",
    "finish": "event finished",
    "freeze": "rules fixed",
    "hall-word": "word to the hall",
    "import": "event file read",
    "merge": "entries merged",
    "number": "numbers",
    "other-hall": "other hall's games imported",
    "pair": "tablet set up",
    "park": "set aside for the desk",
    "pause": "clock stopped",
    "pay": "paid",
    "pay-out": "paid out",
    "people": "who is who",
    "pin": "PIN given",
    "pot": "Boston pot",
    "print": "printed",
    "prizes": "prizes",
    "read": "notice read",
    "record": "line written",
    "refund": "money back",
    "remove": "entry removed",
    "restore": "backup restored",
    "resume": "clock resumed",
    "return": "back in play",
    "reverse": "receipt taken back",
    "revoke": "tablet withdrawn",
    "rule": "ruling",
    "seat": "seats",
    "seat-late": "seated late",
    "sign": "signed",
    "start": "game started",
    "substitute": "substitute",
    "swap": "seats swapped",
    "take-over": "scorer changed",
    "tiebreak": "tie broken",
    "time": "time called",
    "undo": "entry undone",
    "verify": "sheet verified",
    "void": "game does not count, or counts again",
    "withdraw": "withdrawn",
    "wrong-pin": "wrong PIN",
}
VERIFY_CLOSING = {
    "warns": "A game can be closed; the desk says which games wait",
    "blocks": "A game stays open until they are verified",
}
# How a signature was given. Empty: on the tablet, or by an official with a reason. “back” withdraws one.
SIGNED_HOW = {"paper": "signed on paper", "back": "undone"}
# The name under a final sheet from an event file that does not say who signed it.
BY_IMPORT = "by import"
VERIFY_STATES = {"waiting": "Not verified", "rejected": "Rejected", "verified": "Verified"}
CALLS = {
    "renege": "Renege",
    "exposed": "Exposed card",
    "count": "Wrong number of cards",
    "score": "Score question",
    "other": "Something else",
}
DEALS_FIRST = {
    "first-club": "Deal until someone gets a club: that player deals first.",
    "first-diamond": "Deal until someone gets a diamond: that player deals first.",
    "high-card": "Everyone cuts the deck: the highest card deals first.",
    "side-one": "A player of the side listed first deals first.",
    "by-lot": "The first dealer is drawn at random.",
    "named": "The officials name the first dealer.",
}
CALLED = {
    "renege": "The director was called about a renege.",
    "exposed": "The director was called about an exposed card.",
    "count": "The director was called about a wrong number of cards.",
    "score": "The director was called about the score.",
    "other": "The director was called.",
}
# What a table is told about its call: the first once the site has it, the second once a director has answered.
TOLD, ON_THE_WAY = "The desk has been told.", "The director is on the way."
ENTRIES = {
    "hand": "hand",
    "void": "void hand",
    "ruling": "ruling",
    "award": "game awarded",
    "adjustment": "adjustment",
    "time": "time called",
    "agreed_stop": "stopped by agreement",
    "removed": "taken off the sheet",
}
# The log's words for keys that only the program uses. Empty if the value needs no words.
NAMED = {
    "checks_in": "check-in",
    "counts": "counts in its season, times",
    "cut": "advance to the playoffs",
    "entries_from": "entries open",
    "entries_until": "entries close",
    "entry_limit": "limit",
    "entries_wait": "the desk accepts each entry",
    "entry_words": "what entrants are told",
    "how": "",
    "entry": "",
    "kind": "",
    "home": "stays at table",
    "keep_apart": "cities kept apart",
    "role": "",
    "room_until": "room closes at",
    "rule": "",
    "sheet": "rule sheet",
    "sign_with": "signed with",
    "stakes_apart": "through or out play each other in the last game",
    "verify_closing": "before closing",
    "verify_own": "run by one person alone",
}
VALUES = {
    "board_shows": BOARD_SECTIONS,
    "entry": ENTRIES,
    "how": SIGNED_HOW,
    "kind": CALLS,
    "movement": MOVEMENTS,
    "role": {"director": "Director", "verifier": "Verifier"},
    "sheet": {sheet.key: sheet.title for _, sheet in all_sheets()},
    "sign_with": {"name": "The name of a player", "pin": "The name of a player and the PIN"},
    "verify_closing": VERIFY_CLOSING,
}
COUNTED = {
    "bidder": "bid by side",
    "side": "side",
    "to": "for side",
    "seat": "bid by seat",
    "dealer": "dealer: seat",
}
# Values that mean nothing to people: the key of a message, the fingerprints of sheets.
UNSAID = ("client_key", "code", "codes")
SOURCES = {"table": "Tablet", "desk": "Desk", "paper": "Paper", "import": "Import"}


def minus(number: int | float | None) -> str:
    """4, 0, −3: with a real minus sign."""
    if number is None:
        return ""
    return f"−{-number}" if number < 0 else str(number)


def result(scores: Iterable[int]) -> str:
    """7–3, 3 to −5: a dash next to a minus sign would be hard to read."""
    points = tuple(scores)
    return (" to " if min(points, default=0) < 0 else "–").join(map(minus, points))


def signed(points: int | None) -> str:
    """+4, 0, −3: with a real minus sign."""
    return f"+{points}" if points is not None and points > 0 else minus(points)


def exact_money(cents: int, currency: str = "$") -> str:
    """Whole cents as in a column of sums and on a receipt: $240.00."""
    return f"{'−' if cents < 0 else ''}{currency}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def money(cents: int | None, currency: str = "$") -> str:
    """Whole cents as money: $12.50, and $240 without cents."""
    if cents is None:
        return ""
    return ("−" if cents < 0 else "") + amount(abs(cents), currency)


def rule(clause: str) -> str:
    """“rule 13” for a number of the sheet, the clause itself otherwise."""
    return f"rule {clause}" if str(clause)[:1].isdigit() else str(clause)


def clause(key: str) -> str:
    """“rule 13” for a number of the sheet, otherwise the clause's name; empty for a clause that needs no name."""
    return f"rule {key}" if str(key)[:1].isdigit() else heading_of(str(key))


def day(date: date) -> str:
    """November 21, 2026."""
    return f"{date:%B} {date.day}, {date.year}"


def in_words(value: object, longest: int = 300) -> str:
    """The journal's values before or after, short enough for a line: “bid 4 · books 11 · in pot yes”."""
    words = _in_words(value)
    return words if len(words) <= longest else words[: longest - 1] + "…"


def named(name: str) -> str:
    """The log's name for a fact: “fee” for fee_cents."""
    return NAMED.get(name, name.removesuffix("_cents").replace("_", " "))


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        # By name: not every database keeps the order in which they were written.
        facts = [
            (name, fact) for name, fact in sorted(value.items()) if fact not in (None, "", []) and name not in UNSAID
        ]
        return " · ".join(_pair(name, fact) for name, fact in facts)
    if isinstance(value, (list, tuple)):
        return ", ".join(_in_words(fact) for fact in value)
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: ""}[value]
    return str(value)


def _pair(name: str, value: object) -> str:
    """Sums are kept in cents, sides and seats counted from zero; keys are shown in the words of the screens."""
    if isinstance(value, int) and not isinstance(value, bool):
        if name.endswith("_cents"):
            return f"{named(name)} {money(value, '')}"
        if name in COUNTED:
            return f"{COUNTED[name]} {value + 1}"
    if isinstance(value, str):
        value = _said(name, value)
    return f"{named(name)} {_in_words(value)}".strip()


def _said(name: str, value: str) -> str:
    """A value that is a key of the program, by its name on screens."""
    if name == "rule":
        return clause(value) or value
    if name == "room_until":
        return time_of_day(time.fromisoformat(value))
    return VALUES.get(name, {}).get(value, value)


# Times in words: a time is written one way everywhere, by the clock of the event's hall.


def hall_time(moment: datetime, zone: str) -> datetime:
    """The time by the clock of the hall, with its offset: what files keep."""
    return moment.astimezone(ZoneInfo(zone))


def clock_time(moment: datetime, zone: str) -> str:
    """8:07 p.m.; with EDT or EST in the hour that comes twice at the end of daylight time."""
    return written(hall_time(moment, zone), "g:i a") + _twice(moment, zone)


def clock_range(first: datetime, last: datetime, zone: str, between: str = "–") -> str:
    """11:10–11:50 a.m.; 11:10 p.m.–12:05 a.m."""
    begin, end = clock_time(first, zone), clock_time(last, zone)
    if begin == end:
        return end
    time, _, half = begin.partition(" ")
    return f"{time if half == end.partition(' ')[2] else begin}{between}{end}"


def time_of_day(moment: time) -> str:
    """11:00 p.m., of any day."""
    return time_format(moment, "g:i a")


def day_time(moment: datetime, zone: str) -> str:
    """Nov 21, 8:07 p.m."""
    return written(hall_time(moment, zone), "M j, g:i a") + _twice(moment, zone)


def moment_words(moment: datetime, zone: str, now: datetime | None = None) -> str:
    """7:42:10 p.m., with the date where that is not today."""
    here, today = hall_time(moment, zone), hall_time(now or timezone.now(), zone).date()
    form = "g:i:s a" if here.date() == today else "M j, g:i:s a"
    return written(here, form) + _twice(moment, zone)


def _twice(moment: datetime, zone: str) -> str:
    """The name of the time zone, when the same time of day comes a second time."""
    here = hall_time(moment, zone)
    return f" {here:%Z}" if here.replace(fold=0).utcoffset() != here.replace(fold=1).utcoffset() else ""


def clock_words(seconds: int | None) -> str:
    """4:10, 1:05:00; a clock that has run out shows 0:00."""
    minutes, rest = divmod(max(0, seconds or 0), 60)
    hours, within = divmod(minutes, 60)
    return f"{hours}:{within:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
