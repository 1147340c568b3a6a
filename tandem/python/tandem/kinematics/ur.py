# SPDX-License-Identifier: Apache-2.0
"""Universal Robots arms by their published Denavit-Hartenberg numbers.

A pose is x, y, z (m) and a rotation vector (rad) in the controller's base frame, as URScript's p[...] and TCP6D have
it. Joints are in radians, base first. Shapes: (6,) or (N, 6), or any leading shape.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tandem import _tandem
from tandem._arrays import Floats, Rows, columns, numbers
from tandem.errors import UnreachableError

__all__ = ["Arm", "Solutions"]

_FLANGE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Solutions(NamedTuple):
    """All inverse solutions."""

    q: Floats  # (..., 8, 6), rad within [-pi, pi]; NaN where there is none
    valid: NDArray[np.bool_]  # (..., 8)


class Arm:
    """An arm: ur3e, ur5e, ur10e, ur16e, ur20 or ur30.

    >>> Arm("ur10e").fk([0, -1.57, 1.57, 0, 0, 0])
    """

    def __init__(self, name: str = "ur3e") -> None:
        a, d, alpha, lowest, highest = _tandem.arm_table(name)
        self.name = name
        self.a, self.d, self.alpha = np.array(a), np.array(d), np.array(alpha)  # m, m, rad
        self.limits = np.array([lowest, highest])  # rad, (2, 6)

    def fk(self, q: ArrayLike, tcp: ArrayLike = _FLANGE) -> Floats:
        """Poses of the tool centre point, (..., 6). tcp: where it is on the flange, a pose; default: the flange."""
        given = Rows(q, 6, "q")
        found = columns(6, given.count)
        _tandem.arm_forward(self.name, given.columns, list(numbers(tcp, (6,), "tcp")), found)
        return given.back(found)

    def ik(
        self, pose: ArrayLike, near: ArrayLike = (0, 0, 0, 0, 0, 0), tcp: ArrayLike = _FLANGE, tolerance: float = 1e-9
    ) -> Floats:
        """Joints within limits, (..., 6): of all solutions the nearest to `near`, (6,) for all poses or one row each.

        tolerance: m and rad. A single pose that is out of reach raises UnreachableError with the reason; of many poses
        those have rows of NaN.
        """
        given, starts = Rows(pose, 6, "pose"), Rows(near, 6, "near")
        given.beside(starts, "near")
        found = columns(6, given.count)
        missing, _, why = _tandem.arm_nearest(
            self.name, given.columns, starts.columns, list(numbers(tcp, (6,), "tcp")), [tolerance, tolerance], found
        )
        if given.single and missing:
            raise UnreachableError(why, "unreachable")
        return given.back(found)

    def all_ik(self, pose: ArrayLike, tcp: ArrayLike = _FLANGE) -> Solutions:
        """Up to eight solutions for each pose, each checked by forward kinematics; joint limits are not considered.

        Where wrist 3 is free (axes 4 and 6 parallel) it is zero.
        """
        given = Rows(pose, 6, "pose")
        found = columns(48, given.count)
        bits = np.zeros(given.count, dtype=np.uint8)
        _tandem.arm_all_solutions(self.name, given.columns, list(numbers(tcp, (6,), "tcp")), found, bits)
        valid = (bits[:, None] >> np.arange(8) & 1).astype(bool)
        return Solutions(given.back(found, 8, 6), valid.reshape(*given.shape, 8))

    def jacobian(self, q: ArrayLike, tcp: ArrayLike = _FLANGE) -> Floats:
        """(..., 6, 6): velocity (m/s) and angular velocity (rad/s) of the tool centre point, base frame, from joint
        speeds (rad/s)."""
        given = Rows(q, 6, "q")
        found = columns(36, given.count)
        _tandem.arm_jacobian(self.name, given.columns, list(numbers(tcp, (6,), "tcp")), found)
        return given.back(found, 6, 6)

    def __repr__(self) -> str:
        return f"Arm({self.name!r})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{i + 1}</td><td>{a:g}</td><td>{d:g}</td><td>{alpha:.4f}</td></tr>"
            for i, (a, d, alpha) in enumerate(zip(self.a, self.d, self.alpha))
        )
        head = "<tr><th>joint</th><th>a (m)</th><th>d (m)</th><th>alpha (rad)</th></tr>"
        return f"<b>{self.name}</b><table>{head}{rows}</table>"
