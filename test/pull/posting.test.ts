// A pull request reviewed and posted to, seen from the forge.
import { describe, expect, it } from 'vitest';
import { pullGround } from './ground-for-test.js';
import { codeOf, foundIn, type PullGround, threadWords } from './pull-ground.js';

const plain = codeOf(Array.from({ length: 60 }, (_, at) => `line ${at}`));
const faulty = (...words: string[]) =>
  words.reduce((text, word, at) => text.replace(`// line ${5 + at * 10}\n`, `// FAULT ${word}\n`), plain);

async function opened(ground: PullGround, files: Record<string, string>, pull: object = {}) {
  const { forge } = ground;
  await forge.commit({ branch: 'main', files: { 'src/a.ts': plain, 'src/b.ts': plain } });
  await forge.commit({ branch: 'topic', from: 'main', files });
  return forge.openPull({ head: 'topic', title: 'A change', ...pull });
}

const writes = ({ forge }: PullGround) =>
  forge.requests.filter(
    ({ kind, method, path }) => kind === 'api' && method !== 'GET' && !path.endsWith('/graphql'),
  );

describe('a first review', () => {
  it('puts remarks on lines in one review, a summary and a check that does not fail', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two'), 'src/b.ts': faulty('three') });
    const { posted, fails, complete } = await ground.review(number);
    expect({ posted, fails, complete }).toMatchObject({
      posted: { posted: true, lines: 3, open: 3, summary: 'added', refused: 0 },
      fails: false,
      complete: true,
    });
    const { threads, reviews, comments } = ground.forge.pull(number);
    expect(threads.map(({ path, line }) => [path, line])).toEqual([
      ['src/a.ts', 6],
      ['src/a.ts', 16],
      ['src/b.ts', 6],
    ]);
    expect(reviews.map(({ state }) => state)).toEqual(['COMMENTED']);
    expect(comments).toHaveLength(1);
    expect(comments[0]!.body).toContain('**3 to fix** · read 2 of 2 files');
    expect(ground.forge.checkRuns).toMatchObject([{ name: 'galley', conclusion: 'success' }]);
    expect(ground.forge.requests.filter(({ kind }) => kind === 'api').length).toBeLessThanOrEqual(12);
  });

  it('fails the check at the level that was asked for, with annotations, and never asks for changes', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': plain.replace('// line 5\n', '// GRAVE five\n') });
    const { fails } = await ground.review(number, { failLevel: 'high' });
    expect(fails).toBe(true);
    expect(ground.forge.checkRuns).toMatchObject([
      {
        conclusion: 'failure',
        annotations: [{ path: 'src/a.ts', start_line: 6, annotation_level: 'failure' }],
      },
    ]);
    expect(ground.forge.pull(number).reviews.map(({ state }) => state)).toEqual(['COMMENTED']);
  });

  it('has findings looked at again before they are posted; what is refuted is held back', async () => {
    const asked: string[] = [];
    const ground = await pullGround({
      finds: (prompt) => {
        asked.push(prompt);
        return asked.length === 1 ? foundIn(prompt) : [];
      },
      judges: () => [
        { finding: 1, verdict: 'refuted', reason: 'The caller checks it.' },
        { finding: 2, verdict: 'confirmed', reason: 'It is so.' },
      ],
    });
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two') });
    const { posted } = await ground.review(number, { verify: undefined });
    expect(asked.length).toBe(2);
    expect(posted).toMatchObject({ lines: 1, held: 1 });
    expect(ground.forge.pull(number).comments[0]!.body).toContain('1 refuted when looked at again');
  });

  it('is dismissed by those who may push, and no thumb opens the gate', async () => {
    const ground = await pullGround({ roles: { grace: 'write', mallory: 'read' } });
    const number = await opened(ground, {
      'src/a.ts': plain.replace('// line 5\n', '// GRAVE five\n').replace('// line 15\n', '// GRAVE six\n'),
    });
    const review = async () => (await ground.review(number, { failLevel: 'high', everything: true })).fails;
    expect(await review()).toBe(true);
    const [first, second] = ground.forge.pull(number).threads;
    ground.forge.as('mallory').reply(first!.id, 'This is intended.');
    ground.forge.as('mallory').react(second!.comments[0]!.id, '-1');
    expect(await review()).toBe(true);
    const standings = async () =>
      (await ground.operation('forge:status', { pull: String(number) })).findings.map(
        ({ standing }) => standing,
      );
    expect((await standings()).toSorted()).toEqual(['answered', 'dismissed']);
    for (const { id } of [first!, second!]) ground.forge.as('grace').reply(id, 'This is intended.');
    expect(await review()).toBe(false);
  });

  it('goes on saying what is not read where nothing is new', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'dist/app.js': 'x\n', 'src/a.ts': faulty('one') });
    await ground.review(number);
    const said = () => ground.forge.pull(number).comments[0]!.body.includes('**Not read:**');
    expect(said()).toBe(true);
    await ground.review(number);
    expect([said(), ground.forge.checkRuns.at(-1)?.output.summary.includes('Not read')]).toEqual([
      true,
      true,
    ]);
  });

  it('of a clean change leaves a check and no comment', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': `${plain}const more = 1;\n` });
    await ground.review(number);
    expect(ground.forge.pull(number)).toMatchObject({ comments: [], threads: [], reviews: [] });
    expect(ground.forge.checkRuns).toMatchObject([
      { conclusion: 'success', output: { title: 'Nothing to fix · read 1 of 1 files' } },
    ]);
    expect(writes(ground)).toHaveLength(1);
  });

  it('without --post changes nothing', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    const { report, posted } = await ground.review(number, { post: false });
    expect([posted, report.includes('Fault one')]).toEqual([undefined, true]);
    expect(writes(ground)).toEqual([]);
  });

  it('tells the reviewer what the author and the issue say, fenced', async () => {
    const ground = await pullGround();
    const number = await opened(
      ground,
      { 'src/a.ts': faulty('one') },
      {
        title: 'Pay twice',
        description: 'As agreed.',
        closes: [{ title: 'Nobody is paid', text: 'Since March.' }],
      },
    );
    await ground.review(number);
    const prompt = ground.model.requests[0]!.prompt;
    for (const said of ['Pay twice', 'As agreed.', 'Nobody is paid', 'Since March.'])
      expect(prompt).toContain(said);
  });
});

