// A text or Markdown file as chapters.
import type { Warning } from '../../../core/model/error.js';
import { decodeText, type Encoding } from './decode-text.js';
import { type GivenFile, type Incoming, importWarning, noIncoming } from './incoming.js';
import { splitChapters } from './split-chapters.js';

export interface ReadOptions {
  readonly encoding?: Encoding | undefined;
  /** A file of a folder is a chapter already. */
  readonly isWhole?: boolean;
}

const longestLine = 1_000_000;

export function readTextFile(
  file: GivenFile,
  { encoding: asked, isWhole = false }: ReadOptions = {},
): Incoming {
  const { text: decoded, encoding, replaced } = decodeText(file.bytes, file.name, asked);
  const { text, zeros } = plainText(decoded);
  const format = /\.(?:md|markdown)$/i.test(file.name) ? 'md' : 'txt';
  const parts = isWhole ? [{ title: undefined, text }] : splitChapters(text, format);
  const warnings: Warning[] = [];
  if (replaced > 0)
    warnings.push(
      importWarning(
        'TEXT_DAMAGED',
        `${file.name} is not all ${encoding}: ${replaced} places could not be read and hold U+FFFD now.`,
        file.name,
      ),
    );
  if (zeros > 0)
    warnings.push(
      importWarning('TEXT_DAMAGED', `${file.name} held ${zeros} NUL characters, which are gone.`, file.name),
    );
  if (text.split('\n').some((line) => line.length > longestLine))
    warnings.push(
      importWarning(
        'LONG_PARAGRAPH',
        `${file.name} holds a paragraph of more than ${longestLine} characters.`,
        file.name,
      ),
    );
  return {
    ...noIncoming,
    format: format === 'md' ? 'markdown' : 'text',
    encoding,
    chapters: parts.map((part) => ({ ...part, format })),
    warnings,
  };
}

/** One kind of line break and no NUL, which no store keeps. */
function plainText(text: string): { text: string; zeros: number } {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (!lines.includes('\0')) return { text: lines, zeros: 0 };
  const pieces = lines.split('\0');
  return { text: pieces.join(''), zeros: pieces.length - 1 };
}
