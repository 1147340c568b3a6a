// SPDX-License-Identifier: Apache-2.0
// What a person may do on the chosen machine. Nothing works before it is armed, and the reason stands on top.
import type { Actions, Control, MachineStatus, Store } from '../store';
import { sceneOf, statusOf } from '../store';
import { announce } from './announce';
import { groupsOf, placeOf } from './control_message';
import { slides, widgetOf, type Widget } from './control_widgets';
import { el, setText, show, takesKeys } from './dom';
import { Drive } from './drive';
import { icon } from './icons';
import { controlsOff, type Rights } from './why';

export class Controls {
  readonly node = el('section', { class: 'pane' });
  readonly drive: Drive;
  private readonly reason = el('p', { class: 'why calm', id: 'controls-reason' });
  private readonly reasonBox: HTMLElement;
  private readonly body = el('div', { class: 'groups' });
  private widgets: Widget[] = [];
  private readonly heldKeys = new Map<Widget, string>(); // jogs that a key holds, by the key's place
  private made: readonly Control[] = [];
  private machine = '';
  private arm = ''; // as it was last seen
  private visible = false;
  private keysOn: () => boolean;

  constructor(
    private readonly store: Store,
    actions: Actions,
    keysOn: () => boolean,
  ) {
    this.keysOn = keysOn;
    this.drive = new Drive({
      publish: (topic, type, message) => actions.publish(topic, type, message),
      allowed: () => controlsOff(statusOf(store, this.machine), rightsOf(store)) === '',
      changed: () => this.widgets.forEach((widget) => widget.draw()),
      every: (ms, act) => {
        const timer = setInterval(act, ms);
        return () => clearInterval(timer);
      },
      now: () => performance.now(),
    });
    this.reasonBox = el('div', { class: 'off' }, icon('lock'), this.reason);
    this.node.append(this.reasonBox, this.body);
    const letGo = (): void => this.drive.releaseAll();
    window.addEventListener('blur', letGo);
    window.addEventListener('pagehide', letGo);
    document.addEventListener('visibilitychange', () => document.hidden && letGo());
    // A menu of the browser keeps to itself that a key is let go: what may open one ends what is held.
    window.addEventListener('contextmenu', letGo, true);
    for (const kind of ['pointerdown', 'focusin'] as const)
      window.addEventListener(kind, (event) => onControl(event.target) || letGo(), true);
    window.addEventListener('keydown', (event) => !event.repeat && !this.hasKey(event) && letGo(), true);
    store.connection.on(({ state }) => state !== 'open' && letGo());
    store.scenes.on(() => this.make());
    window.addEventListener('keydown', (event) => this.keyDown(event));
    window.addEventListener('keyup', (event) => this.keyUp(event));
  }

  show(name: string, machine: MachineStatus | undefined): void {
    if (name !== this.machine) {
      this.drive.releaseAll();
      this.machine = name;
      this.drive.followAnew();
      this.make();
    }
    // Armed, stopped or reset: what was set before no longer holds.
    if (machine?.arm !== this.arm) this.drive.followAnew();
    this.arm = machine?.arm ?? '';
    this.follow();
    const off = controlsOff(machine, rightsOf(this.store));
    if (off !== '') this.drive.releaseAll();
    setText(this.reason, off);
    show(this.reasonBox, off !== '');
    for (const widget of this.widgets) {
      const { control, group } = widget;
      widget.enable(off === '' && (control.kind !== 'slider' || this.drive.ready(group, control)));
    }
  }

  shown(visible: boolean): void {
    this.visible = visible;
    if (!visible) this.drive.releaseAll();
  }

  private follow(): void {
    const scene = sceneOf(this.store, this.machine)?.scene;
    const picture = this.store.picture.value?.machines.find(({ name }) => name === this.machine);
    if (!scene) return;
    const status = statusOf(this.store, this.machine);
    for (const group of new Set(this.widgets.map((widget) => widget.group))) {
      const sliders = this.widgets.filter((widget) => widget.group === group && widget.control.kind === 'slider');
      const places = sliders.map(({ control }) => placeOf(control, scene, picture, status));
      if (places.length > 0 && places.every((place) => place !== undefined)) this.drive.stand(group, places);
      sliders.forEach((widget, i) => {
        const place = places[i];
        if (place === undefined || !this.drive.follows(group)) return;
        this.drive.follow(group, widget.control, place);
        widget.draw();
      });
    }
  }

