import { afterAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewRequest } from '../change/review-request.js';
import { reviewChunks } from './page-set.js';
import { ruleBlocks } from './yielding-rules.js';

const repositories: ScratchRepository[] = [];
afterAll(() => {
  for (const repository of repositories) repository.dispose();
});

function prepared(before: Record<string, string>, after: Record<string, string>) {
  const repository = scratchRepository();
  repositories.push(repository);
  for (const [path, text] of Object.entries(before)) repository.write(path, text);
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  for (const [path, text] of Object.entries(after)) repository.write(path, text);
  repository.commit('after');
  return (extra: object = {}) =>
    reviewChunks(reviewRequest.parse({ repo: '.', mode: 'pr', base: 'main', meter: 'chars/4', ...extra }), {
      folder: repository.folder,
    });
}

const rule = (name: string, at: number) => `- ${name} rule ${at} asks for something that takes about a line.`;
/** Sections of ten rules, some 16 tokens each. */
const rules = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    at % 10 === 0 ? `## Part ${at / 10}\n\n${rule(name, at)}` : rule(name, at),
  )
    .join('\n')
    .replaceAll('\n## ', '\n\n## ');
const code = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `export const ${name}${at} = 'a value of ${name} ${at}';\n`).join(
    '',
  );

const rulesIn = (text: string) => text.match(/^- \w+ rule \d+ .*$/gm) ?? [];
const addedIn = (text: string) => text.match(/^\+export.*$/gm) ?? [];
const page = { maxPages: 1, maxPromptTokens: 2000 };

