import { describe, expect, it } from 'vitest';
import { unopenedFolders } from './index-snapshot.js';

const said = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');

describe('folders git could not open', () => {
  it('are found among whatever else it says, with quotes and stray bytes in their names', () => {
    const stderr = said(
      "warning: could not open directory 'lock/': Permission denied",
      'error: open("c"): Permission denied',
      "warning: could not open directory 'it's': here/': Permission denied",
      "warning: could not open directory 'caf\xe9/': Permission denied",
    );
    expect(unopenedFolders(stderr)).toEqual(['lock/', "it's': here/", 'caf\\xe9/']);
    expect(unopenedFolders(said('tr/b: Permission denied'))).toEqual([]);
    expect(unopenedFolders(Buffer.from("could not open directory 'cut"))).toEqual([]);
  });
});
