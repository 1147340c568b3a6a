// SPDX-License-Identifier: Apache-2.0
// The page in a real browser on the real program: sees every machine move, opens without a command, jogs, stops,
// resets, arms, loses and regains a link. Usage: node page_test.mjs PROGRAM demo|cable|replay|incident
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { checkFocusOrder, checkSmallScreen, checkTree } from "./access.mjs";
import { checkFirstLook, checkResize } from "./drawing.mjs";
import { checkJogs, checkParameters, checkScrolling, checkSliders, checkTwoFingers } from "./hands.mjs";
import * as browsing from "./browser.mjs";
import { endAll, freePort, place, Program, serve } from "./program.mjs";
import { result, step } from "./steps.mjs";
import { checkValues } from "./values.mjs";

const { commands, machine, machineIs, moves, openPage, pause, pressTab, published, silent, textOf, until } = browsing;
const binary = process.argv[2];
const names = ["cable_robot", "em1500", "orca", "raptorlift", "ur3e"];
// As light as can be, and patient with links: a computer that is busy with other things is no reason to disarm here.
// Platform and arm have no task here, so that what moves them is a person; the truck keeps its figure eight, which must not
// take it back from a person who has let go.
const light = ["orca.slam=features", "orca.stale_after=5", "cable_robot.feedback_timeout=5", "raptorlift.feedback_timeout=5",
  "cable_robot.task=none", "ur3e.task=none"].flatMap((option) => ["--set", option]);
const browser = await browsing.openBrowser();

async function choose(page, name) {
  await page.evaluate((wanted) => window.tandem.choose(wanted), name);
  await page.waitForFunction((wanted) => document.getElementById("drawer-title").textContent === wanted, {}, name);
}

const jog = async (page, name) =>
  (await page.$$(".jog")).at(await page.$$eval(".jog", (all, wanted) => all.findIndex((one) => one.querySelector(".jog-name").textContent === wanted), name));

const statusOf = async (program) => (await (await fetch(new URL("status.json", program.page))).json()).machines;

async function numbersOf(program, name, value) {
  return (await statusOf(program)).find((one) => one.name === name).values.find((one) => one.name === value)?.numbers ?? [];
}

// Neither drives nor turns, m/s and rad/s, now and for two seconds on: longer than any command that still counts.
async function stands(program, name) {
  const rests = async () => {
    const speeds = await numbersOf(program, name, "speed");
    return speeds.length > 0 && speeds.every((speed) => Math.abs(speed) < 0.02);
  };
  for (const end = Date.now() + 20_000; !(await rests()); await pause(100)) assert.ok(Date.now() < end, `${name} does not come to rest`);
  for (const end = Date.now() + 2000; Date.now() < end; await pause(100)) assert.ok(await rests(), `${name} moves although nobody drives it`);
}

async function seenToMove(page, name) {
  await moves(page, name, 30_000);
  const changed = await browsing.pixelsThatChange(page, name, 12);
  assert.ok(changed >= 12, `${changed} pixels have changed`);
}

// A computer that is far too busy disarms or stops a machine all the same; a person would begin again.
async function seenToMoveByHand(page, name) {
  for (let turn = 1; ; turn += 1) {
    try {
      await armIfNot(page, name);
      await browsing.moveByHand(page, () => seenToMove(page, name));
      return;
    } catch (error) {
      const told = await page.$eval("#drawer", (drawer) => drawer.innerText.slice(0, 500));
      if (turn === 3) throw new Error(`${error.message}; the page says: ${told}`);
      console.log(`     again: ${error.message}; the page says: ${told.replaceAll("\n", " ")}`);
    }
  }
}

async function armIfNot(page, name) {
  await machineIs(page, name, { state: "live" });
  if ((await machine(page, name)).arm === "stopped") await resetByHand(page, name);
  if ((await machine(page, name)).arm !== "armed") await armByHand(page, name);
}

async function resetByHand(page, name) {
  await page.evaluate(() => [...document.querySelectorAll(".actions button")].find((one) => one.textContent === "Reset").click());
  await machineIs(page, name, { arm: "disarmed" });
}

