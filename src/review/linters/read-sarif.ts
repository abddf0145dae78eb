// SARIF 2.1.0: rules may give the level and the message; suppressed and passing results are no findings.
import * as z from 'zod';
import {
  type LinterFinding,
  lineNumber,
  linterSeverity,
  optionalText,
  readJson,
  shaped,
} from './linter-finding.js';

const message = z.object({
  text: optionalText,
  markdown: optionalText,
  id: optionalText,
  arguments: z.array(z.string()).nullish(),
});
const rule = z.object({
  id: optionalText,
  messageStrings: z.record(z.string(), z.object({ text: optionalText })).nullish(),
  defaultConfiguration: z.object({ level: optionalText }).nullish(),
});
const location = z.object({
  physicalLocation: z
    .object({
      artifactLocation: z.object({ uri: optionalText, uriBaseId: optionalText, index: lineNumber }).nullish(),
      region: z.object({ startLine: lineNumber, endLine: lineNumber }).nullish(),
    })
    .nullish(),
});
const result = z.object({
  ruleId: optionalText,
  ruleIndex: z.number().int().nullish(),
  rule: z.object({ id: optionalText, index: z.number().int().nullish() }).nullish(),
  level: optionalText,
  kind: optionalText,
  message,
  locations: z.array(location).nullish(),
  suppressions: z.array(z.object({ status: optionalText })).nullish(),
});
const run = z.object({
  tool: z.object({ driver: z.object({ name: optionalText, rules: z.array(rule).nullish() }) }),
  artifacts: z.array(z.object({ location: z.object({ uri: optionalText }).nullish() })).nullish(),
  results: z.array(result).nullish(),
});
const log = z.object({ version: z.literal('2.1.0'), runs: z.array(run) });

export function readSarif(text: string): LinterFinding[] {
  const { runs } = shaped(log, readJson(text, 'SARIF 2.1.0'), 'SARIF 2.1.0');
  return runs.flatMap((each) => (each.results ?? []).flatMap((found) => findingsOf(found, each)));
}

function findingsOf(
  found: z.output<typeof result>,
  { tool, artifacts }: z.output<typeof run>,
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
        path: pathOf(path),
        ...(startLine ? { line: startLine, endLine: endLine ?? startLine } : {}),
        severity: linterSeverity(level),
        ...(name ? { rule: name } : {}),
        message: messageOf(found.message, known),
        ...(tool.driver.name ? { tool: tool.driver.name } : {}),
      },
    ];
  });
}

function messageOf(said: z.output<typeof message>, known: z.output<typeof rule> | undefined): string {
  const template = said.text ?? said.markdown ?? known?.messageStrings?.[said.id ?? '']?.text ?? '';
  return template.replaceAll(/\{(\d+)\}/g, (whole, at) => said.arguments?.[Number(at)] ?? whole);
}

/** file: URIs, relative URIs and plain paths all occur. */
function pathOf(uri: string): string {
  const bare = uri.replace(/^file:\/\/(?:localhost)?(?=\/)/, '').replace(/^file:(?!\/)/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}
