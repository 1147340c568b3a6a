# SPDX-License-Identifier: Apache-2.0
"""A script as it was written for the original URBasic; only the host is "virtual". Needs the package tandem-urbasic."""
from math import pi

from URBasic import TCP6D, ISCoin, Joint6D

iscoin = ISCoin(host="virtual", opened_gripper_size_mm=40)
robot = iscoin.robot_control
robot.movej(Joint6D.createFromDegrees(0, -90, 90, -90, -90, 0))
robot.movel(TCP6D.createFromMillietersRadians(-200, -200, 250, pi, 0, 0))
pose = robot.get_actual_tcp_pose()
print(f"tool at {pose.x:.3f} {pose.y:.3f} {pose.z:.3f} m")
iscoin.close()
