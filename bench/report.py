# SPDX-License-Identifier: Apache-2.0
"""Figures of the benchmarks in Python, in the form of bench/report.hpp: one line of JSON each, appended to the file
that BENCH_REPORT names."""
import json
import os
import sys


def quick():
    return "BENCH_QUICK" in os.environ


def report(name, ours, unit, at_most=None, at_least=None):
    path = os.environ.get("BENCH_REPORT")
    if not path:
        return
    wanted, met = "", True
    if at_most is not None:
        wanted, met = f"at most {at_most:g} {unit}", ours <= at_most
    if at_least is not None:
        wanted, met = f"at least {at_least:g} {unit}", ours >= at_least
    row = {"bench": os.path.basename(sys.argv[0]), "name": name, "peer": "", "ours": ours, "theirs": None,
           "unit": unit, "ratio": None, "low": None, "high": None, "wanted": wanted, "met": met}
    with open(path, "a") as file:
        file.write(json.dumps(row) + "\n")
