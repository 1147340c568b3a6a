#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast simulated time is: `tandem prove --stepped` with one job, for each machine alone and for all of them.

Usage: bench/prove_bench.py [build/release/tandem]
"""
import json
import subprocess
import sys

from report import quick, report

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/tandem"
seeds = 2 if quick() else 10
TYPES = ("raptorlift", "cable_robot", "ur3e", "orca", "em1500")


def speed_of(machines):
    done = subprocess.run([program, "prove", *machines, "--stepped", "--seeds", str(seeds), "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    result = json.loads(done.stdout)
    if result["failed"]:
        sys.exit(f"seeds that failed: {', '.join(str(each['seed']) for each in result['failed'])}")
    return result["speed"]


for machines in [(each,) for each in TYPES] + [TYPES]:
    name = machines[0] if len(machines) == 1 else "all machines"
    speed = speed_of(machines)
    print(f"{name}: {speed:.1f} times real time, with start, end and the checker")
    report(f"simulated time of {name}", speed, "times real time")
