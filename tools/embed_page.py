#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes one C++ source of the built page: tools/embed_page.py web/dist OUT.cpp

Writes OUT.cpp only when the folder has changed. Without the folder the page is a note that says how to build it.
"""
import gzip
import hashlib
import pathlib
import re
import sys

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".ico": "image/x-icon",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".txt": "text/plain; charset=utf-8",
}
NOTE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tandem</title></head>
<body><h1>The page was not built</h1>
<p>Run <code>./run</code> (or <code>web/build</code> and the build of the program again).
The machines, <a href="metrics">/metrics</a> and Foxglove work without it.</p></body></html>
"""
HASHED = re.compile(r"^/assets/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$")


def literal(data):
    """A C++ string literal; three octal digits, so that a digit behind them means itself."""
    escapes = {10: "\\n", 34: '\\"', 92: "\\\\"}
    plain = lambda b: 32 <= b < 127 and b != 63  # no question marks: trigraphs
    text = "".join(escapes.get(b) or (chr(b) if plain(b) else f"\\{b:03o}") for b in data)
    # In lines, cut where no escape is.
    lines = re.findall(r"(?:\\[0-7]{3}|\\.|[^\\]){1,4000}", text) or [""]
    return "\n    ".join(f'"{line}"' for line in lines)


def view(data):
    return f"std::string_view({literal(data)}, {len(data)})" if data else "{}"


def source(files, built, key):
    rows = []
    for path in sorted(files):
        data = files[path]
        small = gzip.compress(data, 9, mtime=0)
        if len(small) >= len(data):
            small = b""
        kind = TYPES.get(pathlib.PurePosixPath(path).suffix, "application/octet-stream")
        tag = hashlib.sha256(data).hexdigest()[:32]
        rows.append(f'    {{"{path}", "{kind}", "W/\\"{tag}\\"", {"true" if HASHED.match(path) else "false"},\n'
                    f"    {view(data)},\n    {view(small)}}},\n")
    return (f"// Made by tools/embed_page.py from {key}\n"
            '#include "tandem/web/http/page_files.hpp"\n'
            '#pragma GCC diagnostic ignored "-Woverlength-strings"\n'
            "namespace tandem::web {\n"
            f"namespace {{\nconstexpr PageFile page_table[] = {{\n{''.join(rows)}}};\n}}\n"
            "std::span<const PageFile> page_files() { return page_table; }\n"
            f"bool page_built() {{ return {'true' if built else 'false'}; }}\n"
            "}  // namespace tandem::web\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    dist, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    names = sorted(p for p in dist.rglob("*") if p.is_file() and not p.name.startswith(".") and p.suffix != ".map")
    built = (dist / "index.html").is_file()
    if not built:
        names = []
    # The page and this script, by name, size and time of change.
    state = [(str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in [*names, pathlib.Path(__file__)]]
    key = hashlib.sha256(repr(state).encode()).hexdigest()
    first = out.open().readline() if out.exists() else ""
    if key in first:
        return
    files = {"/" + p.relative_to(dist).as_posix(): p.read_bytes() for p in names} or {"/index.html": NOTE.encode()}
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = out.with_suffix(".new")
    fresh.write_text(source(files, built, key))
    fresh.replace(out)


main()
