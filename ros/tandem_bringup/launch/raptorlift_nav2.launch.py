# SPDX-License-Identifier: Apache-2.0
"""Nav2 for the truck, without a map and without sensors; start the truck first:

  ros2 launch tandem_bringup machine.launch.py machine:=raptorlift device:=virtual
  ros2 launch tandem_bringup raptorlift_nav2.launch.py
  ros2 service call /ackermann_steering_controller/arm std_srvs/srv/Trigger
  ros2 action send_goal /navigate_to_pose nav2_msgs/action/NavigateToPose \\
    '{pose: {header: {frame_id: odom}, pose: {position: {x: 4, y: 2}, orientation: {w: 1}}}}'
"""
import os
import tempfile
from pathlib import Path

import yaml
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

AXLE = "0.47765"  # m, the driven axle ahead of base_footprint
SERVERS = {
    "controller_server": "nav2_controller",
    "planner_server": "nav2_planner",
    "behavior_server": "nav2_behaviors",
    "bt_navigator": "nav2_bt_navigator",
}
SLASH_IN_HUMBLE = ("nav2_behaviors::", "nav2_smac_planner::")


def as_in_humble(tree):
    """The same parameters with the plugin names of Humble."""
    for key, value in tree.items():
        if isinstance(value, dict):
            as_in_humble(value)
        elif key == "plugin" and value.startswith(SLASH_IN_HUMBLE):
            tree[key] = value.replace("::", "/")


def parameters_file(path, share):
    """A copy with the paths of the behavior trees."""
    tree = yaml.safe_load(Path(path).read_text())
    navigator = tree["bt_navigator"]["ros__parameters"]
    navigator.setdefault("default_nav_to_pose_bt_xml", str(share / "behavior_trees/to_pose.xml"))
    navigator.setdefault("default_nav_through_poses_bt_xml", str(share / "behavior_trees/through_poses.xml"))
    if os.environ.get("ROS_DISTRO") == "humble":
        as_in_humble(tree)
    with tempfile.NamedTemporaryFile("w", prefix="raptorlift_nav2_", suffix=".yaml", delete=False) as file:
        yaml.safe_dump(tree, file)
    return file.name


def nodes(context):
    share = Path(get_package_share_directory("tandem_bringup"))
    parameters = [parameters_file(LaunchConfiguration("params_file").perform(context), share)]
    yield Node(
        package="tf2_ros",
        executable="static_transform_publisher",
        arguments=["--x", AXLE, "--frame-id", "base_footprint", "--child-frame-id", "traction_axle"],
        output="log",
    )
    for name, package in SERVERS.items():
        yield Node(package=package, executable=name, name=name, parameters=parameters, output="screen")
    yield Node(
        package="nav2_lifecycle_manager",
        executable="lifecycle_manager",
        name="lifecycle_manager_navigation",
        parameters=parameters,
        output="screen",
    )


def generate_launch_description():
    share = Path(get_package_share_directory("tandem_bringup"))
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "params_file",
                default_value=str(share / "config/raptorlift_nav2.yaml"),
                description="parameters of Nav2 with Jazzy's plugin names",
            ),
            OpaqueFunction(function=lambda context: list(nodes(context))),
        ]
    )
