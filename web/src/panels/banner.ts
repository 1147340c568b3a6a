// SPDX-License-Identifier: Apache-2.0
// Tells that the page has lost the program: what is shown is old, and nothing typed here arrives.
import type { Actions, Connection, Store } from '../store';
import { el, place, setText, show } from './dom';
import { wholeDuration } from './format';
import { icon } from './icons';

const patience = 1200; // ms: a first connection that takes no longer is no news

export function startBanner(store: Store, actions: Actions): void {
  const banner = place('banner');
  const head = el('strong');
  const text = el('span');
  const again = el('span', { class: 'quiet', 'aria-hidden': true });
  const now = el('button', { type: 'button', text: 'Try now', onclick: () => actions.reconnect() });
  banner.append(icon('unplug'), el('p', {}, head, ' ', text, ' ', again), now);
  let met = false;

  const draw = (): void => {
    const connection = store.connection.value;
    if (connection.state === 'open') met = true;
    const away = Date.now() - connection.since;
    const shown = connection.state !== 'open' && (met || away > patience || connection.attempt > 0);
    if (shown) {
      setText(head, lostHead(connection, met));
      setText(text, lostText(connection, met));
      setText(again, retryText(connection));
    }
    show(banner, shown);
    document.body.toggleAttribute('data-lost', shown && met);
  };
  store.connection.on(draw, true);
  setInterval(draw, 500);
}

export function lostHead(connection: Pick<Connection, 'refused'>, met: boolean): string {
  if (connection.refused) return 'The program refused this page.';
  return met ? 'The page lost its connection to the program.' : 'The page cannot reach the program.';
}

export function lostText(connection: Pick<Connection, 'mode' | 'why' | 'refused'>, met: boolean): string {
  if (connection.refused) return met ? `${connection.why} ${lostText({ ...connection, why: '', refused: false }, met)}` : connection.why;
  const why = connection.why === '' || connection.why === 'connecting' ? '' : ` (${connection.why})`;
  if (!met) return `Is tandem running${why}?`;
  if (connection.mode === 'replay') return `The replay has ended or was ended${why}.`;
  return (
    `Machines are not stopped by this: they continue with their last commands${why}. What you see here is old, and ` +
    `Stop does not reach them: use the machine's own stop, or "tandem stop" in a terminal.`
  );
}

function retryText(connection: Connection): string {
  const wait = connection.retryAt - Date.now();
  return connection.retryAt > 0 && wait > 0 ? `Next try in ${wholeDuration(wait / 1000 + 1)}.` : 'Trying again …';
}
