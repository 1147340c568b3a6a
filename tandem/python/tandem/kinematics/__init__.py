# SPDX-License-Identifier: Apache-2.0
"""Kinematics without a robot: numpy arrays in and out, thousands of poses in one call.

>>> from tandem.kinematics import ur3e
>>> poses = ur3e.fk(joints)          # (N, 6) -> (N, 6)
>>> joints = ur3e.ik(poses, near=joints[0])
"""
from tandem.kinematics import ackermann, cables, stewart, ur, ur3e

__all__ = ["ackermann", "cables", "stewart", "ur", "ur3e"]