describe('rules that leave the change no room', () => {
  const many = prepared({ 'AGENTS.md': rules('root', 122), 'a.ts': 'a\n' }, { 'src/new.ts': code('x', 200) });

  it('yield half of the page to it, with a warning that says what would be enough [chunk.priority]', async () => {
    const { chunks, warnings, coverage, receipt } = await many(page);
    const text = chunks[0]?.text ?? '';
    expect(chunks[0]!.tokens).toBeLessThanOrEqual(2000);
    expect(chunks[0]!.diffTokens).toBeGreaterThan(850);
    expect(chunks[0]!.tokens - chunks[0]!.diffTokens).toBeGreaterThan(900);
    const shown = rulesIn(text);
    expect(shown).toEqual(Array.from({ length: shown.length }, (_, at) => rule('root', at)));
    expect(text).toMatch(/asks for something that takes about a line\.\n\[\d+ more lines of AGENTS\.md /);
    const told = warnings.find(({ code: name }) => name === 'RULES_SHORTENED');
    expect(told?.message).toContain('AGENTS.md');
    expect(coverage).toContain('The project rules are shown in part.');
    expect(receipt.ledger.filter(({ layer }) => layer === 'rules')).toEqual([
      expect.objectContaining({ fragment: 'rules:AGENTS.md', verdict: 'kept', level: 'part' }),
      expect.objectContaining({ fragment: 'rules:AGENTS.md rest', verdict: 'conceded' }),
    ]);
    const { needed: enough } = told!.details as { needed: number };
    const whole = await many({ ...page, maxPromptTokens: enough });
    expect(rulesIn(whole.chunks[0]!.text)).toHaveLength(122);
    expect(whole.warnings.map(({ code: name }) => name)).not.toContain('RULES_SHORTENED');
    expect(whole.coverage).not.toContain('rules');
  });

  it('keep what a small change does not need [chunk.priority]', async () => {
    const small = prepared(
      { 'AGENTS.md': rules('root', 122), 'a.ts': 'a\n' },
      { 'src/new.ts': code('x', 20) },
    );
    const { chunks, receipt } = await small(page);
    expect(addedIn(chunks[0]!.text)).toHaveLength(20);
    expect(receipt.accounting.omitted).toEqual({ added: 0, removed: 0 });
    expect(chunks[0]!.tokens).toBeGreaterThan(1900);
    expect(rulesIn(chunks[0]!.text).length).toBeGreaterThan(75);
  });

  it('stay whole where every line of the change has a page beside them [chunk.priority]', async () => {
    const { chunks, warnings } = await many({ maxPromptTokens: 2400 });
    expect(chunks.flatMap(({ text }) => addedIn(text))).toHaveLength(200);
    for (const { text } of chunks) expect(rulesIn(text)).toHaveLength(122);
    expect(warnings.map(({ code: name }) => name)).not.toContain('RULES_SHORTENED');
  });

  it('nearest to the changed files stay first [chunk.priority]', async () => {
    const near = prepared(
      { 'AGENTS.md': rules('far', 10), 'CLAUDE.md': rules('root', 80), 'lib/AGENTS.md': rules('near', 30) },
      { 'lib/new.ts': code('x', 200) },
    );
    const { chunks } = await near(page);
    const shown = rulesIn(chunks[0]!.text);
    expect(shown.filter((line) => line.startsWith('- near'))).toHaveLength(30);
    expect(shown.filter((line) => line.startsWith('- root')).length).toBeLessThan(40);
    expect(shown.findIndex((line) => line.startsWith('- near'))).toBeGreaterThan(0);
  });

  it('alone above the limit are still refused, with a figure that is enough [chunk.priority]', async () => {
    const refusal = many({ ...page, maxPromptTokens: 1700 });
    await expect(refusal).rejects.toMatchObject({ code: 'CONTEXT_BUDGET_INFEASIBLE' });
    const { details } = (await refusal.catch((error) => error)) as { details: { needed: number } };
    const { chunks } = await many({ ...page, maxPromptTokens: details.needed });
    expect(addedIn(chunks[0]!.text).length).toBeGreaterThan(30);
  });

  it('more room never loses a line of the change or a rule [chunk.priority] [chunk.limit]', async () => {
    let seen = { rules: 0, added: 0 };
    for (let tokens = 2000; tokens <= 5500; tokens += 175) {
      const { chunks, receipt } = await many({ ...page, maxPromptTokens: tokens });
      const text = chunks[0]?.text ?? '';
      const now = { rules: rulesIn(text).length, added: addedIn(text).length };
      expect(now.rules).toBeGreaterThanOrEqual(seen.rules);
      expect(now.added).toBeGreaterThanOrEqual(seen.added);
      expect(receipt.accounting.onPages.added + receipt.accounting.omitted.added).toBe(200);
      seen = now;
    }
    expect(seen).toEqual({ rules: 122, added: 200 });
  });
});

describe('a page on which not one changed line has room', () => {
  it('is refused with a figure that is enough, never empty [chunk.limit] [chunk.priority]', async () => {
    const ask = prepared(
      { 'AGENTS.md': rules('root', 10), 'src/old.ts': code('x', 40) },
      { 'src/old.ts': code('y', 40) },
    );
    const refusal = ask({ maxPages: 1, maxPromptTokens: 240 });
    await expect(refusal).rejects.toMatchObject({ code: 'CONTEXT_BUDGET_INFEASIBLE' });
    const { details } = (await refusal.catch((error) => error)) as { details: { needed: number } };
    const { chunks } = await ask({ maxPages: 1, maxPromptTokens: details.needed });
    expect(chunks).toHaveLength(1);
    expect(chunks[0]!.text).toMatch(/^[+-]export/m);
  });
});

describe('blocks of rules', () => {
  it('end where a rule ends: never inside a block of code, never behind a heading alone', () => {
    const text =
      '# Rules\n\n## Style\nWrap\nlines.\n- one\n  more of one\n* two\n\n```\n- no item\n\n# no heading\n```\nafter\n## Last\n1. end';
    expect(ruleBlocks(text)).toEqual([
      '# Rules\n\n## Style\nWrap\nlines.',
      '- one\n  more of one',
      '* two\n',
      '```\n- no item\n\n# no heading\n```\nafter',
      '## Last\n1. end',
    ]);
    expect(ruleBlocks(text).join('\n')).toBe(text);
  });
});
