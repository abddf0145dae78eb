// Chunks of bytes become lines of text, however the chunks are cut. A line longer than the limit ends the reading.
import { StringDecoder } from 'node:string_decoder';

export interface LineSplitter {
  /** False when a line has outgrown the limit. */
  push(chunk: Buffer): boolean;
  /** The last line, which may lack its end. */
  end(): void;
}

export function splitLines(mostCharacters: number, onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let held = 0;
  let overgrown = false;
  const finish = () => {
    const line = parts.join('');
    parts = [];
    held = 0;
    if (line !== '') onLine(line);
  };
  const hold = (text: string) => {
    if (text === '') return;
    parts.push(text);
    held += text.length;
    if (held > mostCharacters) {
      overgrown = true;
      parts = [];
    }
  };
  return {
    push(chunk) {
      if (overgrown) return false;
      const lines = decoder.write(chunk).split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) {
        hold(line);
        if (overgrown) return false;
        finish();
      }
      hold(last);
      return !overgrown;
    },
    end() {
      if (overgrown) return;
      hold(decoder.end());
      if (!overgrown) finish();
    },
  };
}
