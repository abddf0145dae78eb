// Private keys run over many lines, and a diff may show only some of them: what stands between their first and last line goes,
// and so do whole lines of key text next to either, or below a line that begins as only a private key does.

/** A half-open range of UTF-16 code units in a text. */
export interface KeyRange {
  readonly start: number;
  readonly end: number;
}

const marker = /-----(BEGIN|END) (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
// A sequence whose first field is a version number: certificates and public keys begin with another sequence. Then the forms of
// short keys, and what OpenSSH and PuTTY write.
const opening =
  /^[ +-]?[ \t"'`]{0,60}(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA|MI[GH][A-Za-z0-9+/]AgE[AB]|MHcCAQEE|MHQCAQEE|MC4CAQAw|MFECAQEw|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{24,80}|^[ +-]?Private-Lines: \d{1,4}/gm;
const keyText = /[A-Za-z0-9+/=]{4,}/g;
const otherBlock = /-----(?:BEGIN|END) (?:[A-Z0-9]+ ){0,3}(?:CERTIFICATE|PUBLIC KEY)/;
const keyFile =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*(?:private|server|client|ssl|tls|host)[^/]*\.pem|[^/]+\.(?:key|p8|pkcs8|ppk))$/i;
const maxCharacters = 20_000;
const leastFullLines = 3;

export function privateKeyRanges(text: string, path = ''): KeyRange[] {
  const ranges: KeyRange[] = [];
  const take = (from: number, to: number) => {
    // Neither an escaped line end nor the sign of a diff line is part of the key, though both look like it.
    const plain = text
      .slice(from, to)
      .replaceAll(/\\[nr]/g, '  ')
      .replaceAll(/^[+-]/gm, ' ');
    const runs = [...plain.matchAll(keyText)];
    // Words and rows of X only stand for a key.
    if (!runs.some(([run]) => /[A-Z0-9+/=]/.test(run) && !/^X+$/.test(run))) return;
    for (const { index, 0: run } of runs)
      ranges.push({ start: from + index, end: from + index + run.length });
  };
  const markers = text.includes('PRIVATE KEY') ? [...text.matchAll(marker)] : [];
  markers.forEach((found, at) => {
    const [before, after] = [markers[at - 1], markers[at + 1]];
    if (found[1] === 'BEGIN') {
      const from = found.index + found[0].length;
      const to = Math.min(after?.index ?? text.length, from + maxCharacters);
      take(
        from,
        after?.[1] === 'END' && after.index === to ? to : from + keyLinesAtStart(text.slice(from, to)),
      );
    } else {
      const floor = before === undefined ? 0 : before.index + before[0].length;
      const from = Math.max(floor, found.index - maxCharacters);
      if (before?.[1] !== 'BEGIN' || from > floor)
        take(found.index - keyLinesAtEnd(text.slice(from, found.index)), found.index);
    }
  });
  let done = 0;
  for (const { index, 0: line } of text.matchAll(opening)) {
    if (index < done) continue;
    const from = line.includes('Private-Lines') ? index + line.length : index;
    done = from + keyLinesAtStart(text.slice(from, from + maxCharacters));
    take(from, done);
  }
  if (keyFile.test(path) && !otherBlock.test(text))
    for (const { start, end } of wideLineRuns(text)) take(start, end);
  return ranges;
}

/** How far key text reaches: the rest of the first line, then whole lines. */
function keyLinesAtStart(text: string): number {
  let end = text.indexOf('\n');
  while (end !== -1) {
    const next = text.indexOf('\n', end + 1);
    if (keyTextIn(text.slice(end + 1, next === -1 ? text.length : next)).length < 16) return end;
    end = next;
  }
  return text.length;
}

/** How many characters before the end are key text. The last line of a key may be short; a sentence may speak of its marker. */
function keyLinesAtEnd(text: string): number {
  const lines = text.split('\n');
  const own = lines.pop() ?? '';
  const words = own.replaceAll(/\\[nr]|^[+-]/g, ' ').split(/[\s"'`]+/);
  if (words.some((word, at) => word !== '' && keyTextIn(word).length < (at === words.length - 1 ? 1 : 16)))
    return 0;
  let length = own.length;
  for (let least = 1; lines.length > 0; least = 16) {
    const line = lines.pop() ?? '';
    if (keyTextIn(line).length < least) break;
    length += line.length + 1;
  }
  return length;
}

/** The key text of a line without its sign, quotes and what joins strings; empty where there is anything else. */
function keyTextIn(line: string): string {
  const start = /^[ +-]?[ \t"'`]{0,200}/.exec(line)?.[0].length ?? 0;
  let end = line.length;
  for (;;) {
    if (line[end - 2] === '\\' && (line[end - 1] === 'n' || line[end - 1] === 'r')) end -= 2;
    else if (end > start && ' \t\r"\'`,;\\'.includes(line[end - 1]!)) end -= 1;
    else if (/["'` ]\+$/.test(line.slice(Math.max(0, end - 2), end))) end -= 1;
    else break;
  }
  const rest = line.slice(start, end);
  return /^[A-Za-z0-9+/=]*$/.test(rest) ? rest : '';
}

/** From the middle of a key neither end may be seen: lines as wide as key files have them, several in a row. */
function wideLineRuns(text: string): KeyRange[] {
  const runs: KeyRange[] = [];
  let [at, start, count] = [0, 0, 0];
  for (const line of `${text}\n`.split('\n')) {
    const { length } = keyTextIn(line);
    if ([64, 70, 76].includes(length)) {
      if (count === 0) start = at;
      count += 1;
    } else {
      // What is shorter and directly below is the last line of the key.
      const end = length > 0 && length < 76 ? at + line.length : at - 1;
      if (count >= leastFullLines) runs.push({ start, end: Math.min(end, text.length) });
      count = 0;
    }
    at += line.length + 1;
  }
  return runs;
}
