// Which sessions there are for a folder, newest first, and the one that is meant. Files are looked at, never written.
import { createHash } from 'node:crypto';
import { type Dirent, realpathSync } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { parseEvent, pickText } from '../../models/answer/json-fields.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import type { SessionHomes } from './session-homes.js';

export interface FoundSession {
  readonly cli: AgentCliName;
  readonly id: string;
  /** Absolute, so it never enters an answer. */
  readonly path: string;
  readonly changedAt: number;
  readonly bytes: number;
}

const cliNames: readonly AgentCliName[] = ['claude', 'codex', 'gemini'];

/** Of one folder; of all folders when left out. */
export async function listSessions(
  homes: SessionHomes,
  { folder, cli }: { readonly folder?: string | undefined; readonly cli?: AgentCliName | undefined },
): Promise<FoundSession[]> {
  const asked = cli === undefined ? cliNames : [cli];
  const found = await Promise.all(asked.map((name) => finders[name](homes[name], folder)));
  return found.flat().sort(newestFirst);
}

const newestFirst = (left: FoundSession, right: FoundSession) =>
  right.changedAt - left.changedAt || (left.id < right.id ? -1 : 1);

/** `claude:<beginning of an id>`, the name of a CLI, the beginning of an id; nothing for the newest of the folder. */
export async function findSession(
  homes: SessionHomes,
  asked: string | undefined,
  folder: string,
): Promise<FoundSession> {
  const { cli, prefix } = readReference(asked ?? '');
  const here = await listSessions(homes, { folder, cli });
  const meant = (all: readonly FoundSession[]) => all.filter(({ id }) => id.startsWith(prefix));
  let found = meant(here);
  // Somebody who names an id means that session, wherever it took place.
  if (found.length === 0 && prefix !== '') found = meant(await listSessions(homes, { cli }));
  const [first, second] = found;
  if (first === undefined) throw notFound(asked, cli);
  if (prefix !== '' && second !== undefined && second.id !== first.id)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'session: several sessions begin like that; give more of the id.',
      {
        details: { field: 'session' },
      },
    );
  return first;
}

/** A session file that somebody names, wherever it lies. */
export async function sessionAt(path: string, cli: AgentCliName | undefined): Promise<FoundSession> {
  if (cli === undefined)
    throw new GalleyError('INVALID_ARGUMENT', 'agentType: say whose session file it is.', {
      details: { field: 'agentType' },
    });
  const [found] = await describe(cli, [[basename(path, '.jsonl'), path]]);
  if (found !== undefined) return found;
  throw new GalleyError('NOT_FOUND', 'path: there is no such file.', { details: { field: 'path' } });
}

function readReference(asked: string): { cli?: AgentCliName; prefix: string } {
  const [word = '', ...rest] = asked.split(':');
  const cli = cliNames.find((name) => name === word);
  if (cli !== undefined) return { cli, prefix: rest.join(':') };
  return { prefix: asked };
}

function notFound(asked: string | undefined, cli: AgentCliName | undefined): GalleyError {
  const whose = cli === undefined ? 'Claude Code, Codex or Gemini CLI' : cli;
  const where = asked === undefined || asked === cli ? 'in this folder' : 'of that id';
  return new GalleyError(
    'NOT_FOUND',
    `There is no session of ${whose} ${where}; galley agent sessions lists what there is.`,
    {
      details: { field: 'session' },
    },
  );
}

type Finder = (home: string, folder: string | undefined) => Promise<FoundSession[]>;

/** A folder by the names a program may have been started with. */
function namesOf(folder: string): string[] {
  try {
    return [...new Set([folder, realpathSync(folder)])];
  } catch {
    return [folder];
  }
}

const findClaude: Finder = async (home, folder) => {
  const projects = join(home, 'projects');
  const names =
    folder === undefined
      ? (await entriesOf(projects)).map(({ name }) => name)
      : namesOf(folder).map((path) => path.replace(/[^A-Za-z0-9]/g, '-'));
  const found = await Promise.all(
    names.map(async (name) => {
      const files = await entriesOf(join(projects, name));
      // Helpers have files of their own.
      const own = files.filter((file) => file.name.endsWith('.jsonl') && !file.name.startsWith('agent-'));
      return describe(
        'claude',
        own.map((file) => [basename(file.name, '.jsonl'), join(projects, name, file.name)]),
      );
    }),
  );
  return found.flat();
};

const rolloutId = /^rollout-[\dT-]+?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/;
const headBytes = 4096;

/** By date, not by folder: each file says in its first line where it was. */
const findCodex: Finder = async (home, folder) => {
  const sessions = join(home, 'sessions');
  const files: [string, string][] = [];
  for (const year of await entriesOf(sessions))
    for (const month of await entriesOf(join(sessions, year.name)))
      for (const day of await entriesOf(join(sessions, year.name, month.name))) {
        const place = join(sessions, year.name, month.name, day.name);
        for (const { name } of await entriesOf(place)) {
          const id = rolloutId.exec(name)?.[1];
          if (id !== undefined) files.push([id, join(place, name)]);
        }
      }
  const found = await describe('codex', files);
  if (folder === undefined) return found;
  const names = new Set(namesOf(folder));
  const isHere = await Promise.all(found.map(async ({ path }) => names.has((await folderIn(path)) ?? '')));
  return found.filter((_, index) => isHere[index]);
};

async function folderIn(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const text = /"cwd":("(?:[^"\\]|\\.)*")/.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
    return text === undefined ? undefined : String(JSON.parse(text));
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** The list of projects names the folder of each; older versions named it by a hash. */
const findGemini: Finder = async (home, folder) => {
  const temporary = join(home, 'tmp');
  const names =
    folder === undefined
      ? (await entriesOf(temporary)).map(({ name }) => name)
      : await geminiNames(home, folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const chats = join(temporary, name, 'chats');
      const files = (await entriesOf(chats)).filter((file) => /^session-.*\.jsonl$/.test(file.name));
      const named = await Promise.all(
        files.map(async (file) => {
          const path = join(chats, file.name);
          return [(await geminiId(path)) ?? basename(file.name, '.jsonl').slice(-8), path] as [
            string,
            string,
          ];
        }),
      );
      return describe('gemini', named);
    }),
  );
  return found.flat();
};

async function geminiNames(home: string, folder: string): Promise<string[]> {
  const list = parseEvent(await readFile(join(home, 'projects.json'), 'utf8').catch(() => ''));
  return namesOf(folder).flatMap((path) => [
    ...(pickText(list, 'projects', path) ?? '').split('/').filter((name) => name !== '' && name !== '..'),
    createHash('sha256').update(path).digest('hex'),
  ]);
}

async function geminiId(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return /"sessionId":"([\w-]+)"/.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
  } finally {
    await file.close();
  }
}

const finders: Readonly<Record<AgentCliName, Finder>> = {
  claude: findClaude,
  codex: findCodex,
  gemini: findGemini,
};

async function describe(
  cli: AgentCliName,
  files: readonly (readonly [id: string, path: string])[],
): Promise<FoundSession[]> {
  const found = await Promise.all(
    files.map(async ([id, path]) => {
      const facts = await stat(path).catch(() => undefined);
      if (facts === undefined || !facts.isFile()) return [];
      return [{ cli, id, path, changedAt: Math.trunc(facts.mtimeMs), bytes: facts.size }];
    }),
  );
  return found.flat();
}

/** A folder that is not there, or somebody else's, holds nothing for us. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
