# SPDX-License-Identifier: Apache-2.0
"""Tables for notebooks."""
from __future__ import annotations

import html
from typing import Iterable, Sequence


def _text(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else html.escape(str(value))


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """With a title in bold; numbers with four digits behind the point, all else escaped."""
    names = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    cells = "".join(f"<tr>{''.join(f'<td>{_text(value)}</td>' for value in row)}</tr>" for row in rows)
    return f"<b>{html.escape(title)}</b><table><tr>{names}</tr>{cells}</table>"
