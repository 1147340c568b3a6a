# SPDX-License-Identifier: Apache-2.0
"""tandem.kinematics against numpy, calculated here from published numbers; shapes, batches and errors."""
import math
import unittest

import numpy as np

from tandem import UnreachableError
from tandem.kinematics import ackermann, cables, stewart, ur, ur3e

RANDOM = np.random.default_rng(20240517)
# The UR3e as its maker publishes it.
A = [0, -0.24355, -0.2132, 0, 0, 0]
D = [0.15185, 0, 0, 0.13105, 0.08535, 0.0921]
ALPHA = [math.pi / 2, 0, 0, math.pi / 2, -math.pi / 2, 0]


def dh_matrix(q):
    """T1 ... T6 multiplied."""
    whole = np.eye(4)
    for theta, a, d, alpha in zip(q, A, D, ALPHA):
        ct, st, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
        whole = whole @ np.array(
            [[ct, -st * ca, st * sa, a * ct], [st, ct * ca, -ct * sa, a * st], [0, sa, ca, d], [0, 0, 0, 1]]
        )
    return whole


def rotation(vector):
    """Rodrigues' formula."""
    angle = np.linalg.norm(vector)
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = np.asarray(vector) / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def matrix(pose):
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = rotation(pose[3:]), pose[:3]
    return whole


def random_joints(count):
    return RANDOM.uniform(-math.pi, math.pi, (count, 6))


