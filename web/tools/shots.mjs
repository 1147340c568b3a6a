// SPDX-License-Identifier: Apache-2.0
// Pictures of the page against the mock, for looking at it: node tools/shots.mjs [name...]; they land in shots/.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const desk = { width: 1440, height: 900 };
const shots = {
  dark: { scenario: 'calm', hash: 'still&theme=dark', size: desk },
  light: { scenario: 'calm', hash: 'theme=light', size: desk },
  mixed: { scenario: 'mixed', hash: 'theme=dark', size: desk },
  mixed_light: { scenario: 'mixed', hash: 'theme=light', size: desk },
  cables: { scenario: 'calm', hash: 'theme=dark&machine=cable robot', size: desk, wait: 6000 },
  arm: { scenario: 'calm', hash: 'still&theme=light&machine=arm', size: desk },
  sub: { scenario: 'calm', hash: 'still&theme=dark&machine=submarine', size: desk, click: '::-p-text(Camera)' },
  platform: { scenario: 'calm', hash: 'still&theme=dark&machine=platform', size: desk },
  phone: { scenario: 'mixed', hash: 'theme=dark', size: { width: 360, height: 740, deviceScaleFactor: 2, isMobile: true, hasTouch: true } },
  replay: { scenario: 'replay', hash: 'theme=light', size: desk },
};
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(shots);
mkdirSync(join(root, 'shots'), { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu-rasterization', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

for (const name of wanted) {
  const { scenario, hash, size, wait = 3000, click } = shots[name];
  const mock = spawn(process.execPath, [join(root, 'mock/server.mjs'), '--port', '0', '--scenario', scenario]);
  const url = await new Promise((resolve) => mock.stdout.once('data', (data) => resolve(String(data).trim())));
  const page = await browser.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log(name, message.text()));
  page.on('pageerror', (error) => console.log(name, error.message));
  await page.setViewport(size);
  const began = Date.now();
  await page.goto(`${url}#${hash}`);
  await page.waitForFunction(() => window.tandem?.ready, { timeout: 30000 }).catch(() => console.log(name, 'never ready'));
  const ready = Date.now() - began;
  if (click) await page.click(click).catch((error) => console.log(name, error.message));
  await new Promise((resolve) => setTimeout(resolve, wait));
  await page.screenshot({ path: join(root, 'shots', `${name}.png`) });
  console.log(name, `first picture after ${ready} ms,`, await page.evaluate(() => window.tandem?.fps), 'fps');
  await page.close();
  mock.kill();
}
await browser.close();
