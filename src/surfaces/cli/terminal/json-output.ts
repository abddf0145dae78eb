// Large answers on their way to stdout: written piece by piece, as fast as the reader takes them, never as one string. The bytes are
// those of JSON.stringify.

/** A piece is at most one entry of a list that is not deeper than this. */
const deepest = 3;

export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (depth === deepest || typeof value !== 'object' || value === null || 'toJSON' in value) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  const entries = isList
    ? [...value.entries()]
    : Object.entries(value).filter(([, inside]) => isSaid(inside));
  yield isList ? '[' : '{';
  for (const [index, [name, inside]] of entries.entries()) {
    yield `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}`;
    yield* jsonPieces(inside, depth + 1);
  }
  yield isList ? ']' : '}';
}

const isSaid = (value: unknown) => value !== undefined && typeof value !== 'function';

export async function writePieces(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < 65_536) continue;
    await written(waiting);
    waiting = '';
  }
  await written(waiting);
}

/** When the reader takes more, or is gone; what to do about that is decided where the program begins. */
function written(text: string): Promise<void> {
  return new Promise((done) => {
    if (process.stdout.write(text, () => done())) done();
  });
}

export async function writeJson(value: unknown): Promise<void> {
  await writePieces(jsonPieces(value));
  process.stdout.write('\n');
}
