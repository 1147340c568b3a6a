#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The stages of `./test --full`, one after the other or only those that are named.

Usage: tools/stages.py [STAGE...] | --list
A stage builds only what it needs, writes all that it prints to build/full/STAGE.txt, and closes with one line: what
ran, how many passed, failed and were skipped, and how long it took. A stage that fails does not keep the next from
running. The table at the end is build/full/summary.txt; the exit status is 1 when anything failed, 2 for a wrong call.
"""
import dataclasses
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "build" / "full"
JOBS = os.cpu_count() or 1
FUZZ_SECONDS, PROVE_SEEDS, PROVE_JOBS = 120, 1000, 2 * JOBS
PROVE_REAL = 10  # one seed in so many also runs in real time, with ROS
PACKAGES = "^packages in a fresh Debian$"  # the test that is the stage `package`
ARTEFACTS = re.compile(r"(crash|leak|oom|timeout|slow-unit)-")


class Failed(Exception):
    """A step without which the rest of a stage makes no sense."""


@dataclasses.dataclass
class Outcome:
    unit: str  # what is counted: "tests"
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    note: str = ""

    def text(self):
        total = self.passed + self.failed + self.skipped
        counts = f"{self.passed} of {total} {self.unit} passed, {self.failed} failed, {self.skipped} skipped"
        return f"{counts}; {self.note}" if self.note else counts


class Log:
    """What a stage prints: to the terminal, and to its file."""

    def __init__(self, file):
        self.file = file

    def say(self, text):
        print(text, flush=True)
        self.file.write(text + "\n")
        self.file.flush()

    def run(self, *command, cwd=ROOT, **environment):
        """Its exit status and all that it printed."""
        self.say(f"\n== {shlex.join(map(str, command))}")
        lines = []
        with subprocess.Popen(command, cwd=cwd, env=os.environ | environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace") as process:
            for line in process.stdout:
                lines.append(line)
                self.say(line.rstrip("\n"))
        return process.returncode, "".join(lines)

    def must(self, *command):
        status, _ = self.run(*command)
        if status != 0:
            raise Failed(f"`{shlex.join(map(str, command))}` ended with status {status}")


def build(log, preset, *targets, options=()):
    log.must("cmake", "--preset", preset, *options)
    log.must("cmake", "--build", "--preset", preset, *(["--target", *targets] if targets else []))


def build_release(log, *targets):
    log.must("web/build")
    build(log, "release", *targets, options=["-DTANDEM_TESTS=ON"])


def counted(text, status):
    """The counts that ctest prints at its end."""
    total = re.search(r"(\d+) tests failed out of (\d+)", text)
    if total is None:
        raise Failed(f"ctest ended with status {status} and without its counts")
    failed = int(total[1])
    idle = re.search(r"The following tests did not run:\n((?:.+\n)*)", text)
    skipped = len(re.findall(r"\((?:Skipped|Disabled)\)", idle[1])) if idle else 0
    return Outcome("tests", int(total[2]) - failed - skipped, failed, skipped)


def ctest(log, preset, *choice, jobs=JOBS, **environment):
    status, text = log.run("ctest", "--test-dir", f"build/{preset}", "--output-on-failure", "--no-tests=error",
                           "-j", str(jobs), *choice, TANDEM_FULL="1", **environment)
    return counted(text, status)


def release(log):
    log.must("tests/peers/setup")
    build_release(log)
    return ctest(log, "release", "-E", PACKAGES)


def asan(log):
    log.must("web/build")
    build(log, "asan")
    # These wait for sockets and clocks more than they compute. The fuzz among them stays short.
    return ctest(log, "asan", jobs=2 * JOBS, TANDEM_FUZZ_SECONDS="4")


def tsan(log):
    log.must("web/build")
    build(log, "tsan")
    return ctest(log, "tsan")


def number(variable, default, most):
    """A whole number that the environment may give."""
    text = os.environ.get(variable, str(default))
    if not text.isdigit() or not 1 <= int(text) <= most:
        raise Failed(f"{variable}: expected a number from 1 to {most}, got {text}")
    return int(text)


def executions(text):
    """What each target of ctest's log executed; a target that did not say is left out."""
    found = {}
    for part in re.split(r"^\d+/\d+ Testing: fuzz: ", text, flags=re.M)[1:]:
        count = re.search(r"stat::number_of_executed_units:\s*(\d+)", part)
        if count:
            found[part.split("\n", 1)[0]] = int(count[1])
    return found


def fuzz(log):
    wanted = number("TANDEM_FUZZ_SECONDS", FUZZ_SECONDS, 3600)
    build(log, "fuzz", "fuzz_targets")
    begun = time.time()
    outcome = ctest(log, "fuzz", "-L", "^fuzz$", TANDEM_FUZZ_SECONDS=str(wanted))
    found = executions((ROOT / "build/fuzz/Testing/Temporary/LastTest.log").read_text(errors="replace"))
    log.say("\nexecutions of each target:")
    for name, count in sorted(found.items()):
        log.say(f"{count:>15,} {name}")
    outcome.unit = "targets"
    outcome.note = f"{sum(found.values()):,} executions, {wanted} s each"
    artefacts = [path for path in (ROOT / "build/fuzz/fuzz-found").glob("*/*")
                 if ARTEFACTS.match(path.name) and path.stat().st_mtime >= begun - 1]
    if artefacts:
        outcome.note += "; found " + ", ".join(str(path.relative_to(ROOT)) for path in sorted(artefacts))
    return outcome


