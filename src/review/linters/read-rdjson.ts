// Reviewdog's formats: one object with diagnostics, or one diagnostic per line. Columns differ between writers, so only lines count.
import * as z from 'zod';
import { type Finding, severityOf } from './finding.js';
import { lineNumber, readJson, shaped, words } from './json-shapes.js';

const position = z.object({ line: lineNumber });
const diagnostic = z.object({
  message: words,
  location: z.object({
    path: z.string(),
    range: z.object({ start: position.nullish(), end: position.nullish() }).nullish(),
  }),
  severity: z.union([z.string(), z.number()]).nullish(),
  code: z.object({ value: words }).nullish(),
  source: z.object({ name: words }).nullish(),
});
const document = z.object({
  source: z.object({ name: words }).nullish(),
  severity: z.union([z.string(), z.number()]).nullish(),
  diagnostics: z.array(diagnostic),
});
/** Numbers of the schema, for writers that use them. */
const numbered = ['warning', 'error', 'warning', 'info'];

export function readRdjson(text: string): Finding[] {
  const { source, severity, diagnostics } = shaped(document, readJson(text, 'rdjson'), 'rdjson');
  return diagnostics.map((each) =>
    findingOf({ ...each, severity: each.severity ?? severity, source: each.source ?? source }),
  );
}

export function readRdjsonl(text: string): Finding[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => findingOf(shaped(diagnostic, readJson(line, 'rdjsonl'), 'rdjsonl')));
}

function findingOf({ message, location, severity, code, source }: z.output<typeof diagnostic>): Finding {
  const line = location.range?.start?.line;
  const endLine = location.range?.end?.line;
  return {
    path: location.path,
    ...(line ? { line, endLine: endLine || line } : {}),
    severity: severityOf(typeof severity === 'number' ? numbered[severity] : severity),
    ...(code?.value ? { rule: code.value } : {}),
    message: message ?? '',
    ...(source?.name ? { tool: source.name } : {}),
  };
}
