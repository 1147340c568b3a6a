# SPDX-License-Identifier: Apache-2.0
"""MoveIt's move_group for the UR3e of Tandem, of ur3e_gazebo.launch.py or of ur_robot_driver; start the arm first:

  ros2 launch tandem_bringup machine.launch.py machine:=ur3e device:=virtual
  ros2 launch tandem_bringup ur3e_moveit.launch.py
  tandem arm

Groups: ur_manipulator (base_link to tool0; states home and up), gripper (states open and closed).
"""
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    config = Path(get_package_share_directory("tandem_bringup")) / "config"
    urdf = Path(get_package_share_directory("tandem_description")) / "urdf" / "ur3e.urdf"
    moveit = (
        MoveItConfigsBuilder("ur3e", package_name="tandem_bringup")
        .robot_description(file_path=str(urdf))
        .robot_description_semantic(file_path=str(config / "ur3e.srdf"))
        .robot_description_kinematics(file_path=str(config / "ur3e_kinematics.yaml"))
        .joint_limits(file_path=str(config / "ur3e_joint_limits.yaml"))
        .trajectory_execution(file_path=str(config / "ur3e_moveit_controllers.yaml"))
        .planning_pipelines(pipelines=["ompl"])
        .to_moveit_configs()
    )
    return LaunchDescription(
        [
            DeclareLaunchArgument("use_sim_time", default_value="false", description="true with Gazebo"),
            Node(
                package="moveit_ros_move_group",
                executable="move_group",
                parameters=[
                    moveit.to_dict(),
                    {"use_sim_time": ParameterValue(LaunchConfiguration("use_sim_time"), value_type=bool)},
                ],
                output="screen",
            ),
        ]
    )
