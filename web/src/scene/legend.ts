// SPDX-License-Identifier: Apache-2.0
// What the colours of the chosen machine's legs or cables mean.
import { sceneOf, type Store } from '../store';
import { shadeGradient } from './colours';

export function openLegend(host: HTMLElement, store: Store): void {
  const box = document.createElement('div');
  box.className = 'view-legend';
  box.hidden = true;
  const bar = document.createElement('div');
  bar.className = 'view-legend-bar';
  bar.style.background = shadeGradient();
  const [low, what, high] = ['low', 'what', 'high'].map((name) => {
    const span = document.createElement('span');
    span.className = `view-legend-${name}`;
    return span;
  });
  const words = document.createElement('div');
  words.className = 'view-legend-words';
  words.append(low, what, high);
  box.append(bar, words);
  host.append(box);

  const update = () => {
    const scene = sceneOf(store, store.chosen.value)?.scene;
    const scalar = scene?.scalars[scene.ties.find((tie) => tie.scalar >= 0)?.scalar ?? -1];
    box.hidden = !scalar;
    if (!scalar) return;
    low.textContent = `${scalar.low}`;
    what.textContent = scalar.name.replace(/[\s_]*\d+/, '');
    high.textContent = `${scalar.high} ${scalar.unit}`;
  };
  store.chosen.on(update);
  store.scenes.on(update, true);
}
