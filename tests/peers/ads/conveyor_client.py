#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The requests of pyads 3 against the virtual PLC of a described conveyor, byte by byte as that library sends them.

Usage: conveyor_client.py PROGRAM [ARGUMENT...], where PROGRAM prints "listening PORT".
"""
import re
import socket
import struct
import subprocess
import sys
import time

PLC = bytes([127, 0, 0, 1, 1, 1]) + struct.pack("<H", 851)
OWN = bytes([127, 0, 0, 1, 1, 1]) + struct.pack("<H", 30000)
SYMBOL_ENTRY = 30 + 768  # pyads asks for this many bytes of a description


class Ads:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.invoke_id = 0
        self.samples = []

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            assert more, "the PLC closed the connection"
            data += more
        return data

    def packet(self):
        reserved, length = struct.unpack("<HI", self.exactly(6))
        assert reserved == 0
        header, payload = self.exactly(32), self.exactly(length - 32)
        command, flags, size, error, invoke_id = struct.unpack("<HHIII", header[16:])
        assert size == len(payload) and header[:8] == OWN and header[8:16] == PLC
        return command, error, invoke_id, payload

    def command(self, command, payload=b""):
        self.invoke_id += 1
        header = PLC + OWN + struct.pack("<HHIII", command, 4, len(payload), 0, self.invoke_id)
        self.socket.sendall(struct.pack("<HI", 0, 32 + len(payload)) + header + payload)
        while True:
            got, error, invoke_id, answer = self.packet()
            if got == 8:
                self.samples.append(answer)
                continue
            assert (got, invoke_id) == (command, self.invoke_id)
            assert error == 0, hex(error)
            return answer

    def read_write(self, group, offset, length, data):
        answer = self.command(9, struct.pack("<IIII", group, offset, length, len(data)) + data)
        result, size = struct.unpack("<II", answer[:8]) if len(answer) >= 8 else (*struct.unpack("<I", answer), 0)
        return result, answer[8 : 8 + size]

    def handle(self, name):
        result, data = self.read_write(0xF003, 0, 4, name.encode() + b"\0")
        return struct.unpack("<I", data)[0] if result == 0 else result

    def read(self, group, offset, length):
        answer = self.command(2, struct.pack("<III", group, offset, length))
        result, size = struct.unpack("<II", answer[:8])
        assert result == 0, hex(result)
        return answer[8 : 8 + size]

    def write(self, group, offset, data):
        return struct.unpack("<I", self.command(3, struct.pack("<III", group, offset, len(data)) + data))[0]

    def symbol(self, name):
        result, data = self.read_write(0xF009, 0, SYMBOL_ENTRY, name.encode() + b"\0")
        assert result == 0, hex(result)
        length, group, offset, size, code, flags, names, types, comments = struct.unpack("<6I3H", data[:30])
        assert length == len(data)
        name = data[30 : 30 + names].decode()
        return name, data[31 + names : 31 + names + types].decode(), group, offset, size


def check(ads):
    info = ads.command(1)
    assert info[:4] == bytes(4) and info[8:17] == b"Plc30 App"
    assert struct.unpack("<IHH", ads.command(4)) == (0, 5, 0)

    name, kind, group, offset, size = ads.symbol("gvl.abelt")
    assert (name, kind, size) == ("GVL.aBelt", "ARRAY [1..4] OF ST_Belt", 128)
    assert ads.symbol("GVL.aBelt[3].fCurrent")[3] == offset + 2 * 32 + 8

    # read_structure_by_name and write_structure_by_name: whole, by handle.
    belts = ads.handle("GVL.aBelt")
    image = struct.pack("<f4xdhBx3h6x", 0.5, -2.25, 2, 1, -1, 0, 300)
    assert len(image) == 32
    assert ads.write(0xF005, ads.handle("GVL.aBelt[2]"), image) == 0
    assert ads.read(0xF005, belts, 128)[32:64] == image
    assert ads.handle("GVL.aBelt[5]") == 0x710 and ads.handle("MAIN.nothing") == 0x710

    # read_list_by_name: descriptions first, then one sum read by group and offset.
    rows = [ads.symbol(each)[2:] for each in ("GVL.aBelt[2].fSpeed", "GVL.aBelt[2].bJam", "MAIN.sText")]
    request = b"".join(struct.pack("<III", *row) for row in rows)
    result, data = ads.read_write(0xF080, 3, 12 + sum(row[2] for row in rows), request)
    assert result == 0 and data[:12] == bytes(12)
    assert struct.unpack("<f", data[12:16]) == (0.5,) and data[16] == 1
    assert data[17:].split(b"\0")[0].decode() == "läuft"
    # write_list_by_name: a sum write.
    speed, lamp = ads.symbol("GVL.fSet1")[2:], ads.symbol("GVL.bLamp")[2:]
    request = struct.pack("<IIIIII", *speed, *lamp) + struct.pack("<fB", 1.25, 1)
    assert ads.read_write(0xF081, 2, 8, request) == (0, bytes(8))
    limit = time.monotonic() + 20
    while struct.unpack("<f", ads.read(0xF005, belts, 4)) != (1.25,):
        assert time.monotonic() < limit

    # get_all_symbols: the size, then everything.
    count, size = struct.unpack("<II", ads.read(0xF00F, 0, 24)[:8])
    upload = ads.read(0xF00B, 0, size)
    names = []
    while upload:
        length, names_length = struct.unpack("<I", upload[:4])[0], struct.unpack("<H", upload[24:26])[0]
        names.append(upload[30 : 30 + names_length].decode())
        upload = upload[length:]
    assert len(names) == count == 7 and "MAIN.nPcAlive" in names

    # add_device_notification on a handle; the first sample comes at once, the next with the next change.
    parts = ads.handle("MAIN.nParts")
    result, notification = struct.unpack("<II", ads.command(6, struct.pack("<IIIIII16x", 0xF005, parts, 4, 4, 0, 100000)))
    assert result == 0
    values = []
    while len(values) < 4:
        payload = ads.samples.pop(0) if ads.samples else ads.packet()[3]
        length, stamps, _, samples, handle, size = struct.unpack("<IIQIII", payload[:28])
        assert (stamps, samples, handle, size) == (1, 1, notification, 4)
        values.append(struct.unpack("<i", payload[28:32])[0])
    assert values == sorted(set(values)), values
    assert ads.command(7, struct.pack("<I", notification)) == bytes(4)
    for handle in (belts, parts):
        assert ads.write(0xF006, 0, struct.pack("<I", handle)) == 0
    assert ads.write(0xF006, 0, struct.pack("<I", belts)) != 0


def main():
    plc = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r"(\d+)\s*$", plc.stdout.readline())[1])
        check(Ads(port))
        plc.stdin.close()
        assert plc.wait(20) == 0
        print("conveyor: ok")
    finally:
        plc.kill()


main()
