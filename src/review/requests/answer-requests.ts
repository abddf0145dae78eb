// All extra requests of an answer: words are looked up together, each place is reported, its lines become a snippet. One that finds
// nothing says so.
import { isGalleyError, type Warning } from '../../core/model/error.js';
import { grepWords, type WordHit } from '../../git/objects/grep-words.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { type ExtraRequest, type RequestType, requestSubject } from '../plan/context-need.js';
import type { PlannedUnit } from '../plan/plan-review.js';
import { importWord, isImportedByPath } from '../related/stale-imports.js';
import type { TreeLibrary } from '../units/changed-file.js';
import { previousVersion, type Snippet, snippetOf } from '../units/snippet.js';
import type { ReviewUnit } from '../units/unit.js';
import type { Reference } from './code-search.js';
import { type CodeSearch, locateDefinition, type References } from './code-search.js';
import {
  findClassMethods,
  findImplementations,
  findReferences,
  findStaleImports,
  findWords,
} from './find-uses.js';
import { judgeSettingRead, settingWords } from './setting-reads.js';

/** A place that a request found; its text stands in a snippet unless the answer had no room for it. */
export interface FoundPlace {
  readonly type: RequestType;
  readonly subject: string;
  readonly path: string;
  readonly line: number;
  readonly within?: string;
  readonly certainty: 'certain' | 'possible';
}

export interface RequestReport {
  readonly type: RequestType;
  readonly subject?: string;
  readonly total: number;
  readonly shown: number;
  /** Places with the word in files that were not opened. */
  readonly unchecked?: number;
  /** What a reader should know: nothing found, or more than shown. */
  readonly note?: string;
}

export interface UnitRequests {
  readonly places: readonly FoundPlace[];
  readonly reports: readonly RequestReport[];
  readonly snippets: readonly Snippet[];
  readonly previousVersion: string | null;
}

interface RequestOptions {
  readonly repository: Repository;
  readonly library: TreeLibrary;
  readonly tree: string;
  readonly signal?: AbortSignal | undefined;
}

export interface RequestAnswers {
  readonly answers: ReadonlyMap<PlannedUnit, UnitRequests>;
  readonly warnings: readonly Warning[];
}

const maxHits = 100_000;
const maxShown = { search_class_methods: 30, other: 10 } as const;

export async function answerRequests(
  units: readonly PlannedUnit[],
  options: RequestOptions,
): Promise<RequestAnswers> {
  const { search, warnings } = await openSearch(units, options);
  const answers = new Map<PlannedUnit, UnitRequests>();
  for (const one of units) answers.set(one, await answerUnit(one, search));
  return { answers, warnings };
}

async function openSearch(
  units: readonly PlannedUnit[],
  { repository, library, tree, signal }: RequestOptions,
): Promise<{ search: CodeSearch; warnings: Warning[] }> {
  const words = new Set(
    units.flatMap(({ unit, row }) => row.extra_requests.flatMap((request) => requestWords(request, unit))),
  );
  const byWord = new Map<string, WordHit[]>();
  const warnings: Warning[] = [];
  const look = async (asked: readonly string[]): Promise<void> => {
    const missing = [...new Set(asked)].filter((word) => !byWord.has(word));
    for (const word of missing) byWord.set(word, []);
    if (missing.length === 0) return;
    try {
      const found = await grepWords(repository, { words: missing, at: tree, limit: maxHits, signal });
      for (const hit of found.hits) byWord.get(hit.word)?.push(hit);
      if (found.total > found.hits.length) warnings.push(tooMany(found.total, found.hits.length));
    } catch (error) {
      if (isGalleyError(error) && error.code === 'CANCELLED') throw error;
      warnings.push({
        code: 'SEARCH_UNAVAILABLE',
        message: 'The tree could not be searched; callers and other searches are missing.',
      });
    }
  };
  await look([...words]);
  const paths = new Set((await library.files()).keys());
  for (const { unit } of units) paths.add(unit.file.patch.entry.oldPath ?? unit.path);
  return { search: { library, paths, hits: (word) => byWord.get(word) ?? [], look }, warnings };
}

async function answerUnit(one: PlannedUnit, search: CodeSearch): Promise<UnitRequests> {
  const places: FoundPlace[] = [];
  const reports: RequestReport[] = [];
  const snippets: Snippet[] = [];
  let before: string | null = null;
  /** By subject and place, the request that showed it: a symbol asked for in several ways is answered once. */
  const answered = new Map<string, RequestType>();
  for (const request of one.row.extra_requests) {
    const { type } = request;
    if (type === 'previous_version') {
      const previous = previousVersion(one.unit);
      before = previous?.text ?? null;
      snippets.push(...(previous?.snippets ?? []));
      const total = previous === undefined ? 0 : 1;
      reports.push({
        type,
        total,
        shown: total,
        ...(total === 0 ? { note: 'There is no earlier version.' } : {}),
      });
      continue;
    }
    const subject = subjectOf(request, one.unit);
    const { found, total, unchecked } = await answerRequest(request, one.unit, search);
    const most = type === 'search_class_methods' ? maxShown.search_class_methods : maxShown.other;
    const keyOf = (place: Reference) => `${subject ?? ''}\0${placeKey(place)}`;
    const fresh = elsewhereFirst(onePerPlace(found), one.unit.path).filter(
      (place) => !answered.has(keyOf(place)),
    );
    const shown = fresh.slice(0, most);
    const earlier = fresh.length === 0 && found[0] !== undefined ? answered.get(keyOf(found[0])) : undefined;
    for (const place of shown) answered.set(keyOf(place), type);
    reports.push({
      type,
      ...(subject === undefined ? {} : { subject }),
      total,
      shown: shown.length,
      ...(unchecked > 0 ? { unchecked } : {}),
      ...(earlier === undefined
        ? noteOf({ subject, total, shown: shown.length, unchecked })
        : { note: `The same places as for ${earlier}.` }),
    });
    const files = await search.library.open([...new Set(shown.map(({ path }) => path))]);
    for (const place of shown) {
      const { path, line, within, certainty } = place;
      const about = { type, subject: subject ?? '', path, line, certainty };
      places.push(within === undefined ? about : { ...about, within });
      const file = files.get(path);
      const why = isOldPath(request, one.unit)
        ? `still imports ${subject}, which moved`
        : whyOf(type, subject ?? '', certainty);
      if (file !== undefined) snippets.push(snippetOf({ side: 'new', file, why }, place));
    }
  }
  return { places, reports, snippets, previousVersion: before };
}

