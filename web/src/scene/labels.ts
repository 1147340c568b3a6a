// SPDX-License-Identifier: Apache-2.0
// Names over the machines, as HTML: crisp, of the page's own type, and a way to choose a machine by touch. The list of
// machines says the same to screen readers, so these are hidden from them.
import { Box3, Vector3, type Camera } from 'three';
import { placed, type Rect } from './label_places';
import type { MachineView } from './machine';
import type { Words } from './words';

interface Label {
  machine: MachineView;
  box: HTMLButtonElement;
  mark: HTMLElement;
  words: HTMLElement;
  residual: HTMLElement;
  width: number;
  height: number;
  x: number;
  y: number;
  shown: boolean;
  said: string;
  at: number; // where it stands of the places it could have
}

export class Labels {
  readonly layer = document.createElement('div');
  private labels: Label[] = [];
  private point = new Vector3();

  constructor(
    private choose: (name: string) => void,
    readonly topRoom: number, // px that something else has at the top
  ) {
    this.layer.className = 'view-labels';
    this.layer.setAttribute('aria-hidden', 'true');
  }

  build(machines: readonly MachineView[]): void {
    this.layer.replaceChildren();
    this.labels = machines.map((machine) => {
      const box = document.createElement('button');
      box.type = 'button';
      box.tabIndex = -1;
      box.className = 'view-label';
      box.addEventListener('click', () => this.choose(machine.name));
      const add = (name: string) => {
        const span = document.createElement('span');
        span.className = name;
        return span;
      };
      const name = add('view-label-name');
      name.textContent = machine.name;
      const scale = add('view-label-scale');
      if (machine.place.scale !== 1) {
        scale.textContent = `drawn ×${machine.place.scale}`;
        scale.title = 'Machines of very different sizes are drawn at different scales';
      }
      const mark = add('view-label-mark');
      const words = add('view-label-words');
      const residual = add('view-label-residual');
      const head = add('view-label-head');
      head.append(mark, name, scale);
      box.append(head, words, residual);
      this.layer.append(box);
      return { machine, box, mark, words, residual, width: 0, height: 0, x: 0, y: 0, shown: true, said: '', at: 0 };
    });
  }

  // Only what changed touches the document; sizes are read once after that. False: nothing did.
  say(machine: MachineView, chosen: boolean, words: Words, residual: string): boolean {
    const label = this.labels.find((known) => known.machine === machine);
    if (!label) return false;
    const { presence, stopped } = machine;
    const said = [presence, stopped, chosen, words.mark, words.text, residual].join('|');
    if (said === label.said) return false;
    label.said = said;
    label.box.dataset.presence = presence;
    label.box.dataset.stopped = String(stopped);
    label.box.dataset.chosen = String(chosen);
    label.box.dataset.calm = String(words.calm === true);
    label.mark.textContent = words.mark;
    label.words.textContent = words.text;
    label.residual.textContent = residual;
    label.width = 0;
    return true;
  }

  place(camera: Camera, width: number, height: number): void {
    // On a phone the names must do; the list below says why.
    const narrow = width < 560;
    if (narrow !== (this.layer.dataset.narrow === 'true')) {
      this.layer.dataset.narrow = String(narrow);
      for (const label of this.labels) label.width = 0;
    }
    const rectOf = (box: Box3) => inPixels(projected(box, camera), width, height);
    const taken = this.labels.map(({ machine }) => rectOf(drawnOf(machine)));
    const crowd = this.labels.filter(({ machine }) => machine.guest).length > mostGuests;
    const grounds = this.labels.filter(({ machine }) => machine.roaming && !machine.guest).map(({ machine }) => rectOf(machine.sight));
    for (const label of this.labels) {
      if (label.width === 0) {
        label.width = label.box.offsetWidth;
        label.height = label.box.offsetHeight;
      }
      label.shown = this.inSight(label.machine, camera) && !(crowd && isCalm(label));
      label.box.style.visibility = label.shown ? 'visible' : 'hidden';
    }
    // The foremost first: what stands behind it has room above.
    const labels = this.labels.map((label, i) => ({ label, rect: taken[i] })).filter(({ label }) => label.shown);
    labels.sort((a, b) => b.rect.bottom - a.rect.bottom);
    const free = { left: 4, top: this.topRoom, right: width - 4, bottom: height - 4 };
    const names: Rect[] = [];
    for (const { label, rect } of labels) {
      const { x, y, at } = placed(label, rect, taken, names, grounds, free, label.at);
      Object.assign(label, { x: Math.round(x), y: Math.round(y), at });
      names.push({ left: x, top: y, right: x + label.width, bottom: y + label.height });
      label.box.style.transform = `translate(${label.x}px, ${label.y}px)`;
    }
  }

  // One that is out of the picture keeps its label at the edge only if something is the matter with it.
  private inSight(machine: MachineView, camera: Camera): boolean {
    const { x, y, z } = machine.mainPoint(this.point).project(camera);
    const out = Math.abs(x) > 1.02 || Math.abs(y) > 1.02;
    return Math.abs(z) <= 1 && (!out || machine.presence !== 'present' || machine.stopped);
  }
}

const mostGuests = 30; // on one ground, that all have their names beside them

// Nothing is the matter with it, and it is not chosen.
function isCalm({ machine, box }: Label): boolean {
  return machine.guest && machine.presence === 'present' && !machine.stopped && box.dataset.chosen !== 'true';
}

// Its body if it roams a ground far larger than itself, else all of it.
function drawnOf(machine: MachineView): Box3 {
  const body = machine.roaming ? machine.bodyBox() : machine.sight;
  return body.isEmpty() ? machine.sight : body;
}

function inPixels({ min, max }: Box3, width: number, height: number): Rect {
  const [x, y] = [(v: number) => (v * 0.5 + 0.5) * width, (v: number) => (0.5 - v * 0.5) * height];
  return { left: x(min.x), top: y(max.y), right: x(max.x), bottom: y(min.y) };
}

// A box in the picture, -1 to 1.
export function projected(body: Box3, camera: Camera): Box3 {
  const box = new Box3();
  for (let i = 0; i < 8; ++i)
    box.expandByPoint(corner.set(body[i & 1 ? 'max' : 'min'].x, body[i & 2 ? 'max' : 'min'].y, body[i & 4 ? 'max' : 'min'].z).project(camera));
  return box;
}

const corner = new Vector3();
