# SPDX-License-Identifier: Apache-2.0
"""Commands within the text of README and docs, `tandem WORD --option --set key=value`, exist: each is looked up in the
program's own help and in the options of its machines. Fenced blocks are run by document_test.py."""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = Path(os.environ["TANDEM_BUILD"]) / "tandem"
FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
LEAST = 90  # of such commands; there are about a hundred


def said(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def helped(words=()):
    """The help of every command, by its words."""
    text = said(*words, "--help")
    found = {words: text}
    below = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)
    for word in re.findall(r"^  (\w+)  ", below.group(1), re.MULTILINE) if below else ():
        found.update(helped((*words, word)))
    return found


def hidden():
    """Commands for packages and the site that --help does not list."""
    return {(word,): said(word, "--help") for word in ("manual", "completion")}


def commands_of(text):
    """What is between two backticks and begins with the program's name, each in one line."""
    for code in re.findall(r"`([^`]+)`", FENCED.sub("", text)):
        words = " ".join(code.split())
        if re.match(r"tandem \S", words):
            yield words


def wrong_with(command, helps, keys):
    """In words; empty: nothing."""
    words = command.split("|")[0].split()[1:]
    if words[0] == "help":  # of another command
        words = [word for word in words[1:] if word != "COMMAND"]
    if not words or words[0] in ("--help", "--version"):
        return ""
    path = ()
    while words[len(path) : len(path) + 1] and (*path, words[len(path)]) in helps:
        path = (*path, words[len(path)])
    if not path:
        return f"unknown command '{words[0]}'"
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", command):
        if not re.search(rf"{option}\b", helps[path]):
            return f"`tandem help {' '.join(path)}` has no {option}"
    for key in re.findall(r"--set (?:\w+\.)?(\w+)=", command):
        if key not in keys:
            return f"no machine has an option '{key}'"
    return ""


def main():
    helps = helped() | hidden()
    keys = set(re.findall(r"^ *(\w+)=", said("options"), re.MULTILINE))
    # What it is there to find.
    for command in ("tandem strat", "tandem demo --fro 3", "tandem virtual ur3e --set scnee=empty", "tandem ros topic --x"):
        if not wrong_with(command, helps, keys):
            sys.exit(f"`{command}`: expected to be found wrong")
    count = failed = 0
    for path in [*ROOT.glob("*.md"), ROOT / "web/README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for command in commands_of(path.read_text()):
            count += 1
            if why := wrong_with(command, helps, keys):
                failed += 1
                print(f"{path.relative_to(ROOT)}: `{command}`: {why}")
    if count < LEAST:
        sys.exit(f"expected at least {LEAST} commands in the documents, got {count}")
    return 1 if failed else 0


sys.exit(main())
