// One finding of a linter, whatever its format: where, how bad, which rule, what it says.

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  /** As the linter wrote it; made project-relative later. */
  readonly path: string;
  /** One-based; absent when the finding is about the whole file. */
  readonly line?: number;
  readonly endLine?: number;
  readonly severity: Severity;
  readonly rule?: string;
  readonly message: string;
  readonly tool?: string;
}

export function severityOf(word: unknown): Severity {
  const text = String(word ?? '').toLowerCase();
  if (/^(error|fatal|critical|high|2)$/.test(text)) return 'error';
  if (/^(info|note|hint|style|low|information|none|suggestion)$/.test(text)) return 'info';
  return 'warning';
}
