// A copy that stands alone. A piece cut from a text keeps the whole text in memory; what is remembered for long must not.

export function detachedText(piece: string): string {
  return Buffer.from(piece, 'utf16le').toString('utf16le');
}
