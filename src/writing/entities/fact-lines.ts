// What does a line of a card say about time? From when, until when, or before when it is a secret, in Chinese and English.
// A line that seems to say so and cannot be read is named by its number and kept out: a secret must not pass for a description.
import type { Fact, Secret } from '../../store/tables/entities.js';
import { type ChapterSpan, noNumbering, type StoryNumbering, spanOf } from './story-numbering.js';

export interface FactLines {
  /** The lines that say nothing about time. */
  readonly description: string;
  readonly facts: readonly Fact[];
  readonly secrets: readonly Secret[];
  /** Lines, from 1, that seem to say something about time and could not be read. */
  readonly unclear: readonly number[];
  /** On which lines, from 1, each of them stands. */
  readonly places: FactPlaces;
}

export interface FactPlaces {
  readonly description: readonly number[];
  readonly facts: readonly (readonly number[])[];
  readonly secrets: readonly (readonly number[])[];
}

interface When {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly hiddenUntil?: number | undefined;
}

type Reading = { readonly when: When | 'unclear'; readonly text: string };

const number =
  '(?:[0-9]{1,5}|[零〇一二两三四五六七八九十百千壹贰叁肆伍陆柒捌玖拾佰仟廿卅]{1,9}|[ivxlc]{1,7}\\b|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)\\b)';
const chineseUnit = '[章回节卷幕部话集篇折]';
const englishUnit = '\\b(?:chapters?|chap\\.?|ch\\.?|parts?|scenes?|books?|volumes?|vol\\.?|acts?|episodes?)';
const place = `(?:第\\s*${number}\\s*${chineseUnit}|卷\\s*${number}|${englishUnit}\\s*#?${number})`;
const joint = '(?:到|至|[-–—~〜]+|\\bto\\b|\\bthrough\\b|\\band\\b)';
/** 第三至五章, chapters 3-5: the unit may stand once. */
const range = `(?:第\\s*${number}\\s*${chineseUnit}?\\s*${joint}\\s*第?\\s*${number}\\s*${chineseUnit}|${englishUnit}\\s*${number}\\s*${joint}\\s*(?:${englishUnit}\\s*)?${number})`;
const hiding = '(?:保密|是?秘密|隐瞒|不公开|不[可得能要许](?:公开|透露|泄露|说破|提及|提到|揭示|揭露))';
const showing = '(?:揭晓|揭示|揭露|揭开|揭秘|公开|曝光|披露|解密|透露|真相大白|说破)';
const hidden = '(?:secret|hidden|undisclosed|unknown|unrevealed)';
const shown = '(?:revealed|reveals?|disclosed|unveiled|exposed|comes out|told|made known)';

type Say = (first: ChapterSpan, last: ChapterSpan) => When;
const hide: Say = ({ first }) => ({ hiddenUntil: first });
const since: Say = ({ first }) => ({ from: first });

/** The first that fits the whole of what is said. */
const wordings: readonly (readonly [string, Say])[] = [
  [`(?:在|直到|到)?${place}(?:之前|以前|前)(?:都|一直|需要?|须|应)*${hiding}`, hide],
  [`${hiding}(?:到|至|直到|直至)${place}(?:之前|以前|前|为止|止)?|${hiding} ${place}(?:之前|以前|前)`, hide],
  [`(?:在|到|直到|于)?${place}(?:起|时|中|里)?(?:才|再|方|始)?(?:能|可以?|会|被)?${showing}`, hide],
  [`(?:(?:is|are|kept|stays?|remains?|a) )*${hidden} (?:until|till|before|up to) ${place}`, hide],
  [`(?:(?:is|are|to be) )*(?:not|never) (?:to be )?${shown} (?:until|till|before) ${place}`, hide],
  [`(?:until|till|before) ${place} (?:(?:is|are|kept|stays?|a) )*${hidden}`, hide],
  [
    `(?:secret )?(?:(?:to be|is|will be|gets|only|first) )*${shown} (?:only )?(?:in|at|on|from|by|with) ${place}`,
    hide,
  ],
  [
    `(?:从|自|在|from |between |in |during )?${range}(?:之间|期间|为止)?`,
    (first, last) => ({ from: first.first, until: last.last }),
  ],
  [`(?:从|自|打)?${place}(?:起|开始|以来)`, since],
  [
    `(?:from|since|starting(?: in| with| from)?|beginning(?: in| with)?|as of) ${place}(?: (?:on|onwards?|forward))?`,
    since,
  ],
  [`${place} (?:on|onwards?|and (?:on|after|later))`, since],
  [`在?${place}(?:之后|以后|后)|after ${place}`, ({ last }) => ({ from: last + 1 })],
  [`在?${place}(?:之前|以前|前)|(?:before|prior to) ${place}`, ({ first }) => ({ until: first - 1 })],
  [
    `(?:直到|直至|到|至|截至)${place}(?:为止|止)?|${place}(?:为止|止)|(?:until|till|up to|through) ${place}`,
    ({ last }) => ({ until: last }),
  ],
  // What happens in a chapter is known from then on.
  [`(?:在|in |during |at )?${place}(?:中|里|时)?`, since],
];
const sayings = wordings.map(([pattern, say]) => [new RegExp(`^(?:${pattern})$`, 'iu'), say] as const);

