# SPDX-License-Identifier: Apache-2.0
"""Runs what a document shows, word for word: document_test.py DOCUMENT.md

Every fenced block counts by its info string:
  ```sh                 commands, run line by line (\\ at the end: goes on in the next one); one that goes on by itself
                        is waited for until it shows what it should (SHOWS) and runs on beside the lines that follow, as in another terminal
  ```sh alone           each line has ended before the next one begins
  ```sh with="tandem demo em1500"   beside this command
  ```sh exits-1="tandem replay"     commands that begin so end with status 1, which the document says
  ```yaml               a configuration, for `tandem check`; file=lab.yaml: kept under this name for the commands;
                        "..." stands for a secret, cert.pem and key.pem for a certificate of the reader
  ```python             a script
  ```sh not-run="why"   (also yaml, python, cpp, ...) shown only; the reason is for readers of the source
  ```                   text, without commands
Without TANDEM_BUILD it runs on an installed package: of the folders of a clone there is only examples, the package's.
README.md sets PATH and PYTHONPATH by a line of its own, which all other documents presume.
In a network of its own, and in a folder of its own for what is written. Examples, tests, tools and sources there are
links into the checkout, so commands must not write into those.
"""
import contextlib
import dataclasses
import os
import pty
import re
import secrets
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ["TANDEM_BUILD"]) if "TANDEM_BUILD" in os.environ else None
INSTALLED_EXAMPLES = "/usr/share/doc/tandem/examples"
PATIENCE = 90  # s for one command on a busy computer
LEAVING = 30  # s from Ctrl-C to the end
WIDTH = 120  # characters in a line of README.md; tables aside

# Commands that go on until Ctrl-C, and what each shows when it does what the document says. The first that fits.
SHOWS = [
    (r"tandem demo\b(?!.*--for )", r"event=live(.|\n)*event=ros"),
    (r"tandem run\b", r"event=(live|away)"),
    (r"tandem fleet \S+ page", r"page http"),
    (r"tandem virtual\b(?!.*--(print|help))", r"listens on|sends to"),
    (r"tandem slam\b", r"."),
    (r"tandem replay .*--as device", r"answers as recorded"),
    (r"tandem replay\b", r"page http|topics"),
    (r"tandem record\b", r"."),
    (r"tandem teleop\b", r"quit"),
    (r"tandem status --watch", r"live"),
    (r"tandem ros topic echo\b(?!.*--once)", r"\n---"),
    (r"tandem ros topic hz\b", r"average rate"),
    (r"tandem ros topic pub -r\b", r"publish"),
    (r"mbpoll\b", r"\[\d+\]:\s+-?\d"),
]
TERMINAL = r"tandem teleop\b|mbpoll\b"  # needs one, or shows nothing for long without
# What begins like one of the commands that documents have.
COMMAND = re.compile(r"\s*(\$ )?([A-Z_]+=\S+ )*((build|tests|tools)/\S+|\./\w+|tandem|ros2|node|npm|python3|mbpoll|cmake|ctest|export|pip|apt-get|openssl) ")


@dataclasses.dataclass
class Block:
    line: int
    kind: str
    marks: dict
    text: str


class Wrong(Exception):
    pass


class TooSlow(Wrong):
    pass


def blocks_of(text):
    """The fenced blocks of a document."""
    fence, inside = None, []
    for number, line in enumerate(text.splitlines(), 1):
        begins = re.match(r"( *)```(\w*)(.*)$", line)
        if fence is None and begins:
            fence, inside = (number, *begins.groups()), []
        elif fence is not None and re.match(r" *```$", line):
            number, indent, kind, rest = fence
            marks = dict(word.split("=", 1) if "=" in word else (word, "") for word in shlex.split(rest))
            unknown = set(marks) - {"alone", "with", "file", "exits-1", "not-run"}
            if unknown:
                raise Wrong(f"line {number}: expected alone, with, file, exits-1 or not-run, got {', '.join(unknown)}")
            yield Block(number, kind, marks, "\n".join(each[len(indent) :] for each in inside) + "\n")
            fence = None
        elif fence is not None:
            inside.append(line)
    if fence is not None:
        raise Wrong(f"line {fence[0]}: the block has no end")


class Running:
    """A command in a session of its own, its output in a file."""

    def __init__(self, command, folder, environment, status=0):
        self.command, self.status = command, status
        self.shows = next((shows for which, shows in SHOWS if re.search(which, command)), None)
        self.log = tempfile.TemporaryFile()
        self.terminal = None
        read_from = subprocess.DEVNULL
        if re.search(TERMINAL, command):
            self.terminal, read_from = pty.openpty()
        self.process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdin=read_from,
            stdout=read_from if self.terminal else self.log,
            stderr=self.log,
            start_new_session=True,
        )
        if self.terminal:
            os.close(read_from)
            os.set_blocking(self.terminal, False)

    def said(self):
        if self.terminal:
            with contextlib.suppress(OSError):
                os.lseek(self.log.fileno(), 0, os.SEEK_END)
                self.log.write(os.read(self.terminal, 1 << 16))
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def wrong(self, why, kind=Wrong):
        return kind(f"`{self.command}` {why}; it said:\n{self.said()[-3000:]}")

    def wait(self):
        """Until it has ended well, or shows what it should."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            code = self.process.poll()
            if self.shows and re.search(self.shows, self.said()):
                return
            if code is not None:
                if code != self.status:
                    raise self.wrong(f"ended with {code}")
                if self.shows:
                    raise self.wrong(f"ended without showing {self.shows!r}")
                return
            time.sleep(0.05)
        raise self.wrong(f"did not {'show ' + repr(self.shows) if self.shows else 'end'} within {PATIENCE} s", TooSlow)

    def end(self):
        """Ctrl-C; it must end well."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            try:
                self.process.wait(LEAVING)
            except subprocess.TimeoutExpired:
                raise self.wrong(f"did not end within {LEAVING} s of Ctrl-C") from None
        if self.process.returncode not in (self.status, 0, 130, -signal.SIGINT):
            raise self.wrong(f"ended with {self.process.returncode}")

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.log.close()
        if self.terminal:
            os.close(self.terminal)


