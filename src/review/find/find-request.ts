// What code:find is asked with; apart, so that publishing the form loads no search.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { defaultMeter } from '../change/review-request.js';

/** Longer ones are cut by whoever makes them. */
export const maxQuery = 1_000_000;

/** Below this no file can be shown with a line of it. */
export const findTokens = z.int().min(200).max(200_000);

export const findRequest = z.strictObject({
  repo: textField(4096).min(1).default('.').describe('the repository, below the working folder'),
  at: textField(1000)
    .min(1)
    .optional()
    .describe(
      'the commit in whose files and past one looks; without it the files as they are now, uncommitted work included',
    ),
  query: textField(maxQuery).describe('what is to be done, an issue, an error message or a stack trace'),
  paths: z
    .array(textField(4096).min(1))
    .min(1)
    .max(200)
    .optional()
    .describe('only files at or below these, seen from the top of the repository'),
  budget: z
    .strictObject({ tokens: findTokens })
    .default({ tokens: 8_000 })
    .describe('what the text may take'),
  meter: textField(100).default(defaultMeter).describe('what counts the tokens'),
  limit: z.int().min(1).max(200).default(20).describe('how many files are listed at most'),
  from: z.int().min(1).default(1).describe('the place of the first file, for the next part of an answer'),
});

export type FindRequest = z.output<typeof findRequest>;
