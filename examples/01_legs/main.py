# SPDX-License-Identifier: Apache-2.0
"""The six leg lengths of the EM1500 for one pose, and the pose back from the lengths."""
from tandem import em1500

pose = [0.05, -0.03, 1.305, 0.05, -0.04, 0.03]  # m, rad; the top in the base frame
lengths = em1500.leg_lengths(pose)
for leg, length in enumerate(lengths, 1):
    print(f"leg {leg}: {length:.5f} m")

back = em1500.pose_from_lengths(lengths)
print(f"pose found again within {back.residual:.1e} m after {back.iterations} steps")
