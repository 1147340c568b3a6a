# SPDX-License-Identifier: Apache-2.0
"""All machines of a configuration file of Tandem.

  ros2 launch tandem_bringup config.launch.py config:=$PWD/lab.yaml
"""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def generate_launch_description():
    return LaunchDescription(
        [
            DeclareLaunchArgument("config", description="path of the file; `tandem check` says whether it is right"),
            Node(
                package="tandem_node",
                executable="tandem_node",
                arguments=[LaunchConfiguration("config")],
                output="screen",
            ),
        ]
    )
