// SPDX-License-Identifier: Apache-2.0
// How soon and how smoothly the page shows `tandem demo`, all five machines, in a headless browser without a graphics
// card: the time from the navigation to the first picture, the compressed bytes of its scripts, pictures per second.
//
//   ./run --for 1 && ./test        # once: the program, and puppeteer-core in tests/peers
//   node bench/page.mjs [PROGRAM]
//
// Needs the Debian package chromium. Program and browser share the processors, so a quiet computer matters.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endAll, serve } from '../tests/peers/page/program.mjs';

// As bench/report.hpp.
function report(name, ours, unit, atMost) {
  const row = { bench: 'page.mjs', name, peer: '', ours, theirs: null, unit, ratio: null, low: null, high: null,
    wanted: atMost === undefined ? '' : `at most ${atMost} ${unit}`, met: atMost === undefined || ours <= atMost };
  if (process.env.BENCH_REPORT) appendFileSync(process.env.BENCH_REPORT, JSON.stringify(row) + '\n');
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const puppeteer = createRequire(join(root, 'tests/peers/package.json'))('puppeteer-core');
const program = process.argv[2] ?? join(root, 'build/release/tandem');
const loads = process.env.BENCH_QUICK === undefined ? 5 : 1;
const settle = 5; // s before pictures are counted
const counted = 10; // s

const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

// One load in a window of its own, with an empty cache.
async function load(browser, address) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.setViewport({ width: 1280, height: 720 });
  const wire = await page.createCDPSession();
  await wire.send('Network.enable');
  const scripts = new Map(); // requests for scripts, by the bytes of their bodies and heads as they came
  wire.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.set(requestId, 0));
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => scripts.has(requestId) && scripts.set(requestId, encodedDataLength));
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  // The page's own clock counts from the navigation.
  const ready = await page.evaluate(() =>
    new Promise((done) => {
      const look = () => (window.tandem?.ready ? done(performance.now()) : setTimeout(look, 5));
      look();
    }));
  return { context, page, ready, bytes: [...scripts.values()].reduce((sum, one) => sum + one, 0) };
}

async function picturesPerSecond(page) {
  await sleep(settle);
  const seen = [];
  for (let second = 0; second < counted; second += 1) {
    await sleep(1);
    seen.push(await page.evaluate(() => window.tandem.fps));
  }
  return median(seen);
}

const { control: address } = await serve(program, ['demo']);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  protocolTimeout: 180_000,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  await sleep(5); // all five are there
  const firsts = [];
  let bytes = 0;
  let fps = 0;
  for (let turn = 0; turn < loads; turn += 1) {
    const loaded = await load(browser, address);
    firsts.push(loaded.ready);
    bytes = loaded.bytes;
    if (turn === loads - 1) fps = await picturesPerSecond(loaded.page);
    await loaded.context.close();
  }
  const rows = [
    ['first picture, median of ' + loads + ' loads', `${median(firsts).toFixed(0)} ms`],
    ['first picture, least and most', `${Math.min(...firsts).toFixed(0)} to ${Math.max(...firsts).toFixed(0)} ms`],
    ['scripts as transferred', `${(bytes / 1024).toFixed(1)} KiB`],
    ['pictures per second, 1280x720, software', String(fps)],
    ['load of this computer', loadavg()[0].toFixed(1)],
  ];
  report('first picture, median', median(firsts), 'ms', 2000);
  report('scripts as transferred', bytes / 1000, 'kB', 400);
  report('pictures per second, 1280x720, software', Number(fps), '1/s');
  for (const [what, value] of rows) console.log(`| ${what.padEnd(40)} | ${value.padStart(16)} |`);
} finally {
  await browser.close();
  await endAll();
}
