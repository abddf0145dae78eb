// What a run writes down where the next one finds it: hidden in each remark the finding it is about, in the summary the head that was
// reviewed and the findings that have no place of their own. Only marks in our own comments are ever read.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import type { ForgeComment } from '../../forges/forge.js';
import { findingSchema, type ReviewFinding } from '../findings/finding.js';

const largest = 1_000_000;

/** Of a review that was given no other. */
export const usualKey = 'default';

/** A hidden first line of a remark. */
export function markFinding(finding: ReviewFinding, key = usualKey): string {
  // A replacement is long, and may be another one the next time.
  const { suggestion: _, ...rest } = finding;
  return `<!-- galley:finding key=${key} ${packed(rest)} -->\n`;
}

/** Of the review with that key; of any when left out. */
export function readFinding(body: string, key?: string): ReviewFinding | undefined {
  const mark = /^<!-- galley:finding key=([\w.-]+) ([\w+/=]+) -->(?:\r?\n|$)/.exec(body);
  return key !== undefined && mark?.[1] !== key ? undefined : unpacked(mark?.[2], findingSchema);
}

const dismissalMark = '<!-- galley:dismissed -->';

/** A reply that says on whose word a thread was closed: the account alone does not tell. */
export function markDismissal(words: string): string {
  return `${dismissalMark}\n${words}`;
}

export function isDismissal({ isOurs, body }: ForgeComment): boolean {
  return isOurs && body.startsWith(dismissalMark);
}

const summaryState = z.strictObject({
  head: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** Every part of the change was reviewed up to that head. */
  complete: z.boolean(),
  /** Changed files that were read, of all. */
  read: z.strictObject({ files: z.int().min(0), of: z.int().min(0) }).optional(),
  /** What was reviewed in full, in part or not at all: said again where nothing is new. */
  coverage: textField(1000).optional(),
  /** What was not read though it might matter, in words. */
  hiding: z.array(textField(1000)).max(4).optional(),
  /** What changed, in the words of the pages; said again, too. */
  changed: z.array(textField(400)).max(12).optional(),
  /** Ids of findings that were looked for and not found, however their threads stand. */
  gone: z.array(z.string().max(80)).max(1000).default([]),
  /** Findings that stand in the summary only. */
  findings: z.array(findingSchema).max(1000),
});

export type SummaryState = z.output<typeof summaryState>;

/** A hidden line below the mark of the summary; as many findings as there is room for, the worst first. */
export function markState(state: SummaryState, room: number): string {
  for (let most = state.findings.length; ; most = Math.floor(most / 2)) {
    const findings = state.findings.slice(0, most).map(({ suggestion: _, ...rest }) => rest);
    const line = `<!-- galley:state ${packed({ ...state, findings })} -->\n`;
    if (line.length <= room || most === 0) return line;
  }
}

export function readState(summary: string): SummaryState | undefined {
  const [, second = ''] = summary.split('\n', 2);
  return unpacked(/^<!-- galley:state ([\w+/=]+) -->\r?$/.exec(second)?.[1], summaryState);
}

function packed(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 9 }).toString('base64');
}

/** What cannot be read says nothing: a comment may have been edited. */
function unpacked<Schema extends z.ZodType>(
  text: string | undefined,
  schema: Schema,
): z.output<Schema> | undefined {
  if (text === undefined) return undefined;
  try {
    const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: largest });
    const read = schema.safeParse(JSON.parse(bytes.toString('utf8')));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
