# SPDX-License-Identifier: Apache-2.0
"""The arm's commands, for type hints: ISCoin.robot_control is one."""
from tandem import RobotControl as UrScript

__all__ = ["UrScript"]
