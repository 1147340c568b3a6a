// SPDX-License-Identifier: Apache-2.0
// What hands do to the controls by accident, and what must not come of it.
import assert from "node:assert/strict";
import { pause, pressTab, published, silent, until } from "./browser.mjs";
import { step } from "./steps.mjs";

const middle = async (node) => {
  const { x, y, width, height } = await node.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
};

const sends = async (page, act) => {
  const before = published(page).length;
  await act();
  await until("a message of what is held", () => published(page).length > before);
};

// The controls of raptorlift are open and armed. Each of these ends a jog before it is let go.
export async function checkJogs(page, jog) {
  const button = await jog(page, "forward");
  const ways = {
    "a menu": () => page.evaluate(() => document.body.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true }))),
    "a press elsewhere": async () => {
      await page.mouse.move(400, 20);
      await page.mouse.down();
      await page.mouse.up();
    },
    "the focus elsewhere": () => page.focus("#help-button"),
    "the key F10": () => page.keyboard.press("F10"),
    "the key for menus": () => page.keyboard.press("ContextMenu"),
  };
  for (const [way, act] of Object.entries(ways)) {
    await step(`a jog held by a key ends with ${way}, the key still down`, async () => {
      await page.mouse.move(5, 5);
      await page.evaluate(() => document.activeElement.blur());
      await sends(page, () => page.keyboard.down("w"));
      await act();
      await silent(page);
      await page.keyboard.up("w");
    });
  }

  await step("a jog held by the mouse ends with its left button, another one still down", async () => {
    const { x, y } = await middle(button);
    await page.mouse.move(x, y);
    await sends(page, () => page.mouse.down());
    await page.mouse.down({ button: "middle" });
    await page.mouse.up();
    await silent(page);
    await page.mouse.up({ button: "middle" });
  });

  await step("a jog held by Enter goes on under a mouse that moves", async () => {
    const { x, y } = await middle(button);
    await page.mouse.move(x, y);
    await button.focus();
    await sends(page, () => page.keyboard.down("Enter"));
    await page.mouse.move(x + 5, y);
    await sends(page, () => pause(50));
    await page.keyboard.up("Enter");
    await silent(page);
  });
}

const slider = ".slider input:not(:disabled)";
const saysOfSlider = (page) => page.$eval(".slider", (one) => one.dataset.set ?? "");

// A slider sends when it is let go, and by nothing else.
export async function checkSliders(page, { choose, armIfNot }) {
  await choose("cable_robot");
  await pressTab(page, "Controls");
  const focus = async () => {
    await armIfNot("cable_robot"); // a computer that is far too busy disarms it
    await page.waitForSelector(slider, { timeout: 20_000 });
    await page.focus(slider);
  };

  await step("a slider is sent when its key is let go", async () => {
    await focus();
    const before = await silent(page);
    await page.keyboard.down("ArrowRight");
    assert.equal(await saysOfSlider(page), "held");
    assert.equal(published(page).length, before);
    await page.keyboard.up("ArrowRight");
    await until("its message", () => published(page).length === before + 1);
    assert.equal(await saysOfSlider(page), "sent");
  });

  const ways = {
    "the window loses the focus": () => page.evaluate(() => (window.dispatchEvent(new Event("blur")), document.activeElement.blur())),
    "a key that moves no slider is let go": async () => {
      await page.keyboard.down("Shift");
      await page.keyboard.up("Shift");
    },
  };
  for (const [way, act] of Object.entries(ways)) {
    await step(`a slider that is held is given up when ${way}`, async () => {
      await focus();
      const before = await silent(page);
      await page.keyboard.down("ArrowRight");
      await act();
      assert.equal(await saysOfSlider(page), "");
      await page.keyboard.up("ArrowRight");
      await pause(500);
      assert.equal(published(page).length, before);
    });
  }

  await step("a slider that the mouse holds is given up with the window, and stays so", async () => {
    await focus();
    const { x, y } = await middle(await page.$(slider));
    const before = await silent(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y);
    assert.equal(await saysOfSlider(page), "held");
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await page.mouse.move(x + 40, y);
    await page.mouse.up();
    await pause(500);
    assert.equal(published(page).length, before);
    assert.equal(await saysOfSlider(page), "");
  });

  await step("nothing follows a stop by the space bar while an arrow key holds a slider", async () => {
    await focus();
    const before = await silent(page);
    await page.keyboard.down("ArrowRight");
    await page.keyboard.down("Space");
    await page.keyboard.up("Space");
    await page.keyboard.up("ArrowRight");
    await page.waitForFunction(() => window.tandem.machines().find(({ name }) => name === "cable_robot").arm === "stopped");
    await pause(500);
    assert.equal(published(page).length, before);
  });
}

