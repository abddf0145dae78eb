// Git's own spelling of a path in a patch header: C-quoted when a byte could be misread.

const named: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

export function quotePath(prefix: string, path: Buffer): Buffer {
  const plain = path.every((byte) => byte >= 32 && byte < 127 && byte !== 34 && byte !== 92);
  if (plain) return Buffer.concat([Buffer.from(prefix), path]);
  let quoted = `"${prefix}`;
  for (const byte of path) {
    const octal = `\\${byte.toString(8).padStart(3, '0')}`;
    quoted += named[byte] ?? (byte < 32 || byte >= 127 ? octal : String.fromCharCode(byte));
  }
  return Buffer.from(`${quoted}"`);
}
