"""What needs the director: calls, late teams, sheets that wait for a signature, a round that can be closed."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from scoring.words import listed
from tournament.queries.desk import DeskRound
from tournament.queries.rules import Ruleset
from tournament.queries.rulingtable import LATE as LATE_RULES
from tournament.queries.rulingtable import known_rule, rule_for_call
from tournament.queries.tablecards import LATE, PLAYING, TO_SIGN, TableCard

# A missing team is news for the director only when its time is nearly up.
WARN_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Need:
    """One line of the list. `link` says where it leads: ruling, award, game, verify, time or closing.

    `left` are the seconds of a running clock; `query` fills the ruling page.
    """

    tone: str
    place: str
    text: str
    link: str
    words: str
    game: int | None = None
    query: str = ""
    call: int | None = None
    left: int | None = None


def needs_of(desk: DeskRound, rules: Ruleset) -> tuple[Need, ...]:
    """What needs the director in this round, the most urgent first."""
    late = known_rule(rules, LATE_RULES)
    needs = [
        _call(card, rule_for_call(rules, card.call_kind))
        for card in sorted(desk.tables, key=_called_first)
        if card.call is not None
    ]
    needs += [_late(card, late) for card in desk.tables if card.state == LATE and card.left <= WARN_SECONDS]
    if desk.clock is not None and desk.clock.called:
        needs += [_time(card) for card in desk.tables if card.state in (PLAYING, LATE)]
    elif desk.clock is not None and desk.clock.up and desk.in_play:
        needs.append(Need("gold", desk.title, "The time of this round is over.", "time", "Call time at all tables"))
    needs += [_unsigned(card) for card in desk.tables if card.state == TO_SIGN]
    if desk.to_verify:
        text = f"{desk.to_verify} sheet{' was' if desk.to_verify == 1 else 's were'} typed from paper and not verified."
        needs.append(Need("gold", "Paper", text, "verify", "Compare them"))
    if desk.act == "close" and not desk.refusal:
        needs.append(Need("", desk.title, "Every game is final.", "closing", "Close the round"))
    return tuple(needs)


def _called_first(card: TableCard) -> tuple[int, int]:
    return (card.call or 0, card.table)


def _call(card: TableCard, rule: str) -> Need:
    text = f"{card.call_words}, called {card.call_age}."
    return Need("heart", _place(card), text, "ruling", "Rule on it", card.game, _query(rule=rule), call=card.call)


def _late(card: TableCard, rule: str) -> Need:
    names, several = listed(side.name for side in card.missing), len(card.missing) > 1
    # Where three or more play, a game that one of them loses is over for all: there the director chooses.
    two = len(card.sides) == 2
    said = {"choice": "both-late"} if several else {"choice": "award", "side": str(card.missing[0].index)}
    query = _query(rule=rule, **(said if two else {}))
    if card.overdue:
        text = f"{names} {'are' if several else 'is'} late."
        return Need("heart", _place(card), text, "award", "Award the game" if two else "Rule on it", card.game, query)
    text = f"{names} {'have' if several else 'has'} not sat down."
    return Need("gold", _place(card), text, "award", "Rule on it", card.game, query, left=card.left)


def _time(card: TableCard) -> Need:
    text = "Time was called: the hand in play is finished. Was none in play, write the end on the sheet."
    return Need("gold", _place(card), text, "game", "See the sheet", card.game)


def _unsigned(card: TableCard) -> Need:
    names = listed(side.name for side in card.unsigned)
    text = f"{names} {'have' if len(card.unsigned) > 1 else 'has'} not signed."
    return Need("sky", _place(card), text, "game", "See the sheet", card.game)


def _query(**said: str) -> str:
    """What the ruling page opens with; nothing where the sheet has no such rule."""
    return urlencode(said) if said["rule"] else ""


def _place(card: TableCard) -> str:
    return f"Table {card.table}"
