// Requests that begin alike are sent where the beginning is kept: one key for each beginning, and nothing of its text.
import { hash } from 'node:crypto';
import type { ModelRequest } from '../model.js';

export function cacheKeyOf({ system = '', prompt, cachePoints }: ModelRequest): string | undefined {
  const first = cachePoints?.prompt?.[0] ?? 0;
  const beginning = system === '' ? Buffer.from(prompt).subarray(0, first) : system;
  return beginning.length === 0 ? undefined : hash('sha256', beginning, 'hex').slice(0, 32);
}
