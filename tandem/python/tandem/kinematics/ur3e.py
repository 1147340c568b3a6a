# SPDX-License-Identifier: Apache-2.0
"""The UR3e: fk, ik, all_ik and jacobian of Arm("ur3e"), as functions.

>>> from tandem.kinematics import ur3e
>>> ur3e.fk([0, 0, 0, 0, 0, 0])[:3]
array([-0.45675, -0.22315,  0.0665 ])
"""
from tandem.kinematics.ur import Arm, Solutions

__all__ = ["Solutions", "all_ik", "arm", "fk", "ik", "jacobian"]

arm = Arm("ur3e")
fk = arm.fk
ik = arm.ik
all_ik = arm.all_ik
jacobian = arm.jacobian
