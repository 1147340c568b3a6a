// SPDX-License-Identifier: Apache-2.0
// Marks around a machine that are no part of it: the ring on the ground, axes of frames, the arrow of the residual.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Shape,
  ShapeGeometry,
  Vector3,
} from 'three';
import type { Presence } from '../store';
import type { Palette } from './colours';
import { merged } from './parts';

// A square with round corners and a hole.
function borderGeometry(half: number, width: number): ShapeGeometry {
  const square = (h: number, corner: number) => {
    const shape = new Shape();
    for (let quarter = 0; quarter < 4; ++quarter) {
      const [x, y] = [[1, 1], [-1, 1], [-1, -1], [1, -1]][quarter];
      const from = (quarter * Math.PI) / 2;
      shape.absarc(x * (h - corner), y * (h - corner), corner, from, from + Math.PI / 2, false);
    }
    return shape.closePath();
  };
  const outer = square(half, 0.12 * half) as Shape;
  outer.holes.push(square(half - width, 0.12 * half - Math.min(width, 0.1 * half)) as Shape);
  return new ShapeGeometry(outer, 10);
}

// Around the machine's ground: red and broad if stopped, grey if absent, of the accent's colour if chosen.
export class Ring {
  readonly group = new Group();
  private thin: Mesh<ShapeGeometry, MeshBasicMaterial>;
  private broad: Mesh<ShapeGeometry, MeshBasicMaterial>;

  constructor(extent: number) {
    const make = (width: number, opacity: number) => {
      const material = new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false });
      const mesh = new Mesh(borderGeometry(0.52 * extent, width), material);
      mesh.renderOrder = -1;
      return mesh;
    };
    this.thin = make(0.008 * extent, 0.9);
    this.broad = make(0.032 * extent, 0.95);
    this.group.add(this.thin, this.broad);
    this.group.position.z = 0.004;
  }

  show(presence: Presence, stopped: boolean, chosen: boolean, palette: Palette): void {
    this.broad.visible = stopped;
    this.broad.material.color.set(palette.bad);
    this.thin.visible = !stopped && (chosen || presence !== 'present');
    this.thin.material.color.set(chosen ? palette.accent : palette.soft);
    this.thin.material.opacity = chosen ? 0.9 : 0.45;
  }
}

// x red, y green, z blue, as everywhere in this field.
export function axesGeometry(length: number): BufferGeometry {
  const rods = [0xe5484d, 0x46a758, 0x4a8dff].map((hex, axis) => {
    const rod = new CylinderGeometry(0.018 * length, 0.018 * length, length, 8).toNonIndexed();
    rod.deleteAttribute('uv');
    rod.translate(0, length / 2, 0);
    if (axis === 0) rod.rotateZ(-Math.PI / 2);
    if (axis === 2) rod.rotateX(Math.PI / 2);
    const color = new Color(hex);
    const colors = new Float32Array(rod.attributes.position.count * 3);
    for (let i = 0; i < colors.length; i += 3) color.toArray(colors, i);
    rod.setAttribute('color', new BufferAttribute(colors, 3));
    return rod;
  });
  return merged(rods) as BufferGeometry;
}

export const axesMaterial = new MeshBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });

// From the real frame towards the twin's, longer than true by a gain.
export class Arrow {
  readonly group = new Group();
  private material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
  private shaft = new Mesh(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0).rotateX(Math.PI / 2), this.material);
  private tip = new Mesh(new ConeGeometry(1, 1, 16).translate(0, -0.5, 0).rotateX(Math.PI / 2), this.material);
  private way = new Vector3();
  private turn = new Quaternion();

  constructor(private extent: number) {
    this.group.add(this.shaft, this.tip);
    this.group.renderOrder = 5;
    for (const mesh of [this.shaft, this.tip]) mesh.renderOrder = 5;
    this.group.visible = false;
  }

  paint(palette: Palette): void {
    this.material.color.set(palette.residual);
  }

  // Too short to be seen: hidden.
  point(from: Vector3, to: Vector3, gain: number): void {
    this.way.subVectors(to, from).multiplyScalar(gain);
    const length = this.way.length();
    this.group.visible = length > 0.006 * this.extent;
    if (!this.group.visible) return;
    const width = Math.min(0.006 * this.extent, 0.2 * length);
    const head = Math.min(5 * width, 0.5 * length);
    this.turn.setFromUnitVectors(new Vector3(0, 0, 1), this.way.divideScalar(length));
    this.group.position.copy(from);
    this.group.quaternion.copy(this.turn);
    this.shaft.scale.set(width, width, length - head);
    this.tip.position.z = length;
    this.tip.scale.set(2.2 * width, 2.2 * width, head);
  }
}
