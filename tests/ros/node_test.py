# SPDX-License-Identifier: Apache-2.0
"""What the nodes of ros/ make of the command line of ROS 2: the configuration that tandem gets, or a refusal in words.
The expected configurations are written by hand; the program itself checks each of them."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
ROS = ROOT / "ros"
TANDEM = str(Path(os.environ["TANDEM_BUILD"]) / "tandem")
sys.path.insert(0, str(ROS / "tandem_node"))
from tandem_node import starting  # noqa: E402
from tandem_node.arguments import Refused, without_ros_libraries  # noqa: E402


def script(package, name):
    """A node's own module, without starting it."""
    loader = importlib.machinery.SourceFileLoader(name.removesuffix(".py"), str(ROS / package / "scripts" / name))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(made)
    return made


SLAM_BRIDGE = script("orca_bridge", "slam_bridge.py")
HARDWARE_BRIDGE = script("raptorlift", "hardware_bridge")
BRIDGE = {"control": "joint_commands", "node": "hardware_bridge"}


def run_with(line, machine_type="em1500", original=None, settings=None):
    """The arguments of tandem, its configuration as Python has it, and the enclave."""
    arguments, enclave = starting.command(TANDEM, machine_type, line.split(), original, settings or {})
    path = arguments.pop(1)
    text = Path(path).read_text()
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        checked = subprocess.run([TANDEM, "check", file.name], capture_output=True, text=True)
    os.close(int(path.rpartition("/")[2]))
    return arguments, yaml.safe_load(text), enclave, checked


