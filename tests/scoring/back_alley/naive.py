"""A second scorer of Back Alley, straight from the page on the game: plain tables, and nothing shared."""

from __future__ import annotations

from typing import Any

BOARD_PER_CARD = {"board": 10, "double-board": 20, "triple-board": 30, "quadruple-board": 40}
HIGH_TWO_ONE_CARD = {"1": 10, "board": 20, "double-board": 30, "triple-board": 40}
RAINBOW_POINTS = {4: 40, 8: 80, 12: 120}
RAINBOW_TRICKS = {4: 1, 8: 2, 12: 3}
TEAM_GAMES = ("partnership", "all", "high-two")


def table(document: dict[str, Any]) -> tuple[str, dict[str, Any], int, int]:
    """Sheet, options, players and sides."""
    sheet = document["sheet"].split("/")[1]
    options = document.get("options", {})
    sides = len(document["sides"])
    if sheet in TEAM_GAMES:
        return sheet, options, options.get("players") or (4 if sides == 2 else sides), sides
    return sheet, options, sides, sides


def schedule(document: dict[str, Any]) -> list[int]:
    sheet, options, players, _ = table(document)
    if sheet == "high-two":
        cards = [*range(1, 14), *range(13, 0, -1)]
    elif sheet in ("individual", "wild-cards"):
        cards = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]
    elif sheet == "oh-hell-18":
        cards = [9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    else:
        top = largest(sheet, options, players)
        cards = list(range(top, 0, -1))
        if options.get("way_back", True):
            has_single = options.get("one_card_deals", 2) == 1 or options.get("deals") == 2 * top - 1
            cards += list(range(2 if has_single else 1, top + 1))
        if options.get("fixed_deal"):
            count = options.get("deals") or len(cards)
            return [options["fixed_deal"]] * count
    return cards[: options["deals"]] if options.get("deals") else cards


def largest(sheet: str, options: dict[str, Any], players: int) -> int:
    if options.get("most_cards"):
        return int(options["most_cards"])
    if sheet == "partnership" and options.get("reduced"):
        return {3: 10, 4: 10, 5: 8, 6: 6}[players]
    return {5: 10, 6: 8}.get(players, 13)


def blind_deal(document: dict[str, Any], cards: int) -> bool:
    """The deal in the middle between one card and the largest: 7 of 13, 5 of 10, 4 of 8."""
    sheet, options, players, _ = table(document)
    if not options.get("blind"):
        return False
    top = largest(sheet, options, players)
    return cards == {13: 7, 10: 5, 8: 4, 6: 3, 5: 3, 9: 5}[top]


def play(document: dict[str, Any]) -> dict[str, Any]:
    _, options, _, sides = table(document)
    deals = schedule(document)
    opening = document.get("opening", {})
    scores = list(opening.get("scores", [0] * sides))
    sets = list(opening.get("sets", [0] * sides))
    deal = opening.get("hands", 0)
    level = clock = bool(opening.get("deciding"))
    over, winner, how = False, None, None
    printed = []
    for entry in document["entries"]:
        if entry["entry"] == "hand":
            hand = score_hand(document, deals[min(deal, len(deals) - 1)], entry)
            if hand is not None:
                points, was_set = hand
                sets = [old + new for old, new in zip(sets, was_set, strict=True)]
                counts = clock and options.get("deciding_hand") == "counts"
                if level and not counts:
                    ahead = [side for side in tops(scores) if points[side] == max(points[x] for x in tops(scores))]
                    if len(ahead) == 1:
                        over, winner, how = True, ahead[0], "deciding-hand"
                else:
                    scores = [old + new for old, new in zip(scores, points, strict=True)]
                limit = options.get("set_limit")
                out = [side for side in range(sides) if limit and sides == 2 and sets[side] >= limit]
                if out and (counts or not level) and (len(out) == 1 or scores[0] != scores[1]):
                    over, how = True, "two-sets" if limit == 2 else "sets"
                    winner = 1 - out[0] if len(out) == 1 else tops(scores)[0]
                elif counts and len(tops(scores)) == 1:
                    over, winner, how = True, tops(scores)[0], "deciding-hand"
                deal += 1
                if not over and not level and deal >= len(deals):
                    winner = tops(scores)[0] if len(tops(scores)) == 1 else None
                    if winner is None and options.get("level_end") == "one-more-hand":
                        level = True
                    else:
                        over, how = True, "schedule"
        elif entry["entry"] == "time":
            if len(tops(scores)) == 1:
                over, winner, how = True, tops(scores)[0], "time"
            else:
                level = clock = True
        printed.append({"scores": list(scores), "sets": list(sets)})
        if over:
            break
    return {"entries": printed, "over": over, "winner": winner, "how": how, "points": scores}


def tops(scores: list[int]) -> list[int]:
    return [side for side, score in enumerate(scores) if score == max(scores)]


def score_hand(document: dict[str, Any], cards: int, entry: dict[str, Any]) -> tuple[list[int], list[int]] | None:
    """Return points and sets of each side; None if all passed."""
    sheet, options, players, sides = table(document)
    bids, tricks = entry["bids"], entry["tricks"]
    rainbows = [bid.split("+")[0] if "rainbow" in bid else "" for bid in bids]
    calls = [bid.removeprefix("blind-") if "rainbow" not in bid else [*bid.split("+"), "pass"][1] for bid in bids]
    calls = ["pass" if call == "0" else call for call in calls]
    own_bid_rainbow = sheet in ("partnership", "all") and not (cards == 4 and options.get("rainbow_plain"))
    # A rainbow that is not a bid, and passes: thrown in, unless the tricks show that it was played.
    played = any(rainbows) and (own_bid_rainbow or sum(tricks) == cards)
    if all(call == "pass" for call in calls) and not played:
        return None
    points, was_set = [0] * sides, [0] * sides
    for seat in range(players):
        side = seat % sides
        if rainbows[seat]:
            points[side] += rainbow_points(sheet, cards, rainbows[seat], tricks[seat], own_bid_rainbow)
        if sheet not in TEAM_GAMES or sheet == "high-two":
            earned = single(sheet, options, cards, calls[seat], tricks[seat])
            points[side] += earned
            failed = earned < 0
            was_set[side] = int(was_set[side] or failed)
    if sheet in ("partnership", "all"):
        for side in range(sides):
            seats = list(range(side, players, sides))
            numbers = [RAINBOW_TRICKS[cards] if rainbows[seat] and own_bid_rainbow else 0 for seat in seats]
            numbers += [int(calls[seat]) for seat in seats if calls[seat].isdigit()]
            taken = sum(tricks[seat] for seat in seats)
            bids_of_side = {calls[seat] for seat in seats}
            earned = team(document, cards, bids_of_side, sum(numbers), taken, entry.get("first_six"))
            points[side] += earned
            was_set[side] = int(earned < 0)
    return points, was_set


def rainbow_points(sheet: str, cards: int, word: str, tricks: int, own_tricks: bool) -> int:
    if sheet == "oh-hell-18":
        return {4: 5, 8: 10}[cards]
    if sheet == "korean-war-26":
        return 40 if word == "rainbow" else -40
    if not own_tricks:
        return 40
    return RAINBOW_POINTS[cards] if tricks >= RAINBOW_TRICKS[cards] else -RAINBOW_POINTS[cards]


def team(document: dict[str, Any], cards: int, said: set[str], number: int, tricks: int, first_six: Any) -> int:
    _, options, _, _ = table(document)
    won_all = tricks == cards
    if "all" in said:
        return 25 if won_all else -25
    for word in ("quadruple-board", "triple-board", "double-board", "board"):
        if word in said:
            price = BOARD_PER_CARD[word] * cards
            if options.get("partner_double_board"):
                price = 15 * cards if word == "double-board" else 10 * cards
            return price if won_all else -price
    if "first-six" in said:
        return 100 + tricks - 6 if first_six else -100
    if blind_deal(document, cards):
        return number + tricks if tricks >= number else -2 * number
    return 5 * number + (tricks - number) if tricks >= number else -5 * number


def single(sheet: str, options: dict[str, Any], cards: int, call: str, tricks: int) -> int:
    if sheet == "high-two":
        if cards == 1 and call in HIGH_TWO_ONE_CARD:
            return HIGH_TWO_ONE_CARD[call] if tricks else -HIGH_TWO_ONE_CARD[call]
        return plain(10, call, tricks)
    if sheet == "wild-cards":
        return plain(3, call, tricks)
    if sheet == "korean-war-26":
        if call == "bort" or (options.get("all_cards_bid") == "board" and call == str(cards)):
            return 10 * cards if tricks == cards else -10 * cards
        bid = 0 if call == "pass" else int(call)
        return 5 * bid + tricks - bid if tricks >= bid else -5 * (bid - tricks)
    board = call == "board" or call == str(cards)
    extra = 10 if sheet == "oh-hell-18" else 0
    if cards == 1:
        if not board:
            return 0
        return 13 + extra if tricks else -13 - extra
    if board:
        return 6 * cards + extra if tricks == cards else -6 * cards - extra
    return plain(3, call, tricks)


def plain(per_trick: int, call: str, tricks: int) -> int:
    bid = 0 if call == "pass" else int(call)
    return per_trick * bid + tricks - bid if tricks >= bid else -per_trick * bid
