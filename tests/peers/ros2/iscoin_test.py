# SPDX-License-Identifier: Apache-2.0
"""The package as `cmake --install` leaves it, on a ROS 2 joint-trajectory controller: every call right after opening.

iscoin_test.py CONTROLLER fast|cyclone
"""
import math
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

BUILD = os.environ["TANDEM_BUILD"]
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
CONTROLLER, VENDOR = sys.argv[1:3]
DEVICE = "ros2:/joint_trajectory_controller"


class RosTest(unittest.TestCase):
    def setUp(self):
        self.controller = subprocess.Popen([CONTROLLER, VENDOR], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end)
        self.domain = self.controller.stdout.readline().split()[1]

    def end(self):
        self.controller.stdin.close()
        self.controller.wait()
        self.controller.stdout.close()

    def run_python(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": PATH, "ROS_DOMAIN_ID": self.domain}
        environment["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
        done = subprocess.run(
            [sys.executable, "-B", *arguments], capture_output=True, text=True, timeout=100, env=environment, cwd="/"
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_every_call_right_after_opening_succeeds(self):
        said = self.run_python(__file__, "user", VENDOR)
        self.assertIn("all done", said)

    def test_the_second_example_picks_the_cube(self):
        self.assertIn("cube held", self.run_python(EXAMPLES / "02_pick_cube" / "main.py", DEVICE))

    def test_a_controller_that_is_missing_is_named(self):
        said = self.run_python(__file__, "user", "nothing")
        self.assertIn("/no_such_controller/follow_joint_trajectory", said)


def user():
    """What a user's script does, with no pause anywhere."""
    from tandem import ISCoin, Joint6D, TCP6D

    robot = ISCoin(DEVICE, opened_gripper_size_mm=50)
    arm = robot.robot_control
    assert robot.gripper.move(128)  # first of all
    start = arm.get_actual_joint_positions()
    assert abs(start.j2 + 1.57) < 1e-9, start
    assert all(math.isfinite(speed) for speed in arm.get_actual_joint_speeds())
    goal = start + Joint6D.createFromRadians(0.2, 0.1, 0, 0, 0, 0)
    assert arm.movej(goal, a=5, v=2)
    assert max(abs(a - b) for a, b in zip(arm.get_actual_joint_positions(), goal)) < 0.02
    lifted = arm.get_actual_tcp_pose() + TCP6D.createFromMetersRadians(0, 0, 0.05, 0, 0, 0)
    assert arm.movel(lifted)
    threading.Timer(0.5, arm.stopj).start()
    assert arm.movej(goal + Joint6D.createFromRadians(2, 0, 0, 0, 0, 0)) is False
    assert arm.get_actual_joint_positions().j1 < 1.5
    robot.gripper.activate()
    assert robot.gripper.closeAndCheckSize(40, 2, 2)
    assert robot.gripper.hasDetectedObject()
    robot.gripper.open()
    robot.gripper.waitUntilStopped()
    assert robot.gripper.getEstimatedPositionMm() > 49
    try:
        arm.freedrive_mode()
        raise AssertionError("a trajectory controller has no freedrive")
    except RuntimeError as error:
        assert "not supported by a ROS 2 trajectory controller" in str(error), error
    robot.close()
    print("all done")


def nothing():
    from tandem import ISCoin, RobotConnectionError

    try:
        ISCoin("ros2:/no_such_controller")
    except RobotConnectionError as error:
        print(error)


if __name__ == "__main__":
    if CONTROLLER == "user":
        nothing() if VENDOR == "nothing" else user()
        sys.exit(0)
    with tempfile.TemporaryDirectory() as prefix:
        command = ["cmake", "--install", BUILD, "--component", "python", "--prefix", prefix]
        subprocess.run(command, check=True, capture_output=True)
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        PATH = f"{prefix}/lib/{version}/dist-packages"
        unittest.main(argv=sys.argv[:1])
