# SPDX-License-Identifier: Apache-2.0
"""The files of ros/, without ROS and without a program: package.xml by catkin_pkg's rules, XML, YAML and Python that
can be read, and launch files that start what is there. launch and launch_ros, which Debian does not have, are stubs
that accept what those of Jazzy and Humble do, and nothing else."""
import importlib.util
import os
import py_compile
import re
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import yaml
from catkin_pkg.package import parse_package

ROOT = Path(__file__).parents[2]
ROS = ROOT / "ros"
PACKAGES = sorted(path.parent.name for path in ROS.glob("*/package.xml"))
VERSION = re.search(r"project\(tandem VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
OURS = {  # package: its executables
    "em1500_ads_bridge": ["ads_em1500_node", "ads_node"],
    "orca_bridge": ["slam_bridge.py"],
    "orb_slam3_msgs": [],
    "orca_msgs": [],
    "raptorlift": ["hardware_bridge", "raptorlift_node"],
    "tandem_bringup": [],
    "tandem_description": [],
    "tandem_msgs": [],
    "tandem_node": ["tandem_node"],
}


class StrictLoader(yaml.SafeLoader):
    """Refuses a key that is there twice, which YAML's readers let the last one win."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=deep) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"{key!r} twice", node.start_mark)
        return super().construct_mapping(node, deep)


def depends(package):
    """What it needs at run time, in Humble and in Jazzy."""
    parsed = parse_package(str(ROS / package))
    return {each.name for each in parsed.exec_depends}


class Packages(unittest.TestCase):
    def test_these_packages_are_there(self):
        self.assertEqual(PACKAGES, sorted(OURS))

    def test_each_has_format_3_and_the_version_of_tandem(self):
        for name in PACKAGES:
            package = parse_package(str(ROS / name), warnings=[])
            self.assertEqual((package.name, package.package_format, package.version), (name, 3, VERSION), name)
            self.assertEqual(package.get_build_type(), "ament_cmake")
            self.assertEqual(package.licenses, ["Apache-2.0"])

    def test_what_cmake_looks_for_is_declared(self):
        for name in PACKAGES:
            package = parse_package(str(ROS / name))
            declared = {each.name for each in package.buildtool_depends + package.build_depends}
            text = (ROS / name / "CMakeLists.txt").read_text()
            self.assertEqual(set(re.findall(r"find_package\((\w+) REQUIRED\)", text)), declared, name)
            self.assertTrue(text.rstrip().endswith("ament_package()"), name)

    def test_every_message_is_generated_and_its_package_is_of_the_group(self):
        for name in ("tandem_msgs", "orca_msgs", "orb_slam3_msgs"):
            files = {f"msg/{path.name}" for path in (ROS / name / "msg").iterdir()}
            text = (ROS / name / "CMakeLists.txt").read_text()
            self.assertEqual(set(re.findall(r'"(msg/\w+\.msg)"', text)), files)
            groups = [each.name for each in parse_package(str(ROS / name)).member_of_groups]
            self.assertEqual(groups, ["rosidl_interface_packages"])
            self.assertIn("rosidl_default_runtime", depends(name))


class Files(unittest.TestCase):
    def test_xml_is_well_formed(self):
        found = [path for kind in ("xml", "urdf", "srdf") for path in ROS.rglob(f"*.{kind}")]
        self.assertGreater(len(found), 10)
        subprocess.run(["xmllint", "--noout", "--nonet", *found], check=True)

    def test_descriptions_have_no_meshes(self):
        for path in ROS.rglob("*.urdf"):
            self.assertNotIn("<mesh", path.read_text(), path)

    def test_yaml_has_no_key_twice(self):
        found = [*ROS.rglob("*.yaml"), *ROS.rglob("*.rviz")]
        self.assertGreater(len(found), 9)
        for path in found:
            yaml.load(path.read_text(), Loader=StrictLoader)

    def test_python_compiles_and_programs_can_be_executed(self):
        scripts = list(ROS.glob("*/scripts/*"))
        with tempfile.TemporaryDirectory() as folder:
            for path in [*scripts, *ROS.rglob("*.py")]:
                py_compile.compile(str(path), cfile=f"{folder}/compiled", doraise=True)
        for path in scripts:
            self.assertTrue(os.access(path, os.X_OK), path)
            self.assertEqual(path.read_text().splitlines()[0], "#!/usr/bin/env python3")


class Started:
    """An object of launch or launch_ros: what it was made with."""

    def __init__(self, name, positional, named):
        self.name, self.positional, self.named = name, positional, named

    def perform(self, context):  # of a LaunchConfiguration
        return context[self.positional[0]]

    def to_dict(self):  # of MoveItConfigs
        return {}


# Class: names of its arguments. Those that the launch files use, of Jazzy and Humble alike.
CLASSES = {
    "launch.LaunchDescription": {"initial_entities"},
    "launch.actions.DeclareLaunchArgument": {"name", "default_value", "description", "choices"},
    "launch.actions.ExecuteProcess": {"cmd", "output"},
    "launch.actions.IncludeLaunchDescription": {"launch_description_source", "launch_arguments"},
    "launch.actions.OpaqueFunction": {"function"},
    "launch.actions.RegisterEventHandler": {"event_handler"},
    "launch.event_handlers.OnProcessExit": {"target_action", "on_exit"},
    "launch.launch_description_sources.PythonLaunchDescriptionSource": {"launch_file_path"},
    "launch.substitutions.LaunchConfiguration": {"variable_name"},
    "launch_ros.actions.Node": {
        "package", "executable", "name", "namespace", "parameters", "remappings", "arguments", "output",
    },
    "launch_ros.parameter_descriptions.ParameterValue": {"value", "value_type"},
}  # fmt: skip


class Builder:
    """moveit_configs_utils.MoveItConfigsBuilder: every file that it is given must be there."""

    def __init__(self, robot_name, package_name):
        assert package_name in OURS, package_name

    def given(self, file_path):
        assert Path(file_path).is_file(), file_path
        return self

    robot_description = robot_description_semantic = robot_description_kinematics = given
    joint_limits = trajectory_execution = given

    def planning_pipelines(self, pipelines):
        return self

    def to_moveit_configs(self):
        return Started("MoveItConfigs", (), {})


def stubs(made):
    """Modules under the names of launch and launch_ros that note what is made of their classes."""
    modules = {}

    def module(name):
        return modules.setdefault(name, types.ModuleType(name))

    for full, allowed in CLASSES.items():
        where, _, name = full.rpartition(".")
        module(where.split(".")[0])

        def make(*positional, full=full, allowed=allowed, **named):
            unknown = set(named) - allowed
            if unknown:
                raise TypeError(f"{full}: unknown argument {unknown}")
            made.append(Started(full.rpartition(".")[2], positional, named))
            return made[-1]

        setattr(module(where), name, make)
    index = module("ament_index_python.packages")
    module("ament_index_python")
    index.get_package_share_directory = lambda name: str(ROS / name if name in OURS else Path("/elsewhere") / name)
    module("moveit_configs_utils").MoveItConfigsBuilder = Builder
    return modules


def run_launch_file(path, arguments, distro):
    """Everything that it makes, with its default arguments and these."""
    made = []
    with mock.patch.dict(sys.modules, stubs(made)), mock.patch.dict(os.environ, {"ROS_DISTRO": distro}):
        spec = importlib.util.spec_from_file_location("launched", path)
        launched = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(launched)
        launched.generate_launch_description()
        context = {}
        for each in made:
            if each.name == "DeclareLaunchArgument":
                context[each.positional[0]] = each.named.get("default_value", "")
        unknown = set(arguments) - set(context)
        assert not unknown, f"{path.name} has no argument {unknown}"
        context.update(arguments)
        for each in list(made):
            if each.name == "OpaqueFunction":
                each.named["function"](context)
    return made


LAUNCHED = {
    "machine.launch.py": {"machine": "em1500", "device": "virtual", "rviz": "true", "page": "127.0.0.1:8088"},
    "config.launch.py": {"config": "lab.yaml"},
    "raptorlift_ros2_control.launch.py": {},
    "raptorlift_nav2.launch.py": {},
    "ur3e_moveit.launch.py": {},
    "ur3e_gazebo.launch.py": {"script": "main.py"},
}


class Launch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        patch = mock.patch.object(tempfile, "tempdir", self.folder.name)  # for the files that they write
        patch.start()
        self.addCleanup(patch.stop)

    def each(self):
        found = sorted((ROS / "tandem_bringup/launch").glob("*.launch.py"))
        self.assertEqual({path.name for path in found}, set(LAUNCHED))
        for path in found:
            for distro in ("humble", "jazzy"):
                yield path.name, distro, run_launch_file(path, LAUNCHED[path.name], distro)

    def test_they_start_programs_of_packages_that_are_declared_and_ours_exist(self):
        declared = depends("tandem_bringup")
        for name, distro, made in self.each():
            nodes = [each.named for each in made if each.name == "Node"]
            self.assertTrue(nodes, name)
            for node in nodes:
                self.assertIn(node["package"], declared, name)
                if node["package"] in OURS:
                    self.assertIn(node["executable"], OURS[node["package"]], name)
                for parameters in node.get("parameters", []):
                    if isinstance(parameters, str):
                        self.assertTrue(Path(parameters).is_file(), f"{name}: {parameters}")

    def test_the_view_of_rviz_is_there_for_every_machine(self):
        path = ROS / "tandem_bringup/launch/machine.launch.py"
        for machine in ("cable_robot", "em1500", "orca", "raptorlift", "ur3e"):
            made = run_launch_file(path, {"machine": machine, "rviz": "true"}, "jazzy")
            (view,) = [each.named["arguments"][1] for each in made if each.named.get("package") == "rviz2"]
            self.assertTrue(Path(view).is_file(), view)

    def test_nav2_has_the_plugin_names_of_each_distribution(self):
        path = ROS / "tandem_bringup/launch/raptorlift_nav2.launch.py"
        for distro, mark in (("humble", "/"), ("jazzy", "::")):
            made = run_launch_file(path, {}, distro)
            (file,) = {str(each.named["parameters"]) for each in made if each.named.get("executable") == "planner_server"}
            tree = yaml.safe_load(Path(file[2:-2]).read_text())
            self.assertEqual(
                tree["planner_server"]["ros__parameters"]["GridBased"]["plugin"], f"nav2_smac_planner{mark}SmacPlannerHybrid"
            )
            self.assertEqual(tree["behavior_server"]["ros__parameters"]["wait"]["plugin"], f"nav2_behaviors{mark}Wait")
            self.assertIn("::", tree["controller_server"]["ros__parameters"]["FollowPath"]["plugin"])
            trees = tree["bt_navigator"]["ros__parameters"]
            for key in ("default_nav_to_pose_bt_xml", "default_nav_through_poses_bt_xml"):
                self.assertTrue(Path(trees[key]).is_file())

    def test_gazebo_gets_a_description_with_every_joint_once(self):
        path = ROS / "tandem_bringup/launch/ur3e_gazebo.launch.py"
        controllers = yaml.safe_load((ROS / "tandem_bringup/config/ur3e_gazebo_controllers.yaml").read_text())
        driven = controllers["joint_trajectory_controller"]["ros__parameters"]["joints"] + [
            controllers[f"hande_controller_{side}"]["ros__parameters"]["joint"] for side in ("left", "right")
        ]
        for distro, plugin in (("humble", "ign_ros2_control-system"), ("jazzy", "gz_ros2_control-system")):
            made = run_launch_file(path, {}, distro)
            (node,) = [each.named for each in made if each.named.get("package") == "robot_state_publisher"]
            text = node["parameters"][0]["robot_description"]
            described = Path(self.folder.name) / "described.urdf"
            described.write_text(text)
            subprocess.run(["check_urdf", described], check=True, capture_output=True)
            control = text.partition("<ros2_control")[2]
            self.assertEqual(sorted(re.findall(r'<joint name="(\w+)">', control)), sorted(driven))
            self.assertIn(f'filename="{plugin}"', control)


if __name__ == "__main__":
    unittest.main()
