// SPDX-License-Identifier: Apache-2.0
// Events, newest last: of one machine or all, everything or warnings only.
import type { LogLine, Store } from '../store';
import { el, setText, show } from './dom';
import { clock } from './format';
import { icon } from './icons';
import { IncidentList } from './incidents';

const shownLines = 200;

export class LogPane {
  readonly node = el('section', { class: 'pane log-pane' });
  // Not spoken by itself: a message tells what is bad of it already, and the rest would never end.
  private readonly list = el('ol', { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': 'Log', tabindex: 0 });
  private readonly mine = el('input', { type: 'checkbox' });
  private readonly mineTick = el('label', { class: 'tick', hidden: true }, this.mine, 'This machine only');
  private readonly bad = el('input', { type: 'checkbox' });
  private readonly hint = el('p', { class: 'hint', text: 'No events yet.' });
  private readonly incidents: IncidentList;
  private last: LogLine | undefined;
  private machine = '';

  constructor(private readonly store: Store) {
    this.mine.addEventListener('change', () => this.redraw());
    this.bad.addEventListener('change', () => this.redraw());
    this.incidents = new IncidentList(store.incidents);
    this.node.append(
      this.incidents.node,
      el('div', { class: 'row tools' }, this.mineTick, el('label', { class: 'tick' }, this.bad, 'Warnings only')),
      this.hint,
      this.list,
    );
    store.log.on(() => this.add());
    this.redraw();
  }

  // Begins with the lines of this machine; empty: of all.
  of(machine: string): void {
    this.machine = machine;
    this.incidents.of(machine);
    this.mine.checked = machine !== '';
    show(this.mineTick, machine !== '');
    this.redraw();
  }

  // What came while nobody looked had no end to keep to.
  shown(visible: boolean): void {
    if (visible) this.list.scrollTop = this.list.scrollHeight;
  }

  private wanted(line: LogLine): boolean {
    return (!this.mine.checked || line.machine === this.machine || line.machine === '') && (line.bad || !this.bad.checked);
  }

  private redraw(): void {
    this.list.replaceChildren();
    this.last = undefined;
    this.add();
  }

  private add(): void {
    const lines = this.store.log.value;
    const from = this.last === undefined ? 0 : lines.lastIndexOf(this.last) + 1;
    // None of the lines is known: the page has met the program anew.
    if (from === 0) this.list.replaceChildren();
    this.last = lines.at(-1);
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.list.append(...lines.slice(from).filter((line) => this.wanted(line)).slice(-shownLines).map(lineNode));
    while (this.list.childElementCount > shownLines) this.list.firstElementChild?.remove();
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
    show(this.hint, this.list.childElementCount === 0);
    setText(this.hint, lines.length === 0 ? 'No events yet.' : 'No events of this kind.');
  }
}

function lineNode(line: LogLine): HTMLElement {
  const kind = el('span', { class: 'log-kind' });
  if (line.bad) kind.append(icon('warning'), el('span', { class: 'unseen', text: 'bad: ' }));
  kind.append(line.kind);
  return el(
    'li',
    { 'data-tone': line.bad ? 'bad' : 'calm' },
    el('time', { datetime: new Date(line.t * 1000).toISOString(), text: clock(line.t) }),
    el('span', { class: 'log-machine', text: line.machine || 'tandem' }),
    kind,
    el('span', { class: 'log-text', text: line.text }),
  );
}
