#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a recording of the demo costs: CPU of the recorder's own threads for each message it wrote.

Usage: bench/recording_bench.py [build/release/tandem] [MACHINE...]

Without machines: those that send no images. What the machines' own threads pay to hand a message over is the column
`put` of bench_recorder.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from report import quick, report

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/tandem"
machines = sys.argv[2:] or ["raptorlift", "ur3e", "em1500", "cable_robot"]
recorded = 10 if quick() else 25  # s


def thread_seconds(pid, names):
    used = 0.0
    for thread in os.listdir(f"/proc/{pid}/task"):
        text = open(f"/proc/{pid}/task/{thread}/stat").read()
        name, fields = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 1:].split()
        if name in names:
            used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "run.mcap")
    demo = subprocess.Popen([program, "demo", *machines, "--record", file, "--for", str(recorded), "--web", "off",
                             "--control", os.path.join(folder, "control.sock")],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(recorded - 1)
    used = thread_seconds(demo.pid, {"record", "record disk"})
    if demo.wait() != 0:
        sys.exit("the demo failed")
    told = subprocess.run([program, "info", file], check=True, capture_output=True, text=True).stdout
    messages = int(re.search(r"(\d+) messages", told)[1])
    dropped = re.search(r"dropped = (\d+)", told)[1]
    size = os.path.getsize(file)

written = messages * (recorded - 1) / recorded
report("recorder's threads for each message of the demo", 1e6 * used / written, "us", at_most=2)
report("messages of the demo dropped", int(dropped), "dropped", at_most=0)
print(f"{' '.join(machines)}: {messages} messages, {size / 1e6:.1f} MB, {dropped} dropped in {recorded} s; the recorder's threads took "
      f"{1e6 * used / written:.2f} us for each message (wanted: at most 2 with `put`)")
