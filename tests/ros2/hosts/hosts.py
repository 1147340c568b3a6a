# SPDX-License-Identifier: Apache-2.0
"""Hosts of tests: network namespaces of their own, joined by a bridge in another. Nothing leaves them."""
import os
import subprocess
import sys
import threading
import time

DOMAIN = "42"  # the namespaces are our own
GAP = 5000  # ms without a beat (period 50 ms) that a busy test machine may show; what hangs on a lease takes 10 s
BEAT = ""  # the program of one host


def skip(why):
    print(f"SKIPPED: {why}", file=sys.stderr)
    sys.exit(77)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=20)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")


class Host:
    """A namespace with eth0, whose other end hangs at the bridge."""

    def __init__(self, number, address=True):
        self.name = "abc"[number - 1]
        self.port = f"port{number}"
        self.address = f"10.77.0.{number}"
        self.keeper = subprocess.Popen(["unshare", "-n", "sleep", "600"])
        self.node = None
        deadline = time.monotonic() + 10
        own = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self.keeper.pid}/ns/net") == own:
            if time.monotonic() > deadline:
                raise RuntimeError("no namespace")
            time.sleep(0.02)
        run("ip", "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", str(self.keeper.pid))
        run("ip", "link", "set", self.port, "master", "bridge0", "up")
        self.inside("ip", "link", "set", "lo", "up")
        self.inside("ip", "link", "set", "eth0", "up")
        if address:
            self.take_address(self.address)

    def inside(self, *words):
        run("nsenter", "-t", str(self.keeper.pid), "-n", *words)

    def popen(self, *words, **options):
        return subprocess.Popen(["nsenter", "-t", str(self.keeper.pid), "-n", *words], text=True, **options)

    def take_address(self, address):
        self.address = address
        self.inside("ip", "address", "flush", "dev", "eth0")
        self.inside("ip", "address", "add", address + "/24", "dev", "eth0")
        self.inside("ip", "route", "add", "224.0.0.0/4", "dev", "eth0")

    def start(self, mode, *peers):
        self.node = self.popen(BEAT, self.name, mode, DOMAIN, *peers, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.heard = {}
        threading.Thread(target=self.listen, args=(self.node,), daemon=True).start()

    def listen(self, node):
        for line in node.stdout:
            words = line.split()
            if self.node is node:
                self.heard = {words[i]: [int(w) for w in words[i + 1:i + 4]] for i in range(0, len(words), 4)}

    def hears(self, other):
        """Within the last 300 ms."""
        count, age, _ = self.heard.get(other.name, (0, 1e9, 0))
        return count > 0 and age < 300

    def longest_gap(self, other):
        return self.heard[other.name][2]

    def reset(self):
        self.node.stdin.write("reset\n")
        self.node.stdin.flush()
        time.sleep(0.3)

    def kill(self):
        self.node.kill()
        self.node.wait()
        self.node.stdin.close()

    def end(self):
        if self.node is not None and self.node.poll() is None:
            self.node.stdin.close()
            try:
                self.node.wait(5)
            except subprocess.TimeoutExpired:
                self.node.kill()
        self.keeper.kill()
        self.keeper.wait()


class Neighbour(Host):
    """Another process in the namespace of a host."""

    def __init__(self, host, name):
        self.name, self.keeper, self.node, self.heard = name, host.keeper, None, {}

    def end(self):
        if self.node is not None:
            self.kill()


def wait(what, condition, deadline):
    """How long it took, s."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > deadline:
            raise AssertionError(f"{what}: not within {deadline} s")
        time.sleep(0.02)
    took = time.monotonic() - begin
    print(f"{what}: {took:.2f} s", flush=True)
    return took


def all_hear(hosts):
    return all(a.hears(b) for a in hosts for b in hosts if a is not b)


def no_gap(what, *pairs):
    for a, b in pairs:
        gap = a.longest_gap(b)
        print(f"{what}: longest gap of {b.name} at {a.name} {gap} ms", flush=True)
        assert gap < GAP, f"{what}: {a.name} did not hear {b.name} for {gap} ms"


def block_multicast(hosts):
    for host in hosts:
        run("bridge", "link", "set", "dev", host.port, "mcast_flood", "off")
    run("ip", "link", "set", "bridge0", "type", "bridge", "mcast_snooping", "0")


def enter():
    """Starts this script again in a namespace with a bridge; exits with 77 where this computer cannot make one."""
    as_root = [] if os.geteuid() == 0 else ["-r"]
    if os.environ.get("TANDEM_HOSTS_INSIDE") != "yes":
        made = subprocess.run(["unshare", *as_root, "-n", "sh", "-c",
                               "ip link add bridge0 type bridge && ip link add port0 type veth peer name eth0"],
                              capture_output=True, text=True)
        if made.returncode != 0:
            skip(f"this computer does not allow network namespaces with a bridge: {made.stderr.strip()}")
        os.environ["TANDEM_HOSTS_INSIDE"] = "yes"
        os.execvp("unshare", ["unshare", *as_root, "-n", *sys.argv])
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "bridge0", "type", "bridge")
    run("ip", "link", "set", "bridge0", "up")