/** Of places that are equally certain, those in other files come first: the reader has its own file in the diff. */
function elsewhereFirst(found: readonly Reference[], home: string): Reference[] {
  const place = ({ certainty, path }: Reference) => (certainty === 'certain' ? 0 : 2) + Number(path === home);
  return found.toSorted((a, b) => place(a) - place(b));
}

/** Several uses in one function are one place. */
function onePerPlace(found: readonly Reference[]): Reference[] {
  const seen = new Set<string>();
  return found.filter((place) => {
    const key = placeKey(place);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function placeKey({ path, startLine, endLine }: Reference): string {
  return `${startLine}-${endLine}:${path}`;
}

function noteOf(count: { subject: string | undefined; total: number; shown: number; unchecked: number }): {
  note?: string;
} {
  if (count.subject === undefined) return { note: 'The request names nothing to look for.' };
  if (count.total === 0) {
    if (count.unchecked > 0)
      return { note: `Nothing certain found; ${count.unchecked} places were not checked.` };
    return { note: 'Nothing found.' };
  }
  return count.total > count.shown ? { note: `${count.total} found, ${count.shown} shown.` } : {};
}

function whyOf(type: FoundPlace['type'], subject: string, certainty: FoundPlace['certainty']): string {
  const possibly = certainty === 'possible';
  switch (type) {
    case 'callers':
      return `${possibly ? 'possibly calls' : 'calls'} ${subject}`;
    case 'search_callers':
      return `${possibly ? 'possibly uses' : 'uses'} ${subject}`;
    case 'search_model_usage':
      return `${possibly ? 'possibly uses' : 'uses'} the model ${subject}`;
    case 'search_implementations':
      return `${possibly ? 'possibly implements' : 'implements'} ${subject}`;
    case 'search_class_methods':
      return `method of ${subject}`;
    case 'search_config_usage':
      return `${possibly ? 'possibly reads' : 'reads'} the setting ${subject}`;
    default:
      return `mentions ${subject}`;
  }
}

function tooMany(total: number, kept: number): Warning {
  return {
    code: 'SEARCH_TRUNCATED',
    message: `The searched words stand in ${total} places; the first ${kept} were looked at.`,
    details: { total, kept },
  };
}

const nothing: References = { found: [], total: 0, unchecked: 0 };

/** For every request but `previous_version`, which needs no search. */
async function answerRequest(
  request: ExtraRequest,
  unit: ReviewUnit,
  search: CodeSearch,
): Promise<References> {
  const name = subjectOf(request, unit);
  if (name === undefined) return nothing;
  const home = unit.path;
  const { callable, ...definition } = await locateDefinition(name, unit, search);
  switch (request.type) {
    case 'callers':
      return findReferences(
        { ...definition, roles: callable ? ['call'] : ['call', 'reference', 'type'] },
        search,
      );
    case 'search_callers':
      return findReferences({ ...definition, roles: ['call', 'reference', 'type', 'import'] }, search);
    case 'search_model_usage':
      return findReferences({ ...definition, roles: ['call', 'reference', 'type'] }, search);
    case 'search_implementations':
      return findImplementations(definition, search);
    case 'search_class_methods':
      return findClassMethods(definition, search);
    case 'search_config_usage':
      return findWords({ words: settingWords(name), home, judge: judgeSettingRead }, search);
    case 'search':
      if (isOldPath(request, unit)) return findStaleImports(name, search);
      return findWords({ words: [requestSubject(request) ?? name], home: '' }, search);
    case 'previous_version':
      return nothing;
  }
}

/** A search for the path a file had asks who still imports it. */
function isOldPath(request: ExtraRequest, { path, file }: ReviewUnit): boolean {
  const { oldPath } = file.patch.entry;
  if (request.type !== 'search' || oldPath === undefined || oldPath === path) return false;
  return requestSubject(request) === oldPath && isImportedByPath(oldPath);
}

const longest = 200;

/** What the request is about; without a word of its own, the unit's symbol. */
function subjectOf(request: ExtraRequest, unit: ReviewUnit): string | undefined {
  const said = requestSubject(request);
  const subject = said ?? (unit.symbol ?? unit.oldSymbol)?.name;
  if (subject === undefined || request.type === 'search' || request.type === 'search_config_usage')
    return subject;
  // `Store.open()` and `pkg/store.open` are about open.
  return /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:\(.*)?$/u.exec(subject)?.[1] ?? subject;
}

function requestWords(request: ExtraRequest, unit: ReviewUnit): string[] {
  const subject = subjectOf(request, unit);
  if (subject === undefined || request.type === 'previous_version') return [];
  const said = isOldPath(request, unit) ? [importWord(subject)] : [subject];
  const words = request.type === 'search_config_usage' ? settingWords(subject) : said;
  return words.filter((word) => word.length > 0 && word.length <= longest && !/[\0\n]/.test(word));
}
