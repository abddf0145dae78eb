// ESLint's own JSON: one entry per file with its messages.
import * as z from 'zod';
import {
  type LinterFinding,
  lineNumber,
  linterSeverity,
  optionalText,
  readJson,
  shaped,
} from './linter-finding.js';

const eslintFiles = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        ruleId: optionalText,
        severity: z.number().nullish(),
        message: z.string(),
        line: lineNumber,
        endLine: lineNumber,
      }),
    ),
  }),
);

export function readEslint(text: string): LinterFinding[] {
  return shaped(eslintFiles, readJson(text, 'ESLint JSON'), 'ESLint JSON').flatMap(({ filePath, messages }) =>
    messages.map(
      ({ ruleId, severity, message, line, endLine }): LinterFinding => ({
        path: filePath,
        ...(line ? { line, endLine: endLine ?? line } : {}),
        severity: linterSeverity(severity),
        ...(ruleId ? { rule: ruleId } : {}),
        message,
        tool: 'eslint',
      }),
    ),
  );
}

// golangci-lint's JSON report.
const golangciReport = z.object({
  Issues: z
    .array(
      z.object({
        FromLinter: optionalText,
        Text: z.string(),
        Severity: optionalText,
        Pos: z.object({ Filename: z.string(), Line: lineNumber }),
        LineRange: z.object({ From: lineNumber, To: lineNumber }).nullish(),
      }),
    )
    .nullable(),
});

export function readGolangci(text: string): LinterFinding[] {
  const { Issues } = shaped(golangciReport, readJson(text, 'golangci JSON'), 'golangci JSON');
  return (Issues ?? []).map(({ FromLinter, Text, Severity, Pos, LineRange }): LinterFinding => {
    const line = LineRange?.From || Pos.Line;
    return {
      path: Pos.Filename,
      ...(line ? { line, endLine: LineRange?.To || line } : {}),
      severity: linterSeverity(Severity || 'warning'),
      ...(FromLinter ? { rule: FromLinter } : {}),
      message: Text,
      tool: 'golangci-lint',
    };
  });
}

// Ruff's JSON output.
const ruffPlace = z.object({ row: lineNumber });
const ruffReport = z.array(
  z.object({
    code: optionalText,
    message: z.string(),
    filename: z.string(),
    location: ruffPlace.nullish(),
    end_location: ruffPlace.nullish(),
  }),
);

export function readRuff(text: string): LinterFinding[] {
  return shaped(ruffReport, readJson(text, 'ruff JSON'), 'ruff JSON').map(
    ({ code, message, filename, location, end_location }): LinterFinding => {
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

// Reviewdog's formats: one object with diagnostics, or one diagnostic per line. Columns differ between writers, so only lines count.
const position = z.object({ line: lineNumber });
const diagnostic = z.object({
  message: optionalText,
  location: z.object({
    path: z.string(),
    range: z.object({ start: position.nullish(), end: position.nullish() }).nullish(),
  }),
  severity: z.union([z.string(), z.number()]).nullish(),
  code: z.object({ value: optionalText }).nullish(),
  source: z.object({ name: optionalText }).nullish(),
});
const document = z.object({
  source: z.object({ name: optionalText }).nullish(),
  severity: z.union([z.string(), z.number()]).nullish(),
  diagnostics: z.array(diagnostic),
});
/** Numbers of the schema, for writers that use them. */
const numbered = ['warning', 'error', 'warning', 'info'];

export function readRdjson(text: string): LinterFinding[] {
  const { source, severity, diagnostics } = shaped(document, readJson(text, 'rdjson'), 'rdjson');
  return diagnostics.map((each) =>
    diagnosticFinding({ ...each, severity: each.severity ?? severity, source: each.source ?? source }),
  );
}

export function readRdjsonl(text: string): LinterFinding[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => diagnosticFinding(shaped(diagnostic, readJson(line, 'rdjsonl'), 'rdjsonl')));
}

function diagnosticFinding({
  message,
  location,
  severity,
  code,
  source,
}: z.output<typeof diagnostic>): LinterFinding {
  const line = location.range?.start?.line;
  const endLine = location.range?.end?.line;
  return {
    path: location.path,
    ...(line ? { line, endLine: endLine || line } : {}),
    severity: linterSeverity(typeof severity === 'number' ? numbered[severity] : severity),
    ...(code?.value ? { rule: code.value } : {}),
    message: message ?? '',
    ...(source?.name ? { tool: source.name } : {}),
  };
}
