# SPDX-License-Identifier: Apache-2.0
"""tools/stages.py: each stage ends with one line of counts, its output is kept, and one that fails fails the whole."""
import contextlib
import importlib.util
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).parents[2]


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


stages = module(ROOT / "tools" / "stages.py")
build_time = module(ROOT / "bench" / "build_time.py")

CTEST = """
97% tests passed, 1 tests failed out of 40

Total Test time (real) =  12.00 sec

The following tests did not run:
\t 3 - a test that needs root (Skipped)
\t 9 - a test that needs a display (Skipped)

The following tests FAILED:
\t 12 - a test (with words in brackets) (Failed)
"""
FUZZ = """1/3 Testing: fuzz: first
Output:
stat::number_of_executed_units: 1200
2/3 Testing: fuzz: second
Output:
killed before it said anything
3/3 Testing: fuzz: third
Output:
stat::number_of_executed_units: 34
"""


def run(words, table):
    """Exit status, what was printed, and the files."""
    said, complained = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(stages, "STAGES", table), mock.patch.object(
            stages, "OUT", Path(folder) / "full"), contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        status = stages.main(words)
        files = {path.name: path.read_text() for path in (Path(folder) / "full").glob("*")}
    return status, said.getvalue() + complained.getvalue(), files


def good(log):
    log.must("echo", "two tests ran")
    return stages.Outcome("tests", 2)


def bad(log):
    return stages.Outcome("files", 5, 1, 3, "see a.cpp")


def broken(log):
    log.must("sh", "-c", "echo no such compiler; exit 7")
    return stages.Outcome("tests")


TABLE = {"good": (good, 1, "what passes"), "bad": (bad, 2, "what fails"), "broken": (broken, 3, "what does not build")}


class Stages(unittest.TestCase):
    def test_counts_are_those_of_ctest(self):
        self.assertEqual(stages.counted(CTEST, 8), stages.Outcome("tests", 37, 1, 2))
        self.assertEqual(stages.counted("100% tests passed, 0 tests failed out of 7\n", 0), stages.Outcome("tests", 7))
        with self.assertRaisesRegex(stages.Failed, "without its counts"):
            stages.counted("No tests were found!!!", 1)

    def test_a_build_above_the_wanted_figures_fails(self):
        self.assertEqual(list(build_time.excesses(9.4, 4.9, 0.95)), [])
        self.assertEqual(list(build_time.excesses(9.6, 4.9, 0.95)), ["expected at most 9.5 core-minutes to compile, got 9.60"])
        self.assertEqual(list(build_time.excesses(9.4, 5.2, 0.95)), ["expected at most 5.0 minutes of wall time, got 5.2"])
        self.assertEqual(list(build_time.excesses(9.4, 12.0, 0.4)), [])  # something else had the processor

    def test_executions_are_those_of_each_fuzz_target(self):
        self.assertEqual(stages.executions(FUZZ), {"first": 1200, "third": 34})

    def test_seeds_are_those_that_prove_judged(self):
        self.assertEqual(stages.judged("(1) arms 12\n1.92 times real time, 2 of 30 seeds failed\n", 1),
                         stages.Outcome("seeds", 28, 2, 0, "1.92 times real time"))
        with self.assertRaisesRegex(stages.Failed, "without its counts"):
            stages.judged("tandem: unknown machine\n", 2)

    def test_numbers_of_the_environment_are_checked(self):
        self.assertEqual(stages.number("TANDEM_NO_SUCH_NUMBER", 120, 3600), 120)
        for text in ("0", "3601", "two", "-1", ""):
            with self.subTest(text), mock.patch.dict(stages.os.environ, {"TANDEM_FUZZ_SECONDS": text}):
                with self.assertRaisesRegex(stages.Failed, "expected a number from 1 to 3600, got"):
                    stages.number("TANDEM_FUZZ_SECONDS", 120, 3600)

    def test_a_stage_keeps_its_output_and_ends_with_one_line(self):
        status, said, files = run(["good"], TABLE)
        self.assertEqual(status, 0)
        self.assertIn("two tests ran", files["good.txt"])
        last = files["good.txt"].rstrip().split("\n")[-1]
        self.assertRegex(last, r"^good +passed  0 min 0\d s: 2 of 2 tests passed, 0 failed, 0 skipped$")
        self.assertEqual(files["summary.txt"].rstrip(), last)
        self.assertIn(last, said)

    def test_one_that_fails_fails_the_whole_and_the_others_run(self):
        status, said, files = run([], TABLE)
        self.assertEqual(status, 1)
        lines = files["summary.txt"].splitlines()
        self.assertEqual([line.split()[:2] for line in lines],
                         [["good", "passed"], ["bad", "FAILED"], ["broken", "FAILED"]])
        self.assertIn("5 of 9 files passed, 1 failed, 3 skipped; see a.cpp", lines[1])
        self.assertIn("not completed: `sh -c", lines[2])
        self.assertIn("ended with status 7", lines[2])
        self.assertIn("no such compiler", files["broken.txt"])
        self.assertTrue(said.endswith(files["summary.txt"]))

    def test_named_stages_run_once_each_in_the_order_given(self):
        status, _, files = run(["bad", "good", "bad"], TABLE)
        self.assertEqual(status, 1)
        self.assertEqual([line.split()[0] for line in files["summary.txt"].splitlines()], ["bad", "good"])

    def test_an_unknown_stage_is_refused_before_anything_runs(self):
        status, said, files = run(["good", "tsam"], TABLE)
        self.assertEqual((status, files), (2, {}))
        self.assertIn("expected stages of good, bad, broken, got tsam", said)

    def test_the_list_shows_every_stage_and_the_whole(self):
        status, said, files = run(["--list"], TABLE)
        self.assertEqual((status, files), (0, {}))
        self.assertEqual([line.split()[0:2] for line in said.splitlines()],
                         [["good", "1"], ["bad", "2"], ["broken", "3"], ["all", "6"]])


if __name__ == "__main__":
    unittest.main()
