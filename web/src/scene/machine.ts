// SPDX-License-Identifier: Apache-2.0
// One machine on the ground: its solids, ties, twin, trails and marks, moved by the pictures that come.
import { Box3, Group, Matrix4, Mesh, Points, BufferGeometry, BufferAttribute, Quaternion, Vector3, type Vector2 } from 'three';
import type { Presence, ViewOptions } from '../store';
import type { Part, PictureMachine, Scene, SceneMachine } from '../wire';
import type { Palette } from './colours';
import type { Place } from './layout';
import { Look } from './look';
import { Arrow, axesGeometry, axesMaterial, Ring } from './marks';
import { Motion } from './motion';
import { matrixFrom, merged, solidFrom } from './parts';
import { Ribbon } from './ribbon';
import { Ties } from './ties';

interface Body {
  motion: Motion;
  frames: Group[];
  byName: Map<string, Matrix4>;
  ties: Ties | null;
  root: Group;
  known: boolean;
}

export interface Residual {
  distance: number; // m
  angle: number; // rad
}

export class MachineView {
  readonly group = new Group(); // stands at its place on the common ground
  readonly name: string;
  readonly scene: Scene;
  presence: Presence = 'present';
  stopped = false;
  residual: Residual | null = null;
  flaw = ''; // in words, if it is not drawn as it was described
  readonly box = new Box3(); // around it in the common world, as first seen
  readonly sight = new Box3(); // what of it the first look shall have: itself, or all the ground if it roams that
  boxed = false; // it was seen, so that `box` and focus() are those of the real one
  roaming = false; // on a ground far larger than itself
  lookout: Vector3[] = []; // points of it that should be seen when it is chosen
  private look: Look;
  private real: Body;
  private twin: Body;
  private still = new Group(); // parts of the machine's world
  private layers: { layer: string; off: boolean; object: { visible: boolean } }[] = [];
  private axes: Mesh[] = [];
  private trails: { frame: number; ribbon: Ribbon; written: number; grew: boolean }[] = [];
  private marked = -Infinity; // s: the picture that trails have come to
  private ring: Ring;
  private arrow: Arrow;
  private twinSeen = false;
  private isChosen = false;
  private main: number;

  constructor(
    machine: SceneMachine,
    readonly place: Place,
    palette: Palette,
    screen: Vector2,
    readonly told = '', // what it was made from, as text
    readonly guest = false, // it stands on the ground of another scene
  ) {
    this.name = machine.name;
    this.scene = machine.scene;
    this.main = Math.max(0, this.scene.frames.indexOf(this.scene.main_frame));
    this.look = new Look(palette);
    this.real = this.body(this.look.ties, false);
    this.twin = this.body(this.look.twin, true);
    this.dress(screen);
    this.ring = new Ring(place.extent);
    this.arrow = new Arrow(this.scene.extent);
    const inner = new Group(); // the machine's own world; lifted if parts of it lie below zero
    inner.position.z = this.lift() * place.scale;
    inner.add(this.still, this.real.root, this.twin.root, this.arrow.group);
    for (const frame of this.scene.trails) this.addTrail(frame, palette, screen, inner);
    this.group.add(inner, this.ring.group);
    this.group.position.set(place.x, place.y, 0);
    inner.scale.setScalar(place.scale);
    this.ring.group.visible = !guest;
    this.arrow.paint(palette);
    this.twin.root.visible = this.real.root.visible = false;
    this.group.updateMatrixWorld(true);
    this.measure();
  }

  private body(material: Look['ties'] | Look['twin'], isTwin: boolean): Body {
    const root = new Group();
    const frames = this.scene.frames.map(() => {
      const frame = new Group();
      frame.matrixAutoUpdate = false;
      root.add(frame);
      return frame;
    });
    const byName = new Map(this.scene.frames.map((name, i) => [name, frames[i].matrix]));
    const moving = this.scene.ties;
    const ties = moving.length > 0 ? new Ties(moving, material, isTwin ? null : this.scene.scalars) : null;
    if (ties) root.add(ties.mesh);
    return { motion: new Motion(frames.length), frames, byName, ties, root, known: false };
  }

