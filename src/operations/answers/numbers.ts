import * as z from 'zod';

export const count = z.int().nonnegative();

export const milliseconds = z.number().describe('milliseconds since 1970');

export const ratio = z.number().min(0).max(1);
