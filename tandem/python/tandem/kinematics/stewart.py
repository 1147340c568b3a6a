# SPDX-License-Identifier: Apache-2.0
"""Stewart platforms: six legs between a fixed base and a moving top. The functions are for the EM1500.

A pose is x, y, z (m), roll, pitch, yaw (rad) of the top in the base frame. Shapes: (6,) or (N, 6), or any leading shape.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tandem import _tandem
from tandem._arrays import Floats, Rows, columns, numbers
from tandem._html import table
from tandem.errors import UnreachableError

__all__ = ["Platform", "Poses", "em1500", "leg_lengths", "pose_from_lengths"]

_NONE = 2  # no pose was found


class Poses(NamedTuple):
    """Poses that leg lengths have."""

    pose: Floats  # (..., 6); NaN where none was found
    # (...): whether it is the only pose on home's side of the singularity; else the lengths fit another one as well
    certain: Any


class Platform:
    """Six leg joints on the base and on the top, each (6, 3) in m in its own frame, and the home pose of the top."""

    def __init__(self, base: ArrayLike, top: ArrayLike, home: ArrayLike) -> None:
        self._platform = _tandem.StewartPlatform(
            numbers(base, (6, 3), "base").tolist(),
            numbers(top, (6, 3), "top").tolist(),
            numbers(home, (6,), "home").tolist(),
        )

    @classmethod
    def _of(cls, platform: Any) -> Platform:
        made = object.__new__(cls)
        made._platform = platform
        return made

    @property
    def home(self) -> Floats:
        return np.array(self._platform.home)

    def leg_lengths(self, pose: ArrayLike) -> Floats:
        """m, (..., 6), leg 1 first; whether the real legs can reach it or not."""
        given = Rows(pose, 6, "pose")
        found = columns(6, given.count)
        self._platform.lengths(given.columns, found)
        return given.back(found)

    def pose_from_lengths(self, lengths: ArrayLike, start: ArrayLike | None = None) -> Poses:
        """Poses that have these lengths, searched from `start` ((6,) for all, or one row each) or from home.

        Lengths that no pose has raise UnreachableError for a single pose; of many those have rows of NaN.
        """
        given = Rows(lengths, 6, "lengths")
        starts = Rows(self.home if start is None else start, 6, "start")
        given.beside(starts, "start")
        found = np.array(np.broadcast_to(starts.columns, (6, given.count)), order="C")
        outcomes = np.zeros(given.count, dtype=np.uint8)
        self._platform.poses(given.columns, found, outcomes)
        if given.single and outcomes[0] == _NONE:
            raise UnreachableError(f"lengths: no pose near home has {given.columns[:, 0].tolist()}", "unreachable")
        return Poses(given.back(found), given.one_each(outcomes == 0))

    def __repr__(self) -> str:
        return f"Platform(home={np.array2string(self.home, precision=4, separator=', ')})"

    def _repr_html_(self) -> str:
        home = self.home.tolist()
        legs = [(i, length) for i, length in enumerate(self.leg_lengths(home).tolist(), 1)]
        pose = table("home", ("x (m)", "y (m)", "z (m)", "roll (rad)", "pitch (rad)", "yaw (rad)"), [home])
        return f"<b>Platform</b>: {pose}{table('legs at home', ('leg', 'length (m)'), legs)}"


em1500 = Platform._of(_tandem.em1500_platform())
leg_lengths = em1500.leg_lengths
pose_from_lengths = em1500.pose_from_lengths
