# SPDX-License-Identifier: Apache-2.0
"""A fresh Debian 12 in a folder, made by debootstrap from the mirror that this computer's apt is set up with."""
import os
import shutil
import subprocess
from pathlib import Path

RELEASE = "bookworm"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def archives():
    """(URI, suite, component) of each Debian 12 archive in apt's configuration."""
    rows = output("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT) $(IDENTIFIER)")
    found = [tuple(row.split()[:3]) for row in rows.splitlines() if row.split()[3:] == ["Packages"]]
    return sorted({row for row in found if row[1].split("-")[0] == RELEASE}, key=lambda row: row[1])


class DebianRoot:
    def __init__(self, folder):
        self.folder = Path(folder)

    def make(self):
        mirror = next(uri for uri, suite, component in archives() if suite == RELEASE and component == "main")
        subprocess.run(["debootstrap", "--variant=minbase", RELEASE, str(self.folder), mirror], check=True,
                       stdout=subprocess.DEVNULL)
        sources = "".join(f"deb {uri} {suite} {component}\n" for uri, suite, component in archives())
        (self.folder / "etc/apt/sources.list").write_text(sources)
        # Proxies, and whether old lists are accepted, as on this computer.
        (self.folder / "etc/apt/apt.conf.d/90host").write_text(output("apt-config", "dump", "Acquire"))
        # There is no init: services are not to be started.
        policy = self.folder / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        for file in ("resolv.conf", "hosts"):
            shutil.copy(Path("/etc") / file, self.folder / "etc" / file)

    def copy_to(self, folder):
        subprocess.run(["cp", "-a", "--reflink=auto", str(self.folder), str(folder)], check=True)
        return DebianRoot(folder)

    def mount(self):
        """In a mount namespace of our own: it all ends with the test."""
        subprocess.run(["mount", "-t", "proc", "proc", str(self.folder / "proc")], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(self.folder / "run")], check=True)

    def put(self, *files, folder="tmp"):
        for file in files:
            shutil.copy(file, self.folder / folder)

    def path(self, path):
        return self.folder / path.lstrip("/")

    def run(self, *command, check=True, environment=None, timeout=1200):
        """In the root as root, with this computer's network."""
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                     "HOME": "/root", **(environment or {})}
        done = subprocess.run(["chroot", str(self.folder), *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env=variables, timeout=timeout, stdin=subprocess.DEVNULL)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: expected status 0, got {done.returncode}\n{done.stdout[-4000:]}")
        return done.stdout if check else done

    def start(self, command, user, environment=None, folder="/"):
        """Goes on beside the test: as this user without privileges, in a network that has loopback only."""
        record = next(line.split(":") for line in self.path("/etc/passwd").read_text().splitlines()
                      if line.startswith(user + ":"))
        inside = ["chroot", str(self.folder), "setpriv", f"--reuid={record[2]}", f"--regid={record[3]}", "--init-groups",
                  "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
                  "env", "-C", folder, *command]
        variables = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **(environment or {})}
        return Running(inside, variables, self)


class Running:
    """A process in a network of its own; others can be started beside it there."""

    def __init__(self, inside, variables, root):
        self.root, self.variables = root, variables
        script = 'ip link set lo up && exec "$@"'
        self.log = open(root.folder.parent / f"{root.folder.name}.log", "w+")
        path = {**variables, "PATH": os.environ["PATH"]}  # ip is this computer's
        self.process = subprocess.Popen(["unshare", "--net", "sh", "-c", script, "sh", *inside], env=path,
                                        stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def beside(self, command, user, timeout=30):
        """In the same network, as this user of the root; the finished process."""
        record = next(line.split(":") for line in self.root.path("/etc/passwd").read_text().splitlines()
                      if line.startswith(user + ":"))
        return subprocess.run(
            ["nsenter", f"--net=/proc/{self.process.pid}/ns/net", "chroot", str(self.root.folder), "setpriv",
             f"--reuid={record[2]}", f"--regid={record[3]}", "--init-groups", *command],
            env={**self.variables, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, capture_output=True, text=True, timeout=timeout)

    def text(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self, timeout=40):
        self.process.terminate()
        return self.process.wait(timeout)
