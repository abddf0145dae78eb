// Do two bodies say the same? Whitespace is collapsed and the owner's name masked, so that a rename keeps its digest.

export function digestOf(body: string, ownName: string): string {
  const own = /^[\w$]+$/.test(ownName) ? ownName : undefined;
  let high = 0x811c9dc5;
  let low = 0x1000193;
  for (const [word] of body.matchAll(/[\w$]+|[^\s\w$]/g)) {
    const token = word === own ? '\u0000' : word;
    for (let at = 0; at < token.length; at += 1) {
      high = Math.imul(high ^ token.charCodeAt(at), 0x01000193);
      low = Math.imul(low ^ token.charCodeAt(at), 0x85ebca6b);
    }
    high = Math.imul(high ^ 0x1f, 0x01000193);
    low = (low << 13) | (low >>> 19);
  }
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
