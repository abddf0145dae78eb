// What code:find is asked with; apart, so that publishing the form loads no search.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';

const maxTask = 1_000_000;

export const findRequest = z.strictObject({
  repo: textField(4096).min(1).default('.').describe('the repository, below the working folder'),
  at: textField(1000)
    .min(1)
    .optional()
    .describe(
      'the commit in whose files and past one looks; without it the files as they are now, uncommitted work included',
    ),
  task: textField(maxTask).describe('what is to be done, an issue, an error message or a stack trace'),
  budget: z.int().min(200).max(200_000).default(8_000).describe('tokens the text may take'),
  limit: z.int().min(1).max(200).default(20).describe('how many files are listed at most'),
  from: z.int().min(1).default(1).describe('the place of the first file, for the next part of an answer'),
});

export type FindRequest = z.output<typeof findRequest>;
