#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the black box costs a demo of all machines, and how soon its file can be read.

Usage: bench/black_box_bench.py [build/release/tandem] [MACHINE...]

CPU of the demo with the black box and without it, one after the other in turn, since the machine's load drifts; the
memory that it adds; and the time from `tandem stop` or `tandem snapshot` to a file that a reader opens with everything
that came before.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from report import quick, report

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/tandem"
machines = sys.argv[2:]
pairs, measured, settled = (2, 10, 5) if quick() else (6, 30, 10)  # s
full = 20 if quick() else 70  # s until the memory is full


class Demo:
    def __init__(self, folder, box):
        self.folder = pathlib.Path(folder)
        self.control = str(self.folder / "control.sock")
        self.process = subprocess.Popen(
            [program, "demo", *machines, "--web", "127.0.0.1:0", "--control", self.control, "--black-box",
             str(self.folder / "incidents") if box else "off"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident, MB."""
        return int(open(f"/proc/{self.process.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def tell(self, *words):
        done = subprocess.run([program, *words, "--control", self.control], capture_output=True, text=True)
        return done.stdout.strip()

    def status(self):
        return json.loads(self.tell("status", "--json"))

    def incidents(self):
        return sorted((self.folder / "incidents").glob("*.mcap"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def cpu_of(box):
    with tempfile.TemporaryDirectory() as folder, Demo(folder, box) as demo:
        time.sleep(settled)
        before = demo.cpu()
        time.sleep(measured)
        return (demo.cpu() - before) / measured


def memory_of(box):
    with tempfile.TemporaryDirectory() as folder, Demo(folder, box) as demo:
        time.sleep(full)
        return demo.memory(), demo.status()["black_box"] if box else None


def is_readable(file, at):
    """Whether a reader finds messages up to the event in it, although it is not ended."""
    info = subprocess.run([program, "info", "--json", str(file)], capture_output=True, text=True)
    if info.returncode not in (0, 1) or not info.stdout:
        return False
    return json.loads(info.stdout)["end_ns"] >= at * 1e9


def time_to_file(*words):
    """Seconds from the command to a readable file, of a memory that is full."""
    with tempfile.TemporaryDirectory() as folder, Demo(folder, True) as demo:
        time.sleep(full)
        begun = time.monotonic()
        at = time.time()
        demo.tell(*words)
        while time.monotonic() - begun < 20:
            files, looked = demo.incidents(), time.monotonic()  # the reader's own time is not counted
            if files and is_readable(files[-1], at - 0.2):  # it may be one that is being written
                return looked - begun, files[-1].stat().st_size / 1e6
            time.sleep(0.01)
    sys.exit(f"tandem {' '.join(words)}: no readable file within 20 s")


def main():
    with_box, without = [], []
    for i in range(pairs):
        for box in (True, False) if i % 2 == 0 else (False, True):
            (with_box if box else without).append(cpu_of(box))
    ratios = [a / b for a, b in zip(with_box, without)]
    more = 100 * (statistics.median(with_box) / statistics.median(without) - 1)
    print(f"CPU of the demo: {statistics.median(with_box):.3f} of a core with the black box, "
          f"{statistics.median(without):.3f} without, {more:+.1f} % (pairs: "
          f"{', '.join(f'{100 * (each - 1):+.1f}' for each in ratios)} %; wanted: at most 3 %)")
    report("CPU that the black box adds to the demo, median", more, "%", at_most=3)

    (much, box), (little, _) = memory_of(True), memory_of(False)
    print(f"memory: {much:.0f} MB with it, {little:.0f} MB without, for {box['seconds']:.0f} s in "
          f"{box['bytes'] / 1e6:.1f} MB (wanted: at most 200 MB more)")
    report("memory that the black box adds", much - little, "MB", at_most=200)
    report("of the last minute kept in it", box["seconds"], "s")

    for words in (("snapshot",), ("stop",)):
        taken, size = time_to_file(*words)
        print(f"tandem {words[0]}: a readable file of {size:.1f} MB after {taken:.2f} s (wanted: at most 1 s)")
        report(f"tandem {words[0]} to a readable file", taken, "s", at_most=1)


if __name__ == "__main__":
    main()
