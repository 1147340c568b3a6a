# SPDX-License-Identifier: Apache-2.0
"""The EM1500 motion platform: lengths of its six legs for a pose of the top, and the pose for six lengths."""
from __future__ import annotations

from typing import NamedTuple, Sequence

from tandem import _tandem
from tandem.checks import six

__all__ = ["Solution", "leg_lengths", "pose_from_lengths"]


class Solution(NamedTuple):
    """The pose that six leg lengths have."""

    pose: list[float]  # x, y, z (m), roll, pitch, yaw (rad) of the top in the base frame
    residual: float  # largest difference between a length asked for and the pose's own, m
    iterations: int  # Newton steps taken


def leg_lengths(pose: Sequence[float]) -> list[float]:
    """m, leg 1 first, for x, y, z (m), roll, pitch, yaw (rad) of the top in the base frame."""
    return _tandem.leg_lengths(six(pose, "pose"))


def pose_from_lengths(lengths: Sequence[float]) -> Solution:
    """The pose of the top, found from home. Lengths that no pose near home has raise."""
    return Solution(*_tandem.pose_from_lengths(six(lengths, "lengths")))