  // All parts, merged by frame, layer and opacity; the twin shares their geometry.
  private dress(screen: Vector2): void {
    const heaps = new Map<string, Part[]>();
    for (const part of this.scene.parts) {
      if (part.shape === 'cloud') {
        this.addCloud(part);
        continue;
      }
      const line = part.shape === 'line' ? part.color : '';
      const key = JSON.stringify([part.frame, part.layer ?? '', part.opacity ?? 1, line]);
      heaps.set(key, [...(heaps.get(key) ?? []), part]);
    }
    for (const parts of heaps.values()) {
      if (parts[0].shape === 'line') {
        this.addLines(parts, screen);
        continue;
      }
      const whole = merged(parts.map(solidFrom).filter((solid) => solid !== null));
      if (!whole) continue;
      const { frame, opacity = 1 } = parts[0];
      const solid = opacity >= 1;
      const mesh = new Mesh(whole, solid ? this.look.solid : this.look.clear(opacity));
      mesh.castShadow = solid;
      mesh.receiveShadow = solid;
      this.home(frame).add(mesh);
      this.layered(parts[0], mesh);
      const index = this.scene.frames.indexOf(frame);
      if (index >= 0 && solid) this.twin.frames[index].add(new Mesh(whole, this.look.twin));
    }
    const axes = axesGeometry(Math.max(0.06 * this.scene.extent, 0.05));
    for (const frame of [this.still, ...this.real.frames]) {
      const mesh = new Mesh(axes, axesMaterial);
      mesh.renderOrder = 4;
      mesh.visible = false;
      this.axes.push(mesh);
      frame.add(mesh);
    }
  }

  private addLines(parts: readonly Part[], screen: Vector2): void {
    const lines = parts.map((part) => moved(part.points ?? [], matrixFrom(part.at)));
    const most = lines.reduce((sum, line) => sum + line.length / 3, 0);
    const ribbon = new Ribbon(Math.max(2, most), parts[0].color, 1.6, false, screen);
    ribbon.lines(lines);
    this.home(parts[0].frame).add(ribbon.mesh);
    this.layered(parts[0], ribbon.mesh);
  }

  private addCloud(part: Part): void {
    const points = new Float32Array(moved(part.points ?? [], matrixFrom(part.at)));
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
    const size = (part.size[0] || 0.02) * this.place.scale;
    const cloud = new Points(geometry, this.look.points(part.color, size, part.opacity ?? 1));
    this.home(part.frame).add(cloud);
    this.layered(part, cloud);
  }

  private layered({ layer, layer_off }: Part, object: { visible: boolean }): void {
    if (!layer) return;
    object.visible = !layer_off;
    this.layers.push({ layer, off: layer_off === true, object });
  }

  private home(frame: string): Group {
    return this.real.frames[this.scene.frames.indexOf(frame)] ?? this.still;
  }

  private addTrail(name: string, palette: Palette, screen: Vector2, into: Group): void {
    const frame = this.scene.frames.indexOf(name);
    if (frame < 0) return;
    const ribbon = new Ribbon(500, palette.accent, 1.6, true, screen);
    this.trails.push({ frame, ribbon, written: 0, grew: false });
    into.add(ribbon.mesh);
  }

  // What lies below its world's zero (a sea floor) would be under the common ground: the machine is lifted by it.
  private lift(): number {
    const box = new Box3().setFromObject(this.still);
    return box.isEmpty() || box.min.z > -0.05 ? 0 : -box.min.z;
  }

