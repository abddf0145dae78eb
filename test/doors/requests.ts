// Requests for every operation that runs on a small fixture: right ones that build on each other, and wrong ones.
import fc from 'fast-check';
import { nastyText } from '../../src/testing/nasty-text.js';
import { defaultBudgetProfile } from '../../src/writing/layers/layered-recipe.js';

export type Step = readonly [id: string, request: Record<string, unknown>];

/** Operations that need more than a fixture, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'jobs:start': 'gives every job an id and a time of its own; tested with servers and workers',
  'book:begin': 'claims the folder for the project; tested with folders of its own',
  'agents:undo': 'takes back what an agent CLI did; tested with folders of its own',
  'agents:race:run': 'starts agent CLIs; tested with fake ones',
  ...Object.fromEntries(
    ['get', 'take', 'discard'].map((verb) => [
      `agents:race:${verb}`,
      'needs a race that was run; tested with repositories of their own',
    ]),
  ),
  'agents:run': 'starts an agent CLI; the doors have tests of their own for it',
  ...Object.fromEntries(
    ['sessions:list', 'inspect', 'handoff'].map((name) => [
      `agents:${name}`,
      'reads the home of whoever sits at the machine, so only the shell answers',
    ]),
  ),
  ...Object.fromEntries(
    ['review', 'post', 'status', 'resolve', 'retract', 'exempt', 'answer', 'describe', 'replay', 'stats'].map(
      (verb) => [`forge:${verb}`, 'talks to a host of pull requests; tested against one of our own'],
    ),
  ),
};

const projectId = fc.constantFrom('novel', '长篇');
const id = fc.constantFrom('one', 'two', 'id-1', 'id-2');
const room = fc.constantFrom('login', '登录');
const documentId = fc.constantFrom('chapter-1', '第二章');
const draft = fc.constantFrom('1', 'chapter-1-polish-1');
const skillId = fc.constantFrom('continue', 'polish', 'nowhere');
const text = fc.oneof(
  fc.constantFrom('It was night on the moon.', '林远走进了屋子。他很冷静。', ''),
  nastyText(20),
);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const record = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields);
const item = record({ projectId, id });

const change = record({
  mode: fc.constantFrom('working', 'staged', 'commit', 'pr'),
  base: optional(fc.constantFrom('main', 'nowhere')),
  commit: optional(fc.constant('HEAD')),
  paths: optional(fc.constantFrom(['.'], [':!a.txt'], ['../elsewhere'])),
  maxChunkTokens: optional(fc.constantFrom(50, 5000)),
  meter: optional(fc.constantFrom('chars/4', 'bytes', 'thumb')),
});

const where = {
  projectId,
  documentId,
  skillId,
  text: optional(text),
  additionalInput: optional(text),
  language: optional(fc.constantFrom('zh', 'en', 'fr')),
};
const scene = record({
  ...where,
  cursorPosition: fc.nat(40),
  layout: optional(fc.constantFrom('exact', 'steady')),
});
const skillFile = record({
  projectId: optional(projectId),
  source: fc.oneof(
    text,
    fc.constant('---\nname: Rhyme\ndescription: Makes it rhyme.\n---\nWrite in rhymes.\n'),
  ),
});

/** Every operation of the table has its requests here, or a reason above. */
export const requests: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
  'documents:index': record({ projectId }),
  'jobs:list': record({ projectId, status: optional(fc.constantFrom('failed', 'gone')) }),
  ...Object.fromEntries(
    ['get', 'cancel', 'repeat'].map((verb) => [`jobs:${verb}`, record({ projectId, job: id })]),
  ),
  'jobs:follow': record({ projectId, job: id, timeoutMs: fc.constant(1) }),
  'agents:turns': record({}),
  'agents:assemble': record({
    agentType: fc.constantFrom('claude', 'codex', 'gemini', 'other'),
    contextMessages: fc.array(fc.record({ from: fc.constantFrom('a', 'b'), content: text }), {
      maxLength: 3,
    }),
    currentMessage: text,
    teamTask: optional(text),
    maxBytes: optional(fc.constantFrom(0, 40, 4000)),
    maxTokens: optional(fc.constantFrom(0, 40, 4000)),
    meter: optional(fc.constantFrom('chars/4', 'bytes')),
    systemInstruction: optional(fc.constantFrom('Be brief.', ['You are Max.', ' '])),
    ledger: optional(fc.boolean()),
    code: optional(fc.array(text, { maxLength: 3 })),
    withCode: optional(fc.constantFrom(200, 1_000)),
  }),
  'agents:rooms:create': record({
    projectId,
    room,
    task: optional(text),
    agents: fc.constantFrom(
      [{ name: 'max', agentType: 'plain', model: 'cli/nobody', maxBytes: 400 }],
      [
        { name: 'max', agentType: 'plain', maxTokens: 50, meter: 'chars/4', permission: 'edit' },
        { name: '小林', agentType: 'plain' },
      ],
      [],
    ),
  }),
  'agents:rooms:say': record({
    projectId,
    room,
    id: optional(id),
    from: fc.constantFrom('kailai', 'max'),
    to: optional(fc.constantFrom('max', '小林')),
    role: optional(fc.constantFrom('user', 'system')),
    content: fc.oneof(text, fc.constant('@max go on'), fc.constant([{ type: 'file', path: 'a.txt' }])),
    pinned: optional(fc.boolean()),
    priority: optional(fc.integer({ min: -2, max: 2 })),
  }),
  // Nobody answers: the turn fails and the room says so, the same at every door.
  'agents:rooms:run': record({ projectId, room, agent: optional(fc.constantFrom('max', 'nobody')) }),
  'agents:rooms:list': record({ projectId: optional(projectId) }),
  'agents:rooms:get': record({
    projectId,
    room,
    after: optional(fc.nat(3)),
    limit: optional(fc.constant(2)),
  }),
  'agents:rooms:close': record({ projectId, room }),
  'agents:rooms:compact': record({
    projectId,
    room,
    first: optional(fc.integer({ min: 1, max: 3 })),
    last: optional(fc.integer({ min: 1, max: 4 })),
    keep: optional(fc.constantFrom(0, 1)),
    text: optional(fc.constantFrom('They spoke of the moon.', '谈了月亮。')),
    from: optional(fc.constant('kailai')),
  }),
  'agents:rooms:expand': record({ projectId, room, summary: optional(fc.constantFrom(2, 9)) }),
  'ai:skill:accept': record({ projectId, runId: id, text, summary: optional(text) }),
  'ai:skill:run': record({ ...where, dryRun: fc.boolean() }),
  'chat:complete': record({
    projectId,
    documentId: optional(documentId),
    messages: fc.array(
      fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content: text }),
      { maxLength: 3 },
    ),
    contextTokens: optional(fc.constantFrom(0, 50, 4_000)),
    model: fc.constantFrom('test/scripted'),
  }),
  'book:check': record({
    projectId,
    documentIds: optional(fc.array(documentId, { minLength: 1, maxLength: 2 })),
    model: optional(fc.constantFrom('test/scripted')),
    dryRun: optional(fc.boolean()),
  }),
  'book:intended:delete': item,
  'book:intended:list': record({ projectId }),
  'book:intended:put': record({
    projectId,
    words: text,
    chapter: optional(documentId),
    rule: optional(text),
    why: optional(text),
  }),
  'constraints:create': record({
    projectId,
    id: optional(id),
    text,
    kind: fc.constantFrom('world', 'style', 'plot', 'wrong'),
    priority: optional(fc.integer({ min: -3, max: 3 })),
    pinned: optional(fc.boolean()),
  }),
  'constraints:delete': item,
  'constraints:judge': record({ projectId, text, chapter: optional(fc.nat(3)) }),
  'constraints:list': record({ projectId }),
  'constraints:update': record({ projectId, id, text: optional(text), pinned: optional(fc.boolean()) }),
  'context:assemble': scene,
  'context:budget:get': record({ projectId }),
  'context:budget:update': record({ projectId, version: fc.nat(2) }).map((fields) => ({
    ...defaultBudgetProfile,
    ...fields,
  })),
  'context:inspect': scene,
  'documents:delete': record({ projectId, documentId }),
  'documents:export': record({
    projectId,
    format: fc.constantFrom('md', 'txt', 'docx', 'epub', 'pdf'),
    author: optional(fc.constantFrom('Ada', '曹雪芹')),
    // A clock of its own at every door would make every file another one.
    modified: fc.constant(1_700_000_000_000),
    path: optional(fc.constantFrom('book.md', '../book.epub')),
  }),
  'documents:import': record({
    projectId,
    files: optional(
      fc.array(
        record({
          name: fc.constantFrom('book.txt', 'book.md', 'card.json', 'book.docx', '../up.md'),
          text: optional(
            fc.oneof(
              text,
              fc.constant('第一章\n雨。\n第二章\n雪。\n'),
              fc.constant('{"entries":[{"key":["Ada"],"content":"x"}]}'),
            ),
          ),
          base64: optional(fc.constantFrom('5Zeo', 'UEsD', '!')),
        }),
        { maxLength: 2 },
      ),
    ),
    path: optional(fc.constantFrom('a.txt', '../secret')),
    dryRun: optional(fc.boolean()),
  }),
  'documents:search': record({
    projectId,
    query: text,
    documentId: optional(documentId),
    exact: optional(fc.boolean()),
    wholeWord: optional(fc.boolean()),
    near: optional(fc.constantFrom(0, 5, 50)),
    most: optional(fc.integer({ min: 1, max: 3 })),
  }),
  'documents:get': record({ projectId, documentId }),
  'documents:list': record({ projectId, lengths: optional(fc.boolean()) }),
  'documents:read': record({ projectId, documentId }),
  'documents:write': record({
    projectId,
    documentId,
    text,
    hash: optional(fc.constant('0'.repeat(64))),
    keep: optional(fc.boolean()),
  }),
  'documents:put': record({ projectId, documentId, text, title: optional(text), order: optional(fc.nat(9)) }),
  'documents:history': record({ projectId, documentId }),
  'documents:snapshot': record({ projectId, documentId, name: optional(fc.constantFrom('first', '初稿')) }),
  'documents:restore': record({ projectId, documentId, version: fc.constantFrom('1', '初稿', '9') }),
  'drafts:list': record({ projectId, documentId: optional(documentId) }),
  'drafts:get': record({ projectId, draft }),
  'drafts:update': record({ projectId, draft, text }),
  'drafts:apply': record({ projectId, draft, pieces: optional(fc.constantFrom([1], [9])) }),
  'drafts:discard': record({ projectId, draft }),
  'drafts:undo': record({ projectId, documentId: optional(documentId) }),
  'entities:delete': item,
  'entities:get': item,
  'entities:list': record({ projectId }),
  'entities:propose': record({ projectId, minCount: optional(fc.constantFrom(1, 5)) }),
  'entities:put': record({
    projectId,
    id: optional(id),
    name: fc.constantFrom('林远', 'Ada'),
    aliases: optional(fc.array(fc.constantFrom('A', '林'), { maxLength: 2 })),
    description: text,
  }),
  'memory:confirm': item,
  'memory:delete': item,
  'memory:list': record({ projectId, confirmed: optional(fc.boolean()) }),
  'memory:put': record({
    projectId,
    id: optional(id),
    kind: fc.constantFrom('semantic', 'episodic'),
    text,
    origin: optional(fc.constantFrom('caller', 'learned')),
  }),
  'promises:add': record({ projectId, text, chapter: optional(documentId), quote: optional(text) }),
  'promises:list': record({ projectId, forgottenAfter: optional(fc.constantFrom(1, 10)) }),
  'promises:pay': record({ projectId, id, chapter: optional(documentId) }),
  'promises:propose': record({
    projectId,
    documentIds: optional(fc.array(documentId, { minLength: 1, maxLength: 2 })),
    model: fc.constant('test/scripted'),
    dryRun: fc.constant(true),
  }),
  'promises:remove': item,
  'promises:update': record({
    projectId,
    id,
    text: optional(text),
    state: optional(fc.constantFrom('open', 'paid', 'lost')),
  }),
  'receipts:diff': record({ projectId, from: id, to: id }),
  'receipts:get': item,
  'runs:list': record({ projectId, limit: optional(fc.integer({ min: 1, max: 5 })) }),
  'receipts:list': record({ projectId, limit: optional(fc.integer({ min: 1, max: 5 })) }),
  'review:bundles': change,
  'review:changes': change,
  // A page that a tool gives is smaller, so that its receipt is another one unless the size is said.
  'review:chunks': change.map((request) => ({ ...request, maxChunkTokens: request.maxChunkTokens ?? 5000 })),
  'review:plan': change,
  'review:diff': change.map((request) => ({ ...request, lineChars: 40 })),
  'review:apply': record({
    path: fc.constantFrom('src/a.ts', 'nowhere.ts', '../a.ts'),
    blob: fc.constant('0'.repeat(40)),
    startLine: fc.constant(1),
    endLine: fc.constant(1),
    replacement: text,
  }),
  'review:exempt': record({
    findings: fc.constantFrom(
      [],
      [
        {
          ...{ id: 'f1', path: 'src/a.ts', side: 'new', startLine: 1, endLine: 1, severity: 'low' },
          ...{ category: 'style', confidence: 0.5, title: 'Long', message: 'It is long.', evidence: '' },
        },
      ],
    ),
    remove: optional(fc.boolean()),
  }),
  'code:find': record({
    query: text,
    budget: optional(fc.constantFrom({ tokens: 200 }, { tokens: 2_000 })),
    paths: optional(fc.constant(['src'])),
    from: optional(fc.integer({ min: 1, max: 3 })),
  }),
  'review:related': record({
    paths: fc.subarray(['src/a.ts', 'src/b.ts'], { minLength: 1 }),
    limit: fc.nat(3),
  }),
  /** A dry run: everything but the model. */
  'review:ask': change.map((request) => ({ ...request, question: 'Why?', model: 'cli/nobody' })),
  'review:inspect': change.map((request) => ({ ...request, texts: [1] })),
  'review:settle': record({
    settings: record({ maxPromptTokens: optional(fc.constantFrom(9000, null)) }),
    was: optional(fc.constant('')),
  }),
  'review:run': change.map((request) => ({ ...request, dryRun: true, model: 'cli/nobody' })),
  'review:report': fc
    .tuple(change, fc.array(text, { maxLength: 2 }), fc.constantFrom('markdown', 'json', 'sarif'))
    .map(([fields, answers, format]) => ({ ...fields, answers, format })),
  'scenes:delete': record({ projectId, documentId }),
  'scenes:list': record({ projectId }),
  'scenes:put': record({ projectId, documentId, pov: optional(text), place: optional(text) }),
  'summaries:delete': record({ projectId, documentId }),
  'summaries:list': record({ projectId }),
  'summaries:put': record({ projectId, documentId, text: optional(text) }),
  'book:summarise': record({ projectId, model: fc.constant('cli/nobody'), dryRun: fc.constant(true) }),
  'skills:get': record({ projectId: optional(projectId), skillId }),
  'skills:lint': skillFile,
  'skills:list': record({ projectId: optional(projectId) }),
  'skills:put': skillFile,
};

const wrong = fc
  .dictionary(fc.constantFrom('projectId', 'id', 'text', 'mode', 'more'), fc.jsonValue(), { maxKeys: 3 })
  .filter((request) => !JSON.stringify(request).includes('__proto__'));

/** A request of the operation, now and then spoiled. What is absent is absent, as it is in JSON. */
export function stepOf(operation: string): fc.Arbitrary<Step> {
  const right = requests[operation] ?? fc.constant({});
  const request = fc.oneof({ arbitrary: right, weight: 6 }, { arbitrary: wrong, weight: 1 });
  return request.map((fields) => [operation, JSON.parse(JSON.stringify(fields)) as Record<string, unknown>]);
}
