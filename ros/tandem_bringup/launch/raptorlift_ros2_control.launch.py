# SPDX-License-Identifier: Apache-2.0
"""The truck driven by a ros2_control of your own: the topic-based system, ackermann_steering_controller and the
hardware bridge.

  ros2 launch tandem_bringup raptorlift_ros2_control.launch.py device:=virtual

The truck does not move before `ros2 service call /hardware_bridge/arm std_srvs/srv/Trigger`.
"""
import os
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

# Tandem publishes the plain description on /robot_description.
DESCRIPTION_TOPIC = "/raptorlift/robot_description"


def default_controllers():
    name = "raptorlift_controllers_humble" if os.environ.get("ROS_DISTRO") == "humble" else "raptorlift_controllers"
    return str(Path(get_package_share_directory("tandem_bringup")) / "config" / f"{name}.yaml")


def generate_launch_description():
    urdf = Path(get_package_share_directory("tandem_description")) / "urdf" / "raptorlift_ros2_control.urdf"
    description = {"robot_description": urdf.read_text()}
    controllers = LaunchConfiguration("controllers")
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "device",
                default_value="modbus://192.168.2.1:502?unit=1",
                description='"virtual", or the URL of the PLC',
            ),
            DeclareLaunchArgument(
                "controllers", default_value=default_controllers(), description="parameters of the controllers"
            ),
            Node(
                package="raptorlift",
                executable="hardware_bridge",
                parameters=[{"device": LaunchConfiguration("device")}],
                output="screen",
            ),
            Node(
                package="robot_state_publisher",
                executable="robot_state_publisher",
                parameters=[description],
                remappings=[("robot_description", DESCRIPTION_TOPIC)],
                output="log",
            ),
            Node(
                package="controller_manager",
                executable="ros2_control_node",
                # Jazzy takes the description from the topic, Humble from the parameter.
                parameters=[description, controllers],
                remappings=[
                    ("~/robot_description", DESCRIPTION_TOPIC),
                    ("/ackermann_steering_controller/odometry", "/odom"),
                    ("/ackermann_steering_controller/tf_odometry", "/tf"),
                ],
                output="screen",
            ),
            Node(
                package="controller_manager",
                executable="spawner",
                arguments=["joint_state_broadcaster", "ackermann_steering_controller"],
                output="screen",
            ),
        ]
    )
