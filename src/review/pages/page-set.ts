// A change as pages: everything that decides is settled first, then the pages come one at a time, each with its text.
import { layOut } from '../../core/lay-out.js';
import { GalleyError } from '../../core/model/error.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import { partText } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Choice } from '../../core/model/selection.js';
import type { Warning } from '../../core/model/warning.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import { hashText } from '../../meters/content-hash.js';
import { createCountCache, withCountCache } from '../../meters/count-cache.js';
import { loadMeter } from '../../meters/load-meter.js';
import { coverageLine } from '../changes/coverage.js';
import type { ReviewRequest } from '../changes/review-request.js';
import { type ReviewContext, type ReviewRoom, withReview } from '../changes/review-room.js';
import type { Finding } from '../linters/finding.js';
import { findingFragments } from '../linters/finding-fragments.js';
import { type PlannedRoom, planRoom } from '../plan/review-plan.js';
import { inPathOrder } from '../prune/binary-omission.js';
import { type DependencyChange, dependencyLine, summariseLockfiles } from '../prune/lockfile-summary.js';
import type { Omission } from '../prune/omission.js';
import { trustedTree } from '../prune/project-file.js';
import { type Accounting, accountFor } from './accounting.js';
import { diffFragments } from './diff-fragments.js';
import { type PageBody, pageDialect } from './page-dialect.js';
import { pageRecipe } from './page-recipe.js';
import type { Piece } from './piece.js';
import { readProjectRules } from './project-rules.js';
import { importsIn, type RelatedFile, relate } from './relations.js';
import { selectPieces } from './select-pieces.js';
import type { SkillInstructions } from './skill-instructions.js';
import { stakesByPath, stakesByRules } from './stakes.js';
import { withWholeImports } from './whole-imports.js';
import { pageScope, roomForDiff, wrappingFragments, wrappingWeight } from './wrapping.js';

export interface Chunk {
  /** One-based. */
  readonly index: number;
  readonly total: number;
  readonly text: string;
  readonly tokens: number;
  readonly diffTokens: number;
  readonly files: readonly string[];
  /** What stands under Code Changes, in order. */
  readonly pieces: readonly ChunkPiece[];
}

export interface ChunkPiece {
  readonly path: string;
  /** One-based place among the pieces of a file that is split over several. */
  readonly part: number;
  readonly parts: number;
  readonly added: number;
  readonly removed: number;
  readonly applicable: boolean;
}

export interface PageReceipt extends Receipt {
  readonly coverage: string;
  readonly accounting: Accounting;
}

export interface PageSet {
  readonly total: number;
  readonly omitted: readonly Omission[];
  readonly coverage: string;
  readonly warnings: readonly Warning[];
  /** What moved inside lockfiles, when asked for. */
  readonly dependencies: readonly DependencyChange[];
  readonly pieces: readonly Piece[];
  /** The pieces of each page, in order. */
  readonly pages: readonly (readonly Piece[])[];
  readonly change: Pick<ChangeSet, 'mode' | 'baseCommit' | 'headCommit'>;
  readonly meter: Pick<Meter, 'id' | 'exact' | 'unit' | 'scale'>;
  /** In order, once. */
  chunks(): AsyncGenerator<Chunk>;
  /** After the last chunk. */
  receipt(): PageReceipt;
  /** How much context each unit needs; made on demand, once, while the set is open. */
  plan(): Promise<PlannedRoom>;
}

export const defaultChunkTokens = 32_000;
export const defaultMeter = 'o200k_base';

export interface PageOptions extends ReviewContext {
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly stage: 'reading' | 'setting';
  readonly done: number;
  readonly total: number;
}

export async function withPages<Result>(
  request: ReviewRequest,
  options: PageOptions,
  work: (set: PageSet) => Promise<Result>,
): Promise<Result> {
  // A tokenizer takes as long to load as git to answer; whether there is one by that name is asked again later.
  const onOpen = () => void loadMeter(request.meter ?? defaultMeter).catch(() => {});
  return withReview(request, { ...options, onOpen }, async (room) => {
    const { set, close } = await layPages(room, options);
    try {
      return await work(set);
    } finally {
      close();
    }
  });
}

/** Readers of files that most reviews do not name are loaded when one does. */
async function linterFindings(
  { request, repository }: ReviewRoom,
  folder: string,
): Promise<readonly Finding[]> {
  if (request.linter === undefined || request.linter.length === 0) return [];
  const { readFindings } = await import('../linters/read-findings.js');
  return readFindings(request.linter, { folder, topLevel: repository.topLevel });
}

async function instructionsOf(room: ReviewRoom, folders: readonly string[]): Promise<SkillInstructions> {
  if (room.request.skill === undefined && room.config.skill === undefined) return { warnings: [] };
  const { instructionsFor } = await import('./skill-instructions.js');
  return instructionsFor(room, folders);
}

