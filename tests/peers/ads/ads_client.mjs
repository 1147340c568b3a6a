// SPDX-License-Identifier: Apache-2.0
// The npm package ads-client against our PLC: node ads_client.mjs PROGRAM, where PROGRAM prints "listening TCP UDP".
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { ADS, Client } = createRequire(import.meta.url)('ads-client');

const deadline = setTimeout(() => fail(new Error('not done after 40 s')), 40000);
const plc = spawn(process.argv[2], { stdio: ['pipe', 'pipe', 'inherit'] });
function fail(error) {
  console.error(error);
  plc.kill();
  process.exit(1);
}

const port = await new Promise((resolve, reject) => {
  createInterface({ input: plc.stdout }).once('line', (line) => resolve(Number(line.split(' ')[1])));
  plc.once('exit', (status) => reject(new Error(`the PLC ended with ${status}`)));
});

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const made = (settings) =>
  new Client({ targetAmsNetId: '127.0.0.1.1.1', targetAdsPort: 851, routerAddress: '127.0.0.1', routerTcpPort: port,
    hideConsoleWarnings: true, ...settings });

async function metadata(client) {
  const info = await client.readDeviceInfo();
  assert.equal(info.deviceName, 'Plc30 App');
  assert.deepEqual([info.majorVersion, info.minorVersion, info.versionBuild], [3, 1, 4024]);
  const state = await client.readPlcRuntimeState();
  assert.equal(state.adsStateStr, 'Run');
  const system = await client.readTcSystemState();
  assert.equal(system.adsStateStr, 'Run');

  const symbols = await client.getSymbols();
  assert.equal(Object.keys(symbols).length, 11);
  const pose = symbols['main.stem1500pose'];
  assert.equal(pose.size, 48);
  assert.equal(pose.type, 'ST_Pose');
  const types = await client.getDataTypes();
  assert.equal(types['st_pose'].subItems.length, 6);
  const upload = await client.readPlcUploadInfo();
  assert.equal(upload.symbolCount, 11);
  assert.equal(await client.readPlcSymbolVersion(), 2);
}

async function values(client) {
  const { value } = await client.readValue('MAIN.stEM1500Pose');
  assert.deepEqual(Object.keys(value), ['surge', 'sway', 'heave', 'roll', 'pitch', 'yaw']);
  assert.equal(value.surge, 0.1);
  assert.equal(value.yaw, -0.03);
  assert.ok(Math.abs(value.heave) <= 0.2);
  assert.equal((await client.readValue('main.stem1500pose.SURGE')).value, 0.1);

  const mixed = { flag: true, value: 1.5, count: -7, text: 'tandem' };
  await client.writeValue('MAIN.stMixed', mixed);
  assert.deepEqual((await client.readValue('MAIN.stMixed')).value, mixed);
  // Element by element: this client writes the size of an element once per dimension.
  for (const [index, number] of [['1,0', 1], ['1,1', 2], ['1,2', 3], ['2,0', 4], ['2,1', 5], ['2,2', 6]])
    await client.writeValue(`MAIN.aGrid[${index}]`, number);
  assert.deepEqual((await client.readValue('MAIN.aGrid')).value, [[1, 2, 3], [4, 5, 6]]);
  assert.equal((await client.readValue('MAIN.aGrid[2,1]')).value, 5);
  await client.writeValue('MAIN.sName', 'EM1500');
  assert.equal((await client.readValue('MAIN.sName')).value, 'EM1500');
  await client.writeValue('MAIN.rxEtherCatBridge.em1500.eta', [1, 2, 3, 4, 5, 6.5]);
  const platform = (await client.readValue('MAIN.rxEtherCatBridge')).value.em1500;
  assert.deepEqual([platform.eta[5], platform.eta_tt.length], [6.5, 6]);
  await assert.rejects(client.readValue('MAIN.nothing'));
}

