// SPDX-License-Identifier: Apache-2.0
// The camera: orbit by hand, by keys and by buttons, flights to where it shall be, and the following of a machine.
import { Box3, MathUtils, PerspectiveCamera, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { fieldOfView, sideways } from './layout';
import type { Side } from './view';

const sides: Record<Side, [number, number]> = {
  // azimuth from +x and elevation, degrees
  iso: [sideways - 90, 26],
  front: [0, 12],
  side: [-90, 8],
  top: [-90, 89.9],
};

export class Flight {
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.05, 500);
  readonly controls: OrbitControls;
  eases = true;
  handled = false; // a person has turned, moved or zoomed since all was last fitted
  above = 0.86; // share of the upper half of the picture that is free for machines
  private from = { target: new Vector3(), position: new Vector3() };
  private to = { target: new Vector3(), position: new Vector3() };
  private began = -1; // s; below zero: not flying
  private spherical = new Spherical();
  private offset = new Vector3();

  constructor(canvas: HTMLElement, changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(6, -12, 7);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.497 * Math.PI;
    this.controls.minDistance = 0.2;
    this.controls.maxDistance = 300;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', changed);
    this.controls.addEventListener('start', () => this.take());
    this.changed = changed;
  }

  private changed: () => void;

  // A person takes the camera: no flight goes on.
  private take(): void {
    this.began = -1;
    this.handled = true;
  }

  // So that every box is seen whole from a side, at its own height or this one, degrees; from where it stands now if none
  // is named.
  see(boxes: readonly Box3[], now: number, side?: Side, height?: number): void {
    const away = this.offset.subVectors(this.camera.position, this.controls.target).normalize().clone();
    if (side) {
      const [azimuth, elevation] = [sides[side][0], height ?? sides[side][1]].map(MathUtils.degToRad);
      away.set(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation));
    }
    this.handled = false;
    const { middle, distance } = this.frame(boxes.flatMap(cornersOf), away);
    this.go(middle, middle.clone().addScaledVector(away, distance), now);
  }

  // Where to look and from how far, so that all points are inside the picture and fill it. The picture's four edges
  // give four planes; left and right (above and below) each touch one point. Room is left above, for labels.
  private frame(points: readonly Vector3[], away: Vector3): { middle: Vector3; distance: number } {
    const right = new Vector3().crossVectors(this.camera.up, away).normalize();
    const up = new Vector3().crossVectors(away, right);
    const tall = Math.tan(MathUtils.degToRad(this.camera.fov / 2)) * 0.95;
    const wide = tall * this.camera.aspect;
    const across = this.squeeze(points, away, right, wide, 1);
    const upward = this.squeeze(points, away, up, tall, this.above);
    const far = Math.max(across.far, upward.far);
    // The eye is `far` towards `away` from the origin; the target lies where the points' mean depth is.
    const depth = points.reduce((sum, point) => sum + point.dot(away), 0) / points.length;
    const middle = right.multiplyScalar(across.at(far)).add(up.multiplyScalar(upward.at(far))).addScaledVector(away, depth);
    return { middle, distance: Math.max(far - depth, 0.2) };
  }

  // Along one direction of the picture: the eye's place and least distance. `above`: share of the upper half in use.
  private squeeze(points: readonly Vector3[], away: Vector3, along: Vector3, slope: number, above: number) {
    let high = -Infinity;
    let low = -Infinity;
    for (const point of points) {
      const near = point.dot(away);
      const x = point.dot(along);
      high = Math.max(high, x + slope * above * near); // x - at <= slope * above * (far - near)
      low = Math.max(low, slope * near - x); //           at - x <= slope * (far - near)
    }
    const far = (high + low) / (slope * (1 + above));
    // Further away than need be, there is room to stand in the middle of it.
    return { far, at: (f: number) => (slope * f - low + high - slope * above * f) / 2 };
  }

  go(target: Vector3, position: Vector3, now: number): void {
    this.from.target.copy(this.controls.target);
    this.from.position.copy(this.camera.position);
    this.to.target.copy(target);
    this.to.position.copy(position);
    this.began = now;
    if (!this.eases) this.land();
    this.changed();
  }

  private land(): void {
    this.controls.target.copy(this.to.target);
    this.camera.position.copy(this.to.position);
    this.began = -1;
  }

  // Goes with a machine, without turning with it: the picture stays calm.
  shift(by: Vector3): void {
    for (const end of [this.from, this.to]) end.target.add(by), end.position.add(by);
    this.controls.target.add(by);
    this.camera.position.add(by);
  }

  turn(azimuth: number, elevation: number): void {
    this.take();
    this.offset.subVectors(this.camera.position, this.controls.target);
    // Spherical has y up: (x, y, z) -> (x, z, -y).
    this.spherical.setFromCartesianCoords(this.offset.x, this.offset.z, -this.offset.y);
    this.spherical.theta += azimuth;
    this.spherical.phi = MathUtils.clamp(this.spherical.phi - elevation, 0.002, this.controls.maxPolarAngle);
    this.offset.setFromSpherical(this.spherical);
    this.camera.position.set(this.offset.x, -this.offset.z, this.offset.y).add(this.controls.target);
    this.changed();
  }

  zoom(factor: number): void {
    this.take();
    this.offset.subVectors(this.camera.position, this.controls.target);
    const length = MathUtils.clamp(this.offset.length() * factor, this.controls.minDistance, this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).addScaledVector(this.offset.normalize(), length);
    this.changed();
  }

  pan(right: number, up: number): void {
    this.take();
    const far = this.camera.position.distanceTo(this.controls.target);
    const x = new Vector3().setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(right * far);
    const y = new Vector3().setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(up * far);
    this.shift(x.add(y));
    this.changed();
  }

  // True: still flying or gliding out.
  advance(now: number): boolean {
    if (this.began >= 0) {
      const share = Math.min((now - this.began) / 0.65, 1);
      const eased = 1 - (1 - share) ** 3;
      this.controls.target.lerpVectors(this.from.target, this.to.target, eased);
      this.camera.position.lerpVectors(this.from.position, this.to.position, eased);
      if (share >= 1) this.land();
    }
    const glides = this.controls.update();
    const far = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(0.01, far / 100);
    this.camera.far = Math.max(60, far * 30);
    this.camera.updateProjectionMatrix();
    return this.began >= 0 || glides;
  }
}

function cornersOf({ min, max }: Box3): Vector3[] {
  return Array.from({ length: 8 }, (_, i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));
}
