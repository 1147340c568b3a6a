// SPDX-License-Identifier: Apache-2.0
// Draws all machines in one scene, on demand: a frame is drawn when something moved, and none while nothing does.
import { Box3, Ray, Raycaster, Vector2, Vector3 } from 'three';
import type { Link } from '../link';
import type { Options } from '../options';
import { presenceOf, statusOf, type Presence, type Scene, type SceneMachine, type Store } from '../store';
import { paletteFrom } from './colours';
import { openEye } from './eye';
import { Flight } from './flight';
import { listenToDoubleTap, listenToKeys } from './keys';
import { Labels, projected } from './labels';
import { groundOf, hostsOf, isFlat, planFrom, type Place } from './layout';
import { openLegend } from './legend';
import { MachineView } from './machine';
import { Painter } from './painter';
import { Pace } from './pace';
import type { Outline, Side, Stage } from './view';
import { residualText, wordsFor } from './words';

const barRoom = 58; // px at the top, where the view's bar lies
const seconds = () => performance.now() / 1000;

export function openStage(host: HTMLElement, store: Store, link: Link, wish: Options): Stage {
  return new Show(host, store, link, wish);
}

class Show implements Stage {
  drawn = false;
  private palette;
  private painter: Painter;
  private flight: Flight;
  private labels: Labels;
  private machines: MachineView[] = [];
  private layout = ''; // of the machines that stand here
  private pace: Pace;
  private coming = 0; // the frame that was asked for; 0: none
  private askedAt = 0; // s
  private calm = matchMedia('(prefers-reduced-motion: reduce)');
  private followed = new Vector3();
  private following = '';
  private wide = 2; // rows of the layout: how much wider than high the picture is
  private elevation = 26; // degrees, of the first look
  private awaited = ''; // chosen before it was seen: looked at as soon as it is
  private boxed = 0; // machines that were seen
  private placed = false; // the camera was put before the first picture

  constructor(
    private host: HTMLElement,
    private store: Store,
    link: Link,
    private wish: Options,
  ) {
    this.palette = paletteFrom(host);
    this.painter = new Painter(host, this.palette, wish.still);
    this.flight = new Flight(this.painter.canvas, () => this.ask());
    this.pace = new Pace(wish.still ? null : () => this.painter.cheaper());
    this.labels = new Labels((name) => store.chosen.set(name), wish.picture ? 6 : barRoom);
    host.append(this.labels.layer);
    openEye(host, store, link);
    openLegend(host, store);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.build();
  }

  get fps(): number {
    return this.pace.fps(seconds());
  }

  private listen(): void {
    const { store } = this;
    const { canvas } = this.painter;
    store.scenes.on(() => this.build());
    store.picture.on(() => this.take());
    for (const cell of [store.status, store.connection]) cell.on(() => this.describe());
    store.view.on(() => this.dress());
    store.chosen.on((name) => this.chosen(name));
    const calm = () => {
      this.flight.eases = !this.calm.matches && !this.wish.still;
      this.flight.controls.enableDamping = this.flight.eases;
    };
    this.calm.addEventListener('change', calm);
    calm();
    new MutationObserver(() => this.paint()).observe(document.documentElement, { attributeFilter: ['data-theme'] });
    document.addEventListener('visibilitychange', () => this.ask());
    listenToKeys(canvas, { flight: this.flight, fit: () => this.fit() });
    listenToDoubleTap(canvas, (x, y) => this.pick(x, y));
    this.painter.whenBack(() => this.ask());
  }

  // Draws once, soon; again and again only as long as something is on its way.
  private ask(): void {
    if (this.coming !== 0 || document.hidden) return;
    this.askedAt = seconds();
    this.coming = requestAnimationFrame(() => this.frame());
  }

  private frame(): void {
    this.coming = 0;
    const now = seconds();
    // Reduced motion: ten pictures a second at most.
    if (this.calm.matches && !this.pace.due(now, 0.1)) {
      this.ask();
      return;
    }
    // Before the drawing: what is made cheaper empties the canvas.
    this.pace.count(now, this.calm.matches ? 0 : now - this.askedAt);
    this.draw(now);
  }

  private draw(now: number): void {
    const options = this.store.view.value;
    let moves = false;
    for (const machine of this.machines) moves = machine.advance(now, options, this.calm.matches) || moves;
    this.settle();
    this.follow();
    this.unveil();
    const flies = this.flight.advance(now);
    this.painter.spread(this.flight, this.reach());
    this.painter.draw(this.flight.camera);
    const { width, height } = this.painter;
    this.labels.layer.hidden = !options.labels;
    if (options.labels) this.labels.place(this.flight.camera, width, height);
    this.drawn ||= this.placed;
    if (moves || flies) this.ask();
  }

