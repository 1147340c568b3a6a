# SPDX-License-Identifier: Apache-2.0
"""What the API refuses before anything is sent: wrong types and things that are no numbers."""
from __future__ import annotations

from typing import Sequence


def expect(value: object, kind: type, name: str) -> None:
    """ValueError unless `value` is of that kind."""
    if not isinstance(value, kind):
        raise ValueError(f"{name}: expected a {kind.__name__}, got {type(value).__name__} {value!r}")


def expect_list(values: object, kind: type, name: str) -> None:
    """ValueError unless `values` is a list of that kind."""
    if not isinstance(values, list):
        raise ValueError(f"{name}: expected a list of {kind.__name__}, got {type(values).__name__}")
    for index, value in enumerate(values):
        expect(value, kind, f"{name}[{index}]")


def real(value: float, name: str) -> float:
    """The number as Python has it; ValueError when it is none."""
    if isinstance(value, (int, float)):
        return float(value)
    try:
        return float(value.__float__())  # numpy's numbers
    except (AttributeError, TypeError, ValueError):
        raise ValueError(f"{name}: expected a number, got {type(value).__name__} {value!r}") from None


def six(values: Sequence[float], name: str) -> list[float]:
    """The six numbers; ValueError when they are not."""
    try:
        numbers = [real(value, name) for value in values]
    except TypeError:
        raise ValueError(f"{name}: expected six numbers, got {values!r}") from None
    if len(numbers) != 6:
        raise ValueError(f"{name}: expected six numbers, got {len(numbers)}")
    return numbers
