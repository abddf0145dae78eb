// Did a signature change in nothing that a caller notices? What parameters are called, where arguments go by their place, and what
// attributes say of them.

interface Place {
  readonly before: RegExp;
  readonly after: RegExp;
}

const typeAfter: Place = { before: /^[(,]$/, after: /^[\w*[.(]/ };
const typeBefore: Place = { before: /^[\w*&>\]]/, after: /^[,)]$/ };
const bare: Place = { before: /^[(,{=]$/, after: /^[,)}]$/ };

/** What stands around the name of a parameter, by language. */
const places: Readonly<Record<string, Place>> = {
  go: typeAfter,
  rust: { before: /^(?:[(,]|mut)$/, after: /^:$/ },
  c: typeBefore,
  cpp: typeBefore,
  java: typeBefore,
  lua: bare,
  elixir: bare,
};

/** Marks on a parameter or a function, by language. */
const attributes: Readonly<Record<string, RegExp>> = {
  php: /#\[[^\]]*\]/g,
  csharp: /\[[A-Z][\w.]*(?:\([^)]*\))?\]/g,
  rust: /#\[[^\]]*\]/g,
};

export function sameForCallers(language: string, before: string, after: string): boolean {
  const bare = (signature: string) => {
    const marks = Object.hasOwn(attributes, language) ? attributes[language]! : undefined;
    return marks === undefined ? signature : signature.replace(marks, '');
  };
  const closed = (signature: string) =>
    tokensOf(bare(signature))
      .join(' ')
      .replace(/, (?=\))/g, '');
  return closed(before) === closed(after) || onlyParametersRenamed(language, bare(before), bare(after));
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
    return place.before.test(fresh[at - 1] ?? '') && place.after.test(fresh[at + 1] ?? '');
  });
}

function tokensOf(signature: string): string[] {
  return signature.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}
