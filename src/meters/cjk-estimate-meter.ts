// A token estimate without a tokenizer, for when one fails or is too slow: it follows the shape of pre-tokens (words,
// numbers, signs, white space) and charges scripts by the character. Weights are hundredths of a token, calibrated
// so that realistic text never weighs less than in o200k_base.
import type { Meter } from '../core/model/meter.js';
import { digit, lower, newline, space, unitClasses, upper } from './bpe/character-class.js';

// A run costs its start and less than a start for each further unit, so runs cost no more joined than apart.
const word = 130;
const lettersInWord = 4;
const furtherLetter = 20;
const furtherCapital = 32;
/** A word that leans on a letter or digit before it: camel case, base64, hashes. */
const gluedWord = 55;
const digitGroup = 100;
const sign = 115;
const furtherSign = 45;
const blank = 115;
const furtherBlank = 8;

const commonHanWeight = 100;
const otherHanWeight = 200;
const scripts: readonly (readonly [from: number, to: number, weight: number])[] = [
  [0x80, 0x24f, 110],
  [0x250, 0x7ff, 52],
  [0x800, 0xffff, 125],
  [0x3000, 0x303f, 120],
  [0x3040, 0x30ff, 80],
  [0xac00, 0xd7a3, 85],
  [0xd800, 0xdfff, 130],
];
let weightsOfScripts: Uint8Array | undefined;

// What a unit is to this meter: letters and signs are ASCII, what lies above is charged by its script.
const [small, capital, asciiSign, number, script, gap, lineEnd] = [0, 1, 2, 3, 4, 5, 6] as const;
let kindsOfUnits: Uint8Array | undefined;

const behind = 0xffff;
/** Below this length a text is read sooner than copied. */
const shortText = 48;
const firstScratch = 1 << 14;
const maxScratch = 1 << 20;
let scratch = new Uint16Array(firstScratch);

export const cjkEstimateMeter: Meter = {
  id: 'cjk-estimate',
  unit: 'tokens',
  exact: false,
  scale: 100,
  weigh,
  seam(left, right) {
    const classes = unitClasses();
    const before = left.charCodeAt(left.length - 1);
    const after = right.charCodeAt(0);
    if (left === '' || right === '') return 0;
    if (classes[after] === digit) return classes[before] === space ? blank : 0;
    return isAsciiLetter(after, classes[after]!) && leansOn(before, classes[before]!) ? gluedWord : 0;
  },
};

function weigh(text: string): number {
  const { length } = text;
  return weighUnits(unitsOf(text), length);
}

/** The units of a text where reading them is cheap; one that is neither blank nor digit stands behind the last. */
function unitsOf(text: string): Uint16Array {
  const { length } = text;
  if (length >= scratch.length) scratch = new Uint16Array(2 * length);
  const units = scratch;
  if (scratch.length > maxScratch) scratch = new Uint16Array(firstScratch);
  if (length < shortText || typeof Buffer === 'undefined')
    for (let index = 0; index < length; index += 1) units[index] = text.charCodeAt(index);
  else Buffer.from(units.buffer, 0, 2 * length).write(text, 'utf16le');
  units[length] = behind;
  return units;
}

function weighUnits(units: Uint16Array, length: number): number {
  const kinds = unitKinds();
  let total = 0;
  let index = 0;
  let afterSign = false;
  // The unit before is an ASCII letter or digit.
  let leaning = false;
  while (index < length) {
    const start = index;
    const unit = units[index]!;
    let kind = kinds[unit]!;
    if (kind <= capital) {
      while (kind === capital) kind = kinds[units[++index]!]!;
      const further = kind === small ? furtherLetter : furtherCapital;
      while (kind === small) kind = kinds[units[++index]!]!;
      total += leaning ? word + gluedWord : word;
      if (index - start > lettersInWord) total += (index - start - lettersInWord) * further;
      leaning = true;
      afterSign = false;
    } else if (kind === asciiSign) {
      total += afterSign ? furtherSign : sign;
      index += 1;
      leaning = false;
      afterSign = true;
    } else if (kind === number) {
      while (kind === number) kind = kinds[units[++index]!]!;
      total += Math.ceil((index - start) / 3) * digitGroup;
      leaning = units[index - 1]! < 0x80;
      afterSign = false;
    } else if (kind === script) {
      total += scriptWeights()[unit]!;
      index += 1;
      leaning = false;
      afterSign = false;
    } else {
      // Newlines right after signs share their token.
      if (afterSign) while (kind === lineEnd) kind = kinds[units[++index]!]!;
      const from = index;
      let turn = index;
      while (kind === gap || kind === lineEnd) {
        index += 1;
        if (kind === lineEnd) turn = index;
        kind = kinds[units[index]!]!;
      }
      if (turn > from) total += blank + (turn - from - 1) * furtherBlank;
      if (index > turn) total += indent(index - turn, index === length, kind === number);
      leaning = false;
      afterSign = false;
    }
  }
  return total;
}

