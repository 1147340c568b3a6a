# SPDX-License-Identifier: Apache-2.0
"""Ports: what docs/index.md says of each virtual device is what it listens on, and what the container's image exposes."""
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import alone  # noqa: E402

ROOT = Path(__file__).parents[2]
MACHINES = ("em1500", "ur3e", "raptorlift", "cable_robot", "orca")
PAGE = ("8088", "tcp")
LISTENS, BOUND = "0A", "07"  # states in /proc/net/tcp and /proc/net/udp


def documented(machine):
    """(port, protocol) of the row of `tandem virtual MACHINE`."""
    text = (ROOT / "docs/index.md").read_text()
    row = re.search(rf"^\| `tandem virtual {machine}` \| ([^|]*) \|", text, re.MULTILINE)
    found = set()
    for protocol, numbers in re.findall(r"(TCP|UDP) ((?:\d+(?: to \d+)?(?:, | and )?)+)", row[1]):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", numbers):
            found |= {(str(port), protocol.lower()) for port in range(int(first), int(last or first) + 1)}
    return found


def open_ports(protocol, state):
    rows = [row.split() for row in Path(f"/proc/net/{protocol}").read_text().splitlines()[1:]]
    return {(str(int(row[1].split(":")[1], 16)), protocol) for row in rows if row[3] == state}


class PortsTest(unittest.TestCase):
    def test_the_table_is_what_virtual_devices_listen_on(self):
        for machine in MACHINES:
            with self.subTest(machine), tempfile.TemporaryFile() as log:
                process = subprocess.Popen([f"{os.environ['TANDEM_BUILD']}/tandem", "virtual", machine], stdout=log,
                                           stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
                try:
                    wanted = documented(machine)
                    tcp = {port for port in wanted if port[1] == "tcp"}
                    end = time.monotonic() + 60
                    while not tcp <= open_ports("tcp", LISTENS) and time.monotonic() < end and process.poll() is None:
                        time.sleep(0.05)
                    self.assertEqual(open_ports("tcp", LISTENS), tcp)
                    if machine != "orca":  # which sends to its ports
                        self.assertLessEqual(wanted - tcp, open_ports("udp", BOUND))
                finally:
                    process.terminate()
                    process.wait(30)

    def test_the_image_exposes_all_of_them_and_the_page(self):
        lines = re.findall(r"^EXPOSE (.*)$", (ROOT / "packaging/Containerfile").read_text(), re.MULTILINE)
        exposed = [tuple(port.split("/")) for line in lines for port in line.split()]
        self.assertEqual(sorted(exposed), sorted({PAGE}.union(*map(documented, MACHINES))))


if __name__ == "__main__":
    alone.enter()
    unittest.main()