class ArmTest(unittest.TestCase):
    def test_fk_is_the_product_of_the_dh_matrices(self):
        joints = random_joints(500)
        poses = ur3e.fk(joints)
        self.assertEqual((poses.shape, poses.dtype), ((500, 6), np.float64))
        for q, pose in zip(joints, poses):
            np.testing.assert_allclose(matrix(pose), dh_matrix(q), atol=2e-12)
        np.testing.assert_allclose(ur3e.fk([0] * 6)[:3], [-0.45675, -0.22315, 0.0665], atol=1e-12)

    def test_a_tool_is_multiplied_from_the_right(self):
        tcp = [0.01, -0.02, 0.15, 0.3, -0.2, 0.1]
        for q in random_joints(20):
            np.testing.assert_allclose(matrix(ur3e.fk(q, tcp)), dh_matrix(q) @ matrix(tcp), atol=2e-12)
        q = random_joints(200)
        found = ur3e.ik(ur3e.fk(q, tcp), near=q, tcp=tcp)
        np.testing.assert_allclose(ur3e.fk(found), ur3e.fk(q), atol=1e-8)

    def test_all_ik_finds_the_joints_again_and_nothing_wrong(self):
        joints = random_joints(2000)
        poses = ur3e.fk(joints)
        found = ur3e.all_ik(poses)
        self.assertEqual((found.q.shape, found.valid.shape), ((2000, 8, 6), (2000, 8)))
        self.assertTrue(np.isnan(found.q[~found.valid]).all())
        self.assertTrue(np.isfinite(found.q[found.valid]).all())
        # Each is a solution by the DH matrices, ...
        rows, which = np.nonzero(found.valid)
        for row, k in list(zip(rows, which))[::7]:
            np.testing.assert_allclose(dh_matrix(found.q[row, k]), dh_matrix(joints[row]), atol=1e-8)
        # ... and the joints we began with are among them.
        apart = np.abs(np.exp(1j * found.q) - np.exp(1j * joints[:, None, :])).max(axis=2)
        closest = np.where(found.valid, apart, np.inf).min(axis=1)
        self.assertLess(closest.max(), 1e-6)

    def test_ik_takes_the_nearest_within_limits(self):
        joints = random_joints(300)
        near = joints + RANDOM.uniform(-0.05, 0.05, joints.shape)
        found = ur3e.ik(ur3e.fk(joints), near)
        for q, asked in zip(found, joints):
            np.testing.assert_allclose(dh_matrix(q), dh_matrix(asked), atol=1e-8)
        # Near a singularity another solution may be nearer than the one we began with, and none is further away.
        away, most = (np.linalg.norm(each - near, axis=1) for each in (found, joints))
        self.assertLessEqual((away - most).max(), 1e-6)
        self.assertGreater((np.abs(found - joints).max(axis=1) < 1e-6).sum(), 290)
        self.assertTrue((np.abs(found) <= 2 * math.pi).all())

    def test_what_is_out_of_reach_is_nan_in_many_and_an_error_in_one(self):
        q = [0.3, -1.2, 1.1, -1.4, -1.5, 0.2]
        poses = np.stack([ur3e.fk(q), [2, 0, 0, 0, 0, 0], ur3e.fk(q)])
        found = ur3e.ik(poses, q)
        self.assertEqual(np.isnan(found).any(axis=1).tolist(), [False, True, False])
        np.testing.assert_allclose(found[2], q, atol=1e-9)
        with self.assertRaisesRegex(UnreachableError, "far|reach"):
            ur3e.ik(poses[1])
        self.assertFalse(ur3e.all_ik(poses[1]).valid.any())

    def test_the_jacobian_is_the_derivative(self):
        step = 1e-6
        for q in random_joints(20):
            found = ur3e.jacobian(q)
            for joint in range(6):
                ahead, behind = (dh_matrix(q + s * step * np.eye(6)[joint]) for s in (1, -1))
                change = (ahead - behind) / (2 * step)
                spin = change[:3, :3] @ dh_matrix(q)[:3, :3].T
                twist = [*change[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]]
                np.testing.assert_allclose(found[:, joint], twist, atol=1e-7)

    def test_shapes_follow_what_was_given(self):
        joints = random_joints(12)
        one = ur3e.fk(joints[0])
        self.assertEqual(one.shape, (6,))
        self.assertEqual(ur3e.fk(joints.reshape(3, 4, 6)).shape, (3, 4, 6))
        self.assertEqual(ur3e.all_ik(ur3e.fk(joints.reshape(3, 4, 6))).q.shape, (3, 4, 8, 6))
        self.assertEqual(ur3e.all_ik(one).q.shape, (8, 6))
        self.assertEqual(ur3e.fk(np.empty((0, 6))).shape, (0, 6))
        self.assertEqual(ur3e.jacobian(joints).shape, (12, 6, 6))
        np.testing.assert_array_equal(ur3e.fk(joints[::2]), ur3e.fk(joints)[::2])  # also of a view
        np.testing.assert_array_equal(ur3e.fk(joints.astype(np.float32)), ur3e.fk(joints.astype(np.float32).tolist()))

    def test_other_arms_have_their_own_numbers(self):
        arm = ur.Arm("ur10e")
        self.assertAlmostEqual(arm.fk([0] * 6)[0], -(0.6127 + 0.57155), 12)
        with self.assertRaisesRegex(ValueError, "arm: expected ur3e, ur5e.*got ur99"):
            ur.Arm("ur99")
        self.assertEqual(repr(arm), "Arm('ur10e')")
        self.assertIn("<td>-0.6127</td>", arm._repr_html_())

    def test_notebooks_show_machines_as_tables(self):
        platform = stewart.em1500._repr_html_()
        for length in stewart.leg_lengths(stewart.em1500.home):
            self.assertIn(f"<td>{length:.4f}</td>", platform)
        self.assertIn(f"<td>{cables.lengths(cables.default.home)[7]:.4f}</td>", cables.default._repr_html_())
        truck = ackermann.raptorlift._repr_html_()
        self.assertIn(f"<td>{1 / math.tan(0.7) + 0.71 / 2:.4f}</td>", truck)  # m: inner wheel at 0.7 rad, 1 m wheelbase

    def test_wrong_shapes_are_named(self):
        for given, got in (([1, 2, 3], r"\(3,\)"), (np.zeros((4, 5)), r"\(4, 5\)"), (1.5, r"\(\)")):
            with self.assertRaisesRegex(ValueError, r"q: expected shape \(6,\) or \(N, 6\), got " + got):
                ur3e.fk(given)
        with self.assertRaisesRegex(ValueError, "q: expected an array of numbers"):
            ur3e.fk(["a"] * 6)
        with self.assertRaisesRegex(ValueError, "near: expected 1 or 3 rows, one for each pose, got 2"):
            ur3e.ik(np.zeros((3, 6)), near=np.zeros((2, 6)))
        with self.assertRaisesRegex(ValueError, r"tcp: expected shape \(6,\), got \(3,\)"):
            ur3e.fk([0] * 6, tcp=[0, 0, 0.1])


def euler_matrix(roll, pitch, yaw):
    def turn(axis, angle):
        vector = np.zeros(3)
        vector[axis] = angle
        return rotation(vector)

    return turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)


