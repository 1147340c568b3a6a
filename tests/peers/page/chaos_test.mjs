// SPDX-License-Identifier: Apache-2.0
// Faults from the page: a person breaks the link of a truck in a real browser, and reads what came of it.
// Usage: node chaos_test.mjs PROGRAM [PICTURE.png]
import assert from "node:assert/strict";
import { commands, machine, machineIs, openBrowser, openPage, pressTab, textOf, until } from "./browser.mjs";
import { endAll, serve } from "./program.mjs";
import { result, step } from "./steps.mjs";

const [, , binary, picture] = process.argv;
const browser = await openBrowser();
const press = (page, text) =>
  page.evaluate((wanted) => [...document.querySelectorAll(".chaos button")].find((one) => one.textContent === wanted).click(), text);
const sentTerms = (page) =>
  commands(page).flatMap(({ text }) => (text.includes('"chaos"') ? [JSON.parse(text.slice(text.indexOf("{"))).terms] : []));

async function overview(page) {
  await page.evaluate(() => window.tandem.choose("raptorlift"));
  await pressTab(page, "Overview");
  await page.waitForFunction(() => document.querySelector(".chaos")?.checkVisibility());
  await page.evaluate(() => (document.querySelector(".chaos").open = true));
}

try {
  const program = await serve(binary, ["demo", "raptorlift", "--chaos"], { ROS_AUTOMATIC_DISCOVERY_RANGE: "LOCALHOST" });
  const page = await openPage(browser, program.control, { viewport: { width: 1280, height: 900, deviceScaleFactor: picture ? 1 : 0.5 } });
  await machineIs(page, "raptorlift", { state: "live" });

  await step("nothing is sent before a person does it, and nothing where no fault is set", async () => {
    await overview(page);
    await press(page, "Apply sliders");
    assert.deepEqual(sentTerms(page), []);
  });

  await step("sliders, length and seed become a delay that is on, and Clear ends it", async () => {
    await page.$eval(".chaos input[type=range]", (range) => {
      range.value = "2";
      range.dispatchEvent(new Event("input"));
    });
    await page.$eval(".chaos input[type=text]", (field) => (field.value = "7"));
    await press(page, "60s");
    await press(page, "Apply sliders");
    await until("the page to say it", async () => /^On: delay=10ms for=1min seed=7/.test(await textOf(page, ".chaos-now")));
    assert.match(await page.$$eval(".card .figures", (all) => all.map((one) => one.innerText).join()), /faults on/);
    assert.deepEqual(sentTerms(page), ["delay=10ms for=60s seed=7"]);
    if (picture) await page.screenshot({ path: picture });
    await press(page, "Clear");
    await until("the end", async () => /^Nothing is on/.test(await textOf(page, ".chaos-now")));
  });

  await step("a black hole disarms the truck, and its result is there once it is over", async () => {
    await press(page, "2s");
    await press(page, "Black hole");
    await until("the fault", async () => /^On: blackhole for=2s/.test(await textOf(page, ".chaos-now")));
    assert.match(await textOf(page, ".chaos-now"), / s left, moved [\d.]+ m, [\d.]+ m\/s/);
    const before = await textOf(page, ".chaos-result");
    await until("the loss", async () => (await machine(page, "raptorlift")).arm !== "armed", 30);
    await until("its end", async () => /^Nothing is on/.test(await textOf(page, ".chaos-now")));
    await until("the result", async () => (await textOf(page, ".chaos-result")) !== before, 60);
    assert.match(await textOf(page, ".chaos-result"), /^raptorlift: .*link lost after .* live again .*\[blackhole for=2s seed=\d+\]$/);
    await machineIs(page, "raptorlift", { state: "live" });
    assert.notEqual((await machine(page, "raptorlift")).arm, "armed");
    await page.$eval(".chaos-result", (node) => node.scrollIntoView({ block: "center" }));
    if (picture) await page.screenshot({ path: picture.replace(".png", "_result.png") });
    assert.deepEqual(page.troubles, []);
  });

  await step("who may only watch sees no faults to set", async () => {
    const watcher = await openPage(browser, program.page);
    await watcher.evaluate(() => window.tandem.choose("raptorlift"));
    await pressTab(watcher, "Overview");
    assert.equal(await watcher.$eval(".chaos", (node) => node.checkVisibility()), false);
    await watcher.close();
  });
} finally {
  await browser.close();
  await endAll();
}
process.exit(result());
