// SPDX-License-Identifier: Apache-2.0
// The ground all machines stand on: a grid of metres that fades into the distance, and their shadows.
import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector3 } from 'three';
import type { Palette } from './colours';

const vertex = `
varying vec3 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// Lines keep about a pixel and a half at any distance and vanish before they flicker.
const fragment = `
uniform vec3 ground, thin, strong, middle;
uniform float reach, cell;
varying vec3 place;
float lines(vec2 at, float step_) {
  vec2 scaled = at / step_;
  vec2 wide = fwidth(scaled);
  vec2 near = abs(fract(scaled - 0.5) - 0.5) / max(wide, vec2(1e-6));
  float line = 1.0 - min(min(near.x, near.y) / 1.2, 1.0);
  return line * (1.0 - smoothstep(0.06, 0.3, max(wide.x, wide.y)));
}
void main() {
  float away = length(place.xy - middle.xy) / reach;
  float fade = 1.0 - smoothstep(0.2, 0.9, away);
  float fine = lines(place.xy, cell);
  float coarse = lines(place.xy, cell * 5.0);
  vec3 color = mix(mix(ground, thin, 0.7 * fine), strong, 0.6 * coarse);
  gl_FragColor = vec4(color, fade * (0.75 + 0.25 * max(fine, coarse)));
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly group = new Group();
  private grid: ShaderMaterial;
  private shadow = new ShadowMaterial({ opacity: 0.3, depthWrite: false });

  constructor(palette: Palette) {
    this.grid = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      transparent: true,
      depthWrite: false,
      uniforms: {
        ground: { value: new Color() },
        thin: { value: new Color() },
        strong: { value: new Color() },
        middle: { value: new Vector3() },
        reach: { value: 20 },
        cell: { value: 1 },
      },
    });
    const plane = new Mesh(new PlaneGeometry(1, 1), this.grid);
    plane.position.z = -0.012;
    plane.renderOrder = -3;
    const dark = new Mesh(new PlaneGeometry(1, 1), this.shadow);
    dark.position.z = -0.01;
    dark.receiveShadow = true;
    dark.renderOrder = -2;
    this.group.add(plane, dark);
    this.paint(palette);
  }

  paint(palette: Palette): void {
    const { ground, thin, strong } = this.grid.uniforms;
    ground.value.set(palette.ground);
    thin.value.set(palette.line);
    strong.value.set(palette.lineStrong);
    this.shadow.opacity = palette.dark ? 0.42 : 0.2;
  }

  // The grid reaches as far as the machines need, around where one looks.
  spread(middle: Vector3, radius: number, shadows: number): void {
    const reach = Math.max(2.6 * radius, 4);
    this.grid.uniforms.middle.value.copy(middle);
    this.grid.uniforms.reach.value = reach;
    this.grid.uniforms.cell.value = radius > 60 ? 10 : radius > 1.2 ? 1 : 0.1;
    this.group.children.forEach((child, i) => {
      child.position.x = middle.x;
      child.position.y = middle.y;
      child.scale.setScalar(2 * (i === 0 ? 0.9 * reach : shadows));
    });
  }
}
