# SPDX-License-Identifier: Apache-2.0
"""Starts the installed tandem as a ROS 2 node."""
from .starting import main, start

__all__ = ["main", "start"]
