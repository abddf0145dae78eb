// Which lines stand in a diff, for a host that does not say what became of the line under a remark.

export interface DiffTexts {
  /** By the path after the change. */
  readonly files: ReadonlyMap<
    string,
    { readonly old: ReadonlySet<string>; readonly new: ReadonlySet<string> }
  >;
}

const hunkStart = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

export function readDiffTexts(diff: string): DiffTexts {
  const files = new Map<string, { old: Set<string>; new: Set<string> }>();
  let file: { old: Set<string>; new: Set<string> } | undefined;
  let [oldLeft, newLeft] = [0, 0];
  let before = '';
  for (const line of diff.split('\n')) {
    if (oldLeft > 0 || newLeft > 0) {
      const text = line.slice(1);
      if (line[0] === '\\') continue;
      if (line[0] !== '+') {
        oldLeft -= 1;
        file?.old.add(text);
      }
      if (line[0] !== '-') {
        newLeft -= 1;
        file?.new.add(text);
      }
      continue;
    }
    const match = hunkStart.exec(line);
    if (match !== null) [oldLeft, newLeft] = [Number(match[1] ?? 1), Number(match[2] ?? 1)];
    else if (line.startsWith('--- ')) before = pathIn(line);
    else if (line.startsWith('+++ ')) {
      // A removed file has no other name.
      const path = pathIn(line) === '/dev/null' ? before : pathIn(line);
      file = files.get(path) ?? { old: new Set(), new: new Set() };
      files.set(path, file);
    }
  }
  return { files };
}

/** The line a hunk ends with, and on which side of the diff it is looked for. */
export function stillStands(
  { files }: DiffTexts,
  remark: { readonly path: string; readonly side: 'old' | 'new'; readonly hunk: string },
): boolean {
  const last = remark.hunk.replace(/\n$/, '').split('\n').at(-1) ?? '';
  return files.get(remark.path)?.[remark.side].has(last.slice(1)) === true;
}

/** A name with signs of its own stands in quotes, its bytes in octal numbers. */
function pathIn(line: string): string {
  const name = line.slice(4).replace(/\t$/, '');
  const plain = /^".*"$/.test(name) ? unquoted(name.slice(1, -1)) : name;
  return plain.replace(/^[ab]\//, '');
}

function unquoted(name: string): string {
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  const latin = name.replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, sign: string) =>
    octal === undefined ? (signs[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(latin, 'latin1').toString('utf8');
}
