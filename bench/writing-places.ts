// Does the prompt hold what an earlier chapter told about the thing just named? Sixty places of a novel in Chinese and in English,
// drawn by rule and seed; the prompt is the one the skill `continue` would send, in two sizes. Nothing of a later chapter may
// stand in it, and no secret that was planted there.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findModel } from '../src/models/find-model.js';
import { call } from '../src/operations/call.js';
import type { Grant, OperationContext } from '../src/operations/operation.js';
import { openStore } from '../src/store/sqlite/open-store.js';
import type { AssembledSkill } from '../src/writing/skill-run/assemble-skill.js';
import {
  drawPlaces,
  type NovelChapter,
  type Place,
  showsDefinition,
  splitChapters,
} from './places/draw-places.js';

const folder = process.env.GALLEY_BENCH_TEXT ?? join(process.cwd(), '../shared/data/text');
const novels = [
  { name: 'hongloumeng', file: join(folder, 'hongloumeng.txt'), chinese: true },
  {
    name: 'english',
    file: process.env.GALLEY_BENCH_NOVEL_EN ?? join(folder, 'great-expectations.txt'),
    chinese: false,
  },
];
const sizes = [
  { tokens: 8_000, wanted: 0.9 },
  { tokens: 4_000, wanted: 0.75 },
];
const seed = 11;
const project = 'places';
const documentOf = (chapter: number) => `chapter-${String(chapter + 1).padStart(3, '0')}`;
const secretOf = (index: number) => `secret-${index}-${seed}`;

interface Measured {
  readonly novel: string;
  readonly places: number;
  readonly present: readonly number[];
  readonly missing: readonly (readonly string[])[];
  readonly later: number;
  readonly secrets: number;
  readonly tokens: number;
}

/** Later chapters tell a secret about the very thing that is being written about. */
function withSecrets(chapters: readonly NovelChapter[], places: readonly Place[]): string[] {
  const texts = chapters.map(({ text }) => text);
  places.forEach(({ term, chapter }, index) => {
    const at = Math.min(texts.length - 1, chapter + 1);
    if (at > chapter) texts[at] += `\n\n${term} ${term}: ${secretOf(index)}, ${term}.\n`;
  });
  return texts;
}

async function measure({ name, file, chinese }: (typeof novels)[number]): Promise<Measured> {
  const chapters = splitChapters(readFileSync(file, 'utf8'), chinese);
  const places = drawPlaces(chapters, { places: 60, seed, chinese });
  const texts = withSecrets(chapters, places);
  const own = await mkdtemp(join(tmpdir(), 'galley-places-'));
  const store = await openStore({ path: join(own, 'galley.db'), now: () => 0 });
  const context: OperationContext = {
    signal: new AbortController().signal,
    folder: own,
    debug: false,
    grants: new Set<Grant>(['read', 'write', 'inspect', 'run']),
    log: () => undefined,
    now: () => 0,
    store: async () => store,
    model: (model) => findModel(model, { folder: own, environment: {} }),
  };
  for (const [index, text] of texts.entries()) {
    const { title } = chapters[index]!;
    await call(
      'documents:put',
      { projectId: project, documentId: documentOf(index), title, order: index + 1, text },
      context,
    );
  }
  const present = sizes.map(() => 0);
  const missing: string[][] = sizes.map(() => []);
  let later = 0;
  let secrets = 0;
  let used = 0;
  for (const [index, place] of places.entries()) {
    const request = {
      projectId: project,
      documentId: documentOf(place.chapter),
      skillId: 'continue',
      text: chapters[place.chapter]!.text.slice(0, place.cursor),
      language: chinese ? 'zh' : 'en',
      dryRun: true,
    };
    for (const [at, { tokens }] of sizes.entries()) {
      const { userContent, receipt } = (await call(
        'ai:skill:run',
        { ...request, budget: { tokens } },
        context,
      )) as AssembledSkill;
      used += receipt.used.n;
      const passages = shownPassages(userContent, receipt);
      if (showsDefinition(passages.map(({ text }) => text).join('\n'), place, chapters, chinese))
        present[at]! += 1;
      else missing[at]!.push(`${place.term} ${place.defining.chapter + 1}→${place.chapter + 1}`);
      if (userContent.includes(secretOf(index))) secrets += 1;
      later += passages.filter(({ document }) => document > documentOf(place.chapter)).length;
    }
  }
  await store.close();
  await rm(own, { recursive: true, force: true });
  return {
    novel: name,
    places: places.length,
    present: present.map((count) => count / places.length),
    missing,
    later,
    secrets,
    tokens: Math.round(used / places.length / sizes.length),
  };
}

function shownPassages(
  prompt: string,
  { pages }: AssembledSkill['receipt'],
): { document: string; text: string }[] {
  const bytes = Buffer.from(prompt);
  const spans = pages[0]?.parts.find(({ channel }) => channel === 'prompt')?.spans ?? [];
  return spans
    .filter(({ fragment }) => fragment.startsWith('chunk:'))
    .map(({ fragment, start, end }) => ({
      document: fragment.slice(fragment.indexOf(':') + 1, fragment.lastIndexOf('#')),
      text: bytes.toString('utf8', start, end),
    }));
}

const results: Measured[] = [];
for (const novel of novels) {
  if (existsSync(novel.file)) results.push(await measure(novel));
  else
    console.log(
      `writing-places: no ${novel.name} novel. Put a plain text whose chapters begin with "${novel.chinese ? '第一回' : 'Chapter I'}" into ${novel.chinese ? 'the folder GALLEY_BENCH_TEXT as hongloumeng.txt' : 'a file and name it in GALLEY_BENCH_NOVEL_EN (Great Expectations, number 1400 of Project Gutenberg, was used)'}.`,
    );
}
if (results.length > 0) {
  console.log(
    `| definition present within | ${sizes.map(({ tokens }) => tokens).join(' | ')} | later passages | secrets |`,
  );
  console.log(`|---|${sizes.map(() => '---|').join('')}---|---|`);
  for (const { novel, present, later, secrets } of results)
    console.log(
      `| ${novel} | ${present.map((share) => share.toFixed(3)).join(' | ')} | ${later} | ${secrets} |`,
    );
  console.log(`| wanted | ${sizes.map(({ wanted }) => wanted).join(' | ')} | 0 | 0 |`);
}
console.log(`\n${JSON.stringify({ benchmark: 'writing-places', sizes, results })}`);
