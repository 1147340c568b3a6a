// SPDX-License-Identifier: Apache-2.0
// Time bar of a replay: play, pause, speed, seek.
import type { Actions, Playback, Store } from '../store';
import { el, place, setAttribute, setText, show } from './dom';
import { clock, position } from './format';
import { setIcon } from './icons';
import { IncidentMarks } from './incidents';

const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export interface Replay {
  toggle(): void;
  step(seconds: number): void;
}

export function startReplay(store: Store, actions: Actions): Replay {
  const holder = place('replay');
  const play = el('button', { type: 'button', class: 'play', 'aria-keyshortcuts': 'Space' }, el('span', { class: 'unseen' }));
  const bar = el('input', { type: 'range', min: 0, max: 1, step: 0.01, value: 0, 'aria-label': 'Position in the recording' });
  const at = el('span', { class: 'at' });
  const day = el('span', { class: 'day' });
  const speed = el('select', { 'aria-label': 'Speed' });
  for (const factor of speeds) speed.append(el('option', { value: factor, text: `${factor}×` }));
  const marks = new IncidentMarks();
  const drawMarks = (): void => {
    const playback = store.playback.value;
    if (playback !== null) marks.show([...store.incidents.value], playback.start, playback.end);
  };
  store.incidents.on(drawMarks);
  holder.append(play, el('div', { class: 'time-bar' }, bar, marks.node), el('span', { class: 'times' }, at, day), el('label', { class: 'picker' }, speed));
  let dragged = false;

  const toggle = (): void => {
    const playback = store.playback.value;
    if (playback === null) return;
    if (playback.state === 'playing') return actions.pause();
    if (playback.state === 'ended') actions.seek(playback.start);
    actions.play();
  };
  const step = (seconds: number): void => {
    const playback = store.playback.value;
    if (playback !== null) actions.seek(Math.min(playback.end, Math.max(playback.start, playback.now + seconds)));
  };
  play.addEventListener('click', toggle);
  speed.addEventListener('change', () => actions.speed(Number(speed.value)));
  bar.addEventListener('input', () => {
    dragged = true;
    const playback = store.playback.value;
    if (playback !== null) tell(playback, Number(bar.value));
  });
  bar.addEventListener('change', () => {
    dragged = false;
    const playback = store.playback.value;
    if (playback !== null) actions.seek(playback.start + Number(bar.value));
  });

  const tell = (playback: Playback, offset: number): void => {
    const length = playback.end - playback.start;
    setText(at, `${position(offset)} / ${position(length)}`);
    setText(day, clock(playback.start + offset));
    setAttribute(bar, 'aria-valuetext', `${position(offset)} of ${position(length)}`);
    bar.style.setProperty('--share', `${length > 0 ? ((100 * offset) / length).toFixed(2) : 0}%`);
  };
  store.playback.on((playback) => {
    show(holder, playback !== null);
    if (playback === null) return;
    const playing = playback.state === 'playing' || playback.state === 'buffering';
    setIcon(play, playing ? 'pause' : 'play');
    setText(play.lastElementChild as Element, playing ? 'Pause' : playback.state === 'ended' ? 'Play again' : 'Play');
    setAttribute(bar, 'max', String(playback.end - playback.start));
    drawMarks();
    if (document.activeElement !== speed) speed.value = String(nearest(playback.speed));
    if (dragged) return;
    bar.value = String(playback.now - playback.start);
    tell(playback, playback.now - playback.start);
  }, true);
  return { toggle, step };
}

function nearest(speed: number): number {
  return speeds.reduce((a, b) => (Math.abs(b - speed) < Math.abs(a - speed) ? b : a));
}
