# SPDX-License-Identifier: Apache-2.0
"""docs/promises.md: every promise has a proof, and every proof exists.

A proof is inline code: `FILE: TEXT`, a test of that name (or a line of that text, where the file is no C++ test), or
`SUITE: ROW`, a row of bench/results.json that has a bound and kept it when it was last measured.
"""
import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "promises.md"
UNPROVEN = "## Not proven by a test"
LEAST = 60  # promises; fewer are a page that is no longer read right
LITERAL = r'"((?:[^"\\]|\\.)*)"'
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")  # inline code
CASE = re.compile(rf"TEST_CASE\w*\(\s*(?:[\w:<>]+\s*,\s*)?({LITERAL}(?:\s*{LITERAL})*)")


def rows_of(text):
    """The cells of each row of the tables of promises."""
    for line in text.split(UNPROVEN)[0].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and not set(cells[0]) <= {"-", ":"} and cells[0] != "promise":
            yield cells


def names_of(source):
    """The names of the tests in a C++ source."""
    return {"".join(re.findall(LITERAL, found[1])).replace('\\"', '"') for found in CASE.finditer(source)}


def slug(heading):
    """The anchor of a heading, as the site makes it."""
    plain = re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


def wrong_with_test(proof):
    """Why there is no such test; empty: there is."""
    name, text = proof.split(": ", 1)
    path = ROOT / name
    if not path.is_file():
        return f"{name} does not exist"
    source = path.read_text()
    there = text in names_of(source) if name.endswith("_test.cpp") else text in source
    return "" if there else f"{name} has no '{text}'"


def wrong_with_row(proof, results):
    """Why no benchmark proves it; empty: one does."""
    suite, name = proof.split(": ", 1)
    found = [row for row in results.get(suite, {}).get("rows", []) if row["name"] == name]
    if not found:
        return f"bench/results.json: {suite} has no row '{name}'"
    if any(not row["wanted"] for row in found):
        return f"bench/results.json: {suite}: '{name}' has no bound"
    return "" if all(row["met"] for row in found) else f"bench/results.json: {suite}: '{name}' missed its bound"


def wrong_with_link(cell):
    """Links of a row that lead nowhere."""
    targets = re.findall(r"\]\(([^)#\s]+)(?:#([^)]*))?\)", cell)
    if not targets:
        yield "expected a link to where it is promised, got none"
    for name, anchor in targets:
        path = ROOT / "docs" / name
        headings = re.findall(r"^#+ (.*)$", path.read_text(), re.M) if path.is_file() else []
        if not path.is_file() or (anchor and anchor not in map(slug, headings)):
            yield f"{name}#{anchor} does not exist"


def complaints(text, results):
    """What is wrong with the page, line by line."""
    for cells in rows_of(text):
        if len(cells) != 4 or not all(cells):
            yield f"{cells[0]}: expected promise, bound, proof and document, got {len(cells)} cells or an empty one"
            continue
        promise, _, proof, document = cells
        proofs = [code for code in (found[1] for found in CODE.findall(proof)) if ": " in code]
        if not proofs:
            yield f"{promise}: expected a proof such as `tests/FILE: NAME` or `SUITE: ROW`, got none"
        for each in proofs:
            wrong = wrong_with_test(each) if "/" in each.split(": ", 1)[0] else wrong_with_row(each, results)
            if wrong:
                yield f"{promise}: {wrong}"
        for wrong in wrong_with_link(document):
            yield f"{promise}: {wrong}"


RESULTS = {"arm": {"rows": [{"name": "back, p99", "wanted": "at most 250 ms", "met": True},
                            {"name": "late", "wanted": "at most 1 m", "met": False},
                            {"name": "CPU", "wanted": "", "met": True}]}}
LATCH = "tests/runtime/supervision/arm_latch_test.cpp: "
GOOD = f"| a promise | 1 s | `{LATCH}arming needs a live link`<br>`arm: back, p99` | [Safety](safety.md#what-it-promises) |"


class Promises(unittest.TestCase):
    def test_every_promise_has_proofs_that_exist(self):
        text = PAGE.read_text()
        results = json.loads((ROOT / "bench" / "results.json").read_text())
        self.assertGreaterEqual(len(list(rows_of(text))), LEAST)
        self.assertEqual(list(complaints(text, results)), [])

    def test_what_is_not_proven_is_listed_with_its_reason(self):
        rows = [line.split("|") for line in PAGE.read_text().split(UNPROVEN)[1].splitlines() if line.startswith("|")]
        self.assertGreater(len(rows), 2)
        for cells in rows:
            self.assertEqual(len(cells), 5, cells)
            self.assertTrue(all(cell.strip() for cell in cells[1:4]), cells)

    def test_a_good_row_has_no_complaint(self):
        self.assertEqual(list(complaints(GOOD, RESULTS)), [])

    def test_each_fault_of_a_row_is_found(self):
        for instead, words in {
                ("arming needs a live link", "arming needs a live"): "has no 'arming needs a live'",
                ("arm_latch_test", "arm_hatch_test"): "does not exist",
                ("back, p99", "back, p50"): "has no row 'back, p50'",
                ("back, p99", "late"): "'late' missed its bound",
                ("back, p99", "CPU"): "'CPU' has no bound",
                ("safety.md#what-it-promises", "safety.md#what-it-promised"): "safety.md#what-it-promised does not exist",
                ("[Safety](safety.md#what-it-promises)", "Safety"): "got none",
                (f"`{LATCH}arming needs a live link`<br>`arm: back, p99`", "tried by hand"): "expected a proof",
                ("| 1 s ", "| "): "an empty one",
        }.items():
            with self.subTest(words):
                found = list(complaints(GOOD.replace(*instead), RESULTS))
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])

    def test_names_are_whole_also_in_several_literals(self):
        source = 'TEST_CASE("one \\"of\\" "\n          "two") {}\nTEST_CASE_FIXTURE(Rig, "three") {}\n'
        self.assertEqual(names_of(source), {'one "of" two', "three"})


if __name__ == "__main__":
    unittest.main()
