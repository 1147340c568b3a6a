# SPDX-License-Identifier: Apache-2.0
"""An image built by buildah from a Containerfile, on a Debian of our own in the place of the registry's debian:12."""
import json
import subprocess

from debian_root import DebianRoot


class Image:
    def __init__(self, folder):
        self.folder = folder

    def buildah(self, *arguments):
        # Without an overlay file system, a daemon or a runtime: a root user and chroot are enough.
        command = ["buildah", "--storage-driver", "vfs", "--root", self.folder / "storage", "--runroot", self.folder / "run",
                   *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=1800)
        if done.returncode != 0:
            raise AssertionError(f"buildah {' '.join(map(str, arguments))}: expected status 0, got {done.returncode}\n"
                                 f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout.strip()

    def build(self, base, file, context):
        """base: a DebianRoot, which FROM debian:12 finds."""
        container = self.buildah("from", "scratch")
        self.buildah("add", "--quiet", container, base.folder, "/")
        self.buildah("commit", "--quiet", "--rm", container, "localhost/debian:12")
        self.buildah("bud", "--isolation", "chroot", "--network", "host", "--pull-never", "--format", "docker",
                     "--file", file, "--tag", "tandem", context)
        config = json.loads(self.buildah("inspect", "--type", "image", "tandem"))["Docker"]["config"]
        self.user, self.working_folder = config["User"], config["WorkingDir"]
        self.ports, self.stop_signal = sorted(config["ExposedPorts"]), config["StopSignal"]
        self.command = [*config["Entrypoint"], *config["Cmd"]]
        kind, *self.health = config["Healthcheck"]["Test"]
        assert kind == "CMD", kind
        self.environment = dict(item.split("=", 1) for item in config["Env"] or [])
        self.root = DebianRoot(self.buildah("mount", self.buildah("from", "--pull-never", "tandem")))
        self.root.mount()

    def start(self, environment):
        """What an engine would start: the image's command as its user, in its folder."""
        return self.root.start(self.command, self.user, {**self.environment, **environment}, self.working_folder)
