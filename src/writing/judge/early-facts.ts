// Does a constraint keep something back until a chapter?
import { numeral, readNumeral } from '../documents/numerals.js';
import { type StoryEntity, type StoryFact, secretsAt } from '../entities/entity.js';
import { findTold, prepareSecret } from '../entities/secrets.js';
import type { DeclaredCheck, Hit, RuleOf } from './check.js';
import { quotedTerms } from './constraint-wording.js';
import { narrationOf } from './narration.js';
import { findWord, type WordPlace, withoutArticle } from './words.js';

const chapterBound = new RegExp(
  `在?(?:第(${numeral})章)(?:之前|以前|前)|直到第(${numeral})章|\\b(?:before|until|prior to) (?:chapter|ch\\.?) ?(${numeral})`,
  'iu',
);
const unknowing =
  /(?:还|并|都|尚|仍)?(?:不知道|不知晓|不知情|不知|不能知道|不得知道|不可知道|不应知道|不会知道|不该知道|不了解|不明白|不能发现|不得发现|不能得知|不得得知|才(?:会|能)?(?:知道|得知|发现|明白|知晓|了解))|\b(?:does not|doesn['’]t|do not|don['’]t|must not|cannot|can['’]t|should not|may not|only|will not|won['’]t) (?:know|learn|find out|discover|realize|understand)s?(?: about| of| that)?|\bis unaware (?:of|that)|\blearns?\b/iu;
const telling =
  /(?:提到|提及|出现|透露|揭示|揭露|泄露|泄漏|说出|暴露|写到|提起|点破|公开)|\b(?:mention(?:ed)?|reveal(?:ed)?|appear|show|name|introduce|disclose|use|tell)\b/iu;
const protagonist = /^(?:主角|男主角?|女主角?|主人公|the (?:protagonist|hero|heroine|main character))$/iu;

export function readEarlyFact(wording: string): DeclaredCheck | undefined {
  const bound = chapterBound.exec(wording);
  const number = bound?.[1] ?? bound?.[2] ?? bound?.[3];
  const chapter = number === undefined ? undefined : readNumeral(number);
  if (bound === null || chapter === undefined || chapter < 1) return undefined;
  const rest = tidy(wording.replace(bound[0], ' '));
  const unknown = unknowing.exec(rest);
  const quotedWords = quotedTerms(rest).map((term) => withoutArticle(term.text));
  if (unknown !== null) return knownBy(rest, unknown, chapter);
  const tell = telling.exec(rest);
  if (tell === null) return undefined;
  if (quotedWords.length > 0) return { kind: 'early-fact', chapter, keywords: quotedWords };
  const object = objectOf(rest.slice(tell.index + tell[0].length));
  return object === undefined ? undefined : { kind: 'early-fact', chapter, keywords: [object] };
}

