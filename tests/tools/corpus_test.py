# SPDX-License-Identifier: Apache-2.0
"""Every fuzz target begins with a corpus, which stays small: frames that say something new, not what a fuzzer found."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 16 << 10  # bytes, of a target
MORE = {"fast_dds": 80 << 10}  # whole conversations of two vendors, a handshake with certificates among them


def main():
    targets = set(re.findall(r"^tandem_fuzz\((\w+)", (ROOT / "fuzz/CMakeLists.txt").read_text(), re.M))
    corpora = {path.name: path for path in (ROOT / "fuzz/corpus").iterdir()}
    wrong = [f"fuzz/corpus/{name}: expected a fuzz target of this name, got none" for name in corpora.keys() - targets]
    for name in sorted(targets):
        files = list(corpora[name].iterdir()) if name in corpora else []
        size, most = sum(path.stat().st_size for path in files), MORE.get(name, MOST)
        if not files:
            wrong.append(f"fuzz/corpus/{name}: expected files, got none")
        elif size > most:
            wrong.append(f"fuzz/corpus/{name}: expected at most {most} bytes, got {size}; keep what says something new")
    print("\n".join(wrong) or f"{len(targets)} targets")
    return 1 if wrong or len(targets) < 50 else 0


sys.exit(main())
