// SPDX-License-Identifier: Apache-2.0
// Tabs as the ARIA practices have them: arrow keys move, only the chosen one is in the tab order.
import { el, freshId } from './dom';

export interface Tab {
  name: string;
  panel: HTMLElement;
  shown?(visible: boolean): void;
}

export class Tabs {
  readonly bar = el('div', { role: 'tablist', class: 'tabs', 'aria-label': 'About this machine' });
  private readonly buttons: HTMLButtonElement[] = [];
  private at = 0;

  constructor(private readonly tabs: Tab[]) {
    tabs.forEach((tab, at) => {
      const id = freshId('tab');
      const panelId = freshId('panel');
      const button = el('button', { type: 'button', role: 'tab', id, 'aria-controls': panelId, text: tab.name });
      button.addEventListener('click', () => this.choose(at));
      button.addEventListener('keydown', (event) => this.key(event));
      this.buttons.push(button);
      this.bar.append(button);
      tab.panel.id = panelId;
      tab.panel.setAttribute('role', 'tabpanel');
      tab.panel.setAttribute('aria-labelledby', id);
      tab.panel.tabIndex = 0;
    });
    this.choose(0);
  }

  get current(): string {
    return this.tabs[this.at]?.name ?? '';
  }

  chooseByName(name: string): void {
    const at = this.tabs.findIndex((tab) => tab.name === name);
    if (at >= 0) this.choose(at);
  }

  choose(at: number): void {
    this.at = at;
    this.tabs.forEach((tab, index) => {
      const button = this.buttons[index];
      button?.setAttribute('aria-selected', String(index === at));
      if (button !== undefined) button.tabIndex = index === at ? 0 : -1;
      tab.panel.hidden = index !== at;
      tab.shown?.(index === at);
    });
    this.buttons[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private key(event: KeyboardEvent): void {
    const last = this.tabs.length - 1;
    const to = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(to < 0 ? last : to > last ? 0 : to);
    this.buttons[this.at]?.focus();
  }
}