describe('the next push', () => {
  it('asks only for what is new, says nothing twice, and closes what is gone', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two'), 'src/b.ts': faulty('three') });
    await ground.review(number);
    const asked = ground.model.requests.length;
    await ground.forge.commit({ branch: 'topic', files: { 'src/a.ts': faulty('four', 'two') } });
    const { posted, since } = await ground.review(number);
    expect(since).toMatch(/^[0-9a-f]{40}$/);
    expect(posted).toMatchObject({ lines: 1, resolved: 1, open: 3, gone: 1, summary: 'edited' });
    expect(threadWords(ground.forge, number)).toEqual(['four', 'one', 'three', 'two']);
    const closed = ground.forge.pull(number).threads.filter(({ isResolved }) => isResolved);
    expect(closed.map(({ line }) => line)).toEqual([6]);
    const later = ground.model.requests.slice(asked);
    expect(later).toHaveLength(1);
    expect(later[0]!.prompt).not.toMatch(/^\+.*FAULT three/m);
    expect(ground.forge.pull(number).comments).toHaveLength(1);
  });

  it('that changes nothing asks for nothing and posts nothing', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    await ground.review(number);
    const [asked, before] = [ground.model.requests.length, writes(ground).length];
    const { review, posted, report } = await ground.review(number);
    expect(review).toBeUndefined();
    expect(report).toContain('1 medium; 0 new, 1 still there.');
    expect(posted).toMatchObject({ posted: true, lines: 0, summary: 'none', open: 1 });
    expect(ground.model.requests.length).toBe(asked);
    // The check is set anew; it belongs to the head.
    expect(writes(ground).length).toBe(before + 1);
  });

  it('after a rebase on a base that moved repeats nothing', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    await ground.review(number);
    const asked = ground.model.requests.length;
    await ground.forge.commit({ branch: 'main', files: { 'src/b.ts': `${plain}const other = 1;\n` } });
    await ground.forge.commit({
      ...{ branch: 'topic', from: 'main', force: true },
      files: { 'src/a.ts': faulty('one') },
    });
    const { posted } = await ground.review(number);
    expect(posted).toMatchObject({ posted: true, lines: 0, open: 1 });
    expect(ground.model.requests.length).toBe(asked);
    expect(threadWords(ground.forge, number)).toEqual(['one']);
  });

  it('after a forced push whose old head is gone reviews everything, and says nothing twice', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two') });
    await ground.review(number);
    await ground.forge.commit({
      ...{ branch: 'topic', from: 'main', force: true },
      files: { 'src/a.ts': faulty('one', 'two', 'three') },
    });
    await ground.forge.forgetUnreachable();
    const { posted } = await ground.review(number);
    expect(posted).toMatchObject({ posted: true, lines: 1, open: 3 });
    expect(threadWords(ground.forge, number)).toEqual(['one', 'three', 'two']);
  });
});

