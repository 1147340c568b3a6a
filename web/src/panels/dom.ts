// SPDX-License-Identifier: Apache-2.0
// Elements without markup in strings: text from machines is only ever text.

type Child = Node | string | null | undefined | false;
type Prop = string | number | boolean | undefined | ((event: never) => void);

// `class`, `text` and `on...` are what they say; true sets a bare attribute, false and undefined none.
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Record<string, Prop> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key === 'text') node.textContent = String(value);
    else if (typeof value === 'function') node.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) node.setAttribute(key, '');
    else if (value !== false && value !== undefined) node.setAttribute(key, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

// Only writes what differs: status comes ten times a second, and a screen reader hears every write.
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node: Element, name: string, value: string | null): void {
  if (value === null) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}

export function show(node: HTMLElement, shown: boolean): void {
  if (node.hidden === shown) node.hidden = !shown;
}

// A place that index.html must have.
export function place(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`index.html has no element with id "${id}"`);
  return node;
}

let lastId = 0;
export function freshId(of: string): string {
  lastId += 1;
  return `${of}-${lastId}`;
}

// True where keys write text.
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return !['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'color', 'file'].includes(target.type);
}

// True where letters belong to what has the focus and must not do anything else: they write text, or look up a choice.
export function takesKeys(target: EventTarget | null): boolean {
  return isTextField(target) || target instanceof HTMLSelectElement;
}
