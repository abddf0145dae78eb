// A reviewer of whom everything is known: two hundred planted findings, true, false, said twice, outside the change, with suggestions
// that break the file; and one whose calls fail. Nothing true is lost, nothing false fails a build, every page is accounted for.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '../../src/models/contract/count-tokens.js';
import type { Model } from '../../src/models/contract/model.js';
import { connect } from '../../src/models/http/connection.js';
import { endpointNamed } from '../../src/models/http/endpoint.js';
import { httpModel } from '../../src/models/http/http-model.js';
import type { ReviewRun } from '../../src/review/run/result-of-run.js';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { sweepSize } from '../sweep-size.js';
import { groundForTest, type ReviewGround } from './review-ground.js';

const files = 20;
const functions = 6;
const nameOf = (file: number) => `src/file-${String(file).padStart(3, '0')}.ts`;
/** Line of a function's return, from 1. */
const lineOf = (one: number) => one * 5 + 3;
const bodyOf = (file: number) =>
  Array.from(
    { length: functions },
    (_, one) =>
      `export function f${file}x${one}(list: number[]): number {\n  const all = list.length + ${one};\n  return ${file} / all;\n}\n\n`,
  ).join('');

const kinds = ['true', 'suggests', 'breaks', 'false', 'twice', 'outside'] as const;
type Kind = (typeof kinds)[number];
const counts: Record<Kind, number> = { true: 3, suggests: 1, breaks: 1, false: 2, twice: 2, outside: 1 };

interface Planted {
  readonly kind: Kind;
  readonly finding: Record<string, unknown>;
}

const said = (kind: Kind, file: number, one: number, more: object = {}): Planted => ({
  kind,
  finding: {
    ...{ path: nameOf(file), side: 'new', startLine: lineOf(one), endLine: lineOf(one) },
    ...{ severity: 'high', category: `fault-${one}`, confidence: 0.9 },
    title: `${kind} ${file} ${one}`,
    message: `Division by ${one} in function f${file}x${one} gives no number for some lists.`,
    evidence: `return ${file} / all;`,
    ...more,
  },
});

/** The ten remarks of one page, in an order that tells nothing. */
function plantedOn(file: number): Planted[] {
  const next = (file + 1) % files;
  const lines = { startLine: lineOf(3), endLine: lineOf(3) };
  const last = { startLine: lineOf(4), endLine: lineOf(4) };
  const broken = file % 2 === 0 ? `  return ${file} / all;\n}` : `  if (all > 0) {\n  return ${file} / all;`;
  return [
    said('false', file, 0, {
      severity: 'critical',
      category: 'alarm-1',
      startLine: 1,
      endLine: 1,
      evidence: '',
    }),
    said('true', file, 0),
    said('twice', next, 1, {
      title: 'twice',
      message: `In function f${next}x1 the division by 1 gives no number for some lists!`,
    }),
    said('suggests', file, 3, {
      suggestion: { replacement: `  return all === 0 ? 0 : ${file} / all;`, ...lines },
    }),
    said('true', file, 1),
    said('outside', file, 5, {
      severity: 'critical',
      path: `lib/other-${file}.ts`,
      startLine: 900,
      endLine: 901,
    }),
    said('breaks', file, 4, { suggestion: { replacement: broken, ...last } }),
    said('twice', next, 2, {
      ...{ title: 'twice', startLine: lineOf(2) + 2, endLine: lineOf(2) + 2, evidence: '' },
      message: `Division by 2 in function f${next}x2 gives no number for some of the lists.`,
    }),
    said('true', file, 2),
    said('false', file, 5, {
      severity: 'critical',
      category: 'alarm-2',
      startLine: 2,
      endLine: 2,
      evidence: '',
    }),
  ];
}

let loopback: Loopback;
beforeAll(async () => {
  loopback = await openLoopback({ cache: false });
});
afterAll(() => loopback.close());

