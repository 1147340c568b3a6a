// SPDX-License-Identifier: Apache-2.0
// All machines, one card each, and one sentence on all of them.
import type { MachineStatus, Store } from '../store';
import { el, place, setAttribute, setText, show } from './dom';
import { MachineCard } from './machine_card';
import { sumOf } from './why';

export function startMachineList(store: Store): void {
  const list = el('ul', { class: 'cards' });
  const sum = el('p', { class: 'sum' });
  const empty = el('p', { class: 'hint', text: 'No machines yet.' });
  place('machines').append(el('div', { class: 'list-head' }, el('h2', { text: 'Machines' }), sum), empty, list);
  const cards = new Map<string, MachineCard>();
  const choose = (name: string): void => {
    store.chosen.set(store.chosen.value === name ? '' : name);
  };

  let machines: readonly MachineStatus[] = [];
  const draw = (): void => {
    const status = store.status.value;
    // Met anew, a program has not spoken yet: the cards stay for that long, with the focus that one may have.
    machines = status?.machines ?? machines;
    for (const machine of machines) {
      let card = cards.get(machine.name);
      if (card === undefined) {
        card = new MachineCard(machine.name, choose);
        cards.set(machine.name, card);
        list.append(card.node);
      }
      card.show(machine, status !== null, status?.uptime ?? 0, store.connection.value, store.chosen.value === machine.name);
    }
    for (const [name, card] of cards) {
      if (machines.some((machine) => machine.name === name)) continue;
      card.node.remove();
      cards.delete(name);
    }
    show(empty, machines.length === 0);
    const known = store.connection.value.state === 'open' && status !== null && machines.length > 0;
    const { text, tone } = sumOf(machines, store.connection.value.mode === 'replay');
    setText(sum, known ? text : '');
    setAttribute(sum, 'data-tone', tone);
  };
  store.status.on(draw, true);
  store.connection.on(draw);
  store.chosen.on(draw);
  // Back on a phone: the focus returns to the card that was left.
  let before = store.chosen.value;
  store.chosen.on((name) => {
    if (name === '' && document.activeElement === document.body) cards.get(before)?.focus();
    before = name;
  });
}
