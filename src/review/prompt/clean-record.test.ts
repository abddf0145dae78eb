import { describe, expect, it } from 'vitest';
import { linePlaces } from './clean-record.js';

describe('the places of lines in a diff', () => {
  it('counts both sides, and takes no line of a hunk for a header', () => {
    const text = [
      'diff --git a/x b/x',
      '--- a/x',
      '+++ b/x',
      '@@ -10,3 +20,3 @@ function f() {',
      ' context',
      '-@@ -1,1 +1,1 @@',
      '+--- a/y',
      ' end',
      '\\ No newline at end of file',
      '@@ -40 +50,0 @@',
      '-gone',
    ].join('\n');
    expect(linePlaces(text).map(({ side, line }) => (line === 0 ? '' : `${side} ${line}`))).toEqual([
      ...['', '', '', ''],
      ...['new 20', 'old 11', 'new 21', 'new 22', '', ''],
      'old 40',
    ]);
  });
});
