// Reads many objects through one long-lived git process. Questions are pipelined; a dead process fails its questions, and the
// next question starts a fresh one.
import { GalleyError } from '../../core/model/error.js';
import { gitFailure, gitNotStarted } from '../process/git-failure.js';
import { type GitPlace, spawnGit } from '../process/run-git.js';

export interface FoundObject {
  readonly type: string;
  readonly size: number;
  /** Present for `contents` questions. */
  readonly bytes?: Buffer;
}

type Question = 'info' | 'contents';

interface Waiting {
  readonly question: Question;
  readonly resolve: (found: FoundObject | undefined) => void;
  readonly reject: (error: GalleyError) => void;
}

interface Open {
  readonly child: ReturnType<typeof spawnGit>;
  readonly waiting: Waiting[];
  readonly ended: Promise<void>;
}

export class ObjectReader {
  readonly #place: GitPlace;
  #open: Open | undefined;
  #closed = false;

  constructor(place: GitPlace) {
    this.#place = place;
  }

  /** The answers in the order of the ids; undefined for an object the repository does not hold. */
  async ask(question: Question, ids: readonly string[]): Promise<(FoundObject | undefined)[]> {
    if (this.#closed) throw new GalleyError('GIT_FAILED', 'The repository handle is closed; open it again.');
    for (const id of ids) if (!/^[0-9a-f]{40,64}$/.test(id)) throw notAnId();
    if (ids.length === 0) return [];
    this.#open ??= this.#start();
    const { child, waiting } = this.#open;
    const answers = ids.map(
      () =>
        new Promise<FoundObject | undefined>((resolve, reject) => {
          waiting.push({ question, resolve, reject });
        }),
    );
    child.stdin.write(`${ids.map((id) => `${question} ${id}\n`).join('')}flush\n`);
    // Every promise must be settled before one failure is reported, or the others go unhandled.
    const settled = await Promise.allSettled(answers);
    return settled.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = this.#open;
    if (open === undefined) return;
    open.child.stdin.end();
    if (open.waiting.length > 0) open.child.kill('SIGKILL');
    await open.ended;
  }

  #start(): Open {
    const child = spawnGit(this.#place, ['cat-file', '--batch-command', '--buffer']);
    const waiting: Waiting[] = [];
    let stderr = '';
    const fail = (error: GalleyError) => {
      if (this.#open?.child === child) this.#open = undefined;
      for (const each of waiting.splice(0)) each.reject(error);
    };
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        fail(gitNotStarted('cat-file', error));
        resolve();
      });
      child.once('close', (exit) => {
        fail(gitFailure({ command: 'cat-file', exit, stderr }));
        resolve();
      });
    });
    child.stdin.on('error', () => {});
    child.stderr.on('data', (part: Buffer) => {
      if (stderr.length < 8192) stderr += part.toString('utf8');
    });
    readAnswers(child.stdout, waiting);
    return { child, waiting, ended };
  }
}

function readAnswers(stdout: NodeJS.ReadableStream, waiting: Waiting[]): void {
  let header: FoundObject | undefined;
  let missing = 0;
  let parts: Buffer[] = [];

  const line = (text: string): void => {
    const [, type = '', size] = text.split(' ');
    if (size === undefined || type === 'missing') {
      waiting.shift()?.resolve(undefined);
    } else if (waiting[0]?.question === 'info') {
      waiting.shift()?.resolve({ type, size: Number(size) });
    } else {
      header = { type, size: Number(size) };
      // The content is followed by one line end of its own.
      missing = header.size + 1;
    }
  };

  stdout.on('data', (chunk: Buffer) => {
    let from = 0;
    while (from < chunk.length) {
      if (header !== undefined) {
        const part = chunk.subarray(from, from + missing);
        parts.push(part);
        missing -= part.length;
        from += part.length;
        if (missing > 0) return;
        const bytes = Buffer.concat(parts).subarray(0, header.size);
        waiting.shift()?.resolve({ ...header, bytes });
        header = undefined;
        parts = [];
        continue;
      }
      const end = chunk.indexOf(10, from);
      parts.push(chunk.subarray(from, end === -1 ? undefined : end));
      if (end === -1) return;
      from = end + 1;
      const text = Buffer.concat(parts).toString('utf8');
      parts = [];
      line(text);
    }
  });
}

function notAnId(): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', 'id: expected a full object id in lowercase hexadecimal.', {
    details: { field: 'id' },
  });
}
