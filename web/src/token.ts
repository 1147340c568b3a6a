// SPDX-License-Identifier: Apache-2.0
// The token of this page: given once in its address, and taken out of it, where everybody who sees the screen, a
// bookmark or a copied link would read it. The tab keeps it for a reload, under this address and port only: a cookie
// would go to every port of the computer, to programs of other users too.
// As it was written there, still encoded: only the program knows whether a + means itself or a space.
type Tab = {
  location: Pick<Location, 'href'>;
  history: Pick<History, 'state' | 'replaceState'>;
  sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
};
const kept = 'tandem token';

export function takeToken(tab: Tab): string {
  const address = new URL(tab.location.href);
  const token = /[?&]token=([^&]*)/.exec(address.search)?.[1] ?? '';
  if (token === '') return quietly(() => tab.sessionStorage.getItem(kept)) ?? '';
  address.searchParams.delete('token');
  tab.history.replaceState(tab.history.state, '', address.href);
  quietly(() => tab.sessionStorage.setItem(kept, token));
  return token;
}

// The program refused it: the next load comes without.
export function forgetToken(tab: Pick<Tab, 'sessionStorage'>): void {
  quietly(() => tab.sessionStorage.removeItem(kept));
}

// A browser may allow no storage at all.
function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