async function raw(client) {
  const handle = await client.createVariableHandle('MAIN.stMixed.value');
  assert.equal(handle.size, 8);
  assert.equal(handle.dataType, 'LREAL');
  assert.equal((await client.readRawByHandle(handle)).readDoubleLE(), 1.5);
  const number = Buffer.alloc(8);
  number.writeDoubleLE(-2.25);
  await client.writeRawByHandle(handle, number);
  assert.equal((await client.readRawByPath('MAIN.stMixed.value')).readDoubleLE(), -2.25);
  await client.deleteVariableHandle(handle);
  await assert.rejects(client.readRawByHandle(handle));

  await client.writeRaw(0x4020, 16, Buffer.from([1, 2, 3]));
  assert.deepEqual([...(await client.readRaw(0x4020, 16, 3))], [1, 2, 3]);
  const many = await client.readRawMulti([
    { indexGroup: 0x4020, indexOffset: 16, size: 2 },
    { indexGroup: 0x4020, indexOffset: 0x7fffffff, size: 4 },
    { indexGroup: 0x4020, indexOffset: 18, size: 1 },
  ]);
  assert.deepEqual(many.map((one) => one.success), [true, false, true]);
  assert.deepEqual([...many[2].value], [3]);
  const handles = await client.createVariableHandleMulti(['MAIN.fTime', 'MAIN.nothing', 'MAIN.bEnable']);
  assert.deepEqual(handles.map((one) => one.success), [true, false, true]);
  await client.writeRawMulti([{ indexGroup: 0x4020, indexOffset: 40, value: Buffer.from([9]) }]);
  assert.equal((await client.readRaw(0x4020, 40, 1))[0], 9);
  const released = await client.deleteVariableHandleMulti([handles[0].handle, handles[2].handle]);
  assert.ok(released.every((one) => one.success));
  await assert.rejects(client.readRaw(0x4025, 0x10000, 4), (error) => error.adsError.errorCode === 0x701);
}

async function notifications(client) {
  const times = [];
  const stamps = [];
  const cyclic = await client.subscribeValue('MAIN.fTime', (data) => {
    times.push(data.value);
    stamps.push(data.timestamp.getTime());
  }, 10, false);
  const changes = [];
  const changed = await client.subscribeValue('MAIN.bEnable', (data) => changes.push(data.value), 10);
  await sleep(300);
  await client.writeValue('MAIN.bEnable', true);
  await sleep(200);
  await client.writeValue('MAIN.bEnable', false);
  await sleep(500);
  await client.unsubscribe(cyclic);
  await client.unsubscribe(changed);
  const count = times.length;
  assert.ok(count >= 20, `${count} samples in a second`);
  for (let i = 1; i < count; ++i) assert.ok(times[i] > times[i - 1] && stamps[i] >= stamps[i - 1]);
  assert.ok(Math.abs(stamps[count - 1] - Date.now()) < 5000);
  assert.deepEqual(changes, [false, true, false]);
  await sleep(100);
  assert.equal(times.length, count);
}

async function control(client) {
  await client.stopPlc();
  assert.equal((await client.readPlcRuntimeState()).adsStateStr, 'Stop');
  await client.startPlc();
  assert.equal((await client.readPlcRuntimeState()).adsStateStr, 'Run');
  await client.restartPlc();
  assert.equal((await client.readPlcRuntimeState()).adsStateStr, 'Run');
}

try {
  for (const settings of [{}, { localAmsNetId: '192.168.10.20.1.1', localAdsPort: 32750 }]) {
    const client = made(settings);
    await client.connect();
    for (const part of [metadata, values, raw, notifications, control]) {
      await part(client);
      console.log(`${part.name}: ok`);
    }
    await client.disconnect();
  }
  clearTimeout(deadline);
  plc.removeAllListeners('exit');
  const status = new Promise((resolve) => plc.once('exit', resolve));
  plc.stdin.end();
  assert.equal(await status, 0);
} catch (error) {
  fail(error);
}
