// One session file, told to a listener line by line. What is no line of a session, or of a kind nobody here knows, is counted.
import { GalleyError } from '../../core/model/error.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { claudeSession } from './claude-session.js';
import { codexSession } from './codex-session.js';
import { geminiSession } from './gemini-session.js';
import { readLines } from './read-lines.js';
import type { SessionFormat, SessionListener } from './session-log.js';
import { fieldReader } from './wanted-fields.js';

const formats: Readonly<Record<AgentCliName, SessionFormat>> = {
  claude: claudeSession,
  codex: codexSession,
  gemini: geminiSession,
};

export interface ReadCounts {
  readonly lines: number;
  /** Of kinds that only another version of the CLI knows. */
  readonly unknown: number;
  /** Cut off, too long, or no JSON at all. */
  readonly unreadable: number;
}

export async function readSession(
  { cli, path }: { readonly cli: AgentCliName; readonly path: string },
  listener: SessionListener,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadCounts> {
  const { wanted, open } = formats[cli];
  const parse = fieldReader(wanted);
  const read = open(listener);
  let known = 0;
  let unknown = 0;
  let unreadable = 0;
  const { lines, skipped } = await readLines(
    path,
    (bytes, { from, to, line }) => {
      if (from === to) return;
      const event = parse(bytes, from, to);
      if (event === undefined) unreadable += 1;
      else if (read(event, line)) known += 1;
      else unknown += 1;
    },
    options,
  );
  if (known === 0)
    throw new GalleyError(
      'FILE_UNREADABLE',
      `No line of this file is of a session of ${cli}: it is empty, damaged, or of another program.`,
      { details: { cli } },
    );
  return { lines, unknown, unreadable: unreadable + skipped };
}
