// Which vectors lie nearest? A plain scan over one typed array: exact, and fast enough for a hundred thousand chunks.
import { byCodePoint } from '../../core/model/code-point-order.js';
import { GalleyError } from '../../core/model/error.js';
import type { RankedChunk } from './rank-chunks.js';

export interface VectorTable {
  readonly dimensions: number;
  readonly ids: readonly string[];
  nearest(query: Float32Array, limit: number): RankedChunk[];
}

export function createVectorTable(
  rows: readonly { readonly id: string; readonly vector: Float32Array }[],
  dimensions: number,
): VectorTable {
  const table = new Float32Array(rows.length * dimensions);
  rows.forEach(({ vector }, index) => {
    table.set(normalized(vector, dimensions), index * dimensions);
  });
  const ids = rows.map((row) => row.id);
  return {
    dimensions,
    ids,
    nearest(query, limit) {
      const unit = normalized(query, dimensions);
      const found = ids.map((id, index) => ({ id, score: dot(table, index * dimensions, unit) }));
      found.sort((left, right) => right.score - left.score || byCodePoint(left.id, right.id));
      return found.slice(0, limit);
    },
  };
}

function normalized(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `dimensions: a vector has ${vector.length}, the table ${dimensions}.`,
      {
        details: { field: 'dimensions', expected: dimensions, found: vector.length },
      },
    );
  }
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
