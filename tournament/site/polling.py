"""How often open pages ask for news, in milliseconds.

Nobody waits five seconds for news, and desk, projector, and a table in play not even two. There are few of these, and
people act on them; there are many phones, and each request costs something whether there is news or not.
"""

from __future__ import annotations

AT_ONCE, CALMLY = 1200, 4000


def every(milliseconds: int) -> str:
    """The trigger of a page that asks this often."""
    return f"every {milliseconds}ms"
