# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out: any leading shape, the last axis is the numbers of one pose."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Rows:
    """What was given, as columns for the kernels: row k holds number k of all poses."""

    def __init__(self, values: ArrayLike, width: int, name: str) -> None:
        try:
            array = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError) as wrong:
            raise ValueError(f"{name}: expected an array of numbers: {wrong}") from None
        if array.ndim == 0 or array.shape[-1] != width:
            raise ValueError(f"{name}: expected shape ({width},) or (N, {width}), got {array.shape}")
        self.shape = array.shape[:-1]
        self.single = array.ndim == 1
        self.columns: Floats = np.ascontiguousarray(array.reshape(-1, width).T)

    @property
    def count(self) -> int:
        return self.columns.shape[1]

    def back(self, columns: NDArray[Any], *inner: int) -> NDArray[Any]:
        """(k, N) as (..., k), or as (..., *inner) where the numbers of one pose have a shape of their own."""
        rows = np.ascontiguousarray(columns.T)
        return rows.reshape(*self.shape, *(inner or (columns.shape[0],)))

    def one_each(self, values: NDArray[Any]) -> Any:
        """(N,) as the leading shape has it; a plain number for a single pose."""
        return values[0].item() if self.single else values.reshape(self.shape)

    def beside(self, other: Rows, name: str) -> None:
        """ValueError unless the other has one row, or as many."""
        if other.count not in (1, self.count):
            raise ValueError(f"{name}: expected 1 or {self.count} rows, one for each pose, got {other.count}")


def columns(width: int, count: int) -> Floats:
    """Room for answers."""
    return np.empty((width, count))


def numbers(values: ArrayLike, shape: tuple[int, ...], name: str) -> Floats:
    """An array of exactly this shape, finite."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as wrong:
        raise ValueError(f"{name}: expected an array of numbers: {wrong}") from None
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinity")
    return array