class Document:
    """Where its blocks are run, one after the other."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ)

    def run(self, block):
        if "not-run" in block.marks:
            if len(block.marks["not-run"]) < 10:
                raise Wrong("not-run: expected the reason in words")
        elif block.kind == "sh":
            self.run_commands(block)
        elif block.kind == "yaml":
            self.check_configuration(block)
        elif block.kind == "python":
            (self.folder / "script.py").write_text(block.text)
            self.finish("/usr/bin/python3 -B script.py")
        elif block.kind:
            raise Wrong(f"{block.kind}: expected sh, yaml or python, or not-run=\"why\"")
        else:
            for line in block.text.splitlines():
                if COMMAND.match(line):
                    raise Wrong(f"`{line.strip()}` looks like a command: mark the block as sh, or as sh not-run=\"why\"")

    def start(self, command, status=0):
        return Running(command, self.folder, self.environment, status)

    def finish(self, command):
        running = self.start(command)
        try:
            running.wait()
            running.end()
        finally:
            running.kill()

    def run_commands(self, block):
        lines = [line.strip() for line in block.text.replace("\\\n", " ").splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        running = []
        try:
            if "with" in block.marks:
                running.append(self.start(block.marks["with"]))
                running[-1].wait()
            for line in lines:
                begun = time.monotonic()
                if line.startswith("export "):
                    self.export(line)
                    continue
                fails = "exits-1" in block.marks and line.startswith(block.marks["exits-1"])
                running.append(self.start(line, 1 if fails else 0))
                running[-1].wait()
                if "alone" in block.marks:
                    running[-1].end()
                print(f"  {time.monotonic() - begun:5.1f} s  {line}", flush=True)
            for each in reversed(running):
                each.end()
        finally:
            for each in running:
                each.kill()

    def export(self, line):
        told = subprocess.run(
            ["bash", "-c", f"{line}\nenv -0"], cwd=self.folder, env=self.environment, capture_output=True, check=True
        )
        pairs = told.stdout.decode().rstrip("\0").split("\0")
        self.environment = dict(pair.split("=", 1) for pair in pairs)

    def check_configuration(self, block):
        name = block.marks.get("file", "block.yaml")
        text = block.text
        if not re.search(r"^machines:", text, re.MULTILINE):  # a section of one
            text += "machines: { platform: { type: em1500, device: virtual } }\n"
        # What is the reader's own: secrets, each another one, in a file that no other user reads, and a certificate.
        text = re.sub(r'"\.\.\."', lambda _: f'"{secrets.token_hex(16)}"', text)
        if "cert.pem" in text:
            self.finish(
                "umask 077; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
                "-subj /CN=localhost -keyout key.pem -out cert.pem"
            )
        path = self.folder / name
        path.touch(0o600)
        path.write_text(text)
        self.finish(f"tandem check {name}")


def check_width(text):
    """README is read as it is, too: in a terminal."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDTH and not line.startswith("|"):
            raise Wrong(f"line {number}: expected at most {WIDTH} characters, got {len(line)}")


def make_folder(folder):
    """As the top of the checkout looks to a command, with a docs/pictures of its own."""
    if BUILD is None:
        (folder / "examples").symlink_to(INSTALLED_EXAMPLES)
        return
    for each in ROOT.iterdir():
        if each.name not in ("build", "docs", ".git"):
            (folder / each.name).symlink_to(each)
    (folder / "build").mkdir()
    (folder / "build/release").symlink_to(BUILD)
    (folder / "docs/pictures").mkdir(parents=True)


def main(path):
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_folder(folder)
        os.environ.update(TANDEM_CONTROL=f"{folder}/control.sock", ROS_LOCALHOST_ONLY="1")
        if BUILD is None:
            os.environ.pop("PYTHONPATH", None)
        elif path.name == "README.md":
            os.environ.pop("PYTHONPATH", None)
            os.environ["PATH"] = os.pathsep.join(
                each for each in os.environ["PATH"].split(os.pathsep) if not (Path(each) / "tandem").exists()
            )
        else:
            os.environ.update(
                PATH=f"{folder}/build/release:{os.environ['PATH']}", PYTHONPATH=f"{folder}/build/release/python"
            )
        document = Document(folder)
        try:
            blocks = list(blocks_of(path.read_text()))
            if path.name == "README.md":
                check_width(path.read_text())
        except Wrong as wrong:
            sys.exit(f"{path}: {wrong}")
        for block in blocks:
            marked = "".join(f" {key}={value!r}" if value else f" {key}" for key, value in block.marks.items())
            print(f"{path.name}:{block.line} {block.kind or 'text'}{marked}", flush=True)
            try:
                try:
                    document.run(block)
                except TooSlow as wrong:  # as a computer that is busy with other tests is
                    if "TANDEM_FULL" in os.environ:
                        raise
                    print(f"FAILED ONCE: {path}:{block.line}: {wrong}", flush=True)
                    document.run(block)
            except Wrong as wrong:
                failed += 1
                print(f"FAILED: {path}:{block.line}: {wrong}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    alone.enter()
    main(Path(sys.argv[1]))
