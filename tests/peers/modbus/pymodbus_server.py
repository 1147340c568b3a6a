# SPDX-License-Identifier: Apache-2.0
"""Our client against pymodbus' server: python3 pymodbus_server.py PROGRAM, called with the server's port."""

import asyncio
import subprocess
import sys

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server.async_io import ModbusTcpServer


async def main():
    tables = {name: ModbusSequentialDataBlock(0, [0] * 100) for name in ("di", "co", "hr", "ir")}
    context = ModbusServerContext(slaves=ModbusSlaveContext(zero_mode=True, **tables), single=True)
    server = ModbusTcpServer(context, address=("127.0.0.1", 0))
    serving = asyncio.ensure_future(server.serve_forever())
    await server.serving
    port = server.server.sockets[0].getsockname()[1]
    process = await asyncio.create_subprocess_exec(sys.argv[1], str(port), stdout=subprocess.PIPE)
    out, _ = await asyncio.wait_for(process.communicate(), 45)
    serving.cancel()
    print(out.decode(), end="")
    return process.returncode


sys.exit(asyncio.run(main()))
