// SPDX-License-Identifier: Apache-2.0
// The keyboard of the whole page. Space stops all machines from everywhere but text fields.
import type { View } from '../scene/view';
import type { Store } from '../store';
import { isTextField, takesKeys } from './dom';
import type { Help } from './help';
import type { Replay } from './replay';
import type { Stop } from './stop';

export function startKeys(store: Store, stop: Stop, replay: Replay, help: Help, view: View): void {
  const space = (event: KeyboardEvent): boolean => (event.key === ' ' || event.code === 'Space') && !isTextField(event.target);

  // Before everybody else, so that no focused button takes it for a press.
  window.addEventListener(
    'keydown',
    (event) => {
      if (!space(event) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      if (store.connection.value.mode === 'replay') replay.toggle();
      else stop.press();
    },
    true,
  );
  window.addEventListener('keyup', (event) => space(event) && event.preventDefault(), true);

  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || takesKeys(event.target)) return;
    // Space is taken, so Enter ticks a box.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.type === 'checkbox') {
      event.preventDefault();
      event.target.click();
      return;
    }
    if (event.key === 'Escape') return escape();
    if (!help.keysOn()) return;
    const machines = store.status.value?.machines ?? [];
    const chosen = machines[Number(event.key) - 1];
    if (event.key === '?') help.toggle();
    else if (/^[1-9]$/.test(event.key) && chosen !== undefined) store.chosen.set(chosen.name);
    else if (event.key === '0') store.chosen.set('');
    else if (event.key === 'f' && !claimed(store, 'f')) view.fit();
    else if (store.connection.value.mode === 'replay' && (event.key === 'j' || event.key === 'l')) replay.step(event.key === 'j' ? -5 : 5);
    else return;
    event.preventDefault();
  });

  const escape = (): void => {
    if (help.open()) help.toggle();
    else if (store.chosen.value !== '') store.chosen.set('');
  };
}

// A key that moves the chosen machine does nothing else.
function claimed(store: Store, key: string): boolean {
  const scene = store.scenes.value.find(({ name }) => name === store.chosen.value)?.scene;
  return scene?.controls.some((control) => control.key.toLowerCase() === key) === true;
}
