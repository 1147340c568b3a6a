# SPDX-License-Identifier: Apache-2.0
"""Every fault code that begins the name of a test is explained in docs/testing.md."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main():
    page = (ROOT / "docs/testing.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("|")]
    explained = {code for row in rows for code in re.findall(r"\b[A-Z]\d+\b", row)}
    explained |= {code[0] + str(int(code[1:])) for code in explained}
    missing = {}
    for path in sorted((ROOT / "tests").rglob("*_test.cpp")):
        for code in re.findall(r'TEST_CASE\w*\([^"\n]*"([A-Z]\d{1,2})\b', path.read_text()):
            if code not in explained and code[0] + str(int(code[1:])) not in explained:
                missing.setdefault(code, path.relative_to(ROOT))
    for code, path in missing.items():
        print(f"docs/testing.md: expected a row for {code}, which a test in {path} has, got none")
    return 1 if missing or len(explained) < 100 else 0


sys.exit(main())
