// SPDX-License-Identifier: Apache-2.0
// Top bar: whose page this is, whether it is connected, who else looks, what is recorded, theme and help.
import type { Connection, Recording, Store } from '../store';
import { el, place, setAttribute, setText, show } from './dom';
import { bytes, count } from './format';
import { icon, setIcon } from './icons';
import { themeSwitch } from './theme';
import type { IconName, Tone } from './why';

export function startTopBar(store: Store, openHelp: () => void): void {
  const version = el('span', { class: 'version' });
  const state = el('span', { class: 'chip', id: 'connection' });
  const stateText = el('span');
  state.append(stateText);
  const rights = el('span', { class: 'chip', id: 'rights', hidden: true }, icon('eye'), el('span', { text: 'View only' }));
  const viewers = el('span', { class: 'chip', id: 'viewers' }, icon('eye'), el('span'));
  const recording = el('span', { class: 'chip', id: 'recording', hidden: true }, icon('record'), 'REC', el('span', { class: 'long' }));
  const help = el('button', { type: 'button', class: 'plain', id: 'help-button', 'aria-label': 'Help and keys', title: 'Help and keys (?)', onclick: openHelp }, icon('help'));
  place('topbar').append(
    el('h1', {}, el('span', { class: 'logo', 'aria-hidden': true }), 'Tandem', version),
    el('div', { class: 'chips' }, state, rights, recording, viewers),
    themeSwitch(store),
    help,
  );
  store.connection.on((connection) => {
    const said = connectionWord(connection);
    setIcon(state, said.icon === 'check' ? 'link' : said.icon);
    setText(stateText, said.word);
    setAttribute(state, 'data-tone', said.tone);
    setText(version, connection.program);
    show(rights, connection.state === 'open' && !connection.mayControl && connection.mode === 'live');
    document.body.toggleAttribute('data-replay', connection.mode === 'replay');
    document.title = connection.state === 'lost' ? 'Tandem: not connected' : 'Tandem';
  }, true);
  const drawStatus = (): void => {
    // A recording tells of its own day: who looked then, and into which file it went.
    const status = store.connection.value.mode === 'replay' ? null : store.status.value;
    const n = status?.viewers ?? 0;
    setText(viewers.lastElementChild as Element, n === 1 ? '1 viewer' : `${n} viewers`);
    show(viewers, n > 0);
    const file = status?.recording ?? null;
    show(recording, file !== null);
    if (file === null) return;
    setText(recording.lastElementChild as Element, recordingText(file));
    setAttribute(recording, 'data-tone', file.trouble !== '' || file.dropped > 0 ? 'bad' : 'record');
    setAttribute(recording, 'title', `${file.file}: ${count(file.messages)} messages${file.trouble === '' ? '' : `; ${file.trouble}`}`);
  };
  store.status.on(drawStatus, true);
  store.connection.on(drawStatus);
}

export function connectionWord(connection: Pick<Connection, 'state' | 'mode'>): { word: string; tone: Tone; icon: IconName } {
  if (connection.state === 'open') return { word: connection.mode === 'replay' ? 'Replay' : 'Connected', tone: 'good', icon: 'check' };
  if (connection.state === 'connecting') return { word: 'Connecting …', tone: 'doubt', icon: 'search' };
  return { word: 'Not connected', tone: 'bad', icon: 'unplug' };
}

export function recordingText(recording: Recording): string {
  const name = recording.file.split('/').at(-1) ?? recording.file;
  const lost = recording.dropped > 0 ? `, ${count(recording.dropped)} dropped` : '';
  return recording.trouble !== '' ? `in trouble: ${recording.trouble}` : `${name} ${bytes(recording.bytes)}${lost}`;
}
