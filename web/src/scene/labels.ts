// Names over the machines, as HTML: crisp, of the page's own type, and a way to choose a machine by touch. The list of
// machines says the same to screen readers, so these are hidden from them.
import { Vector3, type Camera } from 'three';
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
        scale.title = 'Machines of far different sizes are drawn at different scales, to be seen side by side';
      }
      const mark = add('view-label-mark');
      const words = add('view-label-words');
      const residual = add('view-label-residual');
      const head = add('view-label-head');
      head.append(mark, name, scale);
      box.append(head, words, residual);
      this.layer.append(box);
      return { machine, box, mark, words, residual, width: 0, height: 0, x: 0, y: 0, shown: true, said: '' };
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
    for (const label of this.labels) {
      if (label.width === 0) {
        label.width = label.box.offsetWidth;
        label.height = label.box.offsetHeight;
      }
      const { x, y, behind } = this.top(label.machine, camera);
      // One that is out of the picture keeps its label at the edge only if something is the matter with it.
      const out = Math.abs(x) > 1.02 || y < -1.02 || y > 1.3;
      label.shown = !behind && (!out || label.machine.presence !== 'present' || label.machine.stopped);
      label.box.style.visibility = label.shown ? 'visible' : 'hidden';
      label.x = Math.round((x * 0.5 + 0.5) * width - label.width / 2);
      label.y = Math.round((0.5 - y * 0.5) * height - label.height - 4);
      label.x = Math.min(Math.max(label.x, 4), Math.max(4, width - label.width - 4));
      label.y = Math.min(Math.max(label.y, this.topRoom), Math.max(this.topRoom, height - label.height - 4));
    }
    this.spread();
    for (const { box, x, y } of this.labels) box.style.transform = `translate(${x}px, ${y}px)`;
  }

  // Over the body of one that roams; else a little over the middle of its top, towards the highest corner that it has in
  // the picture; -1 to 1.
  private top(machine: MachineView, camera: Camera): { x: number; y: number; behind: boolean } {
    const { point } = this;
    const { box, rise } = machine;
    if (rise !== null) {
      machine.mainPoint(point).z += 1.15 * rise;
      point.project(camera);
      return { x: point.x, y: point.y, behind: Math.abs(point.z) > 1 };
    }
    let y = -Infinity;
    for (let i = 0; i < 4; ++i) {
      point.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, box.max.z).project(camera);
      if (Math.abs(point.z) <= 1) y = Math.max(y, point.y);
    }
    point.set((box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, box.max.z).project(camera);
    return { x: point.x, y: point.y + 0.3 * (y - point.y), behind: point.z > 1 || y === -Infinity };
  }

  // The lower of two that overlap keeps its place; the other goes up, or down where there is no room.
  private spread(): void {
    const sorted = this.labels.filter((label) => label.shown).sort((a, b) => b.y - a.y);
    sorted.forEach((label, i) => {
      for (let tries = 0; tries < sorted.length; ++tries) {
        const other = sorted.slice(0, i).find((below) => overlap(label, below));
        if (!other) break;
        const above = other.y - label.height - 4;
        label.y = above >= this.topRoom ? above : other.y + other.height + 4;
      }
    });
  }
}

function overlap(a: Label, b: Label): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
