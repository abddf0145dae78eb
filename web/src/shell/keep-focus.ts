// Whoever works by keys stays where they were: what has the focus may go, be moved or be switched off by what it did itself, and a
// browser then begins anew at the top of the page.

const reachable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** The element itself, or the first within it. */
function firstReachable(element: Element): HTMLElement | undefined {
  const all = [element, ...element.querySelectorAll(reachable)];
  return all.find(
    (each): each is HTMLElement =>
      each instanceof HTMLElement && each.matches(reachable) && each.checkVisibility(),
  );
}

function firstOf(places: readonly Element[]): HTMLElement | undefined {
  for (const place of places) {
    const found = firstReachable(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function around(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let each = element.parentElement; each !== null; each = each.parentElement) found.push(each);
  return found;
}

export function keepFocus(root: HTMLElement): void {
  let last: HTMLElement | undefined;
  let places: readonly Element[] = [];
  root.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : undefined;
    places = last === undefined ? [] : around(last);
  });
  // Who clicks beside everything has left.
  root.ownerDocument.addEventListener(
    'pointerdown',
    () => {
      last = undefined;
    },
    { capture: true },
  );
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  new MutationObserver((changes) => {
    if (last === undefined || !isLost() || !document.hasFocus()) return;
    if (last.isConnected) return last.focus({ preventScroll: true });
    const still = places.filter((place) => place.isConnected && root.contains(place));
    const [nearest = root] = still;
    // What came in its place, or else what is next to it.
    const came = changes
      .flatMap(({ addedNodes }) => [...addedNodes])
      .filter((node): node is Element => node instanceof Element && nearest.contains(node));
    // Another view begins at its beginning.
    const isView = nearest.id === 'main' || nearest === root;
    const next = isView ? document.getElementById('main') : firstOf([...came, ...still]);
    next?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] });
}
