// What does telling the story so far cost, and are the people of the scene in it? A novel of 120 chapters, cold, warm, and after a
// keystroke in the last chapter.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../src/meters/content-hash.js';
import { loadMeter } from '../src/meters/load-meter.js';
import { storySoFar } from '../src/writing/story/story-so-far.js';
import type { ToldChapter } from '../src/writing/story/telling-sentences.js';
import { splitChapters } from './places/draw-places.js';

const folder = process.env.GALLEY_BENCH_TEXT ?? join(process.cwd(), '../shared/data/text');
const file = join(folder, 'hongloumeng.txt');
const people =
  '宝玉 黛玉 宝钗 贾母 王夫人 凤姐 贾政 贾琏 平儿 袭人 晴雯 探春 湘云 妙玉 薛姨妈 薛蟠 刘姥姥 贾珍 尤氏 秦氏'.split(
    ' ',
  );
const limit = 2_000;

if (!existsSync(file))
  console.log('story-so-far: no novel; put hongloumeng.txt into the folder GALLEY_BENCH_TEXT.');
else {
  const meter = await loadMeter('o200k_base');
  const chapters = splitChapters(readFileSync(file, 'utf8'), true).map(({ title, text }, index) => ({
    id: `${index + 1}`,
    title: title.slice(0, title.indexOf('回') + 1),
    hash: hashText(text),
    text,
  }));
  const memory = new Map<string, ToldChapter>();
  const tell = (at: number, own = chapters) => {
    const before = process.cpuUsage();
    const scene = people.filter((name) => own[at - 1]!.text.slice(0, 2_000).includes(name));
    const story = storySoFar({
      chapters: own,
      at: `${at}`,
      meter,
      limit,
      names: people,
      people: scene,
      memory,
    });
    const { user, system } = process.cpuUsage(before);
    const text = story.parts.map(({ levels }) => levels[0]).join('\n');
    return {
      ms: (user + system) / 1_000,
      story,
      covered: scene.filter((name) => text.includes(name)).length,
      scene: scene.length,
    };
  };
  const last = chapters.length;
  const cold = tell(last);
  const warm = tell(last);
  const changed = chapters.map((chapter) =>
    chapter.id === `${last - 1}`
      ? { ...chapter, text: `${chapter.text}。`, hash: hashText(`${chapter.text}。`) }
      : chapter,
  );
  const edited = tell(last, changed);
  const places = Array.from({ length: 23 }, (_, index) => tell(5 * (index + 2)));
  const sum = (value: (place: (typeof places)[number]) => number) =>
    places.reduce((total, place) => total + value(place), 0);
  const result = {
    benchmark: 'story-so-far',
    coldMs: Math.round(cold.ms),
    warmMs: Math.round(warm.ms),
    editedMs: Math.round(edited.ms),
    tokens: Math.max(...places.map(({ story }) => story.tokens)),
    chaptersTold: cold.story.parts.length,
    namesCovered: sum(({ covered }) => covered) / sum(({ scene }) => scene),
  };
  console.log(
    `| processor time cold / warm / one chapter changed | tokens at most | chapters told of ${last - 1} | people of the scene named |\n|---|---|---|---|`,
  );
  console.log(
    `| ${result.coldMs} / ${result.warmMs} / ${result.editedMs} ms | ${result.tokens} | ${result.chaptersTold} | ${result.namesCovered.toFixed(3)} |`,
  );
  if (process.argv[2] === 'show')
    for (const { title, levels } of cold.story.parts) console.log(`${title}：${levels[0]}`);
  console.log(`\n${JSON.stringify(result)}`);
}
