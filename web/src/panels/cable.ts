// SPDX-License-Identifier: Apache-2.0
// The cable of a virtual device: a person pulls it to see what happens, and puts it in again.
import type { Actions, MachineStatus } from '../store';
import { announce } from './announce';
import { el, setAttribute, setText, show } from './dom';
import { icon } from './icons';
import { toast } from './toasts';
import type { Rights } from './why';

export class Cable {
  readonly node: HTMLElement;
  private readonly word = el('span');
  private readonly button = el('button', { type: 'button', class: 'cable' }, icon('unplug'), this.word);
  private name = '';
  private pulled = false;

  constructor(private readonly actions: Actions) {
    this.button.addEventListener('click', () => this.button.getAttribute('aria-disabled') !== 'true' && void this.tell());
    this.node = el('p', { class: 'cable-row' }, this.button);
  }

  // Only a virtual device has one that can be pulled from here.
  show(machine: MachineStatus, rights: Rights): void {
    this.name = machine.name;
    this.pulled = machine.unplugged === true;
    show(this.node, machine.virtual && machine.unplugged !== undefined && rights.connected && rights.mayControl);
    setText(this.word, this.pulled ? 'Plug in' : 'Unplug');
    setAttribute(this.button, 'data-pulled', this.pulled ? '' : null);
  }

  private async tell(): Promise<void> {
    const [name, what] = [this.name, this.pulled ? ('plug' as const) : ('unplug' as const)];
    try {
      const answer = await this.actions.command(what, name);
      if (!answer.ok) throw new Error(answer.text);
      announce(what === 'plug' ? `${name}: plugged in. Its link reconnects by itself, motion does not.` : `${name}: unplugged.`);
    } catch (error) {
      toast(`${name}: no ${what}.`, error instanceof Error ? error.message : String(error));
    }
  }
}
