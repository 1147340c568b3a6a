// SPDX-License-Identifier: Apache-2.0
// The bar of the 3D view: where to look from and what to show.
import type { View } from '../scene/view';
import type { Store, ViewOptions } from '../store';
import { choice } from './choice';
import { el, place, setAttribute, show } from './dom';
import { icon } from './icons';

type Toggle = Exclude<keyof ViewOptions, 'residualGain' | 'layers'>;
const toggles: [Toggle, string][] = [
  ['labels', 'Names and states'],
  ['twin', 'Twin'],
  ['residual', 'Residual between real and twin'],
  ['trails', 'Trails'],
  ['frames', 'Frames'],
];

export function startViewBar(store: Store, view: View): void {
  const act = (name: string, label: string, run: () => void): HTMLButtonElement =>
    el('button', { type: 'button', text: name, 'aria-label': label, title: label, onclick: run });
  const fit = el('button', { type: 'button', 'aria-label': 'Fit all machines in the view', title: 'Fit all machines (F)', onclick: () => view.fit() }, icon('fit'));
  const follow = act('Follow', 'Camera follows the chosen machine', () => store.view.change({ follow: !store.view.value.follow }));
  const camera = act('Camera', "Picture of the machine's own camera", () => store.view.change({ camera: !store.view.value.camera }));
  const looks = (kind: string): HTMLElement =>
    el(
      'span',
      { class: kind },
      act('3D', 'Look from a corner', () => view.look('iso')),
      act('Top', 'Look from above', () => view.look('top')),
      act('Side', 'Look from the side', () => view.look('side')),
    );
  const menu = el('details', { class: 'menu' });
  const body = el('div', { class: 'menu-body' });
  menu.append(el('summary', {}, icon('layers'), 'Show'), body);
  place('viewbar').append(fit, looks('joined'), menu, follow, camera);

  body.append(looks('row looks'));
  const boxes = toggles.map(([key, name]) => {
    const box = el('input', { type: 'checkbox' });
    box.addEventListener('change', () => store.view.change({ [key]: box.checked }));
    body.append(el('label', { class: 'tick' }, box, name));
    return { key, box };
  });
  const gains = [1, 10, 100].map((factor) => [factor, `${factor}×`] as const);
  const gain = choice('Residual drawn', gains, (residualGain) => store.view.change({ residualGain }));
  body.append(el('span', { class: 'picker' }, 'Residual drawn ', gain.node));
  const layers = el('div', { class: 'layers' });
  body.append(layers);

  const draw = (): void => {
    const options = store.view.value;
    for (const { key, box } of boxes) box.checked = options[key];
    gain.show(options.residualGain);
    setAttribute(follow, 'aria-pressed', String(options.follow));
    setAttribute(camera, 'aria-pressed', String(options.camera));
    const chosen = store.scenes.value.find(({ name }) => name === store.chosen.value);
    show(follow, chosen !== undefined);
    show(camera, (chosen?.scene.camera_topic ?? '') !== '');
  };
  const offerLayers = (): void => {
    const found = new Map<string, { name: string; off: boolean }>();
    for (const { name, scene } of store.scenes.value)
      for (const { layer, layer_off: off } of scene.parts) if (layer !== undefined && layer !== '') found.set(`${name}/${layer}`, { name: `${layer} of ${name}`, off: off === true });
    layers.replaceChildren(
      ...[...found].map(([id, { name, off }]) => {
        const box = el('input', { type: 'checkbox', checked: store.view.value.layers[id] ?? !off });
        box.addEventListener('change', () => store.view.change({ layers: { ...store.view.value.layers, [id]: box.checked } }));
        return el('label', { class: 'tick' }, box, name);
      }),
    );
  };
  store.view.on(draw, true);
  store.chosen.on(draw);
  store.scenes.on(draw);
  store.scenes.on(offerLayers, true);
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  document.addEventListener('pointerdown', (event) => {
    if (menu.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
}
