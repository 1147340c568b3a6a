// SPDX-License-Identifier: Apache-2.0
// Everything around the 3D view: top bar, list of machines, drawer of the chosen one, stop, log, replay, and the bar
// of the view itself. index.html holds the places; #view is the 3D view's. Nothing here sends anything by itself.
import type { View } from '../scene/view';
import type { Actions, Store } from '../store';
import { startAllActions } from './all_actions';
import { startBanner } from './banner';
import { startDrawer } from './drawer';
import { startHelp } from './help';
import { startKeys } from './keys';
import { startMachineList } from './machine_list';
import { startReplay } from './replay';
import { startStop } from './stop';
import { startTheme } from './theme';
import { startToasts } from './toasts';
import { startTopBar } from './top_bar';
import { startViewBar } from './view_bar';

export function mountPanels(store: Store, actions: Actions, view: View): void {
  startTheme(store);
  const help = startHelp(store);
  startTopBar(store, () => help.toggle());
  startBanner(store, actions);
  startMachineList(store);
  const drawer = startDrawer(store, actions, () => help.keysOn());
  const all = startAllActions(store, actions);
  const stop = startStop(store, actions, () => {
    drawer.letGo();
    all.close();
  });
  const replay = startReplay(store, actions);
  startViewBar(store, view);
  startToasts(store);
  startKeys(store, stop, replay, help, view);
}
