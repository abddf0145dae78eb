// The report as SARIF 2.1.0. What was held back is there too, suppressed, with the reason; what is resolved is not a result any more.
import type { Log, ReportingDescriptor, Result, Run } from 'sarif';
import { byCodePoint } from '../../core/model/code-points.js';
import { summaryReasons } from '../findings/check-anchors.js';
import type { ReviewFinding } from '../findings/finding.js';
import { type Severity, severities } from '../findings/finding.js';
import { currentLines, pathUri, plainMessage, plainTitle, visibleJson } from './machine-text.js';
import { markdownLine } from './markdown.js';
import type { HoldReason, Report, ReportedFinding } from './report.js';

type Level = 'error' | 'warning' | 'note';

const levels: Readonly<Record<Severity, Level>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};
const base = '%SRCROOT%';
const holds: Readonly<Record<HoldReason, string>> = {
  refuted: 'Refuted when it was looked at again.',
  'below-threshold': 'Below the threshold of this review.',
  'over-cap': 'Over the number of findings this review shows.',
  exempt: 'People called it intended.',
};

export function writeSarif(report: Report): string {
  const items = [
    ...report.findings.map((item) => ({ item, hold: undefined })),
    ...report.held.map(({ item, reason }) => ({ item, hold: reason })),
  ];
  const rules = rulesOf(items.map(({ item }) => item.finding));
  const ruleIndex = new Map(rules.map(({ id }, index) => [id, index]));
  const { name, version, url } = report.tool;
  const run: Run = {
    tool: {
      driver: {
        name,
        semanticVersion: version,
        ...(url === undefined ? {} : { informationUri: url }),
        rules,
      },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [base]: { description: { text: 'The root of the reviewed repository.' } } },
    invocations: [
      {
        executionSuccessful: report.complete,
        toolExecutionNotifications: report.warnings.map(({ code, message }) => ({
          descriptor: { id: code },
          level: 'warning' as const,
          message: { text: sarifText(message) },
        })),
      },
    ],
    results: items.map(({ item, hold }) => resultOf(item, ruleIndex.get(ruleId(item.finding)) ?? 0, hold)),
  };
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${visibleJson(log, 2)}\n`;
}

function ruleId({ category }: ReviewFinding): string {
  return `review/${category}`;
}

function rulesOf(findings: readonly ReviewFinding[]): ReportingDescriptor[] {
  const worst = new Map<string, Severity>();
  for (const severity of [...severities].reverse())
    for (const finding of findings) if (finding.severity === severity) worst.set(ruleId(finding), severity);
  return [...worst]
    .sort(([left], [right]) => byCodePoint(left, right))
    .map(([id, severity]) => ({
      id,
      shortDescription: { text: `Review remarks about ${id.slice('review/'.length)}` },
      defaultConfiguration: { level: levels[severity] },
    }));
}

function resultOf(item: ReportedFinding, ruleIndex: number, hold: HoldReason | undefined): Result {
  const { finding, place, standing } = item;
  const { severity, confidence, category, side, startLine, endLine } = finding;
  const lines = currentLines(finding);
  const file = { artifactLocation: { uri: pathUri(finding.path), uriBaseId: base } };
  const anchored = place.kind === 'anchored';
  const reason = anchored ? undefined : summaryReasons[place.reason];
  return {
    ruleId: ruleId(finding),
    ruleIndex,
    level: levels[severity],
    rank: Math.round(confidence * 1000) / 10,
    message: { text: sarifText(plainMessage(finding)) },
    locations: [
      { physicalLocation: anchored && lines !== undefined ? { ...file, region: { ...lines } } : file },
    ],
    partialFingerprints: { 'galleyFinding/v1': finding.id },
    baselineState: standing === 'new' ? 'new' : 'unchanged',
    ...(finding.suggestion === undefined ? {} : { fixes: [fixOf(finding, finding.suggestion)] }),
    // Every result states it, or readers take the others for suppressed ones.
    suppressions:
      hold === undefined
        ? []
        : [{ kind: 'external', status: 'accepted', justification: justificationOf(hold, item) }],
    properties: {
      severity,
      confidence,
      category,
      side,
      startLine,
      endLine,
      ...(reason === undefined ? {} : { notAnchored: reason }),
      ...(item.lostSuggestion === undefined ? {} : { lostSuggestion: item.lostSuggestion }),
      ...(finding.remedy === undefined ? {} : { remedy: finding.remedy }),
    },
  };
}

function justificationOf(hold: HoldReason, { refuted }: ReportedFinding): string {
  return hold !== 'refuted' || refuted === undefined
    ? holds[hold]
    : `${holds[hold]} ${sarifText(markdownLine(refuted, 'spanned'))}`;
}

function fixOf(
  finding: ReviewFinding,
  { replacement, startLine, endLine }: NonNullable<ReviewFinding['suggestion']>,
) {
  // Without columns the last line end stays; lines that vanish take theirs along.
  const deletedRegion =
    replacement === ''
      ? { startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 }
      : { startLine, endLine };
  const replacements = [
    { deletedRegion, ...(replacement === '' ? {} : { insertedContent: { text: replacement } }) },
  ];
  const artifactLocation = { uri: pathUri(finding.path), uriBaseId: base };
  return {
    description: { text: sarifText(plainTitle(finding)) },
    artifactChanges: [{ artifactLocation, replacements }],
  };
}

/** Neither a placeholder nor an embedded link. */
function sarifText(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}').replaceAll('](', '] (');
}
