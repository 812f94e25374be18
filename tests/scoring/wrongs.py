"""A second scorer of offenses, with an eraser: it rewrites the hand as the ruling leaves it, then scores that."""

from __future__ import annotations

from random import Random
from typing import Any

OWN = ("nil", "0", "blind-nil")
NOT_BID = (*OWN, "pass", "with-partner")
PRICES = ("set", "three-books", "three-books-set", "three-lost", "game", "adjustment")
RULES = ("renege", "wrong-call", "missing-cards", "talking", "disclosing")
MOST = 3
# A renege for which the director adjusted points counts, too. The points do not matter here.
RULINGS = ("ruling", "adjustment")
NO_POINTS = {"points": [0, 0], "reason": "adjusted"}

# Options that are drawn here with a value that is not the default.
DRAWN = {"renege_price": "set", "second_renege": "game", "wrong_call": "set"}


def price_list(chance: Random) -> dict[str, Any]:
    """Draw what a sheet charges."""
    price = chance.choice(PRICES)
    return {
        "renege_price": price,
        "second_renege": "same" if price == "game" else chance.choice(["same", "game"]),
        "wrong_call": chance.choice(["none", "three-books", "three-books-set", "three-lost", "set"]),
    }


def with_wrongs(chance: Random, document: dict[str, Any]) -> dict[str, Any]:
    """Return the game with rulings that its hands allow, each right after its hand or at the end of the sheet.

    If no other hand is in between, a ruling may leave out which hand it is about.
    """
    options = document["options"]
    for _ in range(2 * MOST):
        entries = document["entries"]
        hands = [number for number, entry in enumerate(entries, start=1) if entry["entry"] == "hand"]
        if not hands or len(rulings_in(entries)) == MOST:
            break
        line, rule = chance.choice(hands), chance.choice(RULES)
        behind = chance.choice([line, len(entries)])
        prices = {
            "renege": [options["renege_price"]] + (["game"] if options["second_renege"] == "game" else []),
            "wrong-call": [options["wrong_call"]],
            "missing-cards": ["set"],
            "talking": ["books-off", "books-lost"],
            "disclosing": ["books-off", "books-lost"],
        }[rule]
        ruling = {"entry": "ruling", "rule": rule, "side": chance.randrange(2), "choice": chance.choice(prices)}
        if rule == "renege" and (ruling["choice"] == "adjustment" or chance.random() < 0.2):
            ruling = {"entry": "adjustment", "rule": rule, "side": ruling["side"], "line": line, **NO_POINTS}
            document = document | {"entries": inserted(entries, behind, ruling)}
            continue
        if ruling["choice"].startswith("books-"):
            ruling["books"] = chance.randint(1, 3)
        is_last = line == max(number for number in hands if number <= behind)
        if not is_last or ruling["choice"] == "game" or chance.random() < 0.5:
            ruling["line"] = line
        ruled = document | {"entries": inserted(entries, behind, ruling)}
        document = document if erased(ruled) is None else ruled
    return document


def rulings_in(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in entries if entry["entry"] in RULINGS]


def inserted(entries: list[dict[str, Any]], behind: int, ruling: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the sheet with one more line. Rulings that name a line below it now name the next one."""
    later = [entry | {"line": entry["line"] + 1} if entry.get("line", 0) > behind else entry for entry in entries]
    return [*later[:behind], ruling, *later[behind:]]


def erased(document: dict[str, Any]) -> tuple[list[dict[str, Any]], int | None] | None:
    """Return the hands as their rulings leave them, and who lost the game by a ruling; None if a ruling is refused.

    The sheet is cut off after the first hand that costs the game.
    """
    by_hand: dict[int, list[dict[str, Any]]] = {}
    last = 0
    for number, entry in enumerate(document["entries"], start=1):
        last = number if entry["entry"] == "hand" else last
        if entry["entry"] in RULINGS:
            by_hand.setdefault(entry.get("line", last), []).append(entry)
    before = document.get("opening", {}).get("reneges", [0, 0])
    reneged = {side for side in (0, 1) if before[side]}
    written: list[dict[str, Any]] = []
    for number, entry in enumerate(document["entries"], start=1):
        if entry["entry"] in RULINGS:
            continue
        hand: dict[str, Any] | None = entry
        costs: list[tuple[int, str, int]] = []
        for ruling in by_hand.get(number, ()):
            side, price = ruling["side"], ruling.get("choice", "adjusted")
            if ruling["rule"] == "renege":
                price = "game" if document["options"]["second_renege"] == "game" and side in reneged else price
                reneged.add(side)
            costs.append((side, price, ruling.get("books", 3)))
        # Tricks are taken off first, then sides are set.
        for side, price, books in costs:
            if hand and price not in ("set", "game", "none", "adjusted"):
                hand = without(hand, side, books, price)
        for side, price, _ in costs:
            if hand and price in ("set", "three-books-set"):
                hand = nothing_taken(hand, side)
        losers = {side for side, price, _ in costs if price == "game"}
        if hand is None or len(losers) > 1:
            return None
        written.append(six_lost(hand))
        if losers:
            return written, losers.pop()
    return written, None


def without(hand: dict[str, Any], side: int, number: int, price: str) -> dict[str, Any] | None:
    """Move tricks to the other side, or to nobody. A side that is set as well need not have any."""
    tricks = list(hand["tricks"])
    from_whom, to_whom = free(hand, side), free(hand, 1 - side)
    there = sum(tricks[seat] for seat in from_whom)
    if not there and price == "three-books-set":
        return hand
    if not there or (price.startswith("books-") and there < number) or not (to_whom or price.endswith("-lost")):
        return None
    for _ in range(min(number, there)):
        tricks[next(seat for seat in from_whom if tricks[seat])] -= 1
        if not price.endswith("-lost"):
            tricks[to_whom[-1]] += 1
    return hand | {"tricks": tricks}


def nothing_taken(hand: dict[str, Any], side: int) -> dict[str, Any] | None:
    """Take a side’s tricks away; None if it has no bid to lose, or if tricks of a nil or a rainbow make its bid."""
    seats = free(hand, side)
    own = sum(tricks for seat, tricks in enumerate(hand["tricks"]) if seat % 2 == side and seat not in seats)
    if promised(hand.get("bids", [])[side::2], sum(hand["tricks"])) <= own:
        return None
    return hand | {"tricks": [0 if seat in seats else tricks for seat, tricks in enumerate(hand["tricks"])]}


def promised(bids: list[str], cards: int) -> int:
    """Return how many tricks a side must take. The first six count alone; any other word means every trick."""
    if "first-six" in bids:
        return 6
    numbers = [number for bid in bids if bid not in NOT_BID for number in bid.split("+")]
    least = [1 if word == "rainbow" else int(word.split("-")[-1]) if word[-1].isdigit() else cards for word in numbers]
    return min(cards, sum(least))


def free(hand: dict[str, Any], side: int) -> list[int]:
    """Return the seats of a side, without nils and rainbows, which their own tricks decide."""
    bids = hand.get("bids", [])
    by_seat = len(bids) == len(hand["tricks"])
    own = [seat for seat, bid in enumerate(bids) if by_seat and (bid in OWN or "rainbow" in bid)]
    return [seat for seat in range(side, len(hand["tricks"]), 2) if seat not in own]


def six_lost(hand: dict[str, Any]) -> dict[str, Any]:
    """Note that a side with fewer than six tricks left has not won the first six."""
    if not hand.get("first_six"):
        return hand
    bidder = hand["bids"].index("first-six") % 2
    return hand | {"first_six": sum(hand["tricks"][bidder::2]) >= 6}