async function armByHand(page, name) {
  await page.click(".arm");
  assert.notEqual((await machine(page, name)).arm, "armed", "the first click has armed it already");
  await page.waitForSelector(".ask:not([hidden]) .primary");
  await page.click(".ask .primary");
  await machineIs(page, name, { arm: "armed" });
}

async function demo() {
  const program = await serve(binary, ["demo", ...light]);
  const page = await openPage(browser, program.control, { viewport: browsing.small });

  await step("the page opens with all five machines, sends nothing and fails nowhere", async () => {
    await page.waitForFunction((count) => window.tandem.machines().length === count, {}, names.length);
    assert.deepEqual((await page.evaluate(() => window.tandem.machines().map(({ name }) => name))).sort(), names);
    for (const name of names) await machineIs(page, name, { state: "live" });
    await pause(500);
    assert.deepEqual(commands(page), []);
    assert.deepEqual(page.troubles, []);
  });

  const firstLooks = [
    ["desktop", browsing.desktop, { scenes: 0.35, body: 5e-5 }],
    ["phone", browsing.phone, { scenes: 0.28, body: 5e-5 }],
  ];
  for (const [kind, viewport, least] of firstLooks) {
    await step(`the machines fill the first look on a ${kind}, and no name covers one`, async () => {
      const other = await openPage(browser, program.page, { viewport });
      for (const name of names) await machineIs(other, name, { state: "live" });
      let words = "";
      // Names follow what moves, in the next picture.
      await until("a first look that is filled", async () => (words = await checkFirstLook(other, least).catch((error) => (console.log(`     not yet: ${error.message}`), ""))) !== "", 20);
      console.log(`     ${words}`);
      await other.close();
    });
  }
  await page.bringToFront();

  for (const name of ["em1500", "orca"]) {
    await step(`${name} is seen to move, in its state and in the picture`, async () => {
      await choose(page, name);
      await seenToMove(page, name);
    });
  }
  await step("looking at machines has sent nothing", () => assert.deepEqual(commands(page), []));
  for (const name of ["cable_robot", "raptorlift", "ur3e"]) {
    await step(`${name} is seen to move by its controls, in its state and in the picture`, async () => {
      await choose(page, name);
      await pressTab(page, "Controls");
      await seenToMoveByHand(page, name);
    });
  }

  await step("raptorlift drives while a jog is held and rests when it is let go", async () => {
    await choose(page, "raptorlift");
    await pressTab(page, "Controls");
    await armIfNot(page, "raptorlift");
    const button = await jog(page, "forward");
    await button.scrollIntoView();
    const box = await button.boundingBox();
    const before = await silent(page);
    const messages = () => published(page).slice(before).map(({ text }) => text);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const seen = moves(page, "raptorlift");
    await page.mouse.down();
    await seen;
    await until("three messages of a held jog", () => messages().length >= 3);
    await page.mouse.up();
    await until("rest as the last message", () => messages().at(-1) !== messages()[0]);
    const count = await silent(page);
    await pause(500);
    assert.equal(published(page).length, count, "something is sent although nothing is held");
    await stands(program, "raptorlift");
  });

  await step("a held jog ends when the window loses the focus", async () => {
    const before = published(page).length;
    await page.keyboard.down("w");
    await until("a message of a held jog", () => published(page).length > before);
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    const count = await silent(page);
    await pause(500);
    assert.equal(published(page).length, count);
    await page.keyboard.up("w");
  });

  await step("a held jog ends when the pointer leaves it, the button of the mouse still down", async () => {
    const box = await (await jog(page, "forward")).boundingBox();
    const before = published(page).length;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await until("a message of a held jog", () => published(page).length > before);
    await page.mouse.move(box.x + box.width / 2, box.y - 40);
    const count = await silent(page);
    await pause(500);
    assert.equal(published(page).length, count);
    await page.mouse.up();
  });

  await step("a jog held by a key ends with Ctrl, whatever is let go first", async () => {
    const before = published(page).length;
    await page.keyboard.down("w");
    await until("a message of a held jog", () => published(page).length > before);
    await page.keyboard.down("Control");
    await silent(page); // with the key still down
    await page.keyboard.up("w");
    await page.keyboard.up("Control");
    const count = await silent(page);
    await pause(500);
    assert.equal(published(page).length, count);
  });
  await checkJogs(page, jog);

  await step("space stops all machines, and the page shows it at once", async () => {
    await page.evaluate(() => {
      window.pressedAt = undefined;
      window.shownAt = undefined;
      addEventListener("keydown", (event) => (window.pressedAt = event.timeStamp), { capture: true, once: true });
      new MutationObserver(() => (window.shownAt ??= performance.now())).observe(document.getElementById("stop"), { attributes: true });
    });
    await page.keyboard.press("Space");
    for (const name of names) if ((await machine(page, name)).arm !== "") await machineIs(page, name, { arm: "stopped" }, 20_000);
    const late = await page.evaluate(() => window.shownAt - window.pressedAt);
    console.log(`     shown ${late.toFixed(1)} ms after the key`);
    assert.ok(late < 1000, `shown after ${late} ms`); // a few where a browser has a processor for itself
    assert.match(await textOf(page, "#stop"), /STOPPED|STOP ALL/);
    assert.match(await textOf(page, "#controls-reason"), /stopped.*Reset/i);
  });

  await step("Reset all releases every stop and arms nothing, Arm all asks once and names whom", async () => {
    await page.click("#reset-all");
    const moving = names.filter((name) => name !== "em1500");
    for (const name of moving) await machineIs(page, name, { arm: "disarmed" });
    await page.waitForFunction(() => document.getElementById("reset-all").getAttribute("aria-disabled") === "true");
    await page.click("#arm-all");
    assert.equal(await textOf(page, "#ask-all-head"), "Arm cable_robot, orca, raptorlift and ur3e?");
    for (const name of moving) assert.equal((await machine(page, name)).arm, "disarmed", `${name} was armed by the question`);
    await page.keyboard.press("Escape");
    assert.ok(await page.$eval("#ask-all", (one) => one.hidden));
    await page.click("#arm-all");
    await page.click("#ask-all .primary");
    for (const name of moving) await machineIs(page, name, { arm: "armed" });
    await page.keyboard.press("Space");
    for (const name of moving) await machineIs(page, name, { arm: "stopped" }, 20_000);
  });

  await step("a stopped machine takes no jog", async () => {
    const count = published(page).length;
    await page.keyboard.press("w", { delay: 300 });
    assert.equal(published(page).length, count);
  });

  await step("reset, then arm with a second question, and it drives by key", async () => {
    await resetByHand(page, "raptorlift");
    await armByHand(page, "raptorlift");
    await page.waitForFunction(() => document.querySelector(".jog:not([aria-disabled])") !== null);
    const seen = moves(page, "raptorlift");
    await page.keyboard.down("s");
    await seen;
    await page.keyboard.up("s");
  });

  await step("the parameters are the machine's own, and what cannot be changed is text", async () => {
    await pressTab(page, "Parameters");
    await page.waitForFunction(() => document.querySelectorAll(".parameter").length > 10);
    assert.equal(await textOf(page, ".node-name"), (await statusOf(program)).find(({ name }) => name === "raptorlift").node);
    const rows = await page.$$eval(".parameter", (all) => all.map((row) => ({ name: row.querySelector("label").textContent, field: row.querySelector("input").checkVisibility(), text: row.querySelector(".fixed").checkVisibility() })));
    assert.ok(rows.some(({ name }) => name === "wheelbase") && !rows.some(({ name }) => name === "cable_damping"), rows.map(({ name }) => name).join(" "));
    for (const { name, field, text } of rows) assert.ok(field !== text, `${name} is both a field and text, or neither`);
    const device = rows.find(({ name }) => name === "device");
    assert.ok(device.text && !device.field, "where the device is cannot be changed");
    assert.ok(rows.find(({ name }) => name === "use_sim_time").field, "what can be changed is no field");
    await choose(page, "ur3e");
    await page.waitForFunction(() => document.querySelector(".node-name").textContent === "/ur3e");
    assert.ok(!(await page.$$eval(".parameter label", (all) => all.map((one) => one.textContent))).includes("wheelbase"));
    await choose(page, "raptorlift");
  });

  await step("space in a text field is only a space", async () => {
    await pressTab(page, "Parameters");
    await page.type("input[type=search]", "no stop");
    await pause(500);
    assert.equal(await page.$eval("input[type=search]", (field) => field.value), "no stop");
    assert.equal((await machine(page, "raptorlift")).arm, "armed");
  });

  await step("the cable of one machine is pulled and put in on the page, and the others do not care", async () => {
    await choose(page, "em1500");
    await pressTab(page, "Overview");
    const cardOf = (name) => page.$$eval(".card", (all, wanted) => all.map((one) => one.innerText).find((text) => text.includes(wanted)), name);
    await page.evaluate(() => document.querySelector(".cable").click());
    await machineIs(page, "em1500", { state: "connecting" });
    await until("the card to say it", async () => /Link lost[^]*virtual device is unplugged/.test(await cardOf("em1500")));
    assert.match(await cardOf("raptorlift"), /Live/);
    await page.evaluate(() => document.querySelector(".cable").click());
    await machineIs(page, "em1500", { state: "live" });
    await moves(page, "em1500", 30_000);
  });

  await step("a pulled cable of a truck that drove says Reset while it is away and when it is back", async () => {
    await choose(page, "raptorlift");
    await pressTab(page, "Overview");
    await armIfNot(page, "raptorlift");
    await pressTab(page, "Controls");
    const cardText = () => page.$$eval(".card", (all) => all.map((one) => one.innerText).find((text) => text.includes("raptorlift")));
    const seen = moves(page, "raptorlift");
    await page.keyboard.down("w");
    await seen;
    await pressTab(page, "Overview");
    await page.evaluate(() => document.querySelector(".cable").click());
    await page.keyboard.up("w");
    await machineIs(page, "raptorlift", { state: "connecting", arm: "stopped" });
    await until("the card to say it", async () => /motion does not, so that nothing starts unasked: press Reset, then Arm/.test(await cardText()));
    await page.evaluate(() => document.querySelector(".cable").click());
    await machineIs(page, "raptorlift", { state: "live", arm: "stopped" });
    await until("the card to say it again", async () => /press Reset, then Arm/.test(await cardText()));
    await resetByHand(page, "raptorlift");
    await armByHand(page, "raptorlift");
  });

  await checkSliders(page, { choose: (name) => choose(page, name), armIfNot: (name) => armIfNot(page, name) });

  await step("the values of a machine have its own names and units, whichever was chosen before", async () => {
    await pressTab(page, "Overview");
    for (const name of [...names, ...names.toReversed()]) {
      await choose(page, name);
      await checkValues(page, (await statusOf(program)).find((one) => one.name === name));
    }
  });

  await step("a field that nobody edits shows what somebody else has set, and Enter does not set it back", async () => {
    const other = await openPage(browser, program.control);
    await choose(other, "raptorlift");
    await pressTab(other, "Parameters");
    await other.waitForSelector(".parameter input:not([readonly])");
    await checkParameters(other);
    await other.close();
    await page.bringToFront();
  });

  await step("the log of all machines opens at its end", async () => {
    await choose(page, "");
    const rest = await page.$eval(".none .log", (log) => log.scrollHeight - log.scrollTop - log.clientHeight);
    assert.ok(rest < 40, `${rest} px of it are below`);
    await choose(page, "raptorlift");
  });

  await step("the accessibility tree names everything, and Tab reaches it in sight", async () => {
    await page.setViewport(browsing.desktop);
    // For some seconds after a stop it says that it was delivered.
    await page.waitForFunction(() => /STOP ALL/.test(document.getElementById("stop").textContent));
    await checkTree(page, names);
    await checkFocusOrder(page);
  });

  for (const [name, viewport, upright] of [["upright", browsing.phone, true], ["on its side", browsing.phoneOnItsSide, false]]) {
    await step(`a phone ${name} shows the view, the list and the whole stop`, async () => {
      const other = await openPage(browser, program.control, { viewport });
      await pause(300);
      await checkSmallScreen(other, upright);
      await choose(other, "raptorlift");
      await pause(500);
      assert.ok(await other.$eval("#drawer", (drawer) => drawer.checkVisibility()));
      assert.ok(await other.$eval("#stop", (stop) => stop.getBoundingClientRect().bottom <= innerHeight));
      assert.deepEqual([commands(other), other.troubles], [[], []]);
      await other.close();
    });
  }
  await step("two fingers hold two jogs, and one that scrolls the page moves no slider", async () => {
    const other = await openPage(browser, program.control, { viewport: browsing.phone });
    await pressTab(other, "Controls");
    await choose(other, "raptorlift");
    await armIfNot(other, "raptorlift");
    await checkTwoFingers(other, jog);
    await choose(other, "cable_robot");
    await armIfNot(other, "cable_robot");
    await checkScrolling(other);
    assert.deepEqual(other.troubles, []);
    await other.close();
  });
  for (const calm of [true, false])
    await step(`a view of another size is drawn at once and once only${calm ? ", with little motion" : ""}`, async () => {
      const other = await openPage(browser, program.control, { viewport: browsing.small, calm });
      await checkResize(other);
      assert.deepEqual(other.troubles, []);
      await other.close();
    });
  await page.bringToFront();

  await step("a page without its program says so, and that its stop did not arrive", async () => {
    await program.end();
    await page.waitForSelector("#banner:not([hidden])");
    assert.match(await textOf(page, "#banner"), /lost its connection to the program.*not stopped by this/is);
    await page.waitForFunction(() => document.getElementById("stop").dataset.state === "lost");
    await page.click("#stop");
    await page.waitForFunction(() => /NOT DELIVERED/.test(document.getElementById("stop").textContent));
    assert.match(await textOf(page, "#say-now"), /not delivered/);
  });
  await page.close();
}

