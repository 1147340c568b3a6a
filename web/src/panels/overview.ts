// SPDX-License-Identifier: Apache-2.0
// Overview of one machine: why it is as it is, its link's figures, and all its values beside its twin's.
import type { Actions, Connection, Indicator, MachineStatus, Scene, Value } from '../store';
import { Cable } from './cable';
import { Chaos } from './chaos';
import { el, setAttribute, setText, show } from './dom';
import { age, count, number, rate } from './format';
import { signalsOf } from './series';
import { armWhy, linkWhy, recordedWhy, type Rights } from './why';

type Fact = [name: string, text: (machine: MachineStatus) => string];

const facts: Fact[] = [
  ['Device', (machine) => (machine.virtual ? 'virtual' : machine.device || 'real')],
  ['Rate', (machine) => rate(machine.rate)],
  ['Newest sample', (machine) => age(machine.age)],
  ['Samples', (machine) => count(machine.samples)],
  ['Bad samples', (machine) => count(machine.invalid)],
  ['Attempts', (machine) => `${count(machine.attempts)}, ${count(machine.connects)} connected`],
  ['Dropouts', (machine) => count(machine.stale_episodes)],
];

export class Overview {
  readonly node = el('section', { class: 'pane' });
  private readonly good = el('p', { class: 'all-well', text: 'Its link is live and it follows commands.' });
  private readonly link = el('p', { class: 'why' });
  private readonly arm = el('p', { class: 'why calm' });
  private readonly cable: Cable;
  private readonly chaos: Chaos;
  private readonly told: HTMLElement[] = [];
  private readonly rows = new Map<string, Row>();
  private indicators: readonly Indicator[] = [];
  private rowsOf = ''; // the machine that they are of
  private readonly body = el('tbody');
  private readonly twinHead = el('th', { scope: 'col', class: 'twin', text: 'Twin' });
  private readonly none = el('p', { class: 'hint', text: 'No values yet.' });
  private readonly beside = el('p', { class: 'hint beside' });

  constructor(actions: Actions) {
    this.cable = new Cable(actions);
    this.chaos = new Chaos(actions);
    const list = el('dl', { class: 'facts' });
    for (const [name] of facts) {
      const told = el('dd');
      this.told.push(told);
      list.append(el('div', {}, el('dt', { text: name }), told));
    }
    const head = el('tr', {}, el('th', { scope: 'col', text: 'Value' }), el('th', { scope: 'col', text: 'Now' }), this.twinHead);
    this.node.append(
      el('div', { class: 'whys' }, this.good, this.link, this.arm),
      el('h3', { text: 'Link' }),
      list,
      this.cable.node,
      this.chaos.node,
      this.beside,
      el('h3', { text: 'Values' }),
      this.none,
      el('table', { class: 'values' }, el('caption', { class: 'unseen', text: 'Values of the machine and its twin' }), el('thead', {}, head), this.body),
    );
  }

  show(machine: MachineStatus, uptime: number, connection: Connection, rights: Rights, scene?: Scene): void {
    const beside = scene?.beside;
    this.indicators = scene?.indicators ?? [];
    setText(this.beside, beside?.name ? `Translucent: its ${beside.name}. ${beside.text}` : 'This machine has no twin.');
    const { link, arm } = whys(machine, uptime, connection);
    setText(this.link, link);
    show(this.link, link !== '');
    setText(this.arm, arm);
    // Without a link the first text has said it all.
    show(this.arm, arm !== '' && (link === '' || machine.age < 0));
    setText(this.good, machine.moves ? 'Its link is live and it follows commands.' : 'Its link is live. This machine is read-only.');
    show(this.good, link === '' && arm === '' && connection.state === 'open' && connection.mode === 'live');
    facts.forEach(([, text], at) => {
      const node = this.told[at];
      if (node !== undefined) setText(node, text(machine));
    });
    this.cable.show(machine, rights);
    this.chaos.show(machine, rights);
    this.showValues(machine);
  }

