// What a change uses of other repositories: names it imports from outside and that a related repository declares, each as the lines
// that declare it. Those repositories are commits among the objects of this clone, as a shared configuration is; nothing else of
// them is read, and no name that this repository declares itself is looked for.
import { languageOf } from '../../code/language.js';
import type { LineRange } from '../../code/range-evidence.js';
import { type CodeSymbol, lineKind } from '../../code/syntax/outline-model.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import { escapePattern } from '../../core/model/escape-pattern.js';
import { grepWords, type WordHit } from '../../git/objects/grep-words.js';
import type { Repository } from '../../git/repository/open-repository.js';
import type { RelatedRepository } from '../change/review-config.js';
import { isTestPath, resolveImport } from '../related/path-kinship.js';
import { sameFamily } from '../requests/code-search.js';
import { type ChangedFile, type FileSide, type TreeLibrary, treeLibrary } from '../units/changed-file.js';
import { changedLines } from '../units/changed-lines.js';
import { isCallable } from '../units/line-owner.js';
import { type Snippet, snippetOf } from '../units/snippet.js';

export interface ForeignInterface {
  /** Its path begins with the name of the repository. */
  readonly snippet: Snippet;
  /** The changed file that uses it, and by which name. */
  readonly usedBy: string;
  readonly name: string;
}

export interface ForeignSource {
  interfaces(files: readonly ChangedFile[]): Promise<ForeignInterface[]>;
  /** Which repositories are not in this clone. */
  warnings(): Promise<readonly Warning[]>;
}

interface ForeignOptions {
  readonly related: readonly RelatedRepository[];
  /** Of the tree under review. */
  readonly library: TreeLibrary;
  readonly tree: string;
  readonly signal: AbortSignal | undefined;
}

const maxNames = 30;
const maxHits = 5_000;
const maxOpened = 20;
const longest = { callable: 12, other: 30, comment: 6 };

export function foreignSource(repository: Repository, options: ForeignOptions): ForeignSource {
  const { related, library, tree, signal } = options;
  let asked: Promise<readonly (readonly [RelatedRepository, TreeLibrary | undefined])[]> | undefined;
  const places = () => {
    asked ??= repository.objects
      .ask(
        'info',
        related.map(({ revision }) => revision),
      )
      .then((found) =>
        related.map((one, at) => {
          const isHere = found[at]?.type === 'commit';
          return [one, isHere ? treeLibrary(repository, { tree: one.revision, signal }) : undefined] as const;
        }),
      );
    return asked;
  };
  return {
    async warnings() {
      return (await places()).flatMap(([one, there]) => (there === undefined ? [notHere(one)] : []));
    },
    async interfaces(files) {
      if (related.length === 0) return [];
      const uses = foreignUses(files, new Set((await library.files()).keys()));
      const words = [...uses.keys()];
      if (words.length === 0) return [];
      const own = await grepWords(repository, { words, at: tree, limit: maxHits, signal });
      const declaredHere = new Set(own.hits.filter(looksDeclared).map(({ word }) => word));
      const wanted = words.filter((word) => !declaredHere.has(word));
      const found: ForeignInterface[] = [];
      for (const [{ name, revision }, there] of await places()) {
        if (there === undefined || wanted.length === 0) continue;
        const { hits } = await grepWords(repository, { words: wanted, at: revision, limit: maxHits, signal });
        const opened = await there.open(likelyFiles(hits, uses));
        for (const word of wanted)
          found.push(...declarations(word, uses.get(word) ?? '', { name, opened: [...opened.values()] }));
      }
      return found;
    },
  };
}

