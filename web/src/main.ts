// SPDX-License-Identifier: Apache-2.0
// Starts the page: the link to the program first, then the panels, and the 3D view as soon as its code is there.
import { exposeHooks } from './hooks';
import { openLink, socketUrl } from './link';
import { options } from './options';
import { mountPanels } from './panels/index';
import { openView } from './scene/view';
import { createStore } from './store';
import { forgetToken, takeToken } from './token';

const store = createStore();
const wish = options(location.hash);
if (wish.picture) document.body.dataset.picture = '';
const link = openLink(store, socketUrl(location, takeToken(window)), () => forgetToken(window));
const host = document.getElementById('view') as HTMLElement;
const view = openView(host, store, link, wish);
exposeHooks(store, view);
mountPanels(store, link, view);

// The machine that the address names is chosen once it is known.
if (wish.machine) {
  const end = store.scenes.on((scenes) => {
    if (!scenes.some((machine) => machine.name === wish.machine)) return;
    store.chosen.set(wish.machine);
    end();
  });
}
