#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time of a cold release build, for each folder of tandem/ and for its slowest units; no compiler cache.

Usage: bench/build_time.py [--targets tandem,tandem_python] [--slowest 12] [CMAKE OPTION...]
Builds what ./run builds in build/build_time, which it removes first and afterwards. Core-minutes hardly depend on what
else the computer does; the wall time does.
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
WANTED = 9.5  # core-minutes


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", default="tandem,tandem_python", help="what to build (default: %(default)s)")
    parser.add_argument("--slowest", type=int, default=12, help="how many units to list (default: %(default)s)")
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
    print(f"\n{len(units)} units, {compiled / 60:.2f} core-minutes to compile (wanted: at most {WANTED}), "
          f"{total:.2f} with links and the page; {wall / 60:.1f} minutes of wall time on {os.cpu_count()} cores")
    shutil.rmtree(BUILD)


if sys.argv[1:2] == ["--compile"]:
    compile_unit(sys.argv[2:])
main()
