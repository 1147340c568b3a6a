// SPDX-License-Identifier: Apache-2.0
// Colours of the view: those of the theme from the style sheet, and the map that shows a number.

// Dark violet over red to yellow: lightness grows all the way, so that it reads without telling red from green, and in
// grey. The darkest and the lightest end are left out, since they vanish on a dark and on a light ground.
const stops = [0x5b21b6, 0x8f1ea8, 0xb83289, 0xd6556d, 0xed7953, 0xfa9f3b, 0xf8cf30];

// Red, green and blue from 0 to 1 (sRGB) for a share of the range; what is no number is grey.
export function shade(share: number): [number, number, number] {
  if (!Number.isFinite(share)) return [0.55, 0.57, 0.6];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const rest = at - low;
  const mix = (shift: number) => {
    const a = (stops[low] >> shift) & 255;
    const b = (stops[low + 1] >> shift) & 255;
    return (a + (b - a) * rest) / 255;
  };
  return [mix(16), mix(8), mix(0)];
}

export function shadeGradient(): string {
  return `linear-gradient(to right, ${stops.map((stop) => '#' + stop.toString(16).padStart(6, '0')).join(', ')})`;
}

export interface Palette {
  dark: boolean;
  sky: string;
  ground: string;
  line: string;
  lineStrong: string;
  accent: string;
  bad: string;
  soft: string;
  twin: string;
  residual: string;
}

export function paletteFrom(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    dark: document.documentElement.dataset.theme !== 'light',
    sky: read('--view-sky', '#141a23'),
    ground: read('--view-ground', '#1a212c'),
    line: read('--view-line', '#2c3746'),
    lineStrong: read('--view-line-strong', '#42516a'),
    accent: read('--accent', '#5aa9ff'),
    bad: read('--bad', '#ff6b66'),
    soft: read('--text-soft', '#a3afbf'),
    twin: read('--view-twin', '#38bdf8'),
    residual: read('--view-residual', '#ff9f1c'),
  };
}