/** Lines end in one unit, indentation is another; its last space belongs to a word or sign, but not to a number. */
function indent(spaces: number, isLast: boolean, beforeNumber: boolean): number {
  const run = blank + (spaces - 1) * furtherBlank;
  if (isLast) return run;
  if (!beforeNumber) return spaces > 1 ? run - furtherBlank : 0;
  return spaces > 1 ? run + blank - furtherBlank : run;
}

function unitKinds(): Uint8Array {
  kindsOfUnits ??= Uint8Array.from(unitClasses(), (unitClass, unit) => {
    if (unitClass === space) return gap;
    if (unitClass === newline) return lineEnd;
    if (unitClass === digit) return number;
    if (unit >= 0x80) return script;
    return unitClass === lower ? small : unitClass === upper ? capital : asciiSign;
  });
  return kindsOfUnits;
}

function isAsciiLetter(unit: number, kind: number): boolean {
  return unit < 0x80 && (kind === lower || kind === upper);
}

function leansOn(unit: number, kind: number): boolean {
  return unit < 0x80 && (kind === lower || kind === upper || kind === digit);
}

function scriptWeights(): Uint8Array {
  if (weightsOfScripts !== undefined) return weightsOfScripts;
  const table = new Uint8Array(0x10000);
  for (const [from, to, weight] of scripts) table.fill(weight, from, to + 1);
  const isCommon = commonHan();
  for (let unit = firstHan; unit <= lastHan; unit += 1) {
    table[unit] = isCommon(unit) ? commonHanWeight : otherHanWeight;
  }
  weightsOfScripts = table;
  return table;
}

const firstHan = 0x4e00;
const lastHan = 0x9fff;

