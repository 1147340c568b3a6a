# SPDX-License-Identifier: Apache-2.0
"""What is refused, what raises, and what must never be opened."""
import http.server
import math
import socket
import threading
import time
import unittest

from tandem import (
    TCP6D,
    ISCoin,
    ISCoinSim,
    Joint6D,
    Joint6DDescriptor,
    RobotConnectionError,
    RobotError,
    TCP6DDescriptor,
    UnreachableError,
    _tandem,
)
from tandem.camera import RobotiqWristCamera

READY = Joint6D.createFromRadians(1.19, -1.13, 1.05, -1.60, -1.52, 1.05)


class Listener:
    """Counts who connects."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                self.socket.accept()[0].close()
            except OSError:
                return
            self.connections += 1


class AddressTest(unittest.TestCase):
    def test_iscoinsim_never_opens_the_address_it_is_given(self):
        listener = Listener()
        address = f"rtde://127.0.0.1:{listener.port}?dashboard={listener.port}&gripper={listener.port}"
        for named in ({"container_name": address}, {"host": address, "opened_gripper_size_mm": 40}):
            sim = ISCoinSim(**named)
            self.assertEqual(len(sim.robot_control.get_actual_joint_positions().toList()), 6)
            self.assertIsNone(sim.camera)
            sim.close()
        self.assertEqual(listener.connections, 0)
        listener.socket.close()

    def test_an_address_where_nobody_listens_raises_and_no_twin_takes_its_place(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        with self.assertRaises(ConnectionError) as seen:
            ISCoin(f"rtde://127.0.0.1:{port}")
        self.assertIsInstance(seen.exception, RobotConnectionError)
        self.assertIn("127.0.0.1", str(seen.exception))

    def test_what_is_no_address_is_a_value_error(self):
        for host in (None, "", 42, ["virtual"]):
            with self.assertRaises(ValueError):
                ISCoin(host)
        for host in ("http://127.0.0.1", "rtde://"):
            with self.assertRaises((ValueError, ConnectionError)):
                ISCoin(host)
        with self.assertRaises(ValueError):
            ISCoin("virtual", opened_gripper_size_mm=-1)


class RefusedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.iscoin = ISCoin("virtual")
        cls.arm = cls.iscoin.robot_control

    @classmethod
    def tearDownClass(cls):
        cls.iscoin.close()

    def tearDown(self):
        self.assertTrue(self.arm.is_steady())  # nothing has moved

    def test_wrong_types_are_value_errors(self):
        pose = self.arm.get_actual_tcp_pose()
        for wrong in (
            lambda: self.arm.movej(pose),
            lambda: self.arm.movej([0, 0, 0, 0, 0, 0]),
            lambda: self.arm.movej(None),
            lambda: self.arm.movej(READY, a="fast"),
            lambda: self.arm.movel(READY),
            lambda: self.arm.movep(READY),
            lambda: self.arm.movec(pose, READY),
            lambda: self.arm.movej_waypoints(READY),
            lambda: self.arm.movej_waypoints([READY]),
            lambda: self.arm.movel_waypoints([Joint6DDescriptor(READY)]),
            lambda: self.arm.movel_waypoints(TCP6DDescriptor(pose)),
            lambda: self.arm.moveLinearDirectionUntil(pose, "Base", "Zp", 10),
            lambda: self.arm.get_inverse_kin(READY),
            lambda: self.arm.get_inverse_kin(pose, qnear=pose),
            lambda: self.arm.set_tcp([0] * 6),
            lambda: self.arm.servoj(pose),
            lambda: self.arm.speedj([1, 2, 3]),
            lambda: self.iscoin.gripper.move("half"),
        ):
            with self.assertRaises(ValueError):
                wrong()

    def test_numbers_that_cannot_be_meant_are_value_errors(self):
        pose = self.arm.get_actual_tcp_pose()
        for wrong in (
            lambda: self.arm.movej(Joint6D.createFromRadians(math.nan, 0, 0, 0, 0, 0)),
            lambda: self.arm.movej(Joint6D.createFromRadians(math.inf, 0, 0, 0, 0, 0)),
            lambda: self.arm.movej(Joint6D.createFromDegrees(400, 0, 0, 0, 0, 0)),
            lambda: self.arm.movej(READY, v=0),
            lambda: self.arm.movej(READY, a=-1),
            lambda: self.arm.movej(READY, t=-1),
            lambda: self.arm.movej(READY, v=math.nan),
            lambda: self.arm.movel(pose + TCP6D.createFromMetersRadians(math.nan, 0, 0, 0, 0, 0)),
            lambda: self.arm.movej_waypoints([]),
            lambda: self.iscoin.gripper.move(256),
            lambda: self.iscoin.gripper.move(-1),
            lambda: self.arm.get_standard_digital_in(8),
        ):
            with self.assertRaises(ValueError):
                wrong()

    def test_a_pose_out_of_reach_raises_and_names_it(self):
        with self.assertRaises(UnreachableError) as seen:
            self.arm.movel(TCP6D.createFromMetersRadians(1.5, 0, 0.2, 0, math.pi, 0))
        self.assertTrue(str(seen.exception))

    def test_a_gripper_that_is_not_active_refuses_moves(self):
        self.iscoin.gripper.deactivate()
        self.assertFalse(self.iscoin.gripper.open())
        self.assertEqual(self.iscoin.gripper.getACT(), 0)
        self.iscoin.gripper.activate()
        self.assertTrue(self.iscoin.gripper.isActivated())
        self.assertEqual(self.iscoin.gripper.getFault().gFLT, 0)
        self.assertIn("gSTA=3", repr(self.iscoin.gripper.getStatus()))


class LatchTest(unittest.TestCase):
    def setUp(self):
        self.controller = _tandem.VirtualController()
        self.iscoin = ISCoin(self.controller.url)
        self.arm = self.iscoin.robot_control

    def tearDown(self):
        self.iscoin.close()
        self.controller.close()

    def wait_until(self, condition, seconds=20):
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertTrue(condition())

    def test_after_a_protective_stop_moves_raise_until_reset_and_arm(self):
        threading.Timer(0.6, self.controller.protective_stop).start()
        with self.assertRaises(RobotError):
            self.arm.movej(READY + Joint6D.createFromDegrees(-120, 0, 0, 0, 0, 0))
        with self.assertRaises(RobotError):
            self.arm.movej(READY)
        self.wait_until(lambda: self.arm.reset_error(), 40)
        with self.assertRaisesRegex(RobotError, "arm"):
            self.arm.movej(READY)
        self.arm.arm()
        self.assertTrue(self.arm.movej(READY, v=3))

    def test_a_program_stopped_at_the_pendant_latches(self):
        self.controller.stop_program()
        self.wait_until(lambda: not self.arm.is_armed)
        self.assertTrue(self.arm.status["why"])
        with self.assertRaises(RobotError):
            self.arm.movej(READY)
        self.assertTrue(self.arm.reset_error())
        self.arm.arm()
        self.assertTrue(self.arm.movej(READY, v=3))

    def test_a_controller_that_is_gone_makes_readings_and_moves_raise(self):
        self.controller.close()
        self.wait_until(lambda: not self.arm.is_armed)
        with self.assertRaises(RobotError):
            self.arm.movej(READY)
        self.wait_until(self.is_silent)

    def is_silent(self):
        try:
            self.arm.get_actual_joint_positions()
        except RobotError:
            return True
        return False


class CameraTest(unittest.TestCase):
    def test_pictures_and_settings_come_over_http(self):
        asked = []

        class Camera(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"cameraSettings": {"focus": 5}}' if "settings" in self.path else b"jpeg")

            def do_POST(self):
                asked.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Camera) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            camera = RobotiqWristCamera("127.0.0.1", server.server_address[1])
            self.assertTrue(camera.isReachable())
            self.assertEqual(camera.getImageAsBytes(RobotiqWristCamera.ImageType.EDGES), b"jpeg")
            self.assertEqual(camera.getCurrentCameraSettings(), {"focus": 5})
            self.assertTrue(camera.setCameraSettings({"focus": 7}))
            server.shutdown()
        self.assertEqual(asked[0], "/current.jpg?type=edges")
        self.assertEqual(asked[1], "/getcamerasettings")
        self.assertIn(b'"focus": 7', asked[2][1])

    def test_a_camera_that_does_not_answer_is_not_reachable(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        self.assertFalse(RobotiqWristCamera("127.0.0.1", port).isReachable())


if __name__ == "__main__":
    unittest.main()
