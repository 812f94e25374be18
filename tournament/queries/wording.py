"""An entry of the sheet in words and columns, as a player would read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scoring.document import read_entry
from scoring.entries import Ruling
from scoring.ledger import Carry, HandResult, Line
from scoring.words import bid_words, named
from tournament.phrases import minus
from tournament.queries.rules import Ruleset

HOW = {
    "points": "by points",
    "negative": "on negative points",
    "odd": "odd",
    "two-sets": "two sets",
    "sets": "sets",
    "backdoor": "backdoor",
    "renege": "renege",
    "late": "by default, late",
    "forfeit": "forfeit",
    "award": "awarded by the director",
    "no-game": "nobody won",
    "time": "ahead when time ran out",
    "agreed-stop": "stopped by agreement",
    "schedule": "most points after the last hand",
    "boston": "Boston",
    "back-to-back": "on two sets in a row",
    "deciding-hand": "in the deciding hand",
}
# Ways a game ends without its hands deciding it.
BY_DEFAULT = frozenset({"late", "forfeit", "award", "no-game"})


class Written(NamedTuple):
    """An entry as it stands on the sheet.

    `who` is the bidding side, None where nobody bid; `bid`, `need` and `took` are about it. `answers` are what every
    side or seat bid and took, in words, by the key of the field. `about` names the side that a ruling or an award is
    about: whoever broke the rule, or gets the game. `trump` also says which way the cards ranked. `outcome` is made,
    set (where any side was set), none (nobody bid), void, ruling, award, adjustment or stop; `words` has made, set,
    lost or nothing for each side, as scoring says.
    `text` says it all in one short clause; `rule` is what a ruling, a void or a hand without points cites.
    """

    who: int | None
    who_name: str
    bid: str
    kind: str
    need: int | None
    took: int | None
    cards: int | None
    answers: Mapping[str, tuple[str, ...]]
    trump: str
    outcome: str
    rule: str
    text: str
    words: tuple[str, ...] = ()
    about: str = ""

    @property
    def bids(self) -> tuple[str, ...]:
        return self.answers.get("bids", ())

    @property
    def tricks(self) -> tuple[int, ...]:
        return tuple(int(count) for count in self.answers.get("tricks", ()))

    def said(self, key: str, side: int, sides: int) -> tuple[str, ...]:
        """What the players of a side answered, or the side as one."""
        answers = self.answers.get(key, ())
        return answers[side::sides] if len(answers) != sides else answers[side : side + 1]

    @property
    def offender(self) -> str:
        """The side that broke the rule which was ruled on."""
        return self.about if self.outcome == "ruling" else ""

    @property
    def headed(self) -> str:
        """The line in one clause, a hand with the name of whoever bid; a decision names its side itself."""
        return f"{self.who_name}: {self.text}" if self.need is not None and self.who_name else self.text


def how_words(how: str) -> str:
    """The way a game ended, in words."""
    return HOW.get(how, how.replace("-", " "))


def players_of(seats: Sequence[Any]) -> tuple[str, ...]:
    """The names of the players by seat, as the sentences of a line count them."""
    return tuple(seat.name for seat in sorted(seats, key=lambda seat: seat.seat))


def write_down(
    rules: Ruleset,
    facts: dict[str, Any],
    names: tuple[str, ...],
    seats: Sequence[Any],
    lines: Sequence[Line],
    cards: int | None = None,
    before: Carry | None = None,
) -> Written:
    """Put an entry into words and columns. `lines` are its points; empty for an entry that no longer counts.

    `cards` were due to each player, where the entry itself does not say how many were dealt. `before` is where the game
    stood; without it (a line that no longer counts) only a hand of Bid Whist is said to be made or set.
    """
    kind = facts.get("entry", "")
    if kind != "hand":
        return _decision(kind, facts, names, rules)
    if "bidder" in facts or "seat" in facts:
        return _bidder_hand(rules, facts, names, seats)
    return _trick_hand(rules, facts, lines, facts.get("cards", cards), _result(rules, facts, before))


def _result(rules: Ruleset, facts: dict[str, Any], before: Carry | None) -> HandResult | None:
    """What scoring says that a hand came to; None where it is not known where the game stood."""
    entry, problems = read_entry(rules.game, facts)
    return None if problems or before is None else rules.game.result(rules.rules, before, entry)


def _bidder_hand(rules: Ruleset, facts: dict[str, Any], names: tuple[str, ...], seats: Sequence[Any]) -> Written:
    seat = facts.get("seat")
    side = facts["bidder"] if facts.get("bidder") is not None else seat % 2
    entry, _ = read_entry(rules.game, facts)
    # A number with “no trump” named after it was played as a No.
    bid, books = str(facts["bid"] if entry is None else entry.contract), facts["books"]
    named = {one.value: one.words.lower() for one in rules.first_hand.choices("direction")}
    ranked = named.get(entry.direction, "") if entry is not None else ""
    need = 6 + int(bid.partition("-")[0])
    # Neither side's score decides whether a bid of Bid Whist is made.
    result = _result(rules, facts, rules.game.begin(rules.rules))
    words = tuple(result.words) if result else ()
    outcome = words[side] if words else ""
    who = next((one.name for one in seats if seat is not None and one.seat == seat), names[side])
    text = " ".join(filter(None, (bid_words(bid), outcome, f"with {books}")))
    return Written(
        side,
        who,
        bid_words(bid),
        bid.partition("-")[2] or "straight",
        need,
        books,
        None,
        {},
        ", ".join(filter(None, (facts.get("trump", ""), ranked))),
        outcome,
        "",
        text,
        words,
    )


def _trick_hand(
    rules: Ruleset, facts: dict[str, Any], lines: Sequence[Line], cards: int | None, result: HandResult | None
) -> Written:
    own = [field.key for field in rules.columns if field.everybody]
    answers = {key: tuple(bid_words(str(one)) for one in facts[key]) for key in own if key in facts}
    words = tuple(result.words) if result else ()
    outcome = "set" if "set" in words else "made" if any(words) else "none"
    note, rule = (result.note, result.rule) if result else ("", "")
    text = "; ".join(dict.fromkeys(line.text for line in lines)) or note or "no points"
    trump = facts.get("trump", "")
    return Written(None, "", "", "", None, None, cards, answers, trump, outcome, rule, text, words)


def _decision(kind: str, facts: dict[str, Any], names: tuple[str, ...], rules: Ruleset) -> Written:
    rule = str(facts.get("rule", ""))
    side = facts.get("side")
    text, outcome, about, who = kind, kind, side, None
    if kind == "void":
        text, outcome = facts.get("reason") or _void_words(rules, rule), "void"
    elif kind == "ruling":
        text, outcome, who = _ruling_text(rules, facts, names), "ruling", _bidder(rules, facts)
    elif kind == "award":
        about, outcome = facts.get("to"), "award"
        text = "Game to nobody" if about is None else f"Game to {names[about]}"
    elif kind == "adjustment":
        text = facts.get("reason") or "Adjusted by the director"
    elif kind == "time":
        text, outcome = "Time is up", "stop"
    elif kind == "agreed_stop":
        text, outcome = "All players agreed to stop", "stop"
    elif kind == "opening":
        totals = " to ".join(minus(score) for score in facts.get("scores", ()))
        text, outcome = f"Continued from paper{f': {totals}' if totals else ''}", "opening"
    bid = bid_words(facts["bid"]) if facts.get("bid") else ""
    books = facts.get("books")
    who_name, about_name = (names[one] if one is not None and one < len(names) else "" for one in (who, about))
    return Written(who, who_name, bid, "", None, books, None, {}, "", outcome, rule, text, about=about_name)


def _void_words(rules: Ruleset, rule: str) -> str:
    """What the sheet calls this kind of void hand, where the line does not say."""
    voids = rules.game.voids(rules.rules, rules.game.begin(rules.rules))
    return next((one.words for one in voids if one.rule == rule), "Void, dealt again")


def _bidder(rules: Ruleset, facts: dict[str, Any]) -> int | None:
    """Who had won the bid that was ruled on, also where the rule itself tells it."""
    ruling, _ = read_entry(rules.game, facts)
    return rules.game.bidder_of(rules.rules, ruling) if isinstance(ruling, Ruling) else None


def _ruling_text(rules: Ruleset, facts: dict[str, Any], names: tuple[str, ...]) -> str:
    """What happened and what was chosen, in the words of the sheet."""
    table = {entry.rule: entry for entry in rules.game.rulings(rules.rules)}
    rule = table.get(str(facts.get("rule", ""))) or table.get("other")
    asked = facts.get("choice", "")
    choice = next((one for one in rule.choices if asked == one.key or asked in one.also), None) if rule else None
    when = rule.when if rule and rule.rule != "other" else f"Rule {facts.get('rule', '')}"
    side = facts.get("side")
    if choice and choice.said and side in range(2) and len(names) == 2:
        return named(choice.said, (names[side], names[1 - side]))
    who = f" ({names[side]})" if side is not None and side < len(names) else ""
    return f"{when}{who}: {choice.words if choice else asked}"
