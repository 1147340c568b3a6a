// SPDX-License-Identifier: Apache-2.0
// Help: what the page is, all keys, and a switch for those that are single letters. Not modal: Stop stays in reach.
import type { Store } from '../store';
import { keyName } from './control_widgets';
import { el, place, show } from './dom';
import { icon } from './icons';
import { themeSwitch } from './theme';

const general: [string, string][] = [
  ['Space', 'Stop all machines, but not while you type in a field (in a replay: play and pause)'],
  ['1 … 9', 'Select a machine'],
  ['0, Esc', 'Clear selection'],
  ['Enter', 'Press what has the focus, tick a box, hold a jog'],
  ['F', 'Fit the view'],
  ['Arrows, + −', 'Turn and zoom the view while it has the focus'],
  ['J, L', 'In a replay: five seconds back, on'],
  ['?', 'This help'],
];
const kept = 'tandem.keys';

export interface Help {
  toggle(): void;
  open(): boolean;
  keysOn(): boolean;
}

export function startHelp(store: Store): Help {
  const dialog = place('help') as HTMLDialogElement;
  const keys = el('input', { type: 'checkbox', checked: read() });
  const own = el('div');
  const close = el('button', { type: 'button', class: 'plain', 'aria-label': 'Close help' }, icon('cross'));
  dialog.append(
    el('div', { class: 'title-row' }, el('h2', { id: 'help-title', text: 'Help' }), close),
    el('p', {
      text:
        'Each machine is read all the time; a link that breaks comes back by itself. Motion never does: a machine ' +
        'moves only after it has been armed. A stop stays until Reset, and after that Arm.',
    }),
    el('p', { text: 'Stop here is a request over the network, not a safety function. Keep the machine’s own emergency stop in reach.' }),
    el('h3', { text: 'Keys' }),
    keyTable(general),
    own,
    el('p', { class: 'narrow-only row' }, 'Theme', themeSwitch(store)),
    el('label', { class: 'tick' }, keys, 'Single keys work (Space does without this)'),
  );
  let before: Element | null = null;
  const toggle = (): void => {
    if (dialog.open) {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
      return;
    }
    before = document.activeElement;
    fillOwn();
    dialog.show();
    close.focus();
  };
  const fillOwn = (): void => {
    const controls = store.scenes.value.find(({ name }) => name === store.chosen.value)?.scene.controls ?? [];
    const rows = controls.filter(({ key }) => key !== '').map(({ key, name }): [string, string] => [keyName(key), name]);
    own.replaceChildren(el('h3', { text: `Keys of ${store.chosen.value}, while its Controls are open` }), keyTable(rows));
    show(own, rows.length > 0);
  };
  close.addEventListener('click', toggle);
  keys.addEventListener('change', () => write(keys.checked));
  return { toggle, open: () => dialog.open, keysOn: () => keys.checked };
}

function keyTable(rows: [string, string][]): HTMLElement {
  return el('dl', { class: 'keys' }, ...rows.map(([key, text]) => el('div', {}, el('dt', {}, el('kbd', { text: key })), el('dd', { text }))));
}

// Storage may be forbidden; then the choice lasts as long as the page.
function read(): boolean {
  try {
    return localStorage.getItem(kept) !== 'off';
  } catch {
    return true;
  }
}

function write(on: boolean): void {
  try {
    localStorage.setItem(kept, on ? 'on' : 'off');
  } catch {
    // Nothing to do: see above.
  }
}
