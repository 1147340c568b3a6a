// SPDX-License-Identifier: Apache-2.0
// The 3D view as the rest of the page knows it. Its drawing code comes in a chunk of its own, so that the panels (and
// the stop) stand first; without WebGL a plain message takes its place and everything else works.
import type { Link } from '../link';
import type { Options } from '../options';
import type { Store } from '../store';
import './view.css';

export interface View {
  readonly ok: boolean; // false: no WebGL here
  readonly drawn: boolean; // the first picture of machines is on the screen
  readonly fps: number; // pictures drawn in the last second; few when nothing moves
  fit(): void; // the chosen machine, or all
  look(from: Side): void;
  zoom(factor: number): void; // below 1: nearer
  turn(azimuth: number, elevation: number): void; // radians
  outline(machine: string, whole?: boolean): Outline | null; // of what moves, or of all of it; null: not drawn
}

// Where something lies in the view, in parts of its width and height from the upper left corner.
export interface Outline {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type Side = 'top' | 'side' | 'front' | 'iso';

// What the drawing chunk gives back.
export interface Stage {
  readonly drawn: boolean;
  readonly fps: number;
  fit(): void;
  look(from: Side): void;
  zoom(factor: number): void;
  turn(azimuth: number, elevation: number): void;
  outline(machine: string, whole?: boolean): Outline | null;
}

export function openView(host: HTMLElement, store: Store, link: Link, wish: Options): View {
  let stage: Stage | null = null;
  let ok = true;
  import('./stage').then(
    ({ openStage }) => {
      try {
        stage = openStage(host, store, link, wish);
      } catch (error) {
        ok = false;
        tell(host, noWebGl, error);
      }
    },
    (error: unknown) => {
      ok = false;
      tell(host, outdated, error).append(reloadButton());
      reloadOnce(store);
    },
  );
  return {
    get ok() {
      return ok;
    },
    get drawn() {
      return stage?.drawn ?? false;
    },
    get fps() {
      return stage?.fps ?? 0;
    },
    fit: () => stage?.fit(),
    look: (from) => stage?.look(from),
    zoom: (factor) => stage?.zoom(factor),
    turn: (azimuth, elevation) => stage?.turn(azimuth, elevation),
    outline: (machine, whole) => stage?.outline(machine, whole) ?? null,
  };
}

const noWebGl =
  'WebGL is not available or disabled in this browser. Everything else on this page works: states, signals, controls and the stop.';
const outdated =
  'The 3D view could not be loaded. If the program was updated, reload the page. Everything else works.';

function tell(host: HTMLElement, words: string, error: unknown): HTMLElement {
  const box = document.createElement('div');
  box.className = 'view-missing';
  box.setAttribute('role', 'status');
  const head = document.createElement('strong');
  head.textContent = 'The machines cannot be drawn in 3D here.';
  const body = document.createElement('p');
  body.textContent = words;
  const why = document.createElement('p');
  why.className = 'view-missing-why';
  why.textContent = error instanceof Error ? error.message : String(error);
  box.append(head, body, why);
  host.append(box);
  return box;
}

function reloadButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Reload';
  button.addEventListener('click', () => location.reload());
  return button;
}

// By itself once a minute at most, and only if the program is there to give a new page.
function reloadOnce(store: Store): void {
  const key = 'tandem.reloaded';
  try {
    if (Date.now() - Number(sessionStorage.getItem(key)) < 60_000) return;
    sessionStorage.setItem(key, String(Date.now()));
  } catch {
    return; // no storage: it might go round for ever
  }
  store.connection.on(({ state }) => state === 'open' && location.reload(), true);
}