  private measure(): void {
    const { x, y, extent } = this.place;
    this.box.makeEmpty();
    for (const root of [this.still, ...this.real.frames]) expand(this.box, root);
    this.sight.copy(this.box);
    const half = extent / 2;
    const ground = new Box3(new Vector3(x - half, y - half, 0), new Vector3(x + half, y + half, 0.1 * extent));
    // The box keeps to its ground whatever strays, so that one lost robot does not move the camera of all.
    this.box.union(ground);
    const least = new Vector3(x - extent, y - extent, -extent);
    const most = new Vector3(x + extent, y + extent, 2 * extent);
    this.box.min.max(least);
    this.box.max.min(most);
    this.sight.min.max(least);
    this.sight.max.min(most);
    const solid = ({ frame, shape, layer_off }: Part): boolean => frame === 'world' && shape !== 'line' && shape !== 'cloud' && layer_off !== true;
    const stands = this.scene.ties.length > 0 || this.scene.parts.some(solid);
    if (!stands || this.sight.isEmpty()) this.sight.copy(this.box);
    const middle = this.box.getCenter(new Vector3());
    this.lookout = Array.from({ length: 8 }, (_, i) =>
      new Vector3(this.box[i & 1 ? 'max' : 'min'].x, this.box[i & 2 ? 'max' : 'min'].y, this.box[i & 4 ? 'max' : 'min'].z).lerp(middle, 0.2),
    );
  }

  // False: the picture shows what is shown already.
  aim(picture: PictureMachine, stamp: number, now: number, smooth: boolean): boolean {
    const before = [this.real.known, this.twinSeen];
    if (picture.seen && this.real.motion.aim(picture.frames, stamp, now, smooth)) {
      this.real.known = true;
      this.mark(picture.frames, stamp);
    }
    this.twinSeen = picture.twin !== null && this.twin.motion.aim(picture.twin ?? [], stamp, now, smooth);
    const tinted = this.real.ties?.tint(picture.scalars) ?? false;
    const appeared = before[0] !== this.real.known || before[1] !== this.twinSeen;
    return tinted || appeared || !this.real.motion.rests || (this.twinSeen && !this.twin.motion.rests);
  }

  // True: still on its way.
  advance(now: number, options: ViewOptions, reduced: boolean): boolean {
    const moves = this.step(this.real, now);
    const twinMoves = this.twinSeen && this.step(this.twin, now);
    // Never seen, but its twin is: the ghost stands where the twin says it would be.
    this.real.root.visible = this.real.known;
    this.twin.root.visible = this.twinSeen && (options.twin || !this.real.known);
    this.compare(options);
    if (this.real.known) this.trace(options, now, reduced);
    if (!this.boxed && this.real.known) {
      this.boxed = true;
      this.group.updateMatrixWorld(true);
      this.measure();
      this.roaming = this.roams(this.bodyBox());
    }
    return moves || twinMoves;
  }

  private step(body: Body, now: number): boolean {
    const moves = body.motion.advance(now);
    const { shown } = body.motion;
    body.frames.forEach((frame, i) => {
      const k = 7 * i;
      position.set(shown[k], shown[k + 1], shown[k + 2]);
      turn.set(shown[k + 3], shown[k + 4], shown[k + 5], shown[k + 6]);
      frame.visible = !body.motion.missing[i];
      frame.matrix.compose(position, turn, one);
      frame.matrixWorldNeedsUpdate = true;
    });
    body.ties?.place(body.byName);
    return moves;
  }

  private compare(options: ViewOptions): void {
    // Against an old pose the twin cannot be judged.
    const fresh = this.presence === 'present';
    const told = this.twinSeen && !this.twin.motion.missing[this.main] && !this.real.motion.missing[this.main];
    const both = fresh && this.real.known && told && this.scene.frames.length > 0;
    this.residual = null;
    this.arrow.group.visible = false;
    if (!both) return;
    const X_world_real = this.real.frames[this.main].matrix;
    const X_world_twin = this.twin.frames[this.main].matrix;
    X_world_real.decompose(position, turn, scrap);
    X_world_twin.decompose(otherPosition, otherTurn, scrap);
    this.residual = { distance: position.distanceTo(otherPosition), angle: turn.angleTo(otherTurn) };
    if (options.residual) this.arrow.point(position, otherPosition, options.residualGain);
  }

  // Trails are made of pictures, not of frames drawn: a slow computer draws the same way. A jump in time ends them.
  private mark(frames: PictureMachine['frames'], stamp: number): void {
    if (!(stamp >= this.marked) || stamp - this.marked > 2) this.clearTrails();
    this.marked = stamp;
    for (const trail of this.trails) {
      const [x, y, z] = frames.slice(7 * trail.frame);
      if (x === null || y === null || z === null) continue;
      trail.grew = trail.ribbon.add(x, y, z, 0.004 * this.scene.extent) || trail.grew;
    }
  }

