// golangci-lint's JSON report.
import * as z from 'zod';
import { type Finding, severityOf } from './finding.js';
import { lineNumber, readJson, shaped, words } from './json-shapes.js';

const report = z.object({
  Issues: z
    .array(
      z.object({
        FromLinter: words,
        Text: z.string(),
        Severity: words,
        Pos: z.object({ Filename: z.string(), Line: lineNumber }),
        LineRange: z.object({ From: lineNumber, To: lineNumber }).nullish(),
      }),
    )
    .nullable(),
});

export function readGolangci(text: string): Finding[] {
  const { Issues } = shaped(report, readJson(text, 'golangci JSON'), 'golangci JSON');
  return (Issues ?? []).map(({ FromLinter, Text, Severity, Pos, LineRange }): Finding => {
    const line = LineRange?.From || Pos.Line;
    return {
      path: Pos.Filename,
      ...(line ? { line, endLine: LineRange?.To || line } : {}),
      severity: severityOf(Severity || 'warning'),
      ...(FromLinter ? { rule: FromLinter } : {}),
      message: Text,
      tool: 'golangci-lint',
    };
  });
}