const secretWord = /保密|秘密|隐瞒|揭[晓示露开秘]|曝光|披露|解密|secret|reveal|disclos|hidden/iu;
const secretAlone = /^(?:秘密|保密|secret)$/iu;
const anyPlace = new RegExp(place.replaceAll('\\b', ''), 'iu');
const opening = new RegExp(
  `^(?:从|自|在|到|至|直到|(?:from|until|till|before|after|since|in|by|up to|through|during|as of|starting|beginning)(?: with| in)? )?(?:${range}|${place})`,
  'iu',
);
/** A line says when in one or two places; more are not meant. */
const mostPeels = 4;
const eachPlace = new RegExp(
  `(${englishUnit})\\s*#?(${number})|(卷)\\s*(${number})|第\\s*(${number})\\s*(${chineseUnit})?|(?<=${joint}\\s*)(${number})\\s*(${chineseUnit})?`,
  'giu',
);

export function readFactLines(text: string, numbering: StoryNumbering = noNumbering): FactLines {
  const description: string[] = [];
  const facts: Fact[] = [];
  const secrets: Secret[] = [];
  const unclear: number[] = [];
  const places = { description: [] as number[], facts: [] as number[][], secrets: [] as number[][] };
  let at = 0;
  /** A dated line whose words may go on below it: deeper, under its heading, or as a list. */
  let open: { depth: number; leads: boolean; keep: (words: string, goesOn: boolean) => void } | undefined;
  const keeper = (when: When | 'unclear') => {
    let last: { text: string; from?: number; until?: number } | undefined;
    let lines: number[] = [];
    return (words: string, goesOn: boolean) => {
      if (when === 'unclear' || words === '') return;
      if (goesOn && last !== undefined) {
        last.text += ` ${words}`;
        lines.push(at);
        return;
      }
      const { hiddenUntil, from, until } = when;
      lines = [at];
      (hiddenUntil === undefined ? places.facts : places.secrets).push(lines);
      if (hiddenUntil === undefined) {
        last = {
          text: words,
          ...(from === undefined ? {} : { from }),
          ...(until === undefined ? {} : { until }),
        };
        facts.push(last);
      } else {
        last = { text: words };
        secrets.push(Object.assign(last, { hiddenUntil: Math.max(hiddenUntil, from ?? 1) }));
      }
    };
  };
  text.split('\n').forEach((line, index) => {
    const { depth, bullet, heading, words } = shapeOf(line);
    at = index + 1;
    if (words === '') return;
    const reading = readLine(words, numbering, heading);
    if (reading !== undefined) {
      if (reading.when === 'unclear') unclear.push(at);
      const keep = keeper(reading.when);
      keep(reading.text, false);
      open = { depth: heading ? -1 : depth, leads: reading.text === '' && !bullet, keep };
    } else if (
      open !== undefined &&
      !heading &&
      (depth > open.depth || (open.leads && bullet && depth === open.depth))
    ) {
      open.keep(words, !bullet && open.depth >= 0);
    } else {
      open = undefined;
      description.push(line.trim());
      places.description.push(at);
    }
  });
  return { description: description.join('\n').trim(), facts, secrets, unclear, places };
}

interface LineShape {
  readonly depth: number;
  readonly bullet: boolean;
  readonly heading: boolean;
  readonly words: string;
}