def tidy(log):
    log.must("cmake", "--preset", "dev")  # a command for each source
    status, text = log.run("tools/tidy", "build/dev")
    total = len(subprocess.run(["git", "ls-files", "tandem/*.cpp"], cwd=ROOT, capture_output=True, text=True,
                               check=True).stdout.splitlines())
    bad = {match[1] for match in re.finditer(r"^(/\S+):\d+:\d+: (?:error|warning): ", text, re.M)}
    if status != 0 and not bad:
        raise Failed(f"tools/tidy ended with status {status} and without a finding")
    note = f"see {', '.join(sorted(os.path.relpath(path, ROOT) for path in bad))}" if bad else ""
    return Outcome("files", max(total - len(bad), 0), len(bad), 0, note)


def one_run(unit, status, text):
    """The outcome of a program whose last line says what came of it."""
    lines = text.strip().splitlines()
    return Outcome(unit, int(status == 0), int(status != 0), 0, lines[-1] if lines else "")


def soak(log):
    build_release(log, "tandem")
    return one_run("runs", *log.run("tools/soak.py", "build/release/tandem", "600"))


def faults(log):
    build_release(log, "tandem")
    build(log, "bench", "bench_fault_soak")
    return one_run("runs", *log.run("build/bench/bench/bench_fault_soak", "build/release/tandem", "--for", "1800"))


def judged(text, status):
    """The counts that `tandem prove` prints at its end."""
    counts = re.search(r"(\d+) of (\d+) seeds failed", text)
    if counts is None:
        raise Failed(f"tandem prove ended with status {status} and without its counts")
    failed = int(counts[1])
    return Outcome("seeds", int(counts[2]) - failed, failed, 0, text[: counts.start()].splitlines()[-1].strip(", "))


def prove(log):
    build_release(log, "tandem")
    folder = OUT / "prove"  # for the recordings of seeds that fail
    folder.mkdir(exist_ok=True)
    seeds = number("TANDEM_PROVE_SEEDS", PROVE_SEEDS, 1_000_000)
    program = ROOT / "build/release/tandem"
    status, text = log.run(program, "prove", "--stepped", "--seeds", str(seeds), "--jobs", str(JOBS), cwd=folder)
    stepped = judged(text, status)
    real = -(-seeds // PROVE_REAL)
    status, text = log.run(program, "prove", "--seeds", str(real), "--jobs", str(PROVE_JOBS), cwd=folder)
    outcome = judged(text, status)
    return Outcome("seeds", stepped.passed + outcome.passed, stepped.failed + outcome.failed, 0,
                   f"stepped {stepped.note}; then {outcome.note}")


def package(log):
    log.must("tools/setup", "package")
    build_release(log, "tandem", "tandem_python")
    return ctest(log, "release", "-R", PACKAGES)


def fuzz_minutes():
    targets = len(re.findall(r"^tandem_fuzz\(", (ROOT / "fuzz/CMakeLists.txt").read_text(), re.M))
    return 10 + targets * FUZZ_SECONDS // (60 * JOBS)


def build_time(log):
    return one_run("runs", *log.run("bench/build_time.py", "--check"))


# In the order of a whole run. Minutes: two cores, a warm compiler cache.
STAGES = {
    "release": (release, 30, "every test in release: peers, Python, an installation, the examples"),
    "asan": (asan, 25, "every test under ASan+UBSan, and a short fuzz"),
    "tsan": (tsan, 60, "every test under ThreadSanitizer"),
    "fuzz": (fuzz, fuzz_minutes, "every fuzz target for 120 s (TANDEM_FUZZ_SECONDS=N: for N)"),
    "tidy": (tidy, 40, "clang-tidy over every source"),
    "soak": (soak, 12, "the demo for 10 minutes: memory, threads and descriptors stay"),
    "faults": (faults, 35, "half an hour of faults on all machines, judged by the physics"),
    "prove": (prove, 5 + PROVE_SEEDS * 20 // (60 * 4 * JOBS) + PROVE_SEEDS * 20 // (60 * PROVE_REAL * PROVE_JOBS),
              "1,000 seeds of `tandem prove --stepped`, runs of 20 s, and 100 in real time (TANDEM_PROVE_SEEDS=N)"),
    "build": (build_time, 8, "a cold build without a compiler cache: at most 9.5 core-minutes"),
    "package": (package, 20, "the Debian packages in a fresh Debian, as root"),
}


def about(name):
    """Its minutes."""
    minutes = STAGES[name][1]
    return minutes() if callable(minutes) else minutes


def took(length):
    return f"{int(length) // 60} min {int(length) % 60:02} s"


def run_stage(name):
    """Its closing line, and whether all of it passed."""
    begun = time.monotonic()
    with (OUT / f"{name}.txt").open("w") as file:
        log = Log(file)
        log.say(f"\n==== {name}: {STAGES[name][2]}")
        try:
            outcome = STAGES[name][0](log)
            good, text = outcome.failed == 0, outcome.text()
        except (Failed, OSError) as error:
            good, text = False, f"not completed: {error}"
        line = f"{name:<8} {'passed' if good else 'FAILED'}  {took(time.monotonic() - begun)}: {text}"
        log.say(f"\n{line}")
    return line, good


def main(words):
    if words == ["--list"]:
        for name, (_, _, what) in STAGES.items():
            print(f"{name:<8} {about(name):>4} min  {what}")
        print(f"{'all':<8} {sum(map(about, STAGES)):>4} min  ./test --full")
        return 0
    for word in words:
        if word not in STAGES:
            print(f"./test --full: expected stages of {', '.join(STAGES)}, got {word}; ./test --list describes them",
                  file=sys.stderr)
            return 2
    OUT.mkdir(parents=True, exist_ok=True)
    closing = [run_stage(name) for name in (dict.fromkeys(words) or STAGES)]
    table = "\n".join(line for line, _ in closing)
    (OUT / "summary.txt").write_text(table + "\n")
    print(f"\n==== Summary (build/full)\n{table}")
    return 0 if all(good for _, good in closing) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
