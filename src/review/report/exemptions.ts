// What people called intended, kept with the repository: a remark that says the same about the same file is held back, in every later
// review. Read from the side of a change that its author cannot have touched.
import * as z from 'zod';
import { byCodePoint } from '../../core/model/code-points.js';
import { GalleyError } from '../../core/model/error.js';
import { textField } from '../../core/model/input.js';
import { groupBy } from '../change/group-by.js';
import type { ReviewContext } from '../change/open-review.js';
import { readTreeFiles, trustedTree } from '../change/trusted-files.js';
import { findingLimits, type ReviewFinding } from '../findings/finding.js';
import { sameRemark } from '../findings/merge-findings.js';
import { visibleJson } from './machine-text.js';

export const exemptionsFile = '.galley/exemptions.json';

const exemption = z.strictObject({
  path: textField(findingLimits.path),
  category: textField(findingLimits.category),
  title: textField(findingLimits.title),
  message: textField(findingLimits.message),
  /** Quoted code, by which the remark is known however it is worded. */
  evidence: textField(findingLimits.evidence).default(''),
  /** For people. */
  why: textField(500).optional(),
});
const exemptions = z.strictObject({ exemptions: z.array(exemption).max(10_000) });

export type Exemption = z.output<typeof exemption>;

/** Tells what is exempt in the review of a change. */
export async function readExemptions({
  repository,
  change,
}: Pick<ReviewContext, 'repository' | 'change'>): Promise<(finding: ReviewFinding) => boolean> {
  const files = await readTreeFiles(repository, trustedTree(change), [exemptionsFile]);
  const text = files.get(exemptionsFile)?.text;
  return exemptedBy(text === undefined ? [] : parseExemptions(text));
}

export function parseExemptions(text: string): Exemption[] {
  const read = exemptions.safeParse(parsed(text));
  if (read.success) return read.data.exemptions;
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') || 'the file';
  throw new GalleyError('CONFIG_INVALID', `${exemptionsFile}: ${field} is not valid; repair or remove it.`, {
    details: { file: exemptionsFile, field },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function exemptedBy(list: readonly Exemption[]): (finding: ReviewFinding) => boolean {
  if (list.length === 0) return () => false;
  const saysTheSame = sameRemark();
  const byPath = groupBy(list, ({ path }) => path);
  return (finding) =>
    byPath
      .get(finding.path)
      ?.some((each) => each.category === finding.category && saysTheSame(finding, each)) === true;
}

/** With further findings, each once, in an order that makes small diffs. */
export function withExemptions(
  list: readonly Exemption[],
  findings: readonly ReviewFinding[],
  why: string,
): { readonly text: string; readonly added: number } {
  const all = [...list];
  for (const finding of findings) {
    if (exemptedBy(all)(finding)) continue;
    const { path, category, title, message, evidence } = finding;
    all.push({ path, category, title, message, evidence, why });
  }
  return { text: written(all), added: all.length - list.length };
}

/** Without those that say the same as one of the findings. */
export function withoutExemptions(
  list: readonly Exemption[],
  findings: readonly ReviewFinding[],
): { readonly text: string; readonly left: number } {
  const rest = list.filter((each) => !findings.some(exemptedBy([each])));
  return { text: written(rest), left: rest.length };
}

function written(list: readonly Exemption[]): string {
  const sorted = list.toSorted(
    (left, right) => byCodePoint(left.path, right.path) || byCodePoint(left.title, right.title),
  );
  return `${visibleJson({ exemptions: sorted }, 2)}\n`;
}
