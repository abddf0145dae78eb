// Who is named in this text? A dictionary of names in one automaton: each code point is read once, the longest name wins,
// left to right; names in spaced scripts match whole words only, short Chinese ones not inside other words.
import type { NamedEntity } from './entity.js';
import { foldCodePoint, isSpacedLetter } from './story-words.js';

const maxNameLength = 100;

interface EntityMatch {
  readonly entityId: string;
  /** Code points, half-open. */
  readonly start: number;
  readonly end: number;
  readonly surface: string;
}

export interface EntityMatcher {
  /** In text order; entities that share a name give one match each, in the order given. */
  find(text: string): readonly EntityMatch[];
}

interface State {
  readonly next: Map<string, State>;
  readonly depth: number;
  ids: string[];
  wordStart: boolean;
  wordEnd: boolean;
  fail: State | undefined;
  /** The nearest state on the fail chain that ends a name. */
  shorter: State | undefined;
}

export function createEntityMatcher(entities: readonly NamedEntity[]): EntityMatcher {
  const root = newState(0);
  for (const entity of entities) {
    for (const name of [entity.name, ...(entity.aliases ?? [])]) addName(root, entity.id, name);
  }
  linkStates(root);
  return { find: (text) => findNames(root, [...text]) };
}

function newState(depth: number): State {
  return {
    next: new Map(),
    depth,
    ids: [],
    wordStart: false,
    wordEnd: false,
    fail: undefined,
    shorter: undefined,
  };
}

function addName(root: State, id: string, name: string): void {
  const points = [...name.normalize('NFC').trim()].map(foldCodePoint);
  if (points.length === 0 || points.length > maxNameLength) return;
  let state = root;
  for (const point of points) {
    let next = state.next.get(point);
    if (next === undefined) {
      next = newState(state.depth + 1);
      state.next.set(point, next);
    }
    state = next;
  }
  if (!state.ids.includes(id)) state.ids.push(id);
  state.wordStart = isSpacedLetter(points[0]);
  state.wordEnd = isSpacedLetter(points.at(-1));
}

function linkStates(root: State): void {
  const queue: State[] = [root];
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head]!;
    for (const [point, child] of state.next) {
      let fallback = state.fail;
      while (fallback !== undefined && !fallback.next.has(point)) fallback = fallback.fail;
      child.fail = fallback?.next.get(point) ?? root;
      child.shorter = child.fail.ids.length > 0 ? child.fail : child.fail.shorter;
      queue.push(child);
    }
  }
}

function findNames(root: State, points: readonly string[]): readonly EntityMatch[] {
  const longest = new Map<number, State>();
  let state = root;
  for (let index = 0; index < points.length; index += 1) {
    const point = foldCodePoint(points[index]!);
    while (state !== root && !state.next.has(point)) state = state.fail!;
    state = state.next.get(point) ?? root;
    let ending = state.ids.length > 0 ? state : state.shorter;
    for (; ending !== undefined; ending = ending.shorter) {
      const start = index + 1 - ending.depth;
      const cutsWord =
        (ending.wordStart && isSpacedLetter(points[start - 1])) ||
        (ending.wordEnd && isSpacedLetter(points[index + 1]));
      // Ends come in rising order, so a later entry for one start is the longer name.
      if (!cutsWord && isChineseName(points, start, index + 1)) longest.set(start, ending);
    }
  }
  const matches: EntityMatch[] = [];
  let free = 0;
  for (const start of [...longest.keys()].sort((left, right) => left - right)) {
    if (start < free) continue;
    const { ids, depth } = longest.get(start)!;
    free = start + depth;
    const surface = points.slice(start, free).join('');
    for (const entityId of ids) matches.push({ entityId, start, end: free, surface });
  }
  return matches;
}

// Is this a name, or a part of other words? 林远 in 森林远处 and 安 in 安静 are none. A short Chinese name that other words could
// hold needs a sign beside it: a mark, or one of the characters that stand beside people.
const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('zh', { granularity: 'word' }) : undefined;
const han = /^\p{sc=Han}$/u;

