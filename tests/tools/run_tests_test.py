# SPDX-License-Identifier: Apache-2.0
"""tools/run_tests repeats what fails, reports what passed only then, and ends with the closing line of ctest."""
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLAKY = "test -e {0}/seen || {{ touch {0}/seen; exit 1; }}"
CASES = {  # tests, whether run_tests succeeds, what retried.txt has
    "all pass": ({"calm": "true"}, True, []),
    "one passes when repeated": ({"calm": "true", "G08 (a flaky one) fails once": FLAKY}, True,
                                 ["G08 (a flaky one) fails once"]),
    "one always fails": ({"flaky": FLAKY, "broken": "false"}, False, ["flaky"]),
}


def run(tests):
    with tempfile.TemporaryDirectory() as folder:
        build = Path(folder) / "build"
        build.mkdir()
        lines = [f'add_test([=[{name}]=] "/bin/sh" "-c" [=[{body.format(folder)}]=])\n' for name, body in tests.items()]
        (build / "CTestTestfile.cmake").write_text("".join(lines))
        done = subprocess.run([ROOT / "tools/run_tests", build, "2"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60)
        retried = Path(folder) / "retried.txt"
        return done, retried.read_text().splitlines() if retried.exists() else []


def main():
    wrong = []
    for name, (tests, succeeds, expected) in CASES.items():
        done, retried = run(tests)
        lines = done.stdout.rstrip("\n").split("\n")
        if (done.returncode == 0) != succeeds:
            wrong.append(f"{name}: expected {'success' if succeeds else 'failure'}, got status {done.returncode}")
        if retried != expected:
            wrong.append(f"{name}: expected {expected} in retried.txt, got {retried}")
        if not lines[-1].startswith("Total Test time"):
            wrong.append(f"{name}: expected ctest's closing line last, got {lines[-1]!r}")
        listed = [line.strip() for line in lines[-1 - len(expected):-1]] if expected else []
        if listed != expected:
            wrong.append(f"{name}: expected {expected} before the last line, got {listed}\n{done.stdout}")
    print("\n".join(wrong) or "ok")
    return 1 if wrong else 0


sys.exit(main())
