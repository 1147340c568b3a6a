# SPDX-License-Identifier: Apache-2.0
"""Names on ROS 2 in README, docs and `--help` exist: each is asked of the demo of a machine, which another process sees
over DDS."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402
from document_test import BUILD, ROOT, Running  # noqa: E402

# Each alone, with the names of its own; then those that get a namespace beside others.
DEMOS = ("em1500", "raptorlift", "cable_robot", "orca", "ur3e", "raptorlift orca --set orca.slam=features",
         f"--config {ROOT}/examples/11_press/press.yaml")
# In code between two backticks, absolute and of words: not a part of a path, a URL or a private name (~/arm).
NAME = re.compile(r"(?<![\w/.:\"=~>}-])/[a-z]\w*(?:/[\w<>]+)*")
FOLDERS = ("/tandem/", "/etc/", "/usr/", "/var/")  # of the page and of recordings; of the system
ELSEWHERE = {
    "/metrics": "over HTTP",
    "/health": "over HTTP",
    "/ready": "over HTTP",
    "/status": "over HTTP: /status.json",
    "/dev/shm": "a folder",
    "/tmp/tandem": "a folder",
    "/run/user/UID/tandem": "a folder",
    "/run/tandem/lab/control": "the socket of a service",
    "/clock": "with `publish_clock`",
    "/lab": "a namespace of an example",
    "/cell/press": "with `namespace: /cell/press`",
    "/cell/robot_description": "with a namespace of an example",
    "/min": "a unit",
    "/s": "a unit",
    "/mavros": "a namespace of another project",
    "/hardware_bridge": "with `control: joint_commands`",
    "/stewart/extensions_em1500": "with `profile: frd`",
    "/lift2": "a namespace of an example",
    "/tmp/lab": "a file",
    "/proc/self/fd/3": "a file",
    "/dev/ttyACM0": "a serial line",
    "/chatter": "for any listener",
    "/a/_b": "an example of a hidden name",
    "/topic": "any topic of a recording",
    "/cell2/odom": "renamed by tandem merge",
    "/cell2/tandem/status": "renamed by tandem merge",
    "/fleet": "over HTTP: /fleet.json",
    "/incidents/NAME": "over HTTP: /incidents/NAME.html",
    "/camera/image_rect": "of the reader's camera",
    "/camera/camera_info": "of the reader's camera",
}


def documented():
    """Every name, and the documents that have it."""
    names = {}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        for code in re.findall(r"`([^`\n]+)`", text):
            for name in NAME.findall(code):
                if not name.startswith(FOLDERS) and name not in ELSEWHERE:
                    names.setdefault(name, set()).add(path.name)
    return names


def said(*arguments):
    return subprocess.run(["tandem", *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def helped(words=()):
    """Every name in the help of a command and of the commands below it, and where it is."""
    names = {}
    text = said(*words, "--help")
    for name in NAME.findall(text):
        if name not in ELSEWHERE:
            names.setdefault(name, set()).add(f"`tandem {' '.join(words)} --help`")
    below = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)
    for word in re.findall(r"^  (\w+)  ", below.group(1), re.MULTILINE) if below else ():
        for name, where in helped((*words, word)).items():
            names.setdefault(name, set()).update(where)
    return names


def names_of(machines, folder):
    """What another process sees of their demo: topics, services, actions, nodes and their namespaces."""
    demo = Running(f"tandem demo {machines} --web off", folder, os.environ)
    seen = set()
    try:
        demo.wait()
        for kind in ("topic", "service", "action", "node"):
            seen.update(said("ros", kind, "list").split())
        demo.end()
    finally:
        demo.kill()
    return seen | {name.rsplit("/", parts)[0] for name in seen for parts in range(1, name.count("/"))}


def main():
    missing = documented()
    if len(missing) < 30:  # there are about fifty
        sys.exit(f"expected the names of five machines in the documents, got {len(missing)}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            PATH=f"{BUILD}:{os.environ['PATH']}", TANDEM_CONTROL=f"{folder}/control.sock", ROS_LOCALHOST_ONLY="1"
        )
        in_help = helped()
        if len(in_help) < 8:  # there are about twelve
            sys.exit(f"expected the names of examples in --help, got {len(in_help)}")
        for name, where in in_help.items():
            missing.setdefault(name, set()).update(where)
        for machines in DEMOS * 2:  # what a busy computer has not discovered in time is looked for once more
            if missing:
                seen = names_of(machines, folder)
                missing = {name: where for name, where in missing.items() if name not in seen}
    for name, where in sorted(missing.items()):
        print(f"{', '.join(sorted(where))}: {name}: no machine of `tandem demo` has it; ELSEWHERE lists what is no name on ROS")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    alone.enter()
    main()
