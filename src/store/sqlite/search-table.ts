// The full-text table behind retrieval. Terms carry their project's number, so lists, counts and hits never mix projects.
import { CompiledQuery, sql, type Transaction } from 'kysely';
import type { Terms } from '../chunks.js';
import type { EngineWords } from '../sql/migrations.js';
import type { Schema } from '../sql/schema.js';

// Every printable ASCII sign belongs to its term, as all other scripts do: only white space separates.
const signs = `!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~`;

export const sqliteWords: EngineWords = {
  counter: 'integer',
  async createSearch(db) {
    await sql
      .raw(
        `create virtual table chunk_terms using fts5(terms, content='', contentless_delete=1, tokenize="ascii tokenchars '${signs}'")`,
      )
      .execute(db);
    await sql.raw(`create virtual table chunk_vocabulary using fts5vocab(chunk_terms, 'row')`).execute(db);
  },
};

/** Distinct, in lower case, in order of first appearance. Quotes separate: the index cannot hold them. */
export function distinctTerms(terms: Terms): string[] {
  return [...new Set(splitTerms(typeof terms === 'string' ? terms : terms.join(' ')))];
}

export function splitTerms(terms: string): string[] {
  return terms
    .toLowerCase()
    .split(/[\s"'\p{Cc}]+/u)
    .filter((term) => term !== '');
}

export function projectTerm(number: number, term: string): string {
  return `${number}x${term}`;
}

export function anyOf(number: number, terms: readonly string[]): string {
  return terms.map((term) => `"${projectTerm(number, term)}"`).join(' OR ');
}

export async function forgetChunks(
  db: Transaction<Schema>,
  project: string,
  document: string,
): Promise<void> {
  const place = [project, document];
  await db.executeQuery(
    CompiledQuery.raw(
      'delete from chunk_terms where rowid in (select number from chunks where project = ? and document = ?)',
      place,
    ),
  );
  await db.executeQuery(CompiledQuery.raw('delete from chunks where project = ? and document = ?', place));
  await db.executeQuery(
    CompiledQuery.raw('delete from indexed_documents where project = ? and document = ?', place),
  );
}