const bits =
  'i29YNXAlVW8oW5GjQwALQETbNkzSegSEI2x4AzgUxCgCpIKnUYAREUDgKRoJAgiAQAgAKIuAIIAcBIAgAkACBAAoBoISCABU' +
  'gIAAFCAA0IAgAAACABGIAACgIAAAAAACEAAAAAAEAIB6KxcEoDv7OWA1BBoBEK0IQZIAIFOgAS3BBIYvMQrBDYQkAgCQhiQA' +
  'gAAAyAMHDoKAACSiFAAAgCAAwAIAAAAOi8X8BYcImwFkCiCFQAEAiAx/0gF4nM0BGHejyMCZEEsBBQABBAEoOAAYQAAABQAA' +
  'AiEAAGIkBAAAAAEAAMACAECEAABgBAAAEAQAMQBAwAAAQAAAAIAAAABCAAgAABCAAAAAEAABAAAAAAAAAAAAAAAAAEgNIB1k' +
  'QAlEgQgBCUSFhIMsQgQAAAgIAAAAAAAACEAQgAAAAAYEAAAAAgAyAAAAEkEACAAACACIQgABAACCAAAAAEgFAJCiYJSEThIG' +
  'gIvSACAA2COEAUhCAEAACkAIGxQAAQCAigAAGQAAAgBAAAAEQACAAAAABAAAAAggBhAAAAACAAAAAgAAAAAAAAAAsYNYAgAB' +
  'qpuA9R9IWOJQEAygQAlA39btUiQQAAL1J4wgQCCAAgACAIAIAiIIAQAAAAACAEEAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAYOJBFgguEUEgQOhJISAAIAAAAFy5WIS4kMAogAAAAgAACADABB2EoIEBAKIGAAAsAEQCAxozGYVAAkaYIGgggBOBCCAg' +
  'A0BkIKIEAAgACAUABIJAAAACAIBJBQQAIAQCEAGBCAAAgACIAAAAgABJAACEAAEAAAAAAAAAAAAEAgAAAAAAAAGARwFABNWJ' +
  'AWguAYgaQ8IBBKhRNAgiMGAiXJkgEwjQhgICACqAAAQAACCABECAAAgTBAimBQQAAIIFCAIgEAAAgABQADAABNAAAAEAAgAB' +
  'CAAGQBBgAAEAJAAEQAAAAAAAACAAgEDKIJGCAkwQMQGAAIACEKABMiKIgADlM0AERFAYgCGhAFAECAwEAMFRBIQAwgAAQRAA' +
  'AAAAMAAAFdMJK4CoAL0CBE3CA5AioQPAEgCBNAAEQAAQgBkQIAAaCICIggACBIATTBECACgAQAAiAAAgQIEBAAEIBAQAQAAA' +
  'ACAEEAAAAAAAAAAEACAgMAQAABAAAAAAAAgAAQAAACAEAAgCCgQAAAAIAIAAAABCAAAAAAAAAAAAAAAAAAAAAAAEAACPAARE' +
  'ABIIAH4CnAgADEAAAAAgBCLgNAgACAAAAICSAIgAEAGGAoCAEwAAJAoDRIIGBAiKEgYgCCYBCSACCIBIIAQESGJICBBARpAA' +
  'AAMICkCDJAAAAAABAgiCCCABAQgDkgABAABAAQAAAMABAEEAAAQAAAAIAgQSARCABIAQAAQIAAAAABARAGAAAAAAAAACAAgA' +
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAIqCFAAEIEAABAABcAAQCAwCAAAAAAAABCAEAQABAAApAAAAAABACAAAACAAgAIIAAAAAA' +
  'QAAAAAAA4yGAEQAKhgIEAgAAAAAAkEAABACBAAEQABEAQAAYAEwQAAAAAAAAAAABkApACACCBQgAIAAAASAAQEgAAAAABBgA' +
  'AAAAQAAAAAAIAAAAAAABAAAAABBIAEAAAAAAlQwBrw0gEAACIAxBAEAAggAAiARQoAAACAAAAAAAAAAAAAAAAAQQAAAAAAB8' +
  '0AAAAABAAABABceJGEAQQQIaAIABAAAQAQAACAoAAAAAAAAAABAAAAAAAAAgIgiABgBQAAAAEAABACAAAFAAAABgAgAAAAEU' +
  'AgAAAAABAAAAAAAAAAAAVAAAQGAgIQAAAoAAAIAAAGgDKAaBQIABCABoAAAAQAqAQCAAAAAAUIQCIIAgIAAAAAAIAMIhgEAC' +
  'AAASAEAQAABAClIIAAAAQgEAgAACIAIAgQIAAABAAAAAAAAAAgAAAAAgAAAAAAgIAAKEABBAAEAAAGAAAAAACDEgEAaFiAEC' +
  'FBABAEIARgAAAAgEACAEAACABAQBAQAAEAAAAABAAGACAAAAAAAAAAAQAADFlKyj2KEqs4AmEJAAAEgBAAIQBAAAggQARgQA' +
  'IEQAQBACACACEBQAAQAAGCsQgQAAAAgAABQQRQCEhAAIEkAAMoIEBEhQQFACAEAhBAACBAAAAgEAACEAAAAJwgAAABAAAAAg' +
  'AQAAAAgkGASAIZTAABQBAoAAAAAAgIxEBAAAIACQCiEAoIIAYAACAAgAAAAAAEABAAIFAAqAgAAAQghAAAiGAAAQABAAgAQA' +
  'EBAAICARACAAAoAICgAAAAQAAAIAAAQAAAAAIAAAAAAAAAAAAgAAAAACAAAAAgAAEAAAAEAUAAAAgAAgEAAAAAAAAAAAAAAA' +
  'AEAjhAAIACIAAAAAAAAAAIAIAAgAAAAABAAAEAAAAAAAAAAAAABAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEQiAgqAQAA' +
  'AAhAEAAoAAAmgCAyEAAAIQAAAAAAAAAAAAAAAAAEAIBCiEAEgAQIIFcDBABIAAAABUUAAQAkChQAACBARAAKAAAyAEEANAWA' +
  'gAhAAAAAAAAAAAAoAAAAAAACAAFAAIEAAQQIABbjBcVTJ6IkZKCSTQoJCBAEAYIAQAQAAAIEAAIAEAAAAxOAGYEAAEAABAAQ' +
  'AAAAoP6psAMSmFBMFQjxACAMAAAIAAgACBACoACBKAAAgAAAAAYAAAAAAAAAAAAAAgAAAAAIAAAAJAAABAAAIAgCAAAAhAAB' +
  'AAIAAEDTEChoAkpISAEHdqJBE/sADIEiT4YVhgkABhmEbLgAKWIggREAAgBIRAAIAEACAAAhICAAAAAAAAAAAAAgBAAAAIAB' +
  'AAIEAAAIAACA9AIAAAAAAAAAAAAAAAAAEAAAAAAAEAABAAAAAAAAAAAAAAAAAAAAEAAAAACABAAAAAAAAAAgAAAAAAAAAAAA' +
  'AAEAAAAAAAAAAAABAAAAAAAAAAAACAAAAAEAgCRAAggKAAAQACBARCMIAQJCQAAAgAAAEAAAgIABCggABAAGAAAAABAAZRQI' +
  'IgAAgAAEfIhwMQEAFAbhJEDEERgAAABAcQAiQgwFwAiBIABAAAAEAQAAREIFAgAAAAgAAAAAAAAAAAgAAAIIgG4BAQEAIAAY' +
  'ADAQQQAAYM5QAMIxAAEAAABAAMgAgAQAAAQBAAABAAAAAAAAAGABAEABQAIAEQAAIAAAAAAAAAAAAAgAAAAAAAAAgAAAEENI' +
  'ABCCBBABAQAAABABAAAAAAAAAAAAAAAQJIAQBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAIAABAAAAAB' +
  'AAAAACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAKIACAIIAAAAAAAYAAAICAQAAAGBhABkEAAAAA' +
  'AEAIAAEAAAgAAAEABAAAABAgAAIAAAAAAAAAAAAAAAA=';

/**
 * Which Han characters (U+4E00 to U+9FFF) are one token of o200k_base; the others are two, few of them three.
 * One bit for each, lowest bit first, in Base64.
 */
function commonHan(): (unit: number) => boolean {
  const bytes = Uint8Array.from(atob(bits), (byte) => byte.charCodeAt(0));
  return (unit) => ((bytes[(unit - firstHan) >> 3] ?? 0) & (1 << ((unit - firstHan) & 7))) !== 0;
}
