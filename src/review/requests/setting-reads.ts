// Is a line that holds the key of a setting one that reads it? A key is often a plain word (`timeout`, `hash`), so the word alone says
// little: what stands around it decides.
import type { WordHit } from '../../git/objects/grep-words.js';
import { matchRule } from '../change/prune-rules.js';
import { pathEvidence } from '../plan/path-evidence.js';
import type { Reference } from './code-search.js';

/** A key as it stands, its last part, and as the name of an environment variable. */
export function settingWords(key: string): string[] {
  const last = key.slice(Math.max(key.lastIndexOf('.'), key.lastIndexOf('/')) + 1);
  const upper = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  return [...new Set([key, last, upper])].filter((word) => word.length > 2);
}

/** What is asked by its name, of something that holds settings: `config.timeout`, `process.env.TIMEOUT`, `settings()->timeout`. */
const holder =
  /(?:conf|config|configuration|cfg|settings?|options?|opts|preferences|prefs|env|environ|environment|props|properties|flags|secrets|vars)(?:\(\s*\)|\[[^\]]*\])?\s*[?!]?(?:\.|->|::)$/i;
/** `$TIMEOUT`, `${TIMEOUT}`, `${{ env.TIMEOUT }}`, `%TIMEOUT%`, `@Value("${shop.timeout:3}")`. */
const substituted = /(?:\$\{?|\$\{[\w.-]*[.:]|%)$/;
/** `config.get("timeout")`, `config["timeout"]`, `env("TIMEOUT")`, the tag `yaml:"timeout"` of a field. */
const asker =
  /(?:\[|(?:^|[^\w])(?:get\w*|env|getenv|config|setting|option|value|lookup|fetch|require|property)\(|[a-z]:)["'`]$/i;
const comment = /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--\s|;|<!--)/;
const settingsFile =
  /(?:^|[/_.-])(?:conf|config|configuration|settings?|options|env|environment|preferences)[/_.-]/i;

/** Certain where the line asks for the key by name; possible where it is quoted, hardly another word, or stands where settings are declared. */
export function judgeSettingRead({ path, text, word }: WordHit): Reference['certainty'] | undefined {
  const evidence = pathEvidence(path);
  if (evidence.includes('doc-path') || matchRule(path) !== undefined || comment.test(text)) return undefined;
  if (evidence.includes('config-path')) return isTelling(word) ? 'possible' : undefined;
  const places = placesOf(text, word);
  const isQuoted = places.some((place) => place.isQuoted);
  if (places.some(asksByName) || (isQuoted && isTelling(word))) return 'certain';
  return isQuoted || isTelling(word) || settingsFile.test(path) ? 'possible' : undefined;
}

interface WordPlace {
  readonly before: string;
  readonly isQuoted: boolean;
}

function asksByName({ before, isQuoted }: WordPlace): boolean {
  return holder.test(before) || substituted.test(before) || (isQuoted && asker.test(before));
}

function placesOf(text: string, word: string): WordPlace[] {
  const places: WordPlace[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const mark = text[at - 1] ?? '';
    const isQuoted = /["'`]/.test(mark) && text[at + word.length] === mark;
    places.push({ before: text.slice(0, at), isQuoted });
  }
  return places;
}

/** `max_retries`, `maxRetries`, `shop.retries`, `MAX_RETRIES`: nobody writes these for something else. */
function isTelling(word: string): boolean {
  return /[A-Za-z0-9][_.-][A-Za-z0-9]|[a-z0-9][A-Z]/.test(word);
}
