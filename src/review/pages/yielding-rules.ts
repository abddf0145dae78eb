// Rules of a project and the change are worth the same: where a page cannot hold both, each has half of it. Rules then end where a rule
// ends, those nearest to the changed files stay first, and what is missing is said; a longer cut contains every shorter one.
import type { Warning } from '../../core/model/error.js';
import { amountOf, type Meter, weightOf } from '../../core/model/meter.js';
import type { Rejection } from '../../core/model/receipt.js';
import { printablePath } from '../change/safe-text.js';
import type { ProjectRule } from './lasting-text.js';

export interface ShownRule extends ProjectRule {
  /** Only its beginning. */
  readonly isPart?: boolean;
}

export interface ShownRules {
  readonly rules: readonly ShownRule[];
  /** What of them found no room, for the ledger. */
  readonly rejections: readonly Rejection[];
  readonly warnings: readonly Warning[];
}

interface SharedPage<Got> {
  readonly rules: readonly ProjectRule[];
  /** Of the whole page; undefined where nothing bounds it. */
  readonly limit: number | undefined;
  readonly meter: Meter;
  /** Weight of everything that lasts, with these rules. */
  needs(rules: readonly ShownRule[]): number;
  /** The change beside that weight. */
  gather(needed: number): Promise<Got>;
  /** What of the change found no room, and what it weighs where it is whole and on one page. */
  outcome(got: Got): { readonly isShort: boolean; readonly weight: number | undefined };
  close(got: Got): void;
}

export interface Beside<Got> {
  readonly got: Got;
  readonly shown: ShownRules;
  readonly needed: number;
}

/** Rules stay whole unless something of the change would be left out beside them. */
export async function besideRules<Got>(page: SharedPage<Got>): Promise<Beside<Got>> {
  const { rules, limit, meter, needs, gather } = page;
  const all = needs(rules);
  const whole = { got: await gather(all), shown: { rules, rejections: [], warnings: [] }, needed: all };
  const bare = rules.length === 0 ? all : needs([]);
  const room = limit === undefined ? Number.POSITIVE_INFINITY : weightOf(meter, limit) - bare;
  const half = Math.floor(room / 2);
  if (all - bare <= half || !page.outcome(whole.got).isShort) return whole;
  page.close(whole.got);
  const got = await gather(bare + half);
  const { isShort, weight } = page.outcome(got);
  // A change that needs less than its half leaves the rest to the rules.
  const most = isShort || weight === undefined ? half : room - weight;
  const kept = firstBlocks(page, bare + most);
  const enough = amountOf(meter, most === half ? bare + 2 * (all - bare) : all + (weight ?? 0)).n + 1;
  const left = amountOf(meter, Math.max(0, all - needs(kept.rules))).n;
  const told = { enough, left, all: amountOf(meter, all - bare).n, unit: meter.unit };
  return { got, shown: { ...kept, warnings: [shortened(kept.rejections, told)] }, needed: bare + most };
}

function firstBlocks<Got>(
  { rules, needs }: Pick<SharedPage<Got>, 'rules' | 'needs'>,
  most: number,
): Pick<ShownRules, 'rules' | 'rejections'> {
  const nearest = [...rules].sort((a, b) => depthOf(b) - depthOf(a));
  const cut = nearest.map((rule) => ({ rule, blocks: ruleBlocks(rule.text.trim()) }));
  const shownAt = (count: number) => {
    let left = count;
    const shown = new Map<ProjectRule, ShownRule>();
    for (const { rule, blocks } of cut) {
      const own = Math.min(left, blocks.length);
      left -= own;
      if (own === blocks.length) shown.set(rule, rule);
      else if (own > 0) shown.set(rule, beginning(rule, blocks, own));
    }
    return rules.flatMap((rule) => shown.get(rule) ?? []);
  };
  let low = 0;
  let high = cut.reduce((sum, { blocks }) => sum + blocks.length, 0);
  while (low < high) {
    const count = Math.ceil((low + high) / 2);
    if (needs(shownAt(count)) <= most) low = count;
    else high = count - 1;
  }
  const shown = shownAt(low);
  const byPath = new Map(shown.map((rule) => [rule.path, rule]));
  const rejections = rules.flatMap(({ path }): Rejection[] => {
    const own = byPath.get(path);
    if (own !== undefined && own.isPart !== true) return [];
    const id = own === undefined ? `rules:${path}` : `rules:${path} rest`;
    const reason = 'the change needs its half of the page';
    return [{ id, source: 'rules', layer: 'rules', verdict: 'conceded', reason, ref: path }];
  });
  return { rules: shown, rejections };
}

function depthOf({ folder }: ProjectRule): number {
  return folder.split('/').length;
}

function beginning(rule: ProjectRule, blocks: readonly string[], count: number): ShownRule {
  const rest = blocks
    .slice(count)
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '').length;
  const note = `[${rest} more line${rest === 1 ? '' : 's'} of ${printablePath(rule.path)} found no room on this page]`;
  return { ...rule, text: `${blocks.slice(0, count).join('\n').trimEnd()}\n${note}`, isPart: true };
}

const fence = /^\s*(```+|~~~+)/;
const heading = /^#{1,6}\s/;
const item = /^\s*(?:[-*+]|\d+[.)])\s/;

/** Paragraphs, items of lists and blocks of code; a heading stands with what it is above. */
export function ruleBlocks(text: string): string[] {
  const blocks: string[][] = [];
  let open: string | undefined;
  let hasBody = false;
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    const begins = heading.test(line) || item.test(line) || last?.at(-1)?.trim() === '';
    if (last === undefined || (open === undefined && hasBody && begins && line.trim() !== '')) {
      blocks.push([line]);
      hasBody = false;
    } else last.push(line);
    const mark = fence.exec(line)?.[1];
    if (open === undefined) {
      open = mark;
      hasBody ||= line.trim() !== '' && !heading.test(line);
    } else if (mark?.startsWith(open)) open = undefined;
  }
  return blocks.map((lines) => lines.join('\n'));
}

const maxNamed = 3;

function shortened(
  rejections: readonly Rejection[],
  told: { readonly enough: number; readonly left: number; readonly all: number; readonly unit: string },
): Warning {
  const paths = rejections.map(({ ref = '' }) => printablePath(ref));
  const named = paths.slice(0, maxNamed).join(', ');
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return {
    code: 'RULES_SHORTENED',
    message: `Project rules are shown in part: ${told.left} of ${told.all} ${told.unit} found no room beside the change (${named}${more}); a page of ${told.enough} holds all of them.`,
    details: { needed: told.enough, left: told.left, total: told.all, paths: paths.slice(0, 20) },
  };
}
