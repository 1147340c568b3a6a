// SPDX-License-Identifier: Apache-2.0
// The npm package ads-client on the conveyor of the examples, as its file is served:
// node described_conveyor.mjs TANDEM CONVEYOR_YAML
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const { Client } = createRequire(import.meta.url)('ads-client');

const free = await new Promise((resolve) => {
  const server = createServer();
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const plc = spawn(process.argv[2], ['virtual', 'generic', process.argv[3], '--port', String(free)],
  { stdio: ['ignore', 'pipe', 'inherit'] });
const deadline = setTimeout(() => fail(new Error('not done after 40 s')), 40000);
function fail(error) {
  console.error(error);
  plc.kill('SIGKILL');
  process.exit(1);
}

await new Promise((resolve, reject) => {
  createInterface({ input: plc.stdout }).on('line', (line) => line.includes('listens on ads://') && resolve());
  plc.once('exit', (status) => reject(new Error(`the PLC ended with ${status}`)));
}).catch(fail);

async function until(holds) {
  for (let i = 0; i < 1000; ++i) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never held: ${holds}`);
}

try {
  const client = new Client({ targetAmsNetId: '127.0.0.1.1.1', targetAdsPort: 851, routerAddress: '127.0.0.1',
    routerTcpPort: free, localAmsNetId: '192.168.10.20.1.1', localAdsPort: 32751, hideConsoleWarnings: true });
  await client.connect();
  const symbols = await client.getSymbols();
  assert.deepEqual(Object.values(symbols).map((symbol) => `${symbol.name} ${symbol.type}`).sort(),
    ['GVL.aBelt ARRAY [1..4] OF ST_Belt', 'GVL.aCmd[1].bEnable BOOL', 'GVL.aCmd[1].fSpeed REAL',
      'MAIN.aLevel ARRAY [0..2] OF LREAL', 'MAIN.nParts UDINT', 'MAIN.nPcAlive UDINT', 'MAIN.sText STRING(80)']);
  const belt = (await client.getDataTypes())['st_belt'];
  assert.deepEqual(belt.subItems.map((item) => `${item.name} ${item.type} ${item.offset}`),
    ['fSpeed REAL 0', 'fSpeedSet REAL 4', 'fCurrent REAL 8', 'eState INT 12']);
  assert.equal((await client.readValue('MAIN.sText')).value, 'all belts run');
  const { value } = await client.readValue('GVL.aBelt');
  assert.equal(value.length, 4);
  for (const each of value) {
    assert.equal(each.eState, 1);
    assert.ok(Math.abs(each.fCurrent - 2.4) < 1);
  }
  // What is written is read back where the file says that it is confirmed.
  await client.writeValue('GVL.aCmd[1].fSpeed', 0.75);
  await until(async () => (await client.readValue('GVL.aBelt[1].fSpeedSet')).value === 0.75);
  assert.equal((await client.readValue('GVL.aBelt[2].fSpeedSet')).value, 0);
  const parts = (await client.readValue('MAIN.nParts')).value;
  await until(async () => (await client.readValue('MAIN.nParts')).value > parts);
  await assert.rejects(client.readValue('MAIN.nothing'));
  await client.disconnect();
  console.log('described conveyor: ok');
  clearTimeout(deadline);
  plc.removeAllListeners('exit');
  const ended = new Promise((resolve) => plc.once('exit', resolve));
  plc.kill('SIGINT');
  assert.equal(await ended, 0);
} catch (error) {
  fail(error);
}
