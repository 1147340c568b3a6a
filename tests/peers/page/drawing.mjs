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
