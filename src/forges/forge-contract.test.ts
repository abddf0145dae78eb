import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyRight } from '../testing/forge/open-forge.js';
import { after, clientOf, type SampleForge, sampleForge } from '../testing/forge/sample-forge.js';
import type { DiffLine, Forge, ForgeKind, LineComment } from './forge.js';

const added = (line: number, old: number): DiffLine => ({ newLine: line, position: { old, new: line } });
const removed = (line: number, next: number): DiffLine => ({
  oldLine: line,
  position: { old: line, new: next },
});
const unchanged = (line: number): DiffLine => ({
  ...{ oldLine: line, newLine: line },
  position: { old: line, new: line },
});
const remark = (first: DiffLine, last = first, more: Partial<LineComment> = {}): LineComment => ({
  key: `line ${first.newLine ?? first.oldLine}`,
  ...{ path: 'a.txt', oldPath: 'a.txt', side: 'new', body: 'Look', first, last },
  ...more,
});
const outside = unchanged(20);

describe.each<ForgeKind>(['github', 'gitlab', 'gitea'])('the client of %s', (kind) => {
  let sample: SampleForge;
  let client: Forge;
  const open = async (options: Parameters<typeof sampleForge>[0] = {}) => {
    sample = await sampleForge({ kind, ...options });
    client = await clientOf(sample.forge);
  };
  beforeEach(() => open());
  afterEach(() => sample.forge.close());
  const view = () => sample.forge.pull(sample.number);
  const read = () => client.read(sample.number);
  const post = (...comments: readonly LineComment[]) =>
    client.addLineComments(sample.number, sample.head, comments);

  it('reads a pull request', async () => {
    const { forge, base, head } = sample;
    await forge.commit({ branch: 'second', from: 'main', files: { b: 'b' } });
    const closes = [{ title: 'Broken', text: 'It is.' }];
    const second = await forge.openPull({ head: 'second', closes, isDraft: true, author: 'grace' });
    expect((await read()).pull).toMatchObject({
      ...{ number: sample.number, title: 'Ten and thirty', description: 'In words.', author: 'ada' },
      ...{ isDraft: false, state: 'open', isFork: false, issues: [] },
      base: { branch: 'main', commit: base },
      head: { branch: 'topic', commit: head },
    });
    const { pull } = await client.read(second);
    expect(pull).toMatchObject({ isDraft: true, author: 'grace', description: '' });
    // Gitea does not tell which issues are meant.
    expect(pull.issues.map(({ title, text }) => [title, text])).toEqual(
      kind === 'gitea' ? [] : [['Broken', 'It is.']],
    );
    expect(pull.url.startsWith(forge.url)).toBe(true);
  });

  it('finds the pull request of a branch, and of a commit', async () => {
    expect(await client.pullOf({ name: 'topic' })).toBe(sample.number);
    expect(await client.pullOf({ commit: sample.head })).toBe(sample.number);
    expect(await client.pullOf({ name: 'main' })).toBeUndefined();
    sample.forge.closePull(sample.number);
    expect(await client.pullOf({ name: 'topic' })).toBeUndefined();
  });

  it('finds the pull request of a fork', async () => {
    const { forge } = sample;
    const commit = await forge.commit({ branch: 'topic', owner: 'eve', from: 'main', files: { b: 'b' } });
    const number = await forge.openPull({ head: 'topic', owner: 'eve', author: 'eve' });
    expect(await client.pullOf(kind === 'github' ? { name: 'eve:topic' } : { commit })).toBe(number);
    expect((await client.read(number)).pull).toMatchObject({ isFork: true, head: { commit } });
    // A branch of the same name in the repository itself comes first.
    expect(await client.pullOf({ name: 'topic' })).toBe(sample.number);
  });

  it('lists what was merged, newest first', async () => {
    const { forge } = sample;
    expect(await client.mergedPulls(10)).toEqual([]);
    const commits: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      await forge.commit({ branch: name, from: 'main', files: { [name]: name } });
      const number = await forge.openPull({ head: name, title: name });
      forge.advance(1000);
      commits.unshift(await forge.merge(number));
    }
    await forge.commit({ branch: 'four', from: 'main', files: { four: '4' } });
    forge.closePull(await forge.openPull({ head: 'four' }));
    const merged = await client.mergedPulls(2);
    expect(merged.map(({ title, state }) => [title, state])).toEqual([
      ['three', 'merged'],
      ['two', 'merged'],
    ]);
    expect(
      merged.every(({ base, head }) => /^\w{40}$/.test(base.commit) && /^\w{40}$/.test(head.commit)),
    ).toBe(true);
    expect(merged.map((each) => each.merged?.commit)).toEqual(commits.slice(0, 2));
    expect(merged.every((each) => Number.isFinite(Date.parse(each.merged?.at ?? '')))).toBe(true);
    // What was closed without being merged is in no list.
    const recent = await client.recentPulls(10);
    expect(recent.map(({ title, state }) => `${title}: ${state}`).toSorted()).toEqual([
      ...['Ten and thirty: open', 'one: merged', 'three: merged', 'two: merged'],
    ]);
    expect(await client.recentPulls(2)).toHaveLength(2);
  });

  it('adds, edits and deletes comments, and knows its own', async () => {
    const other = sample.forge.as('grace').comment(sample.number, 'Hello');
    await client.addComment(sample.number, 'A summary');
    const [theirs, ours] = (await read()).comments;
    expect([theirs?.isOurs, theirs?.author, ours?.isOurs]).toEqual([false, 'grace', true]);
    await client.editComment(sample.number, ours!.id, 'Another');
    expect(view().comments.map(({ body }) => body)).toEqual(['Hello', 'Another']);
    await client.deleteComment(sample.number, ours!.id);
    // What is gone may be deleted again.
    await client.deleteComment(sample.number, ours!.id);
    expect(view().comments.map(({ id }) => id)).toEqual([other]);
  });

  it('puts remarks on added, removed and unchanged lines, and on several', async () => {
    const outcome = await post(
      remark(added(10, 11)),
      remark(removed(10, 10), undefined, { side: 'old', key: 'removed' }),
      remark(unchanged(9)),
      remark(added(30, 31), added(31, 31)),
      remark({ newLine: 2, position: { old: 0, new: 2 } }, undefined, {
        path: 'new.txt',
        oldPath: 'new.txt',
      }),
    );
    expect(outcome).toEqual({ posted: true });
    const first = client.abilities.ranges ? 30 : 31;
    expect(view().threads.map(({ path, side, startLine, line }) => [path, side, startLine, line])).toEqual([
      ['a.txt', 'new', 10, 10],
      ['a.txt', 'old', 10, 10],
      ['a.txt', 'new', 9, 9],
      ['a.txt', 'new', first, 31],
      ['new.txt', 'new', 2, 2],
    ]);
    const { threads } = await read();
    expect(threads).toHaveLength(5);
    expect(threads.every(({ comments: [said] }) => said?.isOurs === true && said.body === 'Look')).toBe(true);
    expect(threads.every(({ isOutdated, isResolved }) => !isOutdated && !isResolved)).toBe(true);
    const lines = threads.map(({ path, lines: at }) => [path, at?.side, at?.startLine, at?.endLine]);
    expect(lines).toHaveLength(5);
    for (const seen of view().threads.map(({ path, side, startLine, line }) => [path, side, startLine, line]))
      expect(lines).toContainEqual(seen);
  });

  it('says which remarks are refused, or posts none of them', async () => {
    const outcome = await post(remark(added(10, 11)), remark(outside));
    expect(outcome).toEqual({ posted: false, refused: kind === 'gitlab' ? ['line 20'] : [] });
    expect(view().threads.map(({ line }) => line)).toEqual(kind === 'gitlab' ? [10] : []);
  });

  it('posts nothing to a head that is not the current one', async () => {
    await sample.forge.commit({ branch: 'topic', from: 'main', force: true, files: { 'a.txt': after } });
    expect(await post(remark(added(10, 11)))).toMatchObject({ posted: false });
    expect(view().threads).toEqual([]);
  });

  it('sees what became of a thread', async () => {
    await post(
      remark(added(10, 11)),
      remark(added(30, 31)),
      remark(removed(30, 30), undefined, { side: 'old' }),
    );
    const [ten, thirty] = view().threads;
    sample.forge.as('grace').reply(ten!.id, 'Intended.');
    sample.forge.as('grace').react(ten!.comments[0]!.id, '-1');
    sample.forge.as('linus').resolve(thirty!.id);
    const seen = (await read()).threads.map(({ isResolved, isResolvedByPeople, comments }) => ({
      ...{ isResolved, isResolvedByPeople },
      said: comments.map(({ author, isOurs }) => (isOurs ? 'us' : author)),
      against: comments[0]?.against,
    }));
    expect(seen).toHaveLength(3);
    expect(seen).toContainEqual({
      ...{ isResolved: false, isResolvedByPeople: false },
      ...{ said: ['us', 'grace'], against: 1 },
    });
    expect(seen).toContainEqual({
      ...{ isResolved: true, isResolvedByPeople: true },
      ...{ said: ['us'], against: 0 },
    });
  });

  it('sees which threads are outdated, and which only moved', async () => {
    await post(
      remark(added(10, 11), undefined, { body: 'ten' }),
      remark(added(30, 31), undefined, { body: 'thirty' }),
      remark(removed(30, 30), undefined, { side: 'old', body: 'old thirty' }),
    );
    const outdated = async () =>
      (await read()).threads
        .filter(({ isOutdated }) => isOutdated)
        .map(({ comments: [said] }) => said?.body)
        .toSorted();
    const { forge } = sample;
    await forge.commit({ branch: 'topic', files: { 'a.txt': `first\n${after}` } });
    expect(await outdated()).toEqual([]);
    await forge.commit({ branch: 'topic', files: { 'a.txt': after.replace('line ten', 'line 10') } });
    expect(await outdated()).toEqual(['ten']);
    await forge.commit({ branch: 'topic', files: { 'a.txt': after.replace('line thirty', 'line 30') } });
    expect(await outdated()).toEqual(['thirty']);
    await forge.commit({
      branch: 'topic',
      files: { 'a.txt': after.replace(/line thirty\nand one more/, 'line 30') },
    });
    expect(await outdated()).toEqual(['old thirty', 'thirty']);
  });

  it('answers in a thread', async () => {
    await post(remark(added(10, 11)));
    const [thread] = (await read()).threads;
    await client.reply(sample.number, thread!, 'Gone now');
    const said =
      kind === 'gitea' ? view().comments : view().threads.flatMap(({ comments }) => comments.slice(1));
    expect(said.map(({ body }) => body)).toEqual(['Gone now']);
  });

  it('resolves threads, and does not take itself for a person', async () => {
    await post(remark(added(10, 11)), remark(added(30, 31)));
    const { threads } = await read();
    await client.resolveThreads(sample.number, threads);
    await client.resolveThreads(sample.number, []);
    const isResolved = client.abilities.resolvesThreads;
    expect(view().threads.map((thread) => thread.isResolved)).toEqual([isResolved, isResolved]);
    expect((await read()).threads.map((thread) => thread.isResolvedByPeople)).toEqual([false, false]);
  });

  it('takes one remark back, and no other', async () => {
    await post(
      remark(added(10, 11), undefined, { body: 'one' }),
      remark(added(30, 31), undefined, { body: 'two' }),
    );
    const thread = (await read()).threads.find(({ comments: [said] }) => said?.body === 'one');
    await client.deleteLineComment(sample.number, thread!);
    const bodies = view().threads.flatMap(({ comments }) => comments.map(({ body }) => body));
    expect(bodies).not.toContain('one');
    expect(bodies).toContain('two');
  });

  it('sets a check', async () => {
    await client.setCheck(sample.head, {
      ...{ name: 'galley', conclusion: 'failure', title: 'x'.repeat(200), summary: 'y'.repeat(70_000) },
      annotations: Array.from({ length: 120 }, (_, at) => ({
        ...{ path: 'a.txt', startLine: at + 1, endLine: at + 1, level: 'warning' as const },
        ...{ title: 'z'.repeat(300), message: 'm' },
      })),
    });
    const { checkRuns, statuses } = sample.forge;
    if (kind === 'github') {
      expect(checkRuns).toMatchObject([{ commit: sample.head, status: 'completed', conclusion: 'failure' }]);
      expect(checkRuns[0]?.annotations.map((each) => each.start_line)).toEqual(
        Array.from({ length: 120 }, (_, at) => at + 1),
      );
    } else
      expect(statuses).toMatchObject([
        { commit: sample.head, state: kind === 'gitlab' ? 'failed' : 'failure', context: 'galley' },
      ]);
  });

  it('changes the description', async () => {
    await client.setDescription(sample.number, 'Better words.');
    expect(view().description).toBe('Better words.');
  });

  it('knows who may push', async () => {
    await sample.forge.close();
    const { login } = { login: 'the-bot' };
    const accounts = { 'loopback-token': { login, rights: everyRight } };
    await open({ accounts, roles: { [login]: 'admin', grace: 'write', linus: 'read', root: 'admin' } });
    sample.forge.as('passer-by').comment(sample.number, 'Hm');
    const may = await Promise.all(
      ['grace', 'root', 'linus', 'passer-by', 'nobody'].map((person) => client.mayWrite(person)),
    );
    expect(may).toEqual([true, true, false, false, false]);
  });

  it('reads all of more than a hundred comments and threads', async () => {
    for (let at = 0; at < 230; at += 1) sample.forge.as('ada').comment(sample.number, `comment ${at}`);
    for (let at = 0; at < 100; at += 1) {
      if (at % 50 === 0) sample.forge.advance(61_000);
      await post(remark(added(10, 11), undefined, { body: `remark ${at}` }));
    }
    sample.forge.advance(61_000);
    await post(
      ...Array.from({ length: 30 }, (_, at) => remark(unchanged(9), undefined, { body: `more ${at}` })),
    );
    const { comments, threads } = await read();
    expect(comments.map(({ body }) => body)).toEqual(Array.from({ length: 230 }, (_, at) => `comment ${at}`));
    const bodies = threads.flatMap((thread) => thread.comments.map(({ body }) => body));
    expect(new Set(bodies).size).toBe(130);
    expect(bodies).toHaveLength(130);
  });
});
