// What in a change keeps itself from being read: a header, a byte, a folder, a line that steers what is left out. Each is a warning,
// since whoever writes a change also writes these.
import type { Warning } from '../../core/model/error.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import type { Omission } from './omission.js';
import { printablePath } from './safe-text.js';

export const hidingCode = 'CHANGE_HIDES_ITSELF';

export type HidingKind = 'generated' | 'binary' | 'folder' | 'attributes' | 'steering';

export interface HidingFacts {
  readonly kind: HidingKind;
  /** How many files are left out for it. */
  readonly omitted: number;
  /** The first of them, or of the files that steer. */
  readonly files: readonly string[];
  /** How many came with this change: headers, files in folders that are not read, settings for git. */
  readonly fresh?: number;
}

interface HiddenFiles {
  readonly mode: ChangeSet['mode'];
  readonly entries: readonly ChangeEntry[];
  readonly omitted: readonly Omission[];
  /** Generated, says a header that the side before the change did not have. */
  readonly freshlyGenerated: ReadonlySet<string>;
  /** Text by its name, with a byte in it that makes git call it binary. */
  readonly binary: readonly string[];
}

const maxNamed = 5;
const byFolder = new Set(['output', 'directory', 'editor', 'minified', 'size']);
const steers =
  /(?:^|\/)\.gitattributes$|^\.galleyignore$|^\.galley\/exemptions\.json$|^galley\.config\.(?:json|ya?ml)$/;

export function hidingWarnings({ mode, entries, omitted, freshlyGenerated, binary }: HiddenFiles): Warning[] {
  const left = (isMeant: (rule: string) => boolean) =>
    omitted.filter(({ rule }) => isMeant(rule)).map(({ path }) => path);
  const generated = left((rule) => rule === 'generated-header');
  const folder = left((rule) => byFolder.has(rule));
  const attributes = left((rule) => rule === 'attribute');
  const added = new Set(entries.flatMap(({ path, status }) => (status === 'added' ? [path] : [])));
  const steering = entries.map(({ path }) => path).filter((path) => steers.test(path));
  // What a pull request says there is not in force.
  const gitSettings = mode === 'pr' ? [] : steering.filter((path) => path.endsWith('.gitattributes'));
  const own = steering.filter((path) => !gitSettings.includes(path));
  const found: HidingFacts[] = [
    { kind: 'generated', omitted: generated.length, files: generated, fresh: freshlyGenerated.size },
    { kind: 'binary', omitted: binary.length, files: binary },
    {
      ...{ kind: 'folder', omitted: folder.length, files: folder },
      fresh: freshIn(folder, added),
    },
    {
      ...{ kind: 'attributes', omitted: attributes.length },
      ...{ files: attributes.length > 0 ? attributes : gitSettings, fresh: gitSettings.length },
    },
    { kind: 'steering', omitted: 0, files: own },
  ];
  return found
    .filter(({ files }) => files.length > 0)
    .map((facts) => {
      const named = { ...facts, files: facts.files.slice(0, maxNamed).map(printablePath) };
      return {
        code: hidingCode,
        message: englishHiding(named, mode),
        details: { ...named, total: facts.files.length },
      };
    });
}

/** New files in a folder the change does not show to have been there. */
function freshIn(paths: readonly string[], added: ReadonlySet<string>): number {
  const top = (path: string) => path.split('/', 1)[0];
  const known = new Set(paths.filter((path) => !added.has(path)).map(top));
  return paths.filter((path) => added.has(path) && !known.has(top(path))).length;
}

/** The facts of a warning of this kind; undefined for any other. */
export function hidingFacts({ code, details }: Warning): HidingFacts | undefined {
  return code === hidingCode ? (details as unknown as HidingFacts) : undefined;
}

/** A lock file or a bundle that was there before is how the repository works; what this change brings is worth a word to people. */
export function isNewlyHidden({ kind, fresh = 0 }: HidingFacts): boolean {
  return kind === 'binary' || kind === 'steering' || fresh > 0;
}

function englishHiding({ kind, omitted, files, fresh = 0 }: HidingFacts, mode: ChangeSet['mode']): string {
  const named = files.join(', ');
  switch (kind) {
    case 'generated': {
      const since = fresh > 0 ? `; this change added the header to ${fresh} of them` : '';
      return `${omitted} file(s) were not read because their own header calls them generated: ${named}${since}.`;
    }
    case 'binary':
      return `${omitted} file(s) were not read because a NUL byte makes them binary: ${named}.`;
    case 'folder':
      return `${omitted} file(s) were not read because of their folder, name or size: ${named}.`;
    case 'attributes': {
      const edits = fresh > 0 ? '; this change edits .gitattributes' : '';
      return omitted > 0
        ? `${omitted} file(s) were not read because .gitattributes says so: ${named}${edits}.`
        : `The change edits .gitattributes, which says what is not read: ${named}.`;
    }
    case 'steering': {
      const which =
        mode === 'pr' ? 'the version before the change is in force' : 'the changed version is in force';
      return `The change edits what steers a review (${named}); ${which}.`;
    }
  }
}
