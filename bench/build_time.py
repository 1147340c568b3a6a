#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time of a cold release build, for each folder of tandem/ and for its slowest units; no compiler cache.

Usage: bench/build_time.py [--targets tandem,tandem_python] [--slowest 12] [--check] [CMAKE OPTION...]
Builds what ./run builds in build/build_time, which it removes first and afterwards. Core-minutes hardly depend on what
else the computer does; the wall time does, so --check judges it only where the build had most of the processor.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/build_time"
LOG = BUILD / "units.txt"
WANTED = 9.5  # core-minutes to compile
WANTED_WALL = 5.0  # minutes on two idle cores
IDLE = 0.85  # of two cores, which the build had when nothing else ran


def compile_unit(command):
    """As the compiler launcher: runs the compiler and notes what it took."""
    code = subprocess.run(command, check=False).returncode
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = command[command.index("-o") + 1] if "-o" in command else command[-1]
    with open(os.environ["TANDEM_BUILD_TIME_LOG"], "a") as log:  # one short line: appended in one piece
        log.write(f"{usage.ru_utime + usage.ru_stime:.3f} {unit}\n")
    sys.exit(code)


def folder_of(unit):
    """objects/machines/orca/CMakeFiles/... -> machines/orca"""
    return unit.removeprefix("objects/").split("/CMakeFiles/")[0]


def excesses(core_minutes, wall, share):
    """What is above the wanted figures. share: of two cores, which the build had."""
    if core_minutes > WANTED:
        yield f"expected at most {WANTED} core-minutes to compile, got {core_minutes:.2f}"
    if share >= IDLE and wall > WANTED_WALL:
        yield f"expected at most {WANTED_WALL} minutes of wall time, got {wall:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", default="tandem,tandem_python", help="what to build (default: %(default)s)")
    parser.add_argument("--slowest", type=int, default=12, help="how many units to list (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="exit with status 1 above the wanted figures")
    arguments, options = parser.parse_known_args()
    shutil.rmtree(BUILD, ignore_errors=True)
    launcher = f"{sys.executable};{pathlib.Path(__file__).resolve()};--compile"
    subprocess.run(["cmake", "--preset", "release", "-B", BUILD, "-DTANDEM_TESTS=OFF",
                    f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", *options], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    begun = time.monotonic()
    subprocess.run(["cmake", "--build", BUILD, "--target", *arguments.targets.split(",")], check=True,
                   env=os.environ | {"TANDEM_BUILD_TIME_LOG": str(LOG)})
    wall = time.monotonic() - begun
    everything = resource.getrusage(resource.RUSAGE_CHILDREN)

    units = sorted(((float(line.split()[0]), line.split()[1]) for line in LOG.read_text().splitlines()), reverse=True)
    folders = {}
    for seconds, unit in units:
        folders[folder_of(unit)] = folders.get(folder_of(unit), 0) + seconds
    compiled = sum(folders.values())
    print(f"\n{'folder':<32}{'core-minutes':>14}{'share':>8}")
    for folder, seconds in sorted(folders.items(), key=lambda row: -row[1]):
        print(f"{folder:<32}{seconds / 60:14.2f}{100 * seconds / compiled:7.1f}%")
    print(f"\n{'slowest units':<92}{'s':>6}")
    for seconds, unit in units[:arguments.slowest]:
        print(f"{unit[-90:]:<92}{seconds:6.1f}")
    total = (everything.ru_utime + everything.ru_stime) / 60
    share = total / (wall / 60 * min(2, os.cpu_count()))
    print(f"\n{len(units)} units, {compiled / 60:.2f} core-minutes to compile (wanted: at most {WANTED}), "
          f"{total:.2f} with links and the page; {wall / 60:.1f} minutes of wall time on {os.cpu_count()} cores"
          + ("" if share >= IDLE else ", which were busy with something else"))
    shutil.rmtree(BUILD)
    above = list(excesses(compiled / 60, wall / 60, share)) if arguments.check else []
    print(*above, sep="\n", end="\n" if above else "")
    return 1 if above else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--compile"]:
        compile_unit(sys.argv[2:])
    sys.exit(main())
