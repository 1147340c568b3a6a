// SPDX-License-Identifier: Apache-2.0
// Incidents that the black box has kept: links to their reports, and red marks where time is drawn.
import type { Incident, Readable } from '../store';
import { el, show } from './dom';
import { clock } from './format';

const listed = 5; // the newest

// The page of the report, which the program serves beside its own: "./incidents/NAME.html".
export function reportOf({ file }: Incident): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.mcap$/, '');
  return `./incidents/${encodeURIComponent(name)}.html`;
}

export function titleOf({ machine, cause, text }: Incident): string {
  const words = cause.replaceAll('_', ' ');
  return `${machine}: ${words}${text === '' ? '' : `: ${text}`}`;
}

// Those of a machine, and those of none alone; an empty name: all.
export function incidentsOf(incidents: readonly Incident[], machine: string): Incident[] {
  return incidents.filter((incident) => machine === '' || incident.machine === machine || incident.machine === 'all');
}

// Where on a bar from `start` to `end` a time is, 0 to 1; undefined beyond it.
export function shareOf(at: number, start: number, end: number): number | undefined {
  const share = (at - start) / (end - start);
  return share >= 0 && share <= 1 ? share : undefined;
}

// As JSON from a program that may be any.
export function incidentsFrom(value: unknown): Incident[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is Incident => {
    const { file, machine, cause, text, at } = (each ?? {}) as Partial<Record<keyof Incident, unknown>>;
    return [file, machine, cause, text].every((part) => typeof part === 'string') && Number.isFinite(at);
  });
}

// A red mark that opens the report. Its place is `--share` of its holder.
function mark(incident: Incident): HTMLAnchorElement {
  const title = `${clock(incident.at)} ${titleOf(incident)}`;
  return el('a', { class: 'incident-mark', href: reportOf(incident), target: '_blank', rel: 'noopener', title, 'aria-label': `Incident: ${title}` });
}

// The marks on something that shows a span of time; made anew only when the incidents are others.
export class IncidentMarks {
  readonly node = el('div', { class: 'incident-marks' });
  private shown: Incident[] = [];
  private marks: HTMLAnchorElement[] = [];

  show(incidents: Incident[], start: number, end: number): void {
    const same = incidents.length === this.shown.length && incidents.every((each, at) => reportOf(each) === reportOf(this.shown[at] as Incident));
    if (!same) {
      this.shown = incidents;
      this.marks = incidents.map(mark);
      this.node.replaceChildren(...this.marks);
    }
    this.marks.forEach((node, at) => {
      const share = shareOf(this.shown[at]?.at ?? NaN, start, end);
      show(node, share !== undefined);
      if (share !== undefined) node.style.setProperty('--share', share.toFixed(5));
    });
  }
}

// The newest incidents of a machine as links.
export class IncidentList {
  readonly node = el('ul', { class: 'incidents', 'aria-label': 'Incidents', hidden: true });
  private machine = '';
  private shown = '';

  constructor(private readonly incidents: Readable<readonly Incident[]>) {
    incidents.on(() => this.draw(), true);
  }

  of(machine: string): void {
    this.machine = machine;
    this.draw();
  }

  private draw(): void {
    const found = incidentsOf(this.incidents.value, this.machine).slice(0, listed);
    const key = found.map(reportOf).join('\n');
    if (key === this.shown) return;
    this.shown = key;
    show(this.node, found.length > 0);
    this.node.replaceChildren(
      ...found.map((incident) =>
        el(
          'li',
          {},
          el('time', { datetime: new Date(incident.at * 1000).toISOString(), text: clock(incident.at) }),
          el('a', { href: reportOf(incident), target: '_blank', rel: 'noopener', text: titleOf(incident) }),
        ),
      ),
    );
  }
}
