// SPDX-License-Identifier: Apache-2.0
// Faults on the link of a machine that has fault proxies: sliders, buttons, and what the last faults did.
import type { Actions, MachineStatus } from '../store';
import { announce } from './announce';
import { directions, faultsOn, lengths, slid, termsOf, type Button, type Chosen } from './chaos_terms';
import { choice } from './choice';
import { el, freshId, setAttribute, setText, show } from './dom';
import { toast } from './toasts';
import type { Rights } from './why';

const directionWords = { both: 'Both', device: 'To device', client: 'To machine' } as const;

export class Chaos {
  readonly node = el('details', { class: 'chaos' });
  private readonly summary = el('span');
  private readonly now = el('p', { class: 'chaos-now' });
  private readonly result = el('p', { class: 'hint chaos-result' });
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly clear: HTMLButtonElement;
  private readonly seed = el('input', { type: 'text', inputmode: 'numeric', maxlength: 20, placeholder: 'drawn', id: freshId('chaos-seed') });
  private readonly chosen: { -readonly [K in keyof Chosen]: Chosen[K] } = { steps: slid.map(() => 0), length: '10s', direction: 'both', seed: '' };
  private machine = '';

  constructor(private readonly actions: Actions) {
    const length = choice('How long', lengths.map((value) => [value, value] as const), (value) => length.show((this.chosen.length = value)));
    const direction = choice('Direction', directions.map((value) => [value, directionWords[value]] as const), (value) => direction.show((this.chosen.direction = value)));
    length.show(this.chosen.length);
    direction.show(this.chosen.direction);
    const button = (text: string, press: () => void): HTMLButtonElement => {
      const made = el('button', { type: 'button', text, onclick: () => made.getAttribute('aria-disabled') !== 'true' && press() });
      return made;
    };
    this.buttons.push(
      button('Apply sliders', () => this.begin('')),
      button('Black hole', () => this.begin('blackhole')),
      button('Hold back', () => this.begin('hold')),
      button('Reset link', () => this.begin('reset')),
      button('Half-open link', () => this.begin('half-open')),
    );
    this.clear = button('Clear', () => void this.tell('clear', 'cleared'));
    this.node.append(
      el('summary', {}, el('span', { text: 'Faults on this link' }), ' ', this.summary),
      this.now,
      el('div', { class: 'sliders' }, ...slid.map((_, at) => this.slider(at))),
      el('div', { class: 'chaos-choices' }, el('span', { text: 'For' }), length.node, el('span', { text: 'Direction' }), direction.node,
        el('label', { for: this.seed.id, text: 'Seed' }), this.seed),
      el('div', { class: 'row chaos-buttons' }, ...this.buttons, this.clear),
      this.result,
    );
  }

  show(machine: MachineStatus, rights: Rights): void {
    if (machine.name !== this.machine) this.node.open = false;
    this.machine = machine.name;
    const chaos = machine.chaos ?? '';
    const on = faultsOn(machine);
    const real = !machine.virtual && machine.arm === 'armed';
    show(this.node, chaos !== '' && rights.connected && rights.mayControl);
    setText(this.summary, on ? '· on' : '');
    setAttribute(this.node, 'data-on', on ? '' : null);
    setText(this.now, on ? `On: ${chaos}` : real ? 'Its device is real and armed: disarm it first.' : 'Nothing is on. Faults end by themselves and never arm anything.');
    for (const each of this.buttons) setAttribute(each, 'aria-disabled', real ? 'true' : null);
    setAttribute(this.clear, 'aria-disabled', on ? null : 'true');
    setText(this.result, machine.chaos_result ?? '');
    show(this.result, (machine.chaos_result ?? '') !== '');
  }

  private slider(at: number): HTMLElement {
    const fault = slid[at];
    if (fault === undefined) throw new Error('no such fault');
    const id = freshId('chaos');
    const told = el('span', { class: 'slider-value', text: 'off' });
    const range = el('input', { type: 'range', id, min: 0, max: fault.steps.length - 1, step: 1, value: 0 });
    range.addEventListener('input', () => {
      const step = Number(range.value);
      this.chosen.steps = this.chosen.steps.map((old, each) => (each === at ? step : old));
      const text = fault.steps[step] || 'off';
      setText(told, text);
      setAttribute(range, 'aria-valuetext', text);
      range.style.setProperty('--share', `${((100 * step) / (fault.steps.length - 1)).toFixed(1)}%`);
    });
    return el('div', { class: 'fault-slider' }, el('label', { for: id, text: fault.label }), told, range);
  }

  private begin(button: Button): void {
    this.chosen.seed = this.seed.value;
    const terms = termsOf(this.chosen, button);
    if (terms === '') return announce('No fault is set: move a slider first.');
    void this.tell(terms, terms);
  }

  private async tell(terms: string, said: string): Promise<void> {
    const name = this.machine;
    try {
      const answer = await this.actions.chaos(terms, name);
      if (!answer.ok) throw new Error(answer.text);
      announce(`${name}: ${said}.`);
    } catch (error) {
      toast(`${name}: no faults.`, error instanceof Error ? error.message : String(error));
    }
  }
}