const touches = async (page) => {
  const wire = await page.createCDPSession();
  return (type, ...points) => wire.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
};

// On a phone, with the controls of raptorlift open and armed.
export async function checkTwoFingers(page, jog) {
  await page.waitForSelector(".jog:not([aria-disabled])"); // the words above them are gone, and they have moved up
  const touch = await touches(page);
  const jogs = [await jog(page, "forward"), await jog(page, "turn left")];
  await jogs[1].scrollIntoView();
  const [forward, left] = [await middle(jogs[0]), await middle(jogs[1])];
  const held = () => page.$$eval(".jog[data-held] .jog-name", (all) => all.map((one) => one.textContent).sort());
  await sends(page, () => touch("touchStart", forward));
  await touch("touchStart", forward, left);
  assert.deepEqual(await held(), ["forward", "turn left"]);
  await touch("touchEnd", forward); // the one that goes
  assert.deepEqual(await held(), ["turn left"]);
  await touch("touchEnd");
  assert.deepEqual(await held(), []);
  await silent(page);
}

// On a phone, with the sliders of cable_robot open and armed: a finger that goes upwards scrolls.
export async function checkScrolling(page) {
  await page.waitForSelector(slider, { timeout: 20_000 });
  const touch = await touches(page);
  const node = await page.$(slider);
  await node.scrollIntoView();
  const { x, y } = await middle(node);
  const before = await silent(page);
  await node.evaluate((one) => {
    window.slid = 0;
    one.addEventListener("input", () => (window.slid += 1));
  });
  await touch("touchStart", { x: x + 60, y });
  for (let way = 5; way <= 80; way += 5) {
    await touch("touchMove", { x: x + 60, y: y - way });
    await pause(16);
  }
  await touch("touchEnd");
  await pause(500);
  console.log(`     the slider was moved ${await page.evaluate(() => window.slid)} times by the finger`);
  assert.equal(published(page).length, before);
  assert.deepEqual(await page.$$eval(".slider[data-set]", (all) => all.length), 0);
}

// The program tells that somebody else has set a parameter whose field has the focus here.
export async function checkParameters(page) {
  const node = await page.evaluateHandle(() => document.querySelector(".parameter input:not([readonly])"));
  const name = await node.evaluate((field) => `${field.closest("section").querySelector("h3").textContent}.${field.form.querySelector("label").textContent}`);
  const told = (value) => page.evaluate((parameter) => window.lastSocket.onmessage({ data: JSON.stringify({ op: "parameterValues", parameters: [parameter] }) }), { name, value });
  const shown = () => node.evaluate((field) => field.value);
  const set = () => page.sent.filter(({ text }) => text.includes('"setParameters"')).length;
  await node.focus();
  await told("theirs");
  assert.equal(await shown(), "theirs");
  await page.keyboard.press("Enter");
  await pause(300);
  assert.equal(set(), 0, "what was not edited was set");
  await node.evaluate((field) => field.select());
  await page.keyboard.type("mine");
  await told("theirs again");
  assert.equal(await shown(), "mine", "what is being typed was taken away");
  await page.keyboard.press("Escape");
  assert.equal(await shown(), "theirs again");
  await page.keyboard.type("!");
  await page.keyboard.press("Enter");
  await until("what was edited to be set", () => set() === 1);
}
