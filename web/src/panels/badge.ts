// SPDX-License-Identifier: Apache-2.0
// A state as icon, word and colour: never as colour alone.
import { el, setAttribute, setText } from './dom';
import { setIcon } from './icons';
import type { Said } from './why';

export class Badge {
  readonly node: HTMLElement;
  private readonly word: HTMLElement;

  constructor(of: string) {
    this.word = el('span');
    // The name of what is told, for those who do not see where it stands.
    this.node = el('span', { class: 'badge' }, el('span', { class: 'unseen', text: `${of}: ` }), this.word);
  }

  show(said: Said): void {
    setIcon(this.node, said.icon);
    setText(this.word, said.word);
    setAttribute(this.node, 'data-tone', said.tone);
  }
}
