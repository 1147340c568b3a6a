// SPDX-License-Identifier: Apache-2.0
// Solids from their descriptions: geometry with its colour in its vertices, so that all parts of one frame that are
// shown together become one mesh and one draw call.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { mergeGeometries, mergeVertices, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Part } from '../wire';

export function matrixFrom(pose: readonly number[] | undefined, out = new Matrix4()): Matrix4 {
  const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = pose ?? [];
  const turn = new Quaternion(qx, qy, qz, qw).normalize();
  return out.compose(new Vector3(x, y, z), turn, new Vector3(1, 1, 1));
}

// In the part's frame; null for lines, clouds and what cannot be drawn.
export function solidFrom(part: Part): BufferGeometry | null {
  const bare = shapeFrom(part);
  if (!bare) return null;
  bare.deleteAttribute('uv');
  const solid = bare.index ? bare : mergeVertices(bare, 1e-5); // all with an index, so that they merge and cost least
  solid.applyMatrix4(matrixFrom(part.at));
  const color = new Color(part.color);
  const count = solid.attributes.position.count;
  const colors = new Float32Array(3 * count);
  for (let i = 0; i < count; ++i) color.toArray(colors, 3 * i);
  solid.setAttribute('color', new BufferAttribute(colors, 3));
  return solid;
}

function shapeFrom({ shape, size, points, triangles }: Part): BufferGeometry | null {
  const [a = 0, b = 0, c = 0] = size;
  const rounds = a > 0.3 ? 40 : a > 0.05 ? 24 : 14;
  switch (shape) {
    case 'box':
      return boxFrom(a, b, c);
    case 'cylinder':
      return new CylinderGeometry(a, a, b, rounds).rotateX(Math.PI / 2);
    case 'cone':
      return new ConeGeometry(a, b, rounds).rotateX(Math.PI / 2);
    case 'sphere':
      return new SphereGeometry(a, rounds, rounds / 2);
    case 'capsule':
      return new CapsuleGeometry(a, b, 5, rounds).rotateX(Math.PI / 2);
    case 'mesh':
      return meshFrom(points ?? [], triangles ?? []);
    default:
      return null;
  }
}

// An edge of its own catches the light; plates too thin for one stay sharp.
function boxFrom(x: number, y: number, z: number): BufferGeometry {
  const least = Math.min(x, y, z);
  if (least < 0.012) return new BoxGeometry(x, y, z);
  return new RoundedBoxGeometry(x, y, z, 1, Math.min(0.1 * least, 0.025));
}

function meshFrom(points: readonly number[], triangles: readonly number[]): BufferGeometry | null {
  const count = Math.floor(points.length / 3);
  if (count < 3 || triangles.length < 3 || triangles.some((index) => !(index >= 0 && index < count))) return null;
  const bare = new BufferGeometry();
  bare.setAttribute('position', new BufferAttribute(new Float32Array(points.slice(0, 3 * count)), 3));
  bare.setIndex(triangles.slice(0, triangles.length - (triangles.length % 3)));
  // Round surfaces round, edges sharp.
  return toCreasedNormals(bare, 0.6);
}

export function merged(solids: BufferGeometry[]): BufferGeometry | null {
  if (solids.length <= 1) return solids[0] ?? null;
  const whole = mergeGeometries(solids);
  for (const solid of solids) solid.dispose();
  return whole;
}