/** Names from outside on added lines, each with the file that uses it: imported ones, and members of what was imported. */
function foreignUses(files: readonly ChangedFile[], paths: ReadonlySet<string>): ReadonlyMap<string, string> {
  const uses = new Map<string, string>();
  for (const { patch, after } of files) {
    if (after === undefined) continue;
    const added = changedLines(patch)
      .filter(({ kind }) => kind === 'added')
      .map(({ text }) => text)
      .join('\n');
    for (const { module, names } of after.outline.imports) {
      if (module.startsWith('.') || resolveImport(after.path, module, paths) !== undefined) continue;
      const last = module.split(/[./:]/).at(-1) ?? '';
      for (const one of [...names, last]) {
        if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(one)) continue;
        const word = escapePattern(one);
        const members = added.matchAll(new RegExp(`(?<![\\w$])${word}(?:\\.|::|->)([A-Za-z_]\\w*)`, 'g'));
        const isUsed = names.includes(one) && new RegExp(`(?<![\\w$])${word}(?![\\w$])`).test(added);
        for (const used of [...(isUsed ? [one] : []), ...[...members].map(([, member = '']) => member)])
          if (used.length > 2 && uses.size < maxNames && !uses.has(used)) uses.set(used, after.path);
      }
    }
  }
  return uses;
}

const declaring =
  /\b(?:class|interface|trait|protocol|struct|enum|type|record|object|module|func|fun|fn|def|function|const|let|val|var)\s+(?:\([^)]*\)\s*)?$/;

const importing = /^\s*(?:(?:import|from|use|using|#include)\b|export\s*(?:type\s*)?\{)/;

/** By its line alone; `type Order,` stands in a list of imports. */
function looksDeclared({ text, word }: WordHit): boolean {
  const at = text.indexOf(word);
  const after = text.slice(at + word.length);
  return declaring.test(text.slice(0, at)) && !importing.test(text) && !/^\s*[,}]/.test(after);
}

/** Where something is declared first, tests last. */
function likelyFiles(hits: readonly WordHit[], uses: ReadonlyMap<string, string>): string[] {
  const worth = new Map<string, number>();
  for (const hit of hits) {
    if (!sameFamily(languageOf(hit.path), languageOf(uses.get(hit.word) ?? ''))) continue;
    const value = looksDeclared(hit) ? (isTestPath(hit.path) ? 1 : 10) : 0.001;
    worth.set(hit.path, (worth.get(hit.path) ?? 0) + value);
  }
  return [...worth]
    .sort(([a, left], [b, right]) => right - left || byCodePoint(a, b))
    .slice(0, maxOpened)
    .map(([path]) => path);
}

/** The best declaration of a name: an exported one at the top of a file before a member. */
function declarations(
  word: string,
  usedBy: string,
  { name, opened }: { readonly name: string; readonly opened: readonly FileSide[] },
): ForeignInterface[] {
  const candidates = opened.flatMap((file) =>
    file.outline.symbols
      .filter((symbol) => symbol.name === word && symbol.kind !== 'test' && symbol.kind !== 'block')
      .map((symbol) => ({ file, symbol })),
  );
  const [best] = candidates.toSorted((a, b) => distance(a.symbol) - distance(b.symbol));
  if (best === undefined) return [];
  const { file, symbol } = best;
  const labelled = { path: `${name}:${file.path}`, blob: file.blob, lines: file.lines };
  const why = `${word} as the repository ${name} declares it`;
  const snippet = snippetOf({ side: 'new', file: labelled, why }, shownLines(file, symbol));
  return [{ snippet, usedBy, name: word }];
}

function distance({ parent, exported }: CodeSymbol): number {
  return (parent === undefined ? 0 : 2) + (exported ? 0 : 1);
}

/** What is said above it, and its signature; of a type its members, too. */
function shownLines({ outline }: FileSide, symbol: CodeSymbol): LineRange {
  let { startLine } = symbol;
  const first = Math.max(1, startLine - longest.comment);
  while (startLine > first && outline.lineKinds[startLine - 2] === lineKind.comment) startLine -= 1;
  const [end, most] = isCallable(symbol)
    ? [symbol.signatureEndLine, longest.callable]
    : [symbol.endLine, longest.other];
  return { startLine, endLine: Math.max(symbol.startLine, Math.min(end, symbol.startLine + most - 1)) };
}

function notHere({ name, repository, revision }: RelatedRepository): Warning {
  return {
    code: 'RELATED_NOT_HERE',
    message: `What the change uses of ${name} is not shown, since its commit is not in this clone; git fetch ${repository} +${revision}:refs/galley/${name} brings it.`,
    details: { repository: name },
  };
}
