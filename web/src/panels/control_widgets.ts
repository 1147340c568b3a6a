// SPDX-License-Identifier: Apache-2.0
// The three kinds of control as things to hold, slide and press.
import type { Control } from '../store';
import type { Drive } from './drive';
import { el, freshId, setAttribute, setText } from './dom';
import { number, sliderStep, withUnit } from './format';

export interface Widget {
  readonly node: HTMLElement;
  readonly control: Control;
  readonly group: Control[];
  enable(enabled: boolean): void;
  draw(): void;
}

export function widgetOf(control: Control, group: Control[], drive: Drive, refused: () => void): Widget {
  if (control.kind === 'slider') return new Slider(control, group, drive, refused);
  if (control.kind === 'button') return new Press(control, group, drive, refused);
  return new Jog(control, group, drive, refused);
}

class Jog implements Widget {
  readonly node: HTMLButtonElement;

  constructor(
    readonly control: Control,
    readonly group: Control[],
    private readonly drive: Drive,
    refused: () => void,
  ) {
    const value = el('span', { class: 'jog-value', text: withUnit(control.value, control.unit) });
    this.node = el('button', { type: 'button', class: 'jog' }, el('span', { class: 'jog-name', text: control.name }), value);
    this.node.setAttribute('aria-description', 'Moves while held.');
    if (control.key !== '') {
      this.node.append(el('kbd', { text: keyName(control.key), 'aria-hidden': true }));
      this.node.setAttribute('aria-keyshortcuts', keyName(control.key));
    }
    let by: number | 'Enter' | null = null; // what holds it here: a pointer by its id, or a key
    const begin = (holder: number | 'Enter'): void => {
      by = holder;
      if (!drive.hold(group, control)) refused();
    };
    const end = (holder: number | 'Enter'): void => {
      if (by !== holder) return;
      by = null;
      drive.release(group, control);
    };
    this.node.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault(); // no selection, no drag, no long-press menu
      this.node.focus({ preventScroll: true });
      // A finger belongs to what it touched first; here it may leave, and leaving ends it.
      if (this.node.hasPointerCapture(event.pointerId)) this.node.releasePointerCapture(event.pointerId);
      begin(event.pointerId);
    });
    for (const kind of ['pointerup', 'pointercancel', 'pointerleave'] as const)
      this.node.addEventListener(kind, (event) => end(event.pointerId));
    // A mouse tells of its last button only that it is up; of the one that holds, while another is down, that it moves.
    this.node.addEventListener('pointermove', (event) => (event.buttons & 1) === 0 && end(event.pointerId));
    this.node.addEventListener('contextmenu', (event) => event.preventDefault());
    this.node.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      if (!event.repeat) begin('Enter');
    });
    this.node.addEventListener('keyup', (event) => event.key === 'Enter' && end('Enter'));
    // A second finger on another jog takes the focus, but not this one's finger.
    this.node.addEventListener('blur', () => end('Enter'));
  }

  enable(enabled: boolean): void {
    setAttribute(this.node, 'aria-disabled', enabled ? null : 'true');
  }

  draw(): void {
    setAttribute(this.node, 'data-held', this.drive.holds(this.control) ? '' : null);
  }
}

class Slider implements Widget {
  readonly node: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly told = el('span', { class: 'slider-value' });
  private dirty = false; // moved by a person, and not sent yet
  private dropped = false; // given up while it was still held: what comes of that hold no longer counts

  constructor(
    readonly control: Control,
    readonly group: Control[],
    private readonly drive: Drive,
    refused: () => void,
  ) {
    const id = freshId('slider');
    const { low, high, unit } = control;
    this.range = el('input', { type: 'range', id, min: low, max: high, step: sliderStep(low, high), value: drive.value(control) });
    let keyed = false; // arrow keys: the value counts when the key is let go
    const send = (): void => {
      if (!this.dirty) return;
      this.dirty = false;
      setAttribute(this.node, 'data-set', null);
      if (drive.slide(group, control, Number(this.range.value))) setAttribute(this.node, 'data-set', 'sent');
      else refused();
    };
    this.range.addEventListener('input', () => {
      if (this.dropped) {
        this.range.value = String(drive.value(control));
        return this.draw();
      }
      this.dirty = true;
      drive.touch(group);
      setAttribute(this.node, 'data-set', 'held');
      this.draw();
    });
    this.range.addEventListener('change', () => {
      if (keyed) return;
      send();
      this.dropped = false;
    });
    this.range.addEventListener('pointerdown', () => (this.dropped = false));
    this.range.addEventListener('keydown', (event) => {
      if (!slides(event.key) || event.repeat) return;
      keyed = true;
      this.dropped = false;
    });
    this.range.addEventListener('keyup', (event) => {
      if (!keyed || !slides(event.key)) return;
      keyed = false;
      send();
    });
    // Only what is let go is sent. A window that is left and a finger that scrolls the page must move nothing.
    for (const kind of ['blur', 'pointercancel', 'touchcancel'] as const)
      this.range.addEventListener(kind, () => {
        keyed = false;
        this.giveUp();
      });
    this.node = el(
      'div',
      { class: 'slider' },
      el('label', { for: id, text: control.name }),
      this.told,
      this.range,
      el('span', { class: 'limits', 'aria-hidden': true }, el('span', { text: number(low) }), el('span', { text: withUnit(high, unit) })),
    );
    this.draw();
  }

  enable(enabled: boolean): void {
    if (this.range.disabled === enabled) this.range.disabled = !enabled;
    // What was not let go before it was disarmed must not leave after the next arming.
    if (!enabled) this.giveUp();
  }

  private giveUp(): void {
    if (this.dirty) this.drive.leave(this.group);
  }

  draw(): void {
    const follows = this.drive.follows(this.group);
    if (follows) {
      this.dropped ||= this.dirty;
      this.dirty = false;
      this.range.value = String(this.drive.value(this.control));
      setAttribute(this.node, 'data-set', null);
    }
    // A machine may stand beyond the ends of its slider.
    const value = follows ? this.drive.value(this.control) : Number(this.range.value);
    const text = withUnit(value, this.control.unit);
    setText(this.told, text);
    setAttribute(this.range, 'aria-valuetext', text);
    const share = (value - this.control.low) / (this.control.high - this.control.low);
    this.range.style.setProperty('--share', `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`);
  }
}

class Press implements Widget {
  readonly node: HTMLButtonElement;

  constructor(
    readonly control: Control,
    readonly group: Control[],
    drive: Drive,
    refused: () => void,
  ) {
    this.node = el('button', { type: 'button', class: 'press' }, el('span', { text: control.name }));
    if (control.key !== '') {
      this.node.append(el('kbd', { text: keyName(control.key), 'aria-hidden': true }));
      this.node.setAttribute('aria-keyshortcuts', keyName(control.key));
    }
    this.node.addEventListener('click', () => {
      if (!drive.press(group, control)) return refused();
      this.node.setAttribute('data-sent', '');
      setTimeout(() => this.node.removeAttribute('data-sent'), 600);
    });
  }

  enable(enabled: boolean): void {
    setAttribute(this.node, 'aria-disabled', enabled ? null : 'true');
  }

  draw(): void {}
}

// Whether a key moves a range that has the focus.
export function slides(key: string): boolean {
  return key.startsWith('Arrow') || ['Home', 'End', 'PageUp', 'PageDown'].includes(key);
}

const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };
export function keyName(key: string): string {
  return arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
