"""An entry of the sheet in words and columns, as a player would read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.decisions import Ruling
from scoring.document import read_entry
from scoring.game import Field
from scoring.ledger import Carry, HandResult, Line, bid_words, named
from scoring.opening import TOTALS
from tournament.queries.rules import Ruleset
from tournament.words.phrases import minus

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
    "back-to-back": "on sets in a row",
    "first-hand": "too few in the first hand",
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
    `text` says it all in one short clause, `told` what every side or seat answered.
    `rule` is what a ruling, a void or a hand without points cites.
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
    told: str = ""

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
        """The line in one clause, a hand with who bid and took what; a decision names its side itself."""
        return self.told or (f"{self.who_name}: {self.text}" if self.words and self.who_name else self.text)


class Gist(NamedTuple):
    """The same for a hand in short: who bid, the bid as it was played, the outcome, the clause, and its rule."""

    who: int | None
    bid: str
    outcome: str
    text: str
    rule: str
    words: Sequence[str]


def how_words(how: str) -> str:
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
    result: HandResult | None = None,
    hands: Mapping[int, int] = MappingProxyType({}),
) -> Written:
    """Put an entry into words and columns. `lines` are its points; empty for an entry that no longer counts.

    `cards` were due to each player, where the entry itself does not say how many were dealt. `result` is what became of
    its bids; where nobody scored it, that follows from where the game stood `before`, without it at its beginning. A
    line that no longer counts may not fit there: then nobody made a bid. `hands` are their numbers by line.
    """
    kind = facts.get("entry", "")
    if kind != "hand":
        return _decision(kind, facts, names, rules, hands)
    entry, problems = read_entry(rules.game, facts)
    if result is None and not problems:
        result = _result(rules, before, entry)
    gist = summed_up(rules, facts, bid_of(facts, entry), lines, result)
    bid_in_words = kind_of_bid = ""
    if gist.bid:
        bid_in_words = rules.bid_words(gist.bid)
        kind_of_bid = gist.bid.partition("-")[2] or "straight"
    says_cards = any(field.layout == "given" for field in rules.columns)
    everybody = [field for field in rules.columns if field.everybody and field.key in facts]
    answers = {field.key: tuple(bid_words(str(answer)) for answer in facts[field.key]) for field in everybody}
    return Written(
        who=gist.who,
        who_name=_called(facts.get("seat"), gist.who, names, seats),
        bid=bid_in_words,
        kind=kind_of_bid,
        need=_need(rules, facts),
        took=facts.get("books"),
        cards=facts.get("cards", cards if says_cards else None),
        answers=answers,
        trump=_trump(rules, facts, entry),
        outcome=gist.outcome,
        rule=gist.rule,
        text=gist.text,
        words=tuple(gist.words),
        told=_told(everybody, answers, names, players_of(seats)),
    )


def _result(rules: Ruleset, before: Carry | None, entry: Any) -> HandResult | None:
    """The result of a hand in a game that stands at `before`; None if the hand does not fit there."""
    if before is None:
        before = rules.game.begin(rules.rules)
    if rules.game.problems(rules.rules, before, entry):
        return None
    return rules.game.scored(rules.rules, before, entry).result


def _need(rules: Ruleset, facts: Mapping[str, Any]) -> int | None:
    """How many books the bid needs to be made."""
    for key, choice in rules.bids.items():
        if key == facts.get("bid"):
            return choice.made_from
    return None


def _trump(rules: Ruleset, facts: Mapping[str, Any], entry: Any) -> str:
    """What was trump, and which way the cards ranked."""
    words = [facts.get("trump", "")]
    for direction in rules.first_hand.choices("direction"):
        if direction.value == getattr(entry, "direction", ""):
            words.append(direction.words.lower())
    return ", ".join(filter(None, words))


def bid_of(facts: Mapping[str, Any], entry: Any) -> str:
    """The bid as it was played: a number followed by “no trump” is a No."""
    return str(getattr(entry, "contract", None) or facts.get("bid", ""))


def summed_up(
    rules: Ruleset, facts: Mapping[str, Any], bid: str, lines: Sequence[Line], result: HandResult | None
) -> Gist:
    """The result of a hand in a clause, if it is known what became of its bids."""
    words, note, rule = result or ((), "", "")
    seat, side = facts.get("seat"), facts.get("bidder")
    if side is None and seat is not None:
        side = seat % rules.seating.sides
    if side is None:
        outcome = _outcome_of_table(words)
    else:
        outcome = words[side] if words else ""
    if bid:
        what = " ".join(filter(None, (rules.bid_words(bid), outcome, f"with {facts.get('books')}")))
    else:
        what = "; ".join(dict.fromkeys(line.text for line in lines))
    text = "; ".join(filter(None, (what, note))) or "no points"
    return Gist(side, bid, outcome, text, rule, words)


def _outcome_of_table(words: Sequence[str]) -> str:
    """The outcome of a hand in which everybody bid: set if any side was set."""
    if "set" in words:
        return "set"
    return "made" if any(words) else "none"


def _called(seat: int | None, side: int | None, names: tuple[str, ...], seats: Sequence[Any]) -> str:
    """The player who won the bid, or the side if nobody wrote down who."""
    if side is None:
        return ""
    return next((seat_of.name for seat_of in seats if seat is not None and seat_of.seat == seat), names[side])


def _told(
    fields: Sequence[Field], answers: dict[str, tuple[str, ...]], names: Sequence[str], seats: Sequence[str]
) -> str:
    """What every side or seat answered: “Bid: Ann 4, Cal nil. Took: Ann 5, Cal 0”."""
    sentences = []
    for field in fields:
        own = answers[field.key]
        if field.layout == "count" and all(answer == "0" for answer in own):
            # A hand that was thrown in has nobody's tricks.
            continue
        is_by_side = len(own) == len(names) and len(names) != len(seats)
        who = names if is_by_side else seats
        each = ", ".join(f"{name} {answer}" for name, answer in zip(who, own, strict=False))
        if each:
            sentences.append(f"{field.heading}: {each}")
    return ". ".join(sentences)


def _decision(
    kind: str, facts: dict[str, Any], names: tuple[str, ...], rules: Ruleset, hands: Mapping[int, int]
) -> Written:
    rule = str(facts.get("rule", ""))
    side = facts.get("side")
    text, outcome, about, who = kind, kind, side, None
    if kind == "void":
        text = facts.get("reason") or _void_words(rules, rule)
    elif kind == "ruling":
        text, who = _ruling_text(rules, facts, names, hands), _bidder(rules, facts)
    elif kind == "award":
        about = facts.get("to")
        text = "Game to nobody" if about is None else f"Game to {names[about]}"
    elif kind == "adjustment":
        text = facts.get("reason") or "Adjusted by the director"
        if facts.get("line") is not None:
            text = _ruling_text(rules, {**facts, "choice": kind}, names, hands)
    elif kind == "time":
        text, outcome = "Time is up", "stop"
    elif kind == "agreed_stop":
        text, outcome = "All players agreed to stop", "stop"
    elif kind == "opening":
        text = ": ".join(filter(None, ("Continued from paper", opening_words(facts))))
    return Written(
        who=who,
        who_name=_name_of(who, names),
        bid=rules.bid_words(facts["bid"]) if facts.get("bid") else "",
        kind="",
        need=None,
        took=facts.get("books"),
        cards=None,
        answers={},
        trump="",
        outcome=outcome,
        rule=rule,
        text=text,
        about=_name_of(about, names),
    )


def _name_of(side: int | None, names: Sequence[str]) -> str:
    """The name of a side; empty if there is no side, or if names are not known."""
    return names[side] if side is not None and side < len(names) else ""


def opening_words(facts: Mapping[str, Any]) -> str:
    """Totals from paper as they were written: “120 to 95 (sets in all 1 to 0, hands played so far: 3)”."""
    words = {}
    for total in TOTALS:
        value = facts.get(total.key)
        if value and total.of == "side":
            words[total.key] = f"{total.heading.lower()} {' to '.join(map(minus, value))}"
        elif value and total.of == "game":
            words[total.key] = f"{total.heading.lower()}: {value}"
        elif value:
            words[total.key] = total.heading.lower()
    scores = words.pop("scores", "").removeprefix("score ")
    return " ".join(filter(None, (scores, f"({', '.join(words.values())})" if words else "")))


def _void_words(rules: Ruleset, rule: str) -> str:
    """The sheet's name for this kind of void hand, if the line does not say."""
    voids = rules.game.voids(rules.rules, rules.game.begin(rules.rules))
    return next((void.words for void in voids if void.rule == rule), "Void, dealt again")


