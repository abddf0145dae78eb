// A text that is too long for one call, or whose answer would be, is worked on in pieces: cut at paragraphs, where those are too
// long at sentences, each piece a call of its own, and joined again with what stood between them.
import { type GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import { builtInCatalog, type Catalog, rowFor } from '../../models/catalog/catalog.js';
import { findSkill } from '../context/find-skill.js';
import { gatherContext } from '../context/gather-context.js';
import { boundedEnds, paragraphEnds, sentenceEnds } from '../documents/borders.js';
import type { TextRange } from '../documents/indexed-text.js';
import type { SkillRunRequest } from '../layers/context-request.js';
import type { Scene } from '../layers/scene.js';
import { assembleSkill, requestOfRun, type SkillCall, type SkillPorts } from './assemble-skill.js';

export interface SkillPiece {
  readonly request: SkillRunRequest;
  readonly call: SkillCall;
  /** Code points of the document; undefined for a run that is in one piece. */
  readonly range?: TextRange;
  /** What stands between this piece and the next. */
  readonly glue: string;
}

/** The answer to a text is about as long as the text. */
const usualAnswer = 8_192;
const answerShare = 0.75;
const leastTokens = 200;
const margin = 64;

/** The calls of a run, in reading order; most have one. */
export async function cutIntoPieces(
  request: SkillRunRequest,
  ports: SkillPorts,
  catalog: Catalog | undefined,
): Promise<readonly SkillPiece[]> {
  const found = ports.found ?? (await findSkill(ports.store, request, ports.folder));
  const own = { ...ports, found };
  const whole = await attempt(() => assembleSkill(request, own));
  if ('call' in whole && found.skill?.recipe !== 'rewrite') return [{ request, call: whole.call, glue: '' }];
  if ('error' in whole && found.skill?.recipe !== 'rewrite') throw whole.error;
  const { scene, weighing } =
    'call' in whole ? whole.call.set : await gatherContext(requestOfRun(request), own);
  const text = scene.indexed.text.slice(scene.window.start, scene.window.end);
  const tokens = Math.ceil(weighing.meter.weigh(text) / weighing.meter.scale);
  const { mostOutput = usualAnswer } = rowFor(request.model ?? '', catalog ?? builtInCatalog) ?? {};
  const answer = Math.floor(Math.min(usualAnswer, mostOutput) * answerShare);
  if ('call' in whole && tokens <= answer) return [{ request, call: whole.call, glue: '' }];
  const missing = 'error' in whole ? Number(whole.error.details?.missing ?? 0) : 0;
  const size = Math.min(answer, tokens - missing - margin);
  if (size < leastTokens) {
    if ('error' in whole) throw whole.error;
    return [{ request, call: whole.call, glue: '' }];
  }
  const pieces: SkillPiece[] = [];
  for (const range of cut(scene, size, weighing.meter)) {
    const selection = {
      start: scene.indexed.positionAt(range.start),
      end: scene.indexed.positionAt(range.end),
    };
    const piece = { ...request, selection };
    const said = scene.indexed.text.slice(range.start, range.end);
    const glue = said.slice(said.trimEnd().length);
    pieces.push({ request: piece, call: await assembleSkill(piece, own), range: selection, glue });
  }
  return pieces;
}

async function attempt(
  work: () => Promise<SkillCall>,
): Promise<{ call: SkillCall } | { error: GalleyError }> {
  try {
    return { call: await work() };
  } catch (error) {
    if (isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE') return { error };
    throw error;
  }
}

/** Stretches of code units of at most so many tokens, as even as paragraphs allow. */
function cut({ indexed: { text }, window }: Scene, tokens: number, meter: Meter): TextRange[] {
  const weigh = (from: number, to: number) => Math.ceil(meter.weigh(text.slice(from, to)) / meter.scale);
  const ends = paragraphEnds(text, window.start, window.end).flatMap((end, index, all) => {
    const start = all[index - 1] ?? window.start;
    return weigh(start, end) <= tokens ? [end] : sentencesIn(text, start, end, tokens);
  });
  const parts = Math.ceil(weigh(window.start, window.end) / tokens);
  const aim = Math.min(tokens, Math.ceil((weigh(window.start, window.end) / parts) * 1.1));
  const ranges: TextRange[] = [];
  let start = window.start;
  ends.forEach((end, index) => {
    const next = ends[index + 1];
    if (next !== undefined && weigh(start, next) <= aim) return;
    ranges.push({ start, end });
    start = end;
  });
  return ranges;
}

/** A character is a few tokens at most, so that many characters are never too many. */
function sentencesIn(text: string, from: number, to: number, tokens: number): number[] {
  const ends: number[] = [];
  let start = from;
  for (const end of sentenceEnds(text, from, to)) {
    ends.push(...boundedEnds(text, { from: start, to: end }, Math.floor(tokens / 3)));
    start = end;
  }
  return ends;
}
