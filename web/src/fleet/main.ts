// SPDX-License-Identifier: Apache-2.0
// The page of a fleet: all hosts with their machines, live over the WebSocket of the program that serves it, and one
// stop for all of them. Opening it sends nothing that moves a machine.
import { jsonFromBytes } from '../frames';
import { socketUrl } from '../link';
import { Badge } from '../panels/badge';
import { announceNow } from '../panels/announce';
import { el, place, setAttribute, setText, show } from '../panels/dom';
import { icon } from '../panels/icons';
import { startTheme, themeSwitch } from '../panels/theme';
import { armWord, linkWord, why } from '../panels/why';
import { Client } from '../protocol';
import { createStore } from '../store';
import { forgetToken, takeToken } from '../token';
import type { MachineStatus } from '../wire';
import type { Host, StopAnswer } from './wire';
import { clockText, fleetSum, hostWord, isPage, onItsOwnPage, stopTrouble } from './words';

const tickEvery = 300; // ms
const ticksToQuiet = 8; // the fleet comes four times a second
const answerWithin = 8000; // ms: hosts that are away take their whole timeout
const saidFor = 8000; // ms
const pressedTwice = 400; // ms: a pointer's press and the click that follows it are one

class MachineRow {
  readonly node: HTMLElement;
  private readonly link = new Badge('Link');
  private readonly arm = new Badge('Motion');
  private readonly kind = el('span', { class: 'tag' });
  private readonly type = el('span', { class: 'kind' });
  private readonly reason = el('p', { class: 'why' });

  constructor(name: string) {
    this.node = el(
      'li',
      { class: 'machine' },
      el('span', { class: 'name' }, el('span', { text: name }), this.type, this.kind),
      el('span', { class: 'badges' }, this.link.node, this.arm.node),
      this.reason,
    );
  }

  show(machine: MachineStatus, uptime: number): void {
    this.link.show(linkWord(machine));
    this.arm.show(armWord(machine));
    setText(this.type, machine.type);
    setText(this.kind, machine.virtual ? 'virtual' : 'REAL');
    setAttribute(this.kind, 'data-real', machine.virtual ? null : '');
    setText(this.reason, onItsOwnPage(why(machine, uptime)));
  }
}

class HostCard {
  readonly node: HTMLElement;
  private readonly state = new Badge('Host');
  private readonly facts = el('span');
  private readonly clock = el('span', { title: 'clock of this host minus the clock of the program that serves this page' });
  private readonly rights = el('span', { text: 'read-only: no stop from here' });
  private readonly reason = el('p', { class: 'why' });
  private readonly list = el('ul');
  private rows = new Map<string, MachineRow>();

  constructor(host: Host) {
    const link = isPage(host.page)
      ? el('a', { href: host.page, target: '_blank', rel: 'noopener noreferrer', text: host.page })
      : el('span', { text: host.page });
    this.node = el(
      'section',
      { class: 'host', 'aria-label': host.name },
      el('div', { class: 'host-head' }, el('h2', { text: host.name }), this.state.node),
      el('div', { class: 'host-facts' }, link, this.clock, this.facts, this.rights),
      this.reason,
      this.list,
    );
  }

  show(host: Host): void {
    this.state.show(hostWord(host));
    setText(this.clock, host.reachable ? clockText(host.clock) : '');
    setText(this.facts, host.version === '' ? '' : `tandem ${host.version}`);
    show(this.rights, host.reachable && !host.control);
    setText(this.reason, host.error === 'connecting' ? '' : host.error);
    const machines = host.status?.machines ?? [];
    const names = machines.map((machine) => machine.name);
    if (names.join('\n') !== [...this.rows.keys()].join('\n')) {
      this.rows = new Map(names.map((name) => [name, new MachineRow(name)]));
      this.list.replaceChildren(...[...this.rows.values()].map((row) => row.node));
    }
    for (const machine of machines) this.rows.get(machine.name)?.show(machine, host.status?.uptime ?? 0);
  }
}

