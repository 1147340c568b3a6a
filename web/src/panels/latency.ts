// SPDX-License-Identifier: Apache-2.0
// Latency of one machine, hop by hop: the three figures that matter and the histogram behind them.
import type { Histogram, Hop, MachineStatus, Store } from '../store';
import { el, setText, show } from './dom';
import { count, duration } from './format';
import { barHeight, decades, logBins, type Bin } from './histogram';

const words: Record<string, string> = {
  solve: 'from the bytes to the solved state',
  publish: 'from the solved state to ROS',
  total: 'from the bytes to ROS',
  late: 'from the turn of a cycle to its beginning',
};
const width = 360;
const height = 96;
const head = 14; // above the bars, for the names of the marks
const space = 'http://www.w3.org/2000/svg';

export class LatencyPane {
  readonly node = el('section', { class: 'pane' });
  private readonly hops = new Map<string, HopView>();
  private readonly hint = el('p', { class: 'hint', text: 'No sample has been timed yet.' });
  private readonly list = el('div');

  constructor(private readonly store: Store) {
    this.node.append(this.hint, this.list, el('p', { class: 'hint', text: 'Both axes are logarithmic, so that one late sample in a million is visible.' }));
  }

  show(machine: MachineStatus): void {
    const histograms = this.store.latency.value?.machines.find(({ name }) => name === machine.name)?.hops ?? [];
    const hops = machine.late ? [...machine.hops, machine.late] : machine.hops;
    const names = new Set(hops.map((hop) => hop.name));
    for (const [name, view] of this.hops) {
      if (names.has(name)) continue;
      view.node.remove();
      this.hops.delete(name);
    }
    for (const hop of hops) {
      let view = this.hops.get(hop.name);
      if (view === undefined) {
        view = new HopView(hop.name);
        this.hops.set(hop.name, view);
        this.list.append(view.node);
      }
      view.show(hop, histograms.find(({ name }) => name === hop.name));
    }
    show(this.hint, machine.hops.every((hop) => hop.count === 0));
  }
}

class HopView {
  readonly node: HTMLElement;
  private readonly p50 = el('dd');
  private readonly p99 = el('dd');
  private readonly p999 = el('dd');
  private readonly worst = el('dd');
  private readonly samples = el('dd');
  private readonly svg = document.createElementNS(space, 'svg');
  private drawn = '';

  constructor(name: string) {
    this.svg.setAttribute('viewBox', `0 ${-head} ${width} ${head + height + 18}`);
    this.svg.setAttribute('class', 'histogram');
    this.svg.setAttribute('role', 'img');
    const fact = (term: string, told: HTMLElement): HTMLElement => el('div', {}, el('dt', { text: term }), told);
    this.node = el(
      'article',
      { class: 'hop' },
      el('h3', {}, name, el('span', { class: 'unit', text: ` ${words[name] ?? ''}` })),
      el('dl', { class: 'facts five' }, fact('p50', this.p50), fact('p99', this.p99), fact('p99.9', this.p999), fact('worst', this.worst), fact('samples', this.samples)),
      this.svg,
    );
  }

  show(hop: Hop, histogram: Histogram | undefined): void {
    setText(this.p50, hop.count > 0 ? duration(hop.p50) : '–');
    setText(this.p99, hop.count > 0 ? duration(hop.p99) : '–');
    setText(this.p999, hop.count > 0 ? duration(hop.p999) : '–');
    setText(this.worst, hop.count > 0 && hop.worst !== undefined ? duration(hop.worst) : '–');
    setText(this.samples, count(hop.count));
    const bins = histogram === undefined ? [] : logBins(histogram.edges, histogram.counts);
    const key = JSON.stringify(bins.map((bin) => [bin.low, bin.count]));
    if (key === this.drawn) return;
    this.drawn = key;
    this.svg.setAttribute('aria-label', histogramWords(bins));
    this.svg.replaceChildren(...drawBins(bins, hop));
  }
}

// What the picture shows, for those who do not see it.
export function histogramWords(bins: Bin[]): string {
  const first = bins[0];
  const last = bins.at(-1);
  if (first === undefined || last === undefined) return 'Histogram without samples';
  const most = bins.reduce((a, b) => (b.count > a.count ? b : a));
  return `Histogram from ${duration(first.low)} to ${duration(last.high)}, most samples around ${duration(Math.sqrt(most.low * most.high))}`;
}

function drawBins(bins: Bin[], hop: Hop): SVGElement[] {
  const first = bins[0];
  const last = bins.at(-1);
  if (first === undefined || last === undefined) return [];
  const low = Math.log10(first.low) - 0.05;
  const high = Math.log10(last.high) + 0.05;
  const x = (seconds: number): number => ((Math.log10(seconds) - low) / (high - low)) * width;
  const most = Math.max(...bins.map((bin) => bin.count));
  const shapes: SVGElement[] = [];
  for (const mark of decades(10 ** low, 10 ** high)) {
    shapes.push(line(x(mark), 0, height, 'grid'), label(x(mark), duration(mark)));
  }
  for (const bin of bins) {
    const tall = barHeight(bin.count, most) * (height - 6);
    const rect = document.createElementNS(space, 'rect');
    rect.setAttribute('x', (x(bin.low) + 0.75).toFixed(1));
    rect.setAttribute('width', Math.max(1, x(bin.high) - x(bin.low) - 1.5).toFixed(1));
    rect.setAttribute('y', (height - tall).toFixed(1));
    rect.setAttribute('height', tall.toFixed(1));
    rect.setAttribute('rx', '1.5');
    shapes.push(rect);
  }
  let free = 0; // px from the left: where a name has room
  for (const [name, at] of [['p50', hop.p50], ['p99', hop.p99], ['p99.9', hop.p999]] as const) {
    if (!(at > 0) || Math.log10(at) < low || Math.log10(at) > high) continue;
    const place = Math.min(x(at), width - 18);
    shapes.push(line(x(at), 0, height, 'mark'));
    if (place - 15 >= free) shapes.push(label(place, name, -4));
    free = place + 17;
  }
  shapes.push(line(0, height, height, 'floor', width));
  return shapes;
}

function line(x: number, y1: number, y2: number, kind: string, to = x): SVGElement {
  const shape = document.createElementNS(space, 'line');
  shape.setAttribute('x1', x.toFixed(1));
  shape.setAttribute('x2', to.toFixed(1));
  shape.setAttribute('y1', String(y1));
  shape.setAttribute('y2', String(y2));
  shape.setAttribute('class', kind);
  return shape;
}

function label(x: number, text: string, y = height + 14): SVGElement {
  const shape = document.createElementNS(space, 'text');
  shape.setAttribute('x', Math.min(Math.max(x, 18), width - 18).toFixed(1));
  shape.setAttribute('y', String(y));
  shape.textContent = text;
  return shape;
}
