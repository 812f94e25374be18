"""Options by the names that sheets document, also where an event of an earlier program has them by others.

Such an event came from a file that was written by hand. A migration reads this and so do event files: so it never
changes, and it imports nothing of the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Other words for the choices of an option.
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "tiebreak_order": {"one-game-playoff": "playoff", "drawing-of-lots": "lots"},
    "bye": {
        "no-credit": "none",
        "game-won-+-5": "game-won",
        "average-of-the-round's-winners": "average",
        "average-of-the-round’s-winners": "average",
    },
    "best_record": {"games-won-only": "games-won", "points-break-ties": "points"},
    "pot_entry": {"opt-in-per-team": "opt-in"},
    "standings_visible": {
        "after-each-round": "after-round",
        "after-the-stage": "after-stage",
        "at-the-end": "at-end",
    },
    "first_dealer": {"any": "named"},
    "special_over_straight": {"special-outranks-straight-of-the-same-level": "special-outranks"},
    "odd_scope": {"any-bid-on-which-the-other-side-takes-7-or-more-books": "any-bid"},
    "backdoor_scope": {"any-hand-that-ends-at-−5": "any-hand"},
    "boston": {"any-13-books": "any-13", "13-books-that-end-the-game": "ends-game"},
    "passing": {"yes": "three-cards", "no": "none"},
    "throw_up": {"yes": "two-tens", "no": "none"},
    "level_at_end": {"one-more-hand": "one-more"},
    "fixed_deal": {"yes": 13, "no": None, "13": 13},
    "big_blooper_follow": {"yes": "may-play-low", "no": "highest"},
}
TEAMS_OF_BACK_ALLEY = {"25deals": {"yes": {"one_card_deals": 1}, "no": {}}}
# Variations by name, each with the options that it sets: of one sheet, or of every other sheet of a game.
VARIATIONS: Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "bid_whist/no-kitty-2021": {},
    "bid_whist": {
        "nt_jokers_out": {"yes": {"jokers_at_no": "out"}, "no": {}},
        "nt_jokers_any": {"yes": {"jokers_at_no": "any-time"}, "no": {}},
        "min4": {"yes": {"lowest_bid": 4}, "no": {}},
        "low_over_high": {"yes": {"special_over_straight": "special-outranks"}, "no": {}},
        "all_equal": {"yes": {"special_over_straight": "equal", "no_over_same": False}, "no": {}},
        "sport": {"yes": {"kitty_sported": True}, "no": {}},
        "one_joker": {"yes": {"jokers": 1}, "no": {}},
        "one_joker_deuce": {"yes": {"jokers": 1, "deuce_of_spades": True}, "no": {}},
        "two_jokers_deuce": {"yes": {"jokers": 2, "deuce_of_spades": True}, "no": {}},
        "opponents_score": {"yes": {"defenders_score": "books-above-six"}, "no": {}},
        "boston28": {"yes": {"boston_bid_is_game": True}, "no": {}},
        "two_sets": {"yes": {"set_limit": 3}, "no": {}},
        "rubber": {"yes": {"rubber_games": 2}, "no": {}},
    },
    "spades": {
        "partnership_bidding": {"yes": {"bids_by": "side"}, "no": {"bids_by": "seat"}},
        "nil": {"yes": {}, "no": {"nil_points": None, "blind_nil_points": None}},
        "blind_nil": {"yes": {}, "no": {"blind_nil_points": None}},
        "bags": {"yes": {}, "no": {"bag_limit": None}},
        "sandbagging": {"yes": {}, "no": {"bag_limit": None}},
    },
    "back_alley/partnership": TEAMS_OF_BACK_ALLEY,
    "back_alley/all": TEAMS_OF_BACK_ALLEY,
    "back_alley": {"25deals": {"yes": {}, "no": {}}},
    "okinawa": {
        "okinawa_fail50": {"yes": {"okinawa_fails": "tricks-and-bonus"}, "no": {"okinawa_fails": "tricks"}},
        "no_throw_up": {"yes": {"throw_up": "none"}, "no": {}},
        "one_ten": {"yes": {"throw_up": "one-ten"}, "no": {}},
    },
}


def with_documented_options(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """An event file or game document with the documented names of its options."""
    options = data.get("options")
    if not isinstance(options, Mapping):
        return data
    return {**data, "options": documented(str(data.get("sheet")), options)}


def documented(sheet: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options by their documented names and choices; an option's own name counts before all others."""
    variations = VARIATIONS.get(sheet, VARIATIONS.get(sheet.partition("/")[0], {}))
    renamed: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for key, value in options.items():
        name = key.rpartition(".")[2]
        words = [_word(item) for item in (value if isinstance(value, list) else [value])]
        sets = variations.get(name, {})
        if sets and set(words) <= set(sets):
            for word in words:
                renamed |= sets[word]
        elif name == key:
            own[key] = _choice(key, value)
        else:
            renamed[name] = _choice(name, value)
    return renamed | own


def _choice(option: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_choice(option, item) for item in value]
    return CHOICES.get(option, {}).get(_word(value), value)


def _word(value: Any) -> str:
    """A choice as text, as sheets write one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip().lower().replace(" ", "-").replace("_", "-")
