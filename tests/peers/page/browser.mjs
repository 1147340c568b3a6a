// SPDX-License-Identifier: Apache-2.0
// A headless Chromium, and a page in it that tells what it sends to the program.
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";

const binaries = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function openBrowser() {
  const binary = binaries.find((path) => path && existsSync(path));
  if (!binary) throw new Error("no Chromium here: apt-get install chromium (tools/packages-test.txt), or set CHROMIUM");
  return puppeteer.launch({
    executablePath: binary,
    headless: true,
    protocolTimeout: 180_000,
    args: ["--no-sandbox", "--disable-gpu-rasterization", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
  });
}

// Half of the pixels either way: little to draw where there is no graphics card.
export const desktop = { width: 1280, height: 800, deviceScaleFactor: 0.5 };
export const small = { width: 720, height: 480, deviceScaleFactor: 0.5 };
export const phone = { width: 360, height: 740, isMobile: true, hasTouch: true };
export const phoneOnItsSide = { width: 740, height: 360, isMobile: true, hasTouch: true };

// `sent` holds the frames that the page has sent, as { binary, op, text }. A calm page draws ten pictures a second.
export async function openPage(browser, address, { viewport = desktop, hash = "theme=dark", calm = true } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(90_000);
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: calm ? "reduce" : "no-preference" }]);
  // What the program says can be said for it.
  await page.evaluateOnNewDocument(() => {
    window.WebSocket = class extends WebSocket {
      constructor(...how) {
        super(...how);
        window.lastSocket = this;
      }
    };
  });
  page.sent = [];
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(error.message));
  const wire = await page.createCDPSession();
  await wire.send("Network.enable");
  wire.on("Network.webSocketFrameSent", ({ response }) => {
    const binary = response.opcode === 2;
    const bytes = binary ? Buffer.from(response.payloadData, "base64") : undefined;
    page.sent.push({ binary, op: bytes?.[0], text: binary ? bytes.subarray(5).toString() : response.payloadData, at: Date.now() });
  });
  await page.goto(`${address}#${hash}`, { waitUntil: "domcontentloaded" });
  await page.waitForFunction("window.tandem?.ready === true", { polling: 200 });
  return page;
}

// What moves a machine or changes it: a call of a service, a message on a topic, a parameter.
export const commands = (page) =>
  page.sent.filter(({ binary, op, text }) => (binary ? op === 1 || op === 2 : text.includes('"setParameters"')));
export const published = (page) => page.sent.filter(({ binary, op }) => binary && op === 1);

export const machine = (page, name) =>
  page.evaluate((wanted) => window.tandem.machines().find((one) => one.name === wanted), name);

export const machineIs = (page, name, by, timeout = 60_000) =>
  page.waitForFunction(
    (wanted, values) => {
      const one = window.tandem.machines().find((each) => each.name === wanted);
      return one && Object.entries(values).every(([key, value]) => one[key] === value);
    },
    { timeout, polling: 100 },
    name,
    by,
  );

// Waits until a frame of the machine is elsewhere than now by a tenth of a millimetre, or turned as much.
export async function moves(page, name, timeout = 60_000) {
  const before = (await machine(page, name)).frames;
  await page.waitForFunction(
    (wanted, then) => {
      const now = window.tandem.machines().find((one) => one.name === wanted).frames;
      return now.length > 0 && (then.length !== now.length || now.some((x, i) => Math.abs(x - then[i]) > 1e-4));
    },
    { timeout, polling: 100 },
    name,
    before,
  );
}

// How many pixels become others where a machine is drawn, of a copy of that part of the 3D view: the other machines
// move too. Ends as soon as it is `enough`. A drawing can be read in the frame in which it was made only; frames without
// one are left out.
export const pixelsThatChange = (page, name, enough, seconds = 30) =>
  page.evaluate(
    async (machine, wanted, most) => {
      const source = document.querySelector("#view canvas");
      const copy = new OffscreenCanvas(120, 120).getContext("2d", { willReadFrequently: true });
      const { left, top, right, bottom } = window.tandem.outline(machine);
      const [x, y, width, height] = [left * source.width, top * source.height, (right - left) * source.width, (bottom - top) * source.height];
      const look = () => {
        copy.clearRect(0, 0, 120, 120);
        copy.drawImage(source, x, y, width, height, 0, 0, 120, 120);
        return copy.getImageData(0, 0, 120, 120).data;
      };
      const end = performance.now() + 1000 * most;
      let first, changed = 0;
      while (changed < wanted && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        const now = await new Promise((resolve) => requestAnimationFrame(() => resolve(look())));
        if (!now.some((value) => value > 0)) continue;
        first ??= now;
        let differ = 0;
        for (let i = 0; i < now.length; i += 4)
          if ([0, 1, 2].reduce((sum, k) => sum + Math.abs(now[i + k] - first[i + k]), 0) > 24) differ += 1;
        changed = Math.max(changed, differ);
      }
      return changed;
    },
    name,
    enough,
    seconds,
  );

export const pressTab = (page, name) =>
  page.evaluate((wanted) => [...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === wanted).click(), name);

// Holds the first jog of the open controls, or goes along the first slider, while `act` runs.
export async function moveByHand(page, act) {
  await page.waitForSelector(".jog:not([aria-disabled]), .slider input:not(:disabled)", { timeout: 20_000 });
  const jog = await page.$(".jog");
  if (jog) {
    await jog.focus();
    await page.keyboard.down("Enter");
  } else {
    await page.focus(".slider input");
    for (let at = 0; at < 15; at += 1) await page.keyboard.down("ArrowRight");
    await page.keyboard.up("ArrowRight");
  }
  try {
    await act();
  } finally {
    if (jog) await page.keyboard.up("Enter");
  }
}

// Waits for what is no state of the page: for messages that it has sent.
export async function until(what, holds, seconds = 30) {
  const end = Date.now() + 1000 * seconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pause(50);
  }
}

// Waits until the page sends nothing to any topic, and gives the number of messages so far.
export async function silent(page) {
  let count = -1;
  await until("silence", () => Date.now() - (published(page).at(-1)?.at ?? 0) > 600 && (count = published(page).length) >= 0);
  return count;
}

export const textOf = (page, selector) => page.$eval(selector, (node) => node.textContent);
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
