// SPDX-License-Identifier: Apache-2.0
// One of a few, as buttons side by side. No list that opens: an open one keeps the space bar to itself, which is a stop.
import { el, setAttribute } from './dom';

export interface Choice<T> {
  readonly node: HTMLElement;
  show(value: T): void;
}

export function choice<T>(name: string, options: readonly (readonly [value: T, text: string])[], choose: (value: T) => void): Choice<T> {
  const buttons = options.map(([value, text]) => {
    const node = el('button', { type: 'button', text, 'aria-pressed': 'false', onclick: () => choose(value) });
    return { value, node };
  });
  return {
    node: el('span', { class: 'joined', role: 'group', 'aria-label': name }, ...buttons.map(({ node }) => node)),
    show: (chosen) => buttons.forEach(({ value, node }) => setAttribute(node, 'aria-pressed', String(value === chosen))),
  };
}
