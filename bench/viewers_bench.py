#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What viewers of all five machines cost, and what viewers that never read do to the machines' cycles.

Usage: bench/viewers_bench.py [build/release/tandem] [ROUNDS]

Starts `tandem demo`, and in turns looks at it with no viewers, with twenty viewers that take what the page takes, and with
five more that ask for every channel and never read. For each it tells the share of a core that the page's thread and
the whole program take, and the machines' own cycle histograms. Figures are sums over all rounds.
"""
import base64
import json
import os
import re
import select
import selectors
import socket
import struct
import subprocess
import sys
import tempfile
import time

from report import quick, report

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/tandem"
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1 if quick() else 3
warm_up, counted = 2, 10  # s of every phase
page_topics = {"/tandem/scene", "/tandem/picture", "/tandem/status", "/tandem/latency", "/tandem/log"}


class Viewer:
    """One WebSocket client: what it asks for is said at once, what it gets is cut into messages and counted."""

    def __init__(self, address, wants):
        self.socket = socket.create_connection(address)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET / HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n").encode())
        self.wants = wants  # topic -> bool
        self.buffer = b""
        self.topics = {}  # by subscription
        self.counts = {}
        self.newest = {}
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            sys.exit(f"the page refused a viewer: {head.decode()}")
        while not self.topics:
            self.read()

    def say(self, message):
        text = json.dumps(message).encode()
        length = struct.pack(">B", 0x80 | len(text)) if len(text) < 126 else struct.pack(">BH", 0x80 | 126, len(text))
        self.socket.sendall(b"\x81" + length + bytes(4) + text)  # the mask is zero

    def read(self):
        came = self.socket.recv(1 << 20)
        if not came:
            sys.exit("the page has closed a viewer")
        self.buffer += came
        while len(self.buffer) >= 2:
            opcode, length, begin = self.buffer[0] & 15, self.buffer[1], 2
            if length >= 126 and len(self.buffer) < 10:
                return
            if length == 126:
                length, begin = struct.unpack_from(">H", self.buffer, 2)[0], 4
            elif length == 127:
                length, begin = struct.unpack_from(">Q", self.buffer, 2)[0], 10
            if len(self.buffer) < begin + length:
                return
            body, self.buffer = self.buffer[begin:begin + length], self.buffer[begin + length:]
            self.take(opcode, body)

    def read_all(self):
        while select.select([self.socket], [], [], 0)[0]:
            self.read()

    def take(self, opcode, body):
        if opcode == 1:
            message = json.loads(body)
            if message["op"] == "advertise":
                ids = {c["id"]: c["topic"] for c in message["channels"] if self.wants(c["topic"])}
                self.topics.update(ids)
                if ids:
                    self.say({"op": "subscribe", "subscriptions": [{"id": i, "channelId": i} for i in ids]})
        elif opcode == 9:
            self.socket.sendall(struct.pack(">BB4x", 0x8A, 0x80 | len(body)) + body)
        elif opcode == 2 and body[0] == 1:
            topic = self.topics[struct.unpack_from("<I", body, 1)[0]]
            self.counts[topic] = self.counts.get(topic, 0) + 1
            self.newest[topic] = body[13:]


def ticks(pid, thread=None):
    folder = f"/proc/{pid}/task/{thread}" if thread else f"/proc/{pid}"
    fields = open(f"{folder}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def page_thread(pid):
    for thread in os.listdir(f"/proc/{pid}/task"):
        if open(f"/proc/{pid}/task/{thread}/comm").read().strip() == "page":
            return thread
    sys.exit("the program has no thread called page")


def cycles(monitor):
    """Counts of the hop `total` of all machines, by the upper edge in seconds, as they are now."""
    monitor.read_all()
    seen = monitor.counts.get("/tandem/latency", 0)
    while monitor.counts.get("/tandem/latency", 0) == seen:
        monitor.read()
    out = {}
    for machine in json.loads(monitor.newest["/tandem/latency"])["machines"]:
        for hop in machine["hops"]:
            if hop["name"] == "total":
                for edge, count in zip(hop["edges"], hop["counts"]):
                    out[edge] = out.get(edge, 0) + count
    return out


def quantile(counts, share):
    total, seen = sum(counts.values()), 0
    for edge in sorted(counts):
        seen += counts[edge]
        if seen >= share * total:
            return edge
    return 0.0


def phase(address, pid, monitor, viewers, stuck):
    readers = [Viewer(address, page_topics.__contains__) for _ in range(viewers)]
    deaf = [Viewer(address, lambda _: True) for _ in range(stuck)]
    loop = selectors.DefaultSelector()
    for reader in readers:
        loop.register(reader.socket, selectors.EVENT_READ, reader)

    def look(seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for ready, _ in loop.select(left):
                ready.data.read()

    look(warm_up)
    before = cycles(monitor)
    for reader in readers:
        reader.read_all()
    begun = time.monotonic()
    page, whole = ticks(pid, page_thread(pid)), ticks(pid)
    pictures = sum(r.counts.get("/tandem/picture", 0) for r in readers)
    look(counted)
    taken = time.monotonic() - begun
    page, whole = ticks(pid, page_thread(pid)) - page, ticks(pid) - whole
    pictures = sum(r.counts.get("/tandem/picture", 0) for r in readers) - pictures
    after = cycles(monitor)
    for viewer in readers + deaf:
        viewer.socket.close()
    return {"page": page / taken, "whole": whole / taken, "pictures": pictures / taken / max(viewers, 1),
            "cycles": {edge: count - before.get(edge, 0) for edge, count in after.items()}}


phases = {"no viewers": (0, 0), "20 viewers": (20, 0), "20 viewers, 5 stuck": (20, 5)}
with tempfile.TemporaryDirectory() as folder:
    demo = subprocess.Popen([program, "demo", "--web", "127.0.0.1:0", "--control", os.path.join(folder, "control.sock")],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in demo.stdout:
            if match := re.search(r"page http://([\d.]+):(\d+)", line):
                where = (match[1], int(match[2]))
                break
        else:
            sys.exit("the demo ended without a page")
        os.set_blocking(demo.stdout.fileno(), False)
        time.sleep(8)
        watcher = Viewer(where, lambda topic: topic == "/tandem/latency")
        results = {name: [] for name in phases}
        for number in range(rounds):
            for name, (viewers, stuck) in phases.items():
                print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
                demo.stdout.read()
                results[name].append(phase(where, demo.pid, watcher, viewers, stuck))
    finally:
        demo.terminate()
        demo.wait()

print(f"{'':22}{'page thread':>12}{'program':>9}{'pictures/s':>12}{'cycles':>9}{'p50':>9}{'p99':>9}{'p99.9':>9}")
for name, rows in results.items():
    merged = {}
    for row in rows:
        for edge, count in row["cycles"].items():
            merged[edge] = merged.get(edge, 0) + count
    mean = {key: sum(row[key] for row in rows) / len(rows) for key in ("page", "whole", "pictures")}
    report(f"page's thread, {name}", mean["page"], "of a core", at_most=0.2)
    report(f"cycles of all machines, {name}, p99", 1e6 * quantile(merged, 0.99), "us")
    print(f"{name:22}{mean['page']:12.3f}{mean['whole']:9.3f}{mean['pictures']:12.1f}{sum(merged.values()):9}"
          + "".join(f"{1e6 * quantile(merged, share):7.0f}us" for share in (0.5, 0.99, 0.999)))
print("wanted: at most 0.2 of a core for twenty viewers at 60 Hz; cycles no slower with stuck viewers than without")
