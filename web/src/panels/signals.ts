// SPDX-License-Identifier: Apache-2.0
// Signals of the chosen machine, plotted live: those that are ticked, one plot per unit, the twin beside the real.
import { choice } from './choice';
import { el, freshId, setText, show } from './dom';
import type { Incident, Readable } from '../store';
import type { History, Track } from './history';
import { incidentsOf } from './incidents';
import type { Plot } from './plot';

const windows = [10, 30, 120].map((seconds) => [seconds, `${seconds} s`] as const);
const redrawEvery = 100; // ms
const first = 3; // so many signals are ticked when a machine is opened the first time

const outdated =
  'The plots could not be loaded. If the program was updated, reload the page.';

export class Signals {
  readonly node = el('section', { class: 'pane' });
  private readonly plots = el('div', { class: 'plots' });
  private readonly choices = el('div', { class: 'choices' });
  private readonly hint = el('p', { class: 'hint' });
  private readonly pause = el('button', { type: 'button', 'aria-pressed': 'false', text: 'Pause' });
  private readonly ticked = new Map<string, Set<string>>(); // by machine
  private drawn: Plot[] = [];
  private span = 30;
  private withTwin = true;
  private machine = '';
  private shownIds = '';
  private visible = false;
  private paused = false;
  private maker: typeof Plot | undefined;
  private readonly missing = el('div', { class: 'why', role: 'status', hidden: true });

  constructor(
    private readonly history: History,
    private readonly incidents: Readable<readonly Incident[]>,
  ) {
    const span = choice('Window', windows, (seconds) => {
      this.span = seconds;
      span.show(seconds);
    });
    span.show(this.span);
    const twin = el('input', { type: 'checkbox', checked: true });
    twin.addEventListener('change', () => {
      this.withTwin = twin.checked;
      this.rebuild();
    });
    this.pause.addEventListener('click', () => {
      this.paused = !this.paused;
      this.pause.setAttribute('aria-pressed', String(this.paused));
      setText(this.pause, this.paused ? 'Go on' : 'Pause');
    });
    const bar = el('div', { class: 'row tools' }, el('span', { class: 'picker' }, 'Window ', span.node), el('label', { class: 'tick' }, twin, 'Twin, dashed'), this.pause);
    this.node.append(bar, this.missing, this.hint, this.plots, el('h3', { text: 'Choose signals' }), this.choices);
    document.addEventListener('themechange', () => this.rebuild());
    setInterval(() => this.draw(), redrawEvery);
  }

  show(machine: string): void {
    if (machine !== this.machine) {
      this.machine = machine;
      this.shownIds = '';
      this.rebuild();
    }
    this.offer();
  }

  shown(visible: boolean): void {
    this.visible = visible;
    if (!visible) return this.endPlots();
    // The plotting code comes only to those who plot.
    if (this.maker === undefined) {
      import('./plot').then(
        ({ Plot: maker }) => {
          this.maker = maker;
          show(this.missing, false);
          this.rebuild();
        },
        () => {
          const reload = el('button', { type: 'button', text: 'Reload', onclick: () => location.reload() });
          this.missing.replaceChildren(el('p', { text: outdated }), reload);
          show(this.missing, true);
        },
      );
    }
    this.offer();
    this.rebuild();
  }

  private chosen(): Set<string> {
    let set = this.ticked.get(this.machine);
    const tracks = this.history.of(this.machine);
    if (set === undefined && tracks.size > 0) {
      const picture = [...tracks].filter(([, track]) => track.group === 'picture').map(([id]) => id);
      set = new Set((picture.length > 0 ? picture.slice(0, 8) : [...tracks.keys()].slice(0, first)));
      this.ticked.set(this.machine, set);
    }
    return set ?? new Set();
  }

  // The check boxes, in groups; made anew only if the signals themselves are others.
  private offer(): void {
    if (!this.visible) return;
    const tracks = this.history.of(this.machine);
    const ids = [...tracks.keys()].join('\n');
    if (ids === this.shownIds) return;
    this.shownIds = ids;
    const chosen = this.chosen();
    const groups = new Map<string, [string, Track][]>();
    for (const entry of tracks) groups.set(entry[1].group, [...(groups.get(entry[1].group) ?? []), entry]);
    this.choices.replaceChildren(...[...groups].map(([group, entries]) => this.group(group, entries, chosen)));
    this.rebuild();
  }

  private group(group: string, entries: [string, Track][], chosen: Set<string>): HTMLElement {
    const boxes = entries.map(([id, track]) => {
      const box = el('input', { type: 'checkbox', checked: chosen.has(id), id: freshId('signal') });
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(id);
        else chosen.delete(id);
        this.rebuild();
      });
      const name = entries.length > 1 && track.name.startsWith(`${group} `) ? track.name.slice(group.length + 1) : track.name;
      return el('label', { class: 'tick' }, box, name);
    });
    const units = [...new Set(entries.map(([, track]) => track.unit).filter((unit) => unit !== ''))].join(', ');
    const legend = el('legend', {}, group === 'picture' ? 'drawn in the view' : group);
    if (units !== '') legend.append(el('span', { class: 'unit', text: ` ${units}` }));
    return el('fieldset', {}, legend, ...boxes);
  }

  private endPlots(): void {
    for (const plot of this.drawn) plot.end();
    this.drawn = [];
    this.plots.replaceChildren();
  }

  private rebuild(): void {
    this.endPlots();
    const maker = this.maker;
    if (!this.visible || maker === undefined) return;
    const tracks = this.history.of(this.machine);
    const byUnit = new Map<string, Track[]>();
    for (const id of this.chosen()) {
      const track = tracks.get(id);
      if (track !== undefined) byUnit.set(track.unit, [...(byUnit.get(track.unit) ?? []), track]);
    }
    for (const [unit, group] of byUnit) {
      const names = group.map((track) => track.name).join(', ');
      const holder = el('div', { class: 'plot', role: 'img', 'aria-label': `Plot of ${names}${unit === '' ? '' : ` in ${unit}`}` });
      this.plots.append(holder);
      const twin = this.withTwin && group.some((track) => track.twin.some((value) => value !== null));
      this.drawn.push(new maker(holder, group, twin, () => incidentsOf(this.incidents.value, this.machine)));
    }
    show(this.hint, byUnit.size === 0);
    setText(this.hint, tracks.size === 0 ? 'No values received from this machine yet.' : 'Tick a signal below to plot it.');
    this.draw(true);
  }

  private draw(always = false): void {
    if (!this.visible || (this.paused && !always) || document.hidden) return;
    for (const plot of this.drawn) {
      const now = Math.max(...plot.tracks.map((track) => track.times.at(-1) ?? 0));
      plot.draw(now, this.span);
    }
  }
}
