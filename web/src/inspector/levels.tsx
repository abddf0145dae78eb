// How much of a piece is shown: of a changed file and its units what stands around the diff, of a passage the whole or a part.
import { useEffect, useState } from 'preact/hooks';
import type { Handling } from './inspector.js';
import type { Piece } from './sheet.js';
import { say } from './words.js';

/** Something whose level can be named. */
export interface Levelled {
  /** Under which the request names it. */
  readonly name: string;
  readonly label: string;
  /** Fullest last, as one turns something up. */
  readonly levels: readonly string[];
  /** Where nobody named one. */
  readonly level: string;
  /** What it is a part of: a level named for that is its own as well. */
  readonly within?: string;
}

/** Levels of reviews have words; those of passages say themselves how much is left. */
export function levelWords(level: string): string {
  switch (level) {
    case 'diff_only':
    case 'function':
    case 'file_context':
    case 'full_file':
    case 'whole':
      return say(`level.${level}`);
    default: {
      const [, shown, all] = /^trimmed to (\d+) of (\d+)$/.exec(level) ?? [];
      return shown === undefined || all === undefined ? level : say('level.cut', { shown, all });
    }
  }
}

export function Levels({ piece, levels, levelled, set }: { piece: Piece } & Handling) {
  const [found, setFound] = useState<readonly Levelled[]>([]);
  useEffect(() => {
    let isShown = true;
    const nothing = () => isShown && setFound([]);
    levelled(piece).then((known) => isShown && setFound(known), nothing);
    return () => {
      isShown = false;
    };
  }, [piece.fragment]);
  const choose = (name: string, level: string) => {
    const { [name]: _, ...others } = levels;
    set({ levels: level === '' ? others : { ...others, [name]: level } });
  };
  return (
    <>
      {found.map(({ name, label, levels: known, level, within = '' }) => (
        <label class="level" key={name}>
          <span>{label}</span>
          <select value={levels[name] ?? ''} onChange={(event) => choose(name, event.currentTarget.value)}>
            <option value="">{say('level.usual', { level: levelWords(levels[within] ?? level) })}</option>
            {known.map((each) => (
              <option key={each} value={each}>
                {levelWords(each)}
              </option>
            ))}
          </select>
        </label>
      ))}
    </>
  );
}
