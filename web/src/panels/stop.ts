// SPDX-License-Identifier: Apache-2.0
// The big stop: sends at once, asks nothing, and says loudly if it did not arrive.
import type { Actions, CommandAnswer, Store } from '../store';
import { announceNow } from './announce';
import { el, isTextField, place, setText } from './dom';
import { icon } from './icons';

const answerWithin = 1500; // ms: later than this it counts as not delivered
const pressedTwice = 400; // ms: a pointer's press and the click that follows it are one
const hasKeys = !window.matchMedia('(pointer: coarse)').matches; // a phone has no space bar
const saidFor = 6000; // ms

export interface Stop {
  press(): void;
}

export function startStop(store: Store, actions: Actions, letGo: () => void): Stop {
  const words = el('span', { class: 'stop-words', text: 'STOP ALL' });
  const note = el('span', { class: 'stop-note', id: 'stop-note' });
  const button = el(
    'button',
    { type: 'button', id: 'stop', 'aria-describedby': 'stop-note', 'aria-keyshortcuts': 'Space' },
    icon('stop'),
    el('span', { class: 'stop-text' }, words, note),
  );
  place('dock').append(button);
  let pressedAt = -Infinity;
  let turn = 0;

  const ready = (): void => {
    const connection = store.connection.value;
    button.dataset.state = connection.state !== 'open' ? 'lost' : connection.mayControl ? 'ready' : 'watch';
    setText(words, 'STOP ALL');
    setText(
      note,
      connection.state !== 'open'
        ? 'may not arrive: connection lost'
        : connection.mayControl
          ? byKey()
          : 'not from here: read-only',
    );
  };
  const tell = (state: string, head: string, text: string): void => {
    button.dataset.state = state;
    setText(words, head);
    setText(note, text);
  };

  const press = (): void => {
    if (performance.now() - pressedAt < pressedTwice) return;
    pressedAt = performance.now();
    turn += 1;
    const mine = turn;
    letGo(); // what is held here ends too
    tell('sending', 'STOPPING …', 'sent to all machines');
    void deliver(store, actions).then((answer) => {
      if (mine !== turn) return;
      if (answer.ok) {
        tell('done', 'STOPPED', 'each stays stopped until reset');
        announceNow('Stop delivered. All machines that move are stopped until reset.');
      } else {
        tell('failed', 'NOT DELIVERED', `Use the machine's own stop: ${answer.text}`);
        announceNow(`Stop was not delivered: ${answer.text}. Use the machine's own stop.`);
      }
      setTimeout(() => mine === turn && ready(), answer.ok ? saidFor : 2 * saidFor);
    });
  };
  button.addEventListener('pointerdown', (event) => {
    if (event.button === 0) press();
  });
  button.addEventListener('click', press);
  // In a text field the space bar writes a space: that must be seen before it is needed.
  for (const kind of ['focusin', 'focusout'] as const)
    document.addEventListener(kind, () => queueMicrotask(() => button.dataset.state === 'ready' && ready()));
  store.connection.on(() => {
    if (button.dataset.state !== 'sending' && button.dataset.state !== 'failed') ready();
  }, true);
  return { press };
}

function byKey(): string {
  if (!hasKeys) return 'all machines that move';
  return isTextField(document.activeElement) ? 'by a click: the space bar types here' : 'all machines, also space bar';
}

async function deliver(store: Store, actions: Actions): Promise<CommandAnswer> {
  // Tried in any case: over a network that fell silent it may still arrive.
  const lost = store.connection.value.state !== 'open';
  const late = new Promise<CommandAnswer>((resolve) =>
    setTimeout(() => resolve({ ok: false, text: 'the program did not answer in time' }), answerWithin),
  );
  const sent = actions.command('stop', '').catch((error: unknown) => ({
    ok: false,
    text: lost ? 'not connected to the program' : error instanceof Error ? error.message : String(error),
  }));
  return Promise.race([sent, late]);
}
