// SPDX-License-Identifier: Apache-2.0
// Line icons, 24 by 24. They stand beside a word and are hidden from screen readers.

const paths = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14M16.2 16.2L21 21',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5.5l3.5 2',
  unplug: 'M4 20l4-4M7 13l4 4l-1.5 1.5a2.83 2.83 0 0 1-4-4zM13 7l4 4l1.5-1.5a2.83 2.83 0 0 0-4-4zM20 4l-3 3M10.5 12.5l-1.5 1.5M13.5 15.5',
  cross: 'M6 6l12 12M18 6L6 18',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  play: 'M8 5l11 7l-11 7z',
  pause: 'M8 5v14M16 5v14',
  stop: 'M8.5 3h7L21 8.5v7L15.5 21h-7L3 15.5v-7zM9 12h6',
  eye: 'M2.5 12s3.5-6 9.5-6s9.5 6 9.5 6s-3.5 6-9.5 6s-9.5-6-9.5-6M12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5',
  record: 'M12 6a6 6 0 1 0 0 12a6 6 0 1 0 0-12',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.5v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18',
  back: 'M15 5l-7 7l7 7',
  link: 'M5 12a10 10 0 0 1 14 0M8 15.2a5.6 5.6 0 0 1 8 0M12 19v.01M2 8.8a14.2 14.2 0 0 1 20 0',
  warning: 'M12 4L2.5 20h19zM12 10v4.5M12 17.3v.01',
  reset: 'M4 5v5h5M4.6 10A8 8 0 1 1 4 13',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  layers: 'M12 4l9 5l-9 5l-9-5zM3 14l9 5l9-5',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 1 1 0 18',
} as const;

export type Icon = keyof typeof paths;

export function icon(name: Icon): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.dataset.name = name;
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

export function setIcon(holder: Element, name: Icon): void {
  const now = holder.querySelector('svg');
  if (now?.dataset.name === name) return;
  const fresh = icon(name);
  if (now === null) holder.prepend(fresh);
  else now.replaceWith(fresh);
}