// What was recorded is shown as what it was.
async function replay() {
  const file = place("run.mcap");
  const recorded = new Program(binary, ["demo", "raptorlift", "em1500", "--for", "8", "--record", file, "--web", "off", "--control", place("recorded.sock")]);
  await recorded.line(/armed once/);
  await until("the recording to end", () => recorded.ended, 60);
  const program = new Program(binary, ["replay", file, "--as", "page", "--loop", "--web", "127.0.0.1:0"]);
  const address = (await program.line(/\bpage (http:\/\/[^\s?]+)/))[1];
  await step("a replay is never live, armed or recorded into", async () => {
    const page = await openPage(browser, address);
    await choose(page, "raptorlift");
    // Near its end the truck was live and armed.
    await machineIs(page, "raptorlift", { state: "live", arm: "armed" });
    await page.waitForFunction(() => /Was armed/.test(document.getElementById("machines").textContent));
    const seen = await page.evaluate(() => ["topbar", "machines", "drawer", "view", "dock"].map((id) => document.getElementById(id).innerText).join("\n"));
    assert.match(seen, /Replay/);
    assert.match(seen, /Recorded/);
    assert.doesNotMatch(seen, /\b(Live|Armed|REC|live)\b/);
    assert.doesNotMatch(seen, /token/);
    assert.ok(!(await page.$eval(".actions", (one) => one.checkVisibility())), "a recording has buttons to arm and stop it");
    await pressTab(page, "Controls");
    assert.match(await textOf(page, "#controls-reason"), /recording/);
    assert.deepEqual(page.troubles, []);
    await page.close();
  });
  await program.end();
}

