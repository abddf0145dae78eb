// The diff of a review page as fragments, and everything that stands beside it: each block of a unit, then its context, then what
// linters said of its file.
import { hitsOf } from '../../cleaning/clean-text.js';
import { byCodePoint } from '../../core/model/code-points.js';
import { type Fragment, isProjectRelative } from '../../core/model/fragment.js';
import { type ChosenContext, contextFragments } from '../context/choose-context.js';
import type { ContextPiece } from '../context/context-pieces.js';
import type { ContextOnPages } from '../pages/context-on-pages.js';
import type { PageBody } from '../pages/page-format.js';
import type { GatheredPieces } from '../pieces/gather-pieces.js';
import type { UnitsByPath } from '../plan/plan-review.js';
import { riskOf } from './change-map.js';
import type { CleanRecord } from './clean-record.js';
import { type ReviewBody, reviewScope } from './review-page.js';

export function blockId(piece: string, at: number): string {
  return at === 0 ? piece : `${piece} block ${at + 1}`;
}

interface BlockFacts {
  readonly units: UnitsByPath;
  readonly stood: ReadonlyMap<string, number> | undefined;
  readonly record: CleanRecord;
}

/** Files by their riskiest unit, pieces of a file in order, blocks of a piece together. */
export function blockFragments(
  { pieces, affinities }: Pick<GatheredPieces, 'pieces' | 'affinities'>,
  { units, stood, record }: BlockFacts,
): Fragment<ReviewBody>[] {
  const riskiest = [...pieces].sort(
    (a, b) =>
      riskOf(units.get(b.path) ?? []) - riskOf(units.get(a.path) ?? []) ||
      byCodePoint(a.path, b.path) ||
      a.part - b.part,
  );
  const before = new Map(pieces.map(({ path, part, id }) => [`${part}:${path}`, id]));
  return riskiest.flatMap((piece, order) => {
    const { id, path, part, weight, blocks } = piece;
    const clean = record.of(id);
    const after = before.get(`${part - 1}:${path}`);
    const affinity = affinities.get(path);
    const page = piece.parts === 1 ? stood?.get(path) : undefined;
    return blocks.map(
      (block, at): Fragment<ReviewBody> => ({
        ...{
          id: blockId(id, at),
          source: 'diff',
          scope: reviewScope,
          layer: 'diff',
          section: 'change',
          bond: id,
        },
        rank: riskOf(units.get(path) ?? []),
        position: order * 1e4 + at * 10,
        levels: [
          {
            ...{ name: 'whole', body: { kind: 'diff', id: blockId(id, at) }, weight: block.weight },
            finished: at === 0 && clean !== undefined ? hitsOf(clean) : {},
          },
        ],
        // The bound of a page's diff is one of the patch as git writes it; heads and fences are not in it.
        spread: at === 0 ? weight : 0,
        ...(isProjectRelative(path) ? { ref: { path } } : {}),
        ...(after === undefined ? {} : { after }),
        ...(affinity === undefined ? {} : { affinity }),
        ...(page === undefined ? {} : { stood: page }),
      }),
    );
  });
}

/** Each snippet behind the block of the unit it belongs to. */
export function contextAt(
  { pieces }: ChosenContext,
  blocks: readonly Fragment<ReviewBody>[],
  blockOf: (piece: ContextPiece) => ReturnType<ContextOnPages['blockOf']>,
): Fragment<ReviewBody>[] {
  const positions = new Map(blocks.map(({ id, position }) => [id, position]));
  return contextFragments(pieces, (piece, at) => {
    const beside = blockOf(piece);
    const near = beside.piece === undefined ? '' : blockId(beside.piece, beside.block);
    return {
      ...{ section: 'change', scope: reviewScope, beside: near },
      position: (positions.get(near) ?? 0) + 1 + at / 1e6,
    };
  });
}

/** Behind everything of the file they are about. */
export function findingsAt(
  findings: readonly Fragment<PageBody>[],
  blocks: readonly Fragment<ReviewBody>[],
): Fragment<ReviewBody>[] {
  const last = new Map(blocks.map(({ bond = '', position }) => [bond, position]));
  return findings.map(({ levels, ...finding }) => ({
    ...finding,
    section: 'change',
    position: (last.get(finding.beside ?? '') ?? 0) + 9 + finding.position / 1e9,
    levels: levels.map(({ name, body }) => ({
      name,
      body: { kind: 'text', text: body.kind === 'text' ? `${body.text}\n` : '' },
    })),
  }));
}
