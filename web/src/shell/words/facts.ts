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
/** Books in Chinese are warned of in Chinese. */
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

export const fact = (key: string, asItCame: string): string => known()?.facts[key] ?? asItCame;

/** Why a piece is in or out. */
export const reasonText = (reason: string): string =>
  fact(`reason.${reason.replace(/"[^"]*"/, '""')}`, fact(`why.${reason}`, reason));

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
