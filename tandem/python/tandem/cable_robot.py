# SPDX-License-Identifier: Apache-2.0
"""Cable robots: lengths of the cables for a pose of the platform, the pose for lengths, and tensions that hold it.

>>> from tandem import cable_robot
>>> lengths = cable_robot.cable_lengths([0, 0, 0.3, 0, 0, 0, 1])
>>> cable_robot.CableRobot("my_robot.yaml").cable_tensions([0, 0, 1, 0, 0, 0, 1]).feasible
True

A pose is x, y, z (m), qx, qy, qz, qw of the platform in the world. Functions are for the default robot.
"""
from __future__ import annotations

import os
from typing import NamedTuple, Sequence

from tandem import _tandem
from tandem._html import table
from tandem.checks import expect, real, six

__all__ = ["CableRobot", "Solution", "Tensions", "cable_lengths", "cable_pose", "cable_tensions"]


class Solution(NamedTuple):
    """The pose that the lengths have."""

    pose: list[float]  # x, y, z (m), qx, qy, qz, qw
    residual: float  # root mean square of the differences in length, m
    iterations: int


class Tensions(NamedTuple):
    """Tensions that hold the platform, or come nearest to it."""

    tensions: list[float]  # N
    feasible: bool
    margin: float  # N, to the nearest bound; negative by how much the range had to be wider
    cable: int  # that sets the margin, from 0; -1: none does
    nearest_wrench: list[float]  # N, N m: the external wrench nearest to the one asked for that can be held


def _numbers(values: Sequence[float], name: str) -> list[float]:
    try:
        return [real(value, name) for value in values]
    except TypeError:
        raise ValueError(f"{name}: expected numbers, got {values!r}") from None


def _seven(values: Sequence[float], name: str) -> list[float]:
    numbers = _numbers(values, name)
    if len(numbers) != 7:
        raise ValueError(f"{name}: expected x, y, z, qx, qy, qz, qw, got {len(numbers)} numbers")
    return numbers


class CableRobot:
    """The default robot, or one from a geometry file (YAML; the public cdpr package's are understood)."""

    def __init__(self, geometry: str | os.PathLike[str] | None = None) -> None:
        self.notes: list[str] = []  # what of the file was left out or taken otherwise
        if geometry is None:
            self._robot = _tandem.default_cable_robot()
        else:
            self._robot, self.notes = _tandem.cable_robot_from_file(os.fspath(geometry))

    @property
    def name(self) -> str:
        return self._robot.name

    @property
    def cables(self) -> int:
        """How many it has, 6 to 16."""
        return self._robot.cables

    @property
    def home(self) -> list[float]:
        """The pose at rest."""
        return list(self._robot.home)

    def cable_lengths(self, pose: Sequence[float]) -> list[float]:
        """m, one for each cable."""
        return self._robot.lengths(_seven(pose, "pose"))

    def cable_pose(self, lengths: Sequence[float], start: Sequence[float] | None = None) -> Solution:
        """The pose that has these lengths, from `start` or from home. Lengths that no pose has raise."""
        begin = None if start is None else _seven(start, "start")
        return Solution(*self._robot.pose(_numbers(lengths, "lengths"), begin))

    def cable_tensions(
        self, pose: Sequence[float], wrench: Sequence[float] = (0, 0, 0, 0, 0, 0), aim: str = "middle"
    ) -> Tensions:
        """Tensions against the weight and the external `wrench` (N, N m; world). aim: middle, least, barycentre or
        analytic_centre."""
        expect(aim, str, "aim")
        return Tensions(*self._robot.tensions(_seven(pose, "pose"), six(wrench, "wrench"), aim))

    def __repr__(self) -> str:
        return f"CableRobot({self.name!r}, {self.cables} cables)"

    def _repr_html_(self) -> str:
        lengths, tensions = self.cable_lengths(self.home), self.cable_tensions(self.home).tensions
        rows = [(i, *pair) for i, pair in enumerate(zip(lengths, tensions), 1)]
        return table(f"{self.name}, at home", ("cable", "length (m)", "tension (N)"), rows)


_default = CableRobot()
cable_lengths = _default.cable_lengths
cable_pose = _default.cable_pose
cable_tensions = _default.cable_tensions
