// Does a constraint say who tells the story?

import type { StoryEntity } from '../entities/entity.js';
import type { DeclaredCheck, Hit, RuleOf } from './check.js';
import { clausesOf, forbidding } from './constraint-wording.js';
import { filler, narrationOf } from './narration.js';
import { findWord } from './words.js';

const first = /第一人称|\b(?:first|1st)[- ]person\b/iu;
const third = /第三人称|\b(?:third|3rd)[- ]person\b/iu;
const teller =
  /以([\p{sc=Han}]{2,4}?)的?第一人称|主角(?:是|为|叫|名叫)[“「]?([\p{sc=Han}]{2,4}?)[”」]?(?=$|[，。；])/u;

export function readPerson(wording: string): DeclaredCheck | undefined {
  const wanted = new Set<'first' | 'third'>();
  const unwanted = new Set<'first' | 'third'>();
  for (const clause of clausesOf(wording)) {
    for (const [person, pattern] of [
      ['first', first],
      ['third', third],
    ] as const) {
      const index = clause.search(pattern);
      if (index < 0) continue;
      const isForbidden =
        forbidding.test(clause.slice(0, index)) ||
        /^[^，。]{0,8}(?:禁止|不可|不允许|is forbidden|not allowed)/iu.test(clause.slice(index + 4));
      (isForbidden ? unwanted : wanted).add(person);
    }
  }
  if (wanted.size > 1) return undefined;
  const person =
    [...wanted][0] ?? (unwanted.size === 1 ? (unwanted.has('first') ? 'third' : 'first') : undefined);
  if (person === undefined) return undefined;
  const named = teller.exec(wording);
  const protagonist = named?.[1] ?? named?.[2];
  const isName =
    protagonist !== undefined && !/^(?:主角|主人公|男主|女主|严格|固定|统一|作者)/u.test(protagonist);
  return { kind: 'narrative-person', person, ...(isName ? { protagonist } : {}) };
}

// Is the story told by the person it should be told by? Only the narration is looked at. Third person is broken by "I";
// first person is broken by a paragraph that tells of the protagonist as of someone else and never says "I".
interface PersonContext {
  readonly protagonist?: string | undefined;
  readonly entities: readonly StoryEntity[];
}

const sentenceEnds = new Set([...'。！？!?…\n']);
const message = {
  third: { zh: '叙述中出现了第一人称。', en: 'The narration says "I" where third person is asked for.' },
  first: {
    zh: '叙述使用了第三人称来写主角。',
    en: 'The narration tells of the protagonist in the third person.',
  },
} as const;

export function findNarrativePerson(
  text: string,
  rule: RuleOf<'narrative-person'>,
  context: PersonContext,
): readonly Hit[] {
  const narration = narrationOf(text);
  const marks = firstPersonMarks(narration);
  if (rule.person === 'third') return marks.map((mark) => ({ ...mark, message: message.third }));
  const names = protagonistNames(rule, context);
  const named = namedTelling(narration, names, marks);
  if (named.length > 0) return named.map((place) => ({ ...place, message: message.first }));
  const telling =
    marks.length > 0 ? undefined : pronounTelling(narration, names.length > 0, context.entities);
  return telling === undefined ? [] : [{ ...telling, message: message.first }];
}

function protagonistNames(rule: RuleOf<'narrative-person'>, context: PersonContext): readonly string[] {
  const stated = rule.protagonist ?? context.protagonist;
  const entity = context.entities.find(({ id, name, role }) =>
    stated === undefined ? role === 'protagonist' : id === stated || name === stated,
  );
  if (entity !== undefined) return [entity.name, ...(entity.aliases ?? [])];
  return stated === undefined ? [] : [stated];
}

const notASubjectBefore =
  /(?:叫|对|向|给|和|跟|与|把|被|是|姓|名|致|唤|喊|称|像|替|为|让|请|问|的)$|\b(?:to|of|for|called|named|by|with|from|as|am|is|was|saint|like)\s$/iu;
