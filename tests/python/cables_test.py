# SPDX-License-Identifier: Apache-2.0
"""The cable robot in Python: lengths, pose and tensions against numbers calculated here."""
import math
import pathlib
import unittest

from tandem import RobotError, cable_robot

ROBOTS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "cable_robots"
HOME = [0, 0, 0.3, 0, 0, 0, 1]
FRAME = [(-0.3, -0.3, 0.6), (0.3, -0.3, 0.6), (0.3, 0.3, 0.6), (-0.3, 0.3, 0.6)]
FRAME += [(x, y, 0.0) for x, y, _ in FRAME]
PLATFORM = [(math.copysign(0.01812, x), math.copysign(0.06761, y), -0.04) for x, y, _ in FRAME[:4]]
PLATFORM += [(math.copysign(0.06761, x), math.copysign(0.01812, y), 0.04) for x, y, _ in FRAME[4:]]


class Cables(unittest.TestCase):
    def test_lengths_are_distances(self):
        place = (0.05, -0.1, 0.35)
        lengths = cable_robot.cable_lengths([*place, 0, 0, 0, 1])
        for length, frame, held in zip(lengths, FRAME, PLATFORM):
            self.assertAlmostEqual(length, math.dist(frame, [a + b for a, b in zip(place, held)]), 14)

    def test_it_shows_itself_as_a_table(self):
        robot = cable_robot.CableRobot()
        self.assertRegex(repr(robot), r"^CableRobot\('\w+', 8 cables\)$")
        self.assertIn(f"<td>8</td><td>{robot.cable_lengths(robot.home)[7]:.4f}</td>", robot._repr_html_())

    def test_the_pose_is_found_again(self):
        half = 0.1
        pose = [0.05, -0.1, 0.35, 0, math.sin(half), 0, math.cos(half)]
        found = cable_robot.cable_pose(cable_robot.cable_lengths(pose))
        self.assertLess(found.residual, 1e-12)
        for a, b in zip(found.pose, pose):
            self.assertAlmostEqual(a, b, 11)
        warm = cable_robot.cable_pose(cable_robot.cable_lengths(pose), start=pose)
        self.assertLessEqual(warm.iterations, 2)

    def test_tensions_hold_the_platform(self):
        wrench = [1, 2, -3, 0, 0, 0]
        for aim in ("middle", "least", "barycentre", "analytic_centre"):
            found = cable_robot.cable_tensions(HOME, wrench, aim)
            self.assertTrue(found.feasible)
            self.assertTrue(all(2 - 1e-9 <= tension <= 100 + 1e-9 for tension in found.tensions))
            force = [0.0, 0.0, 0.0]
            for tension, frame, held in zip(found.tensions, FRAME, PLATFORM):
                span = [a - b - c for a, b, c in zip(frame, held, HOME)]
                force = [f + tension * s / math.hypot(*span) for f, s in zip(force, span)]
            for got, asked in zip(force, (-1, -2, 3 + 9.81)):
                self.assertAlmostEqual(got, asked, 7)

    def test_what_cannot_be_held_is_told(self):
        found = cable_robot.cable_tensions(HOME, [0, 0, -5000, 0, 0, 0])
        self.assertFalse(found.feasible)
        self.assertLess(found.margin, 0)
        self.assertIn(found.cable, range(8))
        self.assertGreater(found.nearest_wrench[2], -5000)

    def test_robots_come_from_files(self):
        robot = cable_robot.CableRobot(ROBOTS / "caroca.yaml")
        self.assertEqual((robot.name, robot.cables, robot.notes), ("caroca", 8, []))
        self.assertEqual(robot.home, [0.9, 0.9, 0.2, 0, 0, 0, 1])
        self.assertLess(robot.cable_pose(robot.cable_lengths(robot.home)).residual, 1e-12)
        self.assertEqual(len(cable_robot.CableRobot(str(ROBOTS / "cdpr3.yaml")).notes), 2)
        with self.assertRaisesRegex(RobotError, "nowhere.yaml: expected a geometry file"):
            cable_robot.CableRobot("nowhere.yaml")

    def test_what_means_nothing_is_refused(self):
        with self.assertRaisesRegex(ValueError, "pose: expected x, y, z, qx, qy, qz, qw, got 3 numbers"):
            cable_robot.cable_lengths([1, 2, 3])
        with self.assertRaisesRegex(ValueError, "quaternion"):
            cable_robot.cable_lengths([0, 0, 0, 0, 0, 0, 3])
        with self.assertRaisesRegex(ValueError, "expected a finite number, got nan"):
            cable_robot.cable_lengths([0, 0, math.nan, 0, 0, 0, 1])
        with self.assertRaisesRegex(ValueError, "lengths: expected 8, one for each cable, got 2"):
            cable_robot.cable_pose([1, 2])
        with self.assertRaisesRegex(RobotError, "no pose was found"):
            cable_robot.cable_pose([9] * 8)
        with self.assertRaisesRegex(ValueError, "aim: expected middle, least, barycentre or analytic_centre, got best"):
            cable_robot.cable_tensions(HOME, aim="best")
        with self.assertRaisesRegex(ValueError, "pose: expected a number, got str 'x'"):
            cable_robot.cable_lengths("xyzabcd")


if __name__ == "__main__":
    unittest.main()
