// What the server says in English, in the language of the reader where there are words for it: the same that the commands use. They
// come when they are needed, and what has none stays as it came.
import { signal } from '@preact/signals';
import { language } from './word.js';

interface Facts {
  readonly facts: Readonly<Record<string, string>>;
  readonly refusals: readonly (readonly [RegExp, string])[];
}

const chinese = signal<Facts | undefined>(undefined);
let isAsked = false;
/** Books in Chinese are warned of in Chinese, and sources have codes. */
const english = signal<Facts['facts']>({});
let isEnglishAsked = false;

function englishFacts(): Facts['facts'] {
  if (!isEnglishAsked) {
    isEnglishAsked = true;
    import('../../../../src/surfaces/cli/words/en-facts.js').then(
      ({ enFacts }) => {
        english.value = enFacts;
      },
      () => undefined,
    );
  }
  return english.value;
}

function known(): Facts | undefined {
  if (language.value !== 'zh') return undefined;
  if (!isAsked) {
    isAsked = true;
    void Promise.all([
      import('../../../../src/surfaces/cli/words/zh-facts.js'),
      import('../../../../src/surfaces/cli/words/zh-refusals.js'),
    ]).then(
      ([{ zhFacts }, { zhRefusals }]) => {
        chinese.value = { facts: zhFacts, refusals: zhRefusals };
      },
      () => undefined,
    );
  }
  return chinese.value;
}

export const fact = (key: string, asItCame: string): string =>
  (language.value === 'en' ? englishFacts() : known()?.facts)?.[key] ?? asItCame;

interface NamedSkill {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
}

/** Those that come with Galley are called as the reader speaks; others as their writers called them. */
export const skillName = ({ id, name, origin }: NamedSkill): string =>
  origin === 'built-in' ? fact(`skill.${id}`, name) : name;

/** Why a piece is in or out. */
export function reasonText(reason: string): string {
  const [n = ''] = /\d+/.exec(reason) ?? [];
  const key = `reason.${reason.replace(/"[^"]*"/, '""').replace(/\d+/, '{n}')}`;
  return fact(key, fact(`why.${reason}`, reason)).replace('{n}', n);
}

export function refusalText(message: string): string {
  const [form, words] = known()?.refusals.find(([each]) => each.test(message)) ?? [];
  return form === undefined || words === undefined ? message : message.replace(form, words);
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The message stands behind it, since it has the numbers. */
export function warningText({ code, message, details = {} }: Told): string {
  if (language.value === 'en')
    return (/\p{Script=Han}/u.test(message) && englishFacts()[`warning.${code}`]) || message;
  const words = fact(`warning.${code}`, '');
  const filled = words.replace(/\{(\w+)\}/g, (hole, name: string) => String(details[name] ?? hole));
  return words === '' ? message : `${filled}（${message}）`;
}