  // Only a machine that was seen tells how much room it takes: then it is looked at anew, unless a person has chosen
  // where to look.
  private settle(): void {
    const boxed = this.machines.filter((machine) => machine.boxed).length;
    const news = boxed > this.boxed;
    this.boxed = boxed;
    if (!news || this.flight.handled) return;
    const eases = this.flight.eases;
    if (!this.drawn) this.flight.eases = false;
    if (this.awaited && this.find(this.awaited)?.boxed) this.chosen(this.store.chosen.value);
    else if (!this.store.chosen.value) this.see();
    this.flight.eases = eases;
  }

  private build(): void {
    const scenes = this.store.scenes.value;
    const wide = this.wideness();
    const hosts = hostsOf(scenes);
    const own = scenes.filter((_, i) => hosts[i] < 0);
    const grounds = own.map(({ scene }) => groundIn(scene));
    const layout = JSON.stringify([wide, own.map(({ name }, i) => [name, grounds[i]])]);
    const plan = planFrom(grounds, wide, own.map(({ scene }) => flatIn(scene)));
    const placeOf = (i: number): Place => plan.places[own.indexOf(scenes[hosts[i] < 0 ? i : hosts[i]])];
    this.wide = wide;
    this.elevation = plan.elevation;
    // Those that did not change stay as they are, with their trails.
    const before = new Map(this.machines.map((machine) => [machine.told, machine]));
    this.machines = scenes.map((scene, i) => {
      const told = JSON.stringify([scene, placeOf(i)]);
      const known = before.get(told);
      before.delete(told);
      return known ?? this.make(scene, placeOf(i), told, hosts[i] >= 0);
    });
    for (const machine of before.values()) {
      this.painter.scene.remove(machine.group);
      machine.dispose();
    }
    for (const { group } of this.machines) this.painter.scene.add(group);
    this.labels.build(this.machines.filter((machine) => !this.isHost(machine)));
    this.take();
    this.dress();
    if (layout !== this.layout && scenes.length > 0) {
      this.layout = layout;
      // The first look is there at once; later ones fly.
      const eases = this.flight.eases;
      if (!this.placed) this.flight.eases = false;
      this.see('iso');
      this.flight.eases = eases;
      this.placed = true;
      const name = this.store.chosen.value;
      this.awaited = this.find(name)?.boxed ? '' : name;
    }
    this.ask();
  }

  // One that cannot be drawn stands there by its name, and the others are drawn.
  private make(scene: SceneMachine, place: Place, told: string, guest: boolean): MachineView {
    try {
      return new MachineView(scene, place, this.palette, this.painter.screen, told, guest);
    } catch (error) {
      console.error(`${scene.name} cannot be drawn:`, error);
      const bare = { ...emptyScene, extent: place.extent / place.scale };
      const machine = new MachineView({ ...scene, scene: bare }, place, this.palette, this.painter.screen, told, guest);
      machine.flaw = 'cannot be drawn: its description is incomplete';
      return machine;
    }
  }

  private wideness(): number {
    // In steps, so that a little more width moves no machine.
    const shape = this.painter.width / Math.max(1, this.painter.height - this.headroom);
    return 2 ** (Math.round(3 * Math.log2(Math.min(Math.max(shape, 0.4), 4))) / 3);
  }

  private take(): void {
    const picture = this.store.picture.value;
    if (!picture) return;
    const now = seconds();
    const smooth = !this.wish.still && !this.calm.matches;
    let news = false;
    for (const told of picture.machines)
      news = this.find(told.name)?.aim(told, picture.t, now, smooth) || news;
    if (news) this.ask();
  }

  private presence(machine: MachineView): Presence {
    const seen = this.store.picture.value?.machines.find((told) => told.name === machine.name)?.seen ?? false;
    return presenceOf(statusOf(this.store, machine.name), seen, this.store.connection.value.state === 'open');
  }

  private describe(): void {
    const { view, connection, chosen } = this.store;
    let news = false;
    for (const machine of this.machines) {
      const presence = this.presence(machine);
      const status = statusOf(this.store, machine.name);
      const stopped = status?.moves === true && status.arm === 'stopped';
      const isChosen = machine.name === chosen.value;
      news = machine.show(presence, stopped, isChosen && !this.wish.picture, this.palette) || news;
      const words = wordsFor(presence, status, connection.value);
      if (machine.flaw) words.text = [words.text, machine.flaw].filter((text) => text !== '').join('; ');
      // Many stand close together: words only where something is the matter.
      if (machine.guest && !isChosen && presence === 'present' && !stopped) words.text = machine.flaw;
      const { residual } = machine;
      const off = view.value.residual && residual && isChosen ? residualText(residual.distance, residual.angle, machine.scene.beside?.name || undefined) : '';
      news = this.labels.say(machine, isChosen, words, off) || news;
    }
    if (news) this.ask();
  }

  private dress(): void {
    for (const machine of this.machines) machine.choose(this.store.view.value);
    this.describe();
    this.ask();
  }

