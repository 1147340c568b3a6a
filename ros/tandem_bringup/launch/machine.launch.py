# SPDX-License-Identifier: Apache-2.0
"""One machine of Tandem, and RViz if asked for.

  ros2 launch tandem_bringup machine.launch.py machine:=em1500 device:=virtual rviz:=true
  ros2 launch tandem_bringup machine.launch.py machine:=ur3e device:=rtde://192.168.1.10 page:=127.0.0.1:8088
"""
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

MACHINES = ["cable_robot", "em1500", "orca", "raptorlift", "ur3e"]


def nodes(context):
    def given(name):
        return LaunchConfiguration(name).perform(context)

    machine = given("machine")
    arguments = [machine]
    for name, flag in (("page", "--web"), ("record", "--record")):
        if given(name):
            arguments += [flag, given(name)]
    parameters = [given("params_file")] if given("params_file") else []
    if given("device"):
        parameters.append({"device": given("device")})
    yield Node(
        package="tandem_node",
        executable="tandem_node",
        namespace=given("namespace"),
        arguments=arguments,
        parameters=parameters,
        output="screen",
    )
    if given("rviz").lower() == "true":
        view = Path(get_package_share_directory("tandem_bringup")) / "rviz" / f"{machine}.rviz"
        yield Node(package="rviz2", executable="rviz2", arguments=["-d", str(view)], output="log")


def generate_launch_description():
    return LaunchDescription(
        [
            DeclareLaunchArgument("machine", choices=MACHINES, description="which machine"),
            DeclareLaunchArgument(
                "device",
                default_value="",
                description='"virtual", or the URL of the real device; empty: as params_file or the default has it',
            ),
            DeclareLaunchArgument("namespace", default_value="", description="of node and topics: /lab"),
            DeclareLaunchArgument("params_file", default_value="", description="ROS parameters: the machine's options"),
            DeclareLaunchArgument("page", default_value="", description="address of the web page: 127.0.0.1:8088"),
            DeclareLaunchArgument("record", default_value="", description="keep everything in this MCAP file"),
            DeclareLaunchArgument("rviz", default_value="false", choices=["true", "false"], description="show it"),
            OpaqueFunction(function=lambda context: list(nodes(context))),
        ]
    )
