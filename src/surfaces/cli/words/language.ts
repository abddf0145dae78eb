// Which language does the person read? --lang wherever it stands, then LC_ALL, LC_MESSAGES and LANG as every program reads them.
import { GalleyError } from '../../../core/model/error.js';

export const languages = ['en', 'zh'] as const;

export type SpokenLanguage = (typeof languages)[number];

export interface Asked {
  readonly language: SpokenLanguage;
  /** What is left of the command line. */
  readonly args: readonly string[];
}

export function askedLanguage(argv: readonly string[], env: NodeJS.ProcessEnv): Asked {
  const args: string[] = [];
  let wish: string | undefined;
  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] ?? '';
    if (arg === '--') {
      args.push(...argv.slice(at));
      break;
    }
    if (arg === '--lang') {
      at += 1;
      wish = argv[at] ?? '';
    } else if (arg.startsWith('--lang=')) wish = arg.slice('--lang='.length);
    else args.push(arg);
  }
  return { language: wish === undefined ? languageOfLocale(env) : checked(wish), args };
}

function languageOfLocale(env: NodeJS.ProcessEnv): SpokenLanguage {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh(?:[_.@-]|$)/i.test(locale) ? 'zh' : 'en';
}

function checked(wish: string): SpokenLanguage {
  const name = wish.toLowerCase().replace(/[_.@-].*$/, '');
  const known = languages.find((language) => language === name);
  if (known !== undefined) return known;
  throw new GalleyError('INVALID_ARGUMENT', `--lang: must be one of ${languages.join(', ')}.`, {
    details: { field: 'lang' },
  });
}
