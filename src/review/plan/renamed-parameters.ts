// Did a signature change in nothing that a caller notices? What parameters are called, where arguments go by their place, and what
// attributes say of them.

interface Place {
  readonly before: RegExp;
  readonly after: RegExp;
  /** Names in braces are what callers write. */
  readonly outsideBraces?: true;
}

const typeAfter: Place = { before: /^[(,]$/, after: /^[\w*[.(]/ };
const typeBefore: Place = { before: /^[\w*&>\]]/, after: /^[,)]$/ };
const bare: Place = { before: /^[(,{=]$/, after: /^[,)}]$/ };

const plain: Place = { before: /^[(,]$/, after: /^[,)=:?]$/, outsideBraces: true };

/** What stands around the name of a parameter, by language. */
const places: Readonly<Record<string, Place>> = {
  go: typeAfter,
  rust: { before: /^(?:[(,]|mut)$/, after: /^:$/ },
  c: typeBefore,
  cpp: typeBefore,
  java: typeBefore,
  lua: bare,
  elixir: bare,
  javascript: plain,
  typescript: plain,
  tsx: plain,
  // A colon behind its name makes it a word that callers write.
  ruby: { ...plain, after: /^[,)=]$/ },
};

/** Marks on a parameter or a function, by language. */
const attributes: Readonly<Record<string, RegExp>> = {
  php: /#\[[^\]]*\]/g,
  csharp: /\[[A-Z][\w.]*\s*(?:\([^)]*\))?\]|#\s*(?:if|elif)\s+[\w|&! ]+?(?=\s*[[#])|#\s*endif\b/g,
  rust: /#\[[^\]]*\]/g,
  java: /@[A-Z]\w*(?:\([^)]*\))?/g,
};

/** Who may call it is told apart from how; and whether others may override it is no matter for those who call. */
const leading =
  /^(?:(?:public|private|protected|internal|fileprivate|export|default|override|final|open|abstract|virtual|sealed|pub(?:\s*\([^)]*\))?|local)\s+)+/;

export function sameForCallers(language: string, before: string, after: string): boolean {
  const bare = (signature: string) => {
    const marks = Object.hasOwn(attributes, language) ? attributes[language]! : undefined;
    const plain = (marks === undefined ? signature : signature.replace(marks, '')).trimStart();
    const said = plain.replace(leading, '');
    return (Object.hasOwn(unsaid, language) ? unsaid[language]! : same)(said);
  };
  const closed = (signature: string) =>
    tokensOf(bare(signature))
      .join(' ')
      .replace(/, (?=\))/g, '');
  const [old, fresh] = [closed(before), closed(after)];
  return (
    old === fresh ||
    (language === 'python' && onlyAnnotated(bare(before), bare(after))) ||
    onlyModulesNamed(old, fresh) ||
    onlyParametersRenamed(language, bare(before), bare(after))
  );
}

const same = (signature: string) => signature;