class StewartTest(unittest.TestCase):
    # A platform of our own, so that its geometry is known here.
    BASE = [[math.cos(t), math.sin(t), 0] for t in (0.1, 1.9, 2.3, 4.1, 4.4, 6.1)]
    TOP = [[0.6 * math.cos(t), 0.6 * math.sin(t), 0] for t in (0.9, 1.2, 3.0, 3.3, 5.1, 5.4)]
    HOME = [0, 0, 1.2, 0, 0, 0]

    def poses(self, count):
        return self.HOME + RANDOM.uniform(-0.1, 0.1, (count, 6))

    def lengths(self, pose):
        tops = euler_matrix(*pose[3:]) @ np.array(self.TOP).T + np.array(pose[:3])[:, None]
        return np.linalg.norm(tops.T - np.array(self.BASE), axis=1)

    def test_lengths_are_distances(self):
        platform = stewart.Platform(self.BASE, self.TOP, self.HOME)
        poses = self.poses(300)
        found = platform.leg_lengths(poses)
        self.assertEqual(found.shape, (300, 6))
        for pose, lengths in zip(poses, found):
            np.testing.assert_allclose(lengths, self.lengths(pose), atol=1e-12)

    def test_poses_are_found_again(self):
        platform = stewart.Platform(self.BASE, self.TOP, self.HOME)
        poses = self.poses(1000)
        lengths = np.array([self.lengths(pose) for pose in poses])
        found = platform.pose_from_lengths(lengths)
        np.testing.assert_allclose(found.pose, poses, atol=1e-9)
        self.assertEqual(found.certain.shape, (1000,))
        self.assertTrue(found.certain.all())
        warm = platform.pose_from_lengths(lengths, start=poses)
        np.testing.assert_allclose(warm.pose, poses, atol=1e-9)

    def test_the_em1500_is_the_default(self):
        from tandem import em1500

        pose = [0.05, -0.03, 1.305, 0.05, -0.04, 0.03]
        np.testing.assert_allclose(stewart.leg_lengths(pose), em1500.leg_lengths(pose), atol=1e-12)
        single = stewart.pose_from_lengths(stewart.leg_lengths(pose))
        np.testing.assert_allclose(single.pose, pose, atol=1e-9)
        self.assertIs(single.certain, True)
        with self.assertRaisesRegex(UnreachableError, "lengths: no pose near home has"):
            stewart.pose_from_lengths([0.1, 9, 0.1, 9, 0.1, 9])
        mixed = stewart.pose_from_lengths([stewart.leg_lengths(pose), [0.1, 9, 0.1, 9, 0.1, 9]])
        self.assertEqual(np.isnan(mixed.pose).any(axis=1).tolist(), [False, True])

    def test_wrong_shapes_are_named(self):
        with self.assertRaisesRegex(ValueError, r"base: expected shape \(6, 3\), got \(5, 3\)"):
            stewart.Platform(self.BASE[:5], self.TOP, self.HOME)
        with self.assertRaisesRegex(ValueError, "start: expected 1 or 4 rows"):
            stewart.pose_from_lengths(np.ones((4, 6)), start=np.ones((3, 6)))