  private chosen(name: string): void {
    this.following = '';
    this.awaited = this.find(name)?.boxed ? '' : name;
    const roams = this.find(name)?.focus().roams ?? false;
    if (roams !== this.store.view.value.follow) this.store.view.change({ follow: roams });
    this.describe();
    if (this.machines.length > 0 && (name === '' || this.find(name))) this.see();
  }

  private find(name: string): MachineView | undefined {
    return this.machines.find((machine) => machine.name === name);
  }

  // A ground for machines, and none itself.
  private isHost(machine: MachineView): boolean {
    return this.machines.some(({ guest, scene }) => guest && scene.ground === machine.name);
  }

  private follow(): void {
    const machine = this.store.view.value.follow ? this.find(this.store.chosen.value) : undefined;
    const point = machine?.mainPoint(spot);
    if (!machine || !point) this.following = '';
    else if (this.following === machine.name) this.flight.shift(spot.clone().sub(this.followed));
    this.following = machine?.name ?? '';
    if (machine) this.followed.copy(spot);
  }

  // What stands between the eye and the chosen machine is seen through.
  private unveil(): void {
    const one = this.find(this.store.chosen.value);
    const eye = this.flight.camera.position;
    const points = one ? one.lookout : [];
    for (const machine of this.machines) {
      const hides = points.some((point) => {
        ray.set(eye, spot.subVectors(point, eye).normalize());
        const hit = machine !== one && !one?.guest && ray.intersectBox(machine.box, spot);
        return hit && hit.distanceTo(eye) < point.distanceTo(eye);
      });
      machine.veil(hides);
    }
  }

  private reach(): number {
    return this.whole().getSize(spot).length() / 2;
  }

  private whole(): Box3 {
    const box = new Box3();
    for (const machine of this.machines) box.union(machine.box);
    return box.isEmpty() ? box.set(new Vector3(-2, -2, 0), new Vector3(2, 2, 1)) : box;
  }

  // px at the upper edge that the bar of the view and the names have.
  private get headroom(): number {
    return this.labels.topRoom + 30;
  }

  private see(side?: Side): void {
    const one = this.find(this.store.chosen.value);
    this.flight.above = Math.max(0.3, 1 - (2 * this.headroom) / this.painter.height);
    const boxes = one ? [one.focus().box] : this.machines.filter(({ guest }) => !guest).map(({ sight }) => sight);
    this.flight.see(boxes, seconds(), side, side === 'iso' && !one ? this.elevation : undefined);
  }

  private pick(x: number, y: number): void {
    const area = this.painter.canvas.getBoundingClientRect();
    const at = new Vector2(((x - area.left) / area.width) * 2 - 1, 1 - ((y - area.top) / area.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.flight.camera);
    let best: { name: string; far: number } | null = null;
    for (const machine of this.machines) {
      if (this.isHost(machine)) continue;
      const hit = ray.ray.intersectBox(machine.guest ? machine.bodyBox() : machine.box, spot);
      const far = hit ? hit.distanceTo(ray.ray.origin) : Infinity;
      if (hit && (!best || far < best.far)) best = { name: machine.name, far };
    }
    this.store.chosen.set(best?.name ?? '');
  }

  private paint(): void {
    this.palette = paletteFrom(this.host);
    this.painter.paint(this.palette);
    for (const machine of this.machines) machine.paint(this.palette);
    this.dress();
  }

  private resize(): void {
    const { flight } = this;
    if (!this.painter.resize(flight.camera)) return;
    // Another shape of the view, a phone that was turned: the machines stand in other rows.
    if (this.placed && this.wide !== this.wideness()) this.build();
    else if (this.placed && !this.drawn) this.see('iso');
    this.draw(seconds()); // at once: a canvas of a new size is empty until then
  }

  fit(): void {
    this.see();
  }

  look(from: Side): void {
    this.see(from);
  }

  zoom(factor: number): void {
    this.flight.zoom(factor);
  }

  turn(azimuth: number, elevation: number): void {
    this.flight.turn(azimuth, elevation);
  }

  outline(name: string, whole = false): Outline | null {
    const machine = this.find(name);
    const body = whole ? machine?.sight : machine?.bodyBox();
    if (!body || body.isEmpty()) return null;
    const box = projected(body, this.flight.camera);
    const part = (x: number) => Math.min(1, Math.max(0, x));
    return { left: part(0.5 + box.min.x / 2), top: part(0.5 - box.max.y / 2), right: part(0.5 + box.max.x / 2), bottom: part(0.5 - box.min.y / 2) };
  }
}

const emptyScene: Scene = {
  frames: [], parts: [], ties: [], scalars: [], controls: [], trails: [], main_frame: '', extent: 2, camera_topic: '',
};

function flatIn(scene: Scene): boolean {
  try {
    return isFlat(scene);
  } catch {
    return false;
  }
}

function groundIn(scene: Scene): number {
  try {
    const ground = groundOf(scene);
    return Number.isFinite(ground) && ground > 0 ? ground : emptyScene.extent;
  } catch {
    return emptyScene.extent;
  }
}

const spot = new Vector3();
const ray = new Ray();
