# SPDX-License-Identifier: Apache-2.0
"""The sockets of a UR controller as clients use them, written from the protocol alone: nothing of Tandem is in it."""

import contextlib
import socket
import struct
import subprocess
import sys
import threading
import time

TYPES = {
    "BOOL": "?", "UINT8": "B", "UINT32": "I", "UINT64": "Q", "INT32": "i", "DOUBLE": "d",
    "VECTOR3D": "3d", "VECTOR6D": "6d", "VECTOR6INT32": "6i", "VECTOR6UINT32": "6I",
}  # fmt: skip
PATIENCE = 20.0  # s


def connect(port):
    link = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def read(link, count):
    data = b""
    while len(data) < count:
        more = link.recv(count - len(data))
        if not more:
            raise EOFError("the controller has closed the connection")
        data += more
    return data


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {PATIENCE:.0f} s: {what}")
        time.sleep(0.005)


def farthest(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


class Rtde:
    """Both versions of the protocol; samples are kept by a thread of its own."""

    def __init__(self, port, version=2):
        self.link = connect(port)
        self.version = version
        self.state = {}
        self.samples = 0
        self.recipes = {}
        assert self.ask("V", struct.pack(">H", version)) == b"\x01"

    def send(self, kind, payload=b""):
        self.link.sendall(struct.pack(">Hc", 3 + len(payload), kind.encode()) + payload)

    def packet(self):
        size, kind = struct.unpack(">Hc", read(self.link, 3))
        return kind.decode(), read(self.link, size - 3)

    def ask(self, kind, payload=b""):
        self.send(kind, payload)
        while True:
            answered, body = self.packet()
            if answered == kind:
                return body

    def outputs(self, names, frequency=500.0):
        rate = struct.pack(">d", frequency) if self.version == 2 else b""
        body = self.ask("O", rate + ",".join(names).encode())
        types = body[self.version - 1 :].decode().split(",")
        assert all(kind in TYPES for kind in types), dict(zip(names, types))
        self.names, self.types = names, types

    def inputs(self, names):
        body = self.ask("I", ",".join(names).encode())
        types = body[1:].decode().split(",")
        if body[0] == 0:
            return types
        self.recipes[body[0]] = ">B" + "".join(TYPES[kind] for kind in types)
        return body[0]

    def write(self, recipe, *values):
        self.send("U", struct.pack(self.recipes[recipe], recipe, *values))

    def start(self):
        assert self.ask("S") == b"\x01"
        threading.Thread(target=self._listen, daemon=True).start()
        until(lambda: self.samples > 0, "the first sample")

    def _listen(self):
        with contextlib.suppress(OSError, EOFError):
            while True:
                kind, body = self.packet()
                if kind == "U":
                    self._take(body[self.version - 1 :])

    def _take(self, body):
        state, at = {}, 0
        for name, kind in zip(self.names, self.types):
            values = struct.unpack_from(">" + TYPES[kind], body, at)
            at += struct.calcsize(">" + TYPES[kind])
            state[name] = values if len(values) > 1 else values[0]
        assert at == len(body), "a sample of another length"
        self.state = state
        self.samples += 1


class Lines:
    """Dashboard and gripper: a line asks, a line answers."""

    def __init__(self, port, greeting=False):
        self.link = connect(port)
        self.file = self.link.makefile("r", newline="\n")
        self.greeting = self.file.readline().rstrip("\n") if greeting else ""

    def ask(self, text):
        self.link.sendall((text + "\n").encode())
        return self.file.readline().rstrip("\n")


class Messages:
    """Primary or secondary port: the newest sub packages and every message, by a thread of its own."""

    def __init__(self, port):
        self.link = connect(port)
        self.parts, self.messages, self.states = {}, [], 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with contextlib.suppress(OSError, EOFError):
            while True:
                size, kind = struct.unpack(">ib", read(self.link, 5))
                body = read(self.link, size - 5)
                if kind == 20:
                    self.messages.append((body[9], body[10:]))
                elif kind == 16:
                    self._split(body)

    def _split(self, body):
        at = 0
        while at < len(body):
            size, kind = struct.unpack_from(">iB", body, at)
            self.parts[kind] = body[at + 5 : at + size]
            at += size
        self.states += 1

    def said(self, kind, text=""):
        return any(which == kind and text in body.decode("latin-1") for which, body in self.messages)


@contextlib.contextmanager
def controller():
    """The virtual controller named on the command line, with its ports."""
    child = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        words = child.stdout.readline().split()
        assert words and words[0] == "listening", words
        yield {name: int(port) for name, port in (word.split("=") for word in words[1:])}
    finally:
        child.stdin.close()
        assert child.wait(PATIENCE) == 0