class CablesTest(unittest.TestCase):
    FRAME = np.array([(x, y, z) for z in (0.6, 0.0) for x, y in ((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3))])
    HELD = np.array(
        [(math.copysign(0.01812, x), math.copysign(0.06761, y), -0.04) for x, y, _ in FRAME[:4]]
        + [(math.copysign(0.06761, x), math.copysign(0.01812, y), 0.04) for x, y, _ in FRAME[4:]]
    )

    def poses(self, count):
        turn = RANDOM.normal(size=(count, 4)) * [0.1, 0.1, 0.1, 0] + [0, 0, 0, 1]
        turn /= np.linalg.norm(turn, axis=1, keepdims=True)
        return np.hstack([RANDOM.uniform(-0.08, 0.08, (count, 3)) + [0, 0, 0.3], turn])

    def matrices(self, poses):
        x, y, z, w = poses[:, 3:].T
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        return np.moveaxis(np.array(rows), -1, 0)

    def spans(self, poses):
        """From the platform along each cable, (N, 8, 3), and the arms about the platform's origin."""
        arms = self.HELD @ np.swapaxes(self.matrices(poses), 1, 2)
        return self.FRAME - arms - poses[:, None, :3], arms

    def test_lengths_are_distances_for_each_orientation(self):
        poses = np.vstack([self.poses(200), np.tile(self.poses(1), (100, 1))])
        poses[200:, :3] += RANDOM.uniform(-0.02, 0.02, (100, 3))  # one orientation: the kernels' way
        np.testing.assert_allclose(cables.lengths(poses), np.linalg.norm(self.spans(poses)[0], axis=2), atol=1e-12)
        self.assertEqual(cables.lengths(poses[0]).shape, (8,))

    def test_poses_are_found_again(self):
        poses = self.poses(100)
        np.testing.assert_allclose(cables.pose_from_lengths(cables.lengths(poses)), poses, atol=1e-9)
        with self.assertRaisesRegex(UnreachableError, "no pose was found"):
            cables.pose_from_lengths([9] * 8)

    def test_tensions_balance_weight_and_wrench(self):
        poses = self.poses(50)
        wrench = RANDOM.uniform(-2, 2, (50, 6)) * [1, 1, 1, 0.02, 0.02, 0.02]
        found = cables.tensions(poses, wrench, "least")
        self.assertTrue(found.feasible.any())
        spans, arms = self.spans(poses)
        pull = spans / np.linalg.norm(spans, axis=2, keepdims=True) * found.tension[:, :, None]
        force = pull.sum(axis=1) + wrench[:, :3] - [0, 0, 9.81]  # 1 kg
        moment = np.cross(arms, pull).sum(axis=1) + wrench[:, 3:]
        good = found.feasible
        np.testing.assert_allclose(force[good], 0, atol=1e-7)
        np.testing.assert_allclose(moment[good], 0, atol=1e-7)
        self.assertTrue(((found.tension[good] > 2 - 1e-9) & (found.tension[good] < 100 + 1e-9)).all())

    def test_margins_are_negative_exactly_where_nothing_holds(self):
        poses = self.poses(200)
        poses[:, :3] = RANDOM.uniform(-0.29, 0.29, (200, 3)) + [0, 0, 0.3]
        margins = cables.margins(poses)
        feasible = cables.tensions(poses).feasible
        clear = np.abs(margins) > 1e-6
        self.assertGreater((margins < 0).sum(), 10)
        self.assertGreater((margins > 0).sum(), 10)
        np.testing.assert_array_equal((margins > 0)[clear], feasible[clear])

    def test_wrong_poses_are_named(self):
        with self.assertRaisesRegex(ValueError, r"pose: expected shape \(7,\) or \(N, 7\), got \(2, 6\)"):
            cables.lengths(np.zeros((2, 6)))
        poses = self.poses(3)
        poses[2, 3:] = 0
        with self.assertRaisesRegex(ValueError, "pose: expected a unit quaternion .* in row 2"):
            cables.lengths(poses)
        poses[1, 0] = math.nan
        with self.assertRaisesRegex(ValueError, "got NaN or infinity in row 1"):
            cables.lengths(poses)
        with self.assertRaisesRegex(ValueError, "aim: expected middle, least, barycentre or analytic_centre, got best"):
            cables.tensions(self.poses(1), aim="best")


class AckermannTest(unittest.TestCase):
    RADIUS, BASE, TRACK = 0.1715, 1.0, 0.71

    def test_wheels_roll_about_one_centre(self):
        twists = np.column_stack([RANDOM.uniform(0.2, 1, 300), RANDOM.uniform(-0.2, 0.2, 300)])
        found = ackermann.wheels_from_twist(twists)
        v, w = twists.T
        right, left = v + w * self.TRACK / 2, v - w * self.TRACK / 2
        inside = ~found.limited
        self.assertGreater(inside.sum(), 200)
        np.testing.assert_allclose(found.wheels[inside, 0], (right / self.RADIUS)[inside], atol=1e-12)
        np.testing.assert_allclose(found.wheels[inside, 1], (left / self.RADIUS)[inside], atol=1e-12)
        for column, along in ((2, right), (3, left)):
            angle = np.arctan2(w * self.BASE, along)  # each wheel points across its line to the centre
            np.testing.assert_allclose(found.wheels[inside, column], angle[inside], atol=1e-12)

    def test_twists_are_found_again(self):
        twists = np.column_stack([RANDOM.uniform(0.2, 1, 100), RANDOM.uniform(-0.1, 0.1, 100)])
        back = ackermann.twist_from_wheels(ackermann.wheels_from_twist(twists).wheels)
        np.testing.assert_allclose(back.twist, twists, atol=1e-12)
        np.testing.assert_allclose(back.slip, 0, atol=1e-12)

    def test_turning_on_the_spot_is_limited_and_nonsense_is_nan(self):
        found = ackermann.wheels_from_twist([0, 1])
        self.assertIs(found.limited, True)
        self.assertTrue(np.isnan(ackermann.wheels_from_twist([math.nan, 0]).wheels).all())
        with self.assertRaisesRegex(ValueError, r"twist: expected shape \(2,\) or \(N, 2\), got \(3,\)"):
            ackermann.wheels_from_twist([1, 2, 3])
        with self.assertRaises(ValueError):
            ackermann.Truck(0.1, -1, 0.5, 0.5, 0.7)


if __name__ == "__main__":
    unittest.main()
