// Do two clauses say the same? "X is Y" by its two sides, anything else by its words in order, active or passive; what denies,
// doubts or belongs to someone else takes it back.
import type { StoryWord } from './story-words.js';

export type Words = readonly StoryWord[];

export interface ToldPlace {
  readonly start: number;
  readonly end: number;
}

const afterTold = /^的(?:事|消息|真相|秘密|身份|那|时候|原因|理由|经过|证据|$|[，。！？；])/u;
/** 警方派来的: others act in it, but nothing is doubted. */
const sending = /^[让派命劝求请]$/u;

/** 他死了, he fled: so little fits anyone, unless the name stands there. */
export function isThin(secret: Words): boolean {
  const is = secret.findIndex(({ key }) => key === '=');
  const words = secret.filter(({ key }) => !isSign(key) && !key.startsWith('@'));
  const weight = words.reduce((sum, { key }) => sum + (/\p{sc=Han}/u.test(key) ? key.length : 2), 0);
  return secret.some(({ key }) => key.startsWith('@')) && weight < (is < 0 ? 3 : 2);
}

/** X is Y, Y is X: both sides, the second without anything behind it. */
export function copular(secret: Words, words: Words, text: string): ToldPlace | undefined {
  const [subject, what] = sides(
    secret,
    secret.findIndex(({ key }) => key === '='),
  );
  if (subject.length === 0 || what.length === 0) return undefined;
  for (const [index, { key }] of words.entries()) {
    if (key !== '=') continue;
    const [left, right] = sides(words, index);
    for (const who of swapped(subject)) {
      const [one, other] = [ending(who, left, text), beginning(what, right, text)];
      if (one !== undefined && other !== undefined) return around([one, other]);
      const whatFirst = ending(what, left, text);
      const isWho = right.length === who.length && matches(who, right);
      if (whatFirst !== undefined && isWho) return around([whatFirst, ...right]);
    }
  }
  return undefined;
}

function sides(words: Words, at: number): readonly [Words, Words] {
  return [words.slice(0, at), words.slice(at + 1)];
}

/** A and B, B and A. */
function swapped(words: Words): readonly Words[] {
  const at = words.findIndex(({ key }) => key === '&');
  return at < 0 ? [words] : [words, [...words.slice(at + 1), words[at]!, ...words.slice(0, at)]];
}

/** The wanted words end this side, and nothing before them takes them back. */
function ending(wanted: Words, side: Words, text: string): ToldPlace | undefined {
  const span = spanIn(wanted, side);
  if (span === undefined || span.last !== side.length - 1) return undefined;
  if (!isStated(side.slice(0, span.first))) return undefined;
  const before = side[span.first - 1];
  const follows =
    before === undefined || isLoose(text.slice(before.end, side[span.first]!.start)) || before.states;
  return follows ? placeIn(side, span) : undefined;
}

/** The wanted words stand on this side behind what only describes them. */
function beginning(wanted: Words, side: Words, text: string): ToldPlace | undefined {
  const span = spanIn(wanted, side);
  if (span === undefined) return undefined;
  const describing = side.slice(0, span.first);
  if (describing.some(({ key, doubts }) => isSign(key) || (doubts && !sending.test(key)))) return undefined;
  if (describing.length > 0 && !isLoose(text.slice(describing[0]!.start, side[span.first]!.start)))
    return undefined;
  return endsWell(side, span.last, text) ? placeIn(side, span) : undefined;
}

/** What may stand before a noun: 警方派来的, the rightful. */
function isLoose(between: string): boolean {
  if (/\p{sc=Han}/u.test(between)) return /的[一那这]?[个位名]?$/u.test(between) && between.length <= 12;
  return (
    !/\b(?:for|of|to|by|with|from|about|after|near|like|than|and)\b|\w+ing\b|'s\b/iu.test(between) &&
    between.length <= 24
  );
}

function endsWell(words: Words, last: number, text: string): boolean {
  const { end } = words[last]!;
  const next = words[last + 1];
  if (/^的/u.test(text.slice(end))) return next === undefined || afterTold.test(text.slice(end, end + 4));
  return next === undefined || !/^\p{sc=Han}/u.test(text.slice(end)) || next.states;
}

