// Other searches over the same documents: plain BM25 over pairs of characters, and FTS5 with its own tokenizers.
import Database from 'libsql';

/** Best first: indexes of documents. */
export type Search = (query: string) => readonly number[];

/** The baseline shares no code with the engine: pairs of characters, plain words, k1 1.2, b 0.75. */
function plainTerms(text: string): string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  const runs = folded.match(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];
  return runs.flatMap((run) => {
    if (!/\p{Script=Han}/u.test(run)) return [run];
    const characters = [...run];
    return characters.length === 1
      ? [run]
      : characters.slice(1).map((character, at) => characters[at] + character);
  });
}

export function plainBm25(documents: readonly string[]): Search {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map((document, index) => {
    const terms = plainTerms(document);
    for (const term of terms) {
      const holders = postings.get(term) ?? new Map<number, number>();
      holders.set(index, (holders.get(index) ?? 0) + 1);
      postings.set(term, holders);
    }
    return terms.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  return (query) => {
    const scores = new Map<number, number>();
    for (const term of new Set(plainTerms(query))) {
      const holders = postings.get(term) ?? new Map<number, number>();
      const rarity = Math.log(1 + (documents.length - holders.size + 0.5) / (holders.size + 0.5));
      for (const [index, count] of holders) {
        const damp = 1.2 * (0.25 + (0.75 * lengths[index]!) / mean);
        scores.set(index, (scores.get(index) ?? 0) + (rarity * count * 2.2) / (count + damp));
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([index]) => index);
  };
}

export function fullTextSearch(
  documents: readonly string[],
  tokenizer: 'trigram' | 'unicode61' | 'porter',
): Search {
  const database = new Database(':memory:');
  database.exec(`CREATE VIRTUAL TABLE chunks USING fts5(text, tokenize='${tokenizer}')`);
  const insert = database.prepare('INSERT INTO chunks(rowid, text) VALUES (?, ?)');
  documents.forEach((document, index) => {
    insert.run(index + 1, document);
  });
  const select = database.prepare(
    'SELECT rowid AS id FROM chunks WHERE chunks MATCH ? ORDER BY rank, rowid LIMIT 10',
  );
  const termsOf = (query: string): string[] => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (tokenizer !== 'trigram') return words;
    return words.flatMap((word) => [...word].slice(2).map((_, at) => [...word].slice(at, at + 3).join('')));
  };
  return (query) => {
    const terms = [...new Set(termsOf(query))].map((term) => `"${term}"`);
    if (terms.length === 0) return [];
    return (select.all(terms.join(' OR ')) as { id: number }[]).map((row) => Number(row.id) - 1);
  };
}
