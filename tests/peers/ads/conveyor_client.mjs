// SPDX-License-Identifier: Apache-2.0
// The npm package ads-client against the virtual PLC of a described conveyor: node conveyor_client.mjs PROGRAM, where
// PROGRAM prints "listening PORT".
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { Client } = createRequire(import.meta.url)('ads-client');

const deadline = setTimeout(() => fail(new Error('not done after 40 s')), 40000);
const plc = spawn(process.argv[2], process.argv.slice(3), { stdio: ['pipe', 'pipe', 'inherit'] });
function fail(error) {
  console.error(error);
  plc.kill();
  process.exit(1);
}

const port = await new Promise((resolve, reject) => {
  createInterface({ input: plc.stdout }).once('line', (line) => resolve(Number(line.match(/(\d+)\s*$/)[1])));
  plc.once('exit', (status) => reject(new Error(`the PLC ended with ${status}`)));
});

async function until(holds) {
  for (let i = 0; i < 1000; ++i) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never held: ${holds}`);
}

try {
  const client = new Client({ targetAmsNetId: '127.0.0.1.1.1', targetAdsPort: 851, routerAddress: '127.0.0.1',
    routerTcpPort: port, localAmsNetId: '192.168.10.20.1.1', localAdsPort: 32750, hideConsoleWarnings: true });
  await client.connect();
  const symbols = await client.getSymbols();
  assert.deepEqual(Object.values(symbols).map((symbol) => `${symbol.name} ${symbol.type}`).sort(),
    ['GVL.aBelt ARRAY [1..4] OF ST_Belt', 'GVL.bLamp BOOL', 'GVL.fSet1 REAL', 'MAIN.nLevel UINT', 'MAIN.nParts DINT',
      'MAIN.nPcAlive UDINT', 'MAIN.sText STRING(20)']);
  const belt = (await client.getDataTypes())['st_belt'];
  assert.deepEqual(belt.subItems.map((item) => `${item.name} ${item.type} ${item.offset}`),
    ['fSpeed REAL 0', 'fCurrent LREAL 8', 'eState INT 16', 'bJam BOOL 18', 'aTemp ARRAY [0..2] OF INT 20']);

  const { value } = await client.readValue('GVL.aBelt');
  assert.equal(value.length, 4);
  assert.deepEqual(Object.keys(value[0]), ['fSpeed', 'fCurrent', 'eState', 'bJam', 'aTemp']);
  // This client takes every STRING as Latin-1.
  assert.equal(Buffer.from((await client.readValue('MAIN.sText')).value, 'latin1').toString('utf8'), 'läuft');
  await assert.rejects(client.readValue('MAIN.nothing'));
  await assert.rejects(client.readValue('GVL.aBelt[5]'));

  const second = { fSpeed: 0.5, fCurrent: -2.25, eState: 2, bJam: true, aTemp: [-1, 0, 300] };
  await client.writeValue('GVL.aBelt[2]', second);
  assert.deepEqual((await client.readValue('GVL.aBelt')).value[1], second);
  assert.equal((await client.readValue('GVL.aBelt[2].aTemp[2]')).value, 300);
  await client.writeValue('GVL.fSet1', 1.25);
  await until(async () => (await client.readValue('GVL.aBelt[1].fSpeed')).value === 1.25);

  const counts = [];
  const subscription = await client.subscribeValue('MAIN.nParts', (data) => counts.push(data.value), 10);
  await until(() => counts.length >= 5);
  await client.unsubscribe(subscription);
  for (let i = 1; i < counts.length; ++i) assert.ok(counts[i] > counts[i - 1]);
  await client.disconnect();
  console.log('conveyor: ok');
  clearTimeout(deadline);
  plc.removeAllListeners('exit');
  const status = new Promise((resolve) => plc.once('exit', resolve));
  plc.stdin.end();
  assert.equal(await status, 0);
} catch (error) {
  fail(error);
}