export function plainly(secret: Words, words: Words, text: string): ToldPlace | undefined {
  const readings = readingsOf(words);
  for (const wanted of readingsOf(secret)) {
    for (const reading of readings) {
      const span = spanIn(wanted, reading);
      if (span === undefined || !isStated(reading.slice(0, span.first))) continue;
      const last = reading[span.last]!;
      if (/^的/u.test(text.slice(last.end)) && !endsWell(reading, span.last, text)) continue;
      return around(reading.slice(span.first, span.last + 1));
    }
  }
  return freely(secret, words);
}

/** A statement about no one in particular may be turned around altogether: in the well lies the book. */
function freely(secret: Words, words: Words): ToldPlace | undefined {
  const wanted = secret.filter(({ key }) => !isSign(key) || key === '!');
  if (wanted.length < 4 || secret.some(({ key }) => key.startsWith('@'))) return undefined;
  const rest = words.filter(({ key }) => !isSign(key) || key === '!');
  const left = [...rest];
  for (const { key } of wanted) {
    const at = left.findIndex((word) => word.key === key);
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  const surplus = left.some(({ key, doubts }) => doubts || key === '!') || left.length * 2 > wanted.length;
  return surplus ? undefined : around(rest);
}

/** Active and passive, with and without 把, straight and with "is" in the middle. */
function readingsOf(words: Words): readonly Words[] {
  const bare = words.filter(({ key }) => key !== '=');
  const readings: Words[] = [bare];
  const is = words.findIndex(({ key }) => key === '=');
  if (is > 0) readings.push([...words.slice(is + 1), ...words.slice(0, is)].filter(({ key }) => key !== '='));
  const by = words.findIndex(({ key }) => key === 'by');
  if (is > 0 && by > is) {
    const [object, verb, agent] = [words.slice(0, is), words.slice(is + 1, by), words.slice(by + 1)];
    readings.push(
      [...agent, ...verb, ...object],
      [...agent, ...verb.slice(0, 1), ...object, ...verb.slice(1)],
    );
  }
  const passive = bare.findIndex(({ key }) => key === '<');
  if (passive >= 0) readings.push([...bare.slice(passive + 1), ...bare.slice(0, passive)]);
  const taking = bare.findIndex(({ key }) => key === '>');
  if (taking >= 0) {
    const [who, rest] = sides(bare, taking);
    for (let at = 1; at < rest.length; at += 1)
      readings.push([...who, ...rest.slice(at), ...rest.slice(0, at)]);
  }
  return readings;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/** The wanted words in their order, with little between them and nothing that turns them around. */
function spanIn(wanted: Words, words: Words): Span | undefined {
  const most = isThin(wanted) ? 0 : Math.max(2, wanted.length * 0.4);
  for (let first = 0; first + wanted.length <= words.length; first += 1) {
    let at = first;
    let extra = 0;
    let index = 0;
    for (; index < wanted.length && at < words.length; at += 1) {
      if (isSame(wanted, index, words, at)) index += 1;
      else if (index === 0) break;
      else {
        const word = words[at]!;
        if (isSign(word.key) || word.doubts || word.names) break;
        extra += /\p{sc=Han}/u.test(word.key) ? 0.5 : 1;
        if (extra > (index === 1 && wanted[0]!.key.startsWith('@') ? Math.min(1, most) : most)) break;
      }
    }
    if (index === wanted.length) return { first, last: at - 1 };
  }
  return undefined;
}

function matches(wanted: Words, words: Words): boolean {
  return wanted.every((_, index) => isSame(wanted, index, words, index));
}

function isSame(wanted: Words, index: number, words: Words, at: number): boolean {
  const [one, other] = [wanted[index]!.key, words[at]!.key];
  if (one === other) return true;
  // 苏晚手里 and 苏晚的手里: what is theirs follows at once.
  const isOwner = one.startsWith('@') && other.startsWith('@');
  return isOwner && wanted[index + 1] !== undefined && wanted[index + 1]?.key === words[at + 1]?.key;
}

/** Nothing before it denies or doubts it; what is known or said is stated even if no one knew. */
function isStated(before: Words): boolean {
  const since = before.findLastIndex(({ states }) => states);
  return !before.some(({ key, doubts }, index) => doubts || (key === '!' && index > since));
}

export function isSign(key: string): boolean {
  return /^(?:[=!<>&]|by)$/u.test(key);
}

function placeIn(words: Words, { first, last }: Span): ToldPlace {
  return around(words.slice(first, last + 1));
}

export function around(places: readonly ToldPlace[]): ToldPlace {
  return {
    start: Math.min(...places.map(({ start }) => start)),
    end: Math.max(...places.map(({ end }) => end)),
  };
}