function modelOf(name: string): Model {
  const [family = '', ...rest] = name.split('/');
  const endpoint = endpointNamed(family)!;
  const path = { anthropic: '', google: '', bedrock: '', openai: '/v1', compatible: `/${family}/v1` }[
    endpoint.protocol
  ];
  const environment = {
    [endpoint.keyVariables[0]!]: 'key',
    [endpoint.baseUrlVariables[0]!]: `${loopback.url}${path}`,
  };
  return httpModel(connect(endpoint, environment), rest.join('/'), {
    count: countTokens,
    random: () => 0.5,
    sleep: async () => {},
  });
}

const isVerify = (body: string) => body.includes('Look at your findings once more');
const isFollowUp = (body: string) => body.includes('What you asked for, as far as');
const fileOf = (body: string) => Number(/## src\/file-(\d{3})\.ts/.exec(body)?.[1] ?? -1);

/** What the reviewer says of a page, in all three messages; `asks` whether it asks for more first. */
function reviewerOf(asks: (file: number) => boolean) {
  return ({ bytes }: { readonly bytes: Buffer }) => {
    const body = bytes.toString('utf8');
    const file = fileOf(body);
    const planted = plantedOn(file);
    const summary = `File ${file} divides. Empty lists are not looked for.`;
    if (isVerify(body)) {
      const verdicts = planted.map(({ kind }, at) => ({
        finding: at + 1,
        verdict: kind === 'false' ? 'refuted' : 'confirmed',
        reason: kind === 'false' ? 'The line only names the function.' : 'Nothing guards it.',
      }));
      return { json: { summary: '', findings: [], verdicts } };
    }
    const findings = planted.map(({ finding }) => finding);
    if (!asks(file) || isFollowUp(body)) return { json: { summary, findings } };
    return {
      json: { summary, findings: [], requests: [{ type: 'callers', unit: '', details: `f${file}x0` }] },
    };
  };
}

const ground = () =>
  groundForTest((repository) => {
    for (let file = 0; file < files; file += 1) repository.write(nameOf(file), bodyOf(file));
  });
const onePerPage = { maxChunkTokens: 400, context: 'none', concurrency: 4 };

describe.each([
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-4o',
  'google/gemini-2.5-flash',
  'deepseek/deepseek-chat',
])('two hundred planted findings by %s', (name) => {
  let own: ReviewGround;
  let result: ReviewRun;
  const all = Array.from({ length: files }, (_, file) => plantedOn(file)).flat();
  const titles = (kind: Kind) =>
    all.filter((one) => one.kind === kind).map(({ finding }) => String(finding.title));

  it('are each where they belong [R14] [review.verify]', async () => {
    expect(all).toHaveLength(200);
    for (const kind of kinds) expect(titles(kind)).toHaveLength(counts[kind] * files);
    own = ground();
    loopback.play(reviewerOf(() => false));
    const request = { ...onePerPage, verify: true, failLevel: 'critical', format: 'json' };
    result = await own.run(modelOf(name), request);
    expect(result).toMatchObject({ complete: true, missing: [] });
    expect(result.pages).toHaveLength(files);
    const report = JSON.parse(result.report);
    const shown = result.findings.map(({ finding }) => finding.title);
    // None that is true is lost, and none is said twice.
    for (const kind of ['true', 'suggests', 'breaks'] as const)
      expect(titles(kind).filter((title) => shown.filter((one) => one === title).length !== 1)).toEqual([]);
    expect(shown.filter((title) => title === 'twice' || title.startsWith('false'))).toEqual([]);
    expect(report.duplicates).toBe(titles('twice').length);
    expect(report.held.map(({ title }: { title: string }) => title).sort()).toEqual(titles('false').sort());
    expect(
      report.held.every(
        ({ holdReason, refuted }: Record<string, string>) => holdReason === 'refuted' && refuted,
      ),
    ).toBe(true);
    expect(shown.length + report.held.length + report.duplicates).toBe(200);
    expect(report.summary.lines).toHaveLength(11);
    // Everything critical is wrong or elsewhere.
    expect(result.fails).toBe(false);
    const stricter = await own.run(modelOf(name), { ...request, failLevel: 'high' });
    expect(stricter.fails).toBe(true);
    expect(stricter.pages.every(({ status }) => status === 'kept')).toBe(true);
  });

  it('offer only suggestions that apply and parse [R14]', async () => {
    const { default: ts } = await import('typescript');
    const offered = result.findings.filter(({ finding }) => finding.suggestion !== undefined);
    expect(offered.map(({ finding }) => finding.title).sort()).toEqual(titles('suggests').sort());
    for (const { finding } of offered) {
      const lines = bodyOf(Number(/\d{3}/.exec(finding.path)?.[0])).split('\n');
      const { startLine, endLine, replacement } = finding.suggestion!;
      expect([startLine, endLine]).toEqual([finding.startLine, finding.endLine]);
      lines.splice(startLine - 1, endLine - startLine + 1, replacement);
      const { diagnostics } = ts.transpileModule(lines.join('\n'), { reportDiagnostics: true });
      expect(diagnostics).toEqual([]);
    }
    const lost = result.findings.filter(({ lostSuggestion }) => lostSuggestion !== undefined);
    expect(lost.map(({ finding }) => finding.title).sort()).toEqual(titles('breaks').sort());
    expect(lost.every(({ finding }) => finding.remedy !== undefined)).toBe(true);
    expect(new Set(lost.map(({ lostSuggestion }) => lostSuggestion))).toEqual(
      new Set(['repeats-context', 'breaks-syntax']),
    );
  });
});

describe('a fifth of the calls failing, with follow-ups and second looks', () => {
  it('leaves every page accounted for, and asks another time only for what is missing [review.asks] [review.verify]', async () => {
    const reached = { first: 0, followUp: 0, verify: 0 };
    for (
      let seed = 0;
      seed < sweepSize('reviews with failing follow-ups and second looks', { everyRun: 1, nightly: 12 });
      seed += 1
    ) {
      const own = ground();
      const script = reviewerOf((file) => file % 2 === 0);
      const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
      const fails = (bytes: Buffer) =>
        createHash('sha256').update(`${seed}`).update(bytes).digest()[0]! < 0.2 * 256;
      const request = { ...onePerPage, verify: true, failLevel: 'critical', format: 'json' };
      loopback.forgetCalls();
      loopback.play(script, ({ bytes }) => (fails(bytes) ? { kind: 'status', status: 400 } : undefined));
      const first = await own.run(modelOf('anthropic/claude-sonnet-4-5'), request);
      const answered = new Set<string>();
      for (const { bytes } of loopback.calls) {
        const body = bytes.toString('utf8');
        if (!fails(bytes)) answered.add(digest(bytes));
        else reached[isVerify(body) ? 'verify' : isFollowUp(body) ? 'followUp' : 'first'] += 1;
      }
      expect(first.pages).toHaveLength(files);
      const lost = first.pages.filter(({ status }) => status !== 'reviewed');
      expect(first.missing.map(({ page }) => page)).toEqual(lost.map(({ page }) => page));
      expect(lost.every(({ status, code }) => status === 'failed' && code !== undefined)).toBe(true);
      expect(first.complete).toBe(lost.length === 0);
      expect(first.runs).toHaveLength(loopback.calls.length);
      loopback.forgetCalls();
      loopback.play(script);
      const second = await own.run(modelOf('anthropic/claude-sonnet-4-5'), request);
      expect(second).toMatchObject({ complete: true, missing: [], fails: false });
      const again = loopback.calls.filter(({ bytes }) => answered.has(digest(bytes)));
      expect(again).toEqual([]);
      expect(loopback.calls.length).toBeGreaterThan(0);
      const report = JSON.parse(second.report);
      expect(second.findings.length + report.held.length + report.duplicates).toBe(200);
      expect(report.held).toHaveLength(counts.false * files);
      loopback.forgetCalls();
      const third = await own.run(modelOf('anthropic/claude-sonnet-4-5'), request);
      expect(loopback.calls).toEqual([]);
      expect(third.report).toBe(second.report);
    }
    for (const [what, count] of Object.entries(reached)) expect([what, count > 0]).toEqual([what, true]);
  });
});
