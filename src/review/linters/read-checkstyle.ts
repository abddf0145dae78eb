// Checkstyle XML, which many linters write: files with errors as attributes. No entity is ever fetched.
import { SaxesParser } from 'saxes';
import { type LinterFinding, linterSeverity, malformedFile } from './linter-finding.js';

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
