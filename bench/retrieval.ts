// Does lexical search find the paragraph, and does a small piece of it hold the answer? Question sets in Chinese and English,
// with plain pair BM25, FTS5's own tokenizers and fixed-size pieces beside us in the same run.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { codePointBorder } from '../src/core/model/utf8.js';
import { indexText } from '../src/writing/documents/indexed-text.js';
import { createMemoryIndex } from '../src/writing/retrieval/memory-index.js';
import { trimPassage } from '../src/writing/retrieval/trim-passage.js';

interface Question {
  readonly paragraph: number;
  readonly text: string;
  readonly answers: readonly string[];
}

interface QuestionSet {
  readonly name: string;
  readonly paragraphs: readonly string[];
  readonly questions: readonly Question[];
}

/** Best first: indexes of documents. */
type Search = (query: string) => readonly number[];

const budgets = [100, 200, 400, 800];
const folder = process.env.GALLEY_BENCH_TEXT ?? join(process.cwd(), '../shared/data/text');

function loadSet(file: string): QuestionSet {
  const parsed = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    data: { paragraphs: { context: string; qas: { question: string; answers: { text: string }[] }[] }[] }[];
  };
  const paragraphs: string[] = [];
  const questions: Question[] = [];
  for (const { context, qas } of parsed.data.flatMap((article) => article.paragraphs)) {
    for (const { question, answers } of qas) {
      questions.push({
        paragraph: paragraphs.length,
        text: question,
        answers: answers.map((answer) => answer.text),
      });
    }
    paragraphs.push(context);
  }
  return { name: file.replace('.json', ''), paragraphs, questions };
}

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

function plainBm25(documents: readonly string[]): Search {
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

function fullTextSearch(documents: readonly string[], tokenizer: 'trigram' | 'unicode61' | 'porter'): Search {
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

function galley(documents: readonly string[]): {
  search: Search;
  trim(query: string, text: string, budget: number): string;
} {
  const index = createMemoryIndex(documents.map((text, at) => ({ id: String(at).padStart(6, '0'), text })));
  return {
    search: (query) => index.search(query, { limit: 10 }).map((ranked) => Number(ranked.id)),
    trim(query, text, budget) {
      const indexed = indexText(text);
      const ranges = trimPassage(query, indexed, { budget, statistics: index.statistics });
      return ranges.map((range) => indexed.slice(range)).join('');
    },
  };
}

function recall(set: QuestionSet, search: Search): { at1: number; at10: number } {
  let at1 = 0;
  let at10 = 0;
  for (const question of set.questions) {
    const place = search(question.text).slice(0, 10).indexOf(question.paragraph);
    if (place === 0) at1 += 1;
    if (place >= 0) at10 += 1;
  }
  return { at1: at1 / set.questions.length, at10: at10 / set.questions.length };
}

/** Share of questions whose answer is whole within the first B characters of what the method hands over for B. */
function answered(set: QuestionSet, retrieve: (question: string, budget: number) => string): number[] {
  return budgets.map((budget) => {
    const held = set.questions.filter((question) => {
      const all = retrieve(question.text, budget);
      const text = all.slice(0, codePointBorder(all, budget));
      return question.answers.some((answer) => text.includes(answer));
    });
    return held.length / set.questions.length;
  });
}

function pieced(set: QuestionSet, cut: (paragraph: string) => readonly string[]) {
  const pieces = set.paragraphs.flatMap((paragraph) => cut(paragraph));
  const search = plainBm25(pieces);
  const memory = new Map<string, string>();
  return (question: string): string => {
    const known = memory.get(question);
    if (known !== undefined) return known;
    const found = search(question).slice(0, 12);
    const text = found.map((index) => pieces[index]).join('\n');
    memory.set(question, text);
    return text;
  };
}

function fixed(paragraph: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start === 0 || start + 50 < paragraph.length; start += 150)
    pieces.push(paragraph.slice(start, start + 200));
  return pieces;
}

function shortSentences(paragraph: string): string[] {
  const pieces: string[] = [];
  let open = '';
  for (const sentence of paragraph.split(/(?<=[。！？!?])|(?<=[.]\s)/)) {
    for (let start = 0; start < sentence.length; start += 120) {
      const part = sentence.slice(start, start + 120);
      if (open !== '' && open.length + part.length > 120) {
        pieces.push(open);
        open = '';
      }
      open += part;
    }
  }
  return open === '' ? pieces : [...pieces, open];
}

function ours(set: QuestionSet): (question: string, budget: number) => string {
  const { search, trim } = galley(set.paragraphs);
  const memory = new Map<string, readonly number[]>();
  return (question, budget) => {
    const found = memory.get(question) ?? search(question);
    memory.set(question, found);
    let text = '';
    for (const index of found) {
      const room = budget - indexText(text).length;
      if (room < 20) break;
      text += `${trim(question, set.paragraphs[index]!, room)}\n`;
    }
    return text;
  };
}

const percent = (value: number) => value.toFixed(3);

function measure(set: QuestionSet) {
  const chinese = !set.name.endsWith('.en');
  const recalls = {
    galley: recall(set, galley(set.paragraphs).search),
    'plain pair BM25': recall(set, plainBm25(set.paragraphs)),
    'FTS5 trigram': recall(set, fullTextSearch(set.paragraphs, 'trigram')),
    [chinese ? 'FTS5 unicode61' : 'FTS5 porter']: recall(
      set,
      fullTextSearch(set.paragraphs, chinese ? 'unicode61' : 'porter'),
    ),
  };
  const spans = {
    galley: answered(set, ours(set)),
    'whole paragraphs': answered(
      set,
      pieced(set, (paragraph) => [paragraph]),
    ),
    'fixed 200, overlap 50': answered(set, pieced(set, fixed)),
    'sentences up to 120': answered(set, pieced(set, shortSentences)),
  };
  return {
    set: set.name,
    questions: set.questions.length,
    paragraphs: set.paragraphs.length,
    recalls,
    spans,
  };
}

const files = ['cmrc2018-trial.json', 'xquad.zh.json', 'xquad.en.json'].filter((file) =>
  existsSync(join(folder, file)),
);
const results = files.map((file) => measure(loadSet(file)));

if (results.length === 0)
  console.log('retrieval: no question sets found; name their folder in GALLEY_BENCH_TEXT.');
for (const { set, recalls, spans } of results) {
  console.log(`\n| ${set}: paragraph recall | @1 | @10 |\n|---|---|---|`);
  for (const [name, { at1, at10 }] of Object.entries(recalls))
    console.log(`| ${name} | ${percent(at1)} | ${percent(at10)} |`);
  console.log(
    `\n| ${set}: answer inside the first B characters | ${budgets.join(' | ')} |\n|---|---|---|---|---|`,
  );
  for (const [name, row] of Object.entries(spans))
    console.log(`| ${name} | ${row.map(percent).join(' | ')} |`);
}
console.log(`\n${JSON.stringify({ benchmark: 'retrieval', results })}`);
