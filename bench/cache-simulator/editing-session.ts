// A scripted afternoon of writing: mostly going on, now and then rewriting a sentence, and a change of settings every
// fifteen calls. The same seed gives the same session; any engine can be driven by its steps.

export interface SessionSetting {
  readonly id: string;
  readonly text: string;
  readonly confidence: number;
}

export interface SessionStep {
  readonly index: number;
  readonly kind: 'continue' | 'edit';
  /** The document as it stands at this call, and the cursor in code points. */
  readonly text: string;
  readonly cursor: number;
  readonly settings: readonly SessionSetting[];
  readonly query: string;
}

export interface EditingSession {
  readonly model: string;
  readonly rules: readonly string[];
  /** Earlier chapters, for retrieval. */
  readonly library: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly steps: readonly SessionStep[];
}

export interface SessionShape {
  readonly seed?: number;
  readonly calls?: number;
  readonly editShare?: number;
  readonly settingsEvery?: number;
  /** The chapter at which the walk begins; the two dozen before it are the library. */
  readonly chapter?: number;
}

const habits = [
  '动作场景偏好短句',
  '对话不用感叹号',
  '写景时先声后色',
  '少用成语',
  '每段不超过五句',
  '人物出场先写手',
  '避免直接说出情绪',
  '夜景偏冷色',
];

const sceneLength = 2_400;
const libraryChapters = 24;

export function createEditingSession(novel: string, shape: SessionShape = {}): EditingSession {
  const { seed = 7, calls = 150, editShare = 0.12, settingsEvery = 15, chapter = libraryChapters } = shape;
  const random = randomFrom(seed);
  const chapters = chaptersOf(novel);
  const library = chapters.slice(chapter - libraryChapters, chapter).map((text, index) => ({
    id: `chapter-${String(index + 1).padStart(3, '0')}`,
    title: text.slice(0, text.indexOf('\n')).trim(),
    text,
  }));
  const source = chapters
    .slice(chapter, chapter + 10)
    .join('\n')
    .replace(/[^\S\n]+/g, '');
  const steps: SessionStep[] = [];
  let settings = firstSettings(random);
  let reached = 6_000;
  let text = source.slice(0, reached);
  for (let index = 0; index < calls; index += 1) {
    const edits = index > 0 && random() < editShare;
    if (edits) text = rewriteSentence(text, random);
    else if (index > 0) {
      const next = sentenceEndAfter(source, reached + 60 + Math.floor(random() * 120));
      text += source.slice(reached, next);
      reached = next;
    }
    if (index > 0 && index % settingsEvery === 0) settings = changedSettings(settings, random);
    steps.push({
      index,
      kind: edits ? 'edit' : 'continue',
      text,
      cursor: [...text].length,
      settings,
      query: queryOf(text),
    });
  }
  return { model: 'simulated', rules: rulesFrom(chapters), library, steps };
}

function chaptersOf(novel: string): string[] {
  return novel
    .replace(/\r\n?/g, '\n')
    .split(/(?=^第[一二三四五六七八九十百]+回\s)/m)
    .slice(1);
}

function rulesFrom(chapters: readonly string[]): string[] {
  const people = ['林远', '沈知微', '周伯', '阿蘅', '顾长风', '小满', '陆先生', '秦三娘'];
  return Array.from({ length: 16 }, (_, index) => {
    const sample = chapters[index]!.replace(/\s/g, '').slice(200, 330);
    return `${index + 1}. ${people[index % people.length]}：${sample}`;
  });
}

function firstSettings(random: () => number): SessionSetting[] {
  return Array.from({ length: 24 }, (_, index) => ({
    id: `setting-${String(index + 1).padStart(3, '0')}`,
    text: `${habits[index % habits.length]}，第${index + 1}条，适用于叙述、回忆与书信三种场合，遇到冲突时以最近一次确认为准。`,
    confidence: Math.round(random() * 100) / 100,
  }));
}

function changedSettings(settings: readonly SessionSetting[], random: () => number): SessionSetting[] {
  const at = Math.floor(random() * settings.length);
  const confidence = Math.round(random() * 100) / 100;
  return settings.map((setting, index) =>
    index === at
      ? { ...setting, confidence, text: `${setting.text}又及：此条已修订为${confidence}。` }
      : setting,
  );
}

/** What the scene is about and what was just written: changes a little with every call and much with every scene. */
function queryOf(text: string): string {
  const scene = Math.floor(text.length / sceneLength) * sceneLength;
  return text.slice(scene - 1_200, scene) + text.slice(-60);
}

/** Rewrites one sentence among the last thousand characters. */
function rewriteSentence(text: string, random: () => number): string {
  const around = text.length - 80 - Math.floor(random() * 900);
  const start = sentenceEndAfter(text, around);
  const end = sentenceEndAfter(text, start + 1);
  const fresh = `${[...text.slice(start, end - 1)].reverse().join('').replace(/\s/g, '')}．`;
  return text.slice(0, start) + fresh + text.slice(end);
}

function sentenceEndAfter(text: string, from: number): number {
  const found = text.slice(from).search(/[．。！？]/);
  return found < 0 ? text.length : from + found + 1;
}

/** Mulberry32: small, seeded, the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
