# SPDX-License-Identifier: Apache-2.0
"""The cables of the default robot for one pose: their lengths, the pose back from them, and tensions that hold it."""
from tandem import cable_robot

pose = [0.05, -0.03, 0.35, 0, 0, 0.0998, 0.995]  # x, y, z (m), qx, qy, qz, qw
lengths = cable_robot.cable_lengths(pose)
held = cable_robot.cable_tensions(pose)
for cable, (length, tension) in enumerate(zip(lengths, held.tensions)):
    print(f"cable{cable}: {length:.5f} m, {tension:.2f} N")
print(f"{'held' if held.feasible else 'not held'}, {held.margin:.2f} N to the nearest bound")

back = cable_robot.cable_pose(lengths)
print(f"pose found again within {back.residual:.1e} m after {back.iterations} steps")
