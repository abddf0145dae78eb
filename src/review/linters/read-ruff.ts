// Ruff's JSON output.
import * as z from 'zod';
import type { Finding } from './finding.js';
import { lineNumber, readJson, shaped, words } from './json-shapes.js';

const place = z.object({ row: lineNumber });
const report = z.array(
  z.object({
    code: words,
    message: z.string(),
    filename: z.string(),
    location: place.nullish(),
    end_location: place.nullish(),
  }),
);

export function readRuff(text: string): Finding[] {
  return shaped(report, readJson(text, 'ruff JSON'), 'ruff JSON').map(
    ({ code, message, filename, location, end_location }): Finding => {
      const line = location?.row;
      return {
        path: filename,
        ...(line ? { line, endLine: end_location?.row || line } : {}),
        // A file that does not parse has no code.
        severity: code ? 'warning' : 'error',
        ...(code ? { rule: code } : {}),
        message,
        tool: 'ruff',
      };
    },
  );
}