describe('what people say', () => {
  const reviewedAfter = async (act: (ground: PullGround, number: number) => void, files = faulty('four')) => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    await ground.review(number);
    act(ground, number);
    await ground.forge.commit({ branch: 'topic', files: { 'src/a.ts': files } });
    const result = await ground.review(number);
    return { ...result, ground, number, thread: ground.forge.pull(number).threads[0]! };
  };
  const first = (ground: PullGround, number: number) => ground.forge.pull(number).threads[0]!;

  it('keeps a thread open that somebody answered', async () => {
    const { thread, posted } = await reviewedAfter((ground, number) => {
      ground.forge.as('ada').reply(first(ground, number).id, 'I will look.');
    });
    expect([thread.isResolved, posted?.resolved]).toEqual([false, 0]);
  });

  it('is final when it dismisses: not raised again, and fails no build', async () => {
    const again = plain.replace('// line 5\n', '// FAULT one\n').replace('// line 40\n', '// FAULT forty\n');
    for (const act of [
      (ground: PullGround, number: number) => ground.forge.as('ada').resolve(first(ground, number).id),
      (ground: PullGround, number: number) =>
        ground.forge.as('ada').react(first(ground, number).comments[0]!.id, '-1'),
      (ground: PullGround, number: number) => {
        ground.forge.as('ada').reply(first(ground, number).id, 'This is intended.');
      },
    ]) {
      const { posted, ground, number } = await reviewedAfter(act, again);
      expect(posted).toMatchObject({ lines: 1, open: 1, dismissed: 1 });
      expect(threadWords(ground.forge, number)).toEqual(['forty', 'one']);
    }
  });

  it('is kept for the repository by pr exempt', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two') });
    await ground.review(number);
    ground.forge.as('ada').reply(first(ground, number).id, "won't fix");
    const { text, added, file } = await ground.operation('forge:exempt', { pull: String(number) });
    expect([added, file]).toEqual([1, '.galley/exemptions.json']);
    await ground.forge.commit({ branch: 'main', files: { [file]: text } });
    await ground.forge.commit({
      branch: 'other',
      from: 'main',
      files: { 'src/a.ts': faulty('one', 'three') },
    });
    const other = await ground.forge.openPull({ head: 'other' });
    const { posted } = await ground.review(other);
    expect(posted).toMatchObject({ lines: 1, held: 1 });
    expect(threadWords(ground.forge, other)).toEqual(['three']);
  });

  it('about the summary does not matter: it is written anew', async () => {
    const { ground, number, posted } = await reviewedAfter((on, at) => {
      on.forge.as('mallory').edit(on.forge.pull(at).comments[0]!.id, 'I was here.');
    });
    expect(posted?.summary).toBe('added');
    const own = ground.forge.pull(number).comments.filter(({ body }) => body.startsWith('<!-- galley'));
    expect(own).toHaveLength(1);
  });
});

describe('a host that refuses', () => {
  it('a line gets that finding in the summary, and the others on their lines', async () => {
    const ground = await pullGround();
    const words = ['one', 'two', 'three', 'four', 'five'];
    const number = await opened(ground, { 'src/a.ts': faulty(...words) });
    // As where the diff is too large for the host to show one of the files.
    let seen = 0;
    ground.forge.fail(({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/reviews')) return undefined;
      seen += 1;
      return seen <= 4 ? { kind: 'status', status: 422 } : undefined;
    });
    const { posted } = await ground.review(number);
    ground.forge.fail(undefined);
    expect(posted).toMatchObject({ posted: true, open: 5, refused: 1, inSummary: 1 });
    const [summary] = ground.forge.pull(number).comments;
    const standing = [
      ...threadWords(ground.forge, number),
      ...words.filter((word) => summary!.body.includes(`**Fault ${word}**`)),
    ];
    expect(new Set(standing)).toEqual(new Set(words));
    expect(ground.forge.pull(number).threads).toHaveLength(4);
  });

  it('a token without rights says which one is missing, and nothing is half posted', async () => {
    const ground = await pullGround({
      accounts: { reader: { login: 'reader', isApp: true, rights: ['read'] } },
    });
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    await expect(ground.review(number)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('"pull-requests: write"'),
    });
    expect(ground.forge.pull(number)).toMatchObject({ comments: [], threads: [] });
  });

  it('check runs to people gets a status instead', async () => {
    const ground = await pullGround({
      accounts: { person: { login: 'ada', rights: ['read', 'comment', 'status'] } },
    });
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    const { posted } = await ground.review(number);
    expect(posted).toMatchObject({ posted: true, lines: 1 });
    expect(ground.forge.statuses).toMatchObject([{ context: 'galley', state: 'success' }]);
  });
});

