"""The entry form of every game: what was posted becomes facts of the game document, or faults at their fields.

Which fields there are, and what they take, comes from the rules' `next_hand` (queries.asking).
"""

from tournament.forms.entry.posted import Posted, read_hand, read_key, read_position, typed_values

__all__ = ["Posted", "read_hand", "read_key", "read_position", "typed_values"]
