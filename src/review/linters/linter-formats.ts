// The files linters write: ESLint, golangci-lint, Ruff, reviewdog, SARIF and Checkstyle, each as a list of findings. Only the lines
// of a place count, since columns differ between writers.

import { SaxesParser } from 'saxes';
import * as z from 'zod';
import {
  type LinterFinding,
  lineNumber,
  linterSeverity,
  malformedFile,
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

/** Reviewdog's format: one object with diagnostics, */
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

const sarifMessage = z.object({
  text: optionalText,
  markdown: optionalText,
  id: optionalText,
  arguments: z.array(z.string()).nullish(),
});
const sarifRule = z.object({
  id: optionalText,
  messageStrings: z.record(z.string(), z.object({ text: optionalText })).nullish(),
  defaultConfiguration: z.object({ level: optionalText }).nullish(),
});
const sarifLocation = z.object({
  physicalLocation: z
    .object({
      artifactLocation: z.object({ uri: optionalText, uriBaseId: optionalText, index: lineNumber }).nullish(),
      region: z.object({ startLine: lineNumber, endLine: lineNumber }).nullish(),
    })
    .nullish(),
});
const sarifResult = z.object({
  ruleId: optionalText,
  ruleIndex: z.number().int().nullish(),
  rule: z.object({ id: optionalText, index: z.number().int().nullish() }).nullish(),
  level: optionalText,
  kind: optionalText,
  message: sarifMessage,
  locations: z.array(sarifLocation).nullish(),
  suppressions: z.array(z.object({ status: optionalText })).nullish(),
});
const sarifRun = z.object({
  tool: z.object({ driver: z.object({ name: optionalText, rules: z.array(sarifRule).nullish() }) }),
  artifacts: z.array(z.object({ location: z.object({ uri: optionalText }).nullish() })).nullish(),
  results: z.array(sarifResult).nullish(),
});
const sarifLog = z.object({ version: z.literal('2.1.0'), runs: z.array(sarifRun) });

/** Rules may give the level and the message; suppressed and passing results are no findings. */
export function readSarif(text: string): LinterFinding[] {
  const { runs } = shaped(sarifLog, readJson(text, 'SARIF 2.1.0'), 'SARIF 2.1.0');
  return runs.flatMap((each) => (each.results ?? []).flatMap((found) => sarifFindings(found, each)));
}

function sarifFindings(
  found: z.output<typeof sarifResult>,
  { tool, artifacts }: z.output<typeof sarifRun>,
): LinterFinding[] {
  const isSuppressed = found.suppressions?.some(({ status }) => (status ?? 'accepted') === 'accepted');
  if (isSuppressed || (found.kind && found.kind !== 'fail' && found.kind !== 'review')) return [];
  const index = found.ruleIndex ?? found.rule?.index ?? -1;
  const id = found.ruleId ?? found.rule?.id ?? undefined;
  const known = tool.driver.rules?.[index] ?? tool.driver.rules?.find((each) => each.id === id);
  const level = found.level ?? known?.defaultConfiguration?.level ?? 'warning';
  const name = id ?? known?.id ?? undefined;
  return (found.locations ?? []).flatMap(({ physicalLocation }): LinterFinding[] => {
    const { uri, index: artifact } = physicalLocation?.artifactLocation ?? {};
    const path = uri ?? artifacts?.[artifact ?? -1]?.location?.uri;
    if (!path) return [];
    const { startLine, endLine } = physicalLocation?.region ?? {};
    return [
      {
        path: sarifPath(path),
        ...(startLine ? { line: startLine, endLine: endLine ?? startLine } : {}),
        severity: linterSeverity(level),
        ...(name ? { rule: name } : {}),
        message: sarifText(found.message, known),
        ...(tool.driver.name ? { tool: tool.driver.name } : {}),
      },
    ];
  });
}

function sarifText(
  said: z.output<typeof sarifMessage>,
  known: z.output<typeof sarifRule> | undefined,
): string {
  const template = said.text ?? said.markdown ?? known?.messageStrings?.[said.id ?? '']?.text ?? '';
  return template.replaceAll(/\{(\d+)\}/g, (whole, at) => said.arguments?.[Number(at)] ?? whole);
}

/** file: URIs, relative URIs and plain paths all occur. */
function sarifPath(uri: string): string {
  const bare = uri.replace(/^file:\/\/(?:localhost)?(?=\/)/, '').replace(/^file:(?!\/)/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

/** XML that many linters write: files with errors as attributes. No entity is ever fetched. */
export function readCheckstyle(text: string): LinterFinding[] {
  const findings: LinterFinding[] = [];
  const parser = new SaxesParser();
  let path: string | undefined;
  let root: string | undefined;
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    root ??= name;
    if (name === 'file') path = attributes.name;
    if (name !== 'error' || path === undefined) return;
    const line = Number(attributes.line);
    findings.push({
      path,
      ...(Number.isSafeInteger(line) && line > 0 ? { line, endLine: line } : {}),
      severity: linterSeverity(attributes.severity),
      ...(attributes.source ? { rule: attributes.source } : {}),
      message: attributes.message ?? '',
    });
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'file') path = undefined;
  });
  try {
    parser.write(text).close();
  } catch (cause) {
    throw malformedFile('checkstyle', 'it is not well-formed XML', cause);
  }
  if (failure !== undefined) throw malformedFile('checkstyle', 'it is not well-formed XML', failure);
  if (root !== 'checkstyle') throw malformedFile('checkstyle', 'its first element is not <checkstyle>');
  return findings;
}
