// A path inside a sentence: control characters cannot break its line.

export function printablePath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
  return path.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]/g, '?');
}
