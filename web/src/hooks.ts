// SPDX-License-Identifier: Apache-2.0
// A small window on the page for tests: what it knows, not what it draws.
import type { Store } from './store';
import type { View } from './scene/view';

export function exposeHooks(store: Store, view: View): void {
  const machines = () =>
    store.scenes.value.map(({ name }) => {
      const status = store.status.value?.machines.find((machine) => machine.name === name);
      const picture = store.picture.value?.machines.find((machine) => machine.name === name);
      return { name, state: status?.state ?? '', arm: status?.arm ?? '', frames: picture?.frames ?? [] };
    });
  const hooks = {
    get ready() {
      return store.scenes.value.length > 0 && store.status.value !== null && (view.drawn || !view.ok);
    },
    get fps() {
      return view.fps;
    },
    machines,
    outline: (name: string, whole = false) => view.outline(name, whole),
    choose: (name: string) => store.chosen.set(name),
  };
  Object.defineProperty(window, 'tandem', { value: hooks });
}
