// The skills that come with Galley, read by the same parser as everyone else's.
import { parseSkill } from '../parse-skill.js';
import type { Skill } from '../skill.js';
import { condenseSource } from './condense.js';
import { consistencySource } from './consistency.js';
import { continueSource } from './continue.js';
import { dialogueSource } from './dialogue.js';
import { expandSource } from './expand.js';
import { polishSource } from './polish.js';

export const builtInSources = {
  polish: polishSource,
  condense: condenseSource,
  expand: expandSource,
  dialogue: dialogueSource,
  consistency: consistencySource,
  continue: continueSource,
} as const satisfies Record<string, string>;

let parsed: readonly Skill[] | undefined;

export function builtInSkills(): readonly Skill[] {
  parsed ??= Object.entries(builtInSources).map(([id, source]) => {
    const { path: _path, ...skill } = parseSkill(source, { path: `${id}/SKILL.md` });
    return skill;
  });
  return parsed;
}
