// SPDX-License-Identifier: Apache-2.0
// A line of a width in pixels that may fade towards its old end: trails, and lines of scenes.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Mesh, ShaderMaterial, Vector2, type ColorRepresentation } from 'three';

const vertex = `
attribute vec3 other;
attribute float side;
attribute float age;
uniform vec2 screen;
uniform float width;
varying float fade;
void main() {
  vec4 here = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 there = projectionMatrix * modelViewMatrix * vec4(other, 1.0);
  vec2 way = (there.xy / max(there.w, 1e-4) - here.xy / max(here.w, 1e-4)) * screen;
  float length_ = length(way);
  vec2 across = length_ > 1e-4 ? vec2(-way.y, way.x) / length_ : vec2(0.0, 1.0);
  here.xy += across * side * width / screen * here.w;
  gl_Position = here;
  fade = age;
}`;

const fragment = `
uniform vec3 color;
uniform float opacity;
varying float fade;
void main() {
  gl_FragColor = vec4(color, opacity * fade);
  #include <colorspace_fragment>
}`;

export class Ribbon {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private points: number[] = [];
  private count = 0;

  constructor(
    private most: number,
    color: ColorRepresentation,
    width: number,
    private fades: boolean,
    screen: Vector2, // shared: the size of the drawing, px
  ) {
    const geometry = new BufferGeometry();
    const add = (name: string, size: number) => {
      const attribute = new BufferAttribute(new Float32Array(2 * most * size), size);
      geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    };
    add('position', 3), add('other', 3), add('side', 1), add('age', 1);
    const index: number[] = [];
    for (let i = 0; i + 1 < most; ++i) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    geometry.setIndex(index);
    const material = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      side: 2,
      uniforms: { screen: { value: screen }, width: { value: width }, color: { value: new Color(color) }, opacity: { value: 0.9 } },
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
    this.write();
  }

  paint(color: ColorRepresentation): void {
    this.mesh.material.uniforms.color.value.set(color);
  }

  // False: too near to the last to be worth a point.
  add(x: number, y: number, z: number, least: number): boolean {
    const n = this.points.length;
    if (n > 0 && Math.hypot(x - this.points[n - 3], y - this.points[n - 2], z - this.points[n - 1]) < least) return false;
    this.points.push(x, y, z);
    if (this.points.length > 3 * this.most) this.points.splice(0, 3);
    return true;
  }

  clear(): void {
    this.points.length = 0;
    this.write();
  }

  // Several lines in one drawing: none joins the end of one to the start of the next.
  lines(lines: readonly (readonly number[])[]): void {
    this.points = lines.flat().slice(0, 3 * this.most);
    const index: number[] = [];
    let first = 0;
    for (const line of lines) {
      const count = line.length / 3;
      for (let i = first; i + 1 < first + count; ++i) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
      first += count;
    }
    this.mesh.geometry.setIndex(index);
    this.write();
    this.mesh.geometry.setDrawRange(0, index.length);
  }

  // Puts the points into the buffers.
  write(): void {
    const { position, other, side, age } = this.mesh.geometry.attributes as Record<string, BufferAttribute>;
    const p = this.points;
    this.count = Math.floor(p.length / 3);
    for (let i = 0; i < this.count; ++i) {
      const at = 3 * i;
      const last = i + 1 === this.count;
      const next = last ? Math.max(at - 3, 0) : at + 3;
      for (let s = 0; s < 2; ++s) {
        const k = 2 * i + s;
        position.setXYZ(k, p[at], p[at + 1], p[at + 2]);
        // Behind the last point the line goes on as it came.
        const [x, y, z] = [p[next], p[next + 1], p[next + 2]];
        if (last) other.setXYZ(k, 2 * p[at] - x, 2 * p[at + 1] - y, 2 * p[at + 2] - z);
        else other.setXYZ(k, x, y, z);
        side.setX(k, s ? 1 : -1);
        age.setX(k, this.fades ? (i / this.count) ** 1.5 : 1);
      }
    }
    for (const attribute of [position, other, side, age]) attribute.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, Math.max(0, 6 * (this.count - 1)));
    this.mesh.visible = this.count > 1;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