/** Before someone: prepositions, verbs that take people, and what ends a phrase. */
const before = new Set([
  ...'的和与跟同及对向给把被让叫是在看着见问找等替为由从于到说道喊唤骂请求劝带领送教请告诉知了只有连就才而但故当因若如且及或比像似瞒陪帮救杀打抱拉扶推望盯瞧听',
]);
/** These always stand apart. */
const joining = new Set([...'和与跟同及对向给把被让叫']);
/** Behind someone: particles, adverbs and what people do. */
const behind = new Set([
  ...'的和与跟同及说道问笑答喊叫骂叹想看听走来去站坐推拉拿哭点摇抬低转跑停伸抓放打吃喝睡醒皱咬握抱跪躺没不也都又就才便却还已正在是把被给对向从将忽突终沉默一二三四五几两接付合摘蹲数牵掐勒咳知觉感要会能可肯敢该应先再只最更从未曾刚始开始跟着吗呢吧啊家氏',
]);
/** Before a word that describes or is counted: 很高明, 下着小雨. */
const describing = /(?:很|太|更|最|真|极|挺|颇|不|下着|下起|飘起|一块|一片|几片|些)$/u;
/** Words of every day that people are also called. */
const everyday = new Set(
  '石头 叶子 小雨 文静 高明 方正 周到 张开 常青 和平 安静 安宁 安心 平安 明月 明白 春天 秋天 小雪 大雪 白雪 白云 青山 江山 江河 长江 天明 天亮 光明 高兴 开心 快乐 温柔 温和 善良 勇敢 聪明 美丽 可爱 清楚 自然 成功 成就 胜利 建设 文化 文明 文章 正直 正义 公平 公正 方向 方圆 白天 黑夜 星星 月亮 太阳 流星 木头 豆子 柱子 锁子 栓子 狗子 虎子 果子 竹子 树根 树苗 冬瓜 土豆 馒头 元宝 铁蛋 丫头 妞妞 年年 小草 花花 小花 小鱼 小鸟 小马 小龙 常在 常来 时来 马上 马路 马车 向前 向阳 朝阳 夕阳 夏天 夏夜'.split(
    ' ',
  ),
);

function isChineseName(points: readonly string[], start: number, end: number): boolean {
  const length = end - start;
  if (length > 2 || !han.test(points[start]!) || !han.test(points[end - 1]!)) return true;
  const left = points[start - 1];
  const right = points[end];
  return length === 1
    ? isSingle(left, points[start]!, points.slice(end, end + 2))
    : isPair(points, start, left, right);
}

function isSingle(left: string | undefined, name: string, after: readonly string[]): boolean {
  const right = after[0];
  const leftFree = isBorder(left) || before.has(left!);
  const rightFree = isBorder(right) || behind.has(right!);
  if (!leftFree || !rightFree) return false;
  if (!isBorder(left) && !joining.has(left!) && isWord(left! + name)) return false;
  // 安说, 江道: what follows a person wins over a rare word.
  return isBorder(right) || /[说道问笑的和与家氏]/u.test(right!) || !isWord(name + right!);
}

function isPair(
  points: readonly string[],
  start: number,
  left: string | undefined,
  right: string | undefined,
): boolean {
  const [first, second] = [points[start]!, points[start + 1]!];
  const follows = isBorder(right) || behind.has(right!);
  if (!isBorder(left) && !before.has(left!) && !follows && isWord(left! + first)) return false;
  if (describing.test(points.slice(Math.max(0, start - 2), start).join(''))) return !isWord(first + second);
  if (!everyday.has(first + second)) return true;
  return isBorder(left) ? follows : before.has(left!) && follows;
}

function isBorder(point: string | undefined): boolean {
  return point === undefined || !/[\p{L}\p{N}]/u.test(point) || isSpacedLetter(point);
}

const known = new Map<string, boolean>();
const mostKnown = 20_000;

/** Whether the platform's dictionary holds these two characters as one word. */
function isWord(pair: string): boolean {
  if (segmenter === undefined) return false;
  let answer = known.get(pair);
  if (answer === undefined) {
    if (known.size >= mostKnown) known.clear();
    answer = [...segmenter.segment(pair)].length === 1;
    known.set(pair, answer);
  }
  return answer;
}