// A cable is pulled, and what the black box kept of it is opened from the page, live and replayed.
async function incident() {
  const folder = place("incidents");
  const program = await serve(binary, ["demo", "raptorlift", "--black-box", folder]);
  const page = await openPage(browser, program.control);
  const marks = (where) => where.$$eval(".incident-mark:not([hidden])", (all) => all.map((one) => ({ href: one.href, title: one.title })));
  let report = "";

  await step("a pulled cable is listed as an incident and marked in the plots of its machine", async () => {
    await machineIs(page, "raptorlift", { state: "live", arm: "armed" });
    await choose(page, "raptorlift");
    await moves(page, "raptorlift");
    await pressTab(page, "Overview");
    await page.click(".cable");
    await page.waitForSelector(".incidents:not([hidden]) a");
    await pressTab(page, "Signals");
    await until("a mark in a plot", async () => (await marks(page)).length > 0);
    const [{ href, title }] = await marks(page);
    report = href;
    assert.match(title, /raptorlift: (lost|stopped)/);
    assert.equal(await page.$eval(".incidents a", (one) => one.href), report);
    assert.deepEqual(page.troubles, []);
  });

  await step("its report explains it, with plots and without a script", async () => {
    const other = await browser.newPage();
    await other.goto(report);
    await other.waitForSelector("h1", { timeout: 60_000 });
    const text = await other.evaluate(() => document.body.innerText);
    assert.match(text, /unplugged by page at/);
    assert.match(text, /last bytes from the device/);
    assert.match(text, /tandem replay .*--as device --machine raptorlift/);
    assert.ok(await other.$("figure svg"));
    assert.equal(await other.$("script"), null);
    await other.close();
  });

  await step("a replay of its file has the mark on the time bar, and the same report", async () => {
    await until("a whole file", async () => (await (await fetch(report)).text()).includes("http-equiv") === false, 60);
    await program.end();
    const file = `${folder}/${decodeURIComponent(new URL(report).pathname.split("/").pop()).replace(/html$/, "mcap")}`;
    const replayed = new Program(binary, ["replay", file, "--as", "page", "--web", "127.0.0.1:0"]);
    const address = (await replayed.line(/\bpage (http:\/\/[^\s?]+)/))[1];
    const other = await openPage(browser, address);
    await until("a mark on the time bar", async () => (await marks(other)).length === 1);
    const [{ href }] = await marks(other);
    const on = await other.evaluate(() => document.querySelector("#replay .incident-mark").getBoundingClientRect().x);
    const bar = await other.evaluate(() => document.querySelector("#replay input").getBoundingClientRect().toJSON());
    assert.ok(on > bar.left && on < bar.right, `the mark is at ${on}, the bar from ${bar.left} to ${bar.right}`);
    await until("the report", async () => (await (await fetch(href)).text()).includes("unplugged by page"), 60);
    assert.match(await (await fetch(href)).text(), /moved after it<\/td><td>[\d.]+ m by truth/);  // its physics went on
    assert.equal((await fetch(new URL("incidents/other.html", address))).status, 404);
    assert.deepEqual(other.troubles, []);
    await replayed.end();
  });
}