  private showValues(machine: MachineStatus): void {
    // Another machine's numbers under the same names have other units, and stand in another order.
    if (machine.name !== this.rowsOf) {
      this.rowsOf = machine.name;
      this.rows.clear();
      this.body.replaceChildren();
    }
    const twins = new Map(machine.twin_values.map((value) => [value.name, value]));
    setAttribute(this.node, 'data-twin', twins.size > 0 ? '' : null);
    const wanted = new Set<string>();
    for (const value of machine.values) this.showValue(value, twins.get(value.name), wanted);
    for (const value of machine.twin_values)
      if (!machine.values.some(({ name }) => name === value.name)) this.showValue({ ...value, numbers: value.numbers.map(() => null), text: '–' }, value, wanted);
    for (const [id, row] of this.rows) {
      if (wanted.has(id)) continue;
      row.node.remove();
      this.rows.delete(id);
    }
    show(this.none, wanted.size === 0);
  }

  private showValue(value: Value, twin: Value | undefined, wanted: Set<string>): void {
    if (value.numbers.length === 0) {
      this.row(value.name, value.name, '', wanted).show(value.text, twin?.text ?? '');
      return;
    }
    const indicator = this.indicators.find((one) => one.value === value.name);
    if (indicator?.kind === 'text' && value.text !== '') {
      this.row(value.name, value.name, '', wanted).show(value.text, twin?.text ?? '');
      return;
    }
    for (const signal of signalsOf(value)) {
      if (indicator !== undefined && indicator.kind !== 'text') {
        this.row(signal.id, signal.name, signal.unit, wanted).indicate(indicator, value.numbers[signal.at] ?? null, value.text);
        continue;
      }
      const other = twin?.numbers[signal.at];
      const note = signal.at === 0 && value.text !== '' ? ` ${value.text}` : '';
      this.row(signal.id, signal.name, signal.unit, wanted).show(
        number(value.numbers[signal.at]) + note,
        other === undefined ? '' : number(other),
      );
    }
  }

  private row(id: string, name: string, unit: string, wanted: Set<string>): Row {
    const key = JSON.stringify([id, name, unit]); // all that the row says once and for ever
    wanted.add(key);
    let row = this.rows.get(key);
    if (row === undefined) {
      row = new Row(name, unit);
      this.rows.set(key, row);
      this.body.append(row.node);
    }
    return row;
  }
}

class Row {
  readonly node: HTMLElement;
  private readonly now = el('td');
  private readonly text = el('span'); // beside a bar
  private bar: HTMLMeterElement | null = null;
  private readonly twin = el('td', { class: 'twin' });

  constructor(name: string, unit: string) {
    const label = el('th', { scope: 'row' }, name);
    if (unit !== '') label.append(el('span', { class: 'unit', text: ` ${unit}` }));
    this.node = el('tr', {}, label, this.now, this.twin);
  }

  show(now: string, twin: string): void {
    setText(this.bar === null ? this.now : this.text, now);
    setText(this.twin, twin);
    // Words are long and go to the left; numbers stand under each other.
    setAttribute(this.now, 'data-words', /[a-z]{3}/i.test(now) ? '' : null);
  }

  // A lamp says on or off beside its colour; what is not good says why.
  indicate(indicator: Indicator, value: number | null, why: string): void {
    if (value === null) {
      setAttribute(this.now, 'data-lamp', indicator.kind === 'lamp' ? 'unknown' : null);
      if (this.bar !== null) show(this.bar, false);
      return this.show(why === '' ? '–' : why, '');
    }
    if (indicator.kind === 'lamp') {
      setAttribute(this.now, 'data-lamp', value === 0 ? 'off' : 'on');
      return this.show(value === 0 ? 'off' : 'on', '');
    }
    if (this.bar === null) {
      this.bar = el('meter', { min: indicator.low, max: indicator.high, 'aria-hidden': true });
      this.now.append(this.text, this.bar);
    }
    show(this.bar, true);
    this.bar.value = value;
    this.show(number(value), '');
  }
}

function whys(machine: MachineStatus, uptime: number, connection: Connection): { link: string; arm: string } {
  if (connection.state !== 'open') return { link: 'Not connected to the program: these are the last values.', arm: '' };
  if (connection.mode === 'replay') return { link: recordedWhy(machine), arm: '' };
  return { link: linkWhy(machine, uptime), arm: armWhy(machine) };
}
