# SPDX-License-Identifier: Apache-2.0
"""What a user of seed 004 wrote for URBasic, with the address and the import given on the command line."""
import importlib
import sys
import threading
import time

module, name, host = sys.argv[1:4]
tandem = importlib.import_module(module)
ISCoin, Joint6D, TCP6D = getattr(tandem, name), tandem.Joint6D, tandem.TCP6D

iscoin = ISCoin(host=host, opened_gripper_size_mm=40)
robot = iscoin.robot_control

home = Joint6D.createFromRadians(1.19, -1.13, 1.05, -1.60, -1.52, 1.05)
robot.movej(home, a=1.4, v=1.05)
joints = robot.get_actual_joint_positions()
print("joints off by", max(abs(a - b) for a, b in zip(joints.toList(), home.toList())))

pose = robot.get_actual_tcp_pose()
target = TCP6D.createFromMetersRadians(pose.x, pose.y + 0.05, pose.z + 0.02, pose.rx, pose.ry, pose.rz)
solution = robot.get_inverse_kin(target, qnear=joints)
print("solution found", solution is not None)
robot.movel(target, v=0.25)
reached = robot.get_actual_tcp_pose()
print("tool off by", max(abs(a - b) for a, b in zip(reached.toList()[:3], target.toList()[:3])))

iscoin.gripper.activate()
iscoin.gripper.waitUntilActive()
iscoin.gripper.close()
iscoin.gripper.waitUntilStopped()
print("closed at", iscoin.gripper.getPosition(), iscoin.gripper.getEstimatedPositionMm())
iscoin.gripper.open()
iscoin.gripper.waitUntilStopped()
print("opened at", iscoin.gripper.getPosition(), iscoin.gripper.getEstimatedPositionMm())

far = Joint6D.createFromRadians(-1.0, -1.13, 1.05, -1.60, -1.52, 1.05)
threading.Timer(0.7, robot.stopj, kwargs={"a": 2.0}).start()
print("stopped move returned", robot.movej(far))
while not robot.is_steady():
    time.sleep(0.01)
print("stopped before", robot.get_actual_joint_positions().j1)
iscoin.close()
print("done")
