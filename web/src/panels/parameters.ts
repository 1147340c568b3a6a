// Parameters of all nodes: seen by everybody, changed by those who may control. Errors stand beside the field.
import type { Actions, Parameter, Store } from '../store';
import { announce } from './announce';
import { rightsOf } from './controls';
import { el, freshId, setAttribute, setText, show } from './dom';
import { parameterText, parseParameter, sameValue, splitName } from './parameter_value';
import { watchOnly } from './why';

export class ParametersPane {
  readonly node = el('section', { class: 'pane' });
  private readonly filter = el('input', { type: 'search', placeholder: 'name', autocomplete: 'off' });
  private readonly hint = el('p', { class: 'hint' });
  private readonly rights = el('p', { class: 'why calm', text: watchOnly, hidden: true });
  private readonly list = el('div');
  private readonly rows = new Map<string, ParameterRow>();
  private readonly sections = new Map<string, HTMLElement>();
  private visible = false;

  constructor(
    private readonly store: Store,
    private readonly actions: Actions,
  ) {
    this.filter.addEventListener('input', () => this.draw());
    this.node.append(el('div', { class: 'row tools' }, el('label', { class: 'picker wide' }, 'Find ', this.filter)), this.rights, this.hint, this.list);
    store.parameters.on(() => this.draw());
    store.connection.on(() => this.draw());
  }

  shown(visible: boolean): void {
    this.visible = visible;
    if (!visible) return;
    if (this.store.connection.value.state === 'open') this.actions.askParameters();
    this.draw();
  }

  private draw(): void {
    if (!this.visible) return;
    const rights = rightsOf(this.store);
    const wanted = this.filter.value.trim().toLowerCase();
    let shownRows = 0;
    const all = [...this.store.parameters.value.values()].sort((a, b) => a.name.localeCompare(b.name));
    for (const parameter of all) {
      const row = this.row(parameter);
      row.show(parameter, rights.connected && rights.mayControl);
      const fits = parameter.name.toLowerCase().includes(wanted);
      show(row.node, fits);
      if (fits) shownRows += 1;
    }
    for (const [name, row] of this.rows) {
      if (this.store.parameters.value.has(name)) continue;
      row.node.remove();
      this.rows.delete(name);
    }
    for (const section of this.sections.values()) show(section, section.querySelector('.parameter:not([hidden])') !== null);
    show(this.rights, rights.connected && !rights.mayControl);
    show(this.hint, shownRows === 0);
    setText(this.hint, all.length === 0 ? 'The program has told no parameters yet.' : `No parameter has "${wanted}" in its name.`);
  }

  private row(parameter: Parameter): ParameterRow {
    let row = this.rows.get(parameter.name);
    if (row !== undefined) return row;
    const { node, parameter: name } = splitName(parameter.name);
    let section = this.sections.get(node);
    if (section === undefined) {
      section = el('section', {}, el('h3', { class: 'node-name', text: node || 'without a node' }));
      this.sections.set(node, section);
      this.list.append(section);
    }
    row = new ParameterRow(parameter.name, name, this.actions);
    this.rows.set(parameter.name, row);
    section.append(row.node);
    return row;
  }
}

class ParameterRow {
  readonly node: HTMLFormElement;
  private readonly input: HTMLInputElement;
  private readonly error: HTMLElement;
  private readonly apply = el('button', { type: 'submit', text: 'Apply', hidden: true });
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
    this.node = el('form', { class: 'parameter', novalidate: true }, el('label', { for: id, text: name }), this.input, this.apply, this.error);
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
    this.input.readOnly = !enabled;
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
      if (!sameValue(kept.value, parsed.value)) return this.fail(`Not taken: the program keeps ${parameterText(kept.value)}.`);
      this.now = kept;
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
