// SPDX-License-Identifier: Apache-2.0
// Makes the pictures and animations of the README: runs `tandem demo` for each machine, looks at its page with a headless
// browser, and keeps a few seconds of motion (animated WebP) in docs/pictures.
//
//   node tools/pictures.mjs [MACHINE...]
//
// After ./run it needs the Debian packages chromium and webp (img2webp) and the npm packages of tests/peers, and says
// which of them are missing. TANDEM: another program than build/release/tandem; CHROMIUM: another than
// /usr/bin/chromium; PICTURES: another folder than docs/pictures; FRAMES: others than 36 of each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import { endAll, serve } from '../tests/peers/page/program.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tandem = process.env.TANDEM ?? join(root, 'build/release/tandem');
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const out = process.env.PICTURES ?? join(root, 'docs/pictures');

// What is missing, each with the command that helps; empty: nothing.
function missing() {
  const problems = [];
  if (!existsSync(tandem)) problems.push(`${tandem} is missing: run ./run --for 1`);
  if (!existsSync(chromium)) problems.push(`${chromium} is missing: run apt-get install chromium`);
  try {
    execFileSync('img2webp', ['-version'], { stdio: 'ignore' });
  } catch {
    problems.push('img2webp is missing: run apt-get install webp');
  }
  try {
    peers.resolve('puppeteer-core');
  } catch {
    problems.push('the npm package puppeteer-core is missing: run tests/peers/setup');
  }
  return problems;
}

const peers = createRequire(join(root, 'tests/peers/package.json'));
const problems = missing();
if (problems.length > 0) {
  console.error(['pictures: cannot be taken yet:', ...problems].join('\n  '));
  process.exit(1);
}
const puppeteer = peers('puppeteer-core');
mkdirSync(out, { recursive: true });

const size = { width: 800, height: 450 };
const frames = Number(process.env.FRAMES ?? 36);
const frameMilliseconds = 125;
// How long each needs until there is something to see.
const warmUp = { em1500: 5, raptorlift: 10, cable_robot: 9, ur3e: 9, orca: 25, all: 20 };
const machines = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(warmUp);

const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

async function shoot(browser, machine) {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-pictures-'));
  const program = await serve(tandem, ['demo', ...(machine === 'all' ? [] : [machine])]);
  try {
    const page = await browser.newPage();
    await page.setViewport(size);
    // No more pictures than are kept: without a graphics card each is paid for by the processor.
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.goto(`${program.control}#theme=light&picture${machine === 'all' ? '' : `&machine=${machine}`}`);
    await page.waitForFunction(() => window.tandem?.ready === true, { timeout: 60000 });
    console.log(`${machine}: waiting ${warmUp[machine]} s for something to see`);
    await sleep(warmUp[machine]);
    const name = machine === 'all' ? 'page' : `page_${machine}`;
    const files = [];
    const begun = Date.now();
    let next = begun;
    for (let i = 0; i < frames; ++i) {
      files.push(join(folder, `${String(i).padStart(3, '0')}.png`));
      await page.screenshot({ path: files[i] });
      next += frameMilliseconds;
      await sleep(Math.max(0, (next - Date.now()) / 1000));
    }
    // Played as fast as it was: a busy computer takes fewer pictures of a second than were asked for.
    const milliseconds = Math.round((Date.now() - begun) / frames);
    await page.close();
    execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', '50', '-m', '6', '-d', String(milliseconds), ...files,
      '-o', join(out, `${name}.webp`)], { stdio: 'ignore' });
    console.log(`${machine}: ${join(out, name)}.webp`);
  } finally {
    await program.end();
    rmSync(folder, { recursive: true });
  }
}

const browser = await puppeteer.launch({
  executablePath: chromium,
  protocolTimeout: 180_000,
  args: ['--no-sandbox', '--disable-gpu-rasterization', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars'],
});
try {
  for (const machine of machines) await shoot(browser, machine);
} finally {
  await browser.close();
  await endAll();
}