  private trace(options: ViewOptions, now: number, reduced: boolean): void {
    for (const trail of this.trails) {
      // With reduced motion a trail is drawn anew once in two seconds only.
      if (trail.grew && (!reduced || now - trail.written > 2)) {
        trail.ribbon.write();
        trail.written = now;
        trail.grew = false;
      }
      if (!options.trails) trail.ribbon.mesh.visible = false;
      else if (!trail.ribbon.mesh.visible) trail.ribbon.write();
    }
  }

  private clearTrails(): void {
    for (const { ribbon } of this.trails) ribbon.clear();
  }

  // False: as before.
  show(presence: Presence, stopped: boolean, chosen: boolean, palette: Palette): boolean {
    if (presence !== this.presence) this.look.show(presence);
    const news = presence !== this.presence || stopped !== this.stopped || chosen !== this.isChosen;
    this.presence = presence;
    this.stopped = stopped;
    this.isChosen = chosen;
    this.ring.show(presence, stopped, chosen, palette);
    return news;
  }

  // Seen through, since it stands before the one that is looked at.
  veil(on: boolean): void {
    this.look.veil(on);
  }

  paint(palette: Palette): void {
    this.look.paint(palette);
    this.arrow.paint(palette);
    for (const { ribbon } of this.trails) ribbon.paint(palette.accent);
  }

  choose(options: ViewOptions): void {
    for (const { layer, off, object } of this.layers) object.visible = options.layers[`${this.name}/${layer}`] ?? !off;
    for (const mesh of this.axes) mesh.visible = options.frames;
  }

  // What to look at when it is chosen: all of it, or, if it roams a ground far larger than itself, it and its
  // surroundings; then the camera should go with it.
  focus(): { box: Box3; roams: boolean } {
    const body = this.bodyBox();
    const roams = this.roams(body);
    if (!roams) return { box: this.box, roams };
    const reach = Math.max(0.08 * this.place.extent, 0.8 * body.getSize(new Vector3()).length());
    const around = new Box3().setFromCenterAndSize(this.mainPoint(new Vector3()), new Vector3(2, 2, 1).multiplyScalar(reach));
    return { box: around.union(body), roams };
  }

  // Around what moves of it, where that is drawn now; empty before it was seen.
  bodyBox(): Box3 {
    const body = new Box3();
    if (this.boxed) for (const frame of this.real.frames) expand(body, frame);
    return body;
  }

  private roams(body: Box3): boolean {
    // What hangs on ties from its world is part of what holds it: all of that is looked at.
    const hangs = this.scene.ties.some(({ from, to }) => from === 'world' || to === 'world');
    // By the ground it needs, which may be more than it is given here.
    return !hangs && !body.isEmpty() && body.getSize(new Vector3()).length() < 0.35 * this.place.scale * this.scene.extent;
  }

  // Where the main frame is in the common world; the middle of its ground before it was seen.
  mainPoint(out: Vector3): Vector3 {
    const frame = this.boxed ? this.real.frames[this.main] : undefined;
    if (!frame) return this.box.getCenter(out);
    return out.setFromMatrixPosition(frame.matrix).applyMatrix4(this.real.root.matrixWorld);
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh || object instanceof Points) object.geometry.dispose();
    });
    this.look.dispose();
  }
}

// By the solids that are shown, without marks and lines.
function expand(box: Box3, root: Group): void {
  root.traverseVisible((object) => {
    if (object instanceof Mesh && object.geometry.attributes.normal) box.expandByObject(object);
  });
}

function moved(points: readonly number[], X_frame_part: Matrix4): number[] {
  const out: number[] = [];
  for (let i = 0; i + 2 < points.length; i += 3)
    out.push(...scrap.set(points[i], points[i + 1], points[i + 2]).applyMatrix4(X_frame_part).toArray());
  return out;
}

const one = new Vector3(1, 1, 1);
const scrap = new Vector3();
const position = new Vector3();
const otherPosition = new Vector3();
const turn = new Quaternion();
const otherTurn = new Quaternion();
