// Makes the pictures and animations of the README: runs `tandem demo` for each machine, looks at its page with a headless
// browser, and keeps a few seconds of motion (animated WebP) in docs/pictures.
//
//   ./run --for 1 && ./test        # once: the program, and puppeteer-core in tests/peers
//   node tools/pictures.mjs [MACHINE...]      # TANDEM: another program than build/release/tandem
//
// Needs the Debian packages chromium and webp (img2webp).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import { endAll, serve } from '../tests/peers/page/program.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const puppeteer = createRequire(join(root, 'tests/peers/package.json'))('puppeteer-core');
const out = join(root, 'docs/pictures');

const size = { width: 800, height: 450 };
const frames = 36;
const frameMilliseconds = 125;
// How long each needs until there is something to see.
const warmUp = { em1500: 5, raptorlift: 10, cable_robot: 9, ur3e: 9, orca: 25, all: 20 };
const machines = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(warmUp);

const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

async function shoot(browser, machine) {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-pictures-'));
  const program = await serve(process.env.TANDEM ?? join(root, 'build/release/tandem'), ['demo', ...(machine === 'all' ? [] : [machine])]);
  try {
    const page = await browser.newPage();
    await page.setViewport(size);
    // No more pictures than are kept: without a graphics card each is paid for by the processor.
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.goto(`${program.page}#theme=light&picture${machine === 'all' ? '' : `&machine=${machine}`}`);
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
    console.log(`${machine}: docs/pictures/${name}.webp`);
  } finally {
    await program.end();
    rmSync(folder, { recursive: true });
  }
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  protocolTimeout: 180_000,
  args: ['--no-sandbox', '--disable-gpu-rasterization', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--hide-scrollbars'],
});
try {
  for (const machine of machines) await shoot(browser, machine);
} finally {
  await browser.close();
  await endAll();
}
