"""Hands at random that the rules accept, bid and played about as people do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from scoring.document import read_entry
from scoring.game import Field, NextHand
from scoring.ledger import Carry
from tournament.queries.rules import Ruleset

Facts = dict[str, Any]
BOOK, BOOKS = 6, 13
# Tricks above or below the bid: mostly few, and two hands of three are made.
OVER, SHORT = (0, 0, 0, 0, 1, 1, 2), (1, 1, 2, 3)
NIL, PASS = "nil", "pass"
# The fields of a hand that are played; other questions of a game are answered at random.
PLAYED = ("seat", "bid", "books", "bids", "tricks")
# If everybody may bid freely, a hand is refused now and then: tricks that do not fit the bids, two boards.
TRIES = 200


def choose_hand(rules: Ruleset, carry: Carry, chance: Random, *, boston: bool = False) -> Facts:
    """A hand that the rules accept; with all the books if a Boston is wanted and the game has one."""
    due = rules.game.next_hand(rules.rules, carry)
    seats, sides = rules.seating
    # In a game with bids, a hand may be played without any: then it says that there are none.
    bids_at_all = due.field("bid") or any(field.key == "bids" for field in rules.game.columns(rules.rules))
    for _ in range(TRIES):
        if due.field("bid"):
            facts = _won_bid(due, seats, chance, boston)
        else:
            facts = _all_bid(due, seats, sides, chance)
        if not bids_at_all:
            del facts["bids"]
        facts |= _others(due, {"seat": seats, "side": sides}, chance)
        entry, problems = read_entry(rules.game, facts)
        if not problems and not rules.game.problems(rules.rules, carry, entry):
            return facts
    raise ValueError(f"No hand was found that {rules.sheet.key} takes.")


def after(rules: Ruleset, carry: Carry, facts: Facts) -> Carry:
    """The state of the game after another entry."""
    return rules.game.score_entry(rules.rules, carry, read_entry(rules.game, facts)[0])[1]


def _won_bid(due: NextHand, seats: int, chance: Random, boston: bool) -> Facts:
    """One side wins the auction: mostly with a low bid, straight more often than special or No."""
    bids = [bid.value for bid in due.choices("bid")]
    weights = [3.0 ** -_level(bid) * (1 if "-" in bid else 3) for bid in bids]
    bid = chance.choices(bids, weights)[0]
    need = BOOK + _level(bid)
    made = min(need + chance.choice(OVER), BOOKS - 1 if need < BOOKS else BOOKS)
    books = BOOKS if boston else made if chance.random() < 0.67 else need - chance.choice(SHORT)
    return {"entry": "hand", "seat": chance.randrange(seats), "bid": bid, "books": books}


def _all_bid(due: NextHand, seats: int, sides: int, chance: Random) -> Facts:
    """Everybody bids about their share of the tricks, and wins about what was bid."""
    places = {"seat": seats, "side": sides}
    asks = due.field("bids")
    bids: list[str] = []
    if asks:
        bidders = places[asks.of]
        bids = [_said(_choices(asks, place), due.cards / bidders, chance) for place in range(bidders)]

    takes = due.field("tricks")
    takers = places[takes.of] if takes else sides
    tricks = _tricks_near(bids, takers, due.cards, chance)
    everybody_passed = bool(bids) and set(bids) == {PASS}
    if everybody_passed and chance.random() < 0.5:
        # The hand is thrown in: nobody plays it.
        tricks = [0] * takers
    return {"entry": "hand", "bids": bids, "tricks": tricks}


def _tricks_near(bids: Sequence[str], takers: int, cards: int, chance: Random) -> list[int]:
    """Tricks that add up to the cards, each near the bid; a bid of nil takes none if there is anybody else."""
    tricks = [0] * takers
    for place, bid in enumerate(bids):
        if bid.isdigit():
            tricks[place % takers] += int(bid)
    adjusted = list(range(takers))
    if len(bids) == takers:
        adjusted = [place for place in adjusted if bids[place] != NIL] or adjusted
    while sum(tricks) != cards:
        step = 1 if sum(tricks) < cards else -1
        place = chance.choice([place for place in adjusted if tricks[place] + step >= 0])
        tricks[place] += step
    return tricks


def _others(due: NextHand, places: Mapping[str, int], chance: Random) -> Facts:
    """The other questions of a game: any of the answers that it offers."""
    others: Facts = {}
    for field in due.fields:
        if field.key in PLAYED or field.layout == "given" or not field.needed:
            continue
        if field.everybody:
            others[field.key] = [_any_answer(field, place, chance) for place in range(places[field.of])]
        else:
            others[field.key] = _any_answer(field, 0, chance)
    return others


def _any_answer(field: Field, place: int, chance: Random) -> int | str:
    value = chance.choice(_choices(field, place))
    return int(value) if value.isdigit() else value


def _choices(asks: Field, place: int) -> tuple[str, ...]:
    return tuple(one.value for one in asks.offered(place))


def _said(offered: tuple[str, ...], share: float, chance: Random) -> str:
    """A number near one's share of the tricks, seldom nil; other bids are for the brave."""
    plain = [bid for bid in offered if bid.isdigit()]
    if NIL in offered and chance.random() < 0.06:
        return NIL
    if not plain:
        # The order of speaking shows which board is the double one: the table says “board”.
        return chance.choice([bid for bid in offered if not bid.endswith("-board")])
    if PASS in offered and chance.random() < 0.2:
        return PASS
    wanted = max(0, round(chance.gauss(share * 0.85, max(share / 3, 0.5))))
    return min(plain, key=lambda bid: abs(int(bid) - wanted))


def _level(bid: str) -> int:
    return int(bid.partition("-")[0])
