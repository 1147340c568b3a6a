# SPDX-License-Identifier: Apache-2.0
"""Replaces this process by `tandem run` of one machine, configured by the arguments of a ROS 2 node.

What the machine is called, where its device is and which options it has is asked of the program (`tandem options
MACHINE --yaml`), so that this package holds no copy of it.
"""
import difflib
import json
import os
import re
import shutil
import subprocess
import sys

import yaml

from .arguments import Refused, read_arguments, without_ros_libraries

MISSING = """expected the program `tandem` on the PATH, got none; do one of
  sudo apt install ./build/package/tandem_*.deb        # the Debian package, made by tools/package
  export PATH=FOLDER_OF_TANDEM/build/release:$PATH     # a build of its source: ./run builds it
and start this node again"""
NO_OPTION = {"type", "use_sim_time"}  # not in the machine's table of options


def start(machine, original=None, settings=None, arguments=None):
    """Of one machine type: `settings` are options that differ from its defaults, `original` translates parameters of
    the machine's original node: a function from all parameters to options of Tandem. Returns an exit status only when
    nothing was started."""
    try:
        program = find_program()
        given = list(sys.argv[1:] if arguments is None else arguments)
        replace(program, *command(program, machine, given, original, settings or {}))
    except Refused as refused:
        print(f"{os.path.basename(sys.argv[0])}: {refused}", file=sys.stderr)
        return 2


def main():
    """`tandem_node MACHINE` starts one machine, `tandem_node lab.yaml` the machines of a configuration file."""
    first, rest = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if first in ("", "-h", "--help", "--ros-args"):
        print(f"usage: tandem_node MACHINE|CONFIG.yaml [OPTIONS of tandem run] [--ros-args ...]\n{main.__doc__}")
        return 0 if first in ("-h", "--help") else 2
    if not first.endswith((".yaml", ".yml")):
        return start(first, arguments=rest)
    try:
        given = read_arguments(rest, "")
        if given.parameters or given.node or given.namespace != "/":
            raise Refused(f"{first}: its machines have their options and names in the file; expected no -p and no -r, got some")
        program = find_program()
        replace(program, ["run", first, *log(given), *given.rest], given.enclave)
    except Refused as refused:
        print(f"tandem_node: {refused}", file=sys.stderr)
        return 2


def find_program():
    program = shutil.which("tandem")
    if program is None:
        raise Refused(MISSING)
    return program


def command(program, machine, arguments, original, settings):
    """The arguments of tandem, with a configuration that it can read, and the security enclave."""
    name, defaults = machine_defaults(program, machine)
    given = read_arguments(arguments, settings.get("node", defaults["node"]))
    parameters = original(given.parameters) if original else given.parameters
    for key in parameters:
        check_key(machine, key, defaults)
    text = configuration(name, machine, {**settings, **parameters}, given, defaults)
    return ["run", written(text), *log(given), *given.rest], given.enclave


def log(given):
    return ["--log", given.log_level] if given.log_level else []


def machine_defaults(program, machine):
    """Its name in a configuration and all its keys, at their defaults."""
    asked = subprocess.run(
        [program, "options", machine, "--yaml"],
        env=without_ros_libraries(dict(os.environ)),
        capture_output=True,
        text=True,
    )
    if asked.returncode != 0:
        raise Refused((asked.stderr or asked.stdout).strip())
    ((name, defaults),) = yaml.load(asked.stdout, Loader=yaml.BaseLoader)["machines"].items()
    return name, defaults


def check_key(machine, key, defaults):
    if key in NO_OPTION - {"type"} or (key in defaults and key != "type"):
        return
    near = difflib.get_close_matches(key, defaults, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise Refused(f"parameter {key}: unknown{hint} `tandem options {machine}` lists the parameters")


def configuration(name, machine, options, given, defaults):
    """As YAML. The node's name and namespace are written only where they differ from the machine's."""
    options = {"type": machine, "device": defaults["device"], **options}
    sim_time = options.pop("use_sim_time", None)
    if given.node != defaults["node"]:
        options["node"] = given.node
    if given.namespace != "/":
        options["namespace"] = given.namespace
    lines = ["machines:", f"  {name}:", *(f"    {key}: {value(each)}" for key, each in options.items())]
    if sim_time is not None:
        lines.append(f"ros: {{use_sim_time: {value(sim_time)}}}")
    return "\n".join(lines) + "\n"


def value(each):
    """One value as YAML: words and numbers as they are, everything else in quotes."""
    if isinstance(each, list):
        return "[" + ", ".join(value(item) for item in each) + "]"
    if isinstance(each, dict):
        raise Refused(f"expected a value or a list, got {json.dumps(each)}")
    return each if re.fullmatch(r"[-+.\w]+", each) else json.dumps(each, ensure_ascii=False)


def written(text):
    """A file of this process alone, which ends with it; `tandem` inherits it."""
    descriptor = os.memfd_create("configuration", 0)
    os.write(descriptor, text.encode())
    return f"/proc/self/fd/{descriptor}"


def replace(program, arguments, enclave):
    environment = without_ros_libraries(dict(os.environ))
    if enclave:
        environment["ROS_SECURITY_ENCLAVE_OVERRIDE"] = enclave
    os.execve(program, [program, *arguments], environment)
