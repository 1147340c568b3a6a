#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the folders of tandem/ to the include law of docs/architecture.md.

Usage: tools/check_includes.py tandem
Prints every include that breaks the law and exits 1, or reports that it holds.
"""
import pathlib
import re
import sys

# folder -> folders whose headers it may include (itself always)
LAW = {
    "base": [],
    "yaml": ["base"],
    "xml": ["base"],
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
    "machines": ["base", "yaml", "xml", "plot", "net", "kinematics", "protocols", "urscript", "ros2", "vision"],
    "runtime": ["base", "yaml", "xml", "net", "kinematics", "protocols", "urscript", "ros2", "vision", "record", "web", "sim", "machines"],
    "prove": ["base", "yaml", "net", "protocols", "ros2", "record", "machines", "runtime"],
}
EVERYTHING = ["app", "python"]
# room of a machine -> rooms of the same machine that it may include, beside itself and the machine's own folder
ROOMS = {
    "device": [],
    "schema": ["robot"],  # a description in YAML, read strictly
    "robot": [],  # a URDF: links, joints, and how they look
    "vision": [],
    "geometry": [],
    "workspace": ["geometry"],
    "solve": ["geometry", "workspace"],
    "ros": ["device", "vision", "companion", "robot"],
    "control": ["device", "ros", "vision", "geometry", "workspace", "fleet", "robot", "schema"],
    "api": ["device"],
    "fleet": [],  # a fleet master's side: the machine's commands and state, no device
    "virtual": ["geometry", "robot", "schema"],  # it meets the machine on a socket, never in memory
    "learn": ["schema"],  # proposes a description from a device or a file
    "twin": ["ros", "virtual"],
    "companion": ["ros", "virtual"],
}
KIT = "kit"  # what machines share; it knows none of them
SIM_ROOMS = ["virtual", "twin"]  # the only rooms of a machine that may use sim
RECORD_ROOMS = ["virtual"]  # that may read recordings
CHECKER = ("prove", "checker")  # judges what the others did: of them it may use only these
CHECKER_LAW = ["base", "record"]
NO_ROS_ROOMS = ["device", "virtual"]  # rooms of a machine that must not use ros2
# third-party header prefix -> the folders that may see it, or one protocol or machine of a folder
THIRD_PARTY = {
    "mujoco/": ["sim"],
    "fastdds/": ["ros2"],
    "fastrtps/": ["ros2"],
    "fastcdr/": ["ros2"],
    "boost/": ["web"],
    "opencv2/": ["vision"],
    "pybind11/": ["python"],
    "yaml-cpp/": ["yaml"],
    "tinyxml2.h": ["xml"],
    "zstd.h": ["record"],
    "libdeflate.h": ["base"],
    "mosquitto.h": ["protocols/mqtt"],
    "cairo/": ["plot"],
    "CLI/": ["app"],
    "openssl/": ["base", "web"],
    "spdlog/": ["runtime", "app"],
    "nlohmann/": ["protocols", "ros2", "machines", "runtime", "app", "web", "python"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def unit(path):
    """What must not know its siblings: protocols/ads, machines/em1500."""
    parts = path.parts
    return parts[2] if parts[1] in ("protocols", "machines") and len(parts) > 3 else None


def room(path):
    """The room of a machine that a file is in; None outside machines and in a machine's own folder."""
    parts = path.parts
    return parts[3] if parts[1] == "machines" and len(parts) > 4 else None


def is_without_ros(path):
    """Rooms without ROS, and the kit outside its room ros."""
    return room(path) in NO_ROS_ROOMS or (unit(path) == KIT and room(path) != "ros")


def broken_between_rooms(source, other):
    here, there = room(source), room(other)
    if here is None:
        return None
    if here not in ROOMS:
        return f"unknown room {here}: expected one of {', '.join(ROOMS)}"
    if there in (None, here) or there in ROOMS[here]:
        return None
    return f"{here} may include of its machine only {', '.join(ROOMS[here]) or 'the folder itself'}"


def broken(source, target):
    folder = source.parts[1]
    if folder in EVERYTHING:
        return None
    head = target.split("/")[0] + "/" if "/" in target else target
    if head != "tandem/":
        allowed = THIRD_PARTY.get(head)
        if not allowed or folder in allowed or f"{folder}/{unit(source)}" in allowed:
            return None
        return f"only {' and '.join(allowed)} may see {head}"
    other = pathlib.PurePath(target)
    other_folder = other.parts[1]
    if source.parts[1:3] == CHECKER and other.parts[1:3] != CHECKER and other_folder not in CHECKER_LAW:
        return f"the checker may include only {' and '.join(CHECKER_LAW)}"
    if other_folder == folder:
        mine, theirs = unit(source), unit(other)
        if KIT in (mine, theirs):
            if mine == KIT and theirs not in (None, KIT):
                return f"{KIT} must not know {theirs}"
            if theirs == KIT and room(other) == "ros" and is_without_ros(source):
                return f"{room(source) or KIT} must not use {KIT}/ros"
            return None
        if mine and theirs and mine != theirs:
            return f"{mine} and {theirs} must not know each other"
        return broken_between_rooms(source, other)
    if folder == "machines":
        if other_folder == "sim":
            return None if room(source) in SIM_ROOMS else f"only {' and '.join(SIM_ROOMS)} of a machine may use sim"
        if other_folder == "record":
            return None if room(source) in RECORD_ROOMS else f"only {' and '.join(RECORD_ROOMS)} of a machine may use record"
        if other_folder == "ros2" and is_without_ros(source):
            return f"{room(source) or KIT} must not use ros2"
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
