# SPDX-License-Identifier: Apache-2.0
"""What ros/ repeats of the program, against the program: URDFs as published over DDS, messages by the type hash that a
running node confirms, controllers, and numbers of the truck and the arm. The hash is computed here, from the .msg file
as Debian's rosidl reads it. `tools/write_ros` writes what can be written."""
import hashlib
import importlib.machinery
import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import yaml
from rosidl_adapter.parser import parse_message_string

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402
import underlay  # noqa: E402

ROOT = Path(__file__).parents[2]
ROS = ROOT / "ros"
CONFIG = ROS / "tandem_bringup/config"
URDF = ROS / "tandem_description/urdf"
TANDEM = str(Path(os.environ["TANDEM_BUILD"]) / "tandem")
loader = importlib.machinery.SourceFileLoader("write_ros", str(ROOT / "tools/write_ros"))
write_ros = importlib.util.module_from_spec(importlib.util.spec_from_loader("write_ros", loader))
loader.exec_module(write_ros)

TYPE_IDS = {
    "int8": 2, "uint8": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9,
    "float32": 10, "float64": 11, "bool": 15, "byte": 16, "string": 17,
}  # fmt: skip


def solved(machine, query, question):
    done = subprocess.run([TANDEM, "solve", machine, query, json.dumps(question)], capture_output=True, check=True)
    return json.loads(done.stdout)


class Types:
    """Messages by their files, and their RIHS01 hashes by REP 2011."""

    def __init__(self):
        self.specs = {}
        for name, text in underlay.MESSAGES.items():
            self.add(*name.split("/"), text)
        self.ours = []
        for path in sorted(ROS.glob("*/msg/*.msg")):
            self.ours.append(self.add(path.parents[1].name, path.stem, path.read_text()))

    def add(self, package, name, text):
        full = f"{package}/msg/{name}"
        self.specs[full] = parse_message_string(package, name, text)
        return full

    def described(self, full):
        fields = [{"name": each.name, "type": self.field_type(each.type)} for each in self.specs[full].fields]
        return {"type_name": full, "fields": fields}

    def field_type(self, kind):
        nested = "" if kind.is_primitive_type() else f"{kind.pkg_name}/msg/{kind.type}"
        number = 1 if nested else TYPE_IDS[kind.type]
        if kind.is_array:
            assert kind.array_size is None, "only plain sequences are in use"
            number += 144
        return {"type_id": number, "capacity": 0, "string_capacity": 0, "nested_type_name": nested}

    def hash(self, full):
        seen, todo = {}, [full]
        while todo:
            each = self.described(todo.pop())
            seen[each["type_name"]] = each
            nested = [field["type"]["nested_type_name"] for field in each["fields"]]
            todo += [name for name in nested if name and name not in seen]
        others = [seen[name] for name in sorted(seen) if name != full]
        whole = {"type_description": seen[full], "referenced_type_descriptions": others}
        return "RIHS01_" + hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def constants_in_header(package):
    """Of each struct: name, type and value, as C++ has them."""
    text = (ROOT / f"tandem/ros2/messages/{package}.hpp").read_text()
    found = {}
    for struct, body in re.findall(r"^struct (\w+) \{(.*?)^\};", text, re.DOTALL | re.MULTILINE):
        rows = re.findall(r"static constexpr std::(u?int\d+)_t (\w+) = (-?\d+);", body)
        found[f"{package}/msg/{struct}"] = [(kind, name, int(value)) for kind, name, value in rows]
    return found


def numbers(text):
    try:
        return [float(each) for each in text.split()]
    except ValueError:
        return None


