// SPDX-License-Identifier: Apache-2.0
// Dark, light, or as the system says; stands in <html data-theme>. The choice is kept; `#theme=` in the address wins
// and is not kept. Whoever draws by itself hears "themechange" of the document.
import type { Store, Theme } from '../store';
import { choice } from './choice';
import { el } from './dom';
import { icon } from './icons';

const kept = 'tandem.theme';
const themes: [Theme, string][] = [['auto', 'Auto'], ['dark', 'Dark'], ['light', 'Light']];

export function startTheme(store: Store): void {
  const light = window.matchMedia('(prefers-color-scheme: light)');
  const apply = (): void => {
    const theme = store.theme.value;
    document.documentElement.dataset.theme = theme === 'auto' ? (light.matches ? 'light' : 'dark') : theme;
    document.dispatchEvent(new Event('themechange'));
  };
  const first = new URLSearchParams(location.hash.slice(1)).get('theme') ?? read();
  if (first === 'dark' || first === 'light') store.theme.set(first);
  light.addEventListener('change', apply);
  store.theme.on(apply, true);
}

export function themeSwitch(store: Store): HTMLElement {
  const buttons = choice('Theme', themes, (theme) => {
    store.theme.set(theme);
    write(theme);
  });
  store.theme.on(buttons.show, true);
  return el('span', { class: 'picker theme' }, icon('theme'), buttons.node);
}

// Storage may be forbidden; then the choice lasts as long as the page.
function read(): string | null {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;
  }
}

function write(theme: Theme): void {
  try {
    localStorage.setItem(kept, theme);
  } catch {
    // Nothing to do: see above.
  }
}
