import { condenseSource } from './condense.js';
import { consistencySource } from './consistency.js';
import { continueSource } from './continue.js';
import { dialogueSource } from './dialogue.js';
import { expandSource } from './expand.js';
import { polishSource } from './polish.js';

export const enSources = {
  polish: polishSource,
  condense: condenseSource,
  expand: expandSource,
  dialogue: dialogueSource,
  consistency: consistencySource,
  continue: continueSource,
} as const;
