// A scene card that stands in the front matter of its chapter: point of view, place, time, people and beats among whatever else a writer
// keeps there. A change touches the lines of its field and leaves every other byte alone.
import { isGalleyError } from '../../core/model/error.js';
import { splitFrontMatter } from '../../skills/front-matter.js';
import { frontLength } from '../documents/front-matter.js';
import { lineBreakOf, linesOf } from '../told/list-file.js';
import { type SceneFields, withSceneFields } from './scene-card.js';

type FieldName = keyof SceneFields;

const names: Readonly<Record<FieldName, { readonly key: RegExp; readonly zh: string; readonly en: string }>> =
  {
    pov: { key: /^(?:pov|point of view|视角)$/iu, zh: '视角', en: 'pov' },
    place: { key: /^(?:place|setting|地点)$/iu, zh: '地点', en: 'place' },
    time: { key: /^(?:time|时间)$/iu, zh: '时间', en: 'time' },
    people: { key: /^(?:people|cast|人物)$/iu, zh: '人物', en: 'people' },
    beats: { key: /^(?:beats?|节拍)$/iu, zh: '节拍', en: 'beats' },
  };
const fieldNames = Object.keys(names) as readonly FieldName[];

/** Undefined where the front matter says nothing of a scene. */
export function frontScene(chapter: string): SceneFields | undefined {
  const fields = frontFields(chapter);
  const scene: { -readonly [name in FieldName]?: SceneFields[name] } = {};
  for (const [key, value] of fields) {
    const name = fieldNames.find((each) => names[each].key.test(key.trim()));
    const said = (Array.isArray(value) ? value : [value]).flatMap(plainWords);
    if (name === undefined || said.length === 0) continue;
    if (name === 'beats') scene.beats = said;
    else scene[name] = said.join(/\p{sc=Han}/u.test(said.join('')) ? '、' : ', ');
  }
  return Object.keys(scene).length === 0 ? undefined : scene;
}

function plainWords(value: unknown): string[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  const words = String(value).replace(/\s+/gu, ' ').trim();
  return words === '' ? [] : [words];
}

/** What cannot be read as fields says nothing; its lines stay as they are. */
function frontFields(chapter: string): ReadonlyMap<string, unknown> {
  const front = chapter.slice(0, frontLength(chapter)).replace(/\r\n?/gu, '\n');
  if (front === '') return new Map();
  try {
    return splitFrontMatter(front.replace(/^([\p{L}\p{N}_][^\n:：#]{0,60})：[^\S\n]*/gmu, '$1: ')).fields;
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return new Map();
  }
}

/** As a card file would say it. */
export function frontCard(chapter: string, language: 'zh' | 'en'): string | undefined {
  const scene = frontScene(chapter);
  return scene === undefined ? undefined : withSceneFields('', scene, language);
}

/** Beats come behind those that are there. `chapter` may begin with a byte order mark. */
export function withFrontScene(chapter: string, fields: SceneFields, language: 'zh' | 'en'): string {
  const known = frontScene(unmarked(chapter))?.beats ?? [];
  const { beats = [], ...scalars } = fields;
  const given = beats.length === 0 ? scalars : { ...scalars, beats: [...known, ...beats] };
  return fieldNames.reduce((text, name) => {
    const value = given[name as keyof typeof given];
    return value === undefined ? text : withField(text, name, { value, language });
  }, chapter);
}

/** Without the fields of a scene; where nothing else stood there, without front matter. */
export function withoutFrontScene(chapter: string): string {
  const bare = fieldNames.reduce(
    (text, name) => withField(text, name, { value: undefined, language: 'en' }),
    chapter,
  );
  const mark = markOf(bare);
  const lines = linesOf(bare);
  const close = lines.findIndex(({ content }, index) => index > 0 && /^---\s*$/u.test(content));
  const isEmpty = close > 0 && lines.slice(1, close).every(({ content }) => content.trim() === '');
  return isEmpty ? mark + bare.slice(lines[close]?.end ?? 0).replace(/^(?:\r\n|\r|\n)/u, '') : bare;
}

const markOf = (text: string) => (text.startsWith('\uFEFF') ? '\uFEFF' : '');
const unmarked = (text: string) => text.slice(markOf(text).length);

function withField(
  text: string,
  name: FieldName,
  { value, language }: { value: string | readonly string[] | undefined; language: 'zh' | 'en' },
): string {
  const mark = markOf(text);
  const body = unmarked(text);
  const eol = lineBreakOf(body);
  const lines = linesOf(body.slice(0, frontLength(body)));
  const keyOf = (content: string) => /^([\p{L}\p{N}_][^:：#]{0,60})[:：]/u.exec(content)?.[1] ?? '';
  const at = lines.findIndex(({ content }) => names[name].key.test(keyOf(content).trim()));
  const key = at < 0 ? names[name][language] : keyOf(lines[at]?.content ?? '');
  const said = value === undefined ? '' : written(key, value, eol);
  if (at < 0) {
    const close = lines.at(-1)?.start ?? 0;
    return mark + body.slice(0, close) + said + body.slice(close);
  }
  // The field ends before the next one, or before the closing line.
  const next = lines.findIndex(({ content }, index) => index > at && /^(?:[^\s\-#]|---)/u.test(content));
  let last = next - 1;
  while (last > at && /^\s*(?:#|$)/u.test(lines[last]?.content ?? '')) last -= 1;
  return mark + body.slice(0, lines[at]?.start) + said + body.slice(lines[last]?.end ?? 0);
}

function written(key: string, value: string | readonly string[], eol: string): string {
  if (typeof value === 'string') return `${key}: ${plain(value)}${eol}`;
  return `${key}:${eol}${value.map((item) => `  - ${plain(item)}${eol}`).join('')}`;
}

/** Quoted where a plain value would be read as something else. */
function plain(value: string): string {
  const words = value.replace(/\s+/gu, ' ').trim();
  const isPlain =
    /^[\p{L}][^\n:#'"[\]{}&*!|>%@`,]*$/u.test(words) && !/^(?:true|false|null|yes|no|on|off)$/iu.test(words);
  return isPlain ? words : JSON.stringify(words);
}
