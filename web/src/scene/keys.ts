// SPDX-License-Identifier: Apache-2.0
// Keys of the 3D view, while it has the focus: arrows turn, with Shift they move, + and - zoom, Home fits. Keys with
// Ctrl, Alt or Meta belong to the browser, all others to the page.
import type { Flight } from './flight';

export interface KeyTargets {
  flight: Flight;
  fit(): void;
}

export function listenToKeys(canvas: HTMLElement, { flight, fit }: KeyTargets): void {
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (!act(event)) return;
    event.preventDefault();
    event.stopPropagation(); // a key that turns the view must not also jog a machine
  });

  function act({ key, shiftKey }: KeyboardEvent): boolean {
    const step = 0.12;
    const go = (right: number, up: number) =>
      shiftKey ? flight.pan(0.05 * right, 0.05 * up) : flight.turn(-step * right, step * up);
    if (key === 'ArrowLeft') go(-1, 0);
    else if (key === 'ArrowRight') go(1, 0);
    else if (key === 'ArrowUp') go(0, 1);
    else if (key === 'ArrowDown') go(0, -1);
    else if (key === '+' || key === '=') flight.zoom(1 / 1.15);
    else if (key === '-' || key === '_') flight.zoom(1.15);
    else if (key === 'Home') fit();
    else return false;
    return true;
  }
}

// Two clicks or taps at nearly the same place and time: dblclick does not come from touch everywhere.
export function listenToDoubleTap(canvas: HTMLElement, tapped: (x: number, y: number) => void): void {
  let last = { time: -1e9, x: 0, y: 0 };
  let down = { x: 0, y: 0 };
  canvas.addEventListener('pointerdown', (event) => (down = { x: event.clientX, y: event.clientY }));
  canvas.addEventListener('pointerup', (event) => {
    const { clientX: x, clientY: y, timeStamp: time } = event;
    if (event.button !== 0 || Math.hypot(x - down.x, y - down.y) > 8) return;
    const double = time - last.time < 400 && Math.hypot(x - last.x, y - last.y) < 28;
    last = { time: double ? -1e9 : time, x, y };
    if (double) tapped(x, y);
  });
}
