#!/usr/bin/env python3
"""Holds the folders of tandem/ to the include law of docs/architecture.md.

Usage: tools/check_includes.py tandem
Prints every include that breaks the law and exits 1, or says that it holds.
"""
import pathlib
import re
import sys

# folder -> folders whose headers it may include (itself always)
LAW = {
    "base": [],
    "yaml": ["base"],
    "plot": ["base"],
    "net": ["base"],
    "kinematics": ["base"],
    "protocols": ["base", "net"],
    "urscript": ["base"],
    "vision": ["base"],
    "ros2": ["base", "net"],
    "record": ["base", "net"],
    "web": ["base", "net"],
    "sim": ["base"],
    "machines": ["base", "yaml", "plot", "net", "kinematics", "protocols", "urscript", "ros2", "vision"],
    "runtime": ["base", "yaml", "net", "kinematics", "protocols", "urscript", "ros2", "vision", "record", "web", "sim", "machines"],
}
EVERYTHING = ["app", "python"]
# third-party header prefix -> the one folder that may see it
THIRD_PARTY = {
    "mujoco/": ["sim"],
    "fastdds/": ["ros2"],
    "fastrtps/": ["ros2"],
    "fastcdr/": ["ros2"],
    "boost/": ["web"],
    "opencv2/": ["vision"],
    "pybind11/": ["python"],
    "yaml-cpp/": ["yaml"],
    "zstd.h": ["record"],
    "libdeflate.h": ["base"],
    "cairo/": ["plot"],
    "CLI/": ["app"],
    "openssl/": ["base", "web"],
    "spdlog/": ["runtime", "app"],
    "nlohmann/": ["machines", "runtime", "app", "web", "python"],
}
# a source in machines/ whose name starts so may also use sim/
SIM_IN_MACHINES = ("virtual_", "twin")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room(path):
    """The unit that must not know its siblings: protocols/ads, machines/em1500."""
    parts = path.parts
    return parts[2] if parts[1] in ("protocols", "machines") and len(parts) > 3 else None


def broken(source, target):
    folder = source.parts[1]
    if folder in EVERYTHING:
        return None
    head = target.split("/")[0] + "/" if "/" in target else target
    if head != "tandem/":
        allowed = THIRD_PARTY.get(head)
        return f"only {' and '.join(allowed)} may see {head}" if allowed and folder not in allowed else None
    other = pathlib.PurePath(target)
    other_folder = other.parts[1]
    if other_folder == folder:
        mine, theirs = room(source), room(other)
        return f"{mine} and {theirs} must not know each other" if mine and theirs and mine != theirs else None
    if folder == "machines" and other_folder == "sim":
        return None if source.name.startswith(SIM_IN_MACHINES) else "only virtual_* and twin* of a machine may use sim"
    return None if other_folder in LAW[folder] else f"{folder} may include only {', '.join(LAW[folder]) or 'nothing'}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "tandem")
    if not root.is_dir():
        sys.exit(f"{root}: no such folder")
    found, files = [], 0
    for path in sorted(root.rglob("*.[ch]pp")):
        relative = pathlib.PurePath("tandem") / path.relative_to(root)
        if relative.parts[1] not in LAW and relative.parts[1] not in EVERYTHING:
            found.append(f"{path}: the law knows no folder {relative.parts[1]}")
        files += 1
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            if match[1] == '"' and not match[2].startswith("tandem/"):
                found.append(f"{path}:{number}: write the whole path: tandem/.../{match[2]}")
                continue
            why = broken(relative, match[2])
            if why:
                found.append(f"{path}:{number}: {match[2]}: {why}")
    print("\n".join(found) if found else f"the include law holds in {files} files")
    sys.exit(1 if found else 0)


main()