const notASubjectAfter = /^(?:亲启|收|二字|两个字|这个名字|这名字|的名字|这个人|，是|[，,])|^['’]s name\b/u;

function namedTelling(
  narration: string,
  names: readonly string[],
  marks: readonly Place[],
): readonly Place[] {
  const found: Place[] = [];
  let mark = 0;
  let offset = 0;
  for (const paragraph of narration.split('\n')) {
    const end = offset + paragraph.length;
    while (mark < marks.length && marks[mark]!.start < offset) mark += 1;
    const saysI = mark < marks.length && marks[mark]!.start < end;
    const place = saysI ? undefined : firstSubject(paragraph, names);
    if (place !== undefined) {
      found.push(sentenceAround(narration, { start: offset + place.start, end: offset + place.end }));
    }
    offset = end + 1;
  }
  return found;
}

function firstSubject(paragraph: string, names: readonly string[]): Place | undefined {
  return names
    .flatMap((name) => findWord(paragraph, name))
    .sort((left, right) => left.start - right.start)
    .find(
      ({ start, end }) =>
        !notASubjectBefore.test(paragraph.slice(Math.max(0, start - 12), start)) &&
        !notASubjectAfter.test(paragraph.slice(end, end + 12)),
    );
}

const subjectPronoun =
  /(?<=^|[。！？!?…，,；：\n\ue000]|时|后|前|而|但|却|可|这时|那时|于是|然后|忽然|突然)(?:他|她)(?![们的人国方处乡])|(?<![\p{L}])(?:[Hh]e|[Ss]he)(?![\p{L}])/gu;
const innerLife =
  /(?:他|她)[^。！？，\n]{0,6}(?:想|觉得|知道|明白|记得|希望|害怕|怕|后悔|不敢|不想|感到|盘算|心里|的心|意识到|宁愿|以为|相信|忘)|心想|暗想|暗自|心里|心中|\b(?:[Hh]e|[Ss]he) (?:\w+ ){0,2}(?:thought|felt|knew|wondered|remembered|hoped|feared|wished|wanted|dared|dare|believed|realized|realised|regretted|thinking)\b/u;
/** Someone else who can carry the pronoun; kinship and roles are seen from an "I" that is only silent here. */
const otherPerson =
  /[父母爹娘爸妈爷奶婆公哥姐弟妹叔伯姨姑舅嫂儿女][亲爸妈爷奶婆公哥姐弟妹子娘叔姨]?|师父|师傅|老师|先生|太太|老板|掌柜|管家|老人|老头|老汉|老太|男人|女人|孩子|少年|少女|姑娘|陌生人|客人|船夫|医生|警察|士兵|队长|邻居|那人|此人|有人|老[\p{sc=Han}]|小[\p{sc=Han}](?=[^的])|阿[\p{sc=Han}]|\b(?:father|mother|brother|sister|uncle|aunt|grand\w+|captain|doctor|priest|teacher|man|woman|boy|girl|stranger|neighbou?r|guard|driver|soldier|old \w+|Mr|Mrs|Miss|Dr)\b/iu;
const surname =
  /^(?:欧阳|上官|司马|诸葛|慕容|[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜谢邹喻苏潘葛范彭鲁韦马苗方俞任袁柳唐罗薛贺倪汤滕殷毕郝安常乐于傅齐康伍余顾孟黄穆萧尹姚邵汪祁毛禹狄米贝明臧计伏成戴宋庞熊纪舒屈项祝董梁杜阮蓝闵席季贾路江童颜郭梅林钟徐邱骆高夏蔡田樊胡凌霍虞万卢莫房解应丁邓郁杭洪包左石崔吉龚程陆叶白])[\p{sc=Han}]{1,2}/u;

function pronounTelling(
  narration: string,
  protagonistKnown: boolean,
  entities: readonly StoryEntity[],
): Place | undefined {
  const pronouns = [...narration.matchAll(subjectPronoun)];
  const firstPronoun = pronouns[0];
  if (firstPronoun === undefined) return undefined;
  const lead = narration.slice(0, firstPronoun.index).replaceAll(filler, '');
  if (otherPerson.test(lead)) return undefined;
  const opening = lead.trim();
  const namesSomeone =
    surname.test(opening) ||
    /(?:^|[.!?]\s)(?!(?:The|A|An|It|There|At|In|On|By|When|After|Before)\b)\p{Lu}\p{Ll}+ [\p{Ll}]/u.test(
      opening,
    ) ||
    entities.some(({ name }) => opening.includes(name));
  // With a known protagonist, another name is another person.
  if (namesSomeone && protagonistKnown) return undefined;
  const evidence = pronouns.length + (namesSomeone ? 1 : 0) + (innerLife.test(narration) ? 1 : 0);
  if (evidence < 2) return undefined;
  const start = firstPronoun.index;
  return sentenceAround(narration, { start, end: start + firstPronoun[0].length });
}

function sentenceAround(text: string, place: Place): Place {
  let start = place.start;
  while (start > 0 && !endsSentence(text, start - 1)) start -= 1;
  while (start < place.start && /\s/.test(text[start]!)) start += 1;
  let end = place.end;
  while (end < text.length && !endsSentence(text, end)) end += 1;
  return { start, end: end < text.length && text[end] !== filler && text[end] !== '\n' ? end + 1 : end };
}

function endsSentence(text: string, at: number): boolean {
  return (
    text[at] === filler ||
    sentenceEnds.has(text[at]!) ||
    (text[at] === '.' && /\s|^$/.test(text[at + 1] ?? ''))
  );
}

// Where does a narration say "I"? Idioms, numerals and thoughts that are only reported do not count.
const chinese = /我们|我|咱们|咱|俺们|俺|吾/gu;
const chineseIdioms =
  /自我|忘我|无我|大我|小我|本我|超我|唯我独尊|我行我素|你死我活|你追我赶|你来我往|你争我夺|你一言[，]?我一语|你一句[，]?我一句|你我|我见犹怜|非我莫属|舍我其谁|敌我|时不我待|物我|卿卿我我|你[\p{sc=Han}]{1,3}我[，、]?我[\p{sc=Han}]{1,3}你|你[\p{sc=Han}]{1,5}我(?=[\p{sc=Han}]{1,4}(?:[，。！？；、．]|$))|支吾|昆吾|伊吾/gu;
/** 她想，我不能输: the thought belongs to the one who thinks it. */
const chineseThought =
  /(?:[心暗]?想|心道|暗道|自问|问自己|告诉自己|对自己说|提醒自己|默念|心里说|心说|嘀咕)[，：:][^。！？\n]*|[说道写问答回喊念字话信][^。！？\n：:]{0,6}[：:][^。！？\n]*|(?<=^|[。！？\n])[^。！？\n]{1,80}[？！，](?:他|她|[\p{sc=Han}]{2,3})(?:心里|心|暗|暗暗)?想(?=[。，])/gu;

const english =
  /(?<![\p{L}\p{N}'’])(?:I(?:['’](?:m|ve|d|ll))?|[Mm]e|[Mm]y|[Mm]yself|[Ww]e(?:['’](?:re|ve|d|ll))?|[Uu]s|[Oo]urs?|[Oo]urselves)(?![\p{L}\p{N}'’])|(?<=\b(?:of|is|was|were|be|been|not) )mine(?!\p{L})/gu;
const functionWords = new Set(
  'And But Then When If So Yet As While Since Before After Because Though Although Until Now Today Yesterday Tonight Here There Still Perhaps Maybe Or Once Where What How Why That Which Did Do Was Am Had Have Could Would Should Can Will May Must Never Nor Not Only Even Later Soon Sometimes Often Always For Like Than Suddenly Finally Instead Meanwhile Besides Somehow Yes No Well Oh Whatever Whenever Wherever Unless Whether Last Next This Everything Nothing All Everyone Nobody'.split(
    ' ',
  ),
);
const englishThought =
  /\b(?:thought|wondered|told (?:him|her)self|asked (?:him|her)self)[,:] [^.!?\n]*|(?<=^|[.!?\n] ?)[^.!?\n]{1,160}[?!,] (?:he|she|\p{Lu}\p{L}+) (?:thought|wondered|(?:asked|told) (?:him|her)self)\b/gu;

interface Place {
  readonly start: number;
  readonly end: number;
}

function firstPersonMarks(narration: string): readonly Place[] {
  const excluded = new Set<number>();
  for (const pattern of [chineseIdioms, chineseThought, englishThought]) {
    for (const { index, 0: surface } of narration.matchAll(pattern)) {
      for (let at = index; at < index + surface.length; at += 1) excluded.add(at);
    }
  }
  return [...narration.matchAll(chinese), ...narration.matchAll(english)]
    .filter(
      ({ index, 0: surface }) =>
        !excluded.has(index) && (surface !== 'I' || !isRomanNumeral(narration, index)),
    )
    .map(({ index, 0: surface }) => ({ start: index, end: index + surface.length }))
    .sort((left, right) => left.start - right.start);
}

/** Charles I, World War I: a capitalised word stands right before it, and it opens no sentence. */
function isRomanNumeral(text: string, index: number): boolean {
  const before = /(\p{Lu}[\p{L}'’]+)[ \u00a0]$/u.exec(text.slice(Math.max(0, index - 40), index))?.[1];
  return before !== undefined && !functionWords.has(before);
}