function shapeOf(line: string): LineShape {
  const [, blanks = '', heading, bullet, rest = ''] =
    /^([ \t\u3000]*)(#{1,6}[ \t]+)?((?:[-*+•]|[0-9]{1,3}[.、)])[ \t]*(?![*_]))?(.*?)\s*$/u.exec(line) ?? [];
  const depth = blanks.replaceAll('\t', '    ').length;
  return {
    depth,
    bullet: bullet !== undefined,
    heading: heading !== undefined,
    words: rest.replace(/\*\*|__/gu, '').trim(),
  };
}

/** Undefined: it says nothing about time. */
function readLine(words: string, numbering: StoryNumbering, isHeading: boolean): Reading | undefined {
  let when: When | undefined;
  let rest = words;
  for (let peels = 0; peels < mostPeels; peels += 1) {
    const peeled = peel(rest, numbering, isHeading && peels === 0);
    if (peeled === undefined) break;
    if (peeled.when === 'unclear') return { when: 'unclear', text: '' };
    when = joined(when ?? {}, peeled.when);
    rest = peeled.text;
  }
  const folded = folding(rest);
  const beginsDated = opening.test(folded) && (isHeading || folded.includes(':'));
  const speaksOfSecret = secretWord.test(folded) && anyPlace.test(folded);
  if (beginsDated || speaksOfSecret || (when !== undefined && !isSound(when)))
    return { when: 'unclear', text: '' };
  return when === undefined ? undefined : { when, text: rest };
}

/** Takes off what is said about time in one place: brackets first or last, before a colon or comma, alone in a heading. */
function peel(words: string, numbering: StoryNumbering, isHeading: boolean): Reading | undefined {
  const folded = folding(words);
  const heads: (readonly [head: string, rest: string])[] = [];
  const before = /^[([【〔]([^()[\]【】〔〕]{2,60})[)\]】〕]\s*:?/u.exec(folded);
  if (before !== null) heads.push([before[1]!, words.slice(before[0].length)]);
  const behind = /[([【〔]([^()[\]【】〔〕]{2,60})[)\]】〕]([.。!?;]*)$/u.exec(folded);
  if (behind !== null && behind.index > 0)
    heads.push([behind[1]!, words.slice(0, behind.index).trimEnd() + behind[2]!]);
  const colon = folded.indexOf(':');
  if (colon > 0 && colon <= 80) heads.push([folded.slice(0, colon), words.slice(colon + 1)]);
  // The longest head first, so that nothing about time stays behind.
  const commas = opening.test(folded) ? [...folded.slice(0, 80).matchAll(/[,，]/gu)].reverse() : [];
  for (const { index } of commas) heads.push([folded.slice(0, index), words.slice(index + 1)]);
  if (isHeading) heads.push([folded, '']);
  for (const [head, rest] of heads) {
    const when = readWhen(head, numbering);
    if (when !== undefined) return { when, text: rest.replace(/^[\s:：]+/u, '').trim() };
  }
  return undefined;
}

function readWhen(head: string, numbering: StoryNumbering): When | 'unclear' | undefined {
  let all: When = {};
  let secret = false;
  for (const part of head.split(/[,，;；、]|\band\b(?= (?:secret|hidden|until|revealed))/iu)) {
    const said = part
      .replace(/[()[\]【】〔〕]/gu, ' ')
      .trim()
      .replace(/\s+/gu, ' ');
    const saying = sayings.find(([pattern]) => pattern.test(said));
    if (saying === undefined && !secretAlone.test(said)) return undefined;
    secret ||= saying === undefined;
    if (saying === undefined) continue;
    const spans = spansOf(said, numbering);
    if (spans === undefined) return 'unclear';
    all = joined(all, saying[1](spans[0]!, spans.at(-1)!));
  }
  if (secret && all.hiddenUntil === undefined)
    return all.from === undefined && all.until === undefined ? undefined : 'unclear';
  return all;
}

function joined(one: When, other: When): When {
  const most = (pick: 'from' | 'hiddenUntil') => Math.max(one[pick] ?? 0, other[pick] ?? 0);
  const until = Math.min(one.until ?? Infinity, other.until ?? Infinity);
  return {
    ...(one.from === undefined && other.from === undefined ? {} : { from: most('from') }),
    ...(until === Infinity ? {} : { until }),
    ...(one.hiddenUntil === undefined && other.hiddenUntil === undefined
      ? {}
      : { hiddenUntil: most('hiddenUntil') }),
  };
}

/** What ends before it begins, or is secret and ends, could never be told. */
function isSound({ from = 1, until, hiddenUntil = 1 }: When): boolean {
  return (
    from >= 1 &&
    hiddenUntil >= 1 &&
    (until === undefined || (hiddenUntil === 1 && from <= until && until >= 1))
  );
}

function spansOf(said: string, numbering: StoryNumbering): readonly ChapterSpan[] | undefined {
  const found = Array.from(
    said.matchAll(eachPlace),
    ([, english, one, volume, two, three, chinese, four, last]) => ({
      unit: english ?? volume ?? chinese ?? last,
      digits: one ?? two ?? three ?? four ?? '',
    }),
  );
  const unit = found.map((each) => each.unit).findLast((each) => each !== undefined) ?? '';
  const spans = found.map(({ digits }) => spanOf(unit, digits, numbering));
  return spans.length > 0 && spans.every((span) => span !== undefined) ? spans : undefined;
}

/** Full-width signs and digits as narrow ones; every unit stays in its place. */
function folding(text: string): string {
  return text
    .replace(/[！-～]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u3000\u00a0]/gu, ' ');
}
