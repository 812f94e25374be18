"""QR codes as the outline of an SVG element: sharp at any size, on the screen and on paper."""

from __future__ import annotations

from typing import Any, NamedTuple

from reportlab.graphics.barcode.qr import QrCodeWidget

QUIET = 4


class QrPath(NamedTuple):
    """`d` is for `<path d=…>`; `size` is the side of the viewBox, its quiet border included."""

    d: str
    size: int


def qr_path(text: str, level: str = "M") -> QrPath:
    """The QR code of a text: one sub-path a run of dark modules. Of capitals and digits alone it is smaller."""
    code: Any = QrCodeWidget(text, barLevel=level).qr  # type: ignore[attr-defined]  # missing in the stub
    code.make()
    count = code.getModuleCount()
    runs = []
    for row in range(count):
        column = 0
        while column < count:
            start = column
            while column < count and code.isDark(row, column):
                column += 1
            if column > start:
                runs.append(f"M{start + QUIET} {row + QUIET}h{column - start}v1h-{column - start}z")
            column += 1
    return QrPath("".join(runs), count + 2 * QUIET)
