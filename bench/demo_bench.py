#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cold start of `tandem demo em1500` to its first live sample, what the idle demo costs, and the start of `tandem run`
with a described device of 50 signals.

Usage: bench/demo_bench.py [build/release/tandem] [STARTS]
"""
import os
import socket
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


def time_to_live(start):
    begun = time.monotonic()
    process = start()
    for line in process.stdout:
        if "event=live" in line or " live " in line:
            taken = time.monotonic() - begun
            process.terminate()
            process.wait()
            return taken
    sys.exit("the program ended without a live sample")


def described(folder, device):
    file = os.path.join(folder, "press.yaml")
    signals = "".join(f"      s{i}: {{at: holding {2 * i}, type: float32}}\n" for i in range(50))
    with open(file, "w") as text:
        text.write("ros: {enabled: false}\nmachines:\n  press:\n    type: generic\n"
                   f"    device: {device}\n    signals:\n{signals}")
    return file


def start_described(starts):
    """Seconds from the start of `tandem run` to the first live sample of 50 signals, sorted; the device is there."""
    with tempfile.TemporaryDirectory() as folder:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        device = subprocess.Popen([program, "virtual", "generic", described(folder, "virtual"), "--port", port],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = device.stdout.readline()
        if port not in line:
            sys.exit(f"tandem virtual generic: expected port {port}, got '{line.strip()}'")
        file = described(folder, f'"modbus://127.0.0.1:{port}"')
        run = [program, "run", file, "--for", "5", "--web", "off", "--control", os.path.join(folder, "control.sock")]
        times = sorted(time_to_live(lambda: subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                                             text=True)) for _ in range(starts))
        device.terminate()
        device.wait()
    return times


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


times = sorted(time_to_live(lambda: demo(5)) for _ in range(starts))
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

times = start_described(starts)
report("tandem run, a device of 50 signals live, median", 1e3 * times[len(times) // 2], "ms", at_most=300)
print(f"tandem run to a live device of 50 signals: median {1e3 * times[len(times) // 2]:.0f} ms, worst "
      f"{1e3 * times[-1]:.0f} ms (wanted: at most 300)")
