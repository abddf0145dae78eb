import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewChunks } from '../pages/page-set.js';
import { readConfig } from './read-config.js';
import { parseConfig } from './review-config.js';
import { reviewRequest } from './review-request.js';

const rule = (id: string, reason: string) => ({ id, reason, tags: ['x'], when: { paths: ['*'] } });
const shared = {
  maxPages: 5,
  linterScope: 'changed-files',
  ignore: ['*.gen.ts'],
  rules: [rule('both', 'shared'), rule('theirs', 'shared')],
  skill: 'review/SKILL.md',
};

let organisation: ScratchRepository;
let project: ScratchRepository;
let opened: Repository;
let pin = '';

beforeAll(async () => {
  organisation = scratchRepository();
  organisation.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  organisation.write('galley.config.yaml', JSON.stringify(shared));
  organisation.write(
    'nested.json',
    JSON.stringify({ extends: { repository: 'x', revision: 'a'.repeat(40) } }),
  );
  organisation.write('wrong.yml', 'maxPagse: 3\n');
  organisation.write('review/SKILL.md', 'Look at the locks first.\n');
  pin = organisation.commit('shared');
  project = scratchRepository();
  project.write('a.ts', 'const a = 1;\n');
  project.commit('first');
  opened = await openRepository(project.folder);
});
afterAll(async () => {
  await opened.close();
  organisation.dispose();
  project.dispose();
});

const fetchPin = () =>
  project.git(
    'fetch',
    '-q',
    organisation.folder,
    `+${organisation.git('rev-parse', 'HEAD')}:refs/galley/shared`,
  );

async function settled(config: object) {
  project.write('galley.config.json', JSON.stringify(config));
  const commit = project.commit('config');
  return readConfig(opened, project.git('rev-parse', `${commit}^{tree}`));
}

const extending = (more: object = {}) => ({ repository: '../organisation', revision: pin, ...more });
const refused = (words: string) =>
  expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(words) });

describe('a shared configuration', () => {
  it('that is not in the clone is refused with the command that brings it', async () => {
    await expect(settled({ extends: extending() })).rejects.toThrowError(
      refused(`git fetch ../organisation +${pin}:refs/galley/shared brings it.`),
    );
    fetchPin();
    expect(await settled({ extends: extending() })).toMatchObject({ maxPages: 5 });
  });

  it('gives way to the repository’s own words, and its lists come first', async () => {
    const own = { maxPages: 2, ignore: ['!kept.gen.ts'], rules: [rule('both', 'own'), rule('ours', 'own')] };
    expect(await settled({ extends: extending(), ...own })).toEqual({
      maxPages: 2,
      linterScope: 'changed-files',
      ignore: ['*.gen.ts', '!kept.gen.ts'],
      rules: [rule('theirs', 'shared'), rule('both', 'own'), rule('ours', 'own')],
      skill: 'review/SKILL.md',
      skillFrom: pin,
    });
    expect(await settled({ extends: extending(), skill: 'SKILL.md' })).not.toHaveProperty('skillFrom');
  });

  it('stays at its pin, whatever is published later', async () => {
    organisation.write('galley.config.yaml', 'maxPages: 99\n');
    organisation.commit('later');
    fetchPin();
    expect(await settled({ extends: extending() })).toMatchObject({ maxPages: 5 });
    organisation.git('reset', '-q', '--hard', pin);
  });

  it.each([
    ['a branch', { revision: 'main' }, 'extends.revision must be a full commit id'],
    ['a short id', { revision: 'abcdef1' }, 'extends.revision must be a full commit id'],
    ['a command', { repository: '$(touch x)' }, 'extends.repository must be a plain path'],
    ['an option', { repository: '--upload-pack=x' }, 'extends.repository must be a plain path'],
    ['a program', { repository: 'ext::sh' }, 'extends.repository must be a plain path'],
    ['no configuration', { path: 'README.md' }, 'extends.path must be a path'],
    ['a file that is not there', { path: 'other.yaml' }, 'extends.path is not a file of that commit'],
    ['one that extends another', { path: 'nested.json' }, 'may not extend another'],
    ['one that is misspelt', { path: 'wrong.yml' }, 'did you mean "maxPages"?'],
  ])('is not %s', async (_, more, words) => {
    fetchPin();
    await expect(settled({ extends: extending(more) })).rejects.toThrowError(refused(words));
  });

  it('is pinned by a commit and by nothing else', async () => {
    fetchPin();
    const tree = organisation.git('rev-parse', `${pin}^{tree}`);
    await expect(settled({ extends: extending({ revision: tree }) })).rejects.toThrowError(
      refused('extends.revision is a tree; name a commit'),
    );
    const config = await parseConfig('galley.config.yaml', `extends: {repository: r, revision: ${pin}}\n`);
    expect(config.extends).toMatchObject({ path: 'galley.config.yaml' });
  });

  it('brings its instructions along, and a pull request cannot choose another', async () => {
    fetchPin();
    await settled({ extends: extending() });
    project.git('checkout', '-q', '-b', 'topic');
    project.write('a.ts', 'const a = 2;\n');
    project.write('b.gen.ts', 'const b = 2;\n');
    project.write('galley.config.json', JSON.stringify({ extends: extending({ path: 'wrong.yml' }) }));
    project.commit('change');
    rmSync(join(organisation.folder, 'galley.config.yaml'));
    const { chunks, omitted } = await reviewChunks(reviewRequest.parse({ mode: 'pr', base: 'main' }), {
      folder: project.folder,
    });
    expect(omitted.map(({ path }) => path)).toEqual(['b.gen.ts']);
    expect(chunks[0]?.text).toContain('Look at the locks first.');
  });
});
