// SPDX-License-Identifier: Apache-2.0
// The npm package modbus-serial at both ends: node modbus_serial.mjs SERVER CLIENT, where SERVER prints "listening PORT"
// and CLIENT takes a port.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const ModbusRTU = createRequire(import.meta.url)('modbus-serial');

const deadline = setTimeout(() => fail(new Error('not done after 40 s')), 40000);
const ours = spawn(process.argv[2], { stdio: ['pipe', 'pipe', 'inherit'] });
function fail(error) {
  console.error(error);
  ours.kill();
  process.exit(1);
}

async function theirClient(port) {
  const client = new ModbusRTU();
  client.setTimeout(10000);
  await client.connectTCP('127.0.0.1', { port });
  client.setID(1);
  assert.deepEqual((await client.readInputRegisters(0x108, 1)).data, [10]);
  assert.deepEqual((await client.readHoldingRegisters(16, 2)).data, [0x1dc0, 0xfffe]);
  await client.writeRegisters(0x160, [1, 2, 3]);
  await client.writeRegister(0x161, 9);
  assert.deepEqual((await client.readHoldingRegisters(0x160, 3)).data, [1, 9, 3]);
  await client.writeCoils(0x130, [true, false, true]);
  await client.writeCoil(8192, true);
  assert.deepEqual((await client.readCoils(0x130, 3)).data.slice(0, 3), [true, false, true]);
  assert.equal((await client.readCoils(0, 1)).data[0], true);
  assert.equal((await client.readDiscreteInputs(0x1c4, 22)).data[2], true);
  const identification = await client.readDeviceIdentification(2, 0);
  assert.deepEqual(identification.data, { 0: 'Tandem', 1: 'virtual', 2: '1.0', 4: 'RaptorLift' });
  await assert.rejects(client.readHoldingRegisters(0x180, 1), (error) => error.modbusCode === 2);
  // Several on their way at the same time.
  const many = await Promise.all([0, 1, 2].map((i) => client.readHoldingRegisters(0x160 + i, 1)));
  assert.deepEqual(many.map((answer) => answer.data[0]), [1, 9, 3]);
  client.close(() => {});
}

async function theirServer() {
  const words = new Uint16Array(100);
  const bits = new Uint8Array(100);
  const checked = (address, value) => {
    if (address >= 100) throw { modbusErrorCode: 2, msg: 'no such address' };
    return value();
  };
  const vector = {
    getInputRegister: (address) => checked(address, () => 0),
    getHoldingRegister: (address) => checked(address, () => words[address]),
    getCoil: (address) => checked(address, () => bits[address] === 1),
    getDiscreteInput: (address) => checked(address, () => false),
    setRegister: (address, value) => checked(address, () => { words[address] = value; }),
    setCoil: (address, value) => checked(address, () => { bits[address] = value ? 1 : 0; }),
  };
  const server = new ModbusRTU.ServerTCP(vector, { host: '127.0.0.1', port: 0, unitID: 1 });
  const port = await new Promise((resolve) => server.on('initialized', () => resolve(server._server.address().port)));
  const client = spawn(process.argv[3], [String(port), 'basic'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const status = await new Promise((resolve) => client.once('exit', resolve));
  assert.equal(status, 0);
  server.close(() => {});
}

try {
  const port = await new Promise((resolve, reject) => {
    createInterface({ input: ours.stdout }).once('line', (line) => resolve(Number(line.split(' ')[1])));
    ours.once('exit', (status) => reject(new Error(`the server ended with ${status}`)));
  });
  await theirClient(port);
  await theirServer();
  ours.stdin.end();
  clearTimeout(deadline);
  console.log('modbus-serial is content');
} catch (error) {
  fail(error);
}
