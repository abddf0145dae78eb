// Reads many objects through one long-lived git process. Questions are pipelined; a dead process fails its questions, and the
// next question starts a fresh one.
import { GalleyError } from '../../core/model/error.js';
import { type GitPlace, gitFailure, gitNotStarted, spawnGit } from '../process/run-git.js';

export interface FoundObject {
  readonly type: string;
  readonly size: number;
  /** Present for `contents` questions. */
  readonly bytes?: Buffer;
}

type Question = 'info' | 'contents';
type Answer = FoundObject | undefined;

/** The questions of one call; answers come in their order. */
interface Batch {
  readonly question: Question;
  readonly count: number;
  readonly answers: Answer[];
  readonly resolve: (answers: Answer[]) => void;
  readonly reject: (error: GalleyError) => void;
}

interface Open {
  readonly child: ReturnType<typeof spawnGit>;
  readonly batches: Batch[];
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
  async ask(question: Question, ids: readonly string[]): Promise<Answer[]> {
    for (const id of ids) if (!isId(id)) throw notAnId();
    return this.#ask(question, ids);
  }

  /** Those of the paths that a tree holds, files and folders alike. A name with a line end cannot be asked for: it stays. */
  async present(tree: string, paths: readonly string[]): Promise<string[]> {
    if (!isId(tree)) throw notAnId();
    const asked = paths.filter((path) => !/[\n\0]/.test(path));
    const answers = await this.#ask(
      'info',
      asked.map((path) => `${tree}:${path}`),
    );
    const absent = new Set(asked.filter((_, index) => answers[index] === undefined));
    return paths.filter((path) => !absent.has(path));
  }

  async #ask(question: Question, names: readonly string[]): Promise<Answer[]> {
    if (this.#closed) throw new GalleyError('GIT_FAILED', 'The repository handle is closed; open it again.');
    if (names.length === 0) return [];
    this.#open ??= this.#start();
    const { child, batches } = this.#open;
    const answers = new Promise<Answer[]>((resolve, reject) => {
      batches.push({ question, count: names.length, answers: [], resolve, reject });
    });
    child.stdin.write(`${names.map((name) => `${question} ${name}\n`).join('')}flush\n`);
    return answers;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = this.#open;
    if (open === undefined) return;
    open.child.stdin.end();
    if (open.batches.length > 0) open.child.kill('SIGKILL');
    await open.ended;
  }

  #start(): Open {
    const child = spawnGit(this.#place, ['cat-file', '--batch-command', '--buffer']);
    const batches: Batch[] = [];
    let stderr = '';
    const fail = (error: GalleyError) => {
      if (this.#open?.child === child) this.#open = undefined;
      for (const each of batches.splice(0)) each.reject(error);
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
    readAnswers(child.stdout, batches);
    return { child, batches, ended };
  }
}

function readAnswers(stdout: NodeJS.ReadableStream, batches: Batch[]): void {
  let header: FoundObject | undefined;
  let missing = 0;
  let parts: Buffer[] = [];

  const answer = (found: Answer): void => {
    const [batch] = batches;
    batch?.answers.push(found);
    if (batch?.answers.length === batch?.count) batches.shift()?.resolve(batch?.answers ?? []);
  };
  const line = (text: string): void => {
    const [, type = '', size] = text.split(' ');
    // What is not there is named as it was asked for, spaces and all.
    if (size === undefined || text.endsWith(' missing')) answer(undefined);
    else if (batches[0]?.question === 'info') answer({ type, size: Number(size) });
    else {
      header = { type, size: Number(size) };
      // The content is followed by one line end of its own.
      missing = header.size + 1;
    }
  };

  stdout.on('data', (chunk: Buffer) => {
    let from = 0;
    while (from < chunk.length) {
      if (header === undefined) {
        const end = chunk.indexOf(10, from);
        const piece = chunk.subarray(from, end === -1 ? undefined : end);
        if (end === -1) {
          parts.push(piece);
          return;
        }
        from = end + 1;
        const text = parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
        parts = [];
        line(text.toString('latin1'));
      } else {
        const part = chunk.subarray(from, from + missing);
        parts.push(part);
        missing -= part.length;
        from += part.length;
        if (missing > 0) return;
        // Most objects lie in one chunk: no copy is needed.
        const whole = parts.length === 1 ? part : Buffer.concat(parts);
        const bytes = whole.subarray(0, header.size);
        parts = [];
        const found = { ...header, bytes };
        header = undefined;
        answer(found);
      }
    }
  });
}

function isId(id: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(id);
}

function notAnId(): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', 'id: expected a full object id in lowercase hexadecimal.', {
    details: { field: 'id' },
  });
}
