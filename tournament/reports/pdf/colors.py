"""The colors of papers, each made once: parsing one from its letters takes longer than writing the text in it."""

from __future__ import annotations

from reportlab.lib.colors import HexColor

INK, BLACK, MUTED, GREY = HexColor("#111111"), HexColor("#000000"), HexColor("#5d6762"), HexColor("#767676")
GREEN, GOLD, RED = HexColor("#0f5b46"), HexColor("#83560a"), HexColor("#a81d29")
# From the darkest, for frames, to the lightest, for lines between rows.
FRAME, LINE, PALE, FAINT = HexColor("#888888"), HexColor("#999999"), HexColor("#cccccc"), HexColor("#dddddd")