class Accepted(unittest.TestCase):
    def expect(self, line, machine, rest=(), ros=None, enclave="", **how):
        arguments, tree, got_enclave, checked = run_with(line, **how)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        ((_, got),) = tree["machines"].items()
        self.assertEqual(got, machine)
        self.assertEqual(arguments, ["run", *rest])
        self.assertEqual(tree.get("ros"), ros)
        self.assertEqual(got_enclave, enclave)

    def test_without_arguments_it_is_the_real_platform(self):
        device = "ads://192.168.1.15?net_id=169.254.119.135.1.1"
        self.expect("", {"type": "em1500", "device": device})

    def test_parameters_are_options_and_other_arguments_are_those_of_run(self):
        self.expect(
            "--print pose --ros-args -p device:=virtual --param cycle_hz:=50 -p amplitude:=[0,0,0.1,0,0,0] -- --for 3",
            {"type": "em1500", "device": "virtual", "cycle_hz": 50, "amplitude": [0, 0, 0.1, 0, 0, 0]},
            rest=["--print", "pose", "--for", "3"],
        )

    def test_a_word_that_yaml_takes_for_a_truth_value_stays_a_word(self):
        _, tree, _, checked = run_with("--ros-args -p device:=virtual -p motion:=off")
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_names_simulated_time_log_level_and_enclave(self):
        self.expect(
            "--ros-args -r __ns:=/lab -r __node:=left -p device:=virtual -p use_sim_time:=true "
            "--log-level warn -e /lab/left --enable-rosout-logs",
            {"type": "em1500", "device": "virtual", "node": "left", "namespace": "/lab"},
            rest=["--log", "warn"],
            ros={"use_sim_time": True},
            enclave="/lab/left",
        )

    def test_parameters_and_remaps_of_other_nodes_are_theirs(self):
        self.expect(
            "--ros-args -p device:=virtual -p rviz2:cycle_hz:=7 -p ads_em1500_node:cycle_hz:=20 -r rviz2:/a:=/b -r /c:=/c",
            {"type": "em1500", "device": "virtual", "cycle_hz": 20},
        )

    def test_a_file_counts_for_this_node_and_the_command_line_goes_before_it(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(
                "/**: {ros__parameters: {cycle_hz: 10, profile: frd}}\n"
                "/lab/*: {ros__parameters: {cycle_hz: 20}}\n"
                "lab: {ads_em1500_node: {ros__parameters: {device: virtual}}, other: {ros__parameters: {profile: x}}}\n"
            )
            file.flush()
            line = f"--ros-args --params-file {file.name} -r __ns:=lab -p rotation_order:=xyz"
            expected = {"type": "em1500", "device": "virtual", "cycle_hz": 20, "profile": "frd"}
            self.expect(line, {**expected, "rotation_order": "xyz", "namespace": "/lab"})
            self.expect(f"{line} -p cycle_hz:=30", {**expected, "cycle_hz": 30, "rotation_order": "xyz", "namespace": "/lab"})

    def test_the_parameters_of_the_original_slam_bridge(self):
        self.expect(
            "--ros-args -p mav_device:=udpin:0.0.0.0:14550 -p use_vpe:=True -p frame_rate:=20 -p max_delta_pos:=0.3",
            {
                "type": "orca",
                "device": "mavlink://0.0.0.0:14550?link=udpin",
                "vision_message": "estimate",
                "frame_rate": 20,
                "max_delta_pos": 0.3,
            },
            machine_type="orca",
            original=SLAM_BRIDGE.original,
        )
        serial = SLAM_BRIDGE.device_from("/dev/ttyACM0,57600")
        self.assertEqual(serial, "mavlink://localhost?link=serial&device=/dev/ttyACM0&baud=57600")

    def test_the_parameters_of_the_original_hardware_bridge(self):
        bridge = {"type": "raptorlift", "control": "joint_commands", "node": "hardware_bridge"}
        how = {"machine_type": "raptorlift", "original": HARDWARE_BRIDGE.original, "settings": BRIDGE}
        self.expect("", {**bridge, "device": "modbus://192.168.2.1:502?unit=1"}, **how)
        self.expect("--ros-args -p modbus_slave_id:=1", {**bridge, "device": "modbus://192.168.2.1:502?unit=1"}, **how)
        self.expect(
            "--ros-args -p modbus_ip:=10.0.0.5 -p modbus_port:=1502 -p modbus_slave_id:=3 -p control_rate:=50",
            {**bridge, "device": "modbus://10.0.0.5:1502?unit=3", "cycle_hz": 50},
            **how,
        )
        self.expect("--ros-args -p simulation_mode:=true", {**bridge, "device": "virtual"}, **how)
        self.expect(
            "--ros-args -r __node:=left -p simulation_mode:=true", {**bridge, "device": "virtual", "node": "left"}, **how
        )


class RefusedArguments(unittest.TestCase):
    def test_each_says_what_was_expected(self):
        cases = {
            "-p cycle_hy:=3": "unknown; did you mean cycle_hz?",
            "-p type:=ur3e": "`tandem options em1500` lists the parameters",
            "-p qos_overrides./tf.depth:=3": "parameter qos_overrides./tf.depth: unknown",
            "-p cycle_hz": "expected NAME:=VALUE",
            "-p cycle_hz:=[1": "-p cycle_hz:=[1",
            "-p": "expected a value after it",
            "-r /stewart/pose:=/pose": "-r __ns:=/NAME",
            "-r /tf:=tf": "does not remap single topics",
            "--log-level loud": "expected one of debug",
            "--log-config-file x": "--log-config-file: not supported",
            "--disable-rosout-logs": "--disable-rosout-logs: not supported",
            "--params-file /none": "No such file",
        }
        for line, text in cases.items():
            with self.subTest(line), self.assertRaises(Refused) as refused:
                run_with(f"--ros-args {line}")
            self.assertIn(text, str(refused.exception), line)

    def test_an_address_of_mavlink_that_is_none(self):
        with self.assertRaises(Refused) as refused:
            SLAM_BRIDGE.device_from("udpin:14551")
        self.assertIn("expected udpin:HOST:PORT", str(refused.exception))

    def test_a_value_that_the_machine_refuses_is_named_by_tandem(self):
        *_, checked = run_with("--ros-args -p device:=virtual -p cycle_hz:=many")
        self.assertEqual(checked.returncode, 1)
        self.assertIn("platform.cycle_hz: expected a number", checked.stderr)

    def test_without_tandem_it_says_what_to_do(self):
        done = subprocess.run(
            [sys.executable, ROS / "em1500_ads_bridge/scripts/ads_em1500_node"],
            env={"PATH": "/nowhere", "PYTHONPATH": str(ROS / "tandem_node"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 2)
        for words in ("ads_em1500_node: expected the program `tandem` on the PATH", "apt install", "export PATH="):
            self.assertIn(words, done.stderr)

    def test_an_unknown_machine_is_answered_with_those_that_exist(self):
        with self.assertRaises(Refused) as refused:
            run_with("", "em15000")
        self.assertIn("known: cable_robot, em1500", str(refused.exception))


class Libraries(unittest.TestCase):
    def test_those_of_ros_are_kept_from_tandem_and_others_are_not(self):
        given = {"AMENT_PREFIX_PATH": "/ws/install/a:/opt/ros/jazzy", "HOME": "/home/x"}
        ros = "/opt/ros/jazzy/lib:/opt/ros/jazzy/opt/gz/lib:/ws/install/a/lib"
        self.assertEqual(without_ros_libraries({**given, "LD_LIBRARY_PATH": ros}), given)
        kept = without_ros_libraries({**given, "LD_LIBRARY_PATH": f"{ros}:/opt/ros/jazzy2/lib:/usr/local/lib"})
        self.assertEqual(kept, {**given, "LD_LIBRARY_PATH": "/opt/ros/jazzy2/lib:/usr/local/lib"})


if __name__ == "__main__":
    unittest.main()