describe('a token that may not close threads', () => {
  it('posts everything else, and says what it would need', async () => {
    const ground = await pullGround({
      accounts: { bot: { login: 'galley[bot]', isApp: true, rights: ['read', 'comment', 'check'] } },
    });
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two') });
    await ground.review(number);
    await ground.forge.commit({ branch: 'topic', files: { 'src/a.ts': faulty('four', 'two') } });
    const { posted } = await ground.review(number);
    expect(posted).toMatchObject({ posted: true, lines: 1, resolved: 0, summary: 'edited' });
    expect(posted?.warnings.map(({ code }) => code)).toEqual(['THREADS_NOT_RESOLVED']);
    expect(threadWords(ground.forge, number)).toEqual(['four', 'one', 'two']);
  });
});

describe('while the pull request moves', () => {
  it('nothing is posted about a head that is no longer there', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    const run = ground.model.run.bind(ground.model);
    let moved = false;
    Object.assign(ground.model, {
      run: async (...args: Parameters<typeof run>) => {
        if (!moved) await ground.forge.commit({ branch: 'topic', files: { 'src/a.ts': faulty('two') } });
        moved = true;
        return run(...args);
      },
    });
    const { posted } = await ground.review(number);
    expect(posted).toMatchObject({ posted: false, lines: 0 });
    expect(ground.forge.pull(number)).toMatchObject({ comments: [], threads: [] });
    await ground.review(number);
    expect(threadWords(ground.forge, number)).toEqual(['two']);
  });

  it('to its end, nothing is posted to it', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    ground.forge.closePull(number);
    const { posted, warnings } = await ground.review(number);
    expect(posted).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toContain('PULL_NOT_OPEN');
    expect(ground.model.requests).toEqual([]);
  });

  it('two runs at once leave one remark of each and one summary after the next run', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two') });
    await Promise.all([ground.review(number), ground.review(number)]);
    await ground.review(number);
    expect(threadWords(ground.forge, number)).toEqual(['one', 'two']);
    expect(ground.forge.pull(number).comments).toHaveLength(1);
  });
});

describe('what was posted', () => {
  it('is listed, resolved and taken back', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one', 'two', 'three') });
    await ground.review(number);
    const { forge } = ground;
    forge.as('ada').reply(forge.pull(number).threads[1]!.id, 'Let me think.');
    const status = await ground.operation('forge:status', { pull: String(number) });
    expect(status.findings.map(({ standing, title }) => [standing, title]).sort()).toEqual([
      ['answered', 'Fault two'],
      ['open', 'Fault one'],
      ['open', 'Fault three'],
    ]);
    const { id } = status.findings.find(({ title }) => title === 'Fault one')!;
    const resolved = await ground.operation('forge:resolve', {
      pull: String(number),
      findings: [id.slice(0, 8)],
    });
    expect(resolved.resolved).toBe(1);
    const later = await ground.review(number, { everything: true, failLevel: 'medium' });
    expect(later.posted).toMatchObject({ open: 2, dismissed: 1 });
    const taken = await ground.operation('forge:retract', { pull: String(number) });
    expect(taken).toMatchObject({ removed: 2, kept: 2 });
    expect(threadWords(forge, number)).toEqual(['one', 'two']);
    expect(forge.pull(number).comments).toEqual([]);
    const all = await ground.operation('forge:retract', { pull: String(number), all: true });
    expect(all.removed).toBe(2);
    expect(forge.pull(number).threads.filter(({ comments }) => comments[0]?.author.includes('bot'))).toEqual(
      [],
    );
  });

  it('by one review is left alone by another with a key of its own', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': plain.replace('// line 5\n', '// GRAVE five\n') });
    await ground.review(number, { failLevel: 'high' });
    await ground.review(number, { key: 'other' });
    const { threads, comments } = ground.forge.pull(number);
    expect([threads.length, comments.length]).toEqual([2, 2]);
    expect(ground.forge.checkRuns.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ['galley', 'failure'],
      ['galley/other', 'success'],
    ]);
    await ground.operation('forge:retract', { pull: String(number), key: 'other' });
    expect([ground.forge.pull(number).threads.length, ground.forge.pull(number).comments.length]).toEqual([
      1, 1,
    ]);
  });

  it('is nothing where only the plan was asked for, also when nothing is new', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    await ground.review(number);
    const before = writes(ground).length;
    const { posted } = await ground.review(number, { dryRun: true, failLevel: 'medium' });
    expect([posted, writes(ground).length]).toEqual([undefined, before]);
  });

  it('by another program is posted by pr post, or only told', async () => {
    const ground = await pullGround();
    const number = await opened(ground, { 'src/a.ts': faulty('one') });
    const { report } = await ground.review(number, { post: false, format: 'json' });
    const dry = await ground.operation('forge:post', { pull: String(number), report, dryRun: true });
    expect([dry.posted, dry.lines, writes(ground)]).toEqual([false, 1, []]);
    await ground.operation('forge:post', { pull: String(number), report });
    expect(threadWords(ground.forge, number)).toEqual(['one']);
  });
});
