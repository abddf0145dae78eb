// Is a value a secret, or a word, a name, a path, a reference, a placeholder?

export type ValueJudge = 'setting-value' | 'address-password' | 'credential' | 'mixed' | 'basic';

const reference =
  /^(?:\$|<|%|\{|\[|@|&|\*|!|process\.|import\.|os\.|env[.(:]|secrets?\.|vault:|arn:|urn:|https?:\/\/)|\$\{|\{\{|\{\w{0,20}\}|%[sd]|\(\)|^\w+\(/i;
const placeholder =
  /(?:x{4,}|\*{3,}|\.{3,}|example|placeholder|change[-_]?me|your[-_]|dummy|redacted|undefined|null$|0{8,}|1234567)/i;
/** Names that hold a word for secrets and mean something about them. */
const aboutSecrets =
  /public|(?:type|name|path|file|dir|url|uri|endpoint|field|label|hint|pattern|regexp?|header|prefix|suffix|policy|message|error|title|column|param|location|provider|arn|version|algorithm|format|length|used|at|key[_-]?id|token[_-]?id|hash|digest|checksum|integrity|expires?|expiry|scope|ref)$/i;
const guessable =
  /^(?:pass(?:word|wd)?|pwd|secret|user(?:name)?|foo|bar|baz|abc|xyz|\d{1,4}|redacted|xxx+|\*+|-+|\.+)$/i;
const date = /^\d{4}-\d\d-\d\d(?:$|[T ])/;
// Full sentences of scripts that need no spaces.
const prose = /[\u0900-\uffef]{3}/;
const leastBits = 3;

export function looksSecret(judge: ValueJudge, value: string, name = ''): boolean {
  switch (judge) {
    case 'address-password':
      return !guessable.test(value) && !isPlaceholder(value);
    case 'credential':
      return !isPlaceholder(value) && !isNamed(value);
    case 'mixed':
      return [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(value));
    case 'basic':
      return isBasic(value);
    case 'setting-value':
      return isSettingSecret(value, name);
  }
}

/** Keys that only stand for keys, as documents write them. */
export function isFilledIn(value: string): boolean {
  return /x{8,}|\*{4,}|\.{3,}/i.test(value);
}

function isPlaceholder(value: string): boolean {
  return reference.test(value) || placeholder.test(value);
}

function isSettingSecret(value: string, name: string): boolean {
  const isPassword = /pass|pwd/i.test(name);
  if (value.length < (isPassword ? 6 : 8)) return false;
  if (
    isPlaceholder(value) ||
    aboutSecrets.test(name) ||
    date.test(value) ||
    prose.test(value) ||
    isPath(value)
  )
    return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  // Words joined by dots, dashes or slashes are names of things.
  if (/^[A-Za-z_?#[\]./:-]+$/.test(value))
    return value.length >= 20 && bitsPerCharacter(value) > 4 && !readsAsWords(value);
  if (!isPassword && isNamed(value)) return false;
  return classes >= 2 && bitsPerCharacter(value) >= Math.min(leastBits, Math.log2(value.length) - 0.75);
}

/** Lower or upper case words with a number here and there, as `oauth2_bearer` or `aspnet.token-v2`. */
function isNamed(value: string): boolean {
  return (
    /^(?:[a-z]+\d{0,2}|\d{1,4})(?:[._:/-]+(?:[a-z]+\d{0,2}|\d{1,4}))*$/.test(
      value.replace(/\[-?\d*\]/g, '').toLowerCase(),
    ) &&
    (/^[^a-z]*$/.test(value) || /^[^A-Z]*$/.test(value) || readsAsWords(value)) &&
    /[._:/-]/.test(value) &&
    /[A-Za-z]{3}/.test(value)
  );
}

/** A file or a folder: segments that read as words. Key text may hold slashes, too, but no words. */
function isPath(value: string): boolean {
  const rooted = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)/.test(value);
  if (!rooted && !/[/\\]/.test(value) && !/\.[a-z]{1,4}\d?$/.test(value)) return false;
  return /^[\w./\\~:@-]+$/.test(value) && readsAsWords(value);
}

/** Cut at signs, digits and capitals, words come in long runs and random text does not. */
function readsAsWords(value: string): boolean {
  const runs = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  const letters = runs.filter((run) => !/\d/.test(run));
  const long = letters.filter((run) => run.length >= 3);
  if (long.some((run) => run.length >= 5 && !/[aeiouy]/i.test(run))) return false;
  const covered = long.reduce((sum, run) => sum + run.length, 0);
  const all = runs.reduce((sum, run) => sum + run.length, 0);
  return covered >= all * 0.7;
}

/** User and password in Base64, as `docker login` keeps them. */
function isBasic(value: string): boolean {
  try {
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,2000}$/.test(atob(value));
  } catch {
    return false;
  }
}

/** Shannon's measure over the characters of the value itself. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