class Published(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.urdfs = write_ros.published_urdfs(TANDEM, asked=cls.ask)

    @classmethod
    def ask(cls, environment):
        """While the machines run."""
        types = Types()
        call = [TANDEM, "ros", "service", "call", "/raptorlift/ackermann_steering_controller/get_type_description"]
        kind = "type_description_interfaces/srv/GetTypeDescription"

        def answer(full):
            question = json.dumps({"type_name": full, "type_hash": types.hash(full), "include_type_sources": False})
            done = subprocess.run([*call, kind, question], env=environment, capture_output=True, text=True, timeout=60)
            return f"{done.stdout}{done.stderr}exit {done.returncode}"

        with ThreadPoolExecutor(4) as pool:  # each waits for discovery
            cls.answers = dict(zip(types.ours, pool.map(answer, types.ours)))
        listed = subprocess.run([TANDEM, "ros", "action", "list"], env=environment, capture_output=True, text=True)
        cls.actions = listed.stdout.split()

    def same(self, one, other, where):
        self.assertEqual((one.tag, sorted(one.attrib)), (other.tag, sorted(other.attrib)), where)
        for key, value in one.attrib.items():
            ours, theirs = numbers(value), numbers(other.get(key))
            if ours is None or theirs is None:
                self.assertEqual(value, other.get(key), where)
                continue
            self.assertEqual(len(ours), len(theirs), where)
            for a, b in zip(ours, theirs):
                self.assertAlmostEqual(a, b, delta=1e-9, msg=f"{where}: {key}; run tools/write_ros")
        self.assertEqual((one.text or "").strip(), (other.text or "").strip(), where)
        self.assertEqual([each.tag for each in one], [each.tag for each in other], f"{where}; run tools/write_ros")
        for a, b in zip(one, other):
            self.same(a, b, f"{where}/{a.tag} {a.get('name', '')}")

    def test_the_urdfs_are_those_that_the_program_publishes(self):
        made = {f"{name}.urdf": text for name, text in self.urdfs.items()}
        made["raptorlift_ros2_control.urdf"] = write_ros.ros2_control(TANDEM)["urdf"]
        self.assertEqual(sorted(path.name for path in URDF.iterdir()), sorted(made))
        for name, text in made.items():
            self.same(ElementTree.parse(URDF / name).getroot(), ElementTree.fromstring(text), name)

    def test_check_urdf_reads_them_without_a_complaint(self):
        for path in URDF.iterdir():
            done = subprocess.run(["check_urdf", path], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), path)
            self.assertIn("Successfully Parsed XML", done.stdout)

    def test_a_running_node_has_every_message_with_the_hash_of_its_file(self):
        self.assertEqual(len(self.answers), 8)
        for full, answer in self.answers.items():
            self.assertIn("successful=True", answer, full)

    def test_no_message_of_ours_is_without_a_file(self):
        known = {name for package in ("tandem_msgs", "orca_msgs", "orb_slam3_msgs") for name in constants_in_header(package)}
        self.assertEqual(known, set(Types().ours))

    def test_the_constants_are_those_of_the_structs(self):
        types = Types()
        for package in ("tandem_msgs", "orca_msgs", "orb_slam3_msgs"):
            for full, rows in constants_in_header(package).items():
                got = [(each.type, each.name, each.value) for each in types.specs[full].constants]
                self.assertEqual(got, rows, full)

    def test_the_actions_that_moveit_uses_exist(self):
        tree = yaml.safe_load((CONFIG / "ur3e_moveit_controllers.yaml").read_text())["moveit_simple_controller_manager"]
        for name in tree["controller_names"]:
            self.assertIn(f"/ur3e/{name}/{tree[name]['action_ns']}", self.actions)


class Truck(unittest.TestCase):
    def test_the_parameters_of_ros2_control_are_those_of_the_program(self):
        text = (CONFIG / "raptorlift_controllers.yaml").read_text()
        self.assertEqual(text, write_ros.ros2_control(TANDEM)["controllers"], "run tools/write_ros")

    def test_humble_gets_the_same_numbers_under_its_own_names(self):
        renamed = {
            "traction_joints_names": ["rear_wheels_names"],
            "steering_joints_names": ["front_wheels_names"],
            "traction_track_width": ["rear_wheel_track"],
            "steering_track_width": ["front_wheel_track"],
            "traction_wheels_radius": ["rear_wheels_radius", "front_wheels_radius"],
            "reduce_wheel_speed_until_steering_reached": [],  # Humble has none
        }
        jazzy = yaml.safe_load((CONFIG / "raptorlift_controllers.yaml").read_text())
        humble = yaml.safe_load((CONFIG / "raptorlift_controllers_humble.yaml").read_text())
        self.assertEqual(humble["controller_manager"], jazzy["controller_manager"])
        rows = jazzy["ackermann_steering_controller"]["ros__parameters"].items()
        expected = {new: value for key, value in rows for new in renamed.get(key, [key])}
        self.assertEqual(humble["ackermann_steering_controller"]["ros__parameters"], {**expected, "front_steering": True})

    def test_nav2_plans_no_tighter_turn_than_the_steering_allows(self):
        nav2 = yaml.safe_load((CONFIG / "raptorlift_nav2.yaml").read_text())
        radius = nav2["planner_server"]["ros__parameters"]["GridBased"]["minimum_turning_radius"]
        speed = nav2["controller_server"]["ros__parameters"]["FollowPath"]["desired_linear_vel"]
        limited = solved("raptorlift", "wheels", {"v": 1.0, "w": 5.0})  # tighter than it can: w is what is left
        self.assertTrue(limited["limited"])
        self.assertAlmostEqual(1 / limited["w"], 1 / math.tan(0.7) + 0.355, delta=1e-3)  # by hand, inner wheel at 0.7 rad
        self.assertGreater(radius, 1 / limited["w"])
        self.assertLess(radius, 1.1 / limited["w"])
        self.assertLessEqual(speed, 1.0)

    def test_nav2_knows_where_the_driven_axle_is_and_how_large_the_truck_is(self):
        robot = ElementTree.parse(URDF / "raptorlift.urdf").getroot()
        joints = {each.find("child").get("link"): numbers(each.find("origin").get("xyz")) for each in robot.iter("joint")}
        axle = joints["front_right_wheel_link"][0]
        launch = (ROS / "tandem_bringup/launch/raptorlift_nav2.launch.py").read_text()
        self.assertEqual(float(re.search(r'AXLE = "(.*?)"', launch)[1]), axle)
        corners = []
        for link in robot.iter("link"):
            at = joints.get(link.get("name"), [0, 0, 0])
            for visual in link.iter("visual"):
                x, y, _ = (a + b for a, b in zip(at, numbers(visual.find("origin").get("xyz"))))
                for along, across in half_sizes(visual.find("geometry")[0], "steering" in link.get("name")):
                    corners += [(x + i * along - axle, y + j * across) for i in (-1, 1) for j in (-1, 1)]
        nav2 = yaml.safe_load((CONFIG / "raptorlift_nav2.yaml").read_text())
        for costmap in ("local_costmap", "global_costmap"):
            polygon = yaml.safe_load(nav2[costmap][costmap]["ros__parameters"]["footprint"])
            for corner in corners:
                self.assertTrue(inside(polygon, corner), f"{corner} is outside the footprint of {costmap}")
            for axis in (0, 1):  # and not much larger
                for end in (min, max):
                    self.assertAlmostEqual(end(p[axis] for p in polygon), end(c[axis] for c in corners), delta=0.05)


