#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the demo for a while and fails when its memory, descriptors or threads grow.

Usage: tools/soak.py [build/release/tandem] [SECONDS]
"""
import os
import subprocess
import sys
import tempfile
import time

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/tandem"
length = float(sys.argv[2]) if len(sys.argv) > 2 else 600
warm_up = min(60.0, length / 3)
slope_limit = 1.0  # KiB a minute
noise = 256.0  # KiB: pages that the allocator takes once


def look(pid):
    status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status"))
    return {
        "memory": float(status["VmRSS"].split()[0]),
        "threads": int(status["Threads"]),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
    }


control = os.path.join(tempfile.mkdtemp(), "control.sock")
process = subprocess.Popen([program, "demo", "--for", str(length + 5), "--control", control],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    time.sleep(warm_up)
    first, begun = look(process.pid), time.monotonic()
    last = first
    while time.monotonic() - begun < length - warm_up:
        time.sleep(5)
        last = look(process.pid)
        print(f"\r{time.monotonic() - begun + warm_up:6.0f} of {length:.0f} s: {last['memory']:.0f} KiB, "
              f"{last['threads']} threads, {last['descriptors']} descriptors", end="", flush=True)
    minutes = (time.monotonic() - begun) / 60
finally:
    process.terminate()
    process.wait()
print()
grown = last["memory"] - first["memory"]
if grown > noise + slope_limit * minutes:
    sys.exit(f"memory grew by {grown:.0f} KiB in {minutes:.1f} minutes")
if last["threads"] > first["threads"] or last["descriptors"] > first["descriptors"]:
    sys.exit(f"threads or descriptors grew: {first} -> {last}")
print(f"soak passed: memory grew by {grown:.0f} KiB in {minutes:.1f} minutes")
