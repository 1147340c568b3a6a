# SPDX-License-Identifier: Apache-2.0
"""The UR3e with its Hand-E in Gazebo, under ros2_control, for ISCoin without a robot:

  ros2 launch tandem_bringup ur3e_gazebo.launch.py
  ros2 launch tandem_bringup ur3e_gazebo.launch.py script:=$PWD/main.py gz_args:="-r -s empty.sdf"

`script` is started with the argument ros2:/joint_trajectory_controller once the controllers are there; in it,
ISCoin(sys.argv[1]) drives the arm in Gazebo (examples/02_pick_cube/main.py is one). Jazzy has Gazebo Harmonic (gz_*),
Humble Fortress (ign_*).
"""
import os
from pathlib import Path
from xml.etree import ElementTree

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    IncludeLaunchDescription,
    OpaqueFunction,
    RegisterEventHandler,
)
from launch.event_handlers import OnProcessExit
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

CONTROLLER = "joint_trajectory_controller"
HARMONIC = {
    "hardware": "gz_ros2_control/GazeboSimSystem",
    "library": "gz_ros2_control-system",
    "plugin": "gz_ros2_control::GazeboSimROS2ControlPlugin",
    "clock": "/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock",
}
FORTRESS = {
    "hardware": "ign_ros2_control/IgnitionSystem",
    "library": "ign_ros2_control-system",
    "plugin": "ign_ros2_control::IgnitionROS2ControlPlugin",
    "clock": "/clock@rosgraph_msgs/msg/Clock[ignition.msgs.Clock",
}
START = {"shoulder_lift_joint": "-1.5707", "elbow_joint": "1.5707", "wrist_1_joint": "-1.5707", "wrist_2_joint": "-1.5707"}


def description(names, controllers):
    """The URDF, fixed to the world, with what Gazebo's ros2_control needs."""
    urdf = Path(get_package_share_directory("tandem_description")) / "urdf" / "ur3e.urdf"
    robot = ElementTree.parse(urdf).getroot()
    ElementTree.SubElement(robot, "link", name="world")
    fixed = ElementTree.SubElement(robot, "joint", name="world_joint", type="fixed")
    ElementTree.SubElement(fixed, "parent", link="world")
    ElementTree.SubElement(fixed, "child", link="base_link")
    control = ElementTree.SubElement(robot, "ros2_control", name="ur3e", type="system")
    hardware = ElementTree.SubElement(control, "hardware")
    ElementTree.SubElement(hardware, "plugin").text = names["hardware"]
    for joint in [each for each in robot.findall("joint") if each.get("type") != "fixed"]:
        add_interfaces(control, joint)
    gazebo = ElementTree.SubElement(robot, "gazebo")
    plugin = ElementTree.SubElement(gazebo, "plugin", filename=names["library"], name=names["plugin"])
    ElementTree.SubElement(plugin, "parameters").text = controllers
    return ElementTree.tostring(robot, encoding="unicode")


def add_interfaces(control, joint):
    limit = joint.find("limit")
    driven = ElementTree.SubElement(control, "joint", name=joint.get("name"))
    command = ElementTree.SubElement(driven, "command_interface", name="position")
    ElementTree.SubElement(command, "param", name="min").text = limit.get("lower")
    ElementTree.SubElement(command, "param", name="max").text = limit.get("upper")
    position = ElementTree.SubElement(driven, "state_interface", name="position")
    ElementTree.SubElement(position, "param", name="initial_value").text = START.get(joint.get("name"), "0.0")
    for name in ("velocity", "effort"):
        ElementTree.SubElement(driven, "state_interface", name=name)


def nodes(context):
    names = FORTRESS if os.environ.get("ROS_DISTRO") == "humble" else HARMONIC
    controllers = Path(get_package_share_directory("tandem_bringup")) / "config" / "ur3e_gazebo_controllers.yaml"
    spawner = Node(
        package="controller_manager",
        executable="spawner",
        arguments=["joint_state_broadcaster", CONTROLLER, "hande_controller_left", "hande_controller_right"],
        output="screen",
    )
    create = Node(
        package="ros_gz_sim",
        executable="create",
        arguments=["-topic", "robot_description", "-name", "ur3e"],
        output="screen",
    )
    gz_sim = Path(get_package_share_directory("ros_gz_sim")) / "launch" / "gz_sim.launch.py"
    yield IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(gz_sim)),
        launch_arguments={"gz_args": LaunchConfiguration("gz_args")}.items(),
    )
    yield Node(package="ros_gz_bridge", executable="parameter_bridge", arguments=[names["clock"]], output="log")
    yield Node(
        package="robot_state_publisher",
        executable="robot_state_publisher",
        parameters=[{"robot_description": description(names, str(controllers)), "use_sim_time": True}],
        output="log",
    )
    yield create
    yield RegisterEventHandler(OnProcessExit(target_action=create, on_exit=[spawner]))
    script = LaunchConfiguration("script").perform(context)
    if script:
        run = ExecuteProcess(cmd=["python3", script, f"ros2:/{CONTROLLER}"], output="screen")
        yield RegisterEventHandler(OnProcessExit(target_action=spawner, on_exit=[run]))


def generate_launch_description():
    return LaunchDescription(
        [
            DeclareLaunchArgument("gz_args", default_value="-r empty.sdf", description="arguments of Gazebo"),
            DeclareLaunchArgument("script", default_value="", description="Python script that uses ISCoin"),
            OpaqueFunction(function=lambda context: list(nodes(context))),
        ]
    )
