# SPDX-License-Identifier: Apache-2.0
"""The Orca's frames with pose.Pose: t_target_source, composed by mult() and inverted by inverse()."""
from math import pi

from tandem.pose import Pose

t_base_link = Pose.from_euler((0.1, 0.0, -0.05), 0, pi / 2, 0)  # the camera looks down
t_link_camera = Pose.from_euler((0, 0, 0), -pi / 2, 0, -pi / 2)  # x right, y down, z forward, as OpenCV has it
t_base_camera = t_base_link.mult(t_link_camera)

t_map_base = Pose.from_euler((2.0, 1.0, -3.0), 0, 0, pi / 4)
t_map_camera = t_map_base.mult(t_base_camera)
print("camera in map:", t_map_camera)

t_map_next = Pose.from_euler((2.1, 1.1, -3.0), 0, 0, pi / 4 + 0.02)
t_base_next = t_map_base.inverse().mult(t_map_next)  # what VISION_POSITION_DELTA carries
print("moved:        ", t_base_next)
print("in NED:       ", t_map_base.enu_to_ned_standard())
