# SPDX-License-Identifier: Apache-2.0
"""Tandem: a machine and its twin, moving together.

>>> from tandem import ISCoin, Joint6D
>>> robot = ISCoin("virtual")  # "192.168.1.10" for the real one
>>> robot.robot_control.movej(Joint6D.createFromDegrees(0, -90, 90, -90, -90, 0))
True
"""
from tandem._tandem import __version__
from tandem.camera import RobotiqWristCamera
from tandem.errors import RobotConnectionError, RobotError, UnreachableError
from tandem.gripper import Gripper
from tandem.iscoin import ISCoin, ISCoinSim
from tandem.robot_control import RobotControl
from tandem.values import TCP6D, DirectionAxis, DirectionFeature, Joint6D, Joint6DDescriptor, TCP6DDescriptor

__all__ = [
    "DirectionAxis",
    "DirectionFeature",
    "Gripper",
    "ISCoin",
    "ISCoinSim",
    "Joint6D",
    "Joint6DDescriptor",
    "RobotConnectionError",
    "RobotControl",
    "RobotError",
    "RobotiqWristCamera",
    "TCP6D",
    "TCP6DDescriptor",
    "UnreachableError",
    "__version__",
]