def half_sizes(shape, steers):
    """Seen from above: of a box, or of a wheel, straight on and, if it steers, turned by 0.7 rad."""
    if shape.tag == "box":
        return [[each / 2 for each in numbers(shape.get("size"))[:2]]]
    radius, width = float(shape.get("radius")), float(shape.get("length")) / 2
    turns = [(math.cos(turn), math.sin(turn)) for turn in ((0, 0.7) if steers else (0,))]
    return [(radius * c + width * s, radius * s + width * c) for c, s in turns]


def inside(polygon, point):
    """Of a convex polygon, whichever way round."""
    signs = []
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        signs.append((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax))
    return all(each >= 0 for each in signs) or all(each <= 0 for each in signs)


class Arm(unittest.TestCase):
    def setUp(self):
        self.robot = ElementTree.parse(URDF / "ur3e.urdf").getroot()
        self.joints = {each.get("name"): each for each in self.robot.iter("joint")}
        self.links = {each.get("name"): each for each in self.robot.iter("link")}

    def test_moveit_names_links_and_joints_that_exist(self):
        semantic = ElementTree.parse(CONFIG / "ur3e.srdf").getroot()
        self.assertEqual(semantic.get("name"), self.robot.get("name"))
        for pair in semantic.iter("disable_collisions"):
            for key in ("link1", "link2"):
                self.assertIsNotNone(self.links[pair.get(key)].find("collision"))
        for state in semantic.iter("group_state"):
            for joint in state:
                limit = self.joints[joint.get("name")].find("limit")
                self.assertLessEqual(float(limit.get("lower")), float(joint.get("value")))
                self.assertLessEqual(float(joint.get("value")), float(limit.get("upper")))
        chain = semantic.find("group/chain")
        self.assertEqual((chain.get("base_link"), chain.get("tip_link")), ("base_link", "tool0"))

    def test_links_that_touch_by_a_joint_are_not_checked_for_collisions(self):
        parents = {each.find("child").get("link"): each.find("parent").get("link") for each in self.joints.values()}

        def solid(name):
            while name is not None and self.links[name].find("collision") is None:
                name = parents.get(name)
            return name

        touching = {frozenset((child, solid(parent))) for child, parent in parents.items()
                    if self.links[child].find("collision") is not None and solid(parent)}  # fmt: skip
        semantic = ElementTree.parse(CONFIG / "ur3e.srdf").getroot()
        listed = {frozenset((each.get("link1"), each.get("link2"))) for each in semantic.iter("disable_collisions")
                  if each.get("reason") == "Adjacent"}  # fmt: skip
        self.assertEqual(listed, touching)

    def test_moveit_plans_with_the_speeds_of_the_urdf_and_every_joint_has_a_controller(self):
        moving = {name for name, each in self.joints.items() if each.get("type") != "fixed"}
        limits = yaml.safe_load((CONFIG / "ur3e_joint_limits.yaml").read_text())["joint_limits"]
        self.assertEqual(set(limits), moving)
        for name in moving:
            speed = float(self.joints[name].find("limit").get("velocity"))
            self.assertAlmostEqual(limits[name]["max_velocity"], speed, delta=1e-4)
            self.assertLessEqual(limits[name]["max_velocity"], speed)
        tree = yaml.safe_load((CONFIG / "ur3e_moveit_controllers.yaml").read_text())["moveit_simple_controller_manager"]
        driven = [joint for name in tree["controller_names"] for joint in tree[name]["joints"]]
        self.assertEqual(sorted(driven), sorted(moving))


if __name__ == "__main__":
    alone.enter()
    unittest.main()
