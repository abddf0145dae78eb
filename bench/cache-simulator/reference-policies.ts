// Ways to lay out the same four layers, from careless to careful: what an engine's layout is measured against.
import type { EditingSession, SessionSetting, SessionStep } from './editing-session.js';
import { searchLibrary } from './library-search.js';
import { requestOf, type SimulatedRequest } from './request.js';

export interface Policy {
  readonly clockFirst?: boolean;
  /** Settings by id, pieces sticky and in the order of their arrival. */
  readonly steady?: boolean;
  /** The start of the text stays put and hops. */
  readonly anchored?: boolean;
  /** A snapshot of the settings, with changes told at the end, and a block for each paragraph. */
  readonly frozen?: boolean;
  readonly immediateFirst?: boolean;
}

export const policies: Readonly<Record<string, Policy>> = {
  'clock first': { clockFirst: true },
  'as written: confidence order, score order, sliding tail': {},
  '+ settings by id, sticky pieces in append order': { steady: true },
  '+ anchored start, hop to 60 %': { steady: true, anchored: true },
  '+ frozen settings with deltas, a block per paragraph': { steady: true, anchored: true, frozen: true },
  'immediate before retrieved': { steady: true, anchored: true, immediateFirst: true },
};

const keep = 6;
const slack = 4;
const windowSize = 2_400;

export function layOut(session: EditingSession, policy: Policy): (step: SessionStep) => SimulatedRequest {
  const search = searchLibrary(session.library);
  const rules = `[rules]\n${session.rules.join('\n')}\n`;
  let shown: readonly string[] = [];
  let anchor: number | undefined;
  let snapshot: readonly SessionSetting[] | undefined;
  return (step) => {
    const ranked = search(step.query).slice(0, keep + slack);
    shown =
      policy.steady === true
        ? stickyIds(
            shown,
            ranked.map((piece) => piece.id),
          )
        : ranked.slice(0, keep).map((piece) => piece.id);
    const texts = new Map(ranked.map((piece) => [piece.id, piece.text]));
    const pieces = shown.map((id) => `[${id}] ${texts.get(id)}\n`);
    anchor = startOf(step, policy.anchored === true ? anchor : undefined);
    snapshot = policy.frozen === true ? (snapshot ?? step.settings) : step.settings;
    const clock = policy.clockFirst === true ? `It is call ${step.index}.\n` : '';
    const settings = `[settings]\n${orderOf(snapshot, policy).map(lineOf).join('\n')}\n`;
    const changes = policy.frozen === true ? deltas(snapshot, step.settings) : '';
    const immediate = step.text.slice(anchor, step.cursor);
    const head = [{ text: clock + rules }, { text: settings, marker: true }];
    const found = blocksOf(['[retrieved]\n', ...pieces], policy);
    const near = blocksOf(['[immediate]\n', ...immediate.split(/(?<=\n)/)], policy, true);
    const layers = policy.immediateFirst === true ? [...near, ...found] : [...found, ...near];
    return requestOf(session.model, [...head, ...layers, { text: changes }]);
  };
}

/** One block for the layer with a marker behind it, or one for each part with a marker behind the last that is complete. */
function blocksOf(
  parts: readonly string[],
  policy: Policy,
  growing = false,
): { text: string; marker?: boolean }[] {
  if (policy.frozen !== true) return [{ text: parts.join(''), marker: true }];
  const complete = parts.length - (growing ? 2 : 1);
  return parts.map((text, index) => ({ text, marker: index === complete }));
}

function orderOf(settings: readonly SessionSetting[], policy: Policy): readonly SessionSetting[] {
  if (policy.steady === true) return settings;
  return [...settings].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1));
}

function lineOf(setting: SessionSetting): string {
  return `- ${setting.text}`;
}

function deltas(snapshot: readonly SessionSetting[], current: readonly SessionSetting[]): string {
  const before = new Map(snapshot.map((setting) => [setting.id, setting.text]));
  const changed = current.filter((setting) => before.get(setting.id) !== setting.text);
  return changed.length === 0 ? '' : `[settings changed]\n${changed.map(lineOf).join('\n')}\n`;
}

function stickyIds(shown: readonly string[], ranked: readonly string[]): string[] {
  const stay = shown.filter((id) => ranked.includes(id)).slice(0, keep);
  return [...stay, ...ranked.filter((id) => !stay.includes(id)).slice(0, keep - stay.length)];
}

function startOf(step: SessionStep, anchor: number | undefined): number {
  const exact = Math.max(0, step.cursor - windowSize);
  if (anchor === undefined || anchor > step.cursor) return exact;
  if (step.cursor - anchor <= windowSize) return anchor;
  return step.cursor - Math.floor(windowSize * 0.6);
}
