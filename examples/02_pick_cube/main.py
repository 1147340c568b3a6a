# SPDX-License-Identifier: Apache-2.0
"""Picks a cube from the table. python3 main.py [virtual | 192.168.1.10 | ros2:/joint_trajectory_controller]"""
import sys
from math import pi

from tandem import ISCoin, TCP6D

robot = ISCoin(sys.argv[1] if len(sys.argv) > 1 else "virtual", opened_gripper_size_mm=50)
arm, gripper = robot.robot_control, robot.gripper
# The flange above the cube and around it, tool straight down: mm and a rotation vector in rad.
above, cube = (TCP6D.createFromMillietersRadians(-100, -300, z, pi, 0, 0) for z in (285, 165))

gripper.activate()
arm.movel(above)
arm.movel(cube)
held = gripper.closeAndCheckSize(40, 2, 2)
arm.movel(above)

pose = arm.get_actual_tcp_pose()
print(f"tool at {pose.x:.3f} {pose.y:.3f} {pose.z:.3f} m, cube {'held' if held else 'missed'}")
robot.close()
sys.exit(0 if held else 1)
