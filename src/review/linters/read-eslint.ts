// ESLint's own JSON: one entry per file with its messages.
import * as z from 'zod';
import { type Finding, severityOf } from './finding.js';
import { lineNumber, readJson, shaped, words } from './json-shapes.js';

const files = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        ruleId: words,
        severity: z.number().nullish(),
        message: z.string(),
        line: lineNumber,
        endLine: lineNumber,
      }),
    ),
  }),
);

export function readEslint(text: string): Finding[] {
  return shaped(files, readJson(text, 'ESLint JSON'), 'ESLint JSON').flatMap(({ filePath, messages }) =>
    messages.map(
      ({ ruleId, severity, message, line, endLine }): Finding => ({
        path: filePath,
        ...(line ? { line, endLine: endLine ?? line } : {}),
        severity: severityOf(severity),
        ...(ruleId ? { rule: ruleId } : {}),
        message,
        tool: 'eslint',
      }),
    ),
  );
}
