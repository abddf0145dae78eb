// The words of the language people chose. English unless told; JSON, codes and answers never pass through here.
import { en } from './en.js';
import { enFacts } from './en-facts.js';
import { enHelp } from './en-help.js';
import type { SpokenLanguage } from './language.js';
import type { zhRefusals } from './zh-refusals.js';

const english = { ...en, ...enHelp };

type English = typeof english;
export type WordKey = keyof English;

/** Braces around quotes are JSON, not a place to fill. */
type Slots<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}"${string}` ? never : Name) | Slots<Rest>
  : never;
type SlotsOf<Key extends WordKey> = Extract<Slots<English[Key]>, string>;
/** Exactly the names in braces; nothing for words without any. */
type Filling<Key extends WordKey> = [SlotsOf<Key>] extends [never]
  ? []
  : [values: Readonly<Record<SlotsOf<Key>, string | number>>];

/** Words without a place to fill. */
export type PlainWord = { [Key in WordKey]: [SlotsOf<Key>] extends [never] ? Key : never }[WordKey];

let current: SpokenLanguage = 'en';
let catalogue: Readonly<Record<WordKey, string>> = english;
let facts = enFacts;
let refusals: typeof zhRefusals = [];

export async function speak(language: SpokenLanguage): Promise<void> {
  if (language === 'zh') {
    const [{ zh }, { zhHelp }, { zhFacts, zhOperations }, known] = await Promise.all([
      import('./zh.js'),
      import('./zh-help.js'),
      import('./zh-facts.js'),
      import('./zh-refusals.js'),
    ]);
    refusals = known.zhRefusals;
    catalogue = { ...zh, ...zhHelp };
    facts = { ...zhFacts, ...zhOperations };
  } else {
    catalogue = english;
    facts = enFacts;
    refusals = [];
  }
  current = language;
}

export function spokenLanguage(): SpokenLanguage {
  return current;
}

export function word<Key extends WordKey>(key: Key, ...[values]: Filling<Key>): string {
  return filled(catalogue[key], values ?? {});
}

/** "1 page", "2 pages". */
export function counted(
  n: number,
  what:
    | 'page'
    | 'item'
    | 'file'
    | 'call'
    | 'caller'
    | 'test'
    | 'place'
    | 'chapter'
    | 'rule'
    | 'card'
    | 'memory'
    | 'episode'
    | 'setting'
    | 'skill'
    | 'finding'
    | 'thread'
    | 'comment'
    | 'change'
    | 'passage'
    | 'person'
    | 'secret'
    | 'later'
    | 'summary'
    | 'request'
    | 'step'
    | 'decision'
    | 'message'
    | 'line'
    | 'result'
    | 'piece',
): string {
  return word(`count.${what}.${n === 1 ? 'one' : 'many'}`, { n });
}

/** A sentence of another room: in the chosen language when we have it, as it came otherwise. */
export function factWords(key: string, asItCame: string): string {
  return Object.hasOwn(facts, key) ? (facts[key] ?? asItCame) : asItCame;
}

/** Why something was refused: in the chosen language when we have the sentence, as it came otherwise. */
export function refusalWords(message: string): string {
  const [form, words] = refusals.find(([each]) => each.test(message)) ?? [];
  return form === undefined || words === undefined ? message : message.replace(form, words);
}

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (slot, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : slot,
  );
}
