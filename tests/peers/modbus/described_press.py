# SPDX-License-Identifier: Apache-2.0
"""pymodbus and mbpoll as clients of a described device: python3 described_press.py TANDEM PRESS_YAML.

Addresses are those on the wire: 40011 of the file is holding register 10.
"""

import re
import socket
import subprocess
import sys
import time

from pymodbus.client import ModbusTcpClient
from pymodbus.mei_message import ReadDeviceInformationRequest
from pymodbus.pdu import ExceptionResponse

PRESSURE, RAM, STATE, SAFETY, HEARTBEAT, VALVE, CONFIRM = 0, 10, 19, 20, 99, 100, 110


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def eventually(what, condition):
    """The first true value of the condition; waits for it."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(what)


def mbpoll(port, *arguments):
    command = ["mbpoll", "-m", "tcp", "-p", str(port), "-a", "1", "-0", "-1", "-o", "10", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30, check=False)
    return done.stdout


def mbpoll_values(text):
    return [int(value) for value in re.findall(r"^\[\d+\]:\s+(-?\d+)", text, re.MULTILINE)]


def with_pymodbus(port):
    client = ModbusTcpClient("127.0.0.1", port=port, timeout=10)
    assert client.connect()

    def holding(address, count=1):
        answer = client.read_holding_registers(address, count, slave=1)
        assert not answer.isError(), answer
        return answer.registers

    assert holding(SAFETY) == [3]
    assert holding(STATE) == [0]
    before = holding(RAM, 2)
    assert not client.write_register(VALVE, 500, slave=1).isError()  # 50 %
    eventually("the valve is read back", lambda: holding(CONFIRM) == [500])
    eventually("the press is pressing", lambda: holding(STATE) == [1])
    # Low word first: hundredths of a millimetre.
    eventually("the ram moves", lambda: sum(word << 16 * i for i, word in enumerate(holding(RAM, 2))) >
               before[0] + (before[1] << 16) + 100)
    # 3 bar for each per cent, noise of 0.3 bar.
    eventually("the pressure settles", lambda: abs(
        client.read_input_registers(PRESSURE, 1, slave=1).registers[0] - 1500) < 30)
    assert not client.write_registers(HEARTBEAT, [7, 500], slave=1).isError()
    assert holding(HEARTBEAT, 2) == [7, 500]

    for wrong in (client.read_holding_registers(RAM - 1, 2, slave=1), client.read_coils(0, 1, slave=1),
                  client.read_holding_registers(CONFIRM + 1, 1, slave=1), client.write_register(RAM, 5, slave=1)):
        assert isinstance(wrong, ExceptionResponse) and wrong.exception_code == 2, wrong
    objects = client.execute(ReadDeviceInformationRequest(read_code=2, object_id=0, slave=1, unit=1)).information
    assert objects[4] == b"press", objects
    client.close()


def with_mbpoll(port):
    out = mbpoll(port, "-t", "4", "-r", str(VALVE), "127.0.0.1", "0")
    assert "Written 1 references" in out, out
    eventually("the press is idle", lambda: mbpoll_values(
        mbpoll(port, "-t", "4", "-r", str(STATE), "-c", "1", "127.0.0.1")) == [0])
    ram = mbpoll_values(mbpoll(port, "-t", "4:int", "-r", str(RAM), "-c", "1", "127.0.0.1"))
    assert 100 < ram[0] <= 40000, ram
    out = mbpoll(port, "-t", "3", "-r", str(RAM), "-c", "1", "127.0.0.1")
    assert "Illegal data address" in out, out


listens = free_port()
device = subprocess.Popen([sys.argv[1], "virtual", "generic", sys.argv[2], "--port", str(listens)],
                          stdout=subprocess.PIPE, text=True)
try:
    line = device.stdout.readline()
    assert f"listens on modbus://127.0.0.1:{listens}" in line, line
    with_pymodbus(listens)
    with_mbpoll(listens)
finally:
    device.terminate()
    device.wait(timeout=20)
print("pymodbus and mbpoll are content")