async function cable() {
  const port = await freePort();
  const start = () => new Program(binary, ["virtual", "raptorlift", "--port", String(port)]);
  let device = start();
  await device.line(/listens on/);
  const config = place("lift.yaml");
  writeFileSync(config, `machines:\n  lift: { type: raptorlift, device: "modbus://127.0.0.1:${port}?unit=1" }\n`);
  const program = await serve(binary, ["run", config], { TANDEM_CONTROL_TOKEN: "let-me-drive-the-lift" });
  const page = await openPage(browser, `${program.page}?token=let-me-drive-the-lift`);
  const card = () => textOf(page, ".card");

  await step("a real link is live, and is armed by hand", async () => {
    await machineIs(page, "lift", { state: "live" });
    assert.equal((await machine(page, "lift")).arm, "disarmed");
    assert.deepEqual(commands(page), []);
    await choose(page, "lift");
    await armByHand(page, "lift");
  });

  await step("who has no token watches only, and is told how to get control", async () => {
    const alone = await browser.createBrowserContext();
    const viewer = await openPage(alone, program.page);
    await machineIs(viewer, "lift", { state: "live" });
    await choose(viewer, "lift");
    assert.match(await textOf(viewer, ".reason"), /read-only.*token/s);
    for (const id of ["#arm-all", "#reset-all"]) assert.equal(await viewer.$eval(id, (one) => one.getAttribute("aria-disabled")), "true", `${id} is open to a viewer`);
    await viewer.click("#arm-all");
    assert.ok(await viewer.$eval("#ask-all", (one) => one.hidden));
    await viewer.click("#stop");
    await viewer.waitForFunction(() => /NOT DELIVERED/.test(document.getElementById("stop").textContent));
    assert.notEqual((await machine(page, "lift")).arm, "stopped"); // a busy computer may have disarmed it meanwhile
    await alone.close();
    await page.bringToFront();
    await page.reload({ waitUntil: "domcontentloaded" });
    await page.waitForFunction("window.tandem?.ready === true", { polling: 200 });
    await machineIs(page, "lift", { state: "live" });
    assert.ok(await page.$eval("#rights", (chip) => chip.hidden), "a reload has lost the token");
    await choose(page, "lift");
  });

  await step("a pulled cable is told with its cause and what does not come back", async () => {
    await device.end("SIGKILL");
    await page.waitForFunction(() => /Link lost/.test(document.querySelector(".card").textContent));
    const text = await card();
    assert.match(text, /Unreachable for/);
    assert.match(text, /Check the cable and the device's power/);
    assert.match(text, /Reading resumes by itself; motion does not/);
    assert.match(text, new RegExp(String(port)));
  });

  await step("the link comes back by itself, the permission to move does not", async () => {
    device = start();
    await machineIs(page, "lift", { state: "live" });
    await page.waitForFunction(() => /Live/.test(document.querySelector(".card").textContent));
    await pause(1000);
    // Disarmed; stopped, if the link was gone for longer than the truck's watchdog bears.
    assert.notEqual((await machine(page, "lift")).arm, "armed");
    assert.match(await card(), /press (Arm|Reset, then Arm)/);
    await armIfNot(page, "lift");
  });

  await step("a page that the program does not let in says why, in the program's words", async () => {
    const stranger = await browser.newPage();
    await stranger.evaluateOnNewDocument(() => {
      window.WebSocket = class extends WebSocket {
        constructor(url, protocols) {
          super(`${url}?token=wrong`, protocols);
        }
      };
    });
    await stranger.goto(program.page, { waitUntil: "domcontentloaded" });
    await stranger.waitForFunction(() => /refused this page/.test(document.getElementById("banner").textContent));
    assert.match(await textOf(stranger, "#banner"), /token/);
    await stranger.close();
    await page.bringToFront();
  });

  await step("a page that meets another program forgets the machines of the first", async () => {
    await program.end();
    await page.waitForSelector("#banner:not([hidden])");
    const other = place("other.yaml");
    writeFileSync(other, `machines:\n  other: { type: raptorlift, device: "modbus://127.0.0.1:${port}?unit=1" }\n`);
    const next = new Program(binary, ["run", other, "--web", new URL(program.page).host, "--control", place("other.sock")], { TANDEM_CONTROL_TOKEN: "let-me-drive-the-lift" });
    await next.line(/\bpage http/);
    await page.waitForFunction(() => document.getElementById("banner").hidden);
    await until("the list to have the other one", async () => (await card()).includes("other"));
    const drawer = await page.$eval("#drawer", (one) => one.innerText);
    assert.match(drawer, /^lift\n/);
    assert.match(drawer, /Unknown/);
    assert.match(drawer, /no machine of this name/);
    assert.doesNotMatch(drawer, /Live|Armed/);
  });
  assert.deepEqual(page.troubles, []);
}

try {
  if (process.argv[3] === "cable") await cable();
  else if (process.argv[3] === "replay") await replay();
  else if (process.argv[3] === "incident") await incident();
  else await demo();
} catch (error) {
  await step("the test itself", () => Promise.reject(error));
} finally {
  await browser.close().catch(() => undefined);
  await endAll();
}
process.exit(result());
