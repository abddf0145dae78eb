// Which vectors lie nearest? A plain scan over one typed array: exact, and fast enough for a hundred thousand chunks.
import { type RankedChunk, sortRanked } from './rank-chunks.js';

export interface VectorTable {
  /** Numbers in a vector; undefined for a table without vectors or with vectors of several sizes. */
  readonly dimensions: number | undefined;
  nearest(query: Float32Array, limit: number): RankedChunk[];
}

export function createVectorTable(
  rows: readonly { readonly id: string; readonly vector: Float32Array }[],
): VectorTable {
  const dimensions = rows[0]?.vector.length ?? 0;
  if (dimensions === 0 || rows.some(({ vector }) => vector.length !== dimensions))
    return { dimensions: undefined, nearest: () => [] };
  const table = new Float32Array(rows.length * dimensions);
  rows.forEach(({ vector }, index) => {
    table.set(normalized(vector), index * dimensions);
  });
  return {
    dimensions,
    nearest(query, limit) {
      const unit = normalized(query);
      const found = rows.map(({ id }, index) => ({ id, score: dot(table, index * dimensions, unit) }));
      return sortRanked(found).slice(0, limit);
    },
  };
}

function normalized(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

function dot(table: Float32Array, offset: number, query: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < query.length; index += 1) sum += table[offset + index]! * query[index]!;
  return sum;
}
