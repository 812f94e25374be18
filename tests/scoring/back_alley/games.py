"""Random games of Back Alley as documents, legal by the page on the game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from scoring.back_alley.rules import Rules
from scoring.options import choose
from tests.scoring import wrongs
from tests.scoring.back_alley.naive import TEAM_GAMES, blind_deal, play, schedule, table
from tests.scoring.drawn import Played, Turn, each, of_use


def with_options(rules: Rules, options: Mapping[str, object]) -> Rules:
    chosen, problems = choose(rules, options)
    assert not problems
    return chosen


SHEETS = ("partnership", "all", "high-two", "individual", "oh-hell-18", "korean-war-26", "wild-cards")
NAMES = ["Aces", "Books", "Clubs", "Deuces", "Eights"]
BOARDS = ["board", "double-board", "triple-board", "quadruple-board"]
TEAM_OPTIONS: dict[str, list[Any]] = {
    "first_six": [True],
    "rainbow4": [True],
    "rainbow8": [True],
    "rainbow12": [True],
    "rainbow_plain": [True],
    "blind": [True],
    "one_card_deals": [1, 2],
    "way_back": [False],
    "fixed_deal": [4, 8],
    "most_cards": [5, 8, 6],
    "level_end": ["one-more-hand"],
    "set_limit": [2, 3],
    "deciding_hand": ["counts"],
    "misdeal_dealer": ["next"],
    "back_to_back": [13],
    "deals": [3, 25, 30],
    "players": [3, 5, 6],
    "redeal_demand": [True],
    "spades_trump": [True],
}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "partnership": TEAM_OPTIONS
    | {
        "partner_double_board": [True],
        "reduced": [True],
        "joker_turned": ["burned"],
        "big_blooper_follow": ["may-play-low"],
    },
    "all": TEAM_OPTIONS,
    "high-two": {"level_end": ["one-more-hand"], "deals": [2]},
    "individual": {"level_end": ["one-more-hand"], "twos_high": [True]},
    "oh-hell-18": {"level_end": ["one-more-hand"], "deals": [5]},
    "korean-war-26": {"all_cards_bid": ["board", "number"], "level_end": ["one-more-hand"]},
    "wild-cards": {"level_end": ["one-more-hand"]},
}


def random_document(chance: Random, sheet: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return a game of one to five hands that begins anywhere in the schedule; sometimes the clock stops it."""
    document: dict[str, Any] = {"sheet": f"back_alley/{sheet}", "options": dict(options), "entries": []}
    document["sides"] = NAMES[: _sides(chance, sheet, options)]
    sides = len(document["sides"])
    document["options"] = options = of_use(document["sheet"], document["options"], sides)
    deals = schedule(document)
    deal = chance.choice([0, chance.randrange(len(deals)), max(0, len(deals) - 2)])
    close = [chance.randint(-3, 3) for _ in range(sides)]
    document["opening"] = {"hands": deal, "scores": chance.choice([[0] * sides, close])}
    if deal > 1 and sides == 2:
        document["opening"]["sets"] = [chance.randint(0, 1), chance.randint(0, 1)]
        document["opening"]["sets_running"] = [0, 0]
    tied = len(set(document["opening"]["scores"])) == 1
    stopped = tied and 0 < deal < len(deals) and chance.random() < 0.1
    if stopped:
        document["opening"]["deciding"] = True
    for _ in range(chance.randint(1, 5)):
        if deal >= len(deals) and not options.get("level_end"):
            break
        if not stopped and deal < len(deals) and chance.random() < 0.1:
            stopped = True
            document["entries"].append({"entry": "time"})
        hand = random_hand(chance, document, deals[min(deal, len(deals) - 1)])
        document["entries"].append(hand)
        deal += 1 if any(hand["tricks"]) else 0
    document["entries"] = document["entries"][: len(play(document)["entries"])]
    return document


def random_hand(chance: Random, document: dict[str, Any], cards: int) -> dict[str, Any]:
    sheet, options, players, sides = table(document)
    bids = [_number(chance, sheet, cards) for _ in range(players)]
    first_six = None
    if not blind_deal(document, cards):
        if sheet in TEAM_GAMES and sheet != "all":
            _boards(chance, document, cards, bids)
        elif sheet != "wild-cards":
            word = {"all": "all", "korean-war-26": "bort"}.get(sheet, "board")
            if sheet != "all" or cards <= 5:
                bids = [word if chance.random() < 0.25 else bid for bid in bids]
        _rainbows(chance, document, cards, bids)
        if (
            options.get("first_six")
            and cards >= 7
            and not any("board" in bid for bid in bids)
            and chance.random() < 0.5
        ):
            bids[chance.randrange(players)] = "first-six"
    tricks = _tricks(chance, cards, players)
    if "first-six" in bids:
        side = bids.index("first-six") % sides
        taken = sum(tricks[side::sides])
        first_six = taken == cards or (taken >= 6 and chance.random() < 0.5)
    if all(
        bid in ("pass", "0") or (bid in ("rainbow", "false-rainbow") and _announced(sheet, options, cards))
        for bid in bids
    ):
        tricks = [0] * players
    hand: dict[str, Any] = {"entry": "hand", "cards": cards, "bids": bids, "tricks": tricks}
    return hand if first_six is None else hand | {"first_six": first_six}


