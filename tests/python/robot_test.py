# SPDX-License-Identifier: Apache-2.0
"""The robot on a virtual controller: a user's script, moves, gripper, signals."""
import math
import re
import signal
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

from tandem import (
    TCP6D,
    DirectionAxis,
    DirectionFeature,
    ISCoin,
    ISCoinSim,
    Joint6D,
    Joint6DDescriptor,
    TCP6DDescriptor,
    UnreachableError,
)

READY = Joint6D.createFromRadians(1.19, -1.13, 1.05, -1.60, -1.52, 1.05)
# Of the same joints, by the Denavit-Hartenberg table; facts of seed 004.
READY_POSITION = (-0.026859, -0.432280, 0.307026)


class UsersScriptTest(unittest.TestCase):
    def check(self, *arguments):
        script = Path(__file__).with_name("users_script.py")
        done = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = dict(re.findall(r"^(.*?) ([-\d.e+]+|True|False)", done.stdout, re.MULTILINE))
        self.assertLess(float(said["joints off by"]), 2e-3)
        self.assertEqual(said["solution found"], "True")
        self.assertLess(float(said["tool off by"]), 2e-3)
        self.assertGreaterEqual(int(said["closed at"]), 225)
        self.assertLessEqual(int(said["opened at"]), 10)
        self.assertEqual(said["stopped move returned"], "False")
        self.assertGreater(float(said["stopped before"]), -0.9)  # the move would have ended at -1
        self.assertLess(float(said["stopped before"]), 1.15)  # and it had begun, at 1.19
        self.assertIn("done", done.stdout)

    def test_a_users_script_runs_unchanged_on_virtual(self):
        self.check("tandem", "ISCoin", "virtual")

    def test_the_same_script_runs_with_iscoinsim_as_iscoin(self):
        self.check("tandem", "ISCoinSim", "192.0.2.1")


class MovesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.iscoin = ISCoin("virtual", opened_gripper_size_mm=50.0)
        cls.arm = cls.iscoin.robot_control

    @classmethod
    def tearDownClass(cls):
        cls.iscoin.close()

    def setUp(self):
        self.assertTrue(self.arm.movej(READY, v=3))

    def near(self, values, expected, tolerance):
        for value, wanted in zip(values, expected):
            self.assertAlmostEqual(value, wanted, delta=tolerance)

    def test_joints_and_pose_are_where_the_table_says(self):
        self.near(self.arm.get_actual_joint_positions(), READY, 2e-3)
        self.near(self.arm.get_actual_tcp_pose().toList()[:3], READY_POSITION, 2e-3)
        self.assertEqual(len(self.arm.get_actual_joint_speeds()), 6)
        self.assertEqual(len(self.arm.get_actual_tcp_speed()), 6)
        self.assertEqual(len(self.arm.get_tcp_force()), 6)
        self.assertIsInstance(self.arm.force(), float)
        self.assertTrue(self.arm.is_steady())

    def test_a_notebook_shows_state_and_joints(self):
        self.assertEqual(repr(self.iscoin), "ISCoin('virtual')")
        shown = self.iscoin._repr_html_()
        self.assertIn("<td>armed</td><td>True</td>", shown)
        joints = re.search(r"<td>joints \(rad\)</td><td>\[(.*?)\]</td>", shown)
        self.near(map(float, joints[1].split(",")), READY, 2e-3)
        self.assertNotIn("token=", shown)

    def test_a_move_without_waiting_is_under_way_and_time_is_kept(self):
        there = READY + Joint6D.createFromDegrees(20, 0, 0, 0, 0, 0)
        began = time.monotonic()
        self.assertTrue(self.arm.movej(there, t=1.5, wait=False))
        time.sleep(0.5)
        self.assertFalse(self.arm.is_steady())
        while not self.arm.is_steady() and time.monotonic() < began + 20:
            time.sleep(0.01)
        self.assertGreater(time.monotonic() - began, 1.2)
        self.near(self.arm.get_actual_joint_positions(), there, 5e-3)

    def test_movel_goes_straight(self):
        start = self.arm.get_actual_tcp_pose()
        end = start + TCP6D.createFromMetersRadians(0.1, 0.05, -0.05, 0, 0, 0)
        self.assertTrue(self.arm.movel(end, wait=False))
        length = math.dist(start[:3], end[:3])
        seen, deadline = [], time.monotonic() + 20
        while time.monotonic() < deadline:
            seen.append(self.arm.get_actual_tcp_pose())
            if math.dist(seen[-1][:3], end[:3]) < 1e-3 and self.arm.is_steady():
                break
            time.sleep(0.005)
        self.near(seen[-1], end, 2e-3)
        self.assertGreater(len(seen), 20)
        for pose in seen:
            along = sum((p - s) * (e - s) for p, s, e in zip(pose[:3], start[:3], end[:3])) / length
            foot = [s + (e - s) * along / length for s, e in zip(start[:3], end[:3])]
            self.assertLess(math.dist(pose[:3], foot), 2e-3)

    def test_waypoints_circles_and_directions_end_where_they_should(self):
        start = self.arm.get_actual_tcp_pose()
        turned = [READY + Joint6D.createFromDegrees(angle, 0, 0, 0, 0, 0) for angle in (5, 10, 0)]
        self.assertTrue(self.arm.movej_waypoints(Joint6DDescriptor.createFromJointsList(turned)))
        self.near(self.arm.get_actual_joint_positions(), READY, 5e-3)
        lifted = [start + TCP6D.createFromMetersRadians(0, 0, z, 0, 0, 0) for z in (0.02, 0.04)]
        self.assertTrue(self.arm.movel_waypoints(TCP6DDescriptor.createFromTCPList(lifted)))
        self.near(self.arm.get_actual_tcp_pose(), lifted[-1], 2e-3)
        via = lifted[-1] + TCP6D.createFromMetersRadians(0.03, 0.03, 0, 0, 0, 0)
        to = lifted[-1] + TCP6D.createFromMetersRadians(0.06, 0, 0, 0, 0, 0)
        self.assertTrue(self.arm.movec(via, to, v=0.1))
        self.near(self.arm.get_actual_tcp_pose(), to, 2e-3)
        self.assertTrue(self.arm.movep(lifted[-1]))
        self.assertTrue(self.arm.moveLinearDirectionUntil(lifted[-1], DirectionFeature.Base, DirectionAxis.Zn, 40))
        self.near(self.arm.get_actual_tcp_pose(), start, 2e-3)

    def test_inverse_and_forward_kinematics_agree_with_the_arm(self):
        pose = self.arm.get_forward_kin(READY)
        self.near(pose.toList()[:3], READY_POSITION, 1e-6)
        self.near(self.arm.get_inverse_kin(pose, READY), READY, 1e-6)
        self.near(self.arm.get_inverse_kin(pose=pose, qnear=READY), READY, 1e-6)  # as ISCoinSim calls it
        self.near(self.arm.get_inverse_kin(x=pose, qnear=READY), READY, 1e-6)  # as ISCoin does
        for wrong in ({}, {"x": pose, "pose": pose}, {"pose": [0, 0, 0, 0, 0, 0]}):
            with self.assertRaisesRegex(ValueError, "expected"):
                self.arm.get_inverse_kin(**wrong)
        away = TCP6D.createFromMetersRadians(2, 0, 0, 0, 0, 0)
        self.assertIsNone(self.arm.get_inverse_kin(away))
        self.assertFalse(self.arm.is_within_safety_limits(away))

    def test_the_tool_centre_point_moves_the_pose(self):
        before = self.arm.get_actual_tcp_pose()
        self.arm.set_tcp(TCP6D.createFromMetersRadians(0, 0, 0.1, 0, 0, 0))
        try:
            self.assertAlmostEqual(math.dist(self.arm.get_actual_tcp_pose()[:3], before[:3]), 0.1, delta=2e-3)
        finally:
            self.arm.set_tcp(TCP6D.createFromMetersRadians(0, 0, 0, 0, 0, 0))

    def test_a_blend_radius_at_the_end_of_a_move_does_not_cut_it_short(self):
        there = READY + Joint6D.createFromDegrees(20, 0, 0, 0, 0, 0)
        self.assertIs(self.arm.movej(there, r=0.05), True)
        self.near(self.arm.get_actual_joint_positions(), there, 5e-3)
        path = Joint6DDescriptor.createFromJointsList([there * 0.5 + READY * 0.5, READY], r=0.03)
        self.assertIs(self.arm.movej_waypoints(path), True)
        self.near(self.arm.get_actual_joint_positions(), READY, 5e-3)
        lifted = self.arm.get_forward_kin(READY) + TCP6D.createFromMetersRadians(0, 0, 0.08, 0, 0, 0)
        self.assertIs(self.arm.movel(lifted, r=0.05), True)
        self.near(self.arm.get_actual_tcp_pose(), lifted, 2e-3)
        back = TCP6DDescriptor.createFromTCPList([self.arm.get_forward_kin(READY)], r=0.05)
        self.assertIs(self.arm.movel_waypoints(back), True)
        self.near(self.arm.get_actual_joint_positions(), READY, 5e-3)

    def test_an_accepted_move_is_not_steady_before_it_shows(self):
        there = READY + Joint6D.createFromDegrees(5, 0, 0, 0, 0, 0)
        for target in (there, READY, there, READY):
            self.assertTrue(self.arm.movej(target, wait=False))
            self.assertFalse(self.arm.is_steady())
            deadline = time.monotonic() + 20
            while not self.arm.is_steady() and time.monotonic() < deadline:
                time.sleep(0.005)
            self.near(self.arm.get_actual_joint_positions(), target, 5e-3)
        self.assertTrue(self.arm.speedj([0.2, 0, 0, 0, 0, 0]))
        self.assertFalse(self.arm.is_steady())
        self.assertTrue(self.arm.stopj())

    def test_a_target_out_of_reach_is_called_that(self):
        far = TCP6D.createFromMetersRadians(5, 0, 0, math.pi, 0, 0)
        on_the_way = TCP6D.createFromMetersRadians(0.3, 0.1, 0.2, math.pi, 0, 0)
        for move in (
            lambda: self.arm.movel(far),
            lambda: self.arm.movep(far),
            lambda: self.arm.movec(on_the_way, far),
            lambda: self.arm.movel_waypoints(TCP6DDescriptor.createFromTCPList([far])),
        ):
            with self.assertRaisesRegex(UnreachableError, r"5\.000 m from the base .* is out of reach: .*too far"):
                move()
        self.assertTrue(self.arm.is_steady())

    def test_the_gripper_is_waited_for_unless_told_otherwise(self):
        gripper = self.iscoin.gripper
        gripper.activate()
        for move, arrived in ((gripper.close, range(225, 256)), (gripper.open, range(0, 11))):
            self.assertTrue(move(speed=20))  # slow: a second and more for the way
            self.assertIn(gripper.getPosition(), arrived)
            self.assertFalse(gripper.isMoving())
        self.assertTrue(gripper.close(speed=0, wait=False))
        self.assertLess(gripper.getPosition(), 200)
        gripper.waitUntilStopped()
        self.assertGreaterEqual(gripper.getPosition(), 225)
        self.assertTrue(gripper.open())

    def test_a_stop_from_another_thread_ends_a_move(self):
        threading.Timer(0.6, self.arm.stopj).start()
        self.assertFalse(self.arm.movej(READY + Joint6D.createFromDegrees(-120, 0, 0, 0, 0, 0)))
        self.assertTrue(self.arm.movej(READY, v=3))  # a stop that was asked for does not latch

    def test_a_stream_of_targets_is_followed(self):
        step = math.radians(0.05)
        for count in range(100):
            self.assertTrue(self.arm.servoj(READY + Joint6D.createFromRadians(count * step, 0, 0, 0, 0, 0), wait=True))
        self.arm.stopj()
        self.assertGreater(self.arm.get_actual_joint_positions().j1 - READY.j1, 40 * step)

    def test_outputs_read_back(self):
        for value in (True, False):
            self.arm.set_standard_digital_out(2, value)
            deadline = time.monotonic() + 5
            while self.arm.get_standard_digital_out(2) != value and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertEqual(self.arm.get_standard_digital_out(2), value)
        self.assertIsInstance(self.arm.get_standard_digital_in(0), bool)
        self.assertIsInstance(self.arm.get_standard_analog_in(1), float)

    def test_ctrl_c_stops_the_arm(self):
        threading.Timer(0.6, signal.raise_signal, [signal.SIGINT]).start()
        with self.assertRaises(KeyboardInterrupt):
            self.arm.movej(READY + Joint6D.createFromDegrees(-120, 0, 0, 0, 0, 0))
        deadline = time.monotonic() + 5
        while not self.arm.is_steady() and time.monotonic() < deadline:
            time.sleep(0.01)
        held = self.arm.get_actual_joint_positions()
        self.assertGreater(held.j1, READY.j1 - math.radians(100))
        time.sleep(0.2)
        self.near(self.arm.get_actual_joint_positions(), held, 1e-3)

    def test_a_cube_is_picked_in_five_lines(self):
        pick, above = (TCP6D.createFromMillietersRadians(-100, -300, z, math.pi, 0, 0) for z in (165, 285))
        self.iscoin.gripper.activate()
        self.assertTrue(self.arm.movel(above) and self.arm.movel(pick))
        self.assertTrue(self.iscoin.gripper.closeAndCheckSize(40, 2, 2))
        self.assertTrue(self.arm.movel(above))
        self.assertTrue(self.iscoin.gripper.hasDetectedObject())
        self.assertAlmostEqual(self.iscoin.gripper.getEstimatedPositionMm(), 40, delta=2)
        self.assertTrue(self.arm.movel(pick))
        self.iscoin.gripper.open()
        self.assertFalse(self.iscoin.gripper.hasDetectedObject())
        self.assertTrue(self.arm.movel(above))


class SingletonTest(unittest.TestCase):
    def test_a_new_instance_closes_the_one_before(self):
        first = ISCoinSim()
        self.assertTrue(first.isInitOk)
        second = ISCoinSim()
        self.assertFalse(first.isInitOk)
        self.assertTrue(second.robot_control.is_armed)
        with self.assertRaisesRegex(RuntimeError, "closed"):
            first.robot_control.get_actual_joint_positions()
        self.assertIsNone(second.camera)
        second.close()
        second.close()


if __name__ == "__main__":
    unittest.main()
