# SPDX-License-Identifier: Apache-2.0
"""ros/ built by Debian's colcon, ament_cmake and rosidl, and its nodes started as `ros2 run` starts them, which Debian
has not: by the ament index. Debian's rosidl generates C and C++; Python and type support are ROS' own."""
import contextlib
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402
import underlay  # noqa: E402
from workspace_test import OURS, ROS  # noqa: E402

BUILD = Path(os.environ["TANDEM_BUILD"])
PATIENCE = 60  # s for one command on a busy computer


def environment_of(setup):
    """What a shell has after `source install/setup.bash`."""
    done = subprocess.run(
        ["bash", "-c", f"source {setup} && env -0"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, check=True
    )
    return dict(pair.split("=", 1) for pair in done.stdout.decode().rstrip("\0").split("\0"))


class Workspace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        top = Path(folder.name)
        underlay.write(top / "src/underlay")
        (top / "src/tandem").symlink_to(ROS)
        build = ["colcon", "--log-base", "log", "build", "--cmake-args", "-DPython3_EXECUTABLE=/usr/bin/python3"]
        clean = {"PATH": "/usr/bin:/bin", "HOME": folder.name, "CCACHE_DISABLE": "1"}
        done = subprocess.run(
            [*build, "-DBUILD_TESTING=OFF", "-Wno-dev"], cwd=top, env=clean, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise AssertionError(f"colcon build ended with {done.returncode}:\n{(done.stdout + done.stderr)[-6000:]}")
        cls.said = done.stdout + done.stderr
        cls.environment = {
            **environment_of(top / "install/setup.bash"),
            "HOME": folder.name,
            "ROS_LOCALHOST_ONLY": "1",
            "TANDEM_CONTROL": f"{folder.name}/control.sock",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        cls.with_tandem = {**cls.environment, "PATH": f"{BUILD}:{cls.environment['PATH']}"}

    def prefix(self, package):
        """As ament_index_python finds it."""
        for each in self.environment["AMENT_PREFIX_PATH"].split(os.pathsep):
            if (Path(each) / "share/ament_index/resource_index/packages" / package).is_file():
                return Path(each)
        raise AssertionError(f"{package} is not in the ament index")

    def program(self, package, name):
        return self.prefix(package) / "lib" / package / name

    @contextlib.contextmanager
    def running(self, *command):
        log = tempfile.TemporaryFile()
        process = subprocess.Popen(command, env=self.with_tandem, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            yield
        except AssertionError as wrong:
            log.seek(0)
            raise AssertionError(f"{wrong}\n{log.read().decode()[-3000:]}") from None
        finally:
            process.terminate()
            self.assertEqual(process.wait(PATIENCE), 0, "expected an orderly end on SIGTERM")

    def heard(self, topic, *flags):
        """The first message on a topic."""
        echo = [BUILD / "tandem", "ros", "topic", "echo", topic, "--once", *flags]
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                done = subprocess.run(echo, env=self.with_tandem, capture_output=True, text=True, timeout=10)
                if done.returncode == 0 and done.stdout:
                    return done.stdout
        raise AssertionError(f"{topic}: expected a message within {PATIENCE} s, got none")

    def test_every_package_is_in_the_index_with_its_programs(self):
        for package, programs in OURS.items():
            self.assertTrue((self.prefix(package) / "share" / package / "package.xml").is_file())
            folder = self.prefix(package) / "lib" / package
            found = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
            self.assertEqual(found, sorted(programs))
            for name in programs:
                self.assertTrue(os.access(self.program(package, name), os.X_OK), name)

    def test_what_launch_files_and_others_look_for_is_installed(self):
        for package, folders in {"tandem_bringup": ("behavior_trees", "config", "launch", "rviz"),
                                 "tandem_description": ("urdf",)}.items():  # fmt: skip
            for folder in folders:
                installed = self.prefix(package) / "share" / package / folder
                expected = sorted(path.name for path in (ROS / package / folder).iterdir() if path.is_file())
                self.assertEqual(sorted(path.name for path in installed.iterdir()), expected)

    def test_messages_are_generated_and_listed(self):
        for package in ("tandem_msgs", "orca_msgs", "orb_slam3_msgs"):
            prefix = self.prefix(package)
            listed = (prefix / "share/ament_index/resource_index/rosidl_interfaces" / package).read_text().split()
            names = sorted(path.stem for path in (ROS / package / "msg").iterdir())
            self.assertEqual(sorted(each for each in listed if each.endswith(".msg")), [f"msg/{name}.msg" for name in names])
            headers = prefix / "include" / package / package / "msg"
            self.assertEqual(len(list(headers.glob("*.hpp"))), len(names))
            self.assertTrue((prefix / f"lib/lib{package}__rosidl_generator_c.so").is_file())

    def test_the_generated_cpp_compiles_with_the_constants(self):
        source = """
#include "orb_slam3_msgs/msg/slam_status.hpp"
#include "orca_msgs/msg/filter_status.hpp"
#include "tandem_msgs/msg/field_frame.hpp"
static_assert(tandem_msgs::msg::FieldFrame::BROKEN == 5 && orb_slam3_msgs::msg::SlamStatus::TRACKING_SYSTEM_NOT_READY == -1);
static_assert(orca_msgs::msg::FilterStatus::EKF_GPS_GLITCHING == 32768);
int main() { return static_cast<int>(tandem_msgs::msg::FieldFrame().data.size()); }
"""
        includes = [f"-I{prefix}/include/{Path(prefix).name}" for prefix in self.environment["AMENT_PREFIX_PATH"].split(":")]
        debian = [f"-I{path}" for path in Path("/usr/include").glob("rosidl_*")]
        command = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-", *includes, *debian]
        done = subprocess.run(command, input=source, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])

    def test_ads_em1500_node_reads_a_plc_and_streams_six_displacements(self):
        node = self.program("em1500_ads_bridge", "ads_em1500_node")
        parameters = ["-p", "device:=ads://127.0.0.1", "-p", "reference:=neutral", "-r", "__ns:=/lab"]
        plc = self.running(BUILD / "tandem", "virtual", "em1500", "--set", "motion=neutral")
        with plc, self.running(node, "--ros-args", *parameters):
            legs = self.heard("/lab/stewart/legs_em1500", "--csv").strip().split(",")[-6:]
        self.assertEqual(len(legs), 6)
        for leg in legs:  # the platform is at neutral, which is the reference
            self.assertAlmostEqual(float(leg), 0, delta=1e-3)

    def test_slam_bridge_hears_an_autopilot(self):
        node = self.program("orca_bridge", "slam_bridge.py")
        autopilot = self.running(BUILD / "tandem", "virtual", "orca", "--set", "slam=none")
        with autopilot, self.running(node, "--ros-args", "-p", "mav_device:=udpin:127.0.0.1:14551"):
            self.assertIn("velocity_variance:", self.heard("/ekf_status"))

    def test_hardware_bridge_has_the_joints_for_ros2_control(self):
        node = self.program("raptorlift", "hardware_bridge")
        with self.running(node, "--ros-args", "-p", "simulation_mode:=true"):
            self.assertIn("rear_right_steering_joint", self.heard("/raptorlift/joint_states"))

    def test_without_tandem_a_node_says_what_to_do(self):
        for package, programs in OURS.items():
            for name in programs:
                given = ["ur3e"] if name == "tandem_node" else []
                command = [self.program(package, name), *given]
                done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 2, name)
                self.assertIn("expected the program `tandem` on the PATH, got none", done.stderr)


if __name__ == "__main__":
    alone.enter()
    unittest.main()
