import { afterEach, expect, it, vi } from 'vitest';
import { helpWidth, prebuiltHelp } from './prebuilt-help.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('is not there in a checkout that was not built', () => {
  expect(prebuiltHelp('en')).toBeUndefined();
});

it.each([
  [40, 40],
  [80, 80],
  [200, 80],
  [undefined, 80],
])('a terminal of %s places has lines of %s', (columns, width) => {
  const stdout = Object.create(process.stdout, { columns: { value: columns } });
  vi.stubGlobal('process', Object.create(process, { stdout: { value: stdout } }));
  expect(helpWidth()).toBe(width);
});
