// Flags and words that commands of a writing project share.
import { type FlagRow, flag, jsonFlag, storeFlag } from './command-row.js';

/** Of every command of a writing project. */
export const project = [flag('--project <id>', 'write.project'), storeFlag, jsonFlag];
/** Of commands that ask a model many times. */
export const priced = [
  flag('--max-cost <dollars>', 'write.check.max-cost', { field: 'maxCost' }),
  flag('--timeout <seconds>', 'write.run.timeout'),
  flag('--dry-run', 'write.check.dry-run'),
];
/** Its number in the list, or words of it. */
export const which: FlagRow = { form: '<which>', about: 'write.which' };
export const text: FlagRow = { form: '<text>' };
export const chapter: FlagRow = { form: '<chapter>' };
