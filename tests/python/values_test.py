# SPDX-License-Identifier: Apache-2.0
"""The value classes: numbers worked out by hand, and what they refuse."""
import copy
import math
import pickle
import unittest

from tandem import (
    TCP6D,
    DirectionAxis,
    DirectionFeature,
    Joint6D,
    Joint6DDescriptor,
    TCP6DDescriptor,
)


def near(test, values, expected, tolerance=1e-12):
    test.assertEqual(len(list(values)), len(expected))
    for value, wanted in zip(values, expected):
        test.assertAlmostEqual(value, wanted, delta=tolerance)


class NotebookTest(unittest.TestCase):
    def test_joints_and_poses_are_tables_with_units(self):
        joints = Joint6D.createFromRadians(1.19, 0, 0, 0, 0, 1.05)._repr_html_()
        self.assertIn("<th>j1 (rad)</th>", joints)
        self.assertIn("<td>1.1900</td>", joints)
        tool = TCP6D.createFromMetersRadians(0.1, 0, 0.3, 0, 3.14159, 0)._repr_html_()
        self.assertIn("<th>z (m)</th><th>rx (rad)</th>", tool)
        self.assertIn("<td>0.3000</td><td>0.0000</td><td>3.1416</td>", tool)


class JointsTest(unittest.TestCase):
    def test_radians_are_kept_as_they_are(self):
        q = Joint6D.createFromRadians(1.19, -1.13, 1.05, -1.60, -1.52, 1.05)
        self.assertEqual(q.toList(), [1.19, -1.13, 1.05, -1.60, -1.52, 1.05])
        self.assertEqual((q.j1, q.j2, q.j3, q.j4, q.j5, q.j6), (1.19, -1.13, 1.05, -1.60, -1.52, 1.05))
        self.assertEqual((q[0], q[5], q[-1]), (1.19, 1.05, 1.05))

    def test_degrees_become_radians(self):
        q = Joint6D.createFromDegrees(0, -90, 90, 180, -45, 1)
        near(self, q, [0, -1.5707963267948966, 1.5707963267948966, 3.141592653589793, -0.7853981633974483,
                       0.017453292519943295])
        near(self, Joint6D.createFromDegList([0, -90, 90, 180, -45, 1]), q.toList())
        near(self, Joint6D.createFromRadList([1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6])

    def test_sums_differences_and_multiples_go_joint_by_joint(self):
        a = Joint6D.createFromRadians(1, 2, 3, 4, 5, 6)
        b = Joint6D.createFromRadians(0.5, -1, 0, 2, 10, -6)
        self.assertEqual((a + b).toList(), [1.5, 1, 3, 6, 15, 0])
        self.assertEqual((a - b).toList(), [0.5, 3, 3, 2, -5, 12])
        self.assertEqual((a * 2).toList(), [2, 4, 6, 8, 10, 12])
        self.assertEqual((2 * a).toList(), [2, 4, 6, 8, 10, 12])
        self.assertEqual((a / 4).toList(), [0.25, 0.5, 0.75, 1, 1.25, 1.5])
        self.assertEqual(a.toList(), [1, 2, 3, 4, 5, 6])

    def test_lists_are_copies_and_numbers_can_be_set(self):
        q = Joint6D.createFromRadians(1, 2, 3, 4, 5, 6)
        q.toList()[0] = 99
        self.assertEqual(q.j1, 1)
        q[0] += 1
        self.assertEqual(q.j1, 2)

    def test_copies_are_equal_and_their_own(self):
        q = Joint6D.createFromRadians(1, 2, 3, 4, 5, 6)
        for twin in (copy.copy(q), copy.deepcopy(q), pickle.loads(pickle.dumps(q))):
            self.assertEqual(twin, q)
            twin[0] = 7
            self.assertEqual(q.j1, 1)
        self.assertNotEqual(q, TCP6D.createFromMetersRadians(1, 2, 3, 4, 5, 6))

    def test_direct_construction_is_refused(self):
        for arguments in ((), (1, 2, 3, 4, 5, 6), ([1, 2, 3, 4, 5, 6],)):
            with self.assertRaises(RuntimeError):
                Joint6D(*arguments)
            with self.assertRaises(RuntimeError):
                TCP6D(*arguments)

    def test_what_is_no_number_is_refused(self):
        for values in ((1, 2, 3, 4, 5, "six"), (1, 2, 3, 4, 5, None), (1, 2, 3, 4, 5, [6])):
            with self.assertRaises(ValueError):
                Joint6D.createFromRadians(*values)
            with self.assertRaises(ValueError):
                Joint6D.createFromDegrees(*values)
        with self.assertRaisesRegex(ValueError, "six numbers, got 5"):
            Joint6D.createFromRadList([1, 2, 3, 4, 5])

    def test_joints_and_poses_do_not_mix(self):
        q = Joint6D.createFromRadians(0, 0, 0, 0, 0, 0)
        pose = TCP6D.createFromMetersRadians(0, 0, 0, 0, 0, 0)
        for operation in (lambda: q + pose, lambda: q - pose, lambda: q * q, lambda: q / "2", lambda: q + [0] * 6):
            with self.assertRaises(TypeError):
                operation()


class PosesTest(unittest.TestCase):
    def test_metres_and_millimetres(self):
        pose = TCP6D.createFromMillietersRadians(250, -100, 12.5, 0, math.pi, 0)
        near(self, pose, [0.25, -0.1, 0.0125, 0, math.pi, 0])
        same = TCP6D.createFromMetersRadians(0.25, -0.1, 0.0125, 0, math.pi, 0)
        near(self, same, pose.toList())
        self.assertEqual((same.x, same.y, same.z, same.rx, same.ry, same.rz), (0.25, -0.1, 0.0125, 0, math.pi, 0))

    def test_sums_add_the_rotation_parts_too(self):
        # The original multiplies them: moving a pose by (0, 0, 0.1, 0, 0, 0) would have cleared its orientation.
        pose = TCP6D.createFromMetersRadians(0.3, 0.1, 0.2, 0, 3, 0.5)
        lift = TCP6D.createFromMetersRadians(0, 0, 0.125, 0, 0, 0)
        near(self, pose + lift, [0.3, 0.1, 0.325, 0, 3, 0.5])
        near(self, pose + lift - lift, pose.toList())

    def test_what_prints_can_be_read(self):
        self.assertEqual(repr(TCP6D.createFromMetersRadians(1, 2, 3, 4, 5, 6)), "TCP6D([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])")


class DescriptorsTest(unittest.TestCase):
    def test_dictionaries(self):
        q = Joint6D.createFromRadians(1, 2, 3, 4, 5, 6)
        self.assertEqual(Joint6DDescriptor(q).getAsDict(), {"q": [1, 2, 3, 4, 5, 6], "a": 1.4, "v": 2.05, "t": 0, "r": 0})
        pose = TCP6D.createFromMetersRadians(1, 2, 3, 4, 5, 6)
        self.assertEqual(
            TCP6DDescriptor(pose, v=0.1, r=0.02).getAsDict(),
            {"pose": [1, 2, 3, 4, 5, 6], "a": 1.2, "v": 0.1, "t": 0, "r": 0.02},
        )

    def test_lists_share_their_limits(self):
        # The original hands each pose on as its own time.
        poses = [TCP6D.createFromMetersRadians(i, 0, 0, 0, 0, 0) for i in range(3)]
        made = TCP6DDescriptor.createFromTCPList(poses, a=0.5, v=0.2, t=3, r=0.01)
        self.assertEqual([(d.tcp.x, d.a, d.v, d.t, d.r) for d in made], [(i, 0.5, 0.2, 3, 0.01) for i in range(3)])
        joints = [Joint6D.createFromRadians(i, 0, 0, 0, 0, 0) for i in range(2)]
        made = Joint6DDescriptor.createFromJointsList(joints, t=2)
        self.assertEqual([(d.joints.j1, d.a, d.v, d.t, d.r) for d in made], [(i, 1.4, 2.05, 2, 0) for i in range(2)])

    def test_wrong_types_are_value_errors(self):
        q = Joint6D.createFromRadians(0, 0, 0, 0, 0, 0)
        pose = TCP6D.createFromMetersRadians(0, 0, 0, 0, 0, 0)
        for wrong in (
            lambda: Joint6DDescriptor(pose),
            lambda: Joint6DDescriptor([0] * 6),
            lambda: TCP6DDescriptor(q),
            lambda: Joint6DDescriptor.createFromJointsList((q, q)),
            lambda: Joint6DDescriptor.createFromJointsList([q, pose]),
            lambda: TCP6DDescriptor.createFromTCPList([pose, None]),
            lambda: TCP6DDescriptor.createFromTCPList(pose),
        ):
            with self.assertRaises(ValueError):
                wrong()

    def test_directions_have_their_names(self):
        self.assertEqual([axis.name for axis in DirectionAxis], ["Xp", "Xn", "Yp", "Yn", "Zp", "Zn"])
        self.assertEqual([feature.name for feature in DirectionFeature], ["Base", "Tool"])


if __name__ == "__main__":
    unittest.main()