const store = createStore();
startTheme(store);
const sum = el('span', { class: 'chip', id: 'sum', role: 'status' });
place('topbar').append(
  el('h1', {}, el('span', { class: 'logo', 'aria-hidden': true }), 'Tandem fleet'),
  el('div', { class: 'chips' }, sum),
  themeSwitch(store),
);
const words = el('span', { class: 'stop-words', text: 'STOP ALL HOSTS' });
const note = el('span', { class: 'stop-note', id: 'stop-note' });
const button = el(
  'button',
  { type: 'button', id: 'stop', 'aria-describedby': 'stop-note' },
  icon('stop'),
  el('span', { class: 'stop-text' }, words, note),
);
place('dock').append(button);

let hosts: Host[] = [];
let cards = new Map<string, HostCard>();
let mayControl = false;
let connected = false;
let silence = 0;

function draw(): void {
  const names = hosts.map((host) => host.name);
  if (names.join('\n') !== [...cards.keys()].join('\n')) {
    cards = new Map(hosts.map((host) => [host.name, new HostCard(host)]));
    place('hosts').replaceChildren(...[...cards.values()].map((card) => card.node));
  }
  for (const host of hosts) cards.get(host.name)?.show(host);
  const said = connected ? fleetSum(hosts) : { text: 'Not connected to the program', tone: 'bad' };
  setText(sum, said.text);
  setAttribute(sum, 'data-tone', said.tone);
  document.body.toggleAttribute('data-lost', !connected);
  if (!['sending', 'done', 'failed'].includes(button.dataset.state ?? '')) ready();
}

function ready(): void {
  button.dataset.state = !connected ? 'lost' : mayControl ? 'ready' : 'watch';
  setText(words, 'STOP ALL HOSTS');
  setText(
    note,
    !connected
      ? 'may not arrive: connection lost'
      : mayControl
        ? 'all machines of all hosts; each stays stopped until reset'
        : 'not from here: open the address that the terminal shows',
  );
}

const client = new Client(socketUrl(location, takeToken(window)), {
  trying: () => {},
  open: (info) => {
    mayControl = info.metadata?.control === 'yes';
    connected = true;
    silence = 0;
    draw();
  },
  lost: (_why, _attempt, _wait, refused) => {
    if (refused) forgetToken(window);
    connected = false;
    draw();
  },
  channels: () => {},
  status: () => {},
  parameters: () => {},
  playback: () => {},
  time: () => {},
});
client.subscribe('/tandem/fleet', (payload) => {
  const said = jsonFromBytes(payload) as { hosts?: Host[] } | undefined;
  if (!Array.isArray(said?.hosts)) return;
  silence = 0;
  connected = client.isOpen;
  hosts = said.hosts;
  draw();
});
client.connect();
setInterval(() => {
  client.tick(3 * ticksToQuiet);
  if (connected && ++silence > ticksToQuiet) {
    connected = false;
    draw();
  }
}, tickEvery);

let pressedAt = -Infinity;
let turn = 0;
function tell(state: string, head: string, text: string): void {
  button.dataset.state = state;
  setText(words, head);
  setText(note, text);
}

async function press(): Promise<void> {
  if (performance.now() - pressedAt < pressedTwice) return;
  pressedAt = performance.now();
  turn += 1;
  const mine = turn;
  tell('sending', 'STOPPING …', 'sent to all hosts');
  let trouble: string;
  try {
    const said = jsonFromBytes(await client.call('/tandem/fleet/command', { what: 'stop' }, answerWithin)) as Partial<StopAnswer>;
    trouble = stopTrouble({ ok: said?.ok === true, hosts: Array.isArray(said?.hosts) ? said.hosts : [] });
  } catch (error) {
    trouble = error instanceof Error ? error.message : String(error);
  }
  if (mine !== turn) return;
  if (trouble === '') {
    tell('done', 'STOPPED', 'all hosts confirmed; each machine stays stopped until reset');
    announceNow('Stop delivered. All hosts confirmed it.');
  } else {
    tell('failed', 'NOT CONFIRMED', `Use the machines' own stop: ${trouble}`);
    announceNow(`Stop was not confirmed by all hosts: ${trouble}. Use the machines' own stop.`);
  }
  setTimeout(() => mine === turn && ready(), trouble === '' ? saidFor : 2 * saidFor);
}
button.addEventListener('pointerdown', (event) => {
  if (event.button === 0) void press();
});
button.addEventListener('click', () => void press());
draw();
