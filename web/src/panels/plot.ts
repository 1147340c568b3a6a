// SPDX-License-Identifier: Apache-2.0
// One live plot: signals of one unit over time, the twin dashed beside the real.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { clock, number } from './format';
import type { Incident } from '../store';
import { joined, type Track } from './history';
import { IncidentMarks } from './incidents';
import { padded } from './range';

const height = 170; // px

// Colours that people with colour-blindness tell apart, in an order that keeps neighbours different.
const colors = {
  dark: ['#56b4e9', '#e69f00', '#2fc39b', '#f0e442', '#cc79a7', '#d5673a', '#9aa7ff', '#b8b8b8'],
  light: ['#0072b2', '#b35c00', '#00795a', '#7a6a00', '#a8417d', '#c23b00', '#4a4fc4', '#5a5a5a'],
};

export class Plot {
  private readonly plot: uPlot;
  private readonly marks = new IncidentMarks();

  constructor(
    readonly holder: HTMLElement,
    readonly tracks: Track[],
    private readonly withTwin: boolean,
    private readonly incidents: () => Incident[],
  ) {
    this.plot = new uPlot(this.options(), this.data(0), holder);
    this.plot.over.append(this.marks.node);
  }

  draw(now: number, span: number): void {
    const width = this.holder.clientWidth;
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
    this.plot.batch(() => {
      this.plot.setData(this.data(now - span - 1), true);
      this.plot.setScale('x', { min: now - span, max: now });
    });
    this.marks.show(this.incidents(), now - span, now);
    // Without a pointer on it, the legend tells the newest values.
    if ((this.plot.cursor.left ?? -1) < 0) this.plot.setLegend({ idx: (this.plot.data[0]?.length ?? 0) - 1 });
  }

  end(): void {
    this.plot.destroy();
  }

  private data(from: number): uPlot.AlignedData {
    return joined(this.tracks, from, this.withTwin) as uPlot.AlignedData;
  }

  private options(): uPlot.Options {
    const theme = document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
    const style = getComputedStyle(document.documentElement);
    const soft = style.getPropertyValue('--text-soft').trim();
    const line = style.getPropertyValue('--panel-edge').trim();
    const unit = this.tracks[0]?.unit ?? '';
    const series: uPlot.Series[] = [{ value: (_, time) => (time === null ? '–' : clock(time)) }];
    this.tracks.forEach((track, at) => {
      const stroke = colors[theme][at % colors[theme].length];
      const value = (_: uPlot, raw: number | null): string => number(raw);
      series.push({ label: track.name, stroke, width: 1.75, points: { show: false }, value });
      if (this.withTwin) series.push({ label: `${track.name} twin`, stroke, width: 1.25, dash: [5, 4], class: 'twin', points: { show: false }, value });
    });
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    return {
      width: Math.max(200, this.holder.clientWidth),
      height,
      series,
      scales: { x: { time: true }, y: { range: (_, low, high) => padded(low, high) } },
      axes: [
        { ...axis, size: 28, space: 70, values: (_, times) => times.map(clock) },
        { ...axis, size: 54, label: unit, labelSize: unit === '' ? 0 : 16, labelFont: '11px system-ui, sans-serif', values: (_, marks) => marks.map(number) },
      ],
      legend: { live: true },
      cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    };
  }
}
