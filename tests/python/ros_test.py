# SPDX-License-Identifier: Apache-2.0
"""tandem.ros: bytes against struct.pack, two nodes, the virtual arm's services and actions, and how it ends.

In a network of its own: whatever is on DDS there belongs to this test.
"""
import logging
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402

if __name__ == "__main__":
    alone.enter()

import numpy as np  # noqa: E402

from tandem import ros  # noqa: E402
from tandem.pose import Pose  # noqa: E402

PROGRAM = Path(os.environ["TANDEM_BUILD"]) / "tandem"
PATIENCE = 20  # s, on a busy computer


def found(node, name):
    return node._find(name)


class BytesTest(unittest.TestCase):
    """CDR, little-endian, by the rules of the OMG: alignment counts from behind the four bytes of the header."""

    @classmethod
    def setUpClass(cls):
        cls.node = ros.Node("bytes")

    @classmethod
    def tearDownClass(cls):
        cls.node.close()

    def both_ways(self, name, message, expected):
        kind = found(self.node, name)
        self.assertEqual(kind.encode(message).hex(), (b"\0\1\0\0" + expected).hex())
        again = kind.decode(b"\0\1\0\0" + expected)
        self.assertEqual(kind.encode(again), b"\0\1\0\0" + expected)
        return again

    def test_numbers_and_texts(self):
        twist = self.both_ways(
            "geometry_msgs/msg/Twist", {"linear": {"x": 1.5}, "angular": {"z": -2}}, struct.pack("<6d", 1.5, 0, 0, 0, 0, -2)
        )
        self.assertEqual((twist.linear.x, twist.angular.z), (1.5, -2.0))
        text = self.both_ways("std_msgs/msg/String", {"data": "Grüße"}, struct.pack("<I8s", 8, "Grüße".encode()))
        self.assertEqual(text.data, "Grüße")
        self.assertEqual(repr(text), "String(data='Grüße')")
        self.assertIn("<td>data</td>", text._repr_html_())

    def test_arrays_are_numpys_and_may_be_given_as_such(self):
        layout = struct.pack("<II", 0, 0)
        expected = layout + struct.pack("<I4x3d", 3, 0.5, 1.5, -2.5)
        for given in ([0.5, 1.5, -2.5], (0.5, 1.5, -2.5), np.array([0.5, 1.5, -2.5]), np.array([0.5, 1.5, -2.5], np.float32)):
            message = self.both_ways("std_msgs/msg/Float64MultiArray", {"data": given}, expected)
        self.assertEqual(message.data.dtype, np.float64)
        image = bytes(range(256)) * 4096
        encoded = found(self.node, "std_msgs/msg/UInt8MultiArray").encode({"data": image})
        self.assertEqual(encoded[12:], struct.pack("<I", len(image)) + image)
        integers = found(self.node, "std_msgs/msg/Int16MultiArray")
        self.assertEqual(integers.encode({"data": np.array([-1, 300])})[12:], struct.pack("<I2h", 2, -1, 300))

    def test_lists_of_messages(self):
        pose = Pose((1, 2, 3), (0.5, 0.5, 0.5, 0.5))
        kind = found(self.node, "geometry_msgs/msg/PoseArray")
        header = struct.pack("<iII4s", 7, 8, 4, b"map\0")
        expected = header + struct.pack("<I", 2) + b"\0" * 4 + struct.pack("<7d", 1, 2, 3, 0.5, 0.5, 0.5, 0.5) * 2
        message = {"header": {"stamp": {"sec": 7, "nanosec": 8}, "frame_id": "map"}, "poses": [pose.to_pose_msg()] * 2}
        again = self.both_ways("geometry_msgs/msg/PoseArray", message, expected)
        self.assertEqual(Pose.from_pose_msg(again.poses[1]), pose)
        self.assertEqual(ros.as_dict(again)["poses"][0]["position"], {"x": 1.0, "y": 2.0, "z": 3.0})
        self.assertEqual(kind.name, "geometry_msgs/msg/PoseArray")

    def test_what_does_not_fit_is_named(self):
        wrong = [
            ("geometry_msgs/msg/Twist", {"linear": {"x": "fast"}}, "linear.x: expected float64, got str 'fast'"),
            ("geometry_msgs/msg/Twist", {"linaer": {"x": 1}}, "linaer: unknown field of geometry_msgs/msg/Twist"),
            ("std_msgs/msg/String", {"data": 5}, "data: expected string, got int 5"),
            ("std_msgs/msg/UInt8", {"data": 256}, "data: expected uint8 from 0 to 255"),
            ("std_msgs/msg/UInt8MultiArray", {"data": np.array([1, 256])}, "data: expected uint8, got numbers of int64"),
            ("std_msgs/msg/Float64MultiArray", {"data": np.zeros((2, 2))}, r"data: expected .* got shape \(2, 2\)"),
            ("std_msgs/msg/Float64MultiArray", {"data": [1, "a"]}, r"data\[1\]: expected float64, got str 'a'"),
            ("geometry_msgs/msg/PoseWithCovariance", {"covariance": np.zeros(35)}, "expected 36 elements"),
            ("std_msgs/msg/String", [1], "expected std_msgs/msg/String as a dict or a Message, got list"),
        ]
        for name, message, text in wrong:
            with self.subTest(text), self.assertRaisesRegex(ValueError, text):
                found(self.node, name).encode(message)
        message = found(self.node, "std_msgs/msg/String").decode(struct.pack("<4sI2s", b"\0\1\0\0", 2, b"a\0"))
        with self.assertRaisesRegex(AttributeError, "std_msgs/msg/String has no field 'dta'; it has data"):
            message.dta = "b"
        with self.assertRaisesRegex(ValueError, "String"):
            found(self.node, "std_msgs/msg/String").decode(b"\0\1\0\0\xff\0\0\0")
        with self.assertRaisesRegex(ros.RosError, "unknown type std_msgs/msg/Strnig; did you mean 'std_msgs/msg/String'"):
            self.node.publisher("/a", "std_msgs/Strnig")


