// Writes the signal rows of every instance of a repository for the learner.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measurePieces } from '../../src/review/related/measure-pieces.js';
import { signalNames } from '../../src/review/related/piece-signals.js';
import { instanceCorpus } from './instance-corpus.js';
import { cacheRoot, loadInstances, type Row } from './load-instances.js';
import { dataRoot, gitDirectory } from './repositories.js';
import { openLibrary } from './sheet-library.js';

for (const name of process.argv.slice(2)) {
  const rows: Row[] = [];
  for (const set of ['pr-followup', 'holdout-hunk', 'extra']) {
    const file =
      set === 'extra' ? join(cacheRoot, `extra-${name}.jsonl`) : join(dataRoot, set, `${name}.jsonl`);
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const row = JSON.parse(line) as Row;
      if (row.kind !== 'samefile') rows.push(row);
    }
  }
  const directory = gitDirectory(name)!;
  const loaded = await loadInstances(name, directory, rows);
  const library = await openLibrary(name, directory, {
    entries: loaded.instances.flatMap((one) => one.tree),
    overlays: loaded.overlays,
  });
  const started = Date.now();
  const meta: unknown[] = [];
  const chunks: Buffer[] = [];
  for (const instance of loaded.instances) {
    const pieces = await measurePieces(
      { hunks: instance.hunks },
      instanceCorpus(instance, library),
      library.lexicon,
    );
    const block = new Float32Array(pieces.length * signalNames.length);
    pieces.forEach((piece, index) => {
      block.set(piece.signals, index * signalNames.length);
    });
    chunks.push(Buffer.from(block.buffer));
    const inGold: [number, number, number][] = [];
    instance.gold.forEach((unit, goldIndex) => {
      pieces.forEach((piece, index) => {
        if (piece.path !== unit.path) return;
        const lines = unit.lines.filter((line) => line >= piece.startLine && line <= piece.endLine).length;
        if (lines > 0) inGold.push([index, goldIndex, lines]);
      });
    });
    meta.push({
      id: instance.id,
      task: instance.task,
      n: pieces.length,
      goldSizes: instance.gold.map((unit) => unit.lines.length),
      inGold,
      cost: pieces.map((piece) => Math.ceil(piece.size / 4)),
      visible: pieces.map((piece) => Number(piece.visible)),
      start: pieces.map((p) => p.startLine),
      end: pieces.map((p) => p.endLine),
      file: (() => {
        const m = new Map<string, number>();
        return pieces.map((p) => {
          if (!m.has(p.path)) m.set(p.path, m.size);
          return m.get(p.path);
        });
      })(),
    });
  }
  writeFileSync(join(cacheRoot, `dump-${name}.bin`), Buffer.concat(chunks));
  writeFileSync(join(cacheRoot, `dump-${name}.json`), JSON.stringify({ names: signalNames, meta }));
  console.log(
    name,
    loaded.instances.length,
    'instances',
    meta.reduce((sum: number, one) => sum + (one as { n: number }).n, 0),
    'pieces',
    Date.now() - started,
    'ms',
  );
}
