# SPDX-License-Identifier: Apache-2.0
"""What the arm reports, under the original's names."""
from __future__ import annotations

from typing import Any

__all__ = ["RobotModel"]


class RobotModel:
    """Empty until UrScriptExt(host, model) has connected; then each call is the newest sample."""

    def __init__(self) -> None:
        self._control: Any = None

    def _connected(self) -> Any:
        if self._control is None:
            raise RuntimeError("RobotModel: not connected; give it to UrScriptExt(host, model) first")
        return self._control

    def ActualQ(self) -> list[float]:
        """Joint angles, rad."""
        return self._connected().get_actual_joint_positions().toList()

    def ActualQD(self) -> list[float]:
        """Joint speeds, rad/s."""
        return list(self._connected().get_actual_joint_speeds())

    def ActualTCPPose(self) -> list[float]:
        """Tool pose: m, rotation vector in rad."""
        return self._connected().get_actual_tcp_pose().toList()

    def ActualTCPSpeed(self) -> list[float]:
        """m/s, rad/s."""
        return list(self._connected().get_actual_tcp_speed())

    def ActualTCPForce(self) -> list[float]:
        """N, N m."""
        return list(self._connected().get_tcp_force())
