# SPDX-License-Identifier: Apache-2.0
"""A Debian root that systemd has booted, as the first process of namespaces of its own."""
import os
import subprocess
import time
from pathlib import Path

# A new root rather than chroot: in a chroot there are no user namespaces, which PrivateUsers= needs.
BOOT = """
set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
if [ "$(stat -f -c %T /sys/fs/cgroup)" = cgroup2fs ]; then
  mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mount -t tmpfs tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/unified sys/fs/cgroup/systemd
  mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
fi
mount -t tmpfs tmpfs dev
for device in null zero full random urandom tty; do
  : >"dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm host
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ip link set lo up
pivot_root . host
umount -l /host
rmdir /host
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
  /lib/systemd/systemd --system --unit=multi-user.target --log-target=null
"""


class Booted:
    def __init__(self, root, environment):
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", **environment}
        self.log = open(root.folder.parent / f"{root.folder.name}.boot.log", "w+")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--net", "--cgroup", "--uts", "--ipc", "--fork", "--kill-child",
             "sh", "-c", BOOT, "sh", str(root.folder)], stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def first_process(self):
        """The number that it has outside."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return children[0] if children else None

    def call(self, *command, timeout=120):
        return subprocess.run(
            ["nsenter", f"--target={self.first_process()}", "--mount", "--pid", "--net", "--cgroup", "--uts", "--ipc",
             "--root", "--wd=/", *command], env=self.environment, capture_output=True, text=True, timeout=timeout)

    def run(self, *command, timeout=120):
        done = self.call(*command, timeout=timeout)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: expected status 0, got {done.returncode}\n"
                                 f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout.strip()

    def beside(self, command, user, timeout=30):
        """As this user; the finished process."""
        return self.call("runuser", "-u", user, "--", *command, timeout=timeout)

    def wait(self, limit=120):
        """Until systemd has started what there is."""
        end, said = time.monotonic() + limit, None
        while time.monotonic() < end and self.process.poll() is None:
            if self.first_process():
                said = self.call("systemctl", "is-system-running")
                if said.stdout.strip() in ("running", "degraded"):
                    return
            time.sleep(0.5)
        raise AssertionError(f"expected a running systemd, got {said and said.stdout + said.stderr}\n{self.text()}")

    def text(self):
        self.log.seek(0)
        return self.log.read()[-2000:]

    def end(self):
        first = self.first_process()
        if first:
            os.kill(int(first), 9)
        self.process.wait(40)
        self.log.close()
