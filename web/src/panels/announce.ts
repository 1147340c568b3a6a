// SPDX-License-Identifier: Apache-2.0
// What a screen reader says by itself: politely, or at once for a stop.
import { place } from './dom';

// The same words twice are heard twice: a no-break space makes them new.
function say(id: string, text: string): void {
  const region = place(id);
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

export function announce(text: string): void {
  say('say-politely', text);
}

export function announceNow(text: string): void {
  say('say-now', text);
}
