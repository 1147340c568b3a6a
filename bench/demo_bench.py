#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cold start of `tandem demo em1500` to its first live sample, and what the idle demo costs.

Usage: bench/demo_bench.py [build/release/tandem] [STARTS]
"""
import os
import subprocess
import sys
import tempfile
import time

from report import quick, report

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/tandem"
starts = int(sys.argv[2]) if len(sys.argv) > 2 else 3 if quick() else 10
idle_seconds = 5 if quick() else 20


def demo(seconds):
    control = os.path.join(tempfile.mkdtemp(), "control.sock")
    return subprocess.Popen([program, "demo", "em1500", "--for", str(seconds), "--control", control],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def time_to_live():
    begun = time.monotonic()
    process = demo(5)
    for line in process.stdout:
        if "event=live" in line or " live " in line:
            taken = time.monotonic() - begun
            process.terminate()
            process.wait()
            return taken
    sys.exit("the demo ended without a live sample")


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


times = sorted(time_to_live() for _ in range(starts))
print(f"cold start to first live sample, {starts} starts: best {1e3 * times[0]:.0f} ms, "
      f"median {1e3 * times[len(times) // 2]:.0f} ms, worst {1e3 * times[-1]:.0f} ms (wanted: at most 1000)")

report("cold start to first live sample, median", 1e3 * times[len(times) // 2], "ms", at_most=1000)

process = demo(idle_seconds + 10)
time.sleep(3)
before = cpu_seconds(process.pid)
time.sleep(idle_seconds)
used = (cpu_seconds(process.pid) - before) / idle_seconds
process.terminate()
process.wait()
report("running demo", used, "of a core", at_most=0.1)
print(f"running demo: {used:.3f} of a core over {idle_seconds} s (wanted: at most 0.1)")
