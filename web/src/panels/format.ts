// SPDX-License-Identifier: Apache-2.0
// Numbers as a person reads them. Pure functions.

const thin = '\u202f'; // narrow no-break space: a number and its unit never part

export function duration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return 'never';
  if (seconds < 1e-6) return `${(seconds * 1e9).toFixed(0)}${thin}ns`;
  if (seconds < 1e-3) return `${significant(seconds * 1e6)}${thin}µs`;
  if (seconds < 1) return `${significant(seconds * 1e3)}${thin}ms`;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)}${thin}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${thin}min ${Math.floor(seconds % 60)}${thin}s`;
  return `${Math.floor(seconds / 3600)}${thin}h ${Math.floor((seconds % 3600) / 60)}${thin}min`;
}

// Whole seconds and more, for sentences that change at most once a second.
export function wholeDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))}${thin}s`;
  return duration(seconds);
}

// How old the newest sample is. In tenths of a second: a figure that dances at 10 Hz tells nobody anything.
export function age(seconds: number): string {
  if (seconds < 0 || !Number.isFinite(seconds)) return 'no sample yet';
  if (seconds < 0.1) return `under 0.1${thin}s`;
  if (seconds < 10) return `${seconds.toFixed(1)}${thin}s`;
  return wholeDuration(seconds);
}

export function rate(hertz: number): string {
  if (!Number.isFinite(hertz) || hertz <= 0) return `0${thin}Hz`;
  return `${hertz < 10 ? hertz.toFixed(1) : Math.round(hertz)}${thin}Hz`;
}

export function bytes(count: number): string {
  if (!Number.isFinite(count) || count < 0) return '–';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let step = 0;
  while (count >= 1000 && step < units.length - 1) {
    count /= 1000;
    step += 1;
  }
  return `${step === 0 ? count.toFixed(0) : significant(count)}${thin}${units[step]}`;
}

// A measured number: as many places as three or four digits need, and a real minus sign.
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  let text: string;
  if (size >= 1e6 || (size > 0 && size < 5e-5)) text = value.toExponential(2);
  else if (Number.isInteger(value)) text = value.toFixed(0);
  else if (size >= 1000) text = value.toFixed(0);
  else if (size >= 100) text = value.toFixed(1);
  else if (size >= 10) text = value.toFixed(2);
  else text = value.toFixed(size < 0.01 ? 5 : 3);
  return text.replace(/^-(?=[\d.]*[1-9])/, '−').replace(/^-/, '');
}

export function withUnit(value: number | null | undefined, unit: string): string {
  return unit === '' ? number(value) : `${number(value)}${thin}${unit}`;
}

export function count(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, thin);
}

// The time of day, of seconds since the epoch.
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  const time = new Date(seconds * 1000);
  const two = (part: number): string => part.toString().padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

// Minutes and seconds of a position on a time bar.
export function position(seconds: number): string {
  const whole = Math.max(0, seconds);
  const minutes = Math.floor(whole / 60);
  const rest = (Math.floor((whole % 60) * 10) / 10).toFixed(1).padStart(4, '0');
  return `${minutes}:${rest}`;
}

// The step of a slider from low to high: a round number, about two hundred steps on the way.
export function sliderStep(low: number, high: number): number {
  const span = high - low;
  if (!(span > 0)) return 1;
  const rough = span / 200;
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = rough / power;
  return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

function significant(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
