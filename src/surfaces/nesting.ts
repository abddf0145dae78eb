// How deep is a value? Beyond any request of ours, a value is made to exhaust whoever walks it.

export const deepestNesting = 200;

/** Walks level by level, so that depth costs no stack. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level = [value].filter(isNest);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestNesting) return true;
    level = level.flatMap((each) => Object.values(each).filter(isNest));
  }
  return false;
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
