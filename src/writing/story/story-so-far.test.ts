import { beforeAll, describe, expect, it } from 'vitest';
import type { Meter } from '../../core/model/meter.js';
import { hashText } from '../../meters/content-hash.js';
import { loadMeter } from '../../meters/load-meter.js';
import { chapterEnding, type StoryChapter, type StoryRequest, storySoFar } from './story-so-far.js';
import type { ToldChapter } from './telling-sentences.js';

let meter: Meter;
beforeAll(async () => {
  meter = await loadMeter('o200k_base');
});

const chapterOf = (n: number, title: string, text: string): StoryChapter => ({
  id: `c${n}`,
  title,
  hash: hashText(text),
  text,
});
const fillers = ['雨下了一整夜。', '街上没有人走动。', '灯一盏一盏灭了。', '风从河面上吹过来。'];
const chinese = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const n = index + 1;
    const turn = `林远在第${n}座桥上发现了沈砚留下的第${n}封信。`;
    return chapterOf(
      n,
      `第${n}章`,
      `# 第${n}章\n\n${fillers.join('')}${turn}${fillers.join('')}\n\n他把信收好，继续往前走。`,
    );
  });
const english = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const n = index + 1;
    const text = `Chapter ${n}\n\nIt rained all night. Nobody walked the streets. In the end Mara found the key number ${n} that Tom had hidden. The lamps went out.\n\nShe closed the door behind her.`;
    return chapterOf(n, `Chapter ${n}`, text);
  });
const tell = (chapters: readonly StoryChapter[], at: number, more: Partial<StoryRequest> = {}) =>
  storySoFar({ chapters, at: `c${at}`, meter, limit: 2_000, names: ['林远', '沈砚'], ...more });

