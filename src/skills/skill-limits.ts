// What may stand in a skill file? Bytes decoded strictly, fields of bounded length, and one refusal that names the field.
import { utf8Length } from '../core/model/code-points.js';
import { GalleyError } from '../core/model/error.js';

export interface SkillPatterns {
  readonly max: number;
  readonly refuse: RegExp;
}

export const skillLimits = {
  name: { max: 64, refuse: /[\p{Cc}\u2028\u2029]/u },
  description: { max: 1024, refuse: /(?![\n\t])\p{Cc}/u },
} as const satisfies Record<string, SkillPatterns>;

/** The rule of the public skill format; other names work here but not in every reader. */
export const publicName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const publicFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);

export const ownFields: ReadonlySet<string> = new Set([
  'context_rules',
  'recipe',
  'prompt',
  'budget_tokens',
  'output',
]);

export const maxSkillBytes = 256 * 1024;

interface SkillText {
  readonly text: string;
  readonly byteOrderMark: boolean;
}

/**
 * Which text does a skill file hold? Bytes are decoded strictly; a byte-order mark and CRLF line ends do not reach the parser.
 */
export function readSkillText(source: string | Uint8Array): SkillText {
  const size = typeof source === 'string' ? utf8Length(source) : source.byteLength;
  if (size > maxSkillBytes) {
    throw invalidField('source', `a skill file holds at most ${maxSkillBytes} bytes; shorten it.`);
  }
  const decoded = typeof source === 'string' ? source : decode(source);
  const byteOrderMark = decoded.startsWith('\ufeff');
  const text = (byteOrderMark ? decoded.slice(1) : decoded).replaceAll('\r\n', '\n');
  return { text, byteOrderMark };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidField('source', 'the file is not valid UTF-8; save it as UTF-8.', { cause });
  }
}

/** The one refusal of this room: an argument or field of a skill file is not acceptable, and this is which one. */
export function invalidField(
  field: string,
  problem: string,
  options: { line?: number; cause?: unknown } = {},
): GalleyError {
  const details = options.line === undefined ? { field } : { field, line: options.line };
  return new GalleyError('INVALID_ARGUMENT', `${field}: ${problem}`, { details, cause: options.cause });
}