  private make(): void {
    const controls = sceneOf(this.store, this.machine)?.scene.controls ?? [];
    if (JSON.stringify(controls) === JSON.stringify(this.made) && this.widgets.length === controls.length && controls.length > 0) return;
    this.drive.releaseAll();
    this.made = controls;
    const refused = (): void => announce(this.reason.textContent || 'The command was not delivered.');
    this.widgets = [];
    const groups = groupsOf(controls).map((group) => {
      const widgets = group.map((control) => widgetOf(control, group, this.drive, refused));
      this.widgets.push(...widgets);
      return groupNode(group, widgets);
    });
    if (groups.length === 0) groups.push(el('p', { class: 'hint', text: 'This machine has nothing that can be moved from the page.' }));
    this.body.replaceChildren(...groups);
    this.show(this.machine, statusOf(this.store, this.machine));
  }

  // The keys of the controls: only while they are in sight.
  private keyDown(event: KeyboardEvent): void {
    if (event.repeat || !this.visible || !this.keysOn() || !this.hasKey(event) || takesKeys(event.target)) return;
    const key = event.key.toLowerCase();
    // Arrow keys belong to a slider or to tabs that have the focus.
    if (key.startsWith('arrow') && event.target instanceof Element && event.target.closest('input, [role=tablist], #view')) return;
    for (const widget of this.widgets) {
      const { control, group, node } = widget;
      if (control.key === '' || control.key.toLowerCase() !== key) continue;
      event.preventDefault();
      if (control.kind === 'button') node.click();
      else if (control.kind !== 'jog') continue;
      else if (this.drive.hold(group, control)) this.heldKeys.set(widget, event.code);
      else announce(this.reason.textContent || 'The command was not delivered.');
    }
  }

  // Whether a key is one of a control. With Alt, Ctrl or Meta none is: then a key that is let go is another one, or is
  // never told.
  private hasKey(event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    if (onControl(event.target) && (event.key === 'Enter' || slides(event.key))) return true;
    return this.widgets.some(({ control }) => control.key !== '' && control.key.toLowerCase() === event.key.toLowerCase());
  }

  // By the key's place on the keyboard: with Shift it has another name when it is let go.
  private keyUp(event: KeyboardEvent): void {
    for (const [widget, code] of this.heldKeys) {
      if (code !== event.code) continue;
      this.heldKeys.delete(widget);
      this.drive.release(widget.group, widget.control);
    }
  }
}

// Pressing and sliding open no menu: with two hands, one may go on holding.
function onControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.jog, .press, .slider input') !== null;
}

function groupNode(group: Control[], widgets: Widget[]): HTMLElement {
  const first = group[0];
  const title = first?.group === undefined || first.group === '' ? '' : first.group;
  const node = el('fieldset', { class: 'group' });
  if (title !== '') node.append(el('legend', { text: title }));
  const holders: Record<Control['kind'], HTMLElement> = {
    jog: el('div', { class: 'jogs' }),
    slider: el('div', { class: 'sliders' }),
    button: el('div', { class: 'presses' }),
  };
  for (const widget of widgets) holders[widget.control.kind].append(widget.node);
  for (const kind of ['jog', 'slider', 'button'] as const) if (holders[kind].childElementCount > 0) node.append(holders[kind]);
  const sliders = group.filter(({ kind }) => kind === 'slider').length;
  const together = sliders > 1 ? 'Releasing one sends all of these together' : sliders === 1 ? 'Sent on release' : '';
  node.append(el('p', { class: 'topic', text: [together, first?.topic ?? ''].filter((text) => text !== '').join(' · ') }));
  return node;
}

export function rightsOf(store: Store): Rights {
  const { state, mayControl, byScript, mode } = store.connection.value;
  return { connected: state === 'open', mayControl: mayControl && mode === 'live', byScript, recorded: mode === 'replay' };
}
