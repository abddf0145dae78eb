// Vectors of the texts in the retrieval index, kept by content and by the model that made them, so that no text is sent twice.
import { sql } from 'kysely';
import { checkedLimit, checkedName } from './checked.js';
import type { Database } from './schema.js';

export interface TextVector {
  readonly contentHash: string;
  readonly vector: Float32Array;
}

interface UnseenText {
  readonly contentHash: string;
  readonly text: string;
}

export interface Vectors {
  /** Texts of chunks without a vector of that model, each once, by content hash. */
  missing(project: string, model: string, limit: number): Promise<readonly UnseenText[]>;
  /** Replaces what is known of the same texts; vectors of texts that no chunk holds any more go. */
  put(project: string, model: string, vectors: readonly TextVector[]): Promise<void>;
  /** Forgetting what is not known is fine. */
  forget(project: string, model: string): Promise<void>;
  /** Of texts that chunks hold, by content hash. */
  list(project: string, model: string): Promise<readonly TextVector[]>;
}

const rowsAtOnce = 64;

/** Vectors are stored as text, little-endian floats in base64, which every engine keeps alike. */
export function vectorsIn(database: Database): Vectors {
  return {
    missing: (project, model, limit) =>
      database.read((db) =>
        db
          .selectFrom('chunks')
          .select(['content_hash as contentHash', ({ fn }) => fn.min('text').as('text')])
          .where('project', '=', project)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('vectors')
                  .select('vectors.model')
                  .whereRef('vectors.project', '=', 'chunks.project')
                  .whereRef('vectors.content_hash', '=', 'chunks.content_hash')
                  .where('vectors.model', '=', model),
              ),
            ),
          )
          .groupBy('content_hash')
          .orderBy('content_hash')
          .limit(checkedLimit(limit))
          .execute(),
      ),
    async put(project, model, vectors) {
      checkedName('model', model);
      const rows = vectors.map(({ contentHash, vector }) => ({
        project,
        model,
        content_hash: checkedName('contentHash', contentHash),
        vector: encode(vector),
      }));
      await database.write(project, async (db) => {
        for (let from = 0; from < rows.length; from += rowsAtOnce) {
          await db
            .insertInto('vectors')
            .values(rows.slice(from, from + rowsAtOnce))
            .onConflict((conflict) =>
              conflict
                .columns(['project', 'model', 'content_hash'])
                .doUpdateSet({ vector: sql<string>`excluded.vector` }),
            )
            .execute();
        }
        await db
          .deleteFrom('vectors')
          .where('project', '=', project)
          .where('content_hash', 'not in', (held) =>
            held.selectFrom('chunks').select('chunks.content_hash').where('chunks.project', '=', project),
          )
          .execute();
      });
    },
    async forget(project, model) {
      await database.write(undefined, async (db) => {
        await db.deleteFrom('vectors').where('project', '=', project).where('model', '=', model).execute();
      });
    },
    list: (project, model) =>
      database.remember(`vectors ${model}`, project, async (db): Promise<readonly TextVector[]> => {
        const rows = await db
          .selectFrom('vectors')
          .select(['content_hash as contentHash', 'vector'])
          .where('project', '=', project)
          .where('model', '=', model)
          .where('content_hash', 'in', (held) =>
            held.selectFrom('chunks').select('chunks.content_hash').where('chunks.project', '=', project),
          )
          .orderBy('content_hash')
          .execute();
        return rows.map(({ contentHash, vector }) => ({ contentHash, vector: decode(vector) }));
      }),
  };
}

function encode(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes.toString('base64');
}

function decode(words: string): Float32Array {
  const bytes = Buffer.from(words, 'base64');
  return Float32Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readFloatLE(index * 4));
}
