// Which pages may call? Those below the addresses the application lists, and only of its own schemes.
import { GalleyError } from '../../core/model/error.js';

const ownSchemes: ReadonlySet<string> = new Set(['file:', 'app:']);

/** Addresses like `app://main/` or `file:///opt/studio/`; a page is allowed when its address lies below one of them. */
export function allowBelow(addresses: readonly string[]): (url: string) => boolean {
  const listed = addresses.map((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const place = url !== undefined && ownSchemes.has(url.protocol) ? placeOf(url) : undefined;
    if (place !== undefined) return place;
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'origins: list addresses of file: or app: pages, without encoded slashes or dots; pass an allow function for anything else.',
    );
  });
  return (address) => {
    const page = URL.canParse(address) ? placeOf(new URL(address)) : undefined;
    if (page === undefined) return false;
    const { protocol, host, path } = page;
    return listed.some(
      (place) =>
        place.protocol === protocol &&
        place.host === host &&
        (place.path === path || path.startsWith(place.path.endsWith('/') ? place.path : `${place.path}/`)),
    );
  };
}

function placeOf({ protocol, host, username, password, pathname }: URL) {
  // An encoded slash or dot is read as one by whoever opens the file.
  if (/%2f|%5c|%2e|\\/i.test(pathname)) return undefined;
  return { protocol, host: `${username}:${password}@${host}`, path: pathname || '/' };
}
