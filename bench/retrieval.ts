// Does context:assemble find the paragraph, and does a small piece of it hold the answer? Question sets in Chinese and English,
// asked with an empty page and in the middle of another text, with plain pair BM25, FTS5's own tokenizers and fixed-size pieces
// beside us in the same run.
import { codePointBorder } from '../src/core/model/code-points.js';
import { indexText } from '../src/writing/documents/indexed-text.js';
import { type CollectionStatistics, focusQuery } from '../src/writing/retrieval/query.js';
import { tellingCuts } from '../src/writing/retrieval/telling-cuts.js';
import { type AssembledSearch, assembledSearch, type OfferedPassage } from './question-sets/assembled.js';
import { fullTextSearch, plainBm25, type Search } from './question-sets/peers.js';
import { type Question, type QuestionSet, questionSets } from './question-sets/question-set.js';
import { benchDatabase } from './served/database.js';

const budgets = [100, 200, 400, 800];

/** Asked on an empty page, or behind paragraphs from elsewhere in the collection, which then do not count as finds. */
async function offeredFor(set: QuestionSet, search: AssembledSearch, inText: boolean) {
  const offers: (readonly OfferedPassage[])[] = [];
  for (const { text, paragraph } of set.questions) {
    const others = [37, 38, 39].map((step) => (paragraph + step) % set.paragraphs.length);
    const scene = inText ? others.map((index) => set.paragraphs[index]).join('\n') : '';
    const found = await search.offered(text, scene);
    offers.push(inText ? found.filter((passage) => !others.includes(passage.paragraph)) : found);
  }
  return offers;
}

interface Recall {
  readonly at1: number;
  readonly at10: number;
}

function recall(set: QuestionSet, found: (question: Question, index: number) => readonly number[]): Recall {
  let at1 = 0;
  let at10 = 0;
  set.questions.forEach((question, index) => {
    const place = [...new Set(found(question, index))].slice(0, 10).indexOf(question.paragraph);
    if (place === 0) at1 += 1;
    if (place >= 0) at10 += 1;
  });
  return { at1: at1 / set.questions.length, at10: at10 / set.questions.length };
}

const paragraphsOf = (offers: readonly (readonly OfferedPassage[])[]) => (_: Question, index: number) =>
  offers[index]?.map(({ paragraph }) => paragraph) ?? [];
const peer = (search: Search) => (question: Question) => search(question.text);

/** Share of questions whose answer is whole within the first B characters of what the method hands over for B. */
function answered(set: QuestionSet, retrieve: (index: number, budget: number) => string): number[] {
  return budgets.map((budget) => {
    const held = set.questions.filter((question, index) => {
      const all = retrieve(index, budget);
      const text = all.slice(0, codePointBorder(all, budget));
      return question.answers.some((answer) => text.includes(answer));
    });
    return held.length / set.questions.length;
  });
}

function pieced(set: QuestionSet, cut: (paragraph: string) => readonly string[]) {
  const pieces = set.paragraphs.flatMap((paragraph) => cut(paragraph));
  const search = plainBm25(pieces);
  const texts = set.questions.map(({ text }) =>
    search(text)
      .slice(0, 12)
      .map((index) => pieces[index])
      .join('\n'),
  );
  return (index: number): string => texts[index] ?? '';
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

/** Passages best first, the last one trimmed to the room that is left. */
function trimmed(
  set: QuestionSet,
  offers: readonly (readonly OfferedPassage[])[],
  statistics: CollectionStatistics,
): (index: number, budget: number) => string {
  return (index, budget) => {
    let text = '';
    for (const passage of offers[index] ?? []) {
      const room = budget - indexText(text).length;
      if (room < 20) break;
      const indexed = indexText(passage.text);
      const weights = focusQuery(set.questions[index]!.text, statistics);
      const cuts = tellingCuts(indexed, weights, { least: 1, growth: 1 });
      const sizeOf = (cut: (typeof cuts)[number]) =>
        cut.reduce((sum, { start, end }) => sum + end - start, 0);
      const fitting = [...cuts, [{ start: 0, end: indexed.length }]].findLast((cut) => sizeOf(cut) <= room);
      text += `${(fitting ?? []).map((range) => indexed.slice(range)).join('')}\n`;
    }
    return text;
  };
}

const percent = (value: number) => value.toFixed(3);

async function measure(set: QuestionSet) {
  const chinese = !set.name.endsWith('.en');
  const search = await assembledSearch(set.paragraphs);
  const [alone, inText] = [await offeredFor(set, search, false), await offeredFor(set, search, true)];
  const statistics = await search.statistics(set.questions.map(({ text }) => text));
  await search.close();
  const database = await benchDatabase('retrieval');
  const elsewhere = database && (await assembledSearch(set.paragraphs, await database.newDatabase()));
  const [aloneThere, inTextThere] = elsewhere
    ? [await offeredFor(set, elsewhere, false), await offeredFor(set, elsewhere, true)]
    : [];
  await elsewhere?.close();
  const words = chinese ? 'unicode61' : 'porter';
  return {
    set: set.name,
    questions: set.questions.length,
    paragraphs: set.paragraphs.length,
    recalls: {
      'context:assemble': recall(set, paragraphsOf(alone)),
      'context:assemble, in the middle of another text': recall(set, paragraphsOf(inText)),
      ...(aloneThere && { 'context:assemble on PostgreSQL': recall(set, paragraphsOf(aloneThere)) }),
      ...(inTextThere && {
        'context:assemble on PostgreSQL, in the middle of another text': recall(
          set,
          paragraphsOf(inTextThere),
        ),
      }),
      'plain pair BM25': recall(set, peer(plainBm25(set.paragraphs))),
      'FTS5 trigram': recall(set, peer(fullTextSearch(set.paragraphs, 'trigram'))),
      [`FTS5 ${words}`]: recall(set, peer(fullTextSearch(set.paragraphs, words))),
    },
    spans: {
      'context:assemble, trimmed': answered(set, trimmed(set, alone, statistics)),
      'whole paragraphs': answered(
        set,
        pieced(set, (paragraph) => [paragraph]),
      ),
      'fixed 200, overlap 50': answered(set, pieced(set, fixed)),
      'sentences up to 120': answered(set, pieced(set, shortSentences)),
    },
  };
}

const results = [];
for (const set of questionSets()) results.push(await measure(set));

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
process.exit(0);
