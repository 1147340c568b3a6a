// SPDX-License-Identifier: Apache-2.0
// Arm, Stop and Reset of one machine. Arm asks again, in place, and says what will happen; Stop never asks.
import type { Actions, MachineStatus, Store } from '../store';
import { announce, announceNow } from './announce';
import { el, setAttribute, setText, show } from './dom';
import { icon } from './icons';
import { toast } from './toasts';
import { armedWords, armOff, resetOff, type Rights } from './why';

export class MachineActions {
  readonly node: HTMLElement;
  private readonly arm = el('button', { type: 'button', class: 'arm' }, icon('play'), el('span', { text: 'Arm …' }));
  private readonly stop = el('button', { type: 'button', class: 'stop-one' }, icon('stop'), el('span', { text: 'Stop' }));
  private readonly reset = el('button', { type: 'button' }, icon('reset'), el('span', { text: 'Reset' }));
  private readonly reason = el('p', { class: 'reason', id: 'arm-reason' });
  private readonly asked = el('div', { class: 'ask', role: 'group', 'aria-labelledby': 'ask-head', hidden: true });
  private readonly askHead = el('p', { id: 'ask-head', class: 'ask-head' });
  private readonly askText = el('p', { class: 'ask-text' });
  private name = '';

  constructor(
    store: Store,
    private readonly actions: Actions,
  ) {
    const cancel = el('button', { type: 'button', text: 'Cancel', onclick: () => this.close(true) });
    const yes = el('button', { type: 'button', class: 'primary', text: 'Arm now', onclick: () => this.confirmed() });
    this.asked.append(this.askHead, this.askText, el('div', { class: 'row' }, cancel, yes));
    this.arm.setAttribute('aria-describedby', 'arm-reason');
    this.arm.setAttribute('aria-expanded', 'false');
    this.arm.addEventListener('click', () => this.ask(store, cancel));
    this.stop.addEventListener('click', () => void this.command('stop'));
    this.reset.addEventListener('click', () => this.reset.getAttribute('aria-disabled') !== 'true' && void this.command('reset'));
    this.asked.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close(true);
    });
    this.node = el('div', { class: 'actions' }, el('div', { class: 'row' }, this.arm, this.stop, this.reset), this.reason, this.asked);
  }

  show(name: string, machine: MachineStatus | undefined, rights: Rights): void {
    if (name !== this.name) this.close(false);
    this.name = name;
    const off = armOff(machine, rights);
    show(this.node, rights.recorded !== true && (machine === undefined || machine.moves));
    setAttribute(this.arm, 'aria-disabled', off === '' ? null : 'true');
    setAttribute(this.reset, 'aria-disabled', resetOff(machine, rights) === '' ? null : 'true');
    setAttribute(this.stop, 'aria-disabled', rights.connected && rights.mayControl ? null : 'true');
    setText(this.reason, machine?.arm === 'armed' && rights.mayControl && rights.connected ? armedWords(machine) : off || 'Not armed. Arm asks once more before it does anything.');
    if (off !== '') this.close(false);
  }

  close(focusBack: boolean): void {
    if (this.asked.hidden) return;
    this.asked.hidden = true;
    this.arm.setAttribute('aria-expanded', 'false');
    if (focusBack) this.arm.focus();
  }

  private ask(store: Store, first: HTMLElement): void {
    if (this.arm.getAttribute('aria-disabled') === 'true') return announce(this.reason.textContent ?? '');
    const machine = store.status.value?.machines.find(({ name }) => name === this.name);
    const what = machine?.virtual === true ? 'the virtual machine' : 'THE REAL MACHINE';
    setText(this.askHead, `Arm ${this.name}?`);
    setText(
      this.askText,
      `From then on ${what} follows every command, from this page and from ROS. If commands arrive already, it ` +
        'moves at once. Make sure that no person is in its way.',
    );
    this.asked.hidden = false;
    this.arm.setAttribute('aria-expanded', 'true');
    first.focus(); // the harmless answer
    this.asked.scrollIntoView({ block: 'nearest' });
  }

  private confirmed(): void {
    this.close(true);
    void this.command('arm');
  }

  private async command(what: 'arm' | 'stop' | 'reset'): Promise<void> {
    const name = this.name;
    const say = what === 'stop' ? announceNow : announce;
    try {
      const answer = await this.actions.command(what, name);
      if (!answer.ok) throw new Error(answer.text);
      say(`${name}: ${what === 'stop' ? 'stopped' : what === 'reset' ? 'reset, not armed' : 'armed'}.`);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      toast(what === 'stop' ? `${name}: STOP NOT DELIVERED.` : `${name}: no ${what}.`, text);
      say(`${name}: ${what} was refused: ${text}`);
    }
  }
}