/** What a signature says to its own body or to the compiler, by language. */
const unsaid: Readonly<Record<string, (signature: string) => string>> = {
  go: (signature) => withoutResultNames(signature).replace(/\binterface\s*\{\s*\}/g, 'any'),
  rust: (signature) =>
    withTypesNumbered(withoutLifetimes(signature).replace(/\bconst\s+(?=(?:unsafe\s+)?fn\b)/, '')),
  // In which order marks stand.
  swift: (signature) =>
    signature.replace(/@\w+(?:\s+@\w+)+/g, (marks) => marks.split(/\s+/).sort().join(' ')),
  // What a constructor hands to others, and how a function comes to its answer.
  csharp: (signature) =>
    signature.replace(/(?<=\))\s*:\s*(?:base|this)\s*\(.*$/, '').replace(/\basync\s+/, ''),
  // What the function may do with its own parameters.
  java: (signature) => signature.replace(/\b(?:final|synchronized)\s+/g, ''),
  cpp: (signature) => signature.replace(/(?<=\))\s*(?:noexcept\s*)?:\s*\w+\s*[({].*$/, ''),
};

/** Type parameters of a function are called as it likes. */
function withTypesNumbered(signature: string): string {
  const list = /\bfn\s+\w+\s*<([^<>()]*)>/.exec(signature)?.[1] ?? '';
  const names = list.split(',').flatMap((one) => /^\s*(\p{Lu}\w*)/u.exec(one)?.[1] ?? []);
  return names.reduce(
    (text, name, at) => text.replace(new RegExp(`(?<![\\w:])${name}(?!\\w)`, 'g'), `_${at}`),
    signature,
  );
}

/** Types that are said where none was said are for readers and checkers. */
function onlyAnnotated(before: string, after: string): boolean {
  if (/->|\([^)]*:/.test(before)) return false;
  const said = after.replace(/\s*->.*$/s, '').replace(/:\s*(?:[^,=()[\]]|\[[^[\]]*\])+(?=[,=)])/g, '');
  const closed = (text: string) => tokensOf(text.replace(/\s*:\s*$/, '')).join(' ');
  return closed(before) === closed(said);
}

/** `std::string` is `string` where it is imported by name. */
function onlyModulesNamed(before: string, after: string): boolean {
  const name = /[\p{L}_$][\p{L}\p{N}_$]*(?: (?:: :|\.) [\p{L}_$][\p{L}\p{N}_$]*)*/gu;
  if (before.replace(name, '_') !== after.replace(name, '_')) return false;
  const others = after.match(name) ?? [];
  return (before.match(name) ?? []).every((one, at) => {
    const [short = '', long = ''] = [one, others[at] ?? ''].sort((a, b) => a.length - b.length);
    return short === long || (long.endsWith(short) && /[:.] $/.test(long.slice(0, -short.length)));
  });
}

/** `(a, b int, err error)` hands out what `(int, int, error)` does. */
function withoutResultNames(signature: string): string {
  return signature.replace(/(?<=\)\s*)\(([^()]+)\)(?=\s*$)/, (whole, list: string) => {
    const parts = list.split(',').map((part) => part.trim());
    if (!parts.some((part) => /^\w+\s+\S/.test(part) && !/^(?:chan|func|map|struct|interface)\b/.test(part)))
      return whole;
    let type = '';
    const types = parts
      .reverse()
      .map((part) => (type = /^\w+\s+(\S.*)$/.exec(part)?.[1] ?? type))
      .reverse();
    return types.length === 1 ? types[0]! : `(${types.join(', ')})`;
  });
}

/** How long something lives is found out by the compiler. */
function withoutLifetimes(signature: string): string {
  const lifetime = "'[a-z_]\\w*(?!')";
  return signature
    .replace(new RegExp(`${lifetime}\\s*(?::\\s*${lifetime}(?:\\s*\\+\\s*${lifetime})*)?\\s*,?`, 'g'), '')
    .replace(/\s*<\s*>/g, '');
}

function onlyParametersRenamed(language: string, before: string, after: string): boolean {
  const place = Object.hasOwn(places, language) ? places[language]! : undefined;
  if (place === undefined) return false;
  const old = tokensOf(before);
  const fresh = tokensOf(after);
  if (old.length !== fresh.length) return false;
  return fresh.every((token, at) => {
    if (token === old[at]) return true;
    if (!/^[\p{Ll}_]/u.test(token) || !/^[\p{Ll}_]/u.test(old[at]!)) return false;
    if (place.outsideBraces && isInBraces(fresh, at)) return false;
    return place.before.test(fresh[at - 1] ?? '') && place.after.test(fresh[at + 1] ?? '');
  });
}

function isInBraces(tokens: readonly string[], at: number): boolean {
  const before = tokens.slice(0, at);
  return before.filter((token) => token === '{').length > before.filter((token) => token === '}').length;
}

function tokensOf(signature: string): string[] {
  return signature.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}
