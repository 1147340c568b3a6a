# SPDX-License-Identifier: Apache-2.0
"""pymodbus' client against our server: python3 pymodbus_client.py PROGRAM."""

import sys

from pymodbus.client import ModbusTcpClient
from pymodbus.mei_message import ReadDeviceInformationRequest
from pymodbus.other_message import ReadExceptionStatusRequest, ReportSlaveIdRequest
from pymodbus.pdu import ExceptionResponse
from started import started

with started(sys.argv[1]) as port:
    client = ModbusTcpClient("127.0.0.1", port=port, timeout=10)
    assert client.connect()
    assert client.read_input_registers(0x108, 1, slave=1).registers == [10]
    assert client.read_holding_registers(16, 2, slave=1).registers == [0x1DC0, 0xFFFE]
    inputs = client.read_discrete_inputs(0x1C4, 22, slave=1).bits[:22]
    assert inputs == [bool((0x35DBAC >> i) & 1) for i in range(22)], inputs

    coils = [i % 3 == 0 for i in range(37)]
    assert not client.write_coils(0x130, coils, slave=1).isError()
    assert client.read_coils(0x130, 37, slave=1).bits[:37] == coils
    assert not client.write_coil(8194, True, slave=1).isError()
    assert client.read_coils(2, 1, slave=1).bits[0]

    words = list(range(100, 132))
    assert not client.write_registers(0x160, words, slave=1).isError()
    assert client.read_holding_registers(0x160, 32, slave=1).registers == words
    assert not client.write_register(0x160, 0x12, slave=1).isError()
    assert not client.mask_write_register(0x160, 0xF2, 0x25, slave=1).isError()
    exchanged = client.readwrite_registers(
        read_address=0x160, read_count=2, write_address=0x161, write_registers=[5, 6], slave=1)
    assert exchanged.registers == [0x17, 5], exchanged.registers

    assert client.execute(ReadExceptionStatusRequest(slave=1, unit=1)).status == 0x55
    identifier = client.execute(ReportSlaveIdRequest(slave=1, unit=1))
    assert b"LMB tandem" in bytes(identifier.identifier), identifier.identifier
    objects = client.execute(ReadDeviceInformationRequest(read_code=2, object_id=0, slave=1, unit=1)).information
    assert objects == {0: b"Tandem", 1: b"virtual", 2: b"1.0", 4: b"RaptorLift"}, objects

    wrong = client.read_holding_registers(0x180, 1, slave=1)
    assert isinstance(wrong, ExceptionResponse) and wrong.exception_code == 2
    assert client.read_input_registers(0x108, 1, slave=1).registers == [10]
    client.close()
print("pymodbus is content")