def _bidder(rules: Ruleset, facts: dict[str, Any]) -> int | None:
    """Who won the bid that was ruled on, even if only the rule itself tells it."""
    ruling, _ = read_entry(rules.game, facts)
    return rules.game.bidder_of(rules.rules, ruling) if isinstance(ruling, Ruling) else None


def _ruling_text(rules: Ruleset, facts: dict[str, Any], names: tuple[str, ...], hands: Mapping[int, int]) -> str:
    """A ruling in words: what happened, what the director chose, and the hand that it is about."""
    text, line = _ruled(rules, facts, names), facts.get("line")
    if line is None:
        return text
    return f"{text} (hand {hands[line]})" if line in hands else f"{text} (line {line})"


def _ruled(rules: Ruleset, facts: dict[str, Any], names: tuple[str, ...]) -> str:
    table = {entry.rule: entry for entry in rules.game.rulings(rules.rules)}
    rule = table.get(str(facts.get("rule", ""))) or table.get("other")
    asked = facts.get("choice", "")
    choice = rule.choice(asked) if rule else None
    when = rule.when if rule and rule.rule != "other" else f"Rule {facts.get('rule', '')}"
    side: Any = facts.get("side")
    if choice and choice.sentence and side in range(2) and len(names) == 2:
        sentence = choice.sentence.replace("{books}", str(facts.get("books")))
        return named(sentence, (names[side], names[1 - side]))
    who = f" ({names[side]})" if side is not None and side < len(names) else ""
    return f"{when}{who}: {choice.words if choice else asked}"