function knownBy(rest: string, unknown: RegExpExecArray, chapter: number): DeclaredCheck | undefined {
  const known = objectOf(rest.slice(unknown.index + unknown[0].length));
  if (known === undefined) return undefined;
  const knower = tidy(rest.slice(0, unknown.index)).replace(/(?:一直|始终|都|还|仍|绝对|必须)$/u, '');
  const isName =
    knower !== '' && !protagonist.test(knower) && /^(?:\p{sc=Han}{1,6}|[\p{L} '’-]{1,40})$/u.test(knower);
  return { kind: 'early-fact', chapter, known, ...(isName ? { knower } : {}) };
}

function objectOf(text: string): string | undefined {
  const phrase = tidy(text.replace(/[“”「」『』"]/gu, ''))
    .split(/[，。；,.;\n]/u)[0]!
    .trim();
  const object = withoutArticle(phrase.replace(/的(?:存在|事|事情|消息|秘密)$/u, ''));
  return object === '' || object.length > 60 ? undefined : object;
}

function tidy(text: string): string {
  return text.replace(/^[\s，,、：:。.]+|[\s，,、：:。.]+$/gu, '').replace(/\s+/gu, ' ');
}

// Does a text tell something before its chapter? A keyword must not be mentioned; a fact must not be known by its knower:
// denied, wished for, supposed, asked for or known by someone else is fine.
interface ChapterContext {
  readonly chapter?: number | undefined;
  readonly protagonist?: string | undefined;
  readonly entities: readonly StoryEntity[];
}

export function findEarlyFacts(
  text: string,
  rule: RuleOf<'early-fact'>,
  context: ChapterContext,
): readonly Hit[] {
  const { chapter } = context;
  if (chapter === undefined) return [];
  const hits: Hit[] = [];
  if (rule.chapter !== undefined && chapter < rule.chapter) {
    const places = rule.keywords.flatMap((keyword) => findWord(text, keyword));
    const known = rule.known === undefined ? [] : findKnown(text, rule, context);
    hits.push(...[...places, ...known].map((place) => ({ ...place, message: early(rule.chapter!) })));
  }
  if (rule.secrets) {
    const meant = context.entities.filter(({ id }) => rule.entityId === undefined || id === rule.entityId);
    for (const entity of meant) {
      for (const fact of secretsAt(entity, chapter)) {
        hits.push(
          ...toldPlaces(text, fact, entity).map((place) => ({ ...place, message: early(fact.secretUntil!) })),
        );
      }
    }
  }
  return hits;
}

function toldPlaces(
  text: string,
  fact: StoryFact,
  { name, aliases = [] }: StoryEntity,
): readonly WordPlace[] {
  if (fact.keywords !== undefined) return fact.keywords.flatMap((word) => findWord(text, word));
  return findTold(text, prepareSecret({ text: fact.text, names: [name, ...aliases] }));
}

function early(chapter: number): Hit['message'] {
  return { zh: `第${chapter}章之前不应出现。`, en: `Must not appear before chapter ${chapter}.` };
}

const knowing =
  /(?:知道|知晓|得知|获知|获悉|明白|发现|查明|查清|查出|了解|看清|看穿|弄清|弄懂|搞清|清楚|揭开|识破|察觉|意识到|洞悉|猜出|猜到|认出|想通|确认|掌握|听说|知)(?:了|到|过|出)*|\b(?:knew|knows|known|learned|learnt|learns|understood|understands|discovered|discovers|realized|realised|realizes|found out|finds out|uncovered|grasped|guessed)\b/giu;
const coming = /(?:大白|浮出水面|水落石出|揭晓|摆在(?:他|她|我)?(?:的)?面前)/u;
const unreal =
  /不|没|未|无|别|莫|谁|想要?|要|希望|渴望|如果|若|假如|倘若|要是|能否|是否|会不会|会|将|怎么|何时|总有一天|终有一天|迟早|早晚|试图|为了|必须|打算|决心|除非|等到|以为|难道|以免|[?？]|吗|\b(?:not|never|no|nobody|none|if|would|could|should|might|may|will|want(?:ed|s)?|wish(?:ed|es)?|hop(?:ed|es)|until|unless|before|whether|when|once|nothing|little|hardly|barely|without|n't)\b|n['’]t\b/iu;
/** Near the fact, but not the fact itself. */
const beside = /离|近|往|线索|一丝|一点|部分|碎片|\b(?:part|hint|half|clue)\b/iu;
const goesOn = /^(?:意味|背后|未必|可能|会|需要|更|往往|也许|总|远)/u;
const adverbs =
  /(?:终于|早已|早就|已经|已|才|这才|忽然|突然|全都|都|也|完全|彻底|慢慢|渐渐|一下子|此刻|现在|如今|此时|其实|果然|分明|总算|很快|立刻|马上|当然|隐约|似乎|好像|便|就|又|在那一刻|那一刻|至此|从此|finally|at last|already|now|then|suddenly|soon|had|has|have|at once|by then|also|fully|slowly)\s*$/iu;
const pronoun = /(?:他|她|我|自己|he|she|i)$/iu;
const clauseBorder = /[，。！？；：、\n\ue000,.!?;:—…]/u;
const surnameLike = /^[\p{sc=Han}]{2,3}$/u;
const commonPeople = /[人家管师父母爹娘爸妈官警众敌手民兵者医友客们谁神鬼王帝]/u;

function findKnown(text: string, rule: RuleOf<'early-fact'>, context: ChapterContext): readonly WordPlace[] {
  const narration = narrationOf(text);
  const knowers = knowerNames(rule, context);
  return findWord(narration, rule.known!).flatMap((object) => {
    let clauseStart = borderBefore(narration, object.start);
    // 他终于明白，这就是真相: the comma parts nothing.
    if (/^(?:这|那)[就才便]?是/u.test(narration.slice(clauseStart, object.start)))
      clauseStart = borderBefore(narration, clauseStart - 1);
    const before = narration.slice(clauseStart, object.start);
    const sentence = narration.slice(
      sentenceStart(narration, object.start),
      sentenceEnd(narration, object.end),
    );
    if (/[?？]|吗/u.test(sentence)) return [];
    const after = narration.slice(object.end, object.end + 12);
    if (coming.test(/^[^，。！？]{0,8}/u.exec(after)?.[0] ?? '') && !unreal.test(before)) {
      return [{ start: clauseStart, end: object.end }];
    }
    if (isTold(before, narration.slice(object.end, object.end + 40), knowers))
      return [{ start: clauseStart, end: object.end }];
    const verb = [...before.matchAll(knowing)].at(-1);
    if (verb === undefined) return [];
    const link = before.slice(verb.index + verb[0].length);
    const lead = before.slice(0, verb.index);
    if (link.length > 12 || unreal.test(lead) || unreal.test(link) || beside.test(link) || goesOn.test(after))
      return [];
    if (conditionalBefore(narration, clauseStart)) return [];
    return isKnower(lead, knowers) ? [{ start: clauseStart, end: object.end }] : [];
  });
}

const toldAfter = /^(?:全|都|全都|原原本本地?)?(?:告诉|讲给|说给|透露给)了?/u;
const toldBefore =
  /(?:告诉|告知)了?([\p{sc=Han}]{1,4}?)(?:了|的|这个|一切|事情的)?$|\btold ([\p{L}]+)(?: (?:all|about|the|that|of|whole))*\s*$/iu;

function isTold(before: string, after: string, knowers: readonly string[] | undefined): boolean {
  if (unreal.test(before)) return false;
  const mark = toldAfter.exec(after)?.[0];
  const hearer =
    mark === undefined
      ? (toldBefore
          .exec(before)
          ?.slice(1)
          .find((part) => part !== undefined) ?? '')
      : after.slice(mark.length);
  return (knowers ?? [])
    .concat('他', '她', '我', 'him', 'her', 'me')
    .some((name) => hearer.toLowerCase().startsWith(name.toLowerCase()) && name !== '');
}

function isKnower(lead: string, knowers: readonly string[] | undefined): boolean {
  let subject = lead.trim();
  for (
    let shorter = subject.replace(adverbs, '').trim();
    shorter !== subject;
    shorter = shorter.replace(adverbs, '').trim()
  ) {
    subject = shorter;
  }
  if (subject === '' || pronoun.test(subject)) return true;
  if (knowers !== undefined)
    return knowers.some((name) => subject.toLowerCase().endsWith(name.toLowerCase()));
  return (surnameLike.test(subject) && !commonPeople.test(subject)) || /^\p{Lu}\p{Ll}+$/u.test(subject);
}

function knowerNames(rule: RuleOf<'early-fact'>, context: ChapterContext): readonly string[] | undefined {
  const stated = rule.knower ?? context.protagonist;
  const entity = context.entities.find(({ id, name, role }) =>
    stated === undefined ? role === 'protagonist' : id === stated || name === stated,
  );
  if (entity !== undefined) return [entity.name, ...(entity.aliases ?? [])];
  return stated === undefined ? undefined : [stated];
}

function conditionalBefore(text: string, clauseStart: number): boolean {
  return /(?:如果|若|假如|倘若|要是|总有一天|终有一天|除非|直到|\bif|\bsomeday|\bone day)[^。！？.!?\n]*$/iu.test(
    text.slice(Math.max(sentenceStart(text, clauseStart), clauseStart - 200), clauseStart),
  );
}

function borderBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && !clauseBorder.test(text[start - 1]!)) start -= 1;
  while (start < at && /\s/.test(text[start]!)) start += 1;
  return start;
}

function sentenceStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !/[。！？.!?\n\ue000]/u.test(text[start - 1]!)) start -= 1;
  return start;
}

function sentenceEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !/[。！？.!?\n\ue000]/u.test(text[end]!)) end += 1;
  return Math.min(text.length, end + 1);
}
