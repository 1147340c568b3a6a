// SPDX-License-Identifier: Apache-2.0
// One machine in the list: what it is, how its link is, whether it may move, and why not.
import type { Connection, MachineStatus } from '../store';
import { Badge } from './badge';
import { faultsOn } from './chaos_terms';
import { el, setAttribute, setText } from './dom';
import { age, rate } from './format';
import { armWord, linkWord, notKnown, recordedArmWord, recordedLinkWord, recordedWhy, why, type Said } from './why';

export class MachineCard {
  readonly node: HTMLElement;
  private readonly link = new Badge('Link');
  private readonly arm = new Badge('Motion');
  private readonly type = el('span', { class: 'kind' });
  private readonly kind = el('span', { class: 'tag' });
  private readonly figures = el('span', { class: 'figures' });
  private readonly reason = el('p', { class: 'why' });
  private readonly button: HTMLButtonElement;

  constructor(
    readonly name: string,
    choose: (name: string) => void,
  ) {
    this.button = el('button', { type: 'button', class: 'choose', text: name, onclick: () => choose(name) });
    this.node = el(
      'li',
      { class: 'card' },
      el('h3', {}, this.button),
      el('span', { class: 'what' }, this.type, this.kind),
      el('div', { class: 'badges' }, this.link.node, this.arm.node),
      this.figures,
      this.reason,
    );
  }

  focus(): void {
    this.button.focus();
  }

  // `told`: by the program that the page is connected to now, and not by the one before.
  show(machine: MachineStatus, told: boolean, uptime: number, connection: Connection, chosen: boolean): void {
    const known = told && connection.state === 'open';
    const recorded = connection.mode === 'replay';
    const link = !known ? notKnown : recorded ? recordedLinkWord(machine) : linkWord(machine);
    this.link.show(link);
    this.arm.show(!known ? notKnown : recorded ? recordedArmWord(machine) : armWord(machine));
    setAttribute(this.arm.node, 'hidden', known ? null : '');
    setText(this.type, machine.type);
    setText(this.kind, machine.virtual ? 'virtual' : 'REAL');
    setAttribute(this.kind, 'data-real', machine.virtual ? null : '');
    setText(this.figures, known ? `${rate(machine.rate)} · ${age(machine.age)}${faultsOn(machine) ? ' · faults on' : ''}` : '');
    setAttribute(this.figures, 'title', 'samples per second · age of the newest');
    setText(this.reason, known ? (recorded ? recordedWhy(machine) : why(machine, uptime)) : told ? 'Unknown: not connected to the program.' : '');
    setAttribute(this.node, 'data-tone', known ? worst(link, machine) : 'doubt');
    setAttribute(this.button, 'aria-current', chosen ? 'true' : null);
    setAttribute(this.node, 'data-chosen', chosen ? '' : null);
  }
}

function worst(link: Said, machine: MachineStatus): string {
  if (link.tone === 'doubt' || link.tone === 'bad') return link.tone;
  return machine.moves && machine.arm === 'stopped' ? 'bad' : link.tone;
}