class TopicsTest(unittest.TestCase):
    def setUp(self):
        self.first, self.second = ros.Node("first", domain=3), ros.Node("second", namespace="/lab", domain=3)

    def tearDown(self):
        self.first.close()
        self.second.close()

    def test_messages_arrive_in_order_and_with_the_publishers_type(self):
        publisher = self.first.publisher("/count", "std_msgs/msg/Int32")
        subscription = self.second.subscribe("/count", timeout=PATIENCE)
        self.assertEqual(subscription.type, "std_msgs/msg/Int32")
        publisher.wait_for_subscribers(1, PATIENCE)
        for i in range(50):
            publisher.publish(data=i)
        self.assertEqual([subscription.take(PATIENCE).data for _ in range(50)], list(range(50)))
        with self.assertRaisesRegex(ros.RosError, "/count: no message within 0.1 s"):
            subscription.take(0.1)
        self.assertIn("/count", self.second.topics())
        self.assertIn("/first", self.second.nodes())
        self.assertIn("/lab/second", self.second.nodes())

    def test_a_callback_that_raises_is_logged_and_the_next_goes_on(self):
        seen = []

        def callback(message):
            seen.append((message.data, threading.current_thread().name))
            if message.data == 0:
                raise RuntimeError("on purpose")

        publisher = self.first.publisher("numbers", "std_msgs/Int32")
        self.second.subscribe("/numbers", callback, "std_msgs/Int32")
        publisher.wait_for_subscribers(1, PATIENCE)
        with self.assertLogs("tandem.ros", logging.ERROR) as logged:
            publisher.publish({"data": 0})
            publisher.publish({"data": 1})
            deadline = time.monotonic() + PATIENCE
            while len(seen) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
        self.assertEqual(seen, [(0, "/lab/second"), (1, "/lab/second")])
        self.assertIn("on purpose", logged.output[0])

    def test_a_callback_may_publish_call_and_close(self):
        done = threading.Event()
        answers = []

        def callback(message):
            answers.append(self.second.call("/first/get_parameters", "rcl_interfaces/srv/GetParameters",
                                            {"names": ["use_sim_time"]}, PATIENCE))
            self.second.close()
            done.set()

        publisher = self.first.publisher("/go", "std_msgs/Empty")
        self.second.subscribe("/go", callback, "std_msgs/Empty")
        publisher.wait_for_subscribers(1, PATIENCE)
        publisher.publish()
        self.assertTrue(done.wait(PATIENCE))
        (value,) = answers[0].values
        self.assertEqual((value.type, value.bool_value), (1, False))  # PARAMETER_BOOL
        with self.assertRaisesRegex(Exception, "the node is closed"):
            self.second.topics()

    def test_many_threads_publish_while_callbacks_run(self):
        total = [0]

        def callback(message):
            total[0] += int(message.data.sum())

        publisher = self.first.publisher("/blocks", "std_msgs/UInt8MultiArray", depth=1000)
        self.second.subscribe("/blocks", callback, "std_msgs/UInt8MultiArray", reliable=True, depth=1000)
        publisher.wait_for_subscribers(1, PATIENCE)
        block = np.ones(1000, np.uint8)
        threads = [threading.Thread(target=lambda: [publisher.publish(data=block) for _ in range(50)]) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        deadline = time.monotonic() + PATIENCE
        while total[0] < 200_000 and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(total[0], 200_000)

    def test_what_is_not_there_is_named(self):
        with self.assertRaisesRegex(ros.RosError, "/nothing: no such topic within 0.3 s") as raised:
            self.first.subscribe("/nothing", timeout=0.3)
        self.assertEqual(raised.exception.fault, "not_found")
        with self.assertRaisesRegex(ros.RosError, "/nothing: no such service; is its node running, and on domain 3"):
            self.first.call("/nothing", "std_srvs/srv/Trigger", timeout=0.3)
        with self.assertRaisesRegex(ros.RosError, "/nothing: expected 1 subscriptions within 0.3 s, got 0"):
            self.first.publish("/nothing", "std_msgs/String", {"data": "a"}, timeout=0.3)
        with self.assertRaisesRegex(ValueError, "discovery: expected 'localhost' or 'subnet', got 'world'"):
            ros.Node("x", discovery="world")


class DeviceTest(unittest.TestCase):
    """The virtual arm's machine, in a process of its own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        environment = {**os.environ, "TANDEM_CONTROL": f"{cls.folder.name}/control.sock", "ROS_DOMAIN_ID": "4"}
        cls.log = open(f"{cls.folder.name}/log", "w+")
        cls.program = subprocess.Popen(
            [PROGRAM, "demo", "ur3e", "--web", "off", "--set", "task=paused", "--for", "200"],
            env=environment, stdout=cls.log, stderr=cls.log, cwd=cls.folder.name,
        )
        cls.node = ros.Node("watcher", domain=4)

    @classmethod
    def tearDownClass(cls):
        cls.node.close()
        cls.program.send_signal(signal.SIGINT)
        cls.program.wait(60)
        cls.log.close()
        cls.folder.cleanup()

    def test_joint_states_have_the_arms_joints(self):
        message = self.node.wait_for_message("/joint_states", timeout=60)
        self.assertEqual(message._type, "sensor_msgs/msg/JointState")
        self.assertIn("wrist_3_joint", message.name)
        self.assertEqual(message.position.shape, (len(message.name),))
        self.assertTrue(np.isfinite(message.position).all())

    def test_services_answer_and_wrong_types_are_named(self):
        self.node.wait_for_message("/joint_states", timeout=60)
        answer = self.node.call("/io_and_status_controller/set_speed_slider", "ur_msgs/srv/SetSpeedSliderFraction",
                                {"speed_slider_fraction": 0.5}, PATIENCE)
        self.assertIs(answer.success, True)
        with self.assertRaisesRegex(ros.RosError, "expected ur_msgs/srv/SetSpeedSliderFraction.* got std_srvs/srv/Trigger"):
            self.node.call("/io_and_status_controller/set_speed_slider", "std_srvs/srv/Trigger", timeout=PATIENCE)

    def test_1_an_action_gives_its_result(self):
        self.node.wait_for_message("/joint_states", timeout=60)
        goal = {"command": {"position": 0.02, "max_effort": 50.0}}
        arguments = ("/hande_controller_left/gripper_cmd", "control_msgs/action/GripperCommand", goal)
        with self.assertRaisesRegex(ros.RosError, "/hande_controller_left/gripper_cmd: the goal was rejected") as raised:
            self.node.send_goal(*arguments, timeout=PATIENCE)  # nothing moves before it is armed
        self.assertEqual(raised.exception.fault, "refused")
        (arm,) = (name for name in self.node.services() if name.endswith("/arm"))
        answer = self.node.call(arm, "std_srvs/srv/Trigger", timeout=PATIENCE)
        self.assertTrue(answer.success, answer)
        heard = []
        done, deadline = None, time.monotonic() + PATIENCE
        while done is None:
            try:
                done = self.node.send_goal(*arguments, heard.append, PATIENCE, 60)
            except ros.RosError as wrong:  # the gripper is activated first
                if wrong.fault != "refused" or time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
        self.assertEqual((done.status, done.result._type), ("succeeded", "control_msgs/action/GripperCommand_Result"))
        self.assertAlmostEqual(done.result.position, 0.02, delta=1e-3)  # the fingers' registers have steps of 0.1 mm
        self.assertTrue(all(each._type == "control_msgs/action/GripperCommand_Feedback" for each in heard))


    def test_2_a_goal_that_takes_too_long_is_canceled(self):
        now = self.node.wait_for_message("/joint_states", timeout=60)
        where = dict(zip(now.name, now.position.tolist()))
        names = [f"{each}_joint" for each in "shoulder_pan shoulder_lift elbow wrist_1 wrist_2 wrist_3".split()]
        target = [where[name] for name in names]
        target[5] += 1.0
        points = [{"positions": target, "time_from_start": {"sec": 10}}]
        goal = {"trajectory": {"joint_names": names, "points": points}}
        arguments = ("/joint_trajectory_controller/follow_joint_trajectory", "control_msgs/action/FollowJointTrajectory")
        (arm,) = (name for name in self.node.services() if name.endswith("/arm"))
        self.node.call(arm, "std_srvs/srv/Trigger", timeout=PATIENCE)
        with self.assertRaises(ros.RosError) as raised:
            self.node.send_goal(*arguments, goal, timeout=PATIENCE, result_timeout=1.0)
        self.assertEqual(raised.exception.fault, "timeout")
        time.sleep(0.5)  # it brakes
        first = self.wrist_3()
        time.sleep(1)
        # Not canceled, the trajectory would go on for another 7 s, and by more than 0.05 rad in this one.
        self.assertLess(abs(self.wrist_3() - first), 2e-3)
        self.assertTrue(1e-5 < first - where["wrist_3_joint"] < 0.5, first)

    def wrist_3(self):
        state = self.node.wait_for_message("/joint_states", timeout=PATIENCE)
        return state.position[state.name.index("wrist_3_joint")]


class ExitTest(unittest.TestCase):
    def run_script(self, script, interrupt=False):
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen([sys.executable, "-B", "-W", "error", "-u", "-c", script], stdout=said, stderr=said)
            if interrupt:
                deadline = time.monotonic() + PATIENCE
                while os.fstat(said.fileno()).st_size == 0 and time.monotonic() < deadline:
                    time.sleep(0.05)
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
            code = process.wait(60)
            said.seek(0)
            return code, said.read().decode()

    def test_a_script_that_closes_nothing_ends_cleanly(self):
        script = (
            "from tandem import ros\n"
            "node, other = ros.Node('a'), ros.Node('b')\n"
            "heard = []\n"
            "subscription = node.subscribe('/x', heard.append, 'std_msgs/String')\n"
            "publisher = other.publisher('/x', 'std_msgs/String')\n"
            "publisher.wait_for_subscribers(1, 20)\n"
            "for _ in range(200): publisher.publish(data='x' * 1000)\n"
        )
        for _ in range(3):
            self.assertEqual(self.run_script(script), (0, ""))

    def test_ctrl_c_ends_a_call(self):
        script = (
            "from tandem import ros\n"
            "node = ros.Node('a')\n"
            "print('waiting')\n"
            "try:\n"
            "    node.call('/nobody', 'std_srvs/srv/Trigger', timeout=50)\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted')\n"
        )
        self.assertEqual(self.run_script(script, interrupt=True), (0, "waiting\ninterrupted\n"))


if __name__ == "__main__":
    unittest.main()
