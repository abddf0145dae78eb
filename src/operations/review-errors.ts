import type { ErrorCode } from '../core/model/error.js';

/** What reading a change may refuse with. */
export const reviewErrors: readonly ErrorCode[] = [
  'NOT_A_REPOSITORY',
  'REVISION_NOT_FOUND',
  'NO_MERGE_BASE',
  'GIT_FAILED',
  'FILE_UNREADABLE',
  'CONFIG_INVALID',
];
