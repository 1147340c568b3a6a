# SPDX-License-Identifier: Apache-2.0
"""Gripper and camera where the original has them."""
from tandem import Gripper as RobotiqTwoFingersGripper
from tandem import RobotiqWristCamera

__all__ = ["RobotiqTwoFingersGripper", "RobotiqWristCamera"]
