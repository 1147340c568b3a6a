// SPDX-License-Identifier: Apache-2.0
// What people with other senses, other hands and small screens need of the page.
import assert from "node:assert/strict";

function flat(node, found = []) {
  if (!node) return found;
  found.push(node);
  for (const child of node.children ?? []) flat(child, found);
  return found;
}

const acted = ["button", "checkbox", "slider", "combobox", "textbox", "tab", "link", "searchbox"];

// Everything that can be acted on has a name; the stop, the machines and the tabs are there by their names.
export async function checkTree(page, machines) {
  const nodes = flat(await page.accessibility.snapshot({ interestingOnly: false }));
  const names = (role) => nodes.filter((node) => node.role === role).map((node) => node.name ?? "");
  const nameless = nodes.filter((node) => acted.includes(node.role) && !(node.name ?? "").trim());
  assert.deepEqual(nameless, [], "something that can be acted on has no name");
  assert.ok(names("button").some((name) => name.startsWith("STOP ALL")), "the stop has no such name");
  for (const machine of machines) assert.ok(names("button").includes(machine), `no button chooses ${machine}`);
  assert.deepEqual(names("tab"), ["Overview", "Controls", "Signals", "Latency", "Log", "Parameters"]);
  for (const role of ["main", "banner", "navigation", "complementary"])
    assert.ok(names(role).length === 1, `there is not one ${role} landmark but ${names(role).length}`);
  assert.equal(names("heading")[0].startsWith("Tandem"), true);
}

// Tab walks through the page, and what has the focus is always seen: not under the stop, not out of the window.
export async function checkFocusOrder(page) {
  await page.evaluate(() => document.activeElement?.blur());
  const seen = new Set();
  for (let at = 0; at < 25; at += 1) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const node = document.activeElement;
      const box = node.getBoundingClientRect();
      const stop = document.getElementById("stop").getBoundingClientRect();
      const middle = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 20) };
      const covered = !node.closest("#dock") && middle.x > stop.left && middle.y > stop.top;
      // A canvas lies under the names of the machines, which only say what they are.
      const hit = document.elementFromPoint(middle.x, middle.y);
      const seen = hit !== null && (node.contains(hit) || hit.contains(node) || node.tagName === "CANVAS");
      return { name: node.id || node.textContent.slice(0, 30) || node.tagName, body: node === document.body, covered, seen, middle };
    });
    if (!place.body) seen.add(place.name);
    assert.ok(!place.covered, `${place.name} has the focus under the stop`);
    assert.ok(place.body || place.seen, `${place.name} has the focus out of sight, at ${place.middle.x}, ${place.middle.y}`);
  }
  assert.ok(seen.size >= 12, `the Tab key reaches only ${[...seen].join(", ")}`);
}

// Nothing is wider than the screen, the stop is whole, on top and big, and what is touched is big enough. The names in
// the view do what the cards of the list do, which are.
export async function checkSmallScreen(page, upright) {
  const told = await page.evaluate(() => {
    const box = (id) => {
      const { left, top, right, bottom, width, height } = document.getElementById(id).getBoundingClientRect();
      return { left, top, right, bottom, width, height };
    };
    const stop = box("stop");
    const over = document.elementFromPoint((stop.left + stop.right) / 2, (stop.top + stop.bottom) / 2);
    const small = [...document.querySelectorAll("button, select, summary, input")]
      .filter((node) => node.checkVisibility() && !node.closest(".card, .view-label") && node.type !== "checkbox")
      .map((node) => ({ name: node.getAttribute("aria-label") || node.textContent || node.type, height: node.getBoundingClientRect().height }))
      .filter(({ height }) => height < 43.5);
    return {
      wide: document.documentElement.scrollWidth, width: innerWidth, height: innerHeight, stop, small,
      view: box("view"), list: box("machines"), stopOnTop: over?.closest("#stop") !== null,
    };
  });
  assert.ok(told.wide <= told.width, `the page is ${told.wide} px wide on a screen of ${told.width} px`);
  assert.ok(told.stop.height >= 64 && told.stop.width >= 64, `the stop is ${told.stop.width} by ${told.stop.height} px`);
  assert.ok(told.stop.left >= 0 && told.stop.right <= told.width && told.stop.bottom <= told.height, "the stop is not wholly seen");
  assert.ok(told.stopOnTop, "something lies on the stop");
  assert.deepEqual(told.small, [], "too small to be touched");
  assert.ok(told.view.height >= 150 && told.view.width >= 150, "the view is too small");
  if (upright) assert.ok(told.list.top >= told.view.top + 100, "the list is not below the view");
  else assert.ok(told.list.left >= told.view.left + 100, "the list is not beside the view");
}
