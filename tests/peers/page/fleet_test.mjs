// SPDX-License-Identifier: Apache-2.0
// The page of a fleet in a real browser, on two tandems and a host that is away: shows all, opens without a command, and
// stops all hosts. Usage: node fleet_test.mjs PROGRAM [PICTURE.png]
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { openBrowser, textOf, until } from "./browser.mjs";
import { endAll, place, Program, serve } from "./program.mjs";
import { result, step } from "./steps.mjs";

const [, , binary, picture] = process.argv;
const browser = await openBrowser();

async function open(address, viewport = { width: 1280, height: 800 }) {
  const page = await browser.newPage();
  await page.setViewport(viewport);
  page.calls = 0;
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(error.message));
  const wire = await page.createCDPSession();
  await wire.send("Network.enable");
  wire.on("Network.webSocketFrameSent", ({ response }) => {
    if (response.opcode === 2) page.calls += 1;
  });
  await page.goto(`${address}#theme=dark`, { waitUntil: "domcontentloaded" });
  await page.waitForSelector(".host", { timeout: 60_000 });
  return page;
}

const cardOf = (page, name) =>
  page.evaluate((wanted) => [...document.querySelectorAll(".host")].find((card) => card.getAttribute("aria-label") === wanted)?.innerText ?? "", name);
const armOf = async (host) => (await (await fetch(new URL("status.json", host.page))).json()).machines.map((machine) => machine.arm);

try {
  const environment = { ROS_AUTOMATIC_DISCOVERY_RANGE: "LOCALHOST" };
  const cell1 = await serve(binary, ["demo", "em1500", "raptorlift"], { ...environment, ROS_DOMAIN_ID: "91" });
  const cell2 = await serve(binary, ["demo", "raptorlift"], { ...environment, ROS_DOMAIN_ID: "92" });
  for (const [name, host] of [["cell1", cell1], ["cell2", cell2]]) writeFileSync(place(`${name}.token`), `${host.control}\n`, { mode: 0o600 });
  writeFileSync(
    place("hosts.yaml"),
    `hosts:\n  cell1: { page: "${new URL(cell1.page).origin}", token_file: cell1.token }\n` +
      `  cell2: { page: "${new URL(cell2.page).origin}", token_file: cell2.token }\n  cell3: { page: "http://127.0.0.1:1" }\n`,
  );
  const fleet = new Program(binary, ["fleet", place("hosts.yaml"), "page", "--listen", "127.0.0.1:0"]);
  const address = (await fleet.line(/page (http:\/\/\S+)/))[1];

  await step("all hosts are shown with their machines and clocks, and the one that is away with the reason", async () => {
    const page = await open(address);
    await until("both hosts", async () => /3 of 3 machines live/.test(await textOf(page, "#sum")), 90);
    assert.match(await cardOf(page, "cell1"), /em1500[\s\S]*virtual/);
    assert.match(await cardOf(page, "cell2"), /clock [+−][\s\S]*±/);
    assert.match(await cardOf(page, "cell3"), /Unreachable[\s\S]*nothing listens/);
    assert.match(await textOf(page, "#sum"), /2 of 3 hosts, 3 of 3 machines live; unreachable: cell3/);
    assert.equal(await page.$$eval(".host a", (links) => links.length), 3);
    assert.ok(!(await page.content()).includes("token="), "no token on the page");
    assert.ok(!page.url().includes("token="), "no token in the address");
    assert.equal(page.calls, 0, "opening the page sends no command");
    if (picture) await page.screenshot({ path: picture });
    assert.deepEqual(page.troubles, []);
    await page.close();
  });

  await step("without the token the page only shows", async () => {
    const page = await open(address.replace(/\?.*/, ""));
    await until("the state of the button", async () => (await page.$eval("#stop", (button) => button.dataset.state)) === "watch");
    await page.close();
  });

  await step("the stop reaches the hosts that are there, and says that one did not confirm", async () => {
    const page = await open(address, { width: 360, height: 740 });
    await until("the button", async () => (await page.$eval("#stop", (button) => button.dataset.state)) === "ready");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} px wide on a phone`);
    await page.click("#stop");
    await until("the answer", async () => (await page.$eval("#stop", (button) => button.dataset.state)) === "failed");
    assert.match(await textOf(page, "#stop-note"), /cell3/);
    assert.deepEqual(await armOf(cell1), ["", "stopped"]);  // the platform is only read
    assert.deepEqual(await armOf(cell2), ["stopped"]);
    await until("stopped machines", async () => /Stopped/.test(await cardOf(page, "cell1")));
    if (picture) await page.screenshot({ path: picture.replace(".png", "_phone.png") });
    await page.close();
  });

  await step("a host that ends is unreachable on the page, and nothing that it said before is left", async () => {
    const page = await open(address);
    await until("the host", async () => /em1500/.test(await cardOf(page, "cell1")));
    await cell1.end("SIGINT");
    await until("its end", async () => /Unreachable/.test(await cardOf(page, "cell1")));
    assert.doesNotMatch(await cardOf(page, "cell1"), /em1500/);
    await fleet.end("SIGINT");
    await until("the end of the program", async () => /Not connected/.test(await textOf(page, "#sum")));
    await page.close();
  });
} finally {
  await browser.close();
  await endAll();
}
process.exit(result());
