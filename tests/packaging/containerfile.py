# SPDX-License-Identifier: Apache-2.0
"""The steps of a Containerfile on a root that is there: what `podman build` and `podman run` would do, without them."""
import glob
import json
import shlex
from pathlib import Path


def steps(text):
    """(instruction, rest) of each one."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [tuple(line.split(None, 1)) for line in "\n".join(lines).replace("\\\n", " ").splitlines()]


class Image:
    def __init__(self, root):
        self.root, self.user, self.folder = root, "root", "/"
        self.environment, self.ports = {}, []
        self.entry, self.arguments, self.health, self.base = [], [], [], ""

    def build(self, file, context):
        for instruction, rest in steps(Path(file).read_text()):
            getattr(self, "do_" + instruction.lower())(rest, Path(context))

    def do_from(self, rest, _):
        self.base = rest

    def do_copy(self, rest, context):
        *sources, target = shlex.split(rest)
        files = [name for source in sources for name in glob.glob(str(context / source))]
        assert files, f"COPY {rest}: expected files, got none"
        self.root.put(*files, folder=target.strip("/"))

    def do_run(self, rest, _):
        self.root.run("sh", "-c", rest, environment=self.environment)

    def do_env(self, rest, _):
        self.environment.update(part.split("=", 1) for part in shlex.split(rest))

    def do_user(self, rest, _):
        self.user = rest

    def do_workdir(self, rest, _):
        self.folder = rest

    def do_expose(self, rest, _):
        self.ports += rest.split()

    def do_entrypoint(self, rest, _):
        self.entry = json.loads(rest)

    def do_cmd(self, rest, _):
        self.arguments = json.loads(rest)

    def do_healthcheck(self, rest, _):
        self.health = json.loads(rest[rest.index("CMD") + len("CMD"):])

    def do_stopsignal(self, rest, _):
        assert rest == "SIGTERM", rest

    def start(self, environment):
        return self.root.start([*self.entry, *self.arguments], self.user, {**self.environment, **environment}, self.folder)
