# SPDX-License-Identifier: Apache-2.0
"""The command line of a ROS 2 node: what is between --ros-args and --, and the rest.

Values stay text, as the user has written them: Tandem's own reader knows which option is a number.
"""
import dataclasses
import os
import re

import yaml


class Refused(Exception):
    """An argument that cannot be passed on, in words."""


@dataclasses.dataclass
class Arguments:
    parameters: dict  # of this node: name to text, or to a list of texts
    node: str  # after -r __node:=
    namespace: str  # after -r __ns:=; "/" unless given
    log_level: str  # of tandem --log, or empty
    enclave: str  # after --enclave, or empty
    rest: list  # for `tandem run`


LEVELS = {"debug": "debug", "info": "info", "warn": "warn", "warning": "warn", "error": "error", "fatal": "error"}
# Defaults of Tandem, which cannot be switched off one by one.
ACCEPTED = {"--enable-rosout-logs", "--enable-stdout-logs", "--enable-external-lib-logs", "--disable-external-lib-logs"}
WITH_VALUE = {
    "-p": "--param", "-r": "--remap", "-e": "--enclave",
    **{flag: flag for flag in ("--param", "--params-file", "--remap", "--enclave", "--log-level")},
}  # fmt: skip


def read_arguments(arguments, node):
    """Of a node with this name; raises Refused."""
    ros, rest = split(arguments)
    found = Arguments({}, node, "/", "", "", rest)
    given = list(pairs(ros))
    for flag, value in given:
        if flag == "--remap":
            remap(found, value, node)
    for flag, value in given:
        if flag == "--params-file":
            read_file(found, value)
    for flag, value in given:  # after the files, as in rclcpp: the command line wins
        if flag == "--param":
            read_parameter(found, value)
        elif flag == "--log-level":
            found.log_level = level(value)
        elif flag == "--enclave":
            found.enclave = value
    return found


def split(arguments):
    """Those inside --ros-args ... --, and the others."""
    ros, rest, inside = [], [], False
    for argument in arguments:
        if argument == "--ros-args":
            inside = True
        elif inside and argument == "--":
            inside = False
        else:
            (ros if inside else rest).append(argument)
    return ros, rest


def pairs(ros):
    """Each flag, by its long name, with its value."""
    left = iter(ros)
    for flag in left:
        if flag in ACCEPTED:
            continue
        if flag not in WITH_VALUE:
            raise Refused(f"--ros-args {flag}: not supported; expected one of {', '.join(sorted(WITH_VALUE))}")
        value = next(left, None)
        if value is None:
            raise Refused(f"--ros-args {flag}: expected a value after it")
        yield WITH_VALUE[flag], value


def remap(found, rule, node):
    source, target = halves(rule, "-r")
    owner, colon, name = source.rpartition(":")
    if colon and owner != node:
        return  # of another node of this command line
    if name in ("__node", "__name"):
        found.node = target
    elif name == "__ns":
        found.namespace = target if target.startswith("/") else f"/{target}"
    elif name != target:
        raise Refused(
            f"-r {rule}: Tandem does not remap single topics or services; move all of them with -r __ns:=/NAME, "
            "or relay one with `ros2 run topic_tools relay`"
        )


def read_parameter(found, rule):
    source, value = halves(rule, "-p")
    owner, colon, name = source.rpartition(":")
    if not colon or is_of(owner, found):
        found.parameters[name] = read_yaml(value, f"-p {rule}")


def read_file(found, path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise Refused(f"--params-file {path}: {error.strerror}") from None
    tree = read_yaml(text, f"--params-file {path}")
    if not isinstance(tree, dict):
        raise Refused(f"--params-file {path}: expected `NODE: {{ros__parameters: {{...}}}}`, got {tree!r}")
    for owner, parameters in nodes(tree):
        if is_of(owner, found):
            if not isinstance(parameters, dict):
                raise Refused(f"--params-file {path}: {owner}: expected names with values, got {parameters!r}")
            found.parameters.update(parameters)


def nodes(tree, path=""):
    """Every node that a file names, with its parameters."""
    for key, value in tree.items():
        if key == "ros__parameters":
            yield path or "/", value
        elif isinstance(value, dict):
            yield from nodes(value, f"{path}/{key.strip('/')}")


def is_of(pattern, found):
    """Whether `/**`, `/lab/*` or `/lab/node` means our node."""
    full = f"{found.namespace.rstrip('/')}/{found.node}"
    words = re.split(r"(\*\*|\*)", "/" + pattern.strip("/"))
    expression = "".join({"**": ".*", "*": "[^/]+"}.get(word, re.escape(word)) for word in words)
    return re.fullmatch(expression, full) is not None


def level(text):
    name = text.rpartition(":=")[2].lower()
    if name not in LEVELS:
        raise Refused(f"--log-level {text}: expected one of {', '.join(LEVELS)}")
    return LEVELS[name]


def halves(rule, flag):
    source, sign, target = rule.partition(":=")
    if not sign or not source or (flag == "-r" and not target):
        raise Refused(f"{flag} {rule}: expected NAME:=VALUE")
    return source, target


def read_yaml(text, where):
    try:
        return yaml.load(text, Loader=yaml.BaseLoader)  # scalars stay text
    except yaml.YAMLError as error:
        raise Refused(f"{where}: {error}") from None


def without_ros_libraries(environment):
    """Tandem brings its own DDS library; those of a ROS installation have the same names and other versions."""
    prefixes = [each for each in environment.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if each]
    folders = environment.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    kept = [each for each in folders if each and not any(within(each, prefix) for prefix in prefixes)]
    changed = {key: value for key, value in environment.items() if key != "LD_LIBRARY_PATH"}
    return {**changed, "LD_LIBRARY_PATH": os.pathsep.join(kept)} if kept else changed


def within(path, prefix):
    return os.path.normpath(path).startswith(os.path.normpath(prefix) + os.sep)
