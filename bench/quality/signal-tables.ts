// Writes, one file a repository, what learning and packing need of every question: the signals and places of all pieces, the sizes of
// the lines of the opened files, the gold lines and what every peer scores. Whoever tries another loss or another way of packing reads these and needs
// no git. A repository whose file is there is left alone, so that the long run can be stopped and gone on with.
// Usage: signal-tables <folder> <kind>:<repository> …
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { changeQuery, foremostPaths, shownRange } from '../../src/review/related/change-query.js';
import type { Corpus } from '../../src/review/related/corpus.js';
import { signalNames } from '../../src/review/related/file-pieces.js';
import { signalFiles } from '../../src/review/related/file-signals.js';
import { measureFilePieces } from '../../src/review/related/rank-pieces.js';
import { openRun, rankBaselines } from './baselines.js';
import { instanceCorpus } from './instance-corpus.js';
import { visitRepository } from './measure-repository.js';
import type { QuestionKind } from './read-rows.js';
import { fillContext, scoreContext } from './score-context.js';
import { budgets } from './tables.js';

export interface SignalTable {
  readonly id: string;
  readonly repository: string;
  readonly task: string;
  /** Opened files by number; a gold unit in a file that is not opened has -1. */
  readonly files: readonly {
    readonly path: string;
    readonly lineSizes: Int32Array;
    readonly shown: readonly (readonly [first: number, last: number])[];
    readonly words: number;
    readonly history: number;
    readonly sameFolder: boolean;
    readonly symbols: Int32Array;
  }[];
  readonly gold: readonly { readonly file: number; readonly lines: readonly number[] }[];
  /** Seven numbers a piece: file, first and last line, unit, outermost symbol, place, joins the one above. */
  readonly places: Int32Array;
  /** `signalNames.length` numbers a piece. */
  readonly signals: Float32Array;
  readonly size: Int32Array;
  readonly visible: Uint8Array;
  /** Score of every peer at every budget. */
  readonly peers: Readonly<Record<string, readonly number[]>>;
}

const [folder = 'tables', ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const one of wanted) {
  const [kind, name] = one.split(':') as [QuestionKind, string];
  const file = join(folder, `${kind}-${name}.bin`);
  if (existsSync(file)) continue;
  const started = process.cpuUsage();
  const tables: SignalTable[] = [];
  await visitRepository(name, [kind], async (instance, library) => {
    const corpus = remembering(instanceCorpus(instance, library));
    const change = { hunks: instance.hunks };
    const pieces = await measureFilePieces({ change, corpus, lexicon: library.lexicon });
    const visible = new Set(instance.hunks.map((hunk) => hunk.path));
    const foremost = foremostPaths(change);
    const run = await signalFiles({ corpus, query: changeQuery(change), visible, foremost });
    const spoken = new Map(run.files.map((one) => [one.path, one]));
    const paths = [...new Set([...pieces.map((piece) => piece.path), ...visible])];
    const number = new Map(paths.map((path, at) => [path, at]));
    const sheets = await corpus.sheets(paths);
    const baseline = openRun(instance, library);
    const rankings = rankBaselines(baseline);
    const peers: Record<string, number[]> = {};
    const record = (method: string, context: Map<string, Set<number>>): void => {
      peers[method] = [...(peers[method] ?? []), scoreContext(context, instance)];
    };
    for (const budget of budgets) {
      for (const [method, spans] of Object.entries(rankings))
        record(method, fillContext([spans], [budget], instance, baseline.sheetOf));
      const lists = [rankings.enclosing, rankings.fused];
      const halves = [budget / 2, budget / 2];
      record('half window + half fused', fillContext(lists, halves, instance, baseline.sheetOf));
    }
    tables.push({
      id: instance.id,
      repository: name,
      task: instance.task,
      files: paths.map((path) => ({
        path,
        lineSizes: sheets.get(path)?.lineSizes ?? new Int32Array(0),
        shown: instance.hunks
          .filter((hunk) => hunk.path === path)
          .map((hunk) => {
            const { first, last } = shownRange(hunk);
            return [first, last] as const;
          }),
        words: spoken.get(path)?.words ?? 0,
        history: spoken.get(path)?.history ?? 0,
        sameFolder: spoken.get(path)?.sameFolder ?? false,
        symbols: Int32Array.from(
          (sheets.get(path)?.symbols ?? []).flatMap(({ startLine, endLine }) => [startLine, endLine]),
        ),
      })),
      gold: instance.gold.map(({ path, lines }) => ({ file: number.get(path) ?? -1, lines })),
      places: Int32Array.from(
        pieces.flatMap((piece) => [
          number.get(piece.path)!,
          piece.startLine,
          piece.endLine,
          piece.unit,
          piece.outer,
          piece.place,
          Number(piece.joinsPrevious),
        ]),
      ),
      signals: Float32Array.from(pieces.flatMap((piece) => [...piece.signals])),
      size: Int32Array.from(pieces, (piece) => piece.size),
      visible: Uint8Array.from(pieces, (piece) => Number(piece.visible)),
      peers,
    });
  });
  writeFileSync(`${file}.part`, serialize({ signalNames, tables }));
  renameSync(`${file}.part`, file);
  const { user, system } = process.cpuUsage(started);
  console.error(one, tables.length, Math.round((user + system) / 1e6), 's');
}

/** The words are counted once for the pieces and once for the files. */
function remembering(corpus: Corpus): Corpus {
  const known = new Map<string, ReturnType<Corpus['grep']>>();
  return {
    ...corpus,
    grep(words) {
      const key = words.join('\n');
      const found = known.get(key) ?? corpus.grep(words);
      known.set(key, found);
      return found;
    },
  };
}
