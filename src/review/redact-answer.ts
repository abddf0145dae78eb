// What the pages and bundles of a change hold of secrets, over the finished answer: taken out, or only counted so that nobody hands
// them on unaware. Lines stay where they are; a patch that was changed here reads right and no longer applies.
import { type RedactedText, redact } from '../cleaning/redact.js';
import { amountOf, type Meter } from '../core/model/meter.js';
import type { Warning } from '../core/model/warning.js';
import type { ContextBundle } from './bundles/bundle.js';
import type { BundleAnswer } from './bundles/review-bundles.js';
import type { Chunk } from './pages/page-set.js';
import { printablePath } from './pages/printable-path.js';
import type { ReviewChunks } from './pages/review-chunks.js';

const mostPaths = 20;

/** Counts what was found on the way, by the files it stood in. */
export interface SecretTally {
  total: number;
  readonly paths: Set<string>;
}

export function secretTally(): SecretTally {
  return { total: 0, paths: new Set() };
}

function tallied({ hits, text }: RedactedText, path: string, tally: SecretTally): string {
  tally.total += hits.length;
  if (hits.length > 0 && path !== '') tally.paths.add(printablePath(path));
  return text;
}

export function redactChunks(answer: ReviewChunks, meter: Meter): ReviewChunks {
  const tally = secretTally();
  const chunks = answer.chunks.map((chunk) => redactChunk(chunk, meter, tally));
  if (tally.total === 0) return answer;
  const warnings = [...answer.warnings, ...redactionWarning(tally)];
  return { ...answer, chunks, warnings, receipt: recounted(answer.receipt, chunks) };
}

/** One page, for those who do not hold all of them. */
export function redactChunk(chunk: Chunk, meter: Meter, tally: SecretTally): Chunk {
  const costs = (text: string) => amountOf(meter, meter.weigh(text)).n;
  const [head = '', ...patches] = partsOf(chunk.text);
  const before = tally.total;
  const safeHead = tallied(redact(head), '', tally);
  let diffTokens = chunk.diffTokens;
  const altered = new Set<number>();
  const safePatches = patches.map((patch, at) => {
    const path = pathOf(patch);
    const safe = tallied(redact(patch, path), path, tally);
    if (safe !== patch) {
      diffTokens += costs(safe) - costs(patch);
      altered.add(at);
    }
    return safe;
  });
  if (tally.total === before) return chunk;
  const text = safeHead + safePatches.join('');
  const paths = new Set([...altered].map((at) => pathOf(patches[at] ?? '')));
  const isAltered = (path: string, at: number) =>
    patches.length === chunk.pieces.length ? altered.has(at) : paths.has(path);
  return {
    ...chunk,
    text,
    tokens: chunk.tokens + costs(text) - costs(chunk.text),
    diffTokens,
    pieces: chunk.pieces.map((piece, at) =>
      isAltered(piece.path, at) ? { ...piece, applicable: false } : piece,
    ),
  };
}

/** The receipt counts pieces that do not apply, whoever altered them. */
export function recounted<Receipt extends ReviewChunks['receipt']>(
  receipt: Receipt,
  chunks: readonly Pick<Chunk, 'pieces'>[],
): Receipt {
  const notApplicable = chunks.flatMap(({ pieces }) => pieces).filter(({ applicable }) => !applicable).length;
  return { ...receipt, accounting: { ...receipt.accounting, notApplicable } };
}

export function redactBundles(answer: BundleAnswer): BundleAnswer {
  const tally = secretTally();
  const bundles = answer.bundles.map((bundle) => redactBundle(bundle, tally));
  if (tally.total === 0) return answer;
  return { ...answer, bundles, warnings: [...answer.warnings, ...redactionWarning(tally)] };
}

function redactBundle(bundle: ContextBundle, tally: SecretTally): ContextBundle {
  const own = bundle.meta.file_path;
  const safe = (text: string, path = own) => tallied(redact(text, path), path, tally);
  const safeOrNull = (text: string | null) => (text === null ? null : safe(text));
  return {
    ...bundle,
    diff: safe(bundle.diff),
    function_context: safeOrNull(bundle.function_context),
    file_context: safeOrNull(bundle.file_context),
    full_file: safeOrNull(bundle.full_file),
    previous_version: safeOrNull(bundle.previous_version),
    snippets: bundle.snippets.map((snippet) => ({ ...snippet, text: safe(snippet.text, snippet.path) })),
  };
}

/** The answer as it is; where it holds what looks like a secret, it says so. */
export function warnOfSecrets<Answer extends ReviewChunks | BundleAnswer>(answer: Answer): Answer {
  const tally = secretTally();
  if ('chunks' in answer)
    for (const { text } of answer.chunks)
      for (const part of partsOf(text)) tallied(redact(part, pathOf(part)), pathOf(part), tally);
  else for (const bundle of answer.bundles) redactBundle(bundle, tally);
  return tally.total === 0 ? answer : { ...answer, warnings: [...answer.warnings, ...leftInWarning(tally)] };
}

export function redactionWarning(tally: SecretTally): Warning[] {
  const message = `${tally.total} value(s) that look like secrets were taken out.`;
  return tally.total === 0 ? [] : [{ code: 'SECRETS_REDACTED', message, details: detailsOf(tally) }];
}

export function leftInWarning(tally: SecretTally): Warning[] {
  const message = `${tally.total} value(s) that look like secrets are in the text; have them taken out before it goes to a model.`;
  return tally.total === 0 ? [] : [{ code: 'NOT_REDACTED', message, details: detailsOf(tally) }];
}

function detailsOf({ total, paths }: SecretTally) {
  return { total, paths: [...paths].slice(0, mostPaths) };
}

/** What stands before the patches, then each patch: no line inside a patch begins like its first. */
function partsOf(text: string): string[] {
  const parts = text.split(/^(?=diff --git )/m);
  return text.startsWith('diff --git ') ? ['', ...parts] : parts;
}

/** What kind of file a patch is from; its quotes and escapes do not matter for that. */
function pathOf(patch: string): string {
  if (!patch.startsWith('diff --git ')) return '';
  const named = /^(?:\+\+\+ "?b\/(.*?)"?\t?|rename to (.*)|--- "?a\/(.*?)"?\t?)$/m;
  const head = patch.slice(0, 20_000);
  const [, added, moved, removed] = named.exec(head.replace(/^--- "?a\/.*\n(?=\+\+\+ "?b\/)/m, '')) ?? [];
  return added ?? moved ?? removed ?? '';
}
