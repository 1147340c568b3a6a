# SPDX-License-Identifier: Apache-2.0
"""Where a UR3e can reach with its tool straight down: thousands of poses in one call, without a robot."""
import time

import numpy as np

from tandem.kinematics import ur3e

axis = np.linspace(-0.5, 0.5, 41)
x, y, z = np.meshgrid(axis, axis, np.linspace(0.0, 0.4, 9), indexing="ij")
poses = np.zeros((*x.shape, 6))  # x, y, z (m), rotation vector (rad), in the controller's base frame
poses[..., 0], poses[..., 1], poses[..., 2], poses[..., 3] = x, y, z, np.pi

begin = time.perf_counter()
found = ur3e.all_ik(poses)
took = time.perf_counter() - begin
count = found.valid.sum(axis=-1)
print(f"{count.size} poses in {took * 1e3:.1f} ms: {np.mean(count > 0):.1%} reached by up to {count.max()} solutions")

for level in range(0, 9, 4):
    area = np.mean(count[:, :, level] > 0)
    print(f"z = {z[0, 0, level]:.1f} m: {area:.1%} of 1 m x 1 m")

home = [0, -np.pi / 2, np.pi / 2, -np.pi / 2, -np.pi / 2, 0]
joints = ur3e.ik(poses[28, 28, 4], near=home)
print("joints for", poses[28, 28, 4, :3].round(3), "nearest to home:", joints.round(4), "rad")
print("back:", ur3e.fk(joints)[:3].round(6), "m")
