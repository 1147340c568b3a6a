// SPDX-License-Identifier: Apache-2.0
// Reset all and Arm all, beside the stop. Reset releases the stops that are latched and disarms nothing. Arm asks once
// and names every machine that it would arm: those and no others.
import type { Actions, MachineStatus, Store } from '../store';
import { announce } from './announce';
import { rightsOf } from './controls';
import { el, place, setAttribute, setText } from './dom';
import { icon } from './icons';
import { toast } from './toasts';
import { armOff, resetOff, type Rights } from './why';

export interface AllActions {
  close(): void; // takes the question away: a stop was pressed
}

// Which machines each of the two would reach now.
export function reachOf(machines: readonly MachineStatus[], rights: Rights): { arm: MachineStatus[]; reset: MachineStatus[] } {
  return {
    arm: machines.filter((machine) => armOff(machine, rights) === ''),
    reset: machines.filter((machine) => machine.moves && resetOff(machine, rights) === ''),
  };
}

// "a", "a and b", "a, b and c".
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

// What Arm all asks: what it would arm, real ones marked, and which it leaves out.
export function armQuestion(machines: readonly MachineStatus[], rights: Rights): { head: string; text: string } {
  const { arm } = reachOf(machines, rights);
  const names = arm.map(({ name, virtual }) => (virtual ? name : `${name} (REAL)`));
  const others = machines.filter((machine) => machine.moves && machine.arm !== 'armed' && !arm.includes(machine));
  const left = others.length === 0 ? '' : ` Left out: ${others.map((machine) => `${machine.name} (${machine.arm === 'stopped' ? 'stopped: press Reset first' : 'its link is not live'})`).join(', ')}.`;
  const text = 'From then on they follow every command, from this page and from ROS. If commands arrive already, they move at once. Make sure that no person is in their way.';
  return { head: `Arm ${listed(names)}?`, text: text + left };
}

export function startAllActions(store: Store, actions: Actions): AllActions {
  const button = (name: string, id: string, sign: 'reset' | 'play'): HTMLButtonElement =>
    el('button', { type: 'button', id, class: 'all' }, icon(sign), el('span', { text: name }));
  const reset = button('Reset all', 'reset-all', 'reset');
  const arm = button('Arm all …', 'arm-all', 'play');
  const head = el('p', { id: 'ask-all-head', class: 'ask-head' });
  const text = el('p', { class: 'ask-text' });
  const cancel = el('button', { type: 'button', text: 'Cancel' });
  const yes = el('button', { type: 'button', class: 'primary', text: 'Arm them now' });
  const asked = el('div', { id: 'ask-all', class: 'ask', role: 'group', 'aria-labelledby': 'ask-all-head', hidden: true }, head, text, el('div', { class: 'row' }, cancel, yes));
  arm.setAttribute('aria-expanded', 'false');
  place('dock').append(el('div', { class: 'alls' }, reset, arm), asked);
  let meant: string[] = []; // whom the question names

  const reach = () => reachOf(store.status.value?.machines ?? [], rightsOf(store));
  const close = (focusBack: boolean): void => {
    if (asked.hidden) return;
    asked.hidden = true;
    arm.setAttribute('aria-expanded', 'false');
    if (focusBack) arm.focus();
  };
  const each = async (what: 'arm' | 'reset', names: readonly string[]): Promise<void> => {
    const done: string[] = [];
    await Promise.all(
      names.map(async (name) => {
        try {
          const answer = await actions.command(what, name);
          if (!answer.ok) throw new Error(answer.text);
          done.push(name);
        } catch (error) {
          toast(`${name}: no ${what}.`, error instanceof Error ? error.message : String(error));
        }
      }),
    );
    if (done.length > 0) announce(`${listed(done)}: ${what === 'arm' ? 'armed' : 'reset, not armed'}.`);
  };

  reset.addEventListener('click', () => {
    const names = reach().reset.map(({ name }) => name);
    if (names.length === 0) return announce(reset.title);
    void each('reset', names);
  });
  arm.addEventListener('click', () => {
    if (!asked.hidden) return close(true);
    meant = reach().arm.map(({ name }) => name);
    if (meant.length === 0) return announce(arm.title);
    const question = armQuestion(store.status.value?.machines ?? [], rightsOf(store));
    setText(head, question.head);
    setText(text, question.text);
    asked.hidden = false;
    arm.setAttribute('aria-expanded', 'true');
    cancel.focus(); // the harmless answer
  });
  cancel.addEventListener('click', () => close(true));
  yes.addEventListener('click', () => {
    close(true);
    void each('arm', meant);
  });
  asked.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close(true);
  });

  const draw = (): void => {
    const rights = rightsOf(store);
    const now = reach();
    const off = !rights.connected || !rights.mayControl ? armOff(undefined, rights) : '';
    setAttribute(reset, 'aria-disabled', now.reset.length > 0 ? null : 'true');
    setAttribute(arm, 'aria-disabled', now.arm.length > 0 ? null : 'true');
    setAttribute(reset, 'title', now.reset.length > 0 ? `Release the stop of ${listed(now.reset.map(({ name }) => name))}` : off || 'No machine is stopped.');
    setAttribute(arm, 'title', now.arm.length > 0 ? `Arm ${listed(now.arm.map(({ name }) => name))}, after a question` : off || 'No machine can be armed now.');
    // Another set of machines than the question names: it is asked again.
    if (!asked.hidden && meant.some((name) => !now.arm.some((machine) => machine.name === name))) close(asked.contains(document.activeElement));
  };
  store.status.on(draw, true);
  store.connection.on(draw);
  return { close: () => close(false) };
}
