# SPDX-License-Identifier: Apache-2.0
"""The arm without ISCoin's gripper and camera: UrScriptExt(host, RobotModel())."""
from __future__ import annotations

from tandem import ISCoin, RobotControl
from URBasic.robotModel import RobotModel

__all__ = ["UrScriptExt"]


class UrScriptExt(RobotControl):
    """Opens the arm; robotModel then has its readings. close() ends the connection."""

    def __init__(self, host: str, robotModel: RobotModel | None = None) -> None:
        self._robot = ISCoin(host)
        control = self._robot.robot_control
        super().__init__(control._device, control._logger)
        self.robotModel = robotModel or RobotModel()
        self.robotModel._control = self

    def close(self) -> None:
        """Stops the arm and ends the connection."""
        self.robotModel._control = None
        self._robot.close()
