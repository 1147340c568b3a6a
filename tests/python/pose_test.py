# SPDX-License-Identifier: Apache-2.0
"""tandem.pose against 4x4 matrices, multiplied and inverted by numpy."""
import math
import pickle
import types
import unittest

import numpy as np

from tandem.pose import Pose

RANDOM = np.random.default_rng(20240601)


def rotation(w, x, y, z):
    """The textbook's matrix of a unit quaternion."""
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def matrix(pose):
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = rotation(*pose.q), pose.p
    return whole


def random_pose():
    turn = RANDOM.normal(size=4)
    return Pose(RANDOM.uniform(-5, 5, 3), turn / np.linalg.norm(turn))


class PoseTest(unittest.TestCase):
    def test_mult_is_the_matrix_product_and_inverse_the_inverse(self):
        for _ in range(200):
            t_a_b, t_b_c = random_pose(), random_pose()
            np.testing.assert_allclose(matrix(t_a_b.mult(t_b_c)), matrix(t_a_b) @ matrix(t_b_c), atol=1e-12)
            np.testing.assert_allclose(matrix(t_a_b.inverse()), np.linalg.inv(matrix(t_a_b)), atol=1e-12)
            np.testing.assert_allclose(t_a_b.to_matrix(), matrix(t_a_b), atol=1e-14)
            self.assertEqual(t_a_b * t_b_c, t_a_b.mult(t_b_c))
            delta = Pose.delta_pose(t_a_b, t_b_c)
            np.testing.assert_allclose(matrix(t_a_b) @ matrix(delta), matrix(t_b_c), atol=1e-11)
            point = RANDOM.uniform(-1, 1, 3)
            np.testing.assert_allclose(t_a_b.apply(point), (matrix(t_a_b) @ [*point, 1])[:3], atol=1e-12)

    def test_euler_angles_are_about_fixed_axes(self):
        for _ in range(100):
            roll, yaw = RANDOM.uniform(-3, 3, 2)
            pitch = RANDOM.uniform(-1.5, 1.5)
            pose = Pose.from_euler((0, 0, 0), roll, pitch, yaw)
            half = [(math.cos(a / 2), math.sin(a / 2)) for a in (roll, pitch, yaw)]
            turns = [rotation(c, *(s * np.eye(3)[i])) for i, (c, s) in enumerate(half)]
            np.testing.assert_allclose(rotation(*pose.q), turns[2] @ turns[1] @ turns[0], atol=1e-12)
            np.testing.assert_allclose(pose.get_euler(), (roll, pitch, yaw), atol=1e-9)
        for pitch in (math.pi / 2, -math.pi / 2):
            pose = Pose.from_euler((0, 0, 0), 0.3, pitch, -0.8)
            again = Pose.from_euler((0, 0, 0), *pose.get_euler())
            np.testing.assert_allclose(rotation(*again.q), rotation(*pose.q), atol=1e-7)

    def test_ned_and_enu(self):
        swap = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
        flip = np.diag([1, -1, -1])
        for _ in range(50):
            ned = random_pose()
            body, frame = ned.ned_to_enu_standard(), ned.ned_to_enu_frame()
            np.testing.assert_allclose(body.p, swap @ ned.p, atol=1e-14)
            np.testing.assert_allclose(rotation(*body.q), swap @ rotation(*ned.q) @ flip, atol=1e-12)
            np.testing.assert_allclose(rotation(*frame.q), swap @ rotation(*ned.q) @ swap, atol=1e-12)
            np.testing.assert_allclose(matrix(body.enu_to_ned_standard()), matrix(ned), atol=1e-12)
            np.testing.assert_allclose(matrix(frame.enu_to_ned_frame()), matrix(ned), atol=1e-12)
        # A submarine that looks north: yaw 0 in NED, 90 degrees in ENU.
        north = Pose().ned_to_enu_standard()
        np.testing.assert_allclose(north.get_euler(), (0, 0, math.pi / 2), atol=1e-12)

    def test_messages_both_ways(self):
        pose = random_pose()
        space = types.SimpleNamespace
        sent = pose.to_pose_msg()
        heard = space(position=space(**sent["position"]), orientation=space(**sent["orientation"]))
        self.assertEqual(Pose.from_pose_msg(heard), pose)
        sent = pose.to_transform_msg()
        heard = space(translation=space(**sent["translation"]), rotation=space(**sent["rotation"]))
        self.assertEqual(Pose.from_transform_msg(heard), pose)

    def test_wrong_values_are_named(self):
        with self.assertRaisesRegex(ValueError, r"q: expected a unit quaternion w, x, y, z, got \(1, 1, 0, 0\)"):
            Pose((0, 0, 0), (1, 1, 0, 0))
        with self.assertRaisesRegex(ValueError, "p: expected 3 finite numbers x, y, z"):
            Pose((0, 0))
        with self.assertRaisesRegex(ValueError, "p: expected 3 finite numbers"):
            Pose((0, math.nan, 0))
        with self.assertRaisesRegex(ValueError, "other: expected a Pose, got int 2"):
            Pose().mult(2)
        with self.assertRaisesRegex(AttributeError, r"make a new Pose\(p, q\)"):
            Pose().p = (1, 2, 3)

    def test_it_prints_copies_and_scales(self):
        pose = Pose.from_euler((1, 2, 3), 0, 0, math.pi / 2)
        self.assertEqual(str(pose), "p=[1.000, 2.000, 3.000] m, e=[0.000, 0.000, 1.571] rad")
        self.assertEqual(eval(repr(pose)), pose)
        self.assertEqual(pickle.loads(pickle.dumps(pose)), pose)
        self.assertIn("<td>1.5708</td>", pose._repr_html_())
        self.assertEqual(pose.scaled(2).p, (2, 4, 6))


if __name__ == "__main__":
    unittest.main()
