// In which order are some functions called for the first time? Breakpoints that never stop: their condition takes a note.
import { Session } from 'node:inspector';
import { resolve } from 'node:path';

export interface Place {
  readonly file: string;
  readonly name: string;
}

type Notes = Set<string>;
const notes = globalThis as typeof globalThis & { galleyFirstCalls?: Notes };

export async function firstCalls(
  places: readonly Place[],
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  for (const { file } of places) await import(resolve(file));
  const session = new Session();
  session.connect();
  const scripts = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { url, scriptId } }) => scripts.set(url, scriptId));
  const post = <T>(method: string, params: object = {}): Promise<T> =>
    new Promise((yes, no) => {
      session.post(method, params, (error, result) => (error ? no(error) : yes(result as T)));
    });
  const seen: Notes = new Set();
  notes.galleyFirstCalls = seen;
  try {
    await post('Debugger.enable');
    for (const { file, name } of places) {
      const script = [...scripts].findLast(([url]) => url.endsWith(`/${file}`));
      if (script === undefined) throw new Error(`${file} was not loaded`);
      const { scriptSource } = await post<{ scriptSource: string }>('Debugger.getScriptSource', {
        scriptId: script[1],
      });
      const start = new RegExp(`function ${name}\\b|const ${name} =`).exec(scriptSource);
      if (start === null) throw new Error(`${file} has no ${name}`);
      const body = bodyOf(scriptSource, start.index);
      const { locations } = await post<{ locations: readonly object[] }>('Debugger.getPossibleBreakpoints', {
        start: { scriptId: script[1], ...placeOf(scriptSource, body) },
        end: { scriptId: script[1], ...placeOf(scriptSource, body + 4_000) },
      });
      await post('Debugger.setBreakpoint', {
        location: locations[0],
        condition: `globalThis.galleyFirstCalls.add(${JSON.stringify(file)}), false`,
      });
    }
    await work();
  } finally {
    session.disconnect();
  }
  return [...seen];
}

/** Behind the opening brace of a function: its parameters may have braces of their own. */
function bodyOf(source: string, from: number): number {
  let depth = 0;
  let at = source.indexOf('(', from);
  do {
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
    at += 1;
  } while (depth > 0);
  return source.indexOf('{', at) + 1;
}

function placeOf(source: string, at: number): { lineNumber: number; columnNumber: number } {
  const before = source.slice(0, at).split('\n');
  return { lineNumber: before.length - 1, columnNumber: before.at(-1)?.length ?? 0 };
}
