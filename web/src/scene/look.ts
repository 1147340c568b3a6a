// SPDX-License-Identifier: Apache-2.0
// The materials of one machine, and how they change with its presence: full, grey when stale, a faint ghost when absent.
import { Color, DoubleSide, MeshLambertMaterial, MeshPhongMaterial, PointsMaterial, type Material } from 'three';
import type { Presence } from '../store';
import type { Palette } from './colours';

// The share of grey comes in as a uniform, so that a change of mood compiles nothing.
function greyed<T extends Material>(material: T, grey: { value: number }): T {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.grey = grey;
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nuniform float grey;')
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(dot(diffuseColor.rgb, vec3(0.2126, 0.7152, 0.0722)) * 0.8 + 0.06), grey);`,
      );
  };
  return material;
}

export class Look {
  readonly solid: MeshPhongMaterial;
  readonly ties: MeshPhongMaterial;
  readonly twin: MeshLambertMaterial;
  private clears = new Map<number, MeshLambertMaterial>(); // by opacity
  private clouds: { material: PointsMaterial; opacity: number }[] = [];
  private grey = { value: 0 };
  private faint = 1;
  private presence: Presence = 'present';
  private veiled = false;
  private twinColor = new Color();

  constructor(palette: Palette) {
    this.solid = greyed(new MeshPhongMaterial({ vertexColors: true, specular: 0x2a2e34, shininess: 28 }), this.grey);
    this.ties = greyed(new MeshPhongMaterial({ specular: 0x22262c, shininess: 20 }), this.grey);
    // Behind the real solid where both are at the same place: only what differs is seen.
    this.twin = new MeshLambertMaterial({
      transparent: true,
      opacity: 0.34,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 4,
    });
    this.paint(palette);
  }

  paint(palette: Palette): void {
    this.twinColor = new Color(palette.twin);
    this.mix();
  }

  // For parts that are translucent by their own wish.
  clear(opacity: number): MeshLambertMaterial {
    const known = this.clears.get(opacity);
    if (known) return known;
    const material = greyed(
      new MeshLambertMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: DoubleSide }),
      this.grey,
    );
    material.opacity = opacity * this.faint;
    this.clears.set(opacity, material);
    return material;
  }

  points(color: string, size: number, opacity: number): PointsMaterial {
    const material = greyed(new PointsMaterial({ color, size, transparent: true, opacity }), this.grey);
    this.clouds.push({ material, opacity });
    return material;
  }

  show(presence: Presence): void {
    this.presence = presence;
    this.mix();
  }

  veil(on: boolean): void {
    if (on === this.veiled) return;
    this.veiled = on;
    this.mix();
  }

  private mix(): void {
    const { presence } = this;
    const absent = presence === 'absent';
    const share = (this.veiled ? 0.3 : 1) * (absent ? 0.2 : 1);
    this.grey.value = presence === 'stale' || absent ? 1 : 0;
    this.faint = (this.veiled ? 0.3 : 1) * (absent ? 0.4 : 1);
    for (const material of [this.solid, this.ties]) {
      material.needsUpdate = material.transparent !== share < 1;
      material.transparent = share < 1;
      material.opacity = share;
    }
    // The twin glows by itself, which the share of grey does not reach.
    const { r, g, b } = this.twinColor;
    if (this.grey.value > 0) this.twin.color.setScalar(0.2126 * r + 0.7152 * g + 0.0722 * b);
    else this.twin.color.copy(this.twinColor);
    this.twin.emissive.copy(this.twin.color).multiplyScalar(0.35);
    this.twin.opacity = (this.veiled ? 0.3 : 1) * (absent ? 0.2 : 0.34);
    for (const [opacity, material] of this.clears) material.opacity = opacity * this.faint;
    for (const { opacity, material } of this.clouds) material.opacity = opacity * this.faint;
  }

  dispose(): void {
    for (const material of [this.solid, this.ties, this.twin, ...this.clears.values(), ...this.clouds.map(({ material: cloud }) => cloud)])
      material.dispose();
  }
}
