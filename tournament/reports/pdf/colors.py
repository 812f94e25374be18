"""The colors of paper, each made once: to read one from its letters takes longer than to write the text in it."""

from __future__ import annotations

from reportlab.lib.colors import HexColor

INK, BLACK, MUTED, GREY = HexColor("#111111"), HexColor("#000000"), HexColor("#5d6762"), HexColor("#767676")
GREEN, GOLD, RED = HexColor("#0f5b46"), HexColor("#83560a"), HexColor("#a81d29")
# From the frame of a box to the lines between rows.
FRAME, LINE, PALE, FAINT = HexColor("#888888"), HexColor("#999999"), HexColor("#cccccc"), HexColor("#dddddd")
