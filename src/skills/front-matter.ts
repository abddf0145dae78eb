// What does the block between the fences say? Plain data only: no aliases, tags, merges or repeated keys, and bounded work.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { invalidField } from './skill-limits.js';

const maxCharacters = 64 * 1024;
const maxStructures = 1000;
const fence = /^---[ \t]*$/;

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly body: string;
}

export function splitFrontMatter(text: string): FrontMatter {
  const lines = text.split('\n');
  if (!fence.test(lines[0] ?? '')) {
    throw invalidField(
      'front matter',
      'the first line must be `---`; put name and description between two such lines.',
    );
  }
  const close = lines.findIndex((line, index) => index > 0 && fence.test(line));
  if (close < 0)
    throw invalidField('front matter', 'the closing `---` line is missing; add it before the body.');
  const body = lines.slice(close + 1).join('\n');
  return { fields: readFields(lines.slice(1, close).join('\n')), body };
}

function readFields(yaml: string): ReadonlyMap<string, unknown> {
  if (yaml.length > maxCharacters) {
    throw invalidField(
      'front matter',
      `it holds at most ${maxCharacters} characters; move long text to the body.`,
    );
  }
  refuseDeepText(yaml);
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    version: '1.2',
    schema: 'core',
    strict: true,
    merge: false,
    // The library compares all pairs of keys; refuseUnsafeNodes does it in linear time.
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: lines,
  });
  // The fence stands on line 1 of the file.
  const lineAt = (offset: number) => lines.linePos(offset).line + 1;
  const error = document.errors[0];
  if (error !== undefined) {
    const line = lineAt(error.pos[0]);
    throw invalidField('front matter', `line ${line} is not valid YAML (${error.code}).`, { line });
  }
  refuseUnsafeNodes(document, lineAt);
  if (!isMap(document.contents)) {
    throw invalidField('front matter', 'it must be a mapping of fields such as `name: …`.');
  }
  return new Map(Object.entries(document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>));
}

function refuseDeepText(yaml: string): void {
  let structures = 0;
  for (const lexeme of new Lexer().lex(yaml)) {
    if (lexeme.length === 1 && '[{-?:&!'.includes(lexeme[0]!)) structures += 1;
    if (/^[&!]/.test(lexeme)) structures += 1;
    if (structures > maxStructures) {
      throw invalidField(
        'front matter',
        `it has more than ${maxStructures} nested or listed values; simplify it.`,
      );
    }
  }
}

function refuseUnsafeNodes(document: Document.Parsed, lineAt: (offset: number) => number): void {
  visit(document, {
    Node: (_key, node) => {
      const line = lineAt(node.range?.[0] ?? 0);
      if (isAlias(node))
        throw invalidField('front matter', `line ${line} uses an alias; write the value out.`, { line });
      if (node.anchor !== undefined) {
        throw invalidField('front matter', `line ${line} sets an anchor; write the value out.`, { line });
      }
      if (node.tag !== undefined) {
        throw invalidField('front matter', `line ${line} uses a tag; plain values need none.`, { line });
      }
    },
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : String(key);
        const line = isNode(key) ? lineAt(key.range?.[0] ?? 0) : 1;
        if (name === '<<')
          throw invalidField('front matter', `line ${line} uses a merge key; write the fields out.`, {
            line,
          });
        if (seen.has(name))
          throw invalidField(name, `the key stands twice, again on line ${line}; keep one.`, { line });
        seen.add(name);
      }
    },
  });
}
