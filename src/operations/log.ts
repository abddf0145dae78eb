// What is written down while working: events, digests and counts, never text.

export interface LogLine {
  readonly level: 'info' | 'warning' | 'security';
  readonly event: string;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

export type Log = (line: LogLine) => void;
