// Where do two texts begin to differ, when only traces of them are kept? A trace holds a running hash every few characters.

/** Characters between two points of a trace. */
const stride = 4;

export type PrefixTrace = Uint32Array;

export function traceOf(text: string): PrefixTrace {
  const trace = new Uint32Array(Math.floor(text.length / stride));
  let hash = 0x811c9dc5;
  for (let index = 0; index < trace.length * stride; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash ^= hash >>> 15;
    if (index % stride === stride - 1) trace[(index - stride + 1) / stride] = hash;
  }
  return trace;
}

/** Characters that both texts share from the start, to within a few. */
export function sharedStart(left: PrefixTrace, right: PrefixTrace): number {
  let same = 0;
  let different = Math.min(left.length, right.length) + 1;
  while (different - same > 1) {
    const middle = (same + different) >>> 1;
    if (left[middle - 1] === right[middle - 1]) same = middle;
    else different = middle;
  }
  return same * stride;
}
