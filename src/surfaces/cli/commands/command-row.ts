// What a row of the command table says of a command, and what rows share: flags, and values that flags may take.
import type { OperationId } from '../../../operations/table.js';
import type { PlainWord } from '../words/word.js';

export interface FlagRow {
  /** As help writes it: `--kind <kind>`, `<operation>`. */
  readonly form: string;
  readonly about?: PlainWord;
  readonly preset?: string;
  readonly choices?: readonly string[];
  /** Every time it is given adds to a list. */
  readonly isList?: boolean;
  readonly isNeeded?: boolean;
  /** The field of the request it fills: refusals name the field, people typed the flag. */
  readonly field?: string;
  /** Means something only when a model reviews. */
  readonly needsModel?: boolean;
}

export interface CommandRow {
  /** Another name it goes by; help does not show it. */
  readonly alias?: string;
  readonly about: PlainWord;
  readonly takes?: readonly FlagRow[];
  readonly usage?: string;
  readonly flags: readonly FlagRow[];
  /** Said below the flags; an empty one is an empty line. */
  readonly notes?: readonly (PlainWord | '')[];
  readonly examples: readonly string[];
  readonly operation?: OperationId;
}

export const flag = (
  form: string,
  about: PlainWord,
  more: Omit<FlagRow, 'form' | 'about'> = {},
): FlagRow => ({
  form,
  about,
  ...more,
});

export const jsonFlag = flag('--json', 'flag.json');
export const storeFlag = flag('--store <file>', 'flag.store');
export const explainFlag = flag('--explain', 'flag.explain');
export const dryRunFlag = flag('--dry-run', 'flag.dry-run');

// Values that flags may take. The schemas of the operations have the last word, and a test keeps both equal; they are written down
// here so that help needs no other room.
export const contextLevelChoices = ['diff_only', 'function', 'file_context', 'full_file'] as const;
export const severityChoices = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const failLevels = [...severityChoices, 'none'] as const;
export const reportFormatChoices = [
  'markdown',
  'json',
  'sarif',
  'rdjson',
  'rdjsonl',
  'gitlab',
  'github',
] as const;
export const trims = ['exact', 'hops'] as const;
export const permissionChoices = ['read', 'edit', 'run'] as const;
export const constraintKinds = ['narrative', 'character', 'world', 'style', 'plot'] as const;
export const inclusions = ['always', 'detected', 'manual', 'never'] as const;
export const promptLanguages = ['zh', 'en'] as const;
export const memoryKinds = ['semantic', 'episodic', 'working'] as const;
export const textEncodings = ['utf-8', 'gb18030', 'big5', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
