# SPDX-License-Identifier: Apache-2.0
"""A script on the virtual arm can be watched: whose arm "virtual" becomes, its page, and the README's script word for word.

In a network of its own, where there is nothing but this test: the standard ports are free.
"""
import base64
import contextlib
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402

PROGRAM = Path(os.environ["TANDEM_BUILD"]) / "tandem"
README = Path(__file__).parents[2] / "README.md"


def readme_script():
    """The lines of the README's Python block."""
    (script,) = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    return script


def status_of(page):
    """The one machine that a page shows."""
    with urllib.request.urlopen(page + "status.json", timeout=10) as answer:
        (machine,) = json.load(answer)["machines"]
    machine["values"] = {value["name"]: value for value in machine["values"]}
    return machine


def hello_of(page):
    """The first message on the WebSocket of a page."""
    host, port = re.match(r"http://([\d.]+):(\d+)/", page).groups()
    with socket.create_connection((host, int(port)), 10) as link, link.makefile("rb") as heard:
        key = base64.b64encode(os.urandom(16)).decode()
        link.sendall(
            f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n".encode()
        )
        while heard.readline().strip():
            pass
        size = heard.read(2)[1]
        if size >= 126:
            size = int.from_bytes(heard.read(2 if size == 126 else 8), "big")
        return json.loads(heard.read(size))


class Tandem:
    """A tandem in a process of its own that has come as far as `expected`."""

    def __init__(self, *arguments, expected):
        self.said = ""
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.reached = threading.Event()
        self.reader = threading.Thread(target=self.read, args=[expected], daemon=True)
        self.reader.start()
        if not self.reached.wait(60):
            self.end()
            raise AssertionError(f"{arguments}: expected {expected!r}, got {self.said}")

    def read(self, expected):
        for line in self.process.stdout:
            self.said += line
            if re.search(expected, self.said):
                self.reached.set()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        self.reader.join()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class WatchTest(unittest.TestCase):
    def opened(self):
        """An ISCoin("virtual"), and what it said on standard error."""
        from tandem import ISCoin

        with contextlib.redirect_stderr(io.StringIO()) as said:
            robot = ISCoin("virtual")
        self.addCleanup(robot.close)
        return robot, said.getvalue()

    def test_the_scripts_own_arm_has_a_page_that_only_looks(self):
        robot, said = self.opened()
        self.assertRegex(said, r"^tandem: started a virtual controller; watch it at http://127\.0\.0\.1:\d+/\n$")
        self.assertIn(robot.page, said)
        self.assertNotIn("token", said)
        with urllib.request.urlopen(robot.page, timeout=10) as answer:
            self.assertIn("<html", answer.read().decode())
        deadline = time.monotonic() + 30
        while status_of(robot.page)["state"] != "live" and time.monotonic() < deadline:
            time.sleep(0.05)
        machine = status_of(robot.page)
        self.assertEqual((machine["state"], machine["arm"]), ("live", "disarmed"))
        self.assertTrue(robot.robot_control.is_armed)
        # The page knows that no token gives control here: it must not advise to look for one.
        self.assertEqual(hello_of(robot.page)["metadata"]["controlled_by"], "script")
        page = robot.page
        robot.close()
        with self.assertRaises(urllib.error.URLError):
            urllib.request.urlopen(page, timeout=10)

    def test_the_readmes_lines_lift_the_cube_and_say_so(self):
        script = readme_script()
        self.assertEqual(len(script.splitlines()), 5)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()):
            exec(compile(script, "README.md", "exec"), names)
        robot = names["robot"]
        self.addCleanup(robot.close)
        # By the physics: it stood on the table, centre at 20 mm, and the way up is 120 mm.
        lifted, *others = robot._device.cubes()
        self.assertAlmostEqual(lifted[2], 0.14, delta=0.01)
        for cube in others:
            self.assertAlmostEqual(cube[2], 0.02, delta=0.005)
        self.assertEqual(said.getvalue(), "cube lifted\n")
        self.assertEqual(status_of(robot.page)["values"]["gripper"]["text"], "holds")

    def test_the_readmes_lines_say_so_when_there_is_no_cube(self):
        script = readme_script().replace("-100, -300", "-100, -200")  # beside all cubes
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()):
            names = {}
            exec(compile(script, "README.md", "exec"), names)
        self.addCleanup(names["robot"].close)
        self.assertEqual(said.getvalue(), "no cube\n")
        for cube in names["robot"]._device.cubes():
            self.assertAlmostEqual(cube[2], 0.02, delta=0.005)

    def test_a_virtual_controller_that_runs_is_joined(self):
        with Tandem("virtual", "ur3e", expected="listens on"):
            robot, said = self.opened()
            self.assertRegex(said, r"^tandem: joined the virtual controller on 127\.0\.0\.1:30004; watch it at http")
            self.assertTrue(robot.robot_control.is_armed)
            self.assertTrue(robot.page)
            robot.close()

    def test_a_demo_with_its_task_paused_is_joined(self):
        with Tandem("demo", "ur3e", "--set", "task=paused", expected="not armed: its task is paused") as demo:
            (page,) = re.findall(r"http://127\.0\.0\.1:\d+/", demo.said)[:1]
            before = status_of(page)
            self.assertEqual((before["state"], before["arm"]), ("live", "disarmed"))
            robot, said = self.opened()
            self.assertRegex(said, rf"^tandem: joined the virtual arm of the running tandem; watch it at {page}")
            start = robot.robot_control.get_actual_tcp_pose()
            start[2] += 0.05
            self.assertTrue(robot.robot_control.movel(start))
            after = status_of(page)
            moved = after["values"]["tool pose"]["numbers"][2] - before["values"]["tool pose"]["numbers"][2]
            self.assertAlmostEqual(moved, 0.05, delta=0.003)
            self.assertEqual(after["arm"], "disarmed")
            robot.close()

    def test_a_demo_that_moves_its_arm_is_left_alone(self):
        with Tandem("demo", "ur3e", expected="armed once") as demo:
            (page,) = re.findall(r"http://127\.0\.0\.1:\d+/", demo.said)[:1]
            robot, said = self.opened()
            self.assertRegex(
                said,
                r"^tandem: the virtual arm of the running tandem was not joined: its ur3e was armed by demo; "
                r"`tandem demo ur3e --set task=paused` leaves it to a script; started another; watch it at http",
            )
            self.assertNotEqual(robot.page, page)
            self.assertTrue(robot.robot_control.is_armed)
            self.assertEqual(status_of(page)["arm"], "armed")
            robot.close()


if __name__ == "__main__":
    alone.enter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TANDEM_CONTROL=f"{folder}/control.sock", TANDEM_JOIN_VIRTUAL="1", ROS_LOCALHOST_ONLY="1")
        del os.environ["TANDEM_PAGE"]
        unittest.main()
