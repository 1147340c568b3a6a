# SPDX-License-Identifier: Apache-2.0
"""bench/all: the page holds what was recorded, and only ratios that fell far are regressions."""
import importlib.machinery
import importlib.util
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
loader = importlib.machinery.SourceFileLoader("bench_all", str(ROOT / "bench" / "all"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_all", loader))
loader.exec_module(bench)


def row(name="read", ratio=2.0, **others):
    return {"bench": "b", "name": name, "peer": "libmodbus", "ours": 1500.0, "theirs": 3000.0, "unit": "ns",
            "ratio": ratio, "low": 1.8, "high": 2.2, "wanted": "at least 1.5x", "met": ratio >= 1.5} | others


def result(*rows):
    return {"when": "2026-01-02", "quick": False, "exit": 0, "load": [0.5, 0.25], "processor": "2 x P",
            "rows": list(rows)}


class Benchmarks(unittest.TestCase):
    def test_the_page_is_the_one_of_the_recorded_figures(self):
        self.assertEqual(bench.document(bench.recorded()), bench.DOCUMENT.read_text(), "run `bench/all --write-only`")

    def test_a_table_shows_ratio_spread_load_and_what_was_missed(self):
        text = bench.table(result(row(), row("write", 1.2)))
        self.assertIn("| read | libmodbus | 3,000 ns | 1,500 ns | 2.00x (1.80 to 2.20) | at least 1.5x |", text)
        self.assertIn("1.20x (1.80 to 2.20) | at least 1.5x, missed |", text)
        self.assertIn("Measured 2026-01-02 on 2 x P, load 0.25 to 0.5.", text)

    def test_a_table_without_peers_has_no_columns_for_them(self):
        alone = row(peer="", theirs=None, ratio=2.0) | {"ratio": None, "unit": "us", "ours": 4.25}
        self.assertIn("| read | 4.25 us | at least 1.5x |", bench.table(result(alone)))

    def test_what_was_never_measured_says_so(self):
        self.assertEqual(bench.table(None), "Not measured yet.")
        self.assertEqual(bench.table(result()), "Not measured yet.")

    def test_a_ratio_that_fell_by_more_than_a_fifth_is_a_regression(self):
        before = result(row(ratio=2.0))
        self.assertEqual(bench.regressions("modbus", before, result(row(ratio=1.61))), [])
        self.assertEqual(bench.regressions("modbus", before, result(row(ratio=1.59))),
                         ["modbus: read (libmodbus): ratio 2.00 -> 1.59"])
        self.assertEqual(bench.regressions("modbus", before, result(row("other", ratio=0.1))), [])
        self.assertEqual(bench.regressions("modbus", {}, before), [])

    def test_a_benchmark_that_crashed_or_reported_nothing_has_failed_and_a_miss_is_listed(self):
        self.assertIsNone(bench.failure(result(row())))
        self.assertEqual(bench.failure(result(row()) | {"exit": -11}), "ended by signal 11")
        self.assertEqual(bench.failure(result(row()) | {"exit": "timed out"}), "timed out")
        self.assertEqual(bench.failure(result() | {"exit": 0}), "reported nothing (exit code 0)")
        self.assertIn("exit code 1", bench.failure(result(row()) | {"exit": 1}))
        missed = result(row(), row("write", 1.2)) | {"exit": 1}
        self.assertIsNone(bench.failure(missed))
        self.assertEqual(bench.missed("modbus", missed),
                         ["modbus: write (libmodbus): 1,500 ns, wanted at least 1.5x"])


if __name__ == "__main__":
    unittest.main()
