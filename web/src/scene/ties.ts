// SPDX-License-Identifier: Apache-2.0
// Legs and cables: one instanced rod, of which only the matrices and colours change.
import { Color, CylinderGeometry, InstancedMesh, Matrix4, Quaternion, Vector3, type Material } from 'three';
import type { Scalar, Tie } from '../wire';
import { shade } from './colours';

const up = new Vector3(0, 0, 1);

// Frames by name, each with its matrix in the machine's world; "world" is not in it.
export type Frames = ReadonlyMap<string, Matrix4>;

export class Ties {
  readonly mesh: InstancedMesh;
  private shares: number[] = []; // of the range, as shown
  private a = new Vector3();
  private b = new Vector3();
  private turn = new Quaternion();
  private size = new Vector3();
  private matrix = new Matrix4();
  private color = new Color();

  constructor(
    private ties: readonly Tie[],
    material: Material,
    private scalars: readonly Scalar[] | null, // null: not coloured
  ) {
    const rod = new CylinderGeometry(1, 1, 1, 10, 1, true).rotateX(Math.PI / 2);
    this.mesh = new InstancedMesh(rod, material, ties.length);
    this.mesh.frustumCulled = false; // its ends go wherever the frames go
    this.mesh.castShadow = scalars !== null;
    if (scalars) ties.forEach((tie, i) => this.mesh.setColorAt(i, this.color.set(tie.color)));
  }

  place(frames: Frames): void {
    this.ties.forEach((tie, i) => {
      this.point(this.a, tie.from, tie.from_point, frames);
      this.point(this.b, tie.to, tie.to_point, frames);
      const along = this.b.sub(this.a);
      const length = along.length();
      const radius = Math.max(tie.radius, 0.001);
      this.turn.setFromUnitVectors(up, length > 1e-9 ? along.divideScalar(length) : up);
      this.size.set(radius, radius, Math.max(length, 1e-6));
      this.matrix.compose(this.a.addScaledVector(along, length / 2), this.turn, this.size);
      this.mesh.setMatrixAt(i, this.matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  // False: no colour changed by what an eye could tell.
  tint(values: readonly (number | null)[]): boolean {
    if (!this.scalars || !this.mesh.instanceColor) return false;
    let news = false;
    this.ties.forEach((tie, i) => {
      const scalar = this.scalars?.[tie.scalar];
      if (!scalar) return;
      const share = ((values[tie.scalar] ?? Number.NaN) - scalar.low) / (scalar.high - scalar.low || 1);
      if (Math.abs(share - this.shares[i]) < 0.004 || Object.is(share, this.shares[i])) return;
      this.shares[i] = share;
      news = true;
      const [r, g, b] = shade(share);
      this.mesh.setColorAt(i, this.color.setRGB(r, g, b, 'srgb'));
    });
    if (news) this.mesh.instanceColor.needsUpdate = true;
    return news;
  }

  private point(out: Vector3, frame: string, at: readonly number[], frames: Frames): void {
    out.set(at[0] ?? 0, at[1] ?? 0, at[2] ?? 0);
    const X_world_frame = frames.get(frame);
    if (X_world_frame) out.applyMatrix4(X_world_frame);
  }
}
