# SPDX-License-Identifier: Apache-2.0
"""Cable robots: lengths, poses, tensions and margins of many poses. The functions are for the default robot.

A pose is x, y, z (m), qx, qy, qz, qw of the platform in the world. Shapes: (7,) or (N, 7), or any leading shape. Rows
that follow each other and have the same orientation go through the vector kernels together.
"""
from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tandem import _tandem
from tandem._arrays import Floats, Rows, columns, numbers
from tandem._html import table
from tandem.cable_robot import CableRobot
from tandem.errors import UnreachableError

__all__ = ["Robot", "Tensions", "default", "lengths", "margins", "pose_from_lengths", "tensions"]

_NO_LOAD = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Tensions(NamedTuple):
    """Tensions that hold the platform, or come nearest to it."""

    tension: Floats  # (..., cables), N
    feasible: Any  # (...), bool


class Robot:
    """The default robot, or one from a geometry file (YAML; the public cdpr package's are understood)."""

    def __init__(self, geometry: str | os.PathLike[str] | None = None) -> None:
        robot = CableRobot(geometry)
        self._robot = robot._robot
        self.name, self.cables, self.notes = robot.name, robot.cables, robot.notes

    @property
    def home(self) -> Floats:
        return np.array(self._robot.home)

    def lengths(self, pose: ArrayLike) -> Floats:
        """m, (..., cables)."""
        given = _poses(pose)
        found = columns(self.cables, given.count)
        _tandem.cable_lengths(self._robot, given.columns, found)
        return given.back(found)

    def pose_from_lengths(self, lengths: ArrayLike) -> Floats:
        """Poses that have these lengths, (..., 7); each is searched from the one before, the first from home.

        Lengths that no pose has raise UnreachableError for a single pose; of many those have rows of NaN.
        """
        given = Rows(lengths, self.cables, "lengths")
        found = columns(7, given.count)
        missing, _, why = _tandem.cable_poses(self._robot, given.columns, found)
        if given.single and missing:
            raise UnreachableError(why, "unreachable")
        return given.back(found)

    def tensions(self, pose: ArrayLike, wrench: ArrayLike = _NO_LOAD, aim: str = "middle") -> Tensions:
        """Tensions against the weight and the external `wrench` (N, N m; world), (6,) for all poses or one row each.

        aim: middle, least, barycentre or analytic_centre.
        """
        given, loads = _poses(pose), Rows(wrench, 6, "wrench")
        given.beside(loads, "wrench")
        found = columns(self.cables, given.count)
        feasible = np.zeros(given.count, dtype=np.uint8)
        _tandem.cable_tensions(self._robot, given.columns, loads.columns, aim, found, feasible)
        return Tensions(given.back(found), given.one_each(feasible.astype(bool)))

    def margins(self, pose: ArrayLike, wrench: ArrayLike = _NO_LOAD) -> Any:
        """N, (...): how far every tension can stay from both ends of its range; negative where the platform cannot be
        held. For maps of a workspace."""
        given = _poses(pose)
        found = columns(1, given.count)
        _tandem.cable_margins(self._robot, given.columns, numbers(wrench, (6,), "wrench").tolist(), found)
        return given.one_each(found[0])

    def __repr__(self) -> str:
        return f"Robot({self.name!r}, {self.cables} cables)"

    def _repr_html_(self) -> str:
        lengths, found = self.lengths(self.home), self.tensions(self.home)
        rows = [(i, *pair) for i, pair in enumerate(zip(lengths.tolist(), found.tension.tolist()), 1)]
        return table(f"{self.name}, at home", ("cable", "length (m)", "tension (N)"), rows)


def _poses(pose: ArrayLike) -> Rows:
    given = Rows(pose, 7, "pose")
    if not np.isfinite(given.columns).all():
        row = int(np.nonzero(~np.isfinite(given.columns).all(axis=0))[0][0])
        raise ValueError(f"pose: expected finite numbers, got NaN or infinity in row {row}")
    off = np.abs(np.linalg.norm(given.columns[3:], axis=0) - 1) > 1e-3
    if off.any():
        row = int(np.nonzero(off)[0][0])
        raise ValueError(f"pose: expected a unit quaternion qx, qy, qz, qw, got {given.columns[3:, row]} in row {row}")
    return given


default = Robot()
lengths = default.lengths
pose_from_lengths = default.pose_from_lengths
tensions = default.tensions
margins = default.margins
