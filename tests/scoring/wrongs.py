"""Wrongs once more, as a scorekeeper with an eraser: the hand is written as the ruling leaves it, then scored."""

from __future__ import annotations

from random import Random
from typing import Any

OWN = ("nil", "0", "blind-nil")
PRICES = ("set", "three-books", "game", "adjustment")


# What is drawn here away from its default.
DRAWN = {"renege_price": "set", "second_renege": "game", "wrong_call": "set"}


def price_list(chance: Random) -> dict[str, Any]:
    """What a sheet may charge."""
    return {
        "renege_price": chance.choice(PRICES),
        "second_renege": chance.choice(["same", "game"]),
        "wrong_call": chance.choice(["none", "three-books", "set"]),
    }


def with_wrongs(chance: Random, document: dict[str, Any]) -> dict[str, Any]:
    """The same game with one to three rulings, each right behind its hand or further down."""
    entries, options = [dict(entry) for entry in document["entries"]], document["options"]
    for _ in range(chance.randint(1, 3)):
        hands = [line for line, entry in enumerate(entries, start=1) if entry["entry"] == "hand"]
        if not hands:
            break
        line, rule = chance.choice(hands), chance.choice(["renege", "wrong-call", "missing-cards", "talking"])
        behind = chance.choice([line, len(entries)])
        prices = {
            "renege": [options["renege_price"]] + (["game"] if options["second_renege"] == "game" else []),
            "wrong-call": [options["wrong_call"]],
            "missing-cards": ["set"],
            "talking": ["books-off"],
        }[rule]
        ruling = {"entry": "ruling", "rule": rule, "side": chance.randrange(2), "choice": chance.choice(prices)}
        if ruling["choice"] == "adjustment":
            continue
        if ruling["choice"] == "books-off":
            ruling["books"] = chance.randint(1, 3)
        entries.insert(behind, ruling | {"line": line})
        for entry in entries[behind + 1 :]:
            if entry.get("line", 0) > behind:
                entry["line"] += 1
    return document | {"entries": entries}


def erased(document: dict[str, Any]) -> tuple[list[dict[str, Any]], int | None] | None:
    """The hands as their rulings leave them, and who lost the game by the last of them; None where one is refused.

    A hand is cut off behind the first that costs the game.
    """
    entries, options = document["entries"], document["options"]
    reneged: set[int] = set()
    written: list[dict[str, Any]] = []
    for line, entry in enumerate(entries, start=1):
        if entry["entry"] == "ruling":
            continue
        rulings = [ruling for ruling in entries if ruling["entry"] == "ruling" and ruling.get("line") == line]
        hand, losers = dict(entry), set()
        for ruling in rulings:
            price = ruling["choice"]
            if ruling["rule"] == "renege" and price != "none":
                price = "game" if options["second_renege"] == "game" and ruling["side"] in reneged else price
                reneged.add(ruling["side"])
            if price in ("three-books", "books-off"):
                left = moved(hand, ruling["side"], 3 if price == "three-books" else ruling["books"], price)
                if left is None:
                    return None
                hand = left
            losers |= {ruling["side"]} if price == "game" else set()
            ruling["cost"] = price
        for ruling in rulings:
            if ruling.pop("cost") == "set":
                hand = nothing_taken(hand, ruling["side"])
        written.append(hand)
        if losers:
            return None if len(losers) > 1 else (written, losers.pop())
    return written, None


def moved(hand: dict[str, Any], side: int, number: int, price: str) -> dict[str, Any] | None:
    tricks = list(hand["tricks"])
    from_whom, to_whom = free(hand, side), free(hand, 1 - side)
    there = sum(tricks[seat] for seat in from_whom)
    if not to_whom or not there or (price == "books-off" and there < number):
        return None
    for _ in range(min(number, there)):
        tricks[next(seat for seat in from_whom if tricks[seat])] -= 1
        tricks[to_whom[-1]] += 1
    return hand | {"tricks": tricks}


def nothing_taken(hand: dict[str, Any], side: int) -> dict[str, Any]:
    seats = free(hand, side)
    return hand | {"tricks": [0 if seat in seats else tricks for seat, tricks in enumerate(hand["tricks"])]}


def free(hand: dict[str, Any], side: int) -> list[int]:
    """The places of a side, but for nils and rainbows, which their own tricks decide."""
    bids = hand.get("bids", [])
    by_seat = len(bids) == len(hand["tricks"])
    own = [seat for seat, bid in enumerate(bids) if by_seat and (bid in OWN or "rainbow" in bid)]
    return [seat for seat in range(side, len(hand["tricks"]), 2) if seat not in own]
