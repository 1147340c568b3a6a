// SPDX-License-Identifier: Apache-2.0
// What the page's address asks for behind the #: machine=NAME, theme=dark|light, still, picture.
import type { Theme } from './store';

export interface Options {
  machine: string;
  theme: Theme | null;
  still: boolean; // nothing is animated; for tests and pictures
  picture: boolean; // only the 3D view with its labels
}

export function options(hash: string): Options {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const theme = asked.get('theme');
  return {
    machine: asked.get('machine') ?? '',
    theme: theme === 'dark' || theme === 'light' ? theme : null,
    still: asked.has('still'),
    picture: asked.has('picture'),
  };
}
