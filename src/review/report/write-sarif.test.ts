import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import type { Result, Run } from 'sarif';
import { describe, expect, it } from 'vitest';
import { anyReported, reported, reportOf, someReport } from './testing/some-report.js';
import { writeSarif } from './write-sarif.js';

const line = { type: 'integer', minimum: 1 };
const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const list = (items: object, rest: object = {}) => ({ type: 'array', items, ...rest });
const level = { enum: ['none', 'note', 'warning', 'error'] };
const artifactLocation = closed(
  {
    uri: { type: 'string', format: 'uri-reference', pattern: '^(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)' },
    uriBaseId: { const: '%SRCROOT%' },
  },
  ['uri', 'uriBaseId'],
);
const region = closed({ startLine: line, endLine: line, startColumn: line, endColumn: line }, ['startLine']);

// The parts of SARIF 2.1.0 that the writer uses, with nothing beside them allowed.
const result = closed(
  {
    ruleId: { type: 'string' },
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    rank: { type: 'number', minimum: 0, maximum: 100 },
    message: text,
    locations: list(
      closed({ physicalLocation: closed({ artifactLocation, region }, ['artifactLocation']) }, [
        'physicalLocation',
      ]),
      { minItems: 1, maxItems: 1 },
    ),
    partialFingerprints: closed({ 'galleyFinding/v1': { type: 'string', minLength: 1 } }, [
      'galleyFinding/v1',
    ]),
    baselineState: { enum: ['new', 'unchanged', 'updated', 'absent'] },
    fixes: list(
      closed(
        {
          description: text,
          artifactChanges: list(
            closed(
              {
                artifactLocation,
                replacements: list(
                  closed({ deletedRegion: region, insertedContent: text }, ['deletedRegion']),
                  { minItems: 1 },
                ),
              },
              ['artifactLocation', 'replacements'],
            ),
            { minItems: 1 },
          ),
        },
        ['artifactChanges'],
      ),
    ),
    suppressions: list(
      closed(
        {
          kind: { enum: ['inSource', 'external'] },
          status: { enum: ['accepted', 'underReview', 'rejected'] },
          justification: { type: 'string' },
        },
        ['kind'],
      ),
    ),
    properties: { type: 'object' },
  },
  ['ruleId', 'ruleIndex', 'level', 'message', 'locations', 'partialFingerprints', 'suppressions'],
);
const schema = closed(
  {
    $schema: { type: 'string', format: 'uri' },
    version: { const: '2.1.0' },
    runs: list(
      closed(
        {
          tool: closed(
            {
              driver: closed(
                {
                  name: { type: 'string', minLength: 1 },
                  semanticVersion: { type: 'string' },
                  informationUri: { type: 'string', format: 'uri' },
                  rules: list(
                    closed(
                      {
                        id: { type: 'string', minLength: 1 },
                        shortDescription: text,
                        defaultConfiguration: closed({ level }),
                      },
                      ['id'],
                    ),
                    { uniqueItems: true },
                  ),
                },
                ['name', 'rules'],
              ),
            },
            ['driver'],
          ),
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          originalUriBaseIds: closed({ '%SRCROOT%': closed({ description: text }) }),
          invocations: list(
            closed(
              {
                executionSuccessful: { type: 'boolean' },
                toolExecutionNotifications: list(
                  closed({ descriptor: closed({ id: { type: 'string' } }), level, message: text }, [
                    'message',
                  ]),
                ),
              },
              ['executionSuccessful'],
            ),
          ),
          results: list(result),
        },
        ['tool', 'results'],
      ),
      { minItems: 1, maxItems: 1 },
    ),
  },
  ['version', 'runs'],
);

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(schema);

const valid = (written: string): Run & { results: Result[] } => {
  const log = JSON.parse(written);
  validate(log);
  expect(validate.errors).toBeNull();
  return log.runs[0];
};
const replacements = (one: Result | undefined) => one?.fixes?.[0]?.artifactChanges[0]?.replacements;

describe('a report in SARIF', () => {
  it('writes valid logs, also of nothing', () => {
    expect(valid(writeSarif(reportOf([]))).results).toEqual([]);
    const run = valid(writeSarif(someReport()));
    expect(run.results.map((one) => one.level)).toEqual([
      'error',
      'error',
      'warning',
      'note',
      'note',
      'note',
    ]);
    expect(run.invocations?.[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'warning' }],
    });
  });

  it('points into the tree by percent-encoded relative paths', () => {
    const { results } = valid(writeSarif(someReport()));
    expect(results[0]?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'src/%E6%97%A5%E5%BF%97%20%281%29.ts', uriBaseId: '%SRCROOT%' },
      region: { startLine: 12, endLine: 14 },
    });
  });

  it('gives no region to removed lines and to what is in the summary', () => {
    const { results } = valid(writeSarif(someReport()));
    for (const index of [2, 3, 4])
      expect(results[index]?.locations?.[0]?.physicalLocation).not.toHaveProperty('region');
    expect(results[2]?.message.text).toContain('line 7 before the change');
  });

  it('suppresses what was held back and nothing else', () => {
    const { results } = valid(writeSarif(someReport()));
    expect(results.map(({ suppressions }) => suppressions?.length)).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('carries suggestions as fixes of whole lines', () => {
    const { results } = valid(writeSarif(someReport()));
    expect(replacements(results[0])).toEqual([
      { deletedRegion: { startLine: 12, endLine: 14 }, insertedContent: { text: 'query(sql, [name]);' } },
    ]);
    expect(replacements(results[1])).toEqual([
      { deletedRegion: { startLine: 1, startColumn: 1, endLine: 2, endColumn: 1 } },
    ]);
  });

  it('leaves no placeholder and no embedded link in foreign text', () => {
    const { results } = valid(
      writeSarif(reportOf([reported({ message: 'Use {0}, see [here](https://evil.example).' })])),
    );
    expect(results[0]?.message.text).toContain('Use {{0}}, see `[here] (https://evil.example)`.');
  });

  it('stays valid on any text, with matching rules and readable paths', () => {
    fc.assert(
      fc.property(fc.array(anyReported, { maxLength: 5 }), (findings) => {
        const { tool, results } = valid(writeSarif(reportOf(findings)));
        expect(results).toHaveLength(findings.length);
        results.forEach((one, index) => {
          const { finding } = findings[index]!;
          expect(tool.driver.rules?.[one.ruleIndex ?? -1]?.id).toBe(one.ruleId);
          expect(decodeURIComponent(one.locations?.[0]?.physicalLocation?.artifactLocation?.uri ?? '')).toBe(
            finding.path,
          );
        });
      }),
      { numRuns: 200 },
    );
  });
});