async function layPages(
  room: ReviewRoom,
  options: PageOptions,
): Promise<{ set: PageSet; close: () => void }> {
  const { request, kept, repository, change } = room;
  const { folder } = options;
  let planned: Promise<PlannedRoom> | undefined;
  const plan = () => {
    planned ??= planRoom(room);
    return planned;
  };
  // Stakes only matter where pages are few and something has to stay out.
  const stakes = request.maxPages === undefined ? stakesByPath : await stakesByRules(kept.length, plan);
  const raw = await loadMeter(request.meter ?? defaultMeter);
  const meter = withCountCache(raw, createCountCache());
  const rules = await readProjectRules(
    repository,
    trustedTree(change),
    kept.map(({ path }) => path),
  );
  const folders = [folder, ...(repository.topLevel === undefined ? [] : [repository.topLevel])];
  const { warnings: distrust, ...instructions } = await instructionsOf(room, folders);
  // The final line is known only later; numbers grow, so it gets some room to spare.
  const early = request.coverageInPrompt
    ? { coverage: `${coverageOf(kept.length, [], room.omitted)} ${'0 '.repeat(100)}` }
    : {};
  const dependencies = request.lockfileSummary
    ? await summariseLockfiles(repository, change.entries, room.omitted)
    : [];
  const lasting = { rules, ...instructions, dependencies: dependencies.map(dependencyLine) };
  const wrapping = wrappingWeight(wrappingFragments({ ...lasting, ...early }), meter);
  const maxChunkTokens = request.maxChunkTokens ?? defaultChunkTokens;
  const capacity = roomForDiff(wrapping, { maxChunkTokens, maxPromptTokens: request.maxPromptTokens }, meter);

  const findings = await linterFindings(room, folder);
  const related = new Map<string, RelatedFile>();
  let read = 0;
  const { spool, pieces, ...selected } = await selectPieces(room, {
    meter: raw,
    capacity,
    maxPages: request.maxPages,
    stakes,
    signal: room.signal,
    lines: findings.length > 0,
    onText: ({ path, weight, parts }, text) => {
      read += 1;
      options.onProgress?.({ stage: 'reading', done: read, total: kept.length });
      if (parts === 1) related.set(path, { path, weight, imports: importsIn(text) });
    },
  });
  try {
    const omitted = inPathOrder([...room.omitted, ...selected.omitted]);
    const coverage = coverageOf(new Set(pieces.map(({ path }) => path)).size, pieces, omitted);
    const texts = new Map<string, string>();
    const company = findingFragments(findings, pieces, request.linterScope ?? 'changed-lines');
    const affinities = relate(await withWholeImports(room, [...related.values()], capacity), capacity);
    const fragments = [
      ...wrappingFragments({ ...lasting, ...(request.coverageInPrompt ? { coverage } : {}) }),
      ...diffFragments(pieces, { entries: kept, capacity, affinities }),
      ...company,
    ];
    const warnings = [...room.warnings, ...distrust, ...flipWarning(selected.flips)];
    // Without a limit for whole pages, everything that goes along has room.
    const besides = company.reduce(
      (sum, { levels }) => sum + meter.weigh(wordsOf(levels[0]?.body)) + meter.scale,
      0,
    );
    const limit = request.maxPromptTokens ?? amountOf(meter, wrapping + besides).n + maxChunkTokens + 16;
    const layout = layOut(
      { recipe: pageRecipe, dialect: pageDialect((id) => texts.get(id) ?? ''), meter, hash: hashText },
      {
        scope: pageScope,
        budget: { limit: { unit: meter.unit, n: limit }, spread: maxChunkTokens },
        warnings,
      },
      fragments,
    );
    const byId = new Map(pieces.map((piece) => [piece.id, piece]));
    refuseUnplaced(layout.choices);
    const total = pieces.length === 0 ? 0 : layout.pages;
    const onPage = Array.from({ length: total }, (): Piece[] => []);
    for (const { page, wording } of layout.choices) {
      const piece = byId.get(wording.fragment.id);
      if (piece !== undefined && page !== undefined) onPage[page]?.push(piece);
    }
    const set: PageSet = {
      total,
      omitted,
      coverage,
      warnings,
      dependencies,
      pieces,
      pages: onPage,
      change,
      meter: raw,
      async *chunks() {
        for (let page = 0; page < total; page += 1) {
          room.signal?.throwIfAborted();
          const own = onPage[page] ?? [];
          for (const { id, place } of own) texts.set(id, spool.read(place).toString('utf8'));
          const composed = layout.set(page);
          texts.clear();
          options.onProgress?.({ stage: 'setting', done: page + 1, total });
          const diff = own.reduce((sum, { weight }) => sum + weight, 0);
          yield {
            index: page + 1,
            total,
            text: partText(composed, 'prompt'),
            tokens: amountOf(meter, composed.weight).n,
            diffTokens: amountOf(meter, diff).n,
            files: [...new Set(own.map(({ path }) => path))],
            pieces: own.map(({ path, part, parts, added, removed, applicable }) => ({
              path,
              part,
              parts,
              added,
              removed,
              applicable,
            })),
          };
        }
      },
      receipt: () => ({ ...layout.seal(), coverage, accounting: accountFor(pieces, omitted) }),
      plan,
    };
    return { set, close: () => spool.close() };
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** Pieces are cut to fit, so each has a page; a lost one would be a lost line. */
function refuseUnplaced(choices: readonly Choice[]): void {
  const lost = choices.filter(({ page, wording }) => page === undefined && wording.fragment.layer === 'diff');
  if (lost.length === 0) return;
  throw new GalleyError('INTERNAL', 'A piece of the diff found no page; this is a defect worth reporting.', {
    details: { pieces: lost.length },
  });
}

function wordsOf(body: PageBody | undefined): string {
  return body?.kind === 'text' ? body.text : '';
}

function coverageOf(files: number, pieces: readonly Piece[], omitted: readonly Omission[]): string {
  const { onPages } = accountFor(pieces, []);
  return coverageLine({ files, ...onPages }, omitted);
}

function flipWarning(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  return [
    {
      code: 'LINE_ENDINGS_CHANGED',
      message: `${paths.length} file(s) changed their line endings; most of their lines differ in nothing else.`,
      details: { total: paths.length, paths: paths.slice(0, 20) },
    },
  ];
}
