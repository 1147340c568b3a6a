// SPDX-License-Identifier: Apache-2.0
// How the 3D view is drawn while it changes its size.
import assert from "node:assert/strict";

// Whatever the pace, a canvas of a new size is filled before it is shown, and there is one loop that draws.
export async function checkResize(page) {
  const told = await page.evaluate(async () => {
    const view = document.getElementById("view");
    const canvas = view.querySelector("canvas");
    const copy = new OffscreenCanvas(60, 40).getContext("2d", { willReadFrequently: true });
    let waiting = 0, most = 0, sizes = 0, empty = 0;
    const { requestAnimationFrame: request } = window;
    const frame = () => new Promise((resolve) => request(resolve));
    window.requestAnimationFrame = (act) => {
      most = Math.max(most, ++waiting);
      return request((time) => (--waiting, act(time)));
    };
    // Called after the view's own, and before the picture is shown.
    const observer = new ResizeObserver(() => {
      sizes += 1;
      copy.clearRect(0, 0, 60, 40);
      copy.drawImage(canvas, 0, 0, 60, 40);
      if (!copy.getImageData(0, 0, 60, 40).data.some((value) => value > 0)) empty += 1;
    });
    observer.observe(view);
    await frame();
    for (let turn = 1; turn <= 8; turn += 1) {
      view.style.maxHeight = `${view.clientHeight - 5}px`;
      await frame();
      await frame();
    }
    view.style.maxHeight = "";
    for (let turn = 0; turn < 5; turn += 1) await frame();
    observer.disconnect();
    window.requestAnimationFrame = request;
    return { sizes, empty, most };
  });
  assert.ok(told.sizes >= 8, `only ${told.sizes} sizes were seen`);
  assert.equal(told.empty, 0, `empty at ${told.empty} of ${told.sizes} sizes`);
  assert.equal(told.most, 1, `${told.most} frames were asked for at the same time`);
}

const grid = 400; // cells along each side of the view

// The part of the view that is in at least one of the rectangles: none is counted twice.
export function unionOf(rects) {
  const covered = new Uint8Array(grid * grid);
  const cell = (part) => Math.min(grid, Math.max(0, Math.round(part * grid)));
  for (const { left, top, right, bottom } of rects) {
    for (let y = cell(top); y < cell(bottom); y += 1) covered.fill(1, y * grid + cell(left), y * grid + cell(right));
  }
  return covered.reduce((sum, one) => sum + one, 0) / (grid * grid);
}

// All machines fill the view, which no other machine is chosen in, and no name covers one. By what the page tells of its
// own drawing: `least.scenes` is the part of the view within the outline of a machine with its ground and what is on it,
// `least.body` the part that each machine itself takes, the smallest too.
export async function checkFirstLook(page, least) {
  const told = await page.evaluate(() => {
    const view = document.getElementById("view").getBoundingClientRect();
    const names = window.tandem.machines().map(({ name }) => name);
    const rects = (whole) => names.map((name) => ({ name, ...window.tandem.outline(name, whole) }));
    const labels = [...document.querySelectorAll(".view-label")].filter((label) => label.checkVisibility({ visibilityProperty: true })).map((label) => {
      const box = label.getBoundingClientRect();
      const [x, y] = [(v) => (v - view.left) / view.width, (v) => (v - view.top) / view.height];
      return { name: label.querySelector(".view-label-name").textContent, left: x(box.left), right: x(box.right), top: y(box.top), bottom: y(box.bottom) };
    });
    return { whole: rects(true), bodies: rects(false), labels };
  });
  const { whole, bodies } = told;
  const percent = (part) => `${(100 * part).toFixed(1)} %`;
  const share = unionOf(whole);
  const areaOf = ({ left, top, right, bottom }) => (right - left) * (bottom - top);
  const areas = bodies.map((body) => `${body.name} ${(100 * areaOf(body)).toFixed(3)} %`).join(", ");
  const words = `machines fill ${percent(share)} of the view, themselves ${areas}`;
  assert.ok(share >= least.scenes, words);
  for (const body of bodies) assert.ok(areaOf(body) >= least.body, words);
  assert.equal(told.labels.length, whole.length, "not every machine has its name");
  for (const label of told.labels) {
    for (const body of told.bodies) {
      const [wide, high] = [Math.min(label.right, body.right) - Math.max(label.left, body.left), Math.min(label.bottom, body.bottom) - Math.max(label.top, body.top)];
      const covered = wide > 0 && high > 0 ? (wide * high) / ((body.right - body.left) * (body.bottom - body.top)) : 0;
      assert.ok(covered < 0.05, `the name of ${label.name} covers ${(100 * covered).toFixed(0)} % of ${body.name}`);
    }
  }
  return words;
}
