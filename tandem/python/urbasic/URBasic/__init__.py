# SPDX-License-Identifier: Apache-2.0
"""The names of the original URBasic on Tandem: `from URBasic import ISCoin, Joint6D, TCP6D`.

A host of "virtual" is a virtual controller; everything else is as the original has it.
"""
from tandem import (
    TCP6D,
    DirectionAxis,
    DirectionFeature,
    ISCoin,
    Joint6D,
    Joint6DDescriptor,
    RobotError,
    TCP6DDescriptor,
)
from URBasic import devices, iscoin, robotModel, urScript, urScriptExt, waypoint6d
from URBasic.devices import RobotiqTwoFingersGripper, RobotiqWristCamera
from URBasic.robotModel import RobotModel
from URBasic.urScript import UrScript
from URBasic.urScriptExt import UrScriptExt

__all__ = [
    "DirectionAxis",
    "DirectionFeature",
    "ISCoin",
    "Joint6D",
    "Joint6DDescriptor",
    "RobotError",
    "RobotModel",
    "RobotiqTwoFingersGripper",
    "RobotiqWristCamera",
    "TCP6D",
    "TCP6DDescriptor",
    "UrScript",
    "UrScriptExt",
    "devices",
    "iscoin",
    "robotModel",
    "urScript",
    "urScriptExt",
    "waypoint6d",
]
