import { describe, expect, it } from 'vitest';
import { colourWanted } from './colours.js';

describe('colour', () => {
  it.each([
    ['a terminal', {}, true, true],
    ['a pipe', {}, false, false],
    ['a pipe on a build server', { CI: 'true' }, false, false],
    ['a terminal that says no', { NO_COLOR: '1' }, true, false],
    ['a wish against another', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    ['a pipe that is asked for it', { FORCE_COLOR: '1' }, false, true],
    ['a terminal that is asked for none', { FORCE_COLOR: '0' }, true, false],
    ['a dumb terminal', { TERM: 'dumb' }, true, false],
  ])('%s', (_, env, isTTY, wanted) => {
    expect(colourWanted(env, { isTTY })).toBe(wanted);
  });
});
