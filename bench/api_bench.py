#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call of the Python API costs, on a virtual robot of its own.

PYTHONPATH=build/release/python /usr/bin/python3 bench/api_bench.py
Prints median, 99th percentile and worst of each call beside its limit; the seed's way took 0.5 to 1.5 s a call.
"""
import os
import statistics
import time

os.environ["TANDEM_JOIN_VIRTUAL"] = "0"
from report import report  # noqa: E402
from tandem import ISCoin, Joint6D, TCP6D  # noqa: E402

READY = Joint6D.createFromRadians(1.19, -1.13, 1.05, -1.60, -1.52, 1.05)


def measure(name, limit, calls, call, pause=0.0):
    """limit: s, for the median; None: none is set."""
    taken = []
    for index in range(calls):
        began = time.perf_counter()
        call(index)
        taken.append(time.perf_counter() - began)
        if pause:
            time.sleep(pause)
    taken.sort()
    median, most = statistics.median(taken), taken[int(0.99 * (len(taken) - 1))]
    report(f"{name}, median", 1e6 * median, "us", at_most=None if limit is None else 1e6 * limit)
    verdict = "" if limit is None else f"   limit {1e6 * limit:6.0f} us: {'held' if median <= limit else 'MISSED'}"
    print(f"{name:32} median {1e6 * median:8.1f} us   99 % {1e6 * most:8.1f} us   worst {1e6 * taken[-1]:8.1f} us{verdict}")


with ISCoin("virtual") as robot:
    arm = robot.robot_control
    arm.movej(READY, v=3)
    pose = arm.get_actual_tcp_pose()
    near = [READY + Joint6D.createFromRadians(0.02 * (index % 2), 0, 0, 0, 0, 0) for index in range(2)]
    lifted = [pose + TCP6D.createFromMetersRadians(0, 0, 0.005 * (index % 2), 0, 0, 0) for index in range(2)]
    measure("get_actual_joint_positions()", 50e-6, 20000, lambda _: arm.get_actual_joint_positions())
    measure("get_actual_tcp_pose()", 50e-6, 20000, lambda _: arm.get_actual_tcp_pose())
    measure("is_steady()", None, 20000, lambda _: arm.is_steady())
    measure("get_inverse_kin()", None, 5000, lambda _: arm.get_inverse_kin(pose, READY))
    measure("movej(wait=False)", 1e-3, 200, lambda i: arm.movej(near[i % 2], wait=False), 0.02)
    arm.stopj()
    measure("movel(wait=False)", None, 200, lambda i: arm.movel(lifted[i % 2], wait=False), 0.02)
    arm.stopj()
    measure("stopj()", None, 20, lambda _: arm.stopj())
