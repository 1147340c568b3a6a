// SPDX-License-Identifier: Apache-2.0
// Parameters of the chosen machine's node: seen by everybody, changed by those who may control. What cannot be changed is
// text. Errors stand beside the field.
import { statusOf, type Actions, type Parameter, type Store } from '../store';
import { announce } from './announce';
import { rightsOf } from './controls';
import { el, freshId, setAttribute, setText, show } from './dom';
import { ownOf, parameterText, parseParameter, sameValue, splitName } from './parameter_value';
import { watchText } from './why';

export class ParametersPane {
  readonly node = el('section', { class: 'pane' });
  private readonly filter = el('input', { type: 'search', placeholder: 'name', autocomplete: 'off' });
  private readonly hint = el('p', { class: 'hint' });
  private readonly rights = el('p', { class: 'why calm', hidden: true });
  private readonly list = el('div');
  private readonly rows = new Map<string, ParameterRow>();
  private readonly head = el('h3', { class: 'node-name' });
  private machine = '';
  private visible = false;

  constructor(
    private readonly store: Store,
    private readonly actions: Actions,
  ) {
    this.filter.addEventListener('input', () => this.draw());
    this.node.append(el('div', { class: 'row tools' }, el('label', { class: 'picker wide' }, 'Find ', this.filter)), this.rights, this.hint, this.head, this.list);
    store.parameters.on(() => this.draw());
    store.connection.on(() => this.draw());
    // Ten times a second; only whose they are may matter here.
    store.status.on(() => this.head.textContent !== this.nodeName && this.draw());
  }

  shown(visible: boolean): void {
    this.visible = visible;
    if (!visible) return;
    if (this.store.connection.value.state === 'open') this.actions.askParameters();
    this.draw();
  }

  of(machine: string): void {
    if (machine === this.machine) return;
    this.machine = machine;
    this.draw();
  }

  private draw(): void {
    if (!this.visible) return;
    const rights = rightsOf(this.store);
    const wanted = this.filter.value.trim().toLowerCase();
    const node = this.nodeName;
    const own = ownOf(this.store.parameters.value.values(), node);
    let shownRows = 0;
    for (const parameter of own) {
      const row = this.row(parameter);
      row.show(parameter, rights.connected && rights.mayControl);
      const fits = splitName(parameter.name).parameter.toLowerCase().includes(wanted);
      show(row.node, fits);
      if (fits) shownRows += 1;
    }
    for (const [name, row] of this.rows) {
      if (own.some((parameter) => parameter.name === name)) continue;
      row.node.remove();
      this.rows.delete(name);
    }
    setText(this.head, node);
    show(this.head, shownRows > 0);
    setText(this.rights, watchText(rights.byScript));
    show(this.rights, rights.connected && !rights.mayControl && !this.isReplay && own.some(({ readOnly }) => readOnly !== true));
    show(this.hint, shownRows === 0);
    setText(this.hint, own.length > 0 ? `No parameter has "${wanted}" in its name.` : this.isReplay ? 'A recording has no parameters.' : 'This machine has no parameters.');
  }

  private get nodeName(): string {
    return statusOf(this.store, this.machine)?.node ?? '';
  }

  private get isReplay(): boolean {
    return this.store.connection.value.mode === 'replay';
  }

  private row(parameter: Parameter): ParameterRow {
    let row = this.rows.get(parameter.name);
    if (row !== undefined) return row;
    row = new ParameterRow(parameter.name, splitName(parameter.name).parameter, this.actions);
    this.rows.set(parameter.name, row);
    // In the order of their names, whichever came first.
    const next = [...this.rows.keys()].sort((a, b) => a.localeCompare(b)).find((name) => name.localeCompare(parameter.name) > 0);
    this.list.insertBefore(row.node, next === undefined ? null : (this.rows.get(next)?.node ?? null));
    return row;
  }
}

class ParameterRow {
  readonly node: HTMLFormElement;
  private readonly label: HTMLLabelElement;
  private readonly input: HTMLInputElement;
  private readonly error: HTMLElement;
  private readonly apply = el('button', { type: 'submit', text: 'Apply', hidden: true });
  private readonly fixed = el('output', { class: 'fixed', hidden: true });
  private now: Parameter = { name: '', value: undefined };
  private edited = false; // by the person here; else the field shows what holds, whoever set it

  constructor(
    private readonly fullName: string,
    name: string,
    private readonly actions: Actions,
  ) {
    const id = freshId('parameter');
    this.input = el('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false' });
    this.error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
    this.label = el('label', { for: id, text: name });
    this.node = el('form', { class: 'parameter', novalidate: true }, this.label, this.input, this.fixed, this.apply, this.error);
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.change();
    });
    this.input.addEventListener('input', () => this.edit(this.input.value !== parameterText(this.now.value)));
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.input.value = parameterText(this.now.value);
      this.fail('');
      this.edit(false);
    });
  }

  show(parameter: Parameter, enabled: boolean): void {
    this.now = parameter;
    const text = parameterText(parameter.value);
    if (!this.edited && this.input.value !== text) this.input.value = text;
    // One that nobody can change looks like no field; one that others may is a field that is closed here.
    const fixed = parameter.readOnly === true;
    setText(this.fixed, text);
    show(this.fixed, fixed);
    show(this.input, !fixed);
    setAttribute(this.node, 'data-fixed', fixed ? '' : null);
    this.input.readOnly = !enabled || fixed;
    setAttribute(this.input, 'inputmode', typeof parameter.value === 'number' ? 'decimal' : 'text');
  }

  private edit(edited: boolean): void {
    this.edited = edited;
    show(this.apply, edited);
  }

  private async change(): Promise<void> {
    if (this.input.readOnly || !this.edited) return;
    const parsed = parseParameter(this.input.value, this.now.value);
    if (!parsed.ok) return this.fail(parsed.error);
    this.fail('');
    try {
      const kept = await this.actions.setParameter(this.fullName, parsed.value);
      if (!sameValue(kept.value, parsed.value)) return this.fail(`Not accepted: the program keeps ${parameterText(kept.value)}.`);
      this.now = { ...this.now, ...kept };
      this.input.value = parameterText(kept.value);
      this.edit(false);
      announce(`${this.fullName} is now ${this.input.value}`);
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  private fail(text: string): void {
    setText(this.error, text);
    show(this.error, text !== '');
    setAttribute(this.input, 'aria-invalid', text === '' ? null : 'true');
    setAttribute(this.input, 'aria-describedby', text === '' ? null : this.error.id);
    if (text !== '') announce(text);
  }
}
