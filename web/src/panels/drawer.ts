// SPDX-License-Identifier: Apache-2.0
// The chosen machine: its state and its three buttons on top, the rest in tabs. Without one: the log of all.
import { sceneOf, statusOf, type Actions, type Store } from '../store';
import { Badge } from './badge';
import { Controls, rightsOf } from './controls';
import { el, place, setText, show } from './dom';
import { History } from './history';
import { icon } from './icons';
import { LatencyPane } from './latency';
import { LogPane } from './log';
import { MachineActions } from './machine_actions';
import { Overview } from './overview';
import { ParametersPane } from './parameters';
import { Signals } from './signals';
import { Tabs } from './tabs';
import { armWord, linkWord, notKnown, recordedArmWord, recordedLinkWord } from './why';

export interface Drawer {
  letGo(): void; // ends every jog, and gives up what is being slid
}

export function startDrawer(store: Store, actions: Actions, keysOn: () => boolean): Drawer {
  const title = el('h2', { id: 'drawer-title', tabindex: -1 });
  const kind = el('p', { class: 'kind' });
  const link = new Badge('Link');
  const arm = new Badge('Motion');
  const back = el('button', { type: 'button', class: 'plain back', 'aria-label': 'Back to all machines' }, icon('back'));
  back.addEventListener('click', () => store.chosen.set(''));
  const buttons = new MachineActions(store, actions);

  const overview = new Overview(actions);
  const controls = new Controls(store, actions, keysOn);
  const signals = new Signals(new History(store), store.incidents);
  const latency = new LatencyPane(store);
  const log = new LogPane(store);
  const parameters = new ParametersPane(store, actions);
  const tabs = new Tabs([
    { name: 'Overview', panel: overview.node },
    { name: 'Controls', panel: controls.node, shown: (visible) => controls.shown(visible && store.chosen.value !== '') },
    { name: 'Signals', panel: signals.node, shown: (visible) => signals.shown(visible) },
    { name: 'Latency', panel: latency.node },
    { name: 'Log', panel: log.node, shown: (visible) => log.shown(visible) },
    { name: 'Parameters', panel: parameters.node, shown: (visible) => parameters.shown(visible) },
  ]);
  const allLog = new LogPane(store);
  const head = el(
    'div',
    { class: 'drawer-head' },
    el('div', { class: 'title-row' }, back, el('div', { class: 'titles' }, title, kind), el('div', { class: 'badges' }, link.node, arm.node)),
    buttons.node,
  );
  const panes = el('div', { class: 'panes' }, overview.node, controls.node, signals.node, latency.node, log.node, parameters.node);
  const gone = el('p', { class: 'hint gone', text: 'The connected program has no machine of this name.', hidden: true });
  const one = el('div', { class: 'one' }, head, gone, tabs.bar, panes);
  const none = el(
    'div',
    { class: 'none' },
    el('h2', { text: 'Events' }),
    el('p', { class: 'hint', text: 'Select a machine in the list or in the view for details.' }),
    allLog.node,
  );
  place('drawer').append(one, none);

  const draw = (): void => {
    const name = store.chosen.value;
    if (name === '') return;
    const status = store.status.value;
    const machine = statusOf(store, name);
    const rights = rightsOf(store);
    buttons.show(name, machine, rights);
    controls.show(name, machine);
    const missing = status !== null && machine === undefined;
    show(gone, missing);
    show(tabs.bar, !missing);
    show(panes, !missing);
    const recorded = rights.recorded === true;
    link.show(!rights.connected || machine === undefined ? notKnown : recorded ? recordedLinkWord(machine) : linkWord(machine));
    show(arm.node, rights.connected && machine !== undefined);
    if (missing) setText(kind, '');
    if (machine === undefined) return;
    setText(kind, `${machine.type} · ${machine.virtual ? 'virtual' : machine.device || 'real device'}`);
    arm.show(recorded ? recordedArmWord(machine) : armWord(machine));
    if (!overview.node.hidden) overview.show(machine, status?.uptime ?? 0, store.connection.value, rights, sceneOf(store, machine.name)?.scene);
    if (!latency.node.hidden) latency.show(machine);
    signals.show(name);
  };
  let before: string | undefined;
  const choose = (name: string): void => {
    if (name === before) return;
    const last = before ?? '';
    before = name;
    show(one, name !== '');
    show(none, name === '');
    allLog.shown(name === '');
    document.body.toggleAttribute('data-chosen', name !== '');
    setText(title, name);
    log.of(name);
    parameters.of(name);
    controls.shown(name !== '' && tabs.current === 'Controls');
    if (name === '') controls.drive.releaseAll();
    draw();
    // On a phone the list has just gone, and the focus with it.
    if (name !== '' && last === '' && place('machines').offsetParent === null) title.focus({ preventScroll: true });
  };
  store.status.on(draw);
  store.connection.on(draw);
  store.latency.on(draw);
  store.chosen.on(choose, true);
  tabs.bar.addEventListener('click', draw);
  tabs.bar.addEventListener('keydown', () => queueMicrotask(draw));
  return { letGo: () => controls.drive.releaseAll() };
}
