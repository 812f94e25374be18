"""An entry of the sheet in words and columns, as a player would read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from scoring.ledger import Line
from tournament.phrases import minus
from tournament.queries.rules import Ruleset

HOW = {
    "points": "by points",
    "negative": "the other side went out backwards",
    "odd": "odd",
    "two-sets": "two sets",
    "sets": "sets",
    "backdoor": "backdoor",
    "renege": "renege",
    "late": "the other side was late",
    "forfeit": "forfeit",
    "award": "given by the director",
    "no-game": "nobody wins",
    "time": "ahead when time ran out",
    "agreed-stop": "stopped by agreement",
    "schedule": "most points after the last hand",
    "boston": "Boston",
    "back-to-back": "set twice running",
}


class Written(NamedTuple):
    """An entry as it stands on the sheet.

    `who` is the bidding side or None; `bid`, `need` and `took` fill the columns of Bid Whist; `bids` and `tricks`
    those of the games in which everybody bids. `outcome` is made, set, void, ruling, award, adjustment or stop.
    `text` says it all in one short clause; `rule` is what a ruling or void cites.
    """

    who: int | None
    who_name: str
    bid: str
    kind: str
    need: int | None
    took: int | None
    cards: int | None
    bids: tuple[str, ...]
    tricks: tuple[int, ...]
    trump: str
    outcome: str
    rule: str
    text: str


def how_words(how: str) -> str:
    """The way a game ended, in words."""
    return HOW.get(how, how.replace("-", " "))


def bid_words(bid: str) -> str:
    """A bid as the table says it: 3-No, Double board, Rainbow + 1."""
    level, _, kind = bid.partition("-")
    if level.isdigit():
        return f"{level}-{kind.capitalize()}" if kind and kind != "straight" else level
    return bid.replace("-", " ").replace("+", " + ").capitalize()


def write_down(
    rules: Ruleset,
    facts: dict[str, Any],
    names: tuple[str, ...],
    seats: Sequence[Any],
    lines: Sequence[Line],
    cards: int | None = None,
) -> Written:
    """Put an entry into words and columns. `lines` are its points; empty for an entry that no longer counts.

    `cards` were due to each player, where the entry itself does not say how many were dealt.
    """
    kind = facts.get("entry", "")
    if kind != "hand":
        return _decision(kind, facts, names, rules)
    if "bidder" in facts or "seat" in facts:
        return _bidder_hand(facts, names, seats)
    return _trick_hand(facts, lines, facts.get("cards", cards))


def _bidder_hand(facts: dict[str, Any], names: tuple[str, ...], seats: Sequence[Any]) -> Written:
    seat = facts.get("seat")
    side = facts["bidder"] if facts.get("bidder") is not None else seat % 2
    bid, books = facts["bid"], facts["books"]
    need = 6 + int(bid.partition("-")[0])
    made = books >= need
    who = next((one.name for one in seats if seat is not None and one.seat == seat), names[side])
    text = f"{bid_words(bid)} {'made' if made else 'set'} with {books}"
    return Written(
        side,
        who,
        bid_words(bid),
        bid.partition("-")[2] or "straight",
        need,
        books,
        None,
        (),
        (),
        facts.get("trump", "") or facts.get("direction", ""),
        "made" if made else "set",
        "",
        text,
    )


def _trick_hand(facts: dict[str, Any], lines: Sequence[Line], cards: int | None) -> Written:
    bids = tuple(bid_words(bid) for bid in facts.get("bids", ()))
    tricks = tuple(facts.get("tricks", ()))
    outcome = "set" if any(line.points < 0 for line in lines) else "made"
    text = "; ".join(dict.fromkeys(line.text for line in lines)) or "no points"
    trump = facts.get("trump", "")
    return Written(None, "", "", "", None, None, cards, bids, tricks, trump, outcome, "", text)


def _decision(kind: str, facts: dict[str, Any], names: tuple[str, ...], rules: Ruleset) -> Written:
    rule = str(facts.get("rule", ""))
    side = facts.get("side")
    text, outcome, who = kind, kind, side
    if kind == "void":
        text, outcome = facts.get("reason") or "No hand, dealt again", "void"
    elif kind == "ruling":
        text, outcome = _ruling_text(rules, facts, names), "ruling"
    elif kind == "award":
        who, outcome = facts.get("to"), "award"
        text = "The game is given to nobody" if who is None else f"The game is given to {names[who]}"
    elif kind == "adjustment":
        text = facts.get("reason") or "Adjusted by the director"
    elif kind == "time":
        text, outcome = "Time is up", "stop"
    elif kind == "agreed_stop":
        text, outcome = "All players agreed to stop", "stop"
    elif kind == "opening":
        totals = " to ".join(minus(score) for score in facts.get("scores", ()))
        text, outcome = f"Carried on from paper{f': {totals}' if totals else ''}", "opening"
    bid = bid_words(facts["bid"]) if facts.get("bid") else ""
    books = facts.get("books")
    name = names[who] if who is not None and who < len(names) else ""
    return Written(who, name, bid, "", None, books, None, (), (), "", outcome, rule, text)


def _ruling_text(rules: Ruleset, facts: dict[str, Any], names: tuple[str, ...]) -> str:
    """What happened and what was chosen, in the words of the sheet."""
    table = {entry.rule: entry for entry in rules.game.rulings(rules.rules)}
    rule = table.get(str(facts.get("rule", ""))) or table.get("other")
    asked = facts.get("choice", "")
    choice = next((one for one in rule.choices if asked == one.key or asked in one.also), None) if rule else None
    when = rule.when if rule and rule.rule != "other" else f"Rule {facts.get('rule', '')}"
    side = facts.get("side")
    who = f" ({names[side]})" if side is not None and side < len(names) else ""
    return f"{when}{who}: {choice.words if choice else asked}"
