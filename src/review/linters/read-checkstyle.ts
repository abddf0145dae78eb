// Checkstyle XML, which many linters write: files with errors as attributes. No entity is ever fetched.
import { SaxesParser } from 'saxes';
import { type Finding, severityOf } from './finding.js';
import { malformed } from './json-shapes.js';

export function readCheckstyle(text: string): Finding[] {
  const findings: Finding[] = [];
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
      severity: severityOf(attributes.severity),
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
    throw malformed('checkstyle', 'it is not well-formed XML', cause);
  }
  if (failure !== undefined) throw malformed('checkstyle', 'it is not well-formed XML', failure);
  if (root !== 'checkstyle') throw malformed('checkstyle', 'its first element is not <checkstyle>');
  return findings;
}
