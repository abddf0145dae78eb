// Addresses behind the #: they need no server, survive a reload, and can be bookmarked.
import { signal } from '@preact/signals';

export interface Place {
  /** For example `review` or `write/01.md`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export const place = signal<Place>(read());
addEventListener('hashchange', () => {
  place.value = read();
});

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

export const linkTo = (path: string, query: Readonly<Record<string, string>> = {}): string => {
  const search = new URLSearchParams(query).toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
};

export function go(path: string, { replace = false, query = {} as Record<string, string> } = {}): void {
  const address = linkTo(path, query);
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  place.value = read();
}