def _sides(chance: Random, sheet: str, options: dict[str, Any]) -> int:
    if sheet not in TEAM_GAMES:
        return chance.choice([2, 3, 4])
    if options.get("players") == 6:
        return chance.choice([2, 3])
    if sheet == "high-two":
        return 2
    return options.get("players") or chance.choice([2, 2, 2, 3, 4, 5])


def _number(chance: Random, sheet: str, cards: int) -> str:
    top = cards if sheet not in TEAM_GAMES else cards - 1
    if sheet == "high-two" and cards == 1:
        top = 1
    number = chance.randint(0, max(0, min(top, chance.choice([1, 2, 4, 13]))))
    if number:
        return str(number)
    return "pass" if sheet in TEAM_GAMES else chance.choice(["pass", "0"])


def _boards(chance: Random, document: dict[str, Any], cards: int, bids: list[str]) -> None:
    sheet, options, players, sides = table(document)
    if chance.random() < 0.5 or (sheet == "high-two" and cards > 1):
        return
    if options.get("partner_double_board"):
        for side in range(sides):
            seats = list(range(side, players, sides))
            chance.shuffle(seats)
            for word, seat in zip(BOARDS[: chance.randint(0, 2)], seats, strict=False):
                bids[seat] = word
        return
    seats = list(range(players))
    chance.shuffle(seats)
    if sheet == "high-two":
        bids[seats.pop()] = "1"
    for word, seat in zip(BOARDS[: chance.randint(0, 4 if sheet == "partnership" else 3)], seats, strict=False):
        bids[seat] = word


def _rainbows(chance: Random, document: dict[str, Any], cards: int, bids: list[str]) -> None:
    sheet, options, players, _ = table(document)
    plain = _announced(sheet, options, cards)
    played = plain or options.get(f"rainbow{cards}")
    if not played or chance.random() < 0.3:
        return
    seat = chance.randrange(players)
    if plain:
        word = chance.choice(["rainbow", "false-rainbow"]) if sheet == "korean-war-26" else "rainbow"
        bids[seat] = word if bids[seat] in ("pass", "0") else f"{word}+{bids[seat]}"
    elif bids[seat].isdigit() or bids[seat] == "pass":
        more = chance.randint(0, cards - 1 - cards // 4)
        bids[seat] = f"rainbow+{more}" if more else "rainbow"


def _announced(sheet: str, options: dict[str, Any], cards: int) -> bool:
    """A rainbow that is told beside the bid and is none itself."""
    if sheet == "oh-hell-18":
        return cards in (4, 8)
    return cards == 4 and bool(sheet == "korean-war-26" or options.get("rainbow_plain"))


def _tricks(chance: Random, cards: int, players: int) -> list[int]:
    tricks = [0] * players
    greedy = chance.randrange(players)
    for _ in range(cards):
        tricks[greedy if chance.random() < chance.choice([0.3, 0.95]) else chance.randrange(players)] += 1
    if chance.random() < 0.2:
        return [cards if seat == greedy else 0 for seat in range(players)]
    return tricks


# What the tests of all games need to know about this one: see `tests/scoring/drawn.py`.

# A document has as many sides as it names.
DRAWN: Played = [
    ("back_alley/all", {"sides": 4}),
    ("back_alley/all", wrongs.DRAWN),
    *each("back_alley", SHEETS, OPTIONS),
]


def random_game(chance: Random, sheet: str) -> dict[str, Any]:
    return random_document(chance, sheet.partition("/")[2], {})


def random_entries(chance: Random, sheet: str, sides: int) -> list[dict[str, Any]]:
    document = random_game(chance, sheet)
    while len(document["sides"]) != sides or document["opening"]["hands"]:
        document = random_game(chance, sheet)
    entries: list[dict[str, Any]] = document["entries"]
    return entries


def hand_of(chance: Random, turn: Turn) -> dict[str, Any]:
    sides = [str(side) for side in range(turn.sides)]
    return random_hand(chance, {"sheet": turn.sheet, "options": turn.options, "sides": sides}, turn.due.cards)


def kept(document: dict[str, Any]) -> dict[str, Any]:
    played = play(document)
    columns = {key: [line[key] for line in played["entries"]] for key in ("scores", "sets")}
    return columns | {key: played[key] for key in ("over", "winner", "how")}
