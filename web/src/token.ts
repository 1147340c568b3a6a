// The token of this page: given once in its address, and taken out of it, where everybody who sees the screen, a
// bookmark or a copied link would read it. A load without it is let in by the cookie that the program gave for it.
// As it stood there, still encoded: only the program knows whether a + was meant as itself or as a space.
export function takeToken(tab: { location: Pick<Location, 'href'>; history: Pick<History, 'state' | 'replaceState'> }): string {
  const address = new URL(tab.location.href);
  const token = /[?&]token=([^&]*)/.exec(address.search)?.[1] ?? '';
  if (token === '') return '';
  address.searchParams.delete('token');
  tab.history.replaceState(tab.history.state, '', address.href);
  return token;
}