describe('the story so far', () => {
  it('tells the chapters before this one by what turned in them, in their order [story.so-far]', () => {
    const { parts } = tell(chinese(6), 5);
    expect(parts.map(({ chapterId }) => chapterId)).toEqual(['c1', 'c2', 'c3', 'c4']);
    for (const [index, { levels }] of parts.entries())
      for (const level of levels) expect(level).toContain(`第${index + 1}封信`);
    const inEnglish = tell(english(6), 5, { names: ['Mara', 'Tom'], gap: ' … ' });
    expect(inEnglish.parts.map(({ levels }) => levels.at(-1))).toEqual(
      [1, 2, 3, 4].map((n) => `In the end Mara found the key number ${n} that Tom had hidden.`),
    );
  });

  it('tells near chapters in more words than far ones, and fits three hundred into its limit [story.so-far]', () => {
    const { parts, tokens } = tell(chinese(300), 300);
    expect(tokens).toBeLessThanOrEqual(2_000);
    const lengthOf = (id: string) => parts.find(({ chapterId }) => chapterId === id)?.levels[0]?.length ?? 0;
    expect(lengthOf('c299')).toBeGreaterThan(lengthOf('c290'));
    expect(lengthOf('c290')).toBeGreaterThanOrEqual(lengthOf(parts[0]!.chapterId));
    for (let n = 290; n < 300; n += 1) expect(lengthOf(`c${n}`)).toBeGreaterThan(0);
    // What is left of the far past reaches back to the beginning.
    expect(parts[0]?.chapterId).toBe('c1');
    expect(parts.length).toBeGreaterThan(20);
    for (const limit of [0, 60, 300, 1_000]) {
      const { parts: some, tokens: weight } = tell(chinese(40), 40, { limit });
      const told = some.map(({ title, levels }) => `${title} ${levels[0]}\n`);
      expect(weight).toBeLessThanOrEqual(limit);
      expect(told.reduce((sum, text) => sum + meter.weigh(text), 0)).toBeLessThanOrEqual(limit);
    }
  });

  it('holds every shorter level in the longer one, and shows a gap only where something is missing [W19]', () => {
    const { parts } = tell(chinese(12), 12);
    for (const { chapterId, levels } of parts) {
      const { text } = chinese(12).find(({ id }) => id === chapterId)!;
      const flat = text.replace(/\s+/g, '');
      levels.forEach((level, index) => {
        for (const stretch of level.split('……')) {
          expect(flat).toContain(stretch.replace(/\s+/g, ''));
          if (index > 0) expect(levels[index - 1]).toContain(stretch);
        }
      });
      const runs = levels[0]!.split('……').map((stretch) => flat.indexOf(stretch.replace(/\s+/g, '')));
      for (const [index, at] of runs.entries())
        if (index > 0) expect(at).toBeGreaterThan(runs[index - 1]! + 1);
    }
    const neighbours = '林远在桥上醒了过来。沈砚已经死在桥下。';
    const two = [chapterOf(1, '一', neighbours), chapterOf(2, '二', '')];
    expect(tell(two, 2).parts[0]?.levels[0]).toBe(neighbours);
  });

  it('tells nothing of this chapter and later ones, and no secret [story.time]', () => {
    const { parts, ending } = tell(chinese(9), 4, { tellsSecret: (text) => text.includes('第2封') });
    expect(parts.map(({ chapterId }) => chapterId)).toEqual(['c1', 'c2', 'c3']);
    expect(JSON.stringify({ parts, ending })).not.toMatch(/第2封|第[4-9]封/);
    const all = tell(chinese(3), 9).parts;
    expect(all).toHaveLength(3);
  });

  it('is bound to its chapters: a change in one tells only that one anew [story.so-far]', () => {
    const memory = new Map<string, ToldChapter>();
    const read: string[] = [];
    const watched = {
      get: (key: string) => memory.get(key),
      set: (key: string, told: ToldChapter) => {
        read.push(key.split(' ')[0]!);
        return memory.set(key, told);
      },
    };
    const before = chinese(50);
    const first = tell(before, 50, { memory: watched });
    expect(read).toHaveLength(49);
    const after = before.map((chapter) =>
      chapter.id === 'c48'
        ? chapterOf(48, chapter.title, `${chapter.text}沈砚死了，林远发现得太晚。`)
        : chapter,
    );
    const second = tell(after, 50, { memory: watched });
    expect(read.slice(49)).toEqual([after[47]!.hash]);
    const changed = second.parts.filter(
      (part) =>
        !first.parts.some(({ hash, levels }) => hash === part.hash && `${levels}` === `${part.levels}`),
    );
    expect(changed.map(({ chapterId, hash }) => [chapterId, hash])).toEqual([['c48', after[47]!.hash]]);
  });

  it('gives the end of the chapter before where this one has hardly begun [W12]', () => {
    const chapters = chinese(3);
    expect(tell(chapters, 3, { written: 0 }).ending).toMatchObject({
      chapterId: 'c2',
      hash: chapters[1]!.hash,
      text: expect.stringMatching(/他把信收好，继续往前走。$/),
    });
    expect(tell(chapters, 3, { written: 5_000 }).ending).toBeUndefined();
    expect(tell(chapters, 1, { written: 0 }).ending).toBeUndefined();
  });
});

describe('the end of a chapter', () => {
  it('begins with a paragraph, else with a sentence, and never exceeds its length', () => {
    const text = `${'甲乙丙丁。'.repeat(100)}\n\n${'一二三四。'.repeat(12)}\n\n末了他走了。\n`;
    expect(chapterEnding(text, 80)).toMatch(/^一二三四。[\s\S]*末了他走了。$/);
    expect(chapterEnding(text, 30)).toMatch(/^一二三四。[\s\S]*末了他走了。$/);
    for (const most of [10, 30, 80, 200, 900])
      expect(chapterEnding(text, most).length).toBeLessThanOrEqual(most);
    expect(chapterEnding('短。', 80)).toBe('短。');
    expect(chapterEnding('', 80)).toBe('');
  });
});
