# SPDX-License-Identifier: Apache-2.0
"""Reads a recording of the truck into numpy. python3 main.py run.mcap"""
import sys

import numpy as np

from tandem import recording

run = recording.open(sys.argv[1])
print(run)

odometry = run["/odom"]  # nothing of it is read yet
x, y = odometry["pose.pose.position.x"], odometry["pose.pose.position.y"]
speed = odometry["twist.twist.linear.x"]
rate = 1 / np.median(np.diff(odometry.time))
print(f"/odom: {len(odometry)} samples at {rate:.0f} Hz, driven {np.hypot(np.diff(x), np.diff(y)).sum():.3f} m")
print(f"speed: {speed.mean():.3f} m/s in the mean, at most {np.abs(speed).max():.3f} m/s")

link = run.link("raptorlift")  # what went over the wire
print(f"Modbus: {len(link.stream('out'))} bytes asked, {len(link.stream('in'))} bytes answered in {len(link)} frames")
