// SPDX-License-Identifier: Apache-2.0
// Short messages for what went wrong just now. They are in the log too, so they may go by themselves.
import type { Store } from '../store';
import { el, place } from './dom';
import { icon } from './icons';

const shownFor = 9000; // ms
const atMost = 3;
const oldLinesCome = 1500; // ms after the connection opens: the kept lines of the log, which are no news
const oldAfter = 10; // s, by the program's own clock: on a slow computer they come later than that

export function toast(title: string, text: string, tone: 'bad' | 'calm' = 'bad'): void {
  const holder = place('toasts');
  const same = [...holder.children].find((one) => one.getAttribute('data-text') === `${title} ${text}`);
  same?.remove();
  const node = el(
    'div',
    { class: 'toast', 'data-tone': tone, 'data-text': `${title} ${text}` },
    icon(tone === 'bad' ? 'warning' : 'check'),
    el('p', {}, el('strong', { text: title }), ' ', text),
  );
  const close = el('button', { type: 'button', class: 'plain', 'aria-label': `Dismiss: ${title}` }, icon('cross'));
  close.addEventListener('click', () => node.remove());
  node.append(close);
  holder.append(node);
  while (holder.children.length > atMost) holder.firstElementChild?.remove();
  // While a pointer or the focus is on it, it waits.
  const leave = (): void => {
    if (node.matches(':hover, :focus-within')) setTimeout(leave, 2000);
    else node.remove();
  };
  setTimeout(leave, shownFor);
}

export function startToasts(store: Store): void {
  let openSince = Infinity;
  let told = store.log.value.at(-1);
  store.connection.on(({ state, since }) => {
    openSince = state === 'open' ? since : Infinity;
  }, true);
  store.log.on((lines) => {
    const from = told === undefined ? 0 : lines.lastIndexOf(told) + 1;
    told = lines.at(-1);
    if (Date.now() - openSince < oldLinesCome) return;
    const now = store.picture.value?.t ?? 0;
    for (const line of lines.slice(from).slice(-atMost)) {
      if (line.bad && now - line.t < oldAfter) toast(line.machine === '' ? line.kind : `${line.machine}: ${line.kind}`, line.text);
    }
  });
  store.notice.on((notice) => {
    if (notice !== null && notice.level !== 'info') toast('The program says:', notice.text);
  });
}
